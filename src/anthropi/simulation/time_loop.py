"""The time loop inside one kernel: frames with many steps each, for one rollout or a batch.

One call of a kernel computes several frames. dt, the number of steps between frames and the number of steps are inputs,
so that one kernel serves simulations of any length. A long simulation is a sequence of calls. The complete state is
passed from call to call, so the result does not depend on how the simulation is divided, bit for bit. The rollouts of
a batch are independent.

Channels of forces and accelerations are means over the steps from a frame to the next. Other channels are functions of
the state at a frame. A contact point is the mean weighted by the size of the force, so that the mean force at that
point has the mean moment of the steps if the force keeps its direction:

    x̄ = Σ w x / Σ w,   w = |f_x| + |f_y| + |f_z| + ε                            (1)  without force: the mean of x
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from anthropi.algebra.scalar import absolute, less, less_equal, maximum, minimum, where
from anthropi.algorithms.energy import kinetic_energy, potential_energy
from anthropi.compiler import build, kernel_for
from anthropi.compiler.cache import digest
from anthropi.compiler.content import KeptByContent, content_key
from anthropi.compiler.dlpack import on_gpu
from anthropi.constraints.loops.projection import nearest_closed
from anthropi.errors import InputError
from anthropi.motion.contacts import MEAN_CHANNELS, MIN_WEIGHT
from anthropi.simulation.adaptive import Stride, first_stride, next_frame
from anthropi.simulation.drive import Drive, acceleration, checked, sized
from anthropi.simulation.forces import Inputs
from anthropi.simulation.integrators import METHODS
from anthropi.simulation.memory import Layout, layout
from anthropi.simulation.problem import Problem, initial_memory
from anthropi.simulation.slots import with_slots
from anthropi.simulation.step import Result, State, step
from anthropi.tape import record, repeat
from anthropi.tape.record import flatten, rebuild

__all__ = ["MAX_STEPS_PER_FRAME", "STATE_CHANNELS", "Program", "compiled"]

MAX_STEPS_PER_FRAME = 1 << 20
STATE_CHANNELS = {"energy": 2, "work": 4}  # functions of the state at a frame, with their number of values
_MAX_KERNELS = 64  # largest number of kernels kept in memory


@dataclass(frozen=True, eq=False)
class Program:
    """Description of a stepping kernel: a problem, the kinds of its inputs, and the recorded channels.

    Attributes
    ----------
    problem : the simulation problem.
    frames : number of frames in a call.
    record : {channel: None, or a function (figure, t, q, u)}.
    forces, udot : "" (none), "constant", "rows" (one row per step) or "function".
    f_ext : "", "function", or link numbers.
    every : steps between frames if there are rows, because their number is part of the kernel; else 0.
    slots, size : names of the figure's numbers that are inputs, and how many numbers they contain.
    functions : {"forces", "udot", "f_ext", "course": function (figure, t, q, u)}.
    command : number of values of the command.
    stop : function (figure, t, q, u) → mask, or None.
    adaptive : whether steps are adaptive.
    """

    problem: Problem
    frames: int = 1
    record: dict[str, Callable[..., Any] | None] = field(default_factory=dict)
    forces: str = ""
    udot: str = ""
    f_ext: Any = ""
    every: int = 0
    slots: tuple[str, ...] = ()
    size: int = 0
    functions: dict[str, Callable[..., Any]] = field(default_factory=dict)
    command: int = 0
    stop: Callable[..., Any] | None = None
    adaptive: bool = False

    @cached_property
    def memory(self) -> Layout:
        """Layout of the memory in a row of numbers."""
        return layout(initial_memory(self.problem))

    @cached_property
    def settings(self) -> Layout:
        """Layout of the controller's parameters in a row of numbers."""
        own = {} if self.problem.controller is None else self.problem.controller.parameters
        return layout({name: np.asarray(x, float) for name, x in own.items()})

    @cached_property
    def means(self) -> Layout:
        """Layout of the mean channels in a row of numbers.

        It always includes contacts, because the compiler does not fuse a product into a sum if a channel uses the
        product too. Otherwise recording contacts would change the rounding of a motion.
        """
        nu = self.problem.figure.nu
        shapes: dict[str, tuple[int, ...]] = {}
        if self.problem.contact is not None:
            count = len(self.problem.scene.candidates)
            shapes = {"contact": (count, 3), "contact_point": (count, 3), "contact_weight": (count,)}
        shapes |= {name: (nu,) for name in ("tau", "udot") if self.record.get(name, "") is None}
        return layout({name: np.zeros(shape) for name, shape in shapes.items()})

    def mean_values(self, row: Any, precision: str = "float64") -> dict[str, Any]:
        """Return the mean channels {name: (…, …)} from rows (…, n) of numbers of the layout `means`.

        Rows on a GPU give arrays on the GPU; `precision` is that of the kernel that made them.
        """
        if on_gpu(row):
            kernels = self._mean_kernels
            if precision not in kernels:
                kernels[precision] = build(record(self._mean_values, row=np.zeros(self.means.size)), "gpu", precision)
            return kernels[precision](row)
        return self._mean_values(np.asarray(row))

    def _mean_values(self, row: Any) -> dict[str, Any]:
        found = self.means.unpack(row) if self.means.size else {}
        if "contact_weight" in found:
            weight = found.pop("contact_weight")[..., None]
            found["contact_point"] = found["contact_point"] / where(less(0.0, weight), weight, 1.0)  # (1)
        return found

    @cached_property
    def _mean_kernels(self) -> dict[str, Any]:
        """Kernels of `mean_values` on a GPU, by precision."""
        return {}

    def state(self) -> dict[str, np.ndarray]:
        """Return the state that is passed from call to call, as it is at the start, with q and u zero."""
        figure = self.problem.figure
        found = {"q": np.zeros(figure.nq), "u": np.zeros(figure.nu), "count": np.zeros(())}
        if self.adaptive:
            powers = len(METHODS[self.problem.method].dense[0])  # type: ignore[union-attr]
            stride = first_stride(lambda t, q, u: u, 0.0, found["q"], found["u"], np.zeros(()), powers)
            return found | {f"stride_{name}": np.asarray(x) for name, x in stride._asdict().items()}
        found["due"] = np.zeros(())
        memory, means = initial_memory(self.problem), self.means.size
        found |= {"memory": layout(memory).pack(memory)} if memory else {}
        return found | ({"sums": np.zeros(means), "since": np.zeros(()), "means": np.zeros(means)} if means else {})

    def inputs(self) -> dict[str, np.ndarray]:
        """Return zeros with the shapes of all kernel inputs other than the state."""
        nu = self.problem.figure.nu
        found: dict[str, Any] = {name: np.zeros(()) for name in ("start", "dt", "per_frame", "limit")}
        if self.adaptive:
            found |= {name: np.zeros(()) for name in ("tolerance", "longest", "fresh")}
        for name in ("forces", "udot"):
            if getattr(self, name) == "constant":
                found[name] = np.zeros(nu)
            elif getattr(self, name) == "rows":
                found[name] = np.zeros((self.frames, self.every, nu))
        if isinstance(self.f_ext, tuple):
            found["f_ext"] = np.zeros((len(self.f_ext), 6))
        found |= {"parameters": np.zeros(self.size)} if self.slots else {}
        found |= {"settings": np.zeros(self.settings.size)} if self.settings.size else {}
        found |= {"command": np.zeros(self.command)} if self.command else {}
        return found if self.adaptive else found | {"stream": np.zeros(())}

    def drive(self, given: dict[str, Any]) -> Callable[[Any, Any, Any], Drive]:
        """Return a function (t, q, u) → `Drive` with the forces that are given as arguments."""
        figure = self.problem.figure

        def drive(t, q, u) -> Drive:
            found = {name: function(figure, t, q, u) for name, function in self.functions.items()}
            found |= {name: given[name] for name in ("forces", "udot") if name in given}
            forces, f_ext = found.get("forces"), found.get("f_ext")
            if isinstance(self.f_ext, tuple):
                f_ext = dict(zip(self.f_ext, given["f_ext"], strict=True))
            whole = forces if isinstance(forces, Drive) else Drive(tau=sized("forces", forces, (figure.nu,)))
            more = {"f_ext": f_ext, "udot": found.get("udot"), "course": found.get("course")}
            more = {name: x for name, x in more.items() if x is not None}
            twice = [name for name in more if getattr(whole, name) is not None]
            if twice:
                raise InputError(f"Both the drive and an argument contain {', '.join(twice)}. Leave one out.")
            return checked(figure, whole._replace(**more))

        return drive

    def with_parameters(self, parameters: Any) -> "Program":
        """Return the program with numbers of the figure and of the ground from a row of kernel inputs."""
        return self if parameters is None else replace(self, problem=with_slots(self.problem, self.slots, parameters))


