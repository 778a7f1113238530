"""Contact candidates of a scene: features on the ground and on obstacles, and pairs of links.

Features meet every surface. A box of a link whose corners are features meets a box obstacle as boxes meet (`boxes.py`):
by the corners of both and, with `Scene.edges`, where edges of the link's box leave the obstacle. All other features
(markers, ends of capsules, spheres) meet it as points or spheres: an edge of the obstacle between them is not detected.
"""

from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from anthropi.algebra.scalar import records
from anthropi.algebra.spatial import identity
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.contacts import OnWorld
from anthropi.contact.geometry.boxes import CORNERS, Block, Corner, Side, corners_and_edges
from anthropi.contact.geometry.features import Feature, listed
from anthropi.contact.geometry.shape_pairs import meet, solids
from anthropi.contact.geometry.surfaces import Box
from anthropi.contact.material import Material
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.editing.joining import combined_parts
from anthropi.figure.figure import Figure

__all__ = ["FIXED", "body_mass", "chosen_pairs", "pair_candidates", "rigid_body", "world_candidates"]


FIXED = -1  # body number of links that welds hold to the world
SAME_POINT = 1e-9  # [m] distance up to which a feature is a corner of a box


def rigid_body(figure: Figure, i: int) -> int:
    """Number of the first link of the rigid body of link i; `FIXED` where welds hold it to the world."""
    while i >= 0 and not figure.joints[i].nu:
        i = figure.parent[i]
    return i


def body_mass(figure: Figure, i: int) -> Any:
    """Mass [kg] of the rigid body of link i; None for `FIXED`."""
    body = rigid_body(figure, i)
    if body == FIXED:
        return None
    masses = [link.mass for j, link in enumerate(figure.links) if rigid_body(figure, j) == body]
    return sum(masses[1:], masses[0])


def world_candidates(scene: Any) -> list[Any]:
    """Candidates on the ground, then on each obstacle."""
    found: list[Any] = [] if scene.ground is None else [_on(scene, f, "ground", scene.ground) for f in scene.features]
    for ob in scene.obstacles:
        found += (
            _on_box(scene, ob)
            if isinstance(ob.surface, Box)
            else [_on(scene, f, ob.name, ob.surface) for f in scene.features]
        )
    return found


def _on(scene, f: Feature, on: str, surface) -> OnWorld:
    """Candidate of a feature on the ground or an obstacle."""
    material = scene.between(f.name, f.link, on)
    return OnWorld(
        f"{_qualified(f)} on {on}",
        scene.figure.link_index(f.link),
        f.point,
        f.radius,
        on,
        surface,
        material,
        feature=f.name,
    )


def _on_box(scene, ob) -> list[Any]:
    """Candidates on a box obstacle: features, then its corners and edges with the boxes whose corners are features."""
    there = Side(-1, Block(identity(), ob.surface.size))
    found: list[Any] = []
    met: dict[tuple[int, int], Side] = {}
    for f in scene.features:
        i = scene.figure.link_index(f.link)
        number, block, corner = _corner_of(scene.figure.links[i], f)
        if block is None:
            found.append(_on(scene, f, ob.name, ob.surface))
            continue
        side = met.setdefault((i, number), Side(i, block))
        material = scene.between(f.name, f.link, ob.name)
        found.append(Corner(f"{_qualified(f)} on {ob.name}", side, there, corner, material, ob.name, f.name))
    for n, ((i, _), side) in enumerate(met.items()):
        link = scene.figure.links[i].name
        more = corners_and_edges(side, there, scene.between("", link, ob.name), scene.edges, ob.name)[len(CORNERS) :]
        before = [other for other, _ in list(met)[:n]].count(i) * len(more)
        found += [c._replace(name=f"{link} on {ob.name}.{before + k + 1}") for k, c in enumerate(more)]
    return found


def _corner_of(link, f: Feature) -> tuple[Any, ...]:
    """Number of the solid, box and corner that a feature is; (-1, None, None) if it is no corner."""
    for number, solid in enumerate(solids(link)):
        if isinstance(solid, Block) and not records(f.point, f.radius, *solid.points) and f.radius == 0.0:
            for corner, corner_point in zip(CORNERS, solid.points, strict=True):
                if float(abs(np.asarray(f.point) - corner_point).max()) < SAME_POINT:
                    return number, solid, corner
    return -1, None, None


def _qualified(feature: Feature) -> str:
    """Name of a feature with its link, "anna/l_foot.heel"."""
    figure, _, link = feature.link.rpartition("/")
    own = feature.name.removeprefix(f"{figure}/") if figure else feature.name
    return f"{feature.link}{own.removeprefix(link)}" if own.startswith(link) else f"{feature.link}.{own}"


