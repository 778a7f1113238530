"""Check the arguments of a simulation and convert them for a kernel. Plain floats only; cannot be recorded on tape."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from anthropi.constraints.loops.closures import course_at
from anthropi.contact.geometry.contacts import contact_records, ground_record
from anthropi.contact.scene import Scene, with_stops
from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.figure import Figure
from anthropi.figure.numbers import find_slot, numbers
from anthropi.figure.states import unit_quaternions
from anthropi.motion import Motion
from anthropi.motion.contacts import MEAN_CHANNELS
from anthropi.motion.state import State
from anthropi.simulation.forces import Inputs, controller_pushes
from anthropi.simulation.integrators import METHODS, Variational
from anthropi.simulation.integrators import method as by_name
from anthropi.simulation.loops import refuse_open
from anthropi.simulation.options import (
    SimulationOptions,
    check_counts,
    finite_array,
    frame_numbers,
    number,
    random_streams,
    settings_row,
    split_parameters,
)
from anthropi.simulation.problem import Problem
from anthropi.simulation.sense import is_controller
from anthropi.simulation.time_loop import STATE_CHANNELS, Program

__all__ = ["Arguments", "gather"]

MAX_ROWS_CHECKED = 256  # largest number of rows of figure parameters that are all checked separately


@dataclass
class Arguments:
    """Checked arguments of one simulation. Every kernel call gets all of `arrays`, but only its part of `rows`."""

    program: Program
    q: np.ndarray
    u: np.ndarray
    tolerance: float | None
    longest: float
    dt: float
    start: float
    every: int
    steps: int
    times: np.ndarray
    batch: int | None = None
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    rows: dict[str, np.ndarray] = field(default_factory=dict)
    state: dict[str, Any] = field(default_factory=dict)  # memory and step count at the start of a resumed run
    metadata: dict[str, Any] = field(default_factory=dict)  # metadata of the motion
    moved: Figure | None = None  # the figure with the given parameters in its slots

    @property
    def figure(self) -> Figure:
        """The figure that is simulated."""
        return self.program.problem.figure

    def change(self, **fields: Any) -> None:
        """Replace fields of the `Program`."""
        self.program = replace(self.program, **fields)

    def batched(self, name: str, array: np.ndarray, single: int) -> np.ndarray:
        """Store the batch size of an array that has `single` axes besides a batch axis; return the array."""
        if array.ndim == single + 1:
            if self.batch not in (None, array.shape[0]):
                raise ShapeError(f"'{name}' has {array.shape[0]} rollouts, but other arguments have {self.batch}.")
            self.batch = array.shape[0]
        return array

    def piece(self, done: int, until: int, size: int, before: float = 0.0) -> dict[str, Any]:
        """Return the kernel inputs for the steps from `done` to `until`: the limit, and rows padded with zeros.

        before : number of steps of earlier runs.
        """
        found: dict[str, Any] = {"limit": until + before}
        if self.tolerance is not None:
            found = {"limit": until // self.every, "tolerance": self.tolerance, "fresh": float(done == 0)}
            found["longest"] = self.longest
        for name, rows in self.rows.items():
            part = rows[..., done:until, :] if done < self.steps else rows[..., -1:, :]
            full = np.zeros((*part.shape[:-2], size * self.every, part.shape[-1]))
            full[..., : part.shape[-2], :] = part
            found[name] = full.reshape(*part.shape[:-2], size, self.every, part.shape[-1])
        return found


def gather(
    scene: Any,
    q: Any,
    u: Any,
    forces: Any,
    *,
    steps: Any,
    dt: Any,
    every: Any,
    method: Any,
    parameters: Any,
    command: Any,
    record: Any,
    options: SimulationOptions,
) -> Arguments:
    """Check all arguments of `simulate` and convert them to `Arguments`."""
    figure, place = _figure_of(scene)
    controller = forces if is_controller(forces) else None
    check_counts(steps, every, options)
    q, u, start, state, first = _start(q, u, figure, options, dt)
    dt, start = number("dt", dt, positive=True), number("start", start)
    alone = place is None and controller is None
    problem = Problem(figure, place, controller, method or ("rk4" if alone else "linearly_implicit_euler"))
    problem, tolerance, longest = _with_method(problem, options, forces, controller)
    settings, slots = split_parameters(figure, controller, parameters)
    times = start + dt * every * (state.get("count", 0.0) / every + frame_numbers(steps // every + 1))
    given = Arguments(Program(problem), np.zeros(0), np.zeros(0), tolerance, longest, dt, start, int(every), steps,
                      times, state=state)  # fmt: skip
    given.q = given.batched("q", finite_array("q", q, (figure.nq,), figure, "nq"), 1)
    unit_quaternions(figure, given.q)
    u = np.zeros(figure.nu) if u is None else u
    given.u = given.batched("u", finite_array("u", u, (figure.nu,), figure, "nu"), 1)
    if given.batch == 0:
        raise ShapeError("The batch has 0 rollouts. Give at least one state.")
    _along(given, "forces", None if controller is not None else forces, steps)
    _along(given, "udot", options.udot, steps)
    _external(given, options.f_ext)
    _parameters(given, slots)
    _refuse_ambiguous_rows(given)
    _loops(given, options.loops, bool(slots))
    _recorded(given, record, options)
    _controlled(given, settings, command, options, first)
    return given


def _figure_of(scene) -> tuple[Figure, Scene | None]:
    """Return the figure, and its scene or None."""
    scene = with_stops(scene)
    place = scene if isinstance(scene, Scene) else None
    figure = scene if place is None else place.figure
    if not isinstance(figure, Figure):
        raise InputError(f"The first argument of simulate is of type {type(scene).__name__}. Give a figure or a scene.")
    if place is not None and figure.nu == 0:
        raise InputError(f"Figure '{figure.name}' of the scene has no degrees of freedom. Give a figure with joints.")
    return figure, place


def _start(q, u, figure, options: SimulationOptions, dt):
    """Return q, u, the time of step 0, memory and step count of a resumed run, and the number of the first rollout."""
    if isinstance(q, Motion):
        q = q.resume()
    if not isinstance(q, State):
        return q, u, options.start, {}, 0
    if u is not None:
        raise InputError("q is a motion or state, which contains velocities. Leave u out.")
    state, clock = q, q.clock or {}
    if np.shape(state.q)[-1] != figure.nq or np.shape(state.u)[-1] != figure.nu or state.dofs not in ((), figure.dofs):
        how = "are in another order; use motion.onto" if sorted(state.dofs) == sorted(figure.dofs) else "differ"
        raise InputError(f"The state does not belong to figure '{figure.name}': its degrees of freedom {how}.")
    found: dict[str, Any] = {} if state.memory is None else {"memory": state.memory}
    count, time = clock.get("count"), float(np.ravel(state.t)[0])
    if count is not None and options.tolerance is None:
        start = clock["start"] if dt == clock["dt"] else time - count * number("dt", dt, positive=True)
        return state.q, state.u, start, found | {"count": float(count)}, clock.get("rollout", 0)
    return state.q, state.u, time, found, clock.get("rollout", 0)


def _with_method(
    problem: Problem, options: SimulationOptions, forces, controller
) -> tuple[Problem, float | None, float]:
    """Return the problem with its method and prescribed dofs, the tolerance, and the longest step [s]."""
    rule, tolerance = by_name(problem.method), options.tolerance
    if rule.name not in METHODS or METHODS[rule.name] is not rule:
        raise InputError(f"Method '{rule.name}' is not in METHODS. Add it to METHODS and give its name to simulate.")
    if tolerance is not None:
        tolerance = number("tolerance", tolerance, positive=True)
        if not getattr(rule, "dense", ()):
            able = ", ".join(n for n, m in METHODS.items() if getattr(m, "dense", ()))
            raise InputError(f"Method '{rule.name}' has no adaptive steps. With a tolerance, use: {able}.")
        if not (problem.scene is None and controller is None):
            raise InputError("'tolerance' (adaptive steps) cannot be used with a scene or a controller. Remove it.")
    elif options.longest is not None:
        raise InputError("'longest' limits adaptive steps and needs 'tolerance'. Give a tolerance, or remove longest.")
    longest = 1e30 if options.longest is None else number("longest", options.longest, positive=True)
    held = (options.prescribed,) if isinstance(options.prescribed, str) else options.prescribed
    if not isinstance(held, (tuple, list, set, frozenset)) or not all(isinstance(name, str) for name in held):
        raise InputError(
            f"prescribed={options.prescribed!r} is not valid. Give names of joints or dofs, for example ['elbow']."
        )
    held = tuple(held)
    if controller is not None:
        held = tuple(dict.fromkeys((*held, *controller.prescribed)))
    problem.figure.dof_indices(held)
    if held and isinstance(rule, Variational):
        raise InputError(
            f"Method '{rule.name}' moves every joint by forces and cannot prescribe {', '.join(held)}. "
            "Use a Runge–Kutta method such as rk4."
        )
    driven = callable(forces) or controller is not None  # a drive may give udot
    if bool(held) != (options.udot is not None) and not (held and driven):
        raise InputError("The joints in 'prescribed' follow 'udot'. Give both options, or neither.")
    if problem.figure.loops and isinstance(rule, Variational):
        raise InputError(
            f"Method '{rule.name}' is for figures without loops, but figure '{problem.figure.name}' has loops "
            f"({', '.join(x.name for x in problem.figure.loops)}). Use a Runge–Kutta method such as rk4."
        )
    return replace(problem, method=rule.name, prescribed=held, conserve=bool(options.conserve)), tolerance, longest


def _refuse_ambiguous_rows(given: Arguments) -> None:
    """Raise ShapeError if rows of forces may be one per step or one per rollout."""
    for name, rows in given.rows.items():
        if rows.ndim == 2 and given.batch == len(rows):
            raise ShapeError(
                f"'{name}' has shape {rows.shape}, which is ambiguous: there are {len(rows)} rollouts and as many "
                f"steps. For one row per step, give np.broadcast_to({name}, {(given.batch, *rows.shape)}). For one row "
                f"per rollout, give {name}[:, None]."
            )


def _loops(given: Arguments, loops, other_numbers: bool) -> None:
    """Add driven loops to the program, and check that all loops are closed at the start."""
    figure = given.figure
    if loops:
        course_at(figure, loops, given.start)  # raises an error for unknown loops and wrong sizes
        course = {"course": lambda figure, t, q, u: course_at(figure, loops, t)}
        given.metadata["driven_loops"] = sorted(loops)
        given.change(functions=given.program.functions | course)
    if figure.loops and not other_numbers:  # other parameters of the figure change which states are closed
        refuse_open(figure, given.q, given.u, course_at(figure, loops or {}, given.start))


def _recorded(given: Arguments, record, options: SimulationOptions) -> None:
    """Check `record` and add its channels to the program."""
    problem, channels = given.program.problem, (*MEAN_CHANNELS, *STATE_CHANNELS)
    if record is None:
        record = ("contact",) if problem.contact is not None else ()
    chosen = {record: None} if isinstance(record, str) else record
    if not isinstance(chosen, (dict, list, tuple, set, frozenset)):
        raise InputError(f"record={record!r} is not valid. Give names ({', '.join(channels)}) or {{name: function}}.")
    found = dict(chosen) if isinstance(chosen, dict) else dict.fromkeys(chosen)
    for name, function in found.items():
        if name in ("q", "u", "memory", "tries", "means") or not isinstance(name, str):
            raise InputError(
                f"record cannot have a channel named {name!r}: this name is reserved. Remove or rename it."
            )
        if function is None and name not in channels:
            raise InputError(
                f"record has no channel '{name}'.{did_you_mean(str(name), channels)} Channels: "
                f"{', '.join(channels)}. You can also give {{name: function (figure, t, q, u)}}."
            )
        if function is not None and not callable(function):
            raise InputError(f"record['{name}'] is {function!r}. Give a function (figure, t, q, u), or None.")
    if {"contact", "contact_point"} & set(found) and problem.contact is None:
        raise InputError("record contains contacts, but the scene has no contacts. Give a scene with contact.")
    if "contact" in found and found["contact"] is None:
        found = {"contact": None, "contact_point": None} | found
    if options.tolerance is not None and found:
        raise InputError("With a tolerance, only q and u can be recorded. Leave out record or the tolerance.")
    given.change(record=found, problem=replace(problem, audit="work" in found), stop=options.stop,
                 adaptive=options.tolerance is not None)  # fmt: skip
    given.metadata |= problem.metadata
    if problem.contact is not None:
        given.metadata["contacts"] = [record._asdict() for record in contact_records(problem.scene)]
        given.metadata |= ground_record(problem.scene)


def _controlled(given: Arguments, settings: dict[Any, Any], command, options: SimulationOptions, first: int) -> None:
    """Check parameters, command and memory of the controller, and add them with the random streams."""
    problem = given.program.problem
    if problem.controller is None and command is not None:
        raise InputError("A command needs a controller. Give a controller as 'forces', or leave out command.")
    if hasattr(problem.controller, "check"):
        problem.controller.check(problem.figure, given.q, given.u, float(given.times[0]))
    layout = given.program.settings
    if layout.size:
        given.arrays["settings"] = given.batched("parameters", settings_row(layout, problem.controller, settings), 1)
    if command is not None:
        array = finite_array("command", command, None)
        if array.ndim not in (1, 2):
            raise ShapeError(f"'command' has shape {array.shape}. Give (n,) or (batch, n).")
        given.arrays["command"] = given.batched("command", array, 1)
        given.change(command=array.shape[-1])
    q, u, row = (x.reshape(-1, x.shape[-1])[0] for x in (given.q, given.u, given.arrays.get("settings", np.zeros(1))))
    if controller_pushes(problem, q, u, Inputs(None, layout.unpack(row), np.zeros(given.program.command))):
        given.metadata["unrecorded_f_ext"] = True  # for `Motion.verify`
    memory = given.program.memory
    if "memory" in given.state:
        row = given.state["memory"]
        row = memory.pack(row) if isinstance(row, dict) else np.asarray(row)
        if row.shape[-1] != memory.size:
            raise InputError(
                f"The state has {row.shape[-1]} numbers of memory, but this scene and controller need {memory.size}. "
                "Give a state of the same scene and controller."
            )
        given.state["memory"] = given.batched("memory", row, 1)
        if not memory.size:
            del given.state["memory"]
    if options.tolerance is None:
        streams = random_streams(options.seed, first, given.batch or 1, options.precision)
        given.arrays["stream"] = streams if given.batch is not None else streams[0]


def _along(given: Arguments, name: str, value, steps: int) -> None:
    """Add forces or accelerations: None, constant, one row per step, or a function."""
    if value is None:
        return
    if callable(value):
        given.change(functions=given.program.functions | {name: value}, **{name: "function"})
        return
    array, nu = np.asarray(value), given.figure.nu
    array = finite_array(name, value, None, given.figure, "nu" if array.shape[-1:] == (nu,) else "")
    shapes = ((nu,), (1, nu), (steps, nu), ("batch", 1, nu), ("batch", steps, nu))
    if array.ndim not in (1, 2, 3) or array.shape[-1] != nu or (array.ndim > 1 and array.shape[-2] not in (1, steps)):
        raise ShapeError(f"'{name}' has shape {array.shape}. Give {', '.join(map(str, shapes))}, or a function.")
    array = array if array.ndim < 3 else given.batched(name, array, 2)
    if array.ndim == 1 or array.shape[-2] == 1:
        given.arrays[name] = array if array.ndim == 1 else array[..., 0, :]
        given.change(**{name: "constant"})
        return
    if given.tolerance is not None:
        raise InputError(f"'{name}' has one row per step, but with a tolerance the number of steps is not known. Give "
                        "a function of time, or leave out the tolerance.")  # fmt: skip
    given.rows[name] = array
    given.change(every=given.every, **{name: "rows"})


def _external(given: Arguments, f_ext) -> None:
    """Add external forces: None, constant on all or some links, or a function."""
    if f_ext is None or (isinstance(f_ext, dict) and not f_ext):
        return
    given.metadata["unrecorded_f_ext"] = True  # for `Motion.verify`
    if callable(f_ext):
        given.change(functions=given.program.functions | {"f_ext": f_ext}, f_ext="function")
        return
    figure = given.figure
    if isinstance(f_ext, dict):
        parts = {name: finite_array(f"f_ext['{name}']", force, (6,)) for name, force in f_ext.items()}
        links = tuple(figure.link_index(name) for name in parts)
        lead = np.broadcast_shapes(*(p.shape[:-1] for p in parts.values()))
        array = np.stack([np.broadcast_to(p, (*lead, 6)) for p in parts.values()], -2)
    else:
        array, links = finite_array("f_ext", f_ext, (figure.n, 6), figure, "links*6"), tuple(range(figure.n))
    given.arrays["f_ext"] = given.batched("f_ext", array, 2)
    given.change(f_ext=links)


def _parameters(given: Arguments, parameters) -> None:
    """Check the parameters for slots of the figure, and add them."""
    if parameters is None:
        return
    if not isinstance(parameters, dict):
        raise InputError(f"parameters={parameters!r} is not valid. Give a dictionary such as {{'l_thigh.mass': 7.0}}.")
    if not parameters:
        return
    known, parts = numbers(given.figure), []
    for slot, value in parameters.items():
        name, entry = find_slot(slot, known)
        size = len(known[name]) if entry is None else 1
        array = finite_array(slot, value, None)
        array = array[..., None] if size == 1 and array.ndim < 2 and array.shape[-1:] != (1,) else array
        if array.ndim not in (1, 2) or array.shape[-1] != size:
            raise ShapeError(f"'{slot}' has shape {np.shape(value)}. Give ({size},) or (batch, {size}).")
        parts.append(array)
    lead = np.broadcast_shapes(*(p.shape[:-1] for p in parts))
    array = np.concatenate([np.broadcast_to(p, (*lead, p.shape[-1])) for p in parts], -1)
    given.arrays["parameters"] = given.batched("parameters", array, 1)
    given.change(slots=tuple(parameters), size=array.shape[-1])
    if array.ndim == 1:
        given.moved = given.figure.with_numbers(given.program.slots, array)  # also checks that no mass is negative
    else:
        _check_rows(given, array)


def _check_rows(given: Arguments, rows: np.ndarray) -> None:
    """Raise InputError if a row of parameters is invalid; of very many rows, only the extremes are checked."""
    apart = not any(part in slot for slot in given.program.slots for part in (".tensor", ".centre"))
    if len(rows) > MAX_ROWS_CHECKED and apart:
        try:
            for end in (rows.min(axis=0), rows.max(axis=0)):
                given.figure.with_numbers(given.program.slots, end)
            return
        except InputError:  # the extremes may come from different rows: find out which row is invalid
            pass
    for k in np.sort(np.unique(rows, axis=0, return_index=True)[1]):
        try:
            given.figure.with_numbers(given.program.slots, rows[k])
        except InputError as error:
            raise InputError(f"Row {k} of parameters is invalid. {error}") from None
