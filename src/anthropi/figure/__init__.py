"""Figures: structure, configurations, editing, and the figures that come with the package.

| file | subject |
| --- | --- |
| `figure.py`, `from_parts.py` | `Figure`; a figure built from links and joints |
| `parts.py`, `coupling.py` | `Link`, `Shape`, `Marker`, `Direction`, `Loop`; `Coupling` |
| `joints/` | joints, one file for each family; how to add one |
| `numbers.py` | the numbers of a figure by name: list, replace, trace |
| `validation.py`, `states.py` | checks of figures and of states |
| `dynamics_tree.py` | the tree on which the dynamics run |
| `editing/` | re-root, lock, scale, mirror, combine figures |
| `human/` | the human figure: anthropometry, joint ranges, body shapes |
| `samples.py`, `mechanisms.py` | `ap.sample`: pendulums, chains, mechanisms |
"""

from anthropi.figure.coupling import Coupling, Polynomial
from anthropi.figure.figure import Figure
from anthropi.figure.from_parts import figure_from_parts
from anthropi.figure.joints import (
    JOINTS,
    Ball,
    Composite,
    Cylindrical,
    Euler,
    Exponential,
    Free,
    Helical,
    Joint,
    Locked,
    Planar,
    Prismatic,
    Revolute,
    Translational,
    Weld,
    universal,
)  # fmt: skip
from anthropi.figure.numbers import Slot, numbers
from anthropi.figure.parts import Direction, Link, Loop, Marker, Shape

__all__ = [
    "JOINTS", "Ball", "Composite", "Coupling", "Cylindrical", "Direction", "Euler", "Exponential", "Figure", "Free",
    "Helical", "Joint", "Link", "Locked", "Loop", "Marker", "Planar", "Polynomial", "Prismatic", "Revolute", "Shape",
    "Slot", "Translational", "Weld", "figure_from_parts", "numbers", "universal",
]  # fmt: skip
