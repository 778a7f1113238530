"""How does a walker get to its goal among what stands and what moves? One plan, from where it is now. Floats only.

What stands is inflated by the body's half width and a margin, and the shortest path round it taken, for a narrow and
for wider margins. Where the walker will be when it follows one (`steering.walked`) is compared with where everything
else will be:

    gap(τ) = the least distance between the body at τ and an obstacle where it is at t + τ                         (1)
    free   gap(τ) ≥ beside of what moves, ≥ near of what stands, or no less than now where that is less already    (2)
    cost   when it arrives [s] + dear · what the gap lacks of ease + 20 s/m · by how far it misses the goal        (3)
    miss   how far from the goal it stops + 0.3 m/rad · the turn in its last second, predicted when it is near     (4)

Straight path, test, re-plan until free (thesis 10.2): what is met is added to what stands, as the hull of where it is
about the meeting, and the path taken again; or the old path is kept; or the speed changed; or the walker waits. Where a
goal would be missed, being within the circle that a walker turns on, ways of a turn, straight on, and round are looked
at, too. Of the free ones the cheapest is taken, with a little for keeping one's mind; where none is free, the one that
stays farthest away.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from anthropi.gait.navigation.outlines import Outline, hull, to_core
from anthropi.gait.navigation.path import NoPath, Path, around, kept, loops_to, path_out, standing_room
from anthropi.gait.navigation.steering import Limits, PlanarState, Track, soon, walked

__all__ = ["Body", "PathPlan", "plan"]

FASTER, SLOWER = 1.2, (0.75, 0.5)  # of the speed wanted
WAITS = (0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.5)  # [s]: who planned to go on in a while does so then
WALKS = 1.0  # [s] that a walker who walks stops for, at least: shorter waits are for one who stands
ABOUT, AHEAD = 0.4, 2.5  # [s] before and after a meeting; further on, to pass behind
TRIES = 4  # paths re-planned round one that moves
CLOSE, LONG = 4.0, 16.0  # [m] of path, from which on it is predicted for so long [s]: whether the goal is met
MISSED = 20.0  # [s/m]
LOOP, LONGEST = 1.4, 10.0  # [m]: the radius of a walk round, and its length
UNCERTAINTY_PER_TURN = 0.3  # [m/rad] of a turn in the last second, that the end of a way is less sure by
MIND = 0.5  # [s] that another mind must save


@dataclass(frozen=True)
class Body:
    """half : half the body's width [m]. margin : kept besides from what stands, beside : from what moves, near : (2).

    wide : margins that are tried besides. ease [m], dear [s/m] : (3). horizon : how far ahead others are predicted [s],
    every `grain` [s].
    """

    half: float = 0.3
    margin: float = 0.25
    beside: float = 0.25
    near: float = 0.08
    wide: tuple[float, ...] = (0.4, 0.55)
    ease: float = 0.35
    dear: float = 8.0
    horizon: float = 5.0
    grain: float = 0.2


class PathPlan(NamedTuple):
    """A path to walk at a speed [m/s], after a wait [s].

    kind : "on", "wide", "kept", "faster", "slower", "wait", "round", "behind", "loop" or "away". gap : [m] the least
    between body and anything, as predicted. free : whether (2) holds. tried : plans looked at.
    """

    path: Path
    speed: float
    wait: float
    kind: str
    gap: float
    free: bool
    tried: int


class Outlook(NamedTuple):
    """What a plan is made from: the walker, times ahead (k,), what moves and its cores (k, n, 2), what stands."""

    position: np.ndarray
    goal: np.ndarray
    state: PlanarState
    told: float
    ahead: np.ndarray
    moves: list[tuple[Outline, np.ndarray]]
    stands: list[Outline]
    body: Body
    limits: Limits
    before: str

    def near(self, o: Outline) -> float:
        """How near (2) what stands may come: less where the goal is nearer."""
        return min(self.body.near, float(to_core(self.goal, o.core)) - o.radius - self.body.half - 0.03)

    def looked(self, ways) -> list["Looked"]:
        """(1), (2) of ways (kind, path, speed, wait)."""
        tracks = [Track.of(way[1], self.limits) for way in ways]
        speeds, waits = [way[2] for way in ways], [way[3] for way in ways]
        walker = self.position, self.state, self.told
        places, late = walked(tracks, speeds, waits, *walker, self.limits, self.ahead)
        others = [*self.moves, *((o, np.broadcast_to(o.core, (len(self.ahead), *o.core.shape))) for o in self.stands)]
        gaps = np.stack([to_core(places, core) - o.radius - self.body.half for o, core in others], 1)  # (1)
        many = len(self.moves)
        wanted = np.array([self.body.beside] * many + [self.near(o) for o in self.stands])
        gaps[:, :many, self.ahead > self.body.horizon] = np.inf
        bad = gaps < np.minimum(wanted, gaps[0, :, 0] - 0.02)[:, None]  # (2)
        k, i = np.arange(len(ways)), np.clip((late / self.body.grain).astype(int), 6, len(self.ahead) - 1)
        last, one = (places[k, i - j] - places[k, i - j - 1] for j in (0, 5))
        bent = np.abs(np.arctan2(one[:, 0] * last[:, 1] - one[:, 1] * last[:, 0], (one * last).sum(-1)))
        missed = np.where(
            late <= self.ahead[-1], np.hypot(*(places[:, -1] - self.goal).T) + UNCERTAINTY_PER_TURN * bent, 0.0
        )  # (4)
        found = []
        for (kind, path, v, wait), gap, met, ends, miss in zip(ways, gaps, bad, late, missed, strict=True):
            first = min(((int(np.argmax(row)), k) for k, row in enumerate(met[:many]) if row.any()), default=None)
            made = PathPlan(path, v, wait, kind, float(gap.min()), not met.any(), 1)
            lacks = self.body.dear * max(self.body.ease - made.gap, 0.0)
            lacks += MISSED * max(miss - 0.5 * self.limits.close, 0.0) - MIND * (kind in ("kept", self.before))
            found.append(Looked(made, float(ends) + lacks, first, float(miss)))  # (3)
        return found


class Looked(NamedTuple):
    """A plan, its cost [s] (3), the first meeting (time, which) with what moves, or None, and its miss [m] (4)."""

    plan: PathPlan
    cost: float
    met: tuple[int, int] | None
    miss: float


def plan(position, goal, outlines, time=0.0, state=None, told=None, speed=1.2, body=None, limits=None, last=None,
         waits=True):  # fmt: skip
    """The `Plan` from a position (2,) at a time.

    state : how the walker goes, None: it stands and faces x. told : ψ [rad], None: φ. last : the Plan before. waits :
    whether it may be told to stop.

    NoWay where the goal is taken or closed off by what stands.
    """
    body, limits, state = body or Body(), limits or Limits(), state or PlanarState()
    position, goal = np.asarray(position, float), np.asarray(goal, float)
    still = [o for o in outlines if not o.moves]
    stands = standing_room(goal, still, body.half, body.margin, body.near)
    path = path_out(position, goal, stands)
    comes = path.length < CLOSE
    ahead = np.arange(0.0, (LONG if comes else body.horizon) + 0.5 * body.grain, body.grain)
    reach = body.half + body.beside + max(speed, state.pace) * ahead
    moves = [(o, core) for o in outlines if o.moves
             if (to_core(position, core := o.at(time + ahead)) - o.radius < reach).any()]  # fmt: skip
    if not moves and not still:
        return PathPlan(path, speed, 0.0, "on", np.inf, True, 1)
    told = state.half if told is None else told
    before = last.kind if last else "on"
    out = Outlook(position, goal, state, told, ahead, moves, still, body, limits, before)
    ways = [("on", path, speed, 0.0), *(("wide", way, speed, 0.0) for way in _wider(position, goal, still, body))]
    if last is not None and last.kind != "away" and (old := kept(last.path, position, stands)) is not None:
        ways.append(("kept", old, speed, 0.0))
    found = out.looked(ways)
    met = any(x.met for x in found)  # what stands is neither waited for nor outrun
    if not any(x.plan.free and x.plan.gap > body.ease for x in found):
        found += out.looked([("slower", way[1], max(f * speed, limits.slowest), 0.0) for f in SLOWER for way in ways])
    if met and not any(x.plan.free for x in found):
        found += out.looked([("faster", way[1], min(FASTER * speed, limits.fastest), 0.0) for way in ways])
        for first in found[: len(ways)]:
            for kind, after in (("round", ABOUT), ("behind", AHEAD)):
                found += _round(out, kind, after, goal, stands, speed, first)
        least = 0.0 if state.pace < limits.about else WALKS
        if waits:
            found += out.looked([("wait", path, speed, wait) for wait in WAITS if wait >= least])
    if comes and not any(x.plan.free and x.miss < 0.5 * limits.close for x in found):
        start = soon(position, state, told, limits)
        loops = loops_to(path.points[-1], position, start, told, LOOP, LONGEST)
        found += out.looked([("loop", way, limits.slowest, 0.0) for way in loops])
    free = [x for x in found if x.plan.free]
    if free:
        return min(free, key=lambda x: x.cost).plan._replace(tried=len(found))
    if others := around(position, stands):
        found += out.looked([("away", way, speed, 0.0) for way in others])
    return max(found, key=lambda x: x.plan.gap).plan._replace(tried=len(found))


def _wider(position, goal, still, body: Body) -> list[Path]:
    """Shortest paths with wider margins, where there are any."""
    found = []
    for margin in body.wide if still else ():
        try:
            found.append(path_out(position, goal, standing_room(goal, still, body.half, margin, body.near)))
        except NoPath:
            break
    return found


def _round(out: Outlook, kind: str, after: float, goal, stands, speed: float, first: Looked) -> list[Looked]:
    """Re-planned until free: what is met stands, from a little before the meeting to `after` [s]."""
    added, found, here = list(stands), [], first
    for _ in range(TRIES):
        if here.met is None:
            break
        i, k = here.met
        (o, core), grain = out.moves[k], out.body.grain
        taken = hull(core[max(i - round(ABOUT / grain), 0) : i + 1 + round(after / grain)].reshape(-1, 2))
        added.append(Outline(o.name, taken, o.radius + out.body.half + out.body.beside + 0.05))
        try:
            (here,) = out.looked([(kind, path_out(out.position, goal, added), speed, 0.0)])
        except NoPath:
            break
        found.append(here)
    return found
