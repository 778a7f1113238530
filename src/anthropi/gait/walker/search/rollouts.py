"""Rollouts of a search: score walks inside the kernel while they are simulated, and run many walks at once.

The following sums over time are kept in memory, next to the memory of the walker:

    angles   Σ (angle - reference)² of hips, knees, ankles, pelvis                                                (1)
    ground   Σ over feet (F_z - norm)² + 16 (F_x - norm)², in body weights, forces smoothed over 12 ms            (2)
    pace     (v - command)², velocity smoothed over 0.8 s;  across: (its sideways part)²;  turn: (pelvis yaw)²    (3)
    late     (step time - reference)² at strikes;  early: (s - 1)² at strikes;  scrape: (ankle speed)² at strikes (4)
    work     positive power of the joints [W/kg];  effort: torques² [N² m²]                                       (5)
    slip     speed of all loaded points of the soles;  hard: (F_z - 1.3)² above 1.3 body weights                  (6)
    uneven   change of the errors of the body from one strike to the next; large if left and right steps differ   (7)
    walks    time of walking after the second strike since the command to stop                                    (8)

All sums stop when the pelvis leaves the bounds `SEARCH` of its height (`gait/falls.py`), which counts as a fall and has
the highest cost. Reference and norms depend on the speed in the same way as the
parameters. Numbers that are not searched are constants of the kernel. A push is a force at the pelvis for 0.1 s.
"""

from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.scalar import absolute, atan2, clip, less, maximum, minimum, sqrt, where
from anthropi.algorithms.kinematics import point_velocity
from anthropi.algorithms.momentum import weighted
from anthropi.contact.scene import Scene
from anthropi.figure.figure import Figure
from anthropi.gait.falls import SEARCH, upright
from anthropi.gait.plan.phases import FOOT_LOAD
from anthropi.gait.walker.foot_placement import Sight
from anthropi.gait.walker.joint_targets import HALF_CYCLE, MIRROR, basis, value
from anthropi.gait.walker.observation import OMEGA, Observation, along, at_speed, foot_load
from anthropi.gait.walker.walker import ANKLE_HEIGHT, Walker, drive_of, pelvis_push
from anthropi.simulation.drive import Drive, checked
from anthropi.simulation.forces import combined
from anthropi.simulation.simulation import Simulation

__all__ = [
    "COMPARED",
    "COSTS",
    "DT",
    "LIKENESS_COSTS",
    "PUSH_TIME",
    "SCORE_MEMORY",
    "SUMS",
    "Scored",
    "Searched",
    "Trials",
    "cost",
]


SUMS = (
    "fallen",
    "upright",
    "angles",
    "ground",
    "pace",
    "across",
    "turn",
    "late",
    "early",
    "off",
    "scrape",
    "work",
    "effort",
    "slip",
    "hard",
    "uneven",
    "walks",
    "travel",
)
SCORE_MEMORY = ("v_x", "v_y", "f_lz", "f_lx", "f_rz", "f_rx", "struck", "was_off", "was_fast", "bore_l", "bore_r")
SOLE_CONTACT_FORCE = 10.0, 30.0  # [N], forces from which a point of a sole is loaded, and fully loaded (6)
LEGS = ("l_hip", "r_hip", "l_knee", "r_knee", "l_ankle", "r_ankle", "lumbar")
COMPARED = {"hip": 3, "knee": 1, "ankle": 1}  # number of coordinates compared in (1)
STANDING_HEIGHT = 0.93  # [m], height of the pelvis of the reference body
FORCE_TIME, SPEED_TIME = 0.012, 0.8  # [s] (2), (3)
COSTS = {"pace": 20.0, "across": 10.0, "turn": 10.0, "effort": 3e-6, "hard": 3.0}  # weights of sums, all walks
LIKENESS_COSTS = {"angles": 60.0, "ground": 80.0, "slip": 60.0, "work": 1.0, "pace": 150.0}  # undisturbed walks only
FALL_COST, LATE_STOP_COST = 8.0, 8.0  # per second after a fall; weight of (8)
STEP_COSTS = {
    "late": 500.0,
    "early": 150.0,
    "off": 3000.0,
    "scrape": 3.0,
    "uneven": 20000.0,
}  # weights of sums per step, undisturbed walks only


