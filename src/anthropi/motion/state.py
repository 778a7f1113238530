"""State of a simulation: all data from which it continues bit for bit."""

from typing import Any, NamedTuple

__all__ = ["State"]


class State(NamedTuple):
    """State of one figure, or of a batch with a leading axis.

    Attributes
    ----------
    t : [s].
    q, u : (nq,), (nu,).
    memory : nested arrays of contact model, limits and controller, or one array of all of them.
    clock : {"start", "dt", "count", "rollout"}, with t = start + count dt.
    dofs : names of the entries of u.
    """

    t: Any
    q: Any
    u: Any
    memory: Any = None
    clock: Any = None
    dofs: tuple[str, ...] = ()
