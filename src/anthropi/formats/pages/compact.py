"""Arrays of pages in few bytes, for pages that are sent to others.

Numbers are rounded to multiples of a step. Of these integers, differences of first or second order along the frames
remain, which are small for smooth motions. Their bytes are stored in planes, column by column, which zlib compresses
well. A walk takes a tenth of the bytes of its float32 numbers.

    i = round(x / step),   d = Δⁿ i,   z = 2 d for d ≥ 0, else -2 d - 1,   planes of bytes 0, 1, 2 and 3 of z        (1)

The page decodes them (`studio/src/compact.ts`).
"""

import base64
from typing import Any

import numpy as np

from anthropi.errors import FormatError
from anthropi.formats.pages.meshes import unpacked

__all__ = ["compact_skin", "decoded", "encoded", "expanded", "packed_compact", "placed"]

# Steps by which numbers are rounded: far below what is seen in a picture or plot.
STEPS: dict[str, list[float]] = {
    "poses": [2.0**-14],  # [m], and quaternions
    "q": [2.0**-16],  # [m, rad]
    "u": [2.0**-10],  # [m/s, rad/s]
    "angle": [2.0**-14],  # [m, rad]
    "com": [2.0**-14],  # [m]
    "tau": [2.0**-5],  # [N m]
    "udot": [2.0**-5],  # [rad/s²]
    "ground": [2.0**-4],  # [N]
    "contact": [2.0**-11] * 3 + [2.0**-4] * 3,  # point [m], force [N]
}
SKIN = ("positions", "normals", "indices")  # whole numbers, of which differences along the vertices remain
MAX_INTEGER = 2**30  # so that differences are 32-bit numbers


def encoded(array: Any, step: list[float], order: int) -> bytes:
    """Encode numbers (1). array : (frames, …). step : one for all, or one per number of the last axis. order : 0-2."""
    x = np.asarray(array, float)
    if not x.size:
        return b""
    rows = np.round(x / np.asarray(step)).reshape(len(x), -1)
    if not np.abs(rows).max() < MAX_INTEGER / 4:
        raise FormatError("Numbers are too large, or not finite, to be rounded to the steps of a compact page.")
    whole = rows.astype(np.int64)
    for _ in range(order):
        whole = np.diff(whole, axis=0, prepend=0)
    folded = np.where(whole < 0, -2 * whole - 1, 2 * whole).astype("<u4")
    return np.ascontiguousarray(folded.T).view(np.uint8).reshape(-1, 4).T.tobytes()


def decoded(data: bytes, shape: Any, step: list[float], order: int) -> np.ndarray:
    """Decode what `encoded` has encoded, as float32."""
    if 0 in shape:
        return np.zeros(tuple(shape), "<f4")
    planes = np.frombuffer(data, np.uint8).reshape(4, -1)
    folded = np.ascontiguousarray(planes.T).view("<u4").reshape(-1, int(shape[0])).T.astype(np.int64)
    whole = np.where(folded % 2 == 1, -(folded + 1) // 2, folded // 2)
    for _ in range(order):
        whole = np.cumsum(whole, axis=0)
    return (whole.reshape(tuple(shape)) * np.asarray(step, float)).astype("<f4")


def placed(arrays: dict[str, np.ndarray], compact: bool = False) -> tuple[list[bytes], list[dict[str, Any]]]:
    """Return the bytes of arrays, and a description of each with its position.

    compact : whether arrays with an entry in `STEPS` are rounded and encoded (1); the others are float32 numbers.
    """
    held, at, offset = [], [], 0
    for name, array in arrays.items():
        own: dict[str, Any] = {"name": name, "type": "f4", "shape": list(np.shape(array)), "offset": offset}
        step = STEPS.get(name.partition("/")[0]) if compact else None
        if step is not None and np.isfinite(array).all():
            own |= {"type": "i4", "step": step, "order": 2}
            data = encoded(array, step, 2)
        else:
            data = np.ascontiguousarray(array, "<f4").tobytes()
        held.append(data)
        at.append(own)
        offset += len(data)
    return held, at


def expanded(arrays: dict[str, np.ndarray], places: list[dict[str, Any]]) -> dict[str, np.ndarray]:
    """Decode the compact arrays among those that were read with 4 bytes per number."""
    found = dict(arrays)
    for own in places:
        if own.get("type") != "i4":
            continue
        x = arrays[own["name"]]
        step, order = np.atleast_1d(np.asarray(own["step"], float)), own["order"]
        if order not in (0, 1, 2) or step.ndim != 1 or (len(step) not in (1, *x.shape[-1:])):
            raise FormatError(f"The array '{str(own['name'])[:40]}' has no valid steps.")
        found[own["name"]] = decoded(x.tobytes(), x.shape, step.tolist(), order)
    return found


def packed_compact(array: Any, step: float, order: int = 1) -> dict[str, Any]:
    """Encode an array (1) for JSON."""
    data = base64.b64encode(encoded(array, [step], order)).decode()
    return {"type": "i4", "shape": list(np.shape(array)), "step": [step], "order": order, "data": data}


def compact_skin(appearance: dict[str, Any]) -> dict[str, Any]:
    """Return the appearance of a figure with a skin in fewer bytes and the same numbers."""
    skin = appearance.get("skin")
    if not skin:
        return appearance
    rows = {name: unpacked(skin[name]).reshape(-1, 3) for name in SKIN}
    small = {name: packed_compact(x, 1.0) | {"whole": True} for name, x in rows.items()}
    return appearance | {"skin": skin | small}
