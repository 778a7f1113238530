"""Forces of the determinants of gait on the dynamics: limits that act outside their range, by torques within the body.

The left axis y (3,) of the pelvis in the world gives its rotation and its tilt, h² = y₁² + y₂²:

    ψ = atan2(-y₁, y₂),  y from the heading;  ψ' = a_ψ·ω,   a_ψ = (-y₁ y₃, -y₂ y₃, h²) / h²             (1)
    θ = atan2(y₃, h),               θ' = a_θ·ω,   a_θ = (y₂, -y₁, 0) / h                                (2)
    F = F(x - lower, x') - F(upper - x, -x')     the law of joint limits (springs.py), its zone past the limit (3)
    T = F_ψ a_ψ + F_θ a_θ on the pelvis, -T on the stance thigh, or on the trunk                        (4)
    τ_k = T·(∂ω_pelvis/∂u_k - ∂ω_other/∂u_k)     only joints between the two: momentum is kept          (5)
    τ = row F of a knee's flexion                                                                       (6)

(4) with the thigh acts like the abductors and rotators of the hip. `stance` is the share α of the left leg: it takes α
of -T, and the limits of its knee are α those of stance and 1 - α those of swing. Pure; all of it records.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from anthropi.algebra.linear import matvec
from anthropi.algebra.scalar import atan2, cos, is_constant_zero, records, sin, sqrt
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.limits.bounds import inverse_rates
from anthropi.contact.limits.springs import Linear, Spring, limit_force
from anthropi.errors import InputError
from anthropi.figure.figure import Figure

__all__ = ["STANCES", "determinant_forces", "determinant_limits", "pelvis_angles", "pelvis_link"]

SPRING = Linear(40.0)  # [N m/rad per kg of the body]: 75 kg on one leg pass the limit of tilt by about 1 degree
KNEE_SPRING = Linear(15.0)  # [N m/rad per kg of the body]
DAMPER = 0.5  # [s/rad] χ of springs.py
STANCES = ("l", "r", "trunk")
PELVIS, TRUNK = ("hip_bar", "pelvis"), ("abdomen", "torso")
THIGHS = {side: (f"{side}_thigh", f"{side}_leg") for side in ("l", "r")}


def determinant_forces(
    figure: Figure,
    q: Any,
    u: Any,
    determinants: Any,
    stance: Any = "trunk",
    *,
    heading: Any = 0.0,
    knees: bool = True,
    spring: Spring = SPRING,
    damper: float = DAMPER,
) -> Any:
    """Compute joint forces (nu,) [N m] that keep the pelvis and the knees within the determinants' limits.

    Parameters
    ----------
    figure : a human figure. q, u : its state (nq,), (nu,). determinants : `Determinants`.
    stance : the link that takes the reaction: "l", "r" (that thigh), "trunk", or the left leg's share α in [0, 1], also
        recorded. With "trunk", knees are not limited.
    heading : [rad] about z, the direction of walking. knees : whether knees are limited.
    spring : per kg of the body. damper : χ [s/rad].
    """
    k, P = kinematics(figure, q, u), pelvis_link(figure)
    tau: list[Any] = [0.0] * figure.nu
    torque = _torque(figure, k, P, determinants, heading, spring, damper)
    for other, share in _reaction_links(figure, stance):
        if torque is not None and not is_constant_zero(share):
            _between(figure, q, k, P, other, share * torque, tau)
    if knees and not _by_trunk(stance):
        for side, share in zip(("l", "r"), _shares(stance), strict=True):
            _knee(figure, q, u, side, determinants, share, damper, tau)
    return np.array(tau)


def determinant_limits(
    determinants: Any, plan: Any = None, stance: Any = "trunk", **options: Any
) -> Callable[..., Any]:
    """Return `determinant_forces` as a function (figure, t, q, u) → (nu,); with a plan, stance is its α(t)."""

    def forces(figure, t, q, u):
        return determinant_forces(figure, q, u, determinants, stance if plan is None else plan.alpha(t), **options)

    return forces


def pelvis_angles(rotation: Any, angular_velocity: Any = None, heading: Any = 0.0) -> tuple[Any, Any, Any]:
    """Compute rotation and tilt [rad] of a link with rotation C (3, 3), their rates, and the rows a_ψ, a_θ (1), (2)."""
    y1, y2, y3 = (rotation[j][1] for j in range(3))
    h2 = y1 * y1 + y2 * y2
    h = sqrt(h2)
    turn = atan2(-y1, y2) if is_constant_zero(heading) else _about(y1, y2, heading)
    about_z, about_x = np.array([-y1 * y3 / h2, -y2 * y3 / h2, 1.0]), np.array([y2 / h, -y1 / h, 0.0])
    if angular_velocity is None:
        return (turn, atan2(y3, h)), None, (about_z, about_x)
    rates = tuple(row @ angular_velocity for row in (about_z, about_x))
    return (turn, atan2(y3, h)), rates, (about_z, about_x)


def _about(y1, y2, heading):
    """Compute ψ, from -π to π for any heading."""
    c, s = cos(heading), sin(heading)
    return atan2(-(c * y1 + s * y2), c * y2 - s * y1)


def pelvis_link(figure: Figure) -> int:
    """Return the number of the link between the hips: the hip bar, or the pelvis."""
    return _first(figure, PELVIS, "pelvis")


# the parts -----------------------------------------------------------------------------------------------------------


def _torque(figure, k, P: int, determinants, heading, spring: Spring, damper):
    """Compute T of (4); None where both determinants are off."""
    angles, rates, rows = pelvis_angles(k.rotation[P], k.angular_velocity[P], heading)
    total: Any = None
    for name, x, rate, row in zip(("pelvic_rotation", "pelvic_tilt"), angles, rates, rows, strict=True):
        own = determinants[name]
        if own.on:
            part = _push(spring, x, rate, own, figure.mass, damper) * row
            total = part if total is None else total + part
    return total


def _push(spring: Spring, x, rate, own, strength, damper):
    """Compute F of (3)."""
    back = limit_force(spring, x - own.lower, rate, 0.0, "none", damper, strength).force
    return back - limit_force(spring, own.upper - x, -rate, 0.0, "none", damper, strength).force


def _between(figure, q, k, P: int, other: int, T, tau: list[Any]) -> None:
    """Add (5) to tau."""
    paths = figure.path(P), figure.path(other)
    for path, rest, sign in ((paths[0], paths[1], 1.0), (paths[1], paths[0], -1.0)):
        for i in (i for i in path if i not in rest):
            of, at, joint = figure.u_of[i], figure.q_of[i], figure.joints[i]
            for j, e in enumerate(np.eye(joint.nu)):
                axis = matvec(k.rotation[i], joint.spin(q[at], e))
                tau[of.start + j] = tau[of.start + j] + sign * (axis @ T)


def _knee(figure, q, u, side: str, determinants, share, damper, tau: list[Any]) -> None:
    """Add (6) to tau."""
    found = [i for i, joint in enumerate(figure.joints) if joint.name == f"{side}_knee"]
    if not found:
        return  # rigid legs
    joint, at, of = figure.joints[found[0]], figure.q_of[found[0]], figure.u_of[found[0]]
    c = 0 if joint.nu == 1 else 1  # flexion: a hinge's own, a ball's about y
    x, N = joint.coordinates(q[at])[c], inverse_rates(joint, q[at])
    start, row = (c, np.ones(1)) if N is None or N[c] is None else N[c]
    rate = row @ u[of.start + start : of.start + start + len(row)]
    F: Any = 0.0
    for name, part in (("stance_knee", share), ("swing_knee", 1.0 - share)):
        if determinants[name].on and not is_constant_zero(part):
            F = F + part * _push(KNEE_SPRING, x, rate, determinants[name], figure.mass, damper)
    for j, n in enumerate(row):
        tau[of.start + start + j] = tau[of.start + start + j] + n * F


def _reaction_links(figure, stance):
    """Return (link, share) of the links that take -T."""
    if _by_trunk(stance):
        return [(_first(figure, TRUNK, "trunk"), 1.0)]
    return [(_first(figure, THIGHS[side], "leg"), share) for side, share in zip("lr", _shares(stance), strict=True)]


def _by_trunk(stance) -> bool:
    return isinstance(stance, str) and stance == "trunk"


def _shares(stance):
    """Return the shares of the left and right leg."""
    if isinstance(stance, str):
        if stance not in STANCES:
            raise InputError(
                f"No stance {stance!r}. Choose: {', '.join(map(repr, STANCES))}, or the left leg's share α from 0 to 1."
            )
        stance = 1.0 if stance == "l" else 0.0
    elif not records(stance) and not (isinstance(stance, (int, float, np.number)) and 0.0 <= stance <= 1.0):
        raise InputError(
            f"stance={stance!r}: give the left leg's share α from 0 to 1, or one of {', '.join(map(repr, STANCES))}."
        )
    return stance, 1.0 - stance


def _first(figure, names, what: str) -> int:
    """Return the number of the first of these links that the figure has."""
    links = [link.name for link in figure.links]
    found = next((links.index(name) for name in names if name in links), None)
    if found is None:
        raise InputError(
            f"Figure '{figure.name}' has no {what}: no link {' or '.join(map(repr, names))}. Determinants "
            f"act on human figures. Links: {', '.join(links)}."
        )
    return found
