"""A walker: a controller that makes a human figure walk in pure physics, nothing at its root.

`aims.py` says where limbs are aimed over a cycle, `walker.py` is the law, `files.py` its parameters as text.
"""

from anthropi.gait.walker.aims import aims_of
from anthropi.gait.walker.files import WalkerFile, load_walker, save_walker, walkers
from anthropi.gait.walker.walker import Walker

__all__ = ["Walker", "WalkerFile", "aims_of", "load_walker", "save_walker", "walkers"]
