"""Integration methods as data: Runge–Kutta tableaus.

    Runge–Kutta       y⁺ = y + h Σ b_i k_i,  k_i = f(t + c_i h, y + h Σ a_ij k_j)

Sources: Kutta 1901; Dormand and Prince, J. Comp. Appl. Math. 6 (1980) 19 with Shampine's dense output (Math. Comp. 46
(1986) 135, as in Hairer, Nørsett and Wanner II.6).
"""

from typing import NamedTuple

__all__ = ["METHODS", "Tableau"]


class Tableau(NamedTuple):
    """An explicit Runge–Kutta method: rows of A, weights b, nodes c; `embedded` weights of lower order."""

    name: str
    order: int
    A: tuple[tuple[float, ...], ...]
    b: tuple[float, ...]
    c: tuple[float, ...]
    embedded: tuple[float, ...] = ()


EULER = Tableau("euler", 1, ((),), (1.0,), (0.0,))
MIDPOINT = Tableau("midpoint", 2, ((), (0.5,)), (0.0, 1.0), (0.0, 0.5))
RK4 = Tableau(
    "rk4",
    4,
    ((), (0.5,), (0.0, 0.5), (0.0, 0.0, 1.0)),
    (1 / 6, 1 / 3, 1 / 3, 1 / 6),
    (0.0, 0.5, 0.5, 1.0),
)
DORMAND_PRINCE = Tableau(
    "dormand_prince",
    5,
    (
        (),
        (1 / 5,),
        (3 / 40, 9 / 40),
        (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
        (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
    ),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0.0),
    (0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0),
    (5179 / 57600, 0.0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40),
)
METHODS = {method.name: method for method in (EULER, MIDPOINT, RK4, DORMAND_PRINCE)}
