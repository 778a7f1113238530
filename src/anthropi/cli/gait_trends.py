"""`anthropi gait-trends`: compare walks at several speeds with the trends measured in adults."""

import json
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.text import Text

from anthropi.cli.common import app, one_line
from anthropi.cli.files import missing_contacts
from anthropi.cli.people import Height, Mass, Sex
from anthropi.errors import InputError
from anthropi.formats import load_motion
from anthropi.gait.report import gait_report, speed_trends
from anthropi.gait.trend_walks import walk_trends

__all__ = ["gait_trends"]


@app.command("gait-trends")
def gait_trends(
    motions: Annotated[
        list[Path] | None, typer.Argument(metavar="[MOTION…]", help="Walks at two or more speeds: .npz, .h5.")
    ] = None,
    speeds: Annotated[
        str | None,
        typer.Option("--speeds", help="Simulate walks at these speeds [m/s] instead: 0.9,1.3,1.6 or FROM:TO:COUNT."),
    ] = None,
    style: Annotated[str, typer.Option("--style", help="Style of the simulated walks, such as tired.")] = "natural",
    height: Height = 1.75,
    mass: Mass = 75.0,
    sex: Sex = "m",
    workers: Annotated[
        int | None, typer.Option("--workers", help="Number of processes that simulate; by default one for each CPU.")
    ] = None,
    from_time: Annotated[
        float | None,
        typer.Option("--from-time", help="Start of the evaluation [s]; by default 5 s if at least 3 s follow."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")] = False,
) -> None:
    """Compare walks at several speeds with the trends measured in adults.

    The walks are files, or are simulated with --speeds.
    """
    with one_line():
        if bool(motions) == (speeds is not None):
            raise InputError("Give either walk files, or --speeds to simulate walks.")
        if speeds is not None:
            shown = None if as_json else "text"
            found = walk_trends(_speeds(speeds), [(height, mass, sex)], style=style, workers=workers, progress=shown)[0]
        else:
            with missing_contacts():
                found = speed_trends([gait_report(load_motion(path), from_time=from_time) for path in motions or []])
        if as_json:
            typer.echo(json.dumps(found.to_dict(), indent=1, allow_nan=False))
        else:
            Console(soft_wrap=True).print(Text(found.text()))


def _speeds(text: str) -> np.ndarray:
    """Read speeds: "0.9,1.3,1.6" or "0.9:1.7:5"."""
    try:
        if ":" in text:
            low, high, count = text.split(":")
            return np.linspace(float(low), float(high), int(count))
        return np.array([float(word) for word in text.split(",")])
    except ValueError:
        raise InputError(f"--speeds {text!r} is not a list of speeds. Give 0.9,1.3,1.6 or FROM:TO:COUNT.") from None
