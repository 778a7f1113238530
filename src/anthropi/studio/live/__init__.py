"""Simulations on their way: the figure moves as it is computed, and is pushed, told and changed meanwhile.

`stepper.py` is the kernel of a few steps, `stepper.py` the numbers that are its inputs, `ground.py` terrain as an
input, `interaction.py` what pulls and pushes, `walking.py` and `moving.py` what is simulated, `run.py` the thread that
paces it.
"""
