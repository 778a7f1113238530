"""Handlers of Build Structure that edit figures and links."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from anthropi.algebra.rotation import quaternion_from_matrix
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import InputError
from anthropi.formats.figures.common import InitialState
from anthropi.formats.figures.toml import parse, parse_data, plain_copy
from anthropi.motion.keyframes import configuration
from anthropi.studio import messages as m
from anthropi.studio.project.state import FigureItem
from anthropi.studio.session import figure_document as d
from anthropi.studio.session.session import StudioSession, handles

__all__ = ["change", "edited"]


def edited(session: StudioSession, item: FigureItem, label: str, done: bool = True) -> None:
    """Replace a figure of the project by an edited one.

    Parameters
    ----------
    session : the session with the open project.
    item : the edited figure.
    label : the name of the edit, for undo.
    done : False while a slider moves.
    """
    session.edit(f"{label} ({item.figure.name})", session.project.with_item(item), done)


def change(session: StudioSession, command: Any, label: str, alter: Callable[[dict[str, Any]], Any]) -> None:
    """Edit the document of a figure and read the figure from it again.

    Parameters
    ----------
    session : the session with the open project.
    command : a command with the number of the figure.
    label : the name of the edit, for undo.
    alter : function that changes a copy of the document in place, or returns another document.
    """
    item = session.project.item(command.figure)
    document = plain_copy(item.document)
    edited(session, item.read(alter(document) or document), label)


@handles(m.NewFigure)
def new_figure(session: StudioSession, command: m.NewFigure) -> int:
    """Add a figure of one link and return its number."""
    project = session.project
    name = project.free_name(command.name)
    places = [float(kinematics(i.figure, i.state.q, i.state.u).position[0][1]) for i in project.items]
    y = max(places) + d.FIGURE_SPACING if places else 0.0  # beside the others
    reading = parse_data(d.new_document(name, command.root, y), name)
    item = FigureItem(project.next, reading.figure, reading.state, reading.stops)
    session.edit(f"new figure '{name}'", project.with_item(item).changed(next=project.next + 1, shown=None))
    return item.number


@handles(m.RemoveFigure)
def remove_figure(session: StudioSession, command: m.RemoveFigure) -> None:
    """Remove a figure and the forces on it."""
    item = session.project.item(command.figure)
    kept = tuple(x for x in session.project.items if x is not item)
    forces = tuple(f for f in session.project.forces if f.figure != item.number)
    session.edit(f"remove figure '{item.figure.name}'", session.project.changed(items=kept, forces=forces))


@handles(m.RenameFigure)
def rename_figure(session: StudioSession, command: m.RenameFigure) -> None:
    """Rename a figure."""
    item = session.project.item(command.figure)
    name = command.name.strip()
    taken = [x.figure.name for x in session.project.items if x is not item]
    if not name or "/" in name or name in taken:
        raise InputError(
            f"A figure cannot be called '{command.name}'. Give a name that no other figure has, without '/'."
        )
    edited(session, item.changed(figure=item.figure.changed(name=name)), "rename figure")


@handles(m.AddLink)
def add_link(session: StudioSession, command: m.AddLink) -> None:
    """Add a link."""
    change(session, command, f"add link '{command.name}'", lambda doc: d.with_link(doc, command))


@handles(m.RemoveLink)
def remove_link(session: StudioSession, command: m.RemoveLink) -> None:
    """Remove a link and the forces on it."""
    change(
        session, command, f"remove link '{command.link}'", lambda doc: d.without_link(doc, command.link, command.branch)
    )
    _drop_forces(session, command.figure)


def _drop_forces(session: StudioSession, figure: int) -> None:
    """Remove forces on links that no longer exist."""
    links = {x.name for x in session.project.item(figure).figure.links}
    kept = tuple(f for f in session.project.forces if f.figure != figure or f.link in links)
    if len(kept) < len(session.project.forces):
        session.put(session.project.changed(forces=kept))


@handles(m.RenameLink)
def rename_link(session: StudioSession, command: m.RenameLink) -> None:
    """Rename a link and update all references to it."""
    name = command.name.strip()
    change(
        session, command, f"rename link '{command.link}'", lambda doc: d.with_new_name(doc, "link", command.link, name)
    )
    moved = tuple(
        replace(f, link=name) if f.figure == command.figure and f.link == command.link else f
        for f in session.project.forces
    )
    if moved != session.project.forces:
        session.put(session.project.changed(forces=moved))


@handles(m.RenameJoint)
def rename_joint(session: StudioSession, command: m.RenameJoint) -> None:
    """Rename a joint and update all references to it."""
    change(
        session,
        command,
        f"rename joint '{command.joint}'",
        lambda doc: d.with_new_name(doc, "joint", command.joint, command.name.strip()),
    )


@handles(m.ReparentLink)
def reparent_link(session: StudioSession, command: m.ReparentLink) -> None:
    """Connect a link to another parent."""
    figure = session.project.item(command.figure).figure
    place = None
    if command.keep_place:
        i, new = figure.link_index(command.link), figure.link_index(command.parent)
        old = figure.parent[i]
        if old >= 0:
            k = kinematics(figure, session.project.item(command.figure).state.q)
            own, C, C_new = figure.joints[i].placement, k.rotation[old], k.rotation[new]
            origin = C_new.T @ (k.position[old] + C @ np.asarray(own.origin, float) - k.position[new])
            place = C_new.T @ C @ np.asarray(own.rotation, float), origin
    change(
        session,
        command,
        f"connect '{command.link}' to '{command.parent}'",
        lambda doc: d.with_parent(doc, command.link, command.parent, place),
    )


@handles(m.ConnectJoint)
def connect_joint(session: StudioSession, command: m.ConnectJoint) -> None:
    """Set an entry of the connectivity table: make a link the parent link of a joint."""
    child = d.joint_in(session.project.item(command.figure).document, command.joint)["child"]
    if child == command.link:
        raise InputError(
            f"Link '{child}' is the child of joint '{command.joint}' and cannot be its parent. Choose another link."
        )
    reparent_link(session, m.ReparentLink(command.figure, child, command.link))


@handles(m.SetLinkSize)
def set_link_size(session: StudioSession, command: m.SetLinkSize) -> None:
    """Make a link a box with a given size and either a density or a mass."""
    if (command.density is None) == (command.mass is None):
        raise InputError(f"Link '{command.link}': give either a density or a mass.")
    weight = {"mass": command.mass} if command.density is None else {"density": command.density}

    def alter(document: dict[str, Any]) -> None:
        link = d.link_in(document, command.link)
        link.clear()
        link |= {"name": command.link, "size": list(command.size), **weight}

    change(session, command, f"size of '{command.link}'", alter)


@handles(m.SetLinkInertia)
def set_link_inertia(session: StudioSession, command: m.SetLinkInertia) -> None:
    """Set the mass, centre of mass and inertia tensor of a link."""
    link = next((x for x in session.project.item(command.figure).figure.links if x.name == command.link), None)

    def alter(document: dict[str, Any]) -> None:
        table = d.link_in(document, command.link)
        assert link is not None
        mass = float(link.mass) if command.mass is None else command.mass
        if mass < 0.0:
            raise InputError(f"The mass of link '{command.link}' is {mass:g} kg. Give 0 kg or more.")
        tensor: Any = np.asarray(link.tensor, float)
        if command.tensor is not None:
            tensor = np.array(command.tensor)
        elif command.mass is not None and link.mass > 0.0:
            tensor = tensor * (mass / float(link.mass))
        centre = np.asarray(link.centre, float) if command.centre is None else np.array(command.centre)
        table |= {"mass": mass, "centre": centre.tolist(), "tensor": tensor.tolist()}

    change(session, command, f"inertia of '{command.link}'", alter)


@handles(m.ChangeRoot)
def change_root(session: StudioSession, command: m.ChangeRoot) -> None:
    """Make another link the root. If the old root was welded to the world, the new root is welded too."""
    item = session.project.item(command.figure)
    old = item.figure.joints[0].kind
    if item.figure.links[0].name != command.link:
        item.figure.link_index(command.link)
        item = item if old == "free" else _with_root_joint(item, "free")
        figure, q, u = item.figure.reroot(command.link, item.state.q, item.state.u)
        item = item.changed(figure=figure, state=InitialState(q, u, np.zeros(figure.nu)))
    wanted = command.joint or ("weld" if old == "weld" else item.figure.joints[0].kind)
    if item.figure.joints[0].kind != wanted:
        item = _with_root_joint(item, wanted)
    edited(session, item, f"root is '{command.link}'")


def _with_root_joint(item: FigureItem, kind: str) -> FigureItem:
    """Return the item with another type of joint between root and world; the root keeps its pose."""
    figure = item.figure
    k = kinematics(figure, item.state.q)
    name = figure.joints[0].name
    document = d.with_joint_type(item.document, name, kind)
    joint = d.joint_in(document, name)
    joint.pop("origin", None)
    joint.pop("rotation", None)
    if kind == "free":
        place = [*k.position[0], *quaternion_from_matrix(k.rotation[0])]
        document.setdefault("state", {}).setdefault("position", {})[name] = [float(x) for x in place]
    else:
        joint |= {
            "origin": np.asarray(k.position[0], float).tolist(),
            "rotation": np.asarray(k.rotation[0], float).tolist(),
        }
    return item.read(document)


@handles(m.SetInitialState)
def set_initial_state(session: StudioSession, command: m.SetInitialState) -> None:
    """Set the initial position and velocity of a figure."""
    item = session.project.item(command.figure)
    figure = item.figure
    q = figure.neutral() if command.rest else item.state.q
    u = np.zeros(figure.nu) if command.rest else item.state.u.copy()
    q = configuration(figure, command.position or {}, q)
    for name, rate in (command.velocity or {}).items():
        u[list(figure.dof_indices([name]))] = rate
    edited(session, item.with_state(q, u), "initial state")


@handles(m.SetMarker)
def set_marker(session: StudioSession, command: m.SetMarker) -> None:
    """Add or change a marker."""

    def alter(document: dict[str, Any]) -> None:
        kept = [x for x in document.get("marker", []) if x["name"] != command.name]
        document["marker"] = [*kept, {"name": command.name, "link": command.link, "point": list(command.point)}]

    change(session, command, f"marker '{command.name}'", alter)


@handles(m.RemoveMarker)
def remove_marker(session: StudioSession, command: m.RemoveMarker) -> None:
    """Remove a marker."""

    def alter(document: dict[str, Any]) -> None:
        document["marker"] = [x for x in document.get("marker", []) if x["name"] != command.name]

    change(session, command, f"remove marker '{command.name}'", alter)


@handles(m.SetFigureText)
def set_figure_text(session: StudioSession, command: m.SetFigureText) -> None:
    """Replace a figure by the one that the text of a figure.toml describes."""
    item = session.project.item(command.figure)
    reading = parse(command.text, "figure.toml")
    other = [x.figure.name for x in session.project.items if x is not item]
    if reading.figure.name in other or "/" in reading.figure.name:
        raise InputError(
            f"A figure cannot be called '{reading.figure.name}'. Give a name that no other figure has, without '/'."
        )
    edited(session, item.with_reading(reading), "edit figure.toml")
