"""Write a motion as binary glTF 2.0: one animated node for each link, with a skin or the solids of the links.

In glTF, y points up; a root node rotates the z axis of the figure to it. The node of a link is a child of the node of
its parent link, and has a translation track only if its position in the parent changes. Obstacles of the scene are
included. The file has no textures and refers to no other files.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.errors import InputError, did_you_mean
from anthropi.formats.files import write_whole
from anthropi.formats.pages.meshes import mesh_of_solid, unpacked
from anthropi.formats.pages.motion_buffer import Buffer, motion_buffer, read_buffer
from anthropi.formats.pages.skin import unpacked_vertices
from anthropi.formats.pages.skin.weights import in_parts

__all__ = ["BODIES", "GlbFile", "glb", "glb_bytes"]


FLOAT32, UINT8, UINT16, UINT32 = 5126, 5121, 5123, 5125
COMPONENTS = {"f4": FLOAT32, "u1": UINT8, "u2": UINT16, "u4": UINT32}
WIDTHS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
VERTICES, ELEMENTS = 34962, 34963


class GlbFile:
    """Builder of a glTF file: one buffer with views and accessors, and nodes. `parts` is its JSON content."""

    def __init__(self, generator: str) -> None:
        self.parts: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": generator},
            "accessors": [],
            "bufferViews": [],
        }
        self._held: list[bytes] = []
        self._size = 0

    def add(self, kind: str, entry: dict[Any, Any]) -> int:
        """Append an entry to a list ("nodes", "meshes" …) and return its index."""
        self.parts.setdefault(kind, []).append(entry)
        return len(self.parts[kind]) - 1

    def view(self, values: Any) -> int:
        """Add a buffer view of float32 numbers, which only `pages.reading` uses, and return its index."""
        raw = np.ascontiguousarray(values, "<f4").tobytes()
        self._held.append(raw)
        self._size += len(raw)
        return self.add("bufferViews", {"buffer": 0, "byteOffset": self._size - len(raw), "byteLength": len(raw)})

    def array(
        self, values: Any, kind: str = "f4", *, target: int | None = None, span: bool = False, normalised: bool = False
    ) -> int:
        """Add an accessor of an array (n,) or (n, width) and return its index.

        kind : number type. target : kind of the buffer view. span : whether to write the smallest and largest values.
        normalised : whether integers stand for numbers from 0 to 1.
        """
        data = np.ascontiguousarray(values, {"f4": "<f4", "u1": "|u1", "u2": "<u2", "u4": "<u4"}[kind])
        width = 1 if data.ndim == 1 else data.shape[1]
        view: dict[str, Any] = {"buffer": 0, "byteOffset": self._size, "byteLength": data.nbytes}
        if target is not None:
            view["target"] = target
        raw = data.tobytes()
        self._held.append(raw + bytes(-len(raw) % 4))
        self._size += len(self._held[-1])
        entry: dict[str, Any] = {
            "bufferView": self.add("bufferViews", view),
            "componentType": COMPONENTS[kind],
            "count": len(data),
            "type": WIDTHS[width],
        }
        if span:
            flat = data.reshape(len(data), -1)
            entry |= {"min": flat.min(0).tolist(), "max": flat.max(0).tolist()}
        if normalised:
            entry["normalized"] = True
        return self.add("accessors", entry)

    def primitive(
        self, positions: np.ndarray, normals: np.ndarray, triangles: np.ndarray, material: int, **more: int
    ) -> dict[str, Any]:
        """Add the arrays of a triangle mesh and return its primitive. more : accessors of other attributes by name."""
        own = {
            "POSITION": self.array(positions, target=VERTICES, span=True),
            "NORMAL": self.array(normals, target=VERTICES),
        }
        kind = "u2" if len(positions) < 65535 else "u4"
        return {
            "attributes": own | more,
            "indices": self.array(np.ravel(triangles), kind, target=ELEMENTS),
            "material": material,
            "mode": 4,
        }

    def bytes(self) -> bytes:
        """Return the bytes of the file."""
        parts = {name: entries for name, entries in self.parts.items() if entries != []}
        parts["buffers"] = [{"byteLength": self._size}]
        text = json.dumps(parts, allow_nan=False, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        held = b"".join(self._held)
        chunks = b"".join(
            len(data).to_bytes(4, "little") + mark + data for mark, data in ((b"JSON", text), (b"BIN\0", held))
        )
        return b"glTF" + (2).to_bytes(4, "little") + (12 + len(chunks)).to_bytes(4, "little") + chunks


BODIES = ("surface", "volume")
UP = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]  # quaternion x y z w of the rotation from z up to y up
MOTION_TOLERANCE = 1e-6  # [m], and for quaternions; smaller changes are not animated
MATTE = {"metallicFactor": 0.0, "roughnessFactor": 0.72}


def glb(
    motion: Any,
    file: Any,
    *,
    body: str | None = None,
    rate: float | None = 60.0,
    title: str | None = None,
    scene: Any = None,
    **options: Any,
) -> Path:
    """Write a motion as a .glb file and return its path.

    Parameters
    ----------
    motion : one rollout, or several motions.
    file : the path.
    body : "surface" for a skin that moves with the links, "volume" for the solids of the links. None for a skin if the
        figure has one, otherwise solids.
    rate : largest number of frames per second; None for all frames.
    title, scene : as in `motion_buffer`.
    options : further options of `motion_buffer`, such as folder and pillars.
    """
    if body is not None and body not in BODIES:
        raise InputError(f"body={body!r}.{did_you_mean(str(body), BODIES)} Choose from {', '.join(BODIES)}.")
    data = motion_buffer(motion, rate=rate, title=title, scene=scene, skin=body != "volume", whole=True, **options)
    written = glb_bytes(read_buffer(data))
    file = Path(file)
    write_whole(file, lambda out: out.write(written))
    return file


def glb_bytes(buffer: Buffer) -> bytes:
    """Return the bytes of the .glb file of a motion buffer."""
    from anthropi import __version__

    out, header, arrays = GlbFile(f"anthropi {__version__}"), buffer.header, buffer.arrays
    tracks: list[tuple[int, str, np.ndarray]] = []
    tops: list[int] = []
    skins: list[int] = []
    for k, figure in enumerate(header["figures"]):
        nodes, own = _links(out, figure, arrays[f"poses/{k}"], tracks)
        tops += own
        shown = figure["appearance"]
        if shown["skin"]:
            skins.append(_skinned(out, figure["name"], shown["skin"], nodes))
        else:
            _solids(out, shown, nodes)
    for thing in header["things"]:
        tops.append(_obstacle_node(out, thing, arrays, tracks))
    top = out.add("nodes", {"name": header["title"], "rotation": UP, "children": tops})
    out.parts["scenes"], out.parts["scene"] = [{"nodes": [top, *skins]}], 0
    _animation(out, header["title"], arrays["time"], tracks)
    _kept(out, header, arrays)
    return out.bytes()


def _kept(out: GlbFile, header: dict[Any, Any], arrays) -> None:
    """Store figure, coordinates, times and events as extra data, so that `pages.reading` can read the motion back."""
    if (header.get("sources") or [None])[0] is None:
        return
    count = sum(1 for name in arrays if name.startswith("q/"))
    kept = {name: arrays[name] for name in ("time", *(f"{x}/{k}" for k in range(count) for x in "qu"))}
    views = {name: [out.view(array), list(array.shape)] for name, array in kept.items()}
    out.parts["extras"] = {"anthropi": {"sources": header["sources"], "views": views, "events": header["events"]}}


def _links(out: GlbFile, figure: dict[Any, Any], poses, tracks) -> tuple[list[int], list[int]]:
    """Add a node for each link, in its parent's frame. Return all nodes, and the nodes without a parent."""
    links = figure["appearance"]["links"]
    nodes, tops = [], []
    for i, link in enumerate(links):
        place, turn = poses[:, i, :3].astype(float), _unit(poses[:, i, 3:].astype(float))
        p = link["parent"]
        if p >= 0:
            above = _unit(poses[:, p, 3:].astype(float))
            place = _rotated(_back(above), place - poses[:, p, :3])
            turn = _unit(_times(_back(above), turn))
        flips = np.where((turn[1:] * turn[:-1]).sum(-1, keepdims=True) < 0.0, -1.0, 1.0)
        turn[1:] *= np.cumprod(flips, axis=0)  # signs that give the shorter rotation between frames
        first = {"name": link["name"], "translation": _plain(place[0]), "rotation": _plain(_xyzw(turn[0]))}
        node = out.add("nodes", first)
        nodes.append(node)
        if np.abs(place - place[0]).max() > MOTION_TOLERANCE:
            tracks.append((node, "translation", place))
        if np.abs(turn - turn[0]).max() > MOTION_TOLERANCE:
            tracks.append((node, "rotation", _xyzw(turn)))
        if p >= 0:
            out.parts["nodes"][nodes[p]].setdefault("children", []).append(node)
        else:
            tops.append(node)
    return nodes, tops


