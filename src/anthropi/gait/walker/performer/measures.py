"""How high and how far was a jump, how much did feet slip? Measured on motions of a simulation. Floats only.

rise     highest centre of mass less its first height                      (1)
clear    highest that the lowest point of both soles was                   (2)
flight   time without a force of the ground, between first and last touch  (3)
ahead    how far both feet came, the shorter way, along a heading          (4)
slip     how far the middle of a sole moved while its foot carried a tenth of the weight, the longest way of all
         such times, less the first 50 ms of each: a foot that lands settles                                     (5)
"""

from typing import NamedTuple

import numpy as np

from anthropi.entry import centre_of_mass, kinematics
from anthropi.gait.walker.performer.balance import SIDES, sole_of
from anthropi.motion.contacts import contacts_of

__all__ = ["Jumped", "jumped", "loads", "slip"]

TOUCH, STANDS, SETTLES = 1.0, 0.1, 0.05  # [N]; share of the weight; [s]


class Jumped(NamedTuple):
    """(1) to (4) [m, m, s, m], one number or one a rollout; hardest : the most the ground carried, in weights."""

    rise: np.ndarray
    clear: np.ndarray
    flight: np.ndarray
    ahead: np.ndarray
    hardest: np.ndarray


def loads(motion) -> np.ndarray:
    """What each foot carries (…, frames, 2) [N], left and right. The channel "contact" has it."""
    contacts, forces = contacts_of(motion), motion.channels["contact"][..., 2]
    return np.stack([forces[..., [c.link.startswith(f"{x}_") for c in contacts]].sum(-1) for x in SIDES], -1)


def jumped(motion, heading: float = 0.0) -> Jumped:
    """How high, how long, how far?"""
    figure, lead = motion.figure, motion.q.shape[:-1]
    flat = motion.q.reshape(-1, figure.nq)
    k, G = kinematics(figure, flat), centre_of_mass(figure, flat).position.reshape(*lead, 3)
    soles = [k.marker(m.name)[:, 2].reshape(lead) for m in figure.markers if "sole" in m.name]
    feet = np.stack([k.link(f"{x}_foot").position.reshape(*lead, 3) for x in SIDES])
    went = (feet[..., -1, :] - feet[..., 0, :])[..., :2] @ np.array([np.cos(heading), np.sin(heading)])  # (4)
    load = loads(motion).sum(-1)
    after = np.cumsum(load > TOUCH, -1) > 0
    before = np.cumsum((load > TOUCH)[..., ::-1], -1)[..., ::-1] > 0
    free = (load <= TOUCH) & after & before  # (3)
    step = float(motion.time[1] - motion.time[0])
    weight = -figure.mass * figure.gravity[2]
    return Jumped(G[..., 2].max(-1) - G[..., 0, 2], np.min(soles, 0).max(-1), step * free.sum(-1), went.min(0),
                  load.max(-1) / weight)  # fmt: skip


def slip(motion) -> float:
    """How far did a foot slip while it stood? [m] (5)"""
    figure, k = motion.figure, kinematics(motion.figure, motion.q)
    stands = loads(motion) > -STANDS * figure.mass * figure.gravity[2]
    settles = round(SETTLES / float(motion.time[1] - motion.time[0]))
    sole, far = sole_of(figure), 0.0
    for j, x in enumerate(SIDES):
        link = k.link(f"{x}_foot")
        spot = link.position + link.rotation @ np.array([sole.middle, 0.0, -sole.depth])
        edges = np.flatnonzero(np.diff(np.concatenate([[0], stands[:, j].astype(int), [0]])))
        for begin, end in zip(edges[::2] + settles, edges[1::2], strict=True):
            if end > begin:
                far = max(far, float(np.linalg.norm(spot[begin:end, :2] - spot[begin, :2], axis=1).max()))
    return far
