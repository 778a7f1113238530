"""Basic controllers: joint forces, PD control towards a pose, prescribed motion, frozen joints, and combinations.

    Torque      τ                                                              (1)
    Hold        kp (target ⊟ q) - kd u, at the end of the step, at most `limit`    (2)  algorithms/implicit_springs.py
    Follow      (2) with the target as command
    Lead        u' prescribed so that q follows functions of time              (3)  hybrid dynamics
    Freeze      u' = 0 prescribed                                              (4)  thesis 11.1
    Policy      a trained network with an action law                           simulation/policy.py

The numbers of a controller are its parameters. They are inputs of the kernel and may differ between rollouts.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anthropi.errors import InputError, StateError
from anthropi.figure.states import unit_quaternions
from anthropi.simulation.drive import Drive
from anthropi.simulation.memory import named, part_of
from anthropi.simulation.options import finite_array
from anthropi.simulation.policy import Policy

__all__ = ["Follow", "Freeze", "Hold", "Lead", "Nominal", "Policy", "Several", "Torque"]

OFF = 1e-6  # [rad, m, rad/s, m/s] largest difference between the start and the prescribed functions


@dataclass(eq=False)
class Torque:
    """Controller that applies joint forces tau (nu,) [N m or N], constant or a function (figure, t, q, u)."""

    tau: Any
    parameters: dict[str, Any] = field(init=False, default_factory=dict)
    memory: dict[str, Any] = field(init=False, default_factory=dict)
    prescribed: tuple[str, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        if not callable(self.tau):
            self.parameters = {"tau": finite_array("tau", self.tau, None)}

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """Return a drive with the joint forces."""
        tau = self.tau(figure, sense.t, sense.q, sense.u) if callable(self.tau) else parameters["tau"]
        return Drive(tau=tau), memory


class Nominal:
    """Wrapper that gives a controller a fixed nominal figure, even if the simulated figure has other masses."""

    controller: Any
    figure: Any
    memory: Any
    parameters: Any
    prescribed: Any

    def __init__(self, controller: Any, figure: Any) -> None:
        self.controller, self.figure = controller, figure
        self.parameters, self.memory, self.prescribed = controller.parameters, controller.memory, controller.prescribed

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """Return the drive that the controller computes for the nominal figure."""
        return self.controller(self.figure, sense, memory, parameters)


@dataclass(eq=False)
class Hold:
    """PD control towards a pose. It is implicit and therefore stable for any stiffness.

    Attributes
    ----------
    target : (nq,) the pose.
    kp, kd : stiffness and damping [N m/rad, N m s/rad or N/m, N s/m], one number, or one for each controlled dof.
    joints : names of joints or degrees of freedom to control; None for all except a free root.
    limit : [N m or N] largest force or moment, one number or one for each controlled dof; None for no limit.
    """

    figure: Any
    target: Any
    kp: Any
    kd: Any
    joints: Any = None
    limit: Any = None
    prescribed: tuple[str, ...] = field(init=False, default=())
    memory: dict[str, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        figure = self.figure
        free = figure.joints[0].kind == "free"
        names = [j.name for j in figure.joints[1 if free else 0 :]] if self.joints is None else self.joints
        self.held = figure.dof_indices(names)
        given = {"target": self.target, "kp": self.kp, "kd": self.kd}
        given |= {} if self.limit is None else {"limit": self.limit}
        self.parameters = {name: finite_array(name, x, None) for name, x in given.items()}
        for name, value in self.parameters.items():
            shapes = ((figure.nq,),) if name == "target" else ((), (len(self.held),))
            if value.shape not in shapes or not np.isfinite(value).all() or (name != "target" and (value < 0).any()):
                raise InputError(f"{name} of Hold has shape {value.shape}. Give finite"
                                f"{'' if name == 'target' else ', non-negative'} numbers of shape "
                                f"{' or '.join(map(str, shapes))}.")  # fmt: skip
        unit_quaternions(figure, self.parameters["target"])

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """Return a drive with springs and dampers towards the pose."""
        kp, kd = (self._spread(figure, parameters[name]) for name in ("kp", "kd"))
        limit = self._spread(figure, parameters["limit"], np.inf) if "limit" in parameters else None
        return Drive(target=parameters["target"], kp=kp, kd=kd, limit=limit), memory

    def _spread(self, figure, numbers, rest=0.0):
        """Expand the numbers of the controlled dofs to all dofs (nu,), with `rest` for the others."""
        own = dict(zip(self.held, np.broadcast_to(numbers, (len(self.held),)), strict=True))
        return np.array([own.get(k, rest) for k in range(figure.nu)])


@dataclass(eq=False)
class Follow:
    """PD control towards a configuration that is the command of the simulation, implicit like `Hold`.

    Attributes
    ----------
    kp, kd : (nu,) stiffness and damping; 0 for degrees of freedom that are not controlled. limit : (nu,) [N m or N]
    largest force or moment; None for no limit.
    """

    figure: Any
    kp: Any
    kd: Any
    limit: Any = None
    parameters: dict[str, Any] = field(init=False)
    prescribed: tuple[str, ...] = field(init=False, default=())
    memory: dict[str, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        given = {"kp": self.kp, "kd": self.kd} | ({} if self.limit is None else {"limit": self.limit})
        self.parameters = {
            name: finite_array(name, x, (self.figure.nu,), self.figure, "nu") for name, x in given.items()
        }

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """Return a drive with springs and dampers towards the command (nq,)."""
        return Drive(target=sense.command, **parameters), memory


@dataclass(eq=False)
class Lead:
    """Controller that makes degrees of freedom follow functions of time, by prescribed accelerations.

    The accuracy is that of the integration method. The start of a simulation must agree with the functions; use `start`
    to obtain such a state.

    courses : {degree of freedom: function t → (value, rate, acceleration)}.
    """

    courses: dict[str, Any]
    parameters: dict[str, Any] = field(init=False, default_factory=dict)
    memory: dict[str, Any] = field(init=False, default_factory=dict)

    @property
    def prescribed(self) -> tuple[str, ...]:
        """Names of the degrees of freedom that follow functions of time."""
        return tuple(self.courses)

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """Return a drive with the prescribed accelerations."""
        own = {figure.dof_indices(name)[0]: course(sense.t)[2] for name, course in self.courses.items()}
        return Drive(udot=np.array([own.get(k, 0.0) for k in range(figure.nu)])), memory

    def check(self, figure: Any, q: Any, u: Any, t: Any) -> None:
        """Raise StateError if the state (q, u) at time t [s] does not agree with the functions."""
        q, u = np.asarray(q, float), np.asarray(u, float)
        for name, course in self.courses.items():
            k = figure.dof_indices(name)[0]
            i = next(i for i, at in enumerate(figure.u_of) if at.start <= k < at.stop)
            value, rate, _ = course(t)
            far = [("u", rate, u[..., k])]
            if figure.joints[i].plain:
                far.append(("q", value, q[..., figure.q_of[i].start + k - figure.u_of[i].start]))
            for what, wanted, found in far:
                if np.abs(found - wanted).max() > OFF:
                    words = f"'{name}' must start with {what} = {float(wanted):.6g} at t = {t:g} s, but the state has "
                    raise StateError(f"{words}{np.ravel(found)[0]:.6g}. Use q, u = lead.start(figure, q, u, t).")

    def start(self, figure: Any, q: Any, u: Any, t: float = 0.0) -> Any:
        """Return (q, u) with the values and rates of the functions at time t [s]. The joints must have q' = u."""
        q, u = np.array(q, float), np.array(u, float)
        for name, course in self.courses.items():
            k = figure.dof_indices(name)[0]
            i = next(i for i, at in enumerate(figure.u_of) if at.start <= k < at.stop)
            if not figure.joints[i].plain:
                raise InputError(
                    f"The velocity of '{name}' is not the rate of one coordinate, so its start cannot be computed. Use "
                    "a joint with q' = u, or set q and u yourself."
                )
            value, rate, _ = course(t)
            q[figure.q_of[i].start + k - figure.u_of[i].start], u[k] = value, rate
        return q, u


