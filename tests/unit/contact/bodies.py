"""Single bodies on the ground, and how they go on: one kernel over all steps."""

from types import SimpleNamespace

import numpy as np

import anthropi as ap
from anthropi.algebra import spatial
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.energy import kinetic_energy, potential_energy
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.geometry.contacts import contacts
from anthropi.figure.from_parts import figure_from_parts
from anthropi.figure.joints import Free
from anthropi.figure.parts import Link, Shape
from anthropi.tape import repeat

SOLIDS = {"box": lambda size, m: spatial.box(size, mass=m), "sphere": lambda size, m: spatial.sphere(*size, mass=m),
          "capsule": lambda size, m: spatial.capsule(*size, mass=m)}  # fmt: skip


def body(kind: str, *size: float, mass: float = 1.0, name: str = ""):
    """A free body of one shape."""
    name = name or kind
    inertia = SOLIDS[kind](size, mass)
    return figure_from_parts(name, [(None, Free(name="root"), Link.of(name, inertia, [Shape(kind, size)]))])


def placed(x=0.0, y=0.0, z=0.0, turn=(1.0, 0.0, 0.0, 0.0)) -> np.ndarray:
    """q of a free body."""
    turn = np.array(turn)
    return np.array([x, y, z, *(turn / (turn @ turn) ** 0.5)])


def one_step(scene, q, u, memory, t, h):
    """Semi-implicit: q, u, memory, forces (contacts, 3), gaps (contacts,)."""
    k = kinematics(scene.figure, q, u)
    found = contacts(scene, t, k)
    push, memory = scene.contact.force(scene, found, k, memory, h)
    none = np.zeros(scene.figure.nu)
    u = u + h * direct_dynamics(scene.figure, q, u, none, f_ext=push.f_ext, added=push.added)
    return scene.figure.integrate(q, h * u), u, memory, push.forces, np.array([contact.gap for contact in found])


def run(scene, q, u, duration, h=1e-3, every=1):
    """Frames of q, u, memory, forces, gaps."""
    n, memory = len(scene.candidates), scene.contact.memory(scene)

    def step(state):
        q, u, memory, force, gap = one_step(scene, state["q"], state["u"], state["memory"], state["t"], h)
        return {"q": q, "u": u, "memory": memory, "t": state["t"] + h, "force": force, "gap": gap}

    def all_steps(q, u, **memory):
        start = {"q": q, "u": u, "memory": memory, "t": 0.0 * q[0], "force": np.zeros((n, 3)), "gap": np.zeros(n)}
        return repeat(step, start, round(duration / h), every=every)

    tape = ap.record(all_steps, q=np.asarray(q, float), u=np.asarray(u, float), **memory)
    return SimpleNamespace(**ap.build(tape, opt=0)(q=q, u=u, **memory)[1])


def energies(scene, frames) -> np.ndarray:
    """Energy of the figure and of the contacts' springs, frame by frame [J]."""
    total = []
    for k, (q, u) in enumerate(zip(frames.q, frames.u, strict=True)):
        memory = {name: rows[k] for name, rows in frames.memory.items()}
        found = contacts(scene, 0.0, kinematics(scene.figure, q, u))
        own = kinetic_energy(scene.figure, q, u) + potential_energy(scene.figure, q)
        total.append(own + scene.contact.stored(scene, found, memory))
    return np.array(total)
