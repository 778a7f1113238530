"""Data of Table 2 of Liu, Song and Yong (2013): the eight systems, the start values and the printed numbers, with a
function that measures one cell of the table.

Source: docs/equations/constraints.md sections 6, 7 and 9, and errata (v₁' by E11, examples 3 and 4 swapped by E13). A
cell is a system × a region of starts × a Jacobian. It contains how many of 10,000 starts converge, and the mean number
of evaluations of Φ. z is the difference in standard deviations of sampling. Works on plain floats only.
"""

import math
from typing import NamedTuple

import numpy as np

from anthropi.algebra.rotation import quaternion_from_euler
from anthropi.constraints import cartesian, newton
from anthropi.constraints.primitives import Angle, Direction, Distance, Dot1, Dot2, Normalisation, Point, Primitive
from anthropi.errors import InputError, did_you_mean

__all__ = ["CELLS", "REGIONS", "SYSTEMS", "Cell", "Measured", "measure", "starts", "system", "z_of"]

BODY = "body"
TOLERANCE, CAP = 1e-10, 100
VOID = "constraint 1 is void as printed, so that Φ_q is singular everywhere (E12); shown is the pseudo-inverse"

EDGES = ((1.0, 1.0, 1.0), (0.0, 2.0, 1.0), (1.0, 1.0, 0.0))  # v' of example 1, to be made unit (E11)
EX1 = (EDGES, ((4, 4, -2), (10, 0, 7), (0, 3, 10)), ((0, 5, 1), (3, 1, -1), (1, 2, 2)))
EX2 = (((0, 0, 0), (1, 0, 0), (0, 1, 0)), ((0, 0, 1), (2, 1, 0), (1, 0, 2)), (1.0, math.sqrt(6.0), math.sqrt(5.0)))


def _unit(v):
    return tuple(np.asarray(v) / np.sqrt(np.sum(np.square(v))))


def system(example: int, movable: int) -> tuple[Primitive, ...]:
    """Return the constraints of an example (1 to 4) of Table 1; body 1 or 2 moves, the other is the world."""
    one, two = (BODY, "") if movable == 1 else ("", BODY)
    x, y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    if example == 1:
        return tuple(Dot2(Direction(one, _unit(v)), Point(one, p), Point(two, q)) for v, p, q in zip(*EX1, strict=True))
    if example == 2:
        return tuple(Distance(Point(one, p), Point(two, q), d) for p, q, d in zip(*EX2, strict=True))
    if example == 3:
        across = Dot2(Direction(one, _unit((1.0, 1.0, 1.0))), Point(one, (0, 1, 1)), Point(two, (1, 0, 2)))
        return Dot1(Direction(one, x), Direction(two, x)), Dot1(Direction(one, y), Direction(two, y)), across
    angles = (Angle(Direction(one, e), Direction(two, e), a) for e, a in ((x, math.pi / 6), (y, math.pi / 3)))
    return *angles, Distance(Point(one, (1, -1, 0)), Point(two, (0, 1, 2)), 2.0)


SYSTEMS = {f"{example}b{movable}": system(example, movable) for example in (1, 2, 3, 4) for movable in (2, 1)}


def _box(low: float):
    return lambda rng, count: rng.uniform(low, 1.0, size=(count, 4))


def _euler(rng, count):
    return quaternion_from_euler(rng.uniform(-math.pi, math.pi, size=(count, 3)), "zyx")


def _sphere(rng, count):
    q = rng.normal(size=(count, 4))
    return q / np.sqrt((q * q).sum(-1, keepdims=True))


REGIONS = {"box01": _box(0.0), "box": _box(-1.0), "euler": _euler, "sphere": _sphere}


def starts(region: str, count: int, seed: int) -> np.ndarray:
    """Random Euler parameters (count, 4).

    "box01" [0, 1]⁴; "box" [-1, 1]⁴; "euler" uniform Euler angles; "sphere" uniform over all attitudes.
    """
    if region not in REGIONS:
        raise InputError(f"No region '{region}'.{did_you_mean(region, REGIONS)} Choose: {', '.join(REGIONS)}.")
    return REGIONS[region](np.random.default_rng([seed, *region.encode()]), count)


class Cell(NamedTuple):
    """One experiment: printed numbers (of 10,000), those of our specification, and why it cannot be reproduced."""

    name: str
    system: str
    region: str
    form: str
    printed: tuple[int, float]
    reproduced: tuple[int, float]
    reason: str = ""


