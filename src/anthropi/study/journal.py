"""The journal of a study on disk: which chunks are done, by whom, and which points failed.

    folder/
      study.sqlite          the journal (SQLite, write-ahead log)
      study.lock            held by the process that runs the study
      points/FIRST.npz      the points from index FIRST on: one file, or one for each generation of a search
      chunks/NAME.npz       the results of a chunk

The results of a chunk are written to a file with a temporary name, forced to disk and renamed. Then the chunk is
entered in the journal in one transaction. So if a process is killed at any moment, the folder contains complete chunks
only, and the next run continues with them. The points of a missing or damaged file are computed again.

Any process may read the folder at the same time (`folder.py`); readers change nothing.
"""

import bisect
import contextlib
import errno
import io
import json
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np

from anthropi.errors import FileError, InputError, StateError
from anthropi.study.chunk import Chunk, ChunkResult, Failure, result_digest

__all__ = ["Entry", "Journal", "being_run", "failures_of", "has_study", "write_whole", "writing"]

VERSION = 1
LOCK_ATTEMPTS = 5  # a reader that asks whether the study runs holds the lock for a moment
LOCK_PAUSE = 0.05  # [s] between two attempts
COMPARED = {  # what identifies a study, in words
    "points": "the table of points, or the search,",
    "seed": "the seed",
    "key": "the code of the function, of what it uses, of anthropi, or a constant",
}
_TABLES = """
CREATE TABLE IF NOT EXISTS study (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS chunks (name TEXT PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL,
  digest TEXT NOT NULL, seconds REAL NOT NULL, worker TEXT NOT NULL, written REAL NOT NULL);
CREATE TABLE IF NOT EXISTS failures (point INTEGER PRIMARY KEY, kind TEXT NOT NULL, message TEXT NOT NULL,
  worker TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS checks (chunk TEXT NOT NULL, worker TEXT NOT NULL, digest TEXT NOT NULL,
  same INTEGER NOT NULL, written REAL NOT NULL);
CREATE TABLE IF NOT EXISTS faults (chunk TEXT NOT NULL, worker TEXT NOT NULL, message TEXT NOT NULL,
  written REAL NOT NULL);
"""


class Entry(NamedTuple):
    """A chunk that is done: its name, points first … last - 1, digest, duration [s] and worker."""

    name: str
    first: int
    last: int
    digest: str
    seconds: float
    worker: str


