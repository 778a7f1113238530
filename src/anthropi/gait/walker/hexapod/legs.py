"""Legs of a hexapod: inverse kinematics of a leg with three hinges, and the paths of six feet.

In the frame of the leg, x points outwards and z up. The foot is at p = (x, y, z), and the segments of the leg have the
lengths c, l and m:

    yaw   ψ = atan2(y, x),   r = √(x² + y²) - c                                                                   (1)
    femur a = atan2(z, r) + acos((l² + r² + z² - m²) / (2 l √(r² + z²))), its angle above the horizontal          (2)
    tibia b = atan2(z - l sin a, r - l cos a)                                                                     (3)
    hinges: (ψ, a₀ - a, b₀ - b - (a₀ - a)); a₀, b₀ are the angles a, b at zero hinge angles                       (4)
    rates   ψ' = p'·(-sin ψ, cos ψ) / (r + c),  D = l m sin(b - a),
            a' = m (cos b r' + sin b z') / D,  b' = -l (cos a r' + sin a z') / D                                  (5)
    forces  torques with which the foot pushes on the ground with the force f: transpose of (5)                   (6)

If a point is out of reach, the leg reaches towards it as far as possible. Two tripods alternate while the body moves
with the twist (v, Ω). The phase of a leg is φ, or φ + ½ in the other tripod. A leg swings for the fraction 1 - β of a
cycle (s = 0 … 1) and stands for the fraction β > ½, so that all six stand for a while between two steps. With f cycles
per second:

    stance     p' = -(v + Ω × p): one rigid motion for all feet, without slip                                     (7)
    swing      from the point of lift-off to  home - ½ β/f p'(home)  along the ground, on the plane up·p = -h of the
               feet in stance: a cubic that leaves and lands with the velocity of the ground (7)                  (8)
               and above it by 16 s² (1 - s)² times the clearance                                                 (9)
    share      of the weight: passes from tripod to tripod while all six stand; ¼, ½, ¼ within a tripod           (10)

All functions except `legs_of` can be recorded on a tape.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import acos, atan2, clip, cos, floor, maximum, minimum, sin, sqrt
from anthropi.algebra.spatial import Transform
from anthropi.errors import InputError
from anthropi.figure.figure import Figure

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
MAX_COSINE = 0.999  # in (2): keeps a leg from being completely straight or folded


class Leg(NamedTuple):
    """A leg of a hexapod.

    Attributes
    ----------
    name : "l1" … "r3".
    place : placement of its first hinge in the body.
    lengths : c, l, m [m].
    rises : a₀, b₀ [rad].
    tibia : index of its last link.
    sole : position of the sole in that link (3,) [m].
    dofs : indices of its three hinges in u; the indices in q are larger by one.
    """

    name: str
    place: Transform
    lengths: tuple[float, float, float]
    rises: tuple[float, float]
    tibia: int
    sole: Any
    dofs: tuple[int, ...]


class LegAngles(NamedTuple):
    """Hinge angles of a leg (3,) [rad], with the sines and cosines of ψ, a and b and the length r + c (eqs. 5, 6)."""

    hinges: Any
    yaw: tuple[Any, ...]
    femur: tuple[Any, ...]
    tibia: tuple[Any, ...]
    out: Any


def legs_of(figure: Figure) -> tuple[Leg, ...]:
    """Find the six legs of a figure such as `ap.sample("roach")`. Works on plain floats only.

    Raises InputError if a hinge, a marker or the free root is missing. The message names it.
    """
    names = {joint.name for joint in figure.joints}
    markers: dict[str, Any] = {m.name: m for m in figure.markers}
    needed = [f"{leg}_{part}" for leg in NAMES for part in ("yaw", "lift", "bend")]
    lacks = [n for n in needed if n not in names] + [f"{n}_sole" for n in NAMES if f"{n}_sole" not in markers]
    if lacks or figure.joints[0].kind != "free":
        what = f"no '{lacks[0]}'" if lacks else "no free root"
        raise InputError(
            f"Figure '{figure.name}' has {what}. A Roach needs a free root and legs l1 … r3, each with hinges yaw, "
            "lift, bend and a marker sole. Use ap.sample('roach')."
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


def leg_angles(leg: Leg, foot: Any) -> LegAngles:
    """Inverse kinematics: compute the hinge angles for a foot at (3,) [m] in the frame of the body (eqs. 1 to 4)."""
    c, l, m = leg.lengths
    x, y, z = _turned(leg, foot - leg.place.origin)
    far = sqrt(maximum(x * x + y * y, 1e-12))
    r = far - c  # (1)
    d = sqrt(maximum(r * r + z * z, 1e-12))
    a = atan2(z, r) + acos(clip((l * l + d * d - m * m) / (2.0 * l * d), -MAX_COSINE, MAX_COSINE))  # (2)
    femur = sin(a), cos(a)
    b = atan2(z - l * femur[0], r - l * femur[1])  # (3)
    lift = leg.rises[0] - a
    hinges = np.array([atan2(y, x), lift, leg.rises[1] - b - lift])  # (4)
    return LegAngles(hinges, (y / far, x / far), femur, (sin(b), cos(b)), far)


def rates(leg: Leg, own: LegAngles, velocity: Any) -> np.ndarray:
    """Hinge rates (3,) [rad/s] for a velocity (3,) [m/s] of the foot in the frame of the body (eq. 5)."""
    _, l, m = leg.lengths
    (sy, cy), (sa, ca), (sb, cb) = own.yaw, own.femur, own.tibia
    x, y, z = _turned(leg, velocity)
    r, D = cy * x + sy * y, l * m * (sb * ca - cb * sa)
    a, b = m * (cb * r + sb * z) / D, -l * (ca * r + sa * z) / D  # (5)
    return np.array([(cy * y - sy * x) / own.out, -a, a - b])


def torques(leg: Leg, own: LegAngles, force: Any) -> np.ndarray:
    """Hinge torques (3,) [N m] for a force (3,) [N] of the foot on the ground, in the frame of the body (eq. 6)."""
    _, l, m = leg.lengths
    (sy, cy), (sa, ca), (sb, cb) = own.yaw, own.femur, own.tibia
    x, y, z = _turned(leg, force)
    r = cy * x + sy * y
    a, b = l * (ca * z - sa * r), m * (cb * z - sb * r)
    return np.array([own.out * (cy * y - sy * x), -a - b, -b])  # (6)


def _turned(leg: Leg, x: Any) -> Any:
    """Transform a vector from the frame of the body to the frame of the leg."""
    return matvec(transpose(leg.place.rotation), x)


TRIPOD = np.array([0.5 if name in ("r1", "l2", "r3") else 0.0 for name in NAMES])  # [cycles]
TRIPOD_SHARES = np.array(
    [{"1": 0.25, "2": 0.5, "3": 0.25}[name[1]] for name in NAMES]
)  # the middle leg of a tripod is alone on its side, so it carries half
FORWARD_SIGNS = np.array([{"1": 1.0, "2": 0.0, "3": -1.0}[name[1]] for name in NAMES])
OUTWARD_SIGNS = np.array([1.0 if name[0] == "l" else -1.0 for name in NAMES])


def home(legs: Sequence[Leg], numbers: dict[Any, Any]) -> np.ndarray:
    """Rest positions of the feet (6, 3) [m]: front feet ahead of their hips, hind feet behind, middle feet beside."""
    ahead, out = numbers["home"]
    return np.array(
        [
            [leg.place.origin[0] + a * ahead, leg.place.origin[1] + o * out, -numbers["height"]]
            for leg, a, o in zip(legs, FORWARD_SIGNS, OUTWARD_SIGNS, strict=True)
        ]
    )


def part_of(phase: Any) -> Any:
    """Phase of each leg within its own cycle (6,), 0 … 1."""
    own = phase + TRIPOD
    return own - floor(own)


def swung(part: Any, stance: Any) -> Any:
    """Progress s of the swing of each leg (6,), 0 … 1."""
    return minimum(part / (1.0 - stance), 1.0)


def share(part: Any, stance: Any) -> Any:
    """Shares of the weight that the legs carry (6,); their sum is 1 (eq. 10)."""
    both = stance - 0.5  # [cycles] in which all six stand
    rises = clip((part - (1.0 - stance)) / both, 0.0, 1.0)
    return TRIPOD_SHARES * minimum(rises, clip((1.0 - part) / both, 0.0, 1.0))


def ground_velocity(v: Any, spin: Any, p: Any) -> Any:
    """Velocity (3,) [m/s] of the ground at p (3,) [m], in the frame of the moving body (eq. 7)."""
    return -(v + np.cross(spin, p))


def swing(
    left: Any, rest: Any, s: Any, v: Any, spin: Any, time: tuple[Any, Any], clearance: Any, up: Any, height: Any
) -> tuple[Any, Any]:
    """Position (3,) [m] and velocity (3,) [m/s] of a swing foot, in the frame of the body (eqs. 8, 9).

    Parameters
    ----------
    left, rest : point of lift-off and rest position of the foot (3,) [m].
    s : progress of the swing.
    v, spin : velocity [m/s] and angular velocity [rad/s] of the body.
    time : duration of a swing and of half a stance [s].
    clearance : largest height of the foot above the ground [m].
    up, height : vertical direction (3,) and height [m] of the body above the plane of the feet in stance.
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
