"""MJCF → figure: a documented subset (docs/formats.md); what is beyond it is refused, or read by MuJoCo itself."""

import os
from pathlib import Path

import numpy as np

from anthropi.errors import FormatError
from anthropi.figure import Figure, Link
from anthropi.formats.files import confined, naming
from anthropi.formats.mjcf.assets import Assets
from anthropi.formats.mjcf.bodies import build
from anthropi.formats.mjcf.defaults import defaults_of
from anthropi.formats.mjcf.known import SECTIONS, check_attributes, refuse_element
from anthropi.formats.mjcf.loops import loops_of
from anthropi.formats.mjcf.settings import settings_of
from anthropi.formats.mjcf.tree import Context, bodies_of
from anthropi.formats.poses import check_configuration
from anthropi.formats.reading import Notes, Reading, State
from anthropi.formats.xml import MAX_DEPTH, MAX_ELEMENTS, Node, read_xml

__all__ = ["read"]

MAX_INCLUDES = 100


def read(path: str | os.PathLike, by: str = "anthropi") -> Reading:
    """What figure does an MJCF file hold?

    by : "anthropi", this package's reader of a subset; "mujoco", MuJoCo's own compiler (needs the package), which knows
    all of MJCF and leaves out less loudly what a figure does not hold.
    """
    path = Path(path)
    with naming(path):
        notes = Notes()
        root = read_xml(path)
        if root.tag != "mujoco":
            raise FormatError(f"{path.name} begins with <{root.tag[:80]}>, not <mujoco>. It is no MJCF file.")
        if by == "mujoco":
            from anthropi.formats.mjcf.compiled import read_compiled

            return read_compiled(path, root)
        if by != "anthropi":
            raise FormatError(f'by="{by}". Choose "anthropi" or "mujoco".')
        root = _with_includes(root, path, notes)
        return _figure(root, path, notes)


def _figure(root: Node, path: Path, notes: Notes) -> Reading:
    check_attributes(root, notes)
    for section in root.children:
        if section.tag not in SECTIONS:
            refuse_element(section, "mujoco", SECTIONS)
        matters = SECTIONS[section.tag]
        if matters is not None and (section.children or section.attributes):
            what = f"<{section.tag}> is not part of a figure ({len(section.children)} elements)"
            notes.add(path.name, what, matters)
    settings, defaults = settings_of(root, notes), defaults_of(root)
    context = Context(settings, defaults, Assets(root, settings, defaults, path.parent, notes), notes)
    bodies = bodies_of(root.all("worldbody"), context)
    _unique(bodies, path.name)
    figure, state = build(root.get("model") or path.stem, bodies, settings.gravity, path.name)
    if settings.total_mass > 0.0 and figure.mass > 0.0:
        share = settings.total_mass / figure.mass
        figure = figure.changed(links=tuple(_scaled(x, share) for x in figure.links))
    loops = loops_of(root.all("equality"), bodies, figure, state, context)
    state = _start(root.all("keyframe"), figure, state)
    if loops:
        figure = figure.changed(loops=loops)
    return Reading(figure, state, notes.all())


def _start(sections: list[Node], figure: Figure, state: State) -> State:
    """The state of the key called "start", as this package writes it; otherwise that of the bodies' poses."""
    for key in (child for section in sections for child in section.children if child.get("name") == "start"):
        q = key.numbers("qpos", figure.nq, state.q) if figure.nq else state.q
        u = key.numbers("qvel", figure.nu, state.u) if figure.nu else state.u
        still = np.zeros(figure.nu)
        q = figure.integrate(figure.integrate(q, still), still)  # files carry six digits of a quaternion
        for joint, place in zip(figure.joints, figure.q_of, strict=True):
            check_configuration(joint, q[place], key.where)
        return State(q, u, state.udot)
    return state


def _scaled(link: Link, share: float) -> Link:
    return Link(link.name, link.mass * share, link.centre, np.asarray(link.tensor) * share, link.shapes)


def _unique(bodies, file: str) -> None:
    """Names of bodies, joints and sites each occur once."""
    for what, names in (
        ("bodies", [b.name for b in bodies]),
        ("joints", [d.name for b in bodies for d in b.dofs]),
        ("sites", [s.name for b in bodies for s in b.sites]),
    ):
        seen: set[str] = set()
        for name in names:
            if name in seen:
                raise FormatError(f"{file}: two {what} are called '{name[:80]}'. Give each its own name.")
            seen.add(name)


# includes


def _with_includes(root: Node, path: Path, notes: Notes) -> Node:
    """The file with every <include> replaced by the content of the file it names, which lies in the same folder."""
    seen = {path.resolve()}
    spent = 0

    def expand(node: Node, level: int, inside: bool) -> list[Node]:
        nonlocal spent
        spent += 1
        if level > MAX_DEPTH:
            raise FormatError(
                f"{node.where}: elements are nested more than {MAX_DEPTH} deep, with includes. Nest less."
            )
        if node.tag != "include":
            node.children = [x for child in node.children for x in expand(child, level + 1, True)]
            return [node]
        check_attributes(node, notes)
        reference = node.need("file")
        target = confined(path.parent, reference, node.where)
        if not os.path.exists(target):
            return _missing(node, reference, inside, notes)
        if target.resolve() in seen or len(seen) > MAX_INCLUDES:
            raise FormatError(f"{node.where}: '{reference}' is included twice, or includes itself. Include it once.")
        seen.add(target.resolve())
        inner = read_xml(target, max(MAX_ELEMENTS - spent, 1))
        return [x for child in inner.children for x in expand(child, level + 1, True)]

    root.children = [x for child in root.children for x in expand(child, 1, child.tag != "include")]
    return root


def _missing(node: Node, reference: str, inside: bool, notes: Notes) -> list[Node]:
    """A file that is not there: noted at the top of a file, refused where bodies would be lost."""
    if inside:
        raise FormatError(f"{node.where}: no file '{reference}' in the model's folder. Put it there.")
    notes.add(f"{node.file}: <include>", f"no file '{reference}' in the model's folder; what it holds is missing")
    return []
