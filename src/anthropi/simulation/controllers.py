"""Basic controllers: joint forces, PD control towards a pose, prescribed motion, frozen joints, and combinations.

    Torque      τ                                                              (1)
    Hold        kp (target ⊟ q) - kd u, at the end of the step, at most `limit`    (2)  algorithms/implicit_springs.py
    Lead        u' prescribed so that q follows functions of time              (3)  hybrid dynamics
    Freeze      u' = 0 prescribed                                              (4)  thesis 11.1

Numbers that a controller is made with are its parameters: inputs of the kernel, another for each rollout if wanted.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anthropi.errors import InputError, StateError
from anthropi.figure.states import unit_quaternions
from anthropi.simulation.drive import Drive
from anthropi.simulation.options import finite_array

__all__ = ["Freeze", "Hold", "Lead", "Nominal", "Several", "Torque"]

OFF = 1e-6  # [rad, m, rad/s, m/s] how far from its course a start may be


@dataclass(eq=False)
class Torque:
    """Joint forces (1): tau (nu,) [N m or N], constant or a function (figure, t, q, u)."""

    tau: Any
    parameters: dict[str, Any] = field(init=False, default_factory=dict)
    memory: dict[str, Any] = field(init=False, default_factory=dict)
    prescribed: tuple[str, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        if not callable(self.tau):
            self.parameters = {"tau": finite_array("tau", self.tau, None)}

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """Return the joint forces (1)."""
        tau = self.tau(figure, sense.t, sense.q, sense.u) if callable(self.tau) else parameters["tau"]
        return Drive(tau=tau), memory


class Nominal:
    """A controller that assumes a nominal figure, whatever the masses of the figure it moves."""

    controller: Any
    figure: Any
    memory: Any
    parameters: Any
    prescribed: Any

    def __init__(self, controller: Any, figure: Any) -> None:
        self.controller, self.figure = controller, figure
        self.parameters, self.memory, self.prescribed = controller.parameters, controller.memory, controller.prescribed

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """The controller's drive for the nominal figure."""
        return self.controller(self.figure, sense, memory, parameters)


@dataclass(eq=False)
class Hold:
    """PD control towards a pose (2), implicit and therefore stable for any stiffness.

    target : (nq,). kp, kd : one number for all, or one a degree of freedom held [N m/rad, N m s/rad or N/m, N s/m].
    joints : names of joints or degrees of freedom to hold; None: all but a free root. limit : [N m or N] the most.
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
                raise InputError(f"Hold: {name} has shape {value.shape}; wanted {' or '.join(map(str, shapes))}, finite"
                                f"{'' if name == 'target' else ' and not negative'}.")  # fmt: skip
        unit_quaternions(figure, self.parameters["target"])

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """Return springs and dampers towards the pose (2)."""
        kp, kd = (self._spread(figure, parameters[name]) for name in ("kp", "kd"))
        limit = self._spread(figure, parameters["limit"], np.inf) if "limit" in parameters else None
        return Drive(target=parameters["target"], kp=kp, kd=kd, limit=limit), memory

    def _spread(self, figure, numbers, rest=0.0):
        """Place the numbers of the held dofs among all dofs; `rest` elsewhere."""
        own = dict(zip(self.held, np.broadcast_to(numbers, (len(self.held),)), strict=True))
        return np.array([own.get(k, rest) for k in range(figure.nu)])


@dataclass(eq=False)
class Lead:
    """Dofs that follow functions of time (3), as accurately as the method integrates their accelerations.

    courses : {degree of freedom: function t → (value, rate, acceleration)}. `start` puts a state on them; a run that
    starts off them is refused.
    """

    courses: dict[str, Any]
    parameters: dict[str, Any] = field(init=False, default_factory=dict)
    memory: dict[str, Any] = field(init=False, default_factory=dict)

    @property
    def prescribed(self) -> tuple[str, ...]:
        """The dofs that follow functions."""
        return tuple(self.courses)

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """Return the prescribed accelerations (3)."""
        own = {figure.dof_indices(name)[0]: course(sense.t)[2] for name, course in self.courses.items()}
        return Drive(udot=np.array([own.get(k, 0.0) for k in range(figure.nu)])), memory

    def check(self, figure: Any, q: Any, u: Any, t: Any) -> None:
        """Raise InputError if the start is not on the functions."""
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
                    words = f"'{name}' is led from {what} = {float(wanted):.6g} at t = {t:g} s, and the state has "
                    raise StateError(f"{words}{np.ravel(found)[0]:.6g}. Start with q, u = lead.start(figure, q, u, t).")

    def start(self, figure: Any, q: Any, u: Any, t: float = 0.0) -> Any:
        """Return (q, u) with the values and rates of the functions at t, for joints whose q' = u."""
        q, u = np.array(q, float), np.array(u, float)
        for name, course in self.courses.items():
            k = figure.dof_indices(name)[0]
            i = next(i for i, at in enumerate(figure.u_of) if at.start <= k < at.stop)
            if not figure.joints[i].plain:
                raise InputError(
                    f"'{name}' turns together with others; its rate is no coordinate's. Lead a joint whose "
                    "coordinates add, or give the state yourself."
                )
            value, rate, _ = course(t)
            q[figure.q_of[i].start + k - figure.u_of[i].start], u[k] = value, rate
        return q, u


@dataclass(eq=False)
class Freeze:
    """Frozen joints or dofs (4); their velocities must be 0 at the start."""

    names: tuple[str, ...]
    parameters: dict[str, Any] = field(init=False, default_factory=dict)
    memory: dict[str, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.names = (self.names,) if isinstance(self.names, str) else tuple(self.names)

    @property
    def prescribed(self) -> tuple[str, ...]:
        """The frozen joints or dofs."""
        return self.names

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """Return zero accelerations (4)."""
        return Drive(udot=np.zeros(figure.nu)), memory

    def check(self, figure: Any, q: Any, u: Any, t: Any) -> None:
        """Raise InputError if a frozen dof moves at the start."""
        moving = [figure.dofs[k] for k in figure.dof_indices(self.names) if np.any(np.asarray(u)[..., k] != 0.0)]
        if moving:
            raise StateError(f"Frozen degrees of freedom move at the start: {', '.join(moving)}. Set their u to 0.")


class Several:
    """Several controllers by name: forces add, prescribed dofs are united.

    Parameters and memory are "name.what". At most one may have a target.
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
        parts = {who: getattr(c, what) for who, c in self.controllers.items()}
        return {f"{who}.{name}": x for who, own in parts.items() for name, x in own.items()}

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """Return the combined drive and memory."""
        from anthropi.simulation.forces import combined

        total, after = Drive(), dict[str, Any]()
        for who, controller in self.controllers.items():
            own, numbers = (_part(x, who) for x in (memory, parameters))
            drive, left = controller(figure, sense, own, numbers)
            if drive.udot is not None:  # of its own degrees of freedom only
                held = set(figure.dof_indices(controller.prescribed))
                rates = [drive.udot[k] if k in held else 0.0 for k in range(figure.nu)]
                drive = drive._replace(udot=np.array(rates) if total.udot is None else np.array(rates) + total.udot)
                total = total._replace(udot=None)
            total = combined(total, drive)
            after |= {f"{who}.{name}": x for name, x in left.items()}
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


def _part(whole: dict[Any, Any], who: str) -> dict[str, Any]:
    """Return the entries of one of several controllers."""
    return {name[len(who) + 1 :]: x for name, x in whole.items() if name.startswith(f"{who}.")}
