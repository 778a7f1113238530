"""Cart-pole: keep a pole upright on a cart, by a force on the cart (Barto, Sutton and Anderson, 1983)."""

from typing import Any

import numpy as np

from anthropi.algebra import spatial as sp
from anthropi.algebra.scalar import absolute, greater
from anthropi.algebra.spatial import Transform
from anthropi.contact.scene import Scene
from anthropi.figure import Figure, Link, Shape
from anthropi.figure.from_parts import figure_from_parts
from anthropi.figure.joints import Prismatic, Revolute
from anthropi.interop.gym.laws import Forces
from anthropi.interop.gym.recording import Camera
from anthropi.interop.gym.view import Start

__all__ = ["cartpole", "cartpole_figure"]

FORCE = 10.0  # [N] for an action of 1
MAX_ANGLE, MAX_OFFSET = 0.2095, 2.4  # [rad], [m] at which an episode ends
START = 0.05  # [m, rad, m/s, rad/s] largest deviation at the start


def cartpole_figure() -> Figure:
    """Return a cart of 1 kg on a rail along x, and a pole of 1 m and 0.1 kg on a hinge."""

    def box(name: str, size: Any, mass: float, height: float) -> Link:
        place = Transform(np.eye(3), np.array([0.0, 0.0, height]))
        body = sp.box(size, mass=mass, centre=place.origin)
        return Link.of(name, body, [Shape("box", tuple(size), place, name)])

    return figure_from_parts("cartpole", [
        (None, Prismatic(name="slide", axis="x"), box("cart", (0.4, 0.25, 0.2), 1.0, 0.1)),
        ("cart", Revolute(name="hinge", axis="y", placement=Transform(np.eye(3), np.array([0.0, 0.0, 0.2]))),
         box("pole", (0.05, 0.05, 1.0), 0.1, 0.5)),
    ])  # fmt: skip


def _observe(figure: Any, view: Any) -> Any:
    return np.concatenate([view.q, view.u])


def _reward(figure: Any, view: Any) -> Any:
    return 1.0


def _done(figure: Any, view: Any) -> Any:
    return greater(absolute(view.q[1]), MAX_ANGLE) | greater(absolute(view.q[0]), MAX_OFFSET)


def _start(figure: Any, random: Any) -> Start:
    return Start(random.uniform(-START, START, 2), random.uniform(-START, START, 2))


def cartpole(**options: Any) -> dict[str, Any]:
    """Return the parts of the task."""
    figure = cartpole_figure()
    law = Forces(figure, FORCE, dofs=("slide",), substeps=4, **options)
    return {"scene": Scene(figure, ground=None, contact=None), "law": law, "dt": 5e-3, "observe": _observe,
            "reward": _reward, "done": _done, "start": _start,
            "camera": Camera("side", span=2.0, centre=(0.0, 0.0, 0.6))}  # fmt: skip
