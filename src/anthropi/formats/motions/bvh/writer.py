"""Write motions as BVH files.

A motion that was read from BVH is written with its original skeleton, units and channels. Angles that have not changed
keep the numbers of the original file.

Any other figure is written as a skeleton with one bone for each link. A bone has an offset if its position in its
parent is constant, and position channels otherwise; its rotations are about z, x, y. The root and all bones with
position channels have the offset 0, so that a reader may add positions to the offset or replace it.
"""

import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.errors import FormatError
from anthropi.formats.files import write_whole
from anthropi.formats.motions.bvh.reader import smooth
from anthropi.formats.motions.bvh.scan import CHANNELS, MAX_NUMBER, Bone
from anthropi.formats.motions.bvh.skeleton import Skeleton, axes_of
from anthropi.motion.link_poses import joint_poses
from anthropi.motion.motion import Motion

__all__ = ["write"]

ROTATIONS = ("Zrotation", "Xrotation", "Yrotation")
SIX = (*CHANNELS[:3], *ROTATIONS)
ROTATION_TOLERANCE = 1e-8  # largest difference between entries of equal rotation matrices
POSITION_TOLERANCE = 1e-9  # [m], largest variation of a position that counts as constant
TIME_STEP_TOLERANCE = 1e-4  # relative to the mean time step: steps that differ by less count as even


def write(motion: Motion, path: str | os.PathLike[str], scale: Any = None, up: Any = None, forward: Any = None) -> None:
    """Write a motion as a BVH file.

    scale : length of the file's unit [m]; by default that of the original file, or 0.01 (centimetres).
    up, forward : axes of the file that point up and forward; by default those of the original file, or "y" and "z".
    """
    path = Path(path)
    if motion.q.ndim != 2:
        raise FormatError(
            f"{path.name}: a BVH file stores one rollout; this motion has {len(motion.q)}. Use motion.rollout(0)."
        )
    if not np.isfinite(motion.q).all():
        raise FormatError(
            f"{path.name}: a coordinate of the motion is not finite. Keep the frames before it with motion.slice."
        )
    frame_time = _frame_time(motion, path.name)
    origin = motion.metadata.get("bvh")
    own = _own(motion, origin if isinstance(origin, dict) else {}, scale, up, forward, path.name)
    if own is None:
        axes = axes_of("y" if up is None else up, "z" if forward is None else forward, path.name)
        own = _skeleton(motion, _metres(scale, path.name), axes)
    bones, values = own
    if values.size and np.abs(values).max() > MAX_NUMBER:
        raise FormatError(f"{path.name}: a channel is larger than {MAX_NUMBER:g}. Give a larger scale.")
    text = "\n".join([*_hierarchy(bones), *_rows(values, frame_time), ""])
    write_whole(path, lambda file: file.write(text.encode()))


def _metres(scale: Any, name: str) -> float:
    if scale is None:
        return 0.01
    if isinstance(scale, bool) or not isinstance(scale, (int, float, np.number)) or not 1e-6 <= scale <= 1e3:
        raise FormatError(
            f"{name}: scale={scale!r}. Give the length of a unit in metres, for example 0.01 for centimetres."
        )
    return float(scale)


def _frame_time(motion: Motion, name: str) -> float:
    """Return the time between frames [s]; exactly that of the original file if the times have not changed."""
    origin = motion.metadata.get("bvh", {})
    known = origin.get("frame_time") if isinstance(origin, dict) else None
    known = known if isinstance(known, float) and 1e-5 <= known <= 60.0 else None
    if len(motion) == 1:
        return known or 1.0 / 30.0
    steps = np.diff(motion.time)
    step = float(motion.time[-1] - motion.time[0]) / (len(motion) - 1)
    if np.abs(steps - step).max() > TIME_STEP_TOLERANCE * step:
        raise FormatError(
            f"{name}: BVH frames must be evenly spaced in time; these are {steps.min():g} to {steps.max():g} s "
            f"apart. Use motion.resample(rate={1.0 / step:.6g})."
        )
    return known if known is not None and abs(known - step) < 1e-9 * step else step


# skeletons that come from a file


