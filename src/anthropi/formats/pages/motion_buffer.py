"""Contacts of a motion that ever carry anything: points and forces in the world, for pages and pictures.

Motion buffer
-------------
A motion as one binary buffer that a browser plays: written once, read once, no copies.

    "APM1" · length of the header, 4 bytes · the header, JSON in UTF-8, spaces behind it to a multiple of 4 · arrays

All little-endian; the header says where each array lies, in bytes behind itself. With n frames, for figure k:

    time (n,)            poses/k (n, links, 7): x y z, w x y z of every link in the world
    q/k (n, nq)          angle/k (n, nu): what limits bound, as rotation vectors for balls
    u/k (n, nu)          tau/k (n, nu), udot/k where they were recorded
    com/k (n, 3)         contact/k (n, touches, 6): point and force in the world; cop/k (n, 3), NaN in the air

`channels` name the columns that can be plotted. Floats only; poses by the figure's compiled kinematics.
"""

import json
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.rotation import quaternion_from_matrix
from anthropi.algorithms.shapes import algorithm
from anthropi.entry import kinematics
from anthropi.entry.entry_point import entry_point
from anthropi.errors import AnthropiError, FormatError, InputError
from anthropi.figure.editing.joining import combined_parts
from anthropi.formats.figures.toml import text as figure_text
from anthropi.formats.pages.appearance import appearance, ground_of, obstacles_of
from anthropi.motion import Motion
from anthropi.motion.contacts import contact_points, contacts_of
from anthropi.pictures.solids import scene_of
from anthropi.pictures.view import grounded, view_of

__all__ = [
    "MAGIC",
    "Buffer",
    "ContactPoint",
    "coordinates_of",
    "motion_buffer",
    "poses_of",
    "read_buffer",
    "touches_of",
]


class ContactPoint(NamedTuple):
    """One contact. name : as recorded. link : its number. point (frames, 3) [m], force (frames, 3) [N]."""

    name: str
    link: int
    point: np.ndarray
    force: np.ndarray


def touches_of(motion: Motion) -> list[ContactPoint]:
    """The contacts of a motion that ever carry anything; none if it did not record them."""
    forces, records = motion.channels.get("contact"), contacts_of(motion)
    if forces is None or forces.ndim != 3 or forces.shape[1] != len(records):
        return []
    links, points = {link.name: i for i, link in enumerate(motion.figure.links)}, contact_points(motion)
    return [
        ContactPoint(record.name, links[record.link], points[:, k], forces[:, k])
        for k, record in enumerate(records)
        if record.link in links and forces[:, k].any()
    ]


MAGIC = b"APM1"
LOOKED_AT = 20  # frames, for where the ground is


class Buffer(NamedTuple):
    """What a buffer holds. header : as JSON has it. arrays : {name: array}."""

    header: dict[str, Any]
    arrays: dict[str, np.ndarray]


