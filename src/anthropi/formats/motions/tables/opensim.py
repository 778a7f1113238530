"""Read the tables of OpenSim (.sto, .mot).

A file has a header up to the line `endheader`, then the column names, then one line of numbers for each row. The first
column is the time. The header may contain:

    a name or any other text
    nRows=211, nColumns=24        or  datarows 211, datacolumns 24
    inDegrees=yes or inDegrees=no or  the sentence "Angles are in degrees."

OpenSim's axes are x forward, y up, z right; `Table.vector` converts three columns to x forward, y left, z up. A number
that is not finite raises an error that names its line. A cell of a Vec3, Quaternion or Rotation, such as "1,2,3", gives
the columns name_1, name_2, name_3, the names that OpenSim uses.

Many programs write tables that do not agree with their header. Such faults are repaired, and each repair is a note:
other counts of rows or columns, repeated times (of which the last row is kept), repeated names, a last row that is cut
off, and a table without columns. With `strict`, they raise errors.
"""

import os
import re
from array import array
from collections import Counter, deque
from dataclasses import dataclass
from itertools import islice, takewhile
from math import isfinite, nan
from pathlib import Path

import numpy as np

from anthropi.errors import FormatError, did_you_mean
from anthropi.formats import limits
from anthropi.formats.motions.tables.scan import lines_of, read_text

__all__ = ["Table", "read"]

MAX_HEADER_LINES = 1000
MAX_NAME = 200  # characters of a column name
MAX_PARTS = 12  # numbers of a cell: a spatial vector has 6, a rotation matrix 9
MISSING = ("nan", "-nan", "+nan", "nan(ind)", "-nan(ind)", "1.#qnan", "-1.#ind")
SIZES = {"nrows": "rows", "datarows": "rows", "ncolumns": "columns", "datacolumns": "columns"}
HEADER_ENTRY = re.compile(r"(\w+)(?:\s*=\s*|\s+)(\S+)")


@dataclass(frozen=True, eq=False)
class Table:
    """An OpenSim table.

    name : file name. columns : column names without time. time : (rows,) [s]. values : (rows, columns).
    in_degrees : whether angles are in degrees; None if the file does not say. notes : what was repaired.
    """

    name: str
    columns: tuple[str, ...]
    time: np.ndarray
    values: np.ndarray
    in_degrees: bool | None = None
    notes: tuple[str, ...] = ()

    def __getitem__(self, column: str) -> np.ndarray:
        """Return a column (rows,) with the numbers of the file."""
        if column not in self.columns:
            few = ", ".join(self.columns[:12]) + (", …" if len(self.columns) > 12 else "")
            hint = did_you_mean(column, self.columns)
            raise FormatError(f"{self.name} has no column '{column}'.{hint} Columns: {few}.")
        return self.values[:, self.columns.index(column)]

    def angle(self, column: str) -> np.ndarray:
        """Return a column of angles (rows,), converted to radians."""
        if self.in_degrees is None:
            raise FormatError(
                f"{self.name} does not say whether its angles are in degrees. Add the line inDegrees=yes or "
                "inDegrees=no to its header."
            )
        return np.deg2rad(self[column]) if self.in_degrees else self[column]

    def vector(self, start: str) -> np.ndarray:
        """Return the columns named `start` + x, y, z as vectors (rows, 3), with axes x forward, y left, z up."""
        x, y, z = (self[start + axis] for axis in "xyz")
        return np.stack([x, -z, y], -1)


def read(path: str | os.PathLike[str], strict: bool = False, missing: bool = False) -> Table:
    """Read the table in a .sto or .mot file of OpenSim.

    strict : whether a table that does not agree with its header raises an error. missing : whether "nan" is allowed; it
    is read as NaN.
    """
    file = Path(path).name
    text = read_text(path)
    numbered = lines_of(text)
    header = [line for _, line in takewhile(lambda x: x[1].strip() != "endheader", islice(numbered, MAX_HEADER_LINES))]
    if len(header) == MAX_HEADER_LINES or (end := next(numbered, None)) is None:
        raise FormatError(
            f"{file}: none of its first {MAX_HEADER_LINES} lines is 'endheader', or nothing follows it. Give a .sto or "
            ".mot file."
        )
    repairs = _Repairs(file, strict)
    sizes, in_degrees = _header(file, header, repairs)
    names = _names(file, end[1], end[0], sizes, repairs)
    found, names, last = _rows(file, numbered, names, missing, repairs, not text.endswith(("\n", "\r")), sizes)
    _agrees("columns", sizes, len(names), end[0], repairs)
    _agrees("rows", sizes, len(found), last, repairs)
    found = _increasing(file, found, repairs)
    return Table(file, names[1:], found[:, 0], found[:, 1:], in_degrees, tuple(repairs.notes))


