"""A larger or smaller figure: lengths s, masses s³ at the same density, tensors (mass ratio) s².

What is fixed to a link scales with that link: shapes, markers, and the joints that hang on it with their travel. The
world does not scale, so the root's place stays. Springs, dampers and armature stay as they are.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from anthropi.errors import InputError, did_you_mean
from anthropi.figure.joints.poses import scaled_pose

__all__ = ["scale"]


def scale(figure, factor=1.0, mass=None):
    """Scale a figure; see `Figure.scale`."""
    by = _for_each(figure, factor, "factor", 1.0)
    masses = {x.name: x.mass * by[x.name] ** 3 for x in figure.links}  # the same density
    if isinstance(mass, Mapping):
        masses = {**masses, **_for_each(figure, mass, "mass", None)}
    elif mass is not None:
        total = sum(masses.values())
        masses = {name: m * (mass / total) for name, m in masses.items()}
    links = [_link(x, by[x.name], masses[x.name]) for x in figure.links]
    joints = []
    for _, p, joint in figure.outward():
        s = by[figure.links[p].name] if p >= 0 else 1.0
        place = scaled_pose(joint.placement, s) if p >= 0 else joint.placement
        joints.append(joint.scaled(s).changed(placement=place) if s != 1.0 else joint)
    markers = [m if hasattr(m, "direction") else replace(m, point=m.point * by[m.link]) for m in figure.markers]
    at = {**by, "": 1.0}
    loops = [replace(x.scaled(at[x.link_a or x.link_b]), at_a=scaled_pose(x.at_a, at[x.link_a]),
                     at_b=scaled_pose(x.at_b, at[x.link_b])) for x in figure.loops]  # fmt: skip
    return figure.changed(links=links, joints=joints, markers=markers, loops=loops)


def _link(link, s, mass):
    """A link with its lengths times s and a mass."""
    if link.mass == 0.0 and mass != 0.0:
        raise InputError(f"Link '{link.name}' has no mass to scale to {mass:g} kg. Give it an inertia instead.")
    ratio = mass / link.mass if link.mass != 0.0 else 1.0
    shapes = tuple(replace(x, size=tuple(np.multiply(x.size, s).tolist()), placement=scaled_pose(x.placement, s))
                   for x in link.shapes)  # fmt: skip
    return replace(link, mass=mass, centre=link.centre * s, tensor=link.tensor * (ratio * s**2), shapes=shapes)


def _for_each(figure, given, what: str, default):
    """{link name: number} from one number or some links' numbers."""
    names = [x.name for x in figure.links]
    some = given if isinstance(given, Mapping) else dict.fromkeys(names, given)
    for name, value in some.items():
        if name not in names:
            raise InputError(f"scale got a {what} for '{name}', which is no link of figure '{figure.name}'."
                             f"{did_you_mean(name, names)} Links: {', '.join(names)}.")  # fmt: skip
        if not 0.0 < value < np.inf:
            raise InputError(f"scale got {what} {value!r} for link '{name}'. Give a finite number above zero.")
    return {**({} if default is None else dict.fromkeys(names, default)), **some}