def motion_buffer(motion, *, title=None, caption="", scene=None, rate=None, skin=True, ground=None,
                  view="three-quarter", follow=False, speed=1.0, forces=None, things=(),
                  folder=None, whole=False) -> bytes:  # fmt: skip
    """What does a browser need to play this motion?

    Parameters
    ----------
    motion : one rollout, or several motions of the same time, one figure or more each.
    title, caption : words; the figure's name by default. scene : what stands around it, if it is known.
    rate : frames a second at most; None: all there are. skin : whether figures come with their surface.
    ground : whether there is the plane z = 0; if None, the scene's ground, or that plane where the motion is near it.
    view, follow, speed : how it is looked at, at first; forces : whether arrows are shown then, None: if there are any.
    folder : of the figure's file, where its meshes are.
    whole : whether the figures' own text comes along, so that the motion can be read back (`share.reading`).
    things : more of what stands around: pillars (radius [m], height [m], t → (x, y) [m]).
    """
    motions = [motion] if isinstance(motion, Motion) else list(motion)
    motions = [_thinned(m, rate) for m in _together(motions)]
    when = motions[0].time
    arrays: dict[str, np.ndarray] = {"time": when}
    figures: list[dict] = []
    channels: list[dict] = []
    for m in motions:
        poses, angle, touches = poses_of(m.figure, m.q), coordinates_of(m.figure, m.q), touches_of(m)
        for part in combined_parts(m.figure):
            k, own = len(figures), list(part.links)
            figures.append({"name": part.name, "appearance": appearance(m.figure, own, skin=skin,
                            limits=getattr(scene, "limits", None), folder=folder)})  # fmt: skip
            arrays |= {f"poses/{k}": poses[:, own], f"q/{k}": m.q[:, part.q], f"u/{k}": m.u[:, part.u],
                       f"angle/{k}": angle[:, part.u], f"com/{k}": _centres(m.figure, own, poses)}  # fmt: skip
            arrays |= {f"{name}/{k}": m.channels[name][:, part.u] for name in ("tau", "udot") if name in m.channels}
            found = [t for t in touches if t.link in own]
            channels += _channels(m, part, k, found)
            if found:
                arrays[f"contact/{k}"] = np.stack([np.concatenate([t.point, t.force], -1) for t in found], 1)
                arrays[f"cop/{k}"] = _pressed(found)
    shown, moving = obstacles_of(scene, when, things)
    held, at = _placed(arrays | moving)
    header = {
        "version": 1,
        "title": motions[0].figure.name if title is None else title,
        "caption": caption,
        "figures": figures,
        "frames": len(when),
        "arrays": at,
        "channels": channels,
        "events": _events(motions),
        "ground": _ground(motions, scene, ground),
        "gravity": [float(x) for x in motions[0].figure.gravity],
        "things": shown,
        "camera": {"azimuth": view_of(view).azimuth, "elevation": view_of(view).elevation, "follow": bool(follow),
                   "keys": []},
        "speed": float(speed),
        "forces": any(a["name"].startswith("contact/") for a in at) if forces is None else bool(forces),
    }  # fmt: skip
    if whole:
        header["sources"] = [_source(m) for m in motions]
    text = json.dumps(header, allow_nan=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    return b"".join([MAGIC, len(text).to_bytes(4, "little"), text, *held])


def _source(motion: Motion) -> str | None:
    """The figure.toml of what moves; None if it cannot be written."""
    try:
        return figure_text(motion.figure)
    except AnthropiError:
        return None


def read_buffer(data: bytes) -> Buffer:
    """The other way: the header and the arrays."""
    size = int.from_bytes(data[4:8], "little")
    if data[:4] != MAGIC or len(data) < 8 + size:
        raise FormatError("This is no motion buffer: it does not begin with APM1 and a header.")
    header = json.loads(data[8 : 8 + size])
    arrays = {}
    for a in header["arrays"]:
        count = int(np.prod(a["shape"]))
        arrays[a["name"]] = np.frombuffer(data, "<f4", count, 8 + size + a["offset"]).reshape(a["shape"])
    return Buffer(header, arrays)


def poses_of(figure, q) -> np.ndarray:
    """Place and quaternion of every link (frames, links, 7), the quaternions on one side from frame to frame."""
    k = kinematics(figure, q)
    turns = quaternion_from_matrix(np.asarray(k.rotation))
    steps = (turns[1:] * turns[:-1]).sum(-1, keepdims=True)
    turns[1:] *= np.cumprod(np.where(steps < 0.0, -1.0, 1.0), axis=0)
    return np.concatenate([np.asarray(k.position), turns], -1)


@algorithm(q="nq")
def coordinates(figure, q):
    """What do the limits bound? x (nu,) of all joints."""
    return np.concatenate([joint.coordinates(q[at]) for joint, at in zip(figure.joints, figure.q_of, strict=True)])


def coordinates_of(figure, q) -> np.ndarray:
    """The same for many configurations (frames, nu), compiled."""
    return entry_point(coordinates)(figure, q) if figure.nu else np.zeros((len(q), 0))


def _together(motions) -> list[Motion]:
    """The motions at the times of the first."""
    for m in motions:
        if not isinstance(m, Motion):
            raise InputError(f"A buffer is of motions; got {type(m).__name__}.")
        if m.q.ndim != 2:
            raise InputError(f"A buffer holds one rollout, and this motion has {m.q.shape[0]}. Take motion.rollout(0).")
    if not motions:
        raise InputError("A buffer needs at least one motion, and got none.")
    return [_timed(m, motions[0].time) for m in motions]


def _timed(motion: Motion, when) -> Motion:
    """The motion at other times; before it begins and after it ends it rests."""
    if motion.time.shape == when.shape and (motion.time == when).all():
        return motion
    inside = np.clip(when, motion.time[0], motion.time[-1])
    frame = np.clip(np.searchsorted(motion.time, inside, side="right") - 1, 0, len(motion) - 1)
    state = motion.at(inside)
    return motion.changed(time=when, q=state.q, u=state.u, channels={n: x[frame] for n, x in motion.channels.items()})


def _thinned(motion: Motion, rate) -> Motion:
    """Every second frame, third …, so that there are at most about `rate` a second; the last one stays."""
    if rate is None or len(motion) < 3:
        return motion
    if not rate > 0.0:
        raise InputError(f"rate={rate!r}: give frames a second, more than 0.")
    span = motion.time[-1] - motion.time[0]
    step = int(np.floor((len(motion) - 1) / (span * rate) + 0.25))
    if step < 2:
        return motion
    kept = np.unique([*range(0, len(motion), step), len(motion) - 1])
    channels = {name: x[kept] for name, x in motion.channels.items()}
    return motion.changed(time=motion.time[kept], q=motion.q[kept], u=motion.u[kept], channels=channels)


def _placed(arrays) -> tuple[list[bytes], list[dict]]:
    """The bytes of arrays, and where they lie."""
    held, at, offset = [], [], 0
    for name, array in arrays.items():
        data = np.ascontiguousarray(array, "<f4")
        held.append(data.tobytes())
        at.append({"name": name, "type": "f4", "shape": list(data.shape), "offset": offset})
        offset += data.nbytes
    return held, at


def _centres(figure, own, poses) -> np.ndarray:
    """The centre of mass (frames, 3) of some links; the first link's place if they have no mass."""
    masses = np.array([figure.links[i].mass for i in own])
    if not masses.sum() > 0.0:
        return poses[:, own[0], :3]
    centres = np.array([figure.links[i].centre for i in own])
    p, w, v = poses[:, own, :3], poses[:, own, 3:4], poses[:, own, 4:]
    turned = centres + 2.0 * np.cross(v, np.cross(v, centres) + w * centres)
    return np.einsum("n,fni->fi", masses, p + turned) / masses.sum()


def _pressed(touches) -> np.ndarray:
    """The centre of pressure (frames, 3): Σ F_z p / Σ F_z; NaN where nothing presses."""
    up = np.stack([np.maximum(t.force[:, 2:], 0.0) for t in touches])
    total = up.sum(0)
    pressed = total > 1e-6
    return np.where(pressed, (up * np.stack([t.point for t in touches])).sum(0) / np.where(pressed, total, 1.0), np.nan)


def _channels(motion: Motion, part, k: int, touches) -> list[dict]:
    """What can be plotted: angles, rates, forces of every degree of freedom; centre of mass; contact."""
    figure, found = motion.figure, []
    lengths = [long for j in figure.joints for long in (j.lengths or (False,) * j.nu)][part.u]
    groups = [("angle", "angle", "rad", "m"), ("rate", "u", "rad/s", "m/s")]
    groups += [("torque", "tau", "N m", "N")] if "tau" in motion.channels else []
    groups += [("acceleration", "udot", "rad/s²", "m/s²")] if "udot" in motion.channels else []
    for group, array, turn, slide in groups:
        for column, (dof, long) in enumerate(zip(figure.dofs[part.u], lengths, strict=True)):
            found.append({"name": dof, "group": group, "unit": slide if long else turn, "array": f"{array}/{k}",
                          "column": column, "figure": k})  # fmt: skip
    found += [{"name": f"centre of mass {axis}", "group": "place", "unit": "m", "array": f"com/{k}", "column": column,
               "figure": k} for column, axis in enumerate("xyz")]  # fmt: skip
    found += [{"name": f"{touch.name} {axis}", "group": "force", "unit": "N", "array": f"contact/{k}",
               "column": 6 * row + 3 + column, "figure": k}
              for row, touch in enumerate(touches) for column, axis in enumerate("xyz")]  # fmt: skip
    return found


def _events(motions) -> list[dict]:
    """What happened, by time."""
    named = {"strike": "heel strike", "off": "toe-off"}
    found = []
    for m in motions:
        for e in m.events:
            if not hasattr(e, "time"):
                continue
            what = str(getattr(e, "what", type(e).__name__))
            found.append({"time": float(e.time), "name": named.get(what, what), "side": str(getattr(e, "foot", ""))})
    return sorted(found, key=lambda e: float(e["time"]))


def _ground(motions, scene, ground):
    if ground is None and scene is not None:
        return ground_of(scene)
    if ground is None:
        ground = any(grounded(scene_of(m.figure, q), m.figure.gravity) for m in motions
                     for q in m.q[:: max(len(m) // LOOKED_AT, 1)])  # fmt: skip
    return {"kind": "plane", "point": [0.0, 0.0, 0.0], "normal": [0.0, 0.0, 1.0]} if ground else None
