"""A motion as a project of the studio: its figure, in the state it starts in, and the motion, ready to be opened."""

from pathlib import Path

from anthropi.errors import FormatError
from anthropi.formats.reading import State
from anthropi.motion import Motion
from anthropi.studio.project import save_project
from anthropi.studio.state import Item, Made, Project

__all__ = ["project"]


def project(motion: Motion, file, *, title: str | None = None) -> Path:
    """Write a motion as an .anthropi file, which `anthropi studio` opens."""
    file = Path(file)
    if motion.q.ndim != 2:
        raise FormatError(f"{file.name} holds one rollout; this motion has {len(motion.q)}. Take motion.rollout(0).")
    item = Item(1, motion.figure, State(motion.q[0], motion.u[0], 0.0 * motion.u[0]))
    made = Made(2, motion, title or file.stem, "file", 1)
    save_project(Project(name=title or file.stem, items=(item,), motions=(made,), shown=2, next=3), file)
    return file
