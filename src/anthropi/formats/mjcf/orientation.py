"""Poses in MJCF: a position and one of five ways to say an orientation."""

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import Transform
from anthropi.errors import FormatError
from anthropi.formats.mjcf.known import ORIENTATION
from anthropi.formats.mjcf.settings import Settings
from anthropi.formats.poses import TINY, turned_to
from anthropi.formats.xml import Node

__all__ = ["from_to", "orientation", "pose"]


def pose(node: Node, settings: Settings) -> Transform:
    """Position and orientation of an element in its parent's frame."""
    return Transform(orientation(node, settings), node.numbers("pos", 3, (0.0, 0.0, 0.0)))


def orientation(node: Node, settings: Settings) -> np.ndarray:
    """The rotation matrix (3, 3) of an element's one orientation attribute."""
    given = [name for name in ORIENTATION if name in node.attributes]
    if not given:
        return np.eye(3)
    if len(given) > 1:
        raise FormatError(f"{node.where} has {' and '.join(given)}, itself or from its class. Keep one orientation.")
    return _WAYS[given[0]](node, settings)


def _quat(node: Node, settings: Settings) -> np.ndarray:
    q = node.numbers("quat", 4)
    return rot.matrix_from_quaternion(_unit(node, "quat", q)) if (q[1:] != 0.0).any() or q[0] == 0.0 else np.eye(3)


def _axisangle(node: Node, settings: Settings) -> np.ndarray:
    values = node.numbers("axisangle", 4)
    return rot.matrix_from_rotation_vector(_unit(node, "axisangle", values[:3]) * (values[3] * settings.angle))


def _euler(node: Node, settings: Settings) -> np.ndarray:
    """Small letters turn about the turned axes, capitals about the fixed ones."""
    C = np.eye(3)
    for letter, value in zip(settings.eulerseq, node.numbers("euler", 3), strict=True):
        axis = np.eye(3)["xyz".index(letter.lower())]
        turn = rot.matrix_from_rotation_vector(axis * (value * settings.angle))
        C = C @ turn if letter.islower() else turn @ C
    return C


def _xyaxes(node: Node, settings: Settings) -> np.ndarray:
    values = node.numbers("xyaxes", 6)
    x = _unit(node, "xyaxes", values[:3])
    y = _unit(node, "xyaxes", values[3:] - (values[3:] @ x) * x)
    return np.stack([x, y, np.cross(x, y)], axis=1)


def _zaxis(node: Node, settings: Settings) -> np.ndarray:
    return turned_to(_unit(node, "zaxis", node.numbers("zaxis", 3)))


_WAYS = {"quat": _quat, "axisangle": _axisangle, "euler": _euler, "xyaxes": _xyaxes, "zaxis": _zaxis}


def from_to(node: Node) -> tuple[Transform, float]:
    """Pose and half length of a geom given by its two ends: its z axis points from the second to the first."""
    values = node.numbers("fromto", 6)
    if node.numbers("pos", 3, (0.0, 0.0, 0.0)).any() or any(name in node.attributes for name in ORIENTATION):
        raise FormatError(f"{node.where} has fromto and pos or an orientation, itself or from its class. Keep fromto.")
    along = values[:3] - values[3:]
    z = _unit(node, "fromto", along)
    return Transform(turned_to(z), 0.5 * (values[:3] + values[3:])), 0.5 * float(np.linalg.norm(along))


def _unit(node: Node, name: str, v: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(v)
    if not TINY < length < np.inf:
        raise FormatError(f'{node.where}: {name}="{node.get(name)}" has no direction. Give one that is not zero.')
    return v / length
