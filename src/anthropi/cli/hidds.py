"""The command `hidds`: what a figure does under the forces of the motion it should make."""

from typing import Annotated

import numpy as np
import typer
from rich.text import Text

from anthropi.cli.common import Json, app, echo_json, one_line, table
from anthropi.cli.files import (  # fmt: skip
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

FAR = 0.1  # [rad, m]: when an error passes it is told
ROWS = 12
Driven = Annotated[list[str] | None, typer.Option("--driven", help="Joints that follow the motion whatever it takes.")]
Frozen = Annotated[list[str] | None, typer.Option("--frozen", help="Joints that stay as they are at the start.")]
Root = Annotated[
    str | None,
    typer.Option(
        "--root",
        help="A floating root: free (nothing holds it), forced or driven; by default driven where the motion holds "
        "recorded contact forces, else free.",
    ),
]
Method = Annotated[str, typer.Option("--method", help="How increments are integrated: semi_implicit_euler, rk4, …")]
Substeps = Annotated[int, typer.Option("--substeps", help="Steps in an increment.")]
Step = Annotated[float, typer.Option("--dt", help="Seconds for which forces are held.")]
Gain = Annotated[float, typer.Option("--kp", help="Feedback [1/s²]; it is critically damped.")]
Cutoff = Annotated[float | None, typer.Option("--cutoff", help="Low-pass filter [Hz] for captured motion.")]


@app.command()
def hidds(
    file: File,
    mode: Annotated[str, typer.Option("--mode", help=", ".join(made.MODES) + ".")] = made.MODES[0],
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
    """Inverse dynamics of a motion, then direct dynamics of its forces: what comes of it, and how far it is off."""
    with one_line():
        check_targets(file, out, plot, page)
        quiet = quiet or as_json
        motion, tell, mode = motion_in(file), say(quiet), mode.replace("-", " ").replace("_", " ")
        with missing_contacts() as missing, bar(mode, quiet) as progress:
            found = made.hidds(motion, mode, driven=names_of(driven), frozen=names_of(frozen), root=root, kp=kp, dt=dt,
                               method=method, substeps=substeps, cutoff=cutoff, progress=progress)  # fmt: skip
        tell(error_table(found, f"{found.figure.name}, {mode}: how far it is from where it should be"))
        if "residual" in found.channels:
            tell(residual_words(found))
        write(found, out, page, tell)
        if plot is not None:
            whole(plot, lambda path: curves(found, "error", unit="rad, m", title=f"error, {mode}", file=path))
            tell(f"drawn: {plot}")
        if as_json:
            echo_json({"mode": mode, "motion": motion_data(found), "errors": dof_errors(found),
                       "residual": found.channels.get("residual"),
                       "files": written(out=out, plot=plot, page=page)})  # fmt: skip
        if missing:
            raise typer.Exit(1)


def error_table(motion: Motion, title: str):
    """The largest error of every degree of freedom, at the end and when it passes FAR; largest first."""
    error, figure = np.abs(motion.channels["error"]), motion.figure
    shown = table(title, "degree of freedom", ">most", ">RMS", ">at the end", f">passes {FAR:g}")
    order = np.argsort(-error.max(0), kind="stable")
    for k in order[:ROWS]:
        late = error[:, k] > FAR
        passes = f"{motion.time[np.argmax(late)]:.3f} s" if late.any() else "never"
        row = (f"{x:.4f}" for x in (error[:, k].max(), np.sqrt(np.mean(error[:, k] ** 2)), error[-1, k]))
        shown.add_row(Text(figure.dofs[k]), *row, passes)
    if len(order) > ROWS:
        shown.add_row(Text(f"and {len(order) - ROWS} smaller"))
    return shown
