"""Encode a motion as one binary buffer, which the page in a browser plays.

    "APM1" · length of the header, 4 bytes · the header, JSON in UTF-8, padded by spaces to a multiple of 4 · arrays

All numbers are little-endian; the header gives the position of each array in bytes after itself. With n frames, for
figure k:

    time (n,)            poses/k (n, links, 7): position x y z and quaternion w x y z of every link in the world
    q/k (n, nq)          angle/k (n, nu): the coordinates that have limits; rotation vectors for ball joints
    u/k (n, nu)          tau/k (n, nu), udot/k (n, nu): if they were recorded
    com/k (n, 3)         contact/k (n, contacts, 6): point and force in the world; cop/k (n, 3), NaN without contact

`channels` in the header lists the columns that can be plotted. Poses come from the figure's compiled kinematics.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.rotation import quaternion_from_matrix
from anthropi.algorithms.shapes import algorithm
from anthropi.entry import kinematics
from anthropi.entry.entry_point import entry_point
from anthropi.errors import AnthropiError, FormatError, InputError
from anthropi.figure import Figure
from anthropi.figure.editing.joining import combined_parts
from anthropi.formats.decoding import arrays_at, inflated, load_json, whole_number
from anthropi.formats.figures.toml import text as figure_text
from anthropi.formats.pages.appearance import appearance, ground_of, obstacles_of
from anthropi.formats.pages.compact import compact_skin, expanded, placed
from anthropi.motion import Motion
from anthropi.motion.contacts import contact_points, contacts_of, resampled_means
from anthropi.pictures.solids import scene_of
from anthropi.pictures.view import grounded, view_of

__all__ = [
    "MAGIC",
    "Buffer",
    "ContactPoint",
    "coordinates_of",
    "loaded_contacts",
    "motion_buffer",
    "poses_of",
    "read_buffer",
]


class ContactPoint(NamedTuple):
    """One contact of a motion, in the world frame.

    name : its name in the recording. link : index of its link. point : (frames, 3) [m]. force : (frames, 3) [N].
    """

    name: str
    link: int
    point: np.ndarray
    force: np.ndarray


def loaded_contacts(motion: Motion) -> list[ContactPoint]:
    """Return the contacts of a motion that have a force in any frame; [] if contacts were not recorded."""
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
GROUND_SAMPLES = 20  # number of frames that are checked for a figure on the ground


class Buffer(NamedTuple):
    """The content of a motion buffer. header : the decoded JSON. arrays : {name: array}."""

    header: dict[str, Any]
    arrays: dict[str, np.ndarray]


def motion_buffer(
    motion: Motion | Sequence[Motion],
    *,
    title: str | None = None,
    caption: str = "",
    scene: Any = None,
    rate: float | None = None,
    skin: bool = True,
    ground: bool | None = None,
    view: Any = "three-quarter",
    follow: bool = False,
    speed: float = 1.0,
    forces: bool | None = None,
    pillars: Any = (),
    folder: Path | None = None,
    whole: bool = False,
    compact: bool = False,
    more: dict[str, Any] | None = None,
) -> bytes:
    """Encode a motion as a buffer.

    Parameters
    ----------
    motion : one rollout, or several motions over the same time, with one or more figures each.
    title, caption : texts on the page. The default title is the name of the figure.
    scene : the scene with ground and obstacles.
    rate : largest number of frames per second; None for all frames.
    skin : whether to include the skin of figures.
    ground : whether to draw the plane z = 0 as the ground. None for the scene's ground, or, without a scene, for that
        plane if a figure comes near it.
    view, follow, speed : initial camera view, whether the camera follows the figure, and initial playing speed.
    forces : whether forces are shown when the page opens; None to show them if there are any.
    pillars : pillars (vertical cylinders) that may move, each (radius [m], height [m], function t → (x, y) [m]).
    folder : folder of the figure's file, from which meshes are read.
    whole : whether to include the text of the figures, so that the motion can be read back (`pages.reading`).
    compact : whether numbers are rounded to steps that cannot be seen (`pages.compact`), to save bytes.
    more : further entries of the header, plain data.
    """
    motions = [motion] if isinstance(motion, Motion) else list(motion)
    motions = [_thinned(m, rate) for m in _together(motions)]
    when = motions[0].time
    arrays: dict[str, np.ndarray] = {"time": when}
    figures: list[dict[Any, Any]] = []
    channels: list[dict[Any, Any]] = []
    for m in motions:
        poses, angle, contacts = poses_of(m.figure, m.q), coordinates_of(m.figure, m.q), loaded_contacts(m)
        for part in combined_parts(m.figure):
            k, own = len(figures), list(part.links)
            look = appearance(m.figure, own, skin=skin, limits=getattr(scene, "limits", None), folder=folder)
            figures.append({"name": part.name, "appearance": compact_skin(look) if compact else look})
            arrays |= {
                f"poses/{k}": poses[:, own],
                f"q/{k}": m.q[:, part.q],
                f"u/{k}": m.u[:, part.u],
                f"angle/{k}": angle[:, part.u],
                f"com/{k}": _centres(m.figure, own, poses),
            }
            arrays |= {f"{name}/{k}": m.channels[name][:, part.u] for name in ("tau", "udot") if name in m.channels}
            found = [t for t in contacts if t.link in own]
            channels += _channels(m, part, k, found)
            if found:
                arrays[f"contact/{k}"] = np.stack([np.concatenate([t.point, t.force], -1) for t in found], 1)
                arrays[f"cop/{k}"] = _centres_of_pressure(found)
                arrays[f"ground/{k}"] = np.concatenate(list(_forces_by_foot(m.figure, found).values()), -1)
    shown, moving = obstacles_of(scene, when, pillars)
    held, at = placed(arrays | moving, compact)
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
        "camera": {
            "azimuth": view_of(view).azimuth,
            "elevation": view_of(view).elevation,
            "follow": bool(follow),
            "keys": [],
        },
        "speed": float(speed),
        "forces": any(a["name"].startswith("contact/") for a in at) if forces is None else bool(forces),
    }
    if whole:
        header["sources"] = [_source(m) for m in motions]
    text = json.dumps(header | (more or {}), allow_nan=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    return b"".join([MAGIC, len(text).to_bytes(4, "little"), text, *held])


def _source(motion: Motion) -> str | None:
    """Return the text of the figure.toml of a motion's figure; None if it cannot be written."""
    try:
        return figure_text(motion.figure)
    except AnthropiError:
        return None


