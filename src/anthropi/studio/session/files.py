"""What there is to choose from: samples, formats, joints, styles, all from the lists that AnthroPI itself goes by.

Files
-----
Commands on files: open, save, export, samples; and undo. All paths lie in the workspace.
"""

import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from anthropi import __version__
from anthropi.errors import FileError, FormatError, InputError
from anthropi.figure import JOINTS
from anthropi.figure.human.build import human
from anthropi.figure.samples import SAMPLES, sample
from anthropi.formats import load_motion, read, write
from anthropi.formats.figures.common import InitialState, Reading, rest_state
from anthropi.formats.figures.toml.parts import ORDERS, OWN_KEYS
from anthropi.formats.files import confined
from anthropi.formats.registry import extensions, find_format
from anthropi.formats.scripts import read as read_script
from anthropi.gait.plan.determinants import DETERMINANTS, Determinants
from anthropi.gait.styles import STYLES
from anthropi.motion import Motion
from anthropi.studio import messages as m
from anthropi.studio.live.models import gains
from anthropi.studio.messages import Choice, JointChoice, Welcome
from anthropi.studio.project.file import ENDING, load_project, save_project
from anthropi.studio.project.scene import CONTACTS, TERRAINS
from anthropi.studio.project.state import Item, Project
from anthropi.studio.session.examples import EXAMPLES
from anthropi.studio.session.exports import exports, plain_name
from anthropi.studio.session.figure_document import APART
from anthropi.studio.session.session import handles

__all__ = ["OPENS", "add_figure", "open_path", "welcome"]


THESIS = ("xyz", "yxz", "zxy", "xzy", "yzx", "zyx")  # the six orders of thesis 8.6 come first


def welcome(desk, opens) -> Welcome:
    """All of it."""
    samples = [Choice("human", "A person: height, mass, sex, detail."), *(_sample(name) for name in SAMPLES)]
    joints = [
        JointChoice(kind, OWN_KEYS.get(kind, ()), _dofs(kind)) for kind in (*JOINTS, "universal") if kind != "locked"
    ]
    return Welcome(
        version=__version__, samples=tuple(samples),
        examples=tuple(Choice(name, e.words, e.group) for name, e in EXAMPLES.items()), exports=exports(),
        opens=tuple(opens), joints=tuple(joints), orders=(*THESIS, *(o for o in ORDERS if o not in THESIS)),
        styles=tuple(Choice(name, style.why) for name, style in STYLES.items()),
        determinants={name: asdict(Determinants()[name]) for name in DETERMINANTS},
        terrains=TERRAINS, contacts=CONTACTS, gains=gains(),
        recovered="" if desk.recovery is None else desk.recovery.words,
    )  # fmt: skip


def _sample(name: str) -> Choice:
    words = (SAMPLES[name].__doc__ or "").strip().splitlines()
    return Choice(name, words[0] if words else "")


def _dofs(kind: str) -> int:
    """Degrees of freedom of a type of joint; 0 where parts decide."""
    if kind == "universal":
        return 2
    found = getattr(JOINTS[kind], "nu", 0)
    return found if isinstance(found, int) else 0


OPENED = ("project", "figure", "motion", "script")  # what a file may hold
OPENS = tuple(dict.fromkeys(e for holds in OPENED for e in extensions(holds, "read")))


@handles(m.GetHelp)
def get_help(desk, _) -> m.Welcome:
    """What there is to choose from."""
    return welcome(desk, OPENS)


@handles(m.GetProject)
def get_project(desk, _) -> m.ProjectView:
    """What is open."""
    return desk.project_view()


@handles(m.GetFigure)
def get_figure(desk, command) -> m.FigureView:
    """One figure."""
    return desk.view(desk.project.item(command.figure))


@handles(m.NewProject)
def new_project(desk, command) -> None:
    """Nothing open, or a walking human."""
    if command.walking:
        EXAMPLES["walking human"].open(desk)
        return
    desk.edit("new project", Project(next=desk.project.next, camera=desk.project.camera))


@handles(m.ListFiles)
def list_files(desk, command) -> m.Listing:
    """Files of a folder of the workspace that the studio can open, and folders."""
    folder = desk.folder if command.folder in ("", ".") else confined(desk.folder, command.folder, "The list")
    try:
        with os.scandir(folder) as found:
            rows = sorted(found, key=lambda e: (not e.is_dir(), e.name.lower()))[:2000]
    except OSError as error:
        raise FileError(f"Folder '{command.folder}' cannot be read: {error.strerror}.") from None
    entries = [
        m.Entry(e.name, e.is_dir(), 0 if e.is_dir() else e.stat().st_size)
        for e in rows
        if not e.name.startswith(".") and (e.is_dir() or Path(e.name).suffix.lower() in OPENS)
    ]
    return m.Listing(command.folder, tuple(entries))


@handles(m.OpenFile)
def open_file(desk, command) -> m.Opened:
    """Open a file of the workspace."""
    path = confined(desk.folder, command.path, "The studio")
    return open_path(desk, path, command.add, str(Path(command.path)))


@handles(m.OpenUpload)
def open_upload(desk, command) -> m.Opened:
    """Open what a browser sent."""
    return open_path(desk, desk.uploads.find(command.upload), command.add, "")


@handles(m.OpenSample)
def open_sample(desk, command) -> m.Opened:
    """A figure by name."""
    try:
        if command.name == "human":
            figure = human(**command.options)
        else:
            figure = sample(command.name, **command.options)
    except TypeError as error:
        raise InputError(f"Sample '{command.name}': {error}.") from None
    state = rest_state(figure)
    return add_figure(desk, Reading(figure, _standing(figure, state)), f"open {command.name}", command.add)


