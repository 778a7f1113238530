"""Something that walks whose limits are known: a pelvis that glides, two feet that tap the ground in turn.

It falls, once and for all, when its velocity differs from the one it wants by more than `ahead` along x, or `aside`
along y [m/s]; along y only in the first half of a stride. Nothing rubs; errors of velocity fade as exp(-k t), so a push
of J [N s] on the mass M, even over a time τ, changes the velocity by at most

    J/M (1 - exp(-k τ)) / (k τ)                                                (1)
"""

import numpy as np

import anthropi as ap
from anthropi.algebra.scalar import less, maximum, minimum, sin, where
from anthropi.figure import Composite, Link, Marker, Prismatic, figure_from_parts
from anthropi.simulation.drive import Drive

MASS, STRIDE, SPEED, HEIGHT = 8.0, 0.8, 1.0, 1.0  # [kg] of all, [s], [m/s], [m]
AHEAD, ASIDE, FADES = 0.5, 0.3, 20.0  # [m/s], [m/s], [1/s]


def scene() -> ap.Scene:
    """The figure on the ground, without friction."""
    slides = Composite(name="root", parts=tuple(Prismatic(name=a, axis=a) for a in "xyz"))
    pelvis = Link.of("pelvis", ap.spatial.box(np.full(3, 0.2), mass=MASS - 1.0))
    foot = ap.spatial.box(np.full(3, 0.1), mass=0.5)
    feet = [("pelvis", Prismatic(name=side, axis="z"), Link.of(f"{side}_foot", foot)) for side in "lr"]
    marks = [Marker(f"{side}_heel", f"{side}_foot", np.zeros(3)) for side in "lr"]
    figure = figure_from_parts("glider", [("", slides, pelvis), *feet], markers=marks)
    return ap.Scene(figure, features=("l_heel", "r_heel"), material=ap.contact.Material(friction=0.0))


class Glider:
    """The controller; memory: whether it has fallen."""

    prescribed = ()

    def __init__(self):
        self.parameters = {"ahead": np.array(AHEAD), "aside": np.array(ASIDE)}
        self.memory = {"fallen": np.array(0.0)}

    def __call__(self, figure, sense, memory, p):
        turn = 2.0 * np.pi * sense.t / STRIDE
        early = where(less(0.0, sin(turn + 0.6)), 1.0, 0.0)
        off = maximum(_far(sense.u[0] - SPEED) - p["ahead"], early * (_far(sense.u[1]) - p["aside"]))
        fallen = maximum(memory["fallen"], where(less(0.0, off), 1.0, 0.0))
        height = HEIGHT * (1.0 - 0.6 * fallen)
        tap = 0.05 * sin(turn + 0.3)  # the left foot is down in the first half
        target = np.array([sense.q[0], sense.q[1], height, -height - tap, -height + tap])
        tau = -MASS * FADES * np.array([sense.u[0] - SPEED, sense.u[1] + 0.0, 0.0, 0.0, 0.0])
        gains = np.array([0.0, 0.0, 4000.0, 4000.0, 4000.0])
        return Drive(tau=tau, target=target, kp=gains, kd=0.03 * gains), {"fallen": minimum(fallen, 1.0)}


def taken(limit: float, over: float = 0.1) -> float:
    """(1) the other way round: the impulse [N s] that changes the velocity by a limit."""
    return limit * MASS * FADES * over / (1.0 - np.exp(-FADES * over))


def _far(x):
    return maximum(x, -x)


def start():
    """A state on the gait."""
    return np.array([0.0, 0.0, HEIGHT, -HEIGHT, -HEIGHT]), np.array([SPEED, 0.0, 0.0, 0.0, 0.0])
