"""Search for parameter sets of a walker: simulate and score thousands of walks at once, and improve them by CMA-ES.

- `initial_parameters.py` makes the first parameters from the reference gait.
- `rollouts.py` runs and scores walks in batches.
- `scenarios.py` and `rough.py` define the commands, pushes and starts of the walks, `grounds.py` the ground.
- `evolve.py` contains the space of searched numbers and the search.
- `refine.py` runs a complete search from one parameter set to a better one.
- `simbicon.py` searches from published gains with which the figure falls.
"""
