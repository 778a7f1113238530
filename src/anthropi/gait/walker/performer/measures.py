"""Measures of jumps and of slip, from simulated motions.

    rise     highest centre of mass above its first height                                                        (1)
    clear    largest height of the lowest point of both soles                                                     (2)
    flight   time without contact force between the first and the last contact                                    (3)
    ahead    distance that both feet move along a heading, the smaller of the two                                 (4)
    slip     distance that the middle of a sole moves while its foot bears a tenth of the weight; the largest of
             all such periods. The first 50 ms of each are left out, because a landing foot settles then          (5)

All functions work on plain floats only; they cannot be recorded on a tape.
"""

from typing import NamedTuple

import numpy as np

from anthropi.entry import centre_of_mass, kinematics
from anthropi.gait.walker.performer.balance import SIDES, sole_of
from anthropi.motion import Motion
from anthropi.motion.contacts import contacts_of

__all__ = ["Jumped", "jumped", "loads", "slip"]

CONTACT_FORCE = 1.0  # [N], largest force that counts as no contact (3)
STANCE_LOAD, SETTLING_TIME = 0.1, 0.05  # fraction of the weight; [s] (5)


class Jumped(NamedTuple):
    """Measures of a jump, one number per rollout.

    Contains rise [m], clearance [m], flight time [s], distance ahead [m], and the largest ground force divided by the
    weight.
    """

    rise: np.ndarray
    clear: np.ndarray
    flight: np.ndarray
    ahead: np.ndarray
    hardest: np.ndarray


def loads(motion: Motion) -> np.ndarray:
    """Vertical force on the left and the right foot (…, frames, 2) [N], from the channel "contact"."""
    contacts, forces = contacts_of(motion), motion.channels["contact"][..., 2]
    own = [[c.link in (f"{x}_foot", f"{x}_toes") for c in contacts] for x in SIDES]
    return np.stack([forces[..., mask].sum(-1) for mask in own], -1)


def jumped(motion: Motion, heading: float = 0.0) -> Jumped:
    """Measure a jump: rise, clearance, flight time, distance along a heading [rad] and largest ground force."""
    figure, lead = motion.figure, motion.q.shape[:-1]
    flat = motion.q.reshape(-1, figure.nq)
    k, G = kinematics(figure, flat), centre_of_mass(figure, flat).position.reshape(*lead, 3)
    soles = [k.marker(m.name)[:, 2].reshape(lead) for m in figure.markers if "sole" in m.name]
    feet = np.stack([k.link(f"{x}_foot").position.reshape(*lead, 3) for x in SIDES])
    went = (feet[..., -1, :] - feet[..., 0, :])[..., :2] @ np.array([np.cos(heading), np.sin(heading)])  # (4)
    load = loads(motion).sum(-1)
    after = np.cumsum(load > CONTACT_FORCE, -1) > 0
    before = np.cumsum((load > CONTACT_FORCE)[..., ::-1], -1)[..., ::-1] > 0
    free = (load <= CONTACT_FORCE) & after & before  # (3)
    step = float(motion.time[1] - motion.time[0])
    weight = -figure.mass * figure.gravity[2]
    return Jumped(
        rise=G[..., 2].max(-1) - G[..., 0, 2],
        clear=np.min(soles, 0).max(-1),
        flight=step * free.sum(-1),
        ahead=went.min(0),
        hardest=load.max(-1) / weight,
    )


def slip(motion: Motion) -> float:
    """Largest distance [m] that a foot slips during stance (eq. 5)."""
    figure, k = motion.figure, kinematics(motion.figure, motion.q)
    stands = loads(motion) > -STANCE_LOAD * figure.mass * figure.gravity[2]
    settles = round(SETTLING_TIME / float(motion.time[1] - motion.time[0]))
    sole, far = sole_of(figure), 0.0
    for j, x in enumerate(SIDES):
        link = k.link(f"{x}_foot")
        spot = link.position + link.rotation @ np.array([sole.middle, 0.0, -sole.depth])
        edges = np.flatnonzero(np.diff(np.concatenate([[0], stands[:, j].astype(int), [0]])))
        for begin, end in zip(edges[::2] + settles, edges[1::2], strict=True):
            if end > begin:
                far = max(far, float(np.linalg.norm(spot[begin:end, :2] - spot[begin, :2], axis=1).max()))
    return far
