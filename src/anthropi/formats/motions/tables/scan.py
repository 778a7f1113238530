"""Parse and check tables: named columns of numbers in .csv and .mot files."""

import os
import re
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np

from anthropi.errors import FormatError
from anthropi.formats import limits
from anthropi.formats.decoding import number_in
from anthropi.formats.files import read_bytes

__all__ = ["UNITS", "Table", "lines_of", "named", "numbers", "read_csv", "read_mot", "read_text", "refuse"]

MAX_NUMBER = 1e9
MAX_NAME = 200  # characters of a column name
MAX_DIGITS = 64  # characters of a number
UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001}  # of columns
LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class Table:
    """A table of numbers with named columns.

    name : file name. columns : column names as written. values : (rows, columns), NaN where a cell is empty.
    lines : (rows,) whole numbers, line of each row in the file. header : line number of the column names. notes : what
    was repaired.
    """

    name: str
    columns: tuple[str, ...]
    values: np.ndarray
    lines: np.ndarray
    header: int
    notes: tuple[str, ...] = ()


def refuse(name: str, line: int, words: str) -> NoReturn:
    """Raise `FormatError` with the message `words` for a line of a file."""
    raise FormatError(f"{name}, line {line}: {words}")


def read_text(path: str | os.PathLike[str]) -> str:
    """Read the text of a table, after checking its size and number of lines."""
    data, name = read_bytes(path, "table_bytes"), Path(path).name
    count, most = data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n"), limits.current().table_rows
    if count > 2 * most:  # with an empty line after each row
        raise limits.exceeded(name, "table_rows", f"{count:,} lines, more than twice the rows that are read")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"{name} is not UTF-8 text: byte {error.start} is not UTF-8. Save it as UTF-8.") from None


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line, without making a list of them."""
    start, number = 0, 1
    for end in LINE_END.finditer(text):
        yield number, text[start : end.start()]
        start, number = end.end(), number + 1
    yield number, text[start:]


def read_mot(path: str | os.PathLike[str], degrees: bool, strict: bool = False) -> tuple[Table, bool]:
    """Read an OpenSim table. Return it, and whether its angles are in degrees.

    degrees : whether angles are in degrees if the file does not say. strict : whether faults are refused.
    """
    from anthropi.formats.motions.tables.opensim import read

    found = read(path, strict)
    values = np.concatenate([found.time[:, None], found.values], axis=1)
    table = Table(found.name, ("time", *found.columns), values, np.arange(1, len(values) + 1), 1, found.notes)
    return table, degrees if found.in_degrees is None else found.in_degrees


def read_csv(path: str | os.PathLike[str]) -> Table:
    """Read a .csv table: a line of column names, then one line of numbers for each row.

    Cells are separated by commas, semicolons or tabs. Lines that begin with "#" are comments.
    """
    name = Path(path).name
    rows = ((k, x) for k, x in lines_of(read_text(path)) if x.strip() and not x.lstrip().startswith("#"))
    at, head = next(rows, (0, ""))
    if not at:
        raise FormatError(f"{name} is empty. Its first line must contain the names of the columns.")
    mark = next((m for m in (";", "\t", ",") if m in head), ",")
    limits.check(f"{name}, line {at}", "table_columns", head.count(mark) + 1, "columns")
    columns = tuple(word.strip().strip('"').strip() for word in head.split(mark))
    named(name, at, columns)
    return Table(name, columns, *numbers(name, rows, mark, len(columns)), at)


def named(name: str, line: int, columns: tuple[str, ...]) -> None:
    """Raise `FormatError` if a column has no name, a number as its name, or the name of another column."""
    seen: set[str] = set()
    for k, word in enumerate(columns):
        if not word or len(word) > MAX_NAME:
            refuse(name, line, f"column {k + 1} has no name, or a name longer than {MAX_NAME} characters.")
        if number_in(word) is not None:
            refuse(
                name, line, f"column {k + 1} is called '{word}'. The first line must contain the names of the columns."
            )
        if word in seen:
            refuse(name, line, f"two columns are called '{word}'.")
        seen.add(word)


def numbers(
    name: str, rows: Iterable[tuple[int, str]], mark: str, width: int, padded: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Parse rows of text. Return the numbers (rows, width), NaN for empty cells, and the line number of each row.

    padded : whether empty cells at the end of a row may be missing, and more of them may follow.
    """
    values, at, most = array("d"), array("q"), limits.current()
    for line, text in rows:
        words = text.split(mark, width)
        if len(words) > width and not words[-1].strip() and (padded or mark not in words[-1]):
            words.pop()  # a trailing separator
        if padded and len(words) < width:
            words += [""] * (width - len(words))
        if len(words) != width:
            refuse(name, line, f"the row has {text.count(mark) + 1} cells; the header has {width}.")
        values.extend([_cell(name, line, k, word.strip().strip('"').strip()) for k, word in enumerate(words)])
        at.append(line)
        if len(at) > most.table_rows:
            raise limits.exceeded(name, "table_rows", f"more than {most.table_rows:,} rows")
        if len(values) > most.numbers:
            raise limits.exceeded(name, "numbers", f"more than {most.numbers:,} numbers")
    if not at:
        raise FormatError(f"{name} has a header but no rows.")
    return np.array(values).reshape(-1, width), np.array(at)


def _cell(name: str, line: int, column: int, word: str) -> float:
    if not word or word.lower() in ("nan", "na"):
        return np.nan
    value = number_in(word) if len(word) < MAX_DIGITS else None
    if value is None or not abs(value) <= MAX_NUMBER:
        hint = " Write a decimal point, not a comma." if "," in word else ""
        hint = " Write units in the header: 'l_knee [deg]'." if word.isalpha() else hint
        refuse(
            name,
            line,
            f"cell {column + 1} is '{word[:40]}'; expected a number of magnitude {MAX_NUMBER:g} at most.{hint}",
        )
    return value
