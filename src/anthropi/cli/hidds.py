"""`anthropi hidds`: inverse dynamics of a motion, then simulation with the computed forces."""

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
    dof_errors,
    missing_contacts,
    motion_data,
    motion_in,
    names_of,
    say,
    whole,
    write,
    written,
)
from anthropi.cli.files import check_motion_targets as check_targets
from anthropi.cli.inverse import residual_words
from anthropi.gait import hidds as made
from anthropi.motion import Motion
from anthropi.pictures.curves import curves

__all__ = ["error_table", "hidds"]

REPORTED_ERROR = 0.1  # [rad, m]; the table gives the time at which an error exceeds it
MAX_ROWS = 12  # rows of the table
Driven = Annotated[list[str] | None, typer.Option("--driven", help="Joints whose motion is prescribed.")]
Frozen = Annotated[list[str] | None, typer.Option("--frozen", help="Joints that keep their initial position.")]
Root = Annotated[
    str | None,
    typer.Option(
        "--root",
        help="Floating root: free (no force acts on it), forced or driven; by default driven if the motion contains "
        "contact forces, else free.",
    ),
]
Method = Annotated[str, typer.Option("--method", help="Integrator: semi_implicit_euler, rk4, …")]
Substeps = Annotated[int, typer.Option("--substeps", help="Integration steps in each control interval.")]
Step = Annotated[float, typer.Option("--dt", help="Control interval with constant forces [s].")]
Gain = Annotated[float, typer.Option("--kp", help="Feedback gain [1/s²]; damping is critical.")]
Cutoff = Annotated[
    float | None, typer.Option("--cutoff", help="Cutoff frequency of a low-pass filter for captured motion [Hz].")
]


@app.command()
def hidds(
    file: File,
    mode: Annotated[str, typer.Option("--mode", help=f"Control mode: {', '.join(made.MODES)}.")] = made.MODES[0],
    driven: Driven = None,
    frozen: Frozen = None,
    root: Root = None,
    kp: Gain = 100.0,
    dt: Step = 1.0 / 120.0,
    method: Method = "semi_implicit_euler",
    substeps: Substeps = 1,
    cutoff: Cutoff = None,
    out: Out = None,
    plot: Plot = None,
    page: Page = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Compute the forces of a motion by inverse dynamics, simulate them, and report the error."""
    with one_line():
        check_targets(file, out, plot, page)
        quiet = quiet or as_json
        motion, report, mode = motion_in(file), say(quiet), mode.replace("-", " ").replace("_", " ")
        with missing_contacts() as missing, bar(mode, quiet) as progress:
            found = made.hidds(
                motion,
                mode,
                driven=names_of(driven),
                frozen=names_of(frozen),
                root=root,
                kp=kp,
                dt=dt,
                method=method,
                substeps=substeps,
                cutoff=cutoff,
                progress=progress,
            )
        report(error_table(found, f"{found.figure.name}, {mode}: error of the simulated motion"))
        if "residual" in found.channels:
            report(residual_words(found))
        write(found, out, page, report)
        if plot is not None:
            whole(plot, lambda path: curves(found, "error", unit="rad, m", title=f"error, {mode}", file=path))
            report(f"drawn: {plot}")
        if as_json:
            echo_json(
                {
                    "mode": mode,
                    "motion": motion_data(found),
                    "errors": dof_errors(found),
                    "residual": found.channels.get("residual"),
                    "files": written(out=out, plot=plot, page=page),
                }
            )
        if missing:
            raise typer.Exit(1)


def error_table(motion: Motion, title: str) -> Table:
    """Return a table of the errors of the degrees of freedom, with the largest errors first.

    The columns are the largest, RMS and final error, and the time at which the error exceeds REPORTED_ERROR.
    """
    error, figure = np.abs(motion.channels["error"]), motion.figure
    shown = table(title, "degree of freedom", ">largest", ">RMS", ">final", f">exceeds {REPORTED_ERROR:g}")
    order = np.argsort(-error.max(0), kind="stable")
    for k in order[:MAX_ROWS]:
        late = error[:, k] > REPORTED_ERROR
        passes = f"{motion.time[np.argmax(late)]:.3f} s" if late.any() else "never"
        row = (f"{x:.4f}" for x in (error[:, k].max(), np.sqrt(np.mean(error[:, k] ** 2)), error[-1, k]))
        shown.add_row(Text(figure.dofs[k]), *row, passes)
    if len(order) > MAX_ROWS:
        shown.add_row(Text(f"and {len(order) - MAX_ROWS} smaller"))
    return shown