def _own(motion: Motion, origin: dict[Any, Any], scale, up, forward, name: str):
    """Return the bones and channels (frames, n) in the layout of the original BVH file.

    Returns None if the motion does not come from a BVH file, or if its figure or the options differ.
    """
    try:
        if any(x is not None and x != origin[key] for key, x in (("scale", scale), ("up", up), ("forward", forward))):
            return None
        links = [bone["link"] for bone in origin["bones"]]
        if links != [link.name for link in motion.figure.links]:
            return None
        bones = [
            Bone(
                str(b["name"]),
                parent,
                0,
                tuple(float(x) for x in b["offset"]),
                tuple(CHANNELS[CHANNELS.index(c)] for c in b["channels"]),
                [tuple(float(x) for x in end) for end in b["ends"]],
            )
            for b, parent in zip(origin["bones"], motion.figure.parent, strict=True)
        ]
        axes = axes_of(origin["up"], origin["forward"], name)
        skeleton = Skeleton(
            tuple(bones),
            tuple(links),
            float(origin["scale"]),
            axes,
            tuple(bool(b["replaced"]) for b in origin["bones"]),
        )
        sizes = [7, *(len(skeleton.channels(k)) for k in range(1, len(bones)))]
        if [j.nq for j in motion.figure.joints] != sizes or any(len(b.offset or ()) != 3 for b in bones):
            return None
    except (KeyError, TypeError, ValueError, FormatError):
        return None
    return _values(motion, skeleton)


def _values(motion: Motion, skeleton: Skeleton):
    """Return the bones, and the channels (frames, n) computed from the coordinates of the motion."""
    s, A, places, columns = skeleton.scale, skeleton.axes, skeleton.places(), []
    file = motion.channels.get("bvh")
    file = None if file is None or file.shape != (len(motion), places[-1].stop) else np.asarray(file, float)
    bones = list(skeleton.bones)
    for k in range(len(bones)):
        q, channels = np.asarray(motion.q[:, motion.figure.q_of[k]], float), skeleton.channels(k)
        hint = None if file is None else file[:, places[k]]
        if k == 0:
            C, p = A.T @ rot.matrix_from_quaternion(q[:, 3:]) @ A, q[:, :3] @ A / s
            found, kept = _root(skeleton, C, p, hint)
            bones[0] = Bone(
                bones[0].name,
                -1,
                0,
                bones[0].offset if kept else (0.0, 0.0, 0.0),
                channels if kept else SIX,
                bones[0].ends,
            )
        else:
            moves = sum(c.endswith("position") for c in channels)
            parts = {"p": iter((q[:, :moves] / s).T), "r": iter(np.rad2deg(q[:, moves:]).T)}
            found = np.array([next(parts[c[1]]) for c in channels]).reshape(len(channels), len(q)).T
            found = _kept(skeleton, k, found, hint)
        columns.append(found)
    return bones, np.concatenate(columns, axis=1)


def _root(skeleton: Skeleton, C, p, hint) -> tuple[np.ndarray, bool]:
    """Return the channels of the root from its rotations C and positions p, and whether they are those of the file.

    If the channels of the file cannot represent the motion, three positions and three rotations are returned.
    """
    channels, turns = skeleton.channels(0), skeleton.rotations(0)
    if len(turns) == 3:
        angles = np.rad2deg(smooth(rot.euler_from_matrix(C, turns)))
        order = {f"{letter.upper()}rotation": angles[:, n] for n, letter in enumerate(turns)}
        order |= {c: (p - skeleton.offset(0))[:, n] for n, c in enumerate(CHANNELS[:3])}
        found = np.stack([order[c] for c in channels], axis=1)
    else:
        found = np.zeros((len(p), len(channels))) if hint is None else hint
    found = _kept(skeleton, 0, found, hint, C)
    R, at = skeleton.local(0, found)
    if np.abs(R - C).max() < ROTATION_TOLERANCE and np.abs(at - p).max() < 1e-9 * max(1.0, np.abs(p).max()):
        return found, True
    return np.concatenate([p, np.rad2deg(smooth(rot.euler_from_matrix(C, "zxy")))], axis=1), False


def _kept(skeleton: Skeleton, k: int, found, hint, C=None) -> np.ndarray:
    """Return the channels of bone k, with the angles of the original file where they give the same rotation."""
    turns = [n for n, c in enumerate(skeleton.channels(k)) if c.endswith("rotation")]
    if hint is None or not turns:
        return found
    C = skeleton.local(k, found)[0] if C is None else C
    same = np.abs(skeleton.local(k, hint)[0] - C).max((-2, -1)) < ROTATION_TOLERANCE
    out = np.array(found)
    out[np.ix_(same, turns)] = hint[np.ix_(same, turns)]
    return out


