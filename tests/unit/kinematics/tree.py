"""Nine links with a fork or two and all four joint types of joint_motion.md, under a root that moves freely."""

from functools import cache

import numpy as np
from scipy.spatial.transform import Rotation

from anthropi.algebra.spatial import Transform
from anthropi.algorithms.kinematics import kinematics
from anthropi.figure import Ball, Direction, Figure, Free, Link, Marker, Prismatic, Revolute, Translational

JT = (0, 1, 3, 4, 2, 3, 1, 4, 2)  # joint type of each link; 0: the root
PARENT = (-1, 0, 1, 1, 2, 0, 5, 5, 7)
TYPES = {1: Prismatic, 2: Translational, 3: Revolute, 4: Ball}


@cache
def tree() -> Figure:
    """The figure; sliders keep the parent's attitude (2a), hinges and balls have a nominal one."""
    rng = np.random.default_rng(7)
    joints: list = [Free(name="j0")]
    for i in range(1, len(JT)):
        nominal = Rotation.from_quat(rng.normal(size=4)).as_matrix() if JT[i] in (3, 4) else np.eye(3)
        axis = dict(axis=rng.normal(size=3)) if JT[i] in (1, 3) else {}
        joints.append(TYPES[JT[i]](name=f"j{i}", placement=Transform(nominal, rng.normal(size=3)), **axis))
    links = [Link(f"b{i}", 1.0 + i, rng.normal(size=3), np.eye(3)) for i in range(len(JT))]
    e = rng.normal(size=3)
    markers = [Marker("point", "b4", rng.normal(size=3)), Direction("way", "b8", e / np.linalg.norm(e))]
    return Figure("tree", links, joints, PARENT, markers)


@cache
def state(seed: int = 0):
    """q, u, u' and the kinematics there."""
    rng, fig = np.random.default_rng(seed), tree()
    q, u, udot = fig.random(rng), rng.normal(size=fig.nu), rng.normal(size=fig.nu)
    return q, u, udot, kinematics(fig, q, u, udot)
