"""Frames of a cycle as stick figures, one behind the other, as walking has been drawn since Marey (thesis, fig. 9.7).

A stick goes from each joint to the joints and end points that hang on its link. The left side is cold, the right one
warm, as in all pictures of figures; the view is from the side, or from the front.
"""

import numpy as np

from anthropi.algorithms.kinematics import kinematics, point_position

__all__ = ["sticks"]

LEFT, RIGHT, MIDDLE, GROUND = "#00798c", "#d1495b", "#4a5568", "#b8c0cc"
ENDS = ("vertex", "l_fingertip", "r_fingertip", "l_toe_tip", "r_toe_tip", "l_heel", "r_heel")


def sticks(motion, times=24, *, apart=0.0, across=False, axes=None, title="", file=None):
    """How do the limbs go? Stick figures at `times` (how many, or the times [s]) in one panel.

    apart : [m] between frames, besides how far the figure goes; across : seen from the front, not from the right.
    axes : matplotlib axes, new ones if None. title : words above them, and which side is which. file : where to
    write the picture, if anywhere. Returns the axes.
    """
    when = np.linspace(motion.time[0], motion.time[-1], times) if np.ndim(times) == 0 else np.asarray(times, float)
    if axes is None:
        import matplotlib.pyplot as plt

        _, axes = plt.subplots(figsize=(11, 3.2), layout="constrained")
    for k, q in enumerate(motion.at(when).q):
        for side, line in _lines(motion.figure, q):
            x = line[:, 1] if across else line[:, 0]
            shade = 0.35 + 0.65 * (k + 1) / len(when)
            axes.plot(x + k * apart, line[:, 2], color=side, lw=1.1, alpha=shade, solid_capstyle="round")
    axes.axhline(0.0, color=GROUND, lw=1.0, zorder=0)
    axes.set_aspect("equal")
    axes.axis("off")
    if title:
        axes.set_title(title, fontsize=9.5, loc="left", color=MIDDLE)
        for at, word, colour in ((0.945, "left", LEFT), (1.0, "right", RIGHT)):
            axes.text(at, 1.0, word, color=colour, fontsize=9.5, ha="right", va="bottom", transform=axes.transAxes)
    if file is not None:
        axes.figure.savefig(file, dpi=200)
    return axes


def _lines(figure, q):
    """(colour, (2, 3)) of each stick."""
    k = kinematics(figure, q)
    ends = [(figure.link_index(m.link), m) for m in figure.markers if m.name in ENDS]
    for i, link in enumerate(figure.links):
        colour = {"l_": LEFT, "r_": RIGHT}.get(link.name[:2], MIDDLE)
        if figure.parent[i] >= 0:
            yield colour, np.array([k.position[figure.parent[i]], k.position[i]])
        for at, mark in ends:
            if at == i:
                yield colour, np.array([k.position[i], point_position(k, i, mark.point)])
