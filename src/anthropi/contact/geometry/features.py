"""Contact features of a figure: spheres of radius 0 or more, fixed to links.

They come from contact markers (markers with "sole" in their names) or from the shapes of a link:

    sphere     itself                         capsule    its two ends
    box        its eight corners              cylinder   eight points on each rim
    ellipsoid  spheres with the smallest half axis c as radius, at ±(a - c) and ±(b - c) along the two larger half axes.
               They have the same bounding box as the ellipsoid. There are one, two or four spheres if zero, one or two
               half axes differ from the smallest.

"body" adds to the contact markers one `FeatureGroup` for each link (`link_spheres.py`).

A link with several shapes keeps the features of all of them, except spheres that lie wholly inside another one. The
choice of features works on plain floats only, but their points may be recorded scalars.
"""

from collections import Counter
from math import cos, pi, sin
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec
from anthropi.algebra.scalar import records
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.geometry.link_spheres import FeatureGroup, covering_spheres, upper_side
from anthropi.contact.material import plain
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.figure import Figure

__all__ = ["Feature", "body_groups", "chosen_features", "clear_of_feet", "link_features", "listed", "shape_features"]

RIM = 8  # points on a cylinder's rim
ROUNDNESS = 0.2  # half axes closer than this, relative to the smallest, count as equal
CONTACT_MARKER = "sole"
ANKLE = 1.5  # spheres within this number of radii from the joint of a foot belong to the foot
SAME_FEATURE = 1e-9  # [m] rounding within which features coincide


class Feature(NamedTuple):
    """A contact feature of a link: a sphere with centre `point` (3,) [m] in the link frame and radius [m]."""

    name: str
    link: str
    point: Any
    radius: Any = 0.0


def chosen_features(figure: Figure, wanted: Any = None) -> tuple[Any, ...]:
    """Choose the contact features of a figure.

    Parameters
    ----------
    wanted : None or "all" for contact markers, and for the shapes of links without contact markers; "feet" for contact
        markers only; "body" for contact markers and one `FeatureGroup` for each link with shapes; names of links,
        markers or features; or a list of `Feature` and `FeatureGroup`.

    Raises
    ------
    InputError : a name is unknown, a link has no feature, or there are no contact markers.
    """
    return _with_own_names(_chosen(figure, wanted))


def _chosen(figure, wanted) -> tuple[Any, ...]:
    """Choose the contact features of a figure, before their names are made unique."""
    markers = _contact_markers(figure)
    if isinstance(wanted, str) and wanted == "body":
        soles = [f for link in figure.links for f in markers.get(link.name, ())]
        return *soles, *body_groups(figure)
    if wanted is None or (isinstance(wanted, str) and wanted in ("all", "feet")):
        feet = tuple(f for i in range(figure.n) for f in markers.get(figure.links[i].name, ()))
        if wanted == "feet":
            if not feet:
                raise InputError(
                    f"Figure '{figure.name}' has no contact markers: none of its markers has "
                    f"'{CONTACT_MARKER}' in its name. Use features='all', or give names of links."
                )
            return feet
        return tuple(f for link in figure.links for f in markers.get(link.name) or link_features(link))
    choices = "'all', 'feet', 'body', names of links, markers or features, or a list of Feature"
    names = listed(wanted, (str, Feature, FeatureGroup), "features", choices)
    found: list[Any] = []
    for name in names:
        found += [f for f in _named(figure, name, markers) if f.name not in {g.name for g in found}]
    return tuple(found)


def listed(given: Any, one: Any, what: str, choices: str) -> tuple[Any, ...]:
    """Return one object, or several, as a tuple; raise InputError for anything else.

    one : type of a single object. what, choices : name and allowed values of the argument, for the message.
    """
    if isinstance(given, one):
        return (given,)
    if isinstance(given, dict) or not hasattr(given, "__iter__"):
        raise InputError(f"The scene has {what} {given!r}. Give {choices}.")
    return tuple(given)


def _with_own_names(found: tuple[Any, ...]) -> tuple[Any, ...]:
    """Make the names of features unique: add the name of the link and, if that is not enough, a number."""
    names = Counter(f.name for f in found)
    found = tuple(f._replace(name=f"{f.link}.{f.name}") if names[f.name] > 1 else f for f in found)
    names, seen = Counter(f.name for f in found), Counter[str]()
    own = []
    for f in found:
        seen[f.name] += 1
        own.append(f._replace(name=f"{f.name}.{seen[f.name]}") if names[f.name] > 1 else f)
    return tuple(own)


def _named(figure, name, markers) -> tuple[Any, ...]:
    """Return the features for one entry of `Scene.features`: a `Feature`, or the name of a link, marker or feature."""
    links = [link.name for link in figure.links]
    if isinstance(name, Feature):
        return (_checked(figure, name),)
    if isinstance(name, FeatureGroup):
        figure.link_index(name.link)
        return (name,)
    if name in links:
        own = markers.get(name) or link_features(figure.links[links.index(name)])
        if not own:
            raise InputError(
                f"Link '{name}' of figure '{figure.name}' has neither a shape for contact nor a contact "
                "marker. Give a Feature(name, link, point, radius)."
            )
        return tuple(own)
    points = {m.name: m for m in figure.markers if hasattr(m, "point")}
    if name in points:
        return (Feature(name, points[name].link, points[name].point),)
    every = {f.name: f for link in figure.links for f in link_features(link)}
    if name in every:
        return (every[name],)
    choices = ["all", "feet", "body", *links, *points, *every]
    raise InputError(
        f"No link, marker or feature '{name}' in figure '{figure.name}'."
        f"{did_you_mean(str(name), choices)} Links: {', '.join(links)}."
    )


