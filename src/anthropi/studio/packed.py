"""Arrays inside JSON: {"type", "shape", "data"}, little-endian, row after row, in base64. Floats only."""

import base64

import numpy as np

__all__ = ["TYPES", "packed", "plain", "unpacked"]

TYPES = {"f4": "<f4", "u1": "|u1", "u2": "<u2", "u4": "<u4"}


def packed(array, kind: str = "f4") -> dict:
    """An array as JSON."""
    array = np.ascontiguousarray(array, TYPES[kind])
    return {"type": kind, "shape": list(array.shape), "data": base64.b64encode(array.tobytes()).decode()}


def unpacked(given: dict) -> np.ndarray:
    """The array of `packed`."""
    return np.frombuffer(base64.b64decode(given["data"]), TYPES[given["type"]]).reshape(given["shape"])


def plain(numbers) -> list:
    """Numbers as JSON has them: rounded to a micrometre, None where there is no end."""
    array = np.asarray(numbers, float)
    if array.ndim > 1:
        return [plain(row) for row in array]
    return [round(float(x), 6) + 0.0 if np.isfinite(x) else None for x in array]
