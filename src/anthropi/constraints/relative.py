"""Residuals, Jacobians and bias of constraints in relative coordinates: joint velocities of a figure.

recursion.py follows equations (9)-(17), (20) of docs/equations/constraints.md, section 3, literally; this file computes
the same rows with fewer operations. With g_k = ∂Φ/∂x_k, the features of a primitive on one link give a force F and a
moment N about a point x of the link; joint j has the columns w, l (algorithms/jacobians.py) at p_j:

    F = Σ g_k over points,   N = Σ (x_k - x) × g_k over points + Σ v_k × g_k over directions          (1)
    entry of a degree of freedom of joint j:   w · (N + (x - p_j) × F) + l · F, summed over links it carries   (2)

A primitive does not change when all its features move as one body. Joints that carry all of its features, or none, are
therefore left out; their entries of a row are always zero (`pattern`). A feature that moves in its link, s(t), has the
additional velocity C s' and acceleration C s″ + 2 ω × C s'. The entries of a primitive of coordinates are its gradient.
"""

from typing import Any

import numpy as np

from anthropi.algebra.linear import matvec
from anthropi.algebra.scalar import records
from anthropi.algorithms.jacobians import columns
from anthropi.algorithms.kinematics import kinematics
from anthropi.constraints.driven import Equations, Moving, bias_of, drift_of, placed_at
from anthropi.constraints.primitives import Coordinate, Point, primitives_of
from anthropi.errors import InputError, ShapeError
from anthropi.figure import Figure

__all__ = ["bias", "coordinates_of", "equations", "features_of", "pattern", "rows"]


def rows(figure: Figure, q: Any, constraints: Any, t: Any | None = None, k: Any = None) -> Any:
    """Compute the residuals Φ (m,) of constraints and their Jacobian (m, nu).

    Parameters
    ----------
    q : (nq,). constraints : one or many, between points and directions of links ("" is the world).
    t : time [s], for driven constraints. k : kinematics of the figure, if known.
    """
    q = _checked(figure, "q", q, figure.nq)
    k = kinematics(figure, q) if k is None else k
    known: dict[int, tuple[Any, ...]] = {}
    found = [_row(figure, k, q, c, known, t) for c in primitives_of(constraints)]
    return np.array([phi for phi, _ in found]), np.array([row for _, row in found]).reshape(len(found), figure.nu)


def bias(figure: Figure, q: Any, u: Any, constraints: Any, t: Any | None = None, k: Any = None) -> Any:
    """Compute the bias (m,) of constraints: Φ″ at constant velocities u, from J' u and driven constraints."""
    if k is None:
        q, u = _checked(figure, "q", q, figure.nq), _checked(figure, "u", u, figure.nu)
        k = kinematics(figure, q, u, np.zeros(figure.nu))
    return np.array([bias_of(c, features_of(figure, k, c, t, q, u), t) for c in primitives_of(constraints)])


def equations(figure: Figure, q: Any, u: Any, constraints: Any, t: Any | None = None) -> Equations:
    """Compute constraint equations at position, velocity and acceleration level from one kinematics pass."""
    q, u = _checked(figure, "q", q, figure.nq), _checked(figure, "u", u, figure.nu)
    k = kinematics(figure, q, u, np.zeros(figure.nu))
    residual, jacobian = rows(figure, q, constraints, t, k)
    every = primitives_of(constraints)
    drift = np.array([drift_of(c, features_of(figure, k, c, t, q, u), t) for c in every])
    return Equations(residual, jacobian, drift, bias(figure, q, u, constraints, t, k))


def _checked(figure: Figure, name: str, values: Any, size: int) -> Any:
    """Return q or u as an array; raise an error if it has another shape or is not finite. Recorded values pass."""
    if records(values):
        return values
    try:
        array = np.asarray(values, float)
    except (TypeError, ValueError):
        raise InputError(f"{name} is {values!r}; give {size} numbers for figure '{figure.name}'.") from None
    if array.shape != (size,):
        batch = f" For a batch, call it once for each {name}." if array.ndim > 1 and array.shape[-1] == size else ""
        raise ShapeError(f"{name} has shape {array.shape}; wanted ({size},) for figure '{figure.name}'.{batch}")
    if not np.isfinite(array).all():  # floats only
        raise InputError(f"{name} is not finite: {array.tolist()}. Give finite numbers.")
    return array


def pattern(figure: Figure, constraints: Any) -> np.ndarray:
    """Return the sparsity pattern of the Jacobian: (m, nu), True if a primitive depends on a degree of freedom."""
    every = primitives_of(constraints)
    table = np.zeros((len(every), figure.nu), dtype=bool)
    for line, c in zip(table, every, strict=True):
        for f in coordinates_of(c):
            line[f.at_u] = True
        for j in _moved_by(figure, c):
            line[figure.u_of[j]] = True
    return table


