"""Handlers of Build Structure that edit joints: type, rotation order, frame, limits, springs, stops, locks."""

from typing import Any

import numpy as np

from anthropi.algebra.rotation import euler_from_matrix
from anthropi.errors import InputError
from anthropi.formats.figures.common import InitialState
from anthropi.studio import messages as m
from anthropi.studio.project.state import FigureItem
from anthropi.studio.session import figure_document as d
from anthropi.studio.session.figures import change, edited
from anthropi.studio.session.session import StudioSession, handles

__all__ = ["place_of"]


@handles(m.SetJointType)
def set_joint_type(session: StudioSession, command: m.SetJointType) -> None:
    """Change the type of a joint."""
    own = {"axis": command.axis, "axes": command.axes, "order": command.order, "pitch": command.pitch}
    change(
        session,
        command,
        f"joint '{command.joint}' is {command.type}",
        lambda doc: d.with_joint_type(doc, command.joint, command.type, **own),
    )


@handles(m.SetRotationOrder)
def set_rotation_order(session: StudioSession, command: m.SetRotationOrder) -> None:
    """Set the rotation order of a joint and keep its pose."""
    item = session.project.item(command.figure)
    figure, order = item.figure, command.order.lower().replace("-", "")
    i = figure.joint_index(command.joint)
    joint = figure.joints[i]
    if joint.kind not in ("ball", "exponential", "euler"):
        raise InputError(
            f"Joint '{joint.name}' is of type {joint.kind}. Only joints with three rotations have a rotation order. "
            "Change it to a ball or an Euler joint first."
        )
    pose = np.asarray(joint.transform(item.state.q[figure.q_of[i]]).rotation, float)
    document = d.with_joint_type(item.document, command.joint, "euler", order=order)
    new = item.read(document)
    angles = np.asarray(euler_from_matrix(pose, order), float)
    q = new.state.q.copy()
    q[new.figure.q_of[i]] = angles
    edited(session, new.with_state(q), f"rotation order of '{command.joint}' is {order}")


@handles(m.SetJointPlace)
def set_joint_place(session: StudioSession, command: m.SetJointPlace) -> None:
    """Set the origin and rotation of a joint in the frame of its parent."""

    def alter(document: dict[str, Any]) -> None:
        joint = d.joint_in(document, command.joint)
        if command.origin is not None:
            joint["origin"] = list(command.origin)
        if command.angles is not None:
            joint["rotation"] = d.rotation_rows(command.angles)

    change(session, command, f"place joint '{command.joint}'", alter)


def place_of(item: FigureItem, dof: str) -> tuple[int, int]:
    """Return (index of the joint, index within the joint) of a degree of freedom."""
    figure = item.figure
    k = figure.dof_indices([dof])
    if len(k) != 1:
        names = ", ".join(figure.dofs[x] for x in k)
        raise InputError(f"'{dof}' has {len(k)} degrees of freedom. Choose one of {names}.")
    i = next(i for i, at in enumerate(figure.u_of) if at.start <= k[0] < at.stop)
    return i, k[0] - figure.u_of[i].start


def _set_numbers(
    session: StudioSession, command: m.SetLimits | m.SetSpring, values: dict[str, float | None], label: str
) -> None:
    """Set numbers (limits, spring, damper) of one degree of freedom. None leaves a number unchanged."""
    item = session.project.item(command.figure)
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
    edited(session, item.changed(figure=item.figure.changed(joints=tuple(joints))), label)


@handles(m.SetLimits)
def set_limits(session: StudioSession, command: m.SetLimits) -> None:
    """Set the limits of a degree of freedom."""
    low = -np.inf if command.lower is None else command.lower
    high = np.inf if command.upper is None else command.upper
    if not low <= high:
        raise InputError(
            f"Joint '{command.dof}': its lower limit {low:g} is above its upper limit {high:g}. Give a lower limit "
            "below the upper limit."
        )
    _set_numbers(session, command, {"lower": low, "upper": high}, f"limits of '{command.dof}'")


@handles(m.SetSpring)
def set_spring(session: StudioSession, command: m.SetSpring) -> None:
    """Set the spring, damper and armature of a degree of freedom."""
    values = {n: getattr(command, n) for n in ("stiffness", "rest", "damping", "armature")}
    _set_numbers(session, command, values, f"spring of '{command.dof}'")


@handles(m.SetStop)
def set_stop(session: StudioSession, command: m.SetStop) -> None:
    """Set the spring at the limits of a joint."""

    def alter(document: dict[str, Any]) -> None:
        joint = d.joint_in(document, command.joint)
        joint.pop("stop", None)
        if command.type is not None:
            given = {n: getattr(command, n) for n in ("type", "k", "c", "n", "zone", "gate")}
            joint["stop"] = {n: x for n, x in given.items() if x is not None}

    change(session, command, f"stop of '{command.joint}'", alter)


@handles(m.LockJoint)
def lock_joint(session: StudioSession, command: m.LockJoint) -> None:
    """Lock a joint or a degree of freedom at its present position, or unlock it."""
    item = session.project.item(command.figure)
    figure = item.figure
    if command.locked:
        edited_figure = figure.lock([command.name], item.state.q)
    else:
        edited_figure = figure.unlock([command.name])
    q, u = edited_figure.state_from(figure, item.state.q, item.state.u)
    state = InitialState(np.asarray(q, float), np.asarray(u, float), np.zeros(edited_figure.nu))
    word = "lock" if command.locked else "unlock"
    edited(session, item.changed(figure=edited_figure, state=state), f"{word} '{command.name}'")
