"""Joint torques that keep the pelvis and the knees within the limits of the determinants of gait.

The torques act only outside the limits. They are internal to the body. With y (3,) the left axis of the pelvis in the
world and h² = y₁² + y₂², the rotation ψ and the tilt θ of the pelvis are:

    ψ = atan2(-y₁, y₂),  y from the heading;  ψ' = a_ψ·ω,   a_ψ = (-y₁ y₃, -y₂ y₃, h²) / h²             (1)
    θ = atan2(y₃, h),               θ' = a_θ·ω,   a_θ = (y₂, -y₁, 0) / h                                (2)
    F = F(x - lower, x') - F(upper - x, -x')     the force law of joint limits (springs.py), acting past the limit (3)
    T = F_ψ a_ψ + F_θ a_θ on the pelvis, -T on the stance thigh, or on the trunk                        (4)
    τ_k = T·(∂ω_pelvis/∂u_k - ∂ω_other/∂u_k)     joints between the two links only; momentum is conserved (5)
    τ = row F of a knee's flexion                                                                       (6)

If the thigh takes the reaction, (4) acts like the abductors and rotators of the hip. `stance` is the share α of the
left leg: its thigh takes α of -T, and the limits of its knee are α times those of stance plus 1 - α times those of
swing. The functions are pure and can be recorded on a tape.
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

SPRING = Linear(40.0)  # [N m/rad per kg of body mass]; 75 kg on one leg exceed the tilt limit by about 1°
KNEE_SPRING = Linear(15.0)  # [N m/rad per kg of body mass]
DAMPER = 0.5  # [s/rad], χ of springs.py
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
    figure : a human figure.
    q, u : its state (nq,), (nu,).
    determinants : a `Determinants`.
    stance : link that takes the reaction: "l" or "r" (the thigh of that side), "trunk", or the left leg's share α in
        [0, 1], which may be a recorded scalar. With "trunk", the knees are not limited.
    heading : direction of walking, an angle about z [rad].
    knees : whether the knees are limited.
    spring : spring law per kg of body mass.
    damper : damping factor χ [s/rad].
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
    """Return `determinant_forces` as a control function (figure, t, q, u) → (nu,) [N m].

    If a plan is given, its share α(t) is used as `stance`.
    """

    def forces(figure, t, q, u):
        return determinant_forces(figure, q, u, determinants, stance if plan is None else plan.alpha(t), **options)

    return forces


def pelvis_angles(rotation: Any, angular_velocity: Any = None, heading: Any = 0.0) -> tuple[Any, Any, Any]:
    """Compute rotation ψ and tilt θ [rad] of a link (1), (2), their rates, and the rows a_ψ and a_θ.

    rotation : rotation matrix C of the link (3, 3). heading : direction of walking, an angle about z [rad].
    """
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
    """Compute the rotation ψ (1) relative to the heading, in the range -π to π."""
    c, s = cos(heading), sin(heading)
    return atan2(-(c * y1 + s * y2), c * y2 - s * y1)


def pelvis_link(figure: Figure) -> int:
    """Return the index of the link between the hips: the hip bar or the pelvis."""
    return _first(figure, PELVIS, "pelvis")


# the parts -----------------------------------------------------------------------------------------------------------


def _torque(figure, k, P: int, determinants, heading, spring: Spring, damper):
    """Compute the torque T on the pelvis (4); None if both determinants of the pelvis are off."""
    angles, rates, rows = pelvis_angles(k.rotation[P], k.angular_velocity[P], heading)
    total: Any = None
    for name, x, rate, row in zip(("pelvic_rotation", "pelvic_tilt"), angles, rates, rows, strict=True):
        own = determinants[name]
        if own.on:
            part = _push(spring, x, rate, own, figure.mass, damper) * row
            total = part if total is None else total + part
    return total


def _push(spring: Spring, x, rate, own, strength, damper):
    """Compute the restoring force F (3) of a coordinate x that is outside the limits of its determinant."""
    back = limit_force(spring, x - own.lower, rate, 0.0, "none", damper, strength).force
    return back - limit_force(spring, own.upper - x, -rate, 0.0, "none", damper, strength).force


def _between(figure, q, k, P: int, other: int, T, tau: list[Any]) -> None:
    """Add to tau the joint torques (5) that apply T to the pelvis and -T to another link."""
    paths = figure.path(P), figure.path(other)
    for path, rest, sign in ((paths[0], paths[1], 1.0), (paths[1], paths[0], -1.0)):
        for i in (i for i in path if i not in rest):
            of, at, joint = figure.u_of[i], figure.q_of[i], figure.joints[i]
            for j, e in enumerate(np.eye(joint.nu)):
                axis = matvec(k.rotation[i], joint.spin(q[at], e))
                tau[of.start + j] = tau[of.start + j] + sign * (axis @ T)


def _knee(figure, q, u, side: str, determinants, share, damper, tau: list[Any]) -> None:
    """Add to tau the torque (6) that keeps the knee of a side within its limits."""
    found = [i for i, joint in enumerate(figure.joints) if joint.name == f"{side}_knee"]
    if not found:
        return  # the legs are rigid
    joint, at, of = figure.joints[found[0]], figure.q_of[found[0]], figure.u_of[found[0]]
    c = 0 if joint.nu == 1 else 1  # flexion is the only coordinate of a hinge, and about y of a ball joint
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
    """Return (link index, share) for each link that takes a share of the reaction -T."""
    if _by_trunk(stance):
        return [(_first(figure, TRUNK, "trunk"), 1.0)]
    return [(_first(figure, THIGHS[side], "leg"), share) for side, share in zip("lr", _shares(stance), strict=True)]


def _by_trunk(stance) -> bool:
    return isinstance(stance, str) and stance == "trunk"


def _shares(stance):
    """Return the left and right leg's shares of the support."""
    if isinstance(stance, str):
        if stance not in STANCES:
            raise InputError(
                f"Unknown stance={stance!r}. Choose one of: {', '.join(map(repr, STANCES))}, or give the left leg's "
                "share α from 0 to 1."
            )
        stance = 1.0 if stance == "l" else 0.0
    elif not records(stance) and not (isinstance(stance, (int, float, np.number)) and 0.0 <= stance <= 1.0):
        raise InputError(
            f"stance={stance!r}: give the left leg's share α from 0 to 1, or one of {', '.join(map(repr, STANCES))}."
        )
    return stance, 1.0 - stance


def _first(figure, names, what: str) -> int:
    """Return the index of the first of these links that exists in the figure."""
    links = [link.name for link in figure.links]
    found = next((links.index(name) for name in names if name in links), None)
    if found is None:
        raise InputError(
            f"Figure '{figure.name}' has no {what}: there is no link {' or '.join(map(repr, names))}. Determinants "
            f"need a human figure. Links: {', '.join(links)}."
        )
    return found
