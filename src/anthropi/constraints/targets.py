"""What a figure can be asked for: places, attitudes, directions, its centre of mass, a posture.

A target says what of the figure it is about, once, and gives a goal for each problem. Its error e and Jacobian J, both
in the world, tell how to move: J v = e to first order.

    position      e = goal - p                       J = J_v of the point                                          (1)
    orientation   e = log(C_goal Cᵀ)                 J = J_ω                                                       (2)
    pointing      e = [b₁ b₂]ᵀ angle (d × g)/|d × g|   J = [b₁ b₂]ᵀ J_ω,   b₁, b₂ ⊥ g                              (3)
    mass centre   e = goal - c                       J = J_c                                                       (4)

(2) and (3) leave out the logarithm's own Jacobian, which is 1 where e = 0.

Targets
-------
A loop as a target of inverse kinematics: it shall be closed, whatever else is wanted.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import atan2, less, maximum, sqrt, where
from anthropi.algorithms.centroidal import centre_of_mass_jacobian
from anthropi.algorithms.jacobians import point_jacobian
from anthropi.algorithms.kinematics import direction, point_position
from anthropi.algorithms.momentum import centre_of
from anthropi.constraints.loops.closures import closures
from anthropi.constraints.relative import rows
from anthropi.errors import InputError, ShapeError, did_you_mean

__all__ = ["CentreOfMass", "Closing", "Orientation", "Pointing", "Position", "Posture", "Target", "closings"]


@dataclass(frozen=True, eq=False)
class Target:
    """Something to reach.

    weight : how much its error counts against the others' [1/m or 1/rad]; one, or one for each problem; 0 leaves it
        out.
    """

    unit: ClassVar[str] = "m"
    rows: ClassVar[int] = 3  # of e and J
    size: ClassVar[int] = 3  # of the goal, as the kernel gets it
    always: ClassVar[bool] = False  # whether it holds beside every other, and exactly: loops

    def label(self) -> str:
        """What it is about, in words."""
        raise NotImplementedError

    def about(self, figure) -> tuple:
        """What of the figure it is about, as plain data, known while recording; refuses what is not there."""
        raise NotImplementedError

    def goal(self) -> np.ndarray:
        """The goals (…, size), checked."""
        raise NotImplementedError

    def error(self, figure, k, q, goal):
        """e (rows,) and J (rows, nu) with the poses k known."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Position(Target):
    """A point shall be somewhere.

    of : a marker's or a link's name, or (link, point (3,) in its frame). at : (3,) or (batch, 3) [m], world.
    """

    of: Any
    at: Any
    weight: Any = 1.0

    def label(self):
        """The point's name."""
        return f"position of {_name(self.of)}"

    def about(self, figure):
        """Link and point."""
        return _point(figure, self.of)

    def goal(self):
        """The place."""
        return _numbers(self, self.at, 3)

    def error(self, figure, k, q, goal):
        """(1)"""
        i, s = self.about(figure)
        return goal - point_position(k, i, np.array(s)), point_jacobian(figure, k, q, i, np.array(s))[3:]


@dataclass(frozen=True, eq=False)
class Orientation(Target):
    """A link shall have an attitude.

    of : a link's name. at : C_W,link (…, 3, 3) or a quaternion (…, 4).
    """

    of: str
    at: Any
    weight: Any = 1.0
    unit: ClassVar[str] = "rad"
    size: ClassVar[int] = 4

    def label(self):
        """The link's name."""
        return f"orientation of {self.of}"

    def about(self, figure):
        """The link."""
        return (figure.link_index(self.of),)

    def goal(self):
        """A unit quaternion."""
        at = np.asarray(self.at, float)
        if at.shape[-2:] == (3, 3) and at.ndim in (2, 3):
            gap = abs(at @ transpose(at) - np.eye(3)).max() if at.size else 0.0
            turned = (at[..., 0, :] * np.cross(at[..., 1, :], at[..., 2, :])).sum(-1)  # its determinant
            if not gap < 1e-6 or not (turned > 0.0).all():
                raise InputError(
                    f"The {self.label()} shall be a matrix that is no rotation. Give one, or a quaternion."
                )
            return rot.quaternion_from_matrix(at)
        q = _numbers(self, at, 4)
        return q / np.sqrt((q * q).sum(-1, keepdims=True))  # floats only

    def error(self, figure, k, q, goal):
        """(2)"""
        (i,) = self.about(figure)
        apart = rot.matrix_from_quaternion(goal) @ transpose(k.rotation[i])
        return rot.rotation_vector_from_matrix(apart), point_jacobian(figure, k, q, i, np.zeros(3))[:3]