# skeletons of other figures


def _skeleton(motion: Motion, s: float, A):
    """Make one bone for each link of a figure. Return the bones and their channels (frames, n)."""
    figure, bones, columns = motion.figure, [], []
    names = _words([link.name for link in figure.links])
    for i, parent, joint in figure.outward():
        C, p = joint_poses(joint, motion.q[:, figure.q_of[i]])
        C, p = A.T @ C @ A, p @ A / s
        moves = i == 0 or bool(np.ptp(p, axis=0).max() * s > POSITION_TOLERANCE)
        turns = i == 0 or bool(np.abs(C - np.eye(3)).max() > 1e-12) or joint.nu > 0
        channels = (CHANNELS[:3] if moves else ()) + (ROTATIONS if turns else ())
        ends = [tuple(A.T @ _tip(figure, i) / s)] if not figure.children[i] else []
        bones.append(Bone(names[i], parent, 0, (0.0, 0.0, 0.0) if moves else tuple(p[0]), channels, ends))
        own = [p] if moves else [np.zeros((len(p), 0))]
        own += [np.rad2deg(smooth(rot.euler_from_matrix(C, "zxy")))] if turns else []
        columns.append(np.concatenate(own, axis=1))
    return _branches(bones, columns)


def _branches(bones, columns):
    """Sort bones and their channels into the order of a BVH file (depth first)."""
    children: dict[int, list[int]] = {}
    for k, bone in enumerate(bones):
        children.setdefault(bone.parent, []).append(k)
    order, todo = [], [0]
    while todo:
        order.append(todo.pop())
        todo += reversed(children.get(order[-1], []))
    place = {k: n for n, k in enumerate(order)} | {-1: -1}
    moved = [Bone(b.name, place[b.parent], 0, b.offset, b.channels, b.ends) for b in (bones[k] for k in order)]
    return moved, np.concatenate([columns[k] for k in order], axis=1)


def _tip(figure, i: int) -> np.ndarray:
    """Return the end of a link without children: its farthest marker, or twice the vector to its centre of mass."""
    name = figure.links[i].name
    points = [np.asarray(m.point, float) for m in figure.markers if m.link == name and hasattr(m, "point")]
    return max(points, key=lambda x: float(x @ x), default=2.0 * np.asarray(figure.links[i].centre, float))


def _words(names: list[str]) -> list[str]:
    """Make names unique and free of white space and braces."""
    found: list[str] = []
    for k, name in enumerate(names):
        word = re.sub(r"[\s{}\x00-\x1f]+", "_", name)[:150] or f"link_{k}"
        found.append(word if word not in found else f"{word}_{k}")
    return found


# text


def _hierarchy(bones) -> list[str]:
    children: list[list[int]] = [[] for _ in bones]
    for k, bone in enumerate(bones):
        if bone.parent >= 0:
            children[bone.parent].append(k)
    lines, todo = ["HIERARCHY"], [(0, 0, False)]
    while todo:
        k, depth, close = todo.pop()
        pad, bone = "  " * depth, bones[k]
        if close:
            lines.append(pad + "}")
            continue
        lines += [
            f"{pad}{'JOINT' if depth else 'ROOT'} {bone.name}",
            pad + "{",
            f"{pad}  OFFSET {_numbers(bone.offset)}",
            f"{pad}  CHANNELS {' '.join([str(len(bone.channels)), *bone.channels])}",
        ]
        for end in bone.ends:
            lines += [f"{pad}  End Site", pad + "  {", f"{pad}    OFFSET {_numbers(end)}", pad + "  }"]
        todo.append((k, depth, True))
        todo += [(child, depth + 1, False) for child in reversed(children[k])]
    return lines


def _rows(values, frame_time: float) -> list[str]:
    head = ["MOTION", f"Frames: {len(values)}", f"Frame Time: {frame_time:.12g}"]
    return head if not values.shape[1] else [*head, *(_numbers(row) for row in values)]


def _numbers(values) -> str:
    return " ".join(f"{float(x) + 0.0:.10g}" for x in values)