CELLS = (
    Cell("Exam. 1, body 2", "1b2", "box01", "euler", (10000, 9.43), (10000, 9.45)),
    Cell("Exam. 1, body 2", "1b2", "box01", "peng", (9919, 23.38), (9910, 23.20)),
    Cell("Exam. 1, body 2", "1b2", "euler", "euler", (10000, 10.65), (10000, 10.67)),
    Cell("Exam. 1, body 2", "1b2", "euler", "peng", (9824, 27.19), (9835, 27.52)),
    Cell("Exam. 1, body 1", "1b1", "box01", "euler", (3439, 10.98), (3483, 11.03)),
    Cell("Exam. 1, body 1", "1b1", "box01", "eq22", (30, 12.77), (37, 12.78)),
    Cell("Exam. 1, body 1", "1b1", "euler", "euler", (2666, 10.07), (2742, 10.13)),
    Cell("Exam. 1, body 1", "1b1", "euler", "eq22", (238, 10.83), (245, 10.80)),
    Cell("Exam. 2", "2b2", "box", "euler", (8120, 8.92), (10000, 7.63), VOID),
    Cell("Exam. 2", "2b2", "box", "peng", (651, 58.74), (3192, 15.19), VOID),
    Cell("Exam. 2", "2b2", "euler", "euler", (6446, 7.42), (10000, 7.00), VOID),
    Cell("Exam. 2", "2b2", "euler", "peng", (1252, 62.76), (6360, 12.72), VOID),
    Cell("Exam. 3 (Table 1: 4)", "4b2", "box", "euler", (1592, 8.88), (1552, 9.00)),
    Cell("Exam. 3 (Table 1: 4)", "4b2", "box", "peng", (1681, 13.65), (1667, 13.65)),
    Cell("Exam. 3 (Table 1: 4)", "4b2", "euler", "euler", (1311, 8.49), (1280, 8.42)),
    Cell("Exam. 3 (Table 1: 4)", "4b2", "euler", "peng", (1531, 13.63), (1548, 13.56)),
    Cell("Exam. 4 (Table 1: 3)", "3b2", "box", "euler", (8250, 8.42), (8196, 8.37)),
    Cell("Exam. 4 (Table 1: 3)", "3b2", "box", "peng", (7748, 10.94), (7762, 10.96)),
    Cell("Exam. 4 (Table 1: 3)", "3b2", "euler", "euler", (8547, 8.43), (8513, 8.58)),
    Cell("Exam. 4 (Table 1: 3)", "3b2", "euler", "peng", (8082, 10.99), (7986, 11.00)),
)


class Measured(NamedTuple):
    """Number of `starts` that converged (won), and mean and standard deviation of their evaluations."""

    starts: int
    won: int
    mean: float
    spread: float


def measure(cell: Cell, count: int, seed: int, opt=2) -> Measured:
    """Run a cell: Algorithm 1 on `count` starts."""
    q0 = starts(cell.region, count, seed)
    if cell.reason:
        won, k = _pseudo_inverse(SYSTEMS[cell.system], q0, cell.form)
    else:
        found = newton.kernel(SYSTEMS[cell.system], "newton", opt=opt, tol=TOLERANCE, cap=CAP, form=cell.form)(q0)
        won, k = found.converged > 0.5, found.evaluations
    k = k[won]
    return Measured(count, int(won.sum()), float(k.mean()) if k.size else math.nan, float(k.std()) if k.size else 0.0)


def z_of(found: Measured, said: tuple[int, float], of: int = 10_000) -> tuple[float, float]:
    """Return the distance of count and mean from the printed `said` of a sample of `of`, in standard deviations."""
    p, share = found.won / found.starts, said[0] / of
    pooled = (found.won + said[0]) / (found.starts + of)
    sigma = math.sqrt(pooled * (1.0 - pooled) * (1.0 / found.starts + 1.0 / of))
    error = found.spread * math.sqrt(1.0 / max(found.won, 1) + 1.0 / max(said[0], 1))
    apart = 0.0 if p == share else (p - share) / sigma
    return apart, (found.mean - said[1]) / error if error else 0.0


def _pseudo_inverse(constraints, q0, form: str):
    """Run Algorithm 1 with the pseudo-inverse (rcond 1e-12), for all starts at once."""
    every = (Normalisation(BODY), *constraints)
    rows = _many_rows(every, form)
    q, k, running = q0.copy(), np.zeros(len(q0)), np.arange(len(q0))
    won = np.zeros(len(q0), bool)
    for _ in range(CAP):
        phi, J = rows(q[running])
        k[running] += 1.0
        near = np.sqrt((phi * phi).sum(-1)) < TOLERANCE
        won[running[near]] = True
        running, phi, J = running[~near], phi[~near], J[~near]
        step = (np.linalg.pinv(J, rcond=1e-12) @ phi[..., None])[..., 0]
        good = np.isfinite(step).all(-1)
        running = running[good]
        q[running] -= step[good]
        if not running.size:
            break
    return won, k


def _many_rows(every, form: str):
    """Return a kernel that computes Φ and Φ_q for many q."""
    from anthropi.compiler import build
    from anthropi.tape import record

    def rows(q):
        phi, J = cartesian.rows((BODY,), np.concatenate([np.zeros(3), q]), every, form=form)
        return phi, J[:, 3:]

    return build(record(rows, q=np.zeros(4)), opt=0)
