"""The state of a simulation: all it takes to go on, bit for bit."""

from typing import Any, NamedTuple

__all__ = ["State"]


class State(NamedTuple):
    """A state of one figure, or of a batch with a leading axis.

    t : [s]. q : (nq,), u : (nu,). memory : nested arrays of contact model, limits and controller, or one row of them.
    clock : {"start", "dt", "count", "rollout"}: how time is counted, t = start + count dt. dofs : names of u's entries.
    """

    t: Any
    q: Any
    u: Any
    memory: Any = None
    clock: Any = None
    dofs: tuple[str, ...] = ()
