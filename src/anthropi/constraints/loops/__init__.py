"""Closed kinematic loops of figures: closing loops, dynamics with loops, and the forces in loops."""