def chosen_pairs(figure: Figure, wanted: Any) -> tuple[tuple[str, str], ...]:
    """Pairs of links that can make contact, by name.

    Parameters
    ----------
    wanted : "*" for all pairs, or pairs of names or patterns, as [("l_hand", "r_*")]. Neighbours are left out, and
        links that overlap in the neutral configuration, unless both were given by name.

    Raises
    ------
    InputError : an entry is not a pair, matches no link, or names two neighbours.
    """
    names = [link.name for link in figure.links]
    found: dict[tuple[str, str], bool] = {}
    if isinstance(wanted, str) and wanted != "*":
        raise InputError(
            f"pairs is {wanted!r}; give '*' for all, or pairs of names or patterns of links, as [('l_hand', 'r_*')]."
        )
    choices = "pairs of names or patterns of links, as [('l_hand', 'r_*')], or '*' for all"
    for entry in listed([("*", "*")] if isinstance(wanted, str) else wanted, (), "pairs", choices):
        if not isinstance(entry, (tuple, list)) or len(entry) != 2 or not all(isinstance(x, str) for x in entry):
            raise InputError(f"pairs holds {entry!r}; give pairs of names or patterns of links, as ('l_hand', 'r_*').")
        ones, others = (_matching(figure, pattern, names) for pattern in entry)
        both_named = all(x in names for x in entry)
        if both_named and _joined(figure, ones[0], others[0]):
            raise InputError(
                f"Links '{entry[0]}' and '{entry[1]}' of figure '{figure.name}' are neighbours, or one: "
                "their joint connects them, and they cannot make contact."
            )
        for i in ones:
            for j in others:
                key = (names[min(i, j)], names[max(i, j)])
                if not _joined(figure, i, j) and (both_named or _separate(figure, min(i, j), max(i, j))):
                    found[key] = True
    return tuple(found)


def _matching(figure, pattern: str, names: list[str]) -> list[int]:
    found = [i for i, name in enumerate(names) if name == pattern or fnmatchcase(name, pattern)]
    if not found:
        raise InputError(
            f"No link '{pattern}' in figure '{figure.name}'.{did_you_mean(pattern, names)} Links: {', '.join(names)}."
        )
    return found


def _joined(figure, i: int, j: int) -> bool:
    """Whether two links are one rigid body, or neighbours connected by a joint.

    A free root connects nothing to the world, and figures do not connect to each other.
    """
    a, b = rigid_body(figure, i), rigid_body(figure, j)
    return a == b or _hangs_on(figure, a, b, (i, j)) or _hangs_on(figure, b, a, (i, j))


def _hangs_on(figure, a: int, b: int, links) -> bool:
    """Whether a joint connects the body a to its parent body b."""
    if a == FIXED or rigid_body(figure, figure.parent[a]) != b:
        return False
    if b != FIXED:
        return True
    own = [part.name for part in combined_parts(figure) if any(x in part.links for x in links)]
    return figure.joints[a].nu < 6 and len(own) < 2


def _separate(figure, i: int, j: int) -> bool:
    """Whether two links have shapes that are apart in the neutral configuration; links of two figures always are."""
    if not all(solids(figure.links[link]) for link in (i, j)):
        return False
    tops = [next((k for k in figure.path(link) if figure.joints[k].nu), -1) for link in (i, j)]
    if tops[0] != tops[1] or not figure.checked:
        return True
    k = kinematics(figure, figure.neutral())
    return all(float(c.contact(k, None).gap) > 0.0 for c in _between(figure, i, j, Material(), False))


def pair_candidates(scene: Any) -> tuple[Any, ...]:
    """Candidates between links, in the order of `Scene.pairs`."""
    found: list[Any] = []
    for one, other in scene.pairs:
        i, j = scene.figure.link_index(one), scene.figure.link_index(other)
        found += _between(scene.figure, i, j, scene.between("", one, other), scene.edges)
    return tuple(found)


def _between(figure, i: int, j: int, material: Material, edges: bool) -> list[Any]:
    """Candidates between the shapes of links i and j, with their names."""
    found: list[Any] = []
    for one in solids(figure.links[i]):
        for other in solids(figure.links[j]):
            found += meet(i, j, one, other, material, edges)
    ends = figure.links[i].name, figure.links[j].name
    named = []
    for k, c in enumerate(found):
        feature = "" if len(found) == 1 else str(k + 1)
        name = f"{ends[c.a != i]}{feature and '.'}{feature} on {ends[c.a == i]}"
        named.append(c._replace(name=name, feature=feature))
    return named
