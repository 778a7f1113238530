"""Integration methods as data, and one step of each on the manifold of configurations.

To add a Runge–Kutta method, add an entry to `METHODS`. `step.py` handles each kind of method.

    Runge–Kutta       y⁺ = y + h Σ b_i k_i,  k_i = f(t + c_i h, y + h Σ a_ij k_j)                    (1)
    embedded error    h Σ (b_i - b̂_i) k_i                                                            (2)
    dense output      y(t + s h) = y + h Σ b_i(s) k_i,  b_i(s) = Σ_j B_ij s^j,  j = 1 …               (3)

Sources: rk4: Kutta 1901. rk6: Butcher, J. Austral. Math. Soc. 4 (1964) 179. rk8: Cooper and Verner, SIAM J. Numer.
Anal. 9 (1972) 389, eleven stages in √21. dormand_prince: Dormand and Prince, J. Comp. Appl. Math. 6 (1980) 19 with
Shampine's dense output (Math. Comp. 46 (1986) 135; Hairer, Nørsett, Wanner, Solving ODEs I, II.6). The tests check all
order conditions: 200 trees for rk8, and the 8 trees of (3) as polynomials in s.

Runge–Kutta–Munthe-Kaas: within a step the configuration is q0 ⊞ θ with θ in a vector space, and

    θ' = lift(θ, u),   u' = udot(t, q0 ⊞ θ, u)                                 (4)

is an ordinary differential equation. Any Runge–Kutta method solves it to its full order, since `lift` is exact
(θ' = G_b(θ) ω for rotations: docs/equations/rotations.md, K.15). Semi-implicit Euler needs no stages:

    u⁺ = u + h udot(t, q, u),   q⁺ = q ⊞ h u⁺                                  (5)
"""

import math
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import InputError, did_you_mean

__all__ = [
    "METHODS",
    "SemiImplicit",
    "Tableau",
    "Variational",
    "method",
    "runge_kutta",
    "runge_kutta_in_time",
    "semi_implicit_euler",
    "stages",
    "weighted",
]


class Tableau(NamedTuple):
    """An explicit Runge–Kutta method: rows of A, weights b and nodes c.

    embedded : weights of the method of lower order, for adaptive steps. dense : coefficients B of dense output (3).
    """

    name: str
    order: int
    A: tuple[tuple[float, ...], ...]
    b: tuple[float, ...]
    c: tuple[float, ...]
    embedded: tuple[float, ...] = ()
    dense: tuple[tuple[float, ...], ...] = ()

    @property
    def needed(self) -> tuple[int, ...]:
        """Numbers of the stages that a step needs: those with a weight, and those on which they depend."""
        found = {i for i, w in enumerate(self.b) if w}
        for i in reversed(range(len(self.b))):
            if i in found:
                found |= {j for j, a in enumerate(self.A[i]) if a}
        return tuple(sorted(found))


class SemiImplicit(NamedTuple):
    """The semi-implicit Euler method. implicit : whether springs, dampers and contacts act at the end of the step."""

    name: str
    order: int = 1
    implicit: bool = False


class Variational(NamedTuple):
    """The variational midpoint rule. passes : largest number of iterations to solve its equation."""

    name: str
    order: int = 2
    passes: int = 50


