"""Read motions from BVH files."""

import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.errors import FormatError
from anthropi.formats.files import naming, read_bytes
from anthropi.formats.motions.bvh.scan import Bone, Document, scan
from anthropi.formats.motions.bvh.skeleton import Skeleton, axes_of, figure_of
from anthropi.motion.motion import Motion

__all__ = ["UNITS", "read"]

UNITS = {  # length of each unit [m]
    "m": 1.0,
    "cm": 0.01,
    "mm": 0.001,
    "inch": 0.0254,
    "cmu": 0.0564,  # unit of mocap.cs.cmu.edu: one inch divided by 0.45
}
PERSON_SIZE = 1.6  # [m], size of a person's skeleton from the toes to the end of the head
SCALES = (1e-6, 1e3)  # smallest and largest scale allowed


def read(
    path: str | os.PathLike[str], scale: Any = "auto", up: str = "y", forward: str = "z", positions: str = "auto"
) -> Motion:
    """Read the motion in a BVH file. Its figure has a free root and one joint for each bone.

    Parameters
    ----------
    path : the file.
    scale : length of the file's unit [m], or its name ("m", "cm", "mm", "inch", "cmu"). "auto" chooses the named unit
        that brings the skeleton nearest to the size of a person.
    up, forward : axes of the file that point up and forward (z and x of the figure). In most BVH files, y points up and
        people face along z.
    positions : meaning of position channels. "add": they are added to the offset, as the format defines. "replace":
        they replace the offset, as many programs write. "auto": for each bone, the meaning that keeps it nearer to its
        offset.

    Returns
    -------
    Motion : its channel "bvh" contains the file's channels in the file's units, and metadata["bvh"] the options used.
        The links have nominal masses, because a BVH file does not give masses. End sites become markers ("Head_end").
    """
    path = Path(path)
    name = path.name
    document = scan(_text(path), name)
    axes = axes_of(up, forward, name)
    names = _unique([bone.name for bone in document.bones])
    raw = Skeleton(document.bones, names, 1.0, axes, _replaced(document, positions, axes, name))
    unit, metres, size = _scale(raw, scale, name)
    skeleton = Skeleton(document.bones, names, metres, axes, raw.replaced)
    with naming(name):
        figure = figure_of(skeleton, _plain(path.stem))
        q = _coordinates(skeleton, document.values)
        time = document.frame_time * np.arange(len(q))
        about = {
            "scale": metres,
            "unit": unit,
            "up": up,
            "forward": forward,
            "frame_time": document.frame_time,
            "size": size * metres,
            "masses": "nominal: rods of water along the bones",
            "bones": [_bone_metadata(*x) for x in zip(document.bones, names, raw.replaced, strict=True)],
        }
        return Motion(figure, time, q, None, {"bvh": document.values}, (), {"source": name, "bvh": about})


def _text(path: Path) -> str:
    data = read_bytes(path, "bvh_bytes")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise FormatError(f"{path.name} is UTF-16 text. Save it as UTF-8.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")  # old programs write names in this encoding; the rest of a file is ASCII


def _plain(stem: str) -> str:
    return re.sub(r"[^\w.-]", "_", stem) or "skeleton"


def _bone_metadata(bone: Bone, name: str, replaced: bool) -> dict[Any, Any]:
    """Return the metadata of a bone, from which the writer can reproduce the file."""
    return {
        "name": bone.name,
        "link": name,
        "offset": list(bone.offset or ()),
        "channels": list(bone.channels or ()),
        "ends": [list(end) for end in bone.ends],
        "replaced": replaced,
    }


def _unique(names: list[str]) -> tuple[str, ...]:
    """Make names unique by adding a number to repeated ones."""
    found: list[str] = []
    seen: set[str] = set()
    for name in names:
        own, n = name, 1
        while own in seen:
            n += 1
            own = f"{name}_{n}"
        seen.add(own)
        found.append(own)
    return tuple(found)


