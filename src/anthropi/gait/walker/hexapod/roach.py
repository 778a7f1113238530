"""A figure on six legs that walks by itself in alternating tripods: forces at its joints, nothing at its root.

`legs.py` says where feet are to be for a body that moves by the twist (v, Ω), `legs.py` how hinges bend for that.

    twist    v = (speed, 0, k_h (h* - h)),   Ω = k_l (e_z × up) + turn e_z                                     (1)
             up, h: the vertical in the body's frame, its height over the feet that stand
    command  speed as told; turn = k (heading told - heading), at most so fast; both change slowly             (2)
    phase    φ' = f = f₀ + f₁ (|speed| + arm |turn|), remembered                                               (3)
    reflexes a foot that touches in the second half of its swing stands there; one that should stand and feels
             nothing goes further down                                                                         (4)
    drive    springs and dampers at the end of each step, dampers towards the wanted rates, and the share of the
             weight that a foot carries                                                                        (5)
    rest     told to stand, it makes a cycle on the spot, which brings its feet home, and stops while all stand  (6)

Oscillators and reflexes are McKenna and Zeltzer's idea (1990). All of it is a pure function with memory inside the
step's kernel; every number is a parameter.

Walk
----
How does a roach go through a list of orders? Each is a run of the same kernel that goes on where the last ended.

Measures
--------
How did a roach walk? What physics says: loads and places of its soles, its body's height. Floats only.

A foot stands while its sole carries more than 0.5 N; spells and gaps of less than 20 ms do not count. A tripod has made
a step when its three feet have landed (1); a foot's slip is the way its sole goes over the ground from the first to the
last frame of a stance (2).
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import absolute, atan2, clip, floor, less, maximum, minimum, nearest, where
from anthropi.algorithms.kinematics import point_position
from anthropi.contact.scene import Scene
from anthropi.entry import kinematics
from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.gait.walker.hexapod.legs import (
    NAMES,
    TRIPOD,
    ground_velocity,
    home,
    leg_angles,
    legs_of,
    part_of,
    rates,
    share,
    swing,
    swung,
    torques,
)
from anthropi.motion import Motion
from anthropi.simulation.drive import Drive
from anthropi.simulation.simulate import simulate

__all__ = ["NUMBERS", "Measures", "Roach", "headings", "measure", "roach_walk"]


NUMBERS: dict[str, Any] = {
    "height": 0.13,  # [m] h*, of the body's middle over its feet
    "home": (0.07, 0.2),  # [m] where a foot rests from its first hinge: ahead (of front legs), and out
    "clearance": 0.03,  # [m] of a swing
    "stance": 0.6,  # β, of a cycle
    "pace": (1.2, 2.7),  # f₀ [1/s], f₁ [1/m]
    "keep": (6.0, 6.0, 3.0),  # k_h, k_l, k [1/s]
    "fastest": (0.6, 0.8),  # [m/s], [rad/s]
    "change": (0.6, 2.0),  # [m/s²], [rad/s²]
    "spring": 150.0,  # [N m/rad]
    "damper": 1.5,  # [N m s/rad]
    "search": 0.1,  # [m/s] of (4)
}
ARM = 0.3  # [m] from the middle to a foot
CONTACT_LOAD = 0.5  # [N]
DEEPEST = 0.05  # [m] below its height that the ground is looked for
LONGEST = 0.02  # [s] of a step
STILL = 1e-3, 0.02  # [m/s], [rad]: told less, it stands
EARLY = 1e-9  # [cycles] rounding


class Felt(NamedTuple):
    """up (3,) in the body's frame, height [m] over the feet that stand, how far it is to turn [rad], load (6,) [N]."""

    up: Any
    height: Any
    error: Any
    load: Any


