"""Read the muscles of an OpenSim model whose path is a row of points fixed to bodies.

`Muscle` has a rigid tendon and the curves of De Groote et al. (2016), whatever the curves of the file. Muscles that
wrap around objects, or whose points move or are active only at some angles, are left out with a note.
"""

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np

from anthropi.errors import InputError
from anthropi.formats import limits
from anthropi.formats.figures.common import Note, Notes
from anthropi.formats.figures.osim.elements import child, flag, name_of, number, numbers, objects, socket, text
from anthropi.formats.figures.osim.frames import GROUND, Frames
from anthropi.formats.figures.osim.reader import WORLD, frames_of, model_in
from anthropi.formats.figures.xml import Node
from anthropi.formats.files import naming
from anthropi.simulation.actuators import Muscle

__all__ = ["MuscleReading", "read_muscles"]

TIMES = {  # [s] default time constants of activation and deactivation
    "Thelen2003Muscle": (0.015, 0.050),
    "Millard2012EquilibriumMuscle": (0.010, 0.040),
    "DeGrooteFregly2016Muscle": (0.015, 0.060),
    "Schutte1993Muscle": (0.015, 0.050),
    "Schutte1993Muscle_Deprecated": (0.015, 0.050),
    "Delp1990Muscle_Deprecated": (0.015, 0.050),
}
MAX_POINTS = 100  # of one muscle


class MuscleReading(NamedTuple):
    """Muscles of a file, for `ap.actuators.Muscles(figure, muscles)`, and notes on those that were left out."""

    muscles: tuple[Muscle, ...]
    notes: tuple[Note, ...]


def read_muscles(path: str | os.PathLike[str]) -> MuscleReading:
    """Read the muscles of an OpenSim model, for the figure that `ap.load` reads from the same file.

    Parameters
    ----------
    path : the .osim file.

    Returns
    -------
    Muscles in the order of the file, whose paths are points on the links of the figure, and notes on the others.

    Examples
    --------
    >>> figure = ap.load("gait.osim")
    >>> controller = ap.actuators.Muscles(figure, read_muscles("gait.osim").muscles)
    """
    path = Path(path)
    with naming(path):
        model, _ = model_in(path)
        frames, notes = frames_of(model), Notes()
        rows = [node for tag in ("ForceSet", "components") for node in objects(model, tag)]
        rows = [node for node in rows if node.tag in TIMES or node.tag.endswith("Muscle")]
        limits.check(path.name, "figure_dofs", len(rows), "muscles")
        found = [_muscle(node, frames, notes) for node in rows]
        return MuscleReading(tuple(muscle for muscle in found if muscle is not None), notes.all())


def _muscle(node: Node, frames: Frames, notes: Notes) -> Muscle | None:
    """Return a muscle; None, with a note, for one that the figure cannot have."""
    name = name_of(node)
    if node.tag not in TIMES:
        notes.add(node.where, f"its kind is not one of {', '.join(TIMES)}")
        return None
    if flag(node, "isDisabled") or not flag(node, "appliesForce", default=True):
        notes.add(node.where, "it is switched off in the file", matters=False)
        return None
    points = _points(node, frames, notes)
    if points is None:
        return None
    rise, fall = TIMES[node.tag]
    try:
        return Muscle(
            name,
            points,
            max_force=number(node, "max_isometric_force"),
            optimal_length=number(node, "optimal_fiber_length"),
            slack_length=number(node, "tendon_slack_length"),
            pennation=number(node, "pennation_angle_at_optimal", "pennation_angle", default=0.0),
            max_speed=number(node, "max_contraction_velocity", default=10.0),
            activation_time=number(node, "activation_time_constant", default=rise),
            deactivation_time=number(node, "deactivation_time_constant", default=fall),
        )
    except InputError as error:
        notes.add(node.where, str(error))
        return None


def _points(node: Node, frames: Frames, notes: Notes) -> tuple[tuple[str, np.ndarray], ...] | None:
    """Return the points of a path as (link, point (3,) [m] in its frame); None, with a note, for other paths."""
    path = child(node, "GeometryPath")
    if path is None:
        notes.add(node.where, "it has no path of points")
        return None
    wraps = [one.get("name") or one.tag for one in objects(path, "PathWrapSet")]
    if wraps:
        notes.add(node.where, "it wraps around objects, which a muscle of a figure cannot")
        return None
    found: list[tuple[str, np.ndarray]] = []
    for one in objects(path, "PathPointSet"):
        if one.tag != "PathPoint":
            notes.add(node.where, f"a point of its path is a {one.tag}, which a muscle of a figure cannot have")
            return None
        if len(found) >= MAX_POINTS:
            notes.add(node.where, f"its path has more than {MAX_POINTS} points")
            return None
        place = socket(one, "parent_frame", "reference_frame") or text(one, "body", default=GROUND)
        body, frame = frames.find(place, "", one)
        point = frame.act_point(numbers(one, "location", count=3))
        found.append((body, point if body else WORLD @ point))
    return tuple(found)