def _skinned(out: GlbFile, name: str, skin: dict[Any, Any], nodes: list[int]) -> int:
    """Add the skinned mesh of a figure and return its node."""
    get = {key: unpacked(value) for key, value in skin.items() if key != "box"}
    positions, normals = unpacked_vertices(skin)
    inverse = np.array([_inverse(pose) for pose in get["bind"].astype(float)])
    count = len(positions)
    colours = np.concatenate([_linear(get["colours"] / 255.0), np.ones((count, 1))], 1)
    weights = in_parts(get["weights"].astype(float), 65535)
    more = {
        "COLOR_0": out.array(np.rint(255.0 * colours), "u1", target=VERTICES, normalised=True),
        "JOINTS_0": out.array(np.where(weights > 0, get["joints"], 0), "u2", target=VERTICES),
        "WEIGHTS_0": out.array(weights, "u2", target=VERTICES, normalised=True),
    }
    white = out.add("materials", {"name": "skin", "pbrMetallicRoughness": MATTE})
    mesh = out.add(
        "meshes",
        {
            "name": f"{name} skin",
            "primitives": [out.primitive(positions, normals, get["indices"].reshape(-1, 3), white, **more)],
        },
    )
    matrices = out.array(inverse.transpose(0, 2, 1).reshape(len(nodes), 16))
    joined = out.add("skins", {"joints": nodes, "inverseBindMatrices": matrices, "name": name})
    return out.add("nodes", {"name": f"{name} surface", "mesh": mesh, "skin": joined})


