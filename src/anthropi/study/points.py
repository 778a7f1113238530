"""Points of a study: a table with one row per run, and the ways to make one.

    grid               every combination of the given values
    uniform, normal    independent random samples
    latin_hypercube    random samples, one in each of n equal layers of every variable
    sobol              a scrambled Sobol sequence, which fills the space evenly
    table              given rows, or a .csv file

Random samples depend on the seed only: NumPy's Philox generator gives the same bits on every machine.
"""

import csv
import hashlib
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.errors import FileError, InputError, MissingExtra, ShapeError

__all__ = ["MAX_POINTS", "Points", "grid", "latin_hypercube", "normal", "sobol", "stream", "table", "uniform"]

MAX_POINTS = 100_000_000
_KINDS = "fiubU"  # of NumPy: float, signed and unsigned integer, truth value, word


class Points:
    """A table of points: named columns of equal length, of numbers, truth values or words.

    Parameters
    ----------
    columns : {name: (n,) values}. The names are the parameters of the study's function.
    axes : for a grid, {name: values} of its axes, in the order of the rows (the last one changes fastest); else None.
    """

    columns: dict[str, np.ndarray]
    axes: dict[str, np.ndarray] | None

    def __init__(self, columns: Mapping[str, Any], axes: Mapping[str, Any] | None = None) -> None:
        if not columns:
            raise InputError("A study needs at least one column of points. Give, for example, speed=[1.0, 1.2].")
        self.columns = {_name(name): _column(name, values) for name, values in columns.items()}
        lengths = {name: len(x) for name, x in self.columns.items()}
        if len(set(lengths.values())) > 1:
            found = ", ".join(f"{name} {n}" for name, n in lengths.items())
            raise ShapeError(f"The columns of points have different lengths: {found}. Give one value for each point.")
        self.axes = None if axes is None else {name: _column(name, values) for name, values in axes.items()}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.columns)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self.point(i) for i in range(len(self)))

    def __repr__(self) -> str:
        return f"Points({len(self):,} × {', '.join(self.names)})"

    def point(self, i: int) -> dict[str, Any]:
        """Return one point: {name: value} with plain Python values."""
        return {name: x[i].item() for name, x in self.columns.items()}

    def rows(self, first: int, last: int) -> dict[str, np.ndarray]:
        """Return the columns of the points `first` to `last` - 1."""
        return {name: x[first:last] for name, x in self.columns.items()}

    def digest(self, first: int = 0, last: int | None = None) -> str:
        """Return a digest of the names and values of these points, the same on every machine."""
        return columns_digest(self.rows(first, len(self) if last is None else last))


def columns_digest(columns: Mapping[str, np.ndarray]) -> str:
    """Return a digest of named arrays: their names, kinds, shapes and every bit of their values."""
    sha = hashlib.sha256()
    for name in sorted(columns):
        x = np.ascontiguousarray(columns[name])
        if x.dtype.kind == "U":  # the width of an array of words depends on the longest one
            kind, content = "U", "\0".join(x.ravel().tolist()).encode("utf-8", "surrogatepass")
        else:
            x = x.astype(x.dtype.newbyteorder("<"))
            kind, content = x.dtype.str, x.tobytes()
        sha.update(f"{name}\0{kind}\0{x.shape}\0{len(content)}\0".encode())
        sha.update(content)
    return sha.hexdigest()


def stream(seed: int, index: int) -> np.random.Generator:
    """Return the random stream of one point, which depends on nothing but the seed and the index of the point."""
    return np.random.Generator(np.random.Philox(key=[seed & (2**64 - 1), index]))


