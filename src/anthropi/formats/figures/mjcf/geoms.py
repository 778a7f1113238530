"""Read the poses, geoms and assets of MJCF.

A pose is a position and one of five parametrisations of the orientation. The sizes of geoms are half lengths. The
inertia of a body is computed from its geoms as in MuJoCo: each geom has a mass or a uniform density (1000 kg/m³ by
default), and the inertia of its shape (`algebra.spatial`). Of the assets, only material colours and mesh files are
read.
"""

from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import RigidInertia, Transform, rigid_sum
from anthropi.errors import FormatError, did_you_mean
from anthropi.figure import Shape
from anthropi.formats.figures.common import MIN_DIRECTION_LENGTH, Notes, rotation_of_z_to, sizes_are_valid, solid
from anthropi.formats.figures.mjcf.elements import EXPANDED_BY_MUJOCO, ORIENTATION, Settings, refuse_element
from anthropi.formats.figures.xml import Node
from anthropi.formats.files import confined

__all__ = ["TYPES", "Assets", "bounded", "from_to", "geom_inertia", "geom_shape", "orientation", "pose", "sum_of"]


def pose(node: Node, settings: Settings) -> Transform:
    """Return the pose of an element in its parent's frame."""
    return Transform(orientation(node, settings), node.numbers("pos", 3, (0.0, 0.0, 0.0)))


def orientation(node: Node, settings: Settings) -> np.ndarray:
    """Return the rotation matrix (3, 3) from an element's frame to its parent's frame."""
    given = [name for name in ORIENTATION if name in node.attributes]
    if not given:
        return np.eye(3)
    if len(given) > 1:
        raise FormatError(
            f"{node.where} has {' and '.join(given)}, in its attributes or its class. Keep only one orientation."
        )
    return _ORIENTATIONS[given[0]](node, settings)


def _quat(node: Node, settings: Settings) -> np.ndarray:
    q = node.numbers("quat", 4)
    return rot.matrix_from_quaternion(_unit(node, "quat", q)) if (q[1:] != 0.0).any() or q[0] == 0.0 else np.eye(3)


def _axisangle(node: Node, settings: Settings) -> np.ndarray:
    values = node.numbers("axisangle", 4)
    return rot.matrix_from_rotation_vector(_unit(node, "axisangle", values[:3]) * (values[3] * settings.angle))


def _euler(node: Node, settings: Settings) -> np.ndarray:
    """Rotation from Euler angles. Lower-case letters of eulerseq mean rotated axes, capital letters fixed axes."""
    C = np.eye(3)
    for letter, value in zip(settings.eulerseq, node.numbers("euler", 3), strict=True):
        axis = np.eye(3)["xyz".index(letter.lower())]
        turn = rot.matrix_from_rotation_vector(axis * (value * settings.angle))
        C = C @ turn if letter.islower() else turn @ C
    return C


def _xyaxes(node: Node, settings: Settings) -> np.ndarray:
    values = node.numbers("xyaxes", 6)
    x = _unit(node, "xyaxes", values[:3])
    y = _unit(node, "xyaxes", values[3:] - (values[3:] @ x) * x)
    return np.stack([x, y, np.cross(x, y)], axis=1)


def _zaxis(node: Node, settings: Settings) -> np.ndarray:
    return rotation_of_z_to(_unit(node, "zaxis", node.numbers("zaxis", 3)))


_ORIENTATIONS = {"quat": _quat, "axisangle": _axisangle, "euler": _euler, "xyaxes": _xyaxes, "zaxis": _zaxis}


def from_to(node: Node) -> tuple[Transform, float]:
    """Return the pose and half length of a geom given by two ends. Its z axis points from the second to the first."""
    values = node.numbers("fromto", 6)
    if node.numbers("pos", 3, (0.0, 0.0, 0.0)).any() or any(name in node.attributes for name in ORIENTATION):
        raise FormatError(
            f"{node.where} has fromto together with pos or an orientation, in its attributes or its class. "
            "Keep only fromto."
        )
    along = values[:3] - values[3:]
    z = _unit(node, "fromto", along)
    return Transform(rotation_of_z_to(z), 0.5 * (values[:3] + values[3:])), 0.5 * float(np.linalg.norm(along))


