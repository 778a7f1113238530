"""Simulation: integration methods, time steps, controllers and recorded motions."""
