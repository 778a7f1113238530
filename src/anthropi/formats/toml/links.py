"""Links of a figure.toml: mass, centre and tensor as given, or from size or shapes with a density or a mass."""

from pathlib import Path

import numpy as np

from anthropi.algebra.spatial import RigidInertia, Transform, rigid_sum
from anthropi.errors import FormatError
from anthropi.figure import Link, Shape
from anthropi.formats.files import confined
from anthropi.formats.poses import sizes_are_real, solid
from anthropi.formats.toml.joints import placed
from anthropi.formats.toml.schema import LinkTable, ShapeTable

__all__ = ["link_of"]

SIZES = {"box": 3, "sphere": 1, "cylinder": 2, "capsule": 2, "ellipsoid": 3, "mesh": 3}


def link_of(table: LinkTable, file: str, folder: Path) -> Link:
    """The link of a [[link]] table."""
    where = f"{file}: link '{table.name}'"
    shapes = [_shape(s, where, folder) for s in table.shape]
    weights: list[tuple[Shape, float | None, float | None]] = [
        (shape, s.mass, s.density) for shape, s in zip(shapes, table.shape, strict=True)
    ]
    if table.size is not None:
        length = table.size[0]
        solid_box = Shape("box", tuple(table.size), Transform(np.eye(3), np.array([0.5 * length, 0.0, 0.0])))
        _positive(solid_box, where)
        shapes, weights = [solid_box, *shapes], [(solid_box, None, None), *weights]
    own = [w for w in weights if w[1] is not None or w[2] is not None]
    if table.tensor is not None:
        return _given(table, shapes, bool(own), where)
    if table.centre is not None:
        raise FormatError(f"{where} has a centre without a tensor. Give both, with the mass, or neither.")
    inertia = _weighed(table, weights, own, where)
    if inertia is None:
        return Link(table.name, 0.0, shapes=tuple(shapes))
    return Link(table.name, float(inertia.mass), inertia.centre, inertia.tensor, tuple(shapes))


def _given(table: LinkTable, shapes: list[Shape], weighed: bool, where: str) -> Link:
    if table.mass is None or table.density is not None or weighed:
        raise FormatError(f"{where} has a tensor: give its mass too, and no density.")
    tensor = np.array(table.tensor)
    if tensor.ndim == 1:
        tensor = np.diag(tensor)
    centre = np.zeros(3) if table.centre is None else np.array(table.centre)
    return Link(table.name, table.mass, centre, tensor, tuple(shapes))


def _weighed(table: LinkTable, weights, own, where: str) -> RigidInertia | None:
    """From shapes of even density: of the link's mass, of its density, or of their own."""
    if table.mass is not None and (table.density is not None or own):
        raise FormatError(f"{where} has a mass, and a density or a shape's mass. Keep one of them.")
    if table.mass == 0.0:
        return None
    solids = [w for w in weights if w[0].kind != "mesh"]
    if table.mass is not None or table.density is not None:
        if not solids:
            raise FormatError(f"{where} has a mass or density but no tensor, size or shape. Give one of them.")
        unit = 1.0 if table.density is None else table.density
        bodies = [_placed_solid(s, m, d if d is not None or m is not None else unit) for s, m, d in solids]
    elif own:
        bodies = [_placed_solid(s, m, d) for s, m, d in own if s.kind != "mesh"]
        if len(bodies) < len(own):
            raise FormatError(f"{where} has a mesh with a mass or density. Give the link mass, centre and tensor.")
    else:
        return None
    whole = rigid_sum(bodies)
    if table.mass is None:
        return whole
    share = table.mass / whole.mass
    return RigidInertia(table.mass, whole.centre, whole.tensor * share)


def _placed_solid(shape: Shape, mass: float | None, density: float | None) -> RigidInertia:
    weight = {"mass": mass} if mass is not None else {"density": density}
    return shape.placement.act_inertia(solid(shape, **weight))


def _shape(table: ShapeTable, where: str, folder: Path) -> Shape:
    if len(table.size) != SIZES[table.kind]:
        raise FormatError(f"{where} has a {table.kind} with {len(table.size)} sizes; give {SIZES[table.kind]}.")
    if table.mass is not None and table.density is not None:
        raise FormatError(f"{where} has a {table.kind} with a mass and a density. Keep one.")
    if (table.kind == "mesh") != bool(table.file):
        raise FormatError(f"{where}: a mesh needs a file, and only a mesh has one.")
    if table.file:
        confined(folder, table.file, where)
    shape = Shape(
        table.kind, tuple(table.size), placed(table, where), table.name, table.file, tuple(table.colour or ())
    )
    _positive(shape, where)
    return shape


def _positive(shape: Shape, where: str) -> None:
    if shape.kind != "mesh" and not sizes_are_real(shape.size):
        raise FormatError(f"{where} has a {shape.kind} of size {list(shape.size)}. Give positive lengths.")
