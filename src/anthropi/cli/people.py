"""What commands about people who move share: who it is, how fast it was computed, the headline, files and pages."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from anthropi.cli.common import echo_json
from anthropi.cli.files import MOTIONS_OR_FORCES, PAGES, PICTURES, check_targets, motion_data, whole, write, written
from anthropi.cli.gait_report import show
from anthropi.errors import AnthropiError, InputError, MissingExtra
from anthropi.gait.report import gait_report, headline
from anthropi.gait.walker_walk import PIECE
from anthropi.motion import Motion
from anthropi.pictures.draw import sticks

__all__ = [
    "DRAG",
    "Clocked",
    "Height",
    "Mass",
    "Picture",
    "Report",
    "Sex",
    "Stopwatch",
    "check",
    "draw",
    "end",
    "person_data",
    "who",
]

Height = Annotated[float, typer.Option("--height", help="Stature [m].")]
Mass = Annotated[float, typer.Option("--mass", help="[kg]")]
Sex = Annotated[str, typer.Option("--sex", help="m or f.")]
Picture = Annotated[Path | None, typer.Option("--picture", help="Draw a cycle (.png, .svg, .pdf).")]
Report = Annotated[bool, typer.Option("--report", help="Print all of the gait report, not only its headline.")]
DRAG = "Drag to turn, scroll to come nearer, space to play."


class Stopwatch:
    """How fast a core computes a walk, the first piece, which compiles, apart. A progress function of `ap.walk`."""

    def __init__(self, then):
        self.then, self.calls = then, []

    def __call__(self, done, total):
        """Look at the clock, and go on to whom it may concern."""
        self.calls.append((time.thread_time(), done))
        self.then(done, total)

    def faster(self, motion: Motion) -> float | None:
        """Seconds of motion a second; None after one piece."""
        if len(self.calls) < 2:
            return None
        script = motion.metadata["walk"]["kind"] == "script"
        first = self.calls[0][1] if script else min(PIECE, motion.time[-1])
        return (motion.time[-1] - first) / (self.calls[-1][0] - self.calls[0][0])


class Clocked:
    """A session whose runs are timed, in time of one core; the first, which compiles, apart."""

    def __init__(self, session, then=None):
        self.session, self.then, self.spent, self.gone, self.warm = session, then, 0.0, 0.0, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.session, name)

    def run(self, duration: float, *more) -> None:
        """As the session's."""
        begun = time.thread_time()
        self.session.run(duration, *more)
        if self.warm:
            self.spent, self.gone = self.spent + time.thread_time() - begun, self.gone + duration
        self.warm = True
        if self.then is not None:
            self.then(self.session.time)

    @property
    def faster(self) -> float | None:
        """Seconds of motion a second."""
        return self.gone / self.spent if self.spent else None


def check(out: Path | None, page: Path | None, picture: Path | None = None) -> None:
    """Refuse what could not be written."""
    check_targets(None, {"--out": (out, MOTIONS_OR_FORCES), "--picture": (picture, PICTURES), "--page": (page, PAGES)})


def who(motion: Motion, height: float) -> str:
    """Somebody in words."""
    return f"A person of {height:.2f} m and {motion.figure.mass:.0f} kg"


def end(motion: Motion, tell, *, words: str, caption: str, out=None, page=None, picture=None, report: bool = False,
        gait: bool = True, faster: float | None = None, pillars=(), view=(-70, 8),
        as_json: bool = False) -> None:  # fmt: skip
    """Print the headline and write what was asked for. gait : whether it is a steady walk, to be reported on."""
    tell(Text(words, style="bold"))
    if not as_json:
        tell(headline(motion, gait=gait, real_time=faster))
    if report and not as_json:
        show(gait_report(motion))
    write(motion, out, None, tell)
    if page is not None:
        write(motion, None, page, tell, title=words, caption=f"{caption} {DRAG}", view=view, follow=True, forces=True,
              pillars=pillars)  # fmt: skip
    if picture is not None:
        whole(picture, lambda path: draw(motion, path, words))
        tell(f"drawn: {picture}")
    if as_json:
        echo_json(person_data(motion, words, gait=gait, faster=faster)
                  | {"files": written(out=out, page=page, picture=picture)})  # fmt: skip
    if motion.metadata.get("walk", {}).get("fell"):
        typer.echo(f"anthropi: the figure fell at {motion.time[-1]:.2f} s.", err=True)
        raise typer.Exit(1)


def person_data(motion: Motion, words: str, *, gait: bool, faster: float | None = None) -> dict[str, Any]:
    """What somebody did, for JSON; of a steady walk its report too."""
    told = {"words": words, "motion": motion_data(motion), "walk": motion.metadata.get("walk"), "faster": faster}
    if gait:
        try:
            told["report"] = {row.name: row.values for row in gait_report(motion).rows if row.measured}
        except AnthropiError as error:
            told["report"], told["no_report"] = None, str(error)
    return told


def draw(motion: Motion, path: Path, words: str) -> None:
    """One cycle from the side and from the front, the last whole one."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise MissingExtra("matplotlib", "plots", "--picture") from None

    strikes = [event.time for event in motion.events if event.what == "strike"]
    if len(strikes) < 2:
        raise InputError(f"--picture draws a cycle, and there are {len(strikes)} foot strikes. Walk more steps.")
    cycle = motion.slice(*strikes[-3:][:: min(2, len(strikes) - 1)])
    fig, (side, front) = plt.subplots(2, 1, figsize=(11, 6), layout="constrained")
    sticks(cycle, 17, apart=0.22, axes=side, title=f"{words} One cycle from the right")
    sticks(cycle, 13, apart=0.62, across=True, axes=front, title="and from the front")
    fig.savefig(path, dpi=150)
    plt.close(fig)