def _solids(out: GlbFile, shown: dict[Any, Any], nodes: list[int]) -> None:
    """Add a mesh of the solids of each link to its node."""
    by_link: dict[int, list[Any]] = {}
    for solid in shown["solids"]:
        by_link.setdefault(solid["link"], []).append(_primitive(out, solid))
    for i, primitives in by_link.items():
        name = shown["links"][i]["name"]
        out.parts["nodes"][nodes[i]]["mesh"] = out.add("meshes", {"name": name, "primitives": primitives})


def _primitive(out: GlbFile, solid: dict[Any, Any], posed: bool = True) -> dict[Any, Any]:
    if solid["kind"] == "mesh":
        positions, normals = (unpacked(solid["mesh"][key]).astype(float) for key in ("positions", "normals"))
        triangles = unpacked(solid["mesh"]["indices"]).reshape(-1, 3)
    else:
        positions, normals, triangles = mesh_of_solid(solid["kind"], solid["size"])
    if posed:
        pose = np.array(solid["pose"]).reshape(4, 4).T
        positions, normals = positions @ pose[:3, :3].T + pose[:3, 3], normals @ pose[:3, :3].T
    return out.primitive(positions, _unit(normals), triangles, _material(out, solid["colour"]))


def _material(out: GlbFile, colour) -> int:
    factor = [*_plain(_linear(np.asarray(colour, float))), 1.0]
    entry = {"pbrMetallicRoughness": MATTE | {"baseColorFactor": factor}}
    known = out.parts.setdefault("materials", [])
    return known.index(entry) if entry in known else out.add("materials", entry)


def _obstacle_node(out: GlbFile, thing: dict[Any, Any], arrays, tracks) -> int:
    """Add a node for an obstacle, at rest or moving, and return it."""
    name = thing["name"] or thing["kind"]
    if "pose" in thing:
        mesh = out.add("meshes", {"name": name, "primitives": [_primitive(out, thing)]})
        return out.add("nodes", {"name": name, "mesh": mesh})
    mesh = out.add("meshes", {"name": name, "primitives": [_primitive(out, thing, posed=False)]})
    poses = arrays[thing["poses"]].astype(float)
    turn = _unit(poses[:, 3:])
    node = out.add(
        "nodes", {"name": name, "mesh": mesh, "translation": _plain(poses[0, :3]), "rotation": _plain(_xyzw(turn[0]))}
    )
    tracks += [(node, "translation", poses[:, :3]), (node, "rotation", _xyzw(turn))]
    return node


def _animation(out: GlbFile, name: str, time, tracks) -> None:
    if len(time) < 2 or not tracks:
        return
    when = out.array((time - time[0]).astype(np.float32), span=True)
    samplers, channels = [], []
    for node, path, values in tracks:
        values = values if path == "translation" else _unit(values.astype(np.float32).astype(float))
        samplers.append({"input": when, "output": out.array(values), "interpolation": "LINEAR"})
        channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})
    out.add("animations", {"name": name, "samplers": samplers, "channels": channels})


def _linear(colour):
    """Convert sRGB colours to linear colours."""
    return np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)


def _inverse(pose) -> np.ndarray:
    """Return the inverse (4, 4) of the pose given by a position and quaternion (7,)."""
    place, turn = pose[:3], _unit(pose[3:])
    C = np.stack([_rotated(turn, e) for e in np.eye(3)], 1)
    found = np.eye(4)
    found[:3, :3], found[:3, 3] = C.T, -C.T @ place
    return found


def _unit(q):
    return q / np.maximum(np.linalg.norm(q, axis=-1, keepdims=True), 1e-30)


def _back(q):
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def _times(a, b):
    """Return the product a ⊗ b of quaternions (…, 4), w first."""
    w, v, x, y = a[..., :1], a[..., 1:], b[..., :1], b[..., 1:]
    return np.concatenate([w * x - (v * y).sum(-1, keepdims=True), w * y + x * v + np.cross(v, y)], -1)


def _rotated(q, v):
    w, x = q[..., :1], q[..., 1:]
    return v + 2.0 * np.cross(x, np.cross(x, v) + w * v)


def _xyzw(q):
    return np.concatenate([q[..., 1:], q[..., :1]], -1)


def _plain(values) -> list[Any]:
    return [float(x) + 0.0 for x in np.asarray(values, float)]
