"""The command `inverse`: which forces made a motion."""

from typing import Annotated

import numpy as np
import typer
from rich.text import Text

from anthropi.cli.common import Json, app, echo_json, one_line, table
from anthropi.cli.files import (  # fmt: skip
    File,
    Out,
    Plot,
    Quiet,
    missing_contacts,
    motion_data,
    motion_in,
    say,
    unit_of,
    whole,
    write,
    written,
)
from anthropi.cli.files import check_motion_targets as check_targets
from anthropi.gait.hidds import inverse_motion
from anthropi.motion import Motion
from anthropi.pictures.curves import curves

__all__ = ["force_table", "forces_of", "inverse"]

ROWS = 24  # of a table; the largest come first


@app.command()
def inverse(
    file: File,
    out: Out = None,
    plot: Plot = None,
    root: Annotated[str, typer.Option("--root", help="A floating root: forced (with a residual) or free.")] = "forced",
    cutoff: Annotated[float | None, typer.Option("--cutoff", help="Low-pass filter [Hz] for captured motion.")] = None,
    dt: Annotated[float | None, typer.Option("--dt", help="Seconds between frames, other than the motion's.")] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Which forces made a motion: joint forces, power and work, and what the root lacks."""
    with one_line():
        check_targets(file, out, plot)
        motion = motion_in(file)
        with missing_contacts():
            found = inverse_motion(motion, root=root, cutoff=cutoff, dt=dt)
        tell = say(quiet or as_json)
        tell(force_table(found, f"{found.figure.name}: forces over {found.time[-1] - found.time[0]:g} s"))
        if "residual" in found.channels:
            tell(residual_words(found))
        if "bvh" in found.metadata and "retarget" not in found.metadata:
            tell("The masses of a .bvh are nominal, and so are these forces. Put it onto a person first: "
                 f"anthropi convert {file} walk.npz --onto human.")  # fmt: skip
        write(found, out, None, tell)
        if plot is not None:
            whole(plot, lambda path: curves(found, "tau", unit="N m, N", title="joint forces", file=path))
            tell(f"drawn: {plot}")
        if as_json:
            echo_json({"motion": motion_data(found), "forces": forces_of(found),
                       "residual": found.channels.get("residual"),
                       "files": written(out=out, plot=plot)})  # fmt: skip


def forces_of(motion: Motion) -> dict[str, dict]:
    """The largest and mean force, the largest power [W] and the work [J] of every degree of freedom."""
    tau = motion.tau
    power = tau * motion.u
    work = np.sum(0.5 * (power[1:] + power[:-1]) * np.diff(motion.time)[:, None], axis=0)
    return {dof: {"most": np.abs(tau[:, k]).max(), "rms": np.sqrt(np.mean(tau[:, k] ** 2)),
                  "unit": unit_of(motion.figure, k), "power": np.abs(power[:, k]).max(), "work": work[k]}
            for k, dof in enumerate(motion.figure.dofs)}  # fmt: skip


def force_table(motion: Motion, title: str):
    """The largest and mean force, the largest power and the work of every degree of freedom, largest forces first."""
    figure, found = motion.figure, list(forces_of(motion).items())
    order = sorted(found, key=lambda pair: -pair[1]["most"])
    shown = table(title, "degree of freedom", ">most", ">RMS", "", ">most W", ">work J")
    for dof, row in order[:ROWS]:
        a, b, c, d = (f"{row[name] + 0.0:.3f}" for name in ("most", "rms", "power", "work"))
        shown.add_row(Text(dof), a, b, Text(unit_of(figure, figure.dofs.index(dof))), c, d)
    if len(order) > ROWS:
        shown.add_row(Text(f"and {len(order) - ROWS} smaller"))
    return shown


def residual_words(motion: Motion) -> str:
    """What the root lacks, in one line."""
    residual = motion.channels["residual"]
    if residual.shape[1] != 6:
        return f"residual at the root: at most {np.abs(residual).max():.3g}"
    force, moment = (np.linalg.norm(residual[:, at], axis=-1).max() for at in (slice(0, 3), slice(3, 6)))
    return f"residual at the root: at most {force:.3g} N and {moment:.3g} N m"
