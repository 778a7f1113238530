"""How far joints go, for the stage: arcs of single turns, and the cone in which a limb may point.

    range   {dof, axis, lower, upper, length}: one degree of freedom, about or along an axis; None where there is no end
    box     {lower, upper}: the rotation vector of a ball
    swing   {axis, curve, twist}: the limb's own axis stays inside a closed curve of directions (n, 3)
    cone    {axis, angle}: it stays within an angle of itself

All in the joint's frame.
"""

from contextlib import suppress
from typing import Any

import numpy as np

from anthropi.contact.limits.cone import ReachCone
from anthropi.contact.limits.human import SWINGING, swing_twist_of
from anthropi.contact.limits.swing_twist import SwingTwist
from anthropi.errors import InputError
from anthropi.studio.packed import plain

__all__ = ["axes_of", "limits_of"]

POINTS = 48  # of a curve
BALLS = ("ball", "exponential")


def limits_of(figure, own, number: dict, prefix: str = "", limits=None) -> list[dict[str, Any]]:
    """The limits of the joints of links `own`; those of swing are the scene's, or those of humans."""
    swings = _human(figure, own) if limits is None else dict(getattr(limits, "joints", None) or {})
    found = []
    for i in own:
        joint = figure.joints[i]
        who = {"link": number[i], "joint": joint.name.removeprefix(prefix)}
        if joint.name in swings:
            found.append(who | _swing(swings[joint.name]))
        elif joint.kind in BALLS:
            if np.isfinite([joint.lower, joint.upper]).any():
                found.append(who | {"kind": "box", "lower": plain(joint.lower), "upper": plain(joint.upper)})
        else:
            found += [who | x for x in _ranges(joint, prefix)]
    return found


def axes_of(joint) -> list:
    """The axis (3,) of each degree of freedom in the joint's frame, in the neutral pose."""
    if not joint.nu:
        return []
    q = joint.neutral()
    columns = np.asarray(joint.subspace(q), float)
    turned = [c[:3] if np.abs(c[:3]).max() > 1e-9 else c[3:] for c in columns.T]
    return plain(np.array(turned) @ np.asarray(joint.transform(q).rotation, float).T)


def _human(figure, own) -> dict[str, Any]:
    """Swing and twist of the shoulders and hips of a human."""
    found = {}
    for joint in (figure.joints[i] for i in own):
        if joint.name.rpartition("/")[2] in SWINGING:
            with suppress(InputError):  # a joint of that name with other limits
                found[joint.name] = swing_twist_of(joint)
    return found


def _ranges(joint, prefix: str):
    if not joint.nu or joint.kind == "free" or not np.isfinite([joint.lower, joint.upper]).any():
        return
    lengths = joint.lengths or (False,) * joint.nu
    for dof, axis, low, high, long in zip(joint.dofs, axes_of(joint), joint.lower, joint.upper, lengths, strict=True):
        if np.isfinite([low, high]).any():
            (lower,), (upper,) = plain([low]), plain([high])
            yield {"kind": "range", "dof": dof.removeprefix(prefix), "axis": axis, "lower": lower, "upper": upper,
                   "length": bool(long)}  # fmt: skip


def _swing(limit) -> dict[str, Any]:
    if isinstance(limit, ReachCone):
        return {"kind": "cone", "axis": plain(limit.axis), "angle": float(limit.angle)}
    if isinstance(limit, SwingTwist):
        a = np.asarray(limit.axis, float)
        twist = None
        if limit.twist is not None:
            twist = plain([float(bound[0] + np.asarray(bound[1]) @ a) for bound in (limit.low, limit.high)])
        return {"kind": "swing", "axis": plain(a), "curve": plain(limit.boundary.curve(POINTS)), "twist": twist}
    return {"kind": "other"}
