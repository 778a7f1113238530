"""Parts of the body in a skeleton whose names are not known, recognised by its topology and bone lengths.

Legs and arms are the two longest pairs of branches with a common parent and equal bone lengths. In each branch, the two
longest consecutive bones are thigh and shank, or upper arm and forearm; the pair with the longer bones are the legs.
The toes point forward of the ankles, so that with the direction u from the hips to the shoulders

    left = u × forward                                                                                              (1)

in every frame decides which side is the left one. Works on plain floats only.
"""

from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np

from anthropi.figure.figure import Figure
from anthropi.motion.link_poses import LinkPoses

__all__ = ["left_votes", "matched"]

ALIKE = 0.15  # largest relative difference of bones of the left and the right side
SHORT = 0.02  # bones below this fraction of the longest branch have no length
RATIOS = 0.5, 2.0  # range of the ratio of the two long bones of a limb
LONG = 0.3  # of the longest branch: pairs of branches below it are fingers and the like
MAX_BRANCHES = 12  # long branches of a link that are compared
MIN_VOTES = 0.8  # share of frames in which the feet must agree about left and right


class _Limb(NamedTuple):
    """A limb: links of its chain, lengths of its bones, index of the first long bone."""

    chain: tuple[int, ...]
    bones: tuple[float, ...]
    first: int

    @property
    def size(self) -> float:
        """Length of the two long bones."""
        return self.bones[self.first] + self.bones[self.first + 1]


def matched(figure: Figure, still: LinkPoses, moving: LinkPoses) -> dict[str, str] | None:
    """Return the links by body part, {role: link}, or None if the figure does not have two arms and two legs.

    still : link poses (1 frame) that give the bone lengths. moving : link poses of the frames that decide the sides.
    """
    chains = _chains(figure, still)
    most = max((sum(bones) for _, bones in chains), default=0.0)
    if not most > 0.0:
        return None
    pairs = []
    for i in range(figure.n):
        limbs = [limb for k in figure.children[i] if (limb := _limb(*chains[k], most)) is not None]
        for one, other in combinations(limbs[:MAX_BRANCHES], 2):
            if not _alike(one, other):
                continue
            base = [still.position[0, limb.chain[0]] - still.position[0, i] for limb in (one, other)]
            if abs(_size(base[0]) - _size(base[1])) < ALIKE * max(one.size, _size(base[0])):
                pairs.append((i, one, other))
    pairs.sort(key=lambda pair: -pair[1].size)
    if len(pairs) < 2:
        return None
    (hips, *legs), (chest, *arms) = pairs[0], pairs[1]
    if len(pairs) > 2 and pairs[2][1].size > 0.8 * arms[0].size:
        return None  # a third pair of limbs
    found = {"pelvis": hips, "thorax": chest}
    head = _head(figure, chest, (hips, *legs[0].chain, *legs[1].chain, *arms[0].chain, *arms[1].chain), chains)
    if head is not None:
        found["head"] = head
    ends = [_parts(limb, ("thigh", "shank", "foot", "toes"), "") for limb in legs]
    tops = [_parts(limb, ("upper_arm", "forearm", "hand"), "clavicle") for limb in arms]
    if any(not {"thigh", "shank", "foot"} <= set(x) for x in ends):
        return None
    shoulders = 0.5 * (moving.position[:, tops[0]["upper_arm"]] + moving.position[:, tops[1]["upper_arm"]])
    places = [{part: moving.position[:, i] for part, i in x.items()} for x in ends]
    for place, part in zip(places, ends, strict=True):
        if "toes" not in part:
            tip = _farthest(figure, part["foot"])
            if tip is None:
                return None
            place["toes"] = moving.point(part["foot"], tip)
    votes = left_votes(places[0], places[1], shoulders)
    if votes is None or max(votes, 1.0 - votes) < MIN_VOTES:
        return None
    first = 0 if votes > 0.5 else 1
    arm = _left_arm(moving, tops, places, first)
    for side, leg, top in (("l", ends[first], tops[arm]), ("r", ends[1 - first], tops[1 - arm])):
        found |= {f"{side}_{part}": i for part, i in (leg | top).items()}
    return {role: figure.links[i].name for role, i in found.items()}


