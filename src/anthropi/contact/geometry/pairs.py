"""Contact candidates of a scene: features on the ground and on obstacles, and pairs of links.

Each feature is tested against every surface. If the corners of a link's box are features and the obstacle is a box,
contact is computed between two boxes (`boxes.py`): at the corners of both boxes and, with `Scene.edges`, at the points
where edges of the link's box enter or leave the obstacle. All other features (markers, ends of capsules, spheres) are
points or spheres. An edge of the obstacle that lies between two of them is not detected.
"""

from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from anthropi.algebra.scalar import records
from anthropi.algebra.spatial import identity
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.geometry.boxes import CORNERS, Block, Corner, Side, corners_and_edges
from anthropi.contact.geometry.contacts import GroupOnWorld, OnWorld
from anthropi.contact.geometry.features import Feature, clear_of_feet, listed
from anthropi.contact.geometry.link_spheres import FeatureGroup
from anthropi.contact.geometry.shape_pairs import meet, solids
from anthropi.contact.geometry.surfaces import Box
from anthropi.contact.material import Material
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.editing.joining import combined_parts
from anthropi.figure.figure import Figure

__all__ = ["FIXED", "body_mass", "chosen_pairs", "pair_candidates", "rigid_body", "world_candidates"]


FIXED = -1  # body number of links that are welded to the world
SAME_POINT = 1e-9  # [m] largest distance between a feature and a corner of a box that count as the same point


def rigid_body(figure: Figure, i: int) -> int:
    """Return the number of the first link in the rigid body of link i; `FIXED` if it is welded to the world.

    A rigid body consists of links that are welded to each other.
    """
    while i >= 0 and not figure.joints[i].nu:
        i = figure.parent[i]
    return i


def body_mass(figure: Figure, i: int) -> Any:
    """Compute the mass [kg] of the rigid body that link i belongs to; None if it is welded to the world."""
    body = rigid_body(figure, i)
    if body == FIXED:
        return None
    masses = [link.mass for j, link in enumerate(figure.links) if rigid_body(figure, j) == body]
    return sum(masses[1:], masses[0])


def world_candidates(scene: Any) -> list[Any]:
    """List the contact candidates of a scene on the ground, then on each obstacle."""
    found: list[Any] = []
    if scene.ground is not None:
        found = [_on(scene, f, "ground", scene.ground) for f in _on_ground(scene)]
    for ob in scene.obstacles:
        found += (
            _on_box(scene, ob)
            if isinstance(ob.surface, Box)
            else [_on(scene, f, ob.name, ob.surface) for f in scene.features]
        )
    return found


def _on_ground(scene) -> list[Any]:
    """Return the features that can touch the ground; on uneven ground, whole links without their feet."""
    if scene.ground.constant:
        return list(scene.features)
    found = (clear_of_feet(scene.figure, f) if isinstance(f, FeatureGroup) else f for f in scene.features)
    return [f for f in found if f is not None]


def _on(scene, f: Feature | FeatureGroup, on: str, surface) -> OnWorld | GroupOnWorld:
    """Return the contact candidate of a feature on the ground or on an obstacle."""
    material, i = scene.between(f.name, f.link, on), scene.figure.link_index(f.link)
    if isinstance(f, FeatureGroup):
        name = f"{f.link} on {on}" if f.name.endswith(".body") else f"{_qualified(f)} on {on}"
        return GroupOnWorld(name, i, f.points, f.radii, on, surface, material, feature=f.name)
    return OnWorld(
        f"{_qualified(f)} on {on}",
        i,
        f.point,
        f.radius,
        on,
        surface,
        material,
        feature=f.name,
    )


def _on_box(scene, ob) -> list[Any]:
    """List the contact candidates on a box obstacle.

    First the features, then the edges of boxes whose corners are features, and the obstacle's corners on these boxes.
    """
    there = Side(-1, Block(identity(), ob.surface.size))
    found: list[Any] = []
    met: dict[tuple[int, int], Side] = {}
    for f in scene.features:
        i = scene.figure.link_index(f.link)
        group = isinstance(f, FeatureGroup)
        number, block, corner = (-1, None, None) if group else _corner_of(scene.figure.links[i], f)
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
    """Find the box of a link that has a feature as its corner.

    Returns the number of the solid, the box and the corner; (-1, None, None) if the feature is not a corner of a box.
    """
    for number, solid in enumerate(solids(link)):
        if isinstance(solid, Block) and not records(f.point, f.radius, *solid.points) and f.radius == 0.0:
            for corner, corner_point in zip(CORNERS, solid.points, strict=True):
                if float(abs(np.asarray(f.point) - corner_point).max()) < SAME_POINT:
                    return number, solid, corner
    return -1, None, None


