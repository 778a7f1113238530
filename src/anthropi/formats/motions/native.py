"""Native motion files: .npz, which needs only NumPy, and .h5, which needs the extra `formats`.

Both contain the same parts:

    figure                                 text of the figure.toml
    head                                   JSON: format, channels, events, metadata
    time, q, u, channel 0, channel 1, …    arrays of float64 or float32, stored bit for bit

Reading a file executes nothing: pickles and links to other files are not allowed. Writing is atomic.
"""

import io
import os
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.errors import AnthropiError, FileError, FormatError, MissingExtra
from anthropi.formats import limits
from anthropi.formats.decoding import read_arrays
from anthropi.formats.figures.toml import parse
from anthropi.formats.figures.toml import text as figure_text
from anthropi.formats.files import write_whole
from anthropi.formats.motions.metadata import from_text, to_text
from anthropi.motion.motion import Motion

__all__ = ["FORMAT", "read", "read_npz", "write"]

FORMAT = "anthropi motion 1"
DTYPES = ("float64", "float32")
TEXTS = ("head", "figure")


def write(motion: Motion, path: str | os.PathLike[str]) -> None:
    """Write a motion with its figure to a .npz or .h5 file. If writing fails, an existing file is left unchanged."""
    path = Path(path)
    parts = {"time": motion.time, "q": motion.q, "u": motion.u}
    parts |= {f"channel {k}": x for k, x in enumerate(motion.channels.values())}
    for name, x in parts.items():
        if x.dtype.name not in DTYPES:
            raise FormatError(f"{path.name}: '{name}' has dtype {x.dtype}. Convert it to {' or '.join(DTYPES)}.")
    head = {"format": FORMAT, "channels": list(motion.channels), "events": motion.events, "metadata": motion.metadata}
    words = {"head": to_text(head, f"{path.name}: the events or metadata"), "figure": figure_text(motion.figure)}
    for name, x in words.items():
        most = limits.current().text_bytes
        if len(x.encode()) > most:
            raise FormatError(
                f"{path.name}: the text of its {name} is longer than {most} bytes. "
                "Store long arrays of numbers as channels."
            )
    if path.suffix.lower() == ".npz":
        arrays: dict[str, Any] = {name: np.frombuffer(x.encode(), np.uint8) for name, x in words.items()}
        arrays |= parts
        write_whole(path, lambda file: np.savez(file, **arrays))
    else:
        written = _h5_bytes(words, parts)
        write_whole(path, lambda file: file.write(written))


def read(path: str | os.PathLike[str]) -> Motion:
    """Read a motion from a .npz or .h5 file."""
    path = Path(path)
    if not path.is_file():
        raise FileError(f"No file {path}. Looked in {Path.cwd()}.")
    words, parts = _npz_parts(path, path.name) if path.suffix.lower() == ".npz" else _h5_parts(path)
    return _motion(path.name, words, parts)


def read_npz(data: bytes, name: str) -> Motion:
    """Read a motion from the bytes of an .npz file. `name` is the file name in error messages."""
    return _motion(name, *_npz_parts(data, name))


def _motion(name: str, words: dict[str, str], parts: dict[str, np.ndarray]) -> Motion:
    """Build a motion from the texts (head, figure) and arrays of a file, after checking them."""
    head = from_text(words["head"], f"{name}: its head")
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        found = head.get("format") if isinstance(head, dict) else None
        raise FormatError(f"{name} is not a motion file of this version: its format is {found!r}, not '{FORMAT}'.")
    parted: tuple[Any, Any, Any] = head.get("channels"), head.get("events"), head.get("metadata")
    channels, events, metadata = parted
    wrong = not isinstance(channels, list) or not isinstance(events, tuple) or not isinstance(metadata, dict)
    if wrong or not all(isinstance(c, str) for c in channels) or len(set(channels)) < len(channels):
        raise FormatError(f"{name}: its head does not contain valid lists of channels and events, and metadata.")
    wanted = {"time", "q", "u", *(f"channel {k}" for k in range(len(channels)))}
    if set(parts) != wanted:
        lost, more = sorted(wanted - set(parts)), sorted(set(parts) - wanted)
        raise FormatError(
            f"{name} does not contain the parts of a motion. Missing: {', '.join(lost) or 'none'}. "
            f"Unknown: {', '.join(more) or 'none'}."
        )
    try:
        figure = parse(words["figure"], f"{name}: its figure").figure
        return Motion(
            figure,
            parts["time"],
            parts["q"],
            parts["u"],
            {c: parts[f"channel {k}"] for k, c in enumerate(channels)},
            events,
            metadata,
        )
    except FileError:
        raise
    except AnthropiError as error:
        raise FormatError(f"{name}: {error}") from error


