"""Solvers for a body that rotates about a fixed point: Newton's method of Liu, Song and Yong (2013), and a robust one.

The equations are those of sections 5 and 9 of docs/equations/constraints.md. The body rotates about the origin of the
world; its constraints are primitives between the body and the world.

`newton` is Algorithm 1 of the paper, on Euler parameters q (4,) of any length, which are not normalised:

    for k = 1 … cap:   Φ(q);  if ‖Φ‖ < tol: found, k evaluations;  q ← q - Φ_q⁻¹ Φ;  not finite: failed    (1)

`newton_assembly` is the same method on plain floats for several bodies in Cartesian coordinates with Euler parameters,
and a normalisation p·p = 1 for each body. If the system is not square, Φ_q⁻¹ is the pseudo-inverse.

`robust` works on the unit sphere, with Φ and J in the form "manifold" of cartesian.py:

    (JᵀJ + μ) w = -JᵀΦ,   μ = λ ‖Φ‖ + 1e-13 tr JᵀJ            Levenberg–Marquardt (gauss_newton.py)   (2)
    (JᵀJ + μ) a = -JᵀΦ_ww,   w ← w + ½ a  if |½ a| < ¾ |w|    Φ_ww = Φ″ along w: third order           (3)
    |w| ≤ 2 rad;  if ‖Φ‖ falls: q ← q ⊗ exp(w/2), λ ← λ/5;  else: λ ← 4 λ                              (4)
    an attempt ends in a minimum (‖JᵀΦ‖ much smaller than ‖J‖ ‖Φ‖), after `patience` steps without progress, or at the
    cap; attempt k starts at T_k ⊗ q₀, T_k the k-th rotation of a tetrahedron                         (5)

(3) is geodesic acceleration (Transtrum and Sethna, arXiv:1201.5885, 2012) with the exact second derivative; it needs no
further evaluation of Φ. Minima of ‖Φ‖ that are not solutions stop every descent method; (5) then restarts elsewhere.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import lu, matvec, transpose
from anthropi.algebra.rotation import quaternion_from_rotation_vector, quaternion_product
from anthropi.algebra.scalar import absolute, gather, less, less_equal, minimum, records, sqrt, where
from anthropi.compiler import kernel_for
from anthropi.compiler.cache import digest
from anthropi.constraints import cartesian
from anthropi.constraints.gauss_newton import normal_factor
from anthropi.constraints.primitives import Dot2, EulerParameters, Normalisation, primitives_of
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.numbers import content
from anthropi.tape import record, repeat

__all__ = ["TETRAHEDRON", "AttitudeKernel", "NewtonResult", "Outcome", "kernel", "newton", "newton_assembly", "robust"]


FORMS = ("euler", "peng", "eq22")
HALF = 0.5
TETRAHEDRON = np.array([
    [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1],
    *([HALF, HALF * x, HALF * y, HALF * z] for x in (1, -1) for y in (1, -1) for z in (1, -1)),
])  # fmt: skip


class Outcome(NamedTuple):
    """Result of `newton` or `robust`.

    q : (4,). evaluations : number of evaluations of Φ. norm : ‖Φ‖ at q. converged : whether ‖Φ‖ is below the tolerance,
    a bool or (batch,) of bools; 1.0 or 0.0 while recording. attempts : number of attempts.
    """

    q: Any
    evaluations: Any
    norm: Any
    converged: Any
    attempts: Any


def newton(constraints: Any, q0: Any, tol: float = 1e-10, cap: int = 100, form: str = "euler") -> Outcome:
    """Solve the constraints of one body by Newton's method, Algorithm 1 of the paper (1).

    q0 : (4,), start, which is not normalised. tol : ‖Φ‖ of a solution. cap : largest number of steps.
    form : form of the Jacobian, "euler" (7), "peng" (6b) or "eq22" (22).
    """
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
    won = where(less(absolute(ended - 1.0), 0.5), 1.0, 0.0)
    return _as_bool(Outcome(q, k, norm, won, 1.0 + 0.0 * k))


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
    """Solve the constraints of one body from any start by Levenberg–Marquardt with restarts (2)-(5).

    Parameters
    ----------
    q0 : (4,), Euler parameters, not all zero; they are normalised. tol : ‖Φ‖ of a solution.
    cap : largest number of steps of an attempt. attempts : largest number of attempts.
    acceleration : whether to use (3). start : initial λ. patience : number of steps that may reduce ‖Φ‖ by less than
        the fraction `progress`. flat : value of ‖JᵀΦ‖ / (‖J‖ ‖Φ‖) below which q counts as a minimum.

    Section 9 of docs/equations/constraints.md uses no acceleration, start 0.01, patience 8, progress 0.01, flat 1e-6.
    """
    body, every = _one_body(constraints)
    q0 = np.asarray(q0)
    q0 = q0 / sqrt((q0 * q0).sum())
    n = len(every)

    def step(state: Any) -> Any:
        q, phi, J, damping, (k, attempt, tried, idle, fresh, _) = state
        new = less(0.5, fresh)  # first evaluation of an attempt, before any step
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
    return _as_bool(Outcome(q, k, sqrt((phi * phi).sum()), won, minimum(attempt + 1.0, attempts)))


def _as_bool(found: Outcome) -> Outcome:
    """Return an outcome with `converged` as a bool, or an array of bools; unchanged while recording."""
    if records(found.converged):
        return found
    won = np.asarray(found.converged) > 0.5
    return found._replace(converged=won if won.ndim else bool(won))


class AttitudeKernel:
    """A kernel of `newton` or `robust`: q0 (4,) or (batch, 4) → `Outcome`. Other attributes are those of the kernel."""

    def __init__(self, kernel: Any) -> None:
        self.kernel = kernel

    def __call__(self, *arrays: Any, **options: Any) -> Outcome:
        """Solve from the starts q0 (4,) or (batch, 4)."""
        return _as_bool(self.kernel(*arrays, **options))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.kernel, name)


def kernel(
    constraints: Any, method: str = "robust", target: str = "cpu", opt: int = 2, **options: Any
) -> AttitudeKernel:
    """Return a kernel that solves these constraints: q0 (4,) or (batch, 4) → `Outcome`.

    method : "newton" or "robust". options : keyword arguments of that function.
    """
    methods: dict[str, Callable[..., Any]] = {"newton": newton, "robust": robust}
    if method not in methods:
        guess = did_you_mean(method, methods)
        raise InputError(f"Unknown method '{method}'.{guess} Choose one of {', '.join(methods)}.")
    every = primitives_of(constraints)
    said = content((method, tuple((type(c).__name__, c) for c in every), tuple(sorted(options.items()))))

    def trace() -> Any:
        return record(lambda q0: methods[method](every, q0, **options), q0=np.zeros(4))

    return AttitudeKernel(kernel_for(digest("attitude", said), trace, target, opt=opt))


def _step(body: Any, every: Any, q: Any, phi: Any, J: Any, mu: Any, acceleration: bool) -> Any:
    """Return the step (2)-(4): a rotation w (3,) in the body's frame, of limited length."""
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
    """Return the residuals Φ (m,) and their Jacobian Φ_q (m, 4) in one of the forms of the paper."""
    if form not in FORMS:
        raise InputError(f"Unknown form '{form}'.{did_you_mean(form, FORMS)} Choose one of {', '.join(FORMS)}.")
    phi, J = cartesian.rows((body,), _whole(q), every, form="euler" if form == "euler" else "peng")
    rows = [_row_22(body, c, q, row) if form == "eq22" else row for c, row in zip(every, J[:, 3:], strict=True)]
    return phi, np.stack(rows)


