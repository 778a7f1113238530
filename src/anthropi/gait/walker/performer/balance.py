"""Balance of a standing figure: desired ground forces, and the joint forces of the legs that produce them.

Horizontal positions are measured along and across the heading. G is the centre of mass, h its height above the soles,
M_l and M_r are the middles of the feet, and e is the unit vector along the heading.

    capture point  ξ = G + G'/ω,   ω² = g / h                                                                     (1)
    desired        r = ½(1 + s) M_l + ½(1 - s) M_r + a e,   offset (a [m] ahead, s = 1 over the left foot)        (2)
    pressure       p = r + (1 + k)(ξ - r), so that ξ - r decays with the rate k ω                                 (3)
    shares         w_l = (p - M_r)·(M_l - M_r) / |M_l - M_r|², between 0 and 1 or above a given minimum;
                   w_r = 1 - w_l; only feet in contact have a share                                               (4)
    each foot      p_i = M_i + δ,   δ = p - Σ w_i M_i  limited to the soles;   p = Σ w_i p_i is feasible          (5)
    force          F = m g (1 + thrust) ((G - p)/h, 1), from p to G, without moment about G;  F_i = w_i F         (6)
    joints         τ_j = -axis_j · ((p_i - o_j) × F_i + Σ (c_b - o_j) × m_b g), sum over the links b below j      (7)
    lacks          part of ξ - r that (5) cannot correct; left to the hip strategy or to a step                   (8)

(7) is the torque of a resting leg that transmits F_i. Without thrust, an ankle carries at most the torque that the load
of its foot allows; otherwise the heel would rise. In the sagittal plane this is the ankle strategy. Across, hips and
ankles load one leg and unload the other. The hips also hold the pelvis upright, in proportion to the shares of the load
(SIMBICON: K. Yin, K. Loken, M. van de Panne, ACM Transactions on Graphics 26, 2007):

    T = k (R* ⊟ R) - d ω  on the pelvis, in its frame;   C τ_i = -w_i T at hip i                                  (9)

All functions except `sole_of` can be recorded on a tape.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import clip, cos, maximum, minimum, sin, sqrt
from anthropi.algorithms.jacobians import columns, placed
from anthropi.algorithms.kinematics import point_position, point_velocity
from anthropi.algorithms.momentum import centre_of, weighted
from anthropi.figure.figure import Figure
from anthropi.gait.walker.observation import foot_load

__all__ = ["BALANCE", "Balance", "Sole", "balance", "loads_of_feet", "sole_of", "through_hips", "upright"]

SIDES = ("l", "r")
LEG = ("hip", "knee", "ankle")
LINKS: dict[Any, Any] = {
    "hip": ("thigh", "shank", "foot", "toes"),
    "knee": ("shank", "foot", "toes"),
    "ankle": ("foot", "toes"),
}
MAX_SLOPE = 0.6  # largest ratio of horizontal to vertical force (6)
LOADED_SHARE = 0.1  # fraction of the weight from which a foot counts as loaded
MIN_SHARE, MIN_FOOT_DISTANCE = 1e-3, 1e-6  # [], [m²]; avoid divisions by zero in (4)

BALANCE = {"capture": (1.5, 1.5), "sole": (0.97, 0.95), "upright": (1500.0, 120.0)}
"""Gains of the balance. capture : k of (3), along and across. sole : usable fraction of the sole along and across (5).
upright : k [N m/rad] and d [N m s/rad] of (9), for a person of 75 kg and 1.75 m."""


class Sole(NamedTuple):
    """Sole of a foot relative to its ankle [m]: distance of its middle ahead, depth, half length and half width."""

    middle: float
    depth: float
    long: float
    broad: float


class Balance(NamedTuple):
    """Result of `balance`.

    Attributes
    ----------
    tau : joint forces of the legs (nu,) [N m] (eq. 7), without the torque on the pelvis.
    share : shares of the left and the right hip in the torque on the pelvis (2,).
    lacks : error that the feet cannot correct, along and across the heading (2,) [m] (eq. 8).
    error : ξ - r along and across the heading (2,) [m].
    carried : 0 to 1, how far each foot is loaded (2,).
    """

    tau: Any
    share: Any
    lacks: Any
    error: Any
    carried: Any


def loads_of_feet(figure: Figure, sense: Any) -> Any:
    """Vertical force on the left and the right foot (2,), divided by the weight of the figure."""
    return np.array([foot_load(figure, sense, x) for x in SIDES]) / (figure.mass * _gravity(figure))


def sole_of(figure: Figure) -> Sole:
    """Compute the sole of a foot, from heel to ball, from the markers of the figure. Works on plain floats only."""
    marks: tuple[Any, ...] = figure.markers
    points = np.array([m.point for m in marks if m.name.startswith("l_sole") and m.link == "l_foot"])
    low, high = points.min(0), points.max(0)
    broad = min(np.ptp(points[points[:, 0] == end, 1]) for end in (low[0], high[0]))
    return Sole(*map(float, (0.5 * (low[0] + high[0]), -low[2], 0.5 * (high[0] - low[0]), 0.5 * broad)))


def balance(
    figure: Figure,
    sense: Any,
    parameters: dict[Any, Any],
    offset: Any,
    heading: Any,
    *,
    thrust: Any = 0.0,
    least: Any = (0.0, 0.0),
    loads: Any = None,
) -> Balance:
    """Compute the joint forces of the legs that keep the figure in balance.

    Parameters
    ----------
    figure, sense : the figure and the sensed state that a controller receives.
    parameters : values of `BALANCE`, by name.
    offset : (a, s) of equation (2): metres ahead, and 1 over the left foot to -1 over the right foot.
    heading : direction of the feet [rad].
    thrust : additional force of the legs, divided by the weight.
    least : smallest shares of the load that the feet keep while both are loaded (2,).
    loads : loads of the feet (2,), divided by the weight; `loads_of_feet` if None.
    """
    k, p = sense.kinematics, parameters
    e, n = np.array([cos(heading), sin(heading)]), np.array([-sin(heading), cos(heading)])
    ankles = [k.position[figure.link_index(f"{x}_foot")] for x in SIDES]
    sole = sole_of(figure)
    middles = [ankle[:2] + sole.middle * e for ankle in ankles]
    heights = [ankle[2] - sole.depth for ankle in ankles]
    loads = loads_of_feet(figure, sense) if loads is None else loads
    carried = np.array([clip(load / LOADED_SHARE, 0.0, 1.0) for load in loads])
    G, speed = centre_of(figure, k), weighted(figure, lambda i: point_velocity(k, i, figure.links[i].centre))
    h = G[2] - 0.5 * (heights[0] + heights[1])
    h = 0.3 + _positive(h - 0.3)
    xi = G[:2] + speed[:2] * sqrt(h / _gravity(figure))  # (1)
    left = 0.5 + 0.5 * offset[1]
    r = left * middles[0] + (1.0 - left) * middles[1] + offset[0] * e  # (2)
    error = np.stack([(xi - r) @ e, (xi - r) @ n])
    more = np.array([(1.0 + x) * y for x, y in zip(p["capture"], error, strict=True)])
    desired = r + more[0] * e + more[1] * n  # (3)
    share = _shares(desired, middles, least, carried)  # (4)
    own = desired - share[0] * middles[0] - share[1] * middles[1]
    along, across = own @ e, own @ n
    far, aside = sole.long * p["sole"][0], sole.broad * p["sole"][1]
    along_can, across_can = clip(along, -far, far), clip(across, -aside, aside)
    delta = along_can * e + across_can * n  # (5)
    at = share[0] * middles[0] + share[1] * middles[1] + delta
    slope = np.array([clip(x, -MAX_SLOPE, MAX_SLOPE) for x in (G[:2] - at) / h])
    F = figure.mass * _gravity(figure) * (1.0 + thrust) * np.concatenate([slope, [1.0]])  # (6)
    rows, joints = [], []
    for x, foot, height, w, c, load in zip(SIDES, middles, heights, share, carried, loads, strict=True):
        less = clip(maximum(load / maximum(w, MIN_SHARE), 5.0 * thrust), 0.0, 1.0)  # (7)
        point = np.array([*(foot + delta), height])
        for kind in LEG:
            i = figure.joint_index(f"{x}_{kind}")
            joints.append(i)
            force = less * w * F if kind == "ankle" else w * F
            rows.append(c * _passed_on(figure, sense, i, [f"{x}_{link}" for link in LINKS[kind]], point, force))  # (7)
    lacks = np.stack([(along - along_can) / (1.0 + p["capture"][0]), (across - across_can) / (1.0 + p["capture"][1])])
    return Balance(placed(figure, joints, np.concatenate(rows)), np.array(share) * carried, lacks, error, carried)


def upright(figure: Figure, sense: Any, parameters: dict[Any, Any], desired: Any) -> Any:
    """Torque T (3,) [N m] on the pelvis, in its frame (eq. 9).

    desired : quaternion R* of the desired orientation in the world.
    """
    apart = rot.quaternion_product(rot.quaternion_conjugate(sense.q[3:7]), desired)
    stiffness, damping = parameters["upright"]
    return stiffness * rot.rotation_vector_from_quaternion(apart) - damping * sense.u[3:6]


def through_hips(figure: Figure, sense: Any, torque: Any, share: Any, most: Any = 250.0) -> Any:
    """Joint forces (nu,) of the hips that apply a torque to the pelvis (eq. 9).

    Parameters
    ----------
    torque : (3,) [N m] in the frame of the pelvis.
    share : share of each hip in the torque (2,).
    most : largest torque of a hip about each axis [N m].
    """
    joints, rows = [figure.joint_index(f"{x}_hip") for x in SIDES], []
    for i, w in zip(joints, share, strict=True):
        C = rot.matrix_from_quaternion(sense.q[figure.q_of[i]])
        rows += [clip(-w * x, -most, most) for x in matvec(transpose(C), torque)]
    return placed(figure, joints, np.array(rows))


def _shares(p: Any, middles: list[Any], least: Any, carried: Any) -> list[Any]:
    """Shares of the load of the feet in contact, left and right (eq. 4)."""
    line = middles[0] - middles[1]
    between = 0.5 * (middles[0] + middles[1])
    left = clip(0.5 + ((p - between) @ line) / (line @ line + MIN_FOOT_DISTANCE), least[0], 1.0 - least[1])
    a, b = (left + MIN_SHARE) * (carried[0] + MIN_SHARE), (1.0 - left + MIN_SHARE) * (carried[1] + MIN_SHARE)
    return [a / (a + b), b / (a + b)]


def _passed_on(figure: Figure, sense: Any, i: int, links: list[str], point: Any, force: Any) -> Any:
    """Torques of joint i that transmit a ground force, one per degree of freedom (eq. 7)."""
    k, o = sense.kinematics, sense.kinematics.position[i]
    moment = np.cross(point - o, force)
    for name in links:
        j = figure.link_index(name)
        c = point_position(k, j, figure.links[j].centre) - o
        weight = figure.links[j].mass * _gravity(figure)
        moment = moment + np.array([-c[1] * weight, c[0] * weight, 0.0])  # c × (0, 0, -weight)
    return -matvec(columns(figure, k, sense.q, i).w, moment)


def _gravity(figure: Figure) -> Any:
    """Magnitude g of gravity [m/s²]."""
    return -figure.gravity[2]


def _positive(x: Any) -> Any:
    """Return x where it is positive, else 0."""
    return -minimum(-x, 0.0)
