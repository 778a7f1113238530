"""Figures to measure integrators on: joints that turn, each by itself, and a tree of many."""

import functools

import numpy as np

import anthropi as ap
from anthropi.figure import (
    Ball,
    Composite,
    Euler,
    Exponential,
    Free,
    Link,
    Prismatic,
    Weld,
    figure_from_parts,
    universal,
)
from anthropi.figure.joints import Reversed
from anthropi.simulation.drive import Drive
from anthropi.simulation.step import State, advance
from unit.figure.families import place

TURNING = {  # what turns, and so has something to show without forces
    "ball": Ball(),
    "free": Free(),
    "exponential": Exponential(),
    "backward ball": Reversed.of(Ball()),
}
OTHERS = {
    "ball": Ball(),
    "exponential": Exponential(),
    "euler": Euler(order="zyx"),
    "universal": universal("u"),
    "slide and ball": Composite(parts=(Prismatic(name="a", axis="y"), Ball(name="b"))),
}


def _body(rng, name):
    """A box of about a kilogram whose centre is off its joint: no two principal moments alike."""
    size, centre = np.array([0.5, 0.3, 0.2]) * rng.uniform(0.8, 1.2, 3), 0.15 * rng.normal(size=3)
    return Link.of(name, ap.spatial.box(size, mass=rng.uniform(0.8, 1.5), centre=centre))


def apart():
    """What turns, on a welded base in weightlessness: each moves by itself, driven by nothing."""
    rng = np.random.default_rng(1)
    parts = [("", Weld(name="base"), _body(rng, "base"))]
    for kind, joint in TURNING.items():
        parts.append(("base", joint.changed(name=kind, placement=place(rng)), _body(rng, kind)))
    return figure_from_parts("apart", parts, gravity=np.zeros(3))


def together():
    """A free body with a tree of other joints, in gravity, with springs, dampers and rotors."""
    rng = np.random.default_rng(2)
    parts = [("", Free(name="root"), _body(rng, "root"))]
    for kind, joint in OTHERS.items():
        acting = dict(stiffness=rng.uniform(0.5, 2.0), damping=rng.uniform(0.05, 0.2), armature=rng.uniform(0.05, 0.2))
        near = rng.choice([p[2].name for p in parts[-3:]])
        parts.append((near, joint.changed(name=kind, placement=place(rng), **acting), _body(rng, kind)))
    return figure_from_parts("together", parts)


def starts(figure, count, speed):
    """So many states near the neutral one: q (count, nq), u (count, nu)."""
    rng = np.random.default_rng(7)
    turns, rates = rng.normal(size=(2, count, figure.nu))
    return figure.integrate(figure.neutral(), 0.4 * turns), speed * rates


def nothing(t, q, u):
    """No drive."""
    return Drive()


def shaking(figure):
    """Forces that swing in time and brake."""
    amount, pace = np.linspace(0.3, 0.6, figure.nu), np.linspace(1.0, 3.0, figure.nu)
    return lambda t, q, u: Drive(tau=amount * ap.scalar.sin(pace * t + 0.3) - 0.1 * u)


@functools.cache
def system(name):
    """ "torque-free" or "forced": the figure, its drive, sixteen starts."""
    if name == "torque-free":
        figure = apart()
        return figure, nothing, starts(figure, 16, 3.0)
    figure = together()
    return figure, shaking(figure), starts(figure, 16, 0.7)


@functools.cache
def runner(name, method):
    """A kernel for a system: (q, u, h, steps) → the end state."""
    figure, drive, _ = system(name)

    def run(q, u, h, n):
        def step(state):
            at, k = state
            return advance(figure, drive, at._replace(t=k * h), h, method), k + 1.0

        first = (State(np.array(0.0), q, u), np.array(0.0))
        return ap.repeat(step, first, 100_000, until=lambda state: ap.scalar.less_equal(n, state[1]))[0]

    zeros = {"q": np.zeros(figure.nq), "u": np.zeros(figure.nu), "h": np.zeros(()), "n": np.zeros(())}
    return ap.build(ap.record(run, **zeros), opt=0)
