"""Time: integrators, steps and rollouts."""