class Journal:
    """The journal of a study in a folder.

    Parameters
    ----------
    folder : is made if it does not exist.
    identity : {name: text} of the study, among them the names of `COMPARED`; None to read a folder without
        writing anything, which is possible while another process runs the study.
    write : whether to run the study. Only one process at a time can.
    """

    def __init__(self, folder: Path, identity: dict[str, str] | None = None, write: bool = False) -> None:
        self.folder, self.write, self._lock = folder, write, None
        if not write and not has_study(folder):
            raise FileError(f"There is no study in {folder}. Run the study first, or check the path.")
        if identity is None and not write:
            self._open_to_read()
            return
        with writing(folder):
            (folder / "chunks").mkdir(parents=True, exist_ok=True)
            (folder / "points").mkdir(exist_ok=True)
        if write:
            self._lock = _locked(folder)
            for part in folder.glob("*/.part-*"):  # left over from a process that was killed
                part.unlink(missing_ok=True)
        try:
            self._database = sqlite3.connect(folder / "study.sqlite", timeout=30.0, isolation_level=None)
            with self._transaction():
                pass
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=FULL")
            self._database.executescript(_TABLES)
            self._identify(identity)
        except sqlite3.DatabaseError as error:
            self.close()
            raise FileError(
                f"The journal {folder / 'study.sqlite'} cannot be used: {error}. Its folder must be "
                "writable; if the file is damaged, move the folder away and run again."
            ) from None
        except BaseException:
            self.close()
            raise

    def _open_to_read(self) -> None:
        """Open the journal without changing anything."""
        try:
            self._database = _opened_to_read(self.folder)
            self._identify(None)
        except sqlite3.DatabaseError as error:
            self.close()
            raise FileError(
                f"The journal {self.folder / 'study.sqlite'} cannot be read: {error}. Is it a study's folder?"
            ) from None
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Close the journal and let go of the lock."""
        if getattr(self, "_database", None) is not None:
            self._database.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _identify(self, identity: dict[str, str] | None) -> None:
        """Store the identity of a new study; refuse the folder of another one."""
        known = dict(self._database.execute("SELECT name, value FROM study"))
        if known and known.get("version") != str(VERSION):
            raise FileError(f"{self.folder} is of version {known.get('version')} of the journal; this is {VERSION}.")
        if identity is None:
            return
        other = [words for name, words in COMPARED.items() if known and known.get(name) != identity[name]]
        if other and self.entries():
            raise InputError(
                f"{self.folder} contains another study: {other[0]} changed. Give another folder, or delete this one to "
                "compute everything again."
            )
        if not known or (other and self.write):
            rows = [("version", str(VERSION)), ("made", time.strftime("%Y-%m-%d %H:%M:%S")), *identity.items()]
            with self._transaction():
                self._database.executemany("INSERT OR REPLACE INTO study VALUES (?, ?)", rows)
            for file in (self.folder / "points").glob("*.npz"):  # of another study, of which nothing was done
                file.unlink(missing_ok=True)

    def begin(self) -> None:
        """Store that a run begins now, for those who show its speed."""
        with writing(self.folder), self._transaction():
            self._database.execute("INSERT OR REPLACE INTO study VALUES ('begun', ?)", (repr(time.time()),))

    @property
    def identity(self) -> dict[str, str]:
        """The stored identity of the study."""
        return dict(self._database.execute("SELECT name, value FROM study"))

    def entries(self) -> list[Entry]:
        """Return the chunks that are done, in the order of their points."""
        rows = self._database.execute(
            "SELECT name, first, last, digest, seconds, worker FROM chunks ORDER BY first, last"
        )
        return [Entry(*row) for row in rows]

    def counts(self) -> tuple[int, int, int]:
        """Return the numbers of points done (with those that failed), of points that failed, and of chunks."""
        done, chunks = self._database.execute("SELECT COALESCE(SUM(last - first), 0), COUNT(*) FROM chunks").fetchone()
        return int(done), int(self._database.execute("SELECT COUNT(*) FROM failures").fetchone()[0]), int(chunks)

    def since(self, moment: float) -> tuple[int, int]:
        """Return the number of points done since a moment [s, as time.time()], and the number of their workers."""
        rows = "SELECT COALESCE(SUM(last - first), 0), COUNT(DISTINCT worker) FROM chunks WHERE written >= ?"
        points, workers = self._database.execute(rows, (moment,)).fetchone()
        return int(points), int(workers)

    def find(self, name: str) -> Entry | None:
        """Return a chunk that is done; None if it is not."""
        rows = "SELECT name, first, last, digest, seconds, worker FROM chunks WHERE name = ?"
        row = self._database.execute(rows, (name,)).fetchone()
        return None if row is None else Entry(*row)

    def failures(self) -> list[Failure]:
        """Return the points that failed, in order."""
        return [Failure(*row) for row in self._database.execute("SELECT * FROM failures ORDER BY point")]

    def faults(self) -> list[tuple[str, str]]:
        """Return (worker, message) of every result that was found to be wrong."""
        return list(self._database.execute("SELECT worker, message FROM faults ORDER BY written"))

    def checks(self) -> dict[str, int]:
        """Return {chunk: number of times that another worker found the same bits}."""
        return dict(self._database.execute("SELECT chunk, COUNT(*) FROM checks WHERE same = 1 GROUP BY chunk"))

    def file(self, name: str) -> Path:
        """Return the file with the results of a chunk."""
        return self.folder / "chunks" / f"{name}.npz"

    def add(self, chunk: Chunk, result: ChunkResult) -> Entry:
        """Store the results of a chunk, replacing earlier ones of the same chunk."""
        name, buffer = chunk.name, io.BytesIO()
        np.savez(buffer, **{f"result_{n}": x for n, x in result.columns.items()})  # type: ignore[arg-type]
        with writing(self.folder):
            write_whole(self.file(name), buffer.getbuffer())
        entry = Entry(name, chunk.first, chunk.last, result.digest, result.seconds, result.worker)
        with writing(self.folder), self._transaction():
            self._database.execute("INSERT OR REPLACE INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?)", (*entry, time.time()))
            self._database.execute("DELETE FROM failures WHERE point >= ? AND point < ?", (chunk.first, chunk.last))
            self._database.executemany("INSERT INTO failures VALUES (?, ?, ?, ?)", [tuple(f) for f in result.failures])
        return entry

    def add_check(self, name: str, result: ChunkResult, same: bool) -> None:
        """Store that another worker computed a chunk again."""
        with writing(self.folder), self._transaction():
            row = (name, result.worker, result.digest, int(same), time.time())
            self._database.execute("INSERT INTO checks VALUES (?, ?, ?, ?, ?)", row)

    def add_fault(self, name: str, worker: str, message: str) -> None:
        """Store that a worker returned wrong results."""
        with writing(self.folder), self._transaction():
            self._database.execute("INSERT INTO faults VALUES (?, ?, ?, ?)", (name, worker, message, time.time()))

    def forget(self, name: str) -> None:
        """Remove a chunk, so that it is computed again."""
        with writing(self.folder), self._transaction():
            for first, last in self._database.execute(
                "SELECT first, last FROM chunks WHERE name = ?", (name,)
            ).fetchall():
                self._database.execute("DELETE FROM failures WHERE point >= ? AND point < ?", (first, last))
            self._database.execute("DELETE FROM chunks WHERE name = ?", (name,))

    def read(self, entry: Entry, failures: tuple[Failure, ...]) -> dict[str, np.ndarray] | None:
        """Return the results of a chunk; None if the file is missing or its content was changed."""
        try:
            with np.load(self.file(entry.name), allow_pickle=False) as file:
                columns = {n.removeprefix("result_"): file[n] for n in file.files}
        except (OSError, ValueError, KeyError, EOFError, SyntaxError, BadZipFile):
            return None
        return columns if result_digest(columns, failures) == entry.digest else None

    def repair(self) -> int:
        """Forget chunks whose files are missing or damaged; return how many."""
        failures, bad = self.failures(), 0
        for entry in self.entries():
            if self.read(entry, failures_of(failures, entry)) is None:
                self.forget(entry.name)
                bad += 1
        return bad

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            with contextlib.suppress(sqlite3.DatabaseError):
                self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")


def failures_of(failures: list[Failure], entry: Entry) -> tuple[Failure, ...]:
    """Return the failures, sorted by point, that belong to a chunk."""
    low = bisect.bisect_left(failures, entry.first, key=lambda f: f.point)
    high = bisect.bisect_left(failures, entry.last, key=lambda f: f.point)
    return tuple(failures[low:high])


@contextlib.contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Replace errors of writing by a `FileError` that states which results are kept."""
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT) or "full" in str(error)
        why = "the disk is full" if full else str(error)
        raise FileError(
            f"The study in {folder} cannot be written: {why}. Finished chunks are kept. "
            f"{'Free some space' if full else 'Check the folder'} and run the study again; it continues from them."
        ) from error


