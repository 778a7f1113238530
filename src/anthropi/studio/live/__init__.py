"""Live runs: real-time simulations that can be pushed, dragged, commanded and edited while they run.

- `run.py`: the thread that steps a simulation in real time
- `models.py`: the simulated models, a scene or a walker
- `stepper.py`: the simulation, with the numbers of the figure as inputs of its kernel
- `interaction.py`: the forces of the pointer
- `frames.py`: live frames and the recording of a run
- `settings.py`: all numbers that may be changed
"""
