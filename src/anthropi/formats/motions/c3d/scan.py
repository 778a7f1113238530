"""Decode the sections of a C3D file: header, parameters, points and analog channels.

A file consists of blocks of 512 bytes. Its first byte is the number of the first parameter block, and the fourth byte
of that block gives the processor whose numbers the file uses: 84 Intel, 85 DEC, 86 MIPS. With the words of the file as
integers (POINT:SCALE > 0) or floats (POINT:SCALE < 0), and the scales of the parameters,

    point     x = |SCALE| X (integers) or X (floats);   its fourth word: cameras · 256 + residual / |SCALE|         (1)
    analog    y = (Y - OFFSET) · SCALE · GEN_SCALE                                                                 (2)
    DEC       a float is two words, the high one first, four times as large as the IEEE number of these bits         (3)

A negative fourth word means that the point was not seen; its position is NaN. So is that of a point exactly at
(0, 0, 0), which programs write for the same purpose. The layout is that of the C3D manual (c3d.org, 2021). Every offset
and count is checked against the size of the file before it is used.
"""

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np

from anthropi.errors import FormatError
from anthropi.formats import limits
from anthropi.formats.files import read_bytes

__all__ = ["Document", "Parameter", "scan"]

BLOCK = 512  # [bytes]
KEY = 0x50  # second byte of a header and of the parameter section
PROCESSORS = {84: "Intel", 85: "DEC", 86: "MIPS"}
TYPES = {-1: 1, 1: 1, 2: 2, 4: 4}  # bytes of a value: text, byte, integer, float
MAX_RECORDS = 20_000  # groups and parameters of a file
LONG_TRIAL = 65535  # last frame in the header of a trial with more frames than a word can count
HEADER_EVENTS = 18  # events that a header can hold


class Parameter(NamedTuple):
    """A parameter: its texts (for text) or numbers, with the first index of the file first, and its dimensions."""

    values: Any
    shape: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Document:
    """The content of a C3D file, in the units of the file.

    name : file name. processor : "Intel", "DEC" or "MIPS". groups : {group: {parameter: Parameter}}, names in capitals.
    first : number of the first frame, from 0. rate : frames per second. points : (frames, points, 3), NaN if not seen.
    residuals : (frames, points), NaN if not seen. analog : (samples, channels), scaled by (2). samples : per frame.
    events : [(label, time [s])] of the header. notes : what was repaired.
    """

    name: str
    processor: str
    groups: dict[str, dict[str, Parameter]]
    first: int
    rate: float
    points: np.ndarray
    residuals: np.ndarray
    analog: np.ndarray
    samples: int
    events: tuple[tuple[str, float], ...] = ()
    notes: tuple[str, ...] = field(default=())

    def has(self, group: str, parameter: str) -> bool:
        """Return whether the file has a parameter with a value."""
        found = self.groups.get(group, {}).get(parameter)
        return found is not None and len(found.values) > 0

    def texts(self, group: str, parameter: str) -> tuple[str, ...]:
        """Return the texts of a parameter, and of its continuations (LABELS2, LABELS3 …); () if it does not exist."""
        own, found = self.groups.get(group, {}), []
        for name in [parameter, *(f"{parameter}{n}" for n in range(2, 256))]:
            if name not in own or isinstance(own[name].values, np.ndarray):
                break
            found += list(own[name].values)
        return tuple(found)

    def numbers(self, group: str, parameter: str) -> np.ndarray:
        """Return the numbers of a parameter, with the first index of the file first; empty if it does not exist."""
        found = self.groups.get(group, {}).get(parameter)
        if found is None or not isinstance(found.values, np.ndarray):
            return np.zeros(0)
        return found.values.astype(float).reshape(found.shape, order="F")

    def number(self, group: str, parameter: str, default: float) -> float:
        """Return the first number of a parameter."""
        found = self.numbers(group, parameter).ravel(order="F")
        return float(found[0]) if found.size and np.isfinite(found[0]) else default

    def refuse(self, words: str) -> NoReturn:
        """Raise `FormatError` for this file."""
        raise FormatError(f"{self.name}: {words}")


class _Words:
    """Decoder of the words of one processor."""

    def __init__(self, processor: str) -> None:
        self.order = ">" if processor == "MIPS" else "<"
        self.dec = processor == "DEC"

    def integers(self, data: Any, kind: str = "i2") -> np.ndarray:
        return np.frombuffer(data, f"{self.order}{kind}")

    def floats(self, data: Any) -> np.ndarray:
        if not self.dec:
            return np.frombuffer(data, f"{self.order}f4").astype(np.float32)
        pairs = np.frombuffer(data, "<u2").astype(np.uint32).reshape(-1, 2)
        return ((pairs[:, 0] << 16) | pairs[:, 1]).view(np.float32) / np.float32(4.0)  # (3)

    def word(self, data: bytes, at: int, kind: str = "u2") -> int:
        return int(self.integers(data[at : at + 2], kind)[0])


