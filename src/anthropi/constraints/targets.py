"""Targets of inverse kinematics: positions, attitudes, directions, the centre of mass, a posture.

A target names a part of the figure, and gives a goal for each problem of a batch. Its error e and Jacobian J, both in
world components, satisfy J v = e to first order for the motion v that reaches the goal:

    position      e = goal - p                       J = J_v of the point                                          (1)
    orientation   e = log(C_goal Cᵀ)                 J = J_ω                                                       (2)
    pointing      e = [b₁ b₂]ᵀ angle (d × g)/|d × g|   J = [b₁ b₂]ᵀ J_ω,   b₁, b₂ ⊥ g                              (3)
    mass centre   e = goal - c                       J = J_c                                                       (4)

(2) and (3) omit the Jacobian of the logarithm, which is 1 where e = 0. The loops of a figure are targets too
(`closings`): they are always closed, whatever the other targets are.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.orientation.checks import look_like_transforms
from anthropi.algebra.orientation.rotation import Rotation
from anthropi.algebra.scalar import atan2, less, maximum, sqrt, where
from anthropi.algorithms.centroidal import centre_of_mass_jacobian
from anthropi.algorithms.jacobians import point_jacobian
from anthropi.algorithms.kinematics import direction, point_position
from anthropi.algorithms.momentum import centre_of
from anthropi.constraints.loops.closures import pose_closures
from anthropi.constraints.relative import rows
from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.figure import Figure

__all__ = ["CentreOfMass", "Orientation", "Pointing", "Position", "Posture", "Target"]


@dataclass(frozen=True, eq=False)
class Target:
    """Base class of targets.

    weight : weight of its error relative to other targets [1/m or 1/rad]; one number, or one for each problem. A target
    of weight 0 is ignored.
    """

    unit: ClassVar[str] = "m"
    rows: ClassVar[int] = 3  # number of rows of e and J
    size: ClassVar[int] = 3  # numbers of the goal in the kernel's input
    always: ClassVar[bool] = False  # whether it is met exactly, before all others (loops)

    def label(self) -> str:
        """Return a name of the target for messages."""
        raise NotImplementedError

    def about(self, figure: Figure) -> tuple[Any, ...]:
        """Return the part of the figure as plain data, constant on a tape; raise an error if it does not exist."""
        raise NotImplementedError

    def goal(self) -> np.ndarray:
        """Check the goals and return them, (…, size)."""
        raise NotImplementedError

    def error(self, figure: Figure, k: Any, q: Any, goal: Any) -> Any:
        """Return the error e (rows,) and its Jacobian J (rows, nu). k : kinematics of the figure at q."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Position(Target):
    """Target for the position of a point.

    of : name of a marker or a link, or (link, point (3,) in its frame). at : goal (3,) or (batch, 3) [m], world.
    """

    of: Any
    at: Any
    weight: Any = 1.0

    def label(self) -> str:
        """Return "position of" and the name of the point."""
        return f"position of {_name(self.of)}"

    def about(self, figure: Figure) -> Any:
        """Return the link number and the point in the link's frame."""
        return _point(figure, self.of)

    def goal(self) -> Any:
        """Return the goal (…, 3)."""
        return _numbers(self, self.at, 3)

    def error(self, figure: Figure, k: Any, q: Any, goal: Any) -> Any:
        """Return the error of the position and its Jacobian (1)."""
        i, s = self.about(figure)
        return goal - point_position(k, i, np.array(s)), point_jacobian(figure, k, q, i, np.array(s))[3:]


