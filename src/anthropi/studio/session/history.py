"""Undo and redo, work to recover, edits that are only tried, and which motions are there and shown."""

from anthropi.errors import AnthropiError, InputError, StateError
from anthropi.studio import messages as m
from anthropi.studio.messages.encoding import command_of, refusal
from anthropi.studio.project.file import load_project
from anthropi.studio.project.state import Project
from anthropi.studio.session.session import HANDLERS, handles

__all__: list[str] = []


@handles(m.Recover)
def recover(desk, command) -> m.Opened:
    """Take unsaved work of before, or throw it away."""
    if desk.recovery is None:
        raise StateError("There is no unsaved work of before.")
    path, desk.recovery = desk.recovery.path, None
    if not command.take:
        path.unlink(missing_ok=True)
        return m.Opened((), ())
    project = load_project(path)
    desk.edit("recover unsaved work", project.changed(next=max(project.next, desk.project.next)))
    return m.Opened(tuple(i.number for i in project.items), tuple(x.number for x in project.motions))


@handles(m.Undo)
def undo(desk, _) -> None:
    """Undo the last edit."""
    desk.undo()


@handles(m.Redo)
def redo(desk, _) -> None:
    """Do it again."""
    desk.redo()


@handles(m.Check)
def check(desk, command) -> m.Checked:
    """Whether a command would be done: it is tried on a copy of the desk that nobody sees."""
    try:
        wanted = command_of(command.command)
        if not type(wanted).edits:
            raise InputError("Only edits can be checked.")
        HANDLERS[type(wanted)](_Tried(desk), wanted)
    except AnthropiError as error:
        found = refusal(error)
        return m.Checked(False, found["message"], found["link"], found["joint"])
    return m.Checked(True)


class _Tried:
    """A desk that forgets: what a handler does with it is seen by nobody."""

    def __init__(self, desk):
        self.project, self.folder, self.live, self.revision = desk.project, desk.folder, None, 0
        self.uploads, self.downloads, self.tasks = desk.uploads, desk.downloads, None

    def edit(self, label: str, project: Project, done: bool = True, quiet: bool = False) -> None:
        """As the desk's."""
        self.project = project

    put = edit


@handles(m.ShowMotion)
def show_motion(desk, command) -> None:
    """Which motion all browsers show."""
    if command.motion is not None:
        desk.project.made(command.motion)
    desk.put(desk.project.changed(shown=command.motion))


@handles(m.RemoveMotion)
def remove_motion(desk, command) -> None:
    """Throw a motion away."""
    made = desk.project.made(command.motion)
    kept = tuple(x for x in desk.project.motions if x is not made)
    shown = desk.project.shown if desk.project.shown != made.number else (kept[-1].number if kept else None)
    curves = {n: c for n, c in desk.project.profiles.items() if n != made.number}
    desk.edit(f"remove '{made.title}'", desk.project.changed(motions=kept, shown=shown, profiles=curves))
