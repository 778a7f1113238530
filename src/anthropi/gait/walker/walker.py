"""Walker: a controller that makes a human figure walk by joint forces alone, with no force on its root.

At each step of the simulation

    `phase_clock.py`      keeps the progress of the step, the desired speed and the desired heading,
    `observation.py`      computes the deviation of the centre of mass from its reference path,
    `foot_placement.py`   uses this deviation to place and time the next foot,
    `joint_targets.py`    gives every joint a target and a spring,
    `stance_control.py`   computes the hip torques of the loaded legs that hold the pelvis upright.

On the reference gait the deviation is zero. The feedback therefore does not shape the gait, it only restores it. The
control law is a pure function with memory and is compiled into the kernel of the simulation step. All numbers of a
parameter set are inputs of the kernel, so one kernel runs thousands of different walkers. The law follows SIMBICON
(K. Yin, K. Loken, M. van de Panne 2007), with foot placement by the capture point (A. L. Hof 2008) and step timing by
the capture point (M. Khadiv and others 2016).

This module also contains the scene of a walker, a push at its pelvis, and its initial state.
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
from anthropi.figure.figure import Figure
from anthropi.gait.walker.foot_placement import Sight, hurry, placement_target, settled
from anthropi.gait.walker.joint_targets import MIRROR, SIDED, joint_targets, spring_targets
from anthropi.gait.walker.observation import Observation, foot_load, observe
from anthropi.gait.walker.parameters import WalkerFile, size_of, start_state
from anthropi.gait.walker.phase_clock import FIRST_MEMORY, ClockInputs, advance_clock
from anthropi.gait.walker.requirements import check_joints
from anthropi.gait.walker.settings import WalkerSettings
from anthropi.gait.walker.stance_control import stance_torques
from anthropi.simulation.drive import Drive, checked
from anthropi.simulation.forces import combined

__all__ = [
    "ANKLE_HEIGHT",
    "STARTS",
    "PushedPelvis",
    "Walker",
    "drive_of",
    "first_state",
    "pelvis_push",
    "sole",
    "sole_scene",
    "standing",
    "walker_at_start",
]

STARTS = ("stand", "walk")
ANKLE_HEIGHT = 0.072  # [m] above the ground, for a standing reference body
MIN_BRAKE, MIN_SHIFT_TIME = 0.5, 0.05  # [m/s²], [s]: lower bounds of these parameters, to avoid divisions by zero


def sole() -> Compliant:
    """Contact model of shoes on a floor: half the body weight on one point of the sole compresses it by 10 mm."""
    return Compliant(depth=1e-2, damping=2.0)


def sole_scene(figure: Figure, **fields: Any) -> Scene:
    """Make the scene of a walker: a figure on a floor, whose soles and links touch it.

    fields : further fields of the `Scene`, such as ground or material. features="feet" lets only the soles touch.
    """
    own: dict[str, Any] = {"features": "body", "contact": sole()} | fields
    return Scene(figure, **own)


def pelvis_push(q: Any, x: Any, y: Any) -> Drive:
    """External force (x, y) [N] at the origin of the pelvis, in world axes. Can be recorded on a tape."""
    force = matvec(transpose(rot.matrix_from_quaternion(q[3:7])), np.array([x, y, 0.0 * x]))
    return Drive(f_ext={0: np.concatenate([np.zeros(3), force])})


class PushedPelvis:
    """A controller with an additional horizontal force at the pelvis.

    The force is the parameter "pelvis_push" (2,) [N], along x and y of the world.
    """

    memory: Any
    parameters: Any
    prescribed: Any

    def __init__(self, controller: Any) -> None:
        self.controller = controller
        self.parameters = dict(controller.parameters) | {"pelvis_push": np.zeros(2)}
        self.memory, self.prescribed = controller.memory, controller.prescribed

    def __call__(
        self, figure: Figure, sense: Any, memory: dict[Any, Any], parameters: dict[Any, Any]
    ) -> tuple[Drive, dict[Any, Any]]:
        """Return the drive of the controller with the push added, and the controller's new memory."""
        own = {name: x for name, x in parameters.items() if name != "pelvis_push"}
        drive, after = self.controller(figure, sense, memory, own)
        push = pelvis_push(sense.q, *parameters["pelvis_push"])
        return combined(push, checked(figure, drive, self.prescribed)), after


class Walker:
    """Controller that makes a standard human figure walk.

    Parameters
    ----------
    figure : `ap.human(detail="standard")` of any size. Links may be welded on, such as a backpack.
    parameters : {name: (3, …)}, as returned by `load_walker`.
    sight : chooses footholds on uneven ground; None for level ground.
    settings : time constants, bounds and fixed gains; the default ones if None.
    """

    memory: Any
    parameters: Any
    settings: Any
    sight: Any

    prescribed: tuple[str, ...] = ()

    def __init__(
        self,
        figure: Figure,
        parameters: dict[Any, Any],
        sight: Sight | None = None,
        settings: WalkerSettings | None = None,
    ) -> None:
        check_joints(figure, "A Walker")
        self.parameters = {name: np.asarray(x, float) for name, x in parameters.items()}
        self.sight, self.settings = sight, settings or WalkerSettings()
        self.memory = {name: np.array(x) for name, x in FIRST_MEMORY.items()} | ({} if sight is None else sight.memory)

    def __call__(
        self, figure: Figure, sense: Any, memory: dict[Any, Any], parameters: dict[Any, Any]
    ) -> tuple[Drive, dict[Any, Any]]:
        """Return the drive at this instant and the memory after it."""
        obs, seen = self.observe(figure, sense, memory, parameters)
        drive, after = drive_of(obs, memory)
        return drive, after | seen

    def live_controls(self, problem: Any) -> Any:
        """Return the controls of the walker in a live page."""
        from anthropi.gait.walker.live_controls import walker_controls  # the writer of pages is loaded on demand

        return walker_controls(problem, self.parameters)

    def observe(
        self, figure: Figure, sense: Any, memory: dict[Any, Any], parameters: dict[Any, Any]
    ) -> tuple[Observation, dict[Any, Any]]:
        """Return the observation, with the foothold that `sight` has chosen, and the memory of `sight`."""
        obs = observe(figure, sense, memory, parameters, self.settings)
        return (obs, {}) if self.sight is None else self.sight(obs, memory)


