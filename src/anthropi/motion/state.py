"""State of a simulation: all data needed to continue it with bit-for-bit identical results."""

from typing import Any, NamedTuple

__all__ = ["State"]


class State(NamedTuple):
    """State of one figure, or of a batch with a leading axis.

    Attributes
    ----------
    t : time [s].
    q, u : configuration (nq,) and velocities (nu,).
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
