"""`anthropi track`: simulate a captured motion in contact with the ground, by joint forces alone."""

from typing import Annotated

import numpy as np
import typer
from rich.table import Table
from rich.text import Text

from anthropi.cli.common import Json, app, echo_json, one_line, table
from anthropi.cli.files import (
    File,
    Out,
    Page,
    Plot,
    Quiet,
    bar,
    motion_data,
    motion_in,
    printed_warnings,
    say,
    whole,
    write,
    written,
)
from anthropi.cli.files import check_motion_targets as check_targets
from anthropi.errors import PhysicsWarning
from anthropi.gait.tracking import FEET, TrackingSettings
from anthropi.gait.tracking import track as made
from anthropi.motion import Motion
from anthropi.motion.retargeting import retarget
from anthropi.pictures.curves import curves

__all__ = ["track"]

ROWS = {"joints": "deg", "orientation": "deg", "place": "m"}  # differences in the metadata, and their units


@app.command()
def track(
    file: File,
    samples: Annotated[int, typer.Option("--samples", help="Rollouts that are simulated in parallel.")] = 1024,
    cutoff: Annotated[
        float, typer.Option("--cutoff", help="Low-pass filter of the captured motion [Hz]; 0 for none.")
    ] = 6.0,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the search.")] = 0,
    out: Out = None,
    plot: Plot = None,
    page: Page = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Simulate a captured motion in contact with the ground, by joint forces alone.

    The motion of a skeleton is first transferred to a person of its size.
    """
    with one_line():
        check_targets(file, out, plot, page)
        quiet = quiet or as_json
        motion, report = motion_in(file), say(quiet)
        if not set(FEET) <= {link.name for link in motion.figure.links}:
            motion = retarget(motion, limits=True)
            report(f"transferred to a person of {motion.figure.mass:.0f} kg")
        settings = TrackingSettings(samples=samples, cutoff=cutoff or None, seed=seed)
        with printed_warnings(PhysicsWarning), bar("tracking", quiet) as progress:
            found = made(motion, settings=settings, progress=progress)
        report(_table(found))
        write(found, out, page, report)
        if plot is not None:
            whole(plot, lambda path: curves(found, "tau", unit="N m", title="joint forces", file=path))
            report(f"drawn: {plot}")
        about = found.metadata
        if as_json:
            shown = {name: about[name] for name in ("tracking", "fell", "fall_time", "fall_cause")}
            echo_json(shown | {"motion": motion_data(found), "files": written(out=out, plot=plot, page=page)})
    if about["fell"] or about["tracking"]["share"] < 1.0:
        raise typer.Exit(1)


def _table(found: Motion) -> Table:
    """Return the differences of the simulated from the captured motion as a table."""
    about = found.metadata
    shown = table(
        f"{found.figure.name}, tracked: differences from the captured motion", "of", ">RMS", ">largest", "unit"
    )
    for name, unit in ROWS.items():
        scale = 180.0 / np.pi if unit == "deg" else 1.0
        shown.add_row(Text(name), *(f"{scale * x:.3g}" for x in about["tracking"]["differences"][name]), unit)
    shown.add_row(Text("falls"), "", "yes" if about["fell"] else "no", "")
    return shown
