"""Find the bind pose of a skin: the neutral pose with the limbs moved apart, so that their surfaces do not merge.

Two links a and b that are not neighbours must keep a distance `room`, which is `CLEARANCE` times the figure's size. The
solids of a are approximated by spheres with centres p and radii r, and d_b(p) is the distance from b:

    penalty = Σ max(0, room - (d_b(p) - r))²,  without spheres near a link on the path from a to b             (1)

In each step, the joint that reduces (1) most, relative to the mass it moves, is rotated by a small angle, together with
its counterpart on the other side of the body. The steps end when the penalty is zero. In a human figure, this lifts the
arms and leaves the trunk straight.
"""

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from anthropi.entry import kinematics
from anthropi.figure import Figure
from anthropi.formats.pages.skin.field import Lump, distances, thickness

__all__ = ["bind_pose"]

STEP_ANGLE, MAX_STEPS, SOLIDS_PER_LINK = 0.2, 16, 2  # [rad]; number of steps; number of largest solids used per link
MIN_LINK_SIZE = 0.045  # relative to the figure's size; smaller links, such as fingers, are ignored
MAX_MOVED_SHARE = 0.3  # share of the figure's mass; joints that move more are not rotated
CLEARANCE = 0.018  # distance between links, relative to the figure's size


class Ball(NamedTuple):
    """A sphere in a link's frame."""

    link: int
    point: np.ndarray
    radius: float


def bind_pose(figure: Figure, own: Any, solids: Any, size: float) -> np.ndarray:
    """Compute the bind pose q (nq,) of a figure.

    own : indices of its links. solids : {link: [(kind, size, rotation (3, 3), centre (3,))]} in the links' frames.
    size : size of the figure [m].
    """
    q = figure.neutral()
    if figure.loops:  # moving single joints would violate the loop closures
        return q
    solids = {i: sorted(given, key=lambda s: -thickness(s[0], s[1]))[:SOLIDS_PER_LINK] for i, given in solids.items()}
    thick = {i: thickness(*given[0][:2]) for i, given in solids.items()}
    large = [i for i in thick if _extent(solids[i]) > MIN_LINK_SIZE * size]
    thinner_first = sorted(large, key=lambda i: thick[i])  # spheres approximate the thinner link of a pair better
    pairs = [(a, b, _chain(figure, a, b)) for a, b in combinations(thinner_first, 2)]
    pairs = [p for p in pairs if len(p[2]) > 2 and -1 not in p[2]]
    balls = {i: [ball for s in given for ball in _balls(i, *s)] for i, given in solids.items()}
    share = _shares(figure)

    def penalties(rows):
        return _penalties(figure, rows, pairs, balls, solids, CLEARANCE * size)

    for _ in range(MAX_STEPS):
        now = penalties(q[None])[0]
        if not now.size or now.max() <= 0.0:
            break
        paths = [path for (_, _, path), over in zip(pairs, now, strict=True) if over > 0.0]
        joints = sorted({i for path in paths for i in path if i != min(path)})
        moves = [
            (i, k, side)
            for i in joints
            if _movable(figure, i, share)
            for k in range(figure.joints[i].nu)
            for side in (-STEP_ANGLE, STEP_ANGLE)
        ]
        if not moves:
            break
        tries = np.array([_turned(figure, q, *move) for move in moves])
        gain = now.sum() - penalties(tries).sum(-1)
        best = int((gain / np.array([0.1 + share[i] for i, _, _ in moves])).argmax())
        if not gain[best] > 1e-3 * now.sum():
            break
        q = tries[best]
        i, k, side = moves[best]
        twin = _twin(figure, i)
        if twin is not None and k < figure.joints[twin].nu:
            both = np.array([_turned(figure, q, twin, k, path) for path in (side, -side)])
            q = both[int(penalties(both).sum(-1).argmin())]
    return q


def _extent(solids) -> float:
    """Return the approximate size of a link [m]."""
    return max(
        float(np.max(size)) * (1.0 if kind in ("box", "capsule", "cylinder") else 2.0) for kind, size, _, _ in solids
    )


def _movable(figure, i: int, share) -> bool:
    """Check whether a joint may be rotated: it moves a limb, and is the first of a left and right pair."""
    twin = _twin(figure, i)
    return share[i] < MAX_MOVED_SHARE and figure.joints[i].kind != "free" and (twin is None or i < twin)