class Roach:
    """A controller of `ap.sample("roach")`.

    Its command is (speed [m/s], heading [rad]): along the body, backwards if negative; 0 along x, left positive.
    numbers : others than `NUMBERS`, by name.
    """

    prescribed: tuple[str, ...] = ()

    def __init__(self, figure, **numbers):
        self.legs = legs_of(figure)
        for name in numbers:
            if name not in NUMBERS:
                raise InputError(f"A Roach has no number '{name}'.{did_you_mean(name, NUMBERS)} Numbers: "
                                 f"{', '.join(NUMBERS)}.")  # fmt: skip
        self.parameters = {name: np.asarray(x, float) for name, x in (NUMBERS | numbers).items()}
        for name, x in self.parameters.items():
            if x.shape != np.shape(NUMBERS[name]) or not np.isfinite(x).all():
                raise InputError(f"A Roach got {name}={numbers[name]!r}; give finite numbers as {NUMBERS[name]!r}.")
        if not 0.5 < self.parameters["stance"] < 1.0:
            raise InputError(f"A Roach got stance={numbers['stance']!r}: tripods overlap, take more than 0.5, below 1.")
        middle = 1.25 - 0.5 * self.parameters["stance"]  # all stand, each tripod with half of the weight
        self.memory = {"t": 0.0, "phase": middle, "rest": 2.0, "speed": 0.0, "turn": 0.0,
                       "feet": home(self.legs, self.parameters), "down": np.ones(6)}  # fmt: skip

    def start(self, heading: float = 0.0) -> np.ndarray:
        """How it stands at rest (nq,), its soles at z = 0. Floats only."""
        hinges = [leg_angles(leg, foot).hinges for leg, foot in zip(self.legs, self.memory["feet"], strict=True)]
        root = [0.0, 0.0, float(self.parameters["height"]), np.cos(0.5 * heading), 0.0, 0.0, np.sin(0.5 * heading)]
        return np.concatenate([root, self._spread(hinges)])

    def __call__(self, figure, sense, memory, parameters):
        """What drives the figure now."""
        if np.shape(sense.command) != (2,):
            raise ShapeError("A Roach is told command=(speed [m/s], heading [rad]); it got "
                             f"{np.size(sense.command)} numbers.")  # fmt: skip
        p, felt = parameters, self._felt(sense, memory["down"])
        dt = clip(sense.t - memory["t"], 0.0, LONGEST)
        speed, turn = memory["speed"], memory["turn"]
        v = np.stack([speed, 0.0 * speed, p["keep"][0] * (p["height"] - felt.height)])  # (1)
        spin = np.stack([-p["keep"][1] * felt.up[1], p["keep"][1] * felt.up[0], turn])
        pace = p["pace"][0] + p["pace"][1] * (absolute(speed) + ARM * absolute(turn))  # (3)
        part = part_of(memory["phase"])
        s = swung(part, p["stance"])
        place, rate = self._paths(p, memory, felt, s, (v, spin, pace))
        lost = memory["down"] * _yes(less(felt.load, CONTACT_LOAD)) * _yes(less(part, p["stance"]))
        lost = lost * _yes(less(-p["height"] - DEEPEST, place[:, 2]))
        rate = rate - np.outer(p["search"] * lost, np.array([0.0, 0.0, 1.0]))  # (4)
        drive = self._drive(figure, sense.q, p, place, rate, share(part, p["stance"]), felt.up)
        after = _changed(p, sense.command[0], felt.error, speed, turn, dt) | {"t": sense.t}
        after |= _phase(memory, p, sense.command[0], felt.error, pace * dt)
        return drive, after | _stands(memory, after["phase"], s, felt.load, place, rate * dt)

    def _felt(self, sense, down) -> Felt:
        """What of the body and its feet is read."""
        k, C = sense.kinematics, sense.kinematics.rotation[0]
        soles = np.stack([point_position(k, leg.tibia, leg.sole)[2] for leg in self.legs])
        height = k.position[0][2] - (down * soles).sum() / maximum(down.sum(), 1.0)
        error = sense.command[1] - atan2(C[1, 0], C[0, 0])
        load = np.stack([sense.contacts.on(leg.tibia)[2] for leg in self.legs])
        return Felt(C[2], height, error - 2.0 * np.pi * nearest(error / (2.0 * np.pi)), load)

    def _paths(self, p, memory, felt, s, twist):
        """Places and rates of all feet (6, 3), (6, 3), standing or swinging."""
        v, spin, pace = twist
        rest, time = home(self.legs, p), ((1.0 - p["stance"]) / pace, 0.5 * p["stance"] / pace)
        places, moves = [], []
        for i in range(6):
            left, stands = memory["feet"][i], less(0.5, memory["down"][i])
            place, rate = swing(left, rest[i], s[i], v, spin, time, p["clearance"], felt.up, felt.height)
            places.append(where(stands, left, place))
            moves.append(where(stands, ground_velocity(v, spin, left), rate))
        return np.stack(places), np.stack(moves)

    def _drive(self, figure, q, p, place, rate, carries, up) -> Drive:
        """(5)"""
        tau, target = [], []
        for i, leg in enumerate(self.legs):
            own = leg_angles(leg, place[i])
            push = (carries[i] * figure.mass * figure.gravity[2]) * up
            tau.append(torques(leg, own, push) + p["damper"] * rates(leg, own, rate[i]))
            target.append(own.hinges)
        kp, kd = (np.array([0.0] * 6 + [p[name]] * 18) for name in ("spring", "damper"))
        forces, hinges = self._spread(tau), self._spread(target)
        return Drive(np.concatenate([np.zeros(6), forces]), target=np.concatenate([q[:7], hinges]), kp=kp, kd=kd)

    def _spread(self, rows):
        """Three numbers a leg as the figure has its hinges (18,): first those of all legs, then the next."""
        own = {at: x for leg, row in zip(self.legs, rows, strict=True) for at, x in zip(leg.dofs, row, strict=True)}
        return np.array([own[at] for at in sorted(own)])


