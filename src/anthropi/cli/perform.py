"""The commands `run`, `jump`, `dance` and `go`: a person does it in pure physics; what came of it, and a page."""

import math
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from anthropi.cli.common import Json, app, echo_json, one_line
from anthropi.cli.files import Out, Page, Quiet, bar, say, write, written
from anthropi.cli.people import (
    DRAG,
    Clocked,
    Height,
    Mass,
    Picture,
    Report,
    Sex,
    Stopwatch,
    check,
    end,
    person_data,
    who,
)  # fmt: skip
from anthropi.errors import InputError
from anthropi.figure.human.build import human
from anthropi.gait.falls import is_fallen
from anthropi.gait.navigation import disc, follow
from anthropi.gait.walker.performer import perform
from anthropi.gait.walker.performer.measures import jumped, slip
from anthropi.gait.walker_walk import finished, walker_session
from anthropi.gait.walking import walk as walked
from anthropi.motion import Motion

__all__ = ["dance", "go", "jump", "run"]

PILLAR = 1.2  # [m] high, of an obstacle
Piece = Annotated[str | None, typer.Option("--piece", help="Another piece: a .toml file.")]


@app.command()
def run(
    steps: Annotated[int, typer.Option("--steps", help="How many steps.")] = 40,
    speed: Annotated[float | None, typer.Option("--speed", help="[m/s], about 3.")] = None,
    height: Height = 1.75,
    mass: Mass = 75.0,
    sex: Sex = "m",
    out: Out = None,
    picture: Picture = None,
    page: Page = None,
    report: Report = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """A person runs, with a flight phase, in balance by itself."""
    with one_line():
        check(out, page, picture)
        quiet = quiet or as_json
        with bar("running", quiet) as progress:
            watch = Stopwatch(progress)
            motion = walked(human(height, mass, sex), steps, speed=speed, kind="run", strict=False, progress=watch)
        own = motion.metadata["walk"]
        load = motion.channels["contact"][..., 2].sum(-1)
        flight = f"{100 * float((load < 1.0).mean()):.0f} % of the time in flight"
        words = f"{who(motion, height)} runs: {own['steps']} steps at {own['speed']:.2f} m/s, {flight}"
        end(motion, say(quiet), words=words, caption="In pure physics; arrows: the ground's force.", out=out, page=page,
            picture=picture, report=report, faster=watch.faster(motion), as_json=as_json)  # fmt: skip


@app.command()
def jump(
    forward: Annotated[bool, typer.Option("--forward", help="Jump ahead, not in place.")] = False,
    piece: Piece = None,
    height: Height = 1.75,
    mass: Mass = 75.0,
    sex: Sex = "m",
    out: Out = None,
    page: Page = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """A person jumps, in place or forward, lands and stands."""
    with one_line():
        if piece is not None and forward:
            raise InputError("--forward is a piece of its own; leave it or --piece out.")
        motion = _performed(piece or ("leap" if forward else "jump"), "jumping", height, mass, sex, out, page,
                            quiet or as_json)  # fmt: skip
        told = jumped(motion)
        how = (f"its centre rises {told.rise:.2f} m, its soles {told.clear:.2f} m, {told.flight:.2f} s in the air, "
               f"feet {told.ahead:+.2f} m ahead, the ground's force up to {told.hardest:.1f} weights")  # fmt: skip
        _show(motion, f"{who(motion, height)} jumps", how, out, page, quiet, as_json)


@app.command()
def dance(
    piece: Piece = None,
    height: Height = 1.75,
    mass: Mass = 75.0,
    sex: Sex = "m",
    out: Out = None,
    page: Page = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """A person dances, keyframes tracked in balance."""
    with one_line():
        motion = _performed(piece or "dance", "dancing", height, mass, sex, out, page, quiet or as_json)
        how = f"{motion.time[-1]:.0f} s, a foot that stands slips {1e3 * slip(motion):.0f} mm at most"
        _show(motion, f"{who(motion, height)} dances", how, out, page, quiet, as_json)


@app.command()
def go(
    to: Annotated[str, typer.Option("--to", help="The goal, X,Y [m]; the person starts at 0,0 and looks along x.")],
    obstacles: Annotated[
        list[str] | None,
        typer.Option("--obstacles", help="Pillars, X,Y,RADIUS or X,Y,RADIUS,VX,VY [m, m/s], with ; between."),
    ] = None,
    speed: Annotated[float, typer.Option("--speed", help="[m/s]")] = 1.2,
    style: Annotated[str, typer.Option("--style", help="tired, happily …")] = "natural",
    height: Height = 1.75,
    mass: Mass = 75.0,
    sex: Sex = "m",
    out: Out = None,
    page: Page = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """A person goes to a place, round obstacles that stand or move."""
    with one_line():
        check(out, page)
        quiet = quiet or as_json
        goal = np.array(_numbers("--to", to, (2,)))
        each = [word for words in obstacles or () for word in words.split(";") if word.strip()]
        things = [_numbers("--obstacles", word, (3, 5)) for word in each]
        round_them = [disc(x[:2], x[2], tuple(x[3:]) or None, name=f"pillar {k + 1}") for k, x in enumerate(things)]
        session, _, _ = walker_session(human(height, mass, sex), speed=speed, style=style, start="stand")
        far = float(np.hypot(*goal))
        with bar("going", quiet) as progress:
            near = Clocked(session, lambda t: progress(far - min(np.hypot(*(goal - session.position)), far), far))
            log = follow(near, goal, round_them, speed=speed)
        about = {"method": "walker", "kind": "way", "steps": session.steps, "fell": log.fallen, "way": log.text()}
        motion, tell = finished(session, walk=about), say(quiet)
        tell(log.text())
        pillars = [(o.radius, PILLAR, _centre(o)) for o in round_them]
        end(motion, tell, words=f"{who(motion, height)} goes to ({goal[0]:g}, {goal[1]:g})",
            caption=f"{log.text()}.", out=out, page=page, gait=False, faster=near.faster, pillars=pillars,
            view=(-110, 25), as_json=as_json)  # fmt: skip
        if not (log.arrived and log.untouched):
            raise typer.Exit(1)


def _centre(outline):
    return lambda t: outline.at(t)[0]


def _numbers(option: str, words: str, counts: tuple[int, ...]) -> list[float]:
    """Finite numbers with commas between, as many as one of `counts`."""
    try:
        found = [float(word) for word in words.split(",")]
    except ValueError:
        found = []
    if len(found) not in counts or not all(map(math.isfinite, found)):
        many = " or ".join(map(str, counts))
        raise InputError(f"{option} {words}: give {many} numbers with commas between.")
    return found


def _performed(piece: str, doing: str, height, mass, sex, out: Path | None, page: Path | None, quiet: bool) -> Motion:
    """A piece, performed."""
    check(out, page)
    with bar(doing, quiet) as progress:
        return perform(human(height, mass, sex), piece, record=("contact", "tau"), progress=progress)


def _show(motion: Motion, words: str, how: str, out, page, quiet: bool, as_json: bool) -> None:
    """What came of a piece, and files."""
    tell = say(quiet or as_json)
    most = float(np.abs(motion.tau[:, :6]).max())
    tell(f"{words}: {how}. At the root: {'no force' if most == 0.0 else f'{most:.3g}'}.")
    write(motion, out, page, tell, title=words, caption=f"{how[0].upper()}{how[1:]}. {DRAG}", view=(-60, 8),
          forces=True)  # fmt: skip
    if as_json:
        echo_json(person_data(motion, f"{words}: {how}", gait=False) | {"files": written(out=out, page=page)})
    if is_fallen(motion.q[-1, 2], motion.q[0, 2]):
        typer.echo(f"anthropi: the figure fell; at {motion.time[-1]:.1f} s it does not stand.", err=True)
        raise typer.Exit(1)
