"""One step of a simulation as a differentiable function of its state, its inputs and its parameters.

    (q, u, memory, t; tau, command, f_ext; parameters) → (q, u, memory, t) after the step             (1)

It is the step of the simulation's own kernel. Compliant contacts, limits, controllers and closed loops are
differentiated as they are computed, impulses by one Newton step at the solution
(docs/decisions/0028-derivatives-of-solves.md).
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np

from anthropi.algebra.scalar import floor
from anthropi.compiler.cache import digest
from anthropi.compiler.content import content_key
from anthropi.entry.differentiable import Differentiable, differentiable
from anthropi.errors import InputError, did_you_mean
from anthropi.motion.state import State
from anthropi.simulation.forces import Inputs
from anthropi.simulation.problem import Problem, initial_memory
from anthropi.simulation.simulation import Simulation
from anthropi.simulation.slots import SCENE_SLOTS, slot_sizes, slot_values, with_slots
from anthropi.simulation.step import step
from anthropi.tape import record

__all__ = ["differentiable_of", "step_function"]

_INPUTS = ("tau", "command", "f_ext")


def step_function(
    sim: Simulation,
    inputs: Any = (),
    parameters: Any = (),
    target: str = "cpu",
    precision: str = "float64",
    opt: int | str = "now",
) -> Differentiable:
    """Return the step (1) of a simulation with its derivatives.

    Parameters
    ----------
    inputs : names of the inputs besides the state, "tau" (nu,); or {name: size}, with the size of "command", and the
        names of the links on which "f_ext" (links, 6) acts: {"tau": None, "command": 2, "f_ext": ("l_foot",)}.
    parameters : names of the inputs that are parameters of the controller, numbers of the figure ("shin.mass", see
        `figure.slots()`) or of the scene ("friction", "ground.point", "ground.normal"). Other parameters have their
        present values. A call may leave out parameters, for their present values, and memory and t, for those at the
        start of a simulation.
    target, precision, opt : as in `build`.
    """
    given = (
        dict(inputs) if isinstance(inputs, Mapping) else dict.fromkeys([inputs] if isinstance(inputs, str) else inputs)
    )
    names = (parameters,) if isinstance(parameters, str) else tuple(parameters)
    for name in given:
        if name not in _INPUTS:
            raise InputError(
                f"A step has no input '{name}'.{did_you_mean(name, _INPUTS)} Inputs: {', '.join(_INPUTS)}."
            )
    problem, present = _present(sim)
    slots = tuple(name for name in names if name not in present)
    _check(sim, slots, present)
    memory, numbers = initial_memory(problem), slot_values(problem, slots)
    defaults: dict[str, Any] = {"t": np.zeros(())} | ({"memory": sim.program.memory.pack(memory)} if memory else {})
    at = 0
    for name, size in slot_sizes(problem, slots).items():
        defaults[name] = numbers[at] if size == 1 else numbers[at : at + size]
        at += size
    defaults |= {name: present[name] for name in names if name in present}
    arrays = _arrays(sim, given, defaults, names)
    links = tuple(sim.figure.link_index(link) for link in given.get("f_ext") or ())
    clock = {name: float(sim.kernel_state()[name].flat[0]) for name in ("start", "stream")}

    def one(q: Any, u: Any, t: Any, memory: Any = None, **more: Any) -> dict[str, Any]:
        numbers = [np.reshape(more[name], -1) for name in slots]
        own = with_slots(problem, slots, np.concatenate(numbers)) if slots else problem
        program = replace(sim.program, problem=own, forces="constant" if "tau" in given else "", f_ext=links or "")
        drive = program.drive({"forces": more.get("tau"), "f_ext": more.get("f_ext")})
        settings = {name: more.get(name, value) for name, value in present.items()}
        count = floor((t - clock["start"]) / sim.dt + 0.5)
        layout = sim.program.memory
        start = State(t, q, u, layout.unpack(np.zeros(0) if memory is None else memory))
        kept = Inputs(drive, settings, more.get("command", np.zeros(0)), clock["stream"], count)
        after = step(own, start, sim.dt, kept).state
        found = {"q": after.q, "u": after.u, "t": after.t}
        return found | ({"memory": layout.pack(after.memory)} if layout.size else {})

    parts = tuple(getattr(problem, f.name) for f in fields(Problem))
    key = content_key((parts, sim.dt, clock, tuple(given), links, slots, tuple(arrays.items()), tuple(present.items())))
    name = None if key is None else digest("step", key)
    return Differentiable(name, lambda: record(one, **arrays), defaults, target, precision, opt)


def differentiable_of(
    function: Any,
    figure: Any,
    inputs: Any,
    parameters: Any,
    target: str,
    precision: str,
    opt: int | str,
    **options: Any,
) -> Differentiable:
    """Return an algorithm, a function, a tape or the step of a simulation with its derivatives, for other libraries."""
    if not isinstance(function, Simulation):
        return differentiable(function, figure, inputs, parameters, target, precision, opt, **options)
    if figure is not None or options:
        raise InputError("A simulation has its figure and its options: give only inputs and parameters.")
    return step_function(function, inputs or (), parameters, target, precision, opt)


def _present(sim: Simulation) -> tuple[Problem, dict[str, np.ndarray]]:
    """Return the problem of a simulation with its present numbers, and the present parameters of its controller."""
    rows = sim.parameter_rows()
    for row in rows.values():
        if not (row == row[0]).all():
            raise InputError(
                "The rollouts of this simulation have different parameters. Use a simulation with batch=1."
            )
    problem, controller = sim.problem, sim.problem.controller
    slots, values = sim.program.slots, rows.get("parameters")
    if slots and values is not None and not np.array_equal(values[0], slot_values(problem, slots)):
        problem = with_slots(problem, slots, values[0])
    if controller is None:
        return problem, {}
    own: dict[str, Any] = {name: np.asarray(x, float) for name, x in controller.parameters.items()}
    return problem, own | {name: np.asarray(x[0], float) for name, x in sim.controller_parameters().items()}


def _check(sim: Simulation, slots: tuple[str, ...], present: Mapping[str, Any]) -> None:
    """Raise InputError if a parameter does not exist."""
    try:
        slot_sizes(sim.problem, slots)
    except InputError:
        for name in slots:
            if name in SCENE_SLOTS:
                slot_values(sim.problem, (name,))
        known = [*present, *(s.name for s in sim.figure.slots()), *SCENE_SLOTS]
        wrong = next((name for name in slots if name not in known), slots[0])
        raise InputError(
            f"This simulation has no parameter '{wrong}'.{did_you_mean(wrong, known)} It has: {', '.join(known)}."
        ) from None


def _arrays(sim: Simulation, given: Mapping[str, Any], defaults: Mapping[str, Any], names: Any) -> dict[str, Any]:
    """Return zeros with the shapes of all inputs, in order."""
    figure = sim.figure
    shapes: dict[str, Any] = {"q": (figure.nq,), "u": (figure.nu,)}
    shapes |= {name: np.shape(defaults[name]) for name in ("memory", "t") if name in defaults}
    if "tau" in given:
        shapes["tau"] = (figure.nu,)
    if "command" in given:
        if not isinstance(given["command"], (int, np.integer)):
            raise InputError('Give the number of values of the command: inputs={"command": 2}.')
        shapes["command"] = (int(given["command"]),)
    if "f_ext" in given:
        if not given["f_ext"]:
            raise InputError('Give the names of the links with external forces: inputs={"f_ext": ("l_foot",)}.')
        shapes["f_ext"] = (len(given["f_ext"]), 6)
    for name in names:
        if name in shapes:
            raise InputError(f"Parameter '{name}' has the name of another input of the step. Rename it.")
        shapes[name] = np.shape(defaults[name])
    return {name: np.zeros(shape) for name, shape in shapes.items()}
