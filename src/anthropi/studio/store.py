"""Files on their way: what browsers sent in, and what waits to be fetched, in a folder that goes at the end."""

import re
import secrets
import shutil
import tempfile
from pathlib import Path

from anthropi.errors import FileError

__all__ = ["LARGEST", "Store", "plain_name"]

LARGEST = 64 << 20  # bytes of a file that a browser may send
KEPT = 32  # files that wait


def plain_name(name: str, otherwise: str = "file") -> str:
    """A file's name without folders and odd characters."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    kept = re.sub(r"[^\w.()+-]", "_", last, flags=re.ASCII).strip("_.")[:120]
    return kept or otherwise


class Store:
    """Files by a number nobody guesses."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="anthropi-studio-"))
        self._names: dict[str, Path] = {}

    def place(self, name: str) -> tuple[str, Path]:
        """(key, path) for a new file of this name, in a folder of its own."""
        key = secrets.token_urlsafe(12)
        folder = self.folder / key
        folder.mkdir()
        self._names[key] = folder / plain_name(name)
        for old in list(self._names)[:-KEPT]:
            self.forget(old)
        return key, self._names[key]

    def find(self, key: str) -> Path:
        """The file of a key."""
        path = self._names.get(key)
        if path is None or not path.is_file():
            raise FileError("That file is no longer there. Send or export it again.")
        return path

    def forget(self, key: str) -> None:
        """Throw a file away."""
        path = self._names.pop(key, None)
        if path is not None:
            shutil.rmtree(path.parent, ignore_errors=True)

    def close(self) -> None:
        """Throw all away."""
        shutil.rmtree(self.folder, ignore_errors=True)