_programs = KeptByContent(_MAX_KERNELS)


def compiled(
    program: Program, target: str = "cpu", precision: str = "float64", opt: Any = "tiers", uniform: tuple[str, ...] = ()
) -> Any:
    """Return the kernel of a program, found by its content.

    It is recorded once per machine if the content of all parts can be determined, else once per process.
    """

    parts = _parts(program)

    def make() -> Any:
        key = content_key(parts)
        if key is None:
            return build(_tape(program), target, precision, opt, uniform)
        return kernel_for(digest("simulation", key), lambda: _tape(program), target, precision, opt, uniform)

    return _programs.find((parts, target, precision, str(opt), uniform), make)


def _parts(program: Program) -> tuple[Any, ...]:
    """Return the parts of a program, from which its content key is computed."""
    problem = tuple(getattr(program.problem, f.name) for f in fields(Problem))
    own = {f.name: getattr(program, f.name) for f in fields(Program) if f.name != "problem"}
    return problem, *(tuple(x.items()) if isinstance(x, dict) else x for x in own.values())


def _tape(program: Program) -> Any:
    """Record the tape of a program: inputs → state after the frames, the frames, and the channels at the start."""
    function = _adaptive_frames if program.adaptive else _frames

    def frames(parameters=None, **given):
        return function(program.with_parameters(parameters), **given)

    return record(frames, **program.state(), **program.inputs())


