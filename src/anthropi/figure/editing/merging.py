"""Links that cannot move against their parent become part of it.

What is behind a weld or a locked joint is told in the parent's frame: shapes, markers, loops and children as they are,
inertia summed. The root stays, however it is held.
"""

from dataclasses import replace

import numpy as np

from anthropi.algebra.spatial import identity, rigid_sum
from anthropi.figure.editing.frames import moved_link, moved_loop, moved_marker, moved_pose
from anthropi.figure.parts import Link

__all__ = ["merge_fixed"]


def merge_fixed(figure):
    """Merge links that cannot move against their parent; see `Figure.merge_fixed`."""
    keeper, frame = [], []  # of each link: the link it becomes part of, and that one's frame in its own
    for i, p, joint in figure.outward():
        if joint.nu or p < 0:
            keeper.append(i)
            frame.append(identity())
        else:
            keeper.append(keeper[p])
            frame.append((joint.placement @ joint.transform(np.zeros(0))).inverse() @ frame[p])
    kept = [i for i in range(figure.n) if keeper[i] == i]
    place = {old: k for k, old in enumerate(kept)}
    frames = {link.name: X for link, X in zip(figure.links, frame, strict=True)}
    into = {link.name: figure.links[k].name for link, k in zip(figure.links, keeper, strict=True)} | {"": ""}
    joints = []
    for i in kept:
        joint, p = figure.joints[i], figure.parent[i]
        joints.append(joint if p < 0 else joint.changed(placement=moved_pose(joint.placement, frame[p])))
    parts = [[moved_link(figure.links[k], frame[k]) for k in range(figure.n) if keeper[k] == i] for i in kept]
    return figure.changed(
        links=[_one(same) for same in parts],
        joints=joints,
        parent=[place[keeper[figure.parent[i]]] if figure.parent[i] >= 0 else -1 for i in kept],
        markers=[replace(moved_marker(m, frames[m.link]), link=into[m.link]) for m in figure.markers],
        loops=[replace(moved_loop(x, frames), link_a=into[x.link_a], link_b=into[x.link_b]) for x in figure.loops],
    )


def _one(links: list[Link]) -> Link:
    """Several bodies in one frame as one link, under the first one's name."""
    heavy = [x.inertia for x in links if x.mass != 0.0]
    if len(links) == 1 or not heavy:
        return replace(links[0], shapes=tuple(s for x in links for s in x.shapes))
    body = heavy[0] if len(heavy) == 1 else rigid_sum(heavy)
    return Link.of(links[0].name, body, tuple(s for x in links for s in x.shapes))
