"""Native motion files: .npz, which needs only NumPy, and .h5, which needs the extra `formats`.

Both contain the same parts:

    figure                                 text of the figure.toml
    head                                   JSON: format, channels, events, metadata
    time, q, u, channel 0, channel 1, …    arrays of float64 or float32, stored bit for bit

The head also has the units of the arrays, and the metadata the provenance that the writer was given: source, options,
date. Arrays of an .h5 file have their unit as an attribute. A part of a long .h5 file can be read without reading the
rest: a window of time, every k-th frame, and some channels. Channels that are means over intervals are then means over
the longer ones.

Reading a file executes nothing: pickles and links to other files are not allowed. Writing is atomic.
"""

import contextlib
import io
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.errors import AnthropiError, FileError, FormatError, InputError, MissingExtra, did_you_mean
from anthropi.formats import limits
from anthropi.formats.decoding import read_arrays
from anthropi.formats.figures.toml import parse
from anthropi.formats.figures.toml import text as figure_text
from anthropi.formats.files import write_whole
from anthropi.formats.motions.metadata import from_text, to_text
from anthropi.motion.contacts import interval_means
from anthropi.motion.motion import Motion, within

__all__ = ["FORMAT", "read", "read_npz", "write"]

FORMAT = "anthropi motion 1"
DTYPES = ("float64", "float32")
TEXTS = ("head", "figure")


def write(motion: Motion, path: str | os.PathLike[str], provenance: Mapping[str, Any] | None = None) -> None:
    """Write a motion with its figure to a .npz or .h5 file. If writing fails, an existing file is left unchanged.

    provenance : where the motion comes from: texts and numbers by name, usually "source", "options" and "date". The
        version of AnthroPI is added. Without it, the provenance of the motion is kept (metadata["provenance"]).
    """
    path = Path(path)
    if not isinstance(provenance, (Mapping, type(None))):
        raise InputError(f"provenance={provenance!r}: give {{name: value}}, such as {{'source': 'trial.c3d'}}.")
    if provenance is not None:
        about = dict(provenance) | {"version": f"anthropi {_version()}"}
        motion = motion.changed(metadata=motion.metadata | {"provenance": about})
    parts = {"time": motion.time, "q": motion.q, "u": motion.u}
    parts |= {f"channel {k}": x for k, x in enumerate(motion.channels.values())}
    for name, x in parts.items():
        if x.dtype.name not in DTYPES:
            raise FormatError(f"{path.name}: '{name}' has dtype {x.dtype}. Convert it to {' or '.join(DTYPES)}.")
    head = {"format": FORMAT, "channels": list(motion.channels), "events": motion.events, "metadata": motion.metadata}
    units = _units(motion)
    head["units"] = {name: unit for name, unit in units.items() if unit}
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
        by_part = units | {f"channel {k}": units[name] for k, name in enumerate(motion.channels)}
        written = _h5_bytes(words, parts, by_part)
        write_whole(path, lambda file: file.write(written))


def read(
    path: str | os.PathLike[str],
    start: float | None = None,
    end: float | None = None,
    every: int = 1,
    channels: Iterable[str] | None = None,
) -> Motion:
    """Read a motion from a .npz or .h5 file, or a part of it. Of an .h5 file, only this part is read from the disk.

    Parameters
    ----------
    path : the file.
    start, end : [s] first and last time; frames between them are read, and those at them.
    every : reads every k-th frame, from the first of these frames on.
    channels : names of the channels to read; all by default.
    """
    path = Path(path)
    if not path.is_file():
        raise FileError(f"No file {path}. Looked in {Path.cwd()}.")
    part = _Part(start, end, every, None if channels is None else tuple(channels))
    npz = path.suffix.lower() == ".npz"
    if npz or part.whole:
        words, parts = _npz_parts(path, path.name) if npz else _h5_parts(path)
        return part.of(_motion(path.name, words, parts), path.name)
    return _h5_part(path, part)


def _version() -> str:
    from anthropi import __version__

    return __version__


def _units(motion: Motion) -> dict[str, str]:
    """Return the units of time, q, u and the channels whose meaning is known; "" for others."""
    mixed = "m for translations, 1 for quaternions, rad for angles"
    found = {"time": "s", "q": mixed, "u": "m/s for translations, rad/s for rotations"}
    return found | {name: CHANNEL_UNITS.get(name, "") for name in motion.channels}


