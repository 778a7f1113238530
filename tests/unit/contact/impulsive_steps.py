"""A plain time step with impulsive contact, for tests: dynamics, impulses, integration. And single bodies to drop."""

from typing import NamedTuple

import numpy as np

import anthropi as ap
from anthropi.algorithms.cholesky import factor_mass_matrix
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.contact.geometry.contacts import Contact, contact_rows, contacts
from anthropi.contact.material import Material
from anthropi.contact.scene import Scene
from anthropi.figure import Free, Link, Shape, figure_from_parts


class Step(NamedTuple):
    """q, u after a step, the impulses (contacts, 3), what to start the next from, and the gaps at its beginning."""

    q: np.ndarray
    u: np.ndarray
    impulses: np.ndarray
    memory: dict
    gaps: np.ndarray


def step(scene, q, u, memory, dt, model=None, more=None) -> Step:
    """One step of length dt [s]; records."""
    figure, model = scene.figure, model or scene.contact
    k = kinematics(figure, q, u)
    found, tree = contacts(scene, 0.0, k), factor_mass_matrix(figure, mass_matrix(figure, q))
    u_free = u + dt * direct_dynamics(figure, q, u, np.zeros(figure.nu))
    result = model.impulse(scene, found, k, tree, u, u_free, memory, dt, more, q)
    gaps = np.array([t.gap for t in found])
    return Step(figure.integrate(q, dt * result.u + result.shift), result.u, result.impulses, result.memory, gaps)


def run(scene, q, u, steps, dt, every=1):
    """Frames at intervals, from a kernel: q (n, nq), u (n, nu), impulses (n, contacts, 3), gaps (n, contacts)."""
    count = len(scene.candidates)

    def roll(q, u):
        def body(carry):
            q, u, memory, _, _ = carry
            after = step(scene, q, u, memory, dt)
            return after.q, after.u, after.memory, after.impulses, after.gaps

        first = (q, u, scene.contact.memory(scene), np.zeros((count, 3)), np.zeros(count))
        _, frames = ap.repeat(body, first, steps, every=every)
        return {"q": frames[0], "u": frames[1], "impulses": frames[3], "gaps": frames[4]}

    kernel = ap.build(ap.record(roll, q=np.asarray(q, float), u=np.asarray(u, float)), opt=0)
    return kernel(np.asarray(q, float), np.asarray(u, float))


def problem(scene, q, u):
    """M (nu, nu), W (3 contacts, nu) rows n, t1, t2 of every contact, and the contacts."""
    figure = scene.figure
    k = kinematics(figure, q, u)
    found = contacts(scene, 0.0, k)
    return mass_matrix(figure, q), np.concatenate([contact_rows(figure, k, t, q=q) for t in found]).astype(float), found


def body(name, inertia, shape):
    """A free body of one shape."""
    return figure_from_parts(name, [(None, Free(name=f"{name}_root"), Link.of(name, inertia, [shape]))])


def box(size=(0.3, 0.2, 0.1), mass=2.0, name="box"):
    return body(name, ap.spatial.box(size, mass=mass), Shape("box", tuple(size), name=name))


def ball(radius=0.1, mass=1.0, name="ball"):
    return body(name, ap.spatial.sphere(radius, mass=mass), Shape("sphere", (radius,), name=name))


class Figures(NamedTuple):
    """What a step asks of a scene whose candidates are given."""

    figure: object
    candidates: tuple
    contact: object
    obstacles: tuple = ()


class CornerOnFace(NamedTuple):
    """A point of link a on the upper face of the box link b."""

    name: str
    a: int
    b: int
    point: np.ndarray
    height: float
    material: Material
    on: str = ""

    def contact(self, k, place) -> Contact:
        arm, normal = k.rotation[self.a] @ self.point, k.rotation[self.b][:, 2]
        arm_b = k.position[self.a] + arm - k.position[self.b]
        speed = k.velocity[self.a] + np.cross(k.angular_velocity[self.a], arm)
        speed = speed - k.velocity[self.b] - np.cross(k.angular_velocity[self.b], arm_b)
        gap, still = normal @ arm_b - self.height, np.zeros(3)
        return Contact(
            self.name, self.a, self.b, gap, normal, k.position[self.a] + arm, speed, still, self.material, arm
        )


def brick_wall(rows, columns, model):
    """Boxes in layers, each on two of the layer below: a scene, and q with gaps of a millimetre between."""
    size, count = np.array([0.2, 0.1, 0.1]), rows * columns
    scene = Scene.of([box(size, 1.0, f"b{n}") for n in range(count)], features=[f"b{n}/b{n}" for n in range(columns)])
    figure = scene.figure
    link = [figure.link_index(f"b{n}/b{n}") for n in range(count)]
    candidates = [c for c in scene.candidates if c.point[2] < 0.0]
    q = np.array(figure.neutral())
    for n in range(count):
        row, column = divmod(n, columns)
        at = figure.q_of[link[n]].start
        q[at : at + 3] = 0.21 * column + 0.1 * (row % 2), 0.002 * (n % 3), 0.05 + 0.101 * row
        for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1)) if row else ():
            below = column + (row % 2 if x > 0 else row % 2 - 1)
            below = n - column - columns + min(max(below, 0), columns - 1)
            corner = np.array([0.5 * x * size[0], 0.5 * y * size[1], -0.5 * size[2]])
            candidates.append(CornerOnFace(f"{n}.{x}{y}", link[n], link[below], corner, 0.05, Material()))
    return Figures(figure, tuple(candidates), model), q