def read_buffer(data: bytes) -> Buffer:
    """Decode the header and the arrays of a motion buffer, which may be compressed (zlib)."""
    data = inflated(data, "The motion buffer")
    size = int.from_bytes(data[4:8], "little")
    if data[:4] != MAGIC or len(data) < 8 + size:
        raise FormatError("These bytes are not a motion buffer: they do not begin with APM1 and a header.")
    header = load_json(data[8 : 8 + size], "the header of the motion")
    try:
        places = [(a["name"], 8 + size + whole_number(a["offset"]), a["shape"]) for a in header["arrays"]]
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(f"The motion buffer has no valid list of arrays: {error!r}.") from None
    return Buffer(header, expanded(arrays_at(data, places), header["arrays"]))


def poses_of(figure: Figure, q: Any) -> np.ndarray:
    """Compute the position and quaternion of every link in the world, (frames, links, 7).

    The signs of the quaternions are chosen so that they do not jump between frames.
    """
    k = kinematics(figure, q)
    turns = quaternion_from_matrix(np.asarray(k.rotation))
    steps = (turns[1:] * turns[:-1]).sum(-1, keepdims=True)
    turns[1:] *= np.cumprod(np.where(steps < 0.0, -1.0, 1.0), axis=0)
    return np.concatenate([np.asarray(k.position), turns], -1)


@algorithm(q="nq")
def coordinates(figure: Figure, q: Any) -> Any:
    """Return the coordinates x (nu,) of all joints to which joint limits apply."""
    return np.concatenate([joint.coordinates(q[at]) for joint, at in zip(figure.joints, figure.q_of, strict=True)])


def coordinates_of(figure: Figure, q: Any) -> np.ndarray:
    """Return the coordinates to which joint limits apply, (frames, nu), for q (frames, nq)."""
    return entry_point(coordinates)(figure, q) if figure.nu else np.zeros((len(q), 0))


def _together(motions) -> list[Motion]:
    """Resample all motions at the times of the first one."""
    for m in motions:
        if not isinstance(m, Motion):
            raise InputError(f"A buffer stores motions; got {type(m).__name__}.")
        if m.q.ndim != 2:
            raise InputError(f"A buffer stores one rollout, but this motion has {m.q.shape[0]}. Use motion.rollout(0).")
    if not motions:
        raise InputError("A buffer needs at least one motion; got none.")
    return [_timed(m, motions[0].time) for m in motions]


def _timed(motion: Motion, when) -> Motion:
    """Return the motion at other times. Before its start and after its end, the first or last pose is kept."""
    if motion.time.shape == when.shape and (motion.time == when).all():
        return motion
    inside = np.clip(when, motion.time[0], motion.time[-1])
    frame = np.clip(np.searchsorted(motion.time, inside, side="right") - 1, 0, len(motion) - 1)
    state = motion.at(inside)
    return motion.changed(time=when, q=state.q, u=state.u, channels={n: x[frame] for n, x in motion.channels.items()})