def _yes(mask):
    """1 where it holds, 0 where not."""
    return where(mask, 1.0, 0.0)


def _phase(memory, p, speed, error, more) -> dict:
    """Phase after the step, which goes on by `more` if it goes on; and cycles since there was somewhere to go (6)."""
    along = maximum(absolute(speed), absolute(memory["speed"]))
    told = maximum(_yes(less(STILL[0], along)), _yes(less(STILL[1], absolute(error))))
    twice = 2.0 * memory["phase"]
    early = less(0.5 * (twice - floor(twice)), 0.75 - 0.5 * p["stance"] - EARLY)  # than the middle while all six stand
    goes = maximum(told, maximum(_yes(less(memory["rest"], 1.0)), _yes(early)))
    rest = where(less(0.5, told), 0.0, minimum(memory["rest"] + more, 2.0))
    return {"phase": memory["phase"] + more * goes, "rest": rest}


def _stands(memory, phase, s, load, place, way) -> dict:
    """Which feet stand after the step, and where: those that stood go on by `way`, those that land are where they are,
    of others is remembered where they left (4)."""
    down = memory["down"]
    touched = _yes(less(CONTACT_LOAD, load)) * _yes(less(0.5, s))
    stands = maximum(down, maximum(touched, 1.0 - _yes(less(s, 1.0))))
    lifts = less(floor(memory["phase"] + TRIPOD), floor(phase + TRIPOD))
    feet = [where(less(0.5, stands[i]), place[i] + way[i] * down[i], memory["feet"][i]) for i in range(6)]
    return {"down": where(lifts, 0.0, stands), "feet": np.stack(feet)}


def _changed(p, speed_told, error, speed, turn, dt) -> dict:
    """Speed and turn after the step (2)."""
    told = clip(speed_told, -p["fastest"][0], p["fastest"][0]), p["keep"][2] * error
    told = told[0], clip(told[1], -p["fastest"][1], p["fastest"][1])
    most = p["change"] * dt
    return {"speed": speed + clip(told[0] - speed, -most[0], most[0]),
            "turn": turn + clip(told[1] - turn, -most[1], most[1])}  # fmt: skip


