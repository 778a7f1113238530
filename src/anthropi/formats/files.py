"""Bytes of a file, safely: a regular file of a bounded size; and references that stay in the model's folder.

Whole
-----
Files that are written whole or not at all: under another name in the same folder, flushed to the disk, renamed.
"""

import contextlib
import os
import stat
from collections.abc import Callable
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import BinaryIO

import numpy as np

from anthropi.errors import AnthropiError, FileError, FormatError

__all__ = ["confined", "naming", "read_bytes", "refuse_to_write", "settle", "write_text", "write_whole"]


MAX_BYTES = 32 * 2**20  # a figure of a thousand links in any format is under 2 MiB


def read_bytes(path: str | os.PathLike, limit: int = MAX_BYTES) -> bytes:
    """The content of a regular file of at most `limit` bytes."""
    path = Path(path)
    try:
        with open(path, "rb", opener=_no_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileError(f"{path} is no regular file. Give a .toml, .urdf or .xml file.")
            data = file.read(limit + 1)
    except FileNotFoundError:
        raise FileError(f"No file {path}. Looked in {Path.cwd()}.") from None
    except IsADirectoryError:
        raise FileError(f"{path} is a folder. Give a .toml, .urdf or .xml file in it.") from None
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise FileError(f"{path} cannot be read: {error}.") from None
    if len(data) > limit:
        raise FileError(f"{path} is larger than {limit} bytes. Keep meshes and recordings in files of their own.")
    return data


def _no_waiting(name: str, flags: int) -> int:
    """Open without waiting for the other end of a pipe."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def write_text(path: str | os.PathLike, text: str) -> None:
    """Write a text file whole: under another name first, so that a failure leaves the old file."""
    path = Path(path)
    fresh = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        fresh.write_text(text, encoding="utf-8", newline="\n")
        fresh.replace(path)
    except (OSError, ValueError) as error:
        with contextlib.suppress(OSError, ValueError):
            fresh.unlink()
        raise FileError(f"{path} cannot be written: {error}.") from None


def confined(folder: Path, reference: str, where: str) -> Path:
    """The file a model refers to, relative to the model's folder; refuses what lies outside it, also through links."""
    words = f"{where} refers to '{reference}'"
    if not reference or "\0" in reference or len(reference) > 1000:
        raise FormatError(f"{where} has an empty or impossible file reference. Give a path within the model's folder.")
    scheme, _, rest = reference.partition("://")
    if rest and scheme == "package":
        reference = rest.partition("/")[2]  # package://name/path: the model's folder stands for the package
    elif rest or reference.startswith("file:"):
        raise FormatError(f"{words}. Only files in the model's folder are read: copy it there and give its path.")
    reference = reference.replace("\\", "/")
    if PurePosixPath(reference).is_absolute() or PureWindowsPath(reference).drive or not reference:
        raise FormatError(f"{words}, an absolute path. Copy the file into the model's folder and give its path there.")
    inside = folder.resolve()
    try:
        real = (inside / reference).resolve()
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links in a ring
        raise FormatError(f"{words}, which cannot be followed: {error}.") from None
    if not real.is_relative_to(inside) or ".." in PurePosixPath(reference).parts:
        raise FormatError(f"{words}, which leads out of the model's folder. Copy the file into it.")
    return inside / PurePosixPath(reference)


@contextlib.contextmanager
def naming(path: str | os.PathLike):
    """Errors and notes about a figure, raised inside, also name the file it came from."""
    name = Path(path).name
    try:
        with np.errstate(all="ignore"):  # numbers too large to square are refused by name, not by NumPy's warning
            yield
    except FileError:
        raise
    except AnthropiError as error:
        raise FormatError(f"{name}: {error}") from error


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