def _qualified(feature: Any) -> str:
    """Return the name of a feature together with its link, for example "anna/l_foot.heel"."""
    figure, _, link = feature.link.rpartition("/")
    own = feature.name.removeprefix(f"{figure}/") if figure else feature.name
    return f"{feature.link}{own.removeprefix(link)}" if own.startswith(link) else f"{feature.link}.{own}"


def chosen_pairs(figure: Figure, wanted: Any) -> tuple[tuple[str, str], ...]:
    """Return the pairs of links that can make contact, by name.

    Parameters
    ----------
    wanted : "*" for all pairs, or pairs of names or patterns such as [("l_hand", "r_*")]. Links that are connected by a
        joint are left out. Links that overlap in the neutral configuration are left out too, unless both are given by
        name.

    Raises
    ------
    InputError : an entry is not a pair, matches no link, or names two links that are connected.
    """
    names = [link.name for link in figure.links]
    found: dict[tuple[str, str], bool] = {}
    if isinstance(wanted, str) and wanted != "*":
        raise InputError(
            f"pairs is {wanted!r}. Give '*' for all pairs, or pairs of names or patterns of links such as "
            "[('l_hand', 'r_*')]."
        )
    choices = "pairs of names or patterns of links such as [('l_hand', 'r_*')], or '*' for all pairs"
    for entry in listed([("*", "*")] if isinstance(wanted, str) else wanted, (), "pairs", choices):
        if not isinstance(entry, (tuple, list)) or len(entry) != 2 or not all(isinstance(x, str) for x in entry):
            raise InputError(
                f"pairs contains {entry!r}. Give pairs of names or patterns of links such as ('l_hand', 'r_*')."
            )
        ones, others = (_matching(figure, pattern, names) for pattern in entry)
        both_named = all(x in names for x in entry)
        if both_named and _joined(figure, ones[0], others[0]):
            raise InputError(
                f"Links '{entry[0]}' and '{entry[1]}' of figure '{figure.name}' are connected by a joint, or belong to "
                "the same rigid body. They cannot make contact with each other. Remove them from pairs."
            )
        for i in ones:
            for j in others:
                key = (names[min(i, j)], names[max(i, j)])
                if not _joined(figure, i, j) and (both_named or _separate(figure, min(i, j), max(i, j))):
                    found[key] = True
    return tuple(found)


def _matching(figure, pattern: str, names: list[str]) -> list[int]:
    """Return the numbers of the links that match a name or pattern; raise InputError if there is none."""
    found = [i for i, name in enumerate(names) if name == pattern or fnmatchcase(name, pattern)]
    if not found:
        raise InputError(
            f"No link '{pattern}' in figure '{figure.name}'.{did_you_mean(pattern, names)} Links: {', '.join(names)}."
        )
    return found


def _joined(figure, i: int, j: int) -> bool:
    """Whether two links belong to one rigid body, or are connected by a joint.

    A free root joint does not count as a connection to the world, and different figures are not connected.
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
    """Whether two links have shapes that do not overlap in the neutral configuration.

    Links with shapes that belong to different figures always count as separate.
    """
    if not all(solids(figure.links[link]) for link in (i, j)):
        return False
    tops = [next((k for k in figure.path(link) if figure.joints[k].nu), -1) for link in (i, j)]
    if tops[0] != tops[1] or not figure.checked:
        return True
    k = kinematics(figure, figure.neutral())
    return all(float(c.contact(k, None).gap) > 0.0 for c in _between(figure, i, j, Material(), False))


def pair_candidates(scene: Any) -> tuple[Any, ...]:
    """List the contact candidates between links of a scene, in the order of `Scene.pairs`."""
    found: list[Any] = []
    for one, other in scene.pairs:
        i, j = scene.figure.link_index(one), scene.figure.link_index(other)
        found += _between(scene.figure, i, j, scene.between("", one, other), scene.edges)
    return tuple(found)


def _between(figure, i: int, j: int, material: Material, edges: bool) -> list[Any]:
    """List the contact candidates between the shapes of links i and j, and name them."""
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
