"""One increment of hybrid dynamics: some degrees of freedom are driven by constant forces, others by motion.

Forces τ are constant over the increment h. A degree of freedom driven by motion has the acceleration u' = a + b s, with
s from 0 to h. An integration method then gives the state at the end,

    q⁺ = q ⊞ (h u + A a + B b),   u⁺ = u + h a + C b                           (1)
    Runge–Kutta, order 3 or more:     A = h²/2,  B = h³/6,  C = h²/2
    semi-implicit, n steps of d = h / n:  A = d² n (n + 1) / 2,  B = d³ (n - 1) n (n + 1) / 6,  C = d² n (n - 1) / 2

To end at the next position and velocity of the motion, a and b are computed from ξ = q_next ⊟ q and v = u_next:

    r = ξ - h u,   w = v - u,   D = A C - B h,   a = (C r - B w) / D,   b = (A w - h r) / D               (2)
    one semi-implicit step: a = r / h², b = 0; it ends at the next position, with the mean velocity       (3)

(1) is exact for coordinates of a vector space. For rotations in space, the next increment corrects the difference.
Frozen degrees of freedom have a = b = 0. The other accelerations follow from hybrid dynamics, and any method of
`simulation` integrates them. An increment is one kernel.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics
from anthropi.compiler import Kernel, build, kernel_for
from anthropi.compiler.cache import digest
from anthropi.errors import InputError
from anthropi.figure import Figure
from anthropi.figure.numbers import content
from anthropi.simulation.drive import Drive, checked
from anthropi.simulation.integrators import METHODS, SemiImplicit, Tableau
from anthropi.simulation.integrators import method as by_name
from anthropi.simulation.step import State, advance
from anthropi.tape import record, repeat

__all__ = ["Increment", "increment", "increment_kernel", "refuse_method", "towards"]


class Increment(NamedTuple):
    """Settings of an increment that its kernel depends on, besides the figure.

    held : names of degrees of freedom that are driven by motion or frozen. method : integration method of `simulation`.
    substeps : number of integration steps in an increment. external : whether external forces are given; they are
    constant over the increment, like τ.
    """

    held: tuple[str, ...] = ()
    method: str = "semi_implicit_euler"
    substeps: int = 1
    external: bool = False


def towards(
    figure: Figure, rule: Increment, q: np.ndarray, u: np.ndarray, next_q: np.ndarray, next_u: np.ndarray, h: float
) -> tuple[np.ndarray, np.ndarray]:
    """Compute the accelerations a and b (nu,) that lead from a state to the next desired state (2), (3).

    q, u : current state. next_q, next_u : next desired state. h : length of the increment [s]. Works on plain floats
    only; cannot be recorded on a tape.
    """
    r, w = figure.difference(q, next_q) - h * u, next_u - u
    if isinstance(METHODS[rule.method], SemiImplicit):
        n, d = rule.substeps, h / rule.substeps
        if n == 1:
            return r / (h * h), 0.0 * r  # (3)
        A, B, C = d * d * n * (n + 1) / 2, d**3 * (n - 1) * n * (n + 1) / 6, d * d * n * (n - 1) / 2
    else:
        A, B, C = h * h / 2, h**3 / 6, h * h / 2
    D = A * C - B * h
    return (C * r - B * w) / D, (A * w - h * r) / D  # (2)


def refuse_method(rule: Increment) -> None:
    """Raise InputError for a method without coefficients (1), or substeps that are not a positive integer."""
    made, n = by_name(rule.method), rule.substeps
    if rule.held and not isinstance(made, SemiImplicit) and (not isinstance(made, Tableau) or made.order < 3):
        able = ", ".join(n for n, m in METHODS.items() if isinstance(m, SemiImplicit) or m.order > 2)
        raise InputError(f"Method '{rule.method}' cannot drive joints along a motion. Choose one of: {able}.")
    if not isinstance(n, (int, np.integer)) or n < 1:
        raise InputError(f"substeps={n!r}: give a whole number of at least 1.")


def increment(
    figure: Figure,
    plan: Increment,
    t: Any,
    h: Any,
    q: Any,
    u: Any,
    tau: Any,
    a: Any,
    b: Any,
    f_ext: Any = None,
    function: Callable[..., Any] | None = None,
) -> tuple[Any, Any, Any, Any]:
    """Compute the state (q⁺, u⁺) after an increment, and (u', τ) of all degrees of freedom at its start.

    A pure function, which can be recorded on a tape.

    Parameters
    ----------
    t, h : start and length of the increment [s].
    q, u : state (nq,), (nu,) at the start.
    tau : (nu,) [N m or N], forces, constant over the increment.
    a, b : (nu,), coefficients of (1).
    f_ext : (links, 6), external forces in link frames, constant over the increment.
    function : function (figure, t, q, u) that returns external forces, instead of f_ext.
    """

    def drive(now, q, u) -> Drive:
        pushed = f_ext if function is None else function(figure, now, q, u)
        return Drive(tau=tau, f_ext=pushed, udot=a + (now - t) * b if plan.held else None)

    def step(state):
        after = advance(figure, drive, State(*state), h / plan.substeps, plan.method, plan.held)
        return after.t, after.q, after.u

    first = drive(t, q, u)
    udot, needed = hybrid_dynamics(figure, q, u, tau, a, checked(figure, first).f_ext, prescribed=plan.held)
    _, after, speed = step((t, q, u)) if plan.substeps == 1 else repeat(step, (t, q, u), plan.substeps)
    return after, speed, udot, needed


def increment_kernel(
    figure: Figure, plan: Increment, function: Callable[..., Any] | None = None, opt: int | str = "tiers"
) -> Kernel:
    """Compile `increment` to a kernel.

    Its inputs are t, h, q, u, tau, a, b and, if external forces are given, f_ext.
    """
    inputs = {name: np.zeros(figure.nu) for name in ("u", "tau", "a", "b")}
    inputs |= {"t": np.zeros(()), "h": np.zeros(()), "q": np.zeros(figure.nq)}
    inputs |= {"f_ext": np.zeros((figure.n, 6))} if plan.external else {}

    def tape():
        return record(lambda **given: increment(figure, plan, function=function, **given), **inputs)

    if function is not None:  # values that it reads may have changed since the last call
        return build(tape(), opt=opt)
    return kernel_for(digest("hidds", figure.key, content(tuple(plan))), tape, opt=opt)
