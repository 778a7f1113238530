"""A figure that stands, jumps and dances by itself: postures over time, tracked in balance, nothing at its root.

    aims     every joint by keys (`keys.py`), held by springs and dampers at the end of each step                 (1)
    legs     as far as a foot is loaded, its hip and ankle have no spring: `balance.py` tells them what to do; nor
             where it should be, being not lifted by the keys, while the other one is                              (2)
    pelvis   turned as the keys say, leaning against what balance lacks: R* = R(heading) R(pelvis + c lacks)       (3)
    knees    springs at all times: they carry the body at the height that the keys ask for                        (4)
    air      another leg aims its thigh in the world, by R*, and further by c (ξ - r): feet come under
             the capture point                                                                                     (5)
    thrust   ends as knees stretch: × clip((knee - straight) / 0.3 rad), the straighter of the two                (6)
    size     of mass M and legs L, as shares of those that gains are for: stiffness × M L, damping × M L √L, turns
             a metre / L, so that bodies of one shape move alike                                                   (8)
    feeling  what feet carry is a mean over the last 10 ms, so that one blow switches nothing                      (7)

All of it is a pure function with memory and parameters, inside the step's kernel.
"""

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.scalar import clip, maximum, minimum
from anthropi.errors import InputError
from anthropi.gait.performer.balance import BALANCE, SIDES, balance, loads_of_feet, sole_of, through_hips, upright
from anthropi.gait.performer.keys import layout, posture, table
from anthropi.simulation.drive import Drive

__all__ = ["GAINS", "Performer", "size_of"]

STIFFNESS = {"clavicle": 150.0, "shoulder": 80.0, "elbow": 40.0, "wrist": 8.0, "toe": 30.0, "lumbar": 800.0,
             "thoracic": 600.0, "neck": 80.0, "head": 80.0}  # [N m/rad]  # fmt: skip
DAMPING = {"clavicle": 8.0, "shoulder": 6.0, "elbow": 3.0, "wrist": 0.5, "toe": 1.0, "lumbar": 60.0, "thoracic": 45.0,
           "neck": 5.0, "head": 5.0}  # [N m s/rad]  # fmt: skip

GAINS = {
    "knee": (400.0, 20.0),
    "hip": (800.0, 70.0, 5.0),
    "ankle": (120.0, 8.0, 0.0, 3.0),
    "lean": (10.0, 3.0),
    "air": (2.0, 2.0),
    "keep": 0.0,
}
"""Stiffness [N m/rad] and damping [N m s/rad] of knees; of hips in the air, and damping of those that stand; of ankles
in the air, then of those that stand; [rad/m] c of (3), along and across; the same of (5); the share of the weight that
a foot keeps while none is lifted."""
STRAIGHT, FADES = 0.1, 0.3  # [rad] (6)
STRONGEST = 250.0  # [N m] of a hip that keeps the pelvis, about each axis
OWN = (75.0, 0.917)  # [kg, m] mass and legs that gains are for (8)
FEELS = 0.01  # [s] (7)
FURTHEST = 0.5  # [rad] (3), (5)


