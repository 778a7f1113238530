"""`bench42` standing on eight points: the scene of the contact benchmarks, and its steps as a tape."""

import numpy as np

import anthropi as ap
from anthropi.cli.measure import bare
from anthropi.contact import Material, Scene
from anthropi.contact.geometry.features import Feature
from anthropi.simulation.memory import layout
from anthropi.simulation.problem import Problem, initial_memory
from anthropi.simulation.step import State
from anthropi.simulation.step import step as one_step

DT, STEPS, FRICTION = 1e-3, 20, 0.8


def subject():
    """Return the bare figure, its eight contact points (link, place), and its standing configuration on them."""
    whole = ap.sample("bench42")
    figure, _ = bare(whole)
    points = [(m.link, np.asarray(m.point)) for m in whole.markers if m.link.endswith("foot") and hasattr(m, "point")]
    points = [p for p in points if p[1][2] <= min(x[1][2] for x in points) + 1e-9]
    q = figure.neutral()
    poses = ap.kinematics(figure, q)
    lowest = min(poses.link(link).position[2] + p[2] for link, p in points)
    q[2] -= lowest
    return figure, points, q


def steps(figure, points, model, count=STEPS):
    """Return a tape of `count` steps, with state and memory as inputs and outputs, and the initial memory."""
    features = [Feature(f"{link}.{k}", link, p, 0.0) for k, (link, p) in enumerate(points)]
    scene = Scene(figure, features=features, material=Material(friction=FRICTION), contact=model)
    problem = Problem(scene.figure, scene)
    row = layout(initial_memory(problem))

    def step(state):
        q, u, memory = state
        after = one_step(problem, State(0.0, q, u, row.unpack(memory)), DT).state
        return after.q, after.u, row.pack(after.memory)

    def all_of_them(q, u, memory):
        return ap.repeat(step, (q, u, memory), count)

    tape = ap.record(all_of_them, q=np.zeros(figure.nq), u=np.zeros(figure.nu), memory=np.zeros(row.size))
    return tape, row.pack(initial_memory(problem))
