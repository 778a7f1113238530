"""One body that rotates about a fixed point: the Newton method of the paper, and a robust solver.

The numbers in docs/equations/constraints.md are sections 5 and 9. The body rotates about the origin of the world; its
constraints are primitives between it and the world.

`newton` is Algorithm 1, on Euler parameters q (4,) of any length, which are not normalised:

    for k = 1 … cap:   Φ(q);  if ‖Φ‖ < tol: found, k evaluations;  q ← q - Φ_q⁻¹ Φ;  not finite: failed    (1)

`newton_assembly` is the same on floats for several bodies in Cartesian coordinates with Euler parameters, and a
normalisation p·p = 1 for each. The systems of the paper are square; elsewhere Φ_q⁻¹ is the pseudo-inverse.

`robust` works on the unit sphere, with Φ and J in the form "manifold" of cartesian.py:

    (JᵀJ + μ) w = -JᵀΦ,   μ = λ ‖Φ‖ + 1e-13 tr JᵀJ            Levenberg–Marquardt (gauss_newton.py)   (2)
    (JᵀJ + μ) a = -JᵀΦ_ww,   w ← w + ½ a  if |½ a| < ¾ |w|    Φ_ww = Φ″ along w: third order           (3)
    |w| ≤ 2 rad;  q ← q ⊗ exp(w/2)  if ‖Φ‖ falls, λ ← λ/5, else λ ← 4 λ                               (4)
    an attempt ends in a minimum (‖JᵀΦ‖ small beside ‖J‖ ‖Φ‖), after `patience` steps without progress, or at the cap;
    attempt k starts at T_k ⊗ q₀, T_k the k-th rotation of a tetrahedron                              (5)

(3) is geodesic acceleration (Transtrum and Sethna, arXiv:1201.5885, 2012) with the exact second derivative; it needs no
further evaluation of Φ. Minima of ‖Φ‖ that are not solutions stop every descent method; (5) leaves them.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import lu, matvec, transpose
from anthropi.algebra.rotation import quaternion_from_rotation_vector, quaternion_product
from anthropi.algebra.scalar import absolute, gather, less, less_equal, minimum, sqrt, where
from anthropi.compiler import kernel_for
from anthropi.compiler.cache import digest
from anthropi.constraints import cartesian
from anthropi.constraints.gauss_newton import normal_factor
from anthropi.constraints.primitives import Dot2, EulerParameters, Normalisation, primitives_of
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.numbers import content
from anthropi.tape import record, repeat

__all__ = ["TETRAHEDRON", "NewtonResult", "Outcome", "kernel", "newton", "newton_assembly", "robust"]


FORMS = ("euler", "peng", "eq22")
HALF = 0.5
TETRAHEDRON = np.array([
    [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1],
    *([HALF, HALF * x, HALF * y, HALF * z] for x in (1, -1) for y in (1, -1) for z in (1, -1)),
])  # fmt: skip


class Outcome(NamedTuple):
    """Result: q (4,); evaluations of Φ; norm ‖Φ‖ at q; converged, 1.0 or 0.0; attempts begun."""

    q: Any
    evaluations: Any
    norm: Any
    converged: Any
    attempts: Any


def newton(constraints: Any, q0: Any, tol: float = 1e-10, cap: int = 100, form: str = "euler") -> Outcome:
    """Solve by Algorithm 1 (1). q0 : (4,), not normalised. form : "euler" (7), "peng" (6b) or "eq22" (22)."""
    body, every = _one_body(constraints)
    every = (Normalisation(body), *every)

    def step(state: Any) -> Any:
        q, _, _, k = state
        phi, J = _rows(body, q, every, form)
        norm = sqrt((phi * phi).sum())
        found = less(norm, tol)
        d = lu(J).solve(phi)
        bad = ~_finite(d)
        ended = where(found, 1.0, where(bad, 2.0, 0.0))
        return _select(found | bad, q, q - d), norm, ended, k + 1.0

    start = (np.asarray(q0), np.array(np.inf), np.array(0.0), np.array(0.0))
    q, norm, ended, k = repeat(step, start, cap, until=lambda state: less(0.5, state[2]))
    return Outcome(q, k, norm, where(less(absolute(ended - 1.0), 0.5), 1.0, 0.0), 1.0 + 0.0 * k)


def robust(
    constraints: Any,
    q0: Any,
    tol: float = 1e-13,
    cap: int = 100,
    attempts: int = 12,
    *,
    acceleration: bool = True,
    start: float = 0.3,
    patience: int = 4,
    progress: float = 0.1,
    flat: float = 1e-2,
) -> Outcome:
    """Solve from any start by (2)-(5).

    Parameters
    ----------
    q0 : (4,), Euler parameters other than zero; they are normalised. tol : ‖Φ‖ of a solution.
    cap : largest number of steps of an attempt. attempts : largest number of attempts.
    acceleration : whether to use (3). start : λ at first. patience : steps that may lower ‖Φ‖ by less than `progress`
        of it. flat : ‖JᵀΦ‖ / (‖J‖ ‖Φ‖) that counts as a minimum.

    Section 9 of docs/equations/constraints.md has no acceleration, start 0.01, patience 8, progress 0.01, flat 1e-6.
    """
    body, every = _one_body(constraints)
    q0 = np.asarray(q0)
    q0 = q0 / sqrt((q0 * q0).sum())
    n = len(every)

    def step(state: Any) -> Any:
        q, phi, J, damping, (k, attempt, tried, idle, fresh, _) = state
        new = less(0.5, fresh)  # the first evaluation of an attempt: no step has been made
        before = sqrt((phi * phi).sum())
        w = _step(body, every, q, phi, J, damping * before, acceleration)
        trial = _turned(q, w * where(new, 0.0, 1.0))
        phi1, J1 = _manifold(body, trial, every)
        after = sqrt((phi1 * phi1).sum())
        better = new | less(after, before)
        damping = where(new, damping, where(better, damping / 5.0, damping * 4.0))  # (4)
        idle = where(new | less(after, (1.0 - progress) * before), 0.0, idle + 1.0)
        q, phi, J, norm = (
            *(_select(better, *x) for x in ((trial, q), (phi1, phi), (J1, J))),
            where(better, after, before),
        )
        found, slope = less(norm, tol), matvec(transpose(J), phi)
        minimal = less((slope * slope).sum(), flat * flat * (J * J).sum() * norm * norm)
        over = (minimal | less_equal(patience, idle) | less_equal(cap, tried + 1.0)) & ~found  # (5)
        attempt = attempt + where(over, 1.0, 0.0)
        none_left = less_equal(attempts, attempt)
        ended = where(found, 1.0, where(none_left, 2.0, 0.0))
        anew = over & ~none_left
        turn = np.stack([gather(column, attempt) for column in TETRAHEDRON.T])
        q = _select(anew, quaternion_product(turn, q0), q)
        marks = [k + 1.0, attempt, where(anew, 0.0, tried + 1.0), where(anew, 0.0, idle), where(anew, 1.0, 0.0), ended]
        return q, phi, J, where(anew, start, damping), np.stack(marks)

    first = (q0, np.zeros(n), np.zeros((n, 3)), np.array(start), np.array([0.0, 0.0, 0.0, 0.0, 1.0, 0.0]))
    q, phi, _, _, marks = repeat(step, first, cap * attempts, until=lambda state: less(0.5, state[4][5]))
    k, attempt, *_, ended = marks
    won = where(less(absolute(ended - 1.0), 0.5), 1.0, 0.0)
    return Outcome(q, k, sqrt((phi * phi).sum()), won, minimum(attempt + 1.0, attempts))


def kernel(constraints: Any, method: str = "robust", target: str = "cpu", opt: int = 2, **options: Any) -> Any:
    """Return the kernel of a method for these constraints: q0 (4,) or (batch, 4) → `Outcome`."""
    methods: dict[str, Callable[..., Any]] = {"newton": newton, "robust": robust}
    if method not in methods:
        raise InputError(f"No method '{method}'.{did_you_mean(method, methods)} Choose: {', '.join(methods)}.")
    every = primitives_of(constraints)
    said = content((method, tuple((type(c).__name__, c) for c in every), tuple(sorted(options.items()))))

    def trace() -> Any:
        return record(lambda q0: methods[method](every, q0, **options), q0=np.zeros(4))

    return kernel_for(digest("attitude", said), trace, target, opt=opt)


def _step(body: Any, every: Any, q: Any, phi: Any, J: Any, mu: Any, acceleration: bool) -> Any:
    """Return the rotation w (3,) of (2), (3), limited as in (4), in the body's frame."""
    back = transpose(J)
    factor = normal_factor(J, mu + 1e-13 * (J * J).sum() + 1e-300)
    w = -factor.solve(matvec(back, phi))  # (2)
    if acceleration:
        rates = np.concatenate([np.zeros(3), w])
        curvature = cartesian.equations((body,), _whole(q), rates, every, form="manifold").bias
        half = -0.5 * factor.solve(matvec(back, curvature))  # (3)
        w = w + where(less((half * half).sum(), 0.5625 * (w * w).sum()), 1.0, 0.0) * half
    return w * minimum(1.0, 2.0 / sqrt((w * w).sum() + 1e-300))  # (4)


