"""Joints that a figure needs so that the walker and the performer can move it."""

from typing import Any

from anthropi.errors import InputError, did_you_mean
from anthropi.figure.figure import Figure

__all__ = ["JOINT_DOFS", "START_JOINTS", "check_joints", "joint_differences"]

_SIDE = {"clavicle": 2, "shoulder": 3, "elbow": 2, "wrist": 2, "hip": 3, "knee": 1, "ankle": 2, "toe": 1}
JOINT_DOFS = {"lumbar": 3, "thoracic": 3, "neck": 3, "head": 3} | {
    f"{side}_{name}": dofs for side in "lr" for name, dofs in _SIDE.items()
}
"""Degrees of freedom of the joints of ap.human(detail="standard") except its root, in their order."""
START_JOINTS = ("root", *JOINT_DOFS)
"""Joints of the states in parameter sets, in order."""


def joint_differences(figure: Figure) -> list[str]:
    """Return a sentence for each joint in which a figure differs from ap.human(detail="standard").

    Links that are welded to the figure, such as a backpack, are no difference.
    """
    found = [] if figure.joints[0].kind == "free" else [f"The root of figure '{figure.name}' is not free"]
    own = {joint.name: joint for joint in figure.joints[1:]}
    for name, dofs in JOINT_DOFS.items():
        if name not in own:
            found.append(f"Figure '{figure.name}' has no joint '{name}'{did_you_mean(name, own).rstrip('?')}")
        elif own[name].nu < dofs and _holds_lock(own[name]):
            found.append(f"Joint '{name}' of figure '{figure.name}' is locked")
        elif own[name].nu != dofs:
            found.append(f"Joint '{name}' of figure '{figure.name}' has {own[name].nu} degrees of freedom, not {dofs}")
    extra = [joint.name for joint in own.values() if joint.name not in JOINT_DOFS and joint.nu]
    return found + [f"Figure '{figure.name}' has a further moving joint '{name}'" for name in extra]


def _holds_lock(joint: Any) -> bool:
    """Return whether a joint or a part of it is locked."""
    return joint.kind == "locked" or any(_holds_lock(part) for part in getattr(joint, "parts", ()))


def check_joints(figure: Figure, who: str, more: str = "") -> None:
    """Raise InputError if a figure differs from ap.human(detail="standard") in a joint.

    who : what needs the joints ("The walker"), for the message. more : a further sentence for it.
    """
    found = joint_differences(figure)
    if found:
        others = f", and {len(found) - 1} more differences" if len(found) > 1 else ""
        unlock = " Unlock it with figure.unlock()." if found[0].endswith("is locked") else ""
        raise InputError(
            f"{found[0]}{others}. {who} needs the joints of ap.human(detail='standard'), all of them free to move; "
            f"other links may be welded on.{unlock}{more}"
        )
