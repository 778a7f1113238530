"""Functions of joint coordinates with exact derivatives, on which the axes of a `Custom` joint depend.

Each kind is closed under differentiation, so all derivatives are exact:

    polynomial   f = Σ c_m x₁^p_m1 x₂^p_m2 …                                                                      (1)
    piecewise    f = Σ c_kd (x - x_k)^d   in piece k of x                                                         (2)
    sine         f = c + s sin φ + r cos φ,   φ = φ₀ + Σ w_k x_k                                                  (3)

Pieces are those of `anthropi.algebra.piecewise`: piece 0 lies before the first knot, and piece k begins at knot k - 1.
Pieces 0 and 1 are both in powers of x minus the first knot.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from anthropi.algebra.piecewise import pick, piece_at
from anthropi.algebra.scalar import cos, polynomial, sin
from anthropi.errors import InputError

__all__ = ["CURVES", "Curve", "PiecewiseCurve", "PolynomialCurve", "SineCurve"]

MAX_POWER = 30  # of a coordinate in a polynomial


@dataclass(frozen=True, eq=False)
class Curve:
    """A function of n numbers. `arguments` is n."""

    @property
    def arguments(self) -> int:
        """Number of arguments n."""
        raise NotImplementedError

    def value(self, x: Sequence[Any]) -> Any:
        """Return f(x) of n numbers."""
        raise NotImplementedError

    def derivative(self, k: int) -> "Curve":
        """Return ∂f/∂x_k."""
        raise NotImplementedError

    @property
    def constant(self) -> float | None:
        """The value of a curve that does not depend on its arguments; None for other curves."""
        return None

    def rescaled(self, output: float, inputs: Sequence[float]) -> Self:
        """Return g with g(x) = output · f(x₁ / inputs₁, x₂ / inputs₂, …)."""
        raise NotImplementedError

    def fixed(self, k: int, x: float) -> "Curve":
        """Return the curve of the other arguments, with argument k at x."""
        if self.arguments == 1:
            return PolynomialCurve(((),), (float(self.value([x])),))
        raise NotImplementedError

    @cached_property
    def first(self) -> tuple["Curve", ...]:
        """The derivatives by each argument."""
        return tuple(self.derivative(k) for k in range(self.arguments))

    def at(self, x: Any) -> tuple[Any, Any, Any]:
        """Return f, f' and f″ of a function of one argument, as couplings need them."""
        slope = self.first[0]
        return self.value([x]), slope.value([x]), slope.first[0].value([x])

    def scaled(self, result: float, argument: float) -> Self:
        """Return the function x ↦ result · f(x / argument), as couplings need it."""
        return self.rescaled(result, (argument,))

    def rate(self, x: Sequence[Any], u: Sequence[Any]) -> Any:
        """Return f' = Σ ∂f/∂x_k u_k."""
        return sum((d.value(x) * u[k] for k, d in enumerate(self.first) if d.constant != 0.0), 0.0)

    def second(self, x: Sequence[Any], u: Sequence[Any]) -> Any:
        """Return Σ ∂²f/∂x_k∂x_l u_k u_l, the second derivative by time for constant rates u."""
        total: Any = 0.0
        for k, d in enumerate(self.first):
            for n, curve in enumerate(d.first[: k + 1]):
                if curve.constant != 0.0:
                    total = total + curve.value(x) * (u[k] * u[n]) * (1.0 if k == n else 2.0)
        return total