def _turned(q: Any, w: Any) -> Any:
    """Return q ⊗ exp(w/2), renormalised to first order."""
    p = quaternion_product(q, quaternion_from_rotation_vector(w))
    return p * (1.5 - 0.5 * (p * p).sum())


def _manifold(body: Any, q: Any, every: Any) -> Any:
    phi, J = cartesian.rows((body,), _whole(q), every, form="manifold")
    return phi, J[:, 3:]


def _rows(body: Any, q: Any, every: Any, form: str) -> Any:
    """Return Φ and Φ_q (m, 4) in one of the forms of the paper."""
    if form not in FORMS:
        raise InputError(f"No form '{form}'.{did_you_mean(form, FORMS)} Choose: {', '.join(FORMS)}.")
    phi, J = cartesian.rows((body,), _whole(q), every, form="euler" if form == "euler" else "peng")
    rows = [_row_22(body, c, q, row) if form == "eq22" else row for c, row in zip(every, J[:, 3:], strict=True)]
    return phi, np.stack(rows)


def _row_22(body: Any, primitive: Any, q: Any, row: Any) -> Any:
    """Return the row (22) where the paper has one: dot-2 with vector and start on the body."""
    if not isinstance(primitive, Dot2) or primitive.v.body != body or primitive.start.body != body:
        return row
    v, start, end = (np.asarray(x) for x in (primitive.v.along, primitive.start.at, primitive.end.at))
    return cartesian.row_22(v, start, end, q)


