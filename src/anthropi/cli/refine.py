"""`anthropi refine`: refine the forces of a motion, or search for better parameters of a walker.

The argument selects one of these: it is a motion file, or the name or file of a walker or a style.
"""

import re
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from anthropi.cli.app import STOPPED
from anthropi.cli.common import Json, app, echo_json, one_line, table
from anthropi.cli.files import (
    Page,
    Quiet,
    bar,
    check_motion_targets,
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
from anthropi.cli.hidds import Cutoff, Driven, Frozen, Gain, Method, Root, Substeps, error_table
from anthropi.cli.walker_search import search, search_target
from anthropi.errors import InputError, Interrupted
from anthropi.gait.hidds.refinement import Profile, Refinement
from anthropi.gait.hidds.refinement import refine as refined
from anthropi.pictures.curves import curves

__all__ = ["refine"]


EDIT = re.compile(r"(?P<name>[^=@]+)=(?P<value>[^=@]+)(@(?P<start>[^:@]*):(?P<end>[^:@]*))?")
Edits = list[str] | None
What = Annotated[
    str,
    typer.Argument(
        metavar="MOTION|WALKER",
        help="A motion (.npz, .h5, .bvh, a folder) or a walker: natural, run, simbicon, a style, a .toml file.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out", help="Write the motion (.npz, .h5), its forces (.csv), or the parameters of a walker (.toml)."
    ),
]
Plot = Annotated[
    Path | None, typer.Option("--plot", help="Plot the forces (.png, .svg, .pdf), or the search for a walker (.png).")
]
Held = Annotated[
    float | None,
    typer.Option("--dt", help="Control interval with constant forces [s]; by default 1/120, or as recorded."),
]


@app.command()
def refine(
    what: What,
    iterations: Annotated[int, typer.Option("--iterations", help="Largest number of simulations.")] = 15,
    accept: Annotated[
        float, typer.Option("--accept", help="Stop when the error falls to this fraction of the initial error.")
    ] = 0.1,
    bound: Annotated[
        float, typer.Option("--bound", help="Largest RMS change of the forces, as a fraction of the initial forces.")
    ] = 0.2,
    scale: Annotated[Edits, typer.Option("--scale", help="Edit: scale forces, JOINT=FACTOR[@START:END].")] = None,
    shift: Annotated[
        Edits, typer.Option("--shift", help="Edit: shift forces, JOINT=OFFSET[@START:END] [N m, N].")
    ] = None,
    driven: Driven = None,
    frozen: Frozen = None,
    root: Root = None,
    kp: Gain = 100.0,
    dt: Held = None,
    method: Method = "semi_implicit_euler",
    substeps: Substeps = 1,
    cutoff: Cutoff = None,
    out: Out = None,
    plot: Plot = None,
    page: Page = None,
    seconds: Annotated[float, typer.Option("--seconds", help="Walker: duration of the search [s].")] = 60.0,
    rollouts: Annotated[int | None, typer.Option("--rollouts", help="Walker: largest number of walks.")] = None,
    population: Annotated[
        int | None, typer.Option("--population", help="Walker: candidates in each generation.")
    ] = None,
    sigma: Annotated[float | None, typer.Option("--sigma", help="Walker: initial step size of the search.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Walker: random seed.")] = 1,
    target: Annotated[str, typer.Option("--target", help="Walker: device, cpu or gpu.")] = "cpu",
    dask: Annotated[
        str | None, typer.Option("--dask", help="Walker: address of a Dask scheduler, such as tcp://10.0.0.5:8786.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--folder", help="Walker: keep all walks here; the same search goes on from them.")
    ] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Refine the forces of a motion until simulation reproduces it, or the parameters of a walker.

    With --scale or --shift, the forces of the motion are edited and simulated instead. For a walker or a style, the
    command searches for better parameters in thousands of simulated walks (needs the extra "optimise").
    """
    quiet = quiet or as_json
    with one_line():
        if (walker := search_target(what)) is not None:
            search(
                what,
                walker,
                seconds=seconds,
                rollouts=rollouts,
                population=population,
                sigma=sigma,
                seed=seed,
                target=target,
                out=out,
                plot=plot,
                quiet=quiet,
                as_json=as_json,
                dask=dask,
                folder=folder,
            )
            return
        file = Path(what)
        check_motion_targets(file, out, plot, page)
        edits = [
            (kind, *_edit(f"--{kind}", word))
            for kind, words in (("scale", scale), ("shift", shift))
            for word in words or ()
        ]
        motion, report, stopped = motion_in(file), say(quiet), False
        if dt is None:  # recorded forces keep the interval at which they were recorded
            dt = float(np.diff(motion.time).mean()) if edits and motion.tau is not None else 1.0 / 120.0
        options: dict[str, Any] = {
            "driven": names_of(driven),
            "frozen": names_of(frozen),
            "root": root,
            "dt": dt,
            "method": method,
            "substeps": substeps,
            "cutoff": cutoff,
        }
        if edits:
            first = profile = Profile.of(motion, **options)
            for kind, name, value, start, end in edits:
                edit = profile.scaled if kind == "scale" else profile.shifted
                profile = edit(name, value, start, end)
            with missing_contacts() as missing:
                found, before = profile.run(motion, **options), first.run(motion, **options)
            result_data: dict[Any, Any] = {"change": first.apart(profile)}
            report(
                error_table(found, f"{found.figure.name}: forces changed by {100 * result_data['change']:.2f} % RMS")
            )
        else:
            with missing_contacts() as missing, bar("refining", quiet) as progress:
                try:
                    result = refined(
                        motion, iterations=iterations, accept=accept, bound=bound, kp=kp, progress=progress, **options
                    )
                except Interrupted as stop:
                    if stop.result is None:
                        raise
                    result, stopped = stop.result, True
            found, before = result.motion, result.first
            result_data = {
                "accepted": result.accepted,
                "error": result.error,
                "gain": result.gain,
                "change": result.change,
                "runs": [{"error": run.error, "change": run.change} for run in result.history],
            }
            report(_history(result))
            done = "accepted" if result.accepted else "not accepted"
            if missing:
                done += ", because no contact force supports the figure and both motions fall"
            less = (
                f"{result.gain:.3g} times smaller"
                if np.isfinite(result.error)
                else "not defined: every simulation failed"
            )
            report(f"{done}: the error is {less}, forces changed by {100 * result.change:.2f} % RMS")
        write(found, out, page, report)
        if plot is not None:
            beside = {"before": before}
            whole(plot, lambda path: curves(found, unit="N m, N", title="joint forces", compare=beside, file=path))
            report(f"drawn: {plot}")
        if as_json:
            echo_json(
                {
                    **result_data,
                    "motion": motion_data(found),
                    "errors": dof_errors(found),
                    "files": written(out=out, plot=plot, page=page),
                }
            )
        if stopped:
            typer.echo(f"anthropi: stopped after {result.iterations} iterations; this is the best result.", err=True)
            raise typer.Exit(STOPPED)
        if missing:
            raise typer.Exit(1)


def _edit(option: str, word: str):
    """Read an edit JOINT=NUMBER@START:END; return (name, value, start, end)."""
    match = EDIT.fullmatch(word.strip())
    try:
        if match is None:
            raise ValueError
        ends = (float(x) if x else None for x in (match["start"], match["end"]))
        return match["name"].strip(), float(match["value"]), *ends
    except ValueError:
        raise InputError(
            f"{option} {word}: give JOINT=NUMBER, or JOINT=NUMBER@START:END with times in seconds."
        ) from None


def _history(result: Refinement):
    """Return a table of all simulations: error, improvement and change of the forces."""
    shown = table("Simulations", ">iteration", ">error, RMS", ">times smaller", ">forces changed")
    first = min(result.history[0].error, result.still)  # at most the error of a figure that does not move
    for k, run in enumerate(result.history):
        whole = np.isfinite(run.error)
        less = f"{first / max(run.error, 1e-300):.3g}" if whole else "-"
        shown.add_row(str(k), f"{run.error:.3e}" if whole else "failed", less, f"{100 * run.change:.2f} %")
    return shown
