"""Residuals and Jacobians of constraints in Cartesian coordinates: position and Euler parameters of each body.

The numbers are those of docs/equations/constraints.md, sections 1, 2 and 4.
q = [r₁ p₁ … r_n p_n] (7n,), p = (e₀, e) scalar first, of any length; A = E Gᵀ is not normalised.

    E = [-e, e× + e₀ 1],   G = [-e, -e× + e₀ 1],   A = E Gᵀ = 2 e eᵀ + (e₀² - e·e) 1 + 2 e₀ e×        (section 1)
    A Aᵀ = 1 only if p·p = 1; in general (p·p)² 1                                                     (1)
    x = r + A s',   v = A v'                                                                          (before 1)
    euler      ∂(A u)/∂p = K(u, p) = 2 [(e× + e₀ 1) u,  (e·u) 1 + e uᵀ - u eᵀ - e₀ u×]                (7), (8)
    peng       -2 A u× G: of the virtual rotation, valid only for p' along the unit sphere            (4), (6b)
    manifold   ∂(A exp(w×) u)/∂w = -A u×: three columns, no normalisation row                         (section 9)
    rows       point gᵀ [1, ∂(A s')], direction gᵀ ∂(A v'), with g = ∂Φ/∂x: (19a-k) all at once       (8), (19)
    along p'   A is quadratic in p, so (A u)″ = 2 A(p') u;   along w: (A u)″ = A w × (w × u)          (A)

`row_22` is equation (22) of the source (Liu, Song and Yong, 2013), which also assumes AᵀA = 1 (erratum E14).
"""

from typing import Any

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.constraints.driven import Equations, Moving, bias_of, drift_of, placed_at
from anthropi.constraints.primitives import EulerParameters, Point, primitives_of
from anthropi.errors import InputError, ShapeError, did_you_mean

__all__ = ["FORMS", "E", "G", "K", "K_manifold", "K_peng", "attitude", "equations", "row_22", "rows"]


def E(p: Any) -> Any:
    """Return the matrix E = [-e, e× + e₀ 1] (3, 4) of Euler parameters p."""
    a, x, y, z = p
    return np.array([[-x, a, -z, y], [-y, z, a, -x], [-z, -y, x, a]])


def G(p: Any) -> Any:
    """Return the matrix G = [-e, -e× + e₀ 1] (3, 4) of Euler parameters p."""
    a, x, y, z = p
    return np.array([[-x, a, z, -y], [-y, -z, a, x], [-z, y, -x, a]])


def attitude(p: Any) -> Any:
    """Return A = E Gᵀ (3, 3), which is quadratic in p: p·p times a rotation matrix."""
    a, x, y, z = p
    xy, xz, yz, ax, ay, az = 2.0 * x * y, 2.0 * x * z, 2.0 * y * z, 2.0 * a * x, 2.0 * a * y, 2.0 * a * z
    one, two = a * a - z * z, x * x - y * y
    three = (a * a + z * z) - (x * x + y * y)
    return np.array([[one + two, xy - az, xz + ay], [xy + az, one - two, yz - ax], [xz - ay, yz + ax, three]])


def K(u: Any, p: Any) -> Any:
    """Return the derivative ∂(A u)/∂p (3, 4) for Euler parameters p of any length (7). u : (3,) in the body's frame."""
    return np.stack([pulled_euler(e, u, p) for e in np.eye(3)])


def K_peng(u: Any, p: Any) -> Any:
    """Return -2 A u× G (3, 4), the derivative of A u by virtual rotation, which lacks the part along p (4), (6b)."""
    return np.stack([pulled_peng(e, u, p) for e in np.eye(3)])


def K_manifold(u: Any, p: Any) -> Any:
    """Return -A u× (3, 3), the derivative of A u with respect to a rotation w in the body's frame."""
    return np.stack([pulled_manifold(e, u, p) for e in np.eye(3)])


def pulled_euler(g: Any, u: Any, p: Any) -> Any:
    """Return gᵀ K(u, p) (4,), the derivative of g · A u with respect to p, for the form "euler" (7)."""
    e0, e = p[0], p[1:]
    c, gu, eu, ge = np.cross(g, u), _dot(g, u), _dot(e, u), _dot(g, e)
    return 2.0 * np.concatenate([[e0 * gu - _dot(e, c)], eu * g + ge * u - gu * e - e0 * c])  # (7)


def pulled_peng(g: Any, u: Any, p: Any) -> Any:
    """Return gᵀ (-2 A u× G) (4,), the derivative of g · A u with respect to p, for the form "peng" (6b)."""
    return -2.0 * matvec(transpose(G(p)), np.cross(matvec(transpose(attitude(p)), g), u))  # (6b)


def pulled_manifold(g: Any, u: Any, p: Any) -> Any:
    """Return gᵀ (-A u×) (3,), the derivative of g · A u with respect to w, for the form "manifold"."""
    return np.cross(u, matvec(transpose(attitude(p)), g))


FORMS = {"euler": pulled_euler, "peng": pulled_peng, "manifold": pulled_manifold}


def row_22(v: Any, start: Any, end: Any, p: Any) -> Any:
    """Return the Jacobian row (4,) of a dot-2 constraint by equation (22).

    2 (v'ᵀ P'× - (Q - A P')ᵀ A v'×) G, with v' and P' (start) on the body, and Q (end) fixed.
    """
    d = end - matvec(attitude(p), start)
    inside = np.cross(v, start) - np.cross(matvec(transpose(attitude(p)), d), v)  # gᵀ u× = g × u
    return 2.0 * matvec(transpose(G(p)), inside)


