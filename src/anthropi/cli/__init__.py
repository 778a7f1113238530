"""The command `anthropi`. A new command is a new file here and an entry in the import below."""

from anthropi.cli import (
    assemble,
    bench,
    figures,
    gait_report,
    gait_trends,
    hidds,
    inverse,
    perform,
    push_map,
    refine,
    simulate,
    walk,
    words,
)
from anthropi.cli.common import app

__all__ = [
    "app", "assemble", "bench", "figures", "gait_report", "gait_trends", "hidds", "inverse", "perform", "push_map",
    "refine", "simulate", "walk", "words",
]  # fmt: skip
