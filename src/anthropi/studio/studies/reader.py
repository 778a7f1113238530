"""The columns of a study for the page, read from its folder while it runs.

    "APS1" · length of the header, 4 bytes · the header (`StudyData`), JSON in UTF-8, padded to a multiple of 4 ·
    for each column `count` 32-bit floats, and if it is bounded the least and the largest values of each group

All numbers are little-endian. If a study has more than `MAX_COUNT` points, only every second, fourth, eighth … point is
sent. The smallest and the largest value of each result in each group of omitted points are then sent, too. Words become
indices of a list of words. Every chunk is read once.
"""

import re
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.errors import InputError, StateError
from anthropi.studio.messages import StudyColumn, StudyData, StudyExtreme, StudyFailure, StudyPoint
from anthropi.studio.messages.encoding import encoded
from anthropi.study import Failure, Points
from anthropi.study.folder import FolderProgress, read_points, read_progress
from anthropi.study.journal import Entry, Journal, failures_of, has_study

__all__ = ["MAGIC", "MAX_COUNT", "StudyReader"]

MAGIC = b"APS1"
MAX_COUNT = 20_000  # points that are sent
MAX_POINTS = 5_000_000  # points of a study that is shown
MAX_COLUMNS = 64  # columns that are sent
MAX_PARTS = 8  # numbers of an array that become columns
MAX_WORDS = 100  # different words of a column; all further ones become OTHER
MAX_FAILURES = 200  # failures that are listed
MAX_LISTED = 32  # numbers of an array that are listed for a point
OTHER = "(other)"
CHUNK_NAME = re.compile("[0-9a-f]{32}")
STATUS = ("missing", "done", "error", "nan", "time", "memory", "worker")


class _Column:
    """One column: the values that are sent, and the extremes of all values. words : of a column of words."""

    def __init__(self, words: bool) -> None:
        self.words: dict[str, int] | None = {} if words else None
        self.values = np.zeros(0, np.float32)
        self.low, self.high = np.zeros(0, np.float32), np.zeros(0, np.float32)
        self.least: StudyExtreme | None = None
        self.most: StudyExtreme | None = None

    def grow(self, count: int) -> None:
        """Add places without a value."""
        more = np.full(max(count - len(self.values), 0), np.nan, np.float32)
        self.values, self.low, self.high = (np.append(x, more) for x in (self.values, self.low, self.high))

    def put(self, first: int, values: np.ndarray, stride: int) -> None:
        """Take the values of the points from index `first` on."""
        x = self._numbers(values)
        start = -first % stride
        sent = x[start::stride]
        at = (first + start) // stride
        self.values[at : at + len(sent)] = sent
        if self.words is not None or not len(x) or np.isnan(x).all():
            return
        if stride > 1:
            groups = (first + np.arange(len(x))) // stride
            np.fmin.at(self.low, groups, x.astype(np.float32))
            np.fmax.at(self.high, groups, x.astype(np.float32))
        low, high = int(np.nanargmin(x)), int(np.nanargmax(x))
        if self.least is None or x[low] < self.least.value:
            self.least = StudyExtreme(first + low, float(x[low]))
        if self.most is None or x[high] > self.most.value:
            self.most = StudyExtreme(first + high, float(x[high]))

    def _numbers(self, values: np.ndarray) -> np.ndarray:
        if self.words is None:
            return np.where(np.isfinite(x := values.astype(float)), x, np.nan)
        found, inverse = np.unique(values, return_inverse=True)
        codes = [np.nan if word == "" else self._code(str(word)) for word in found]
        return np.asarray(codes, float)[inverse]

    def _code(self, word: str) -> int:
        assert self.words is not None
        if word not in self.words and len(self.words) >= MAX_WORDS:
            word = OTHER
        return self.words.setdefault(word, len(self.words))


