"""Pushes on a walk: a controller with a push, and many pushed rollouts that start from one foot strike.

A push is a horizontal force on the centre of mass of a link, in the world frame:

    F = (fx, fy, 0) while when ≤ t < when + over,   else 0                     (1)

Its start, force and duration are parameters with one value per rollout, so pushes of all directions, phases and
strengths run in one kernel.

A stride of duration T begins at t₀, the first strike of the left foot after `settle`, and ends at its next strike. A
push at the phase φ begins at t₀ + φ T. Its direction is relative to that of the unpushed walk, 0 forward, positive to
the left:

    F = J/over (cos(heading + direction), sin(heading + direction))                      (2)
    fell: a fall (`gait/falls.py`) between the push's start and `after` seconds past its end     (3)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import less, where
from anthropi.entry import kinematics
from anthropi.errors import InputError, SimulationError
from anthropi.gait.falls import FallDetector
from anthropi.gait.report.foot_events import FootTimes, by_load
from anthropi.gait.report.from_motion import foot_forces
from anthropi.gait.report.record import SIDES
from anthropi.gait.report.recovery import recovered_after, steps_of, usual_steps
from anthropi.motion import Motion
from anthropi.simulation.drive import Drive, checked
from anthropi.simulation.forces import combined
from anthropi.simulation.sense import is_controller
from anthropi.simulation.simulate import simulate

__all__ = ["MAX_BATCH", "PARAMETERS", "Pushed", "Trials"]


PARAMETERS = ("push.when", "push.over", "push.fx", "push.fy")  # [s], [s], [N], [N]


class Pushed:
    """A controller with a push (1) added.

    Its parameters are those of the controller and `PARAMETERS` (start, duration and force of the push), which are 0 by
    default.
    """

    controller: Any
    link: Any
    memory: Any
    parameters: Any
    prescribed: Any

    def __init__(self, controller: Any, link: str = "pelvis") -> None:
        if not is_controller(controller):
            raise InputError(
                f"Pushed needs a controller (callable, with parameters, memory and prescribed); got {controller!r}."
            )
        self.controller, self.link = controller, link
        self.parameters = dict(controller.parameters) | {name: np.zeros(()) for name in PARAMETERS}
        self.memory, self.prescribed = controller.memory, controller.prescribed

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: dict[str, Any]) -> tuple[Drive, Any]:
        """Return the controller's drive with the push (1) added, and its memory."""
        own = {name: x for name, x in parameters.items() if name not in PARAMETERS}
        drive, after = self.controller(figure, sense, memory, own)
        when, over, fx, fy = (parameters[name] for name in PARAMETERS)
        on = where(less(sense.t, when), 0.0, where(less(sense.t, when + over), 1.0, 0.0))
        i = figure.link_index(self.link)
        force = matvec(transpose(sense.kinematics.rotation[i]), np.array([fx * on, fy * on, 0.0 * on]))  # (1)
        moment = np.cross(figure.links[i].centre, force)
        push = Drive(f_ext={i: np.concatenate([moment, force])})
        return combined(checked(figure, drive, self.prescribed), push), after

    def check(self, figure: Any, q: Any, u: Any, t: Any) -> None:
        """Run the controller's check of the initial state, if it has one."""
        if hasattr(self.controller, "check"):
            self.controller.check(figure, q, u, t)


FRAME = 0.01  # [s] between recorded frames
STRIDE_ALLOWANCE = 3.0  # [s] after `settle` in which a whole stride must lie
MAX_BATCH = 512  # rollouts in one simulation
MARKERS = ("l_heel", "r_heel")