class Performer:
    """A controller of a standard human figure. keys : of `Key`. numbers : other `GAINS` and `BALANCE`.

    heading : [rad] where it looks, at the start of its keys.
    """

    prescribed: tuple[str, ...] = ()

    def __init__(self, figure, keys, heading: float = 0.0, **numbers):
        names = {joint.name for joint in figure.joints}
        lacks = [n for n in (*STIFFNESS, *(f"{x}_hip" for x in SIDES)) if n not in names and f"l_{n}" not in names]
        if lacks:
            raise InputError(
                f"Figure '{figure.name}' has no joint '{lacks[0]}': a Performer moves ap.human(detail='standard')."
            )
        known = GAINS | BALANCE
        strange = [name for name in numbers if name not in known]
        if strange:
            raise InputError(f"A Performer has no number '{strange[0]}'. It has: {', '.join(known)}.")
        told = {name: np.asarray(x, float) for name, x in (known | numbers).items()}
        self.size = M, L = size_of(figure)
        stiff, damp = M * L, M * L * np.sqrt(L)  # (8)
        factors = {"knee": (stiff, damp), "hip": (stiff, damp, damp), "ankle": (stiff, damp) * 2,
                   "upright": (stiff, damp), "lean": 1.0 / L, "air": 1.0 / L}  # fmt: skip
        told |= {name: told[name] * np.asarray(x) for name, x in factors.items()}
        self.parameters = told | table(figure, keys) | {"heading": np.array(float(heading))}
        self.memory = {"loads": np.full(2, 0.5), "time": np.array(0.0)}

    def __call__(self, figure, sense, memory, parameters):
        """What drives the figure now."""
        p, places = parameters, layout(figure)
        row = posture(sense.t, p["times"], p["over"], p["rows"])  # (1)
        own = {name: row[at] for name, at in places.items()}
        knees = [sense.q[figure.q_of[figure.joint_index(f"{x}_knee")]][0] for x in SIDES]
        bent = clip((minimum(*knees) - STRAIGHT) / FADES, 0.0, 1.0)  # (6)
        least = [p["keep"] * (1.0 - maximum(*own["lift"])) for _ in SIDES]
        weigh = clip((sense.t - memory["time"]) / FEELS, 0.0, 1.0)
        felt = memory["loads"] + weigh * (loads_of_feet(figure, sense) - memory["loads"])  # (7)
        kept = balance(figure, sense, p, own["weight"], p["heading"], thrust=own["thrust"][0] * bent, least=least,
                       loads=felt)  # fmt: skip
        stands = maximum(*kept.carried)
        bow, tip = (clip(stands * c * x, -FURTHEST, FURTHEST) for c, x in zip(p["lean"], kept.lacks, strict=True))
        lean = np.array([-tip, bow, 0.0])
        ahead = rot.quaternion_from_rotation_vector(np.array([0.0, 0.0, p["heading"]]))
        pelvis = rot.quaternion_product(ahead, rot.quaternion_from_rotation_vector(own["pelvis"] + lean))  # (3)
        most = STRONGEST * self.size[0] * self.size[1]
        tau = kept.tau + through_hips(figure, sense, upright(figure, sense, p, pelvis), kept.share, most)
        held = [maximum(c, (1.0 - up) * stands) for c, up in zip(kept.carried, own["lift"], strict=True)]  # (2)
        turn = np.stack([clip(c * x, -FURTHEST, FURTHEST) for c, x in zip(p["air"], kept.error, strict=True)])
        reach = rot.quaternion_from_rotation_vector(np.array([turn[1], -turn[0], 0.0]))
        target, kp, kd = _targets(figure, sense.q, p, own, rot.quaternion_product(pelvis, reach), held, self.size)
        return Drive(tau=tau, target=target, kp=kp, kd=kd), {"loads": felt, "time": sense.t}


def size_of(figure) -> tuple[float, float]:
    """M, L of (8)."""
    down = sum(-figure.joints[figure.joint_index(f"l_{kind}")].placement.origin[2] for kind in ("knee", "ankle"))
    return float(figure.mass / OWN[0]), float((down + sole_of(figure).depth) / OWN[1])


def _targets(figure, q, p, own, thighs, carried, size):
    """Target (nq,), kp, kd (nu,) of all joints but the root."""
    parts, kp, kd = [q[:7]], [0.0] * 6, [0.0] * 6
    turned = rot.quaternion_product(rot.quaternion_conjugate(q[3:7]), thighs)
    stands = dict(zip(SIDES, carried, strict=True))
    for joint in figure.joints[1:]:
        side, kind = (joint.name[0], joint.name[2:]) if joint.name[1] == "_" else ("", joint.name)
        aim, c = joint.from_coordinates(own[joint.name]), stands.get(side, 0.0)
        if kind == "hip":
            aim, stiff = rot.quaternion_product(turned, aim), p["hip"][0] * (1.0 - c)  # (5)
            damp = p["hip"][1] + (p["hip"][2] - p["hip"][1]) * c
        elif kind == "knee":
            stiff, damp = (x * (1.0 + own["stiff"][0]) for x in p["knee"])  # (4)
        elif kind == "ankle":
            air, stood = p["ankle"][:2], p["ankle"][2:]
            stiff, damp = (a + (b - a) * c for a, b in zip(air, stood, strict=True))
        else:
            M, L = size
            stiff, damp = M * L * STIFFNESS[kind], M * L * L**0.5 * DAMPING[kind]  # (8)
        parts.append(aim)
        kp += [stiff] * joint.nu
        kd += [damp] * joint.nu
    return np.concatenate(parts), np.array(kp), np.array(kd)
