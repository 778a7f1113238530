"""Live runs: simulations in time with the clock, which can be pushed, dragged, commanded and edited while they run.

`run.py` is the thread that paces a simulation, `models.py` what is simulated, `stepper.py` the simulation with the
figure's numbers as inputs, `interaction.py` the forces of the pointer, `frames.py` frames and the recording,
`settings.py` all numbers that may be changed.
"""