EULER = Tableau("euler", 1, ((),), (1.0,), (0.0,))
MIDPOINT = Tableau("midpoint", 2, ((), (0.5,)), (0.0, 1.0), (0.0, 0.5))
RK4 = Tableau(
    "rk4",
    4,
    ((), (0.5,), (0.0, 0.5), (0.0, 0.0, 1.0)),
    (1 / 6, 1 / 3, 1 / 3, 1 / 6),
    (0.0, 0.5, 0.5, 1.0),
)
RK6 = Tableau(
    "rk6",
    6,
    (
        (),
        (1 / 3,),
        (0.0, 2 / 3),
        (1 / 12, 1 / 3, -1 / 12),
        (-1 / 16, 9 / 8, -3 / 16, -3 / 8),
        (0.0, 9 / 8, -3 / 8, -3 / 4, 1 / 2),
        (9 / 44, -9 / 11, 63 / 44, 18 / 11, 0.0, -16 / 11),
    ),
    (11 / 120, 0.0, 27 / 40, 27 / 40, -4 / 15, -4 / 15, 11 / 120),
    (0.0, 1 / 3, 2 / 3, 1 / 3, 1 / 2, 1 / 2, 1.0),
)
_r = math.sqrt(21.0)
RK8 = Tableau(
    "rk8",
    8,
    (
        (),
        (1 / 2,),
        (1 / 4, 1 / 4),
        (1 / 7, (-7 - 3 * _r) / 98, (21 + 5 * _r) / 49),
        ((11 + _r) / 84, 0.0, (18 + 4 * _r) / 63, (21 - _r) / 252),
        ((5 + _r) / 48, 0.0, (9 + _r) / 36, (-231 + 14 * _r) / 360, (63 - 7 * _r) / 80),
        ((10 - _r) / 42, 0.0, (-432 + 92 * _r) / 315, (633 - 145 * _r) / 90, (-504 + 115 * _r) / 70,
         (63 - 13 * _r) / 35),
        (1 / 14, 0.0, 0.0, 0.0, (14 - 3 * _r) / 126, (13 - 3 * _r) / 63, 1 / 9),
        (1 / 32, 0.0, 0.0, 0.0, (91 - 21 * _r) / 576, 11 / 72, (-385 - 75 * _r) / 1152, (63 + 13 * _r) / 128),
        (1 / 14, 0.0, 0.0, 0.0, 1 / 9, (-733 - 147 * _r) / 2205, (515 + 111 * _r) / 504, (-51 - 11 * _r) / 56,
         (132 + 28 * _r) / 245),
        (0.0, 0.0, 0.0, 0.0, (-42 + 7 * _r) / 18, (-18 + 28 * _r) / 45, (-273 - 53 * _r) / 72, (301 + 53 * _r) / 72,
         (28 - 28 * _r) / 45, (49 - 7 * _r) / 18),
    ),
    (1 / 20, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 49 / 180, 16 / 45, 49 / 180, 1 / 20),
    (0.0, 1 / 2, 1 / 2, (7 + _r) / 14, (7 + _r) / 14, 1 / 2, (7 - _r) / 14, (7 - _r) / 14, 1 / 2, (7 + _r) / 14, 1.0),
)  # fmt: skip
DORMAND_PRINCE = Tableau(
    "dormand_prince",
    5,
    (
        (),
        (1 / 5,),
        (3 / 40, 9 / 40),
        (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
        (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
    ),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0.0),
    (0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0),
    (5179 / 57600, 0.0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40),
    (
        (1.0, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432),
        (0.0, 0.0, 0.0, 0.0),
        (0.0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799),
        (0.0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072),
        (0.0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632),
        (0.0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844),
        (0.0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423),
    ),
)
METHODS: dict[str, Tableau | SemiImplicit | Variational] = {
    method.name: method
    for method in (
        SemiImplicit("semi_implicit_euler"),
        SemiImplicit("linearly_implicit_euler", implicit=True),
        Variational("variational"),
        EULER,
        MIDPOINT,
        RK4,
        RK6,
        RK8,
        DORMAND_PRINCE,
    )
}


def method(name: Any) -> Any:
    """Return the integration method with this name; a method object is returned unchanged."""
    if isinstance(name, (Tableau, SemiImplicit, Variational)):
        return name
    if not isinstance(name, str) or name not in METHODS:
        raise InputError(f"No method '{name}'.{did_you_mean(str(name), METHODS)} Methods: {', '.join(METHODS)}.")
    return METHODS[name]


def semi_implicit_euler(figure: Any, acceleration: Any, q: Any, u: Any, h: Any) -> Any:
    """Make one first-order step of h [s] by semi-implicit Euler. Returns (q⁺, u⁺).

    acceleration : function (q, u) → udot (nu,).
    """
    u = u + h * acceleration(q, u)
    return figure.integrate(q, h * u), u


def runge_kutta(figure: Any, acceleration: Any, q: Any, u: Any, h: Any, method: Tableau = RK4) -> Any:
    """Make one step of h [s] by a Runge–Kutta–Munthe-Kaas method. Returns (q⁺, u⁺).

    acceleration : function (q, u) → udot (nu,).
    """
    return runge_kutta_in_time(figure, lambda _, q, u: acceleration(q, u), 0.0, q, u, h, method)


def runge_kutta_in_time(figure: Any, rate: Any, t: Any, q: Any, u: Any, h: Any, method: Tableau) -> Any:
    """Make one Runge–Kutta step of h [s] from time t, for rate(t, q, u) → udot (nu,). Returns (q⁺, u⁺)."""
    theta, change = weighted(method.b, stages(figure, rate, t, q, u, h, method, method.needed), figure.nu, h)
    return figure.integrate(q, theta), u + change


def stages(
    figure: Any, rate: Any, t: Any, q: Any, u: Any, h: Any, method: Tableau, which: Any, first: Any = None
) -> dict[Any, Any]:
    """Compute the derivatives {stage: (θ', u')} at the stages of a Runge–Kutta step.

    rate : function (t, q, u) → udot. which : numbers of the stages to compute, in order, including all stages on which
    they depend. first : udot at (t, q, u) if it is known, else None.
    """
    slopes: dict[int, tuple[Any, ...]] = {}
    for i in which:
        if not any(method.A[i]):
            slopes[i] = (u, rate(t, q, u) if first is None else first)
            continue
        theta, change = weighted(method.A[i], slopes, figure.nu, h)
        speed = u + change
        udot = rate(t + method.c[i] * h, figure.integrate(q, theta), speed)
        slopes[i] = (figure.lift(theta, speed), udot)
    return slopes


def weighted(weights: Any, slopes: dict[Any, Any], size: int, h: Any) -> Any:
    """Compute the weighted sums h Σ w θ' and h Σ w u' over the stages of a step."""
    totals = [np.zeros(size), np.zeros(size)]
    for i, w in enumerate(weights):
        if w:
            totals = [total + w * slope for total, slope in zip(totals, slopes[i], strict=True)]
    return h * totals[0], h * totals[1]