@dataclass(eq=False)
class Freeze:
    """Controller that freezes joints or degrees of freedom. Their velocities must be 0 at the start."""

    names: tuple[str, ...]
    parameters: dict[str, Any] = field(init=False, default_factory=dict)
    memory: dict[str, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.names = (self.names,) if isinstance(self.names, str) else tuple(self.names)

    @property
    def prescribed(self) -> tuple[str, ...]:
        """Names of the frozen joints or degrees of freedom."""
        return self.names

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """Return a drive with zero accelerations."""
        return Drive(udot=np.zeros(figure.nu)), memory

    def check(self, figure: Any, q: Any, u: Any, t: Any) -> None:
        """Raise StateError if a frozen degree of freedom has a velocity at the start."""
        moving = [figure.dofs[k] for k in figure.dof_indices(self.names) if np.any(np.asarray(u)[..., k] != 0.0)]
        if moving:
            raise StateError(f"Frozen degrees of freedom move at the start: {', '.join(moving)}. Set their u to 0.")


class Several:
    """Combination of several named controllers. Their forces are added, and each may prescribe other dofs.

    Parameters and memory have names such as "hold.kp", with the name of the controller first. At most one controller
    may have a target.
    """

    memory: Any
    parameters: Any
    prescribed: Any

    def __init__(self, **controllers: Any) -> None:
        self.controllers = controllers
        self.parameters = self._named("parameters")
        self.memory = self._named("memory")
        self.prescribed = tuple(dict.fromkeys(n for c in controllers.values() for n in c.prescribed))

    def _named(self, what: str) -> dict[str, Any]:
        """Return the parameters or the memory of all controllers, with the name of the controller first."""
        parts = {who: getattr(c, what) for who, c in self.controllers.items()}
        return {name: x for who, own in parts.items() for name, x in named(who, own).items()}

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """Return the combined drive and memory."""
        from anthropi.simulation.forces import combined

        total, after = Drive(), dict[str, Any]()
        for who, controller in self.controllers.items():
            own, numbers = (part_of(x, who) for x in (memory, parameters))
            drive, left = controller(figure, sense, own, numbers)
            if drive.udot is not None:  # use only the accelerations that this controller prescribes
                held = set(figure.dof_indices(controller.prescribed))
                rates = [drive.udot[k] if k in held else 0.0 for k in range(figure.nu)]
                drive = drive._replace(udot=np.array(rates) if total.udot is None else np.array(rates) + total.udot)
                total = total._replace(udot=None)
            total = combined(total, drive)
            after |= named(who, left)
        return total, after

    def check(self, figure: Any, q: Any, u: Any, t: Any) -> None:
        """Run the checks of all controllers; raise InputError if two prescribe the same dof."""
        held: dict[int, str] = {}
        for who, controller in self.controllers.items():
            for k in figure.dof_indices(controller.prescribed):
                if k in held:
                    raise InputError(f"Both '{held[k]}' and '{who}' prescribe '{figure.dofs[k]}'. Leave one out.")
                held[k] = who
            if hasattr(controller, "check"):
                controller.check(figure, q, u, t)
