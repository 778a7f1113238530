"""The figures of the examples, where making one takes more lines than it is worth in the example itself."""

import numpy as np

import anthropi as ap
from anthropi import spatial as sp
from anthropi.figure import Free, Link, Shape, Weld

COCKED = {  # [deg]: leaning back, the right hand behind the head
    "lumbar.y": -25, "thoracic.y": -8, "r_shoulder.y": -185, "r_elbow.flexion": 100, "l_shoulder.y": -60,
    "l_elbow.flexion": 20, "l_hip.y": -25, "r_hip.y": 15, "l_knee": 15, "r_knee": 15, "r_toe": -20,
}  # fmt: skip


def thrower(turned):
    """A person about to throw a baseball, the configuration, (nu, n) from the n turned dofs to all, and the others.

    What has no part in the throw is locked; the others are turns of lumbar spine and shoulder to be held still.
    """
    ball = Link.of("ball", sp.sphere(0.037, mass=0.145), [Shape("sphere", (0.037,), colour=(0.95, 0.7, 0.2))])
    grip = Weld(name="grip", placement=sp.Transform(np.eye(3), [0.0, 0.035, -0.09]))
    figure = ap.human().attach(ap.assemble("ball", [("", Free(name="root"), ball)]), "r_hand", grip)
    cocked = np.array([np.deg2rad(COCKED.get(dof, 0.0)) for dof in figure.dofs])
    q = ap.standing(figure, figure.integrate(figure.neutral(), cocked))
    free = (*(f"{joint}.{axis}" for joint in ("lumbar", "r_shoulder") for axis in "xyz"), "r_elbow.flexion")
    locked = figure.lock([dof for dof in figure.dofs if dof not in free], q)
    driven = np.array([[float(dof == name) for name in turned] for dof in locked.dofs])
    return locked, locked.state_from(figure, q), driven, [dof for dof in locked.dofs if dof not in turned]


def throwing_torques(steps):
    """Lumbar spine, shoulder and elbow (steps, 3) [N m]: half sines, one begun after another."""
    when = (np.arange(steps) + 0.5) / steps
    rows = ((114.0, 0.0, 0.97), (57.0, 0.31, 1.1), (-28.5, 0.69, 0.54))  # [N m], start and length in parts of the throw
    return np.stack([peak * np.sin(np.pi * np.clip((when - begin) / span, 0.0, 1.0)) for peak, begin, span in rows], -1)


def masses_of(figure, links):
    """Masses (n,) [kg] of links by name."""
    return np.array([figure.links[figure.link_index(name)].mass for name in links])


def flight(ball):
    """Where a ball lands [m], x on the ground z = 0, and after how long [s]; nothing but weight acts on it."""
    (x, _, z), (vx, _, vz) = ball.position, ball.velocity
    time = (vz + ap.scalar.sqrt(vz * vz + 2.0 * 9.81 * z)) / 9.81
    return x + vx * time, time
