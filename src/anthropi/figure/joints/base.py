"""Base class of joints, with their data. interface.py has the methods each kind defines, derived.py those derived."""

from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from anthropi.algebra.spatial import Transform, identity
from anthropi.errors import InputError, ShapeError
from anthropi.figure.joints.derived import JointChart, JointEditing, JointKinematics

__all__ = ["ACTING", "Joint", "JointRating", "JointStop", "float_array"]

ACTING = ("stiffness", "rest", "damping", "armature")


@dataclass(frozen=True, kw_only=True)
class JointStop:
    """A spring at both ends of a joint's range (docs/equations/thesis.md, section 8.7).

    Attributes
    ----------
    type : "linear", "power" or "exponential".
    k : stiffness [N m/rad or N/m]. c : exponent factor of "exponential". n : power of "power".
    zone : width of the zone before the limit, in which the spring acts [rad or m].
    gate : "direction" (only while the joint moves towards the limit), "smooth" or "none".
    """

    type: str = "linear"
    k: float = 0.0
    c: float | None = None
    n: float | None = None
    zone: float | None = None
    gate: str = "direction"


@dataclass(frozen=True, kw_only=True)
class JointRating:
    """Largest force and speed for which a joint's drive is made. They are stored, and do not limit a simulation.

    Attributes
    ----------
    effort : largest joint force [N m or N], ±, of each degree of freedom.
    velocity : largest speed [rad/s or m/s], ±, of each degree of freedom.
    """

    effort: float = np.inf
    velocity: float = np.inf

    def __post_init__(self) -> None:
        for name in ("effort", "velocity"):
            value = float(getattr(self, name))
            if not value >= 0.0:
                raise InputError(f"The {name} of a JointRating is {value:g}. Give a number that is not negative.")
            object.__setattr__(self, name, value)


@dataclass(frozen=True, eq=False, kw_only=True)
class Joint(JointKinematics, JointChart, JointEditing):
    """A joint: its name, its place in the parent link, limits, spring, damper and rotor.

    Attributes
    ----------
    name : unique in the figure.
    placement : pose of the joint frame in the parent link (rotation and origin [m]).
    lower, upper : (nu,) limits of the coordinates [rad or m], ±inf where there is none.
    stiffness, rest : (nu,) spring [N m/rad or N/m] and the coordinate at which it is slack [rad or m].
    damping : (nu,) [N m s/rad or N s/m].
    armature : (nu,) rotor inertia [kg m² or kg].
    stop : `JointStop`, springs at the limits that act in every simulation; None without.
    rating : `JointRating`, largest force and speed of the joint's drive; None if they are not known. The parts of a
        composite joint have their own.
    """

    name: str = ""
    placement: Transform = field(default_factory=identity)
    lower: Any = None
    upper: Any = None
    stiffness: Any = None
    rest: Any = None
    damping: Any = None
    armature: Any = None
    stop: JointStop | None = None
    rating: JointRating | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.placement, Transform):
            raise InputError(
                f"Joint '{self.name}' has placement {self.placement!r}; give a pose, spatial.Transform(rotation, "
                "origin)."
            )
        fixed = Transform(float_array(self.placement.rotation), float_array(self.placement.origin))
        object.__setattr__(self, "placement", fixed)
        if not self.lengths:
            object.__setattr__(self, "lengths", (False,) * self.nu)
        for name, default in (("lower", -np.inf), ("upper", np.inf), *((n, 0.0) for n in ACTING)):
            given = getattr(self, name)
            array = float_array(default if given is None else given)
            if array.shape not in ((self.nu,), (1,), ()):
                raise ShapeError(
                    f"Joint '{self.name}' has {name} of shape {array.shape}; give one number, or one for each of its "
                    f"{self.nu} degrees of freedom."
                )
            if array.shape != (self.nu,):
                array = np.broadcast_to(array, (self.nu,))
            object.__setattr__(self, name, array)

    def changed(self, **fields: Any) -> Self:
        """Return a copy with the given fields replaced."""
        return replace(self, **fields)

    @property
    def ratings(self) -> tuple[JointRating, ...]:
        """The rating of each degree of freedom, with infinite numbers where there is none."""
        return (self.rating or JointRating(),) * self.nu

    def acts(self) -> bool:
        """Return whether the joint has a limit, spring, damper or rotor. Recording scalars count as present."""
        absent = ((self.lower, -np.inf), (self.upper, np.inf), (self.stiffness, 0.0), (self.damping, 0.0))
        return any(not _all_equal(values, none) for values, none in (*absent, (self.armature, 0.0)))

    def finite_limits(self, reach: float = np.pi) -> tuple[np.ndarray, np.ndarray]:
        """Return finite lower and upper limits (nu,); a missing one is `reach` from zero or from the other limit."""
        low, high = np.asarray(self.lower, float), np.asarray(self.upper, float)
        low = np.where(np.isfinite(low), low, np.minimum(-reach, high - reach))  # floats only
        high = np.where(np.isfinite(high), high, np.maximum(reach, low + reach))  # floats only
        low, high = np.clip([low, high], -1e300, 1e300)  # floats only: so that their difference is finite
        return low + 0.0, high + 0.0  # and not -0.0

    def random(self, rng: np.random.Generator) -> np.ndarray:
        """Return a random configuration within the limits, (nq,) floats."""
        if self.nq != self.nu:
            return self.from_coordinates(rng.uniform(*self.finite_limits()))
        return rng.uniform(*self.finite_limits())

    def _part(self, family: "type[Joint]", k: int, **fields: Any) -> "Joint":
        """Return degree of freedom k as a separate joint, with its limits, spring, damper and rotor."""
        acting = {n: getattr(self, n)[k : k + 1] for n in ("lower", "upper", *ACTING)}
        name = self.dofs[k].removeprefix(f"{self.name}.")
        return family(name=name, rating=self.rating, **acting, **fields)

    def _signed(self, signs: Any, **fields: Any) -> Self:
        """Return a copy whose coordinates change sign where the factor is -1: limits and rest change accordingly."""
        low = np.array([a if s > 0 else -b for a, b, s in zip(self.lower, self.upper, signs, strict=True)])
        high = np.array([b if s > 0 else -a for a, b, s in zip(self.lower, self.upper, signs, strict=True)])
        return self.changed(lower=low + 0.0, upper=high + 0.0, rest=self.rest * signs + 0.0, **fields)


def float_array(value: Any) -> np.ndarray:
    """Return a read-only array of floats or recording scalars. Integers become floats, so 1 and 1.0 are the same."""
    array = np.asarray(value)
    array = array.astype(float) if array.dtype.kind in "iub" else array
    if array.flags.writeable:
        array = array.copy()
        array.setflags(write=False)
    return array


def _all_equal(values: Any, number: float) -> bool:
    return all(isinstance(x, (int, float)) and x == number for x in np.asarray(values).ravel())
