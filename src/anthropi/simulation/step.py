"""One step of a figure by any method: `advance` picks the machinery that a method, which is data, asks for.

Loops hold by their forces within a step, and by projection at its end: nothing drifts.
"""

from typing import Any, NamedTuple

from anthropi.constraints.loops.projection import nearest_closed
from anthropi.errors import InputError
from anthropi.simulation.drive import Drive, acceleration, checked, total_force
from anthropi.simulation.integrators import runge_kutta_in_time, semi_implicit_euler
from anthropi.simulation.methods import RK4, SemiImplicit, Tableau, Variational
from anthropi.simulation.methods import method as by_name
from anthropi.simulation.variational import variational_midpoint

__all__ = ["State", "advance"]


class State(NamedTuple):
    """Time t [s], configuration q (nq,) and velocity u (nu,)."""

    t: Any
    q: Any
    u: Any


def advance(figure, drive, state: State, dt, method=RK4, prescribed=()) -> State:
    """Where is the figure after dt [s]? Pure; records.

    drive : function (t, q, u) → `Drive`. method : a name in `METHODS`, or a method itself.
    prescribed : names of joints or degrees of freedom that follow drive.udot.
    """
    method = by_name(method)

    def sure(t, q, u) -> Drive:
        return checked(figure, drive(t, q, u), prescribed)

    q, u = _WAYS[type(method)](figure, sure, *state, dt, method, prescribed)
    if figure.loops:
        q, u = nearest_closed(figure, q, u, sure(state.t + dt, q, u).course, prescribed)
    return State(state.t + dt, q, u)


def _semi_implicit(figure, drive, t, q, u, h, method: SemiImplicit, prescribed):
    def rate(q, u):
        return acceleration(figure, drive(t, q, u), q, u, prescribed, h if method.implicit else None)

    return semi_implicit_euler(figure, rate, q, u, h)


def _runge_kutta(figure, drive, t, q, u, h, method: Tableau, prescribed):
    def rate(t, q, u):
        return acceleration(figure, drive(t, q, u), q, u, prescribed)

    return runge_kutta_in_time(figure, rate, t, q, u, h, method)


def _variational(figure, drive, t, q, u, h, method: Variational, prescribed):
    if prescribed:
        raise InputError(f"The method '{method.name}' moves every joint by forces; it cannot prescribe "
                        f"{', '.join(prescribed)}. Take a Runge–Kutta method, as rk4.")  # fmt: skip

    if figure.loops:
        names = ", ".join(loop.name for loop in figure.loops)
        raise InputError(f"The method '{method.name}' is for trees, and figure '{figure.name}' has loops ({names}). "
                        "Take a Runge–Kutta method, as rk4.")  # fmt: skip

    def forces(t, q, u):
        given: Drive = drive(t, q, u)
        return total_force(figure, given, q, u), given.f_ext

    now: Drive = drive(t, q, u)
    return variational_midpoint(figure, forces, t, q, u, h, (now.kp, now.kd), method.passes)


_WAYS: dict[type, Any] = {SemiImplicit: _semi_implicit, Tableau: _runge_kutta, Variational: _variational}
