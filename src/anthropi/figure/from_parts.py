"""Build a figure from (parent name, joint, link) triples."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from anthropi.errors import InputError, did_you_mean
from anthropi.figure.coupling import Coupling
from anthropi.figure.figure import GRAVITY, Figure
from anthropi.figure.joints import Joint
from anthropi.figure.parts import Direction, Link, Loop, Marker

__all__ = ["figure_from_parts", "sorted_by_depth"]


def figure_from_parts(
    name: str,
    parts: Iterable[tuple[str | None, Joint, Link]],
    markers: Iterable[Marker | Direction] = (),
    loops: Iterable[Loop | Coupling] = (),
    gravity: Any = GRAVITY,
) -> Figure:
    """Build a figure from its links, each with the joint to its parent.

    Parameters
    ----------
    name : name of the figure.
    parts : (parent name, joint, link); the parent of the root is "" or None. The links keep this order, which is also
        the order of q, u and f_ext. A link that is listed before its parent is moved to just after it.
    markers, loops : as in `Figure`.
    gravity : (3,) [m/s²] in the world.

    Returns
    -------
    The validated figure.

    Raises
    ------
    InputError : a parent is missing, links form a ring, or the figure is not valid; the message names the culprit.

    Examples
    --------
    `figure_from_parts("pendulum", [(None, Revolute(name="hinge", axis="y"), Link("bob", 1.0, (0, 0, -1)))])`
    """
    triples = [_triple(name, entry) for entry in parts]
    by_name: dict[str, tuple[Any, ...]] = {}
    for entry in triples:
        if entry[2].name in by_name:
            raise InputError(f"Two links of figure '{name}' are called '{entry[2].name}'. Give each its own name.")
        by_name[entry[2].name] = entry
    order = _parents_first(triples)
    if len(order) < len(triples):
        placed = {e[2].name for e in order}
        _refuse_rest(name, [e for e in triples if e[2].name not in placed], by_name)
    number = {e[2].name: i for i, e in enumerate(order)}
    parent = [number[e[0]] if e[0] else -1 for e in order]
    links, joints = tuple(e[2] for e in order), tuple(e[1] for e in order)
    return Figure(name, links, joints, tuple(parent), tuple(markers), tuple(loops), np.asarray(gravity))


def sorted_by_depth(parts: Iterable[tuple[str | None, Joint, Link]]) -> list[tuple[str | None, Joint, Link]]:
    """Sort parts that list parents first by the number of links to the root; equal depths keep their order."""
    depth: dict[str, int] = {"": 0}
    rows = list(parts)
    for parent, _, link in rows:
        depth[link.name] = depth[parent or ""] + 1
    return sorted(rows, key=lambda row: depth[row[2].name])


def _triple(figure: str, entry: Any) -> tuple[str | None, Joint, Link]:
    """Return (parent name, joint, link), or raise an error that names the types given."""
    kinds = [type(x).__name__ for x in entry] if isinstance(entry, (tuple, list)) else type(entry).__name__
    if not isinstance(entry, (tuple, list)) or len(entry) != 3:
        raise InputError(f"Figure '{figure}' is built from triples (parent name, joint, link); got {kinds}.")
    parent, joint, link = entry
    if not (parent is None or isinstance(parent, str)) or not isinstance(joint, Joint) or not isinstance(link, Link):
        raise InputError(
            f"Figure '{figure}' is built from triples (parent name, joint, link); got {kinds}. To make a link from "
            "an inertia, use Link.of(name, inertia)."
        )
    return parent, joint, link


def _parents_first(triples: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return the triples in the given order; one that is listed before its parent follows directly after it.

    Triples whose parent is unknown or part of a ring are left out.
    """
    order: list[tuple[Any, ...]] = []
    placed = {""}
    waiting: dict[str, list[tuple[Any, ...]]] = {}
    for entry in triples:
        if (entry[0] or "") not in placed:
            waiting.setdefault(entry[0], []).append(entry)
            continue
        stack = [entry]
        while stack:
            here = stack.pop()
            order.append(here)
            placed.add(here[2].name)
            stack += reversed(waiting.pop(here[2].name, []))
    return order


def _refuse_rest(name: str, waiting: list[tuple[Any, ...]], by_name: dict[str, tuple[Any, ...]]) -> None:
    """Raise the error for links that cannot be placed, because a parent is unknown or links form a ring."""
    for parent, _, link in waiting:
        if parent not in by_name:
            raise InputError(
                f"The parent of link '{link.name}' of figure '{name}' is '{parent}', which is not a link."
                f"{did_you_mean(parent, by_name)} Links: {', '.join(by_name)}."
            )
    ring = ", ".join(e[2].name for e in waiting)
    raise InputError(
        f"Links of figure '{name}' are parents of each other in a ring: {ring}. A figure must be a tree; close "
        "the ring with a loop instead."
    )
