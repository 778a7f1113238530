"""Read motions from pages (.html) and glTF files (.glb) that AnthroPI wrote.

Such files contain the figure and its coordinates in float32 precision (about seven digits); .npz and .h5 files store a
motion exactly. Nothing in a file is executed.
"""

import base64
import binascii
import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.errors import AnthropiError, FormatError
from anthropi.figure.editing.joining import combined_parts
from anthropi.formats.figures.toml import parse
from anthropi.formats.files import read_bytes
from anthropi.formats.pages.motion_buffer import read_buffer
from anthropi.motion import Motion
from anthropi.motion.motion import Event, FootEvent

__all__ = ["read_page"]

MAX_BYTES = 1 << 30
HELD = re.compile(rb'id="motion">([A-Za-z0-9+/=\s]*)</script>')
FEET = {"heel strike": "strike", "toe-off": "off"}


def read_page(path: str | os.PathLike[str]) -> Motion:
    """Read the motion in a page or .glb file that `export` wrote. If there are several motions, read the first."""
    path = Path(path)
    data = read_bytes(path, MAX_BYTES)
    try:
        sources, arrays, events = _glb(data) if path.suffix.lower() == ".glb" else _page(data)
        if not sources or not isinstance(sources[0], str):
            raise ValueError("it does not contain the figure")
        return _motion(sources[0], arrays, events, path.name)
    except (ValueError, KeyError, IndexError, TypeError, binascii.Error) as error:
        if isinstance(error, AnthropiError):
            raise
        raise FormatError(
            f"{path.name} does not contain a motion that can be read: {error}. Pages and .glb files can be read "
            "only if AnthroPI wrote them."
        ) from None


def _page(data: bytes):
    found = HELD.search(data)
    if found is None:
        raise ValueError("it does not contain motion data")
    buffer = read_buffer(base64.b64decode(found[1], validate=True))
    return buffer.header.get("sources"), buffer.arrays, buffer.header["events"]


def _glb(data: bytes):
    if data[:4] != b"glTF":
        raise ValueError("it is not a glTF file")
    size = int.from_bytes(data[12:16], "little")
    head = json.loads(data[20 : 20 + size])
    own, held = head["extras"]["anthropi"], data[28 + size :]
    arrays = {}
    for name, (view, shape) in own["views"].items():
        place = head["bufferViews"][int(view)]
        raw = held[place["byteOffset"] : place["byteOffset"] + place["byteLength"]]
        arrays[name] = np.frombuffer(raw, "<f4").reshape([int(n) for n in shape])
    return own["sources"], arrays, own["events"]


def _motion(text: str, arrays, events, name: str) -> Motion:
    figure = parse(text, f"{name}: its figure").figure
    count = len(combined_parts(figure))
    q = np.concatenate([arrays[f"q/{k}"] for k in range(count)], -1).astype(float)
    u = np.concatenate([arrays[f"u/{k}"] for k in range(count)], -1).astype(float)
    time = arrays["time"].astype(float)
    kept = np.r_[True, np.diff(time) > 0.0]  # drops times that are equal in float32
    found = tuple(_event(e) for e in events)
    return Motion(figure, time[kept], figure.normalise(q[kept]), u[kept], events=found, metadata={"source": name})


def _event(e: dict[Any, Any]):
    if e.get("side") and e["name"] in FEET:
        return FootEvent(float(e["time"]), str(e["side"]), FEET[e["name"]])
    return Event(float(e["time"]), str(e["name"]))
