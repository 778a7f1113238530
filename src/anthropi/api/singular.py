"""Refuse results without meaning: dynamics divided by the inertia of a joint that moves nothing."""

import numpy as np

from anthropi.algorithms.singularity import singular_joint
from anthropi.errors import SingularError
from anthropi.tape.structure import flatten

__all__ = ["refuse_singular"]

_MASSLESS = "nothing with mass moves with it ({}). Give a link beyond it mass, or the joint armature."
_IN_LINE = (
    "its axes fall together at this configuration ({}). Choose another configuration, or a joint without such places "
    "(ball instead of euler or universal)."
)
_TOO_LARGE = "Numbers grew too large: look for huge velocities, forces or ratios of masses in what was given."
_LOOKED_AT = 1000  # states of a batch, at a millisecond each
_DOUBTFUL = 1e10  # beyond this a result is looked at closely


def refuse_singular(name: str, figure, given: dict, options: dict, result) -> None:
    """Raise if a result is not finite, or is huge and a joint is singular; name the joint, its link and the state."""
    q = np.asarray(given["q"], float)
    lead = 0 if all(np.ndim(a) == (2 if n in ("f_ext", "blow_ext", "course") else 1) for n, a in given.items()) else 1
    bad = None
    for array in flatten(result)[0]:
        doubtful = ~(np.abs(array) < _DOUBTFUL)
        over = doubtful.any(axis=tuple(range(lead, doubtful.ndim)))
        bad = over if bad is None else bad | over
    if hasattr(result, "residual"):  # powers that do not balance are as doubtful
        total = sum(np.abs(term) for term in result)
        bad = bad | ~(np.abs(result.residual) <= 1e-6 * total)
    if bad is None or not np.any(bad):
        return
    for b in [()] if not lead else [(int(k),) for k in _worst_first(result, bad)[:_LOOKED_AT]]:
        where = f" (number {b[0]} of the batch)" if b else ""
        extra = given.get("extra")
        found = singular_joint(figure, q[b] if q.ndim == 2 else q, _row(extra, b), options.get("prescribed", ()))
        if found:
            joint, link = figure.joints[found.joint], figure.links[found.joint]
            why = _MASSLESS if found.massless else _IN_LINE
            raise SingularError(f"{name}: joint '{joint.name}' of link '{link.name}' is singular{where}: "
                                + why.format(", ".join(found.dofs)))  # fmt: skip
        if not all(np.isfinite(_row(a, b, lead)).all() for a in flatten(result)[0]):
            raise SingularError(f"{name}: the result is not finite{where}, and no joint is singular. {_TOO_LARGE}")


def _worst_first(result, bad):
    """The doubtful ones of a batch: what is not finite, then by size."""
    at = np.flatnonzero(bad)
    size = np.zeros(len(at))
    for array in flatten(result)[0]:
        part = np.abs(np.asarray(array)[at]).reshape(len(at), -1)
        size = np.maximum(size, np.where(np.isfinite(part), part, np.inf).max(axis=1, initial=0.0))
    return at[np.argsort(-size, kind="stable")]


def _row(array, b, lead: int | None = None):
    """The part of an array that belongs to one of the batch."""
    if array is None:
        return None
    array = np.asarray(array)
    batched = array.ndim > 1 if lead is None else bool(lead)
    return array[b] if b and batched else array