def _shares(figure) -> list[float]:
    """Return for each joint the fraction of the figure's mass that it moves."""
    mass = np.array([float(link.mass) + 1e-9 for link in figure.links])
    return [float(sum(mass[j] for j in range(figure.n) if i in figure.path(j)) / mass.sum()) for i in range(figure.n)]


def _turned(figure, q, i: int, k: int, by: float) -> np.ndarray:
    """Return a copy of q with degree of freedom k of joint i rotated by an angle [rad]."""
    joint, at = figure.joints[i], figure.q_of[i]
    new = q.copy()
    new[at] = joint.integrate(q[at], by * np.eye(joint.nu)[k])
    return new


def _twin(figure, i: int) -> int | None:
    """Return the index of the link on the other side of the body ("r_thigh" for "l_thigh"), or None."""
    head, slash, name = figure.links[i].name.rpartition("/")
    other = {"l_": "r_", "r_": "l_"}.get(name[:2])
    names = [link.name for link in figure.links]
    wanted = f"{head}{slash}{other}{name[2:]}"
    return names.index(wanted) if other and wanted in names else None


def _chain(figure, a: int, b: int) -> tuple[int, ...]:
    """Return the links on the path from a to b, both included; -1 is among them if only the world connects them."""
    up, down = figure.path(a), figure.path(b)
    common = [i for i in up if i in down]
    top = common[-1] if common else -1
    return (*(i for i in reversed(up) if i not in common), top, *(i for i in down if i not in common))


def _balls(link: int, kind: str, size, C, middle) -> list[Ball]:
    """Return spheres along the longest axis of a solid, which approximate it."""
    if kind == "sphere":
        return [Ball(link, middle, size[0])]
    if kind in ("capsule", "cylinder"):
        return [Ball(link, middle + C[:, 2] * (s * 0.5 * size[1]), size[0]) for s in (-1.0, -0.5, 0.0, 0.5, 1.0)]
    half = np.asarray(size, float) * (0.5 if kind == "box" else 1.0)
    k = int(half.argmax())
    side = float(np.sort(half)[1])
    return [
        Ball(link, middle + C[:, k] * (s * half[k]), side * float(np.sqrt(1.0 - s * s)))
        for s in (-0.8, -0.4, 0.0, 0.4, 0.8)
    ]


def _penalties(figure, rows, pairs, balls, solids, room: float) -> np.ndarray:
    """Compute the penalty (1) of each configuration and pair of links, (configurations, pairs)."""
    k = kinematics(figure, rows)
    turns, places = np.asarray(k.rotation), np.asarray(k.position)
    ends = {i: (np.array([b.point for b in given]), np.array([b.radius for b in given])) for i, given in balls.items()}
    world = {i: places[:, None, i] + np.einsum("tij,bj->tbi", turns[:, i], p) for i, (p, _) in ends.items()}

    def gap(points, link):
        """Return the distance (configurations, points) of points from the solids of a link."""
        x = np.einsum("tij,tbi->tbj", turns[:, link], points - places[:, None, link])
        each = [distances(Lump(kind, size, C, m, link, ()), x)[0] for kind, size, C, m in solids[link]]
        return np.min(each, axis=0)

    middles = {i: x.mean(1) for i, x in world.items()}
    round_ = {i: float((np.linalg.norm(p - p.mean(0), axis=-1) + r).max()) for i, (p, r) in ends.items()}
    found = np.zeros((len(rows), len(pairs)))
    near: dict[tuple[int, int], np.ndarray] = {}
    for n, (a, b, path) in enumerate(pairs):
        radius = ends[a][1]
        apart = middles[a] - middles[b]
        if ((apart * apart).sum(-1) > (round_[a] + round_[b] + room) ** 2).all():
            continue
        over = np.maximum(room - (gap(world[a], b) - radius), 0.0)
        for between in path[1:-1]:
            if solids.get(between):
                if (a, between) not in near:
                    near[a, between] = gap(world[a], between) - radius < 0.5 * room
                over = np.where(near[a, between], 0.0, over)
        found[:, n] = (over * over).sum(-1)
    return found
