"""Build Structure: the handlers that edit figures."""

import copy
from typing import Any

import numpy as np

from anthropi.algebra.rotation import quaternion_from_matrix
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import InputError
from anthropi.formats.figures.common import InitialState
from anthropi.formats.figures.toml import parse
from anthropi.motion.keyframes import configuration
from anthropi.studio import messages as m
from anthropi.studio.project.state import Item, Project, document_text
from anthropi.studio.session import figure_document as d
from anthropi.studio.session.session import handles

__all__ = ["change", "edited"]


def edited(desk, item: Item, label: str, done: bool = True) -> None:
    """Take a changed figure."""
    desk.edit(f"{label} ({item.figure.name})", desk.project.with_item(item), done)


def change(desk, command, label: str, alter, done: bool = True) -> None:
    """Change a copy of a figure's document and read it again."""
    item = desk.project.item(command.figure)
    document = copy.deepcopy(item.document)
    edited(desk, item.read(alter(document) or document), label, done)


@handles(m.NewFigure)
def new_figure(desk, command) -> int:
    """A figure of one link."""
    project = desk.project
    name = project.free_name(command.name)
    places = [float(kinematics(i.figure, i.state.q, i.state.u).position[0][1]) for i in project.items]
    aside = max(places) + d.APART if places else 0.0  # not inside one that is there
    reading = parse(document_text(d.fresh(name, command.root, aside)), name)
    item = Item(project.next, reading.figure, reading.state, reading.stops)
    desk.edit(f"new figure '{name}'", project.with_item(item).changed(next=project.next + 1, shown=None))
    return item.number


@handles(m.RemoveFigure)
def remove_figure(desk, command) -> None:
    """Take a figure out."""
    item = desk.project.item(command.figure)
    kept = tuple(x for x in desk.project.items if x is not item)
    forces = tuple(f for f in desk.project.forces if f.figure != item.number)
    desk.edit(f"remove figure '{item.figure.name}'", desk.project.changed(items=kept, forces=forces))


@handles(m.RenameFigure)
def rename_figure(desk, command) -> None:
    """Another name."""
    item = desk.project.item(command.figure)
    name = command.name.strip()
    taken = [x.figure.name for x in desk.project.items if x is not item]
    if not name or "/" in name or name in taken:
        raise InputError(f"A figure cannot be called '{command.name}': give a name of its own, without '/'.")
    edited(desk, item.changed(figure=item.figure.changed(name=name)), "rename figure")


@handles(m.AddLink)
def add_link(desk, command) -> None:
    """A link on another."""
    change(desk, command, f"add link '{command.name}'", lambda doc: d.with_link(doc, command))


@handles(m.RemoveLink)
def remove_link(desk, command) -> None:
    """A link away; forces on it too."""
    change(desk, command, f"remove link '{command.link}'",
            lambda doc: d.without_link(doc, command.link, command.branch))  # fmt: skip
    _forget_forces(desk, command.figure)


def _forget_forces(desk, figure: int) -> None:
    """Forces on links that are gone."""
    links = {x.name for x in desk.project.item(figure).figure.links}
    kept = tuple(f for f in desk.project.forces if f.figure != figure or f.link in links)
    if len(kept) < len(desk.project.forces):
        desk.put(desk.project.changed(forces=kept))


@handles(m.RenameLink)
def rename_link(desk, command) -> None:
    """A link's name, everywhere."""
    name = command.name.strip()
    change(desk, command, f"rename link '{command.link}'",
            lambda doc: d.with_new_names(doc, "link", command.link, name))  # fmt: skip
    moved = tuple(_on(f, name) if f.figure == command.figure and f.link == command.link else f
                  for f in desk.project.forces)  # fmt: skip
    if moved != desk.project.forces:
        desk.put(desk.project.changed(forces=moved))


def _on(force: m.Force, link: str) -> m.Force:
    from dataclasses import replace

    return replace(force, link=link)


@handles(m.RenameJoint)
def rename_joint(desk, command) -> None:
    """A joint's name, everywhere."""
    change(desk, command, f"rename joint '{command.joint}'",
            lambda doc: d.with_new_names(doc, "joint", command.joint, command.name.strip()))  # fmt: skip


@handles(m.ReparentLink)
def reparent_link(desk, command) -> None:
    """A link on another parent."""
    figure = desk.project.item(command.figure).figure
    place = None
    if command.keep_place:
        i, new = figure.link_index(command.link), figure.link_index(command.parent)
        old = figure.parent[i]
        if old >= 0:
            k = kinematics(figure, desk.project.item(command.figure).state.q)
            own, C, C_new = figure.joints[i].placement, k.rotation[old], k.rotation[new]
            origin = C_new.T @ (k.position[old] + C @ np.asarray(own.origin, float) - k.position[new])
            place = C_new.T @ C @ np.asarray(own.rotation, float), origin
    change(desk, command, f"hang '{command.link}' on '{command.parent}'",
            lambda doc: d.with_parent(doc, command.link, command.parent, place))  # fmt: skip