def left_votes(one: Any, other: Any, shoulders: Any) -> float | None:
    """Return the share of frames in which leg `one` is the left one by (1); None if the feet do not decide.

    one, other : {part: (frames, 3)} positions of thigh, foot and toes. shoulders : (frames, 3), between them.
    """
    up = shoulders - 0.5 * (one["thigh"] + other["thigh"])
    up = up / np.maximum(_sizes(up), 1e-12)
    feet = [x["toes"] - x["foot"] for x in (one, other)]
    forward = feet[0] + feet[1]
    forward = forward - up * (forward * up).sum(-1, keepdims=True)
    span = one["thigh"] - other["thigh"]
    left = (np.cross(up, forward) * span).sum(-1)
    sure = (np.abs(left) > 0.3 * _sizes(forward)[:, 0] * _sizes(span)[:, 0]) & (
        _sizes(forward)[:, 0] > 0.3 * np.maximum(_sizes(feet[0])[:, 0], _sizes(feet[1])[:, 0])
    )
    return float((left[sure] > 0.0).mean()) if sure.sum() >= max(1, 0.2 * len(up)) else None


def _left_arm(moving: LinkPoses, tops, places, first: int) -> int:
    """Return the index of the left arm: that on the side of the left hip, in most frames."""
    hips = places[first]["thigh"] - places[1 - first]["thigh"]
    arms = moving.position[:, tops[0]["upper_arm"]] - moving.position[:, tops[1]["upper_arm"]]
    return 0 if ((hips * arms).sum(-1) > 0.0).mean() > 0.5 else 1


def _chains(figure: Figure, still: LinkPoses) -> list[tuple[list[int], list[float]]]:
    """Return for each link the longest chain of links below it, and the lengths of its bones, the last to an end."""
    at = still.position[0]
    best: list[tuple[list[int], list[float]]] = []
    for i in range(figure.n - 1, -1, -1):
        tips = [_size(m.point) for m in figure.markers if m.link == figure.links[i].name and hasattr(m, "point")]
        options = [([i], [max(tips)])] if tips else [([i], [])]
        for k in figure.children[i]:
            chain, bones = best[figure.n - 1 - k]
            options.append(([i, *chain], [_size(at[k] - at[i]), *bones]))
        best.append(max(options, key=lambda option: sum(option[1])))
    return best[::-1]


def _limb(chain: list[int], bones: list[float], most: float) -> _Limb | None:
    """Return a chain as a limb, without bones that have no length; None if it is too short."""
    if sum(bones) < LONG * most:
        return None
    links = [i for n, i in enumerate(chain) if n >= len(bones) or bones[n] > SHORT * most]
    long = [x for x in bones if x > SHORT * most]
    fits = [n for n, (a, b) in enumerate(pairwise(long)) if RATIOS[0] < a / b < RATIOS[1] and n + 1 < len(links)]
    if not fits:
        return None
    return _Limb(tuple(links), tuple(long), max(fits, key=lambda n: long[n] + long[n + 1]))


def _alike(one: _Limb, other: _Limb) -> bool:
    bones = [limb.bones[: limb.first + 2] for limb in (one, other)]
    if len(bones[0]) != len(bones[1]):
        return False
    return all(abs(a - b) <= ALIKE * max(a, b) for a, b in zip(*bones, strict=True))


def _parts(limb: _Limb, words: tuple[str, ...], before: str) -> dict[str, int]:
    """Return the links of a limb by part. before : part of the link above the first long bone."""
    found = dict(zip(words, limb.chain[limb.first :], strict=False))
    if before and limb.first > 0:
        found[before] = limb.chain[limb.first - 1]
    return found


def _head(figure: Figure, chest: int, taken, chains) -> int | None:
    """Return the last link of the longest chain from the chest that is not a limb."""
    free = [k for k in figure.children[chest] if k not in taken and not set(chains[k][0]) & set(taken)]
    if not free:
        return None
    return chains[max(free, key=lambda k: sum(chains[k][1]))][0][-1]


def _farthest(figure: Figure, i: int) -> np.ndarray | None:
    name = figure.links[i].name
    points = [np.asarray(m.point, float) for m in figure.markers if m.link == name and hasattr(m, "point")]
    return max(points, key=_size, default=None)


def _size(x: Any) -> float:
    return float(np.sqrt(np.sum(np.square(x))))


def _sizes(x: Any) -> np.ndarray:
    return np.sqrt((np.asarray(x) ** 2).sum(-1, keepdims=True))
