"""Closed loops in figures: closing them, moving with them, and the forces they need."""
