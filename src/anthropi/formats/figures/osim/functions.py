"""Functions of OpenSim as curves: constants, polynomials, splines, broken lines, steps, sines and their multiples.

    SimmSpline, NaturalCubicSpline    cubic pieces with continuous second derivatives. The third derivatives at both
                                      ends are those of the cubics through the first and the last four points; outside,
                                      the curve continues as a straight line                                         (1)
    GCVSpline                         natural spline of degree 2 m - 1 through its points: outside, its polynomial of
                                      degree m - 1 continues                                                         (2)
    StepFunction                      y = y₀ + (y₁ - y₀) (10 s³ - 15 s⁴ + 6 s⁵),  s from 0 to 1                      (3)

Source of (1): G. E. Forsythe, M. A. Malcolm, C. B. Moler, Computer Methods for Mathematical Computations, 1977,
section 4.4. Source of (2): H. J. Woltring, Advances in Engineering Software 8 (1986) 104-113.
"""

import math
from collections.abc import Callable

import numpy as np

from anthropi.errors import FormatError, InputError, did_you_mean
from anthropi.figure.joints.curves import Curve, PiecewiseCurve, PolynomialCurve, SineCurve
from anthropi.formats.figures.osim.elements import child, member, number, numbers, short, text
from anthropi.formats.figures.xml import Node

__all__ = ["FUNCTIONS", "curve_of"]

MAX_NESTED = 20  # multiplier functions inside each other
MAX_POINTS = 2000  # points of a curve, which is solved with a dense matrix for splines of degree 5 and more
MAX_TERMS = 1000  # terms of a polynomial of several coordinates


def curve_of(node: Node, arguments: int, depth: int = 0) -> Curve:
    """Return the curve of a function element such as <LinearFunction>.

    node : the element. arguments : the number of coordinates that it is a function of.
    """
    if node.tag not in FUNCTIONS:
        raise FormatError(
            f"{node.where}: unknown function <{short(node.tag)}>.{did_you_mean(node.tag, FUNCTIONS)} "
            f"Known: {', '.join(FUNCTIONS)}."
        )
    if depth > MAX_NESTED:
        raise FormatError(f"{node.where}: functions are nested more than {MAX_NESTED} levels deep.")
    try:
        if node.tag == "MultiplierFunction":
            inner = member(node, "function")
            if inner is None:
                raise FormatError(f"{node.where} lacks a function to multiply. Add <function>.")
            curve = curve_of(inner, arguments, depth + 1)
            return curve.rescaled(number(node, "scale", default=1.0), (1.0,) * curve.arguments)
        curve = FUNCTIONS[node.tag](node)
    except InputError as error:
        raise FormatError(f"{node.where}: {error}") from None
    if curve.constant is not None and curve.arguments != arguments:
        return PolynomialCurve(((0,) * arguments,), (curve.constant,))
    if curve.arguments != arguments:
        raise FormatError(
            f"{node.where} is a function of {curve.arguments}, but has {arguments} coordinates. Give as many as it has."
        )
    return curve


def _constant(node: Node) -> Curve:
    return PolynomialCurve(((),), (number(node, "value", default=0.0),))


def _linear(node: Node) -> Curve:
    """Σ a_k x_k + b, with the coefficients a_1 … b."""
    *slopes, offset = numbers(node, "coefficients", default=(1.0, 0.0)).tolist()
    one = np.eye(len(slopes), dtype=int).tolist()
    return PolynomialCurve((*map(tuple, one), (0,) * len(slopes)), (*slopes, offset))


def _polynomial(node: Node) -> Curve:
    """Return the polynomial whose highest coefficient comes first."""
    return PolynomialCurve.of(*numbers(node, "coefficients").tolist()[::-1])


def _multivariate(node: Node) -> Curve:
    """Return a polynomial of several arguments: all powers up to the order, those of the last argument vary fastest."""
    dimension, order = int(number(node, "dimension")), int(number(node, "order"))
    if not 1 <= dimension <= 6 or not 0 <= order <= 9 or math.comb(dimension + order, order) > MAX_TERMS:
        raise FormatError(f"{node.where} has dimension {dimension} and order {order}. Give 1 to 6, and 0 to 9.")
    powers: list[tuple[int, ...]] = [()]
    for _ in range(dimension):
        powers = [(*p, k) for p in powers for k in range(order + 1 - sum(p))]
    return PolynomialCurve(tuple(powers), numbers(node, "coefficients", count=len(powers)))


def _points(node: Node, least: int) -> tuple[np.ndarray, np.ndarray]:
    x, y = numbers(node, "x"), numbers(node, "y")
    if len(x) != len(y) or not least <= len(x) <= MAX_POINTS:
        raise FormatError(f"{node.where} has {len(x)} x and {len(y)} y. Give {least} to {MAX_POINTS} of each.")
    if not (np.diff(x) > 0.0).all():
        raise FormatError(f"{node.where}: its x do not increase. Sort the points, and give each x once.")
    return x, y


