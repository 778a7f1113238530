"""The command `anthropi`. A new command is a new file here and an entry in the import below."""

from anthropi.cli import assemble, bench, figures, gait_report, hidds, inverse, refine, simulate, walk
from anthropi.cli.common import app

__all__ = ["app", "assemble", "bench", "figures", "gait_report", "hidds", "inverse", "refine", "simulate", "walk"]
