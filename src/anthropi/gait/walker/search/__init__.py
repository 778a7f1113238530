"""How are a walker's numbers found? By search: thousands of walks at once, scored, and the better ones bred on.

`initial_parameters.py` makes the numbers to begin with, `evolve.py` says which of them are searched, `rollouts.py` what
a walk costs, `rollouts.py` walks them in batches on lanes, threads or a GPU, `scenarios.py` what happens to them,
`evolve.py` is the search (CMA-ES), `refine.py` the whole of it, and `simbicon.py` begins with gains that fall.
"""
