"""What is open, and a handler for every command.

`desk.py` is the desk with undo, `views.py` what browsers see of it, `tasks.py`
long computations, `culprits.py` what errors point at; the files that are imported below enter their handlers.
"""

from anthropi.studio.desk import dofs, figures, files, gaits, history, joints, keys, lives, runs, worlds
from anthropi.studio.desk.desk import Desk

__all__ = ["Desk", "dofs", "figures", "files", "gaits", "history", "joints", "keys", "lives", "runs", "worlds"]
