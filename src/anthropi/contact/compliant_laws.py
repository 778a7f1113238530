"""Force laws of one compliant contact: Hunt–Crossley normal force, and Coulomb friction of bristles.

Dissipation for a coefficient of restitution
    A body of mass m meets a Hunt–Crossley contact k xᵖ (1 + d x') at the speed v, under a constant acceleration a
    [m/s²]. The penetration x is 0 at both ends of the impact. The energy balance over the impact is

        W(x') + k/m xᵖ⁺¹/(p+1) = W(v) + a ∫ dx/(1 + d x'),   W(x') = ∫ x' dx'/(1 + d x')               (1)

    In units of v and of the length X = (m v²/k)^(1/(p+1)), with c = d v and γ = a X/v², it reads

        G(c) + γ Q(c) = 0,   G = W(1) - W(-e),   W(y) = (c y - log(1 + c y)) / c²                      (2)
        Q = -c ∫ ξ(y) / (1 + c y)² dy  over -e … 1,   ξ(y) = ((p+1) (W(1) - W(y)))^(1/(p+1))           (3)

    (3) is the last integral of (1) by parts, along the impact with a = 0. For a = 0, c is the root c₀ of G. It does
    not depend on k, p and m: c₀ is about 1.5 (1 - e) for e near 1 and 1/e for e near 0. To first order in γ, and
    positive for all γ,

        c = c₀ / (1 + c₁ γ),   c₁ = Q / (G' c₀)  at c₀                                                 (4)

Force laws
    With the penetration x, its rate x' = -v_n, the material k, p, d, μ, and the stretch z (2,) of bristles along the
    tangents,

        N = k xᵖ (1 + d x')   where x > 0 and 1 + d x' > 0, else 0                                     (5)
        T = -k_t s (z + r v_t),   s = min(1, μ N / (k_t |z + r v_t|))                                  (6)

    s < 1 means sliding: the bristles yield, z ← s z, and T lies on the friction cone. Over a step h the force is
    N - B (v⁺ - v), with

        damped    N at x + h x',   h B_n = h² ∂N/∂x + h d k xᵖ                     each step dissipates (7)
        bouncing  N as the mean over x ± h x'/2 (two Gauss points),
                  h B_n = h² b ∂N/∂x + h d k xᵖ                                the spring is conservative (8)
        bristles  z ← z + h v,  T = -k_t s (z + (h + r) v_t),
                  h B_t = max(½ H, H - m_t),   H = h (h + r) k_t s                                     (9)
        links     explicit, with ∂N/∂x, d k xᵖ and k_t bounded by `LINK_LIMITS` times m/h², m/h, m/h²  (10)
        whole     as (10) with the bounds `WHOLE` and 10 k, N at x + h x', and without bristles
                  T = -v_t min(μ N / |v_t|, 0.1 m / h)                                                 (12)

    With (8) the map of a linear spring has determinant 1. It is stable for any h where b ≥ 1/4, and most accurate
    where b = 1/12; b is therefore 1/12, raised where a body of an eighth of the link's mass requires it. The
    dissipation d of a bouncing contact is c(e) over the impact speed, which is kept in memory while the contact lasts.

    B_t of (9) is the secant of (6). With the whole secant, friction never reverses a motion, but the friction force is
    too small by h v'/v on a body that slides to a stop. With half the secant (friction at the middle of the step) it is
    right. h B_t is therefore half the secant, or more if the other half exceeds m_t, a small share of the link's mass.
    Only above m_t could friction reverse the motion.

    A damper that would stop the link within the step does not exert D x', with D = d k xᵖ, until the end of the step.
    Friction and the sensed force therefore use the force that acts on m, a share of the link's mass,

        N_μ = min(N, k xᵖ + max(x', 0) D m / (m + h D))                                                (11)

    (12) is the law of a whole link on a surface (`geometry/link_spheres.py`). It has no memory and adds no inertia to
    the link, so that it is fast, and a link that does not touch adds exactly zero. It is stiffer than a sole, because a
    person who falls must not sink in. A body that lies on a slope slides slowly.

    The force over a step is a line in v⁺, which becomes negative before the force (5) is 0. With B_open it is 0 where
    the contact opens, at x + h x' = 0 or 1 + d x' = 0, and not negative before (`simulation/unilateral.py`):

        h B_open = max(h² N / (x + h x'), h d k xᵖ)                                                     (13)

Reference: K. H. Hunt and F. R. E. Crossley, "Coefficient of restitution interpreted as damping in vibroimpact",
J. Appl. Mech. 42 (1975) 440, doi:10.1115/1.3423596.
"""