class _Repairs:
    """The repairs of a file: notes, or errors if it is read strictly."""

    def __init__(self, file: str, strict: bool) -> None:
        self.file, self.strict, self.notes = file, strict, list[str]()

    def add(self, place: str, fault: str, remedy: str) -> None:
        """Note a fault and its remedy; raise `FormatError` if the file is read strictly."""
        if self.strict:
            raise FormatError(f"{self.file}{place}: {fault}.")
        self.notes.append(f"{place.lstrip(', ') + ': ' if place else ''}{fault}; {remedy}")


def _increasing(file: str, found: np.ndarray, repairs: _Repairs) -> np.ndarray:
    """Return the rows without repeated times; the last row of each time is kept."""
    steps = np.diff(found[:, 0])
    early = np.flatnonzero(steps < 0.0)
    if early.size:
        raise FormatError(
            f"{file}: time does not increase at row {early[0] + 2}, {found[early[0] + 1, 0]:g} s after "
            f"{found[early[0], 0]:g} s."
        )
    again = np.flatnonzero(steps == 0.0)
    if not again.size:
        return found
    repairs.add(
        "",
        f"time does not increase at row {again[0] + 2}, {found[again[0] + 1, 0]:g} s ({again.size} repeated times)",
        "of rows with the same time the last is kept",
    )
    return np.delete(found, again, axis=0)


def _header(file: str, lines, repairs: _Repairs) -> tuple[dict[str, int], bool | None]:
    """Read the header: {"rows": n, "columns": m} if given, and whether angles are in degrees (None if not given)."""
    sizes: dict[str, int] = {}
    in_degrees = None
    for number, line in enumerate(lines, 1):
        said = HEADER_ENTRY.fullmatch(line.strip())
        word, value = said.groups() if said else ("", "")
        key = word.lower()
        if key in SIZES:
            if not value.isdecimal() or len(value) > 9:
                raise FormatError(f"{file}, line {number}: {word} is '{value}', not a count.")
            if sizes.setdefault(SIZES[key], int(value)) != int(value):
                fault = f"{word} is {value}, but a line before it gives {sizes[SIZES[key]]}"
                repairs.add(f", line {number}", fault, "the table is counted")
        elif key == "indegrees":
            if value not in ("yes", "no"):
                raise FormatError(f"{file}, line {number}: inDegrees is '{value}'. It must be yes or no.")
            in_degrees = value == "yes"
        elif line.strip().lower().startswith("angles are in "):
            unit = line.strip().lower().removeprefix("angles are in ").rstrip(".")
            if unit not in ("degrees", "radians"):
                raise FormatError(f"{file}, line {number}: angles are in '{unit}'. Use degrees or radians.")
            in_degrees = unit == "degrees"
    return sizes, in_degrees


def _names(file: str, line: str, number: int, sizes: dict[str, int], repairs: _Repairs) -> tuple[str, ...]:
    most = limits.current().table_columns
    names = tuple(line.split(None, most + 1))
    tabbed = tuple(name.strip() for name in line.split("\t", most + 1) if name.strip())
    if len(tabbed) < len(names) and len(tabbed) == sizes.get("columns"):
        names = tabbed  # names with blanks
    if not names or names[0].lower() != "time":
        raise FormatError(
            f"{file}, line {number}: {len(names)} columns, the first '{''.join(names[:1])[:40]}'. The first column "
            "must be 'time', and at least one must follow it."
        )
    if len(names) == 1:
        repairs.add(f", line {number}", "the table has only the column 'time'", "it has no columns of numbers")
    if len(names) > most:
        raise limits.exceeded(f"{file}, line {number}", "table_columns", f"more than {most} columns")
    long = next((name for name in names if len(name) > MAX_NAME), None)
    if long is not None:
        raise FormatError(f"{file}, line {number}: '{long[:40]}…' is longer than {MAX_NAME} characters.")
    return _unique(names, f", line {number}", repairs)


def _unique(names: tuple[str, ...], place: str, repairs: _Repairs) -> tuple[str, ...]:
    """Make column names unique: a second "x" is called "x_2"."""
    counts = Counter(names)
    twice = [name for name, count in counts.items() if count > 1]
    if not twice:
        return names
    repairs.add(place, f"two columns are called '{twice[0]}'", f"the second is called '{twice[0]}_2'")
    found: list[str] = []
    taken = set(names)
    for name in names:
        own, n = name, 1
        while own in found or (n > 1 and own in taken):
            n += 1
            own = f"{name}_{n}"
        found.append(own)
    return tuple(found)