def rows(bodies: Any, q: Any, constraints: Any, t: Any | None = None, form: str = "euler") -> Any:
    """Compute the residuals Φ (m,) of constraints and their Jacobian (m, 7n), or (m, 6n) for the form "manifold".

    bodies : names, in the order of q; "" is the world. q : (7n,), r [m] and p of each body.
    t : time [s], for driven constraints. form : "euler", "peng" or "manifold".
    """
    moving, pull = _Features(bodies, q, t), _form(form)
    found = [_row(moving, c, pull, t) for c in primitives_of(constraints)]
    return np.stack([phi for phi, _ in found]), np.stack([row for _, row in found])


def equations(
    bodies: Any, q: Any, rates: Any, constraints: Any, t: Any | None = None, form: str = "euler"
) -> Equations:
    """Compute constraint equations at position, velocity and acceleration level.

    rates : q' (7n,); for the form "manifold", r' and the angular velocity w in the body's frame, (6n,).
    """
    residual, jacobian = rows(bodies, q, constraints, t, form)
    moving = _Features(bodies, q, t, rates, form == "manifold")
    each = [(c, [moving.of(f) for f in c.features()]) for c in primitives_of(constraints)]
    drift = np.stack([drift_of(c, m, t) for c, m in each])
    return Equations(residual, jacobian, drift, np.stack([bias_of(c, m, t) for c, m in each]))


class _Features:
    """Positions, velocities and accelerations of the features of bodies."""

    def __init__(self, bodies: Any, q: Any, t: Any | None = None, rates: Any = None, manifold: bool = False) -> None:
        self.bodies, self.t = tuple(bodies), t
        q = _sized("q", q, 7, self.bodies)
        self.r, self.p = [x[:3] for x in q], [x[3:] for x in q]
        self.rates: Any = None if rates is None else _sized("rates", rates, 6 if manifold else 7, self.bodies)
        self.manifold = manifold

    def number(self, body: str) -> int:
        """Return the number of a body."""
        if body not in self.bodies:
            listed = ", ".join(self.bodies)
            raise InputError(f"No body '{body}'.{did_you_mean(body, self.bodies)} Bodies: {listed}.")
        return self.bodies.index(body)

    def of(self, feature: Any) -> Moving:
        """Return the position of a feature, with its velocity and acceleration if rates are given."""
        if isinstance(feature, EulerParameters):
            i = self.number(feature.body)
            return Moving(self.p[i], None, None if self.rates is None else self.rates[i][3:], np.zeros(4))
        s, first, second = placed_at(feature, self.t)
        still = np.zeros(3)
        if feature.body == "":
            return Moving(s, first, still if first is None else first, still if second is None else second)
        i, is_point = self.number(feature.body), isinstance(feature, Point)
        A = attitude(self.p[i])
        x = matvec(A, s) + (self.r[i] if is_point else still)
        drift = None if first is None else matvec(A, first)
        if self.rates is None:
            return Moving(x, drift)
        shift, turn = self.rates[i][:3], self.rates[i][3:]
        rate = self._turned(i, s, A)
        if self.manifold:
            acceleration = matvec(A, np.cross(turn, np.cross(turn, s)))  # (A)
        else:
            acceleration = 2.0 * matvec(attitude(turn), s)  # (A)
        if first is not None:  # x″ gains 2 ∂(A s')/∂p p' and A s″
            rate, acceleration = rate + drift, acceleration + 2.0 * self._turned(i, first, A) + matvec(A, second)
        return Moving(x, drift, rate + (shift if is_point else still), acceleration)

    def _turned(self, i: int, s: Any, A: Any) -> Any:
        """Return the rate of A s due to the rotation of body i."""
        turn = self.rates[i][3:]
        return matvec(A, np.cross(turn, s)) if self.manifold else matvec(K(s, self.p[i]), turn)  # (7)


def _row(moving: _Features, primitive: Any, pull: Any, t: Any) -> Any:
    """Return the residual Φ of a primitive and its Jacobian row, summed over the features of each body (8), (19)."""
    features = primitive.features()
    x = [moving.of(f).x for f in features]
    blocks: dict[int, np.ndarray] = {}
    for f, g in zip(features, primitive.gradient(x), strict=True):
        if f.body == "":
            continue
        i = moving.number(f.body)
        if isinstance(f, EulerParameters):
            shift, turn = np.zeros(3), g if pull is not pulled_manifold else np.zeros(3)
        else:
            s, _, _ = placed_at(f, moving.t)
            shift, turn = (g if isinstance(f, Point) else np.zeros(3)), pull(g, s, moving.p[i])
        own = np.concatenate([shift, turn])
        blocks[i] = own if i not in blocks else blocks[i] + own
    nothing = np.zeros(6 if pull is pulled_manifold else 7)
    line = [blocks.get(i, nothing) for i in range(len(moving.bodies))]
    return primitive.value(x, t), np.concatenate(line) if line else np.zeros(0)


def _sized(name: str, q: Any, size: int, bodies: Any) -> Any:
    """Return coordinates as an array with one row for each body; raise `ShapeError` if the size is wrong."""
    q = np.asarray(q)
    if q.shape != (size * len(bodies),):
        raise ShapeError(
            f"{name} has shape {q.shape}; wanted ({size * len(bodies)},), {size} numbers for each of the "
            f"bodies {', '.join(bodies)}."
        )
    return q.reshape(len(bodies), size)


def _form(form: str) -> Any:
    if form not in FORMS:
        raise InputError(f"Unknown form '{form}'.{did_you_mean(form, FORMS)} Choose one of {', '.join(FORMS)}.")
    return FORMS[form]


def _dot(a: Any, b: Any) -> Any:
    return (a * b).sum()
