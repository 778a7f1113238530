"""Preferences of a user of the page: theme, folded panels, body style. They are kept from one studio to the next.

A browser keeps its own storage per host and port, and a studio has another port each time. So the server keeps them.
"""

import contextlib
import json
import os
import threading
from pathlib import Path

from anthropi.errors import InputError
from anthropi.formats.files import write_text

__all__ = ["Preferences"]

MAX_ENTRIES = 100
MAX_LENGTH = 200  # characters of a name or a value
PREFIX = "anthropi."


class Preferences:
    """Named texts, kept in a file.

    path : the file; None keeps them only as long as the studio runs.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._lock = threading.Lock()
        self.values: dict[str, str] = {}
        with contextlib.suppress(OSError, ValueError):  # a missing or damaged file: the defaults
            found = {} if path is None else json.loads(path.read_text(encoding="utf-8"))
            self.values = {k: v for k, v in found.items() if isinstance(v, str) and _valid(k, v)}

    def set(self, name: str, value: str) -> None:
        """Set a preference and write the file. A file that cannot be written is no error."""
        if not _valid(name, value):
            raise InputError(
                f"The preference '{name[:40]}' cannot be kept. Its name must begin with '{PREFIX}', and name and value "
                f"must have at most {MAX_LENGTH} characters."
            )
        with self._lock:
            self.values = dict([*((k, v) for k, v in self.values.items() if k != name), (name, value)][-MAX_ENTRIES:])
            if self.path is not None:
                with contextlib.suppress(OSError):
                    os.makedirs(self.path.parent, mode=0o700, exist_ok=True)
                    write_text(self.path, json.dumps(self.values, indent=1))


def _valid(name: object, value: str) -> bool:
    return isinstance(name, str) and name.startswith(PREFIX) and max(len(name), len(value)) <= MAX_LENGTH
