"""Roach: a controller that makes a figure walk on six legs in alternating tripods. Also measures of such a walk.

`legs.py` computes the paths of the feet for a body that moves with the twist (v, Ω), and the hinge angles for them.

    twist    v = (speed, 0, k_h (h* - h)),   Ω = k_l (e_z × up) + turn e_z                                        (1)
             up is the vertical in the frame of the body, h the height of the body above the feet in stance
    command  speed as commanded; turn = k (commanded heading - heading), bounded; both change at bounded rates    (2)
    phase    φ' = f = f₀ + f₁ (|speed| + arm |turn|), kept in memory                                              (3)
    reflexes a foot that touches the ground in the second half of its swing stays there; a foot in stance without
             load moves further down                                                                              (4)
    drive    implicit springs, dampers towards the desired rates, and the share of the weight that a foot bears   (5)
    rest     after the command to stand, one cycle in place brings the feet home; then all feet stand             (6)

Oscillators and reflexes follow M. McKenna and D. Zeltzer, "Dynamic simulation of autonomous legged locomotion",
SIGGRAPH 1990. The controller is a pure function with memory and can be recorded on a tape; every number is a parameter.

The measures work on plain floats only. A foot is in stance while its sole bears more than 0.5 N. Contacts and gaps
shorter than 20 ms are ignored.

    steps    a tripod has made a step when its three feet have landed                                             (7)
    slip     distance that a sole moves over the ground from the first to the last frame of a stance              (8)
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import absolute, atan2, clip, floor, less, maximum, minimum, nearest, where
from anthropi.algorithms.kinematics import point_position
from anthropi.contact.scene import Scene
from anthropi.entry import kinematics
from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.figure.figure import Figure
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
    "height": 0.13,  # [m] h*, height of the middle of the body above its feet
    "home": (0.07, 0.2),  # [m] rest position of a foot from its first hinge: ahead (front legs), and outwards
    "clearance": 0.03,  # [m] largest height of a swing foot
    "stance": 0.6,  # β, fraction of a cycle
    "pace": (1.2, 2.7),  # f₀ [1/s], f₁ [1/m]
    "keep": (6.0, 6.0, 3.0),  # k_h, k_l, k [1/s]
    "fastest": (0.6, 0.8),  # [m/s], [rad/s]: largest speed and turn rate
    "change": (0.6, 2.0),  # [m/s²], [rad/s²]: largest rates of change of both
    "spring": 150.0,  # [N m/rad]
    "damper": 1.5,  # [N m s/rad]
    "search": 0.1,  # [m/s] downward speed of a foot without load (4)
}
TURN_ARM = 0.3  # [m], distance from the middle of the body to a foot (3)
CONTACT_LOAD = 0.5  # [N], load from which a foot is in contact (4)
MAX_SEARCH_DEPTH = 0.05  # [m] below h*, lowest position of a foot that searches for the ground (4)
MAX_INTERVAL = 0.02  # [s], largest time by which one call advances the phase
STANDING_COMMAND = 1e-3, 0.02  # [m/s], [rad]: a smaller speed and heading error mean standing (6)
PHASE_TOLERANCE = 1e-9  # [cycles], for rounding errors


LIVE_SPEED = 0.3  # [m/s] first speed in a live page


class Observation(NamedTuple):
    """Observed state of the body.

    Contains the vertical (3,) in the frame of the body, the height above the feet in stance [m], the heading error
    [rad] and the loads of the feet (6,) [N].
    """

    up: Any
    height: Any
    error: Any
    load: Any


class Roach:
    """Controller of `ap.sample("roach")`.

    Its command is (speed [m/s], heading [rad]). The speed is along the body, negative for backwards. The heading is 0
    along x and positive to the left.

    Parameters
    ----------
    figure : a figure with six legs (`legs.legs_of`).
    numbers : values of `NUMBERS` that differ from the default, by name.
    """

    legs: Any
    parameters: Any

    prescribed: tuple[str, ...] = ()

    def __init__(self, figure: Figure, **numbers: Any) -> None:
        self.legs = legs_of(figure)
        for name in numbers:
            if name not in NUMBERS:
                hint = did_you_mean(name, NUMBERS)
                raise InputError(f"A Roach has no parameter '{name}'.{hint} Choose from: {', '.join(NUMBERS)}.")
        self.parameters = {name: np.asarray(x, float) for name, x in (NUMBERS | numbers).items()}
        for name, x in self.parameters.items():
            if x.shape != np.shape(NUMBERS[name]) or not np.isfinite(x).all():
                raise InputError(
                    f"Roach got {name}={numbers[name]!r}. Give finite numbers, as many as in the default "
                    f"{NUMBERS[name]!r}."
                )
        if not 0.5 < self.parameters["stance"] < 1.0:
            raise InputError(
                f"Roach got stance={numbers['stance']!r}. Give a number above 0.5 and below 1, so that the tripods "
                "overlap."
            )
        middle = 1.25 - 0.5 * self.parameters["stance"]  # all feet in stance, each tripod bears half of the weight
        self.memory: dict[str, Any] = {
            "t": 0.0,
            "phase": middle,
            "rest": 2.0,
            "speed": 0.0,
            "turn": 0.0,
            "feet": home(self.legs, self.parameters),
            "down": np.ones(6),
        }

    def live_controls(self, problem: Any) -> Any:
        """Return the controls of the roach in a live page: speed and heading."""
        from anthropi.formats.pages.live_page import LiveControls  # the writer of pages is loaded on demand

        return LiveControls(np.array([LIVE_SPEED, 0.0]), None, 0, 1, (0.0, 0.5), slopes=0.0)

    def start(self, heading: float = 0.0) -> np.ndarray:
        """Positions (nq,) of the standing figure with the soles at z = 0, for a heading [rad]. Plain floats only."""
        hinges = [leg_angles(leg, foot).hinges for leg, foot in zip(self.legs, self.memory["feet"], strict=True)]
        root = [0.0, 0.0, float(self.parameters["height"]), np.cos(0.5 * heading), 0.0, 0.0, np.sin(0.5 * heading)]
        return np.concatenate([root, self._spread(hinges)])

    def __call__(
        self, figure: Figure, sense: Any, memory: dict[Any, Any], parameters: dict[Any, Any]
    ) -> tuple[Drive, dict[Any, Any]]:
        """Return the drive at this instant and the memory after it."""
        if np.shape(sense.command) != (2,):
            raise ShapeError(
                f"The command of a Roach is (speed [m/s], heading [rad]), but it got {np.size(sense.command)} numbers. "
                "Give two."
            )
        p, obs = parameters, self._observe(sense, memory["down"])
        dt = clip(sense.t - memory["t"], 0.0, MAX_INTERVAL)
        speed, turn = memory["speed"], memory["turn"]
        v = np.stack([speed, 0.0 * speed, p["keep"][0] * (p["height"] - obs.height)])  # (1)
        spin = np.stack([-p["keep"][1] * obs.up[1], p["keep"][1] * obs.up[0], turn])
        pace = p["pace"][0] + p["pace"][1] * (absolute(speed) + TURN_ARM * absolute(turn))  # (3)
        part = part_of(memory["phase"])
        s = swung(part, p["stance"])
        place, rate = self._paths(p, memory, obs, s, (v, spin, pace))
        lost = memory["down"] * _yes(less(obs.load, CONTACT_LOAD)) * _yes(less(part, p["stance"]))
        lost = lost * _yes(less(-p["height"] - MAX_SEARCH_DEPTH, place[:, 2]))
        rate = rate - np.outer(p["search"] * lost, np.array([0.0, 0.0, 1.0]))  # (4)
        drive = self._drive(figure, sense.q, p, place, rate, share(part, p["stance"]), obs.up)
        after = _changed(p, sense.command[0], obs.error, speed, turn, dt) | {"t": sense.t}
        after |= _phase(memory, p, sense.command[0], obs.error, pace * dt)
        return drive, after | _stands(memory, after["phase"], s, obs.load, place, rate * dt)

    def _observe(self, sense: Any, down: Any) -> Observation:
        """Compute the observation of the body and its feet."""
        k, C = sense.kinematics, sense.kinematics.rotation[0]
        soles = np.stack([point_position(k, leg.tibia, leg.sole)[2] for leg in self.legs])
        height = k.position[0][2] - (down * soles).sum() / maximum(down.sum(), 1.0)
        error = sense.command[1] - atan2(C[1, 0], C[0, 0])
        load = np.stack([sense.contacts.on(leg.tibia)[2] for leg in self.legs])
        return Observation(C[2], height, error - 2.0 * np.pi * nearest(error / (2.0 * np.pi)), load)

    def _paths(
        self, p: dict[Any, Any], memory: dict[Any, Any], obs: Observation, s: Any, twist: tuple[Any, Any, Any]
    ) -> tuple[Any, Any]:
        """Desired positions (6, 3) [m] and velocities (6, 3) [m/s] of all feet, in the frame of the body."""
        v, spin, pace = twist
        rest, time = home(self.legs, p), ((1.0 - p["stance"]) / pace, 0.5 * p["stance"] / pace)
        places, moves = [], []
        for i in range(6):
            left, stands = memory["feet"][i], less(0.5, memory["down"][i])
            place, rate = swing(left, rest[i], s[i], v, spin, time, p["clearance"], obs.up, obs.height)
            places.append(where(stands, left, place))
            moves.append(where(stands, ground_velocity(v, spin, left), rate))
        return np.stack(places), np.stack(moves)

    def _drive(self, figure: Figure, q: Any, p: dict[Any, Any], place: Any, rate: Any, carries: Any, up: Any) -> Drive:
        """Drive of all legs: springs, dampers and the share of the weight (eq. 5)."""
        tau, target = [], []
        for i, leg in enumerate(self.legs):
            own = leg_angles(leg, place[i])
            push = (carries[i] * figure.mass * figure.gravity[2]) * up
            tau.append(torques(leg, own, push) + p["damper"] * rates(leg, own, rate[i]))
            target.append(own.hinges)
        kp, kd = (np.array([0.0] * 6 + [p[name]] * 18) for name in ("spring", "damper"))
        forces, hinges = self._spread(tau), self._spread(target)
        return Drive(np.concatenate([np.zeros(6), forces]), target=np.concatenate([q[:7], hinges]), kp=kp, kd=kd)

    def _spread(self, rows: Any) -> np.ndarray:
        """Arrange three numbers per leg in the order of the dofs of the figure (18,)."""
        own = {at: x for leg, row in zip(self.legs, rows, strict=True) for at, x in zip(leg.dofs, row, strict=True)}
        return np.array([own[at] for at in sorted(own)])


def _yes(mask: Any) -> Any:
    """Return 1.0 where a mask is true, else 0.0."""
    return where(mask, 1.0, 0.0)


def _phase(memory: dict[Any, Any], p: dict[Any, Any], speed: Any, error: Any, more: Any) -> dict[Any, Any]:
    """Phase after a step, and cycles since the last command to move (eq. 6).

    The phase advances by `more` cycles, unless the figure is at rest.
    """
    along = maximum(absolute(speed), absolute(memory["speed"]))
    commanded = maximum(_yes(less(STANDING_COMMAND[0], along)), _yes(less(STANDING_COMMAND[1], absolute(error))))
    twice = 2.0 * memory["phase"]
    early = less(
        0.5 * (twice - floor(twice)), 0.75 - 0.5 * p["stance"] - PHASE_TOLERANCE
    )  # the phase is before the middle of the time in which all six stand
    goes = maximum(commanded, maximum(_yes(less(memory["rest"], 1.0)), _yes(early)))
    rest = where(less(0.5, commanded), 0.0, minimum(memory["rest"] + more, 2.0))
    return {"phase": memory["phase"] + more * goes, "rest": rest}


def _stands(memory: dict[Any, Any], phase: Any, s: Any, load: Any, place: Any, moved: Any) -> dict[Any, Any]:
    """Feet in stance after a step, and their positions (eq. 4).

    A foot in stance moves by `moved`, and a landing foot stays where it is. For a swing foot the point of lift-off is
    kept.
    """
    down = memory["down"]
    touched = _yes(less(CONTACT_LOAD, load)) * _yes(less(0.5, s))
    stands = maximum(down, maximum(touched, 1.0 - _yes(less(s, 1.0))))
    lifts = less(floor(memory["phase"] + TRIPOD), floor(phase + TRIPOD))
    feet = [where(less(0.5, stands[i]), place[i] + moved[i] * down[i], memory["feet"][i]) for i in range(6)]
    return {"down": where(lifts, 0.0, stands), "feet": np.stack(feet)}


def _changed(p: dict[Any, Any], speed_command: Any, error: Any, speed: Any, turn: Any, dt: Any) -> dict[Any, Any]:
    """Speed and turn rate after a step, at bounded rates (eq. 2)."""
    commanded = clip(speed_command, -p["fastest"][0], p["fastest"][0]), p["keep"][2] * error
    commanded = commanded[0], clip(commanded[1], -p["fastest"][1], p["fastest"][1])
    most = p["change"] * dt
    return {
        "speed": speed + clip(commanded[0] - speed, -most[0], most[0]),
        "turn": turn + clip(commanded[1] - turn, -most[1], most[1]),
    }


def roach_walk(
    scene: Scene | Figure,
    orders: Sequence[tuple[float, float, float]],
    roach: Roach | None = None,
    *,
    start: Any = None,
    every: int = 5,
    **options: Any,
) -> Motion:
    """Simulate a walk of a roach with a list of commands.

    Parameters
    ----------
    scene : a `Scene` of `ap.sample("roach")`, or the figure.
    orders : list of (duration [s], speed [m/s], heading [rad]), executed one after another.
    roach : the controller; `Roach(figure)` if None.
    start : q (nq,), or a motion of this controller to continue; the standing posture if None.
    every, options : as in `ap.simulate`.
    """
    place = scene if isinstance(scene, Scene) else Scene(scene)
    own = Roach(place.figure) if roach is None else roach
    if not orders:
        raise InputError("roach_walk got no orders. Give a list of (duration [s], speed [m/s], heading [rad]).")
    state, parts = own.start() if start is None else start, []
    for seconds, speed, heading in orders:
        state = simulate(place, state, forces=own, duration=seconds, every=every, command=[speed, heading], **options)
        parts.append(state)
    return parts[0].then(*parts[1:])


STANCE_LOAD, MIN_SPELL = 0.5, 0.02  # [N], [s]: smallest load and duration of a stance, for the measures


class Measures(NamedTuple):
    """Measures of a walk.

    Attributes
    ----------
    steps : number of steps of the tripods (eq. 7).
    speed : mean speed of the body over the ground [m/s].
    step : distance per step [m].
    slip : mean and largest slip of a stance [m] (eq. 8).
    height : smallest and largest height of the body above the mean of its supports [m].
    tilt : largest tilt of the body [rad].
    touched : largest contact force on anything except a sole [N].
    """

    steps: int
    speed: float
    step: float
    slip: tuple[float, float]
    height: tuple[float, float]
    tilt: float
    touched: float


def headings(motion: Motion) -> np.ndarray:
    """Heading of the body (frames,) [rad], unwrapped."""
    w, x, y, z = np.moveaxis(motion.q[..., 3:7], -1, 0)
    return np.unwrap(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))


def measure(motion: Motion, scene: Scene, since: float = 0.0) -> Measures:
    """Measure a walk of a roach.

    Parameters
    ----------
    motion : one rollout, with frames at most 10 ms apart.
    scene : the scene in which it was simulated.
    since : time from which it is measured [s].
    """
    if motion.q.ndim != 2 or np.diff(motion.time).max(initial=0.0) > 0.0101:
        raise InputError(
            f"measure got {motion!r}. Give one rollout (motion.rollout(k)) with frames at most 10 ms apart."
        )
    names = [feature.name for feature in scene.features]
    soles = [names.index(f"{name}_sole") for name in NAMES]
    others = [k for k in range(len(names)) if k not in soles]
    late = motion.time >= since - 1e-9
    time, q, force = motion.time[late], motion.q[late], motion.channels["contact"][late]
    seen = kinematics(motion.figure, q)
    places = np.stack([seen.marker(f"{name}_sole") for name in NAMES], axis=1)
    loaded = force[:, soles, 2] > STANCE_LOAD
    stances = [_runs(loaded[:, i], time) for i in range(6)]
    landed = np.array([sum(start > 0 for start, _ in own) for own in stances])
    steps = sum(int(landed[tripod].min()) for tripod in (TRIPOD < 0.25, TRIPOD > 0.25))  # (7)
    whole = [(i, a, b) for i, own in enumerate(stances) for a, b in own if a > 0 and b < len(time)]
    slips = [np.linalg.norm(np.diff(places[a:b, i, :2], axis=0), axis=1).sum() for i, a, b in whole]  # (8)
    moved = float(np.linalg.norm(np.diff(q[:, :2], axis=0), axis=1).sum())
    under = (places[..., 2] * loaded).sum(1) / np.maximum(loaded.sum(1), 1)
    height = (q[:, 2] - under)[loaded.any(1)]
    upright = 1.0 - 2.0 * (q[:, 4] ** 2 + q[:, 5] ** 2)
    return Measures(
        steps=steps,
        speed=moved / float(time[-1] - time[0]),
        step=moved / max(steps, 1),
        slip=(float(np.mean(slips)), float(np.max(slips))) if slips else (0.0, 0.0),
        height=(float(height.min()), float(height.max())),
        tilt=float(np.arccos(min(1.0, upright.min()))),
        touched=float(np.abs(force[:, others]).max(initial=0.0)),
    )


def _runs(loaded: np.ndarray, time: np.ndarray) -> list[tuple[int, int]]:
    """Ranges [start, end) of frames in stance.

    Contacts shorter than `MIN_SPELL` are ignored, and so are gaps shorter than it.
    """
    edges = np.diff(np.concatenate([[0], loaded.astype(int), [0]]))
    found: list[tuple[int, int]] = []
    for a, b in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True):
        before = found[-1][1] - 1 if found else 0
        if time[a] - time[before] < MIN_SPELL:
            found[-1:] = [(found[-1][0] if found else 0, int(b))]
        else:
            found.append((int(a), int(b)))
    return [(a, b) for a, b in found if time[b - 1] - time[a] >= MIN_SPELL]