def write_whole(path: Path, data: Any) -> None:
    """Write a file under another name, force it to disk and rename it."""
    part = path.with_name(f".part-{os.getpid()}-{path.name}")
    try:
        with open(part, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def has_study(folder: Path) -> bool:
    """Return whether a folder has the journal of a study. A study that begins has none for a moment."""
    if not (folder / "study.sqlite").is_file():
        return False
    try:
        with contextlib.closing(_opened_to_read(folder)) as database:
            return database.execute("SELECT COUNT(*) FROM study").fetchone()[0] > 0
    except sqlite3.OperationalError as error:
        return "no such table" not in str(error)
    except sqlite3.DatabaseError:  # damaged: reading it gives the error
        return True


def _opened_to_read(folder: Path) -> sqlite3.Connection:
    address = f"{(folder / 'study.sqlite').resolve().as_uri()}?mode=ro"
    return sqlite3.connect(address, timeout=30.0, isolation_level=None, uri=True)


def being_run(folder: Path) -> bool:
    """Return whether a process runs the study in a folder now."""
    try:
        with open(folder / "study.lock", "r+") as file:
            return not _lock(file, shared=True)  # closing the file unlocks it
    except OSError:
        return False


def _lock(file: Any, shared: bool = False) -> bool:
    """Lock an open file, if no other process has locked it; return whether that was possible."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _locked(folder: Path) -> Any:
    """Lock a folder for this process until the returned file is closed."""
    file = open(folder / "study.lock", "a+")  # noqa: SIM115  # held as long as the journal
    for attempt in range(LOCK_ATTEMPTS):
        if _lock(file):
            break
        if attempt + 1 < LOCK_ATTEMPTS:
            time.sleep(LOCK_PAUSE)
    else:
        file.seek(0)
        holder = file.read(200).strip()
        file.close()
        named = f" (process {holder})" if holder else ""
        raise StateError(
            f"The study in {folder} is being run by another process{named}. Wait for it, or give another folder."
        )
    file.truncate(0)
    file.write(json.dumps(os.getpid()))
    file.flush()
    return file
