"""How does the figure move over one increment, some joints driven by forces that are held, others by motion?

Forces τ stay the same over the increment h. A degree of freedom that is driven by motion follows u' = a + b s, s from 0
to h, by which a method comes to

    q⁺ = q ⊞ (h u + A a + B b),   u⁺ = u + h a + C b                           (1)
    Runge–Kutta, order 3 or more:     A = h²/2,  B = h³/6,  C = h²/2
    semi-implicit, n steps of d = h / n:  A = d² n (n + 1) / 2,  B = d³ (n - 1) n (n + 1) / 6,  C = d² n (n - 1) / 2

so that a and b which end where the motion is, with its velocity, follow from ξ = q_next ⊟ q and v = u_next:

    r = ξ - h u,   w = v - u,   D = A C - B h,   a = (C r - B w) / D,   b = (A w - h r) / D               (2)
    one semi-implicit step: a = r / h², b = 0; it ends where the motion is, with the mean velocity        (3)

(1) is exact where coordinates add; where three turn together it is off by what the next increment corrects. What is
frozen has a = b = 0. Hybrid dynamics and any method of `simulation` do the rest; all of an increment is one kernel.
"""

from typing import NamedTuple

import numpy as np

from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics
from anthropi.compiler import build, kernel_for
from anthropi.compiler.cache import digest
from anthropi.errors import InputError
from anthropi.figure.numbers import content
from anthropi.simulation.drive import Drive, checked
from anthropi.simulation.integrators import METHODS, SemiImplicit, Tableau
from anthropi.simulation.integrators import method as by_name
from anthropi.simulation.step import State, advance
from anthropi.tape import record, repeat

__all__ = ["Increment", "increment", "increment_kernel", "refuse_method", "towards"]


class Increment(NamedTuple):
    """What the kernel of an increment depends on, besides the figure.

    held : names of what is driven by motion or frozen. method : of `simulation`. substeps : steps in an increment.
    outside : whether forces from outside are given, held like τ.
    """

    held: tuple[str, ...] = ()
    method: str = "semi_implicit_euler"
    substeps: int = 1
    outside: bool = False


def towards(figure, rule: Increment, q, u, next_q, next_u, h):
    """(a, b), each (nu,), that lead from a state to the next one wanted. Floats only."""
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
    """Refuse a method that (1) does not know, and what is no number of substeps."""
    made, n = by_name(rule.method), rule.substeps
    if rule.held and not isinstance(made, SemiImplicit) and (not isinstance(made, Tableau) or made.order < 3):
        able = ", ".join(n for n, m in METHODS.items() if isinstance(m, SemiImplicit) or m.order > 2)
        raise InputError(f"Method '{rule.method}' cannot lead joints along a motion. Take one of: {able}.")
    if not isinstance(n, (int, np.integer)) or n < 1:
        raise InputError(f"substeps={n!r}: give a whole number, at least 1.")


def increment(figure, plan: Increment, t, h, q, u, tau, a, b, f_ext=None, function=None):
    """→ (q⁺, u⁺) after the increment, and (u', τ) at its start, both complete. Pure; records.

    f_ext : (links, 6), held. function : (figure, t, q, u) → forces from outside, instead.
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


def increment_kernel(figure, plan: Increment, function=None, opt="tiers"):
    """The kernel of `increment`, inputs t, h, q, u, tau, a, b and, if given, f_ext."""
    inputs = {name: np.zeros(figure.nu) for name in ("u", "tau", "a", "b")}
    inputs |= {"t": np.zeros(()), "h": np.zeros(()), "q": np.zeros(figure.nq)}
    inputs |= {"f_ext": np.zeros((figure.n, 6))} if plan.outside else {}

    def tape():
        return record(lambda **given: increment(figure, plan, function=function, **given), **inputs)

    if function is not None:  # what it reads may have changed since
        return build(tape(), opt=opt)
    return kernel_for(digest("hidds", figure.key, content(tuple(plan))), tape, opt=opt)
