"""A figure that walks by itself: forces at its joints, the ground under its feet, and nothing at its root.

A step is told by the leg that stands (side 0 left, 1 right), the time t since it struck, and s = min(t / T, 1.1):

    phase      φ = ½ s + ½ side + lag; at a strike the lag takes up what φ would jump by, and dies away in 50 ms  (1)
    aims       every joint by its curve over φ (`aims.py`), held by springs and dampers at the end of each step   (2)
    errors     e = (G - ankle that stands) - d*(s),   e' = G' - v*(s), along and across                           (3)
    placement  the swinging thigh, aimed in the world, forward by a + c·(e_x, e'_x), aside by b + c·(e_y, e'_y)   (4)
    pelvis     the hip that stands gives  C τ = -T - C_sw τ_sw - C_l τ_l,  T = k (R* ⊟ R) - d ω  of the pelvis,
               as far as its foot is loaded: SIMBICON's law (Yin and others 2007)                                 (5)
    ankle      that stands: pushes off late in the step, and yields by c·(e_x, e'_x)                              (6)
    strike     when the swinging foot carries 20 N after 0.6 T, or at 1.6 T                                       (7)

On its curve a walk that is the reference's has e = e' = 0: feedback shapes nothing, it only brings back. All of it is a
pure function with memory, inside the step's kernel; every number is a parameter.
"""

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import clip, exp, less, maximum, minimum, where
from anthropi.algorithms.kinematics import point_velocity
from anthropi.algorithms.momentum import centre_of, weighted
from anthropi.errors import SizeError
from anthropi.gait.walker.aims import MIDDLE, SIDED, basis, on_both_sides, value
from anthropi.simulation.drive import Drive

__all__ = ["Walker"]

STIFFNESS = {"clavicle": 100.0, "shoulder": 40.0, "elbow": 20.0, "wrist": 5.0, "toe": 30.0, "lumbar": 600.0,
             "thoracic": 400.0, "neck": 60.0, "head": 60.0}  # [N m/rad]  # fmt: skip
DAMPING = {"clavicle": 5.0, "shoulder": 3.0, "elbow": 1.5, "wrist": 0.3, "toe": 1.0, "lumbar": 40.0, "thoracic": 30.0,
           "neck": 4.0, "head": 4.0, "hip": 35.0, "knee": 20.0, "ankle": 10.0}  # [N m s/rad]  # fmt: skip
STANCE_HIP = 8.0  # [N m s/rad] of the hip that stands
STRONGEST = 250.0  # [N m] of the hip that stands, about each axis
TOUCH, LOADED = 20.0, 0.3  # [N]; share of the weight from which a foot is loaded
EARLY, LATE, FADES = 0.6, 1.6, 0.05  # of T; [s] (1)
FURTHEST = (0.6, 0.4)  # [rad] of (4)


class Walker:
    """A controller of a standard human figure. parameters : {name: numbers}, as `load_walker` reads them."""

    prescribed: tuple[str, ...] = ()

    def __init__(self, figure, parameters: dict):
        names = {joint.name for joint in figure.joints}
        lacks = [n for n in (*MIDDLE, *(f"{side}_{name}" for side in "lr" for name in SIDED)) if n not in names]
        if lacks:
            raise SizeError(
                f"Figure '{figure.name}' has no joint '{lacks[0]}': a Walker moves ap.human(detail='standard')."
            )
        self.parameters = {name: np.asarray(x, float) for name, x in parameters.items()}
        self.memory = {name: np.array(0.0) for name in ("side", "struck", "jump", "steps")}

    def __call__(self, figure, sense, memory, parameters):
        """What drives the figure now."""
        p, side, t = parameters, memory["side"], sense.t - memory["struck"]
        s = minimum(t / p["step"], 1.1)
        lag = memory["jump"] * exp(-t / FADES)
        phase = 0.5 * s + 0.5 * side + lag  # (1)
        aims, pelvis = _aims(p, basis(phase))
        feet = {x: figure.link_index(f"{x}_foot") for x in "lr"}
        load = {x: _load(figure, sense, x) for x in "lr"}
        swings = {"l": side, "r": 1.0 - side}
        e, rate = _errors(figure, sense.kinematics, p, s, side, feet)
        forward = clip(p["reach"] + p["forward"] @ np.stack([e[0], rate[0]]), -FURTHEST[0], FURTHEST[0])  # (4)
        out = where(less(side, 0.5), -1.0, 1.0) * p["spread"]
        aside = clip(out + p["sideways"] @ np.stack([e[1], rate[1]]), -FURTHEST[1], FURTHEST[1])
        hips = _hip_aims(sense.q[3:7], pelvis, aims, forward, aside)
        yields = p["push"] * clip((0.5 * s - p["push_from"]) * 12.0, 0.0, 1.0) + p["yield"] @ np.stack([e[0], rate[0]])
        target, kp, kd = _targets(figure, sense.q, p, aims, hips, swings, yields)
        tau = _stance_hips(figure, sense, p, pelvis, target, swings, load)
        air = where(less(side, 0.5), load["r"], load["l"])
        return Drive(tau=tau, target=target, kp=kp, kd=kd), _after(memory, p, sense.t, s, lag, air)


