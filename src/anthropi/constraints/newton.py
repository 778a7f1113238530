"""Which attitude of one body meets its constraints? Newton-Raphson as the paper runs it, and a robust solver.

Source: spec/constraints.md sections 5 and 9. The body turns about the origin of the world; its constraints are
primitives between it and the world.

Algorithm 1, on Euler parameters q (4,) of any length, never normalised:

    for k = 1 … cap:   Φ(q);  if ‖Φ‖ < tol: found, k evaluations;  q ← q - Φ_q⁻¹ Φ;  not finite: failed    (1)

The robust solver, on the unit sphere, with Φ and J in the manifold's form:

    (JᵀJ + μ) w = -JᵀΦ,   μ = λ ‖Φ‖ + 1e-13 tr JᵀJ            Levenberg-Marquardt                     (2)
    (JᵀJ + μ) a = -JᵀΦ_ww,   w ← w + ½ a  if |½ a| < ¾ |w|    Φ_ww = Φ″ along w: third order           (3)
    |w| ≤ 2 rad;  q ← q ⊗ exp(w/2)  if ‖Φ‖ falls, λ ← λ/5, else λ ← 4 λ                               (4)
    an attempt ends in a minimum (‖JᵀΦ‖ small beside ‖J‖ ‖Φ‖), after `patience` steps without progress, or at the cap;
    attempt k starts at T_k ⊗ q₀, T_k the k-th rotation of a tetrahedron                              (5)

(3) is geodesic acceleration (Transtrum and Sethna 2012), with the exact second derivative; it costs no evaluation of Φ
at another place. Minima of ‖Φ‖ that are no solution hold every descent method; (5) leaves them.

Newton
------
Plain Newton-Raphson, as the paper runs it: Cartesian coordinates with Euler parameters. Floats only.

Source: spec/constraints.md section 5. q = [r p] of the bodies that move, with a normalisation p·p = 1 for each:

    for k = 1 … cap:  Φ(q);  if ‖Φ‖ < tol: done, k evaluations;  q ← q - Φ_q⁻¹ Φ;  not finite: failed    (5)

No normalisation between steps. The paper's systems are square; where there are fewer or more equations than unknowns,
Φ_q⁻¹ is the pseudo-inverse.                                                                          (2)
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
    """q (4,): where it ended. evaluations of Φ. norm : ‖Φ‖ there. converged : 1.0 or 0.0. attempts begun."""

    q: Any
    evaluations: Any
    norm: Any
    converged: Any
    attempts: Any


def newton(constraints, q0, tol=1e-10, cap: int = 100, form: str = "euler") -> Outcome:
    """Algorithm 1, (1). q0 (4,): Euler parameters as they are. form : "euler" (7), "peng" (6b), or "eq22" (E14)."""
    body, every = _one_body(constraints)
    every = (Normalisation(body), *every)

    def step(state):
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


def robust(constraints, q0, tol=1e-13, cap: int = 100, attempts: int = 12, *, acceleration=True, start=0.3, patience=4,
           progress=0.1, flat=1e-2) -> Outcome:  # fmt: skip
    """The robust solver, (2) to (5). q0 (4,): any Euler parameters but zero; they are normalised.

    acceleration : whether (3). start : λ. patience : how many steps may lower ‖Φ‖ by less than `progress` of it.
    flat : ‖JᵀΦ‖ / (‖J‖ ‖Φ‖) that counts as a minimum. Section 9 has no acceleration, start 0.01, patience 8, progress
    0.01, flat 1e-6.
    """
    body, every = _one_body(constraints)
    q0 = np.asarray(q0)
    q0 = q0 / sqrt((q0 * q0).sum())
    n = len(every)

    def step(state):
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


def kernel(constraints, method: str = "robust", target="cpu", opt=2, **options):
    """The kernel of a method for these constraints: q0 (4,) or (batch, 4) → `Outcome`."""
    methods: dict[str, Callable] = {"newton": newton, "robust": robust}
    if method not in methods:
        raise InputError(f"No method '{method}'.{did_you_mean(method, methods)} Choose: {', '.join(methods)}.")
    every = primitives_of(constraints)
    said = content((method, tuple((type(c).__name__, c) for c in every), tuple(sorted(options.items()))))

    def trace():
        return record(lambda q0: methods[method](every, q0, **options), q0=np.zeros(4))

    return kernel_for(digest("attitude", said), trace, target, opt=opt)


def _step(body, every, q, phi, J, mu, acceleration: bool):
    """(2), (3), and the cap of (4): the turn w (3,) in the body's frame."""
    back = transpose(J)
    factor = normal_factor(J, mu + 1e-13 * (J * J).sum() + 1e-300)
    w = -factor.solve(matvec(back, phi))  # (2)
    if acceleration:
        rates = np.concatenate([np.zeros(3), w])
        bend = cartesian.equations((body,), _whole(q), rates, every, form="manifold").bias
        half = -0.5 * factor.solve(matvec(back, bend))  # (3)
        w = w + where(less((half * half).sum(), 0.5625 * (w * w).sum()), 1.0, 0.0) * half
    return w * minimum(1.0, 2.0 / sqrt((w * w).sum() + 1e-300))  # (4)


