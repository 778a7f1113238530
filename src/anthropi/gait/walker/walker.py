"""What does a walker stand on, and how is it pushed? The scene it is made for, and a force at its pelvis.

Walker
------
A figure that walks by itself: forces at its joints, the ground under its feet, and nothing at its root.

`phase_clock.py` says where in a step it is, `observation.py` what it knows, `foot_placement.py` where the next foot
goes, `joint_targets.py` where every joint is aimed, `stance_control.py` how the legs that stand bear the body. On its
curve a walk that is the reference's has no errors: feedback shapes nothing, it only brings back. All of it is a pure
function with memory, inside the step's kernel; every number is a parameter, so thousands of walkers differ by numbers
alone. Laws: after SIMBICON (Yin and others 2007), feet placed by the capture point as people do (Hof 2008), steps timed
by it (Khadiv and others 2016).

Start
-----
Where does a walker begin? Standing, or on its gait. Floats only.
"""

from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import less, maximum, where
from anthropi.contact.compliant import Compliant
from anthropi.contact.scene import Scene
from anthropi.entry import kinematics
from anthropi.errors import InputError, did_you_mean
from anthropi.gait.walker.foot_placement import Sight, hurry, placement_target, settled
from anthropi.gait.walker.joint_targets import MIDDLE, MIRROR, SIDED, joint_targets, spring_targets
from anthropi.gait.walker.observation import Observation, foot_load, observe
from anthropi.gait.walker.parameters import size_of
from anthropi.gait.walker.phase_clock import FIRST, advanced
from anthropi.gait.walker.stance_control import stance_torques
from anthropi.simulation.drive import Drive, checked
from anthropi.simulation.forces import combined

__all__ = [
    "ANKLE",
    "STARTS",
    "PushedPelvis",
    "Walker",
    "first_state",
    "pelvis_push",
    "sole",
    "sole_scene",
    "walker_at_start",
]


def sole() -> Compliant:
    """The ground under shoes: half the weight on one point of the sole presses it in by 10 mm."""
    return Compliant(depth=1e-2, calm=2.0)


def sole_scene(figure, **fields) -> Scene:
    """A figure on its soles. fields : of the `Scene`, as ground or material."""
    own: dict[str, Any] = {"features": "feet", "contact": sole()} | fields
    return Scene(figure, **own)


def pelvis_push(q, x, y) -> Drive:
    """A force [N] along x and y of the world, at the pelvis' origin. It records."""
    force = matvec(transpose(rot.matrix_from_quaternion(q[3:7])), np.array([x, y, 0.0 * x]))
    return Drive(f_ext={0: np.concatenate([np.zeros(3), force])})


class PushedPelvis:
    """A controller, and a horizontal force at the pelvis: parameter "pelvis_push" (2,) [N], along x and y."""

    def __init__(self, controller):
        self.controller = controller
        self.parameters = dict(controller.parameters) | {"pelvis_push": np.zeros(2)}
        self.memory, self.prescribed = controller.memory, controller.prescribed

    def __call__(self, figure, sense, memory, parameters):
        """The controller's drive and the push."""
        own = {name: x for name, x in parameters.items() if name != "pelvis_push"}
        drive, after = self.controller(figure, sense, memory, own)
        push = pelvis_push(sense.q, *parameters["pelvis_push"])
        return combined(push, checked(figure, drive, self.prescribed)), after


