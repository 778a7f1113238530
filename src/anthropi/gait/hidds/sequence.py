"""Inverse dynamics of a motion, then direct dynamics of its forces, increment by increment (HIDDS).

The forces τ are computed at the start of each increment and are constant over it (docs/equations/thesis.md, 10). The
desired values are marked with *:

    open loop          τ = inverse(q*, u*, u'*), the forces of the plan        (1)
    current state      τ = inverse(q, u, u'*)                                  (2)
    computed torque    τ = inverse(q, u, u'* + kd (u* - u) + kp (q* ⊟ q))      (3)

At one instant, inverse and direct dynamics are each other's inverse. Over time, the error of (1) grows (erratum E19),
the error of (2) stays constant, and the error of (3) decreases. Degrees of freedom are driven by force, by motion
(hybrid dynamics, `increment.py`), or frozen.

The root of a floating figure can be free, forced or driven. If it is free, its acceleration and its desired motion
follow from the accelerations of the joints (9.13). If it is forced, the residual of inverse dynamics acts on it. If it
is driven, it follows its motion, and the residual is the force required for this. The functions work on plain floats
only; an increment is a kernel.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics as hybrid
from anthropi.compiler import build
from anthropi.entry import hybrid_dynamics, inverse_dynamics
from anthropi.errors import InputError, ShapeError, SingularError, StateError, StepError
from anthropi.figure.states import angular_starts, unit_quaternions
from anthropi.gait.hidds.desired_motion import desired_motion, with_mean_accelerations
from anthropi.gait.hidds.external_forces import (
    forces_over,
    recorded_forces,
    recorded_means,
    warn_of_missing_contacts,
)
from anthropi.gait.hidds.increment import Increment, increment_kernel, refuse_method, towards
from anthropi.gait.hidds.inverse import check_choice, floats
from anthropi.gait.physics import with_physics
from anthropi.motion import Keyframes, Motion
from anthropi.motion.contacts import contact_wrenches
from anthropi.simulation.drive import Drive, checked
from anthropi.simulation.options import finite_array
from anthropi.tape import record

__all__ = ["DEFAULT_KP", "MODES", "ROOTS", "Names", "Sequence", "hidds"]

MODES = ("computed torque", "current state", "open loop")
ROOTS = ("free", "forced", "driven")
DEFAULT_KP = 100.0  # [1/s²], gain of (3) for a natural frequency of 10 rad/s
Names = str | tuple[str, ...] | list[str]


def hidds(
    motion: Motion | Keyframes,
    mode: str = "computed torque",
    *,
    driven: Names = (),
    frozen: Names = (),
    root: str | None = None,
    kp: Any = DEFAULT_KP,
    kd: Any = None,
    dt: float = 1.0 / 120.0,
    f_ext: Any = None,
    cutoff: float | None = None,
    tau: Any = None,
    start: tuple[Any, ...] | None = None,
    method: str = "semi_implicit_euler",
    substeps: int = 1,
    opt: int | str = "tiers",
    progress: Callable[[int, int], Any] | None = None,
) -> Motion:
    """Compute the forces of a motion by inverse dynamics, then the motion under these forces by direct dynamics.

    Parameters
    ----------
    motion : the desired motion, a `Motion` with a single rollout or `Keyframes`.
    mode : "open loop" (1), "current state" (2) or "computed torque" (3).
    driven : joints or degrees of freedom that follow the motion exactly.
    frozen : joints or degrees of freedom that keep their values of the first frame. All others are driven by force.
    root : for a floating figure, "free", "forced" or "driven". By default "driven" if contact forces were recorded with
        the motion (channel "contact"), else "free".
    kp, kd : gains of (3) [1/s²], [1/s], numbers or (nu,). If kd is None, damping is critical: 2 √kp.
    dt : length of an increment [s], over which forces are constant.
    method, substeps : integration method of `simulate`, and its number of steps in an increment.
    f_ext : external forces, as in `inverse_motion`. A function (figure, t, q, u) is recorded on a tape. By default, the
        contact forces recorded with the motion. Use {} for no external forces.
    cutoff : cut-off frequency [Hz] of a low-pass filter for captured motion.
    tau : (frames, nu), forces to replay instead of (1), with mode="open loop".
    start : initial state (q, u), if it is not that of the motion's first frame.
    opt : optimisation level of the kernel.
    progress : function that is called with the increments done and the total number of increments.

    Returns
    -------
    A `Motion` with a frame every dt and these channels (frames, nu): "tau" and "udot" of all degrees of freedom at the
    start of each increment, "error" (q* ⊟ q), and for a floating figure "residual", the root's rows of tau. They are
    values at the frames, with tau = inverse(q, u, udot) there. The forces of force-driven degrees of freedom stay
    constant over the increment.

    Warns
    -----
    MissingContactWarning : the root is free and the motion needs support, but there is neither a recorded contact force
        nor f_ext.
    """
    check_choice("mode", mode, MODES)
    if tau is not None and mode != "open loop":
        raise InputError(
            f"tau can be replayed only with mode='open loop'; mode='{mode}' computes its own forces. Leave one out."
        )
    made = Sequence(
        motion,
        driven=driven,
        frozen=frozen,
        root=root,
        dt=dt,
        f_ext=f_ext,
        cutoff=cutoff,
        method=method,
        substeps=substeps,
        opt=opt,
    )
    if mode == "open loop":
        rows = made.planned() if tau is None else made.profile(tau)
        return made.run(lambda k, q, u: rows[k], start, progress, {"mode": mode})
    if mode == "current state":
        return made.run(made.forces, start, progress, {"mode": mode})
    kp, kd = made.gains(kp, kd)
    return made.run(
        lambda k, q, u: made.forces(k, q, u, made.feedback(k, q, u, kp, kd)), start, progress, {"mode": mode}
    )


class Sequence:
    """A desired motion, with the choice of how each degree of freedom is driven.

    The parameters are those of `hidds`.

    desired : a `Motion` of the figure with channel "udot". forced : (nu,), which degrees of freedom are driven by
    force. free : indices of the degrees of freedom of a free root. external : the external forces. unsupported :
    whether the figure needs support, but no force gives it.
    """

    desired: Any
    dt: Any
    figure: Any
    free: Any
    held: Any
    kernel: Any
    opt: Any
    root: Any
    rule: Any
    unsupported: bool

    def __init__(
        self,
        motion: Motion | Keyframes,
        *,
        driven: Names = (),
        frozen: Names = (),
        root: str | None = None,
        dt: float = 1.0 / 120.0,
        f_ext: Any = None,
        cutoff: float | None = None,
        method: str = "semi_implicit_euler",
        substeps: int = 1,
        opt: int | str = "tiers",
    ) -> None:
        if root is not None:
            check_choice("root", root, ROOTS)
        if dt is None:
            raise InputError("dt=None: give the length of an increment in seconds.")
        means = f_ext is None and recorded_means(motion)
        recorded = motion if means and cutoff is None and isinstance(motion, Motion) else None
        found = desired_motion(motion, dt, cutoff) if recorded is None else with_mean_accelerations(recorded, dt)
        figure = self.figure = found.figure
        root = root or ("driven" if means and floats(figure) else "free")
        if root != "free" and not floats(figure):
            raise InputError(
                f"root='{root}' needs a floating figure; '{figure.name}' is fixed to the world. To drive its first "
                f"joint, use driven='{figure.joints[0].name}'."
            )
        self.dt, self.root, self.opt, self.unsupported = float(dt), root, opt, False
        base = set(range(figure.nu)[figure.u_of[0]]) if floats(figure) else set()
        constant, led = set(figure.dof_indices(frozen)), set(figure.dof_indices(driven))
        if constant & led:
            raise InputError(f"'{figure.dofs[min(constant & led)]}' is both driven and frozen. Choose one.")
        self.held = constant | led | (base if root == "driven" else set())
        self.free = base - self.held if root == "free" else set()
        self.frozen = constant
        self.forced = np.array([k not in self.held | self.free for k in range(figure.nu)])
        if recorded is not None:
            self.external: Any = contact_wrenches(recorded, found.time)  # (2) of `external_forces.py`
        else:
            time = motion.time if isinstance(motion, Motion) else found.time
            given = recorded_forces(motion, cutoff) if f_ext is None else f_ext
            self.external = forces_over(figure, given, time, found.time)
            if given is None and self.free:
                self.unsupported = warn_of_missing_contacts(found, "With root='free' the figure falls.")
        self.rule = Increment(self._names(self.held), method, substeps, isinstance(self.external, np.ndarray))
        refuse_method(self.rule)
        self.desired = _frozen(found, constant) if constant else found
        if self.free:
            self.desired = self._with_free_root()
        self.kernel = self._kernel(self.rule)
        self.inverse: Any = self._inverse() if callable(self.external) else None

    def _names(self, places) -> tuple[str, ...]:
        return tuple(self.figure.dofs[k] for k in sorted(places))

    def _kernel(self, rule: Increment):
        return increment_kernel(self.figure, rule, self.external if callable(self.external) else None, self.opt)

    def _with_free_root(self) -> Motion:
        """Return the desired motion with a root motion that follows from the joints (9.13), by Runge–Kutta steps."""
        joints = set(range(self.figure.nu)) - self.free
        rule = self.rule._replace(held=self._known(), method="rk4", substeps=1)
        ran = self._steps(rule, self._kernel(rule), joints, lambda k, q, u: np.zeros(self.figure.nu))
        if len(ran[0]) < len(self.desired):
            raise StepError(
                f"The root of '{self.figure.name}' diverges under the external forces at "
                f"{self.desired.time[len(ran[0])]:g} s. Use a shorter dt, smaller forces, or root='driven'."
            )
        q, u, udot = (np.array(x) for x in (self.desired.q, self.desired.u, self.desired.udot))
        root, own = sorted(self.free), self.figure.q_of[0]
        q[:, own], u[:, root], udot[:, root] = ran[0][:, own], ran[1][:, root], ran[2][:, root]
        return self.desired.changed(q=q, u=u, channels=self.desired.channels | {"udot": udot})

    # forces

    def forces(self, k: int, q: np.ndarray, u: np.ndarray, more: Any = 0.0) -> np.ndarray:
        """Compute the joint forces τ (nu,) at a state (2), (3).

        The accelerations are the desired ones of frame k plus `more` (nu,).
        """
        f_ext = self.external[k] if self.rule.external else None
        return self._required(self.desired.time[k], q, u, self.desired.udot[k] + more, f_ext)

    def planned(self) -> np.ndarray:
        """Compute the joint forces τ (frames, nu) of the desired motion (1)."""
        at = self.desired
        return self._required(at.time, at.q, at.u, at.udot, self.external if self.rule.external else None)

    def _required(self, t, q, u, udot, f_ext):
        """Compute the joint forces of one or many states, for given accelerations udot of all but a free root."""
        if callable(self.external):
            return self.inverse(t=t, q=q, u=u, udot=udot)
        if not self.free:
            return inverse_dynamics(self.figure, q, u, udot, f_ext)
        return hybrid_dynamics(self.figure, q, u, np.zeros(np.shape(u)), udot, f_ext, prescribed=self._known())[1]

    def _known(self) -> tuple[str, ...]:
        return self._names(set(range(self.figure.nu)) - self.free)

    def _inverse(self):
        """Compile inverse dynamics together with the function that returns the external forces."""
        figure, function, known = self.figure, self.external, self._known()

        def required(t, q, u, udot):
            f_ext = checked(figure, Drive(f_ext=function(figure, t, q, u))).f_ext
            return hybrid(figure, q, u, np.zeros(figure.nu), udot, f_ext, prescribed=known)[1]

        none = np.zeros(figure.nu)
        return build(record(required, t=np.zeros(()), q=figure.neutral(), u=none, udot=none), opt=self.opt)

    def feedback(self, k: int, q: np.ndarray, u: np.ndarray, kp: np.ndarray, kd: np.ndarray) -> np.ndarray:
        """Compute the feedback accelerations (nu,) of (3) at frame k; 0 for dofs that are not driven by force."""
        return self.forced * (kd * (self.desired.u[k] - u) + kp * self.figure.difference(q, self.desired.q[k]))

    def gains(self, kp: Any, kd: Any = None) -> tuple[np.ndarray, np.ndarray]:
        """Check the gains and return (kp, kd), each (nu,). If kd is None, damping is critical."""
        shape = (self.figure.nu,)
        kp = finite_array("kp", kp, None)
        kd = 2.0 * np.sqrt(np.maximum(kp, 0.0)) if kd is None else finite_array("kd", kd, None)
        for name, x in (("kp", kp), ("kd", kd)):
            if x.shape not in ((), shape) or (x < 0.0).any():
                raise InputError(f"{name} must be a number or an array of shape {shape}, without negative values.")
        return np.broadcast_to(kp, shape), np.broadcast_to(kd, shape)

    def profile(self, tau: Any) -> np.ndarray:
        """Check a force profile and return it as (frames, nu). The row of the last frame may be missing."""
        rows, size = np.asarray(tau, float), len(self.desired)
        if rows.shape == (size - 1, self.figure.nu):
            rows = np.concatenate([rows, rows[-1:]])
        if rows.shape != (size, self.figure.nu) or not np.isfinite(rows).all():
            raise InputError(
                f"tau has shape {rows.shape}; the motion has {size} frames, one every {self.dt:g} s. Give finite "
                f"numbers of shape {(size, self.figure.nu)}."
            )
        return rows

    # motion

    def run(
        self,
        command: Callable[[int, np.ndarray, np.ndarray], np.ndarray],
        start: tuple[Any, ...] | None = None,
        progress: Callable[[int, int], Any] | None = None,
        about: dict[str, Any] | None = None,
    ) -> Motion:
        """Compute the motion under given forces by direct dynamics.

        command : function (k, q, u) → (nu,) that returns the forces of increment k; only those of the degrees of
        freedom driven by force are used. start, progress : as in `hidds`. about : entries for metadata["hidds"].
        """
        figure, at = self.figure, self.desired
        q, u, udot, tau = self._steps(self.rule, self.kernel, self.held, command, start, progress)
        channels = {"tau": tau, "udot": udot, "error": figure.difference(q, at.q[: len(q)])}
        if floats(figure):
            channels["residual"] = tau[:, figure.u_of[0]]
        words = {"hidds": {"root": self.root, "dt": self.dt, **(about or {})}}
        kept = {name: x for name, x in at.metadata.items() if name != "interval_means"}  # these are values at frames
        motion = with_physics(Motion(figure, at.time[: len(q)], q, u, channels, at.events, kept | words), "hidds")
        if len(q) < len(at):
            raise StepError(
                f"The state of '{figure.name}' is no longer finite at {at.time[len(q)]:g} s. Use a shorter dt, more "
                "substeps, or feedback (mode='computed torque').",
                motion,
            )
        return motion

    def _checked_start(self, start):
        """Check an initial state (q, u) and return it."""
        if not isinstance(start, (tuple, list)) or len(start) != 2:
            raise InputError(f"start has type {type(start).__name__}. Give a tuple (q, u).")
        q, u = start
        q, u = finite_array("start q", q, (self.figure.nq,)), finite_array("start u", u, (self.figure.nu,))
        if q.ndim != 1 or u.ndim != 1:
            raise ShapeError(f"start has arrays of shapes {q.shape} and {u.shape}. Give a single state.")
        unit_quaternions(self.figure, q)
        moving = [self.figure.dofs[k] for k in sorted(self.frozen) if u[k] != 0.0]
        if moving:
            raise StateError(f"Frozen degrees of freedom move at the start: {', '.join(moving)}. Set their u to 0.")
        return q, u

    def _steps(self, rule: Increment, kernel, held, command, start=None, progress=None):
        """Run the increments; return q, u, u' and τ of all frames, up to the first that is not finite."""
        figure, at, h = self.figure, self.desired, self.dt
        q, u = (at.q[0], at.u[0]) if start is None else self._checked_start(start)
        led = np.array([k in held - self.frozen for k in range(figure.nu)], float)
        push = np.array([k not in self.free for k in range(figure.nu)], float)
        last, rows = len(at) - 1, list[tuple]()
        for k in range(last + 1):
            try:
                tau = push * command(k, q, u)
            except (SingularError, InputError):  # the state has overflowed, or its angles are too large
                if not rows:
                    raise
                break
            ahead = towards(figure, rule, q, u, at.q[k + 1], at.u[k + 1], h) if k < last else (at.udot[k], 0.0 * u)
            a, b = (led * x for x in ahead)
            more = {"f_ext": self.external[k]} if self.rule.external else {}
            after, speed, udot, required = kernel(t=at.time[k], h=h, q=q, u=u, tau=tau, a=a, b=b, **more)
            rows.append((q, u, udot, required))
            q, u = after, speed
            if progress is not None:
                progress(k, last)
            if not (np.isfinite(q).all() and np.isfinite(u).all()):
                break
        return tuple(np.array(x) for x in zip(*rows, strict=True))


def _frozen(motion: Motion, constant: set[int]) -> Motion:
    """Return the desired motion with some degrees of freedom kept at their values of the first frame."""
    figure, time = motion.figure, motion.time
    moves = np.array([k not in constant for k in range(figure.nu)], float)
    first = np.broadcast_to(motion.q[0], motion.q.shape)
    q = figure.integrate(first, moves * figure.difference(first, motion.q))
    u, udot = moves * motion.u, moves * motion.udot
    part = [k for k in angular_starts(figure) if 0.0 < moves[k : k + 3].sum() < 3.0]
    if not part:
        return motion.changed(q=q, u=u, channels=motion.channels | {"udot": udot})
    some = np.isin(np.arange(figure.nu), [k + i for k in part for i in range(3)])  # rotations that are partly frozen
    rows = [motion.q[0]]
    for k, h in enumerate(np.diff(time)):
        turn = 0.5 * h * (u[k] + u[k + 1]) + h * h / 12.0 * (udot[k] - udot[k + 1])
        rest = figure.difference(rows[-1], q[k + 1])
        rows.append(figure.integrate(rows[-1], np.where(some, turn, rest)))
    return motion.changed(q=np.array(rows), u=u, channels=motion.channels | {"udot": udot})
