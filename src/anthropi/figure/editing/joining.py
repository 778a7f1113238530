"""Attach, detach and combine figures.

`combine` makes one figure from several. Each is connected by its root joint to a massless welded link named "world".
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from anthropi.errors import InputError
from anthropi.figure.editing.rerooting import free_state, pose_and_velocity
from anthropi.figure.editing.transfer import over_batch
from anthropi.figure.joints import Free, Weld
from anthropi.figure.parts import Link

if TYPE_CHECKING:
    from anthropi.figure.figure import Figure


__all__ = ["Part", "attach", "combine", "combined_parts", "detach", "join_states", "split_states"]


def attach(figure: "Figure", other: Any, link: str, joint: Any, prefix: str = "") -> Any:
    """Connect another figure to a link; see `Figure.attach`."""
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
                raise InputError(
                    f"Figure '{figure.name}' already has a {what} '{name}'. Attach '{other.name}' with another prefix."
                )
    return figure.changed(
        links=[*figure.links, *(replace(x, name=prefix + x.name) for x in other.links)],
        joints=[*figure.joints, joint, *(x.changed(name=prefix + x.name) for x in other.joints[1:])],
        parent=[*figure.parent, at, *(p + figure.n for p in other.parent[1:])],
        markers=[*figure.markers, *(replace(x, name=prefix + x.name, link=prefix + x.link) for x in other.markers)],
        loops=[*figure.loops, *(x.renamed(lambda name: prefix + name) for x in other.loops)],
    )


def detach(figure: "Figure", link: str, q: Any = None, u: Any = None) -> Any:
    """Split off a link and all its descendants; see `Figure.detach`."""
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

    def of_rest(q: Any, u: Any) -> Any:
        return _state(figure, left, q, u)

    def of_part(q: Any, u: Any) -> Any:
        free = free_state(*pose_and_velocity(figure, path, q, np.zeros(figure.nu) if u is None else u))
        q1, u1 = _state(figure, gone[1:], q, u)
        return np.concatenate([free[0], q1]), None if u is None else np.concatenate([free[1], u1])

    return (rest, *over_batch(of_rest, figure, q, u)), (part, *over_batch(of_part, figure, q, u))


def _some(figure: "Figure", links: list[int], name: str, root: Any) -> Any:
    """Return a figure made of some links; the first one becomes its root, with the joint `root`."""
    names = {figure.links[i].name for i in links} | {""}
    for loop in figure.loops:
        a, b = loop.links(figure)
        if (a in names) != (b in names) and "" not in (a, b):
            raise InputError(
                f"Loop '{loop.name}' of figure '{figure.name}' connects '{a}' and '{b}', "
                "which would be in two figures. Remove the loop first."
            )
    return figure.changed(
        name=name,
        links=[figure.links[i] for i in links],
        joints=[root, *(figure.joints[i] for i in links[1:])],
        parent=[-1, *(links.index(figure.parent[i]) for i in links[1:])],
        markers=[m for m in figure.markers if m.link in names],
        loops=[x for x in figure.loops if names.issuperset(x.links(figure))],
    )


def _state(figure: "Figure", links: list[int], q: Any, u: Any) -> Any:
    there = np.concatenate([np.zeros(0), *(q[figure.q_of[i]] for i in links)])
    return there, None if u is None else np.concatenate([np.zeros(0), *(u[figure.u_of[i]] for i in links)])


def _free_name(name: str, taken: list[str]) -> str:
    while name in taken:
        name += "_"
    return name


BASE = "world"


class Part(NamedTuple):
    """One figure inside a combined figure: its name, its links, and its slices of q and u."""

    name: str
    links: tuple[int, ...]
    q: slice
    u: slice


def combine(figures: Sequence[Any], names: Sequence[str] | None = None) -> Any:
    """Return one figure made of several. Link "thigh" of figure "anna" is renamed to "anna/thigh".

    Joints, markers and loops are renamed in the same way.

    names : one name for each figure; by default the figures' own names, numbered if they repeat. All figures must have
        the same gravity.
    """
    figures = list(figures)
    if not figures:
        raise InputError("combine needs at least one figure, and got none.")
    names = _names(figures, names)
    for figure in figures[1:]:
        if figure.checked and figures[0].checked and figure.gravity.tolist() != figures[0].gravity.tolist():
            raise InputError(
                f"Figure '{figure.name}' has gravity {figure.gravity.tolist()}, and '{figures[0].name}' "
                f"{figures[0].gravity.tolist()}. Give all figures the same gravity."
            )
    links: list[Any] = [Link(BASE)]
    joints: list[Any] = [Weld(name=BASE)]
    parent, markers, loops = [-1], [], []
    for figure, name in zip(figures, names, strict=True):
        first, before = len(links), f"{name}/"
        links += [replace(x, name=before + x.name) for x in figure.links]
        joints += [x.changed(name=before + x.name) for x in figure.joints]
        parent += [p + first if p >= 0 else 0 for p in figure.parent]
        markers += [replace(x, name=before + x.name, link=before + x.link) for x in figure.markers]
        loops += [x.renamed(lambda name, before=before: before + name) for x in figure.loops]
    return figures[0].changed(
        name=" and ".join(names),
        links=links,
        joints=joints,
        parent=parent,
        markers=markers,
        loops=loops,
        checked=all(f.checked for f in figures),
    )


def combined_parts(figure: "Figure") -> tuple[Part, ...]:
    """Return the parts of a figure made by `combine`, in order. A figure that was not combined is its only part."""
    if figure.links[0].name != BASE or figure.joints[0].nu:
        return (Part(figure.name, tuple(range(figure.n)), slice(0, figure.nq), slice(0, figure.nu)),)
    found = []
    for top in (i for i, p in enumerate(figure.parent) if p == 0):
        own = tuple(i for i in range(figure.n) if top in figure.path(i))
        if own[-1] - own[0] >= len(own):
            raise InputError(
                f"The links of part '{figure.links[top].name.partition('/')[0]}' of figure '{figure.name}' are mixed "
                "with those of others. List the links of each part together (figure.reorder)."
            )
        q, u = (slice(at[own[0]].start, at[own[-1]].stop) for at in (figure.q_of, figure.u_of))
        found.append(Part(figure.links[top].name.partition("/")[0], own, q, u))
    return tuple(found)


def split_states(figure: "Figure", q: Any, u: Any = None) -> dict[str, Any]:
    """Split q (…, nq) and u (…, nu) of a combined figure into {name: q}, or {name: (q, u)} if u is given."""
    q = np.asarray(q)
    return {
        p.name: q[..., p.q] if u is None else (q[..., p.q], np.asarray(u)[..., p.u]) for p in combined_parts(figure)
    }


def join_states(figure: "Figure", states: dict[Any, Any]) -> Any:
    """Return q, or (q, u), of a combined figure from the states of its parts by name: the inverse of `split_states`."""
    names = [p.name for p in combined_parts(figure)]
    if sorted(states) != sorted(names):
        raise InputError(
            f"States of {', '.join(map(str, states)) or 'none'} were given; figure '{figure.name}' is made "
            f"of {', '.join(names)}."
        )
    given = [states[name] for name in names]
    if isinstance(given[0], tuple):
        return np.concatenate([x[0] for x in given], axis=-1), np.concatenate([x[1] for x in given], axis=-1)
    return np.concatenate(given, axis=-1)


def _names(figures: Any, names: Any) -> list[str]:
    if names is None:
        own = [f.name for f in figures]
        return [name if own.count(name) == 1 else f"{name}{own[:k].count(name) + 1}" for k, name in enumerate(own)]
    names = list(names)
    if len(names) != len(figures) or len(set(names)) != len(names) or any("/" in n or not n for n in names):
        raise InputError(f"{len(figures)} figures were given the names {names}. Give each its own name, without '/'.")
    return names
