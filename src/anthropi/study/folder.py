"""The folder of a study, read without its function: points, results and progress, also while the study runs.

    points/FIRST.npz    `point_NAME` columns of the points from index FIRST on, or for a grid its `axis_NAME` values

The points of a search are stored generation by generation, before they are computed.
"""

import io
import math
import time
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np

from anthropi.errors import AnthropiError, FileError, InputError
from anthropi.study.driver import Progress
from anthropi.study.journal import Journal, being_run, failures_of, write_whole, writing
from anthropi.study.points import MAX_POINTS, Points, grid
from anthropi.study.results import Table, joined_results

__all__ = ["FolderProgress", "read_folder", "read_points", "read_progress", "read_table", "write_points"]

RATE_WINDOW = 60.0  # [s] of the past from which the rate is computed


def write_points(folder: Path, first: int, points: Points) -> None:
    """Store points of a study from index `first` on, unless they are there already."""
    path = folder / "points" / f"{first}.npz"
    known = _stored(path)
    if known is not None and known.digest() == points.digest() and (known.axes is None) == (points.axes is None):
        return
    if points.axes is not None:
        columns = {f"axis_{name}": x for name, x in points.axes.items()}
    else:
        columns = {f"point_{name}": x for name, x in points.columns.items()}
    buffer = io.BytesIO()
    np.savez(buffer, **columns)  # type: ignore[arg-type]
    with writing(folder):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, buffer.getbuffer())


def read_points(folder: Path, most: int = MAX_POINTS) -> Points | None:
    """Return the points that are stored in a folder; None if there are none. most : number that is accepted."""
    parts, count = [], 0
    while (found := _stored(folder / "points" / f"{count}.npz", most - count)) is not None and len(found):
        parts.append(found)
        count += len(found)
    if len(parts) < 2:
        return parts[0] if parts else None
    return Points({name: np.concatenate([part.columns[name] for part in parts]) for name in parts[0].names})


def _stored(path: Path, most: int = MAX_POINTS) -> Points | None:
    """Return the points in a file; None if it is missing or damaged."""
    try:
        with np.load(path, allow_pickle=False) as file:
            columns = {name: file[name] for name in file.files}
    except (OSError, ValueError, KeyError, EOFError, SyntaxError, BadZipFile):
        return None
    axes = bool(columns) and all(name.startswith("axis_") for name in columns)
    count = math.prod(map(np.size, columns.values())) if axes else max(map(np.size, columns.values()), default=0)
    if count > most:
        raise InputError(f"{path.parent.parent} has {count:,} points, of which {most:,} at most can be read here.")
    try:
        if axes:
            return grid(**{name.removeprefix("axis_"): x for name, x in columns.items()})
        return Points({name.removeprefix("point_"): x for name, x in columns.items()})
    except AnthropiError:
        return None


def read_table(journal: Journal, points: Points, first: int = 0, last: int | None = None) -> Table:
    """Return the table of the points first … last - 1; points that are not in the journal are "missing".

    A chunk whose file is damaged is missing too; if the journal was opened for writing, it is computed again.
    """
    last = len(points) if last is None else last
    failures = journal.failures()
    parts = []
    for entry in journal.entries():
        if entry.first >= last or entry.last <= first:
            continue
        columns = journal.read(entry, failures_of(failures, entry))
        if columns is None:
            if journal.write:
                journal.forget(entry.name)
            continue
        a, b = max(entry.first, first), min(entry.last, last)
        cut = slice(a - entry.first, b - entry.first)
        parts.append((a - first, b - first, {n: x[cut] for n, x in columns.items()}))
    own = [f._replace(point=f.point - first) for f in failures if first <= f.point < last]
    results, status = joined_results(parts, own, last - first)
    whole = first == 0 and last == len(points)
    cut_points = points if whole else Points(points.rows(first, last))
    return Table(cut_points, results, status, tuple(f for f in failures if first <= f.point < last))


def read_folder(folder: str | Path) -> Table:
    """Return the table of the study in a folder, without its function. Nothing is changed; the study may be running."""
    folder = Path(folder)
    with Journal(folder) as journal:
        points = read_points(folder)
        if points is None:
            raise FileError(f"{folder} has no points of a study. Run the study again, which stores them.")
        return read_table(journal, points)


class FolderProgress(NamedTuple):
    """Progress of the study in a folder.

    progress : numbers of points done, in total and failed, points per second, and remaining time [s]. In a search, the
        total is the number of points proposed so far.
    running : whether a process runs the study now.
    workers : number of workers that returned results in the last minute of the run.
    search : whether later points depend on earlier results.
    minimise : the result that a search minimises, or "".
    function : the function, as "module:name" or "file:name".
    """

    progress: Progress
    running: bool
    workers: int
    search: bool
    minimise: str
    function: str


def read_progress(folder: str | Path, total: int | None = None) -> FolderProgress:
    """Return the progress of the study in a folder. total : the number of points, if it is known."""
    folder = Path(folder)
    running = being_run(folder)
    with Journal(folder) as journal:
        known, (done, failed, _) = journal.identity, journal.counts()
        now, begun = time.time(), float(known.get("begun", "0"))
        start = max(begun, now - RATE_WINDOW)
        recent, workers = journal.since(start) if running else (0, 0)
    search = known.get("count") == "search"
    if total is None:
        stored = read_points(folder) if search else None
        total = len(stored) if stored is not None else 0 if search else int(known.get("count", 0))
    rate = recent / max(now - start, 1e-3)
    left = (total - done) / rate if rate > 0.0 and not search else None
    return FolderProgress(
        Progress(done, total, failed, rate, left), running, workers, search, known.get("minimise", ""),
        known.get("function", ""),
    )  # fmt: skip