def _npz_parts(source: Path | bytes, file_name: str):
    """Read the texts and arrays of an .npz file or its bytes; each is checked before it is read."""
    found = read_arrays(source, file_name, _dtypes)
    words = {name: _text(file_name, name, found.pop(name)) for name in TEXTS if name in found}
    _both(file_name, words)
    return words, found


def _dtypes(part: str) -> tuple[str, ...]:
    """Return the allowed dtypes of a part of a file: texts are stored as bytes."""
    return ("uint8",) if part in TEXTS else DTYPES


def _text(file_name: str, name: str, found: np.ndarray) -> str:
    try:
        return found.tobytes().decode()
    except UnicodeDecodeError:
        raise FormatError(f"{file_name}: its {name} is not text.") from None


def _both(file_name: str, words) -> None:
    for name in TEXTS:
        if name not in words:
            raise FormatError(f"{file_name} has no {name}. It is not a motion file, or it is incomplete.")


# .h5


def _h5() -> Any:
    try:
        return import_module("h5py")
    except ImportError:
        raise MissingExtra("h5py", "formats", "An .h5 file (unlike an .npz file)") from None


def _h5_bytes(words, parts) -> bytes:
    """Build the bytes of an .h5 file in memory, so that disk errors can occur only in the atomic write."""
    kept = io.BytesIO()
    with _h5().File(kept, "w") as file:
        for name, x in words.items():
            file.create_dataset(name, data=np.frombuffer(x.encode(), np.uint8))
        for name, x in parts.items():
            file.create_dataset(name, data=x)
    return kept.getvalue()


def _h5_parts(path: Path):
    """Read the texts and arrays of an .h5 file. Links and references to other files raise `FormatError`."""
    h5py = _h5()
    words, parts = {}, {}
    try:
        with h5py.File(path, "r") as file:
            for name in file:
                if not isinstance(file.get(name, getlink=True), h5py.HardLink):
                    raise FormatError(
                        f"{path.name}: '{name}' is a link to data elsewhere. Store the numbers in the file itself."
                    )
                item = file[name]
                text = name in TEXTS
                if not isinstance(item, h5py.Dataset) or item.external or item.is_virtual:
                    raise FormatError(f"{path.name}: '{name}' is not an array stored in this file.")
                if item.dtype.name not in _dtypes(name):
                    raise FormatError(
                        f"{path.name}: '{name}' has dtype {item.dtype}; expected "
                        f"{'text' if text else ' or '.join(DTYPES)}."
                    )
                limits.check(f"{path.name}: '{name}'", "text_bytes" if text else "array_bytes", item.nbytes, "bytes")
                if not text and item.nbytes > item.id.get_storage_size():
                    raise FormatError(
                        f"{path.name}: '{name}' has shape {item.shape}, which does not agree with the size of its data."
                    )
                found = np.asarray(item[()])
                if text:
                    words[name] = _text(path.name, name, found)
                else:
                    parts[name] = found
    except FileError:
        raise
    except Exception as error:  # h5py raises many kinds for damaged files
        raise FormatError(f"{path.name} is not a complete .h5 file: {error}.") from None
    _both(path.name, words)
    return words, parts
