"""`anthropi refine WALKER`: better numbers of a walker, a style or a run, by search. The command `refine` calls it.

Refine
------
The command `refine`: of a motion, a profile of forces that makes it by itself, found automatically or by hand; of a
walker, a style or a run, better numbers by search (`refine.py`). What is named tells them apart.
"""

import re
import time
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from anthropi.cli.common import Json, app, echo_json, one_line, table
from anthropi.cli.files import (
    Page,
    Plot,
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
from anthropi.compiler.thread_count import default_threads
from anthropi.errors import InputError, did_you_mean
from anthropi.gait.hidds.refinement import Profile, Refinement
from anthropi.gait.hidds.refinement import refine as refined
from anthropi.gait.styles.style import STYLES, style_of, style_words
from anthropi.gait.walker.parameters import load_walker, save_walker, walkers
from anthropi.gait.walker.search.refine import Refined, refine_walker
from anthropi.pictures.curves import curves, search_sheet

__all__ = ["Sought", "refine", "search", "sought"]


FAST = 2.2  # [m/s] from which a file's start is a run's
EVERY = 3.0  # [s] between two pictures
PICTURE = (".png",)
TARGETS = ("cpu", "gpu")


class Sought(NamedTuple):
    """kind, walker, style : as of `refine_walker`."""

    kind: str
    walker: str | None
    style: Any = None


def sought(word: str) -> Sought | None:
    """What a word names: a walker's file or set, 'simbicon', a style; None for a motion. Files come first."""
    if word.lower().endswith(".toml"):
        return Sought("run" if load_walker(word).speed > FAST else "natural", word)
    if Path(word).exists():
        return None
    if word == "simbicon":
        return Sought("simbicon", None)
    if word in walkers():
        return Sought("rough" if word == "rough" else "run" if load_walker(word).speed > FAST else "natural", word)
    if word.split() and word.split()[-1] in style_words():
        return Sought("style", "natural", style_of(word))
    if not Path(word).suffix:
        names = tuple(dict.fromkeys((*walkers(), "simbicon", *STYLES)))
        raise InputError(f"No motion, walker or style '{word}'.{did_you_mean(word, names)} Give a motion's file, a "
                          f".toml file, or one of: {', '.join(names)}.")  # fmt: skip
    return None


def search(word: str, own: Sought, *, seconds: float, rollouts: int | None, population: int | None, sigma: float | None,
           seed: int, target: str, out: Path | None, picture: Path | None, quiet: bool,
           as_json: bool = False) -> None:  # fmt: skip
    """Search, tell what has become better, write what was asked for."""
    check_targets(Path(word), {"--out": (out, (".toml",)), "--picture": (picture, PICTURE)})
    if target not in TARGETS:
        raise InputError(f"--target {target}: choose {' or '.join(TARGETS)}.")
    if not seconds > 0.0:
        raise InputError(f"--seconds {seconds:g}: give some, 60 for one minute.")
    given = {"rollouts": rollouts, "population": population, "sigma": sigma}
    options: dict[str, Any] = {name: x for name, x in given.items() if x is not None}
    history: list[dict] = []
    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[now]}"), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet) as bar:
        shown, drawn = bar.add_task("compiling", total=None, now=""), [0.0]

        def tell(record: dict, _) -> None:
            history.append(record)
            now = f"{record['rollouts']:,} walks, cost {record['cost']:.3g}, up {100 * record['up']:.0f} %"
            bar.update(shown, description=word, total=seconds, completed=min(record["seconds"], seconds), now=now)
            if picture is not None and time.perf_counter() - drawn[0] > EVERY:
                whole(picture, lambda path: search_sheet(history, f"refine {word}", path))
                drawn[0] = time.perf_counter()

        found = refine_walker(own.kind, own.walker, style=own.style, target=target, seed=seed, seconds=seconds,
                              tell=tell, **options)  # fmt: skip
    told = say(quiet)
    told(_improved(word, found))
    made = _made(word, own, seed, found, target)
    told(made)
    if picture is not None:
        whole(picture, lambda path: search_sheet(history, f"refine {word}", path))
        told(f"drawn: {picture}")
    if as_json:
        echo_json({"what": word, "better": found.better, "before": vars_of(found.before), "after": vars_of(found.after),
                   "seconds": found.seconds, "walks": found.found.rollouts, "made": made,
                   "files": written(out=out if found.better else None, picture=picture)})  # fmt: skip
    if not found.better:
        typer.echo(
            "anthropi: unseen walks cost no less than before, so nothing is written. Give more --seconds.", err=True
        )
        raise typer.Exit(1)
    if out is not None:
        walker = found.walker
        whole(out, lambda path: save_walker(path, walker.parameters, walker.start, walker.speed, made))
        told(f"wrote: {out}")


def vars_of(score) -> dict:
    """The numbers of a score, for JSON."""
    return {name: getattr(score, name) for name in ("deviation", "pace", "calm", "up", "strength", "cost")}


def _improved(word: str, found: Refined):
    """Before and after, on walks that the search has not seen."""
    a, b = found.before, found.after
    shown = table(f"{word}: walks that no search has seen", "", ">before", ">after")
    for name, x, y, style in (
        ("deviation from the reference, deg RMS", a.deviation, b.deviation, ".2f"),
        ("off the speed told, m/s RMS", a.pace, b.pace, ".3f"),
        ("calm walks that stay up", a.calm, b.calm, ".0%"),
        (f"other walks that stay up, pushes of {75 * a.strength:.0f} N s", a.up, b.up, ".0%"),
        ("cost", a.cost, b.cost, ".1f"),
    ):
        shown.add_row(name, format(x, style), format(y, style))
    return shown


def _made(word: str, own: Sought, seed: int, found: Refined, target: str) -> str:
    """How it was made, in words that go into the file; names no machine."""
    begins = {"simbicon": "the published SIMBICON gains"}.get(own.kind, f"'{Path(own.walker or '').name}'")
    kind = "one GPU" if target == "gpu" else f"{default_threads()} cores, {machine().split(', Python')[0]}"
    before, after = found.before, found.after
    return (f"anthropi refine {Path(word).name}: CMA-ES from {begins}, seed {seed}, {found.found.rollouts:,} walks in "
            f"{found.seconds:.0f} s ({kind}). Deviation {before.deviation:.2f} to {after.deviation:.2f} deg, up under "
            f"pushes of {75 * after.strength:.0f} N s {before.up:.0%} to {after.up:.0%}.")  # fmt: skip


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
    root: Root = None,
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
        check_motion_targets(file, out, plot, page)
        edits = [(kind, *_edit(f"--{kind}", word)) for kind, words in (("scale", scale), ("shift", shift))
                 for word in words or ()]  # fmt: skip
        motion, tell = motion_in(file), say(quiet)
        if dt is None:  # forces that are in the file are held as they were recorded
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
            told: dict = {"change": first.apart(profile)}
            tell(error_table(found, f"{found.figure.name}: forces changed by {100 * told['change']:.2f} % RMS"))
        else:
            with missing_contacts() as missing, bar("refining", quiet) as progress:
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
        if missing:
            raise typer.Exit(1)


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