def _whole(q: Any) -> Any:
    """Return r = 0 and the Euler parameters."""
    return np.concatenate([np.zeros(3), q])


def _one_body(constraints: Any) -> Any:
    """Return the name of the body and its primitives."""
    every = primitives_of(constraints)
    bodies = sorted({f.body for c in every for f in c.features() if f.body})
    if len(bodies) != 1 or any(isinstance(f, EulerParameters) for c in every for f in c.features()):
        raise InputError(
            f"One body rotates against the world here; these constraints are between {', '.join(bodies)}. "
            'Call the fixed one "" and leave Normalisation out.'
        )
    return bodies[0], every


def _finite(x: Any) -> Any:
    """Return whether all of x are finite."""
    good = less_equal(absolute(x[0]), 1e300)
    for entry in x[1:]:
        good = good & less_equal(absolute(entry), 1e300)
    return good


def _select(mask: Any, x: Any, y: Any) -> Any:
    """Return x where the mask holds, else y, for arrays of one shape."""
    pairs = zip(np.ravel(x), np.ravel(y), strict=True)
    return np.stack([where(mask, a, b) for a, b in pairs]).reshape(np.shape(x))


class NewtonResult(NamedTuple):
    """Result: state x (n, 7); evaluations of Φ; norm ‖Φ‖; whether it converged."""

    x: np.ndarray
    evaluations: int
    norm: float
    converged: bool


def newton_assembly(
    coordinates: Any,
    constraints: Any,
    x: Any,
    tolerance: float = 1e-10,
    cap: int = 100,
    form: str = "euler",
    t: Any | None = None,
) -> NewtonResult:
    """Solve (1) for bodies in Cartesian coordinates, on floats. form : "euler", or "peng" (virtual rotation)."""
    names, free = coordinates.names, coordinates.free
    every = (*(Normalisation(names[i]) for i in free), *primitives_of(list(constraints)))
    moving = (7 * free[:, None] + np.arange(7)).ravel()
    q = np.array(x, float).ravel()
    norm = np.inf
    for k in range(1, cap + 1):
        with np.errstate(all="ignore"):
            phi, J = cartesian.rows(names, q, every, t, form)
            norm = float(np.sqrt(phi @ phi))  # floats only
        if norm < tolerance:
            return NewtonResult(q.reshape(-1, 7), k, norm, True)
        J = J[:, moving]
        if not np.isfinite(norm):  # floats only
            break
        try:
            step = np.linalg.solve(J, phi) if J.shape[0] == J.shape[1] else np.linalg.pinv(J) @ phi  # floats only
        except np.linalg.LinAlgError:  # floats only
            break
        q[moving] -= step
        if not np.isfinite(q).all():  # floats only
            break
    return NewtonResult(q.reshape(-1, 7), k, norm, False)
