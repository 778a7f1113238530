"""What is open, and a handler for every command.

`desk.py` is the desk with undo, `views.py` what browsers see of it, `tasks.py`
long computations, `culprits.py` what errors point at; the other files are handlers.
"""

from anthropi.studio.desk import dofs, figures, files, history, joints, keys, lives, runs  # each enters its handlers
from anthropi.studio.desk.desk import Desk

__all__ = ["Desk", "dofs", "figures", "files", "history", "joints", "keys", "lives", "runs"]
