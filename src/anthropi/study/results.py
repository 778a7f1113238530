"""The table of results of a study: one row per point, in the order of the points."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.errors import FileError, InputError, MissingExtra, SimulationError, did_you_mean
from anthropi.study.chunk import Failure
from anthropi.study.points import Points, columns_digest

__all__ = ["Table"]


class Table:
    """Points and results of a study, with equal numbers of rows.

    points : {name: (n,)} the values of the points.
    results : {name: (n, …)} results of the function. Rows of failed points and of points that are not done are NaN or
        "". A column of integers with such rows is converted to floats.
    status : (n,) "done", "missing", or the kind of failure: "error", "nan", "time", "memory" or "worker".
    failures : the points that failed, with their messages.
    """

    points: dict[str, np.ndarray]
    results: dict[str, np.ndarray]
    status: np.ndarray
    failures: tuple[Failure, ...]

    def __init__(
        self, points: Points, results: dict[str, np.ndarray], status: np.ndarray, failures: tuple[Failure, ...]
    ) -> None:
        self.points, self.results, self.status, self.failures = dict(points.columns), results, status, failures
        self.axes = points.axes

    def __len__(self) -> int:
        return len(self.status)

    def __repr__(self) -> str:
        done = int((self.status == "done").sum())
        names = f"{', '.join(self.points)} -> {', '.join(self.results) or 'nothing yet'}"
        return f"Table({done:,} of {len(self):,} points done: {names})"

    def __getitem__(self, name: str) -> np.ndarray:
        for columns in (self.results, self.points, {"status": self.status}):
            if name in columns:
                return columns[name]
        known = [*self.points, *self.results, "status"]
        raise InputError(f"The table has no column '{name}'.{did_you_mean(name, known)} Columns: {', '.join(known)}.")

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield {name: value} for each point, with its results and its status."""
        columns = self.points | self.results | {"status": self.status}
        for i in range(len(self)):
            yield {name: x[i].item() if x.ndim == 1 else x[i] for name, x in columns.items()}

    def require_done(self) -> "Table":
        """Return this table if every point is done; raise `SimulationError` with the first point that is not."""
        bad = np.flatnonzero(self.status != "done")
        if not len(bad):
            return self
        at = int(bad[0])
        point = ", ".join(f"{name}={x[at].item()!r}" for name, x in self.points.items())
        why = next((f.message for f in self.failures if f.point == at), "It was not computed.")
        raise SimulationError(
            f"{len(bad):,} of {len(self):,} points are not done; the first is point {at} ({point}): {self.status[at]}. "
            f"{why}"
        )

    @property
    def digest(self) -> str:
        """A digest of every bit of the table, the same on every machine."""
        marked = {f"point {n}": x for n, x in self.points.items()} | {f"result {n}": x for n, x in self.results.items()}
        return columns_digest(marked | {"status": self.status})

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame. A result with several numbers becomes one column for each of them."""
        try:
            import pandas  # type: ignore[import-untyped]
        except ImportError:
            raise MissingExtra("pandas", "study", "A DataFrame") from None
        return pandas.DataFrame(self._flat())

    def to_xarray(self) -> Any:
        """Return an xarray Dataset: over the axes of a grid, else over "point"."""
        try:
            import xarray
        except ImportError:
            raise MissingExtra("xarray", "study", "A Dataset") from None
        columns = self.results | {"status": self.status}
        if self.axes is not None:
            shape = tuple(len(x) for x in self.axes.values())
            data = {
                n: ((*self.axes, *(f"{n}_{k}" for k in range(x.ndim - 1))), x.reshape(*shape, *x.shape[1:]))
                for n, x in columns.items()
            }
            return xarray.Dataset(data, coords=self.axes)
        columns = self.points | columns
        return xarray.Dataset({n: (("point", *(f"{n}_{k}" for k in range(x.ndim - 1))), x) for n, x in columns.items()})

    def save(self, path: str | Path) -> Path:
        """Write the table as .csv, .npz or .parquet, completely or not at all; return the path."""
        path = Path(path)
        writers = {".csv": self._save_csv, ".npz": self._save_npz, ".parquet": self._save_parquet}
        if path.suffix.lower() not in writers:
            raise FileError(f"{path}: a table is written as {', '.join(writers)}. Choose one of these extensions.")
        part = path.with_name(f".part-{path.name}")
        try:
            writers[path.suffix.lower()](part)
            part.replace(path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise FileError(f"{path} cannot be written: {error.strerror or error}.") from None
        return path

    def _flat(self) -> dict[str, np.ndarray]:
        """Return all columns with one number per row: `name`, or `name_0`, `name_1` … of an array."""
        found: dict[str, np.ndarray] = {}
        for name, x in (self.points | self.results | {"status": self.status}).items():
            if x.ndim == 1:
                found[name] = x
            else:
                flat = x.reshape(len(x), -1)
                found |= {f"{name}_{k}": flat[:, k] for k in range(flat.shape[1])}
        return found

    def _save_csv(self, path: Path) -> None:
        columns = self._flat()
        with open(path, "w", newline="", encoding="utf-8") as file:
            write = csv.writer(file)
            write.writerow(columns)
            write.writerows(zip(*(x.tolist() for x in columns.values()), strict=True))

    def _save_npz(self, path: Path) -> None:
        with open(path, "wb") as file:
            np.savez_compressed(file, **self.points, **self.results, status=self.status)  # type: ignore[arg-type]

    def _save_parquet(self, path: Path) -> None:
        try:
            import pyarrow  # type: ignore[import-untyped]
            import pyarrow.parquet  # type: ignore[import-untyped]
        except ImportError:
            raise MissingExtra("pyarrow", "study", "A Parquet file") from None
        columns = {n: x.astype(object) if x.dtype.kind == "U" else x for n, x in self._flat().items()}
        pyarrow.parquet.write_table(pyarrow.table(columns), path)


def joined_results(
    parts: list[tuple[int, int, dict[str, np.ndarray]]], failures: list[Failure], count: int
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Return the columns of all points, and their status, from the results of chunks (first, last, columns)."""
    status = np.full(count, "missing", "U7")
    for first, last, _ in parts:
        status[first:last] = "done"
    for failure in failures:
        status[failure.point] = failure.kind
    layout: dict[str, np.ndarray] = {}
    for first, last, columns in parts:
        if not columns:  # all its points failed
            continue
        if layout and {n: _kind(x) for n, x in columns.items()} != {n: _kind(x) for n, x in layout.items()}:
            raise InputError(
                f"The function returned {', '.join(columns)} at points {first} to {last - 1}, and {', '.join(layout)} "
                "at others, or other shapes or types. Return the same results for every point."
            )
        layout = {n: np.zeros((0, *x.shape[1:]), np.result_type(x, layout.get(n, x))) for n, x in columns.items()}
    whole = bool(np.isin(status, ("done", "nan")).all())
    results = {name: _empty(count, x, whole) for name, x in layout.items()}
    for first, last, columns in parts:
        for name, x in columns.items():
            results[name][first:last] = x
    if not whole:
        lost = ~np.isin(status, ("done", "nan"))
        for x in results.values():
            if x.dtype.kind == "f":
                x[lost] = np.nan
    return results, status


def _kind(x: np.ndarray) -> tuple[str, tuple[int, ...]]:
    return x.dtype.kind, x.shape[1:]


def _empty(count: int, like: np.ndarray, whole: bool) -> np.ndarray:
    """Return a column of nothing; whole and truth values become real numbers unless every row has a value."""
    if like.dtype.kind == "U":
        return np.full((count, *like.shape[1:]), "", like.dtype)
    kind = like.dtype if whole or like.dtype.kind == "f" else np.dtype(float)
    return np.full((count, *like.shape[1:]), np.nan if kind.kind == "f" else 0, kind)
