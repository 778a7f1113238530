"""`anthropi gait-trends`: compare walks at several speeds with the trends measured in adults."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from anthropi.cli.common import app, one_line
from anthropi.cli.files import missing_contacts
from anthropi.formats import load_motion
from anthropi.gait.report import gait_report, speed_trends

__all__ = ["gait_trends"]


@app.command("gait-trends")
def gait_trends(
    motions: Annotated[list[Path], typer.Argument(metavar="MOTION…", help="Walks at two or more speeds: .npz, .h5.")],
    from_time: Annotated[
        float | None,
        typer.Option("--from-time", help="Start of the evaluation [s]; by default 5 s if at least 3 s follow."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")] = False,
) -> None:
    """Compare walks at several speeds with the trends measured in adults."""
    with one_line():
        with missing_contacts():
            found = speed_trends([gait_report(load_motion(path), from_time=from_time) for path in motions])
        if as_json:
            typer.echo(json.dumps(found.to_dict(), indent=1, allow_nan=False))
        else:
            Console(soft_wrap=True).print(Text(found.text()))