def _simm_spline(node: Node) -> Curve:
    """Return the cubic spline (1)."""
    x, y = _points(node, 2)
    h, s = np.diff(x), np.diff(y) / np.diff(x)
    n = len(x)
    if n == 2:
        return PolynomialCurve(((0,), (1,)), (y[0] - s[0] * x[0], s[0]))
    A, r = np.zeros((n, n)), np.zeros(n)  # of sixths of the second derivatives at the points
    for i in range(1, n - 1):
        A[i, i - 1 : i + 2] = h[i - 1], 2.0 * (h[i - 1] + h[i]), h[i]
        r[i] = s[i] - s[i - 1]
    A[0, :2], A[-1, -2:] = (-h[0], h[0]), (h[-1], -h[-1])
    if n > 3:
        third = [_third_difference(x[k : k + 4], y[k : k + 4]) for k in (0, n - 4)]
        r[0], r[-1] = h[0] ** 2 * third[0], -(h[-1] ** 2) * third[1]
    c = np.linalg.solve(A, r)
    first = s - h * (c[1:] + 2.0 * c[:-1])
    last = s[-1] + h[-1] * (c[-2] + 2.0 * c[-1])
    inside = np.stack([y[:-1], first, 3.0 * c[:-1], np.diff(c) / h], axis=1)
    return PiecewiseCurve(x, [[y[0], first[0], 0.0, 0.0], *inside, [y[-1], last, 0.0, 0.0]])


def _third_difference(x: np.ndarray, y: np.ndarray) -> float:
    """Return the third divided difference of four points."""
    for k in range(1, 4):
        y = np.diff(y) / (x[k:] - x[:-k])
    return float(y[0])


def _gcv_spline(node: Node) -> Curve:
    """Return the natural spline (2): Σ a_j x^j + Σ b_i |x - x_i|^(2m-1) with Σ b_i x_i^j = 0 for j < m."""
    x, y = _points(node, 2)
    m = int(number(node, "half_order", default=3.0))
    if number(node, "error_variance", default=0.0) != 0.0:
        raise FormatError(
            f"{node.where} smooths its points (error_variance is not 0). Replace them by points on the smoothed curve, "
            "and set error_variance to 0."
        )
    if not 1 <= m <= 4 or len(x) < 2 * m or len(x) > MAX_POINTS // 4:
        raise FormatError(f"{node.where} has half_order {m} and {len(x)} points. Give 1 to 4, and 2 m points at least.")
    middle, half = 0.5 * (x[0] + x[-1]), 0.5 * (x[-1] - x[0])
    t = (x - middle) / half  # from -1 to 1, so that powers are of size 1
    powers, degree = np.vander(t, m, increasing=True), 2 * m - 1
    whole = np.block([[np.abs(t[:, None] - t) ** degree, powers], [powers.T, np.zeros((m, m))]])
    found = np.linalg.solve(whole, np.concatenate([y, np.zeros(m)]))
    b, a = found[: len(t)], found[len(t) :]
    rows = []
    for k in range(len(t) + 1):
        start, sign = t[max(k - 1, 0)], np.where(np.arange(len(t)) < k, 1.0, -1.0)
        row = []
        for d in range(degree + 1):
            smooth = sum(a[j] * math.comb(j, d) * start ** (j - d) for j in range(d, m))
            row.append(smooth + math.comb(degree, d) * float(b @ (sign * (start - t) ** (degree - d))))
        if k in (0, len(t)):
            row[m:] = [0.0] * (degree + 1 - m)  # exactly, beyond the points
        rows.append(row)
    return PiecewiseCurve(x, np.array(rows) / half ** np.arange(degree + 1))


def _broken_line(node: Node) -> Curve:
    """Return straight lines between points; the first and the last continue outside."""
    x, y = _points(node, 2)
    s = np.diff(y) / np.diff(x)
    return PiecewiseCurve(x, np.stack([[y[0], *y], [s[0], *s, s[-1]]], axis=1))


def _steps(node: Node) -> Curve:
    """Return a value between each two points; the last holds from its point on, the first also before it."""
    x, y = _points(node, 1)
    return PiecewiseCurve(x, np.array([y[0], *y])[:, None])


def _step(node: Node) -> Curve:
    """Return the smooth step (3)."""
    x0, x1 = (
        number(node, "transition_start_time", "start_time", default=0.99),
        number(node, "transition_end_time", "end_time", default=1.01),
    )
    y0, y1 = number(node, "start_value", default=0.0), number(node, "end_value", default=1.0)
    if not x0 < x1:
        raise FormatError(f"{node.where} goes from {x0:g} to {x1:g}. The end must be above the start.")
    rise = (y1 - y0) * np.array([10.0, -15.0, 6.0]) / (x1 - x0) ** np.arange(3, 6)
    return PiecewiseCurve((x0, x1), [[y0, *[0.0] * 5], [y0, 0.0, 0.0, *rise], [y1, *[0.0] * 5]])


def _sine(node: Node) -> Curve:
    values = {name: number(node, name, default=default) for name, default in
              (("amplitude", 1.0), ("omega", 1.0), ("phase", 0.0), ("offset", 0.0))}  # fmt: skip
    return SineCurve((values["omega"],), values["phase"], values["amplitude"], 0.0, values["offset"])


def _refused(node: Node) -> Curve:
    expression = f" '{short(text(node, 'expression'))}'" if child(node, "expression") else ""
    raise FormatError(f"{node.where}: <{node.tag}>{expression} cannot be read. Replace it by a spline through points.")


FUNCTIONS: dict[str, Callable[[Node], Curve]] = {
    "Constant": _constant,
    "LinearFunction": _linear,
    "PolynomialFunction": _polynomial,
    "MultivariatePolynomialFunction": _multivariate,
    "SimmSpline": _simm_spline,
    "NaturalCubicSpline": _simm_spline,
    "natCubicSpline": _simm_spline,
    "GCVSpline": _gcv_spline,
    "PiecewiseLinearFunction": _broken_line,
    "PiecewiseConstantFunction": _steps,
    "StepFunction": _step,
    "Sine": _sine,
    "MultiplierFunction": _refused,  # handled in `curve_of`
    "ExpressionBasedFunction": _refused,
}
