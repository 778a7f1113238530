"""Handlers for degrees of freedom: values, drives, control functions, the root, forces, and numbers with sliders."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from anthropi.algebra.rotation import matrix_from_quaternion
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import InputError, StateError
from anthropi.figure import Figure
from anthropi.figure.numbers import find_slot, numbers
from anthropi.motion.keyframes import configuration
from anthropi.studio import messages as m
from anthropi.studio.project.scene import control_of
from anthropi.studio.project.state import FigureItem, Project
from anthropi.studio.session.figures import edited
from anthropi.studio.session.joints import place_of
from anthropi.studio.session.session import StudioSession, handles

__all__ = ["place_in_world"]


@handles(m.SetDof)
def set_dof(session: StudioSession, command: m.SetDof) -> None:
    """Set the coordinate or rate of a degree of freedom."""
    item = session.project.item(command.figure)
    place_of(item, command.dof)
    q, u = item.state.q, item.state.u.copy()
    if command.value is not None:
        q = configuration(item.figure, {command.dof: command.value}, q)
    if command.rate is not None:
        u[list(item.figure.dof_indices([command.dof]))] = command.rate
    edited(session, item.with_state(q, u), f"set '{command.dof}'", command.done)


@handles(m.SetDrive)
def set_drive(session: StudioSession, command: m.SetDrive) -> None:
    """Set the drive of a degree of freedom: free, by force or by motion."""
    item = session.project.item(command.figure)
    i, k = place_of(item, command.dof)
    name = item.figure.dofs[item.figure.u_of[i].start + k]
    drives, controls = dict(item.drives), dict(item.controls)
    drives.pop(name, None)
    if command.drive == "free":
        controls.pop(name, None)
    else:
        drives[name] = command.drive
        own = controls.get(name)
        wrong = own is not None and (own.of == "force") != (command.drive == "force")
        if own is None or wrong or command.value is not None:
            controls[name] = _constant(item, i, k, command)
    edited(session, item.changed(drives=drives, controls=controls), f"drive '{name}' by {command.drive}")


def _constant(item: FigureItem, i: int, k: int, command: m.SetDrive) -> m.ControlFunction:
    """Return a constant control function: a force or the present position. Rotations of ball joints get a rate."""
    joint = item.figure.joints[i]
    if command.drive == "force":
        return m.ControlFunction("force", formula=repr(float(command.value or 0.0)))
    if joint.kind in ("ball", "exponential", "free"):
        return m.ControlFunction("velocity", formula=repr(float(command.value or 0.0)))
    here = float(np.asarray(joint.coordinates(item.state.q[item.figure.q_of[i]]), float)[k])
    return m.ControlFunction("position", formula=repr(here if command.value is None else float(command.value)))


@handles(m.SetControl)
def set_control(session: StudioSession, command: m.SetControl) -> None:
    """Set or remove the control function of a degree of freedom."""
    item = session.project.item(command.figure)
    i, k = place_of(item, command.dof)
    name = item.figure.dofs[item.figure.u_of[i].start + k]
    drives, controls = dict(item.drives), dict(item.controls)
    if command.control is None:
        controls.pop(name, None)
        drives.pop(name, None)
    else:
        control_of(command.control, name)
        controls[name] = command.control
        drives[name] = "force" if command.control.of == "force" else "motion"
    edited(session, item.changed(drives=drives, controls=controls), f"control of '{name}'")


@handles(m.SetRoot)
def set_root(session: StudioSession, command: m.SetRoot) -> None:
    """Set position, velocity, free directions and loads of the root."""
    item = session.project.item(command.figure)
    figure, free = item.figure, item.figure.joints[0].kind == "free"
    moved = [command.position, command.attitude, command.velocity, command.spin]
    if any(x is not None for x in moved):
        if not free:
            raise InputError(
                f"The root of figure '{figure.name}' is connected to the world by a {figure.joints[0].kind} joint, not "
                "a free one. Move this joint, or change it to a free joint."
            )
        q, u = item.state.q.copy(), item.state.u.copy()
        if command.position is not None:
            q[:3] = command.position
        if command.attitude is not None:
            if not np.linalg.norm(command.attitude) > 1e-9:
                raise InputError("The root's attitude is (0, 0, 0, 0). Give a quaternion w, x, y, z.")
            q[3:7] = command.attitude
        if command.velocity is not None:
            u[:3] = command.velocity
        if command.spin is not None:
            u[3:6] = matrix_from_quaternion(figure.normalise(q)[3:7]).T @ np.array(command.spin)
        item = item.with_state(q, u)
    if command.free is not None:
        item = _root_free(item, command.free)
    project = session.project.with_item(item)
    project = _root_forces(project, item, command)
    session.edit(f"root characteristics ({figure.name})", project)


def _root_free(item: FigureItem, free: Sequence[bool]) -> FigureItem:
    """Return the item with some of the root's six directions free; the others are held at rate 0."""
    if item.figure.joints[0].kind != "free":
        raise InputError(
            f"The root of figure '{item.figure.name}' is connected to the world by a {item.figure.joints[0].kind} "
            "joint. Change it to a free joint; then each of its six directions can be held."
        )
    drives, controls = dict(item.drives), dict(item.controls)
    for name, is_free in zip(item.figure.dofs[:6], free, strict=True):
        if is_free:
            drives.pop(name, None)
            controls.pop(name, None)
        elif drives.get(name) != "motion":
            drives[name], controls[name] = "motion", m.ControlFunction("velocity", formula="0.0")
    return item.changed(drives=drives, controls=controls)