@dataclass(frozen=True, eq=False)
class Trials:
    """The unpushed walk from which pushed rollouts start.

    base : the walk until t₀. stride : duration T of a stride [s]. heading, height, speed : mean direction [rad], height
    of the pushed link [m] and speed [m/s] in that stride. stance : {side: (start, end)} in cycles after t₀. over :
    duration of a push [s]. after : observed time after it [s]. dt : time step [s]. run : other arguments of `simulate`.
    """

    scene: Any
    pushed: Pushed
    base: Motion
    stride: float
    heading: float
    height: float
    speed: float
    stance: dict[str, tuple[float, float]]
    over: float
    after: float
    dt: float
    run: dict[str, Any]

    @staticmethod
    def of(
        scene: Any,
        controller: Any,
        start: Any,
        link: str,
        settle: float,
        over: float,
        after: float,
        dt: float,
        progress: Any = None,
        **run: Any,
    ) -> "Trials":
        """Simulate the walk without a push and find the stride in which pushes begin."""
        pushed = Pushed(controller, link)
        q, u = (start, None) if isinstance(start, Motion) else start
        begun = float(q.time[-1]) if isinstance(q, Motion) else 0.0
        motion = simulate(
            scene,
            q,
            u,
            forces=pushed,
            duration=_whole(settle + STRIDE_ALLOWANCE, dt),
            dt=dt,
            every=_every(dt),
            strict=False,
            record=("contact",),
            progress=progress,
            **run,
        )
        place = _place(motion, link)
        times = _times(motion, np.eye(3))
        if times is None:
            raise InputError(
                "Foot strikes cannot be detected. A push map needs a scene whose figure has contact features on "
                "l_foot and r_foot. For ap.human, use features='feet'."
            )
        strikes = times["l"].strike[times["l"].strike >= begun + settle]
        up = ~FallDetector(scene, upright=motion.q[0]).fallen(motion.q, motion.time)
        if not up.all() or len(strikes) < 2:
            why = f"it falls at t = {motion.time[~up][0]:g} s" if not up.all() else f"no stride after {settle:g} s"
            raise SimulationError(
                f"The unpushed walk is not steady: {why}. Give a start state in steady walking, or another settle."
            )
        t0, stride = float(strikes[0]), float(strikes[1] - strikes[0])
        inside = (motion.time >= t0) & (motion.time <= t0 + stride)
        path = place[inside][-1] - place[inside][0]
        last = int(np.argmin(np.abs(motion.time - t0)))
        stance = {side: _stance(times[side], t0, stride) for side in SIDES}
        return Trials(
            scene,
            pushed,
            motion[: last + 1],
            stride,
            float(np.arctan2(path[1], path[0])),
            float(place[inside, 2].mean()),
            float(np.hypot(*path[:2]) / stride),
            stance,
            over,
            after,
            dt,
            run,
        )

    @property
    def steps(self) -> int:
        """Number of time steps in a rollout."""
        every = _every(self.dt)
        return every * int(np.ceil((self.stride + self.over + self.after) / (self.dt * every)))

    def survive(self, direction: Any, phase: Any, impulse: Any, progress: Any = None) -> tuple[np.ndarray, np.ndarray]:
        """Return which of n pushes are survived, and the steps until recovery (NaN if not recovered).

        direction [rad], phase [cycles], impulse [N s] : arrays of shape (n,).
        """
        rows = [np.asarray(x, float) for x in (direction, phase, impulse)]
        found = []
        for k in range(0, len(rows[0]), MAX_BATCH):
            report = None if progress is None else _shifted(progress, k, min(MAX_BATCH, len(rows[0]) - k))
            angle, when, strength = (x[k : k + MAX_BATCH] for x in rows)
            found.append(self._some(angle, when, strength, report))
        up, steps = zip(*found, strict=True)
        return np.concatenate(up), np.concatenate(steps)

    def _some(self, direction, phase, impulse, progress):
        """Run one batch of pushes. Its first rollout has no push and defines the usual steps."""
        direction, phase, impulse = (np.concatenate([[0.0], x]) for x in (direction, phase, impulse))
        t0, angle, force = float(self.base.time[-1]), self.heading + direction, impulse / self.over
        when = t0 + np.round(phase * self.stride / self.dt) * self.dt
        push = {
            "push.when": when - 0.5 * self.dt,
            "push.over": np.full(len(when), self.over),
            "push.fx": force * np.cos(angle),
            "push.fy": force * np.sin(angle),
        }  # (2)
        parameters = dict(self.run.get("parameters") or {}) | push
        motion = simulate(
            self.scene,
            _copies(self.base, len(when)),
            forces=self.pushed,
            steps=self.steps,
            dt=self.dt,
            every=_every(self.dt),
            strict=False,
            record=("contact",),
            progress=progress,
            **(self.run | {"parameters": parameters}),
        )
        place = _place(motion, self.pushed.link)
        counts = (motion.time >= when[:, None]) & (motion.time <= (when + self.over + self.after)[:, None])
        detector = FallDetector(self.scene, upright=self.base.q[0])
        fell = (detector.fallen(motion.q, motion.time) & counts).any(-1)  # (3)
        return ~fell[1:], self._recovered(motion, place, fell, when, counts)[1:]

    def _recovered(self, motion, place, fell, when, counts) -> np.ndarray:
        """Return the steps after which each rollout walks like the first; NaN after a fall or without heel markers."""
        found = np.full(len(when), np.nan)
        if fell[0] or not {m.name for m in motion.figure.markers} >= set(MARKERS):
            return found
        c, s = np.cos(self.heading), np.sin(self.heading)
        turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
        usual: dict[str, np.ndarray] = {}
        for k in np.flatnonzero(~fell):
            one = motion.rollout(int(k))
            kept = one.time <= when[k] + self.over + self.after
            ahead = kinematics(one.figure, one.q)
            heel = {side: (ahead.marker(f"{side}_heel") @ turn.T)[:, 0] for side in SIDES}
            times = _times(one, turn) or {}
            times["l"] = FootTimes(
                np.append(one.time[0], times["l"].strike), times["l"].off
            )  # the rollout begins with a strike
            steps = steps_of(one.time, heel, (place[k] @ turn.T)[:, 0], times)
            if k == 0:
                usual = usual_steps(steps)
            else:
                found[k] = recovered_after([s for s in steps if when[k] <= s.end <= one.time[kept][-1]], usual)
        return found


