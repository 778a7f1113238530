"""Derivatives of tapes, as tapes: forward (JVP) and reverse (VJP).

`push(tape, values, tangents)` and `pull(tape, values, cotangents)` work on values of any tape, so that a function can
also take derivatives while it is being recorded.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.tape.forward_sweep import push
from anthropi.tape.record import finish, rebuild, scalars
from anthropi.tape.reverse_sweep import pull
from anthropi.tape.tape import Slot, Tape

__all__ = ["jvp", "pull", "push", "vjp"]


def jvp(tape: Tape, wrt: str | Iterable[str] | None = None, seeds: dict[str, Any] | None = None) -> Tape:
    """Return a tape that also computes directional derivatives of the outputs (forward mode, JVP).

    Parameters
    ----------
    tape : a recorded tape.
    wrt : names of the inputs that vary (all by default).
    seeds : None for one direction, given to the new tape as further inputs `d_<name>`;
        or {name: array (k, *shape)} for k fixed directions.

    Returns
    -------
    Tape with result (outputs, tangents); with seeds the tangents have a leading axis k.
    """
    wrt = _names(wrt, tape.inputs, "input")
    new, values = _copy_inputs(tape)
    directions = np.zeros((1, len(values)), dtype=object)
    if seeds is None:
        for slot in tape.inputs:
            if slot.name in wrt:
                directions[0, slot.start : slot.start + slot.size] = _add_input(new, f"d_{slot.name}", slot.shape)
    else:
        blocks = {n: np.asarray(s, dtype=float) for n, s in seeds.items()}
        counts = {s.shape[0] if s.ndim else 0 for s in blocks.values()}
        if len(counts) != 1 or counts == {0} or set(blocks) - set(wrt):
            raise InputError(f"seeds must be {{name: array (k, …)}}, with one k for all, for inputs among {list(wrt)}.")
        directions = np.zeros((counts.pop(), len(values)), dtype=object)
        for slot in tape.inputs:
            if slot.name in blocks:
                if blocks[slot.name].shape[1:] != slot.shape:
                    raise ShapeError(
                        f"seeds for '{slot.name}' have shape {blocks[slot.name].shape}; "
                        f"wanted (k, {', '.join(map(str, slot.shape))})."
                    )
                directions[:, slot.start : slot.start + slot.size] = blocks[slot.name].reshape(len(directions), -1)
    outputs, tangents = push(tape, values, [tuple(directions[:, j]) for j in range(len(values))])
    k = len(directions)
    lines = np.empty((k, len(outputs)), dtype=object)
    for j, t in enumerate(tangents):
        lines[:, j] = t
    shaped = _split(lines, tape.outputs, (k,))
    if seeds is None:
        shaped = [a[0] for a in shaped]
    values = _split(np.array(outputs, dtype=object)[None], tape.outputs, ())
    return finish(new, (rebuild(tape.structure, values), rebuild(tape.structure, shaped)))


def vjp(tape: Tape, of: str | Iterable[str] | None = None, wrt: str | Iterable[str] | None = None) -> Tape:
    """Return a tape that also computes the gradient of a weighted sum of the outputs (reverse mode, VJP).

    Parameters
    ----------
    tape : a recorded tape; its loops must have a fixed number of passes.
    of : names of the outputs in the sum (all by default); their weights become further inputs `w_<name>`.
    wrt : names of the inputs for which the gradient is returned (all by default).

    Returns
    -------
    Tape with result (outputs, {input name: gradient}).
    """
    of, wrt = _names(of, tape.outputs, "output"), _names(wrt, tape.inputs, "input")
    new, values = _copy_inputs(tape)
    weights = np.zeros(len(tape.result), dtype=object)
    for slot in tape.outputs:
        if slot.name in of:
            weights[slot.start : slot.start + slot.size] = _add_input(new, f"w_{slot.name}", slot.shape)
    outputs, gradient = pull(tape, values, list(weights))
    flat = np.array(gradient, dtype=object)
    gradients = {s.name: flat[s.start : s.start + s.size].reshape(s.shape) for s in tape.inputs if s.name in wrt}
    shaped = _split(np.array(outputs, dtype=object)[None], tape.outputs, ())
    return finish(new, (rebuild(tape.structure, shaped), gradients))


def _copy_inputs(tape: Tape) -> tuple[Tape, list[Any]]:
    """Return a new tape with the same inputs, and their scalars."""
    new = Tape()
    new.inputs = tape.inputs
    return new, [x for s in tape.inputs for x in np.ravel(np.asarray(scalars(new, s.shape, s.start), dtype=object))]


def _add_input(new: Tape, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Add an input to a new tape and return its scalars, flat."""
    last, taken = new.inputs[-1] if new.inputs else Slot("", (), 0, 0), {s.name for s in new.inputs}
    first, order = name, 2
    while name in taken:  # second derivatives: d_x, then d2_x …
        name, order = first.replace("_", f"{order}_", 1), order + 1
    slot = Slot(name, shape, last.start + last.size, int(np.prod(shape)))
    new.inputs = (*new.inputs, slot)
    return np.ravel(np.asarray(scalars(new, shape, slot.start), dtype=object))


def _split(lines: np.ndarray, slots: Iterable[Slot], lead: tuple[int, ...]) -> list[Any]:
    """Split an array (k, all outputs) into one array per slot, with the given leading axes."""
    return [lines[:, s.start : s.start + s.size].reshape((*lead, *s.shape)) for s in slots]


def _names(names: Any, slots: Iterable[Slot], what: str) -> tuple[str, ...]:
    """Return the names as a tuple, all slots by default; raise `InputError` for an unknown one."""
    have = tuple(s.name for s in slots)
    names = have if names is None else ((names,) if isinstance(names, str) else tuple(names))
    for name in names:
        if name not in have:
            raise InputError(f"No {what} '{name}' on this tape.{did_you_mean(name, have)} It has: {', '.join(have)}.")
    return names
