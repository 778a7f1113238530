"""Where must a leg of three hinges turn, how fast, how hard, for its foot to be here, move so, push so? In closed form.

In the leg's frame, x outwards and z up, the foot at p = (x, y, z); the hinges are c, l and m long one after another:

    yaw   ψ = atan2(y, x),   r = √(x² + y²) - c                                            (1)
    femur a = atan2(z, r) + acos((l² + r² + z² - m²) / (2 l √(r² + z²))), its rise         (2)
    tibia b = atan2(z - l sin a, r - l cos a)                                              (3)
    hinges: (ψ, a₀ - a, b₀ - b - (a₀ - a)); a₀, b₀ rises of the straight hinges            (4)
    rates   ψ' = p'·(-sin ψ, cos ψ) / (r + c),  D = l m sin(b - a),
            a' = m (cos b r' + sin b z') / D,  b' = -l (cos a r' + sin a z') / D           (5)
    push    the torques whose foot pushes the ground by f: transpose of (5)                (6)

What is out of reach is reached for. All of it records.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import acos, atan2, clip, cos, maximum, sin, sqrt
from anthropi.algebra.spatial import Transform
from anthropi.errors import InputError

__all__ = ["NAMES", "Bent", "Leg", "bent", "legs_of", "rates", "torques"]

NAMES = ("l1", "l2", "l3", "r1", "r2", "r3")
NEAR = 0.999  # of the cosine in (2): a leg is never quite straight or folded


class Leg(NamedTuple):
    """place : of its first hinge in the body. lengths c, l, m [m]; rises a₀, b₀ [rad]. tibia : its link's number;
    sole : (3,) in it. dofs : where its three hinges are in u, and one further in q."""

    name: str
    place: Transform
    lengths: tuple[float, float, float]
    rises: tuple[float, float]
    tibia: int
    sole: Any
    dofs: tuple[int, ...]


class Bent(NamedTuple):
    """A leg's hinges (3,), and what (5) and (6) take: sines and cosines of ψ, a, b, and r + c."""

    hinges: Any
    yaw: tuple
    femur: tuple
    tibia: tuple
    out: Any


def legs_of(figure) -> tuple[Leg, ...]:
    """The six legs of a figure that has them, as `ap.sample("roach")` does. Floats only."""
    names, markers = {joint.name for joint in figure.joints}, {m.name: m for m in figure.markers}
    wanted = [f"{leg}_{part}" for leg in NAMES for part in ("yaw", "lift", "bend")]
    lacks = [n for n in wanted if n not in names] + [f"{n}_sole" for n in NAMES if f"{n}_sole" not in markers]
    if lacks or figure.joints[0].kind != "free":
        what = f"no '{lacks[0]}'" if lacks else "no free root"
        raise InputError(
            f"Figure '{figure.name}' has {what}: a Roach walks on legs l1 … r3 with hinges yaw, lift, bend "
            "and markers sole. Take ap.sample('roach')."
        )
    found = []
    for name in NAMES:
        first, second, third = (figure.joint_index(f"{name}_{part}") for part in ("yaw", "lift", "bend"))
        (c, _, _), (x, _, z) = (figure.joints[i].placement.origin for i in (second, third))
        sole = np.asarray(markers[f"{name}_sole"].point, float)
        lengths = float(c), float(np.hypot(x, z)), float(np.hypot(sole[0], sole[2]))
        rises = float(np.arctan2(z, x)), float(np.arctan2(sole[2], sole[0]))
        dofs = tuple(figure.u_of[i].start for i in (first, second, third))
        found.append(Leg(name, figure.joints[first].placement, lengths, rises, third, sole, dofs))
    return tuple(found)


def bent(leg: Leg, foot) -> Bent:
    """The leg whose foot is at `foot` (3,) [m] in the body's frame."""
    c, l, m = leg.lengths
    x, y, z = _turned(leg, foot - leg.place.origin)
    far = sqrt(maximum(x * x + y * y, 1e-12))
    r = far - c  # (1)
    d = sqrt(maximum(r * r + z * z, 1e-12))
    a = atan2(z, r) + acos(clip((l * l + d * d - m * m) / (2.0 * l * d), -NEAR, NEAR))  # (2)
    femur = sin(a), cos(a)
    b = atan2(z - l * femur[0], r - l * femur[1])  # (3)
    lift = leg.rises[0] - a
    hinges = np.array([atan2(y, x), lift, leg.rises[1] - b - lift])  # (4)
    return Bent(hinges, (y / far, x / far), femur, (sin(b), cos(b)), far)


def rates(leg: Leg, own: Bent, velocity):
    """How fast its hinges turn (3,) [rad/s] when its foot moves by `velocity` (3,) [m/s] in the body's frame."""
    _, l, m = leg.lengths
    (sy, cy), (sa, ca), (sb, cb) = own.yaw, own.femur, own.tibia
    x, y, z = _turned(leg, velocity)
    r, D = cy * x + sy * y, l * m * (sb * ca - cb * sa)
    a, b = m * (cb * r + sb * z) / D, -l * (ca * r + sa * z) / D  # (5)
    return np.array([(cy * y - sy * x) / own.out, -a, a - b])


def torques(leg: Leg, own: Bent, force):
    """The torques of its hinges (3,) [N m] whose foot pushes the ground by `force` (3,) [N], in the body's frame."""
    _, l, m = leg.lengths
    (sy, cy), (sa, ca), (sb, cb) = own.yaw, own.femur, own.tibia
    x, y, z = _turned(leg, force)
    r = cy * x + sy * y
    a, b = l * (ca * z - sa * r), m * (cb * z - sb * r)
    return np.array([own.out * (cy * y - sy * x), -a - b, -b])  # (6)


def _turned(leg: Leg, x):
    """A direction of the body in the leg's frame."""
    return matvec(transpose(leg.place.rotation), x)