def _unit(node: Node, name: str, v: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(v)
    if not MIN_DIRECTION_LENGTH < length < np.inf:
        raise FormatError(f'{node.where}: {name}="{node.get(name)}" has no direction. Give a vector that is not zero.')
    return v / length


TYPES = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
FROM_TO_TYPES = ("capsule", "cylinder", "ellipsoid", "box")  # types that can be given by their two ends
DENSITY = 1000.0  # [kg/m³], MuJoCo's default


def geom_shape(node: Node, settings: Settings, assets: Any) -> Shape | None:
    """Return the shape of a geom in its body's frame; None for planes and height fields, which belong to the scene."""
    kind = node.choice("type", TYPES, "sphere")
    if kind in ("plane", "hfield"):
        return None
    if kind == "sdf":
        raise FormatError(f'{node.where} is of type sdf, a shape defined by a plugin. Load the file with by="mujoco".')
    colour = _colour(node, assets)
    name = node.get("name") or ""
    if kind == "mesh":
        file, scale = assets.mesh(node)
        return Shape("mesh", scale, pose(node, settings), name, file, colour)
    place, half = _placed(node, kind, settings)
    return Shape(kind, _full_size(kind, half), place, name, "", colour)


def _placed(node: Node, kind: str, settings: Settings) -> tuple[Transform, np.ndarray]:
    """Return the pose and the MJCF size of a geom, which is given by its ends or by its centre."""
    size = node.numbers("size", (1, 2, 3), (0.0, 0.0, 0.0))
    if "fromto" not in node.attributes:
        place = pose(node, settings)
    elif kind not in FROM_TO_TYPES:
        raise FormatError(
            f"{node.where} of type {kind} has fromto, in its attributes or its class. Only {', '.join(FROM_TO_TYPES)} "
            "can have fromto."
        )
    else:
        place, half = from_to(node)
        size = np.array([size[0], half] if SIZES[kind] == 2 else [size[0], size[0], half])
    wanted = SIZES[kind]
    if len(size) < wanted or not sizes_are_valid(size[:wanted]):
        raise FormatError(
            f'{node.where} of type {kind} has the size "{node.get("size", "")}". Give {wanted} positive '
            f"number{'s' if wanted > 1 else ''}."
        )
    return place, size[:wanted]


def _full_size(kind: str, half: np.ndarray) -> tuple[float, ...]:
    if kind in ("capsule", "cylinder"):
        return (float(half[0]), 2.0 * float(half[1]))
    return tuple((half * 2.0 if kind == "box" else half).tolist())


def geom_inertia(node: Node, shape: Shape | None, settings: Settings, body: str) -> RigidInertia | None:
    """Return the inertia of a geom in its body's frame; None if it has no mass or its group is excluded."""
    if shape is None or not settings.groups[0] <= node.number("group", 0.0) <= settings.groups[1]:
        return None
    mass = node.number("mass", -1.0) if "mass" in node.attributes else None
    density = node.number("density", DENSITY)
    if (mass is not None and mass < 0.0) or density < 0.0:
        raise FormatError(f"{node.where} has a negative mass or density. Give a positive value, or 0 for no mass.")
    if mass == 0.0 or (mass is None and density == 0.0):
        return None
    if shape.kind == "mesh":
        raise FormatError(
            f"{node.where}: the inertia of body '{body}' comes from a mesh, which this reader does not "
            'support. Give the body an <inertial>, or load the file with by="mujoco".'
        )
    if node.flag("shellinertia"):
        raise FormatError(
            f'{node.where} has shellinertia="true". Give the body an <inertial>, or load the file with by="mujoco".'
        )
    return shape.placement.act_inertia(solid(shape, **({"density": density} if mass is None else {"mass": mass})))


def sum_of(bodies: Iterable[RigidInertia]) -> RigidInertia | None:
    """Return the sum of the inertias of a body's geoms; None if there are none."""
    bodies = list(bodies)
    return rigid_sum(bodies) if bodies else None


def bounded(inertia: RigidInertia | None, settings: Settings) -> RigidInertia | None:
    """Apply boundmass, boundinertia and balanceinertia of <compiler>."""
    if inertia is None or not (settings.bound_mass or settings.bound_inertia or settings.balance):
        return inertia
    if not np.isfinite(inertia.tensor).all():
        return inertia  # the figure's own check reports the body with this tensor
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
    """Return the path of a mesh file relative to the folder of the model."""
    path = PurePosixPath(reference.replace("\\", "/"))
    if settings.strip_path:
        path = PurePosixPath(path.name)
    return str(PurePosixPath(settings.mesh_folder.replace("\\", "/")) / path)


KNOWN = ("material", "mesh", "texture", "hfield", "skin")


class Assets:
    """The materials and meshes of a file, by name."""

    def __init__(self, root: Node, settings: Settings, defaults: Any, folder: Path, notes: Notes) -> None:
        self.colours: dict[str, tuple[float, ...]] = {}
        self.meshes: dict[str, tuple[str, tuple[float, ...]]] = {}
        for section in root.all("asset"):
            for node in section.children:
                if node.tag not in KNOWN:
                    refuse_element(node, "asset", (*KNOWN, *EXPANDED_BY_MUJOCO))
                if node.tag == "material":
                    full = defaults.full(node, "")
                    if "rgba" in full.attributes:
                        self.colours[node.get("name", "") or ""] = tuple(full.numbers("rgba", 4).tolist())
                elif node.tag == "mesh":
                    self._mesh(defaults.full(node, ""), settings, folder)
                else:
                    notes.add(f"{node.file}: <asset>", f"<{node.tag}> is not part of a figure", matters=False)

    def _mesh(self, node: Node, settings: Settings, folder: Path) -> None:
        reference = node.get("file") or ""
        name = node.get("name") or Path(reference).stem
        file = mesh_file(reference, settings) if reference else ""
        if file:
            confined(folder, file, node.where)
            if not settings.strip_path:
                confined(folder, reference, node.where)
        scale = tuple(node.numbers("scale", 3, (1.0, 1.0, 1.0)).tolist())
        self.meshes[name] = (file, scale)

    def mesh(self, geom: Node) -> tuple[str, tuple[float, ...]]:
        """Return the file and the scale (3,) of a geom's mesh."""
        name = geom.need("mesh")
        if name not in self.meshes:
            listed = ", ".join(self.meshes) or "none"
            raise FormatError(
                f"{geom.where} refers to the mesh '{name[:80]}', which no <asset> defines."
                f"{did_you_mean(name, self.meshes)} Meshes: {listed[:300]}."
            )
        file, scale = self.meshes[name]
        if not file:
            raise FormatError(
                f"{geom.where} refers to the mesh '{name[:80]}', which has no file. Save the mesh to a file, or load "
                'the model with by="mujoco".'
            )
        return file, scale