def scan(path: Any) -> Document:
    """Decode a C3D file. Damaged files raise `FormatError`."""
    path = Path(path)
    data, name = read_bytes(path, "c3d_bytes"), path.name
    try:
        with np.errstate(all="ignore"):
            return _document(data, name)
    except (IndexError, OverflowError, UnicodeDecodeError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"{name} is damaged: {str(error)[:200]}.") from None


def _document(data: bytes, name: str) -> Document:
    if len(data) < 2 * BLOCK or data[1] != KEY:
        raise FormatError(f"{name} is not a C3D file: it has {len(data)} bytes, and its second byte is not 80.")
    start = BLOCK * (data[0] - 1)
    if not 0 <= start <= len(data) - BLOCK:
        raise FormatError(
            f"{name}: its first byte says that its parameters begin in block {data[0]}, outside the file."
        )
    processor = PROCESSORS.get(data[start + 3])
    if processor is None:
        raise FormatError(
            f"{name}, byte {start + 3}: processor type {data[start + 3]}. Known: "
            f"{', '.join(f'{k} ({v})' for k, v in PROCESSORS.items())}. The file is damaged."
        )
    words = _Words(processor)
    groups = _parameters(data, start + 4, words, name)
    count, measured, first, last = (words.word(data, 2 * k) for k in range(1, 5))
    block, samples = words.word(data, 16), words.word(data, 18)
    header_rate = float(words.floats(data[20:24])[0])
    scale = float(words.floats(data[12:16])[0])
    shell = Document(name, processor, groups, max(first - 1, 0), 1.0, np.zeros(0), np.zeros(0), np.zeros(0), samples)
    rate = shell.number("POINT", "RATE", header_rate)
    rate = header_rate if not 0.0 < rate < 1e6 else rate
    if not 0.0 < rate < 1e6:
        shell.refuse(f"POINT:RATE is {rate:g}. It must be the number of frames per second.")
    scale = shell.number("POINT", "SCALE", scale)
    if not math.isfinite(scale) or scale == 0.0:
        shell.refuse(f"POINT:SCALE is {scale:g}. It must be negative for floats, or the length of the integer 1.")
    size = 4 if scale < 0.0 else 2
    notes: list[str] = []
    used = shell.number("POINT", "USED", count)
    if used != count:
        notes.append(f"POINT:USED is {used:g}, but the header has {count} points; the header is used")
    channels = measured // samples if samples else 0
    if samples and channels * samples != measured:
        shell.refuse(f"the header has {measured} analog values in a frame of {samples} samples, not a whole multiple.")
    frames, first = _frames(shell, first, last)
    begin = BLOCK * (int(block or shell.number("POINT", "DATA_START", 0.0)) - 1)
    per_frame = 4 * count + measured
    limits.check(name, "numbers", frames * per_frame, "numbers: frames, times points and analog values")
    if begin < BLOCK or len(data) < begin + frames * per_frame * size:
        shell.refuse(
            f"the header has {frames} frames of {count} points and {measured} analog values from byte {begin}, "
            f"{frames * per_frame * size:,} bytes, but the file ends at byte {len(data):,}. It is cut off."
        )
    raw = data[begin : begin + frames * per_frame * size]
    unsigned = any("UNSIGNED" in text.upper() for text in shell.texts("ANALOG", "FORMAT"))
    table = words.floats(raw) if size == 4 else words.integers(raw)
    table = table.reshape(frames, per_frame)
    points, residuals, zeros = _points(table[:, : 4 * count].reshape(frames, count, 4), scale)
    if zeros:
        notes.append(f"{zeros} positions exactly at (0, 0, 0) are read as not seen")
    own = table[:, 4 * count :]
    if unsigned and size == 2:
        own = own.view(f"{words.order}u2")
    analog = _scaled(shell, own.reshape(frames * samples, channels))
    events = _header_events(data, words)
    return Document(
        name, processor, groups, first, rate, points, residuals, analog, samples, events, tuple(notes)
    )  # fmt: skip


def _parameters(data: bytes, at: int, words: _Words, name: str) -> dict[str, dict[str, Parameter]]:
    """Decode the groups and parameters from byte `at`; they form a chain of records."""
    names: dict[int, str] = {}
    found: list[tuple[int, str, Parameter]] = []
    for _ in range(MAX_RECORDS):
        if at + 2 > len(data):
            raise FormatError(f"{name}, byte {at}: the parameters go beyond the end of the file. It is cut off.")
        length, group = np.frombuffer(data[at : at + 2], "i1")
        length, group = abs(int(length)), int(group)
        if length == 0 or group == 0:
            break
        label = _text(data[at + 2 : at + 2 + length]).upper()
        pointer = at + 2 + length
        if pointer + 2 > len(data):
            raise FormatError(f"{name}, byte {at}: the parameter '{label[:20]}' goes beyond the end of the file.")
        step = words.word(data, pointer)
        if group < 0:
            names[-group] = label
        else:
            found.append(
                (group, label, _parameter(data, pointer + 2, words, f"{name}, byte {at}: parameter '{label}'"))
            )
        if step == 0:
            break
        at = pointer + step
    else:
        raise FormatError(f"{name}: more than {MAX_RECORDS} groups and parameters. The file is damaged.")
    groups: dict[str, dict[str, Parameter]] = {label: {} for label in names.values()}
    for group, label, parameter in found:
        groups.setdefault(names.get(group, f"GROUP {group}"), {})[label] = parameter
    if "POINT" not in groups:
        raise FormatError(f"{name} has no parameter group POINT. It is not a C3D file, or it is damaged.")
    return groups


