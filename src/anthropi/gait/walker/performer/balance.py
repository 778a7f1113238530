"""How does a figure keep its balance? Forces of the ground that are wanted, and joint forces of legs that make them.

Along and across the heading, with G the centre of mass, h its height over the soles, M_l, M_r the middles of the feet:

    capture point  ξ = G + G'/ω,   ω² = g / h                                                                     (1)
    wanted         r = ½(1 + s) M_l + ½(1 - s) M_r + a e,   (a, s) the offset: [m] ahead; 1 over the left foot    (2)
    pressure       p = r + (1 + k)(ξ - r), so that ξ - r dies away with k ω                                       (3)
    shares         w_l = (p - M_r)·(M_l - M_r) / |M_l - M_r|², 0 … 1 or the least that each keeps; w_r = 1 - w_l;
                   of feet that touch                                                                             (4)
    each foot      p_i = M_i + δ,   δ = p - Σ w_i M_i  as far as soles reach;   p = Σ w_i p_i can be done         (5)
    force          F = m g (1 + thrust) ((G - p)/h, 1), from p to G: it turns nothing;  F_i = w_i F               (6)
    joints         τ_j = -axis_j · ((p_i - o_j) × F_i + Σ (c_b - o_j) × m_b g) over what of the leg j carries     (7)
    lacks          ξ - r beyond what (5) can do: a task for the hips' strategy, or for a step                     (8)

(7) is what a leg at rest needs to pass F_i on; an ankle that does not thrust takes no more of it than its foot
carries now, else the heel would rise. In the sagittal plane that is the ankle's strategy; across, hips and
ankles load one leg and unload the other. The pelvis is kept by `upright`, through the hips, shared like the load (9):

    T = k (R* ⊟ R) - d ω  of the pelvis, in its frame;   C τ_i = -w_i T at hip i (SIMBICON's law)                 (9)

All of it is pure and records; a controller blends it with its own.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import clip, cos, maximum, minimum, sin, sqrt
from anthropi.algorithms.jacobians import columns, placed
from anthropi.algorithms.kinematics import point_position, point_velocity
from anthropi.algorithms.momentum import centre_of, weighted
from anthropi.gait.walker.observation import foot_load

__all__ = ["BALANCE", "Balance", "Sole", "balance", "loads_of_feet", "sole_of", "through_hips", "upright"]

SIDES = ("l", "r")
LEG = ("hip", "knee", "ankle")
LINKS = {"hip": ("thigh", "shank", "foot", "toes"), "knee": ("shank", "foot", "toes"), "ankle": ("foot", "toes")}
STEEPEST = 0.6  # of (6), horizontal over vertical
LOADED = 0.1  # share of the weight from which a foot counts as loaded
TINY, NEAR = 1e-3, 1e-6  # of shares; [m²] of feet on one spot

BALANCE = {"capture": (1.5, 1.5), "sole": (0.97, 0.95), "upright": (1500.0, 120.0)}
"""k of (3) along and across; how much of the sole, from heel to ball and across, δ may use (5); k [N m/rad] and d
[N m s/rad] of (9), for a person of 75 kg and 1.75 m."""


class Sole(NamedTuple):
    """Of a foot, from its ankle [m]: how far ahead its middle is and how deep its sole; half its length and breadth."""

    middle: float
    depth: float
    long: float
    broad: float


class Balance(NamedTuple):
    """tau (nu,) [N m] of the legs (7), the pelvis' torque not in it; share (2,) of that torque by hip, left, right;
    lacks (2,) [m] along and across (8); error (2,) [m] ξ - r; carried (2,) how far feet are loaded, 0 … 1."""

    tau: Any
    share: Any
    lacks: Any
    error: Any
    carried: Any


def loads_of_feet(figure, sense):
    """What does each foot carry? (2,) in weights of the figure, left and right."""
    return np.array([foot_load(figure, sense, x) for x in SIDES]) / (figure.mass * _pull(figure))


def sole_of(figure) -> Sole:
    """The sole of a foot between heel and ball, from its markers."""
    points = np.array([m.point for m in figure.markers if m.name.startswith("l_sole") and m.link == "l_foot"])
    low, high = points.min(0), points.max(0)
    broad = min(np.ptp(points[points[:, 0] == end, 1]) for end in (low[0], high[0]))
    return Sole(*map(float, (0.5 * (low[0] + high[0]), -low[2], 0.5 * (high[0] - low[0]), 0.5 * broad)))


def balance(figure, sense, parameters, offset, heading, *, thrust=0.0, least=(0.0, 0.0), loads=None) -> Balance:
    """What do legs do for balance?

    parameters : of `BALANCE`. offset : (2,) of (2). heading : [rad] where the feet point. thrust : share of the weight
    by which the legs push more. least : (2,) shares that the feet keep while both stand. loads : (2,) in weights, if
    known better than `loads_of_feet` knows them.
    """
    k, p = sense.kinematics, parameters
    e, n = np.array([cos(heading), sin(heading)]), np.array([-sin(heading), cos(heading)])
    ankles = [k.position[figure.link_index(f"{x}_foot")] for x in SIDES]
    sole = sole_of(figure)
    middles = [ankle[:2] + sole.middle * e for ankle in ankles]
    heights = [ankle[2] - sole.depth for ankle in ankles]
    loads = loads_of_feet(figure, sense) if loads is None else loads
    carried = np.array([clip(load / LOADED, 0.0, 1.0) for load in loads])
    G, speed = centre_of(figure, k), weighted(figure, lambda i: point_velocity(k, i, figure.links[i].centre))
    h = G[2] - 0.5 * (heights[0] + heights[1])
    h = 0.3 + _positive(h - 0.3)
    xi = G[:2] + speed[:2] * sqrt(h / _pull(figure))  # (1)
    left = 0.5 + 0.5 * offset[1]
    r = left * middles[0] + (1.0 - left) * middles[1] + offset[0] * e  # (2)
    error = np.stack([(xi - r) @ e, (xi - r) @ n])
    more = np.array([(1.0 + x) * y for x, y in zip(p["capture"], error, strict=True)])
    wanted = r + more[0] * e + more[1] * n  # (3)
    share = _shares(wanted, middles, least, carried)  # (4)
    own = wanted - share[0] * middles[0] - share[1] * middles[1]
    along, across = own @ e, own @ n
    far, aside = sole.long * p["sole"][0], sole.broad * p["sole"][1]
    along_can, across_can = clip(along, -far, far), clip(across, -aside, aside)
    delta = along_can * e + across_can * n  # (5)
    at = share[0] * middles[0] + share[1] * middles[1] + delta
    slope = np.array([clip(x, -STEEPEST, STEEPEST) for x in (G[:2] - at) / h])
    F = figure.mass * _pull(figure) * (1.0 + thrust) * np.concatenate([slope, [1.0]])  # (6)
    rows, joints = [], []
    for x, foot, height, w, c, load in zip(SIDES, middles, heights, share, carried, loads, strict=True):
        less = clip(maximum(load / maximum(w, TINY), 5.0 * thrust), 0.0, 1.0)  # (7)
        point = np.array([*(foot + delta), height])
        for kind in LEG:
            i = figure.joint_index(f"{x}_{kind}")
            joints.append(i)
            force = less * w * F if kind == "ankle" else w * F
            rows.append(c * _passed_on(figure, sense, i, [f"{x}_{link}" for link in LINKS[kind]], point, force))  # (7)
    lacks = np.stack([(along - along_can) / (1.0 + p["capture"][0]), (across - across_can) / (1.0 + p["capture"][1])])
    return Balance(placed(figure, joints, np.concatenate(rows)), np.array(share) * carried, lacks, error, carried)


def upright(figure, sense, parameters, wanted):
    """T (3,) [N m] wanted on the pelvis, in its frame (9). wanted : quaternion in the world."""
    apart = rot.quaternion_product(rot.quaternion_conjugate(sense.q[3:7]), wanted)
    stiffness, damping = parameters["upright"]
    return stiffness * rot.rotation_vector_from_quaternion(apart) - damping * sense.u[3:6]


def through_hips(figure, sense, torque, share, most=250.0):
    """Joint forces (nu,) of the hips that give the pelvis a torque (3,) in its frame, by shares (2,) (9)."""
    joints, rows = [figure.joint_index(f"{x}_hip") for x in SIDES], []
    for i, w in zip(joints, share, strict=True):
        C = rot.matrix_from_quaternion(sense.q[figure.q_of[i]])
        rows += [clip(-w * x, -most, most) for x in matvec(transpose(C), torque)]
    return placed(figure, joints, np.array(rows))


def _shares(p, middles, least, carried):
    """(4), of feet that touch."""
    line = middles[0] - middles[1]
    between = 0.5 * (middles[0] + middles[1])
    left = clip(0.5 + ((p - between) @ line) / (line @ line + NEAR), least[0], 1.0 - least[1])
    a, b = (left + TINY) * (carried[0] + TINY), (1.0 - left + TINY) * (carried[1] + TINY)
    return [a / (a + b), b / (a + b)]


def _passed_on(figure, sense, i, links, point, force):
    """(7) of joint i, one row a degree of freedom."""
    k, o = sense.kinematics, sense.kinematics.position[i]
    moment = np.cross(point - o, force)
    for name in links:
        j = figure.link_index(name)
        c = point_position(k, j, figure.links[j].centre) - o
        weight = figure.links[j].mass * _pull(figure)
        moment = moment + np.array([-c[1] * weight, c[0] * weight, 0.0])  # c × (0, 0, -weight)
    return -matvec(columns(figure, k, sense.q, i).w, moment)


def _pull(figure):
    """g [m/s²]"""
    return -figure.gravity[2]


def _positive(x):
    return -minimum(-x, 0.0)
