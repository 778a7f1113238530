"""A compiled simulation that keeps its state and makes steps with inputs that may change at every call.

The kernel of `time_loop.py` is found by its content, so it is recorded once per machine, not once per call. Walking
sessions, searches and the studio's live run use it. `simulate` uses the same kernel to record whole motions.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from anthropi.algorithms.kinematics import KinematicsView
from anthropi.contact.geometry.contacts import contact_records
from anthropi.contact.scene import Scene, with_stops
from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.figure import Figure
from anthropi.figure.states import unit_quaternions
from anthropi.motion.state import State
from anthropi.simulation.divergence import diverged
from anthropi.simulation.forces import Inputs
from anthropi.simulation.held_kernel import HeldKernel, kinematics_kernel, linked, recorded, replaced_rows
from anthropi.simulation.integrators import METHODS
from anthropi.simulation.integrators import method as by_name
from anthropi.simulation.options import finite_array, number, random_streams, settings_row
from anthropi.simulation.problem import Problem
from anthropi.simulation.sense import ContactForces, is_controller
from anthropi.simulation.slots import slot_sizes, slot_values
from anthropi.simulation.step import step
from anthropi.simulation.time_loop import Program, compiled

__all__ = ["Simulation"]


class Simulation:
    """A compiled simulation of a scene, advanced step by step.

    Parameters
    ----------
    scene : a `Scene`, or a figure.
    controller : a `Controller`, or None.
    dt : [s] time step. method : a name in `METHODS`; by default "rk4" for a figure, else "linearly_implicit_euler".
    prescribed : names of joints or dofs for which the controller gives accelerations.
    batch : number of parallel rollouts; with 1, arrays have no batch axis.
    target, precision, opt, threads : as in `build` and kernels.
    slots : numbers of the figure ("l_thigh.mass", "gravity") and of the ground ("ground.normal", "ground.point",
        "friction") that `reset` and `set_parameters` may change without recompiling.
    record : channels that `record` returns in addition to q and u: "tau", "udot", "energy", "work". Contact forces and
        points are always recorded if there are contacts.

    Examples
    --------
    >>> sim = ap.Simulation(ap.Scene(ap.human()), dt=1e-3)  # doctest: +SKIP
    >>> sim.reset(ap.standing(sim.figure))  # doctest: +SKIP
    >>> sim.step(10, tau=np.zeros(sim.figure.nu))  # doctest: +SKIP
    >>> sim.time, sim.q, sim.contacts.forces  # doctest: +SKIP
    """

    batch: Any
    dt: Any
    opt: Any
    precision: Any
    problem: Any
    program: Any
    target: Any
    threads: Any

    def __init__(
        self,
        scene: Any,
        controller: Any = None,
        dt: float = 1e-3,
        method: str | None = None,
        prescribed: Any = (),
        batch: int = 1,
        target: str = "cpu",
        precision: str = "float64",
        *,
        opt: Any = "tiers",
        threads: int | None = None,
        slots: Any = (),
        record: Any = (),
    ) -> None:
        scene = with_stops(scene)
        place = scene if isinstance(scene, Scene) else None
        figure = scene if place is None else place.figure
        if not isinstance(figure, Figure):
            raise InputError(f"Simulation got an object of type {type(scene).__name__}. Give a scene or a figure.")
        if controller is not None and not is_controller(controller):
            raise InputError(
                f"{controller!r} is not a controller. Give a callable with parameters, memory and prescribed, or None."
            )
        if not isinstance(batch, (int, np.integer)) or batch < 1:
            raise InputError(f"batch={batch!r} is not valid. Give an integer number of rollouts, at least 1.")
        held = (prescribed,) if isinstance(prescribed, str) else tuple(prescribed)
        held = held if controller is None else tuple(dict.fromkeys((*held, *controller.prescribed)))
        figure.dof_indices(held)
        rule: Any = by_name(method or ("rk4" if place is None and controller is None else "linearly_implicit_euler"))
        if not (rule.name in METHODS and METHODS[rule.name] is rule):
            raise InputError(f"Method '{rule.name}' is not in METHODS. Add it to METHODS and give its name.")
        self.problem = Problem(figure, place, controller, rule.name, held, audit="work" in record)
        self.problem.check()
        self.dt, self.batch = number("dt", dt, positive=True), int(batch)
        self.target, self.precision, self.opt, self.threads = target, precision, opt, threads
        channels = dict.fromkeys(record)
        if self.problem.contact is not None:
            channels = {"contact": None, "contact_point": None} | channels
        self._slots = (slots,) if isinstance(slots, str) else tuple(slots)
        self._numbers = slot_values(self.problem, self._slots)
        self.program = Program(self.problem, 1, channels, slots=self._slots, size=len(self._numbers))
        self._settings = self.program.settings
        self._arrays: dict[str, np.ndarray] = {}
        self._variants: dict[tuple[Any, ...], HeldKernel] = {}
        self._current: HeldKernel | None = None
        self._state: dict[str, np.ndarray] = {}
        self._given: dict[str, np.ndarray] = {}
        self._start_u = np.zeros((self.batch, figure.nu))
        self._kinematics: Any = None
        self.reset(figure.neutral())

    # state

    def reset(self, q: Any, u: Any = None, seed: Any = 0, parameters: dict[str, Any] | None = None,
              where: Any = None, start: float = 0.0) -> None:  # fmt: skip
        """Restart all rollouts, or some of them, from a given state.

        q, u : (nq,), (nu,), or with a batch axis; u is 0 by default. seed : seed of random numbers, or (batch,) seeds,
        which make them independent of the number of the rollout. parameters : {name: numbers} of the controller and of
        `slots`; others keep their values. where : (batch,) mask of the rollouts to restart; None for all. start : [s]
        their time.
        """
        figure = self.figure
        q = finite_array("q", q, (figure.nq,), figure, "nq")
        unit_quaternions(figure, q)
        u = finite_array("u", np.zeros(figure.nu) if u is None else u, (figure.nu,), figure, "nu")
        fresh = self.program.state() | {"q": q, "u": u}
        fresh["start"] = np.asarray(number("start", start))
        fresh["stream"] = random_streams(seed, 0, self.batch, self.precision)
        if parameters:
            self.set_parameters(parameters, where)
        self._put(fresh, where)
        self._start_u = replaced_rows(self._start_u, self._state["u"], None if where is None else self._mask(where))
        if not self._arrays:
            self.set_parameters({})

    def _put(self, fresh: dict[str, Any], where: Any = None) -> None:
        """Replace arrays of the state, for some rollouts or for all."""
        self._leave()
        rows = None if where is None else self._mask(where)
        known = self.program.state()
        for name, value in fresh.items():
            shape = np.shape(known.get(name, np.zeros(())))
            if np.ndim(value) > len(shape) and len(value) != self.batch:
                raise ShapeError(f"'{name}' has {len(value)} rollouts, but this simulation has {self.batch}.")
            self._state[name] = replaced_rows(self._state.get(name), np.broadcast_to(value, (self.batch, *shape)), rows)
        self._kinematics = None

    def _mask(self, where: Any) -> np.ndarray:
        rows = np.asarray(where, bool)
        if rows.shape != (self.batch,):
            raise ShapeError(f"where has shape {rows.shape}. Give ({self.batch},), one entry per rollout.")
        return rows

    def set_parameters(self, parameters: dict[str, Any], where: Any = None) -> None:
        """Change parameters of the controller and numbers in `slots`, from the next step.

        parameters : {name: numbers}, for all rollouts or with a batch axis. where : (batch,) mask of rollouts.
        """
        controller, rows = self.problem.controller, None if where is None else self._mask(where)
        own = {} if controller is None else controller.parameters
        for name in parameters:
            if name not in own and name not in self._slots:
                known = [*own, *self._slots]
                raise InputError(
                    f"No parameter '{name}' in this simulation.{did_you_mean(name, known)} It has: "
                    f"{', '.join(known) or 'none'}. To change numbers of the figure, use Simulation(…, slots=…)."
                )
        if self._settings.size:
            self._set_row("settings", settings_row(self._settings, controller, self.controller_parameters() | {
                name: x for name, x in parameters.items() if name in own}), rows)  # fmt: skip
        if self._slots:
            values = self._slot_rows() | {name: x for name, x in parameters.items() if name in self._slots}
            lead = (self.batch,)
            parts = [np.broadcast_to(np.reshape(values[s], (*np.shape(values[s])[:-1], -1)), (*lead, n))
                     for s, n in self.slot_sizes.items()]  # fmt: skip
            self._set_row("parameters", np.concatenate(parts, -1), rows)
        if self._current is not None:
            self._current.stale = True
        self._kinematics = None

    def controller_parameters(self) -> dict[str, Any]:
        """Return the present parameters of the controller, (batch, …) each."""
        if "settings" not in self._arrays or self.problem.controller is None:
            return {}
        found = self._settings.unpack(self._arrays["settings"])
        return {name: found[name] for name in self.problem.controller.parameters}

    @cached_property
    def slot_sizes(self) -> dict[str, int]:
        """The number of values of each slot."""
        return slot_sizes(self.problem, self._slots)

    def _slot_rows(self) -> dict[str, Any]:
        row = self._arrays.get("parameters", np.broadcast_to(self._numbers, (self.batch, len(self._numbers))))
        found, at = {}, 0
        for slot, size in self.slot_sizes.items():
            found[slot], at = row[:, at : at + size], at + size
        return found

    def _set_row(self, name: str, value: np.ndarray, rows: np.ndarray | None) -> None:
        values = np.broadcast_to(value, (self.batch, value.shape[-1]))
        self._arrays[name] = replaced_rows(self._arrays.get(name), values, rows)

    @property
    def state(self) -> State:
        """The complete state. It can be pickled, and assigned to this or another simulation of the same scene."""
        now, memory = self._now_state(), self.program.memory
        kept = memory.unpack(self._plain(now["memory"])) if memory.size else {}
        clock = {name: self._plain(now[name]) for name in ("start", "count", "stream")} | {"dt": self.dt, "rollout": 0}
        return State(self.time, self.q.copy(), self.u.copy(), kept, clock, self.figure.dofs)

    @state.setter
    def state(self, state: State) -> None:
        clock = state.clock or {}
        if clock.get("count") is not None and clock.get("dt") == self.dt:
            fresh = {"count": clock["count"], "start": clock["start"]}
        else:
            fresh = {"count": 0.0, "start": state.t}
        memory = self.program.memory
        if memory.size and state.memory is not None:
            row = memory.pack(state.memory) if isinstance(state.memory, dict) and self.batch == 1 else state.memory
            fresh["memory"] = memory.pack_batch(row, self.batch) if isinstance(row, dict) else row
        if "stream" in clock:
            fresh["stream"] = clock["stream"]
        self._put(fresh | {"q": state.q, "u": state.u})
        self._start_u = np.array(self._state["u"])

    def _plain(self, array: Any) -> np.ndarray:
        """Return a copy of an array, without the batch axis if there is one rollout."""
        return np.array(array[0] if self.batch == 1 else array)

    def _now_state(self) -> dict[str, np.ndarray]:
        return self._state if self._current is None else self._current.state()

    @property
    def figure(self) -> Figure:
        """The simulated figure."""
        return self.problem.figure

    @property
    def q(self) -> np.ndarray:
        """Configuration (nq,) or (batch, nq)."""
        return self._view("q")

    @property
    def u(self) -> np.ndarray:
        """Velocity (nu,) or (batch, nu)."""
        return self._view("u")

    @property
    def time(self) -> Any:
        """Time [s], one number or (batch,)."""
        found = self._now_state()
        time = found["start"] + found["count"] * self.dt
        return float(time[0]) if self.batch == 1 else time

    @property
    def memory(self) -> dict[str, Any]:
        """Memory of contact model, limits and controller, as nested arrays."""
        memory = self.program.memory
        return memory.unpack(self._view("memory")) if memory.size else {}

    def set_memory(self, memory: dict[str, Any]) -> None:
        """Replace parts of the memory of all rollouts, given as nested arrays."""
        layout, rows = self.program.memory, np.array(self._now_state()["memory"])
        places = layout.unpack(np.arange(layout.size))
        for part, values in memory.items():
            for name, value in values.items():
                at = np.ravel(places[part][name]).astype(int)
                rows[:, at] = np.reshape(
                    np.broadcast_to(value, (self.batch, *np.shape(places[part][name]))), (-1, len(at))
                )
        self._put({"memory": rows})

    def replace_lost(self) -> None:
        """Set numbers of the state that are not finite to zero, so that failed rollouts do not affect sums."""
        now = self._now_state()
        if not all(np.isfinite(now[name]).all() for name in ("q", "u")):
            self._put({name: np.nan_to_num(now[name]) for name in ("q", "u", "memory") if name in now})

    @property
    def diverged(self) -> Any:
        """Whether the state is not finite or diverged (simulation/divergence.py): a boolean or (batch,) booleans."""
        now = self._now_state()
        found = diverged(self.figure, now["q"], now["u"], self._start_u, self.dt, self.precision)
        return bool(found[0]) if self.batch == 1 else found

    def _view(self, name: str) -> np.ndarray:
        array = self._now_state()[name]
        return array[0] if self.batch == 1 else array

    @property
    def contacts(self) -> Any:
        """Contacts of the last `step` call: names, mean forces (contacts, 3) [N] on each first link, and points [m]."""
        if self.problem.contact is None:
            return ContactForces((), np.zeros((0, 3)), np.zeros((0, 3)))
        found = self.program.mean_values(self._view("means"))
        return ContactForces(contact_records(self.problem.scene), found["contact"], found["contact_point"])

    @property
    def kinematics(self) -> Any:
        """Poses and velocities of all links at the current state: `sim.kinematics.link("l_foot").position`."""
        if self._kinematics is None:
            kernel, entries = self._kinematics_kernel
            given = {"parameters": self._plain(self._arrays["parameters"][:, entries])} if entries else {}
            self._kinematics = KinematicsView(self.figure, kernel(**given, q=self.q, u=self.u))
        return self._kinematics

    @cached_property
    def _kinematics_kernel(self) -> tuple[Any, list[int]]:
        return kinematics_kernel(self.figure, self.slot_sizes)

    # time

    def step(self, n: int = 1, tau: Any = None, command: Any = None, f_ext: Any = None) -> None:
        """Make n steps with constant inputs.

        tau : joint forces (nu,) or (batch, nu) [N m or N]. command : command (n,) or (batch, n) to the controller.
        f_ext : external forces {link: (6,)} or (links, 6), with or without a leading batch axis, in link frames, moment
        about the origin first.

        Raises StepError if the state after the n steps is not finite or has diverged; `reset`, or an earlier `state`,
        makes the simulation usable again. In a batch, one lost rollout does not stop the others: look at `diverged`.
        """
        held = self._current
        if held is None or not held.takes(tau, command, f_ext):
            held = self.held(1, tau, command, f_ext)
        held.run(n, tau, command, f_ext)
        self._kinematics = None

    def record(
        self, frames: int, every: int = 1, tau: Any = None, command: Any = None, f_ext: Any = None
    ) -> dict[Any, Any]:
        """Make frames × every steps and return "time", "q", "u" and the recorded channels, each (frames, …).

        Rows are at the start of each group of `every` steps. Forces and accelerations are means over the group. The
        state after the steps is `sim.state`.
        """
        return recorded(self, frames, every, tau, command, f_ext)

    def bound_step(self, tau: Any = None, command: Any = None, f_ext: Any = None) -> Callable[[], None]:
        """Return a function without arguments that makes one step from the current state, always the same step.

        It calls the kernel directly, for example to measure its time, and does not change the simulation. It needs one
        rollout on the CPU.
        """
        return self.held(1, tau, command, f_ext).bound_step(tau, command, f_ext)

    def held(self, frames: int, tau: Any, command: Any, f_ext: Any) -> HeldKernel:
        """Return the kernel for these inputs, with the current state."""
        links = "" if f_ext is None else linked(self.figure, f_ext)
        size = 0 if command is None else np.shape(command)[-1]
        key = frames, tau is not None, size, links
        self._leave()
        if key not in self._variants:
            program = replace(self.program, frames=frames, forces="" if tau is None else "constant", command=size,
                              f_ext=links)  # fmt: skip
            kernel = compiled(program, self.target, self.precision, self.opt)
            self._variants[key] = HeldKernel(self, program, kernel)
        held = self._current = self._variants[key]
        held.enter(self._state)
        self._kinematics = None
        return held

    def _leave(self) -> None:
        """Copy the state back from the kernel that has it."""
        if self._current is not None:
            self._state = self._state | self._current.leave()
            self._current = None

    def kernel_state(self) -> dict[str, np.ndarray]:
        """Return a copy of the state as inputs of the kernel, (batch, …) each; `state` is for other uses."""
        return {name: np.array(x) for name, x in self._now_state().items()}

    def parameter_rows(self) -> dict[str, np.ndarray]:
        """Return the parameters as kernel inputs, rows (batch, n)."""
        return self._arrays

    @property
    def function(self) -> Callable[..., Any]:
        """Pure function (state, inputs) → state of one step, for derivatives and other array libraries."""
        problem, dt = self.problem, self.dt

        def advance(state: State, inputs: Inputs | None = None) -> State:
            return step(problem, state, dt, inputs).state

        return advance
