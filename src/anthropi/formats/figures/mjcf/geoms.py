"""Read the poses and geoms of MJCF.

A pose is a position and one of five parametrisations of the orientation. The sizes of geoms are half lengths. The
inertia of a body is computed from its geoms as in MuJoCo: each geom has a mass or a uniform density (1000 kg/m³ by
default), and the inertia of its solid (`algebra.spatial`), of its surface, or of its mesh (`mesh_inertia`). A primitive
with a mesh is fitted to it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import RigidInertia, Transform, rigid_sum
from anthropi.errors import FormatError
from anthropi.figure import Shape
from anthropi.formats.figures.common import MIN_DIRECTION_LENGTH, Notes, rotation_of_z_to, sizes_are_valid, solid
from anthropi.formats.figures.mjcf.assets import Assets, MeshAsset
from anthropi.formats.figures.mjcf.elements import ORIENTATION, Settings
from anthropi.formats.figures.mjcf.mesh_inertia import shell
from anthropi.formats.figures.xml import Node

__all__ = ["TYPES", "Geom", "bounded", "from_to", "geom_inertia", "geom_of", "orientation", "pose", "sum_of", "turned"]


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
    return turned(node.numbers("euler", 3), settings)


def turned(angles: np.ndarray, settings: Settings) -> np.ndarray:
    """Return the rotation (3, 3) of Euler angles (3,), in the unit and order of <compiler>.

    Lower-case letters of eulerseq mean rotated axes, capital letters fixed axes.
    """
    C = np.eye(3)
    for letter, value in zip(settings.eulerseq, angles, strict=True):
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
    """Return the pose and half length of a geom given by two ends. Its z axis points from the second to the first.

    An orientation is ignored, as in MuJoCo, because classes often give one.
    """
    values = node.numbers("fromto", 6)
    if node.numbers("pos", 3, (0.0, 0.0, 0.0)).any():
        raise FormatError(
            f"{node.where} has fromto together with pos, in its attributes or its class. Keep only fromto."
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
SCENERY = ("plane", "hfield")  # types of geoms that belong to the scene, without mass
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
FROM_TO_TYPES = ("capsule", "cylinder", "ellipsoid", "box")  # types that can be given by their two ends
DENSITY = 1000.0  # [kg/m³], MuJoCo's default
MIN_MASS = 1e-14  # [kg] geoms of a smaller mass are left out of the inertia of a body; MuJoCo's mjEPS


@dataclass
class Geom:
    """A <geom> of a body.

    node : the element with inherited attributes. kind : its type. place : its pose in its body's frame. half : its MJCF
    size; None for meshes. mesh : the mesh of a geom of the types "mesh" and "sdf". colour : red, green, blue, opacity.
    """

    node: Node
    kind: str
    place: Transform
    half: np.ndarray | None
    mesh: MeshAsset | None
    colour: tuple[float, ...]

    @property
    def visual(self) -> bool:
        """Whether the geom never collides."""
        return not self.node.number("contype", 1.0) and not self.node.number("conaffinity", 1.0)

    def shape(self, name: str, notes: Notes) -> Shape | None:
        """Return its shape in its body's frame; None if a figure cannot represent it."""
        if self.mesh is None:
            assert self.half is not None
            if not sizes_are_valid(self.half):
                words = f"a {self.kind} cannot be fitted to its mesh, because its size would be {self.half.tolist()}"
                notes.add(f"{self.node.file}: <geom>", words, matters=False)
                return None
            return Shape(self.kind, _full_size(self.kind, self.half), self.place, name, "", self.colour)
        inner = self.mesh.placement
        if not self.mesh.file or inner is None:
            why = "the mesh has no file" if not self.mesh.file else "its refquat and scale do not give a rigid motion"
            notes.add(f"{self.node.file}: <geom>", f"a mesh is not drawn, because {why}", matters=False)
            return None
        size = tuple(self.mesh.scale.tolist())
        return Shape("mesh", size, self.place @ inner, name, self.mesh.file, self.colour, self.mesh.folder)


def geom_of(node: Node, frame: Transform, settings: Settings, assets: Assets) -> Geom | None:
    """Read a geom, in a frame of its body; None for planes and height fields, which belong to the scene."""
    kind = node.choice("type", TYPES, "sphere")
    if kind in SCENERY:
        return None
    colour = _colour(node, assets)
    if kind not in ("mesh", "sdf"):
        if "mesh" in node.attributes:
            inner, half = _fitted(node, kind, settings, assets)
            place = pose(node, settings) @ inner
        else:
            place, half = _placed(node, kind, settings)
        return Geom(node, kind, frame @ place, half, None, colour)
    if "fromto" in node.attributes:
        raise FormatError(f"{node.where} of type {kind} has fromto, in its attributes or its class. Give pos instead.")
    return Geom(node, kind, frame @ pose(node, settings), None, assets.mesh(node), colour)


def _fitted(node: Node, kind: str, settings: Settings, assets: Assets) -> tuple[Transform, np.ndarray]:
    """Return the pose and the MJCF size of a primitive that is fitted to a mesh."""
    if "fromto" in node.attributes:
        raise FormatError(f"{node.where} has both mesh and fromto, in its attributes or its class. Keep one of them.")
    place, size = assets.mesh(node).fitted(kind, node.number("fitscale", 1.0), settings)
    return place, size[: SIZES[kind]]


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


def geom_inertia(geom: Geom, settings: Settings) -> RigidInertia | None:
    """Return the inertia of a geom in its body's frame; None if it has no mass or its group is excluded."""
    node = geom.node
    if not settings.groups[0] <= node.number("group", 0.0) <= settings.groups[1]:
        return None
    mass = node.number("mass", -1.0) if "mass" in node.attributes else None
    density = node.number("density", DENSITY)
    if (mass is not None and mass < 0.0) or density < 0.0:
        raise FormatError(f"{node.where} has a negative mass or density. Give a positive value, or 0 for no mass.")
    if mass == 0.0 or (mass is None and density == 0.0):
        return None
    if geom.half is not None and not sizes_are_valid(geom.half):
        raise FormatError(
            f"{node.where}: a {geom.kind} cannot be fitted to its mesh, because its size would be "
            f"{geom.half.tolist()}. Give the geom another type, or a size instead of the mesh."
        )
    surface = node.flag("shellinertia")
    if geom.mesh is not None:
        if surface:
            raise FormatError(f'{node.where} has shellinertia="true". For a mesh, give the <mesh> inertia="shell".')
        found = geom.mesh.inertia
        inertia = found.weighed(mass if mass is not None else density * found.volume)
    elif surface:
        inertia = shell(geom.kind, geom.half, mass, density)
    else:
        size = Shape(geom.kind, _full_size(geom.kind, np.asarray(geom.half)))
        inertia = solid(size, **({"density": density} if mass is None else {"mass": mass}))
    return geom.place.act_inertia(inertia) if inertia.mass > MIN_MASS else None


def sum_of(bodies: Iterable[RigidInertia]) -> RigidInertia | None:
    """Return the sum of the inertias of a body's geoms, or of fused bodies; None if there are none."""
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


def _colour(node: Node, assets: Assets) -> tuple[float, ...]:
    if node.attributes.get("rgba", "").strip():
        return tuple(node.numbers("rgba", 4).tolist())
    return assets.colours.get(node.get("material") or "", ())
