"""The studio session and the handlers of all commands.

`session.py` is the session with undo, `views.py` the project as browsers see it, `tasks.py` long computations. The
modules that are imported below register their handlers.
"""

from anthropi.studio.session import dofs, figures, files, gait, history, joints, keyframes, live, runs, world
from anthropi.studio.session.session import StudioSession

__all__ = [
    "StudioSession",
    "dofs",
    "figures",
    "files",
    "gait",
    "history",
    "joints",
    "keyframes",
    "live",
    "runs",
    "world",
]
