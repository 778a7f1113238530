"""Pictures as PNG files, with the standard library alone."""

import struct
import zlib

import numpy as np

__all__ = ["png_bytes", "rgb"]

PAPER = np.array([1.0, 1.0, 1.0])


def rgb(picture) -> np.ndarray:
    """(h, w, 3) bytes, top row first, of a painted picture (h, w, 4), bottom row first, on paper."""
    alpha = picture[..., 3:]
    return np.rint(255.0 * (picture[..., :3] * alpha + PAPER * (1.0 - alpha))).astype(np.uint8)[::-1]


def png_bytes(pixels: np.ndarray) -> bytes:
    """The PNG file of (h, w, 3) or (h, w, 4) bytes, top row first."""
    height, width, channels = pixels.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], 1)
    head = struct.pack(">IIBBBBB", width, height, 8, {3: 2, 4: 6}[channels], 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
