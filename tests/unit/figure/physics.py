"""All that can be seen of a figure in motion, whatever frames and coordinates tell it: what an edit must not change."""

import numpy as np

from anthropi.algorithms.kinematics import (
    direction,
    direction_velocity,
    kinematics,
    point_position,
    point_velocity,
)


def seen(figure, q, u, frames=()):
    """{what: numbers}: markers, directions, bodies, shapes, loop ends with their motion; mass, energies, momentum."""
    k = kinematics(figure, q, u)
    found = {}
    for m in figure.markers:
        i = figure.link_index(m.link)
        where, speed = (direction, direction_velocity) if hasattr(m, "direction") else (point_position, point_velocity)
        s = m.direction if hasattr(m, "direction") else m.point
        found[m.name] = np.concatenate([where(k, i, s), speed(k, i, s)])
    for i, link in enumerate(figure.links):
        for shape in link.shapes:
            found[f"shape {shape.name}"] = pose(k, i, shape.placement)
    for name, link in frames:
        found[f"frame {name}"] = pose(k, figure.link_index(name), link)
    for loop in figure.loops:
        for end, link, at in (("a", loop.link_a, loop.at_a), ("b", loop.link_b, loop.at_b)):
            found[f"loop {loop.name} {end}"] = (
                pose(k, figure.link_index(link), at) if link else np.concatenate([at.origin, at.rotation.ravel()])
            )
    return found | whole(figure, q, u, k)


def pose(k, i, place):
    """Pose and motion of a frame fixed to link i."""
    turned, spin = k.rotation[i] @ place.rotation, k.angular_velocity[i]
    return np.concatenate(
        [point_position(k, i, place.origin), point_velocity(k, i, place.origin), turned.ravel(), spin]
    )


def bodies(figure, q, u):
    """{link: centre of mass, its velocity, tensor in the world, mass}."""
    k, found = kinematics(figure, q, u), {}
    for i, x in enumerate(figure.links):
        C = k.rotation[i]
        found[x.name] = np.concatenate([point_position(k, i, x.centre), point_velocity(k, i, x.centre),
                                        (C @ x.tensor @ C.T).ravel(), [x.mass]])  # fmt: skip
    return found


def whole(figure, q, u, k):
    """Mass, energies, momentum, and what the joints store and lose."""
    mass, linear, angular, kinetic, potential = 0.0, np.zeros(3), np.zeros(3), 0.0, 0.0
    for i, x in enumerate(figure.links):
        C, w = k.rotation[i], k.angular_velocity[i]
        c, v = point_position(k, i, x.centre), point_velocity(k, i, x.centre)
        spin = C @ x.tensor @ C.T @ w
        mass, linear, angular = mass + x.mass, linear + x.mass * v, angular + spin + np.cross(c, x.mass * v)
        kinetic, potential = kinetic + 0.5 * (x.mass * v @ v + spin @ w), potential - x.mass * figure.gravity @ c
    rotors = sum(0.5 * j.armature @ u[figure.u_of[i]] ** 2 for i, j in enumerate(figure.joints))
    power = 0.0
    for i, j in enumerate(figure.joints):
        at, speed = q[figure.q_of[i]], u[figure.u_of[i]]
        rest = j.integrate(j.neutral(), j.rest)
        power -= (j.stiffness * j.difference(rest, at) + j.damping * speed) @ speed
    return {"mass": mass, "linear momentum": linear, "angular momentum": angular, "kinetic energy": kinetic,
            "potential energy": potential, "rotors": rotors, "power": power}  # fmt: skip


def assert_same(found, wanted, tolerance=1e-12, only=None):
    """Every thing seen is the same, relative to its size and to one."""
    assert only is not None or found.keys() == wanted.keys()
    for what in only if only is not None else wanted:
        a, b = np.asarray(found[what], float), np.asarray(wanted[what], float)
        np.testing.assert_allclose(a, b, rtol=0.0, atol=tolerance * max(1.0, np.abs(b).max()), err_msg=what)
