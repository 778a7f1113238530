"""Several figures as one: each hangs by its own root on a welded link without mass, "world"."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import InputError
from anthropi.figure.joints import Weld
from anthropi.figure.parts import Link

__all__ = ["Part", "join_states", "parts", "split_states", "together"]

BASE = "world"


class Part(NamedTuple):
    """Where one of several figures lies in all of them: its links, and its coordinates in q and u."""

    name: str
    links: tuple[int, ...]
    q: slice
    u: slice


def together(figures: Sequence, names: Sequence[str] | None = None):
    """One figure of several: link "thigh" of figure "anna" is "anna/thigh", and so with joints, markers and loops.

    names : one for each; by default their own, numbered where they are the same. Gravity is the first one's.
    """
    figures = list(figures)
    if not figures:
        raise InputError("together needs at least one figure, and got none.")
    names = _names(figures, names)
    for figure in figures[1:]:
        if figure.checked and figures[0].checked and figure.gravity.tolist() != figures[0].gravity.tolist():
            raise InputError(f"Figure '{figure.name}' has gravity {figure.gravity.tolist()}, and '{figures[0].name}' "
                             f"{figures[0].gravity.tolist()}. Give them the same.")  # fmt: skip
    links: list[Any] = [Link(BASE)]
    joints: list[Any] = [Weld(name=BASE)]
    parent, markers, loops = [-1], [], []
    for figure, name in zip(figures, names, strict=True):
        first, before = len(links), f"{name}/"
        ends = {x.name: before + x.name for x in figure.links} | {"": ""}
        links += [replace(x, name=before + x.name) for x in figure.links]
        joints += [x.changed(name=before + x.name) for x in figure.joints]
        parent += [p + first if p >= 0 else 0 for p in figure.parent]
        markers += [replace(x, name=before + x.name, link=before + x.link) for x in figure.markers]
        loops += [replace(x, name=before + x.name, link_a=ends[x.link_a], link_b=ends[x.link_b]) for x in figure.loops]
    return figures[0].changed(name=" and ".join(names), links=links, joints=joints, parent=parent, markers=markers,
                              loops=loops, checked=all(f.checked for f in figures))  # fmt: skip


def parts(figure) -> tuple[Part, ...]:
    """The figures that `together` made one, in order; a figure alone is its only part."""
    if figure.links[0].name != BASE or figure.joints[0].nu:
        return (Part(figure.name, tuple(range(figure.n)), slice(0, figure.nq), slice(0, figure.nu)),)
    found = []
    for top in (i for i, p in enumerate(figure.parent) if p == 0):
        own = tuple(i for i in range(figure.n) if top in figure.path(i))
        q, u = (slice(at[own[0]].start, at[own[-1]].stop) for at in (figure.q_of, figure.u_of))
        found.append(Part(figure.links[top].name.partition("/")[0], own, q, u))
    return tuple(found)


def split_states(figure, q, u=None) -> dict[str, Any]:
    """{name: q} or {name: (q, u)} of each of the figures together, from theirs (…, nq), (…, nu)."""
    q = np.asarray(q)
    return {p.name: q[..., p.q] if u is None else (q[..., p.q], np.asarray(u)[..., p.u]) for p in parts(figure)}


def join_states(figure, states: dict):
    """q, or (q, u), of all figures together, from those of each by name: the other way of `split_states`."""
    names = [p.name for p in parts(figure)]
    if sorted(states) != sorted(names):
        raise InputError(
            f"States of {', '.join(map(str, states)) or 'none'} were given; figure '{figure.name}' is made "
            f"of {', '.join(names)}."
        )
    given = [states[name] for name in names]
    if isinstance(given[0], tuple):
        return np.concatenate([x[0] for x in given], axis=-1), np.concatenate([x[1] for x in given], axis=-1)
    return np.concatenate(given, axis=-1)


def _names(figures, names) -> list[str]:
    if names is None:
        own = [f.name for f in figures]
        return [name if own.count(name) == 1 else f"{name}{own[:k].count(name) + 1}" for k, name in enumerate(own)]
    names = list(names)
    if len(names) != len(figures) or len(set(names)) != len(names) or any("/" in n or not n for n in names):
        raise InputError(f"{len(figures)} figures were given the names {names}. Give each its own, without '/'.")
    return names
