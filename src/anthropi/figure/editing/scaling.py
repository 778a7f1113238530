"""Scale and mirror figures.

Scaling multiplies lengths by s, masses by s³ (at the same density) and inertia tensors by (mass ratio) s². Shapes,
markers, and the joints to a link's children with their ranges scale with the link. The world does not scale, so the
root keeps its place. Springs, dampers and armature stay the same.

Mirroring maps y → -y and exchanges left and right in names. With M = diag(1, -1, 1), positions, centres and polar
vectors p become M p, and rotation matrices C become M C M, so frames stay right-handed. Rotations about a become
rotations about -M a. A coordinate keeps its value or changes its sign, so a state is mapped by signs and a new order.
A symmetric figure is mapped to itself.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from anthropi.errors import InputError, did_you_mean
from anthropi.figure.editing.transfer import over_batch, parents_first
from anthropi.figure.joints.derived import MIRROR, mirrored_pose, scaled_pose

if TYPE_CHECKING:
    from anthropi.figure.figure import Figure


__all__ = ["mirror", "other_side", "scale"]


def scale(figure: "Figure", factor: float = 1.0, mass: Any = None) -> Any:
    """Scale a figure; see `Figure.scale`."""
    by = _for_each(figure, factor, "factor", 1.0)
    masses = {x.name: x.mass * by[x.name] ** 3 for x in figure.links}  # the same density
    if isinstance(mass, Mapping):
        masses = {**masses, **_for_each(figure, mass, "mass", None)}
    elif mass is not None:
        total = sum(masses.values())
        masses = {name: m * (mass / total) for name, m in masses.items()}
    links = [_scaled_link(x, by[x.name], masses[x.name]) for x in figure.links]
    joints = []
    for _, p, joint in figure.outward():
        s = by[figure.links[p].name] if p >= 0 else 1.0
        place = scaled_pose(joint.placement, s) if p >= 0 else joint.placement
        joints.append(joint.scaled(s).changed(placement=place) if s != 1.0 else joint)
    markers = [m if hasattr(m, "direction") else replace(m, point=m.point * by[m.link]) for m in figure.markers]
    at = {**by, "": 1.0}
    factors = {
        dof: at[figure.links[p].name] if p >= 0 and long else 1.0
        for _, p, joint in figure.outward()
        for dof, long in zip(joint.dofs, joint.lengths, strict=True)
    }
    loops = [_scaled_loop(x, at, factors) for x in figure.loops]
    return figure.changed(links=links, joints=joints, markers=markers, loops=loops)


def _scaled_loop(loop: Any, at: dict[str, float], factors: dict[str, float]) -> Any:
    """Return a scaled loop. at : {link: factor}. factors : {dof: factor of its coordinate}."""
    if loop.kind == "coupling":
        return loop.scaled_by(factors)
    a, b = loop.link_a, loop.link_b
    scaled = loop.scaled(at[a or b])
    return replace(scaled, at_a=scaled_pose(loop.at_a, at[a]), at_b=scaled_pose(loop.at_b, at[b]))


def _scaled_link(link: Any, s: Any, mass: Any) -> Any:
    """Return a link with its lengths scaled by s and the given mass [kg]."""
    if link.mass == 0.0 and mass != 0.0:
        raise InputError(f"Link '{link.name}' has no mass to scale to {mass:g} kg. Give it an inertia instead.")
    ratio = mass / link.mass if link.mass != 0.0 else 1.0
    shapes = tuple(
        replace(x, size=tuple(np.multiply(x.size, s).tolist()), placement=scaled_pose(x.placement, s))
        for x in link.shapes
    )
    return replace(link, mass=mass, centre=link.centre * s, tensor=link.tensor * (ratio * s**2), shapes=shapes)


def _for_each(figure: "Figure", given: Any, what: str, default: Any) -> Any:
    """Return {link name: number} from one number for all links, or from numbers for some links."""
    names = [x.name for x in figure.links]
    some = given if isinstance(given, Mapping) else dict.fromkeys(names, given)
    for name, value in some.items():
        if name not in names:
            raise InputError(
                f"scale got a {what} for '{name}', which is not a link of figure '{figure.name}'."
                f"{did_you_mean(name, names)} Links: {', '.join(names)}."
            )
        if not 0.0 < value < np.inf:
            raise InputError(f"scale got {what} {value!r} for link '{name}'. Give a finite number above zero.")
    return {**({} if default is None else dict.fromkeys(names, default)), **some}


SIDES = {"l": "r", "r": "l", "left": "right", "right": "left", "L": "R", "R": "L"}


def other_side(name: str) -> str:
    """Return the name with the words l and r, or left and right, exchanged: "l_hip" → "r_hip"."""
    words = "|".join(SIDES)
    return re.sub(rf"(?<![A-Za-z0-9])({words})(?![A-Za-z0-9])", lambda word: SIDES[word[0]], name)


def mirror(figure: "Figure", q: Any = None, u: Any = None) -> Any:
    """Mirror a figure; see `Figure.mirror`."""
    by_name = {joint.name: joint for joint in figure.joints}
    images = [joint.mirrored(by_name.get(other_side(joint.name))) for joint in figure.joints]
    order = _order(figure)
    place = {old: k for k, old in enumerate(order)}
    pairs = [(joint, images[i]) for i, joint in enumerate(figure.joints) if joint.nu]
    names = {
        dof: new
        for joint, image in pairs
        for dof, new in zip(joint.dofs, image[0].changed(name=other_side(image[0].name)).dofs, strict=True)
    }
    signs = {dof: float(s) for joint, image in pairs for dof, s in zip(joint.dofs, image[2], strict=True)}
    edited = figure.changed(
        links=[_mirrored_link(figure.links[i]) for i in order],
        joints=[images[i][0].changed(name=other_side(images[i][0].name),
                                     placement=mirrored_pose(figure.joints[i].placement)) for i in order],
        parent=[place[figure.parent[i]] if figure.parent[i] >= 0 else -1 for i in order],
        markers=[_marker(m) for m in figure.markers],
        loops=[_mirrored_loop(x, signs, names) for x in figure.loops],
        gravity=MIRROR * figure.gravity + 0.0,
    )  # fmt: skip
    if q is None:
        return edited

    def state(q: Any, u: Any) -> Any:
        there = np.concatenate([q[figure.q_of[i]] * images[i][1] for i in order])
        return there, None if u is None else np.concatenate([u[figure.u_of[i]] * images[i][2] for i in order])

    return (edited, *over_batch(state, figure, q, u))


def _order(figure: "Figure") -> list[int]:
    """Return the old numbers of the links in the new order. Each name keeps its position if the tree allows it."""
    names = [x.name for x in figure.links]
    rank = [names.index(other) if (other := other_side(name)) in names else i for i, name in enumerate(names)]
    at = {r: i for i, r in enumerate(rank)}
    if len(at) < len(names):
        return list(range(figure.n))
    parent = [rank[figure.parent[at[r]]] if figure.parent[at[r]] >= 0 else -1 for r in range(figure.n)]
    return [at[r] for r in parents_first(parent)]


def _mirrored_loop(loop: Any, signs: dict[str, float], names: dict[str, str]) -> Any:
    """Return a mirrored loop. signs : {dof: ±1, the factor of its velocity}. names : {dof: its new name}."""
    if loop.kind == "coupling":
        return replace(loop.scaled_by(signs, names), name=other_side(loop.name))
    a, b = mirrored_pose(loop.at_a), mirrored_pose(loop.at_b)
    return replace(loop.mirrored().renamed(other_side), at_a=a, at_b=b)


def _mirrored_link(link: Any) -> Any:
    """Return the mirrored link. Its products of inertia with y change sign."""
    shapes = tuple(
        replace(s, name=other_side(s.name), placement=mirrored_pose(s.placement),
                size=tuple(np.multiply(s.size, MIRROR).tolist()) if s.kind == "mesh" else s.size)
        for s in link.shapes
    )  # fmt: skip
    tensor = MIRROR[:, None] * link.tensor * MIRROR + 0.0
    return replace(link, name=other_side(link.name), centre=MIRROR * link.centre + 0.0, tensor=tensor, shapes=shapes)


def _marker(marker: Any) -> Any:
    fields = {"name": other_side(marker.name), "link": other_side(marker.link)}
    if hasattr(marker, "direction"):
        return replace(marker, direction=MIRROR * marker.direction + 0.0, **fields)
    return replace(marker, point=MIRROR * marker.point + 0.0, **fields)