def _thinned(motion: Motion, rate) -> Motion:
    """Keep every second, third … frame, so that at most about `rate` frames per second remain, and the last frame."""
    if rate is None or len(motion) < 3:
        return motion
    if not rate > 0.0:
        raise InputError(f"rate={rate!r}. Give a number of frames per second above 0.")
    span = motion.time[-1] - motion.time[0]
    kept_frames = max(span * rate, 1.0)  # at least the first and the last frame remain
    step = int(np.floor((len(motion) - 1) / kept_frames + 0.25))
    if step < 2:
        return motion
    kept = np.unique([*range(0, len(motion), step), len(motion) - 1])
    channels = {name: x[kept] for name, x in motion.channels.items()} | resampled_means(motion, motion.time[kept])
    return motion.changed(time=motion.time[kept], q=motion.q[kept], u=motion.u[kept], channels=channels)


def _centres(figure, own, poses) -> np.ndarray:
    """Compute the centre of mass (frames, 3) of some links; the position of the first link if they have no mass."""
    masses = np.array([figure.links[i].mass for i in own])
    if not masses.sum() > 0.0:
        return poses[:, own[0], :3]
    centres = np.array([figure.links[i].centre for i in own])
    p, w, v = poses[:, own, :3], poses[:, own, 3:4], poses[:, own, 4:]
    turned = centres + 2.0 * np.cross(v, np.cross(v, centres) + w * centres)
    return np.einsum("n,fni->fi", masses, p + turned) / masses.sum()


def _centres_of_pressure(contacts) -> np.ndarray:
    """Compute the centre of pressure (frames, 3), Σ F_z p / Σ F_z; NaN where there is no force."""
    up = np.stack([np.maximum(t.force[:, 2:], 0.0) for t in contacts])
    total = up.sum(0)
    pressed = total > 1e-6
    return np.where(
        pressed, (up * np.stack([t.point for t in contacts])).sum(0) / np.where(pressed, total, 1.0), np.nan
    )


SIDES = {"l": "left", "r": "right"}


def _forces_by_foot(figure: Any, contacts: Any) -> dict[str, np.ndarray]:
    """Return the sum of the contact forces (frames, 3) [N] of each foot, or of each other link that has contacts."""
    found: dict[str, Any] = {}
    for contact in contacts:
        name = figure.links[contact.link].name.rpartition("/")[2]
        side, _, rest = name.partition("_")
        if rest in ("foot", "toes") and side in SIDES:
            name = f"{SIDES[side]} foot"
        found[name] = found.get(name, 0.0) + contact.force
    return found


def _channels(motion: Motion, part, k: int, contacts) -> list[dict[Any, Any]]:
    """Describe the channels for plots: values of every degree of freedom, centre of mass, contact forces."""
    figure, found = motion.figure, []
    lengths = [long for j in figure.joints for long in (j.lengths or (False,) * j.nu)][part.u]
    groups = [("angle", "angle", "rad", "m"), ("rate", "u", "rad/s", "m/s")]
    groups += [("torque", "tau", "N m", "N")] if "tau" in motion.channels else []
    groups += [("acceleration", "udot", "rad/s²", "m/s²")] if "udot" in motion.channels else []
    for group, array, turn, slide in groups:
        for column, (dof, long) in enumerate(zip(figure.dofs[part.u], lengths, strict=True)):
            found.append(
                {
                    "name": dof,
                    "group": group,
                    "unit": slide if long else turn,
                    "array": f"{array}/{k}",
                    "column": column,
                    "figure": k,
                }
            )
    found += [
        {
            "name": f"centre of mass {axis}",
            "group": "place",
            "unit": "m",
            "array": f"com/{k}",
            "column": column,
            "figure": k,
        }
        for column, axis in enumerate("xyz")
    ]
    found += [
        {
            "name": f"{foot}, {direction}",
            "group": "ground",
            "unit": "N",
            "array": f"ground/{k}",
            "column": 3 * row + column,
            "figure": k,
        }
        for row, foot in enumerate(_forces_by_foot(figure, contacts))
        for column, direction in enumerate(("forwards", "to the left", "vertical"))
    ]
    found += [
        {
            "name": f"{contact.name} {axis}",
            "group": "force",
            "unit": "N",
            "array": f"contact/{k}",
            "column": 6 * row + 3 + column,
            "figure": k,
        }
        for row, contact in enumerate(contacts)
        for column, axis in enumerate("xyz")
    ]
    return found


def _events(motions) -> list[dict[Any, Any]]:
    """Return the events of all motions in order of time."""
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
        ground = any(
            grounded(scene_of(m.figure, q), m.figure.gravity)
            for m in motions
            for q in m.q[:: max(len(m) // GROUND_SAMPLES, 1)]
        )
    return {"kind": "plane", "point": [0.0, 0.0, 0.0], "normal": [0.0, 0.0, 1.0]} if ground else None