@handles(m.ConnectJoint)
def connect_joint(desk, command) -> None:
    """An entry of the connectivity table."""
    child = d.joint_in(desk.project.item(command.figure).document, command.joint)["child"]
    if child == command.link:
        raise InputError(f"Link '{child}' hangs by joint '{command.joint}' already. Choose the link it shall hang on.")
    reparent_link(desk, m.ReparentLink(command.figure, child, command.link))


@handles(m.SetLinkSize)
def set_link_size(desk, command) -> None:
    """A link as a box."""
    if (command.density is None) == (command.mass is None):
        raise InputError(f"Link '{command.link}': give a density or a mass, one of them.")
    weight = {"mass": command.mass} if command.density is None else {"density": command.density}

    def alter(document) -> None:
        link = d.link_in(document, command.link)
        link.clear()
        link |= {"name": command.link, "size": list(command.size), **weight}

    change(desk, command, f"size of '{command.link}'", alter)


@handles(m.SetLinkInertia)
def set_link_inertia(desk, command) -> None:
    """Mass, centre and tensor."""
    link = next((x for x in desk.project.item(command.figure).figure.links if x.name == command.link), None)

    def alter(document) -> None:
        table = d.link_in(document, command.link)
        assert link is not None
        mass = float(link.mass) if command.mass is None else command.mass
        if mass < 0.0:
            raise InputError(f"Link '{command.link}' has a mass of {mass:g} kg. Give 0 or more.")
        tensor: Any = np.asarray(link.tensor, float)
        if command.tensor is not None:
            tensor = np.array(command.tensor)
        elif command.mass is not None and link.mass > 0.0:
            tensor = tensor * (mass / float(link.mass))
        centre = np.asarray(link.centre, float) if command.centre is None else np.array(command.centre)
        table |= {"mass": mass, "centre": centre.tolist(), "tensor": tensor.tolist()}

    change(desk, command, f"inertia of '{command.link}'", alter)


@handles(m.ChangeRoot)
def change_root(desk, command) -> None:
    """Another link is the root. What is welded to the world stays so, by its new root."""
    item = desk.project.item(command.figure)
    old = item.figure.joints[0].kind
    if item.figure.links[0].name != command.link:
        item.figure.link_index(command.link)
        item = item if old == "free" else _rooted(item, "free")
        figure, q, u = item.figure.reroot(command.link, item.state.q, item.state.u)
        item = item.changed(figure=figure, state=InitialState(q, u, np.zeros(figure.nu)))
    wanted = command.joint or ("weld" if old == "weld" else item.figure.joints[0].kind)
    if item.figure.joints[0].kind != wanted:
        item = _rooted(item, wanted)
    edited(desk, item, f"root is '{command.link}'")


def _rooted(item: Item, kind: str) -> Item:
    """With another joint to the world, where the root is now."""
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
        joint |= {"origin": np.asarray(k.position[0], float).tolist(),
                  "rotation": np.asarray(k.rotation[0], float).tolist()}  # fmt: skip
    return item.read(document)


@handles(m.SetInitialState)
def set_initial_state(desk, command) -> None:
    """The state it starts in."""
    item = desk.project.item(command.figure)
    figure = item.figure
    q = figure.neutral() if command.rest else item.state.q
    u = np.zeros(figure.nu) if command.rest else item.state.u.copy()
    q = configuration(figure, command.position or {}, q)
    for name, rate in (command.velocity or {}).items():
        u[list(figure.dof_indices([name]))] = rate
    edited(desk, item.with_state(q, u), "initial state")


@handles(m.SetMarker)
def set_marker(desk, command) -> None:
    """A marker, new or changed."""

    def alter(document) -> None:
        kept = [x for x in document.get("marker", []) if x["name"] != command.name]
        document["marker"] = [*kept, {"name": command.name, "link": command.link, "point": list(command.point)}]

    change(desk, command, f"marker '{command.name}'", alter)


@handles(m.RemoveMarker)
def remove_marker(desk, command) -> None:
    """A marker away."""

    def alter(document) -> None:
        document["marker"] = [x for x in document.get("marker", []) if x["name"] != command.name]

    change(desk, command, f"remove marker '{command.name}'", alter)


@handles(m.SetFigureText)
def set_figure_text(desk, command) -> None:
    """The whole figure.toml."""
    item = desk.project.item(command.figure)
    reading = parse(command.text, "figure.toml")
    taken: Project = desk.project
    other = [x.figure.name for x in taken.items if x is not item]
    if reading.figure.name in other or "/" in reading.figure.name:
        raise InputError(f"A figure '{reading.figure.name}' is open already. Give this one a name of its own.")
    edited(desk, item.of(reading), "edit figure.toml")
