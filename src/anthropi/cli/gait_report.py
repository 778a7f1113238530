"""The command `gait-report`: how human is a walk? Its table beside what real adults score, its picture, its numbers."""

import contextlib
import json
import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from anthropi.cli.common import app, one_line, table
from anthropi.errors import AnthropiError, FileError, InputError
from anthropi.formats import load_motion
from anthropi.formats.files import refuse_to_write, write_whole
from anthropi.formats.registry import find_format
from anthropi.gait.report import GaitReport
from anthropi.gait.report import gait_report as report_of

__all__ = ["gait_report", "show"]

STYLES = {"pass": "green", "fail": "bold red", "reported only": "dim", "not measured": "dim italic"}
WIDE = 150
ENDINGS = {"--picture": (".png", ".svg", ".pdf"), "--csv": (".csv",)}


@app.command("gait-report")
def gait_report(
    motion: Annotated[
        Path, typer.Argument(metavar="MOTION", help="A walk of a person: .npz, .h5, or a folder of frames.")
    ],
    picture: Annotated[Path | None, typer.Option("--picture", help="Draw the sheet (.png, .svg, .pdf).")] = None,
    csv: Annotated[Path | None, typer.Option("--csv", help="Write the rows (.csv).")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print all as JSON, curves too, instead of the table.")
    ] = False,
    from_time: Annotated[
        float | None, typer.Option("--from-time", help="Where to begin [s]; after 5 s if 3 s are left then.")
    ] = None,
    norm: Annotated[
        str, typer.Option("--norm", help="auto (the walk's own speed), very_slow, slow, free, fast, very_fast.")
    ] = "auto",
    events: Annotated[
        str | None, typer.Option("--events", help="How steps are found: told, load or markers; the first that can be.")
    ] = None,
) -> None:
    """How human is a walk? Curves, forces, steps, work and symmetry beside what real adults score."""
    with one_line():
        for option, path in (("--picture", picture), ("--csv", csv)):
            _check(option, path)
        _refuse_captured(motion)
        report = report_of(load_motion(motion), from_time=from_time, norm=norm, events=events)
        if as_json:
            typer.echo(json.dumps(report.to_dict(), indent=1, allow_nan=False))
        else:
            show(report)
        if csv is not None:
            write_whole(csv, lambda file: file.write(report.csv().encode()))
        if picture is not None:
            _draw(report, picture)
        if not as_json:
            for word, path in (("wrote", csv), ("drawn", picture)):
                if path is not None:
                    typer.echo(f"{word}: {path}")


def _refuse_captured(file: Path) -> None:
    """Refuse files that do not hold a motion of a person as built here: skeletons (.bvh) and tables."""
    kind = find_format(file, "motion") if file.is_file() else None
    if kind is not None and (kind.needs_figure or kind.name == "bvh"):
        onto = "--onto human" if kind.name == "bvh" else "--of human"
        raise InputError(f"{file}: a report is of a person. Convert it first: anthropi convert {file} walk.npz {onto}.")


def show(report: GaitReport) -> None:
    """The table, a group of rows after the other."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDE)  # a pipe has no edge
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


def _check(option: str, path: Path | None) -> None:
    """Refuse, before anything is read, what could not be written."""
    if path is None:
        return
    if path.suffix.lower() not in ENDINGS[option]:
        raise FileError(f"{option} {path}: it must end in {', '.join(ENDINGS[option])}.")
    if path.is_dir() or not path.parent.is_dir():
        raise FileError(f"{option} {path}: give the name of a file in a folder that is there.")


def _draw(report: GaitReport, path: Path) -> None:
    """The picture, whole or not at all."""
    fresh = path.with_name(f".{os.getpid()}.part.{path.name}")
    try:
        report.plot(fresh)
        os.replace(fresh, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            fresh.unlink()
        if isinstance(error, OSError) and not isinstance(error, AnthropiError):
            raise refuse_to_write(path, error) from None
        raise
