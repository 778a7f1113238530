"""The numbers of a figure that sliders move: inputs of the kernel, so that a change acts in the next step.

mass and tensor of every link that has mass; stiffness, damping and rest of every dof; gravity.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from anthropi.figure.figure import Figure
from anthropi.figure.numbers import content, numbers

__all__ = ["Slots"]

OF_JOINT = ("stiffness", "rest", "damping")


class Slots:
    """The slots of a figure, and the row of numbers of another that differs only in them."""

    def __init__(self, figure: Figure):
        self.figure = figure
        own = [f"{link.name}.{part}" for link in figure.links if link.mass > 0.0 for part in ("mass", "tensor")]
        own += [f"{joint.name}.{part}" for joint in figure.joints if joint.nu for part in OF_JOINT]
        self.names = (*own, "gravity")
        self._heavy = tuple(link.mass > 0.0 for link in figure.links)
        self._links = [content(_bare_link(link)) for link in figure.links]
        self._joints = [content(_bare_joint(joint)) for joint in figure.joints]

    def row(self, figure: Figure) -> np.ndarray | None:
        """The numbers (size,) that make this figure of the slots' own; None if more than numbers differ."""
        if not self._alike(figure):
            return None
        found = numbers(figure)
        return np.concatenate([np.asarray(found[name], float) for name in self.names])

    def values(self, row) -> dict[str, Any]:
        """{slot: numbers} of a row."""
        found, at, own = {}, 0, numbers(self.figure)
        for name in self.names:
            found[name], at = row[at : at + len(own[name])], at + len(own[name])
        return found

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
            tuple(link.mass > 0.0 for link in figure.links) == self._heavy
            and all(a is b or content(_bare_link(a)) == words for a, b, words in links)
            and all(a is b or content(_bare_joint(a)) == words for a, b, words in joints)
            and (figure.loops is own.loops or content(figure.loops) == content(own.loops))
            and (figure.markers is own.markers or content(figure.markers) == content(own.markers))
        )


def _bare_link(link):
    return replace(link, mass=0.0, tensor=np.zeros((3, 3)))


def _bare_joint(joint):
    return joint.changed(**{name: np.zeros(joint.nu) for name in OF_JOINT})
