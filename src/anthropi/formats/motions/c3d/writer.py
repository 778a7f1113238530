"""Write C3D files: the point markers and the events of a motion, and its ground forces as force plates of type 2.

Numbers are floats of 32 bits in the order of Intel processors; lengths are in millimetres, moments in newton
millimetres, and z points up. The sections are described in `c3d/scan.py`.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.entry import kinematics
from anthropi.errors import FormatError
from anthropi.figure.parts import Marker
from anthropi.formats.files import write_whole
from anthropi.formats.motions.c3d.scan import BLOCK, KEY, PROCESSORS
from anthropi.motion.capture import events_of
from anthropi.motion.motion import Motion

__all__ = ["encoded", "write"]

MAX_LIST = 255  # entries of a parameter; a longer list continues in LABELS2, LABELS3 …
MAX_FRAMES = 65534  # of a file whose header counts them


def write(motion: Motion, path: str | os.PathLike[str]) -> Path:
    """Write the point markers of a motion, and its events, to a C3D file. Markers keep a precision of about 1e-4 mm."""
    path, figure = Path(path), motion.figure
    marks = [m for m in figure.markers if isinstance(m, Marker)]
    if not marks:
        raise FormatError(f"{path.name}: figure '{figure.name}' has no markers. Add markers, or write a .csv file.")
    if motion.q.ndim != 2 or not np.isfinite(motion.q).all():
        raise FormatError(f"{path.name}: a C3D file stores one rollout of finite coordinates. Use motion.rollout(0).")
    if not 2 <= len(motion) <= MAX_FRAMES:
        raise FormatError(f"{path.name}: the motion has {len(motion)} frames; a C3D file stores 2 to {MAX_FRAMES}.")
    k, rate = kinematics(figure, motion.q), (len(motion) - 1) / float(motion.time[-1] - motion.time[0])
    turns, places = np.asarray(k.rotation), np.asarray(k.position)
    at = [figure.link_index(m.link) for m in marks]
    points = np.stack([places[:, i] + turns[:, i] @ m.point for i, m in zip(at, marks, strict=True)], 1)
    first = max(0, round(float(motion.time[0]) * rate))
    events = events_of(motion.events)
    groups: dict[str, dict[str, Any]] = {
        "POINT": {
            "UNITS": ["mm"],
            "LABELS": [m.name for m in marks],
            "X_SCREEN": ["+X"],
            "Y_SCREEN": ["+Z"],
        },
        "PROCESSING": {"BODYMASS": np.array([float(figure.mass)])},
        "SUBJECTS": {"USED": np.array([1]), "NAMES": [figure.name]},
    }
    if events:
        times = np.array([[0.0, t] for _, _, t in events]).T
        groups["EVENT"] = {
            "USED": np.array([len(events)]),
            "CONTEXTS": [context for context, _, _ in events],
            "LABELS": [label for _, label, _ in events],
            "TIMES": times,
        }
    data = encoded(groups, 1e3 * points, rate=rate, first=first)
    write_whole(path, lambda file: file.write(data))
    return path


def encoded(
    groups: Mapping[str, Mapping[str, Any]],
    points: Any,
    residuals: Any = None,
    analog: Any = None,
    *,
    rate: float = 100.0,
    samples: int = 1,
    first: int = 0,
    processor: str = "Intel",
    scale: float = -1.0,
) -> bytes:
    """Return the bytes of a C3D file.

    Parameters
    ----------
    groups : {group: {parameter: list of texts, or numbers}}; whole numbers are stored as integers of 16 bits. The
        counts and rates of the groups POINT and ANALOG are added.
    points : (frames, n, 3), NaN where not seen. residuals : (frames, n); 0 by default.
    analog : (frames * samples, channels), as stored in the file, without scaling. samples : in a frame.
    rate : frames per second. first : number of the first frame, from 0.
    processor : "Intel", "DEC" or "MIPS". scale : negative for floats; or the length of the integer 1.
    """
    points = np.asarray(points, float)
    frames, count = points.shape[:2]
    analog = np.zeros((frames, 0)) if analog is None else np.asarray(analog, float)
    channels = analog.shape[1]
    samples = samples if channels else 0
    whole = scale > 0.0
    factor = abs(scale)
    lost = ~np.isfinite(points).all(-1)
    fourth = np.where(
        lost, -1.0, np.zeros(lost.shape) if residuals is None else np.round(np.nan_to_num(residuals) / factor)
    )
    places = np.where(lost[..., None], 0.0, points / (factor if whole else 1.0))
    rows = np.concatenate(
        [np.concatenate([places, fourth[..., None]], -1).reshape(frames, 4 * count), analog.reshape(frames, -1)], axis=1
    )
    own: dict[str, dict[str, Any]] = {name: dict(entries) for name, entries in groups.items()}
    point = {"USED": np.array([count]), "FRAMES": np.array([min(frames, 32767)]), "SCALE": np.array([scale])}
    own["POINT"] = point | {"RATE": np.array([rate]), "DATA_START": np.array([0])} | own.get("POINT", {})
    if channels:
        own["ANALOG"] = {"USED": np.array([channels]), "RATE": np.array([rate * samples])} | own.get("ANALOG", {})
    code = next(k for k, name in PROCESSORS.items() if name == processor)
    blocks = -(-(len(_records(own, processor)) + 4) // BLOCK)
    start = 2 + blocks
    own["POINT"]["DATA_START"] = np.array([start])
    section = bytes([1, KEY, min(blocks, 255), code]) + _records(own, processor)
    header = bytearray(BLOCK)
    header[:2] = bytes([2, KEY])
    ends = (first + 1, first + frames)
    header[2:12] = _integers([count, channels * samples, *ends, 10], processor)
    header[12:16] = _floats([scale], processor)
    header[16:20] = _integers([start, samples], processor)
    header[20:24] = _floats([rate], processor)
    data = _integers(np.round(rows), processor) if whole else _floats(rows, processor)
    body = bytes(header) + section.ljust(blocks * BLOCK, b"\0") + data
    return body + b"\0" * (-len(body) % BLOCK)


def _records(groups: Mapping[str, Mapping[str, Any]], processor: str) -> bytes:
    """Return the parameter section without its first four bytes."""
    found = b""
    for number, (group, entries) in enumerate(groups.items(), 1):
        found += _record(group, -number, b"\0", processor)
        for name, value in entries.items():
            texts = isinstance(value, (list, tuple))
            parts: Sequence[Any] = (
                [value[k : k + MAX_LIST] for k in range(0, max(len(value), 1), MAX_LIST)] if texts else [value]
            )
            for k, part in enumerate(parts):
                found += _record(f"{name}{k + 1}" if k else name, number, _value(part, processor) + b"\0", processor)
    return found + b"\0\0"


def _record(name: str, group: int, content: bytes, processor: str) -> bytes:
    label = name.encode()[:127]
    start = bytes([len(label)]) + group.to_bytes(1, "little", signed=True) + label
    return start + _integers([len(content) + 2], processor) + content


def _value(value: Any, processor: str) -> bytes:
    if isinstance(value, (list, tuple)):
        words = [str(word).encode()[:127] for word in value]
        width = max([1, *map(len, words)])
        return b"\xff" + bytes([2, width, len(words)]) + b"".join(word.ljust(width) for word in words)
    array = np.asarray(value)
    whole, flat = array.dtype.kind in "iu", array.ravel("F")
    kind, data = (2, _integers(flat, processor)) if whole else (4, _floats(flat, processor))
    return bytes([kind, array.ndim, *array.shape]) + data


def _integers(values: Any, processor: str) -> bytes:
    return (np.asarray(values).astype(np.int64) & 0xFFFF).astype(">u2" if processor == "MIPS" else "<u2").tobytes()


def _floats(values: Any, processor: str) -> bytes:
    numbers = np.ascontiguousarray(values, np.float32).ravel()
    if processor != "DEC":
        return numbers.astype(">f4" if processor == "MIPS" else "<f4").tobytes()
    bits = (numbers * np.float32(4.0)).view(np.uint32)
    return np.stack([bits >> 16, bits & 0xFFFF], -1).astype("<u2").tobytes()
