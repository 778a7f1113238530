"""The command `refine`: of a motion, a profile of forces that makes it by itself, found automatically or by hand; of a
walker, a style or a run, better numbers by search (`refine_walker.py`). What is named tells them apart."""

import re
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from anthropi.cli.common import Json, app, echo_json, one_line, table
from anthropi.cli.hidds import Cutoff, Driven, Frozen, Gain, Method, Root, Substeps, error_table
from anthropi.cli.motions import (
    Page,
    Plot,
    Quiet,
    bar,
    check_targets,
    dof_errors,
    motion_data,
    motion_in,
    names_of,
    say,
    write,
    written,
)  # fmt: skip
from anthropi.cli.refine_walker import search, sought
from anthropi.cli.targets import whole
from anthropi.errors import InputError
from anthropi.gait.profile import Profile
from anthropi.gait.refinement import Refinement
from anthropi.gait.refinement import refine as refined
from anthropi.pictures.curves import curves

__all__ = ["refine"]

EDIT = re.compile(r"(?P<name>[^=@]+)=(?P<value>[^=@]+)(@(?P<start>[^:@]*):(?P<end>[^:@]*))?")
Edits = list[str] | None
What = Annotated[
    str,
    typer.Argument(
        metavar="MOTION|WALKER",
        help="A motion (.npz, .h5, .bvh, a folder); or a walker: natural, run, simbicon, a style, a .toml file.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", help="Write the motion (.npz, .h5), its forces (.csv); of a walker, its set (.toml)."),
]
Held = Annotated[float | None, typer.Option("--dt", help="Seconds for which forces are held; 1/120, or as recorded.")]


@app.command()
def refine(
    what: What,
    iterations: Annotated[int, typer.Option("--iterations", help="Runs at most.")] = 15,
    accept: Annotated[float, typer.Option("--accept", help="Stop at this share of the first error.")] = 0.1,
    bound: Annotated[float, typer.Option("--bound", help="How far forces may change, RMS, as a share.")] = 0.2,
    scale: Annotated[Edits, typer.Option("--scale", help="By hand: JOINT=FACTOR[@START:END].")] = None,
    shift: Annotated[Edits, typer.Option("--shift", help="By hand: JOINT=OFFSET[@START:END] [N m, N].")] = None,
    driven: Driven = None,
    frozen: Frozen = None,
    root: Root = "free",
    kp: Gain = 100.0,
    dt: Held = None,
    method: Method = "semi_implicit_euler",
    substeps: Substeps = 1,
    cutoff: Cutoff = None,
    out: Out = None,
    plot: Plot = None,
    page: Page = None,
    seconds: Annotated[float, typer.Option("--seconds", help="Walker: how long to search.")] = 60.0,
    rollouts: Annotated[int | None, typer.Option("--rollouts", help="Walker: walks at most.")] = None,
    population: Annotated[int | None, typer.Option("--population", help="Walker: candidates at a time.")] = None,
    sigma: Annotated[float | None, typer.Option("--sigma", help="Walker: how far to look at first.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Walker: of what is drawn at random.")] = 1,
    target: Annotated[str, typer.Option("--target", help="Walker: cpu or gpu.")] = "cpu",
    picture: Annotated[
        Path | None, typer.Option("--picture", help="Walker: draw the search as it goes (.png).")
    ] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Refine the forces of a motion until direct dynamics alone makes it; with edits, run the edited forces instead.

    Of a walker, a style or a run: search for better numbers over thousands of walks (extra optimise).
    """
    quiet = quiet or as_json
    with one_line():
        if (walker := sought(what)) is not None:
            search(what, walker, seconds=seconds, rollouts=rollouts, population=population, sigma=sigma, seed=seed,
                   target=target, out=out, picture=picture, quiet=quiet, as_json=as_json)  # fmt: skip
            return
        file = Path(what)
        check_targets(file, out, plot, page)
        edits = [(kind, *_edit(f"--{kind}", word)) for kind, words in (("scale", scale), ("shift", shift))
                 for word in words or ()]  # fmt: skip
        motion, tell = motion_in(file), say(quiet)
        if dt is None:  # forces that are in the file are held as they were recorded
            dt = float(np.diff(motion.time).mean()) if edits and motion.tau is not None else 1.0 / 120.0
        options = {"driven": names_of(driven), "frozen": names_of(frozen), "root": root, "dt": dt, "method": method,
                   "substeps": substeps, "cutoff": cutoff}  # fmt: skip
        if edits:
            first = profile = Profile.of(motion, **options)
            for kind, name, value, start, end in edits:
                edit = profile.scaled if kind == "scale" else profile.shifted
                profile = edit(name, value, start, end)
            found, before = profile.run(motion, **options), first.run(motion, **options)
            told: dict = {"change": first.apart(profile)}
            tell(error_table(found, f"{found.figure.name}: forces changed by {100 * told['change']:.2f} % RMS"))
        else:
            with bar("refining", quiet) as progress:
                result = refined(motion, iterations=iterations, accept=accept, bound=bound, kp=kp, progress=progress,
                                 **options)  # fmt: skip
            found, before = result.motion, result.first
            told = {"accepted": result.accepted, "error": result.error, "gain": result.gain, "change": result.change,
                    "runs": [{"error": run.error, "change": run.change} for run in result.history]}  # fmt: skip
            tell(_history(result))
            done = "accepted" if result.accepted else "not accepted"
            less = f"{result.gain:.3g} times smaller" if np.isfinite(result.error) else "none: every run broke off"
            tell(f"{done}: the error is {less}, forces changed by {100 * result.change:.2f} % RMS")
        write(found, out, page, tell)
        if plot is not None:
            beside = {"before": before}
            whole(plot, lambda path: curves(found, unit="N m, N", title="joint forces", beside=beside, file=path))
            tell(f"drawn: {plot}")
        if as_json:
            echo_json({**told, "motion": motion_data(found), "errors": dof_errors(found),
                       "files": written(out=out, plot=plot, page=page)})  # fmt: skip


def _edit(option: str, word: str):
    """(name, value, start, end) of an edit in words."""
    match = EDIT.fullmatch(word.strip())
    try:
        if match is None:
            raise ValueError
        ends = (float(x) if x else None for x in (match["start"], match["end"]))
        return match["name"].strip(), float(match["value"]), *ends
    except ValueError:
        raise InputError(f"{option} {word}: write JOINT=NUMBER, or JOINT=NUMBER@START:END in seconds.") from None


def _history(result: Refinement):
    """Every run."""
    shown = table("Runs", ">iteration", ">error, RMS", ">times smaller", ">forces changed")
    first = min(result.history[0].error, result.still)  # a figure that fell counts as one that never moved
    for k, run in enumerate(result.history):
        whole = np.isfinite(run.error)
        less = f"{first / max(run.error, 1e-300):.3g}" if whole else "-"
        shown.add_row(str(k), f"{run.error:.3e}" if whole else "broke off", less, f"{100 * run.change:.2f} %")
    return shown
