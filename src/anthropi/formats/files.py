"""Safe access to files: limited file size when reading, references confined to a folder, and atomic writing.

A file is written under a temporary name in the same folder, flushed to the disk and then renamed, so that a failure
leaves the old file unchanged.
"""

import contextlib
import glob
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import BinaryIO

import numpy as np

from anthropi.errors import AnthropiError, FileError, FormatError
from anthropi.formats import limits

__all__ = [
    "confined", "naming", "read_bytes", "read_start", "refuse_to_write", "sync_folder", "write_text", "write_whole",
]  # fmt: skip

MAX_PART_AGE = 600.0  # [s] since its last change; an older temporary file is left over from a killed process


def read_bytes(path: str | os.PathLike[str], limit: str = "figure_bytes") -> bytes:
    """Read a regular file. Raise `FileError` for pipes, devices, folders, and files that are too large.

    limit : name of the limit on its size in bytes, a field of `anthropi.formats.limits.Limits`.
    """
    most = getattr(limits.current(), limit)
    data = read_start(path, most + 1)
    if len(data) > most:
        raise limits.exceeded(Path(path), limit, f"the file is larger than {most} bytes")
    return data


def read_start(path: str | os.PathLike[str], most: int) -> bytes:
    """Read the first `most` bytes of a regular file, or all of a shorter one."""
    path = Path(path)
    try:
        with open(path, "rb", opener=_no_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileError(f"{path} is not a regular file. Give the file itself.")
            return file.read(most)
    except FileNotFoundError:
        raise FileError(f"No file {path}. Looked in {Path.cwd()}.") from None
    except IsADirectoryError:
        raise FileError(f"{path} is a folder. Give a .toml, .urdf or .xml file in it.") from None
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise FileError(f"{path} cannot be read: {error}.") from None


def _no_waiting(name: str, flags: int) -> int:
    """Open a file without waiting for the other end of a pipe."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file atomically; a failure leaves the old file unchanged."""
    path = Path(path)
    fresh = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        fresh.write_text(text, encoding="utf-8", newline="\n")
        fresh.replace(path)
    except (OSError, ValueError) as error:
        with contextlib.suppress(OSError, ValueError):
            fresh.unlink()
        raise FileError(f"{path} cannot be written: {error}.") from None
    _remove_old_parts(path)


PACKAGE_PATH = "ROS_PACKAGE_PATH"  # environment variable with folders of ROS packages


def _in_packages(name: str, rest: str, folders: tuple[Path, ...], words: str) -> Path | None:
    """Find package://name/rest in some folders and in those of ROS_PACKAGE_PATH; None if it is in none of them.

    A folder contains the package, or is the package. Paths that lead out of the package raise `FormatError`.
    """
    inner = PurePosixPath(rest.replace("\\", "/"))
    if not name or not inner.parts or inner.is_absolute() or ".." in (*inner.parts, name) or "\\" in name:
        return None
    named = [Path(part) for part in os.environ.get(PACKAGE_PATH, "").split(os.pathsep) if part]
    for home in (*folders, *named):
        for package in (home / name, home) if home.name == name else (home / name,):
            try:
                found, inside = (package / inner).exists(), package.resolve()
                out = found and not (package / inner).resolve().is_relative_to(inside)
            except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links in a cycle
                raise FormatError(f"{words}, which cannot be resolved: {error}.") from None
            if out:
                raise FormatError(f"{words}, which leads out of the package '{name}'. Copy the file into it.")
            if found:
                return package / inner
    return None


def confined(folder: Path, reference: str, where: str, others: Iterable[Path] | None = None) -> Path:
    """Resolve a reference to another file (such as a mesh), relative to the folder of the model file.

    URL schemes other than package://, and absolute paths and paths that lead out of the allowed folders, also through
    symbolic links, raise `FormatError`.

    Parameters
    ----------
    folder : the folder of the model file.
    reference : the path as written in the model file.
    where : file and element that contain the reference, for error messages.
    others : further folders that the user allows; None if the format has no option for them. package:// references are
        searched in them, then in the folders of ROS_PACKAGE_PATH.
    """
    words = f"{where} refers to '{reference}'"
    if not reference or "\0" in reference or len(reference) > 1000:
        raise FormatError(f"{where} has an empty or invalid file reference. Give a path within the model's folder.")
    scheme, _, rest = reference.partition("://")
    if rest and scheme == "package":
        name, _, reference = rest.partition("/")
        found = _in_packages(name, reference, tuple(others or ()), words)
        if found is not None:
            return found
        others = None  # package://name/path that is in no given package: the model's folder stands for the package
    elif rest or reference.startswith("file:"):
        raise FormatError(f"{words}. Only files in the model's folder are read. Copy it there and give its path.")
    reference = reference.replace("\\", "/")
    path = PurePosixPath(reference)
    absolute = path.is_absolute() or bool(PureWindowsPath(reference).drive)
    if not reference or (absolute and not others):
        raise FormatError(f"{words}, an absolute path. Copy the file into the model's folder and give its path there.")
    inside = folder.resolve()
    try:
        real = (inside / reference).resolve()
        allowed = any(real.is_relative_to(Path(other).resolve()) for other in others or ())
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links in a cycle
        raise FormatError(f"{words}, which cannot be resolved: {error}.") from None
    plain = not absolute and ".." not in path.parts
    if plain and real.is_relative_to(inside):
        return inside / path
    if allowed:
        return real
    hint = "" if others is None else f", or allow the folder it is in: folders=['{real.parent}']"
    raise FormatError(f"{words}, which leads out of the model's folder. Copy the file into it{hint}.")


@contextlib.contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Context manager that turns errors about a figure into `FormatError` and puts the file name before the message."""
    name = Path(path).name
    try:
        with np.errstate(all="ignore"):  # the checks of the figure report overflow instead
            yield
    except FileError:
        raise
    except AnthropiError as error:
        raise FormatError(f"{name}: {error}") from error


def write_whole(path: str | os.PathLike[str], fill: Callable[[BinaryIO], object], private: bool = False) -> None:
    """Write a file atomically: `fill(file)` writes its content. A failure leaves the old file unchanged.

    private : whether only this user may read the file (mode 0600).
    """
    path = Path(path)
    try:
        fresh = path.with_name(f".{path.name}.{os.getpid()}.part")
    except ValueError as error:
        raise refuse_to_write(path, error) from None
    try:
        with open(fresh, "wb", opener=_private if private else None) as file:
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
    _remove_old_parts(path)
    sync_folder(path.parent)


def _private(name: str, flags: int) -> int:
    """Open a file that only this user may read."""
    return os.open(name, flags, 0o600)


def _remove_old_parts(path: Path) -> None:
    """Remove the temporary files of this path that killed processes have left."""
    with contextlib.suppress(OSError):
        for part in path.parent.glob(f".{glob.escape(path.name)}.*.part"):
            with contextlib.suppress(OSError):
                if time.time() - part.stat().st_mtime > MAX_PART_AGE:
                    part.unlink()


def sync_folder(folder: Path) -> None:
    """Flush the directory entries of a folder to the disk, if the operating system can do so."""
    with contextlib.suppress(OSError):  # a folder cannot be opened on Windows
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def refuse_to_write(path: Path, error: BaseException) -> FileError:
    """Return the error for a file that cannot be written. Its message says whether an old file still exists."""
    there = "The old file is unchanged." if os.path.lexists(path) else "No file was written."
    return FileError(f"{path} cannot be written: {error}. {there}")
