"""The search of `anthropi refine` for better parameters of a walker: progress, tables and files."""

import contextlib
import time
from pathlib import Path
from typing import Any, NamedTuple

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from anthropi.cli.app import STOPPED
from anthropi.cli.common import echo_json, table
from anthropi.cli.files import check_targets, say, whole, written
from anthropi.cli.measure import machine
from anthropi.compiler.threads import default_threads
from anthropi.errors import InputError, Interrupted, did_you_mean
from anthropi.gait.styles.style import STYLES, style_of, style_words
from anthropi.gait.walker.parameters import load_walker, save_walker, walkers
from anthropi.gait.walker.search.refine import Refined, refine_walker
from anthropi.pictures.curves import search_sheet
from anthropi.study import dask_client

__all__ = ["SearchTarget", "search", "search_target"]


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
    dask: str | None = None,
    folder: Path | None = None,
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
    dask : address of a Dask scheduler whose workers compute the walks; None: this machine.
    folder : keeps the walks, so that the same search continues there.
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
            with contextlib.ExitStack() as stack:
                if dask is not None:
                    options["executor"] = stack.enter_context(dask_client(dask))
                found = refine_walker(
                    own.kind, own.walker, style=own.style, progress=progress, folder=folder, **options
                )
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
