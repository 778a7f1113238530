"""`anthropi inverse`: compute the joint forces of a motion."""

from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table
from rich.text import Text

from anthropi.cli.captures import Forces, Forward, Mass, Of, Static, Units, Up, capture_lines, forces_added
from anthropi.cli.common import Json, app, echo_json, one_line, table
from anthropi.cli.files import (
    File,
    Out,
    Page,
    Plot,
    Quiet,
    missing_contacts,
    motion_data,
    motion_in,
    printed_warnings,
    say,
    unit_of,
    validity,
    whole,
    write,
    written,
)
from anthropi.cli.files import check_motion_targets as check_targets
from anthropi.cli.motions import ReadingOptions, motion_of
from anthropi.errors import FormatWarning
from anthropi.gait.hidds import inverse_motion
from anthropi.motion import Motion
from anthropi.pictures.curves import curves

__all__ = ["force_table", "forces_of", "inverse"]

MAX_ROWS = 24  # rows of the table; the largest forces come first
MAX_MISSING = 0.3  # share of the weight, below which the vertical residual counts as error of the measurement


@app.command()
def inverse(
    file: File,
    out: Out = None,
    plot: Plot = None,
    page: Page = None,
    root: Annotated[
        str, typer.Option("--root", help="Floating root: forced (its force is the residual) or free.")
    ] = "forced",
    cutoff: Annotated[
        float | None, typer.Option("--cutoff", help="Cutoff frequency of a low-pass filter for captured motion [Hz].")
    ] = None,
    dt: Annotated[
        float | None, typer.Option("--dt", help="Time between frames [s]; by default that of the motion.")
    ] = None,
    forces: Forces = None,
    of: Of = None,
    up: Up = None,
    forward: Forward = None,
    units: Units = None,
    mass: Mass = None,
    static: Static = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Compute the joint forces of a motion by inverse dynamics: forces, power, work, residual."""
    with one_line():
        check_targets(file, out, plot, page)
        report = say(quiet or as_json)
        with printed_warnings(FormatWarning), validity():
            if any(x is not None for x in (of, up, forward, units, mass, static)):
                given = ReadingOptions(of=of, up=up, forward=forward, units=units, mass=mass, static=static)
                motion = motion_of(file, given)
            else:
                motion = motion_in(file)
            motion = forces_added(motion, forces)
        for line in capture_lines(motion):
            report(line)
        with missing_contacts():
            found = inverse_motion(motion, root=root, cutoff=cutoff, dt=dt)
        seen = carried_part(found)
        if seen is None:
            report("The plates carry the person at no time: joint forces are wrong by the forces that are missing.")
            seen = found
        elif len(seen) < len(found):
            report(
                f"The plates carry the person from {seen.time[0]:.2f} to {seen.time[-1]:.2f} s, to which the table "
                "refers. At other times forces are missing, and joint forces are wrong by them."
            )
        report(force_table(seen, f"{found.figure.name}: forces over {seen.time[-1] - seen.time[0]:.4g} s"))
        if "residual" in found.channels:
            report(residual_words(seen))
        if "bvh" in found.metadata and "retarget" not in found.metadata:
            report(
                "The masses of a .bvh file are nominal, and so are these forces. Retarget it to a person first: "
                f"anthropi convert {file} walk.npz --onto human."
            )
        write(found, out, page, report)
        if plot is not None:
            whole(plot, lambda path: curves(found, "tau", unit="N m, N", title="joint forces", file=path))
            report(f"drawn: {plot}")
        if as_json:
            echo_json(
                {
                    "motion": motion_data(found),
                    "carried": [seen.time[0], seen.time[-1]],
                    "forces": forces_of(seen),
                    "residual": found.channels.get("residual"),
                    "files": written(out=out, plot=plot, page=page),
                }
            )


def carried_part(motion: Motion) -> Motion | None:
    """Return the longest part of a motion in which force plates carry the person; None if there is none.

    There, the vertical residual at the root is below a share of the weight. A motion without plates is returned whole.
    """
    if "ground_forces" not in motion.metadata or "residual" not in motion.channels:
        return motion
    weight = motion.figure.mass * float(np.linalg.norm(motion.figure.gravity))
    on = np.abs(motion.channels["residual"][:, 2]) < MAX_MISSING * weight
    edges = np.flatnonzero(np.diff(np.concatenate([[False], on, [False]]).astype(int)))
    spans = [(b - a, a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a > 1]
    if not spans:
        return None
    _, a, b = max(spans)
    return motion[a:b]


def forces_of(motion: Motion) -> dict[str, dict[Any, Any]]:
    """Return the largest and RMS force, the largest power [W] and the work [J] of every degree of freedom."""
    tau = motion.tau
    power = tau * motion.u
    work = np.sum(0.5 * (power[1:] + power[:-1]) * np.diff(motion.time)[:, None], axis=0)
    return {
        dof: {
            "most": np.abs(tau[:, k]).max(),
            "rms": np.sqrt(np.mean(tau[:, k] ** 2)),
            "unit": unit_of(motion.figure, k),
            "power": np.abs(power[:, k]).max(),
            "work": work[k],
        }
        for k, dof in enumerate(motion.figure.dofs)
    }


def force_table(motion: Motion, title: str) -> Table:
    """Return a table of the joint forces, power and work of a motion, with the largest forces first."""
    figure, found = motion.figure, list(forces_of(motion).items())
    order = sorted(found, key=lambda pair: -pair[1]["most"])
    shown = table(title, "degree of freedom", ">largest", ">RMS", "unit", ">largest power W", ">work J")
    for dof, row in order[:MAX_ROWS]:
        a, b, c, d = (f"{row[name] + 0.0:.3f}" for name in ("most", "rms", "power", "work"))
        shown.add_row(Text(dof), a, b, Text(unit_of(figure, figure.dofs.index(dof))), c, d)
    if len(order) > MAX_ROWS:
        shown.add_row(Text(f"and {len(order) - MAX_ROWS} smaller"))
    return shown


def residual_words(motion: Motion) -> str:
    """Describe the residual force at the root in one line."""
    residual = motion.channels["residual"]
    if residual.shape[1] != 6:
        return f"residual at the root: at most {np.abs(residual).max():.3g}"
    force, moment = (np.linalg.norm(residual[:, at], axis=-1).max() for at in (slice(0, 3), slice(3, 6)))
    return f"residual at the root: at most {force:.3g} N and {moment:.3g} N m"