@dataclass(frozen=True, eq=False)
class Orientation(Target):
    """Target for the attitude of a link.

    of : name of a link. at : goal, an `ap.Rotation`, a rotation matrix C_W,link (…, 3, 3), or a quaternion (…, 4) of
        any length but zero, which is normalised.
    """

    of: str
    at: Any
    weight: Any = 1.0
    unit: ClassVar[str] = "rad"
    size: ClassVar[int] = 4

    def label(self) -> str:
        """Return "orientation of" and the name of the link."""
        return f"orientation of {self.of}"

    def about(self, figure: Figure) -> Any:
        """Return the link number."""
        return (figure.link_index(self.of),)

    def goal(self) -> Any:
        """Return the goals as unit quaternions (…, 4)."""
        if isinstance(self.at, Rotation):
            return _numbers(self, self.at.as_quaternion(), 4)
        at = np.asarray(self.at, float)
        if at.shape[-2:] == (3, 3) and at.ndim in (2, 3):
            gap = abs(at @ transpose(at) - np.eye(3)).max() if at.size else 0.0
            turned = (at[..., 0, :] * np.cross(at[..., 1, :], at[..., 2, :])).sum(-1)  # its determinant
            if not gap < 1e-6 or not (turned > 0.0).all():
                raise InputError(
                    f"The {self.label()} is a matrix that is not a rotation. Give a rotation matrix or a quaternion."
                )
            return rot.quaternion_from_matrix(at)
        q = _numbers(self, at, 4)
        if q.shape == (4, 4) and look_like_transforms(q):
            raise ShapeError(
                f"The goal of the {self.label()} is a homogeneous transform (or four quaternions that look like one). "
                "Give its rotation, for example ap.Transform.from_matrix(T).orientation."
            )
        length = np.sqrt((q * q).sum(-1, keepdims=True))  # floats only
        if (length == 0.0).any():
            raise InputError(f"The goal of the {self.label()} is a zero quaternion. Give a rotation.")
        return q / length

    def error(self, figure: Figure, k: Any, q: Any, goal: Any) -> Any:
        """Return the error of the attitude and its Jacobian (2)."""
        (i,) = self.about(figure)
        apart = rot.matrix_from_quaternion(goal) @ transpose(k.rotation[i])
        return rot.rotation_vector_from_matrix(apart), point_jacobian(figure, k, q, i, np.zeros(3))[:3]


@dataclass(frozen=True, eq=False)
class Pointing(Target):
    """Target for the direction of a vector that is fixed in a link.

    of : name of a direction marker, or (link, direction (3,) in its frame).
    at : goal (3,) or (batch, 3), world, of any length.
    """

    of: Any
    at: Any
    weight: Any = 1.0
    unit: ClassVar[str] = "rad"
    rows: ClassVar[int] = 2

    def label(self) -> str:
        """Return "direction of" and the name of the direction."""
        return f"direction of {_name(self.of)}"

    def about(self, figure: Figure) -> Any:
        """Return the link number and the unit vector in the link's frame."""
        if isinstance(self.of, str):
            marker = figure.marker(self.of)
            if not hasattr(marker, "direction"):
                raise InputError(
                    f"Marker '{self.of}' of figure '{figure.name}' is a point. Give a direction marker, or "
                    "(link, direction)."
                )
            return figure.link_index(marker.link), _floats(marker.direction)
        link, vector = self.of
        length = np.sqrt(np.sum(np.square(vector)))  # floats only
        if np.shape(vector) != (3,) or not 0.0 < length < np.inf:
            raise InputError(f"A direction on '{link}' is {vector}; give three finite numbers, not all zero.")
        return figure.link_index(link), _floats(np.asarray(vector) / length)

    def goal(self) -> Any:
        """Return the goals as unit vectors (…, 3)."""
        vector = _numbers(self, self.at, 3)
        length = np.sqrt((vector * vector).sum(-1, keepdims=True))  # floats only
        if not (length > 0.0).all():
            raise InputError(f"The {self.label()} is {vector.tolist()}; give a direction that is not zero.")
        return vector / length

    def error(self, figure: Figure, k: Any, q: Any, goal: Any) -> Any:
        """Return the error of the direction and its Jacobian (3)."""
        i, own = self.about(figure)
        d, (b1, b2) = direction(k, i, np.array(own)), _across(goal)
        turn, along = np.cross(d, goal), (d * goal).sum()
        sine = sqrt(maximum((turn * turn).sum(), 1e-30))
        axis = where(less(sine, 1e-9), b1, turn / sine)  # opposite directions: any perpendicular axis
        r, J = atan2(sine, along) * axis, point_jacobian(figure, k, q, i, np.zeros(3))[:3]
        onto = np.stack([b1, b2])
        return matvec(onto, r), onto @ J


@dataclass(frozen=True, eq=False)
class CentreOfMass(Target):
    """Target for the position of the centre of mass. at : goal (3,) or (batch, 3) [m], world."""

    at: Any
    weight: Any = 1.0

    def label(self) -> str:
        """Return "centre of mass"."""
        return "centre of mass"

    def about(self, figure: Figure) -> Any:
        """Return an empty tuple, since the target refers to the whole figure."""
        return ()

    def goal(self) -> Any:
        """Return the goal (…, 3)."""
        return _numbers(self, self.at, 3)

    def error(self, figure: Figure, k: Any, q: Any, goal: Any) -> Any:
        """Return the error of the centre of mass and its Jacobian (4)."""
        return goal - centre_of(figure, k), centre_of_mass_jacobian(figure, q)