def _frames(program: Program, q, u, count, due, start, dt, per_frame, limit, stream, memory=None, settings=None,
            command=None, sums=None, since=None, means=None, **given):  # fmt: skip
    """Compute the frames of one call with fixed steps; see `_tape` for the result."""
    problem, layouts = program.problem, (program.memory, program.means)
    rows = {name: given.pop(name) for name in ("forces", "udot") if getattr(program, name) == "rows"}
    parameters = {} if settings is None else program.settings.unpack(settings)
    command = np.zeros(0) if command is None else command

    def own(q, u) -> Any:
        """Return a state in the coordinates of the figure."""
        return (q, u) if problem.rooted is None else problem.rooted.back(q, u)

    def one(carry, row=None):
        (q, u, memory, sums, since), count = carry
        drive = program.drive(given | (row or {}))
        state = State(start + count * dt, q, u, layouts[0].unpack(memory))
        result = step(problem, state, dt, Inputs(drive, parameters, command, stream, count))
        if sums is not None:
            sums, since = sums + layouts[1].pack(_mean_channels(program, result)), since + 1.0
        after = result.state
        return (after.q, after.u, layouts[0].pack(after.memory), sums, since), count + 1.0

    def frame(carry, row=None):
        (*state, means), (count, due) = carry[:2]
        end = minimum(due, limit)

        def over(carry):
            (q, u, *_), count = carry
            done = less_equal(end, count)
            return done if program.stop is None else done | program.stop(problem.figure, start + count * dt, *own(q, u))

        passes = program.every or MAX_STEPS_PER_FRAME
        (*state, sums, since), count = repeat(one, (tuple(state), count), passes, over, row)
        complete = less_equal(due, count)
        if sums is not None:
            means = where(less(0.5, since), sums / maximum(since, 1.0), means)
            sums, since = where(complete, 0.0, sums), where(complete, 0.0, since)
        carry = (*state, sums, since, means), (count, where(complete, due + per_frame, due))
        return (*carry, seen(state, count)) if seen else carry

    def seen_of_state(state, count):
        q, u = own(*state[:2])
        return _state_channels(program, start + count * dt, q, u, layouts[0].unpack(state[2]))

    seen = seen_of_state if any(name not in MEAN_CHANNELS for name in program.record) else None
    memory = np.zeros(0) if memory is None else memory
    first = seen((q, u, memory), count) if seen else {}
    carry = ((q, u, memory, sums, since, means), (count, due), *([_zeros(first)] if seen else []))
    last, kept = repeat(frame, carry, program.frames, rows=rows or None, every=1)
    (q, u, memory, sums, since, means), (count, due) = last[:2]
    state = {"q": q, "u": u, "count": count, "due": due}
    state |= {"memory": memory} if layouts[0].size else {}
    state |= {"sums": sums, "since": since, "means": means} if layouts[1].size else {}
    frames = {"q": kept[0][0], "u": kept[0][1]} | ({"memory": kept[0][2]} if layouts[0].size else {})
    frames |= {"means": kept[0][5]} if layouts[1].size else {}
    return state, frames | (kept[2] if seen else {}), first


