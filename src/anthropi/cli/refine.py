"""`anthropi refine`: refine the forces of a motion, or search for better parameters of a walker.

The argument selects one of these: it is a motion file, or the name or file of a walker or a style.
"""

import re
import time
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from anthropi.cli.app import STOPPED
from anthropi.cli.common import Json, app, echo_json, one_line, table
from anthropi.cli.files import (
    Page,
    Quiet,
    bar,
    check_motion_targets,
    check_targets,
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
from anthropi.cli.measure import machine
from anthropi.compiler.threads import default_threads
from anthropi.errors import InputError, Interrupted, did_you_mean
from anthropi.gait.hidds.refinement import Profile, Refinement
from anthropi.gait.hidds.refinement import refine as refined
from anthropi.gait.styles.style import STYLES, style_of, style_words
from anthropi.gait.walker.parameters import load_walker, save_walker, walkers
from anthropi.gait.walker.search.refine import Refined, refine_walker
from anthropi.pictures.curves import curves, search_sheet

__all__ = ["SearchTarget", "refine", "search", "search_target"]


RUNNING_SPEED = 2.2  # [m/s]; a walker with a higher speed runs
PLOT_INTERVAL = 3.0  # [s] between two plots of a search
SEARCH_PLOTS = (".png",)
TARGETS = ("cpu", "gpu")


class SearchTarget(NamedTuple):
    """The walker whose parameters a search improves. kind, walker and style are arguments of `refine_walker`."""

    kind: str
    walker: str | None
    style: Any = None


def search_target(word: str) -> SearchTarget | None:
    """Return the walker or style with a name, or None if the name is a motion file.

    The name may be a walker file (.toml), a walker, 'simbicon' or a style. Existing files take precedence.
    """
    if word.lower().endswith(".toml"):
        return SearchTarget("run" if load_walker(word).speed > RUNNING_SPEED else "natural", word)
    if Path(word).exists():
        return None
    if word == "simbicon":
        return SearchTarget("simbicon", None)
    if word in walkers():
        return SearchTarget(
            "rough" if word == "rough" else "run" if load_walker(word).speed > RUNNING_SPEED else "natural", word
        )
    if word.split() and word.split()[-1] in style_words():
        return SearchTarget("style", "natural", style_of(word))
    if not Path(word).suffix:
        names = tuple(dict.fromkeys((*walkers(), "simbicon", *STYLES)))
        raise InputError(
            f"There is no motion, walker or style '{word}'.{did_you_mean(word, names)} Give a motion file, a "
            f".toml file, or one of: {', '.join(names)}."
        )
    return None


def search(
    word: str,
    own: SearchTarget,
    *,
    seconds: float,
    rollouts: int | None,
    population: int | None,
    sigma: float | None,
    seed: int,
    target: str,
    out: Path | None,
    plot: Path | None,
    quiet: bool,
    as_json: bool = False,
) -> None:
    """Search for better parameters of a walker, print the improvement and write the result.

    Parameters
    ----------
    word, own : argument of the command, and the walker that it names.
    seconds, rollouts : limits of the search [s], [walks].
    population, sigma, seed : candidates in a generation, initial step size, and random seed of CMA-ES.
    target : "cpu" or "gpu".
    out : file for the parameters (.toml). It is written only if the result is better on walks that the search did not
        use.
    plot : file for a plot of the search (.png), drawn during the search.
    quiet : whether tables and progress are not printed.
    as_json : whether the result is printed as JSON.
    """
    check_targets(Path(word), {"--out": (out, (".toml",)), "--plot": (plot, SEARCH_PLOTS)})
    if target not in TARGETS:
        raise InputError(f"Unknown --target {target}. Choose {' or '.join(TARGETS)}.")
    if not seconds > 0.0:
        raise InputError(f"--seconds {seconds:g}: give a positive number, such as 60.")
    given = {"rollouts": rollouts, "population": population, "sigma": sigma}
    options: dict[str, Any] = {name: x for name, x in given.items() if x is not None}
    options |= {"target": target, "seed": seed, "seconds": seconds}
    history: list[dict[Any, Any]] = []
    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[now]}"), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet) as bar:
        shown, drawn = bar.add_task("compiling", total=None, now=""), [0.0]

        def progress(record: dict[Any, Any], _) -> None:
            history.append(record)
            now = f"{record['rollouts']:,} walks, cost {record['cost']:.3g}, {100 * record['up']:.0f} % without a fall"
            bar.update(shown, description=word, total=seconds, completed=min(record["seconds"], seconds), now=now)
            if plot is not None and time.perf_counter() - drawn[0] > PLOT_INTERVAL:
                whole(plot, lambda path: search_sheet(history, f"refine {word}", path))
                drawn[0] = time.perf_counter()

        stopped = ""
        try:
            found = refine_walker(own.kind, own.walker, style=own.style, progress=progress, **options)
        except Interrupted as stop:
            found, stopped = stop.result, f"stopped after {len(stop.result.found.history)} generations"
    report = say(quiet)
    report(_improved(word, found))
    made = _made(word, own, seed, found, target)
    report(made)
    if plot is not None:
        whole(plot, lambda path: search_sheet(history, f"refine {word}", path))
        report(f"drawn: {plot}")
    if as_json:
        echo_json(
            {
                "what": word,
                "better": found.better,
                "before": vars_of(found.before),
                "after": vars_of(found.after),
                "seconds": found.seconds,
                "walks": found.found.rollouts,
                "stopped": bool(stopped),
                "made": made,
                "files": written(out=out if found.better else None, plot=plot),
            }
        )
    if not found.better:
        typer.echo(
            f"anthropi: {stopped + '; ' if stopped else ''}there is no improvement on walks that the search did not "
            "use, so nothing was written. Give more --seconds.",
            err=True,
        )
        raise typer.Exit(STOPPED if stopped else 1)
    if out is not None:
        walker = found.walker
        whole(out, lambda path: save_walker(path, walker.parameters, walker.start, walker.speed, made))
        report(f"wrote: {out}")
    if stopped:
        kept = f"the best parameters so far are in {out}." if out is not None else "give --out to keep the parameters."
        typer.echo(f"anthropi: {stopped}; {kept}", err=True)
        raise typer.Exit(STOPPED)