def grid(**axes: Any) -> Points:
    """Return every combination of the given values; the last axis changes fastest.

    >>> len(grid(speed=[1.0, 1.2, 1.4], push=[0.0, 20.0]))
    6
    """
    values = {name: _column(name, x) for name, x in axes.items()}
    empty = [name for name, x in values.items() if not len(x)]
    if empty or not values:
        what = f"axis '{empty[0]}' has no values" if empty else "it has no axis"
        raise InputError(f"The grid is empty: {what}. Give at least one value, such as speed=[1.0, 1.2].")
    count = math.prod(len(x) for x in values.values())
    if count > MAX_POINTS:
        raise InputError(f"The grid has {count:,} points; at most {MAX_POINTS:,} are allowed. Use samples instead.")
    places = np.indices([len(x) for x in values.values()]).reshape(len(values), -1)
    return Points({name: x[at] for (name, x), at in zip(values.items(), places, strict=True)}, axes=values)


def uniform(count: int, seed: int = 0, **bounds: Any) -> Points:
    """Return independent samples. bounds : {name: (low, high)}, or {name: value} for a constant."""
    return _sampled(count, bounds, lambda n, d: _unit(n, d, seed), _between)


def normal(count: int, seed: int = 0, **spreads: Any) -> Points:
    """Return independent normal samples. spreads : {name: (mean, standard deviation)}, or {name: value}."""

    def gauss(n: int, d: int) -> np.ndarray:
        return np.random.Generator(np.random.Philox(key=[seed & (2**64 - 1), 1])).standard_normal((n, d))

    return _sampled(count, spreads, gauss, _around)


def latin_hypercube(count: int, seed: int = 0, **bounds: Any) -> Points:
    """Return samples with one in each of `count` equal layers of every variable. bounds : as in `uniform`."""

    def layers(n: int, d: int) -> np.ndarray:
        rng = np.random.Generator(np.random.Philox(key=[seed & (2**64 - 1), 2]))
        return np.stack([(rng.permutation(n) + rng.random(n)) / n for _ in range(d)], axis=1)

    return _sampled(count, bounds, layers, _between)


def sobol(count: int, seed: int = 0, **bounds: Any) -> Points:
    """Return a scrambled Sobol sequence; powers of 2 are the best counts. bounds : as in `uniform`."""

    def sequence(n: int, d: int) -> np.ndarray:
        try:
            from scipy.stats import qmc
        except ImportError:
            raise MissingExtra("scipy", "study", "A Sobol sequence") from None
        rng = np.random.Generator(np.random.Philox(np.random.SeedSequence([seed, 3])))
        whole = qmc.Sobol(d, scramble=True, rng=rng).random_base2(max(math.ceil(math.log2(n)), 0))
        return whole[:n]

    return _sampled(count, bounds, sequence, _between)


def table(rows: Any) -> Points:
    """Return points from a .csv file with a header, {name: values}, or a sequence of {name: value}."""
    if isinstance(rows, (str, Path)):
        return _csv(Path(rows))
    if isinstance(rows, Mapping):
        return Points(rows)
    if hasattr(rows, "to_dict") and hasattr(rows, "columns"):  # a pandas DataFrame
        return Points({str(name): rows[name].to_numpy() for name in rows.columns})
    listed = list(rows)
    if not listed or not all(isinstance(row, Mapping) for row in listed):
        raise InputError(
            "The table of points is empty or has rows that are not mappings. Give a list of {name: value}."
        )
    names = list(listed[0])
    for i, row in enumerate(listed):
        if list(row) != names:
            raise InputError(
                f"Row {i} of the points has the columns {', '.join(map(str, row))}; row 0 has "
                f"{', '.join(map(str, names))}. Give the same columns in every row."
            )
    return Points({name: [row[name] for row in listed] for name in names})


def _unit(n: int, d: int, seed: int) -> np.ndarray:
    return np.random.Generator(np.random.Philox(key=[seed & (2**64 - 1), 0])).random((n, d))