def _after(memory, p, now, s, lag, load):
    """Memory after the step: whether the foot in the air, which carries `load` [N], strikes (1), (7)."""
    t, side = now - memory["struck"], memory["side"]
    touches = where(less(TOUCH, load), 1.0, 0.0) * where(less(EARLY * p["step"], t), 1.0, 0.0)
    strike = less(0.5, maximum(touches, where(less(LATE * p["step"], t), 1.0, 0.0)))
    return {"side": where(strike, 1.0 - side, side), "struck": where(strike, now, memory["struck"]),
            "jump": where(strike, 0.5 * s + lag - 0.5, memory["jump"]),
            "steps": memory["steps"] + where(strike, 1.0, 0.0)}  # fmt: skip


def _aims(p, own):
    """({joint: coordinates}, rotation vector of the pelvis) (2)."""
    found = {}
    for name in SIDED:
        left, right = on_both_sides(p[f"side.{name}"], own)
        found[f"l_{name}"], found[f"r_{name}"] = left, right
    for side in "lr":
        found[f"{side}_shoulder"] = p["arms"] * found[f"{side}_shoulder"]
    found |= {name: value(p[f"middle.{name}"], own) for name in MIDDLE}
    found["lumbar"] = found["lumbar"] + np.array([0.0, p["lean"], 0.0])
    return found, value(p["pelvis"], own) + np.array([0.0, p["tilt"], 0.0])


def _load(figure, sense, side: str):
    """What a foot carries [N], toes with it."""
    return sum(sense.contacts.on(figure.link_index(f"{side}_{part}"))[2] for part in ("foot", "toes"))


def _errors(figure, k, p, s, side, feet):
    """(3): e, e' (2,), x forward, y left."""
    G = centre_of(figure, k)
    speed = weighted(figure, lambda i: point_velocity(k, i, figure.links[i].centre))
    left = less(side, 0.5)
    arm = G - where(left, k.position[feet["l"]], k.position[feet["r"]])
    sign = where(left, 1.0, -1.0)
    powers = np.stack([1.0 + 0.0 * s, s, s * s, s * s * s, s * s * s * s])
    ahead, aside, forward, across = (row @ powers for row in p["path"])
    e = np.stack([arm[0] - ahead, arm[1] - sign * aside])
    return e, np.stack([speed[0] - forward, speed[1] - sign * across])


def _hip_aims(now, pelvis, aims, forward, aside):
    """Quaternions of both hips whose thighs are aimed in the world (4)."""
    wanted = rot.quaternion_from_rotation_vector(pelvis)
    turn = rot.quaternion_product(rot.quaternion_from_rotation_vector(np.array([aside, 0.0, 0.0])),
                                  rot.quaternion_from_rotation_vector(np.array([0.0, -forward, 0.0])))  # fmt: skip
    found = {}
    for side in "lr":
        thigh = rot.quaternion_product(wanted, rot.quaternion_from_rotation_vector(aims[f"{side}_hip"]))
        thigh = rot.quaternion_product(turn, thigh)
        found[side] = rot.quaternion_product(rot.quaternion_conjugate(now), thigh)
    return found


def _targets(figure, q, p, aims, hips, swings, yields):
    """Target (nq,), kp, kd (nu,) of all joints but the root (2), (6)."""
    parts, kp, kd = [q[:7]], [0.0] * 6, [0.0] * 6
    for joint in figure.joints[1:]:
        side, kind = (joint.name[0], joint.name[2:]) if joint.name[1] == "_" else ("", joint.name)
        if kind == "hip":
            parts.append(hips[side])
            kp += [p["hip"] * swings[side]] * 3
            kd += [STANCE_HIP + (DAMPING["hip"] - STANCE_HIP) * swings[side]] * 3
            continue
        x = aims[joint.name]
        if kind == "knee":
            x = x + p["bend"]
        elif kind == "ankle":
            x = x + np.array([p["point"] - (1.0 - swings[side]) * yields, 0.0])
        parts.append(joint.from_coordinates(x))
        kp += [p[kind] if kind in ("knee", "ankle") else STIFFNESS[kind]] * joint.nu
        kd += [DAMPING[kind]] * joint.nu
    return np.concatenate(parts), np.array(kp), np.array(kd)


def _stance_hips(figure, sense, p, pelvis, target, swings, load):
    """Joint forces (nu,) of the hips, as far as each stands (5)."""
    q, u = sense.q, sense.u
    T = p["upright"][0] * _apart(q[3:7], rot.quaternion_from_rotation_vector(pelvis)) - p["upright"][1] * u[3:6]
    own = {}
    for name, stiff in (("lumbar", STIFFNESS["lumbar"]), ("l_hip", p["hip"]), ("r_hip", p["hip"])):
        i = figure.joint_index(name)
        at, dofs = figure.q_of[i], figure.u_of[i]
        pull = stiff * _apart(q[at], target[at]) - DAMPING[name.removeprefix("l_").removeprefix("r_")] * u[dofs]
        own[name] = rot.matrix_from_quaternion(q[at]), pull, dofs
    tau: list = [0.0] * figure.nu
    for side, other in (("l", "r"), ("r", "l")):
        C, _, dofs = own[f"{side}_hip"]
        rest = sum(matvec(own[name][0], own[name][1]) for name in ("lumbar", f"{other}_hip"))
        carried = minimum(load[side] / (LOADED * figure.mass * 9.81), 1.0) * (1.0 - swings[side])
        for k, x in zip(range(dofs.start, dofs.stop), matvec(transpose(C), -T - rest), strict=True):
            tau[k] = clip(x * carried, -STRONGEST, STRONGEST)
    return np.array(tau)


def _apart(now, wanted):
    """The rotation vector (3,) from a quaternion to another."""
    return rot.rotation_vector_from_quaternion(rot.quaternion_product(rot.quaternion_conjugate(now), wanted))