import math
from functools import cache
from math import cos, pi
from typing import Any, NamedTuple

from anthropi.algebra.scalar import (
    Array,
    equal,
    exp,
    is_constant_zero,
    less,
    log,
    maximum,
    minimum,
    records,
    sqrt,
    where,
)

__all__ = [
    "LINK_LIMITS",
    "Bounce",
    "FrictionForce",
    "NormalForce",
    "bounce",
    "bouncing",
    "damped",
    "dissipation_of",
    "friction",
    "limited",
    "potential",
    "power",
    "whole_link",
]


QUADRATURE_POINTS = 400  # for the integral (3)


class Bounce(NamedTuple):
    """Coefficients c₀ and c₁ of equation (4), which relate the dissipation of a contact to its restitution."""

    c0: float
    c1: float


def bounce(restitution: Array, exponent: float = 1.5) -> Bounce:
    """Compute the coefficients of equation (4) for a restitution 0 < e ≤ 1; c₁ is 0 if e is a recorded scalar."""
    if records(restitution):
        return Bounce(dissipation_of(restitution), 0.0)
    return _bounce(float(restitution), float(exponent))


def dissipation_of(e: Array) -> Any:
    """Compute c₀, the root of G in equation (2), for a restitution e, by bisection.

    The unknown is s = e c in (0, 1). The function (1 + c) exp(-(1 + e) c) - (1 - s) changes its sign
    once in this interval.
    """
    low, high = 0.0 * e, 0.0 * e + 1.0
    for _ in range(24 if records(e) else 60):
        s = 0.5 * (low + high)
        c = s / e
        over = less(0.0, (1.0 + c) * exp(-(1.0 + e) * c) - (1.0 - s))
        low, high = where(over, low, s), where(over, s, high)
    return 0.5 * (low + high) / e


@cache
def _bounce(e: float, p: float) -> Bounce:
    """Compute the coefficients of equation (4) for a restitution e and an exponent p, both plain floats."""
    c0 = float(dissipation_of(e))
    if not 1e-6 < c0 < 1e3:
        return Bounce(c0 if e < 1.0 else 0.0, 0.0)
    step = 1e-5 * c0
    slope = (_loss(c0 + step, e) - _loss(c0 - step, e)) / (2.0 * step)
    return Bounce(c0, _gravity_term(c0, e, p) / (slope * c0))  # (4)


def _work(c: float, y: float) -> float:
    """Compute W(y) of equation (2)."""
    return (c * y - math.log(1.0 + c * y)) / (c * c)


def _loss(c: float, e: float) -> float:
    """Compute G(c) of equation (2)."""
    return _work(c, 1.0) - _work(c, -e)


def _gravity_term(c: float, e: float, p: float) -> float:
    """Compute Q(c) of equation (3) by the midpoint rule in φ, with y = middle + half cos φ.

    This substitution gives the ends of the interval little weight.
    """
    half, middle, total = 0.5 * (1.0 + e), 0.5 * (1.0 - e), 0.0
    for k in range(QUADRATURE_POINTS):
        angle = (k + 0.5) * pi / QUADRATURE_POINTS
        y = middle + half * cos(angle)
        left = max(_work(c, 1.0) - _work(c, y), 0.0)
        xi = ((p + 1.0) * left) ** (1.0 / (p + 1.0))
        total += xi / (1.0 + c * y) ** 2 * (1.0 - cos(angle) ** 2) ** 0.5
    return -c * total * half * pi / QUADRATURE_POINTS


MIN_STRETCH = 1e-9  # [m] stretch below which bristles have no direction
MIN_IMPACT_SPEED = 0.01  # [m/s] slower impacts dissipate as if they were this fast
MIN_WHOLE_STEP = 1e-3  # [s] shortest h in (12), also used by methods with several stages
GAUSS_POINT = 0.5 * 3.0**-0.5  # the positive one of two Gauss points on (-1/2, 1/2)


class LinkLimits(NamedTuple):
    """Upper bounds (10) of stiffness, damping and friction stiffness of one contact point between two links.

    They are factors of m/h², m/h and m/h², with the mass m and the time step h. There may be many such points.
    """

    stiffness: float = 0.05
    damping: float = 0.05
    friction: float = 0.02


LINK_LIMITS = LinkLimits()


