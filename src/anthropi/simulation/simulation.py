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
from anthropi.compiler.dlpack import on_gpu
from anthropi.contact.geometry.contacts import contact_records
from anthropi.contact.scene import with_stops
from anthropi.errors import InputError, ShapeError
from anthropi.figure import Figure
from anthropi.figure.states import unit_quaternions
from anthropi.motion.state import State
from anthropi.simulation.device_kernel import DeviceKernel, device_view, on_host
from anthropi.simulation.divergence import diverged
from anthropi.simulation.forces import Inputs
from anthropi.simulation.held_kernel import HeldKernel, kinematics_kernel, linked, recorded, replaced_rows
from anthropi.simulation.options import finite_array, number, random_streams
from anthropi.simulation.parameters import Parameters
from anthropi.simulation.problem import problem_of
from anthropi.simulation.sense import ContactForces
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
        if not isinstance(batch, (int, np.integer)) or batch < 1:
            raise InputError(f"batch={batch!r} is not valid. Give an integer number of rollouts, at least 1.")
        self.problem = problem_of(with_stops(scene), controller, method, prescribed, audit="work" in record)
        figure = self.problem.figure
        self.dt, self.batch = number("dt", dt, positive=True), int(batch)
        self.target, self.precision, self.opt, self.threads = target, precision, opt, threads
        channels = dict.fromkeys(record)
        if self.problem.contact is not None:
            channels = {"contact": None, "contact_point": None} | channels
        slots = (slots,) if isinstance(slots, str) else tuple(slots)
        self.program = Program(self.problem, 1, channels, slots=slots)
        self._parameters = Parameters(self.problem, slots, self.program.settings, self.batch)
        self.program = replace(self.program, size=self._parameters.size)
        self._variants: dict[tuple[Any, ...], HeldKernel] = {}
        self._current: HeldKernel | None = None
        self._state: dict[str, np.ndarray] = {}
        self._given: dict[str, np.ndarray] = {}
        self._start_u = np.zeros((self.batch, figure.nu))
        self._kinematics: Any = None
        self.reset(figure.neutral())

    # state

    def reset(self, q: Any, u: Any = None, seed: Any = 0, parameters: dict[str, Any] | None = None,
              where: Any = None, start: Any = 0.0) -> None:  # fmt: skip
        """Restart all rollouts, or some of them, from a given state.

        q, u : (nq,), (nu,), or with a batch axis; u is 0 by default. seed : seed of random numbers, or (batch,) seeds,
        which make them independent of the number of the rollout. parameters : {name: numbers} of the controller and of
        `slots`; others keep their values. where : (batch,) mask of the rollouts to restart; None for all. start : [s]
        their time, one number or (batch,).
        """
        figure = self.figure
        if not on_gpu(q):  # numbers on a GPU are not examined
            q = finite_array("q", q, (figure.nq,), figure, "nq")
            unit_quaternions(figure, q)
        if not on_gpu(u):
            u = finite_array("u", np.zeros(figure.nu) if u is None else u, (figure.nu,), figure, "nu")
        fresh = self.program.state() | {"q": q, "u": u}
        fresh["start"] = start if on_gpu(start) else finite_array("start", start, ())
        fresh["stream"] = random_streams(seed, 0, self.batch, self.precision)
        if parameters:
            self.set_parameters(parameters, where)
        if self._put(fresh, where):
            rows = None if where is None else self._mask(where)
            self._start_u = replaced_rows(self._start_u, self._state["u"], rows)

    def _put(self, fresh: dict[str, Any], where: Any = None) -> bool:
        """Replace arrays of the state, for some rollouts or for all; return whether they are in `_state` now."""
        self._kinematics = None
        if self._current is not None and self._current.puts(fresh, where):
            return False
        self._leave()
        rows = None if where is None else self._mask(where)
        known = self.program.state()
        for name, value in fresh.items():
            value, shape = on_host(value), np.shape(known.get(name, np.zeros(())))
            if np.ndim(value) > len(shape) and len(value) != self.batch:
                raise ShapeError(f"'{name}' has {len(value)} rollouts, but this simulation has {self.batch}.")
            self._state[name] = replaced_rows(self._state.get(name), np.broadcast_to(value, (self.batch, *shape)), rows)
        return True

    def _mask(self, where: Any) -> np.ndarray:
        rows = np.asarray(on_host(where), bool)
        if rows.shape != (self.batch,):
            raise ShapeError(f"where has shape {rows.shape}. Give ({self.batch},), one entry per rollout.")
        return rows

    def set_parameters(self, parameters: dict[str, Any], where: Any = None) -> None:
        """Change parameters of the controller and numbers in `slots`, from the next step.

        parameters : {name: numbers}, for all rollouts or with a batch axis. where : (batch,) mask of rollouts.
        """
        if self._current is not None and self._current.takes_parameters(self._parameters, parameters, where):
            self._kinematics = None
            return
        self._read_parameters()
        rows = None if where is None else self._mask(where)
        self._parameters.set({name: on_host(x) for name, x in parameters.items()}, rows)
        if self._current is not None:
            self._current.stale = True
        self._kinematics = None

    def set_parameter_rows(self, rows: dict[str, Any], where: Any = None) -> None:
        """Change rows of parameters, in the form of `parameter_arrays`; where : (batch,) mask of rollouts."""
        self._kinematics = None
        if self._current is None or not self._current.takes_rows(rows, where):
            self._read_parameters()
            self._parameters.replace(rows, None if where is None else self._mask(where))
            if self._current is not None:
                self._current.stale = True

    def parameter_arrays(self) -> dict[str, Any]:
        """Return the rows of parameters as `parameter_rows`; for a batch on a GPU, as arrays on the GPU."""
        found = None if self._current is None else self._current.parameter_arrays()
        return self.parameter_rows() if found is None else found

    def controller_parameters(self) -> dict[str, Any]:
        """Return the present parameters of the controller, (batch, …) each."""
        self._read_parameters()
        return self._parameters.of_controller()

    @property
    def slot_sizes(self) -> dict[str, int]:
        """The number of values of each slot."""
        return self._parameters.slot_sizes

    def _read_parameters(self) -> None:
        """Bring parameters that were changed on the GPU back."""
        if self._current is not None:
            self._parameters.rows |= self._current.newer_parameters()

    @property
    def state(self) -> State:
        """The complete state. It can be pickled, and assigned to this or another simulation of the same scene."""
        now, memory = self._now_state(), self.program.memory
        kept = memory.unpack(self._plain(now["memory"])) if memory.size else {}
        clock = {name: self._plain(now[name]) for name in ("start", "count", "stream")} | {"dt": self.dt, "rollout": 0}
        return State(self.time, self._plain(now["q"]), self._plain(now["u"]), kept, clock, self.figure.dofs)

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
        self._leave()
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
        """Configuration (nq,) or (batch, nq); for a batch on a GPU, an array on the GPU, for `from_dlpack` of any
        library."""
        return self.state_array("q")

    @property
    def u(self) -> np.ndarray:
        """Velocity (nu,) or (batch, nu)."""
        return self.state_array("u")

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
        return memory.unpack(self._plain(self._now_state()["memory"])) if memory.size else {}

    def set_memory(self, memory: dict[str, Any]) -> None:
        """Replace parts of the memory of all rollouts, given as nested arrays."""
        self._put({"memory": self.program.memory.replaced(self._now_state()["memory"], memory)})

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

    def state_array(self, name: str) -> Any:
        """Return an array of the state of the kernel, (…) or (batch, …); for a batch on a GPU, an array on the GPU."""
        if self.target == "gpu" and self.batch > 1:
            return device_view(self._current, self._state, name, self.precision)
        array = self._now_state()[name]
        return array[0] if self.batch == 1 else array

    @property
    def contacts(self) -> Any:
        """Contacts of the last `step` call: names, mean forces (contacts, 3) [N] on each first link, and points [m]."""
        if self.problem.contact is None:
            return ContactForces((), np.zeros((0, 3)), np.zeros((0, 3)))
        found = self.program.mean_values(self.state_array("means"), self.precision)
        return ContactForces(contact_records(self.problem.scene), found["contact"], found["contact_point"])

    @property
    def kinematics(self) -> Any:
        """Poses and velocities of all links at the current state: `sim.kinematics.link("l_foot").position`."""
        if self._kinematics is None:
            kernel, entries = self._kinematics_kernel
            rows, now = self.parameter_rows(), self._now_state()
            given = {"parameters": self._plain(rows["parameters"][:, entries])} if entries else {}
            found = kernel(**given, q=self._plain(now["q"]), u=self._plain(now["u"]))
            self._kinematics = KinematicsView(self.figure, found)
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
        uniform = self._parameters.alike() if self.target == "gpu" and self.batch > 1 else ()
        key = frames, tau is not None, size, links, uniform
        self._leave()
        if key not in self._variants:
            program = replace(self.program, frames=frames, forces="" if tau is None else "constant", command=size,
                              f_ext=links)  # fmt: skip
            kernel = compiled(program, self.target, self.precision, self.opt, uniform)
            kind = DeviceKernel if self.target == "gpu" and self.batch > 1 else HeldKernel
            self._variants[key] = kind(self, program, kernel)
        held = self._current = self._variants[key]
        held.enter(self._state)
        self._kinematics = None
        return held

    def _leave(self) -> None:
        """Copy the state back from the kernel that has it."""
        if self._current is not None:
            self._read_parameters()
            self._state = self._state | self._current.leave()
            self._current = None

    def kernel_state(self) -> dict[str, np.ndarray]:
        """Return a copy of the state as inputs of the kernel, (batch, …) each; `state` is for other uses."""
        return {name: np.array(x) for name, x in self._now_state().items()}

    def alike_parameters(self) -> tuple[str, ...]:
        """Return the names of the rows of parameters that are the same for all rollouts."""
        return self._parameters.alike()

    def parameter_rows(self) -> dict[str, np.ndarray]:
        """Return the parameters as kernel inputs, rows (batch, n)."""
        self._read_parameters()
        return self._parameters.rows

    @property
    def function(self) -> Callable[..., Any]:
        """Pure function (state, inputs) → state of one step, for derivatives and other array libraries."""
        problem, dt = self.problem, self.dt

        def advance(state: State, inputs: Inputs | None = None) -> State:
            return step(problem, state, dt, inputs).state

        return advance
