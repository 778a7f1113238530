"""Time: methods, steps and rollouts."""
