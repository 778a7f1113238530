"""Golden cases by layer."""

from golden import algorithms, gaits, loops, motions, scenes
from golden.cases import CASES

__all__ = ["ALL", "LAYERS", "algorithms", "gaits", "loops", "motions", "scenes"]

ALL = tuple(CASES)
LAYERS = tuple(dict.fromkeys(name.split("/")[0] for name in ALL))