def _sampled(
    count: int,
    ranges: Mapping[str, Any],
    draw: Callable[[int, int], np.ndarray],
    scale: Callable[[str, Any, np.ndarray], np.ndarray],
) -> Points:
    """Draw one column for each range; a single value in place of a range is a constant."""
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or not 1 <= count <= MAX_POINTS:
        raise InputError(f"The number of samples is {count!r}. Give a whole number from 1 to {MAX_POINTS:,}.")
    drawn = [name for name, x in ranges.items() if isinstance(x, (Sequence, np.ndarray)) and not isinstance(x, str)]
    if not drawn:
        raise InputError("No variable is sampled. Give at least one pair, such as speed=(0.8, 1.6).")
    samples = draw(int(count), len(drawn))
    columns: dict[str, Any] = {}
    for name, x in ranges.items():
        columns[name] = scale(name, x, samples[:, drawn.index(name)]) if name in drawn else np.full(count, x)
    return Points(columns)


def _pair(name: str, given: Any, what: str) -> tuple[float, float]:
    try:
        a, b = (float(x) for x in given)
    except (TypeError, ValueError):
        raise InputError(f"'{name}' is {given!r}. Give {what}, two numbers.") from None
    if not (math.isfinite(a) and math.isfinite(b)):
        raise InputError(f"'{name}' is {given!r}. Give {what}, two finite numbers.")
    return a, b


def _between(name: str, given: Any, unit: np.ndarray) -> np.ndarray:
    low, high = _pair(name, given, "the bounds (low, high)")
    if not low <= high:
        raise InputError(f"The bounds of '{name}' are ({low:g}, {high:g}). Give the lower bound first.")
    return low + (high - low) * unit


def _around(name: str, given: Any, unit: np.ndarray) -> np.ndarray:
    mean, deviation = _pair(name, given, "(mean, standard deviation)")
    if deviation < 0.0:
        raise InputError(f"The standard deviation of '{name}' is {deviation:g}. Give 0 or more.")
    return mean + deviation * unit


def _name(name: Any) -> str:
    if not (isinstance(name, str) and name.isidentifier()):
        raise InputError(f"A column of points is named {name!r}. Give names that Python allows for parameters.")
    return name


def _column(name: str, values: Any) -> np.ndarray:
    """Return a column as an array of float64, int64, bool or str."""
    if isinstance(values, (str, bytes)) or np.ndim(values) == 0:
        raise InputError(f"Column '{name}' is {values!r}. Give a list with one value for each point.")
    x = np.asarray(values)
    if x.dtype.kind == "O":  # pandas gives words as objects
        x = np.asarray([_plain(v) for v in x.tolist()])
    if x.ndim != 1:
        raise ShapeError(f"Column '{name}' of the points has shape {x.shape}. Give one value for each point.")
    if not len(x):
        return np.zeros(0)
    if x.dtype.kind not in _KINDS:
        raise InputError(f"Column '{name}' of the points has values of type {x.dtype}. Give numbers or words.")
    if x.dtype.kind == "f" and not np.isfinite(x).all():
        i = int(np.argmin(np.isfinite(x)))
        raise InputError(f"Column '{name}' has the value {x[i]} at point {i}. Give finite numbers.")
    return x if x.dtype.kind in "Ub" else x.astype(np.float64 if x.dtype.kind == "f" else np.int64)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _csv(path: Path) -> Points:
    """Read points from a .csv file: a header with the names, then one row per point."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            rows = list(itertools.islice(csv.reader(file), MAX_POINTS + 1))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FileError(f"The points in {path} cannot be read: {error}. Give a .csv file with a header.") from None
    rows = [row for row in rows if row]
    if len(rows) < 2:
        raise FileError(f"{path} has no points. Its first row must name the columns; each later row is a point.")
    header = [name.strip() for name in rows[0]]
    for i, row in enumerate(rows[1:], 2):
        if len(row) != len(header):
            raise FileError(f"Row {i} of {path} has {len(row)} entries; the header has {len(header)}.")
    return Points({name: _parsed([row[k].strip() for row in rows[1:]]) for k, name in enumerate(header)})


def _parsed(words: list[str]) -> list[Any]:
    """Return words as whole numbers, else as numbers, else as they are."""
    for kind in (int, float):
        try:
            return [kind(word) for word in words]
        except ValueError:
            continue
    return list(words)
