"""How many operations does an algorithm take for a figure? Counted on the tape, beside the counts of the literature.

    1983 method, direct    199 n - 198 multiplications, 174 n - 173 additions     (1)  thesis Table 5.1, spec 3.3
    Li, inverse            120 n - 104 multiplications,  98 n -  94 additions     (2)  thesis Table 3.1, spec 14

n counts joints of one degree of freedom; the thesis makes a ball of three and a free base of six (spec 4.1, 4.3), so n
is the figure's degrees of freedom. (1) and (2) are for chains of links with any twist, offset and body.
"""

from typing import NamedTuple

import numpy as np

from anthropi import api
from anthropi.algebra.rotation import matrix_from_rotation_vector
from anthropi.algebra.spatial import Transform
from anthropi.figure import Figure, Link, Revolute
from anthropi.tape import Tape

__all__ = ["Counts", "costs", "literature", "manipulator", "of_tape"]


class Counts(NamedTuple):
    """Operations before lowering; `neg` counts 0, everything else 1."""

    multiplications: int
    additions: int
    divisions: int = 0
    rest: int = 0  # square roots, sines, comparisons …

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self)


def of_tape(tape: Tape) -> Counts:
    """The operations of a tape by kind; a fused one is a product and a sum."""
    found = tape.counts()
    products, sums = found["mul"] + found["fma"], found["add"] + found["sub"] + found["fma"]
    rest = tape.operations - found["mul"] - found["add"] - found["sub"] - found["fma"] - found["div"]
    return Counts(products, sums, found["div"], rest)


def costs(figure: Figure) -> dict[str, Counts]:
    """The operations of the algorithms for a figure, its loops open.

    In hybrid dynamics every other joint is prescribed, the first one is not.
    """
    figure = figure.changed(loops=()) if figure.loops else figure
    held = tuple(joint.name for joint in figure.joints[1::2] if joint.nu)
    kernels = {
        "kinematics, poses": api.compile(api.kinematics, figure, ("q",)),
        "kinematics, all": api.compile(api.kinematics, figure, ("q", "u", "udot")),
        "direct dynamics": api.compile(api.direct_dynamics, figure),
        "inverse dynamics": api.compile(api.inverse_dynamics, figure),
        "hybrid dynamics": api.compile(api.hybrid_dynamics, figure, prescribed=held),
        "mass matrix": api.compile(api.mass_matrix, figure),
    }
    return {name: of_tape(kernel.tape) for name, kernel in kernels.items()}


def literature(n: int) -> dict[str, Counts]:
    """What the thesis' tables give for n joints of one degree of freedom."""
    return {
        "direct dynamics": Counts(199 * n - 198, 174 * n - 173),  # (1)
        "inverse dynamics": Counts(120 * n - 104, 98 * n - 94),  # (2)
    }


def manipulator(n: int, square: bool = False) -> Figure:
    """A chain of n hinges about z, each placed by a twist about x and offsets along x and z, with any bodies.

    square : twists of a right angle, as most arms have them; else any twist.
    """
    links, joints = [], []
    for k in range(n):
        turn = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
        if not square:
            turn = matrix_from_rotation_vector(np.array([0.5 + 0.1 * k, 0.0, 0.0]))
        place = Transform(turn, np.array([0.3, 0.0, 0.0]) + 0.1 * turn[:, 2])
        links.append(Link(f"link_{k}", 2.0, np.array([0.1, 0.02, 0.03]), np.diag([0.1, 0.2, 0.25]) + 0.01))
        joints.append(Revolute(name=f"joint_{k}", axis="z", placement=place))
    return Figure(f"arm of {n}", tuple(links), tuple(joints), tuple(range(-1, n - 1)))
