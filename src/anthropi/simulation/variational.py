"""A step that keeps what long runs need: the variational midpoint rule on the manifold, for every joint.

The action of a step of length h from q0 to q1 = q0 ⊞ h v is taken at its middle, m = q0 ⊞ h v/2, where the figure moves
with the constant velocity v: h L(m, v). Its derivatives by q0 and q1 are the momenta at both ends (Marsden and West,
Acta Numerica 10 (2001) 357; on groups: Bou-Rabee and Marsden, Found. Comput. Math. 9 (2009) 197). With p = ∂L/∂u and
w = ∂L/∂q + τ at (m, v), G the matrix of `lift`, and t = tan(φ/4) e for a turn h v = φ e:

    p0 = G(h v) p - ½ h (w + t × w)                                            (1)
    p1 = G(-h v) p + ½ h (w - t × w)                                           (2)

t × is there only where u turns. ½ (1 ± t ×) is how the middle moves with each end, so forces enter by the work they do
on the motion of the middle (d'Alembert). The derivative of this flow is symplectic, momenta of symmetries stay to
rounding, and the energy swings about its value without a trend. (1) is solved for v by

    f = (M(q0) + r)⁻¹ e,   e = p0 - (1),   v⁺ = v + f - γ (Δv + Δf),   γ = Δf·e / Δf·Δe       (3)

with r half a step of springs and dampers (implicit_springs.py), Δ the change since the last pass: Newton's method with
an inertia for the derivative, each pass gaining a factor of order h |u|, and a secant that speeds it up (Anderson
1965).
"""

import numpy as np

from anthropi.algebra.rotation import quaternion_from_rotation_vector
from anthropi.algebra.scalar import absolute, less, less_equal, where
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.forces import without_springs
from anthropi.algorithms.implicit_springs import implicit_drive
from anthropi.figure.turns import turns
from anthropi.simulation.lagrangian import slopes
from anthropi.tape import repeat

__all__ = ["variational_midpoint"]

DONE = 1e-28  # energy of a correction, relative to that of the motion: rounding of float64
FAILED = 1e-8  # and what is no solution, in float32 too
STILL = 1e-8  # [m/s] a speed that is none: a figure at rest has no energy to compare with
MOST = 4.0  # passes that get no nearer before it is near enough: rounding, of any precision


def variational_midpoint(figure, forces, t, q, u, h, gains=(None, None), passes: int = 50):
    """One step (1), (2). Returns (q⁺, u⁺), NaN where (1) could not be solved in so many passes.

    forces(t, q, u) → (tau, f_ext). gains : (kp, kd) of springs and dampers in tau, which speed the solution up.
    """
    plain, start = without_springs(figure, gravity=np.zeros(3)), turns(figure)
    none = np.zeros(figure.nu)
    p0, _ = slopes(plain, q, u)
    _, extra = implicit_drive(figure, q, none, none, 0.5 * h, None, *gains)

    def ends(v):
        """What (1) and (2) say the momenta are."""
        m = figure.integrate(q, 0.5 * h * v)
        tau, f_ext = forces(t + 0.5 * h, m, v)
        p, w = slopes(figure, m, v, f_ext)
        w = 0.5 * h * (w + tau)
        aside = _across(start, 0.5 * h * v, w)
        return figure.lift(h * v, p) - (w + aside), figure.lift(-h * v, p) + (w - aside), (p * v).sum()

    def closer(state):
        v, last, before, stalls, _ = state
        here, _, energy = ends(v)
        e = p0 - here
        f = direct_dynamics(plain, q, none, e, extra=extra)
        left = absolute((f * e).sum())
        dv, df, de = v - last[0], f - last[1], e - last[2]
        across = (df * de).sum()
        secant = less(0.0, across)  # not on the first pass
        gamma = where(secant, (df * e).sum() / where(secant, across, 1.0), 0.0)
        stalls = where(less_equal(left, DONE * energy), MOST, stalls + where(less(left, before), 0.0, 1.0))
        failed = less(FAILED * energy + STILL * STILL * figure.mass, left)
        return v + f - gamma * (dv + df), (v, f, e), left, stalls, where(failed, 1.0, 0.0)  # (3)

    zero = np.array(0.0)
    first = (u, (u, none, none), np.array(1e300), zero, np.array(1.0))
    v, _, _, _, failed = repeat(closer, first, passes, until=lambda state: less_equal(MOST, state[3]))
    _, p1, _ = ends(v)
    there = figure.integrate(q, h * v)
    u1 = direct_dynamics(plain, there, none, p1)
    return there, u1 + where(less(0.5, failed), np.nan, 0.0)


def _across(start, half, w):
    """t × w where u turns, 0 elsewhere; half = h v / 2, whose quaternion is (cos φ/4, sin φ/4 e)."""
    parts, at = [], 0
    for k in start:
        turn = quaternion_from_rotation_vector(half[k : k + 3])
        parts += [np.zeros(k - at), np.cross(turn[1:] / turn[0], w[k : k + 3])]
        at = k + 3
    return np.concatenate([*parts, np.zeros(len(w) - at)])