class WholeLimits(NamedTuple):
    """Numbers of (12): factor of the stiffness of a feature, and bounds as in `LinkLimits`, of the mass of the link."""

    stiffer: float = 10.0
    stiffness: float = 0.3
    damping: float = 0.3
    friction: float = 0.1


WHOLE = WholeLimits()


class NormalForce(NamedTuple):
    """Normal force of a contact over a step.

    n : normal force N [N]. h_b : h B_n [kg], the step times the derivative of the force with respect to velocity.
    friction_load : [N] normal force N_μ of equation (11), used for friction. h_b_open : [kg] h B_open of equation (13).
    impact_speed : [m/s] of a contact with restitution, 0 while the contact is open; None if no speed is stored.
    """

    n: Any
    h_b: Any
    friction_load: Any
    h_b_open: Any = 0.0
    impact_speed: Any = None


class FrictionForce(NamedTuple):
    """Friction force of a contact over a step.

    t : force T (2,) [N] along the tangents. h_b : h B_t [kg], the step times the derivative of the force with respect
    to velocity. z : stretch (2,) [m] of the bristles after the step.
    """

    t: tuple[Any, ...]
    h_b: Any
    z: tuple[Any, ...]


def damped(gap: Array, v_n: Array, k: Any, p: float, d: Array, h: Array, mass: Array) -> NormalForce:
    """Compute the normal force of a contact without restitution, by equations (5), (7) and (11) of this module.

    Parameters
    ----------
    gap, v_n : [m], [m/s] distance and relative velocity along the normal.
    k, p, d : stiffness [N/mᵖ], exponent, dissipation [s/m].
    h : [s] time step; 0 for the explicit force.
    mass : [kg] mass m in equation (11).
    """
    y, g = -(gap + h * v_n), 1.0 - d * v_n
    active = less(0.0, y) & less(0.0, g)
    x, k = where(active, y, 1.0), where(active, k, 0.0)
    slope = k * power(x, p - 1.0)  # ∂N/∂x divided by p g
    elastic = slope * x
    n, damper = elastic * g, (h * d) * elastic
    friction_load = n
    if not is_constant_zero(h):
        friction_load = minimum(n, elastic - minimum(v_n, 0.0) * (damper * (mass / h) / (mass + damper)))  # (11)
    stiff = (h * h) * (slope * g)
    return NormalForce(n, p * stiff + damper, friction_load, maximum(stiff, damper))  # (7), (13)


def bouncing(
    gap: Array,
    v_n: Array,
    k: Any,
    p: float,
    d: Array,
    h: Array,
    mass: Array,
    impact_speed: Array = None,
    c: Array = None,
) -> NormalForce:
    """Compute the normal force of a contact with restitution or with a given dissipation, by equations (5) and (8).

    d : dissipation [s/m]; None if c and the impact speed are given.
    impact_speed : [m/s] from memory.
    c : (c₀, c₁ γ v^(2p/(p+1))) of equation (4).
    mass : [kg] of the link, for b in equation (8). The other parameters are those of `damped`.
    """
    reach = GAUSS_POINT * h * v_n
    ends = (-gap - reach, -gap + reach)
    closed = less(0.0, maximum(*ends))
    if c is not None:
        d, impact_speed = impact_dissipation(closed, v_n, p, impact_speed, c)
    g = 1.0 - d * v_n
    active = closed & less(0.0, g)
    slope = elastic = 0.0
    for y in ends:
        inside = active & less(0.0, y)
        x, half = where(inside, y, 1.0), where(inside, 0.5 * k, 0.0)
        own = half * power(x, p - 1.0)
        slope, elastic = slope + own, elastic + own * x
    stiff = (p * h * h) * (slope * g)
    lift = stiff * (1.0 / 12.0)
    if mass is not None:
        lift = maximum(lift, 0.25 * stiff - 0.125 * mass)
    n, damper = elastic * g, (h * d) * elastic
    h_b = lift + damper
    return NormalForce(n, h_b, n, minimum(h_b, maximum((h * h) * (slope * g), damper)), impact_speed)  # (8), (13)


def impact_dissipation(closed: Array, v_n: Array, p: float, impact_speed: Array, c: Array) -> tuple[Any, Any]:
    """Compute the dissipation d [s/m] by equation (4), and the impact speed [m/s] to store in memory.

    closed : mask, whether the contact is closed. impact_speed : stored value, 0 at first contact. c : see `bouncing`.
    """
    held = where(equal(impact_speed, 0.0), maximum(-v_n, MIN_IMPACT_SPEED), impact_speed)
    slower = held if is_constant_zero(c[1]) else held + c[1] * power(held, (1.0 - p) / (1.0 + p))
    return c[0] / slower, where(closed, held, 0.0)


