"""Studies: one function at many points (sweeps, samples, searches), on one core or a cluster, with the same bits.

- `points.py` makes points: grids, samples, tables. `search.py` makes them from earlier results.
- `study.py` contains `Study`; `results.py` the table of its results.
- `driver.py` hands out chunks of points; `chunk.py` computes one.
- `pools.py`, `executors.py` and `worker.py` are the workers.
- `journal.py` keeps results on disk; `folder.py` stores points, and reads a folder without the function.
- `function.py` identifies functions; `progress.py` shows progress.
"""

from anthropi.study import examples
from anthropi.study.chunk import Failure
from anthropi.study.driver import Progress
from anthropi.study.executors import dask_client
from anthropi.study.folder import FolderProgress, read_folder, read_progress
from anthropi.study.points import Points, grid, latin_hypercube, normal, sobol, stream, table, uniform
from anthropi.study.results import Table
from anthropi.study.search import Best, CmaEs, Search
from anthropi.study.study import Study

__all__ = [
    "Best", "CmaEs", "Failure", "FolderProgress", "Points", "Progress", "Search", "Study", "Table", "dask_client",
    "examples", "grid", "latin_hypercube", "normal", "read_folder", "read_progress", "sobol", "stream", "table",
    "uniform",
]  # fmt: skip
