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

Feet
----
Where are six feet to be, in the frame of a body that is to move by the twist (v, Ω)? Two tripods take turns.

A leg's own phase is φ, or φ + ½ of the other tripod; it swings for the share 1 - β of a cycle (s = 0 … 1), and stands
for β > ½, so that all six stand for a while between two steps. With f cycles a second:

    standing   p' = -(v + Ω × p): one rigid motion for all, no foot drags on another                         (7)
    swinging   from where it left to  home - ½ β/f p'(home)  over the ground, on the plane up·p = -h of the feet
               that stand: a cubic that leaves and lands with the ground's velocity (7)                      (8)
               and above it by 16 s² (1 - s)² times the clearance                                            (9)
    share      of the weight: from tripod to tripod while all six stand; on a tripod ¼, ½, ¼                 (10)

All of it records.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import acos, atan2, clip, cos, floor, maximum, minimum, sin, sqrt
from anthropi.algebra.spatial import Transform
from anthropi.errors import InputError

__all__ = [
    "NAMES",
    "TRIPOD",
    "Leg",
    "LegAngles",
    "ground_velocity",
    "home",
    "leg_angles",
    "legs_of",
    "part_of",
    "rates",
    "share",
    "swing",
    "swung",
    "torques",
]


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


class LegAngles(NamedTuple):
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


def leg_angles(leg: Leg, foot) -> LegAngles:
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
    return LegAngles(hinges, (y / far, x / far), femur, (sin(b), cos(b)), far)


def rates(leg: Leg, own: LegAngles, velocity):
    """How fast its hinges turn (3,) [rad/s] when its foot moves by `velocity` (3,) [m/s] in the body's frame."""
    _, l, m = leg.lengths
    (sy, cy), (sa, ca), (sb, cb) = own.yaw, own.femur, own.tibia
    x, y, z = _turned(leg, velocity)
    r, D = cy * x + sy * y, l * m * (sb * ca - cb * sa)
    a, b = m * (cb * r + sb * z) / D, -l * (ca * r + sa * z) / D  # (5)
    return np.array([(cy * y - sy * x) / own.out, -a, a - b])


def torques(leg: Leg, own: LegAngles, force):
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


TRIPOD = np.array([0.5 if name in ("r1", "l2", "r3") else 0.0 for name in NAMES])  # [cycles]
CARRIES = np.array([{"1": 0.25, "2": 0.5, "3": 0.25}[name[1]] for name in NAMES])  # the middle leg has its side alone
AHEAD = np.array([{"1": 1.0, "2": 0.0, "3": -1.0}[name[1]] for name in NAMES])
OUT = np.array([1.0 if name[0] == "l" else -1.0 for name in NAMES])


def home(legs, numbers):
    """Where feet rest (6, 3) [m]: ahead of front legs, behind hind legs, beside middle ones."""
    ahead, out = numbers["home"]
    return np.array([[leg.place.origin[0] + a * ahead, leg.place.origin[1] + o * out, -numbers["height"]]
                     for leg, a, o in zip(legs, AHEAD, OUT, strict=True)])  # fmt: skip


def part_of(phase):
    """What part of its cycle each leg is in (6,), 0 … 1."""
    own = phase + TRIPOD
    return own - floor(own)


def swung(part, stance):
    """How much of its swing is done (6,), 0 … 1."""
    return minimum(part / (1.0 - stance), 1.0)


def share(part, stance):
    """(10) (6,); they add up to 1."""
    both = stance - 0.5  # [cycles] that all six stand
    rises = clip((part - (1.0 - stance)) / both, 0.0, 1.0)
    return CARRIES * minimum(rises, clip((1.0 - part) / both, 0.0, 1.0))


def ground_velocity(v, spin, p):
    """(7) of a place p (3,) in the body's frame [m/s]."""
    return -(v + np.cross(spin, p))


def swing(left, rest, s, v, spin, time, clearance, up, height):
    """Where a swinging foot is to be, and how fast it goes (3,), (3,).

    left : where it left the ground. rest : its home. time : [s] of a swing, and of half a stance. up, height : of the
    body over the plane of the feet that stand.
    """
    lasts, half = time
    back = ground_velocity(v, spin, rest)
    x, y = rest[0] - half * back[0], rest[1] - half * back[1]
    lands = np.stack([x, y, -(height + up[0] * x + up[1] * y) / up[2]])  # (8)
    first, last = ground_velocity(v, spin, left), ground_velocity(v, spin, lands)
    t = 1.0 - s
    place = left + (lands - left) * (s * s * (3.0 - 2.0 * s)) + (first * (s * t * t) - last * (s * s * t)) * lasts
    rate = (lands - left) * (6.0 * s * t / lasts) + first * (t * (1.0 - 3.0 * s)) + last * (s * (3.0 * s - 2.0))
    high = np.array([0.0, 0.0, 1.0]) * clearance
    return place + high * (16.0 * s * s * t * t), rate + high * (32.0 * s * t * (t - s) / lasts)  # (9)