def _replaced(document: Document, positions: str, axes, name: str) -> tuple[bool, ...]:
    """Return for each bone whether its position channels replace its offset.

    With positions="auto", they do if their median is nearer to the offset than to 0. For the root, only the height is
    compared, because a root moves away from its start.
    """
    if positions not in ("auto", "add", "replace"):
        raise FormatError(f"{name}: positions={positions!r}. Choose 'auto', 'add' or 'replace'.")
    found, at = [], 0
    for k, bone in enumerate(document.bones):
        channels = bone.channels or ()
        which = [(j, "XYZ".index(c[0])) for j, c in enumerate(channels) if c.endswith("position")]
        yes = positions == "replace"
        if positions == "auto" and which:
            middle = np.median(document.values[:, [at + j for j, _ in which]], axis=0)
            offset = np.array([bone.offset[axis] for _, axis in which])  # type: ignore[index]
            if k == 0:
                upward = np.abs([axes[2, axis] for _, axis in which])
                middle, offset = middle * upward, offset * upward
            yes = bool(np.linalg.norm(middle - offset) < np.linalg.norm(middle))
        found.append(yes and bool(which))
        at += len(channels)
    return tuple(found)


def _scale(skeleton: Skeleton, scale: Any, name: str) -> tuple[str, float, float]:
    """Return the name of the length unit, its length [m], and the size of the skeleton in this unit."""
    size = float(np.ptp(skeleton.points(), axis=0).max())
    if isinstance(scale, str) and scale != "auto":
        if scale not in UNITS:
            raise FormatError(
                f"{name}: scale={scale!r}. Give the length of a unit in metres, 'auto', or one of {', '.join(UNITS)}."
            )
        return scale, UNITS[scale], size
    if isinstance(scale, str):
        if size == 0.0:
            return "m (guessed)", 1.0, size
        best = min(UNITS, key=lambda unit: abs(np.log(UNITS[unit] * size / PERSON_SIZE)))
        return f"{best} (guessed)", UNITS[best], size
    if isinstance(scale, bool) or not isinstance(scale, (int, float, np.number)) or not SCALES[0] <= scale <= SCALES[1]:
        raise FormatError(
            f"{name}: scale={scale!r}. Give the length of a unit in metres, from {SCALES[0]:g} to {SCALES[1]:g}, "
            f"'auto', or one of {', '.join(UNITS)}."
        )
    return "given", float(scale), size


def _coordinates(skeleton: Skeleton, values) -> np.ndarray:
    """Convert channel values (frames, n) to coordinates q (frames, nq)."""
    s, A, places = skeleton.scale, skeleton.axes, skeleton.places()
    C, p = skeleton.local(0, values[:, places[0]])
    turned = rot.quaternion_from_matrix(A @ C @ A.T)
    same = np.sign((turned[1:] * turned[:-1]).sum(-1))
    turned[1:] *= np.cumprod(np.where(same < 0.0, -1.0, 1.0))[:, None]  # choose between q and -q to avoid jumps
    columns = [s * p @ A.T, turned]
    for k in range(1, len(skeleton.bones)):
        own, channels = values[:, places[k]], skeleton.channels(k)
        moves = [j for j, c in enumerate(channels) if c.endswith("position")]
        turns = [j for j, c in enumerate(channels) if c.endswith("rotation")]
        columns += [s * own[:, moves], smooth(np.deg2rad(own[:, turns]))]
    return np.concatenate(columns, axis=1)


def smooth(angles: np.ndarray) -> np.ndarray:
    """Remove jumps from angles (frames, n) without changing the rotations.

    Whole turns are added to angles, and three Euler angles (a, b, c) are replaced by the equivalent
    (a + π, π - b, c + π), if the result is nearer to the previous frame.
    """
    if angles.shape[1] < 1 or not (np.abs(np.diff(angles, axis=0)) > np.pi).any():
        return angles
    found = np.array(angles)
    for k in range(1, len(found)):
        choices = [found[k]]
        if angles.shape[1] == 3:
            a, b, c = found[k]
            choices.append(np.array([a + np.pi, np.pi - b, c + np.pi]))
        near = [x - 2.0 * np.pi * np.round((x - found[k - 1]) / (2.0 * np.pi)) for x in choices]
        found[k] = min(near, key=lambda x: np.abs(x - found[k - 1]).max())
    return found
