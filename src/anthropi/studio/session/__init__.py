"""The studio session and the handlers of all commands.

`session.py` contains the session with undo, `views.py` the views that are sent to browsers, `tasks.py` long
computations. The modules that are imported below register the handlers.
"""

from anthropi.studio.session import dofs, figures, files, gait, history, joints, keyframes, live, runs, studies, world
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
    "studies",
    "world",
]
