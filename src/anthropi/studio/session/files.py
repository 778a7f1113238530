"""Handlers of file commands: open, save and export files, samples and examples, and list all choices of the page.

All paths are in the workspace. The choices come from the registries of the package (samples, formats, joints, styles).
"""

import os
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from anthropi import __version__
from anthropi.errors import FileError, FormatError, InputError
from anthropi.figure import JOINTS, Figure
from anthropi.figure.human.build import human, sole_markers, standing
from anthropi.figure.samples import SAMPLES, sample
from anthropi.formats import load_motion, read, write
from anthropi.formats.figures.common import InitialState, Reading, rest_state
from anthropi.formats.figures.toml.parts import ORDERS, OWN_KEYS
from anthropi.formats.files import confined, write_text
from anthropi.formats.registry import extensions, find_format
from anthropi.formats.scripts import read as read_script
from anthropi.gait.plan.determinants import DETERMINANTS, Determinants
from anthropi.gait.styles import STYLES
from anthropi.motion import Motion
from anthropi.studio import messages as m
from anthropi.studio.live.models import gain_numbers
from anthropi.studio.messages import Choice, JointChoice, Welcome
from anthropi.studio.project.file import EXTENSION, load_project, save_project, version_on_disk
from anthropi.studio.project.scene import CONTACTS, TERRAINS
from anthropi.studio.project.state import FigureItem, Project
from anthropi.studio.session.examples import EXAMPLES
from anthropi.studio.session.exports import export_formats, export_writer, plain_name
from anthropi.studio.session.figure_document import FIGURE_SPACING
from anthropi.studio.session.session import StudioSession, handles

__all__ = ["OPENS", "add_figure", "open_path", "welcome"]


MAX_ENTRIES = 2000  # largest number of files and folders in a list
# Tait-Bryan orders are listed first (docs/equations/thesis.md, 8.6)
FIRST_ORDERS = ("xyz", "yxz", "zxy", "xzy", "yzx", "zyx")


def welcome(session: StudioSession, opens: Iterable[str]) -> Welcome:
    """Return all choices that the page offers. opens : file extensions that the studio opens."""
    samples = [Choice("human", "A human. Options: height, mass, sex, detail."), *(_sample(name) for name in SAMPLES)]
    joints = [
        JointChoice(kind, OWN_KEYS.get(kind, ()), _dofs(kind)) for kind in (*JOINTS, "universal") if kind != "locked"
    ]
    return Welcome(
        version=__version__,
        samples=tuple(samples),
        examples=tuple(Choice(name, e.words, e.group) for name, e in EXAMPLES.items()),
        exports=export_formats(),
        opens=tuple(opens),
        joints=tuple(joints),
        orders=(*FIRST_ORDERS, *(o for o in ORDERS if o not in FIRST_ORDERS)),
        styles=tuple(Choice(name, style.why) for name, style in STYLES.items()),
        determinants={name: asdict(Determinants()[name]) for name in DETERMINANTS},
        terrains=TERRAINS,
        contacts=CONTACTS,
        gains=gain_numbers(),
        recovered="" if session.recovery is None else session.recovery.words,
    )


def _sample(name: str) -> Choice:
    words = (SAMPLES[name].__doc__ or "").strip().splitlines()
    return Choice(name, words[0] if words else "")


def _dofs(kind: str) -> int:
    """Return the number of degrees of freedom of a joint type, 0 if it depends on its parts."""
    if kind == "universal":
        return 2
    found = getattr(JOINTS[kind], "nu", 0)
    return found if isinstance(found, int) else 0


OPENED = ("project", "figure", "motion", "script")  # types of content that the studio opens
OPENS = tuple(dict.fromkeys(e for holds in OPENED for e in extensions(holds, "read")))


@handles(m.GetHelp)
def get_help(session: StudioSession, _: m.GetHelp) -> m.Welcome:
    """Return all choices that the page offers: samples, formats, joint types, styles."""
    return welcome(session, OPENS)


@handles(m.GetProject)
def get_project(session: StudioSession, _: m.GetProject) -> m.ProjectView:
    """Return the view of the project."""
    return session.project_view()


@handles(m.GetFigure)
def get_figure(session: StudioSession, command: m.GetFigure) -> m.FigureView:
    """Return the view of a figure."""
    return session.view(session.project.item(command.figure))


@handles(m.NewProject)
def new_project(session: StudioSession, command: m.NewProject) -> None:
    """Open an empty project, or a project with a walking human."""
    if command.walking:
        EXAMPLES["walking human"].open(session)
        return
    session.edit("new project", Project(next=session.project.next, camera=session.project.camera))


