"""`anthropi simulate`: run a script.

If the run is interrupted by Ctrl-C (exit code 130), or if its state is no longer finite (exit code 2), the frames
recorded so far are saved and the message names the file. Files are written completely or not at all.
"""

import contextlib
import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from anthropi.algorithms.kinematics import kinematics, point_velocity
from anthropi.cli.common import Json, app, echo_json, one_line, table
from anthropi.cli.files import MOTIONS, PAGES, PICTURES, check_targets, motion_data, whole, written
from anthropi.errors import Interrupted, StepError
from anthropi.figure.editing.joining import combined_parts
from anthropi.formats import save_motion
from anthropi.formats.scripts import Script, read
from anthropi.motion import Motion
from anthropi.pictures import strip
from anthropi.pictures.scenery import is_flat, with_scenery

__all__ = ["simulate"]

INTERRUPTED = 130  # exit code after SIGINT
STRIP_WIDTH = 1200  # [pixels]


@app.command()
def simulate(
    file: Annotated[Path, typer.Argument(help="Script to run, a .toml file.")],
    out: Annotated[Path | None, typer.Option("--out", help="Write the motion (.npz, .h5).")] = None,
    page: Annotated[
        Path | None, typer.Option("--page", help="Write a page that plays the motion in a browser (.html).")
    ] = None,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw a strip of poses (.png, .svg, .pdf, .jpg).")] = None,
    duration: Annotated[
        float | None, typer.Option("--duration", help="Duration [s]; by default that of the script.")
    ] = None,
    dt: Annotated[float | None, typer.Option("--dt", help="Time step [s]; by default that of the script.")] = None,
    view: Annotated[
        str, typer.Option("--view", help="View of the plot and page: front, side, back, three-quarter or top.")
    ] = "three-quarter",
    quiet: Annotated[bool, typer.Option("--quiet", help="Print no progress and no tables.")] = False,
    as_json: Json = False,
) -> None:
    """Run a script: figures, a scene, controllers and timed events."""
    quiet = quiet or as_json
    with one_line(), _stoppable():
        check_targets(file, {"--out": (out, MOTIONS), "--page": (page, PAGES), "--plot": (plot, (*PICTURES, ".jpg"))})
        script = read(file)
        steps, _, step = script.steps(duration, dt)
        console = Console(soft_wrap=False)
        if not quiet:
            figure = script.scene.figure
            console.print(
                Text(
                    f"{script.name}: {', '.join(script.figures)}; {figure.nu} degrees of freedom, "
                    f"up to {script.contacts} contact points; {steps} steps of {step:g} s"
                )
            )
        begun = time.perf_counter()
        motion = _run(script, duration, dt, steps, step, quiet, out or Path(f"{file.stem}-interrupted.npz"))
        if not quiet:
            console.print(Text(f"{motion.time[-1]:g} s in {time.perf_counter() - begun:.1f} s, {len(motion)} frames"))
            for event in motion.events:
                console.print(Text(f"{event.time:g} s: {event.what}"))
            console.print(_end(motion))
        if out is not None:
            save_motion(motion, out)
            _say(console, quiet, f"wrote: {out}")
        shown = motion if plot is None else with_scenery(script.scene, motion)
        ground = None if is_flat(script.scene) else False
        if page is not None:
            from anthropi.formats.pages.html import page as write_page

            write_page(motion, page, title=script.name, view=view, scene=script.scene)
            _say(console, quiet, f"wrote: {page}")
        if plot is not None:
            whole(
                plot,
                lambda path: strip(
                    shown, view=view, pixels=STRIP_WIDTH, ground=ground, stamps=ground is None, file=path
                ),
            )
            _say(console, quiet, f"drawn: {plot}")
        if as_json:
            echo_json(
                {
                    "script": script.name,
                    "motion": motion_data(motion),
                    "end": _at_end(motion),
                    "steps": steps,
                    "seconds": time.perf_counter() - begun,
                    "files": written(out=out, page=page, plot=plot),
                }
            )


@contextlib.contextmanager
def _stoppable():
    """Exit with code 130 on Ctrl-C if there is nothing to save."""
    try:
        yield
    except Interrupted:
        raise
    except KeyboardInterrupt:
        typer.echo("anthropi: stopped; nothing more was written.", err=True)
        raise typer.Exit(INTERRUPTED) from None


def _run(script: Script, duration, dt, steps: int, step: float, quiet: bool, kept: Path) -> Motion:
    """Run the script. If it does not finish, save the frames recorded so far to the file `kept`."""
    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[now]}"), TimeRemainingColumn()
    bar = Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet)
    try:
        with bar:
            task = bar.add_task("compiling", total=steps, now="")

            def show(done: int, total: int) -> None:
                now = f"{done * step:.2f} / {total * step:.2f} s"
                bar.update(task, description="simulating", completed=done, total=total, now=now)

            return script.run(duration=duration, dt=dt, progress=show)
    except (Interrupted, StepError) as error:
        words = _keep(error.motion, kept)
        if isinstance(error, StepError):
            raise StepError(f"{error} {words}") from None
        typer.echo(f"anthropi: stopped at t = {error.motion.time[-1]:g} s. {words}", err=True)
        raise typer.Exit(INTERRUPTED) from None


def _keep(motion: Motion | None, path: Path) -> str:
    """Save an unfinished motion and return a sentence that names the file."""
    if motion is None:
        return "Nothing was recorded."
    save_motion(motion, path)
    return f"The {len(motion)} frames recorded before that are in {path}."


def _at_end(motion: Motion) -> dict[str, dict[str, Any]]:
    """Return the centre of mass [m] of each figure at the end of a motion, and its speed [m/s]."""
    figure, k = motion.figure, kinematics(motion.figure, motion.q[-1], motion.u[-1])
    found = {}
    for part in combined_parts(figure):
        mass, place, flow = 0.0, np.zeros(3), np.zeros(3)
        for i in part.links:
            m, centre = float(figure.links[i].mass), np.asarray(figure.links[i].centre, float)
            mass, place = mass + m, place + m * (k.position[i] + k.rotation[i] @ centre)
            flow = flow + m * point_velocity(k, i, centre)
        found[part.name] = {"centre": place / (mass or 1.0), "speed": float(np.linalg.norm(flow)) / (mass or 1.0)}
    return found


def _end(motion: Motion) -> Table:
    """Return a table of the centres of mass and their speeds at the end of a motion."""
    shown = table("At the end", "figure", ">x m", ">y m", ">z m", ">speed m/s")
    for name, end in _at_end(motion).items():
        shown.add_row(Text(name), *(f"{x + 0.0:.3f}" for x in (*end["centre"], end["speed"])))
    return shown


def _say(console: Console, quiet: bool, words: Any) -> None:
    if not quiet:
        console.print(Text(words))