@dataclass(frozen=True, eq=False)
class PolynomialCurve(Curve):
    """A sum of products of powers (1).

    powers : for each term, the power of each argument. coefficients : (m,), one for each term.
    """

    powers: tuple[tuple[int, ...], ...]
    coefficients: Any

    def __post_init__(self) -> None:
        powers = tuple(tuple(int(p) for p in term) for term in self.powers)
        object.__setattr__(self, "powers", powers)
        object.__setattr__(self, "coefficients", _finite(self.coefficients, "coefficients of a polynomial", 1))
        if not powers or len(powers) != len(self.coefficients) or len({len(p) for p in powers}) != 1:
            raise InputError(
                f"A polynomial has {len(powers)} lists of powers and {len(self.coefficients)} coefficients. Give at "
                "least one term; each has a coefficient and a power for each coordinate."
            )
        if any(not 0 <= p <= MAX_POWER for term in powers for p in term):
            raise InputError(f"A polynomial has powers outside 0 to {MAX_POWER}. Give whole numbers in this range.")

    @staticmethod
    def of(*coefficients: float) -> "PolynomialCurve":
        """Return c₀ + c₁ x + c₂ x² + …"""
        return PolynomialCurve(tuple((p,) for p in range(len(coefficients))), coefficients)

    @property
    def arguments(self) -> int:
        """Number of arguments."""
        return len(self.powers[0])

    @cached_property
    def horner(self) -> tuple[float, ...]:
        """Coefficients of 1, x, x² … of a polynomial of one argument."""
        found = [0.0] * (1 + max(p for (p,) in self.powers))
        for (p,), c in zip(self.powers, self.coefficients.tolist(), strict=True):
            found[p] += c
        return tuple(found)

    @property
    def constant(self) -> float | None:
        """The value, if no term with a coefficient depends on an argument."""
        if any(c and any(p) for p, c in zip(self.powers, self.coefficients, strict=True)):
            return None
        return float(sum(c for p, c in zip(self.powers, self.coefficients, strict=True) if not any(p)))

    def value(self, x: Sequence[Any]) -> Any:
        """Return f(x) (1), by Horner's rule for one argument."""
        if self.constant is not None:
            return self.constant
        if self.arguments == 1:
            return polynomial(x[0], self.horner)
        total: Any = 0.0
        for powers, c in zip(self.powers, self.coefficients.tolist(), strict=True):
            for k, p in enumerate(powers):
                for _ in range(p):
                    c = c * x[k]
            total = total + c
        return total

    def derivative(self, k: int) -> "PolynomialCurve":
        """Return ∂f/∂x_k, term by term."""
        terms = [(p, c * p[k]) for p, c in zip(self.powers, self.coefficients, strict=True) if p[k]]
        if not terms:
            return PolynomialCurve(((0,) * self.arguments,), (0.0,))
        return PolynomialCurve(tuple((*p[:k], p[k] - 1, *p[k + 1 :]) for p, _ in terms), [c for _, c in terms])

    def rescaled(self, output: float, inputs: Sequence[float]) -> "PolynomialCurve":
        """Return the polynomial with scaled value and arguments."""
        shares = [math.prod(s**-p for s, p in zip(inputs, term, strict=True)) for term in self.powers]
        return replace(self, coefficients=self.coefficients * np.array(shares) * output)

    def fixed(self, k: int, x: float) -> "PolynomialCurve":
        """Return the polynomial of the other arguments."""
        shares = np.array([x ** p[k] for p in self.powers])
        return PolynomialCurve(tuple((*p[:k], *p[k + 1 :]) for p in self.powers), self.coefficients * shares)


