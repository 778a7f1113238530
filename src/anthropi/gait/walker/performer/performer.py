"""Performer: a controller that tracks postures over time in balance, with no force on the root.

Postures are given by keys, each reached in a given time. Key k begins at t_k and takes o_k seconds. With the smooth
step s(x) = x³ (10 - 15 x + 6 x²), x from 0 to 1:

    s_k = s((t - t_k) / o_k),   s_0 = 1,   s_K = 0                                                                (1)
    x(t) = Σ (s_k - s_{k+1}) x_k                                                                                  (2)

A key starts from the target of the key before it, so overlapping keys blend. A row x contains the coordinates of all
joints except the root and the targets of the whole body (`BODY`). The control law:

    joints   track the row with implicit springs and dampers                                                      (3)
    legs     hip and ankle of a loaded foot have no spring; `balance.py` gives their torques. The same holds for a
             foot in the air that the keys do not lift, while the other foot is loaded                            (4)
    pelvis   follows the keys and leans against the error that balance cannot correct:
             R* = R(heading) R(pelvis + c lacks)                                                                  (5)
    knees    always have springs, which hold the body at the height of the keys                                   (6)
    swing    the thigh has a target in the world, relative to R*, moved by c (ξ - r) so that the foot comes under
             the capture point                                                                                    (7)
    thrust   ends when the knees are straight: × clip((knee - straight) / 0.3 rad), for the straighter knee       (8)
    loads    mean load of the feet over the last 10 ms, so that a short impact does not switch the control        (9)
    size     with mass M and leg length L relative to the reference body: stiffness × M L, damping × M L √L, turns
             per metre / L, so that bodies of the same shape move in the same way                                 (10)

The control law is a pure function with memory and parameters, and can be recorded on a tape.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.scalar import clip, maximum, minimum
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.gait.walker.performer.balance import (
    BALANCE,
    SIDES,
    balance,
    loads_of_feet,
    sole_of,
    through_hips,
    upright,
)
from anthropi.gait.walker.requirements import check_joints
from anthropi.simulation.drive import Drive

__all__ = ["BODY", "GAINS", "MAX_KEYS", "Key", "Performer", "layout", "posture", "size_of", "table"]


MAX_KEYS = 64  # rows of a table; unused rows repeat the last key, so that all routines share a kernel
NEVER_TIME = 1e6  # [s], start of unused keys: later than any simulation
BODY = {"pelvis": 3, "weight": 2, "lift": 2, "thrust": 1, "stiff": 1}
"""Targets of the whole body and the number of their values. pelvis : rotation vector relative to the heading [rad].
weight : position of the centre of mass ahead of the middle of the feet [m], and sideways from 1 (over the left foot) to
-1 (over the right). lift : 1 for each leg, left and right, that is in the air. thrust : additional force of the legs,
divided by the weight. stiff : factor of the stiffness of the knees, minus 1."""
PAIRS = ("clavicles", "shoulders", "elbows", "wrists", "hips", "knees", "ankles", "toes")
MIRROR = np.array([-1.0, 1.0, -1.0])  # signs of ball joint coordinates on the right side


class Key(NamedTuple):
    """A posture to reach: from `at` [s] on, within `over` [s], the body moves to `pose`, {name: numbers}.

    Names are joints (coordinates [rad]; a rotation vector for a ball joint), pairs of joints such as "knees" (given for
    the left side, mirrored on the right), and those of `BODY`. A name that is not given keeps its target.
    """

    at: float
    over: float
    pose: dict[str, Any]


def layout(figure: Figure) -> dict[str, slice]:
    """Return the slice of a parameter row that belongs to each joint and to each entry of `BODY`."""
    sizes = {joint.name: joint.nu for joint in figure.joints[1:] if joint.nu} | BODY
    ends = np.cumsum(list(sizes.values()))
    return {name: slice(int(end - size), int(end)) for (name, size), end in zip(sizes.items(), ends, strict=True)}


def posture(t: Any, times: Any, over: Any, rows: Any) -> Any:
    """Row of targets (n,) at time t [s] (eqs. 1, 2). Can be recorded on a tape.

    times, over : start and duration of the keys (k,) [s]; rows : their targets (k, n).
    """
    x = [clip((t - begin) / long, 0.0, 1.0) for begin, long in zip(times[1:], over[1:], strict=True)]
    s = [1.0, *(a * a * a * (10.0 + a * (6.0 * a - 15.0)) for a in x), 0.0]
    weights = np.array([a - b for a, b in pairwise(s)])
    return weights @ rows


def table(figure: Figure, keys: Sequence[Any]) -> dict[str, np.ndarray]:
    """Convert keys to parameters: times and over (MAX_KEYS,) [s], rows (MAX_KEYS, n). Works on plain floats only."""
    places, keys = layout(figure), [Key(*key) for key in keys]
    if not 1 <= len(keys) <= MAX_KEYS:
        raise InputError(f"The routine has {len(keys)} keys. Give 1 to {MAX_KEYS}.")
    if any(b.at < a.at for a, b in pairwise(keys)) or any(not key.over > 0.0 for key in keys):
        raise InputError("The keys are not in order of time, or one has over ≤ 0. Sort them and give each over > 0 s.")
    row, rows = np.zeros(places["stiff"].stop), []
    for key in keys:
        row = row.copy()
        for name, numbers in key.pose.items():
            _put(row, places, name, np.atleast_1d(np.asarray(numbers, float)))
        rows.append(row)
    rest = MAX_KEYS - len(keys)
    return {
        "times": np.array([key.at for key in keys] + [NEVER_TIME] * rest),
        "over": np.array([key.over for key in keys] + [1.0] * rest),
        "rows": np.array(rows + [row] * rest),
    }


def _put(row: np.ndarray, places: dict[str, slice], name: str, x: np.ndarray) -> None:
    """Write the numbers of one target into a row."""
    if name in PAIRS:
        one = name[:-1]
        _put(row, places, f"l_{one}", x)
        _put(row, places, f"r_{one}", x * MIRROR if len(x) == 3 else x)
        return
    if name not in places:
        names = (*PAIRS, *places)
        hint = did_you_mean(name, names)
        raise InputError(f"A pose has no target '{name}'.{hint} Choose one of: {', '.join(names)}.")
    size = places[name].stop - places[name].start
    if x.shape != (size,) or not np.isfinite(x).all():
        given = x.shape[0] if x.ndim == 1 else x.shape
        raise InputError(f"Target '{name}' got {given} numbers. Give {size} finite numbers.")
    row[places[name]] = x


STIFFNESS = {  # [N m/rad]
    "clavicle": 150.0,
    "shoulder": 80.0,
    "elbow": 40.0,
    "wrist": 8.0,
    "toe": 30.0,
    "lumbar": 800.0,
    "thoracic": 600.0,
    "neck": 80.0,
    "head": 80.0,
}
DAMPING = {  # [N m s/rad]
    "clavicle": 8.0,
    "shoulder": 6.0,
    "elbow": 3.0,
    "wrist": 0.5,
    "toe": 1.0,
    "lumbar": 60.0,
    "thoracic": 45.0,
    "neck": 5.0,
    "head": 5.0,
}
GAINS: dict[Any, Any] = {
    "knee": (400.0, 20.0),
    "hip": (800.0, 70.0, 5.0),
    "ankle": (120.0, 8.0, 0.0, 3.0),
    "lean": (10.0, 3.0),
    "air": (2.0, 2.0),
    "keep": 0.0,
}
"""Gains of the performer. knee : stiffness [N m/rad] and damping [N m s/rad]. hip : both in swing, and damping in
stance. ankle : both in swing, then both in stance. lean : c of (5) along and across [rad/m]. air : c of (7), along and
across [rad/m]. keep : smallest share of the load of each foot while no foot is lifted."""
STRAIGHT_KNEE, FADE_ANGLE = 0.1, 0.3  # [rad] (8)
MAX_HIP_TORQUE = 250.0  # [N m], largest torque of a hip on the pelvis about each axis
REFERENCE = (75.0, 0.917)  # [kg], [m]: mass and leg length of the body for which the gains were chosen (10)
LOAD_TIME = 0.01  # [s], averaging time of the loads (9)
MAX_TURN = 0.5  # [rad], largest turn of pelvis and thighs by feedback (5), (7)


class Performer:
    """Controller that performs a sequence of keys with a standard human figure.

    Parameters
    ----------
    figure : ap.human(detail="standard").
    keys : sequence of `Key`, in order of time.
    heading : heading of the figure [rad].
    numbers : values of `GAINS` and `balance.BALANCE` that differ from the default, by name.
    """

    memory: Any
    parameters: Any
    size: Any

    prescribed: tuple[str, ...] = ()

    def __init__(self, figure: Figure, keys: Sequence[Any], heading: float = 0.0, **numbers: Any) -> None:
        check_joints(figure, "A Performer")
        known = GAINS | BALANCE
        strange = [name for name in numbers if name not in known]
        if strange:
            raise InputError(f"A Performer has no gain '{strange[0]}'. Choose from: {', '.join(known)}.")
        gains = {name: np.asarray(x, float) for name, x in (known | numbers).items()}
        self.size = M, L = size_of(figure)
        stiff, damp = M * L, M * L * np.sqrt(L)  # (10)
        factors = {
            "knee": (stiff, damp),
            "hip": (stiff, damp, damp),
            "ankle": (stiff, damp) * 2,
            "upright": (stiff, damp),
            "lean": 1.0 / L,
            "air": 1.0 / L,
        }
        gains |= {name: gains[name] * np.asarray(x) for name, x in factors.items()}
        self.parameters = gains | table(figure, keys) | {"heading": np.array(float(heading))}
        self.memory = {"loads": np.full(2, 0.5), "time": np.array(0.0)}

    def __call__(
        self, figure: Figure, sense: Any, memory: dict[Any, Any], parameters: dict[Any, Any]
    ) -> tuple[Drive, dict[Any, Any]]:
        """Return the drive at this instant and the memory after it."""
        p, places = parameters, layout(figure)
        row = posture(sense.t, p["times"], p["over"], p["rows"])  # (3)
        own = {name: row[at] for name, at in places.items()}
        knees = [sense.q[figure.q_of[figure.joint_index(f"{x}_knee")]][0] for x in SIDES]
        bent = clip((minimum(*knees) - STRAIGHT_KNEE) / FADE_ANGLE, 0.0, 1.0)  # (8)
        least = [p["keep"] * (1.0 - maximum(*own["lift"])) for _ in SIDES]
        weigh = clip((sense.t - memory["time"]) / LOAD_TIME, 0.0, 1.0)
        loads = memory["loads"] + weigh * (loads_of_feet(figure, sense) - memory["loads"])  # (9)
        kept = balance(
            figure, sense, p, own["weight"], p["heading"], thrust=own["thrust"][0] * bent, least=least, loads=loads
        )
        stands = maximum(*kept.carried)
        bow, tip = (clip(stands * c * x, -MAX_TURN, MAX_TURN) for c, x in zip(p["lean"], kept.lacks, strict=True))
        lean = np.array([-tip, bow, 0.0])
        ahead = rot.quaternion_from_rotation_vector(np.array([0.0, 0.0, p["heading"]]))
        pelvis = rot.quaternion_product(ahead, rot.quaternion_from_rotation_vector(own["pelvis"] + lean))  # (5)
        most = MAX_HIP_TORQUE * self.size[0] * self.size[1]
        tau = kept.tau + through_hips(figure, sense, upright(figure, sense, p, pelvis), kept.share, most)
        held = [maximum(c, (1.0 - up) * stands) for c, up in zip(kept.carried, own["lift"], strict=True)]  # (4)
        turn = np.stack([clip(c * x, -MAX_TURN, MAX_TURN) for c, x in zip(p["air"], kept.error, strict=True)])
        reach = rot.quaternion_from_rotation_vector(np.array([turn[1], -turn[0], 0.0]))
        target, kp, kd = _targets(figure, sense.q, p, own, rot.quaternion_product(pelvis, reach), held, self.size)
        return Drive(tau=tau, target=target, kp=kp, kd=kd), {"loads": loads, "time": sense.t}


def size_of(figure: Figure) -> tuple[float, float]:
    """Mass M and leg length L of a figure relative to the reference body (eq. 10)."""
    down = sum(-figure.joints[figure.joint_index(f"l_{kind}")].placement.origin[2] for kind in ("knee", "ankle"))
    return float(figure.mass / REFERENCE[0]), float((down + sole_of(figure).depth) / REFERENCE[1])


def _targets(
    figure: Figure,
    q: Any,
    p: dict[Any, Any],
    own: dict[Any, Any],
    thighs: Any,
    carried: Sequence[Any],
    size: tuple[float, float],
) -> tuple[Any, Any, Any]:
    """Target (nq,), stiffness and damping (nu,) of all joints except the root: equations (3) to (7), (10)."""
    parts, kp, kd = [q[:7]], [0.0] * 6, [0.0] * 6
    turned = rot.quaternion_product(rot.quaternion_conjugate(q[3:7]), thighs)
    stands = dict(zip(SIDES, carried, strict=True))
    for joint in (joint for joint in figure.joints[1:] if joint.nu):  # all but welded links
        side, kind = (joint.name[0], joint.name[2:]) if joint.name[1] == "_" else ("", joint.name)
        joint_target, c = joint.from_coordinates(own[joint.name]), stands.get(side, 0.0)
        if kind == "hip":
            joint_target, stiff = rot.quaternion_product(turned, joint_target), p["hip"][0] * (1.0 - c)  # (7)
            damp = p["hip"][1] + (p["hip"][2] - p["hip"][1]) * c
        elif kind == "knee":
            stiff, damp = (x * (1.0 + own["stiff"][0]) for x in p["knee"])  # (6)
        elif kind == "ankle":
            air, stood = p["ankle"][:2], p["ankle"][2:]
            stiff, damp = (a + (b - a) * c for a, b in zip(air, stood, strict=True))
        else:
            M, L = size
            stiff, damp = M * L * STIFFNESS[kind], M * L * L**0.5 * DAMPING[kind]  # (10)
        parts.append(joint_target)
        kp += [stiff] * joint.nu
        kd += [damp] * joint.nu
    return np.concatenate(parts), np.array(kp), np.array(kd)
