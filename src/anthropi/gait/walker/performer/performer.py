"""Where is a body aimed, over time? Postures by key, each reached in a given time, as rows of numbers.

Key k begins at t_k and takes o_k seconds. With the smooth step s(x) = x³ (10 - 15 x + 6 x²), x from 0 to 1:

    s_k = s((t - t_k) / o_k),   s_0 = 1,   s_K = 0                             (1)
    x(t) = Σ (s_k - s_{k+1}) x_k                                               (2)

Every key starts where the one before aims: what overlaps flows. A row x has the coordinates of all joints but the root,
and what is told of the body as a whole: `BODY`. Times, durations and rows are parameters of a kernel; (1), (2) record.

Performer
---------
A figure that stands, jumps and dances by itself: postures over time, tracked in balance, nothing at its root.

    aims     every joint by keys (`performer.py`), held by springs and dampers at the end of each step              (3)
    legs     as far as a foot is loaded, its hip and ankle have no spring: `balance.py` tells them what to do; nor
             where it should be, being not lifted by the keys, while the other one is                              (4)
    pelvis   turned as the keys say, leaning against what balance lacks: R* = R(heading) R(pelvis + c lacks)       (5)
    knees    springs at all times: they carry the body at the height that the keys ask for                        (6)
    air      another leg aims its thigh in the world, by R*, and further by c (ξ - r): feet come under
             the capture point                                                                                     (7)
    thrust   ends as knees stretch: × clip((knee - straight) / 0.3 rad), the straighter of the two                (8)
    size     of mass M and legs L, as shares of those that gains are for: stiffness × M L, damping × M L √L, turns
             a metre / L, so that bodies of one shape move alike                                                   (10)
    feeling  what feet carry is a mean over the last 10 ms, so that one blow switches nothing                      (9)

All of it is a pure function with memory and parameters, inside the step's kernel.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.scalar import clip, maximum, minimum
from anthropi.errors import InputError, did_you_mean
from anthropi.gait.walker.performer.balance import (
    BALANCE,
    SIDES,
    balance,
    loads_of_feet,
    sole_of,
    through_hips,
    upright,
)
from anthropi.simulation.drive import Drive

__all__ = ["BODY", "GAINS", "KEYS", "Key", "Performer", "layout", "posture", "size_of", "table"]


KEYS = 64  # rows of a table: keys beyond those given stay as the last, so that all pieces share a kernel
NEVER = 1e6  # [s]
BODY = {"pelvis": 3, "weight": 2, "lift": 2, "thrust": 1, "stiff": 1}
"""pelvis : rotation vector [rad] in the heading's frame. weight : [m] ahead of the middle of the feet, and aside, 1
over the left foot and -1 over the right. lift : 1 for a leg, left and right, that is not to stand. thrust : of the
legs, in weights. stiff : factor of the knees' stiffness, less 1."""
PAIRS = ("clavicles", "shoulders", "elbows", "wrists", "hips", "knees", "ankles", "toes")
MIRROR = np.array([-1.0, 1.0, -1.0])  # of a ball's coordinates


class Key(NamedTuple):
    """From time `at` [s] on, over `over` seconds, the body goes to `pose`: {name: numbers}; what is not named stays.

    Names are joints (coordinates [rad], a ball's a rotation vector), pairs of them ("knees", "shoulders": as on the
    left, mirrored on the right), and those of `BODY`.
    """

    at: float
    over: float
    pose: dict[str, Any]


def layout(figure) -> dict[str, slice]:
    """Which numbers of a row are whose."""
    sizes = {joint.name: joint.nu for joint in figure.joints[1:]} | BODY
    ends = np.cumsum(list(sizes.values()))
    return {name: slice(int(end - size), int(end)) for (name, size), end in zip(sizes.items(), ends, strict=True)}


def posture(t, times, over, rows):
    """The row (n,) at time t: (1), (2)."""
    x = [clip((t - begin) / long, 0.0, 1.0) for begin, long in zip(times[1:], over[1:], strict=True)]
    s = [1.0, *(a * a * a * (10.0 + a * (6.0 * a - 15.0)) for a in x), 0.0]
    weights = np.array([a - b for a, b in pairwise(s)])
    return weights @ rows


def table(figure, keys) -> dict[str, np.ndarray]:
    """Keys as parameters: times, over (KEYS,), rows (KEYS, n). Floats only."""
    places, keys = layout(figure), [Key(*key) for key in keys]
    if not 1 <= len(keys) <= KEYS:
        raise InputError(f"A piece has {len(keys)} keys; give from 1 to {KEYS}.")
    if any(b.at < a.at for a, b in pairwise(keys)) or any(not key.over > 0.0 for key in keys):
        raise InputError("Keys come in order of time, and each takes more than 0 s.")
    row, rows = np.zeros(places["stiff"].stop), []
    for key in keys:
        row = row.copy()
        for name, numbers in key.pose.items():
            _put(row, places, name, np.atleast_1d(np.asarray(numbers, float)))
        rows.append(row)
    rest = KEYS - len(keys)
    return {"times": np.array([key.at for key in keys] + [NEVER] * rest),
            "over": np.array([key.over for key in keys] + [1.0] * rest),
            "rows": np.array(rows + [row] * rest)}  # fmt: skip