def _root_forces(project: Project, item: FigureItem, command: m.SetRoot) -> Project:
    """Return the project with the permanent force and moment on the root link replaced."""
    root = item.figure.links[0].name
    for vector, moment in ((command.force, False), (command.moment, True)):
        if vector is None:
            continue
        kept = tuple(
            f
            for f in project.forces
            if not (
                f.figure == item.number and f.link == root and f.moment == moment and f.start == 0.0 and f.end is None
            )
        )
        new = (m.Force(project.next, item.number, root, vector, moment=moment),) if any(vector) else ()
        project = project.changed(forces=(*kept, *new), next=project.next + len(new))
    return project


@handles(m.ApplyForce)
def apply_force(session: StudioSession, command: m.ApplyForce) -> int:
    """Add a force on a link; return its number."""
    item, project = session.project.item(command.figure), session.project
    item.figure.link_index(command.link)
    if command.end is not None and command.end <= command.start:
        raise InputError(
            f"The force on link '{command.link}' ends at {command.end:g} s, but starts at {command.start:g} s. Give a "
            "later end."
        )
    force = m.Force(
        project.next,
        command.figure,
        command.link,
        command.vector,
        command.axes,
        command.point,
        command.moment,
        command.start,
        command.end,
    )
    session.edit(f"force on '{command.link}'", project.changed(forces=(*project.forces, force), next=project.next + 1))
    return force.force


def _force(project: Project, number: int) -> m.Force:
    for force in project.forces:
        if force.force == number:
            return force
    known = ", ".join(str(force.force) for force in project.forces) or "none"
    raise InputError(f"There is no force number {number}. Forces: {known}.")


@handles(m.ChangeForce)
def change_force(session: StudioSession, command: m.ChangeForce) -> None:
    """Change the vector, the point or the times of a force."""
    force = _force(session.project, command.force)
    given = {n: getattr(command, n) for n in ("vector", "point", "start", "end")}
    new = replace(force, **{n: x for n, x in given.items() if x is not None})
    forces = tuple(new if f is force else f for f in session.project.forces)
    session.edit(f"change the force on '{force.link}'", session.project.changed(forces=forces), command.done)


@handles(m.RemoveForce)
def remove_force(session: StudioSession, command: m.RemoveForce) -> None:
    """Remove a force."""
    force = _force(session.project, command.force)
    forces = tuple(f for f in session.project.forces if f is not force)
    session.edit(f"remove the force on '{force.link}'", session.project.changed(forces=forces))


@handles(m.SetNumber)
def set_number(session: StudioSession, command: m.SetNumber) -> None:
    """Set a number of a figure, or a gain of the live walk. A live run uses it at once, without a new kernel."""
    if command.slot.startswith("gain:"):
        if session.live is None:
            raise StateError(f"'{command.slot}' is a gain of a live walk. No live walk is running. Start one first.")
        session.live.set_gain(command.slot.removeprefix("gain:"), command.value)
        return
    item = session.project.item(command.figure)
    known = numbers(item.figure)
    name, entry = find_slot(command.slot, known)
    if name.endswith(".mass") and entry is None:
        figure = _with_mass(item.figure, name.removesuffix(".mass"), command.value)
    elif len(known[name]) == 1 or entry is not None:
        figure = _with_number(item.figure, name, entry or 0, command.value)
    else:
        raise InputError(f"'{command.slot}' has several numbers. Choose one, for example {command.slot}.0.")
    edited(session, item.changed(figure=figure), f"set {command.slot}", command.done)


def _with_number(figure: Figure, name: str, entry: int, value: float) -> Figure:
    """Return the figure with one number of a joint or link changed; all other joints and links are the same objects."""
    owner, _, what = name.rpartition(".")
    for i, joint in enumerate(figure.joints):
        if joint.name == owner and what in ("stiffness", "rest", "damping", "armature"):
            row = np.array(getattr(joint, what), float)
            row[entry] = value
            joints = (*figure.joints[:i], joint.changed(**{what: row}), *figure.joints[i + 1 :])
            return figure.changed(joints=joints)
    return figure.with_numbers([f"{name}.{entry}"], [value])


def _with_mass(figure: Figure, link: str, mass: float) -> Figure:
    """Return the figure with the mass [kg] of one link changed and its inertia tensor scaled in proportion."""
    if not mass > 0.0:
        raise InputError(f"The mass of link '{link}' is {mass:g} kg. Give a mass above 0 kg.")
    own = figure.links[figure.link_index(link)]
    share = mass / float(own.mass) if own.mass > 0.0 else 1.0
    links = tuple(
        replace(x, mass=mass, tensor=np.asarray(x.tensor, float) * share) if x is own else x for x in figure.links
    )
    return figure.changed(links=links)


def place_in_world(item: FigureItem, link: str, point: Sequence[float]) -> np.ndarray:
    """Return the position (3,) [m, world] of a point of a link (3,) [m, link frame] in the initial state."""
    k, i = kinematics(item.figure, item.state.q), item.figure.link_index(link)
    return np.asarray(k.position[i] + k.rotation[i] @ np.array(point), float)
