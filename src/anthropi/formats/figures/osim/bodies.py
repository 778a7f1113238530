"""Bodies of OpenSim models as links, with their contact spheres, and markers."""

import numpy as np

from anthropi.algebra.spatial import RigidInertia
from anthropi.errors import FormatError, InputError
from anthropi.figure import Link, Marker, Shape
from anthropi.formats.figures.common import Notes, sizes_are_valid
from anthropi.formats.figures.osim.elements import child, name_of, number, numbers, objects, pose, short, socket, text
from anthropi.formats.figures.osim.frames import GROUND, Frames
from anthropi.formats.figures.urdf.inertias import nearest_moments
from anthropi.formats.figures.xml import Node

__all__ = ["link_of", "markers_of", "shapes_of"]

MIN_RADIUS = 1e-4  # [m] least radius of gyration of a body whose inertia is repaired
MAX_NUMBER = 1e100  # [kg m²] of an inertia that is repaired


def link_of(name: str, node: Node, shapes: list[Shape], notes: Notes) -> Link:
    """Return the link of a <Body> with its contact spheres."""
    mass = number(node, "mass", default=0.0)
    centre = numbers(node, "mass_center", count=3, default=(0.0, 0.0, 0.0))
    moments = [number(node, f"inertia_{axes}", default=0.0) for axes in ("xx", "yy", "zz", "xy", "xz", "yz")]
    xx, yy, zz, xy, xz, yz = numbers(node, "inertia", count=6, default=moments).tolist()
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    for one in objects(node, "WrapObjectSet"):
        notes.add(f"{node.file}: <WrapObjectSet>", f"<{short(one.tag)}> is not part of a figure", matters=False)
    if child(node, "attached_geometry", "VisibleObject") is not None:
        notes.add(f"{node.file}: bodies", "their display geometry is left out", matters=False)
    if mass < 0.0:
        raise FormatError(f"{node.where} has the mass {mass:g} kg. It must not be negative.")
    if mass == 0.0:
        if tensor.any():
            notes.add(node.where, "it has no mass, and its inertia is left out")
        return Link(name, shapes=tuple(shapes))
    return Link(name, mass, centre, _physical(node, tensor, mass, notes), tuple(shapes))


def _physical(node: Node, tensor: np.ndarray, mass: float, notes: Notes) -> np.ndarray:
    """Return the tensor, or with a note the nearest one that a body of this mass can have."""
    try:
        RigidInertia(mass, np.zeros(3), tensor).validate(node.where)
    except InputError:
        with np.errstate(all="ignore"):
            if not np.abs(tensor).max() < MAX_NUMBER:
                raise
            moments, axes = np.linalg.eigh(tensor)
        least = MIN_RADIUS**2 * mass
        nearest = np.maximum(nearest_moments(moments), [least, least, 1.1 * least])
        found = (axes * nearest) @ axes.T
        change = np.abs(found - tensor).max()
        words = f"no body has its inertia; the nearest one that a body can have differs by {change:.2g} kg m²"
        notes.add(node.where, words, changed=True)
        return 0.5 * (found + found.T)
    return tensor


def shapes_of(model: Node, frames: Frames, notes: Notes) -> dict[str, list[Shape]]:
    """Return the contact geometry of each body ("" is the ground)."""
    found: dict[str, list[Shape]] = {}
    for node in objects(model, "ContactGeometrySet"):
        path = socket(node, "frame", "body") or text(node, "body_name", default=GROUND)
        body, frame = frames.find(path, "", node)
        if node.tag != "ContactSphere":
            notes.add(node.where, "only spheres become shapes of a figure")
            continue
        radius = number(node, "radius", default=0.0)
        if not sizes_are_valid((radius,)):
            raise FormatError(f"{node.where} has the radius {radius:g} m. Give a positive length.")
        place = frame @ pose(node, ("location",), ("orientation",))
        found.setdefault(body, []).append(Shape("sphere", (radius,), place, node.get("name") or ""))
    return found


def markers_of(model: Node, frames: Frames, base: str, notes: Notes) -> tuple[Marker, ...]:
    """Return the markers of a model. base : the link for markers on the ground; "" if there is none."""
    found: list[Marker] = []
    seen: set[str] = set()
    for node in objects(model, "MarkerSet"):
        name = name_of(node)
        path = socket(node, "parent_frame", "reference_frame") or text(node, "body", default=GROUND)
        body, frame = frames.find(path, "", node)
        if name in seen:
            raise FormatError(f"{node.where}: two markers have this name. Rename one.")
        seen.add(name)
        if not body and not base:
            notes.add(node.where, "a marker on the ground is left out", matters=False)
            continue
        found.append(Marker(name, body or base, frame.act_point(numbers(node, "location", count=3))))
    return tuple(found)
