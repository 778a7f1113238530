"""`anthropi gait-report`: compare a walk with measured adult gait, as a table, a plot and data."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from anthropi.cli.common import app, one_line, table
from anthropi.cli.files import PICTURES, check_targets, missing_contacts, whole
from anthropi.errors import InputError
from anthropi.formats import load_motion
from anthropi.formats.files import write_whole
from anthropi.formats.registry import find_format
from anthropi.gait.report import GaitReport
from anthropi.gait.report import gait_report as report_of

__all__ = ["gait_report", "show"]

STYLES = {"pass": "green", "fail": "bold red", "reported only": "dim", "not measured": "dim italic"}
PIPE_WIDTH = 150  # [characters], width of tables that are not printed to a terminal


@app.command("gait-report")
def gait_report(
    motion: Annotated[
        Path, typer.Argument(metavar="MOTION", help="Walk of a person: .npz, .h5, or a folder of frames.")
    ],
    plot: Annotated[Path | None, typer.Option("--plot", help="Plot the report (.png, .svg, .pdf).")] = None,
    csv: Annotated[Path | None, typer.Option("--csv", help="Write the rows of the report (.csv).")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the report with its curves as JSON instead of a table.")
    ] = False,
    from_time: Annotated[
        float | None,
        typer.Option("--from-time", help="Start of the evaluation [s]; by default 5 s if at least 3 s follow."),
    ] = None,
    norm: Annotated[
        str,
        typer.Option(
            "--norm", help="Reference speed: auto (that of the walk), very_slow, slow, free, fast, very_fast."
        ),
    ] = "auto",
    events: Annotated[
        str | None,
        typer.Option(
            "--events",
            help="Source of foot events: recorded, load or markers; by default the first that is available.",
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option("--threshold", help="Find foot events by load, above this vertical force [N]; 20 by default."),
    ] = None,
) -> None:
    """Compare a walk with measured adult gait: angles, forces, steps, work, symmetry."""
    with one_line():
        check_targets(motion, {"--plot": (plot, PICTURES), "--csv": (csv, (".csv",))})
        _refuse_captured(motion)
        with missing_contacts():
            report = report_of(load_motion(motion), from_time=from_time, norm=norm, events=events, threshold=threshold)
        if as_json:
            typer.echo(json.dumps(report.to_dict(), indent=1, allow_nan=False))
        else:
            show(report)
        if csv is not None:
            write_whole(csv, lambda file: file.write(report.csv().encode()))
        if plot is not None:
            whole(plot, report.plot)
        if not as_json:
            for word, path in (("wrote", csv), ("drawn", plot)):
                if path is not None:
                    typer.echo(f"{word}: {path}")


def _refuse_captured(file: Path) -> None:
    """Raise InputError for files without a human figure of this package: skeletons (.bvh) and tables."""
    kind = find_format(file, "motion") if file.is_file() else None
    if kind is not None and (kind.needs_figure or kind.name == "bvh"):
        onto = "--onto human" if kind.name == "bvh" else "--of human"
        raise InputError(
            f"{file}: a gait report needs a motion of a human figure. Convert the file first: "
            f"anthropi convert {file} walk.npz {onto}."
        )


def show(report: GaitReport) -> None:
    """Print the table of a gait report."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=PIPE_WIDTH)
    shown = table(report.walk.record.name, "quantity", "unit", ">left", ">right", "adults", "limit", "verdict")
    group = ""
    for row in report.rows:
        if row.group != group:
            group = row.group
            shown.add_row(Text(group, style="bold"))
        _, name, unit, *numbers, adults, limit, verdict = row.words()
        style = STYLES[verdict.split(":")[0]]
        shown.add_row(
            Text(f"  {name}"), Text(unit, style="dim"), *numbers, Text(adults), Text(limit), Text(verdict, style=style)
        )
    console.print(shown)
    console.print(Text(report.summary))
