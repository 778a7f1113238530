"""Handlers for undo and redo, recovery, preferences, trial edits, and the list of motions."""

from anthropi.errors import AnthropiError, InputError, StateError
from anthropi.studio import messages as m
from anthropi.studio.messages.encoding import command_of, refusal
from anthropi.studio.project.autosave import remove_work
from anthropi.studio.project.file import load_project
from anthropi.studio.project.state import Project
from anthropi.studio.session.session import HANDLERS, StudioSession, handles

__all__: list[str] = []


@handles(m.Recover)
def recover(session: StudioSession, command: m.Recover) -> m.Opened:
    """Open the unsaved work of an earlier session, or discard it."""
    if session.recovery is None:
        raise StateError("There is no unsaved work of an earlier session to recover.")
    path, session.recovery = session.recovery.path, None
    if not command.take:
        remove_work(path)
        return m.Opened((), ())
    project = load_project(path)
    session.edit("recover unsaved work", project.changed(next=max(project.next, session.project.next)))
    return m.Opened(tuple(i.number for i in project.items), tuple(x.number for x in project.motions))


@handles(m.SetPreference)
def set_preference(session: StudioSession, command: m.SetPreference) -> None:
    """Keep a preference of the page."""
    session.preferences.set(command.name, command.value)


@handles(m.Undo)
def undo(session: StudioSession, _: m.Undo) -> None:
    """Undo the last edit."""
    session.undo()


@handles(m.Redo)
def redo(session: StudioSession, _: m.Redo) -> None:
    """Redo the last undone edit."""
    session.redo()


@handles(m.Check)
def check(session: StudioSession, command: m.Check) -> m.Checked:
    """Return whether an edit would succeed. The edit is executed on a copy of the session."""
    try:
        wanted = command_of(command.command)
        if not type(wanted).edits:
            raise InputError("This command cannot be checked, because it does not edit the project.")
        HANDLERS[type(wanted)](_TrialSession(session), wanted)
    except AnthropiError as error:
        found = refusal(error)
        return m.Checked(False, found["message"], found["link"], found["joint"])
    return m.Checked(True)


class _TrialSession:
    """A copy of a session for a trial edit, without events to browsers."""

    def __init__(self, session: StudioSession):
        self.project, self.folder, self.live, self.revision = session.project, session.folder, None, 0
        self.uploads, self.downloads, self.tasks = session.uploads, session.downloads, None

    def edit(self, label: str, project: Project, done: bool = True, quiet: bool = False) -> None:
        """Replace the project of the copy."""
        self.project = project

    put = edit


@handles(m.ShowMotion)
def show_motion(session: StudioSession, command: m.ShowMotion) -> None:
    """Choose the motion that all browsers show."""
    if command.motion is not None:
        session.project.motion_item(command.motion)
    session.put(session.project.changed(shown=command.motion))


@handles(m.RemoveMotion)
def remove_motion(session: StudioSession, command: m.RemoveMotion) -> None:
    """Remove a motion."""
    item = session.project.motion_item(command.motion)
    kept = tuple(x for x in session.project.motions if x is not item)
    shown = session.project.shown if session.project.shown != item.number else (kept[-1].number if kept else None)
    curves = {n: c for n, c in session.project.profiles.items() if n != item.number}
    session.edit(f"remove '{item.title}'", session.project.changed(motions=kept, shown=shown, profiles=curves))