CHANNEL_UNITS = {
    "udot": "m/s^2 for translations, rad/s^2 for rotations", "tau": "N for translations, N m for rotations",
    "power": "W", "work": "J", "energy": "J", "contact": "N", "contact_point": "m", "contact_moment": "N m",
    "residual": "N, N m", "marker_error": "m", "direction_error": "rad", "ankle_error": "m", "f_ground": "N",
    "places": "m",
}  # fmt: skip


@dataclass(frozen=True)
class _Part:
    """A part of a motion: a window of time [s], every k-th frame, and some channels."""

    start: float | None
    end: float | None
    every: int
    channels: tuple[str, ...] | None

    def __post_init__(self) -> None:
        if isinstance(self.every, bool) or not isinstance(self.every, int) or self.every < 1:
            raise InputError(f"every={self.every!r}: give a whole number, at least 1.")
        for name in ("start", "end"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float, np.number))):
                raise InputError(f"{name}={value!r}: give a time in seconds.")

    @property
    def whole(self) -> bool:
        return self.start is None and self.end is None and self.every == 1 and self.channels is None

    def rows(self, time: np.ndarray, name: str) -> slice:
        """Return the frames of the part, as a slice."""
        low = 0 if self.start is None else int(np.searchsorted(time, self.start, "left"))
        high = len(time) if self.end is None else int(np.searchsorted(time, self.end, "right"))
        if low >= high:
            words = f"from {time[0]:g} to {time[-1]:g} s" if len(time) else "empty"
            raise InputError(f"{name} has no frame from {self.start} to {self.end} s. The motion is {words}.")
        return slice(low, high, self.every)

    def names(self, known: Iterable[str], file: str) -> list[str]:
        """Return the names of the channels of the part."""
        known = list(known)
        for name in self.channels or ():
            if name not in known:
                hint = did_you_mean(str(name), known)
                raise InputError(f"{file} has no channel '{name}'.{hint} Channels: {', '.join(known) or 'none'}.")
        return known if self.channels is None else [name for name in known if name in self.channels]

    def of(self, motion: Motion, file: str) -> Motion:
        """Return this part of a motion."""
        if self.whole:
            return motion
        kept = self.names(motion.channels, file)
        part = motion[self.rows(motion.time, file)]
        return part.changed(channels={name: part.channels[name] for name in kept})


def read_npz(data: bytes, name: str) -> Motion:
    """Read a motion from the bytes of an .npz file. `name` is the file name in error messages."""
    return _motion(name, *_npz_parts(data, name))


def _motion(name: str, words: dict[str, str], parts: dict[str, np.ndarray]) -> Motion:
    """Build a motion from the texts (head, figure) and arrays of a file, after checking them."""
    channels, events, metadata = _checked_head(name, words)
    _complete(name, channels, parts)
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


def _checked_head(name: str, words: dict[str, str]) -> tuple[list[str], Any, dict[str, Any]]:
    """Return the names of the channels, the events and the metadata in the head of a file."""
    head = from_text(words["head"], f"{name}: its head")
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        found = head.get("format") if isinstance(head, dict) else None
        raise FormatError(f"{name} is not a motion file of this version: its format is {found!r}, not '{FORMAT}'.")
    parted: tuple[Any, Any, Any] = head.get("channels"), head.get("events"), head.get("metadata")
    channels, events, metadata = parted
    wrong = not isinstance(channels, list) or not isinstance(events, tuple) or not isinstance(metadata, dict)
    if wrong or not all(isinstance(c, str) for c in channels) or len(set(channels)) < len(channels):
        raise FormatError(f"{name}: its head does not contain valid lists of channels and events, and metadata.")
    return channels, events, metadata


def _complete(name: str, channels: list[str], parts: Iterable[str]) -> None:
    """Raise `FormatError` if the names of the arrays in a file are not those of a motion with these channels."""
    wanted = {"time", "q", "u", *(f"channel {k}" for k in range(len(channels)))}
    if set(parts) != wanted:
        lost, more = sorted(wanted - set(parts)), sorted(set(parts) - wanted)
        raise FormatError(
            f"{name} does not contain the parts of a motion. Missing: {', '.join(lost) or 'none'}. "
            f"Unknown: {', '.join(more) or 'none'}."
        )


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