class Scored(Walker):
    """A walker that sums up its cost in its memory.

    reference : {name: (3, …)}, the reference gait (`initial_parameters.beginning`).
    """

    memory: Any

    def __init__(
        self, figure: Figure, parameters: dict[Any, Any], reference: dict[Any, Any], sight: Sight | None = None
    ) -> None:
        super().__init__(figure, parameters, sight)
        self.reference = reference
        self.memory = self.memory | {name: np.array(0.0) for name in (*SUMS, *SCORE_MEMORY)}

    def __call__(
        self, figure: Figure, sense: Any, memory: dict[Any, Any], parameters: dict[Any, Any]
    ) -> tuple[Drive, dict[Any, Any]]:
        """Return the drive of the walker, and its memory with the sums."""
        obs, seen = self.observe(figure, sense, memory, parameters)
        drive, after = drive_of(obs, memory)
        ref = at_speed(self.reference, obs.clock.speed / obs.size.time)
        dt, grows = obs.clock.dt, dict[str, Any](upright=1.0)
        kept: dict[str, Any] = {}
        since = minimum((sense.t - memory["struck"]) / (ref["step"] * obs.size.time), 1.2)
        phase = 0.5 * since + 0.5 * (1.0 - obs.clock.left)  # phase of the reference, from the time since the strike
        moves = obs.moving * minimum(obs.clock.speed / (0.6 * obs.size.time), 1.0)
        grows |= _pace(obs, memory, kept) | _ground(obs, memory, ref, phase, kept) | _effort(obs, drive)
        grows["angles"] = _angles(obs, ref, phase)
        grows["walks"] = where(less(1.5, memory["still"]), memory["gear"], 0.0)  # (8)
        grows |= {name: moves * grows[name] for name in ("angles", "ground")}
        up = where(upright(_height(obs), STANDING_HEIGHT * obs.size.length, SEARCH), 1.0, 0.0)
        alive, hit = (1.0 - memory["fallen"]) * up, after["steps"] - memory["steps"]
        sums = {name: memory[name] + alive * dt * x for name, x in grows.items()}
        off = sense.t - memory["struck"] - ref["step"] * obs.size.time
        leaves = _leaves(obs, memory, kept)
        off_time = (sense.t - memory["struck"]) / (ref["step"] * obs.size.time) - ref["off"]
        known = where(less(memory["steps"], 0.5), 0.0, moves)
        kept["struck"] = where(less(0.5, hit), sense.t, memory["struck"])
        kept["was_off"], kept["was_fast"] = (
            where(less(0.5, hit), x, memory[name])
            for name, x in (("was_off", obs.e[0]), ("was_fast", obs.rate[0] / OMEGA))
        )
        change = obs.e[0] - memory["was_off"], obs.rate[0] / OMEGA - memory["was_fast"]
        sums |= {
            "fallen": 1.0 - alive,
            "late": memory["late"] + alive * known * hit * off * off,
            "early": memory["early"] + alive * known * hit * (memory["s"] - 1.0) * (memory["s"] - 1.0),
            "off": memory["off"] + alive * known * leaves * off_time * off_time,
            "uneven": memory["uneven"] + alive * known * hit * _square(change),
            "scrape": memory["scrape"] + alive * hit * _scrape(obs),
        }
        return drive, after | seen | kept | sums


def _pace(obs: Observation, memory: dict[Any, Any], kept: dict[Any, Any]) -> dict[Any, Any]:
    """Rates of the sums pace, across, turn and travel (eq. 3)."""
    k, figure = obs.sense.kinematics, obs.figure
    v = along(obs.clock.heading, weighted(figure, lambda i: point_velocity(k, i, figure.links[i].centre)))
    for name, x in zip(("v_x", "v_y"), v, strict=True):
        kept[name] = _smooth(memory[name], x, obs.clock.dt, SPEED_TIME)
    off, yaw = kept["v_x"] - obs.clock.speed * obs.moving, 2.0 * atan2(obs.pelvis[3], obs.pelvis[0])
    return {"pace": off * off, "across": kept["v_y"] * kept["v_y"], "turn": yaw * yaw, "travel": absolute(v[0])}


