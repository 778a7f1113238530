"""`anthropi run`, `jump`, `dance` and `go`: simulate a person balanced by a controller."""

import math
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from anthropi.cli.common import Json, app, echo_json, one_line
from anthropi.cli.files import Out, Page, Quiet, bar, say, validity, write, written
from anthropi.cli.people import (
    VIEW_HINT,
    Every,
    Height,
    Mass,
    Plot,
    Report,
    Sex,
    Stopwatch,
    TimedSession,
    check,
    end,
    exit_if_fallen,
    person_data,
    who,
)
from anthropi.errors import InputError
from anthropi.figure.human.build import human
from anthropi.gait.navigation import disc, follow
from anthropi.gait.walker.performer import perform
from anthropi.gait.walker.performer.measures import jumped, slip
from anthropi.gait.walker_walk import finished, walker_session
from anthropi.gait.walking import walk as walked
from anthropi.motion import Motion

__all__ = ["dance", "go", "jump", "run"]

PILLAR_HEIGHT = 1.2  # [m], height of obstacles on a page
Piece = Annotated[str | None, typer.Option("--piece", help="A .toml file with another performance.")]


@app.command()
def run(
    steps: Annotated[int, typer.Option("--steps", help="Number of steps.")] = 40,
    speed: Annotated[float | None, typer.Option("--speed", help="Running speed [m/s], about 3.")] = None,
    height: Height = 1.75,
    mass: Mass = 75.0,
    sex: Sex = "m",
    every: Every = 10,
    out: Out = None,
    plot: Plot = None,
    page: Page = None,
    report: Report = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Simulate a person who runs, with a flight phase, balanced by a controller."""
    with one_line():
        check(out, page, plot)
        quiet = quiet or as_json
        with validity(), bar("running", quiet) as progress:
            watch = Stopwatch(progress)
            motion = walked(
                human(height, mass, sex), steps, speed=speed, kind="run", every=every, strict=False, progress=watch
            )
        own = motion.metadata["walk"]
        load = motion.channels["contact"][..., 2].sum(-1)
        flight = f"{100 * float((load < 1.0).mean()):.0f} % of the time in flight"
        words = f"{who(motion, height)} runs: {own['steps']} steps at {own['speed']:.2f} m/s, {flight}"
        end(
            motion,
            say(quiet),
            words=words,
            caption="Simulated without external support; arrows show ground reaction forces.",
            out=out,
            page=page,
            plot=plot,
            report=report,
            real_time_factor=watch.real_time_factor(motion),
            as_json=as_json,
        )


@app.command()
def jump(
    forward: Annotated[bool, typer.Option("--forward", help="Jump forward instead of in place.")] = False,
    piece: Piece = None,
    height: Height = 1.75,
    mass: Mass = 75.0,
    sex: Sex = "m",
    every: Every = 10,
    out: Out = None,
    page: Page = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Simulate a person who jumps, in place or forward, lands and stands."""
    with one_line():
        if piece is not None and forward:
            raise InputError("--forward and --piece each select a performance. Give only one of them.")
        motion = _performed(
            piece or ("leap" if forward else "jump"), "jumping", height, mass, sex, every, out, page, quiet or as_json
        )
        found = jumped(motion)
        how = (
            f"centre of mass rises {found.rise:.2f} m, soles {found.clear:.2f} m, {found.flight:.2f} s of flight, "
            f"feet land {found.ahead:+.2f} m ahead, ground reaction up to {found.hardest:.1f} body weights"
        )
        _show(motion, f"{who(motion, height)} jumps", how, out, page, quiet, as_json)


@app.command()
def dance(
    piece: Piece = None,
    height: Height = 1.75,
    mass: Mass = 75.0,
    sex: Sex = "m",
    every: Every = 10,
    out: Out = None,
    page: Page = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Simulate a person who dances: keyframes tracked by a balancing controller."""
    with one_line():
        motion = _performed(piece or "dance", "dancing", height, mass, sex, every, out, page, quiet or as_json)
        how = f"{motion.time[-1]:.0f} s, standing feet slip at most {1e3 * slip(motion):.0f} mm"
        _show(motion, f"{who(motion, height)} dances", how, out, page, quiet, as_json)


@app.command()
def go(
    to: Annotated[str, typer.Option("--to", help="Goal X,Y [m]; the person starts at 0,0 and faces along x.")],
    obstacles: Annotated[
        list[str] | None,
        typer.Option("--obstacles", help="Pillars X,Y,RADIUS or X,Y,RADIUS,VX,VY [m, m/s], separated by ;."),
    ] = None,
    speed: Annotated[float, typer.Option("--speed", help="Walking speed [m/s].")] = 1.2,
    style: Annotated[str, typer.Option("--style", help="Style, such as tired or happily.")] = "natural",
    height: Height = 1.75,
    mass: Mass = 75.0,
    sex: Sex = "m",
    every: Every = 10,
    out: Out = None,
    page: Page = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Simulate a person who walks to a goal and avoids fixed and moving obstacles."""
    with one_line():
        check(out, page)
        quiet = quiet or as_json
        goal = np.array(_numbers("--to", to, (2,)))
        each = [word for words in obstacles or () for word in words.split(";") if word.strip()]
        numbers = [_numbers("--obstacles", word, (3, 5)) for word in each]
        discs = [disc(x[:2], x[2], tuple(x[3:]) or None, name=f"pillar {k + 1}") for k, x in enumerate(numbers)]
        with validity():
            session, _, _ = walker_session(
                human(height, mass, sex), speed=speed, style=style, start="stand", every=every
            )
        distance = float(np.hypot(*goal))
        with bar("going", quiet) as progress:
            timed = TimedSession(session, lambda t: progress(distance - min(_left(goal, session), distance), distance))
            log = follow(timed, goal, discs, speed=speed)
        about = {"method": "walker", "kind": "way", "steps": session.steps, "fell": session.fallen, "way": log.text()}
        motion, report = finished(session, walk=about), say(quiet)
        report(log.text())
        pillars = [(o.radius, PILLAR_HEIGHT, _centre(o)) for o in discs]
        end(
            motion,
            report,
            words=f"{who(motion, height)} goes to ({goal[0]:g}, {goal[1]:g})",
            caption=f"{log.text()}.",
            out=out,
            page=page,
            gait=False,
            real_time_factor=timed.real_time_factor,
            pillars=pillars,
            view=(-110, 25),
            as_json=as_json,
        )
        if not (log.arrived and log.untouched):
            raise typer.Exit(1)


def _left(goal: np.ndarray, session) -> float:
    """Return the distance from the position of a session to the goal [m]."""
    return float(np.hypot(*(goal - session.position)))


def _centre(outline):
    return lambda t: outline.at(t)[0]


def _numbers(option: str, words: str, counts: tuple[int, ...]) -> list[float]:
    """Read finite numbers separated by commas; raise InputError if their number is not one of `counts`."""
    try:
        found = [float(word) for word in words.split(",")]
    except ValueError:
        found = []
    if len(found) not in counts or not all(map(math.isfinite, found)):
        many = " or ".join(map(str, counts))
        raise InputError(f"{option} {words}: give {many} numbers separated by commas.")
    return found


def _performed(
    piece: str, doing: str, height, mass, sex, every: int, out: Path | None, page: Path | None, quiet: bool
) -> Motion:
    """Simulate a performance of a person and return the motion."""
    check(out, page)
    with bar(doing, quiet) as progress:
        return perform(
            human(height, mass, sex), piece, every=every, record=("contact", "tau"), progress=progress, strict=False
        )


def _show(motion: Motion, words: str, how: str, out, page, quiet: bool, as_json: bool) -> None:
    """Print the result of a performance, write its files, and exit with code 1 if the figure fell."""
    report = say(quiet or as_json)
    most = float(np.abs(motion.tau[:, :6]).max())
    report(f"{words}: {how}. Force at the root: {'none' if most == 0.0 else f'{most:.3g}'}.")
    write(
        motion,
        out,
        page,
        report,
        title=words,
        caption=f"{how[0].upper()}{how[1:]}. {VIEW_HINT}",
        view=(-60, 8),
        forces=True,
    )
    if as_json:
        echo_json(person_data(motion, f"{words}: {how}", gait=False) | {"files": written(out=out, page=page)})
    exit_if_fallen(motion)
