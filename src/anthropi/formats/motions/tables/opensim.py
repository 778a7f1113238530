"""Read the tables of OpenSim (.sto, .mot).

A file has a header up to the line `endheader`, then the column names, then one line of numbers for each row. The first
column is the time. The header may contain:

    a name or any other text
    nRows=211, nColumns=24        or  datarows 211, datacolumns 24
    inDegrees=yes or inDegrees=no or  the sentence "Angles are in degrees."

OpenSim's axes are x forward, y up, z right; `Table.vector` converts three columns to x forward, y left, z up. The sizes
in the header must agree with the table. A number that is not finite raises an error that names its line.
"""

import os
import re
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import numpy as np

from anthropi.errors import FormatError, did_you_mean
from anthropi.formats.files import read_bytes

__all__ = ["Table", "read"]

MAX_HEADER_LINES, MAX_COLUMNS, MAX_NUMBERS = 1000, 5000, 20_000_000
SIZES = {"nrows": "rows", "datarows": "rows", "ncolumns": "columns", "datacolumns": "columns"}
HEADER_ENTRY = re.compile(r"^(\w+)\s*[=\s]\s*(\S+)\s*$")


@dataclass(frozen=True, eq=False)
class Table:
    """An OpenSim table.

    name : file name. columns : column names without time. time : (rows,) [s]. values : (rows, columns).
    in_degrees : whether angles are in degrees; None if the file does not say.
    """

    name: str
    columns: tuple[str, ...]
    time: np.ndarray
    values: np.ndarray
    in_degrees: bool | None = None

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


def read(path: str | os.PathLike[str]) -> Table:
    """Read the table in a .sto or .mot file of OpenSim."""
    file = Path(path).name
    try:
        lines = read_bytes(path).decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise FormatError(f"{file} is not text: byte {error.start} is not UTF-8. Give a .sto or .mot file.") from None
    end = next((k for k, line in enumerate(lines[:MAX_HEADER_LINES]) if line.strip() == "endheader"), None)
    if end is None:
        raise FormatError(
            f"{file}: none of its first {MAX_HEADER_LINES} lines is 'endheader'. Give a .sto or .mot file."
        )
    sizes, in_degrees = _header(file, lines[:end])
    if end + 1 >= len(lines):
        raise FormatError(f"{file}: no columns after 'endheader', line {end + 1}.")
    names = _names(file, lines[end + 1], end + 2)
    _agrees(file, "columns", sizes, len(names), end + 2)
    rows = [_row(file, line, k, names) for k, line in enumerate(lines[end + 2 :], end + 3) if line.strip()]
    if not rows or len(rows) * len(names) > MAX_NUMBERS:
        raise FormatError(
            f"{file} has {len(rows)} rows of {len(names)} numbers. It must have at least one row, and at most "
            f"{MAX_NUMBERS} numbers in all."
        )
    _agrees(file, "rows", sizes, len(rows), len(lines))
    found = np.array(rows)
    late = np.flatnonzero(np.diff(found[:, 0]) <= 0.0)
    if late.size:
        raise FormatError(f"{file}: time does not increase at row {late[0] + 2}, {found[late[0] + 1, 0]:g} s.")
    return Table(file, names[1:], found[:, 0], found[:, 1:], in_degrees)


def _header(file: str, lines) -> tuple[dict[str, int], bool | None]:
    """Read the header: {"rows": n, "columns": m} if given, and whether angles are in degrees (None if not given)."""
    sizes: dict[str, int] = {}
    in_degrees = None
    for number, line in enumerate(lines, 1):
        said = HEADER_ENTRY.match(line.strip())
        word, value = said.groups() if said else ("", "")
        key = word.lower()
        if key in SIZES:
            if not value.isdecimal() or len(value) > 9:
                raise FormatError(f"{file}, line {number}: {word} is '{value}', not a count.")
            if sizes.setdefault(SIZES[key], int(value)) != int(value):
                raise FormatError(
                    f"{file}, line {number}: {word} is {value}, but a line before it gives {sizes[SIZES[key]]}."
                )
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


def _names(file: str, line: str, number: int) -> tuple[str, ...]:
    names = tuple(line.split())
    if not 2 <= len(names) <= MAX_COLUMNS or names[0] != "time":
        raise FormatError(
            f"{file}, line {number}: {len(names)} columns, the first '{''.join(names[:1])[:40]}'. The first column "
            f"must be 'time'; at least 2 and at most {MAX_COLUMNS} columns are allowed."
        )
    twice = [name for name in names if names.count(name) > 1] if len(set(names)) < len(names) else []
    if twice:
        raise FormatError(f"{file}, line {number}: two columns are called '{twice[0]}'.")
    return names


def _row(file: str, line: str, number: int, names) -> list[float]:
    words = line.split()
    if len(words) != len(names):
        raise FormatError(f"{file}, line {number}: {len(words)} numbers for {len(names)} columns.")
    for word, name in zip(words, names, strict=True):
        if not _finite(word):
            raise FormatError(
                f"{file}, line {number}: column '{name}' contains '{word[:40]}', which is not a finite number."
            )
    return [float(word) for word in words]


def _finite(word: str) -> bool:
    try:
        return isfinite(float(word)) and "_" not in word
    except ValueError:
        return False


def _agrees(file: str, what: str, sizes: dict[str, int], found: int, number: int) -> None:
    if sizes.get(what, found) != found:
        raise FormatError(f"{file}, line {number}: the table has {found} {what}, but its header gives {sizes[what]}.")