def drive_of(obs: Observation, memory: dict[Any, Any]) -> tuple[Drive, dict[Any, Any]]:
    """Evaluate the control law: return the drive at this instant and the memory after it."""
    placement, (targets, pelvis) = placement_target(obs), joint_targets(obs)
    target, kp, kd = spring_targets(obs, targets, pelvis, placement)
    return Drive(tau=stance_torques(obs, pelvis, target), target=target, kp=kp, kd=kd), _after(obs, memory)


def _after(obs: Observation, memory: dict[Any, Any]) -> dict[Any, Any]:
    """Memory of the walker after this instant."""
    p, left, time = obs.p, obs.clock.left, obs.size.time
    shift_time, first_s, first_speed = p["shift"][2:5]
    inputs = ClockInputs(
        step=p["step"] * time * (1.0 + p["asymmetry"] * (2.0 * left - 1.0)),
        hurry=hurry(obs),
        swing_load=where(less(0.5, left), *(foot_load(obs.figure, obs.sense, side) for side in "rl")),
        settled=settled(obs),
        unexpected_rise=_unexpected_rise(obs),
        brake=maximum(p["brake"], MIN_BRAKE),
        shift_time=maximum(shift_time, MIN_SHIFT_TIME) * time,
        first_s=first_s,
        first_speed=first_speed * time,
    )
    return advance_clock(memory, obs.clock, obs.command, obs.sense.t, inputs, obs.settings.clock)


def _unexpected_rise(obs: Observation) -> Any:
    """Height of the swing foot above the commanded foothold [m], scaled to the reference body."""
    position = obs.sense.kinematics.position
    left, right = (position[obs.figure.link_index(f"{side}_foot")][2] for side in "lr")
    rise = where(less(0.5, obs.clock.left), right - left, left - right)
    return (rise - obs.command.rise) / obs.size.length


def walker_at_start(
    figure: Figure, walker: WalkerFile, start: str = "walk", sight: Sight | None = None
) -> tuple[Walker, np.ndarray, np.ndarray]:
    """Make a walker and its initial state, for `ap.simulate`.

    Parameters
    ----------
    figure : a standard human.
    walker : a parameter set.
    start : "walk" starts within the gait, just after the left foot strike; "stand" starts from standing.
    sight : chooses footholds on uneven ground; None for level ground.

    Returns
    -------
    The `Walker` with the memory of this start, the positions q (nq,) and the velocities u (nu,).
    """
    q, u, memory = first_state(figure, walker, start)
    controller = Walker(figure, walker.parameters, sight)
    controller.memory = controller.memory | {name: np.array(x) for name, x in memory.items()}
    return controller, q, u


def first_state(
    figure: Figure, walker: WalkerFile, start: str = "stand"
) -> tuple[np.ndarray, np.ndarray, dict[str, float]]:
    """Return the initial q (nq,), u (nu,) and memory of a walker.

    Parameters
    ----------
    figure : a standard human.
    walker : a parameter set.
    start : "stand", or "walk" to start within the gait.

    The memory contains only the values that differ from `phase_clock.FIRST_MEMORY`.
    """
    if start not in STARTS:
        hint = did_you_mean(str(start), STARTS)
        raise InputError(f"There is no start {start!r}.{hint} Choose one of: {', '.join(STARTS)}.")
    size = size_of(figure)
    if start == "walk":
        q, u = start_state(figure, walker)
        q[:3] *= size.length
        u[:3] *= size.time
        u[3:] /= size.time
        return figure.normalise(q), u, {"speed": walker.speed * float(size.time)}
    return standing(figure, walker.parameters), np.zeros(figure.nu), {"gear": 0.0, "stand": 1.0, "speed": 0.0}


def standing(figure: Figure, parameters: dict[Any, Any]) -> np.ndarray:
    """Return q (nq,) of the standing posture of a parameter set, with the feet on the ground."""
    q = figure.neutral().copy()
    for name in SIDED:
        x = parameters[f"stand.{name}"][0]
        for side in "lr":
            i = figure.joint_index(f"{side}_{name}")
            own = x * MIRROR if len(x) == 3 and side == "r" else x
            q[figure.q_of[i]] = figure.joints[i].from_coordinates(own)
    position = np.asarray(kinematics(figure, q).position)
    lowest = min(position[figure.link_index(f"{side}_foot")][2] for side in "lr")
    q[2] -= lowest - ANKLE_HEIGHT * size_of(figure).length
    return q