def _checked(figure, feature: Feature) -> Feature:
    """Check link, point and radius of a feature, and convert them to arrays and Python numbers."""
    figure.link_index(feature.link)
    point, radius = np.asarray(feature.point), feature.radius
    if point.shape != (3,) or not (records(point) or np.isfinite(point.astype(float)).all()):
        raise InputError(f"Feature '{feature.name}' has point {feature.point!r}. Give three finite numbers [m].")
    if not records(radius) and not (isinstance(radius, (int, float, np.number)) and 0.0 <= radius < np.inf):
        raise InputError(f"Feature '{feature.name}' has radius {radius!r}. Give a finite number, 0 or more [m].")
    return feature._replace(point=point, radius=plain(radius))


def _contact_markers(figure) -> dict[str, list[Feature]]:
    """Return {link name: contact markers of the link, as features}."""
    found: dict[str, list[Feature]] = {}
    for m in figure.markers:
        if CONTACT_MARKER in m.name and hasattr(m, "point"):
            found.setdefault(m.link, []).append(Feature(m.name, m.link, m.point))
    return found


def body_groups(figure: Figure) -> tuple[FeatureGroup, ...]:
    """Return one `FeatureGroup`, named "<link>.body", for each link of a figure that has shapes. Floats only.

    Links with contact markers get spheres on their upper side; "up" is that of the neutral configuration.
    """
    markers, found = _contact_markers(figure), []
    rotation = kinematics(figure, figure.neutral()).rotation
    for i, link in enumerate(figure.links):
        spheres = [f for k, shape in enumerate(link.shapes) for f in shape_features(link.name, shape, str(k))]
        if not spheres:
            continue
        points, radii = np.array([f.point for f in spheres], float), np.array([f.radius for f in spheres], float)
        if link.name in markers:
            soles = [m.point for m in markers[link.name]]
            points, radii = upper_side(points, radii, soles, np.asarray(rotation[i], float)[2])
        if len(radii):
            chosen = covering_spheres(points, radii)
            found.append(FeatureGroup(f"{link.name}.body", link.name, points[chosen], radii[chosen]))
    return tuple(found)


def clear_of_feet(figure: Figure, group: FeatureGroup) -> FeatureGroup | None:
    """Return a group without its spheres at the joint of a foot; None for a foot, or if no sphere is left.

    Beside a step of uneven ground, feet and ankles are below its surface although they do not touch it.
    """
    feet, i = _contact_markers(figure), figure.link_index(group.link)
    if group.link in feet:
        return None
    joints = [
        np.asarray(figure.joints[j].placement.origin, float)
        for j, link in enumerate(figure.links)
        if figure.parent[j] == i and link.name in feet
    ]
    kept = [
        k
        for k, (point, radius) in enumerate(zip(group.points, group.radii, strict=True))
        if all(float(((point - joint) ** 2).sum()) > (ANKLE * radius) ** 2 for joint in joints)
    ]
    return group._replace(points=group.points[kept], radii=group.radii[kept]) if kept else None


def link_features(link: Any) -> list[Feature]:
    """Compute the contact features of a link from its shapes."""
    found: list[Feature] = []
    for k, shape in enumerate(link.shapes):
        found += shape_features(link.name, shape, shape.name or f"{link.name}_{k + 1}")
    if len(link.shapes) < 2 or any(records(f.point) or records(f.radius) for f in found):
        return found
    return [f for k, f in enumerate(found) if not _is_inside(k, found)]


def _is_inside(k: int, features: list[Feature]) -> bool:
    """Return whether feature k lies wholly inside another one, or is the same as an earlier one. Floats only."""
    points, radii = np.array([f.point for f in features], float), np.array([f.radius for f in features], float)
    beyond = np.linalg.norm(points - points[k], axis=1) + radii[k] - radii  # [m] that k reaches out of each other one
    same = (abs(beyond) <= SAME_FEATURE) & (abs(radii - radii[k]) <= SAME_FEATURE)
    inside = (beyond <= SAME_FEATURE) & (~same | (np.arange(len(features)) < k))
    inside[k] = False
    return bool(inside.any())


def shape_features(link: str, shape: Any, name: str) -> list[Feature]:
    """Compute the contact features of one shape of a link; an empty list for a mesh."""
    centres, radius = _centres(shape)
    X = shape.placement
    points = [X.origin + matvec(X.rotation, np.array(s)) for s in centres]
    names = [name] if len(points) == 1 else [f"{name}.{k + 1}" for k in range(len(points))]
    return [Feature(n, link, p, radius) for n, p in zip(names, points, strict=True)]


def _centres(shape) -> tuple[list[Any], Any]:
    """Compute the centres of the features of a shape, in the frame of the shape, and their radius [m]."""
    kind, size = shape.kind, shape.size
    if kind == "sphere":
        return [(0.0, 0.0, 0.0)], size[0]
    if kind == "capsule":
        return [(0.0, 0.0, -0.5 * size[1]), (0.0, 0.0, 0.5 * size[1])], size[0]
    if kind == "box":
        x, y, z = (0.5 * s for s in size)
        return [(a * x, b * y, c * z) for c in (-1, 1) for a in (-1, 1) for b in (-1, 1)], 0.0
    if kind == "cylinder":
        turns = [2.0 * pi * k / RIM for k in range(RIM)]
        r, half = size[0], 0.5 * size[1]
        return [(r * cos(a), r * sin(a), end * half) for end in (-1, 1) for a in turns], 0.0
    if kind == "ellipsoid":
        c = min(size)
        offsets = [[-(s - c), s - c] if s - c > ROUNDNESS * c else [0.0] for s in size]
        return [(x, y, z) for x in offsets[0] for y in offsets[1] for z in offsets[2]], c
    return [], 0.0