def _parameter(data: bytes, at: int, words: _Words, where: str) -> Parameter:
    if at + 2 > len(data):
        raise FormatError(f"{where} goes beyond the end of the file.")
    kind, rank = int(np.frombuffer(data[at : at + 1], "i1")[0]), data[at + 1]
    if kind not in TYPES or rank > 7 or at + 2 + rank > len(data):
        raise FormatError(f"{where} has type {kind} and {rank} dimensions. Types: {', '.join(map(str, TYPES))}.")
    shape = tuple(data[at + 2 : at + 2 + rank])
    size = math.prod(shape) * TYPES[kind]
    raw = data[at + 2 + rank : at + 2 + rank + size]
    if len(raw) < size:
        raise FormatError(f"{where} of shape {shape} goes beyond the end of the file.")
    if kind == -1:
        width = shape[0] if shape else 1
        texts = [_text(raw[k : k + width]).strip() for k in range(0, size, width)] if width else []
        return Parameter(tuple(texts), shape[1:])
    numbers = words.floats(raw) if kind == 4 else words.integers(raw, "i2" if kind == 2 else "u1")
    return Parameter(numbers, shape)


def _text(raw: bytes) -> str:
    raw = raw.split(b"\0", 1)[0]
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _frames(document: Document, first: int, last: int) -> tuple[int, int]:
    """Return the number of frames, and the number of the first one from 0."""
    if last < LONG_TRIAL:
        return max(0, last - first + 1), max(first - 1, 0)
    ends = [document.numbers("TRIAL", f"ACTUAL_{end}_FIELD").astype(int).ravel() for end in ("START", "END")]
    if all(len(end) == 2 for end in ends):
        begin, end = (int(low & 0xFFFF) + 65536 * int(high & 0xFFFF) for low, high in ends)
        return max(0, end - begin + 1), max(begin - 1, 0)
    count = document.number("POINT", "FRAMES", last - first + 1)
    return int(count) & 0xFFFFFFFF if count >= 0 else int(count) + 65536, max(first - 1, 0)


def _points(table: np.ndarray, scale: float) -> tuple[np.ndarray, np.ndarray, int]:
    """Return positions (frames, n, 3), residuals (frames, n), NaN where not seen, and the number of zero positions."""
    factor = abs(scale)
    points = table[..., :3].astype(float) * (factor if scale > 0.0 else 1.0)  # (1)
    fourth = np.nan_to_num(table[..., 3].astype(float), nan=-1.0, posinf=-1.0, neginf=-1.0)
    fourth = np.clip(np.trunc(fourth), -32768.0, 32767.0).astype(np.int64)
    zero = (points == 0.0).all(-1) & (fourth >= 0)
    lost = (fourth < 0) | zero | ~np.isfinite(points).all(-1)
    points[lost] = np.nan
    return points, np.where(lost, np.nan, factor * (fourth & 0xFF)), int(zero.sum())


def _scaled(document: Document, raw: np.ndarray) -> np.ndarray:
    """Scale analog values (2)."""
    count = raw.shape[1]
    scale, offset = np.ones(count), np.zeros(count)
    for array, name in ((scale, "SCALE"), (offset, "OFFSET")):
        own = document.numbers("ANALOG", name).ravel(order="F")[:count]
        array[: len(own)] = own
    if any("UNSIGNED" in text.upper() for text in document.texts("ANALOG", "FORMAT")):
        offset = np.where(offset < 0.0, offset + 65536.0, offset)
    return (raw.astype(float) - offset) * scale * document.number("ANALOG", "GEN_SCALE", 1.0)


def _header_events(data: bytes, words: _Words) -> tuple[tuple[str, float], ...]:
    """Return the events of the header that are switched on: (label of four characters, time [s])."""
    if words.word(data, 298) != 12345:  # the key in word 150
        return ()
    count = min(words.word(data, 300), HEADER_EVENTS)
    times = words.floats(data[304:376])[:count]
    flags, labels = data[376 : 376 + count], [_text(data[396 + 4 * k : 400 + 4 * k]).strip() for k in range(count)]
    return tuple((w, float(t)) for w, t, off in zip(labels, times, flags, strict=True) if not off and np.isfinite(t))
