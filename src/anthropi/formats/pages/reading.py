"""Read motions from pages (.html) and glTF files (.glb) that AnthroPI wrote.

Such files contain the figure and its coordinates in float32 precision (about seven digits); .npz and .h5 files store a
motion exactly. Nothing in a file is executed.
"""

import base64
import binascii
import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.errors import AnthropiError, FormatError
from anthropi.figure.editing.joining import combined_parts
from anthropi.formats.decoding import arrays_at, load_json, whole_number
from anthropi.formats.figures.toml import parse
from anthropi.formats.files import read_bytes
from anthropi.formats.pages.motion_buffer import read_buffer
from anthropi.motion import Motion
from anthropi.motion.motion import Event, FootEvent

__all__ = ["read_page"]

HELD = re.compile(rb'id="motion">([A-Za-z0-9+/=\s]*)</script>')
FEET = {"heel strike": "strike", "toe-off": "off"}


def read_page(path: str | os.PathLike[str]) -> Motion:
    """Read the motion in a page or .glb file that `export` wrote. If there are several motions, read the first."""
    path = Path(path)
    data = read_bytes(path, "page_bytes")
    try:
        sources, arrays, events = _glb(data) if path.suffix.lower() == ".glb" else _page(data)
        if not isinstance(sources, list) or not sources or not isinstance(sources[0], str):
            raise ValueError("it does not contain the figure")
        return _motion(sources[0], arrays, events, path.name)
    except AnthropiError as error:
        named = path.name in str(error)
        raise FormatError(str(error) if named else f"{path.name}: {error}") from error
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, binascii.Error) as error:
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
    head = load_json(data[20 : 20 + size], "its JSON part")
    own, held = head["extras"]["anthropi"], data[28 + size :]
    views = [(name, head["bufferViews"][whole_number(view)], shape) for name, (view, shape) in own["views"].items()]
    places = [(name, whole_number(view["byteOffset"]), shape) for name, view, shape in views]
    return own["sources"], arrays_at(held, places), own["events"]


def _motion(text: str, arrays, events, name: str) -> Motion:
    figure = parse(text, f"{name}: its figure").figure
    count = len(combined_parts(figure))
    q = np.concatenate([arrays[f"q/{k}"] for k in range(count)], -1).astype(float)
    u = np.concatenate([arrays[f"u/{k}"] for k in range(count)], -1).astype(float)
    time = arrays["time"].astype(float)
    for x, wanted in ((time, time.shape[:1]), (q, (len(time), figure.nq)), (u, (len(time), figure.nu))):
        if x.shape != wanted or not len(x):
            raise ValueError(f"an array of shape {x.shape} does not fit the figure and {time.size} frames")
    kept = np.r_[True, np.diff(time) > 0.0]  # drops times that are equal in float32
    found = tuple(_event(e) for e in events)
    return Motion(figure, time[kept], figure.normalise(q[kept]), u[kept], events=found, metadata={"source": name})


def _event(e: dict[Any, Any]):
    if e.get("side") and e["name"] in FEET:
        return FootEvent(float(e["time"]), str(e["side"]), FEET[e["name"]])
    return Event(float(e["time"]), str(e["name"]))
