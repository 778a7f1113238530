"""Search for sets of a walker: thousands of walks at once are scored, and CMA-ES improves the parameters.

`initial_parameters.py` makes the first parameters from the reference gait, `rollouts.py` runs and scores walks in
batches, `scenarios.py` and `rough.py` say what happens in them, `grounds.py` on which ground, `evolve.py` is the space
of searched numbers and the search, `refine.py` the whole task from a set to a better one, and `simbicon.py` a search
that begins with published gains that fall.
"""
