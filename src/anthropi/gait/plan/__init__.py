"""Gait plans: parameters, phases and schedules of steps, the six determinants, and the upper body."""
