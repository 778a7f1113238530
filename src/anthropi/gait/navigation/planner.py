"""Path planning for a walker among standing and moving obstacles: one plan, from its current state.

Standing obstacles are inflated by half the body width and a margin. The shortest path around them is found for a narrow
margin and for wider ones. The predicted motion along a path (`steering.predict`) is compared with that of the
obstacles:

    gap(τ) = smallest distance between the body at τ and an obstacle at t + τ                                     (1)
    free   gap(τ) ≥ beside for moving obstacles, ≥ near for standing ones, or not smaller than the current gap    (2)
    cost   arrival time [s] + gap_cost · (ease - gap) where positive + 20 s/m · miss                              (3)
    miss   distance from the goal at the stop + 0.3 m/rad · turn in the last second, predicted near the goal      (4)

If the straight plan is not free, further plans are tested (after S. M. Loizidou, thesis, 1992, section 10.2):

- A path around or behind a moving obstacle with which the walker would collide. The obstacle is replaced by a standing
  one: the hull of its positions around the time of the collision.
- The previous path, another speed, or a wait.
- Paths with a loop, if the goal would be missed because it is inside the turning circle of the walker.

The cheapest free plan is chosen, with a bonus for the same kind of plan as before. If no plan is free, the plan with
the largest gap is chosen. All functions work on plain floats only; they cannot be recorded on a tape.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.gait.navigation.outlines import Outline, hull, to_core
from anthropi.gait.navigation.path import NoPath, Path, around, kept, loops_to, path_out, standing_room
from anthropi.gait.navigation.steering import Limits, PlanarState, Track, lookahead, predict

__all__ = ["Body", "PathPlan", "PlannerSettings", "plan"]


@dataclass(frozen=True)
class Body:
    """Size of a walker on the ground, and the distances that it keeps.

    Attributes
    ----------
    half : half the width of the body [m].
    margin : added to `half` for paths around standing obstacles [m].
    beside, near : smallest gap to moving and to standing obstacles [m] (eq. 2).
    wide : wider margins that are also tried [m].
    ease, gap_cost : smallest gap without cost [m], and cost of a smaller gap [s/m] (eq. 3).
    horizon : time for which moving obstacles are predicted [s], in steps of `grain` [s].
    """

    half: float = 0.3
    margin: float = 0.25
    beside: float = 0.25
    near: float = 0.08
    wide: tuple[float, ...] = (0.4, 0.55)
    ease: float = 0.35
    gap_cost: float = 8.0
    horizon: float = 5.0
    grain: float = 0.2


@dataclass(frozen=True)
class PlannerSettings:
    """Plans that are tested, and their costs.

    Attributes
    ----------
    faster, slower : factors of the desired speed.
    waits : waiting times [s]. A walker that is walking stops for at least `min_wait` [s].
    about, behind : time [s] before and after a predicted collision in which the positions of a moving obstacle are
        avoided, for a path around it or behind it.
    tries : number of paths that are tested around one moving obstacle.
    near_goal : length of path [m] below which the walk is predicted to its end, for `near_goal_horizon` [s].
    miss_cost : cost of missing the goal [s/m] (eq. 3).
    turn_uncertainty : miss per turn in the last second [m/rad] (eq. 4).
    loop_radius, max_loop : radius of a loop, and largest length of a path with a loop [m].
    keep_bonus : a plan of another kind must be cheaper by this cost [s].
    """

    faster: float = 1.2
    slower: tuple[float, ...] = (0.75, 0.5)
    waits: tuple[float, ...] = (0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.5)
    min_wait: float = 1.0
    about: float = 0.4
    behind: float = 2.5
    tries: int = 4
    near_goal: float = 4.0
    near_goal_horizon: float = 16.0
    miss_cost: float = 20.0
    turn_uncertainty: float = 0.3
    loop_radius: float = 1.4
    max_loop: float = 10.0
    keep_bonus: float = 0.5


class PathPlan(NamedTuple):
    """A path to walk at a speed, after a wait.

    Attributes
    ----------
    path : path to walk.
    speed : [m/s].
    wait : waiting time before the walk [s].
    kind : "on", "wide", "kept", "faster", "slower", "wait", "round", "behind", "loop" or "away".
    gap : smallest predicted distance between the body and any obstacle [m].
    free : whether condition (2) holds at all times.
    tried : number of plans compared.
    """

    path: Path
    speed: float
    wait: float
    kind: str
    gap: float
    free: bool
    tried: int


class Candidate(NamedTuple):
    """A plan with its cost and its first meeting with a moving obstacle.

    Contains the plan, its cost [s] (eq. 3), the first meeting (time step, obstacle) or None, and its miss [m] (eq. 4).
    """

    plan: PathPlan
    cost: float
    met: tuple[int, int] | None
    miss: float


class Outlook(NamedTuple):
    """Input data of one planning step.

    Contains the position, goal and state of the walker, the times ahead (k,) [s], the moving outlines with their cores
    (k, n, 2), the standing outlines, and the settings.
    """

    position: np.ndarray
    goal: np.ndarray
    state: PlanarState
    heading: float
    ahead: np.ndarray
    moving: list[tuple[Outline, np.ndarray]]
    standing: list[Outline]
    body: Body
    limits: Limits
    settings: PlannerSettings
    before: str

    def near(self, o: Outline) -> float:
        """Smallest allowed gap [m] to a standing obstacle (eq. 2); smaller if the goal is nearer to the obstacle."""
        return min(self.body.near, float(to_core(self.goal, o.core)) - o.radius - self.body.half - 0.03)

    def candidates(self, paths: Sequence[tuple[str, Path, float, float]]) -> list[Candidate]:
        """Predict the walks along paths (kind, path, speed [m/s], wait [s]) and compute their costs (eqs. 1 to 4)."""
        own, body = self.settings, self.body
        tracks = [Track.of(path, self.limits) for _, path, _, _ in paths]
        speeds, waits = [speed for _, _, speed, _ in paths], [wait for _, _, _, wait in paths]
        walker = self.position, self.state, self.heading
        places, late = predict(tracks, speeds, waits, *walker, self.limits, self.ahead)
        still = [(o, np.broadcast_to(o.core, (len(self.ahead), *o.core.shape))) for o in self.standing]
        gaps = np.stack([to_core(places, core) - o.radius - body.half for o, core in [*self.moving, *still]], 1)  # (1)
        many = len(self.moving)
        least = np.array([body.beside] * many + [self.near(o) for o in self.standing])
        gaps[:, :many, self.ahead > body.horizon] = np.inf
        bad = gaps < np.minimum(least, gaps[0, :, 0] - 0.02)[:, None]  # (2)
        k, i = np.arange(len(paths)), np.clip((late / body.grain).astype(int), 6, len(self.ahead) - 1)
        last, one = (places[k, i - j] - places[k, i - j - 1] for j in (0, 5))
        turn = np.abs(np.arctan2(one[:, 0] * last[:, 1] - one[:, 1] * last[:, 0], (one * last).sum(-1)))
        off = np.hypot(*(places[:, -1] - self.goal).T) + own.turn_uncertainty * turn
        missed = np.where(late <= self.ahead[-1], off, 0.0)  # (4)
        found = []
        for (kind, path, v, wait), gap, met, ends, miss in zip(paths, gaps, bad, late, missed, strict=True):
            first = min(((int(np.argmax(row)), k) for k, row in enumerate(met[:many]) if row.any()), default=None)
            made = PathPlan(path, v, wait, kind, float(gap.min()), not met.any(), 1)
            cost = body.gap_cost * max(body.ease - made.gap, 0.0)
            missing = own.miss_cost * max(miss - 0.5 * self.limits.goal_tolerance, 0.0)
            cost += missing - own.keep_bonus * (kind in ("kept", self.before))
            found.append(Candidate(made, float(ends) + cost, first, float(miss)))  # (3)
        return found


def plan(
    position: Any,
    goal: Any,
    outlines: Sequence[Outline],
    time: float = 0.0,
    state: PlanarState | None = None,
    heading: float | None = None,
    speed: float = 1.2,
    body: Body | None = None,
    limits: Limits | None = None,
    last: PathPlan | None = None,
    waits: bool = True,
    settings: PlannerSettings | None = None,
) -> PathPlan:
    """Plan a path to a goal.

    Parameters
    ----------
    position, goal : (2,) [m].
    outlines : outlines of all obstacles.
    time : current time [s], for moving obstacles.
    state : motion of the walker; if None, it stands and faces x.
    heading : commanded heading ψ [rad]; that of the state if None.
    speed : desired speed [m/s].
    body, limits, settings : size of the walker, commands that it can follow, and plans that are tried.
    last : the previous plan.
    waits : whether the walker may be commanded to stop.

    Raises
    ------
    NoPath if a standing obstacle covers the goal or blocks every path to it.
    """
    body, limits, state, own = body or Body(), limits or Limits(), state or PlanarState(), settings or PlannerSettings()
    position, goal = np.asarray(position, float), np.asarray(goal, float)
    still = [o for o in outlines if not o.moves]
    stands = standing_room(goal, still, body.half, body.margin, body.near)
    path = path_out(position, goal, stands)
    near_goal = path.length < own.near_goal
    ahead = np.arange(0.0, (own.near_goal_horizon if near_goal else body.horizon) + 0.5 * body.grain, body.grain)
    reach = body.half + body.beside + max(speed, state.speed) * ahead
    moving = [(o, o.at(time + ahead)) for o in outlines if o.moves]
    moving = [(o, core) for o, core in moving if (to_core(position, core) - o.radius < reach).any()]
    if not moving and not still:
        return PathPlan(path, speed, 0.0, "on", np.inf, True, 1)
    heading = state.heading if heading is None else heading
    before = last.kind if last else "on"
    out = Outlook(position, goal, state, heading, ahead, moving, still, body, limits, own, before)
    paths = [("on", path, speed, 0.0), *(("wide", wide, speed, 0.0) for wide in _wider(position, goal, still, body))]
    if last is not None and last.kind != "away" and (old := kept(last.path, position, stands)) is not None:
        paths.append(("kept", old, speed, 0.0))
    found = out.candidates(paths)
    met = any(x.met for x in found)  # waiting and walking faster help only against moving obstacles
    if not any(x.plan.free and x.plan.gap > body.ease for x in found):
        slower = [(one, max(f * speed, limits.min_speed)) for f in own.slower for _, one, _, _ in paths]
        found += out.candidates([("slower", one, v, 0.0) for one, v in slower])
    if met and not any(x.plan.free for x in found):
        found += out.candidates(
            [("faster", one, min(own.faster * speed, limits.max_speed), 0.0) for _, one, *_ in paths]
        )
        for first in found[: len(paths)]:
            for kind, after in (("round", own.about), ("behind", own.behind)):
                found += _around_moving(out, kind, after, goal, stands, speed, first)
        least = 0.0 if state.speed < limits.turning_speed else own.min_wait
        if waits:
            found += out.candidates([("wait", path, speed, wait) for wait in own.waits if wait >= least])
    if near_goal and not any(x.plan.free and x.miss < 0.5 * limits.goal_tolerance for x in found):
        start = lookahead(position, state, heading, limits)
        loops = loops_to(path.points[-1], position, start, heading, own.loop_radius, own.max_loop)
        found += out.candidates([("loop", loop, limits.min_speed, 0.0) for loop in loops])
    free = [x for x in found if x.plan.free]
    if free:
        return min(free, key=lambda x: x.cost).plan._replace(tried=len(found))
    if others := around(position, stands):
        found += out.candidates([("away", other, speed, 0.0) for other in others])
    return max(found, key=lambda x: x.plan.gap).plan._replace(tried=len(found))


def _wider(position: np.ndarray, goal: np.ndarray, still: list[Outline], body: Body) -> list[Path]:
    """Shortest paths with wider margins, where such paths exist."""
    found = []
    for margin in body.wide if still else ():
        try:
            found.append(path_out(position, goal, standing_room(goal, still, body.half, margin, body.near)))
        except NoPath:
            break
    return found


def _around_moving(
    out: Outlook, kind: str, after: float, goal: np.ndarray, stands: list[Outline], speed: float, first: Candidate
) -> list[Candidate]:
    """Plan again with the moving obstacle that was met as a standing one, until a plan is free.

    after : time after the meeting up to which the obstacle is avoided [s].
    """
    added, found, here = list(stands), [], first
    for _ in range(out.settings.tries):
        if here.met is None:
            break
        i, k = here.met
        (o, core), grain = out.moving[k], out.body.grain
        begin, end = max(i - round(out.settings.about / grain), 0), i + 1 + round(after / grain)
        taken = hull(core[begin:end].reshape(-1, 2))
        added.append(Outline(o.name, taken, o.radius + out.body.half + out.body.beside + 0.05))
        try:
            (here,) = out.candidates([(kind, path_out(out.position, goal, added), speed, 0.0)])
        except NoPath:
            break
        found.append(here)
    return found
