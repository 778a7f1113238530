"""The studies of a workspace: find them, open them, and run them on request.

Files are found and opened only in the workspace. Opening a study does not run its code. `start` runs the code, and only
a command of a browser that has the token calls it.
"""

import os
import threading
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from anthropi.errors import AnthropiError, FileError, FormatError, InputError, StateError
from anthropi.formats.files import confined
from anthropi.formats.studies import study_paths
from anthropi.studio.messages import Event, Problem, StudyChoice, StudyList, StudyOpened
from anthropi.studio.studies.process import StudyProcess
from anthropi.studio.studies.reader import StudyReader
from anthropi.study.journal import being_run

__all__ = ["Studies"]

MAX_DEPTH = 6  # levels of folders in which studies are looked for
MAX_ENTRIES = 5000  # files and folders that are looked at
MAX_SHOWN = 200  # studies that are listed
MAX_OPEN = 16  # studies that are kept open
MAX_FILE = 1 << 16  # bytes of a study file that is listed
MAX_WORKERS = 1024
CLOSE_TIMEOUT = 5.0  # [s] that a running study has to end when the studio closes
SKIPPED = ("node_modules", "__pycache__", "chunks", "points")
STOPPED = 130  # exit code of a command that Ctrl-C stopped


class Studies:
    """All open studies of a studio. Methods may be called from any thread.

    Parameters
    ----------
    workspace : the folder in which studies are.
    emit : sends an event to all browsers.
    """

    def __init__(self, workspace: Path, emit: Callable[[Event], None]) -> None:
        self.workspace, self._emit = workspace, emit
        self._open: dict[int, StudyReader] = {}
        self._processes: dict[int, StudyProcess] = {}
        self._messages: dict[int, str] = {}
        self._number = 0
        self._lock = threading.Lock()

    # finding and opening

    def listing(self) -> StudyList:
        """Return the studies of the workspace: study files, and folders with a journal that no study file names."""
        files, folders, more = self._found()
        named: dict[str, str] = {}
        for file in files:
            try:
                named[file] = self._folder_of(file)
            except AnthropiError:  # another kind of TOML file, or one that leads out of the workspace
                continue
        rows = [(file, folder) for file, folder in named.items()]
        rows += [(folder, folder) for folder in folders if folder not in named.values()]
        choices = [
            StudyChoice(path, folder, (self._at(folder) / "study.sqlite").is_file(), being_run(self._at(folder)))
            for path, folder in sorted(rows)[:MAX_SHOWN]
        ]
        return StudyList(tuple(choices), more or len(rows) > MAX_SHOWN)

    def open(self, path: str) -> StudyOpened:
        """Open a study file or the folder of a study."""
        at = confined(self.workspace, path, "The study")
        shown = str(PurePosixPath(path.replace("\\", "/")))
        if at.suffix.lower() == ".toml" and at.is_file():
            file, folder = shown, self._folder_of(shown)
        elif (at / "study.sqlite").is_file():
            file, folder = "", shown
        else:
            raise FileError(f"'{path}' is neither a study file (.toml) nor the folder of a study in the workspace.")
        with self._lock:
            for reader in self._open.values():
                if (reader.file, reader.folder) == (file, folder):
                    return StudyOpened(reader.study, file, folder)
            self._number += 1
            self._open[self._number] = StudyReader(self._number, self._at(folder), file, folder)
            idle = [n for n in self._open if n not in self._processes]
            for number in idle[: max(len(self._open) - MAX_OPEN, 0)]:
                del self._open[number]
            return StudyOpened(self._number, file, folder)

    def reader(self, study: int) -> StudyReader:
        """Return an open study."""
        with self._lock:
            found = self._open.get(study)
        if found is None:
            raise InputError(f"No study {study} is open. Open it again.")
        return found

    def data(self, study: int, have: int) -> bytes:
        """Return the binary data of an open study for a browser that has a revision of it."""
        reader = self.reader(study)
        with self._lock:
            own, message = study in self._processes, self._messages.get(study, "")
        return reader.data(have, own, message)

    # running

    def start(self, study: int, workers: int | None, retry: bool) -> None:
        """Run a study file in a process of its own."""
        reader = self.reader(study)
        if not reader.file:
            raise InputError(
                f"Only the folder '{reader.folder}' of the study is known. Open its study file (.toml) to run it."
            )
        if workers is not None and not 1 <= workers <= MAX_WORKERS:
            raise InputError(f"The number of workers is {workers}. Give 1 to {MAX_WORKERS}, or none.")
        self._folder_of(reader.file)  # the file may have changed
        if being_run(reader.path):
            raise StateError(f"The study in '{reader.folder}' is being run already. Wait for it, or stop it.")
        with self._lock:
            if study in self._processes:
                raise StateError(f"The study '{reader.file}' is being run already. Wait for it, or stop it.")
            self._messages.pop(study, None)
            self._processes[study] = StudyProcess(
                self._at(reader.file), workers, retry, lambda code, text: self._ended(study, reader.file, code, text)
            )

    def stop(self, study: int) -> None:
        """Stop a study that this studio runs."""
        with self._lock:
            process = self._processes.get(study)
        if process is None:
            raise StateError("This studio does not run the study. Stop it where it was started.")
        process.stop()

    def close(self) -> None:
        """Stop all studies that this studio runs."""
        with self._lock:
            running = list(self._processes.values())
        for process in running:
            process.stop()
        for process in running:
            process.close(CLOSE_TIMEOUT)

    def _ended(self, study: int, file: str, code: int, text: str) -> None:
        with self._lock:
            process = self._processes.pop(study, None)
            stopped = code == STOPPED or (process is not None and process.stopped)
            ended = code == 0 or (code == 1 and "Traceback" not in text)
            if stopped:
                message = f"The study {file} was stopped. Points that are done are kept."
            elif ended:
                message = (
                    f"The study {file} is done." if code == 0 else f"The study {file} is done; some points failed."
                )
            else:
                why = text.removeprefix("anthropi: ") or f"exit code {code}"
                message = f"The study {file} ended with an error: {why}"
            self._messages[study] = message
        self._emit(Problem(message, level="note" if stopped or ended else "error"))

    # paths

    def _at(self, shown: str) -> Path:
        return self.workspace / PurePosixPath(shown)

    def _folder_of(self, file: str) -> str:
        """Return the folder of a study file, relative to the workspace; it and the file of the function are in it."""
        at = confined(self.workspace, file, "The study")
        folder, function = study_paths(at)
        for named in (folder, function):
            inside = _joined(file, named)
            if named and (inside is None or not _confined(self.workspace, inside)):
                raise FormatError(
                    f"{file} names '{named}', which is not in the workspace. The studio opens and runs studies whose "
                    "files and folders are in the workspace; use 'anthropi study' for others."
                )
        return str(_joined(file, folder))

    def _found(self) -> tuple[list[str], list[str], bool]:
        """Return the small .toml files and the folders with a journal, relative to the workspace, and if there is more.

        Hidden folders and symbolic links are left out.
        """
        files: list[str] = []
        folders: list[str] = []
        looked, waiting = 0, [("", 0)]
        while waiting:
            folder, depth = waiting.pop(0)
            try:
                with os.scandir(self._at(folder)) as entries:
                    for entry in entries:
                        looked += 1
                        if looked > MAX_ENTRIES:
                            return files, folders, True
                        self._sort(entry, folder, depth, files, folders, waiting)
            except OSError:
                continue
        return files, folders, False

    def _sort(
        self,
        entry: os.DirEntry[str],
        folder: str,
        depth: int,
        files: list[str],
        folders: list[str],
        waiting: list[tuple[str, int]],
    ) -> None:
        """Add an entry of a folder to the list that it belongs to."""
        shown = f"{folder}/{entry.name}" if folder else entry.name
        if entry.name.startswith(".") or entry.is_symlink():
            return
        if entry.is_dir():
            if depth < MAX_DEPTH and entry.name not in SKIPPED:
                waiting.append((shown, depth + 1))
        elif entry.name == "study.sqlite" and folder:
            folders.append(folder)
        elif entry.name.lower().endswith(".toml") and entry.stat().st_size <= MAX_FILE:
            files.append(shown)


def _joined(file: str, named: str) -> str | None:
    """Return a path that a file names, relative to the workspace; None if it is outside the workspace."""
    if PurePosixPath(named).is_absolute():
        return None
    found = os.path.normpath(PurePosixPath(file).parent / named.replace("\\", "/")).replace("\\", "/")
    return None if found == ".." or found.startswith("../") else found


def _confined(workspace: Path, shown: str) -> bool:
    try:
        confined(workspace, shown, "The study")
    except FormatError:
        return False
    return True
