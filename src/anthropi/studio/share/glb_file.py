"""A glTF 2.0 binary file in the making: one buffer, views and accessors into it, nodes, meshes, skins, animations.

Only what the exporter needs of the format: no textures, no outside files.
"""

import json
from typing import Any

import numpy as np

__all__ = ["GlbFile"]

FLOAT, BYTE, SHORT, INT = 5126, 5121, 5123, 5125
COMPONENTS = {"f4": FLOAT, "u1": BYTE, "u2": SHORT, "u4": INT}
WIDTHS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
VERTICES, ELEMENTS = 34962, 34963


class GlbFile:
    """A file in the making; `parts` is its JSON."""

    def __init__(self, generator: str):
        self.parts: dict[str, Any] = {"asset": {"version": "2.0", "generator": generator}, "accessors": [],
                                      "bufferViews": []}  # fmt: skip
        self._held: list[bytes] = []
        self._size = 0

    def add(self, kind: str, entry: dict) -> int:
        """Append an entry to a list ("nodes", "meshes" …) and return its number."""
        self.parts.setdefault(kind, []).append(entry)
        return len(self.parts[kind]) - 1

    def view(self, values) -> int:
        """A view of float32 numbers that only we read."""
        raw = np.ascontiguousarray(values, "<f4").tobytes()
        self._held.append(raw)
        self._size += len(raw)
        return self.add("bufferViews", {"buffer": 0, "byteOffset": self._size - len(raw), "byteLength": len(raw)})

    def array(self, values, kind: str = "f4", *, target: int | None = None, span: bool = False,
              normalised: bool = False) -> int:  # fmt: skip
        """An accessor of an array (n,) or (n, width). span : whether it tells its least and greatest values."""
        data = np.ascontiguousarray(values, {"f4": "<f4", "u1": "|u1", "u2": "<u2", "u4": "<u4"}[kind])
        width = 1 if data.ndim == 1 else data.shape[1]
        view: dict[str, Any] = {"buffer": 0, "byteOffset": self._size, "byteLength": data.nbytes}
        if target is not None:
            view["target"] = target
        raw = data.tobytes()
        self._held.append(raw + bytes(-len(raw) % 4))
        self._size += len(self._held[-1])
        entry: dict[str, Any] = {"bufferView": self.add("bufferViews", view), "componentType": COMPONENTS[kind],
                                 "count": len(data), "type": WIDTHS[width]}  # fmt: skip
        if span:
            flat = data.reshape(len(data), -1)
            entry |= {"min": flat.min(0).tolist(), "max": flat.max(0).tolist()}
        if normalised:
            entry["normalized"] = True
        return self.add("accessors", entry)

    def primitive(self, positions, normals, triangles, material: int, **more: int) -> dict[str, Any]:
        """Triangles of a mesh. more : accessors of further attributes by name."""
        own = {"POSITION": self.array(positions, target=VERTICES, span=True),
               "NORMAL": self.array(normals, target=VERTICES)}  # fmt: skip
        kind = "u2" if len(positions) < 65535 else "u4"
        return {"attributes": own | more, "indices": self.array(np.ravel(triangles), kind, target=ELEMENTS),
                "material": material, "mode": 4}  # fmt: skip

    def bytes(self) -> bytes:
        """The whole file."""
        parts = {name: entries for name, entries in self.parts.items() if entries != []}
        parts["buffers"] = [{"byteLength": self._size}]
        text = json.dumps(parts, allow_nan=False, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        held = b"".join(self._held)
        chunks = b"".join(len(data).to_bytes(4, "little") + mark + data
                          for mark, data in ((b"JSON", text), (b"BIN\0", held)))  # fmt: skip
        return b"glTF" + (2).to_bytes(4, "little") + (12 + len(chunks)).to_bytes(4, "little") + chunks
