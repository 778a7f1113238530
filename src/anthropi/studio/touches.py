"""Contacts of a motion that ever carry anything: points and forces in the world, for pages and pictures."""

from typing import NamedTuple

import numpy as np

from anthropi.motion import Motion
from anthropi.motion.contacts import contact_points, contacts_of

__all__ = ["Touch", "touches_of"]


class Touch(NamedTuple):
    """One contact. name : as recorded. link : its number. point (frames, 3) [m], force (frames, 3) [N]."""

    name: str
    link: int
    point: np.ndarray
    force: np.ndarray


def touches_of(motion: Motion) -> list[Touch]:
    """The contacts of a motion that ever carry anything; none if it did not record them."""
    forces, records = motion.channels.get("contact"), contacts_of(motion)
    if forces is None or forces.ndim != 3 or forces.shape[1] != len(records):
        return []
    links, points = {link.name: i for i, link in enumerate(motion.figure.links)}, contact_points(motion)
    return [
        Touch(record.name, links[record.link], points[:, k], forces[:, k])
        for k, record in enumerate(records)
        if record.link in links and forces[:, k].any()
    ]
