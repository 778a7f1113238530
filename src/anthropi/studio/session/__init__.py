"""What is open, and a handler for every command.

`session.py` is the desk with undo, `views.py` what browsers see of it, `tasks.py` long computations,
`studio/messages/encoding.py` what errors point at; the files that are imported below enter their handlers.
"""

from anthropi.studio.session import dofs, figures, files, gait, history, joints, keyframes, live, runs, world
from anthropi.studio.session.session import StudioSession

__all__ = [
    "StudioSession", "dofs", "figures", "files", "gait", "history", "joints", "keyframes", "live", "runs", "world",
]  # fmt: skip
