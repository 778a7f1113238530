"""What of the ground and of obstacles may links touch?

Features meet every surface. A box of a link whose corners are features meets a box that is an obstacle as boxes meet
(blocks.py): by the corners of both and, if asked, where edges of the link's leave the obstacle. All other features,
markers, ends of capsules, spheres, meet it as points or spheres: an edge of the obstacle between them is not felt.
"""

from typing import Any

import numpy as np

from anthropi.algebra.scalar import records
from anthropi.algebra.spatial import identity
from anthropi.contact.blocks import CORNERS, Block, Corner, Side, corners_and_edges
from anthropi.contact.features import Feature
from anthropi.contact.solids import solids
from anthropi.contact.surfaces import Box
from anthropi.contact.touches import OnWorld

__all__ = ["world_candidates"]

SAME = 1e-9  # [m]


def world_candidates(scene) -> list:
    """All candidates on the ground, then on each obstacle."""
    found: list[Any] = [] if scene.ground is None else [_on(scene, f, "ground", scene.ground) for f in scene.features]
    for ob in scene.obstacles:
        found += _on_box(scene, ob) if isinstance(ob.surface, Box) else [
            _on(scene, f, ob.name, ob.surface) for f in scene.features]  # fmt: skip
    return found


def _on(scene, f: Feature, on: str, surface) -> OnWorld:
    material = scene.between(f.name, f.link, on)
    return OnWorld(f"{_full(f)} on {on}", scene.figure.link_index(f.link), f.point, f.radius, on, surface, material)


def _on_box(scene, ob) -> list:
    """Features on an obstacle that is a box; the boxes they are corners of meet its corners and edges too."""
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
        found.append(Corner(f"{_full(f)} on {ob.name}", side, there, corner, material, ob.name))
    for n, ((i, _), side) in enumerate(met.items()):
        link = scene.figure.links[i].name
        more = corners_and_edges(side, there, scene.between("", link, ob.name), scene.edges, ob.name)[len(CORNERS) :]
        before = [other for other, _ in list(met)[:n]].count(i) * len(more)
        found += [c._replace(name=f"{link} on {ob.name}.{before + k + 1}") for k, c in enumerate(more)]
    return found


def _corner_of(link, f: Feature) -> tuple:
    """(which solid, the box, its corner) that a feature is; (-1, None, None) if none."""
    for number, solid in enumerate(solids(link)):
        if isinstance(solid, Block) and not records(f.point, f.radius, *solid.spots) and f.radius == 0.0:
            for corner, spot in zip(CORNERS, solid.spots, strict=True):
                if float(abs(np.asarray(f.point) - spot).max()) < SAME:
                    return number, solid, corner
    return -1, None, None


def _full(feature: Feature) -> str:
    """The name of a feature with its link's, "anna/l_foot.heel"."""
    figure, _, link = feature.link.rpartition("/")
    own = feature.name.removeprefix(f"{figure}/") if figure else feature.name
    return f"{feature.link}{own.removeprefix(link)}" if own.startswith(link) else f"{feature.link}.{own}"