def _copies(motion: Motion, n: int) -> Motion:
    """Repeat the last frame n times, as the start of n rollouts."""
    channels = {"memory": np.repeat(motion.channels["memory"][None, -1:], n, 0)} if "memory" in motion.channels else {}
    q, u = (np.repeat(x[None, -1:], n, 0) for x in (motion.q, motion.u))
    return motion.changed(time=motion.time[-1:], q=q, u=u, channels=channels, events=())


def _place(motion: Motion, link: str) -> np.ndarray:
    """Return the position of a link (…, frames, 3) [m]."""
    figure = motion.figure
    if figure.joints[0].kind == "free" and figure.link_index(link) == 0:
        return np.asarray(motion.q[..., :3])
    flat = motion.q.reshape(-1, figure.nq)
    return np.asarray(kinematics(figure, flat).link(link).position).reshape(*motion.q.shape[:-1], 3)


def _times(motion: Motion, turn) -> dict[str, FootTimes] | None:
    """Find the foot events of a motion by load; None if ground forces were not recorded."""
    force = foot_forces(motion, turn)
    return None if force is None else {side: by_load(motion.time, force[side][:, 2]) for side in SIDES}


def _stance(times: FootTimes, t0: float, stride: float) -> tuple[float, float]:
    """Return strike and foot off [cycles] of the first stance after t0 [s]."""
    strike = times.strike[times.strike >= t0 - 1e-9][0]
    offs = times.off[times.off > strike]
    return float((strike - t0) / stride), float(((offs[0] if len(offs) else strike + 0.6 * stride) - t0) / stride)


def _every(dt: float) -> int:
    return max(1, round(FRAME / dt))


def _whole(duration: float, dt: float) -> float:
    """Round a duration [s] to whole frames."""
    return round(duration / (dt * _every(dt))) * _every(dt) * dt


def _shifted(progress, first: int, n: int):
    """Return a progress function for n rollouts that adds the number of rollouts before them."""
    return lambda done, steps: progress(first + n * done / steps)
