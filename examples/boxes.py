"""Impulsive contact: a sliding box, a bouncing ball and a tumbling box, compared with closed forms.

The slide ends after v² / (2 μ g), and each bounce is e² as high as the one before. Writes out/boxes.png and
out/boxes.html.
"""

import numpy as np
from _charts import bounces

import anthropi as ap
from anthropi.contact import Impulsive, Material
from anthropi.figure import Free, Link, Shape

MU, E, V = 0.4, 0.8, 3.0
GROUND = {"slider/box": Material(friction=MU), "ball/ball": Material(restitution=E),
          "die/box": Material(friction=0.6, restitution=0.3)}  # fmt: skip


def body(name, shape, inertia):
    """Return a figure of one free body."""
    return ap.figure_from_parts(name, [("", Free(name="root"), Link.of(shape.name, inertia, [shape]))])


def scene():
    """Return a scene of three bodies on one ground, each with its material."""
    side = (0.3, 0.3, 0.3)
    slider = body("slider", Shape("box", (0.4, 0.3, 0.2), name="box"), ap.spatial.box((0.4, 0.3, 0.2), mass=2.0))
    ball = body("ball", Shape("sphere", (0.1,), name="ball"), ap.spatial.sphere(0.1, mass=0.5))
    die = body("die", Shape("box", side, name="box"), ap.spatial.box(side, mass=1.0))
    materials = {(link, "ground"): material for link, material in GROUND.items()}
    return ap.Scene.of([slider, ball, die], contact=Impulsive(), materials=materials)


def start(figure):
    """Return the initial state: the slider moves, the ball is one metre high, and the die is thrown."""
    q, u = figure.neutral(), np.zeros(figure.nu)
    q[0:3], q[7:10], q[14:17] = (-1.0, 0.0, 0.1), (0.0, 0.8, 1.1), (-1.5, -0.9, 0.9)
    u[0], u[12:18] = V, (2.5, 0.0, 1.0, 3.0, 5.0, -2.0)
    return q, u


def check(motion):
    slid = motion.q[-1, 0] - motion.q[0, 0]
    assert abs(slid / (V**2 / (2 * MU * 9.81)) - 1.0) < 0.01
    height = motion.q[:, 9] - 0.1
    inner = (height[1:-1] > height[:-2]) & (height[1:-1] >= height[2:])
    tops = height[1:-1][inner][:4]
    assert (abs(tops / (E**2 * np.array([1.0, *tops[:-1]])) - 1.0) < 0.01).all(), tops
    assert abs(motion.u[-1, 12:]).max() < 1e-3, "the die comes to rest"


if __name__ == "__main__":
    place = scene()
    motion = ap.simulate(place, *start(place.figure), duration=4.0, every=4)
    check(motion)
    bounces("out/boxes.png", motion, MU, E, V)
    motion.export("out/boxes.html", title="Boxes and a ball", caption="Impulses, friction cones, restitution.")