def _ground(
    obs: Observation, memory: dict[Any, Any], ref: dict[Any, Any], phase: Any, kept: dict[Any, Any]
) -> dict[Any, Any]:
    """Rates of the sums ground, hard and slip (eqs. 2, 6)."""
    figure, k, contacts, ground, hard, slip = obs.figure, obs.sense.kinematics, obs.sense.contacts, 0.0, 0.0, 0.0
    for side, later in (("l", 0.0), ("r", 0.5)):
        f = sum(contacts.on(figure.link_index(f"{side}_{part}")) for part in ("foot", "toes")) / obs.weight
        norm = value(ref["grf"], basis(phase + later, (ref["grf"].shape[1] - 1) // 2))
        for name, x in (("z", f[2]), ("x", along(obs.clock.heading, f)[0])):
            kept[f"f_{side}{name}"] = _smooth(memory[f"f_{side}{name}"], x, obs.clock.dt, FORCE_TIME)
        a, b = kept[f"f_{side}z"] - norm[0], kept[f"f_{side}x"] - norm[1]
        ground, over = ground + minimum(a * a + 16.0 * b * b, 4.0), maximum(f[2] - 1.3, 0.0)
        hard = hard + minimum(over * over, 4.0)
    for force, feature in zip(contacts.forces, contacts.features, strict=True):
        mark: Any = figure.marker(feature)
        bears = clip((force[2] - SOLE_CONTACT_FORCE[0]) / (SOLE_CONTACT_FORCE[1] - SOLE_CONTACT_FORCE[0]), 0.0, 1.0)
        speed = sqrt(_square(point_velocity(k, figure.link_index(mark.link), mark.point)) + 1e-6) - 1e-3
        slip = slip + bears * minimum(speed, 1.0)
    return {"ground": ground, "hard": hard, "slip": slip}


def _effort(obs: Observation, drive: Drive) -> dict[Any, Any]:
    """Rates of the sums effort and work (eq. 5)."""
    q, u, figure = obs.sense.q, obs.sense.u, obs.figure
    pull = drive.tau + drive.kp * figure.difference(q, drive.target) - drive.kd * u
    effort = sum(pull[i] * pull[i] for name in LEGS for i in figure.dof_indices(name))
    work = sum(maximum(pull[i] * u[i], 0.0) for i in range(6, figure.nu)) / figure.mass
    return {"effort": effort / (obs.size.torque * obs.size.torque), "work": work}


def _angles(obs: Observation, ref: dict[Any, Any], phase: Any) -> Any:
    """Rate of the sum of angle errors (eq. 1)."""
    figure, own, total = obs.figure, basis(phase), 0.0
    for name, rows in COMPARED.items():
        for side, at in (("l", own), ("r", own * HALF_CYCLE)):
            norm = value(ref[f"side.{name}"], at) * (MIRROR if side == "r" and rows == 3 else 1.0)
            j = figure.joint_index(f"{side}_{name}")
            off = (figure.joints[j].coordinates(obs.sense.q[figure.q_of[j]]) - norm)[:rows]
            total = total + (off * off).sum()
    off = rot.rotation_vector_from_quaternion(obs.pelvis) - value(ref["pelvis"], own)
    return total + (off * off).sum()


def _leaves(obs: Observation, memory: dict[Any, Any], kept: dict[Any, Any]) -> Any:
    """Return 1.0 at the instant when the trailing foot leaves the ground, else 0.0."""
    found = 0.0
    for side, trails in (("l", 1.0 - obs.clock.left), ("r", obs.clock.left)):
        kept[f"bore_{side}"] = bears = foot_load(obs.figure, obs.sense, side)
        left = less(FOOT_LOAD, memory[f"bore_{side}"]) & less(bears, FOOT_LOAD)
        found = found + trails * where(left, 1.0, 0.0)
    return found


def _scrape(obs: Observation) -> Any:
    """Squared speed of the swing foot [m²/s²] (eq. 4)."""
    feet = [point_velocity(obs.sense.kinematics, obs.figure.link_index(f"{x}_foot"), np.zeros(3)) for x in "rl"]
    return minimum(_square(where(less(0.5, obs.clock.left), *feet)), 4.0)


def _height(obs: Observation) -> Any:
    """Height of the pelvis above the ground at the lower ankle [m]."""
    place = obs.sense.kinematics.position
    low = minimum(*(place[obs.figure.link_index(f"{side}_foot")][2] for side in "lr"))
    return place[0][2] - low + ANKLE_HEIGHT * obs.size.length


def _square(v: Any) -> Any:
    """Sum of the squares of the first two components of a vector."""
    return v[0] * v[0] + v[1] * v[1]


def _smooth(before: Any, new: Any, dt: Any, time: float) -> Any:
    """Apply one step of a low-pass filter with a time constant [s]."""
    return before + (new - before) * minimum(dt / time, 1.0)


def cost(sums: dict[Any, Any], duration: float, undisturbed: int = 1, falls: Any = 1.0) -> np.ndarray:
    """Costs of n candidates (n,) from the sums of their walks {name: (n, R)}.

    Parameters
    ----------
    duration : duration of a walk [s].
    undisturbed : number of walks, counted from the first, that are compared with the reference. Falls, speed and course
        count in all walks.
    falls : weight of a fall, one number or one per walk (R,).
    """
    t = np.maximum(sums["upright"], 0.05)
    every = FALL_COST * falls * (duration - sums["upright"]) + LATE_STOP_COST * sums["walks"]
    every = every + sum(w * sums[name] / t for name, w in COSTS.items())
    likeness = sum(w * sums[name] for name, w in STEP_COSTS.items()) / np.maximum(sums["steps"], 1.0)
    likeness = likeness + sum(w * sums[name] / t for name, w in LIKENESS_COSTS.items())
    total = every.mean(-1) + likeness[..., :undisturbed].mean(-1)
    return np.where(np.isfinite(total), total, 1e3)


DT = 1e-3  # [s], time step
PUSH_TIME = 0.1  # [s], duration of a push


class Searched:
    """A controller whose parameters come from a vector of searched numbers, with a push at the pelvis.

    Its parameters are "numbers" (n,), a vector of an `evolve.Space`, and "push" (3,): force along x and y [N], and its
    start [s].
    """

    controller: Any
    memory: Any
    parameters: Any
    prescribed: Any
    space: Any

    def __init__(self, controller: Any, space: Any) -> None:
        self.controller, self.space = controller, space
        self.parameters = {"numbers": np.zeros(len(space.entries)), "push": np.zeros(3)}
        self.memory, self.prescribed = controller.memory, controller.prescribed

    def __call__(
        self, figure: Figure, sense: Any, memory: dict[Any, Any], parameters: dict[Any, Any]
    ) -> tuple[Drive, dict[Any, Any]]:
        """Return the drive of the controller with the push added, and its memory."""
        own = self.space.recorded(parameters["numbers"])
        drive, after = self.controller(figure, sense, memory, own)
        x, y, begins = parameters["push"]
        acts = where(less(sense.t, begins), 0.0, where(less(sense.t, begins + PUSH_TIME), 1.0, 0.0))
        push = pelvis_push(sense.q, x * acts, y * acts)
        return combined(push, checked(figure, drive, self.prescribed)), after


class Trials:
    """Many simultaneous walks of a scored controller in a scene.

    Parameters
    ----------
    space : space of the searched numbers (`evolve.Space`).
    interval : steps per call.
    dt : time step [s].
    options : options of `Simulation`.
    """

    controller: Any
    dt: Any
    figure: Any
    interval: Any
    options: Any
    scene: Any
    searched: Any
    space: Any

    def __init__(
        self, scene: Scene, controller: Any, space: Any, interval: int = 500, dt: float = DT, **options: Any
    ) -> None:
        self.controller, self.space, self.interval, self.dt = controller, space, interval, dt
        self.scene, self.figure, self.options = scene, scene.figure, options
        self.searched = Searched(controller, space)

    def start(self, batch: int, q: Any, u: Any, **memory: Any) -> Simulation:
        """Make a simulation of walks at their start.

        memory : initial values of the controller's memory that differ from the default.
        """
        walks = Simulation(self.scene, self.searched, self.dt, batch=batch, **self.options)
        walks.reset(q, u)
        if memory:
            walks.set_memory({"control": {name: np.broadcast_to(x, (batch,)) for name, x in memory.items()}})
        return walks

    def go(self, walks: Simulation, numbers: Any, command: Any, push: Any = None) -> Simulation:
        """Run one interval. Walks whose state is no longer finite are reset to a finite state."""
        push = np.zeros((walks.batch, 3)) if push is None else np.array(push, float)
        push[:, 2] += walks.time
        walks.set_parameters({"numbers": numbers, "push": push})
        walks.step(self.interval, command=command)
        walks.replace_lost()
        return walks

    def sums(self, walks: Simulation) -> dict[str, np.ndarray]:
        """Return the cost sums of all walks (`SUMS`, `SCORE_MEMORY`), steps and clock state: {name: (batch,)}."""
        memory = walks.memory["control"]
        names = (*SUMS, *SCORE_MEMORY, "steps", "gear", "speed", "stand")
        return {name: np.array(np.reshape(memory[name], walks.batch)) for name in names}