class StudyReader:
    """An open study. Its methods may be called from any thread.

    Parameters
    ----------
    study : its number in the studio.
    path : of its folder.
    file, folder : its study file ("" if it is not known) and its folder, relative to the workspace.
    """

    def __init__(self, study: int, path: Path, file: str, folder: str) -> None:
        self.study, self.path, self.file, self.folder = study, path, file, folder
        self._lock = threading.Lock()
        self._revision = 0
        self._clear()

    def _clear(self) -> None:
        self._made = ""  # which study it is; another one may be made in the same folder
        self._points: Points | None = None
        self._points_put = 0
        self._stride, self._count = 1, 0
        self._columns: dict[tuple[str, str], _Column] = {}
        self._chunks: dict[str, str] = {}  # name: digest of the chunks that were read
        self._failures: list[Failure] = []
        self._faults: list[str] = []
        self._status_words: tuple[str, ...] = ()
        self._status = np.zeros(0, np.float32)

    def data(self, have: int, own: bool = False, message: str = "") -> bytes:
        """Return the data of the study for a browser that has a revision. own, message : as in `StudyData`."""
        with self._lock:
            now = self._refresh()
            head = self._header(now, own, message)
            if head.revision == have or not head.begun:
                return _packed(replace(head, columns=None if head.begun else ()), [])
            arrays: list[np.ndarray] = []
            for (role, _), column in self._sent().items():
                arrays.append(column.values)
                if _bounded(role, column, self._stride):
                    arrays += [column.low, column.high]
            return _packed(head, [*arrays, self._status])

    def point(self, number: int) -> StudyPoint:
        """Return a point with its exact values."""
        with self._lock:
            self._refresh()
            if self._points is None or not 0 <= number < len(self._points):
                count = 0 if self._points is None else len(self._points)
                raise InputError(f"The study has no point {number}. It has {count:,} points, from 0 on.")
            failure = next((f for f in self._failures if f.point == number), None)
            results: dict[str, Any] = {}
            status = "missing" if failure is None else failure.kind
            with Journal(self.path) as journal:
                for entry in filter(self._plausible, journal.entries()):
                    if entry.first <= number < entry.last:
                        found = journal.read(entry, failures_of(self._failures, entry)) or {}
                        status = "done" if failure is None else status
                        if failure is None or failure.kind == "nan":
                            results = {name: _listed(x[number - entry.first]) for name, x in found.items()}
            cause = ("", "") if failure is None else (failure.message, failure.worker)
            return StudyPoint(number, status, self._points.point(number), results, *cause)

    # reading

    def _refresh(self) -> FolderProgress | None:
        """Read the new entries of the folder; return the progress of the study, or None if it has not begun."""
        if not has_study(self.path):
            if self._made:
                self._clear()
                self._revision += 1
            return None
        with Journal(self.path) as journal:
            known, entries = journal.identity, journal.entries()
            failures, faults = journal.failures(), journal.faults()
            present = {e.name: e.digest for e in entries}
            if known.get("made", "") + known.get("key", "") + known.get("points", "") != self._made or any(
                present.get(name) != digest for name, digest in self._chunks.items()
            ):  # another study, or chunks were computed again
                self._clear()
                self._made = known.get("made", "") + known.get("key", "") + known.get("points", "")
                self._revision += 1
            self._take_points(known.get("count", ""))
            if self._points is not None:
                changed = self._take_chunks(journal, [e for e in entries if e.name not in self._chunks], failures)
                lines = [f"Worker {worker}: {why}" for worker, why in faults][:MAX_FAILURES]
                changed, self._faults = changed or lines != self._faults, lines
                if changed or failures != self._failures or len(self._status) != self._count:
                    self._failures = failures
                    self._take_status(entries)
                    self._revision += 1
        self._failures = failures
        return read_progress(self.path, None if self._points is None else len(self._points))

    def _take_points(self, count: str) -> None:
        """Read the points, and those of new generations of a search."""
        if count.isdecimal() and int(count) > MAX_POINTS:
            raise StateError(
                f"The study has {int(count):,} points; the studio shows at most {MAX_POINTS:,}. Use study.read_folder."
            )
        known = 0 if self._points is None else len(self._points)
        if self._points is not None and not (self.path / "points" / f"{known}.npz").is_file():
            return
        points = read_points(self.path, MAX_POINTS)
        if points is None or len(points) == known:
            return
        stride = 1
        while -(-len(points) // stride) > MAX_COUNT:
            stride *= 2
        if stride != self._stride:  # everything is read again, for other points
            made = self._made
            self._clear()
            self._made = made
        self._points, self._stride, self._count = points, stride, -(-len(points) // stride)
        for name, x in points.columns.items():
            column = self._columns.setdefault(("point", name), _Column(x.dtype.kind == "U"))
            column.grow(self._count)
            column.put(self._points_put, x[self._points_put :], stride)
        for (role, _), column in self._columns.items():
            if role == "result":
                column.grow(self._count)
        self._points_put = len(points)

    def _take_chunks(self, journal: Journal, entries: list[Entry], failures: list[Failure]) -> bool:
        """Read chunks; return whether any could be read."""
        assert self._points is not None
        changed = False
        for entry in entries:
            own = failures_of(failures, entry)
            found = journal.read(entry, own) if self._plausible(entry) else None
            if found is None or any(len(x) != entry.last - entry.first for x in found.values()):
                continue  # damaged, or its points come next time
            self._chunks[entry.name] = entry.digest
            changed = True
            lost = [f.point - entry.first for f in own if f.kind != "nan"]
            for name, x in _flat(found).items():
                if ("result", name) not in self._columns and len(self._columns) >= MAX_COLUMNS:
                    continue
                column = self._columns.setdefault(("result", name), _Column(x.dtype.kind == "U"))
                column.grow(self._count)
                if column.words is None:
                    x = x.astype(float)
                    x[lost] = np.nan
                column.put(entry.first, x, self._stride)
        return changed

    def _plausible(self, entry: Entry) -> bool:
        """Return whether an entry names a file of the folder and points that are known: it may be from anybody."""
        count = 0 if self._points is None else len(self._points)
        return CHUNK_NAME.fullmatch(entry.name) is not None and 0 <= entry.first < entry.last <= count

    def _take_status(self, entries: list[Entry]) -> None:
        assert self._points is not None
        status = np.zeros(len(self._points), np.int8)
        for entry in filter(self._plausible, entries):
            status[entry.first : entry.last] = STATUS.index("done")
        for failure in self._failures:
            if 0 <= failure.point < len(status):
                status[failure.point] = STATUS.index(failure.kind) if failure.kind in STATUS else STATUS.index("error")
        found, codes = np.unique(status, return_inverse=True)
        self._status_words = tuple(STATUS[k] for k in found)
        self._status = codes[:: self._stride].astype(np.float32)

    # sending

    def _sent(self) -> dict[tuple[str, str], _Column]:
        """Return the columns in the order of sending: those of the points, then those of the results."""
        return dict(sorted(self._columns.items(), key=lambda item: item[0][0] != "point"))

    def _header(self, now: FolderProgress | None, own: bool, message: str) -> StudyData:
        columns = [
            StudyColumn(
                name, "point" if role == "point" else "result", None if c.words is None else tuple(c.words),
                _bounded(role, c, self._stride), c.least, c.most,
            )
            for (role, name), c in self._sent().items()
        ]  # fmt: skip
        progress = None if now is None else now.progress
        return StudyData(
            study=self.study,
            revision=self._revision,
            file=self.file,
            folder=self.folder,
            function="" if now is None else now.function.rpartition("/")[2],
            begun=now is not None,
            running=now is not None and now.running,
            own=own,
            done=0 if progress is None else progress.done,
            total=0 if progress is None else progress.total,
            failed=0 if progress is None else progress.failed,
            rate=0.0 if progress is None else progress.rate,
            left=None if progress is None else progress.left,
            workers=0 if now is None else now.workers,
            search=now is not None and now.search,
            minimise="" if now is None else now.minimise,
            stride=self._stride,
            count=len(self._status),
            columns=(*columns, StudyColumn("status", "status", self._status_words)),
            failures=tuple(StudyFailure(*f) for f in self._failures[:MAX_FAILURES]),
            faults=tuple(self._faults),
            message=message,
        )


def _bounded(role: str, column: _Column, stride: int) -> bool:
    return stride > 1 and role == "result" and column.words is None


def _flat(columns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return columns with one number per row: the first numbers of an array become `name_0`, `name_1` …"""
    found: dict[str, np.ndarray] = {}
    for name, x in columns.items():
        if x.ndim == 1:
            found[name] = x
        else:
            parts = x.reshape(len(x), -1)
            found |= {f"{name}_{k}": parts[:, k] for k in range(min(parts.shape[1], MAX_PARTS))}
    return found


def _listed(x: np.ndarray) -> Any:
    """Return a result as a plain value; of a large array, the first numbers."""
    return x.item() if x.ndim == 0 else x.ravel()[:MAX_LISTED].tolist()


def _packed(head: StudyData, arrays: list[np.ndarray]) -> bytes:
    text = encoded(head).encode()
    text += b" " * (-len(text) % 4)
    body = b"".join(np.ascontiguousarray(x, "<f4").tobytes() for x in arrays)
    return MAGIC + len(text).to_bytes(4, "little") + text + body
