"""A motion as a page: one file that any browser plays, with nothing to install and nothing to fetch.

The page holds poses of links at even times, positions and quaternions as float32, and the solids in link frames; the
folder `player` has its parts (markup, style, scripts), which are put together here. Floats only.
"""

import base64
import html
import json
import re
from importlib import resources
from pathlib import Path

import numpy as np

from anthropi.algebra.rotation import quaternion_from_matrix
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import SizeError
from anthropi.pictures.arrows import arrows_of
from anthropi.pictures.paint import cell
from anthropi.pictures.panels import grounded
from anthropi.pictures.solids import Solid, scene_of
from anthropi.pictures.view import view_of

__all__ = ["page"]

SCRIPTS = ("1_motion.js", "2_meshes.js", "3_programs.js", "4_picture.js", "5_controls.js")
SPEEDS = (1.0, 0.5, 0.25, 0.1)
PILLAR = (0.62, 0.66, 0.74)


def page(motion, file, *, title=None, caption="", view="three-quarter", rate=60.0, speed=1.0, follow=False,
         ground=None, forces=False, pillars=()):  # fmt: skip
    """What does a figure look like while it moves, for eyes with a browser? Writes the page and returns its path.

    Parameters
    ----------
    motion : one rollout. file : where to write, ending in .html.
    title, caption : words above the picture; the figure's name by default.
    view : where to look from at first, as in `draw`. rate : frames a second in the file, about 40 bytes a link each.
    speed : 1, 0.5, 0.25 or 0.1 of the real one, at first. follow : whether the camera goes with the figure, at first;
        else it sees all of the motion. ground : the plane z = 0; if None, where the motion is near it.
    forces : whether arrows show what the ground does to the feet. pillars : (radius [m], height [m], t → (x, y) [m])
        of each thing that stands or moves beside the figure.
    """
    if motion.q.ndim != 2:
        raise SizeError(f"A page shows one rollout, and this motion has {motion.q.shape[0]}. Take motion.rollout(0).")
    if speed not in SPEEDS:
        raise SizeError(f"speed={speed!r}: choose from {', '.join(f'{s:g}' for s in SPEEDS)}.")
    if not rate > 0.0:
        raise SizeError(f"rate={rate!r}: give frames a second, more than 0.")
    title = motion.figure.name if title is None else title
    shown = {"speed": speed, "follow": bool(follow)}
    parts = {
        "title": html.escape(title),
        "caption": html.escape(caption),
        "style": _part("player.css"),
        "script": "\n\n".join(_part(name) for name in SCRIPTS),
        "motion": json.dumps(_content(motion, view_of(view), rate, ground, forces, pillars) | shown).replace(
            "<", "\\u003c"
        ),
    }
    text = re.sub(f"@({'|'.join(parts)})@", lambda mark: parts[mark[1]], _part("player.html"))
    file = Path(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def _part(name: str) -> str:
    return (resources.files("anthropi.pictures") / "player" / name).read_text(encoding="utf-8").rstrip("\n")


def _content(motion, view, rate: float, ground, forces: bool, pillars) -> dict:
    """What the script `1_motion.js` reads."""
    figure, span = motion.figure, motion.time[-1] - motion.time[0]
    count = max(round(span * rate), 1) + 1 if len(motion) > 1 else 1
    when = np.linspace(motion.time[0], motion.time[-1], count)
    found = [kinematics(figure, q) for q in motion.at(when).q]
    turns, places = np.array([k.rotation for k in found]), np.array([k.position for k in found])
    first = scene_of(figure, motion.q[0])
    if ground is None:
        ground = any(grounded(scene_of(figure, q), figure.gravity) for q in motion.q[:: max(len(motion) // 20, 1)])
    poses = np.concatenate([places, quaternion_from_matrix(turns)], -1)
    things = [[(*where(t), 0.5 * tall, 1.0, 0.0, 0.0, 0.0) for t in when] for _, tall, where in pillars]
    poses = np.concatenate([poses, np.array(things, float).reshape(-1, count, 7).swapaxes(0, 1)], 1)
    solids = [_solid(s, turns[0, s.link], places[0, s.link]) for s in first.solids]
    solids += [_pillar(figure.n + k, wide, tall) for k, (wide, tall, _) in enumerate(pillars)]
    arrows = arrows_of(motion, when) if forces else np.zeros((count, 0, 6))
    return {
        "links": figure.n + len(things),
        "own": figure.n,
        "start": round(float(motion.time[0]), 6),
        "dt": float(span / max(count - 1, 1)),
        "poses": _packed(poses),
        "arrows": arrows.shape[1],
        "forces": _packed(arrows),
        "path": _packed(_centres(figure, turns, places)),
        "solids": solids,
        "size": round(first.size, 6),
        "cell": cell(first.size),
        "ground": bool(ground),
        "view": {"azimuth": float(np.deg2rad(view.azimuth)), "elevation": float(np.deg2rad(view.elevation))},
    }


def _packed(array) -> str:
    return base64.b64encode(np.asarray(array, "<f4").tobytes()).decode()


def _centres(figure, turns, places):
    """The centre of mass (frames, 3)."""
    masses = np.array([link.mass for link in figure.links])
    at = places + np.einsum("fnij,nj->fni", turns, np.array([link.centre for link in figure.links]))
    return np.einsum("n,fni->fi", masses, at) / masses.sum()


def _solid(s: Solid, turn, place) -> dict:
    """A solid in its link's frame: a ball of three semi-axes, perhaps with its halves apart, a box or a cylinder."""
    kind, reach = "ball", 0.0
    if s.kind in ("sphere", "capsule"):
        size = (s.size[0],) * 3
        reach = 0.5 * s.size[1] if s.kind == "capsule" else 0.0
    elif s.kind == "ellipsoid":
        size = s.size
    elif s.kind == "box":
        kind, size = "box", tuple(0.5 * x for x in s.size)
    else:
        kind, size = "cylinder", (s.size[0], s.size[0], 0.5 * s.size[1])
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = turn.T @ s.rotation, turn.T @ (s.middle - place)
    return {"link": s.link, "kind": kind, "size": _short(size), "reach": round(reach, 6),
            "pose": _short(pose.T.ravel()), "colour": _short(s.colour)}  # fmt: skip


def _pillar(link: int, wide: float, tall: float) -> dict:
    """An upright cylinder in a frame of its own."""
    return {"link": link, "kind": "cylinder", "size": _short((wide, wide, 0.5 * tall)), "reach": 0.0,
            "pose": _short(np.eye(4).ravel()), "colour": _short(PILLAR)}  # fmt: skip


def _short(numbers) -> list[float]:
    return [round(float(x), 6) + 0.0 for x in numbers]
