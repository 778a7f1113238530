"""Build Structure: the handlers that edit joints: type, order, place, limits, springs, locks."""

import numpy as np

from anthropi.algebra.rotation import euler_from_matrix
from anthropi.errors import InputError
from anthropi.formats.figures.common import InitialState
from anthropi.studio import messages as m
from anthropi.studio.project.state import Item
from anthropi.studio.session import figure_document as d
from anthropi.studio.session.figures import change, edited
from anthropi.studio.session.session import handles

__all__ = ["place_of"]


@handles(m.SetJointType)
def set_joint_type(desk, command) -> None:
    """Another type of joint."""
    own = {"axis": command.axis, "axes": command.axes, "order": command.order, "pitch": command.pitch}
    change(desk, command, f"joint '{command.joint}' is {command.type}",
            lambda doc: d.with_joint_type(doc, command.joint, command.type, **own))  # fmt: skip


@handles(m.SetRotationOrder)
def set_rotation_order(desk, command) -> None:
    """The order of a joint's rotations; where it is stays."""
    item = desk.project.item(command.figure)
    figure, order = item.figure, command.order.lower().replace("-", "")
    i = figure.joint_index(command.joint)
    joint = figure.joints[i]
    if joint.kind not in ("ball", "exponential", "euler"):
        raise InputError(f"Joint '{joint.name}' is {joint.kind}: only joints of three rotations have an order. Make it "
                         "a ball or an Euler joint first.")  # fmt: skip
    pose = np.asarray(joint.transform(item.state.q[figure.q_of[i]]).rotation, float)
    document = d.with_joint_type(item.document, command.joint, "euler", order=order)
    made = item.read(document)
    angles = np.asarray(euler_from_matrix(pose, order), float)
    q = made.state.q.copy()
    q[made.figure.q_of[i]] = angles
    edited(desk, made.with_state(q), f"rotation order of '{command.joint}' is {order}")


@handles(m.SetJointPlace)
def set_joint_place(desk, command) -> None:
    """Where a joint sits in its parent."""

    def alter(document) -> None:
        joint = d.joint_in(document, command.joint)
        if command.origin is not None:
            joint["origin"] = list(command.origin)
        if command.angles is not None:
            joint["rotation"] = d.turned(command.angles)

    change(desk, command, f"place joint '{command.joint}'", alter)


def place_of(item: Item, dof: str) -> tuple[int, int]:
    """(joint number, place in it) of a degree of freedom."""
    figure = item.figure
    k = figure.dof_indices([dof])
    if len(k) != 1:
        raise InputError(f"'{dof}' has {len(k)} degrees of freedom. Name one: "
                         f"{', '.join(figure.dofs[x] for x in k)}.")  # fmt: skip
    i = next(i for i, at in enumerate(figure.u_of) if at.start <= k[0] < at.stop)
    return i, k[0] - figure.u_of[i].start


def _acting(desk, command, values: dict[str, float | None], label: str) -> None:
    """Numbers of one degree of freedom: limits, spring, damper."""
    item = desk.project.item(command.figure)
    i, k = place_of(item, command.dof)
    joint = item.figure.joints[i]
    fields = {}
    for name, value in values.items():
        if value is not None:
            row = np.array(getattr(joint, name), float)
            row[k] = value
            fields[name] = row
    joints = list(item.figure.joints)
    joints[i] = joint.changed(**fields)
    edited(desk, item.changed(figure=item.figure.changed(joints=tuple(joints))), label)


@handles(m.SetLimits)
def set_limits(desk, command) -> None:
    """Limits of a degree of freedom."""
    low = -np.inf if command.lower is None else command.lower
    high = np.inf if command.upper is None else command.upper
    if not low <= high:
        raise InputError(f"Joint '{command.dof}': its lower limit {low:g} lies above its upper one {high:g}.")
    _acting(desk, command, {"lower": low, "upper": high}, f"limits of '{command.dof}'")


@handles(m.SetSpring)
def set_spring(desk, command) -> None:
    """Spring and damper of a degree of freedom."""
    values = {n: getattr(command, n) for n in ("stiffness", "rest", "damping", "armature")}
    _acting(desk, command, values, f"spring of '{command.dof}'")


@handles(m.SetStop)
def set_stop(desk, command) -> None:
    """The spring at the ends of a joint's range."""

    def alter(document) -> None:
        joint = d.joint_in(document, command.joint)
        joint.pop("stop", None)
        if command.type is not None:
            given = {n: getattr(command, n) for n in ("type", "k", "c", "n", "zone", "gate")}
            joint["stop"] = {n: x for n, x in given.items() if x is not None}

    change(desk, command, f"stop of '{command.joint}'", alter)


@handles(m.LockJoint)
def lock_joint(desk, command) -> None:
    """Hold a joint or a degree of freedom where it is, or let it go."""
    item = desk.project.item(command.figure)
    figure = item.figure
    if command.locked:
        made = figure.lock([command.name], item.state.q)
    else:
        made = figure.unlock([command.name])
    q, u = made.state_from(figure, item.state.q, item.state.u)
    state = InitialState(np.asarray(q, float), np.asarray(u, float), np.zeros(made.nu))
    word = "lock" if command.locked else "unlock"
    edited(desk, item.changed(figure=made, state=state), f"{word} '{command.name}'")
