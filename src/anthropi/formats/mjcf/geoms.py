"""MJCF's geoms: what they look like, and the inertia of a body made of them, as MuJoCo computes it.

Lengths in MJCF are halves. A geom is of even density (1000 kg/m³ unless it says so) or has a mass; tensors of the
shapes are those of `algebra.spatial.shapes`.
"""

from pathlib import PurePosixPath

import numpy as np

from anthropi.algebra.spatial import RigidInertia, Transform, rigid_sum
from anthropi.errors import FormatError
from anthropi.figure import Shape
from anthropi.formats.mjcf.orientation import from_to, pose
from anthropi.formats.mjcf.settings import Settings
from anthropi.formats.poses import sizes_are_real, solid
from anthropi.formats.xml import Node

__all__ = ["TYPES", "bounded", "geom_inertia", "geom_shape", "sum_of"]

TYPES = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
LONG = ("capsule", "cylinder", "ellipsoid", "box")  # may be given by their two ends
DENSITY = 1000.0  # [kg/m³], water


def geom_shape(node: Node, settings: Settings, assets) -> Shape | None:
    """The shape of a geom, placed in its body's frame; None for a plane or a height field, which are scenery."""
    kind = node.choice("type", TYPES, "sphere")
    if kind in ("plane", "hfield"):
        return None
    if kind == "sdf":
        raise FormatError(f'{node.where} is of type sdf, a plugin\'s shape. Load the file with by="mujoco".')
    colour = _colour(node, assets)
    name = node.get("name") or ""
    if kind == "mesh":
        file, scale = assets.mesh(node)
        return Shape("mesh", scale, pose(node, settings), name, file, colour)
    place, half = _placed(node, kind, settings)
    return Shape(kind, _full_size(kind, half), place, name, "", colour)


def _placed(node: Node, kind: str, settings: Settings) -> tuple[Transform, np.ndarray]:
    """Pose and MJCF's size of a geom, from its ends or its middle."""
    size = node.numbers("size", (1, 2, 3), (0.0, 0.0, 0.0))
    if "fromto" not in node.attributes:
        place = pose(node, settings)
    elif kind not in LONG:
        raise FormatError(f"{node.where} is a {kind} with fromto, itself or from its class. Only {', '.join(LONG)} "
                          "have two ends.")  # fmt: skip
    else:
        place, half = from_to(node)
        size = np.array([size[0], half] if SIZES[kind] == 2 else [size[0], size[0], half])
    wanted = SIZES[kind]
    if len(size) < wanted or not sizes_are_real(size[:wanted]):
        raise FormatError(f"{node.where} is a {kind} of size \"{node.get('size', '')}\". Give {wanted} positive "
                          f"number{'s' if wanted > 1 else ''}.")  # fmt: skip
    return place, size[:wanted]


def _full_size(kind: str, half: np.ndarray) -> tuple[float, ...]:
    if kind in ("capsule", "cylinder"):
        return (float(half[0]), 2.0 * float(half[1]))
    return tuple((half * 2.0 if kind == "box" else half).tolist())


def geom_inertia(node: Node, shape: Shape | None, settings: Settings, body: str) -> RigidInertia | None:
    """The inertia of a geom in its body's frame; None if it carries none."""
    if shape is None or not settings.groups[0] <= node.number("group", 0.0) <= settings.groups[1]:
        return None
    mass = node.number("mass", -1.0) if "mass" in node.attributes else None
    density = node.number("density", DENSITY)
    if (mass is not None and mass < 0.0) or density < 0.0:
        raise FormatError(f"{node.where} has a negative mass or density. Give a positive one, or 0 for none.")
    if mass == 0.0 or (mass is None and density == 0.0):
        return None
    if shape.kind == "mesh":
        raise FormatError(f"{node.where}: the inertia of body '{body}' would come from a mesh, which is beyond this "
                          'reader. Give the body an <inertial>, or load the file with by="mujoco".')  # fmt: skip
    if node.flag("shellinertia"):
        raise FormatError(f'{node.where} has shellinertia="true". Give the body an <inertial>, or load the file with '
                          'by="mujoco".')  # fmt: skip
    return shape.placement.act_inertia(solid(shape, **({"density": density} if mass is None else {"mass": mass})))


def sum_of(bodies) -> RigidInertia | None:
    """The inertia of a body's geoms together; None if there are none."""
    bodies = list(bodies)
    return rigid_sum(bodies) if bodies else None


def bounded(inertia: RigidInertia | None, settings: Settings) -> RigidInertia | None:
    """boundmass, boundinertia and balanceinertia of <compiler>."""
    if inertia is None or not (settings.bound_mass or settings.bound_inertia or settings.balance):
        return inertia
    if not np.isfinite(inertia.tensor).all():
        return inertia  # refused by name when the figure is checked
    moments, axes = np.linalg.eigh(inertia.tensor)
    fixed = np.maximum(moments, settings.bound_inertia)
    if settings.balance and fixed[0] + fixed[1] < fixed[2]:
        fixed = np.full(3, fixed.mean())
    tensor = inertia.tensor if (fixed == moments).all() else (axes * fixed) @ axes.T
    return RigidInertia(max(inertia.mass, settings.bound_mass), inertia.centre, 0.5 * (tensor + tensor.T))


def _colour(node: Node, assets) -> tuple[float, ...]:
    if "rgba" in node.attributes:
        return tuple(node.numbers("rgba", 4).tolist())
    return assets.colours.get(node.get("material", ""), ())


def mesh_file(reference: str, settings: Settings) -> str:
    """A mesh's path as seen from the model's folder."""
    path = PurePosixPath(reference.replace("\\", "/"))
    if settings.strip_path:
        path = PurePosixPath(path.name)
    return str(PurePosixPath(settings.mesh_folder.replace("\\", "/")) / path)