def limited(
    gap: Array,
    v_n: Array,
    k: Any,
    p: float,
    d: Array,
    h: Array,
    mass: Array,
    impact_speed: Array = None,
    c: Array = None,
) -> NormalForce:
    """Compute the explicit normal force between two links, by equations (5) and (10). Parameters as in `bouncing`."""
    active = less(gap, 0.0)
    if c is not None:
        d, impact_speed = impact_dissipation(active, v_n, p, impact_speed, c)
    x, k = where(active, -gap, 1.0), where(active, k, 0.0)
    elastic = k * power(x, p - 1.0) * x
    n = (
        minimum(elastic, LINK_LIMITS.stiffness * mass / (h * h) * x)
        - minimum(d * elastic, LINK_LIMITS.damping * mass / h) * v_n
    )
    n = where(active, maximum(n, 0.0), 0.0)
    return NormalForce(n, 0.0, n, 0.0, impact_speed)


def whole_link(
    gap: Array, v_n: Array, across: Array, k: Any, p: float, d: Array, mu: Array, h: Array, mass: Array
) -> tuple[Any, tuple[Any, Any]]:
    """Compute the normal force [N] and the friction force (2,) [N] of a whole link on a surface, by equation (12).

    across : (2,) [m/s] relative velocity along the tangents. mass : [kg] of the link. Others as in `damped`.
    """
    y, step = -(gap + h * v_n), maximum(h, MIN_WHOLE_STEP)
    active = less(0.0, y)
    x, k = where(active, y, 1.0), where(active, WHOLE.stiffer * k, 0.0)
    elastic = k * power(x, p - 1.0) * x
    n = minimum(elastic, (WHOLE.stiffness * mass / (step * step)) * x)
    n = maximum(n - v_n * minimum(d * elastic, WHOLE.damping * mass / step), 0.0)
    speed = sqrt(across[0] * across[0] + across[1] * across[1] + MIN_STRETCH * MIN_STRETCH)
    drag = minimum(mu * n / speed, WHOLE.friction * mass / step)
    return n, (-drag * across[0], -drag * across[1])


def friction(
    n: Array, speed: Array, z: Array, mu: Array, k_t: Array, h: Array, r: Array, explicit_mass: Array = 0.0
) -> FrictionForce:
    """Compute the friction force of a contact, by equations (6) and (9) of this module.

    Parameters
    ----------
    n : [N] normal force that presses the surfaces together.
    speed : (2,) [m/s] relative velocity along the tangents.
    z : (2,) [m] stretch of the bristles.
    mu, k_t, r : coefficient of friction, stiffness [N/m] and relaxation time [s] of the bristles.
    h : [s] time step.
    explicit_mass : [kg] mass m_t in equation (9).
    """
    z = tuple(a + h * v for a, v in zip(z, speed, strict=True))
    reach = h + r
    y = tuple(a + reach * v for a, v in zip(z, speed, strict=True))
    length = sqrt(y[0] * y[0] + y[1] * y[1] + MIN_STRETCH * MIN_STRETCH)
    s = minimum(1.0, (mu / k_t) * n / length)  # (6)
    secant = k_t * s
    whole = (h * reach) * secant
    t = (-secant * y[0], -secant * y[1])
    return FrictionForce(t, maximum(0.5 * whole, whole - explicit_mass), (s * z[0], s * z[1]))


def potential(gap: Array, k: Any, p: float, max_stiffness: Array = None) -> Any:
    """Compute the energy ∫ k xᵖ dx [J] of the normal spring.

    With max_stiffness [N/m], the integrand is min(k xᵖ, max_stiffness x).
    """
    x = maximum(-gap, 0.0)
    soft = x if max_stiffness is None or p == 1.0 else minimum(x, power(max_stiffness / k, 1.0 / (p - 1.0)))
    total = k / (p + 1.0) * (soft * soft * power(maximum(soft, 1e-30), p - 1.0))
    return total if soft is x else total + 0.5 * max_stiffness * (x * x - soft * soft)


def power(x: Array, p: float) -> Any:
    """Compute xᵖ for x > 0."""
    if p == 0.0:
        return 1.0
    if p == 0.5:
        return sqrt(x)
    if p == 1.0:
        return x
    return exp(p * log(x))
