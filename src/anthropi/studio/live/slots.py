"""The numbers of a figure that sliders move: inputs of the kernel, so that a change acts in the next step.

mass m and tensor of a link are s m, s I: one number s a link                                              (1)
stiffness, damping and rest of every degree of freedom; gravity                                            (2)
"""

from dataclasses import replace

import numpy as np

from anthropi.algebra.linear import upper
from anthropi.figure.figure import Figure
from anthropi.figure.numbers import content

__all__ = ["Slots"]

OF_JOINT = ("stiffness", "rest", "damping")
SAME = 1e-9  # of tensors by the kilogram


class Slots:
    """The slots of a figure, and the row of numbers of another that differs only in them."""

    def __init__(self, figure: Figure):
        self.figure = figure
        self._heavy = tuple(i for i, link in enumerate(figure.links) if link.mass > 0.0)
        self.size = len(self._heavy) + len(OF_JOINT) * figure.nu + 3
        self._links = [content(_bare_link(link)) for link in figure.links]
        self._joints = [content(_bare_joint(joint)) for joint in figure.joints]

    def row(self, figure: Figure) -> np.ndarray | None:
        """The numbers (size,) that make this figure of the slots' own; None if more than numbers differ."""
        if not self._alike(figure):
            return None
        share = [float(figure.links[i].mass) / float(self.figure.links[i].mass) for i in self._heavy]
        rows = [np.asarray(getattr(j, name), float) for j in figure.joints for name in OF_JOINT]
        return np.concatenate([share, *rows, np.asarray(figure.gravity, float)])

    def _alike(self, figure: Figure) -> bool:
        """Whether a figure is the slots' own but for these numbers."""
        own = self.figure
        if figure is own:
            return True
        if figure.n != own.n or figure.parent != own.parent or figure.nq != own.nq:
            return False
        links = zip(figure.links, own.links, self._links, strict=True)
        joints = zip(figure.joints, own.joints, self._joints, strict=True)
        return (
            all(a is b or (_per_kilogram(a, b) and content(_bare_link(a)) == words) for a, b, words in links)
            and all(a is b or content(_bare_joint(a)) == words for a, b, words in joints)
            and (figure.loops is own.loops or content(figure.loops) == content(own.loops))
            and (figure.markers is own.markers or content(figure.markers) == content(own.markers))
        )

    def traced(self, row) -> Figure:
        """The figure with the numbers of a row, which records."""
        figure, at = self.figure, len(self._heavy)
        slots, values = [], []
        for k, i in enumerate(self._heavy):
            link = figure.links[i]
            slots += [f"{link.name}.mass", f"{link.name}.tensor"]
            values += [row[k] * float(link.mass), *(row[k] * x for x in upper(np.asarray(link.tensor, float)))]  # (1)
        for joint in figure.joints:
            for name in OF_JOINT if joint.nu else ():
                slots.append(f"{joint.name}.{name}")
                values += [row[at + k] for k in range(joint.nu)]  # (2)
                at += joint.nu
        slots.append("gravity")
        values += [row[at + k] for k in range(3)]
        return figure.with_numbers(slots, np.array(values, dtype=object))


def _bare_link(link):
    return replace(link, mass=0.0, tensor=np.zeros((3, 3)))


def _bare_joint(joint):
    return joint.changed(**{name: np.zeros(joint.nu) for name in OF_JOINT})


def _per_kilogram(a, b) -> bool:
    """Whether two links have the same tensor by the kilogram, and both a mass or none."""
    if (a.mass > 0.0) != (b.mass > 0.0):
        return False
    x, y = (np.asarray(link.tensor, float) / (float(link.mass) or 1.0) for link in (a, b))
    return bool(np.abs(x - y).max() <= SAME * max(1.0, float(np.abs(y).max())))
