"""Machine description and timing shared by all benchmarks. Importing it makes `research/` importable."""

import sys
from pathlib import Path

from anthropi.cli.measure import best, machine, time_in_turns

__all__ = ["best", "machine", "time_in_turns"]

sys.path.append(str(Path(__file__).resolve().parents[1]))  # the repository comes after all installed packages