def _h5_bytes(words, parts, units) -> bytes:
    """Build the bytes of an .h5 file in memory, so that disk errors can occur only in the atomic write."""
    kept = io.BytesIO()
    with _h5().File(kept, "w") as file:
        for name, x in words.items():
            file.create_dataset(name, data=np.frombuffer(x.encode(), np.uint8))
        for name, x in parts.items():
            file.create_dataset(name, data=x).attrs["unit"] = units.get(name, "")
    return kept.getvalue()


def _h5_parts(path: Path):
    """Read the texts and arrays of an .h5 file. Links and references to other files raise `FormatError`."""
    with _opened_h5(path) as (words, items):
        return words, {name: np.asarray(item[()]) for name, item in items.items()}


@contextlib.contextmanager
def _opened_h5(path: Path) -> Iterator[tuple[dict[str, str], dict[str, Any]]]:
    """Open an .h5 file: yield its texts, and its arrays, checked but not read."""
    h5py = _h5()
    words, items = {}, {}
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
                if text:
                    words[name] = _text(path.name, name, np.asarray(item[()]))
                else:
                    items[name] = item
            _both(path.name, words)
            yield words, items
    except AnthropiError:
        raise
    except Exception as error:  # h5py raises many kinds for damaged files
        raise FormatError(f"{path.name} is not a complete .h5 file: {error}.") from None


BLOCK_FRAMES = 4096  # frames that are read at once for channels that are means over intervals


def _h5_part(path: Path, part: _Part) -> Motion:
    """Read a part of an .h5 file."""
    name = path.name
    with _opened_h5(path) as (words, items):
        channels, events, metadata = _checked_head(name, words)
        _complete(name, channels, items)
        time = np.asarray(items["time"][()])
        shape = items["q"].shape
        if time.ndim != 1 or len(shape) not in (2, 3) or shape[-2] != len(time) or not (np.diff(time) > 0.0).all():
            raise FormatError(f"{name}: time has shape {time.shape} and q {shape}, which are not those of a motion.")
        lead = (slice(None),) * (len(shape) - 2)
        kept = {c: items[f"channel {channels.index(c)}"] for c in part.names(channels, name)}
        for c, item in kept.items():
            if item.shape[: len(shape) - 1] != shape[:-1]:
                raise FormatError(f"{name}: channel '{c}' has shape {item.shape}; it must begin with {shape[:-1]}.")
        rows = part.rows(time, name)
        figure = parse(words["figure"], f"{name}: its figure").figure

        def block(which: slice, names: Iterable[str]) -> Motion:
            """Read some frames, with some channels, and without events."""
            q, u = (np.asarray(items[x][(*lead, which)]) for x in ("q", "u"))
            own = {c: np.asarray(kept[c][(*lead, which)]) for c in names}
            return Motion(figure, time[which], q, u, own, (), metadata)

        probe = {"contact": np.zeros((1, 0, 3))} if "contact" in channels else {}
        means = interval_means(Motion(figure, time[:1], figure.neutral()[None], None, probe, (), metadata))
        mean_names = [c for c in kept if means is not None and c in means.channels and part.every > 1]
        found = block(rows, [c for c in kept if c not in mean_names])
        if mean_names:
            weighed = [c for c in ("contact", "contact_point") if c in channels and "contact_point" in mean_names]
            kept |= {c: items[f"channel {channels.index(c)}"] for c in weighed}
            size = part.every * max(1, BLOCK_FRAMES // part.every)
            parts = []
            for k in range(rows.start, rows.stop, size):
                more = block(slice(k, min(k + size + 1, rows.stop)), dict.fromkeys([*mean_names, *weighed]))
                count = len(range(k, min(k + size, rows.stop), part.every))
                parts.append({c: x[(*lead, slice(count))] for c, x in more[:: part.every].channels.items()})
            joined = {c: np.concatenate([p[c] for p in parts], axis=len(lead)) for c in mean_names}
            read = joined | found.channels
            found = found.changed(channels={c: read[c] for c in channels if c in read})
    found = found.changed(events=events)
    low = -np.inf if rows.start == 0 else found.time[0]
    return within(found, low, np.inf if rows.stop == len(time) and found.time[-1] == time[-1] else found.time[-1])
