"""Handlers of the commands for studies."""

from anthropi.studio import messages as m
from anthropi.studio.session.session import StudioSession, handles

__all__: list[str] = []


@handles(m.ListStudies)
def list_studies(session: StudioSession, _: m.ListStudies) -> m.StudyList:
    """List the studies of the workspace."""
    return session.studies.listing()


@handles(m.OpenStudy)
def open_study(session: StudioSession, command: m.OpenStudy) -> m.StudyOpened:
    """Open a study file or the folder of a study."""
    return session.studies.open(command.path)


@handles(m.GetStudyPoint)
def get_study_point(session: StudioSession, command: m.GetStudyPoint) -> m.StudyPoint:
    """Return a point of an open study."""
    return session.studies.reader(command.study).point(command.point)


@handles(m.StartStudy)
def start_study(session: StudioSession, command: m.StartStudy) -> None:
    """Run a study in a process of its own. It is not a task, because it may run for days beside other work."""
    session.studies.start(command.study, command.workers, command.retry)


@handles(m.StopStudy)
def stop_study(session: StudioSession, command: m.StopStudy) -> None:
    """Stop a study that the studio runs."""
    session.studies.stop(command.study)