def _row_22(body: Any, primitive: Any, q: Any, row: Any) -> Any:
    """Return the row by equation (22) for a dot-2 with vector and start on the body; return other rows unchanged."""
    if not isinstance(primitive, Dot2) or primitive.v.body != body or primitive.start.body != body:
        return row
    v, start, end = (np.asarray(x) for x in (primitive.v.along, primitive.start.at, primitive.end.at))
    return cartesian.row_22(v, start, end, q)


def _whole(q: Any) -> Any:
    """Return the coordinates (7,) of a body at r = 0 with Euler parameters q."""
    return np.concatenate([np.zeros(3), q])


def _one_body(constraints: Any) -> Any:
    """Return the name of the only body of these constraints, and their primitives."""
    every = primitives_of(constraints)
    bodies = sorted({f.body for c in every for f in c.features() if f.body})
    if len(bodies) != 1 or any(isinstance(f, EulerParameters) for c in every for f in c.features()):
        raise InputError(
            f"The constraints must be between one body and the world; these refer to {', '.join(bodies)}. "
            'Use the name "" for the world, and leave Normalisation out.'
        )
    return bodies[0], every


def _finite(x: Any) -> Any:
    """Return whether all entries of x are finite."""
    good = less_equal(absolute(x[0]), 1e300)
    for entry in x[1:]:
        good = good & less_equal(absolute(entry), 1e300)
    return good


def _select(mask: Any, x: Any, y: Any) -> Any:
    """Return x if the mask is true, else y; x and y are arrays of equal shape."""
    pairs = zip(np.ravel(x), np.ravel(y), strict=True)
    return np.stack([where(mask, a, b) for a, b in pairs]).reshape(np.shape(x))


class NewtonResult(NamedTuple):
    """Result of `newton_assembly`: state x (n, 7), number of evaluations of Φ, ‖Φ‖, and whether it converged."""

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
    """Solve the constraints of bodies in Cartesian coordinates by Newton's method (1), on plain floats.

    form : form of the Jacobian, "euler" or "peng" (virtual rotation). cap : largest number of steps.
    """
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
