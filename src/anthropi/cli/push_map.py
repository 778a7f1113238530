"""`anthropi push-map`: the largest push that a walker survives, by direction and phase, as tables, plot and data."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from anthropi.cli.app import STOPPED
from anthropi.cli.common import Json, app, echo_json, one_line
from anthropi.cli.files import PICTURES, Quiet, check_targets, whole, written
from anthropi.errors import InputError, Interrupted
from anthropi.figure.human.build import human
from anthropi.gait.report.push_map import push_map as mapped
from anthropi.gait.walker import load_walker, sole_scene, walker_at_start
from anthropi.gait.walker.command import Command

__all__ = ["push_map"]

BODY = 1.75, 75.0  # height [m] and mass [kg] of the person
DATA = (".npz", ".csv")


@app.command("push-map")
def push_map(
    walker: Annotated[str, typer.Option("--walker", help="Walker parameters: a name or a .toml file.")] = "natural",
    directions: Annotated[
        int, typer.Option("--directions", help="Number of directions, evenly spaced from forward.")
    ] = 8,
    phases: Annotated[int, typer.Option("--phases", help="Number of phases of the stride, evenly spaced.")] = 8,
    impulses: Annotated[
        str, typer.Option("--impulses", help="Impulses to try [N s], separated by commas.")
    ] = "20,30,40,50",
    rounds: Annotated[int, typer.Option("--rounds", help="Rounds of bisection after these impulses.")] = 3,
    over: Annotated[float, typer.Option("--over", help="Duration of a push [s].")] = 0.1,
    speed: Annotated[float | None, typer.Option("--speed", help="Commanded walking speed [m/s].")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write the result of every push (.npz, .csv).")] = None,
    plot: Annotated[Path | None, typer.Option("--plot", help="Plot the map (.png, .svg, .pdf).")] = None,
    data: Annotated[Path | None, typer.Option("--data", hidden=True)] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Find the largest push that a walker survives, by direction and phase of the stride."""
    quiet = quiet or as_json
    with one_line():
        if data is not None or (out is not None and plot is None and out.suffix.lower() in PICTURES):
            out, plot = data, plot or out  # old options: --out drew the map, --data wrote the data
        check_targets(None, {"--out": (out, DATA), "--plot": (plot, PICTURES)})
        wanted = _numbers(impulses)
        own, figure, since = load_walker(walker), human(*BODY), time.perf_counter()
        command = None if speed is None else Command(speed=speed).row()
        columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[now]}"), TimeRemainingColumn()
        with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet) as bar:
            task = bar.add_task("compiling", total=None, now="")

            def show(done: float, total: int) -> None:
                bar.update(task, description="pushing", completed=done, total=total, now=f"{done:.0f} / {total} walks")

            controller, *start = walker_at_start(figure, own)
            options: dict[str, Any] = {
                "directions": directions,
                "phases": phases,
                "impulses": wanted,
                "rounds": rounds,
                "over": over,
            }
            stopped = ""
            try:
                found = mapped(sole_scene(figure), controller, start, command=command, progress=show, **options)
            except Interrupted as stop:
                if stop.result is None:
                    raise
                found, stopped = stop.result, f"stopped after {stop.result.tried.shape[-1]} pushes of each cell"
        if not quiet:
            console = Console(soft_wrap=True)
            console.print(Text(found.text()))
            console.print(Text(f"{found.tried.size} pushes in {time.perf_counter() - since:.1f} s", style="dim"))
        if plot is not None:
            whole(plot, found.plot)
        if out is not None:
            found.save(out)
        if as_json:
            echo_json(
                {
                    "directions": found.directions,
                    "phases": found.phases,
                    "largest": found.largest,
                    "by_half": found.by(0.5),
                    "by_all": found.by(1.0),
                    "share_at_40_ns": found.share(40.0, True),
                    "mass": found.mass,
                    "speed": found.speed,
                    "stride": found.stride,
                    "pushes": found.tried.size,
                    "seconds": time.perf_counter() - since,
                    "files": written(out=out, plot=plot),
                }
            )
        if not quiet:
            for word, path in (("drawn", plot), ("wrote", out)):
                if path is not None:
                    typer.echo(f"{word}: {path}")
        if stopped:
            typer.echo(f"anthropi: {stopped}; this is the map so far.", err=True)
            raise typer.Exit(STOPPED)


def _numbers(words: str) -> list[float]:
    """Read numbers separated by commas."""
    try:
        return [float(word) for word in words.split(",")]
    except ValueError:
        raise InputError(f"--impulses {words}: give numbers separated by commas, such as 20,30,40.") from None
