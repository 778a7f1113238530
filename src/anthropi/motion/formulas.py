"""Formulas of several names as text, as "0.2*sin(3*x)*cos(y)": for many points at once. Read as `expressions` are."""

import numpy as np

from anthropi.compile import build
from anthropi.errors import InputError
from anthropi.motion.expressions import CONSTANTS, _check, _parsed, _value
from anthropi.tape import record

__all__ = ["formula"]


def formula(text: str, **points) -> np.ndarray:
    """The values (n,) of a formula at points, given by name, (n,) each. Floats only."""
    tree = _parsed(text)
    _check(tree, text, (*CONSTANTS, *points))
    given = np.stack([np.asarray(x, float) for x in points.values()], -1)
    with np.errstate(all="ignore"):  # what is not finite is refused below
        tape = record(lambda at: np.array([_value(tree, CONSTANTS | dict(zip(points, at, strict=True)))]),
                      at=np.zeros(len(points)))  # fmt: skip
        found = np.broadcast_to(np.asarray(build(tape, "replay")(given)), (len(given), 1))[:, 0]
    lost = np.flatnonzero(~np.isfinite(found))
    if len(lost):
        where = ", ".join(f"{name} = {x:g}" for name, x in zip(points, given[lost[0]], strict=True))
        raise InputError(f"The formula '{text[:80]}' is {found[lost[0]]} at {where}. Give one that is finite there.")
    return found
