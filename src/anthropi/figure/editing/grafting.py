"""Figures joined and taken apart."""

from dataclasses import replace

import numpy as np

from anthropi.errors import InputError
from anthropi.figure.editing.rooting import free_state, pose_and_velocity
from anthropi.figure.editing.states import over_batch
from anthropi.figure.joints import Free

__all__ = ["attach", "detach"]


def attach(figure, other, link: str, joint, prefix: str = ""):
    """Hang another figure on a link; see `Figure.attach`."""
    at = figure.link_index(link)
    joint = joint if joint.name else joint.changed(name=prefix + other.joints[0].name)
    taken = {
        "link": ([x.name for x in figure.links], [prefix + x.name for x in other.links]),
        "joint": ([x.name for x in figure.joints], [joint.name, *(prefix + x.name for x in other.joints[1:])]),
        "marker": ([x.name for x in figure.markers], [prefix + x.name for x in other.markers]),
        "loop": ([x.name for x in figure.loops], [prefix + x.name for x in other.loops]),
    }
    for what, (ours, theirs) in taken.items():
        for name in theirs:
            if name in ours:
                raise InputError(f"Figure '{figure.name}' already has a {what} '{name}'. Attach '{other.name}' with "
                                 "another prefix.")  # fmt: skip
    ends = {x.name: prefix + x.name for x in other.links} | {"": ""}
    return figure.changed(
        links=[*figure.links, *(replace(x, name=prefix + x.name) for x in other.links)],
        joints=[*figure.joints, joint, *(x.changed(name=prefix + x.name) for x in other.joints[1:])],
        parent=[*figure.parent, at, *(p + figure.n for p in other.parent[1:])],
        markers=[*figure.markers, *(replace(x, name=prefix + x.name, link=prefix + x.link) for x in other.markers)],
        loops=[*figure.loops, *(replace(x, name=prefix + x.name, link_a=ends[x.link_a], link_b=ends[x.link_b])
                                for x in other.loops)],
    )  # fmt: skip


def detach(figure, link: str, q=None, u=None):
    """Take a link, and all that hangs on it, off a figure; see `Figure.detach`."""
    top = figure.link_index(link)
    if figure.parent[top] < 0:
        raise InputError(f"'{link}' is the root of figure '{figure.name}': nothing would be left. Detach another link.")
    gone = [i for i in range(figure.n) if top in figure.path(i)]
    left = [i for i in range(figure.n) if i not in gone]
    root = Free(name=_free_name("root", [figure.joints[i].name for i in gone[1:]]))
    rest = _some(figure, left, figure.name, figure.joints[0])
    part = _some(figure, gone, f"{figure.name} {link}", root)
    if q is None:
        return rest, part
    path = figure.path(top)

    def of_rest(q, u):
        return _state(figure, left, q, u)

    def of_part(q, u):
        free = free_state(*pose_and_velocity(figure, path, q, np.zeros(figure.nu) if u is None else u))
        q1, u1 = _state(figure, gone[1:], q, u)
        return np.concatenate([free[0], q1]), None if u is None else np.concatenate([free[1], u1])

    return (rest, *over_batch(of_rest, q, u)), (part, *over_batch(of_part, q, u))


def _some(figure, links: list[int], name: str, root):
    """The figure of some links, the first of which hangs by the joint `root`."""
    names = {figure.links[i].name for i in links} | {""}
    for loop in figure.loops:
        if (loop.link_a in names) != (loop.link_b in names) and "" not in (loop.link_a, loop.link_b):
            raise InputError(f"Loop '{loop.name}' of figure '{figure.name}' ties '{loop.link_a}' to '{loop.link_b}', "
                             "which would be in two figures. Take the loop off first.")  # fmt: skip
    return figure.changed(
        name=name,
        links=[figure.links[i] for i in links],
        joints=[root, *(figure.joints[i] for i in links[1:])],
        parent=[-1, *(links.index(figure.parent[i]) for i in links[1:])],
        markers=[m for m in figure.markers if m.link in names],
        loops=[x for x in figure.loops if x.link_a in names and x.link_b in names],
    )


def _state(figure, links: list[int], q, u):
    there = np.concatenate([np.zeros(0), *(q[figure.q_of[i]] for i in links)])
    return there, None if u is None else np.concatenate([np.zeros(0), *(u[figure.u_of[i]] for i in links)])


def _free_name(name: str, taken: list[str]) -> str:
    while name in taken:
        name += "_"
    return name
