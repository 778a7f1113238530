"""Description of open loops in words: how far, in which position, and by how many degrees axes are misaligned.

Works on plain floats only; cannot be recorded on a tape.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from anthropi.algorithms.kinematics import kinematics
from anthropi.constraints.driven import Driven, DrivenTurn
from anthropi.constraints.loops.closures import pose_closures
from anthropi.constraints.loops.pose_errors import AxisError, FrameError
from anthropi.constraints.mates.couplings import LineDistance
from anthropi.constraints.primitives import Angle, Distance, Dot1, Dot2, primitives_of
from anthropi.constraints.relative import features_of
from anthropi.figure import Figure

__all__ = ["open_loops"]


def open_loops(figure: Figure, q: Any, course: Any = None, tolerance: float = 1e-9) -> dict[str, str]:
    """Return the loops that are open at a configuration, the worst first, with the size of each gap in words.

    q : (nq,). course : (3, numbers), as in `loop_dynamics`. tolerance : [m, rad], errors above it count as open.

    Returns
    -------
    {loop: words}, such as "0.31 m in position and 35 degrees between the z axes".
    """
    k = kinematics(figure, np.asarray(q, float))._replace(angular_velocity=None)
    found = []
    for closure in pose_closures(figure, course):
        rows = (*closure.primitives(), *primitives_of(closure.guides()))
        x = [[np.asarray(m.x, float) for m in features_of(figure, k, row, 0.0, np.asarray(q, float))] for row in rows]
        values = [float(row.value(places, 0.0)) for row, places in zip(rows, x, strict=True)]
        if not max(map(abs, values), default=0.0) <= tolerance:
            found.append((max(map(abs, values)), closure.name, _words(rows, x, values, tolerance)))
    return {name: words for _, name, words in sorted(found, key=lambda one: -one[0])}


def _words(rows: Sequence[Any], x: Sequence[Any], values: Sequence[float], tolerance: float) -> str:
    """Return the gap of a loop in words: the root of the sum of squares of each kind of error."""
    sums: dict[str, float] = {}
    for row, places, value in zip(rows, x, values, strict=True):
        words, size = _part(row, places, value)
        sums[words] = float(np.hypot(sums.get(words, 0.0), size))
    least = np.degrees(tolerance)
    parts = [words.format(size) for words, size in sums.items() if size > least] or [f"{max(map(abs, values)):.3g}"]
    return " and ".join(parts)


def _part(row: Any, places: Any, value: float) -> tuple[str, float]:
    """Return the words for one error, with a place for its size, and the size [m or degrees]."""
    inner = row.primitive if isinstance(row, Driven) else row
    if isinstance(inner, AxisError):
        return "{:.3g} degrees between the z axes", np.degrees(value)
    if isinstance(inner, FrameError):
        return "{:.3g} degrees in orientation", np.degrees(value)
    if isinstance(inner, DrivenTurn):
        return "{:.3g} degrees in its angle", np.degrees(value)
    if isinstance(inner, (Dot1, Angle)):
        length = float(np.sqrt((places[0] @ places[0]) * (places[1] @ places[1])))
        cosine = float(places[0] @ places[1])
        apart = np.arccos(np.clip([cosine / length, (cosine - value) / length], -1.0, 1.0))
        return "{:.3g} degrees between axes", np.degrees(apart[0] - apart[1])
    if isinstance(inner, (Distance, LineDistance)):
        d = places[-1] - places[-2]
        square = float(d @ d) if isinstance(inner, Distance) else float(d @ d - (places[0] @ d) ** 2)
        return "{:.3g} m in distance", float(np.sqrt(max(square, 0.0)) - np.sqrt(max(square - value, 0.0)))
    return ("{:.3g} m in position" if isinstance(inner, Dot2) else "{:.3g} in its coupling"), value
