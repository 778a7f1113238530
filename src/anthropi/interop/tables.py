"""Motions as tables of pandas and xarray.

Columns are named: those of q by coordinates ("l_knee", "root.px"; the parts of a quaternion are "l_hip.qw" to
"l_hip.qz"), those of u, udot and tau by degrees of freedom. Numbers of other channels have their indices as names.
"""

from typing import Any

import numpy as np

from anthropi.errors import InputError, MissingExtra, did_you_mean
from anthropi.figure import Figure
from anthropi.motion.motion import Motion

__all__ = ["coordinate_names", "to_pandas", "to_xarray"]

_BY_DOF = ("u", "udot", "tau")


def coordinate_names(figure: Figure) -> tuple[str, ...]:
    """Return a name for each entry of q: the name of its degree of freedom, or the joint and the quaternion's part."""
    names = list[str]()
    for joint, q_at, u_at in zip(figure.joints, figure.q_of, figure.u_of, strict=True):
        parts = {at.start + k: f"{joint.name}.q{letter}" for at in joint.quaternions for k, letter in enumerate("wxyz")}
        for k in range(q_at.stop - q_at.start):
            before = sum(at.stop <= k for at in joint.quaternions)  # each has four coordinates and three velocities
            names.append(parts.get(k) or figure.dofs[u_at.start + k - before])
    return tuple(names)


def to_pandas(motion: Motion, quantity: str = "q") -> Any:
    """Return one quantity of a motion as a pandas DataFrame, with a row for each frame.

    Parameters
    ----------
    quantity : "q", "u" or the name of a channel, such as "udot", "tau" or "contact".

    Returns
    -------
    A DataFrame with the index "time" [s], or ("rollout", "time") for many rollouts, and one column per number.
    """
    try:
        import pandas  # type: ignore[import-untyped]
    except ImportError:
        raise MissingExtra("pandas", "study", "A DataFrame") from None
    array = _quantity(motion, quantity)
    lead = motion.q.shape[:-1]
    index = pandas.Index(motion.time, name="time")
    if len(lead) == 2:
        index = pandas.MultiIndex.from_product([range(lead[0]), motion.time], names=["rollout", "time"])
    inner = array.shape[len(lead) :]
    columns = _names(motion.figure, quantity)
    if columns is None:
        columns = tuple(f"{quantity}{list(k) if k else ''}" for k in np.ndindex(*inner))
    return pandas.DataFrame(array.reshape(int(np.prod(lead)), -1), index=index, columns=list(columns))


def to_xarray(motion: Motion) -> Any:
    """Return a motion with all channels as an xarray Dataset.

    The dimensions are "time" [s], "coordinate" (of q) and "dof" (of u, udot and tau), and "rollout" for many rollouts.
    Other channels have dimensions of their own, "<channel>_0" and so on.
    """
    try:
        import xarray
    except ImportError:
        raise MissingExtra("xarray", "study", "A Dataset") from None
    lead = ("rollout", "time")[3 - motion.q.ndim :]
    data = {}
    for name in ("q", "u", *motion.channels):
        array = _quantity(motion, name)
        own = tuple(f"{name}_{k}" for k in range(array.ndim - len(lead)))
        data[name] = ((*lead, *({"q": ("coordinate",)} | dict.fromkeys(_BY_DOF, ("dof",))).get(name, own)), array)
    names = {"time": motion.time, "coordinate": list(coordinate_names(motion.figure)), "dof": list(motion.figure.dofs)}
    return xarray.Dataset(data, coords=names, attrs={"figure": motion.figure.name})


def _quantity(motion: Motion, name: str) -> np.ndarray:
    """Return the array of a quantity of a motion."""
    known = {"q": motion.q, "u": motion.u} | motion.channels
    if name not in known:
        raise InputError(f"This motion has no '{name}'.{did_you_mean(str(name), known)} It has: {', '.join(known)}.")
    return known[name]


def _names(figure: Figure, quantity: str) -> tuple[str, ...] | None:
    """Return the names of the numbers of a quantity; None if they have only indices."""
    return coordinate_names(figure) if quantity == "q" else figure.dofs if quantity in _BY_DOF else None