def coordinates_of(primitive: Any) -> list[Coordinate]:
    """Return the features of a primitive that are coordinates of joints; most primitives have none."""
    return [f for f in primitive.features() if isinstance(f, Coordinate)]


def features_of(
    figure: Figure, k: Any, primitive: Any, t: Any | None = None, q: Any = None, u: Any = None
) -> list[Moving]:
    """Return the world positions of a primitive's features, with velocities and accelerations if k contains them.

    q, u : the state to which k belongs, needed for features that are coordinates.
    """
    return [_feature(figure, k, f, t, q, u) for f in primitive.features()]


def _feature(figure: Figure, k: Any, feature: Any, t: Any, q: Any, u: Any) -> Moving:
    if isinstance(feature, Coordinate):
        x = q[feature.at_q : feature.at_q + 1]
        return Moving(x, None, None if u is None else u[feature.at_u : feature.at_u + 1], np.zeros(1))
    s, first, second = placed_at(feature, t)
    still = np.zeros(3)
    if feature.body == "":
        return Moving(s, first, still if first is None else first, still if second is None else second)
    i, is_point = figure.link_index(feature.body), isinstance(feature, Point)
    C = k.rotation[i]
    arm = matvec(C, s)
    drift = None if first is None else matvec(C, first)
    x = k.position[i] + arm if is_point else arm
    if k.angular_velocity is None:
        return Moving(x, drift)
    w = k.angular_velocity[i]
    swing = np.cross(w, arm)
    rate = swing if drift is None else swing + drift
    rate = k.velocity[i] + rate if is_point else rate
    if k.angular_acceleration is None:
        return Moving(x, drift, rate)
    acceleration = np.cross(k.angular_acceleration[i], arm) + np.cross(w, swing)
    if drift is not None:
        acceleration = acceleration + 2.0 * np.cross(w, drift) + matvec(C, second)
    return Moving(x, drift, rate, k.acceleration[i] + acceleration if is_point else acceleration)


def _moved_by(figure: Figure, primitive: Any) -> list[int]:
    """Return the joints that move some features of a primitive but not all of them."""
    features = [f for f in primitive.features() if not isinstance(f, Coordinate)]
    paths: list[set[int]] = [set(figure.path(figure.link_index(f.body))) if f.body else set() for f in features]
    carried: set[int] = set().union(*paths)
    carried -= paths[0].intersection(*paths) if paths else set()
    return sorted(j for j in carried if figure.joints[j].nu)


def _row(figure: Figure, k: Any, q: Any, primitive: Any, known: Any, t: Any) -> Any:
    """Return the residual Φ of a primitive and its Jacobian row, a list of nu numbers (1), (2).

    known : columns of joints that were computed before; new ones are added.
    """
    features = primitive.features()
    x = [m.x for m in features_of(figure, k._replace(angular_velocity=None), primitive, t, q)]
    gradient = primitive.gradient(x)
    loads = _loads(figure, features, x, gradient)
    row: list[Any] = [0.0] * figure.nu
    for f, g in zip(features, gradient, strict=True):
        if isinstance(f, Coordinate):
            row[f.at_u] = row[f.at_u] + g[0]
    for j in _moved_by(figure, primitive):
        if j not in known:
            known[j] = columns(figure, k, q, j)
        force, moment = None, None
        for i, (F, N, at) in loads.items():
            if j not in figure.path(i):
                continue
            if F is not None:
                lever = np.cross(at - k.position[j], F)
                N = lever if N is None else N + lever
                force = F if force is None else force + F
            moment = N if moment is None else moment + N
        for d, w, l in zip(range(figure.nu)[figure.u_of[j]], *known[j], strict=True):
            turned = (w * moment).sum()
            row[d] = turned if force is None else turned + (l * force).sum()  # (2)
    return primitive.value(x, t), row


def _loads(figure: Figure, features: Any, x: Any, gradient: Any) -> dict[int, tuple[Any, ...]]:
    """Return the force F and the moment N of (1) for each link, and the point they refer to.

    F is None if the link has no points; N is None if it is always zero.
    """
    loads: dict[int, tuple[Any, ...]] = {}
    for f, place, g in zip(features, x, gradient, strict=True):
        if f.body == "":
            continue
        i = figure.link_index(f.body)
        F, N, at = loads.get(i, (None, None, None))
        if not isinstance(f, Point):
            turn = np.cross(place, g)
            N = turn if N is None else N + turn
        elif F is None:
            F, at = g, place
        else:
            lever = np.cross(place - at, g)
            F, N = F + g, lever if N is None else N + lever
        loads[i] = F, N, at
    return loads
