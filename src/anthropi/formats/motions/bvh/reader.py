"""Read motions from BVH files."""

import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.errors import AnthropiError, FormatError, InputError, did_you_mean
from anthropi.formats.files import naming, read_bytes
from anthropi.formats.motions.bvh.scan import Bone, Document, scan
from anthropi.formats.motions.bvh.skeleton import Skeleton, axes_of, figure_of
from anthropi.motion.motion import Motion
from anthropi.motion.retargeting.evidence import Evidence, evidence_of, lengths_of
from anthropi.motion.retargeting.standing import axis_of, facing, vertical

__all__ = ["UNITS", "read"]

UNITS = {  # length of each unit [m]
    "m": 1.0,
    "dm": 0.1,
    "cm": 0.01,
    "mm": 0.001,
    "inch": 0.0254,
    "foot": 0.3048,
    "cmu": 0.0564,  # unit of mocap.cs.cmu.edu: one inch divided by 0.45
}
PERSON_SIZE = 1.6  # [m], size of a person's skeleton from the toes to the end of the head
PERSON_STATURE = 1.65  # [m], between a child and a tall adult
STATURES = (0.9, 2.3)  # [m], range of statures that a guessed unit may give
SCALES = (1e-6, 1e3)  # smallest and largest scale allowed
SAMPLES = 200  # frames from which axes and unit are found


def read(
    path: str | os.PathLike[str],
    scale: Any = "auto",
    up: str = "auto",
    forward: str = "auto",
    positions: str = "auto",
    root: str | None = None,
    names: Any = None,
) -> Motion:
    """Read the motion in a BVH file. Its figure has a free root and one joint for each bone.

    Parameters
    ----------
    path : the file.
    scale : length of the file's unit [m], or its name ("m", "dm", "cm", "mm", "inch", "foot", "cmu"). "auto" chooses
        the unit that gives a person the most usual stature, or another skeleton the size of a person.
    up, forward : axes of the file that point up and forward (z and x of the figure). "auto" finds them for a body with
        arms and legs, from its motion and the direction that it faces at rest; for other skeletons, y points up.
    positions : meaning of position channels. "add": they are added to the offset, as the format defines. "replace":
        they replace the offset, as many programs write. "auto": for each bone, the meaning that keeps it nearer to its
        offset.
    root : name of the ROOT of the skeleton to read, in a file with several; by default the only one that is a body
        with arms and legs.
    names : {part of the body: bone}, as in `ap.motion.retarget`, where the names of the bones are not known.

    Returns
    -------
    Motion : its channel "bvh" contains the file's channels in the file's units, and metadata["bvh"] the options used,
        and the evidence for those that were found.
        The links have nominal masses, because a BVH file does not give masses. End sites become markers ("Head_end").
    """
    path = Path(path)
    name = path.name
    document = scan(_text(path), name)
    unique = _unique([bone.name for bone in document.bones])
    chosen = {"scale": scale, "up": up, "forward": forward, "positions": positions}
    choices = [
        (_Trial(document.part(*part), unique[slice(*part)], chosen, names, name)) for part in _parts(document, name)
    ]
    trial, note = _chosen(choices, root, name)
    return trial.motion(_plain(path.stem), note)


def _parts(document: Document, name: str) -> list[tuple[int, int]]:
    """Return the first bone and the bone after the last one of each skeleton."""
    found = document.skeletons()
    if len(found) > MAX_SKELETONS:
        raise FormatError(f"{name} has {len(found)} skeletons; at most {MAX_SKELETONS} are read. Divide the file.")
    return found


MAX_SKELETONS = 20


def _chosen(trials: list["_Trial"], root: str | None, name: str) -> tuple["_Trial", str]:
    """Return the skeleton to read, and a note about the others."""
    roots = [trial.names[0] for trial in trials]
    if root is not None:
        if root not in roots:
            raise FormatError(f"{name}: no ROOT '{root}'.{did_you_mean(str(root), roots)} Roots: {', '.join(roots)}.")
        return trials[roots.index(root)], ""
    if len(trials) == 1:
        return trials[0], ""
    bodies = [trial for trial in trials if trial.seen is not None]
    if len(bodies) != 1:
        which = f"{len(bodies)} of them are bodies with arms and legs" if bodies else "none of them is a body"
        raise FormatError(
            f"{name} has {len(trials)} skeletons, with the roots {', '.join(roots)}; {which}. Choose one: "
            f"root='{roots[0]}', on the command line --root {roots[0]}."
        )
    others = [trial.names[0] for trial in trials if trial is not bodies[0]]
    return bodies[0], f"only the skeleton of {bodies[0].names[0]} is read; {', '.join(others)} is not a body"