def _standing(figure, state: InitialState) -> InitialState:
    """People start on their feet."""
    from anthropi.figure.human.build import sole_markers, standing

    if sole_markers(figure) and figure.joints[0].kind == "free":
        return InitialState(standing(figure), state.u, state.udot)
    return state


@handles(m.OpenExample)
def open_example(desk, command) -> m.Opened:
    """An example of the gallery."""
    if command.name not in EXAMPLES:
        raise InputError(f"No example '{command.name}'. Examples: {', '.join(EXAMPLES)}.")
    before = desk.project
    EXAMPLES[command.name].open(desk)
    now = desk.project
    return m.Opened(tuple(i.number for i in now.items if i not in before.items), ())


def add_figure(desk, reading: Reading, label: str, add: bool, notes=()) -> m.Opened:
    """A figure beside what is open, or instead."""
    project = desk.project if add else _emptied(desk.project, reading.figure.name)
    figure = reading.figure
    name = project.free_name(figure.name)
    if name != figure.name:
        figure = figure.changed(name=name)
    item = Item(project.next, figure, _beside(project, figure, reading.state), dict(reading.stops))
    desk.edit(label, project.with_item(item).changed(next=project.next + 1, shown=None))
    return m.Opened((item.number,), (), (*(str(n) for n in reading.notes), *notes))


def _beside(project: Project, figure, state: InitialState) -> InitialState:
    """To the left of those who are there, if it can stand anywhere."""
    free = [i for i in project.items if i.figure.joints[0].kind == "free"]
    if not free or figure.joints[0].kind != "free":
        return state
    q = state.q.copy()
    q[1] = max(float(i.state.q[1]) for i in free) + APART
    return InitialState(q, state.u, state.udot)


def _emptied(project: Project, name: str) -> Project:
    return Project(name=name, next=project.next, camera=project.camera)


def open_path(desk, path: Path, add: bool, shown: str) -> m.Opened:
    """Open a file by its content. shown : its name in the workspace, "" if it lies elsewhere."""
    if path.suffix.lower() not in OPENS:
        raise FormatError(f"{path.name}: the studio opens {', '.join(OPENS)}.")
    holds = find_format(path, OPENED).holds
    if holds == "project":
        return _project(desk, path, shown)
    if holds == "script":
        return _script(desk, path)
    if holds == "figure":
        return add_figure(desk, read(path), f"open {path.name}", add)
    return _motion(desk, path, add)


def _project(desk, path: Path, shown: str) -> m.Opened:
    project = load_project(path)
    number = max(project.next, desk.project.next)
    desk.edit(f"open {path.name}", project.changed(path=shown, name=path.stem, next=number))
    if shown:
        desk.saved_revision = desk.revision
        desk.tell()
    return m.Opened(tuple(i.number for i in project.items), tuple(x.number for x in project.motions))


def _script(desk, path: Path) -> m.Opened:
    script = read_script(path)

    def compute(task) -> None:
        desk.add_motion(script.run(progress=task.tell), script.name, "contact", scene=script.scene, task=task.number)

    desk.tasks.start(f"run {path.name}", compute)
    return m.Opened((), (), (f"The script '{script.name}' runs; its motion comes when it is done.",))


def _motion(desk, path: Path, add: bool) -> m.Opened:
    options: dict[str, Any] = {}
    if find_format(path, "motion").needs_figure and desk.project.items:
        options["figure"] = desk.project.items[0].figure
        add = True
    motion: Motion = load_motion(path, **options)
    if motion.q.ndim != 2:
        raise FormatError(f"{path.name} holds many rollouts. Save one of them: motion.rollout(0).save(…).")
    same = [i for i in desk.project.items if add and i.figure.key == motion.figure.key]
    if same:
        number = same[0].number
    else:
        state = InitialState(motion.q[0], motion.u[0], 0.0 * motion.u[0])
        number = add_figure(desk, Reading(motion.figure, state), f"open {path.name}", add).figures[0]
    return m.Opened(() if same else (number,), (desk.add_motion(motion, path.stem, "file", number),))


@handles(m.SaveProject)
def save(desk, command) -> m.Saved:
    """Write the project, whole or not at all."""
    named = command.path or desk.project.path
    if not named:
        raise InputError(f"Give the project a name to save it under, as walk{ENDING}.")
    named = named if named.endswith(ENDING) else named + ENDING
    path = confined(desk.folder, named, "The project")
    if path.exists() and not command.replace and named != desk.project.path:
        raise FileError(f"{named} is there already. Choose another name, or replace it.")
    if not path.parent.is_dir():
        raise FileError(f"The workspace has no folder '{Path(named).parent}'.")
    project = desk.project.changed(path=named, name=path.stem.removesuffix(ENDING))
    save_project(project, path)
    desk.put(project)
    desk.saved_revision = desk.revision
    if desk.autosave is not None:
        desk.autosave.forget()
    desk.tell()
    return m.Saved(named)


@handles(m.SaveFigure)
def save_figure(desk, command) -> m.Saved:
    """Write a figure by the ending of the path."""
    item = desk.project.item(command.figure)
    path = confined(desk.folder, command.path, "The figure")
    if path.suffix.lower() == ".toml":
        from anthropi.formats.files import write_text

        write_text(path, item.text)
    else:
        write(item.figure, path, item.state)
    return m.Saved(command.path)


@handles(m.Export)
def export(desk, command) -> m.Download:
    """A file to fetch."""
    from anthropi.studio.session.exports import export_to

    name, fill = export_to(desk, command)
    key, path = desk.downloads.place(plain_name(name))
    fill(path)
    return m.Download(f"/download/{key}/{path.name}", path.name, path.stat().st_size)