def roach_walk(scene, orders, roach=None, *, start=None, every: int = 5, **options) -> Motion:
    """A walk in pure physics, contacts only.

    scene : a `Scene` of `ap.sample("roach")`, or the figure. orders : (seconds, speed [m/s], heading [rad]), one after
    another. roach : the controller; None: `Roach(figure)`. start : q, or a motion of this controller to go on from;
    None: at rest. options : of `ap.simulate`.
    """
    place = scene if isinstance(scene, Scene) else Scene(scene)
    own = Roach(place.figure) if roach is None else roach
    if not orders:
        raise InputError("roach_walk got no orders; give (seconds, speed [m/s], heading [rad])s.")
    now, parts = own.start() if start is None else start, []
    for seconds, speed, heading in orders:
        now = simulate(place, now, forces=own, duration=seconds, every=every, command=[speed, heading], **options)
        parts.append(now)
    return parts[0].then(*parts[1:])


MEASURES_TOUCH, SHORT = 0.5, 0.02  # [N], [s]


class Measures(NamedTuple):
    """steps : of tripods (1). speed : [m/s], of the body's way over the ground. step : [m] of it in a step. slip :
    (mean, worst) [m] of a stance (2). height : (lowest, highest) [m] of the body over the mean of what it stands on.
    tilt : [rad] the most. touched : [N] the most that anything but a sole bore."""

    steps: int
    speed: float
    step: float
    slip: tuple[float, float]
    height: tuple[float, float]
    tilt: float
    touched: float


def headings(motion) -> np.ndarray:
    """Where the body points (frames,) [rad], without jumps."""
    w, x, y, z = np.moveaxis(motion.q[..., 3:7], -1, 0)
    return np.unwrap(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))


def measure(motion, scene, since: float = 0.0) -> Measures:
    """Measures of one rollout from a time on [s]; frames at most 10 ms apart."""
    if motion.q.ndim != 2 or np.diff(motion.time).max(initial=0.0) > 0.0101:
        raise InputError(
            f"measure got {motion!r}; give one rollout (motion.rollout(k)) with frames 10 ms apart or closer."
        )
    names = [feature.name for feature in scene.features]
    soles = [names.index(f"{name}_sole") for name in NAMES]
    others = [k for k in range(len(names)) if k not in soles]
    late = motion.time >= since - 1e-9
    time, q, force = motion.time[late], motion.q[late], motion.channels["contact"][late]
    seen = kinematics(motion.figure, q)
    places = np.stack([seen.marker(f"{name}_sole") for name in NAMES], axis=1)
    loaded = force[:, soles, 2] > MEASURES_TOUCH
    stances = [_runs(loaded[:, i], time) for i in range(6)]
    landed = np.array([sum(start > 0 for start, _ in own) for own in stances])
    steps = sum(int(landed[tripod].min()) for tripod in (TRIPOD < 0.25, TRIPOD > 0.25))  # (1)
    whole = [(i, a, b) for i, own in enumerate(stances) for a, b in own if a > 0 and b < len(time)]
    slips = [np.linalg.norm(np.diff(places[a:b, i, :2], axis=0), axis=1).sum() for i, a, b in whole]  # (2)
    way = float(np.linalg.norm(np.diff(q[:, :2], axis=0), axis=1).sum())
    under = (places[..., 2] * loaded).sum(1) / np.maximum(loaded.sum(1), 1)
    height = (q[:, 2] - under)[loaded.any(1)]
    upright = 1.0 - 2.0 * (q[:, 4] ** 2 + q[:, 5] ** 2)
    return Measures(
        steps, way / float(time[-1] - time[0]), way / max(steps, 1),
        (float(np.mean(slips)), float(np.max(slips))) if slips else (0.0, 0.0),
        (float(height.min()), float(height.max())), float(np.arccos(min(1.0, upright.min()))),
        float(np.abs(force[:, others]).max(initial=0.0)),
    )  # fmt: skip


def _runs(loaded, time) -> list[tuple[int, int]]:
    """[start, end) of stances that last; shorter gaps between them, and before the first, do not count."""
    edges = np.diff(np.concatenate([[0], loaded.astype(int), [0]]))
    found: list[tuple[int, int]] = []
    for a, b in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True):
        before = found[-1][1] - 1 if found else 0
        if time[a] - time[before] < SHORT:
            found[-1:] = [(found[-1][0] if found else 0, int(b))]
        else:
            found.append((int(a), int(b)))
    return [(a, b) for a, b in found if time[b - 1] - time[a] >= SHORT]
