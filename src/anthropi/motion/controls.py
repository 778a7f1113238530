"""Control functions of degrees of freedom, and the simulation they drive.

A control is a position, velocity, acceleration or force over time. Each of the first three gives the other two by
differentiation and integration. A motion-driven degree of freedom follows the acceleration and starts in the state of
the control. A force-driven one has the given force, or the force by which hybrid dynamics produces the same motion:

    u'_target = x'' + kp (x - q) + kd (x' - u)                                                                       (1)
    τ = hybrid(q, u, u'_target)                                                                                      (2)

Positions of three degrees of freedom that rotate together (x, y, z of a ball joint) are a rotation vector r; all three
must be given:

    u = J_b(r) r',   u' = J_b(r) r'' + J_b'(r, r') r'                                                                (3)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec
from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.figure.states import angular_starts, unit_quaternions
from anthropi.motion.expressions import Expression
from anthropi.motion.joint_path import JointPath
from anthropi.motion.keyframes import Keyframes
from anthropi.motion.splines import Piecewise, spline
from anthropi.motion.time_functions import TimeFunction

__all__ = ["KINDS", "Control", "driven", "function_of"]

KINDS = ("position", "velocity", "acceleration", "force")


def function_of(given: Any) -> Any:
    """Convert a number, text, a table or a function to a function of time.

    given : a function of time, text (`Expression`), {time [s]: value} (spline through the values), or a number
    (constant).
    """
    if isinstance(given, str):
        return Expression(given)
    if isinstance(given, dict):
        return spline(sorted(given), [given[t] for t in sorted(given)])
    if isinstance(given, (int, float, np.integer, np.floating)) and not isinstance(given, bool):
        return Piecewise(np.zeros(1), np.full((2, 1), float(given)))
    if callable(given) and hasattr(given, "derivative") and hasattr(given, "integral"):
        return given
    raise InputError(
        f"A control function must be a spline, a Fourier series, an expression as text, {{time: value}} or a "
        f"number; got {type(given).__name__}."
    )


@dataclass(frozen=True, eq=False)
class Control:
    """Control of one degree of freedom: its position [rad or m] or force [N m or N] over time.

    It can be recorded on a tape.

    Attributes
    ----------
    kind : "position", "velocity", "acceleration" or "force": the meaning of the function.
    function : see `function_of`.
    position, velocity : integration constants at the time `at`; by default those of the figure's initial state.
    at : time [s] of the integration constants; by default the start.
    """

    kind: str
    function: Any
    position: float | None = None
    velocity: float | None = None
    at: float | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(
                f"kind={self.kind!r}.{did_you_mean(str(self.kind), KINDS)} Choose from {', '.join(KINDS)}."
            )
        closed = {"position": ("position", "velocity"), "velocity": ("velocity",), "force": ("position", "velocity")}
        for name in closed.get(self.kind, ()):
            if getattr(self, name) is not None:
                raise InputError(
                    f"A control of kind '{self.kind}' needs no integration constant '{name}'. Leave it out."
                )
        wanted = {"velocity": (self.position,), "acceleration": (self.position, self.velocity)}.get(self.kind, ())
        if self.at is not None and (not wanted or None in wanted):
            raise InputError(
                f"at={self.at:g} is the time of the integration constants. Give the position (and, for an "
                "acceleration, the velocity), or leave `at` out."
            )
        object.__setattr__(self, "function", function_of(self.function))

    def course(self, position: float, velocity: float, start: float) -> Any:
        """Return the position (for the kind "force", the force) as a function of time.

        position, velocity : integration constants if the control has none. start : [s].
        """
        f, p = self.function, position if self.position is None else self.position
        at = start if self.at is None else self.at
        if self.kind == "velocity":
            return f.integral(p, at)
        if self.kind == "acceleration":
            return f.integral(velocity if self.velocity is None else self.velocity, at).integral(p, at)
        return f

    def __call__(self, t: Any) -> TimeFunction:
        """Position, velocity and acceleration at t [s]; for a force, its value and two derivatives."""
        return self.course(0.0, 0.0, 0.0)(t)

    def acceleration(self, t: Any) -> Any:
        """Return the acceleration at t [s]; this needs no integration."""
        return self.function(t)[{"position": 2, "velocity": 1, "acceleration": 0}[self.kind]]


def driven(
    figure: Figure,
    controls: Any,
    q: Any = None,
    u: Any = None,
    *,
    start: Any = 0.0,
    forced: Any = (),
    gains: Any = None,
) -> dict[str, Any]:
    """Return the arguments of `ap.simulate` for a figure driven by control functions.

    >>> ap.simulate(
    ...     figure, **driven(figure, {"elbow": Control("position", "0.3*sin(t)")}), steps=1000
    ... )  # doctest: +SKIP

    Parameters
    ----------
    controls : {degree of freedom: `Control`, joint: `JointPath`}, or `Keyframes`.
    q, u : initial state, for degrees of freedom without control and for integration constants; by default neutral and
        at rest.
    start : [s] initial time.
    forced : names of motion controls that are realised by forces (2); "all" for all.
    gains : (kp [1/s²], kd [1/s]) of (1), against drift and disturbances; none by default. A Runge–Kutta step over a
        jump of the acceleration, such as at the ends of a clamped spline, has an error of dt / 6 times the jump.

    Returns
    -------
    {q, u, forces, udot, prescribed, start}.
    """
    drivers = _Drivers(figure, controls, q, u, float(start))
    names = drivers.moved
    forced = names if forced == "all" else (forced,) if isinstance(forced, str) else tuple(forced)
    for name in forced:
        if name not in names:
            raise InputError(
                f"forced has '{name}', which has no motion control.{did_you_mean(name, names)} Motion controls: "
                f"{', '.join(names) or 'none'}."
            )
    prescribed = tuple(name for name in names if name not in forced)
    kp, kd = (0.0, 0.0) if gains is None else gains

    def udot(figure, t, q, u):
        wanted = drivers.accelerations(t)
        if kp or kd:
            there, speed = drivers.target(t, q, u)
            wanted = wanted + kp * figure.difference(q, there) + kd * (speed - u)  # (1)
        return wanted

    def forces(figure, t, q, u):
        tau = drivers.forces(t)
        return hybrid_dynamics(figure, q, u, tau, udot(figure, t, q, u), prescribed=names)[1] if forced else tau  # (2)

    first, speed = drivers.target(float(start), drivers.q, drivers.u, drivers.at_start)
    return {
        "q": np.array(first, float),
        "u": np.array(speed, float),
        "start": float(start),
        "forces": forces if forced or drivers.pushes else None,
        "udot": udot if prescribed else None,
        "prescribed": prescribed,
    }


class _Drivers:
    """Checked controls, by their index in u."""

    def __init__(self, figure: Figure, controls, q, u, start: float) -> None:
        if isinstance(controls, Keyframes):
            q = controls.base if q is None else q
            controls = {figure.joints[i].name: path for i, path in controls.paths.items()}
        if not isinstance(controls, dict) or not controls:
            raise InputError("Give controls as {degree of freedom: Control, …}, at least one, or Keyframes.")
        self.figure = figure
        self.q = _state("q", figure.neutral() if q is None else q, figure.nq)
        self.u = _state("u", np.zeros(figure.nu) if u is None else u, figure.nu)
        unit_quaternions(figure, self.q)
        self.paths: dict[int, JointPath] = {}
        self.moves: dict[int, Control] = {}
        self.pushes: dict[int, Control] = {}
        self.moved: tuple[str, ...] = ()
        for name, control in controls.items():
            self._place(name, control)
        self.rotations = [k for k in angular_starts(figure) if self._has_rotation(k)]
        self.start = start
        self.courses: dict[int, Any] = {}  # made on demand: few simulations need integrals

    def _place(self, name: str, control) -> None:
        places = self.figure.dof_indices([name])
        taken = {*self.moves, *self.pushes, *(k for i in self.paths for k in _range(self.figure.u_of[i]))}
        if taken & set(places):
            raise InputError(f"'{name}' has two controls. Keep one.")
        if isinstance(control, JointPath):
            i = self._joint(places[0])
            if control.joint.nq != self.figure.joints[i].nq or len(places) != control.joint.nu:
                raise InputError(
                    f"'{name}' is given the path of joint '{control.joint.name}', which is of another kind."
                )
            self.paths[i] = control
        elif not isinstance(control, Control):
            raise InputError(f"'{name}' is given {type(control).__name__}; give a Control or a JointPath.")
        elif len(places) != 1:
            raise InputError(
                f"'{name}' has {len(places)} degrees of freedom, but a Control drives only one. Give a Control for "
                f"each: {', '.join(self.figure.dofs[k] for k in places)}."
            )
        elif control.kind == "force":
            self.pushes[places[0]] = control
            return
        else:
            self.moves[places[0]] = control
        self.moved = (*self.moved, name)

    def _joint(self, k: int) -> int:
        return next(i for i, at in enumerate(self.figure.u_of) if at.start <= k < at.stop)

    def _has_rotation(self, k: int) -> bool:
        """Return whether positions are given for the rotation at index k; raise InputError if only some are given."""
        kinds = {self.moves[j].kind if j in self.moves else None for j in range(k, k + 3)}
        if "position" in kinds and kinds != {"position"}:
            raise InputError(
                f"Positions of {', '.join(self.figure.dofs[k : k + 3])} are one rotation vector: give all "
                "three, or velocities, or a JointPath through keys."
            )
        return kinds == {"position"}

    def course(self, k: int, t) -> TimeFunction:
        """Position, velocity and acceleration of the control at index k of u."""
        if k not in self.courses:
            self.courses[k] = self.moves[k].course(self._first(k), float(self.u[k]), self.start)
        return self.courses[k](t)

    def at_start(self, k: int, t) -> TimeFunction:
        """Return `course` at the start, where the integration constants are known without integration."""
        c = self.moves[k]
        if c.kind == "position" or c.at is not None:
            return self.course(k, t)
        position = self._first(k) if c.position is None else c.position
        if c.kind == "velocity":
            return TimeFunction(position, *c.function(t)[:2])
        return TimeFunction(position, float(self.u[k]) if c.velocity is None else c.velocity, c.function(t).value)

    def _first(self, k: int) -> float:
        """Initial coordinate at index k of u."""
        i = self._joint(k)
        joint, at = self.figure.joints[i], self.figure.u_of[i]
        return float(joint.coordinates(self.q[self.figure.q_of[i]])[k - at.start])

    def forces(self, t):
        """Forces τ (nu,) of the force controls."""
        return np.array([self.pushes[k].function(t).value if k in self.pushes else 0.0 for k in range(self.figure.nu)])

    def accelerations(self, t):
        """Accelerations u' (nu,) of the motion controls, 0 elsewhere."""
        found: dict[int, Any] = {}
        for i, path in self.paths.items():
            found |= dict(zip(_range(self.figure.u_of[i]), path(t).udot, strict=True))
        for k, control in self.moves.items():
            found[k] = control.acceleration(t)
        for k in self.rotations:
            r, v, a = self._rows(k, t)
            found |= dict(zip(range(k, k + 3), matvec(rot.J_b(r), a) + rot.J_b_dot_rdot(r, v), strict=True))  # (3)
        return np.array([found.get(k, 0.0) for k in range(self.figure.nu)])

    def _rows(self, k: int, t):
        return (np.array(x) for x in zip(*(self.course(j, t) for j in range(k, k + 3)), strict=True))

    def target(self, t, q, u, course=None):
        """Return the target state q, u of the motion controls; entries without control keep the given values."""
        course = self.course if course is None else course
        figure, parts = self.figure, []
        speeds: dict[int, Any] = {}
        rotating = {j for k in angular_starts(figure) for j in range(k, k + 3)}
        for i, joint in enumerate(figure.joints):
            own, at = q[figure.q_of[i]], figure.u_of[i]
            if i in self.paths:
                state = self.paths[i](t)
                own = state.q
                speeds |= dict(zip(_range(at), state.u, strict=True))
            held = {k: course(k, t) for k in _range(at) if k in self.moves}
            speeds |= {k: c.rate for k, c in held.items()}
            fixed = {k: c.value for k, c in held.items() if k not in rotating or self.moves[k].kind == "position"}
            if fixed:
                x = joint.coordinates(own)
                own = joint.from_coordinates(np.array([fixed.get(k, x[k - at.start]) for k in _range(at)]))
            parts.append(own)
        for k in self.rotations:
            r, v, _ = self._rows(k, t)
            speeds |= dict(zip(range(k, k + 3), matvec(rot.J_b(r), v), strict=True))  # (3)
        return np.concatenate(parts), np.array([speeds.get(k, u[k]) for k in range(figure.nu)])


def _range(at: slice) -> range:
    return range(at.start, at.stop)


def _state(name: str, given, size: int) -> np.ndarray:
    array = np.asarray(given, float)
    if array.shape != (size,) or not np.isfinite(array).all():
        raise InputError(f"'{name}' has shape {array.shape}; expected ({size},) finite numbers.")
    return array
