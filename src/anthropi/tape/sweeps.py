"""Derivatives of tapes: the forward sweep (JVP) and the reverse sweep (VJP). Both return tapes.

`push(tape, values, tangents)` and `pull(tape, values, cotangents)` do the work on values of any tape, so that a
function can also ask for derivatives while it is being recorded.
"""

import numpy as np

from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.tape.forward_sweep import push
from anthropi.tape.record import finish, rebuild, scalars
from anthropi.tape.reverse_sweep import pull
from anthropi.tape.tape import Slot, Tape

__all__ = ["jvp", "pull", "push", "vjp"]


def jvp(tape: Tape, wrt=None, seeds=None) -> Tape:
    """How do the outputs change along directions of the inputs?

    Parameters
    ----------
    wrt : names of the inputs that move (all by default).
    seeds : None for one direction, given to the new tape as further inputs `d_<name>`;
        or {name: array (k, *shape)} for k fixed directions.

    Returns
    -------
    Tape with result (outputs, tangents); with seeds the tangents have a leading axis k.
    """
    wrt = _names(wrt, tape.inputs, "input")
    new, values = _start(tape)
    directions = np.zeros((1, len(values)), dtype=object)
    if seeds is None:
        for slot in tape.inputs:
            if slot.name in wrt:
                directions[0, slot.start : slot.start + slot.size] = _more(new, f"d_{slot.name}", slot.shape)
    else:
        blocks = {n: np.asarray(s, dtype=float) for n, s in seeds.items()}
        counts = {s.shape[0] if s.ndim else 0 for s in blocks.values()}
        if len(counts) != 1 or counts == {0} or set(blocks) - set(wrt):
            raise InputError(f"seeds must be {{name: (k, …)}} with one k, for inputs among {list(wrt)}.")
        directions = np.zeros((counts.pop(), len(values)), dtype=object)
        for slot in tape.inputs:
            if slot.name in blocks:
                if blocks[slot.name].shape[1:] != slot.shape:
                    raise ShapeError(f"seeds for '{slot.name}' have shape {blocks[slot.name].shape}; "
                                     f"wanted (k, {', '.join(map(str, slot.shape))}).")  # fmt: skip
                directions[:, slot.start : slot.start + slot.size] = blocks[slot.name].reshape(len(directions), -1)
    outputs, tangents = push(tape, values, [tuple(directions[:, j]) for j in range(len(values))])
    k = len(directions)
    lines = np.empty((k, len(outputs)), dtype=object)
    for j, t in enumerate(tangents):
        lines[:, j] = t
    shaped = _cut(lines, tape.outputs, (k,))
    if seeds is None:
        shaped = [a[0] for a in shaped]
    return finish(new, (rebuild(tape.structure, _cut(np.array(outputs, dtype=object)[None], tape.outputs, ())),
                        rebuild(tape.structure, shaped)))  # fmt: skip


def vjp(tape: Tape, of=None, wrt=None) -> Tape:
    """How much does a weighted sum of the outputs change with each input?

    Parameters
    ----------
    of : names of the outputs that count (all by default); their weights become further inputs `w_<name>`.
    wrt : names of the inputs wanted (all by default).

    Returns
    -------
    Tape with result (outputs, {input name: gradient}).
    """
    of, wrt = _names(of, tape.outputs, "output"), _names(wrt, tape.inputs, "input")
    new, values = _start(tape)
    weights = np.zeros(len(tape.result), dtype=object)
    for slot in tape.outputs:
        if slot.name in of:
            weights[slot.start : slot.start + slot.size] = _more(new, f"w_{slot.name}", slot.shape)
    outputs, gradient = pull(tape, values, list(weights))
    flat = np.array(gradient, dtype=object)
    gradients = {s.name: flat[s.start : s.start + s.size].reshape(s.shape) for s in tape.inputs if s.name in wrt}
    shaped = _cut(np.array(outputs, dtype=object)[None], tape.outputs, ())
    return finish(new, (rebuild(tape.structure, shaped), gradients))


def _start(tape: Tape):
    """A new tape with the same inputs, and their scalars."""
    new = Tape()
    new.inputs = tape.inputs
    return new, [x for s in tape.inputs for x in np.ravel(np.asarray(scalars(new, s.shape, s.start), dtype=object))]


def _more(new: Tape, name: str, shape) -> np.ndarray:
    """One more input on a new tape, flat."""
    last, taken = new.inputs[-1] if new.inputs else Slot("", (), 0, 0), {s.name for s in new.inputs}
    first, order = name, 2
    while name in taken:  # derivatives of derivatives: d_x, then d2_x …
        name, order = first.replace("_", f"{order}_", 1), order + 1
    slot = Slot(name, shape, last.start + last.size, int(np.prod(shape)))
    new.inputs = (*new.inputs, slot)
    return np.ravel(np.asarray(scalars(new, shape, slot.start), dtype=object))


def _cut(lines: np.ndarray, slots, lead) -> list:
    """Cut (k, all outputs) into one array a slot, with the leading axes wanted."""
    return [lines[:, s.start : s.start + s.size].reshape((*lead, *s.shape)) for s in slots]


def _names(names, slots, what: str) -> tuple[str, ...]:
    have = tuple(s.name for s in slots)
    names = have if names is None else ((names,) if isinstance(names, str) else tuple(names))
    for name in names:
        if name not in have:
            raise InputError(f"No {what} '{name}' on this tape.{did_you_mean(name, have)} It has: {', '.join(have)}.")
    return names
