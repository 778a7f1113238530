"""Contact between several figures: a row of dominoes knocks over a figure built of boxes.

Six bricks and a body are separate figures in one scene; neighbours may make contact. Writes out/dominoes.png and
out/dominoes.html.
"""

from itertools import pairwise

import numpy as np
from _charts import toppling
from _figures import brick_man

import anthropi as ap
from anthropi.contact import Material
from anthropi.figure import Free, Link, Shape

COUNT, TALL, GAP = 6, 0.6, 0.3


def brick(k):
    """Return a domino. Each is a little wider than the previous one."""
    size = (0.08, 0.2 + 0.02 * k, TALL)
    link = Link.of("brick", ap.spatial.box(size, mass=3.0), [Shape("box", size)])
    return ap.figure_from_parts("brick", [("", Free(name="root"), link)])


def scene():
    """Return a scene of bricks in a row, with a stiff body of boxes behind the last."""
    figures, names = [*(brick(k) for k in range(COUNT)), brick_man()], [*(f"b{k}" for k in range(COUNT)), "man"]
    row = pairwise([*(f"b{k}/brick" for k in range(COUNT)), "man/trunk"])
    return ap.Scene.of(figures, names, pairs=list(row), edges=False, material=Material(friction=0.5))


def start(figure):
    """Return the initial state: all are upright, and the first is about to tip over."""
    q, u, bricks = figure.neutral(), np.zeros(figure.nu), np.arange(COUNT)
    q[7 * bricks], q[7 * bricks + 2] = GAP * bricks, 0.5 * TALL
    q[7 * COUNT : 7 * COUNT + 3] = GAP * COUNT + 0.02, 0.0, 0.55
    u[0], u[4] = 0.9, 3.0
    return q, u


def tilts(motion):
    """Return how far each brick leans, (frames, bricks) [rad]."""
    w = motion.q[:, : 7 * COUNT].reshape(len(motion), COUNT, 7)[..., 3:]
    return 2.0 * np.arctan2(np.linalg.norm(w[..., 1:], axis=-1), np.abs(w[..., 0]))


def check(motion, lean):
    fell = [motion.time[np.argmax(lean[:, k] > 0.3)] for k in range(COUNT)]
    assert (np.diff(fell) > 0.0).all() and (lean[-1] > 0.5).all(), "they fall one after another"
    assert motion.q[-1, 7 * COUNT + 2] < 0.4, "the man falls too"


if __name__ == "__main__":
    motion = ap.simulate(scene(), *start(scene().figure), duration=2.5, every=5)
    check(motion, tilts(motion))
    toppling("out/dominoes.png", motion, tilts(motion))
    motion.export("out/dominoes.html", title="Dominoes", caption="One scene, seven figures.", view=(-70, 10))
