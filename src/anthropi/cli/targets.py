"""Files that a command is to write: refused before it runs if they could not be written after it, and written whole."""

import contextlib
import os
from pathlib import Path

from anthropi.errors import AnthropiError, FileError
from anthropi.formats.whole import refuse_to_write

__all__ = ["PAGES", "PICTURES", "check_targets", "whole"]

PICTURES, PAGES = (".png", ".svg", ".pdf"), (".html", ".htm")


def check_targets(file: Path | None, targets: dict[str, tuple[Path | None, tuple[str, ...]]]) -> None:
    """Refuse what could not be written. file : the one that is read. targets : {option: (path, endings of it)}."""
    for option, (path, endings) in targets.items():
        if path is None:
            continue
        if path.suffix.lower() not in endings:
            raise FileError(f"{option} {path}: it must end in {', '.join(endings)}.")
        if path.is_dir() or not path.parent.is_dir():
            what = "is a folder" if path.is_dir() else f"lies in {path.parent}, which is no folder"
            raise FileError(f"{option} {path} {what}. Give the name of a file in a folder that is there.")
        if not os.access(path.parent, os.W_OK):
            raise FileError(f"{option} {path}: its folder cannot be written to. Give another.")
        if file is not None and path.exists() and file.exists() and path.samefile(file):
            raise FileError(f"{path} is the file to read. Give the new one a name of its own.")


def whole(path: Path, make) -> None:
    """A file that `make(path)` writes, whole or not at all; pictures are drawn without a window."""
    with contextlib.suppress(ImportError):
        import matplotlib

        matplotlib.use("Agg")
    fresh = path.with_name(f".{os.getpid()}.part.{path.name}")
    try:
        make(fresh)
        os.replace(fresh, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            fresh.unlink()
        if isinstance(error, (OSError, ValueError)) and not isinstance(error, AnthropiError):
            raise refuse_to_write(path, error) from None
        raise