@dataclass(frozen=True, eq=False)
class Posture:
    """A posture to stay near, among all configurations that reach the targets.

    q : (nq,) or (batch, nq). weight : 0 to 1, fraction of the difference that a pass removes; one number, or (nu,).
    The posture affects only motions that the targets leave free, and less in later passes, so that it does not prevent
    targets from being reached. With more passes the result comes nearer to the posture.
    """

    q: Any
    weight: Any = 0.3


def _across(g: Any) -> Any:
    """Return two unit vectors perpendicular to a unit vector and each other (Duff et al., JCGT 6, 2017)."""
    x, y, z = g
    s = where(less(z, 0.0), -1.0, 1.0)
    a = -1.0 / (s + z)
    b = x * y * a
    return np.array([1.0 + s * x * x * a, s * b, -s * x]), np.array([b, s + y * y * a, -y])


def _name(of: Any) -> str:
    return of if isinstance(of, str) else f"a point of {of[0]}"


_points: dict[tuple[str, str], tuple[Any, ...]] = {}  # (key of a figure, name): link number and point


def _point(figure: Figure, of: Any) -> tuple[int, tuple[float, ...]]:
    """Return the link number and the point (3,) of a marker, a link's origin, or a pair (link, point)."""
    if isinstance(of, str):
        if (figure.key, of) not in _points:
            _points[figure.key, of] = _named_point(figure, of)
        return _points[figure.key, of]
    link, point = of
    if np.shape(point) != (3,) or not np.isfinite(np.asarray(point, float)).all():  # floats only
        raise InputError(f"A point of '{link}' is {point}; give three finite numbers [m].")
    return figure.link_index(link), _floats(point)


def _named_point(figure: Figure, of: str) -> tuple[int, tuple[float, ...]]:
    for marker in figure.markers:
        if marker.name == of and hasattr(marker, "point"):
            return figure.link_index(marker.link), _floats(marker.point)
    names = [x.name for x in figure.links]
    if of in names:
        return names.index(of), (0.0, 0.0, 0.0)
    choices = [*(m.name for m in figure.markers if hasattr(m, "point")), *names]
    raise InputError(
        f"No marker or link '{of}' in figure '{figure.name}'.{did_you_mean(of, choices)} Choices: {', '.join(choices)}."
    )


def _floats(values: Any) -> tuple[float, ...]:
    return tuple(float(x) for x in values)


def _numbers(target: Any, values: Any, size: int) -> np.ndarray:
    """Return a goal as an array (size,) or (batch, size); raise `ShapeError` if it has another shape."""
    array = np.asarray(values, float)
    if array.ndim not in (1, 2) or array.shape[-1] != size:
        raise ShapeError(
            f"The goal of the {target.label()} has shape {array.shape}; wanted ({size},) or (batch, {size})."
        )
    return array


LOOP_WEIGHT = 10.0  # [1/m or 1/rad], where other targets usually have 1; remaining gaps are closed afterwards


@dataclass(frozen=True, eq=False)
class Closing(Target):
    """Target that closes a loop of the figure."""

    of: str
    weight: Any = LOOP_WEIGHT
    unit: ClassVar[str] = "m or rad"
    size: ClassVar[int] = 0
    always: ClassVar[bool] = True

    def label(self) -> str:
        """Return "loop" and the name of the loop."""
        return f"loop {self.of}"

    def about(self, figure: Figure) -> Any:
        """Return the number of the loop."""
        return ([loop.name for loop in figure.loops].index(self.of),)

    def goal(self) -> Any:
        """Return an empty array, since a loop has no goal."""
        return np.zeros(0)

    def error(self, figure: Figure, k: Any, q: Any, goal: Any) -> Any:
        """Return the error -Φ of the loop, which is zero only at the right pose, and the Jacobian of Φ."""
        (n,) = self.about(figure)
        loop = pose_closures(figure)[n]
        residual, J = rows(figure, q, (loop, *loop.guides()), 0.0, k)
        return -residual, J


def closings(figure: Figure) -> tuple[Closing, ...]:
    """Return a target for each loop of the figure."""
    return tuple(Closing(loop.name) for loop in figure.loops)