def _rows(
    file: str, numbered, names, missing: bool, repairs: _Repairs, open_end: bool, sizes
) -> tuple[np.ndarray, tuple[str, ...], int]:
    """Parse the rows of numbers (rows, columns). Return them, the column names, and the number of the last line.

    open_end : whether the text ends within a line.
    """
    values, most, number, width, count = array("d"), limits.current(), 0, 0, 0
    parts: tuple[int, ...] = ()
    rows: deque[tuple[int, str]] = deque()
    for number, line in numbered:
        if not line or line.isspace():
            continue
        rows.append((number, line))
        if len(rows) < 2:
            continue
        if not parts:
            parts = _parts(file, *rows[0], names)
            width = sum(parts)
        values.extend(_row(file, *rows.popleft(), names, parts, missing))
        count += 1
        if len(values) > most.numbers:
            raise limits.exceeded(file, "numbers", f"more than {most.numbers:,} numbers")
    if rows:
        last, line = rows[0]
        parts = parts or _parts(file, last, line, names)
        width = sum(parts)
        try:
            own = _row(file, last, line, names, parts, missing)
            cut = open_end and count + 1 < sizes.get("rows", 0)
        except FormatError:
            if not (open_end and count):
                raise
            if repairs.strict:
                raise
            own, cut = [], True
        if cut:
            repairs.add(f", line {last}", "the file ends within this row", "it is left out")
        else:
            values.extend(own)
    if not values:
        raise FormatError(f"{file} has no rows of numbers. It is cut off.")
    limits.check(file, "table_rows", len(values) // width, "rows")
    parted = [[name] if n == 1 else [f"{name}_{k + 1}" for k in range(n)] for name, n in zip(names, parts, strict=True)]
    names = tuple(name for own in parted for name in own)
    return np.array(values).reshape(-1, width), _unique(names, "", repairs), number


def _cells(line: str, names) -> list[str]:
    """Split a row. Cells of several numbers contain commas, and sometimes blanks, so that tabs separate the cells."""
    if "," in line and "\t" in line:
        words = [word.strip() for word in line.split("\t", len(names) + 1)]
        while len(words) > len(names) and not words[-1]:
            words.pop()
        return words
    return line.split(None, len(names))


def _parts(file: str, number: int, line: str, names) -> tuple[int, ...]:
    """Return how many numbers the cells of each column contain, from the first row."""
    counts = [word.strip("~[]()").count(",") + 1 for word in _cells(line, names)[: len(names)]]
    if counts and max(counts) > MAX_PARTS:
        raise FormatError(f"{file}, line {number}: a cell has {max(counts)} numbers; at most {MAX_PARTS} are read.")
    if counts and (counts[0] > 1 or 2 in counts):
        raise FormatError(f"{file}, line {number}: a number contains a comma. Write decimal points, not commas.")
    return tuple(counts) + (1,) * (len(names) - len(counts))


def _row(file: str, line_number: int, line: str, names, parts, missing: bool) -> list[float]:
    words = _cells(line, names)
    if len(words) != len(names):
        more = "more than " if len(words) > len(names) else ""
        raise FormatError(
            f"{file}, line {line_number}: {more}{len(words) - bool(more)} numbers for {len(names)} columns."
        )
    found: list[float] = []
    for word, name, count in zip(words, names, parts, strict=True):
        own = [word] if count == 1 else [x.strip() for x in word.strip("~[]()").split(",", MAX_PARTS)]
        if len(own) != count:
            raise FormatError(
                f"{file}, line {line_number}: column '{name}' has {len(own)} numbers in a cell; the first row "
                f"has {count}."
            )
        for text in own:
            value = _value(text)
            if not isfinite(value) and not (missing and text.lower() in MISSING):
                raise FormatError(
                    f"{file}, line {line_number}: column '{name}' contains '{text[:40]}', which is not a finite number."
                )
            found.append(value)
    return found


def _value(word: str) -> float:
    """Return the value of a word, NaN if it is not a number."""
    try:
        return float(word) if "_" not in word else nan
    except ValueError:
        return nan


def _agrees(what: str, sizes: dict[str, int], found: int, number: int, repairs: _Repairs) -> None:
    if sizes.get(what, found) != found:
        fault = f"the table has {found} {what}, but its header gives {sizes[what]}"
        repairs.add(f", line {number}", fault, f"all {found} are read")