def _mean_channels(program: Program, result: Result) -> dict[str, Any]:
    """Return the values of a step that are added to the mean channels."""
    names, found = program.means.names, dict[str, Any]()
    if "contact" in names:
        force = found["contact"] = result.contact_forces()
        weight = found["contact_weight"] = absolute(force).sum(-1) + MIN_WEIGHT
        found["contact_point"] = weight.reshape(-1, 1) * result.contact_points()  # (1)
    functions = {"tau": result.joint_forces, "udot": lambda: result.udot}
    return found | {name: function() for name, function in functions.items() if name in names}


def _state_channels(program: Program, t, q, u, memory) -> dict[str, Any]:
    """Return the recorded channels of a state."""
    figure, found = program.problem.figure, {}
    for name, function in program.record.items():
        if function is not None:
            found[name] = np.asarray(function(figure, t, q, u))
        elif name == "work":
            found[name] = memory["work"]
        elif name == "energy":
            found[name] = np.array([kinetic_energy(figure, q, u), potential_energy(figure, q)])
    return found


def _zeros(value):
    """Return zeros with the shapes of nested arrays."""
    arrays, _, structure = flatten(value)
    return rebuild(structure, [np.zeros(a.shape) for a in arrays])


def _adaptive_frames(program: Program, q, u, count, start, dt, per_frame, limit, tolerance, longest, fresh, **given):
    """Compute the frames of one call with adaptive steps; see `_tape` for the result."""
    figure, prescribed = program.problem.figure, program.problem.prescribed
    method: Any = METHODS[program.problem.method]
    given_drive = program.drive(given)
    old = Stride(**{name: given[f"stride_{name}"] for name in Stride._fields})

    def drive(t, q, u) -> Drive:
        return checked(figure, given_drive(t, q, u), prescribed)

    def rate(t, q, u):
        return acceleration(figure, drive(t, q, u), q, u, prescribed)

    def settle(t, q, u):
        return nearest_closed(figure, q, u, drive(t, q, u).course, prescribed)

    new = less(0.5, fresh)
    begun = first_stride(rate, start, q, u, dt, len(method.dense[0]))
    stride = Stride(*(where(new, a, b) for a, b in zip(begun, old, strict=True)))

    def frame(state):
        stride, count, _, _ = state
        wanted = where(less(count, limit), per_frame * dt, 0.0)  # frames past the limit are not computed
        t = start + count * per_frame * dt
        closed = settle if figure.loops else None
        stride, q, u = next_frame(figure, rate, t, stride, wanted, tolerance, method, longest, closed)
        return stride, count + where(less(count, limit), 1.0, 0.0), q, u

    (stride, count, q, u), (steps, _, qs, us) = repeat(frame, (stride, count, q, u), program.frames, every=1)
    state = {"q": q, "u": u, "count": count, **{f"stride_{n}": x for n, x in stride._asdict().items()}}
    return state, {"q": qs, "u": us, "tries": steps.tries}, {}