class Walker:
    """A controller of a standard human figure. parameters : {name: (3, …)}, as `load_walker` reads them. sight : its
    eyes on the ground (`sight.Sight`), if it has any."""

    prescribed: tuple[str, ...] = ()

    def __init__(self, figure, parameters: dict, sight: Sight | None = None):
        names = {joint.name for joint in figure.joints}
        lacks = [n for n in (*MIDDLE, *(f"{side}_{name}" for side in "lr" for name in SIDED)) if n not in names]
        if lacks:
            raise InputError(
                f"Figure '{figure.name}' has no joint '{lacks[0]}': a Walker moves ap.human(detail='standard')."
            )
        self.parameters = {name: np.asarray(x, float) for name, x in parameters.items()}
        self.sight = sight
        self.memory = {name: np.array(x) for name, x in FIRST.items()} | ({} if sight is None else sight.memory)

    def __call__(self, figure, sense, memory, parameters):
        """What drives the figure now, and what to remember."""
        now, seen = self.look(figure, sense, memory, parameters)
        drive, after = drive_of(now, memory)
        return drive, after | seen

    def look(self, figure, sense, memory, parameters) -> tuple[Observation, dict]:
        """What it knows, and what its eyes remember."""
        now = observe(figure, sense, memory, parameters)
        return (now, {}) if self.sight is None else self.sight(now, memory)


def drive_of(now: Observation, memory):
    """The law: (`Drive`, memory)."""
    place, (aimed, pelvis) = placement_target(now), joint_targets(now)
    target, kp, kd = spring_targets(now, aimed, pelvis, place)
    return Drive(tau=stance_torques(now, pelvis, target), target=target, kp=kp, kd=kd), _after(now, memory)


def _rose(now: Observation):
    """[m] how much higher than told the foot in the air is over the one that stands, of a body of 1.75 m."""
    place = now.sense.kinematics.position
    left, right = (place[now.figure.link_index(f"{side}_foot")][2] for side in "lr")
    over = where(less(0.5, now.clock.left), right - left, left - right)
    return (over - now.told.rise) / now.size.length


def _after(now: Observation, memory) -> dict:
    """Memory a moment later."""
    p, left, time = now.p, now.clock.left, now.size.time
    air = where(less(0.5, left), *(foot_load(now.figure, now.sense, side) for side in "rl"))
    step = p["step"] * time * (1.0 + p["asymmetry"] * (2.0 * left - 1.0))
    shift, s, speed = p["shift"][2:5]
    return advanced(memory, now.clock, now.told, now.sense.t, step=step, hurry=hurry(now), air=air,
                    settled=settled(now), rose=_rose(now), brake=maximum(p["brake"], 0.5),
                    shift_time=maximum(shift, 0.05) * time, first_s=s,
                    first_speed=speed * time)  # fmt: skip


STARTS = ("stand", "walk")
ANKLE = 0.072  # [m] above the ground, of a body of 1.75 m


def walker_at_start(figure, walker, start: str = "walk", sight=None):
    """(`Walker` that remembers how it starts, q, u): what `simulate` takes. walker : a `WalkerFile`. sight : its
    eyes."""
    q, u, memory = first_state(figure, walker, start)
    controller = Walker(figure, walker.parameters, sight)
    controller.memory = controller.memory | {name: np.array(x) for name, x in memory.items()}
    return controller, q, u


def first_state(figure, walker, start: str = "stand"):
    """(q, u, control memory that differs from a walker's first)."""
    if start not in STARTS:
        raise InputError(f"No start {start!r}.{did_you_mean(str(start), STARTS)} Choose: {', '.join(STARTS)}.")
    z = size_of(figure)
    if start == "walk":
        q, u = (np.array(x) for x in walker.start)
        q[:3] *= z.length
        u[:3] *= z.time
        u[3:] /= z.time
        return figure.normalise(q), u, {"speed": walker.speed * float(z.time)}
    return standing(figure, walker.parameters), np.zeros(figure.nu), {"gear": 0.0, "stand": 1.0, "speed": 0.0}


def standing(figure, parameters) -> np.ndarray:
    """q of the posture that a walker stands in."""
    q = figure.neutral().copy()
    for name in SIDED:
        x = parameters[f"stand.{name}"][0]
        for side in "lr":
            i = figure.joint_index(f"{side}_{name}")
            own = x * MIRROR if len(x) == 3 and side == "r" else x
            q[figure.q_of[i]] = figure.joints[i].from_coordinates(own)
    place = np.asarray(kinematics(figure, q).position)
    q[2] -= min(place[figure.link_index(f"{side}_foot")][2] for side in "lr") - ANKLE * size_of(figure).length
    return q