def vars_of(score: Any) -> dict[Any, Any]:
    """Return the values of a score as a dictionary, for JSON."""
    keys = ("deviation", "pace", "calm", "up", "strength", "cost")
    return {key: getattr(score, "undisturbed" if key == "calm" else key) for key in keys}


def _improved(word: str, found: Refined):
    """Return a table of the scores before and after the search, on walks that it did not use."""
    a, b = found.before, found.after
    shown = table(f"{word}: walks not used by the search", "", ">before", ">after")
    for name, x, y, style in (
        ("deviation from the reference, deg RMS", a.deviation, b.deviation, ".2f"),
        ("error of the commanded speed, m/s RMS", a.pace, b.pace, ".3f"),
        ("undisturbed walks without a fall", a.undisturbed, b.undisturbed, ".0%"),
        (f"disturbed walks without a fall, pushes of {75 * a.strength:.0f} N s", a.up, b.up, ".0%"),
        ("cost", a.cost, b.cost, ".1f"),
    ):
        shown.add_row(name, format(x, style), format(y, style))
    return shown


def _made(word: str, own: SearchTarget, seed: int, found: Refined, target: str) -> str:
    """Describe how the parameters were found, as text for the file."""
    begins = {"simbicon": "the published SIMBICON gains"}.get(own.kind, f"'{Path(own.walker or '').name}'")
    kind = "one GPU" if target == "gpu" else f"{default_threads()} cores, {machine().split(', Python')[0]}"
    before, after = found.before, found.after
    return (
        f"anthropi refine {Path(word).name}: CMA-ES from {begins}, seed {seed}, {found.found.rollouts:,} walks in "
        f"{found.seconds:.0f} s ({kind}). Deviation {before.deviation:.2f} to {after.deviation:.2f} deg; without a "
        f"fall under pushes of {75 * after.strength:.0f} N s {before.up:.0%} to {after.up:.0%}."
    )


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
