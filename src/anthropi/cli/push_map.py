"""The command `push-map`: how hard a walker can be pushed in every direction and phase, as tables, picture and data."""

import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from anthropi.cli.common import Json, app, echo_json, one_line
from anthropi.cli.files import PICTURES, check_targets, whole, written
from anthropi.errors import InputError
from anthropi.figure.human.build import human
from anthropi.gait.report.push_map import push_map as mapped
from anthropi.gait.walker import load_walker, sole_scene, walker_at_start
from anthropi.gait.walker.command import Command

__all__ = ["push_map"]

BODY = 1.75, 75.0  # [m], [kg] of a set's start
DATA = (".npz", ".csv")


@app.command("push-map")
def push_map(
    walker: Annotated[str, typer.Option("--walker", help="A walker's set by its name, or a .toml file.")] = "natural",
    directions: Annotated[int, typer.Option("--directions", help="How many, evenly; the first is forward.")] = 8,
    phases: Annotated[int, typer.Option("--phases", help="How many of the stride, evenly.")] = 8,
    impulses: Annotated[str, typer.Option("--impulses", help="N s, with commas between.")] = "20,30,40,50",
    rounds: Annotated[int, typer.Option("--rounds", help="Of bisection after these impulses.")] = 3,
    over: Annotated[float, typer.Option("--over", help="How long a push lasts [s].")] = 0.1,
    speed: Annotated[float | None, typer.Option("--speed", help="What the walker is told [m/s].")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Draw the map (.png, .svg, .pdf).")] = None,
    data: Annotated[Path | None, typer.Option("--data", help="Write every push (.npz, .csv).")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress, no tables.")] = False,
    as_json: Json = False,
) -> None:
    """How hard can a walker be pushed? The largest survived impulse by direction and phase of the stride."""
    quiet = quiet or as_json
    with one_line():
        check_targets(None, {"--out": (out, PICTURES), "--data": (data, DATA)})
        wanted = _numbers(impulses)
        own, figure, since = load_walker(walker), human(*BODY), time.perf_counter()
        command = None if speed is None else Command(speed=speed).row()
        columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[now]}"), TimeRemainingColumn()
        with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet) as bar:
            task = bar.add_task("compiling", total=None, now="")

            def tell(done: float, total: int) -> None:
                bar.update(task, description="pushing", completed=done, total=total, now=f"{done:.0f} / {total} walks")

            controller, *start = walker_at_start(figure, own)
            found = mapped(sole_scene(figure), controller, start, directions=directions, phases=phases,
                           impulses=wanted, rounds=rounds, over=over, command=command, progress=tell)  # fmt: skip
        if not quiet:
            console = Console(soft_wrap=True)
            console.print(Text(found.text()))
            console.print(Text(f"{found.tried.size} pushes in {time.perf_counter() - since:.1f} s", style="dim"))
        if out is not None:
            whole(out, found.plot)
        if data is not None:
            found.save(data)
        if as_json:
            echo_json({"directions": found.directions, "phases": found.phases, "largest": found.largest,
                       "by_half": found.by(0.5), "by_all": found.by(1.0), "share_at_40_ns": found.share(40.0, True),
                       "mass": found.mass, "speed": found.speed, "stride": found.stride, "pushes": found.tried.size,
                       "seconds": time.perf_counter() - since, "files": written(out=out, data=data)})  # fmt: skip
        if not quiet:
            for word, path in (("drawn", out), ("wrote", data)):
                if path is not None:
                    typer.echo(f"{word}: {path}")


def _numbers(words: str) -> list[float]:
    """Numbers with commas between."""
    try:
        return [float(word) for word in words.split(",")]
    except ValueError:
        raise InputError(f"--impulses {words}: give numbers with commas between, 20,30,40 for one.") from None
