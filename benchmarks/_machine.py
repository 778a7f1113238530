"""Machine description and timing that all benchmarks share; makes `research/` of this repository importable."""

import sys
from pathlib import Path

from anthropi.cli.measure import best, machine, time_in_turns

__all__ = ["best", "machine", "time_in_turns"]

sys.path.append(str(Path(__file__).resolve().parents[1]))  # the repository, after everything that is installed