@handles(m.ListFiles)
def list_files(session: StudioSession, command: m.ListFiles) -> m.Listing:
    """List the subfolders of a folder of the workspace and its files that the studio can open."""
    folder = session.folder if command.folder in ("", ".") else confined(session.folder, command.folder, "The list")
    try:
        with os.scandir(folder) as found:
            rows = sorted((_entry(e) for e in found), key=lambda e: (not e.folder, e.name.lower()))[:MAX_ENTRIES]
    except OSError as error:
        raise FileError(f"Folder '{command.folder}' cannot be read: {error.strerror}.") from None
    entries = [e for e in rows if not e.name.startswith(".") and (e.folder or Path(e.name).suffix.lower() in OPENS)]
    return m.Listing(command.folder, tuple(entries))


def _entry(found: os.DirEntry[str]) -> m.Entry:
    """Return a file or folder of a list. The size of a symbolic link to nothing is 0."""
    try:
        return m.Entry(found.name, found.is_dir(), 0 if found.is_dir() else found.stat().st_size)
    except OSError:  # a link to nothing, or removed in the meantime
        return m.Entry(found.name, False, 0)


@handles(m.OpenFile)
def open_file(session: StudioSession, command: m.OpenFile) -> m.Opened:
    """Open a file from the workspace."""
    path = confined(session.folder, command.path, "The studio")
    return open_path(session, path, command.add, str(Path(command.path)))


@handles(m.OpenUpload)
def open_upload(session: StudioSession, command: m.OpenUpload) -> m.Opened:
    """Open a file that a browser has uploaded."""
    return open_path(session, session.uploads.find(command.upload), command.add, "")


@handles(m.OpenSample)
def open_sample(session: StudioSession, command: m.OpenSample) -> m.Opened:
    """Open a sample figure."""
    try:
        if command.name == "human":
            figure = human(**command.options)
        else:
            figure = sample(command.name, **command.options)
    except TypeError as error:
        raise InputError(f"Sample '{command.name}': {error}.") from None
    state = rest_state(figure)
    return add_figure(session, Reading(figure, _standing(figure, state)), f"open {command.name}", command.add)


def _standing(figure: Figure, state: InitialState) -> InitialState:
    """Return the initial state of a sample. A human stands on the ground; other figures keep the given state."""
    if sole_markers(figure) and figure.joints[0].kind == "free":
        return InitialState(standing(figure), state.u, state.udot)
    return state


@handles(m.OpenExample)
def open_example(session: StudioSession, command: m.OpenExample) -> m.Opened:
    """Open an example from the gallery."""
    if command.name not in EXAMPLES:
        raise InputError(f"No example '{command.name}'. Examples: {', '.join(EXAMPLES)}.")
    before = session.project
    EXAMPLES[command.name].open(session)
    return m.Opened(tuple(i.number for i in session.project.items if i not in before.items), ())


def add_figure(session: StudioSession, reading: Reading, label: str, add: bool) -> m.Opened:
    """Add a figure to the project.

    Parameters
    ----------
    session : the session with the open project.
    reading : the figure, its state, and notes on contents of the file that could not be used.
    label : the name of the edit, for undo.
    add : True adds it to the open project, False replaces the project.
    """
    project = session.project if add else _emptied(session.project, reading.figure.name)
    figure = reading.figure
    name = project.free_name(figure.name)
    if name != figure.name:
        figure = figure.changed(name=name)
    item = FigureItem(project.next, figure, _beside(project, figure, reading.state), dict(reading.stops))
    session.edit(label, project.with_item(item).changed(next=project.next + 1, shown=None))
    return m.Opened((item.number,), (), tuple(str(n) for n in reading.notes))


def _beside(project: Project, figure: Figure, state: InitialState) -> InitialState:
    """Return the initial state, moved to the left of the open figures if the root is free."""
    free = [i for i in project.items if i.figure.joints[0].kind == "free"]
    if not free or figure.joints[0].kind != "free":
        return state
    q = state.q.copy()
    q[1] = max(float(i.state.q[1]) for i in free) + FIGURE_SPACING
    return InitialState(q, state.u, state.udot)


def _emptied(project: Project, name: str) -> Project:
    return Project(name=name, next=project.next, camera=project.camera)


def open_path(session: StudioSession, path: Path, add: bool, shown: str) -> m.Opened:
    """Open a file: a project, a figure, a motion or a script.

    Parameters
    ----------
    session : the session with the open project.
    path : the path of the file.
    add : True adds the content to the open project, False replaces the project.
    shown : its path relative to the workspace, "" if it is not in the workspace.
    """
    if path.suffix.lower() not in OPENS:
        raise FormatError(f"The studio cannot open {path.name}. It opens {', '.join(OPENS)}.")
    holds = find_format(path, OPENED).holds
    if holds == "project":
        return _project(session, path, shown)
    if holds == "script":
        return _script(session, path)
    if holds == "figure":
        version = version_on_disk(path)
        opened = add_figure(session, read(path), f"open {path.name}", add)
        if shown:
            session.known_versions[shown, opened.figures[0]] = version
        return opened
    return _motion(session, path, add)