class _Trial:
    """One skeleton of a file, in the axes of the file, with what is known about axes and unit."""

    def __init__(
        self, document: Document, names: tuple[str, ...], options: dict[str, Any], roles: Any, file: str
    ) -> None:
        self.document, self.names, self.options, self.file = document, names, options, file
        self.seen: Evidence | None = None
        self.why = ""
        for what in ("up", "forward"):  # checked before they are used
            if (word := str(options[what])) != "auto":
                axes_of(word, "x" if word.lower().lstrip("+-") != "x" else "y", file)
        replaced = _replaced(document, options["positions"], np.ones(3) / 3.0, file)
        some = document.values[:: max(1, len(document.values) // SAMPLES)]
        self.raw = Skeleton(document.bones, names, 1.0, np.eye(3), replaced, _middles(document, replaced))
        try:
            with naming(file), np.errstate(all="ignore"):
                figure = figure_of(self.raw, "skeleton")
                q = _coordinates(self.raw, some)
                self.seen = evidence_of(Motion(figure, np.arange(len(q)) / 30.0, q), roles)
                lengths_of(self.seen.at, figure.name)
        except AnthropiError as error:
            if roles is not None:
                raise
            self.seen, self.why = None, str(error)

    def motion(self, figure_name: str, note: str) -> Motion:
        """Return the motion with the axes and the unit that were given or found."""
        up, forward, about = self._axes()
        axes = axes_of(up, forward, self.file)
        replaced = _replaced(self.document, self.options["positions"], np.abs(axes[2]), self.file)
        unit, metres, size, evidence = self._scale()
        middles = _middles(self.document, replaced)
        skeleton = Skeleton(self.document.bones, self.names, metres, axes, replaced, middles)
        with naming(self.file):
            figure = figure_of(skeleton, figure_name)
            q = _coordinates(skeleton, self.document.values)
            time = self.document.frame_time * np.arange(len(q))
            about |= {
                "scale": metres,
                "unit": unit,
                "unit from": evidence,
                "up": up,
                "forward": forward,
                "frame_time": self.document.frame_time,
                "size": size * metres,
                "masses": "nominal: rods of water along the bones",
                "bones": [_bone_metadata(*x) for x in zip(self.document.bones, self.names, replaced, strict=True)],
            }
            if note:
                about["skeletons"] = note
            return Motion(figure, time, q, None, {"bvh": self.document.values}, (), {"source": self.file, "bvh": about})

    def _axes(self) -> tuple[str, str, dict[Any, Any]]:
        """Return the axes of the file that point up and forward, and the evidence."""
        up, forward, about = self.options["up"], self.options["forward"], {}
        about["up from"] = "given" if up != "auto" else "assumed; not a body with arms and legs"
        if up == "auto" and self.seen is not None:
            try:
                with np.errstate(all="ignore"):
                    up, about["up from"] = vertical(self.seen.at, self.file, self.seen.unmoved)
            except InputError as error:
                about |= {"up from": "assumed", "up problem": str(error)}
        up = "y" if up == "auto" else up
        about["forward from"] = "given" if forward != "auto" else "assumed"
        if forward == "auto":
            across = "z" if str(up).lower().lstrip("+-") != "z" else "x"
            forward, about["forward from"] = across, "assumed"
            if self.seen is not None:
                forward, about["forward from"] = facing(self.seen.start, self.seen.at, axis_of(up))
        return up, forward, about

    def _scale(self) -> tuple[str, float, float, str]:
        """Return the name of the unit, its length [m], the size of the skeleton in this unit, and the evidence."""
        scale, name = self.options["scale"], self.file
        size = float(np.ptp(self.raw.points(), axis=0).max())
        stature = self.seen.stature() if self.seen is not None else 0.0
        if isinstance(scale, str) and scale != "auto":
            if scale not in UNITS:
                raise FormatError(
                    f"{name}: scale={scale!r}. Give the length of a unit in metres, 'auto', or one of "
                    f"{', '.join(UNITS)}."
                )
            return scale, UNITS[scale], size, "given"
        if isinstance(scale, str):
            long, usual = (stature, PERSON_STATURE) if stature > 0.0 else (size, PERSON_SIZE)
            if long == 0.0:
                return "m (guessed)", 1.0, size, "assumed: the skeleton has no size"
            best = min(UNITS, key=lambda unit: abs(np.log(UNITS[unit] * long / usual)))
            words = f"{'stature' if stature > 0.0 else 'size'} {UNITS[best] * long:.2f} m"
            return f"{best} (guessed)", UNITS[best], size, words
        number = isinstance(scale, (int, float, np.number)) and not isinstance(scale, bool)
        if not number or not SCALES[0] <= scale <= SCALES[1]:
            raise FormatError(
                f"{name}: scale={scale!r}. Give the length of a unit in metres, from {SCALES[0]:g} to {SCALES[1]:g}, "
                f"'auto', or one of {', '.join(UNITS)}."
            )
        return "given", float(scale), size, "given"


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


def _replaced(document: Document, positions: str, upward: Any, name: str) -> tuple[bool, ...]:
    """Return for each bone whether its position channels replace its offset.

    With positions="auto", they do if their median is nearer to the offset than to 0. For the root, only the height is
    compared, because a root moves away from its start. upward : (3,) weights of the axes of the file for the height.
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
                share = np.array([upward[axis] for _, axis in which])
                middle, offset = middle * share, offset * share
            yes = bool(np.linalg.norm(middle - offset) < np.linalg.norm(middle))
        found.append(yes and bool(which))
        at += len(channels)
    return tuple(found)


def _middles(document: Document, replaced: tuple[bool, ...]) -> np.ndarray:
    """Return the usual positions (bones, 3) of the bones in their parents: offsets, and medians of the positions."""
    found, at = np.array([bone.offset for bone in document.bones], float), 0
    for k, bone in enumerate(document.bones):
        for j, c in enumerate(bone.channels or ()):
            if k and c.endswith("position"):
                axis = "XYZ".index(c[0])
                found[k, axis] = np.median(document.values[:, at + j]) + (0.0 if replaced[k] else found[k, axis])
        at += len(bone.channels or ())
    return found


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