@dataclass(frozen=True, eq=False)
class Pointing(Target):
    """A direction of a link shall point somewhere.

    of : a direction marker's name, or (link, direction (3,) in its frame). at : (3,) or (batch, 3), world, any length.
    """

    of: Any
    at: Any
    weight: Any = 1.0
    unit: ClassVar[str] = "rad"
    rows: ClassVar[int] = 2

    def label(self):
        """The direction's name."""
        return f"direction of {_name(self.of)}"

    def about(self, figure):
        """Link and unit vector."""
        if isinstance(self.of, str):
            marker = figure.marker(self.of)
            if not hasattr(marker, "direction"):
                raise InputError(
                    f"Marker '{self.of}' of figure '{figure.name}' is a point. Give a direction marker, or "
                    "(link, direction)."
                )
            return figure.link_index(marker.link), _floats(marker.direction)
        link, way = self.of
        length = np.sqrt(np.sum(np.square(way)))  # floats only
        if np.shape(way) != (3,) or not 0.0 < length < np.inf:
            raise InputError(f"A direction on '{link}' is {way}; give three finite numbers, not all zero.")
        return figure.link_index(link), _floats(np.asarray(way) / length)

    def goal(self):
        """A unit vector."""
        way = _numbers(self, self.at, 3)
        length = np.sqrt((way * way).sum(-1, keepdims=True))  # floats only
        if not (length > 0.0).all():
            raise InputError(f"The {self.label()} shall be {way.tolist()}; give a direction that is not zero.")
        return way / length

    def error(self, figure, k, q, goal):
        """(3)"""
        i, way = self.about(figure)
        d, (b1, b2) = direction(k, i, np.array(way)), _across(goal)
        turn, along = np.cross(d, goal), (d * goal).sum()
        sine = sqrt(maximum((turn * turn).sum(), 1e-30))
        axis = where(less(sine, 1e-9), b1, turn / sine)  # straight back: any axis will do
        r, J = atan2(sine, along) * axis, point_jacobian(figure, k, q, i, np.zeros(3))[:3]
        onto = np.stack([b1, b2])
        return matvec(onto, r), onto @ J


@dataclass(frozen=True, eq=False)
class CentreOfMass(Target):
    """The centre of mass shall be somewhere. at : (3,) or (batch, 3) [m], world."""

    at: Any
    weight: Any = 1.0

    def label(self):
        """Its name."""
        return "centre of mass"

    def about(self, figure):
        """The whole figure."""
        return ()

    def goal(self):
        """The place."""
        return _numbers(self, self.at, 3)

    def error(self, figure, k, q, goal):
        """(4)"""
        return goal - centre_of(figure, k), centre_of_mass_jacobian(figure, q)


@dataclass(frozen=True, eq=False)
class Posture:
    """Among all configurations that reach the targets, one near this.

    q : (nq,) or (batch, nq). weight : 0 to 1, the part of the way to go with each pass; one, or one for each degree of
    freedom (nu,). It moves only what the targets leave free, and ever less in later passes, so it holds none of them
    off: more passes come nearer.
    """

    q: Any
    weight: Any = 0.3


def _across(g):
    """Two unit vectors across a unit vector and each other (Duff et al. 2017)."""
    x, y, z = g
    s = where(less(z, 0.0), -1.0, 1.0)
    a = -1.0 / (s + z)
    b = x * y * a
    return np.array([1.0 + s * x * x * a, s * b, -s * x]), np.array([b, s + y * y * a, -y])


def _name(of) -> str:
    return of if isinstance(of, str) else f"a point of {of[0]}"


_points: dict[tuple[str, str], tuple] = {}  # what was looked up: (figure's key, name)


def _point(figure, of) -> tuple[int, tuple[float, ...]]:
    """Link number and point of a marker, a link's origin, or (link, point)."""
    if isinstance(of, str):
        if (figure.key, of) not in _points:
            _points[figure.key, of] = _named_point(figure, of)
        return _points[figure.key, of]
    link, point = of
    if np.shape(point) != (3,) or not np.isfinite(np.asarray(point, float)).all():  # floats only
        raise InputError(f"A point of '{link}' is {point}; give three finite numbers [m].")
    return figure.link_index(link), _floats(point)


def _named_point(figure, of: str) -> tuple[int, tuple[float, ...]]:
    for marker in figure.markers:
        if marker.name == of and hasattr(marker, "point"):
            return figure.link_index(marker.link), _floats(marker.point)
    names = [x.name for x in figure.links]
    if of in names:
        return names.index(of), (0.0, 0.0, 0.0)
    choices = [*(m.name for m in figure.markers if hasattr(m, "point")), *names]
    raise InputError(f"No marker or link '{of}' in figure '{figure.name}'.{did_you_mean(of, choices)} "
                     f"It has: {', '.join(choices)}.")  # fmt: skip


def _floats(values) -> tuple[float, ...]:
    return tuple(float(x) for x in values)


def _numbers(target, values, size: int) -> np.ndarray:
    """A goal (size,) or (batch, size); whether it is finite is asked of all goals together."""
    array = np.asarray(values, float)
    if array.ndim not in (1, 2) or array.shape[-1] != size:
        raise ShapeError(
            f"The goal of the {target.label()} has shape {array.shape}; wanted ({size},) or (batch, {size})."
        )
    return array


HEAVY = 10.0  # against a metre or a radian of other targets; what is left is closed afterwards


@dataclass(frozen=True, eq=False)
class Closing(Target):
    """A loop of the figure shall be closed."""

    of: str
    weight: Any = HEAVY
    size: ClassVar[int] = 0
    always: ClassVar[bool] = True

    def label(self):
        """The loop's name."""
        return f"loop {self.of}"

    def about(self, figure):
        """Its number among the loops."""
        return ([loop.name for loop in figure.loops].index(self.of),)

    def goal(self):
        """Nothing but closed."""
        return np.zeros(0)

    def error(self, figure, k, q, goal):
        """-Φ and its Jacobian."""
        (n,) = self.about(figure)
        residual, J = rows(figure, q, (closures(figure)[n],), 0.0, k)
        return -residual, J


def closings(figure) -> tuple[Closing, ...]:
    """One for each loop."""
    return tuple(Closing(loop.name) for loop in figure.loops)
