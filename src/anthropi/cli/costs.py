"""Operation counts of the algorithms for a figure and published counts, the tables of `anthropi info --cost`.

Operations are counted on the tape. The published counts are for serial chains of n joints with one degree of freedom,
with any twist, offset and body (docs/equations/thesis.md, Tables 5.1 and 3.1):

    articulated-body method of 1983, direct    199 n - 198 multiplications, 174 n - 173 additions     (1)
    Li, inverse                                120 n - 104 multiplications,  98 n -  94 additions     (2)

A ball joint counts as three joints and a free base as six, so n is the number of degrees of freedom of the figure.
"""

from typing import NamedTuple

import numpy as np
from rich.table import Table
from rich.text import Text

from anthropi import entry
from anthropi.algebra.rotation import matrix_from_rotation_vector
from anthropi.algebra.spatial import Transform
from anthropi.cli.common import table
from anthropi.figure import Figure, Link, Revolute
from anthropi.tape import Tape

__all__ = ["Counts", "cost_tables", "costs", "literature", "manipulator", "of_tape"]


class Counts(NamedTuple):
    """Numbers of operations on a tape before lowering. A negation counts as 0, every other operation as 1."""

    multiplications: int
    additions: int
    divisions: int = 0
    rest: int = 0  # square roots, sines, comparisons …

    @property
    def total(self) -> int:
        """Number of all operations."""
        return sum(self)


def of_tape(tape: Tape) -> Counts:
    """Count the operations of a tape by kind; a fused multiply-add counts as a product and a sum."""
    found = tape.counts()
    products, sums = found["mul"] + found["fma"], found["add"] + found["sub"] + found["fma"]
    rest = tape.operations - found["mul"] - found["add"] - found["sub"] - found["fma"] - found["div"]
    return Counts(products, sums, found["div"], rest)


def costs(figure: Figure) -> dict[str, Counts]:
    """Count the operations of each algorithm for a figure without its loops.

    For hybrid dynamics, every second joint is prescribed, starting with the second.
    """
    figure = figure.changed(loops=()) if figure.loops else figure
    held = tuple(joint.name for joint in figure.joints[1::2] if joint.nu)
    kernels = {
        "kinematics, poses": entry.compile(entry.kinematics, figure, ("q",)),
        "kinematics, all": entry.compile(entry.kinematics, figure, ("q", "u", "udot")),
        "direct dynamics": entry.compile(entry.direct_dynamics, figure),
        "inverse dynamics": entry.compile(entry.inverse_dynamics, figure),
        "hybrid dynamics": entry.compile(entry.hybrid_dynamics, figure, prescribed=held),
        "mass matrix": entry.compile(entry.mass_matrix, figure),
    }
    return {name: of_tape(kernel.tape) for name, kernel in kernels.items()}


def literature(n: int) -> dict[str, Counts]:
    """Return the published counts (1) and (2) for a chain of n joints with one degree of freedom."""
    return {
        "direct dynamics": Counts(199 * n - 198, 174 * n - 173),  # (1)
        "inverse dynamics": Counts(120 * n - 104, 98 * n - 94),  # (2)
    }


def manipulator(n: int, square: bool = False) -> Figure:
    """Build a chain of n revolute joints about z, each placed by a twist about x and offsets along x and z.

    square : whether all twists are right angles, as in most robot arms.
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


CHAIN_SIZES = (6, 12)  # numbers of joints in Table 5.1
METHODS = {"direct dynamics": "method of 1983 (Table 5.1)", "inverse dynamics": "Li (Table 3.1)"}


def cost_tables(figure: Figure) -> list[Table]:
    """Return tables of operation counts for a figure and for serial chains, with published counts."""
    head = (">multiplications", ">additions", ">divisions", ">rest", ">total")
    own = table(f"Operations for {figure.name}{', without its loops' if figure.loops else ''}", "algorithm", *head)
    for name, counts in costs(figure).items():
        own.add_row(Text(name), *_numbers(counts))
        if name in METHODS and figure.nu:
            words = f"  {METHODS[name]}, n = {figure.nu}"
            own.add_row(Text(words, style="dim"), *_numbers(literature(figure.nu)[name]), style="dim")
    arms = table("Operations for chains of n revolute joints", "algorithm", ">n", *head)
    for name, method in METHODS.items():
        for n in CHAIN_SIZES:
            for words, square in (("twists of 90°", True), ("any twist", False)):
                arms.add_row(f"{name}, {words}", str(n), *_numbers(costs(manipulator(n, square))[name]))
            arms.add_row(Text(f"  {method}", style="dim"), str(n), *_numbers(literature(n)[name]), style="dim")
    return [own, arms]


def _numbers(counts: Counts) -> list[str]:
    return [f"{n:,}" if n else "" for n in (*counts, counts.total)]
