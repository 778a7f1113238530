"""Read tables of marker positions (.trc): as the format defines them, and as programs write them.

The first three lines give the file type, the names of properties, and their values. The fourth contains "Frame#",
"Time" and the names of the markers, each followed by two empty cells, and the fifth the axes X1, Y1, Z1 … Then each row
has a number, a time and three cells for each marker; empty cells are markers that were not seen.

Programs write other layouts, which are repaired, each with a note: other counts of frames or markers in the header,
columns without a label, labels without columns, additional tabs between cells or after the time, blanks in place of
tabs, repeated times (of which the last row is kept), repeated names, and a last row that is cut off. With `strict`,
they raise errors.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from anthropi.errors import FormatError
from anthropi.formats import limits
from anthropi.formats.motions.tables.scan import MAX_NAME, Table, lines_of, numbers, read_text, refuse

__all__ = ["Trc", "read_trc"]

MAX_BLANK_LINES = 20  # before the numbers
FIRST_ROW = re.compile(r"\s*[+-]?\d")  # a row of numbers begins with the number of its frame


class Trc(NamedTuple):
    """A table with the columns "time", "name.x", "name.y", "name.z" …, and the unit that the file declares."""

    table: Table
    unit: str


class _Notes:
    """Repairs of a file: notes, or errors if it is read strictly."""

    def __init__(self, name: str, strict: bool) -> None:
        self.name, self.strict, self.found = name, strict, list[str]()

    def add(self, line: int, fault: str, remedy: str) -> None:
        """Note a fault and its remedy; raise `FormatError` if the file is read strictly."""
        if self.strict:
            refuse(self.name, line, f"{fault}.")
        self.found.append(f"line {line}: {fault}; {remedy}")


def read_trc(path: str | os.PathLike[str], strict: bool = False) -> Trc:
    """Read a .trc table of marker positions.

    strict : whether a file that does not follow the format exactly raises an error.
    """
    name, text = Path(path).name, read_text(path)
    numbered = lines_of(text)
    lines = [line for _, line in islice(numbered, 4)]
    if len(lines) < 4 or not lines[0].lstrip().startswith("PathFileType"):
        refuse(name, 1, "a .trc file must begin with 'PathFileType' and have five lines before its numbers.")
    notes = _Notes(name, strict)
    about = _about(lines[1], lines[2])
    first, rows = _first_row(name, numbered)
    limits.check(f"{name}, line 4", "table_columns", lines[3].count("\t") // 2, "columns")
    labels, columns = _labels(name, lines[3], first, rows, notes)
    mark = "\t" if "\t" in (rows[0][1] if rows else "\t") else None
    body = ((k, _cells(row, mark, columns, labels.extra)) for k, row in chain(rows, numbered) if row.strip())
    end = not text.endswith(("\n", "\r"))
    checked = _whole(name, body, columns - labels.extra, notes, end, about.get("NumFrames", ""))
    wanted = ("frame", "time", *(f"{m}.{axis}" for m in labels.names for axis in "xyz"))
    values, at = numbers(name, checked, "\t", len(wanted), padded=True)
    _count(about, "NumMarkers", len(labels.names), notes)
    _count(about, "NumFrames", len(values), notes)
    values, at = _increasing(name, values, at, notes)
    zero = (values[:, 2:].reshape(len(values), -1, 3) == 0.0).all(-1)
    if zero.any():
        places = values[:, 2:].reshape(len(values), -1, 3)
        places[zero] = np.nan
        values[:, 2:] = places.reshape(len(values), -1)
        notes.found.append(f"{int(zero.sum())} positions exactly at (0, 0, 0) are read as not seen")
    return Trc(Table(name, wanted[1:], values[:, 1:], at, 4, tuple(notes.found)), about.get("Units", "").lower())


def _about(keys: str, values: str) -> dict[str, str]:
    """Return the properties in lines 2 and 3 of the file."""
    mark = "\t" if "\t" in keys else None
    pairs = zip([k.strip() for k in keys.split(mark, 100)], [v.strip() for v in values.split(mark, 100)], strict=False)
    return {key: value for key, value in pairs if key}


def _first_row(name: str, numbered) -> tuple[int, list[tuple[int, str]]]:
    """Skip the line of axes and blank lines. Return the number of the first row of numbers, and this row."""
    for line, text in islice(numbered, MAX_BLANK_LINES):
        if FIRST_ROW.match(text):
            return line, [(line, text)]
    return 5, []


class _Labels(NamedTuple):
    """Names of the markers, and how many empty cells follow the time in each row."""

    names: tuple[str, ...]
    extra: int


def _labels(name: str, line: str, first: int, rows: list[tuple[int, str]], notes: _Notes) -> tuple[_Labels, int]:
    """Return the names of the markers, and the number of cells of a row."""
    mark = "\t" if "\t" in line else None
    labels = [word.strip() for word in line.split(mark)]
    if [word.lower().rstrip("#") for word in labels[:2]] != ["frame", "time"]:
        refuse(name, 4, f"the first columns are '{' '.join(labels[:2])[:40]}'; expected 'Frame#' and 'Time'.")
    while labels and not labels[-1]:
        labels.pop()
    given = [word for word in labels[2:] if word]
    cells = (
        rows[0][1].rstrip("\r\n").split("\t") if rows and "\t" in rows[0][1] else (rows[0][1].split() if rows else [])
    )
    extra = 0
    while len(cells) > 2 + extra and not cells[2 + extra].strip() and labels[2 : 3 + extra] == [""] * (1 + extra):
        extra += 1
        if extra % 3 == 0 and not any(labels[2 : 2 + extra]) and (len(cells) - 2) % 3 == 0:
            extra = 0  # a marker without a label that was not seen
            break
    width = len(cells)
    while width > 2 + extra and not cells[width - 1].strip() and width - 2 - extra > 3 * len(given):
        width -= 1
    count = max(-(-(width - 2 - extra) // 3), 0) if rows else len(given)
    regular = labels[2::3]
    exact = bool(regular) and all(regular) and not any(word for n in (3, 4) for word in labels[n::3])
    if exact and len(regular) >= count and extra == 0:
        names = regular
    elif not exact and mark is not None and not any(word for n in (3, 4) for word in labels[n::3]):
        names = regular  # a column without a label between others
    else:
        names = given
        if not exact:
            shown = "each marker name must be followed by two empty cells, because a marker has three columns"
            notes.add(4, shown, "the names are taken in their order")
    if not given:
        refuse(name, 4, "it contains no names of markers. Name them after 'Frame#' and 'Time'.")
    if count > len(names):
        notes.add(4, f"{len(names)} names for {count} markers", "the others are called 'unlabelled 1' …")
        names = [*names, *[""] * (count - len(names))]
    elif rows and count < len(names):
        missing = ", ".join(names[count:][:5])
        notes.add(
            first,
            f"{count} markers in a row for {len(names)} names ({missing})",
            "markers without columns were not seen",
        )
    blank, found = 0, []
    for word in names:
        if len(word) > MAX_NAME:
            refuse(name, 4, f"the name '{word[:40]}…' is longer than {MAX_NAME} characters.")
        blank += not word
        found.append(word or f"unlabelled {blank}")
    if blank and count <= len(regular):
        notes.add(4, f"{blank} markers have no name", "they are called 'unlabelled 1' …")
    return _Labels(_unique(found, notes), extra), 2 + extra + 3 * len(names)


def _unique(names: list[str], notes: _Notes) -> tuple[str, ...]:
    counts, found, taken = Counter(names), list[str](), set(names)
    twice = next((word for word, count in counts.items() if count > 1), None)
    if twice is None:
        return tuple(names)
    notes.add(4, f"two columns are called '{twice}'", f"the second is called '{twice}_2'")
    seen: set[str] = set()
    for word in names:
        own, n = word, 1
        while own in seen or (n > 1 and own in taken):
            n += 1
            own = f"{word}_{n}"
        seen.add(own)
        found.append(own)
    return tuple(found)


def _cells(line: str, mark: str | None, width: int, extra: int) -> str:
    """Return a row with single tabs between its cells, and without the additional cells after the time."""
    words = line.rstrip("\r\n").split(mark, width + 1 if mark is None else -1)
    return "\t".join(words[:2] + words[2 + extra :])


def _whole(name, rows, width: int, notes: _Notes, open_end: bool, said: str) -> Iterator[tuple[int, str]]:
    """Yield the rows of numbers. If the file ends within its last row, this row is left out with a note."""
    before, count = None, 0
    for row in rows:
        if before is not None:
            yield before
        before, count = row, count + 1
    if before is None:
        raise FormatError(f"{name} has a header but no rows.")
    fewer = said.isdecimal() and len(said) < 12 and count < int(said)
    if open_end and fewer and count > 1:
        notes.add(before[0], "the file ends within this row", "it is left out")
        return
    yield before


def _increasing(name: str, values: np.ndarray, at: np.ndarray, notes: _Notes) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows without repeated times; the last row of each time is kept."""
    again = np.flatnonzero(np.diff(values[:, 1]) == 0.0)
    if not again.size:
        return values, at
    fault = f"the time {values[again[0] + 1, 1]:g} s is repeated ({again.size} repeated times)"
    notes.add(int(at[again[0] + 1]), fault, "of rows with the same time the last is kept")
    return np.delete(values, again, axis=0), np.delete(at, again)


def _count(about: dict[str, str], key: str, found: int, notes: _Notes) -> None:
    said = about.get(key, str(found))
    if said != str(found):
        notes.add(3, f"{key} is '{said[:20]}', but the file contains {found}", "all are read")
