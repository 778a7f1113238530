"""The state of one figure, told for another with the same joints.

A joint's state is taken apart into leaves, the smallest joints with the same coordinates ("l_hip.x" of an Euler joint,
"l_hip" of a ball), each with its piece of q and u. A locked joint has its configuration and no velocity. So states go
between a figure and itself with joints locked, unlocked, taken to pieces, or merged away.
"""

import numpy as np

from anthropi.errors import InputError, did_you_mean

__all__ = ["over_batch", "state_from"]


def over_batch(function, q, u=None):
    """function(q, u) → (q, u) for one state (n,) or many (batch, n); returns q, or (q, u) if u was given."""
    q = np.asarray(q)
    u = None if u is None else np.asarray(u)
    if q.ndim == 1:
        found = function(q, u)
    else:
        rows = [function(q[k], None if u is None else u[k]) for k in range(len(q))]
        found = np.stack([r[0] for r in rows]), None if u is None else np.stack([r[1] for r in rows])
    return found[:1] if u is None else found


def state_from(figure, source, q, u=None):
    """Tell a state of `source` for `figure`; see `Figure.state_from`."""
    found = over_batch(lambda q, u: _one(figure, source, q, u), q, u)
    return found[0] if u is None else found


def _one(figure, source, q, u):
    known: dict = {}
    for i, joint in enumerate(source.joints):
        speed = None if u is None else u[source.u_of[i]]
        known.update((name, (at, v)) for name, at, v in leaves(joint, joint.name, q[source.q_of[i]], speed))
    qs, us = [np.zeros(0)], [np.zeros(0)]
    for joint in figure.joints:
        for name in wanted(joint, joint.name):
            if name not in known:
                raise InputError(
                    f"Figure '{source.name}' has no '{name}', which figure '{figure.name}' needs for its state."
                    f"{did_you_mean(name, known)} It has: {', '.join(known)}."
                )
            at, v = known[name]
            qs.append(at)
            us.append(v if u is not None else np.zeros(0))
    return np.concatenate(qs), None if u is None else np.concatenate(us)


def leaves(joint, name: str, q, u):
    """(name, q, u) of the smallest joints in one; a locked one stands still."""
    if joint.kind == "locked":
        yield from leaves(joint.joint, name, np.asarray(joint.at), None if u is None else np.zeros(joint.joint.nu))
        return
    parts = joint.pieces()
    if not parts and joint.nu:
        yield name, q, u
    at_q = at_u = 0
    for part in parts:
        speed = None if u is None else u[at_u : at_u + part.nu]
        yield from leaves(part, f"{name}.{part.name}", q[at_q : at_q + part.nq], speed)
        at_q, at_u = at_q + part.nq, at_u + part.nu


def wanted(joint, name: str):
    """Names of the smallest joints in one that can move."""
    if joint.nu == 0:
        return
    parts = joint.pieces()
    if not parts:
        yield name
    for part in parts:
        yield from wanted(part, f"{name}.{part.name}")