def _project(session: StudioSession, path: Path, shown: str) -> m.Opened:
    version = version_on_disk(path)
    project = load_project(path)
    number = max(project.next, session.project.next)
    session.edit(f"open {path.name}", project.changed(path=shown, name=path.stem, next=number))
    if shown:
        session.known_versions[shown, 0] = version
        session.saved_revision = session.revision
        session.publish()
    return m.Opened(tuple(i.number for i in project.items), tuple(x.number for x in project.motions))


def _script(session: StudioSession, path: Path) -> m.Opened:
    script = read_script(path)

    def compute(task) -> None:
        session.add_motion(
            script.run(progress=task.report), script.name, "contact", scene=script.scene, task=task.number
        )

    session.tasks.start(f"run {path.name}", compute)
    return m.Opened((), (), (f"The script '{script.name}' is running. Its motion appears when it is done.",))


def _motion(session: StudioSession, path: Path, add: bool) -> m.Opened:
    options: dict[str, Any] = {}
    if find_format(path, "motion").needs_figure and session.project.items:
        options["figure"] = session.project.items[0].figure
        add = True
    motion: Motion = load_motion(path, **options)
    if motion.q.ndim != 2:
        raise FormatError(
            f"{path.name} contains several rollouts. Save one of them, for example motion.rollout(0).save(…), and open "
            "this file."
        )
    same = [i for i in session.project.items if add and i.figure.key == motion.figure.key]
    if same:
        number = same[0].number
    else:
        state = InitialState(motion.q[0], motion.u[0], 0.0 * motion.u[0])
        number = add_figure(session, Reading(motion.figure, state), f"open {path.name}", add).figures[0]
    return m.Opened(() if same else (number,), (session.add_motion(motion, path.stem, "file", number),))


@handles(m.SaveProject)
def save(session: StudioSession, command: m.SaveProject) -> m.Saved:
    """Save the project. If anything fails, the old file is unchanged."""
    named = command.path or session.project.path
    if not named:
        raise InputError(f"The project has no file name yet. Give one, for example walk{EXTENSION}.")
    named = named if named.endswith(EXTENSION) else named + EXTENSION
    path = confined(session.folder, named, "The project")
    if not command.replace:
        _refuse_to_replace(session, path, named, 0 if Path(named) == Path(session.project.path) else None)
    if not path.parent.is_dir():
        raise FileError(f"The workspace has no folder '{Path(named).parent}'. Create it, or choose another folder.")
    project = session.project.changed(path=named, name=path.stem.removesuffix(EXTENSION))
    save_project(project, path)
    session.known_versions[str(Path(named)), 0] = version_on_disk(path)
    session.put(project)
    session.saved_revision = session.revision
    if session.autosave is not None:
        session.autosave.discard()
    session.publish()
    return m.Saved(named)


@handles(m.SaveFigure)
def save_figure(session: StudioSession, command: m.SaveFigure) -> m.Saved:
    """Save a figure in the format that the extension of the path names."""
    item = session.project.item(command.figure)
    path = confined(session.folder, command.path, "The figure")
    if not command.replace:
        _refuse_to_replace(session, path, command.path, item.number)
    if path.suffix.lower() == ".toml":
        write_text(path, item.text)
    else:
        write(item.figure, path, item.state)
    session.known_versions[str(Path(command.path)), item.number] = version_on_disk(path)
    return m.Saved(command.path)


def _refuse_to_replace(session: StudioSession, path: Path, named: str, number: int | None) -> None:
    """Raise an error if saving would replace a file that was not read or written here, or has changed since.

    number : the number of the figure to save, 0 for the project, None for a project with another file.
    """
    version, named = version_on_disk(path), str(Path(named))
    if version is None:
        return
    if number is None or (named, number) not in session.known_versions:
        raise FileError(f"{named} already exists. Choose another name, or replace it.")
    if session.known_versions[named, number] != version:
        raise FileError(
            f"{named} has already been changed on disk since it was opened or saved here, for example by another "
            "studio. Choose another name, or replace it and lose the changes on disk."
        )


@handles(m.Export)
def export(session: StudioSession, command: m.Export) -> m.Download:
    """Export a motion, a figure or the project to a temporary file for download."""
    name, write_to = export_writer(session.project, command)
    key, path = session.downloads.place(plain_name(name))
    write_to(path)
    return m.Download(f"/download/{key}/{path.name}", path.name, path.stat().st_size)
