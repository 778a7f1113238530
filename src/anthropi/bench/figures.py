"""The figure that is measured: what every peer can hold, and states to measure it at."""

from dataclasses import replace

import numpy as np

from anthropi.figure import Figure, Joint
from anthropi.figure.joints.base import ACTING

__all__ = ["bare", "states"]


def bare(figure: Figure) -> tuple[Figure, str]:
    """The tree of bodies and joints alone, so that all compute the same; and in words what was taken off it.

    Springs, dampers, rotors and limits mean something else to each library, shapes and markers only cost the peers.
    Links come depth first: some of Pinocchio's algorithms are right in that order only.
    """
    taken = ["springs, dampers, rotors and limits"] if any(joint.acts() for joint in figure.joints) else []
    taken += ["loops"] if figure.loops else []
    order = _depth_first(figure)
    new = {-1: -1} | {i: k for k, i in enumerate(order)}
    links = tuple(replace(figure.links[i], shapes=()) for i in order)
    joints = tuple(_alone(figure.joints[i]) for i in order)
    parent = tuple(new[figure.parent[i]] for i in order)
    alone = figure.changed(links=links, joints=joints, parent=parent, markers=(), loops=())
    return alone, " and its ".join(taken)


def _depth_first(figure: Figure) -> list[int]:
    order: list[int] = []
    waiting = [0]
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(figure.children[order[-1]])
    return order


def _alone(joint: Joint) -> Joint:
    parts = {"parts": tuple(_alone(p) for p in joint.parts)} if hasattr(joint, "parts") else {}
    return joint.changed(**dict.fromkeys(("lower", "upper", *ACTING)), **parts)


def states(figure: Figure, count: int, seed: int = 0) -> dict[str, np.ndarray]:
    """Random q (count, nq), u, udot, tau (count, nu)."""
    rng = np.random.default_rng(seed)
    q = np.stack([figure.random(rng) for _ in range(count)])
    return {"q": q, **{name: rng.normal(size=(count, figure.nu)) for name in ("u", "udot", "tau")}}
