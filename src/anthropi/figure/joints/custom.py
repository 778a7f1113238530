"""Custom joint: rotations about axes and translations along axes by functions of the joint's coordinates.

With unit axes a_i, angles θ_i(q) of successive rotations, axes b_j and translations t_j(q) in the joint frame,

    C = R₁ R₂ …,   R_i = exp(θ_i a_i×),   p = Σ b_j t_j                                                           (1)
    ω_i = R_iᵀ ω_{i-1} + a_i θ_i',   v = Cᵀ Σ b_j t_j'                                                            (2)
    ε_i = R_iᵀ ε_{i-1} + ω_i × a_i θ_i' + a_i θ_i''                                                               (3)
    v' = Cᵀ Σ b_j t_j'' - ω × v                                                                                   (4)

θ' = Σ ∂θ/∂q_k u_k, and θ'' = Σ ∂²θ/∂q_k∂q_l u_k u_l in the bias. The columns of S follow from (2) with unit
velocities. The knee of most musculoskeletal models is such a joint: one angle, and translations by splines of it.

Source: A. Seth, M. Sherman, P. Eastman, S. Delp, Minimal formulation of joint motion for biomechanisms, Nonlinear
Dynamics 62 (2010) 291–303; (3) is docs/equations/joint_motion.md, section 7, for rotations.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from anthropi.algebra.linear import cross, matvec, transpose
from anthropi.algebra.spatial import Transform
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.joints.axial import about, unit_axis
from anthropi.figure.joints.base import Joint
from anthropi.figure.joints.curves import Curve
from anthropi.figure.joints.derived import MIRROR
from anthropi.figure.joints.interface import Array

__all__ = ["Custom", "CustomAxis"]

MAX_AXES = 24  # rotations, or translations, of one joint


@dataclass(frozen=True, eq=False)
class CustomAxis:
    """A rotation about an axis, or a translation along it, by a function of coordinates.

    axis : (3,) in the joint frame, or "x", "-y" …; scaled to unit length. curve : the angle [rad] or length [m].
    of : names of the coordinates that are the arguments of the curve.
    """

    axis: Any
    curve: Curve
    of: tuple[str, ...] | str = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", unit_axis(self.axis, "custom"))
        object.__setattr__(self, "of", (self.of,) if isinstance(self.of, str) else tuple(self.of))
        if not isinstance(self.curve, Curve) or self.curve.arguments != len(self.of):
            count = self.curve.arguments if isinstance(self.curve, Curve) else "no curve"
            raise InputError(f"An axis of a custom joint has {len(self.of)} coordinates and a curve of {count}.")


@dataclass(frozen=True, eq=False, kw_only=True)
class Custom(Joint):
    """Rotations and translations by functions of the coordinates.

    coordinate_names : names of the n coordinates. They are suffixes of the names of the degrees of freedom.
    rotations : successive rotations, each about its axis in the frame after the ones before (1).
    translations : translations along axes in the joint frame (1).
    lengths : which coordinates are lengths [m]; by default none, all are angles [rad].
    """

    coordinate_names: tuple[str, ...] = ()
    rotations: tuple[CustomAxis, ...] = ()
    translations: tuple[CustomAxis, ...] = ()
    lengths: Any = ()  # type: ignore[misc]  # other kinds have it for the whole class
    kind = "custom"

    def __post_init__(self) -> None:
        names = tuple(self.coordinate_names)
        if not names or len(set(names)) < len(names) or not all(isinstance(n, str) and n for n in names):
            raise InputError(
                f"Custom joint '{self.name}' has coordinates {list(names)}. Give at least one, each with its own name."
            )
        lengths = tuple(bool(long) for long in self.lengths) or (False,) * len(names)
        if len(lengths) != len(names):
            raise InputError(f"Custom joint '{self.name}' has {len(names)} coordinates and {len(lengths)} lengths.")
        given = {"rotations": tuple(self.rotations), "translations": tuple(self.translations)}
        for name, value in (("coordinate_names", names), ("suffixes", names), ("nq", len(names)), ("nu", len(names)),
                            ("lengths", lengths), *given.items()):  # fmt: skip
            object.__setattr__(self, name, value)
        for what, axes in given.items():
            if len(axes) > MAX_AXES:
                raise InputError(f"Custom joint '{self.name}' has {len(axes)} {what}. Give at most {MAX_AXES}.")
            for unknown in (name for axis in axes for name in axis.of if name not in names):
                raise InputError(
                    f"The {what} of custom joint '{self.name}' depend on '{unknown}', which is not one of its "
                    f"coordinates.{did_you_mean(unknown, names)} Coordinates: {', '.join(names)}."
                )
        super().__post_init__()

    def _of(self, axis: CustomAxis, values: Array) -> list[Any]:
        """Return the entries of values (n,) that belong to the arguments of an axis."""
        return [values[self.coordinate_names.index(name)] for name in axis.of]

    def _sum(self, terms: list[tuple[CustomAxis, Any]]) -> Array:
        """Return Σ b_j x_j (3,) of translations and numbers."""
        total: Any = np.zeros(3)
        for along, x in terms:
            total = total + along.axis * x
        return total

    def _rotation(self, q: Array) -> Array:
        C: Any = np.eye(3)
        for turn in self.rotations:
            C = C @ about(turn.axis, turn.curve.value(self._of(turn, q)))  # (1)
        return C

    def transform(self, q: Array) -> Transform:
        """Return the product of the rotations, and the sum of the translations (1)."""
        values = [(along, along.curve.value(self._of(along, q))) for along in self.translations]
        return Transform(self._rotation(q), self._sum(values))

    def subspace(self, q: Array) -> Array:
        """Return the motion subspace S: spin and velocity (2) for unit velocities."""
        back = transpose(self._rotation(q))
        zero: Any = np.zeros(3)
        spins, slides = [zero] * self.nu, [zero] * self.nu
        for turn in self.rotations:
            x = self._of(turn, q)
            R = transpose(about(turn.axis, turn.curve.value(x)))
            spins = [w if w is zero else matvec(R, w) for w in spins]  # (2)
            for name, slope in zip(turn.of, turn.curve.first, strict=True):
                if slope.constant != 0.0:
                    k = self.coordinate_names.index(name)
                    spins[k] = spins[k] + turn.axis * slope.value(x)
        for along in self.translations:
            x = self._of(along, q)
            for name, slope in zip(along.of, along.curve.first, strict=True):
                if slope.constant != 0.0:
                    k = self.coordinate_names.index(name)
                    slides[k] = slides[k] + along.axis * slope.value(x)
        columns = [np.concatenate([w, v if v is zero else matvec(back, v)]) for w, v in zip(spins, slides, strict=True)]
        return np.stack(columns, axis=1)

    def bias(self, q: Array, u: Array) -> Array:
        """Return the bias c = S' u, (3) and (4)."""
        spin, rate = self._spin_and_bias(q, u)
        back = transpose(self._rotation(q))
        v, a = matvec(back, self.slide(q, u)), matvec(back, self._slide_bias(q, u))
        return np.concatenate([rate, a - cross(spin, v)])

    def _spin_and_bias(self, q: Array, u: Array) -> tuple[Array, Array]:
        """Return the angular velocity (2) and its derivative at u' = 0 (3), in the child frame."""
        spin: Any = np.zeros(3)
        rate: Any = np.zeros(3)
        for n, turn in enumerate(self.rotations):
            x, own_u = self._of(turn, q), self._of(turn, u)
            own = turn.axis * turn.curve.rate(x, own_u)
            if n:
                R = transpose(about(turn.axis, turn.curve.value(x)))
                spin, rate = matvec(R, spin), matvec(R, rate)
            rate = rate + cross(spin, own) + turn.axis * turn.curve.second(x, own_u)  # (3)
            spin = spin + own  # (2)
        return spin, rate

    def spin(self, q: Array, u: Array) -> Array:
        """Return the angular velocity (2)."""
        return self._spin_and_bias(q, u)[0]

    def slide(self, q: Array, u: Array) -> Array:
        """Return the velocity Σ b_j t_j' of the origin, in the joint frame."""
        return self._sum([(t, t.curve.rate(self._of(t, q), self._of(t, u))) for t in self.translations])

    def slide_rate(self, q: Array, u: Array, udot: Array) -> Array:
        """Return the acceleration Σ b_j t_j'' of the origin, in the joint frame."""
        return self._slide_bias(q, u) + self.slide(q, udot)

    def _slide_bias(self, q: Array, u: Array) -> Array:
        return self._sum([(t, t.curve.second(self._of(t, q), self._of(t, u))) for t in self.translations])

    def mirrored(self, like: Joint | None = None) -> tuple[Joint, np.ndarray, np.ndarray]:
        """Return the joint about -M a_i and along M b_j, with the same coordinates; M = diag(1, -1, 1)."""
        turns = tuple(replace(turn, axis=-MIRROR * turn.axis + 0.0) for turn in self.rotations)
        slides = tuple(replace(along, axis=MIRROR * along.axis + 0.0) for along in self.translations)
        return self.changed(rotations=turns, translations=slides), np.ones(self.nq), np.ones(self.nu)

    def scaled(self, factor: float) -> Joint:
        """Return the joint with scaled translations, and with scaled coordinates where they are lengths."""
        sizes = {n: factor if long else 1.0 for n, long in zip(self.coordinate_names, self.lengths, strict=True)}

        def axis(x: CustomAxis, output: float) -> CustomAxis:
            return replace(x, curve=x.curve.rescaled(output, [sizes[name] for name in x.of]))

        turns = tuple(axis(turn, 1.0) for turn in self.rotations)
        return (
            super()
            .scaled(factor)
            .changed(rotations=turns, translations=tuple(axis(along, factor) for along in self.translations))
        )