def _put(row, places, name: str, x) -> None:
    """Numbers of one name into a row."""
    if name in PAIRS:
        one = name[:-1]
        _put(row, places, f"l_{one}", x)
        _put(row, places, f"r_{one}", x * MIRROR if len(x) == 3 else x)
        return
    if name not in places:
        names = (*PAIRS, *places)
        raise InputError(f"No '{name}' to aim.{did_you_mean(name, names)} Choose: {', '.join(names)}.")
    size = places[name].stop - places[name].start
    if x.shape != (size,) or not np.isfinite(x).all():
        raise InputError(f"'{name}' has {x.shape[0] if x.ndim == 1 else x.shape} numbers; it takes {size}, finite.")
    row[places[name]] = x


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
in the air, then of those that stand; [rad/m] c of (5), along and across; the same of (7); the share of the weight that
a foot keeps while none is lifted."""
STRAIGHT, FADES = 0.1, 0.3  # [rad] (8)
STRONGEST = 250.0  # [N m] of a hip that keeps the pelvis, about each axis
OWN = (75.0, 0.917)  # [kg, m] mass and legs that gains are for (10)
FEELS = 0.01  # [s] (9)
FURTHEST = 0.5  # [rad] (5), (7)


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
        stiff, damp = M * L, M * L * np.sqrt(L)  # (10)
        factors = {"knee": (stiff, damp), "hip": (stiff, damp, damp), "ankle": (stiff, damp) * 2,
                   "upright": (stiff, damp), "lean": 1.0 / L, "air": 1.0 / L}  # fmt: skip
        told |= {name: told[name] * np.asarray(x) for name, x in factors.items()}
        self.parameters = told | table(figure, keys) | {"heading": np.array(float(heading))}
        self.memory = {"loads": np.full(2, 0.5), "time": np.array(0.0)}

    def __call__(self, figure, sense, memory, parameters):
        """What drives the figure now."""
        p, places = parameters, layout(figure)
        row = posture(sense.t, p["times"], p["over"], p["rows"])  # (3)
        own = {name: row[at] for name, at in places.items()}
        knees = [sense.q[figure.q_of[figure.joint_index(f"{x}_knee")]][0] for x in SIDES]
        bent = clip((minimum(*knees) - STRAIGHT) / FADES, 0.0, 1.0)  # (8)
        least = [p["keep"] * (1.0 - maximum(*own["lift"])) for _ in SIDES]
        weigh = clip((sense.t - memory["time"]) / FEELS, 0.0, 1.0)
        felt = memory["loads"] + weigh * (loads_of_feet(figure, sense) - memory["loads"])  # (9)
        kept = balance(figure, sense, p, own["weight"], p["heading"], thrust=own["thrust"][0] * bent, least=least,
                       loads=felt)  # fmt: skip
        stands = maximum(*kept.carried)
        bow, tip = (clip(stands * c * x, -FURTHEST, FURTHEST) for c, x in zip(p["lean"], kept.lacks, strict=True))
        lean = np.array([-tip, bow, 0.0])
        ahead = rot.quaternion_from_rotation_vector(np.array([0.0, 0.0, p["heading"]]))
        pelvis = rot.quaternion_product(ahead, rot.quaternion_from_rotation_vector(own["pelvis"] + lean))  # (5)
        most = STRONGEST * self.size[0] * self.size[1]
        tau = kept.tau + through_hips(figure, sense, upright(figure, sense, p, pelvis), kept.share, most)
        held = [maximum(c, (1.0 - up) * stands) for c, up in zip(kept.carried, own["lift"], strict=True)]  # (4)
        turn = np.stack([clip(c * x, -FURTHEST, FURTHEST) for c, x in zip(p["air"], kept.error, strict=True)])
        reach = rot.quaternion_from_rotation_vector(np.array([turn[1], -turn[0], 0.0]))
        target, kp, kd = _targets(figure, sense.q, p, own, rot.quaternion_product(pelvis, reach), held, self.size)
        return Drive(tau=tau, target=target, kp=kp, kd=kd), {"loads": felt, "time": sense.t}


def size_of(figure) -> tuple[float, float]:
    """M, L of (10)."""
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
            aim, stiff = rot.quaternion_product(turned, aim), p["hip"][0] * (1.0 - c)  # (7)
            damp = p["hip"][1] + (p["hip"][2] - p["hip"][1]) * c
        elif kind == "knee":
            stiff, damp = (x * (1.0 + own["stiff"][0]) for x in p["knee"])  # (6)
        elif kind == "ankle":
            air, stood = p["ankle"][:2], p["ankle"][2:]
            stiff, damp = (a + (b - a) * c for a, b in zip(air, stood, strict=True))
        else:
            M, L = size
            stiff, damp = M * L * STIFFNESS[kind], M * L * L**0.5 * DAMPING[kind]  # (10)
        parts.append(aim)
        kp += [stiff] * joint.nu
        kd += [damp] * joint.nu
    return np.concatenate(parts), np.array(kp), np.array(kd)
