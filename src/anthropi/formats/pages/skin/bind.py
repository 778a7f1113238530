"""The bind pose of a skin: the neutral pose with the limbs moved apart, so that their surfaces do not merge.

For links a, b that are not neighbours, spheres along the axes of a's solids must keep the distance `CLEARANCE` from
b's:

    penalty = Σ max(0, room - (d_b(p) - r))²,  without spheres near a link on the path from a to b             (1)

The joint on the path between such links that reduces (1) most, relative to what it moves, is rotated a little, together
with its counterpart on the other side, until the penalty is zero: arms are lifted and the trunk stays straight.
"""

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from anthropi.entry import kinematics
from anthropi.figure import Figure
from anthropi.formats.pages.skin.field import Lump, distances, thickness

__all__ = ["bind_pose"]

STEP_ANGLE, MAX_STEPS, SOLIDS_PER_LINK = 0.2, 16, 2  # [rad]; steps; largest solids of a link that are used
MIN_LINK_SIZE = 0.045  # over the figure's size; smaller links, as fingers, are ignored
MAX_MOVED_SHARE = 0.3  # of the figure; joints that move more are not rotated
CLEARANCE = 0.018  # over the figure's size


class Ball(NamedTuple):
    """A sphere in a link's frame."""

    link: int
    point: np.ndarray
    radius: float


def bind_pose(figure: Figure, own: Any, solids: Any, size: float) -> np.ndarray:
    """The bind pose q (nq,). solids : {link: [(kind, size, C, centre)]} in the links' frames."""
    q = figure.neutral()
    if figure.loops:  # loops would open
        return q
    solids = {i: sorted(given, key=lambda s: -thickness(s[0], s[1]))[:SOLIDS_PER_LINK] for i, given in solids.items()}
    thick = {i: thickness(*given[0][:2]) for i, given in solids.items()}
    large = [i for i in thick if _extent(solids[i]) > MIN_LINK_SIZE * size]
    thinner_first = sorted(large, key=lambda i: thick[i])  # its spheres describe it better
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
    """Approximate size of a link."""
    return max(
        float(np.max(size)) * (1.0 if kind in ("box", "capsule", "cylinder") else 2.0) for kind, size, _, _ in solids
    )


def _movable(figure, i: int, share) -> bool:
    """Whether a joint moves a limb; of two counterparts only the first counts."""
    twin = _twin(figure, i)
    return share[i] < MAX_MOVED_SHARE and figure.joints[i].kind != "free" and (twin is None or i < twin)


def _shares(figure) -> list[float]:
    """The fraction of the figure that each joint moves."""
    mass = np.array([float(link.mass) + 1e-9 for link in figure.links])
    return [float(sum(mass[j] for j in range(figure.n) if i in figure.path(j)) / mass.sum()) for i in range(figure.n)]


def _turned(figure, q, i: int, k: int, by: float) -> np.ndarray:
    """q with degree of freedom k of joint i rotated."""
    joint, at = figure.joints[i], figure.q_of[i]
    new = q.copy()
    new[at] = joint.integrate(q[at], by * np.eye(joint.nu)[k])
    return new


def _twin(figure, i: int) -> int | None:
    """The link on the other side: "r_thigh" for "l_thigh"."""
    head, slash, name = figure.links[i].name.rpartition("/")
    other = {"l_": "r_", "r_": "l_"}.get(name[:2])
    names = [link.name for link in figure.links]
    wanted = f"{head}{slash}{other}{name[2:]}"
    return names.index(wanted) if other and wanted in names else None


def _chain(figure, a: int, b: int) -> tuple[int, ...]:
    """The links from a to b, both included; -1 among them if they are connected through the world only."""
    up, down = figure.path(a), figure.path(b)
    common = [i for i in up if i in down]
    top = common[-1] if common else -1
    return (*(i for i in reversed(up) if i not in common), top, *(i for i in down if i not in common))


def _balls(link: int, kind: str, size, C, middle) -> list[Ball]:
    """Spheres along the longest axis of a solid."""
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
    """(1) for each configuration and pair (tries, pairs)."""
    k = kinematics(figure, rows)
    turns, places = np.asarray(k.rotation), np.asarray(k.position)
    ends = {i: (np.array([b.point for b in given]), np.array([b.radius for b in given])) for i, given in balls.items()}
    world = {i: places[:, None, i] + np.einsum("tij,bj->tbi", turns[:, i], p) for i, (p, _) in ends.items()}

    def gap(points, link):
        """Distance (tries, points) of points from a link's solids."""
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
