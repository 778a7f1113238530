"""What a simulation was given: checked, sized, and ready for a kernel. Floats only."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anthropi.constraints.loops.closures import course_at
from anthropi.errors import InputError, ShapeError, SingularError
from anthropi.figure import Figure
from anthropi.figure.numbers import find_slot, numbers
from anthropi.figure.states import finite, unit_quaternions
from anthropi.simulation.closed import refuse_open
from anthropi.simulation.methods import METHODS, Variational
from anthropi.simulation.methods import method as by_name

__all__ = ["Inputs", "finite_array", "gather", "number"]

ROWS = 256  # of parameters that are looked at one by one


@dataclass
class Inputs:
    """One simulation's numbers. `arrays` go to every piece as they are, `rows` (steps, …) are cut into pieces."""

    figure: Figure
    q: np.ndarray
    u: np.ndarray
    method: str
    prescribed: tuple[str, ...]
    tolerance: float | None
    longest: float
    dt: float
    start: float
    every: int
    times: np.ndarray
    batch: int | None = None
    kinds: dict[str, Any] = field(default_factory=lambda: {"forces": "", "udot": "", "f_ext": ""})
    functions: dict[str, Callable] = field(default_factory=dict)
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    rows: dict[str, np.ndarray] = field(default_factory=dict)
    slots: tuple[str, ...] = ()
    parameters_size: int = 0
    state: dict[str, Any] = field(default_factory=dict)  # what is carried besides q and u, at the start
    width: int = 0  # numbers a frame brings besides q and u
    metadata: dict[str, Any] = field(default_factory=dict)  # of the motion
    stops: bool = False  # whether a rollout may stop by itself

    def batched(self, name: str, array: np.ndarray, single: int) -> np.ndarray:
        """Note the batch of an array that has `single` axes without one."""
        if array.ndim == single + 1:
            if self.batch not in (None, array.shape[0]):
                raise ShapeError(f"'{name}' is for {array.shape[0]} rollouts, others are for {self.batch}.")
            self.batch = array.shape[0]
        return array

    def piece(self, done: int, until: int, size: int, before=0.0) -> dict[str, Any]:
        """Inputs of the steps from done until: where to stop, and rows filled up with zeros.

        before : steps that an earlier run has made.
        """
        found: dict[str, Any] = {"limit": until + before}
        if self.tolerance is not None:
            found = {"limit": until // self.every, "tolerance": self.tolerance, "fresh": float(done == 0)}
            found["longest"] = self.longest
        for name, rows in self.rows.items():
            part = rows[..., done:until, :]
            full = np.zeros((*part.shape[:-2], size * self.every, part.shape[-1]))
            full[..., : part.shape[-2], :] = part
            found[name] = full.reshape(*part.shape[:-2], size, self.every, part.shape[-1])
        return found


def gather(figure, q, u, forces, *, f_ext, udot, prescribed, parameters, method, tolerance, longest, dt, steps, every,
           start, loops, driven=False):  # fmt: skip
    """Check and size everything a simulation takes. driven : whether a controller gives forces or udot."""
    if not isinstance(figure, Figure):
        raise InputError(f"simulate takes a figure first, then q and u; got {type(figure).__name__}.")
    for name, value in (("steps", steps), ("every", every)):
        if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 1:
            raise InputError(f"{name}={value!r}: give a whole number of steps, at least 1.")
    if steps % every:
        raise InputError(f"steps={steps} is no multiple of every={every}: the last steps would leave no frame. "
                        f"Take steps={steps // every * every} or {(steps // every + 1) * every}.")  # fmt: skip
    dt, start = number("dt", dt, positive=True), number("start", start)
    rule = by_name(method)
    if rule.name not in METHODS or METHODS[rule.name] is not rule:
        raise InputError(f"simulate takes a method by its name; '{rule.name}' is not in METHODS. Put it there.")
    if tolerance is not None:
        tolerance = number("tolerance", tolerance, positive=True)
        if not getattr(rule, "dense", ()):
            able = ", ".join(n for n, m in METHODS.items() if getattr(m, "dense", ()))
            raise InputError(f"Method '{rule.name}' cannot choose its steps. With a tolerance take: {able}.")
    elif longest is not None:
        raise InputError("longest bounds steps that choose themselves. Give a tolerance too, or leave it out.")
    reach = 1e30 if longest is None else number("longest", longest, positive=True)
    held = (prescribed,) if isinstance(prescribed, str) else prescribed
    if not isinstance(held, (tuple, list, set, frozenset)) or not all(isinstance(name, str) for name in held):
        raise InputError(f"prescribed={prescribed!r}: give names of joints or degrees of freedom, as ['elbow'].")
    held = tuple(held)
    figure.dof_indices(held)
    if held and isinstance(rule, Variational):
        raise InputError(f"Method '{rule.name}' moves every joint by forces; it cannot prescribe {', '.join(held)}. "
                        "Take a Runge–Kutta method.")  # fmt: skip
    if bool(held) != (udot is not None) and not (held and (callable(forces) or driven)):  # a drive may give udot
        raise InputError("prescribed names what follows udot: give both, or neither.")
    times = start + dt * every * np.arange(steps // every + 1)
    given = Inputs(figure, np.zeros(0), np.zeros(0), rule.name, held, tolerance, reach, dt, start, int(every), times)
    given.q = given.batched("q", finite_array("q", q, (figure.nq,), figure, "nq"), 1)
    unit_quaternions(figure, given.q)
    u = np.zeros(figure.nu) if u is None else u
    given.u = given.batched("u", finite_array("u", u, (figure.nu,), figure, "nu"), 1)
    if given.batch == 0:
        raise ShapeError("A batch of 0 rollouts: give at least one state.")
    _along(given, "forces", forces, steps)
    _along(given, "udot", udot, steps)
    _external(given, f_ext)
    _parameters(given, parameters)
    for name, rows in given.rows.items():
        if rows.ndim == 2 and given.batch == len(rows):
            raise ShapeError(f"'{name}' has shape {rows.shape}, and there are {len(rows)} rollouts and as many steps: "
                            f"one row a step, or a rollout? Give (batch, steps, nu), as np.broadcast_to({name}, "
                            f"{(given.batch, *rows.shape)}), or (batch, 1, nu), as {name}[:, None]; (steps, nu) is "
                            "clear for one state.")  # fmt: skip
    if loops:
        course_at(figure, loops, start)  # refuses what is no loop, or has another size
        given.functions["course"] = lambda figure, t, q, u: course_at(figure, loops, t)
    if figure.loops:
        if isinstance(rule, Variational):
            raise InputError(f"Method '{rule.name}' is for trees, and figure '{figure.name}' has loops "
                            f"({', '.join(x.name for x in figure.loops)}). Take a Runge–Kutta method.")  # fmt: skip
        if not parameters:  # other numbers, other closed states
            refuse_open(figure, given.q, given.u, course_at(figure, loops or {}, start))
    return given


def _along(given: Inputs, name: str, value, steps: int) -> None:
    """Forces or accelerations: none, constant, one row a step, or a function."""
    if value is None:
        return
    if callable(value):
        given.functions[name], given.kinds[name] = value, "function"
        return
    array, nu = np.asarray(value), given.figure.nu
    array = finite_array(name, value, None, given.figure, "nu" if array.shape[-1:] == (nu,) else "")
    shapes = ((nu,), (1, nu), (steps, nu), ("batch", 1, nu), ("batch", steps, nu))
    if array.ndim not in (1, 2, 3) or array.shape[-1] != nu or (array.ndim > 1 and array.shape[-2] not in (1, steps)):
        raise ShapeError(f"'{name}' has shape {array.shape}; wanted {', '.join(map(str, shapes))}, or a function.")
    array = array if array.ndim < 3 else given.batched(name, array, 2)
    if array.ndim == 1 or array.shape[-2] == 1:
        given.arrays[name], given.kinds[name] = array if array.ndim == 1 else array[..., 0, :], "constant"
        return
    if given.tolerance is not None:
        raise InputError(f"'{name}' has one row a step, and with a tolerance steps are not known before. Give a "
                        "function of time, or leave the tolerance out.")  # fmt: skip
    given.rows[name], given.kinds[name] = array, "rows"


def _external(given: Inputs, f_ext) -> None:
    """External forces: none, constant on all or some links, or a function."""
    if f_ext is None or (isinstance(f_ext, dict) and not f_ext):
        return
    if callable(f_ext):
        given.functions["f_ext"], given.kinds["f_ext"] = f_ext, "function"
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
    given.kinds["f_ext"] = links


def _parameters(given: Inputs, parameters) -> None:
    """Other numbers in slots of the figure."""
    if parameters is None:
        return
    if not isinstance(parameters, dict):
        raise InputError(f"parameters={parameters!r}: give {{slot: numbers}}, as {{'l_thigh.mass': 7.0}}.")
    if not parameters:
        return
    known, parts = numbers(given.figure), []
    for slot, value in parameters.items():
        name, entry = find_slot(slot, known)
        size = len(known[name]) if entry is None else 1
        array = finite_array(slot, value, None)
        array = array[..., None] if size == 1 and array.ndim < 2 and array.shape[-1:] != (1,) else array
        if array.ndim not in (1, 2) or array.shape[-1] != size:
            raise ShapeError(f"'{slot}' has shape {np.shape(value)}; wanted ({size},) or (batch, {size}).")
        parts.append(array)
    lead = np.broadcast_shapes(*(p.shape[:-1] for p in parts))
    array = np.concatenate([np.broadcast_to(p, (*lead, p.shape[-1])) for p in parts], -1)
    given.arrays["parameters"] = given.batched("parameters", array, 1)
    given.slots, given.parameters_size = tuple(parameters), array.shape[-1]
    if array.ndim == 1:
        given.figure = given.figure.with_numbers(given.slots, array)  # checks: no mass below zero …
    else:
        _check_rows(given, array)


def _check_rows(given: Inputs, rows: np.ndarray) -> None:
    """Refuse a row of parameters that makes no figure. Of very many, separate numbers are judged by their ends."""
    apart = not any(part in slot for slot in given.slots for part in (".tensor", ".centre"))
    if len(rows) > ROWS and apart:
        try:
            for end in (rows.min(axis=0), rows.max(axis=0)):
                given.figure.with_numbers(given.slots, end)
            return
        except (InputError, SingularError):  # perhaps of several rows together: see which
            pass
    for k in np.sort(np.unique(rows, axis=0, return_index=True)[1]):
        try:
            given.figure.with_numbers(given.slots, rows[k])
        except (InputError, SingularError) as error:
            raise InputError(f"Row {k} of parameters: {error}") from None


def number(name: str, value, positive: bool = False) -> float:
    """A finite number."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = np.nan
    if not np.isfinite(found) or (positive and found <= 0.0):
        raise InputError(f"{name}={value!r}: give a {'positive ' if positive else ''}number.")
    return found


def finite_array(name: str, value, shape, figure=None, kind: str = "") -> np.ndarray:
    """An array of finite numbers, of this shape or with a batch axis before it; figure, kind: as in `finite`."""
    try:
        array = np.asarray(value, float)
    except (TypeError, ValueError):
        raise InputError(f"'{name}' must hold numbers; got {type(value).__name__}.") from None
    if shape is not None and (array.shape[array.ndim - len(shape) :] != shape or array.ndim > len(shape) + 1):
        raise ShapeError(f"'{name}' has shape {array.shape}; wanted {shape} or {('batch', *shape)}.")
    finite(name, array, figure, kind)
    return array
