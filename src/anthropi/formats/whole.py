"""Files that are written whole or not at all: under another name in the same folder, flushed to the disk, renamed."""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from anthropi.errors import AnthropiError, FileError

__all__ = ["refuse_to_write", "settle", "write_whole"]


def write_whole(path: str | os.PathLike, fill: Callable[[BinaryIO], object]) -> None:
    """Write a file by `fill(file)`. If anything fails, the disk being full for one, the old file is as it was."""
    path = Path(path)
    try:
        fresh = path.with_name(f".{path.name}.{os.getpid()}.part")
    except ValueError as error:
        raise refuse_to_write(path, error) from None
    try:
        with open(fresh, "wb") as file:
            fill(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    except BaseException as error:
        with contextlib.suppress(OSError, ValueError):
            fresh.unlink()
        if isinstance(error, (OSError, ValueError)) and not isinstance(error, AnthropiError):
            raise refuse_to_write(path, error) from None
        raise
    settle(path.parent)


def settle(folder: Path) -> None:
    """Have the disk remember the names in a folder, where the system can."""
    with contextlib.suppress(OSError):  # a folder cannot be opened on Windows
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def refuse_to_write(path: Path, error: BaseException) -> FileError:
    """The error that says what could not be written and what is there now."""
    there = "What was there before is as it was." if os.path.lexists(path) else "Nothing is there."
    return FileError(f"{path} cannot be written: {error}. {there}")
