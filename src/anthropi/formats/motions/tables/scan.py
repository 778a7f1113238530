"""Parse and check tables: named columns of numbers in .csv and .mot files, marker positions in .trc files."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np

from anthropi.errors import FormatError
from anthropi.formats.files import read_bytes

__all__ = ["Table", "read_csv", "read_mot", "read_trc", "refuse"]

MAX_BYTES = 256 * 2**20
MAX_COLUMNS, MAX_ROWS, MAX_NUMBER = 4000, 2_000_000, 1e9
UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001}
_PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


@dataclass(frozen=True)
class Table:
    """A table of numbers with named columns.

    name : file name. columns : column names as written. values : (rows, columns), NaN where a cell is empty.
    lines : (rows,), line number of each row in the file. header : line number of the column names.
    """

    name: str
    columns: tuple[str, ...]
    values: np.ndarray
    lines: tuple[int, ...]
    header: int


def refuse(name: str, line: int, words: str) -> NoReturn:
    """Raise `FormatError` with the message `words` for a line of a file."""
    raise FormatError(f"{name}, line {line}: {words}")


def _lines(path: str | os.PathLike[str]) -> list[str]:
    try:
        text = read_bytes(path, MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"{Path(path).name} is not UTF-8 text: {error}. Save it as UTF-8.") from None
    return re.split(r"\r\n|\n|\r", text)


def read_mot(path: str | os.PathLike[str], degrees: bool) -> tuple[Table, bool]:
    """Read an OpenSim table. Return it, and whether its angles are in degrees.

    degrees : whether angles are in degrees if the file does not say.
    """
    from anthropi.formats.motions.tables.opensim import read

    found = read(path)
    values = np.concatenate([found.time[:, None], found.values], axis=1)
    table = Table(found.name, ("time", *found.columns), values, tuple(range(1, len(values) + 1)), 1)
    return table, degrees if found.in_degrees is None else found.in_degrees


def read_csv(path: str | os.PathLike[str]) -> Table:
    """Read a .csv table: a line of column names, then one line of numbers for each row.

    Cells are separated by commas, semicolons or tabs. Lines that begin with "#" are comments.
    """
    name, lines = Path(path).name, _lines(path)
    rows = [(k, line) for k, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")]
    if not rows:
        raise FormatError(f"{name} is empty. Its first line must contain the names of the columns.")
    at, head = rows[0]
    mark = next((m for m in (";", "\t", ",") if m in head), ",")
    columns = tuple(word.strip().strip('"').strip() for word in head.split(mark))
    _named(name, at, columns)
    return Table(name, columns, *_numbers(name, rows[1:], mark, len(columns)), at)


def _named(name: str, line: int, columns: tuple[str, ...]) -> None:
    if len(columns) > MAX_COLUMNS:
        refuse(name, line, f"{len(columns)} columns; at most {MAX_COLUMNS} are read.")
    for k, word in enumerate(columns):
        if not word or len(word) > 200:
            refuse(name, line, f"column {k + 1} has no name, or a name longer than 200 characters.")
        if _PLAIN.fullmatch(word):
            refuse(
                name, line, f"column {k + 1} is called '{word}'. The first line must contain the names of the columns."
            )
        if word in columns[:k]:
            refuse(name, line, f"two columns are called '{word}'.")


def _numbers(name: str, rows, mark: str, width: int) -> tuple[np.ndarray, tuple[int, ...]]:
    """Parse rows of text. Return the numbers (rows, width), NaN for empty cells, and the line number of each row."""
    if not rows:
        raise FormatError(f"{name} has a header but no rows.")
    if len(rows) > MAX_ROWS:
        raise FormatError(f"{name} has {len(rows)} rows; at most {MAX_ROWS} are read. Split the file.")
    values = np.empty((len(rows), width))
    for row, (line, text) in zip(values, rows, strict=True):
        words = text.split(mark)
        if len(words) == width + 1 and not words[-1].strip():
            words = words[:-1]  # a trailing separator
        if len(words) != width:
            refuse(name, line, f"the row has {len(words)} cells; the header has {width}.")
        row[:] = [_cell(name, line, k, word.strip().strip('"').strip()) for k, word in enumerate(words)]
    return values, tuple(line for line, _ in rows)


def _cell(name: str, line: int, column: int, word: str) -> float:
    if not word or word.lower() in ("nan", "na"):
        return np.nan
    value = float(word) if _PLAIN.fullmatch(word) and len(word) < 64 else np.inf
    if not abs(value) <= MAX_NUMBER:
        hint = " Write a decimal point, not a comma." if "," in word else ""
        hint = " Write units in the header: 'l_knee [deg]'." if word.isalpha() else hint
        refuse(
            name,
            line,
            f"cell {column + 1} is '{word[:40]}'; expected a number of magnitude {MAX_NUMBER:g} at most.{hint}",
        )
    return value


# .trc


def read_trc(path: str | os.PathLike[str]) -> tuple[Table, float]:
    """Read a .trc table of marker positions.

    Returns the table, with the columns "time", "name.x", "name.y", "name.z" …, and the length unit of the file [m].
    """
    name, lines = Path(path).name, _lines(path)
    if len(lines) < 6 or not lines[0].startswith("PathFileType"):
        refuse(name, 1, "a .trc file must begin with 'PathFileType' and have five lines before its numbers.")
    about = dict(zip(lines[1].split("\t"), lines[2].split("\t"), strict=False))
    about = {key.strip(): value.strip() for key, value in about.items()}
    unit = about.get("Units", "").lower()
    if unit not in UNITS:
        refuse(name, 3, f"Units are '{unit[:20]}'; known: {', '.join(UNITS)}.")
    labels = [word.strip() for word in lines[3].split("\t")]
    if [word.lower() for word in labels[:2]] != ["frame#", "time"]:
        refuse(name, 4, f"the first columns are '{' '.join(labels[:2])[:40]}'; expected 'Frame#' and 'Time'.")
    while labels and not labels[-1]:
        labels.pop()
    markers = labels[2::3]
    if not markers or not all(markers) or any(word for n in (3, 4) for word in labels[n::3]):
        refuse(name, 4, "each marker name must be followed by two empty cells, because a marker has three columns.")
    _check_count(name, about, "NumMarkers", len(markers))
    columns = ("frame", "time", *(f"{m}.{axis}" for m in markers for axis in "xyz"))
    _named(name, 4, columns)
    rows = [(k, line.rstrip("\r\n")) for k, line in enumerate(lines[5:], 6) if line.strip()]
    padded = [(k, line + "\t" * max(0, len(columns) - 1 - line.count("\t"))) for k, line in rows]
    cut = [(k, _cut(line, len(columns))) for k, line in padded]
    values, at = _numbers(name, cut, "\t", len(columns))
    _check_count(name, about, "NumFrames", len(values))
    return Table(name, columns[1:], values[:, 1:], at, 4), UNITS[unit]


def _cut(line: str, width: int) -> str:
    """Return a line without the empty cells after the last column."""
    words = line.split("\t")
    while len(words) > width and not words[-1].strip():
        words.pop()
    return "\t".join(words)


def _check_count(name: str, about: dict[str, str], key: str, found: int) -> None:
    said = about.get(key, str(found))
    if said != str(found):
        refuse(name, 3, f"{key} is '{said[:20]}', but the file contains {found}. It is cut off, or was edited.")
