"""`anthropi refine WALKER`: better numbers of a walker, a style or a run, by search. The command `refine` calls it."""

import time
from pathlib import Path
from typing import Any, NamedTuple

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from anthropi.bench.timing import machine
from anthropi.cli.common import echo_json, table
from anthropi.cli.motions import say, written
from anthropi.cli.targets import check_targets, whole
from anthropi.compile.thread_count import default_threads
from anthropi.errors import InputError, did_you_mean
from anthropi.gait.search.refine import Refined, refine_walker
from anthropi.gait.walker.files import load_walker, save_walker, walkers
from anthropi.gait.words.styles import STYLES, style_of, style_words
from anthropi.pictures.search import search_sheet

__all__ = ["Sought", "search", "sought"]

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