@dataclass(frozen=True, eq=False)
class PiecewiseCurve(Curve):
    """Polynomials between knots, of one argument (2): splines, broken lines, steps.

    knots : (K,), increasing. coefficients : (K + 1, degree + 1), of 1, x - x_k, (x - x_k)² … in each piece.
    """

    knots: Any
    coefficients: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "knots", _finite(self.knots, "knots of a curve", 1))
        object.__setattr__(self, "coefficients", _finite(self.coefficients, "coefficients of a curve", 2))
        if not len(self.knots) or not (np.diff(self.knots) > 0.0).all():
            raise InputError("The knots of a curve must increase, and there must be at least one.")
        if len(self.coefficients) != len(self.knots) + 1 or not self.coefficients.shape[1]:
            raise InputError(
                f"A curve with {len(self.knots)} knots has {len(self.coefficients)} rows of coefficients. Give one row "
                "for each piece: one more than knots."
            )

    arguments = 1

    @property
    def constant(self) -> float | None:
        """The value, if it is the same in all pieces."""
        c = self.coefficients
        return float(c[0, 0]) if not c[:, 1:].any() and (c[:, 0] == c[0, 0]).all() else None

    def value(self, x: Sequence[Any]) -> Any:
        """Return f(x) (2)."""
        if self.constant is not None:
            return self.constant
        k = piece_at(self.knots, x[0])
        c = pick(self.coefficients, k)
        return polynomial(x[0] - pick(self._starts, k), list(c))

    @cached_property
    def _starts(self) -> np.ndarray:
        return np.concatenate([self.knots[:1], self.knots])

    def derivative(self, k: int) -> "PiecewiseCurve":
        """Return f', piece by piece."""
        c = self.coefficients
        return PiecewiseCurve(self.knots, c[:, 1:] * np.arange(1.0, c.shape[1]) if c.shape[1] > 1 else 0.0 * c)

    def rescaled(self, output: float, inputs: Sequence[float]) -> "PiecewiseCurve":
        """Return the pieces with scaled value and argument."""
        by = output * float(inputs[0]) ** -np.arange(self.coefficients.shape[1])
        return PiecewiseCurve(self.knots * inputs[0], self.coefficients * by)


@dataclass(frozen=True, eq=False)
class SineCurve(Curve):
    """A sine and a cosine of a linear function of the arguments (3).

    frequency : w (n,). phase : φ₀ [rad]. sine, cosine : s, r. offset : c.
    """

    frequency: Any
    phase: float = 0.0
    sine: float = 1.0
    cosine: float = 0.0
    offset: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "frequency", _finite(self.frequency, "frequencies of a sine", 1))
        for name in ("phase", "sine", "cosine", "offset"):
            object.__setattr__(self, name, float(_finite(getattr(self, name), f"{name} of a sine", 0)))

    @property
    def arguments(self) -> int:
        """Number of arguments."""
        return len(self.frequency)

    @property
    def constant(self) -> float | None:
        """The offset, if both amplitudes are 0."""
        return self.offset if self.sine == self.cosine == 0.0 else None

    def value(self, x: Sequence[Any]) -> Any:
        """Return f(x) (3)."""
        phase: Any = self.phase
        for w, own in zip(self.frequency.tolist(), x, strict=True):
            phase = phase + w * own
        return self.offset + self.sine * sin(phase) + self.cosine * cos(phase)

    def derivative(self, k: int) -> "SineCurve":
        """Return w_k (s cos φ - r sin φ)."""
        w = float(self.frequency[k])
        return SineCurve(self.frequency, self.phase, -w * self.cosine, w * self.sine)

    def rescaled(self, output: float, inputs: Sequence[float]) -> "SineCurve":
        """Return the sine with scaled value and arguments."""
        scaled = (output * getattr(self, name) for name in ("sine", "cosine", "offset"))
        return SineCurve(self.frequency / np.asarray(inputs), self.phase, *scaled)

    def fixed(self, k: int, x: float) -> "Curve":
        """Return the sine of the other arguments."""
        if self.arguments == 1:
            return super().fixed(k, x)
        return replace(self, frequency=np.delete(self.frequency, k), phase=self.phase + float(self.frequency[k]) * x)


CURVES: dict[str, type[Curve]] = {"polynomial": PolynomialCurve, "piecewise": PiecewiseCurve, "sine": SineCurve}


def _finite(values: Any, what: str, axes: int) -> np.ndarray:
    """Return a read-only array of finite floats with this number of axes, or raise `InputError`."""
    try:
        found = np.array(values, float)
    except (TypeError, ValueError):
        raise InputError(f"The {what} are {values!r:.80}. Give numbers.") from None
    if found.ndim != axes or not np.isfinite(found).all():  # floats only
        raise InputError(f"The {what} must be finite numbers in an array with {axes} axes; got {found.tolist()!s:.80}.")
    found.setflags(write=False)
    return found