def _turned(q, w):
    """q ⊗ exp(w/2), renormalised to first order."""
    p = quaternion_product(q, quaternion_from_rotation_vector(w))
    return p * (1.5 - 0.5 * (p * p).sum())


def _manifold(body, q, every):
    phi, J = cartesian.rows((body,), _whole(q), every, form="manifold")
    return phi, J[:, 3:]


def _rows(body, q, every, form: str):
    """Φ and Φ_q (m, 4) in one of the paper's forms."""
    if form not in FORMS:
        raise InputError(f"No form '{form}'.{did_you_mean(form, FORMS)} Choose: {', '.join(FORMS)}.")
    phi, J = cartesian.rows((body,), _whole(q), every, form="euler" if form == "euler" else "peng")
    rows = [_row_22(body, c, q, row) if form == "eq22" else row for c, row in zip(every, J[:, 3:], strict=True)]
    return phi, np.stack(rows)


def _row_22(body, primitive, q, row):
    """The row of eq. 22 where the paper has one: dot-2 with vector and start on the body."""
    if not isinstance(primitive, Dot2) or primitive.v.body != body or primitive.start.body != body:
        return row
    v, start, end = (np.asarray(x) for x in (primitive.v.along, primitive.start.at, primitive.end.at))
    return cartesian.row_22(v, start, end, q)


def _whole(q):
    """r = 0 and the Euler parameters."""
    return np.concatenate([np.zeros(3), q])


def _one_body(constraints):
    """The body that turns, and its primitives."""
    every = primitives_of(constraints)
    bodies = sorted({f.body for c in every for f in c.features() if f.body})
    if len(bodies) != 1 or any(isinstance(f, EulerParameters) for c in every for f in c.features()):
        raise InputError(f"One body turns against the world here; these constraints are between {', '.join(bodies)}. "
                         'Call the fixed one "" and leave Normalisation out.')  # fmt: skip
    return bodies[0], every


def _finite(x):
    """Whether all of x are finite."""
    good = less_equal(absolute(x[0]), 1e300)
    for entry in x[1:]:
        good = good & less_equal(absolute(entry), 1e300)
    return good


def _select(mask, x, y):
    """x where the mask holds, else y, for arrays of one shape."""
    pairs = zip(np.ravel(x), np.ravel(y), strict=True)
    return np.stack([where(mask, a, b) for a, b in pairs]).reshape(np.shape(x))


class NewtonResult(NamedTuple):
    """Where the iteration ended: state (n, 7), evaluations of Φ, ‖Φ‖, whether it converged."""

    x: np.ndarray
    evaluations: int
    norm: float
    converged: bool


def newton_assembly(
    coordinates, constraints, x, tolerance: float = 1e-10, cap: int = 100, form="euler", t=None
) -> NewtonResult:
    """(5) for bodies in Cartesian coordinates. form : "euler", or "peng" for the virtual rotation's."""
    names, free = coordinates.names, coordinates.free
    every = (*(Normalisation(names[i]) for i in free), *primitives_of(list(constraints)))
    moving = (7 * free[:, None] + np.arange(7)).ravel()
    q = np.array(x, float).ravel()
    norm = np.inf
    for k in range(1, cap + 1):
        with np.errstate(all="ignore"):
            phi, J = cartesian.rows(names, q, every, t, form)
            norm = float(np.sqrt(phi @ phi))
        if norm < tolerance:
            return NewtonResult(q.reshape(-1, 7), k, norm, True)
        J = J[:, moving]
        if not np.isfinite(norm):
            break
        try:
            step = np.linalg.solve(J, phi) if J.shape[0] == J.shape[1] else np.linalg.pinv(J) @ phi  # (2)
        except np.linalg.LinAlgError:
            break
        q[moving] -= step
        if not np.isfinite(q).all():
            break
    return NewtonResult(q.reshape(-1, 7), k, norm, False)
