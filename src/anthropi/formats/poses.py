"""Small things the formats share: poses that are equal, the least turn to a direction, solids, limits that are none."""

from collections.abc import Callable

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import SHAPES, RigidInertia, Transform, identity
from anthropi.errors import FormatError
from anthropi.figure import Joint, Shape

__all__ = ["UNBOUNDED", "check_configuration", "is_identity", "rgba", "sizes_are_real", "solid", "turned_to"]

UNBOUNDED = 1e10  # in URDF and MJCF a limit this far away is none; it is MuJoCo's mjMAXVAL
TINY = 1e-14  # shorter vectors have no direction, as in MuJoCo


def is_identity(place: Transform) -> bool:
    """Whether a pose changes nothing, bit for bit."""
    still = identity()
    same = np.asarray(place.rotation) == still.rotation
    return bool(same.all() and (np.asarray(place.origin) == 0.0).all())


def check_configuration(joint: Joint, q, where: str) -> None:
    """Refuse coordinates that are no configuration of a joint: quaternions that are not of unit length."""
    with np.errstate(all="ignore"):
        C = np.asarray(joint.transform(np.asarray(q, float)).rotation, float)
        off = abs(C @ C.T - np.eye(3)).max()
    if not off < 1e-6:
        numbers = np.asarray(q).tolist()
        raise FormatError(f"{where}: {numbers} is no configuration of the {joint.kind} joint '{joint.name}'. Give "
                          " quaternions w, x, y, z of unit length.")  # fmt: skip


def rgba(colour) -> tuple[float, ...] | None:
    """A colour with its opacity; None if there is none."""
    return (*colour, 1.0)[:4] if colour else None


def turned_to(z) -> np.ndarray:
    """The least turn (3, 3) that carries the z axis to the unit vector z."""
    sine = np.hypot(z[0], z[1])
    axis = np.array([-z[1], z[0], 0.0]) / sine if sine > TINY else np.array([1.0, 0.0, 0.0])
    return rot.matrix_from_rotation_vector(axis * np.arctan2(sine, z[2]))


def sizes_are_real(sizes) -> bool:
    """Whether lengths can be those of a body: positive, and such that volumes are neither zero nor infinite."""
    return all(1e-12 <= s <= 1e12 for s in sizes)


def solid(shape: Shape, **weight) -> RigidInertia:
    """The inertia of a shape in its own frame, from `mass` [kg] or `density` [kg/m³]."""
    sizes = (shape.size,) if shape.kind in ("box", "ellipsoid") else shape.size
    make: Callable[..., RigidInertia] = SHAPES[shape.kind]  # type: ignore[assignment]  # they take different sizes
    return make(*sizes, **weight)
