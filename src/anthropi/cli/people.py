"""Helpers of the subcommands that simulate a person: options, computation speed, headline, output files."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from anthropi.cli.common import echo_json
from anthropi.cli.files import MOTIONS_OR_FORCES, PAGES, PICTURES, check_targets, motion_data, whole, write, written
from anthropi.cli.gait_report import show
from anthropi.errors import AnthropiError, InputError, MissingExtra
from anthropi.gait.report import gait_report, headline
from anthropi.gait.walker_walk import RUN_INTERVAL
from anthropi.motion import Motion
from anthropi.pictures.draw import sticks

__all__ = [
    "VIEW_HINT",
    "Every",
    "Height",
    "Mass",
    "Plot",
    "Report",
    "Sex",
    "Stopwatch",
    "TimedSession",
    "check",
    "draw",
    "end",
    "exit_if_fallen",
    "person_data",
    "who",
]

Height = Annotated[float, typer.Option("--height", help="Body height [m].")]
Mass = Annotated[float, typer.Option("--mass", help="Body mass [kg].")]
Sex = Annotated[str, typer.Option("--sex", help="Body proportions: m (male) or f (female).")]
Every = Annotated[
    int,
    typer.Option("--every", help="Steps of 1 ms between recorded frames: 1, 2, 5 or 10; forces are means over them."),
]
Plot = Annotated[Path | None, typer.Option("--plot", help="Draw stick figures of one gait cycle (.png, .svg, .pdf).")]
Report = Annotated[bool, typer.Option("--report", help="Print the full gait report, not only its headline.")]
VIEW_HINT = "Drag to rotate, scroll to zoom, space to play."


class Stopwatch:
    """Measure the computation speed of `ap.walk` on one core.

    It is passed to `ap.walk` as the progress callback, and forwards each call to `progress`. The time before the first
    call is left out, because it includes compilation.
    """

    def __init__(self, progress: Callable[[float, float], object]) -> None:
        self.progress = progress
        self.calls: list[tuple[float, float]] = []

    def __call__(self, done: float, total: float) -> None:
        """Record the thread's CPU time and forward the call."""
        self.calls.append((time.thread_time(), done))
        self.progress(done, total)

    def real_time_factor(self, motion: Motion) -> float | None:
        """Return the simulated seconds per second of CPU time; None if there was only one call."""
        if len(self.calls) < 2:
            return None
        script = motion.metadata["walk"]["kind"] == "script"
        first = self.calls[0][1] if script else min(RUN_INTERVAL, motion.time[-1])
        return (motion.time[-1] - first) / (self.calls[-1][0] - self.calls[0][0])


class TimedSession:
    """A walking session that measures the CPU time of its runs. The first run is left out, because it compiles."""

    def __init__(self, session: Any, progress: Callable[[float], object] | None = None) -> None:
        self.session, self.progress = session, progress
        self.cpu_time, self.simulated, self.compiled = 0.0, 0.0, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.session, name)

    def run(self, duration: float, *more: Any) -> None:
        """Run the session for a duration [s], and time it."""
        begun = time.thread_time()
        self.session.run(duration, *more)
        if self.compiled:
            self.cpu_time, self.simulated = self.cpu_time + time.thread_time() - begun, self.simulated + duration
        self.compiled = True
        if self.progress is not None:
            self.progress(self.session.time)

    @property
    def real_time_factor(self) -> float | None:
        """Simulated seconds per second of CPU time; None before the second run."""
        return self.simulated / self.cpu_time if self.cpu_time else None


def check(out: Path | None, page: Path | None, plot: Path | None = None) -> None:
    """Check that the output files can be written; see `check_targets`."""
    check_targets(None, {"--out": (out, MOTIONS_OR_FORCES), "--plot": (plot, PICTURES), "--page": (page, PAGES)})


def who(motion: Motion, height: float) -> str:
    """Describe the person in a motion by height [m] and mass."""
    return f"A person of {height:.2f} m and {motion.figure.mass:.0f} kg"


def end(
    motion: Motion,
    say_line: Callable[[Any], object],
    *,
    words: str,
    caption: str,
    out: Path | None = None,
    page: Path | None = None,
    plot: Path | None = None,
    report: bool = False,
    gait: bool = True,
    real_time_factor: float | None = None,
    pillars: Sequence[Any] = (),
    view: tuple[float, float] = (-70, 8),
    as_json: bool = False,
) -> None:
    """Print the headline of a simulated motion and write its files; exit with code 1 if the figure fell.

    Parameters
    ----------
    motion : the result.
    say_line : prints text or a table, from `say`.
    words, caption : title and caption of the page.
    out, page, plot : files to write.
    report : whether the full gait report is printed.
    gait : whether the motion is a steady walk, for which a gait report can be made.
    real_time_factor : simulated seconds per second of CPU time.
    pillars, view : obstacles and camera of the page; see `anthropi.formats.pages.html.page`.
    as_json : whether the result is printed as JSON instead.
    """
    say_line(Text(words, style="bold"))
    if not as_json:
        say_line(headline(motion, gait=gait, real_time=real_time_factor))
    if report and not as_json:
        show(gait_report(motion))
    write(motion, out, None, say_line)
    if page is not None:
        write(
            motion,
            None,
            page,
            say_line,
            title=words,
            caption=f"{caption} {VIEW_HINT}",
            view=view,
            follow=True,
            forces=True,
            pillars=pillars,
        )
    if plot is not None:
        whole(plot, lambda path: draw(motion, path, words))
        say_line(f"drawn: {plot}")
    if as_json:
        echo_json(
            person_data(motion, words, gait=gait, real_time_factor=real_time_factor)
            | {"files": written(out=out, page=page, plot=plot)}
        )
    exit_if_fallen(motion)


def exit_if_fallen(motion: Motion) -> None:
    """Print when and how the figure of a motion fell, and exit with code 1; do nothing if it did not fall."""
    about = motion.metadata
    if about.get("fell"):
        typer.echo(f"anthropi: the figure fell at {about['fall_time']:.2f} s: {about['fall_cause']}.", err=True)
        raise typer.Exit(1)


def person_data(motion: Motion, words: str, *, gait: bool, real_time_factor: float | None = None) -> dict[str, Any]:
    """Return the result as data for JSON, with the gait report if `gait` is True."""
    found = {
        "words": words,
        "motion": motion_data(motion),
        **{name: motion.metadata.get(name) for name in ("fell", "fall_time", "fall_cause")},
        "walk": motion.metadata.get("walk"),
        "faster": real_time_factor,
    }
    if gait:
        try:
            found["report"] = {row.name: row.values for row in gait_report(motion).rows if row.measured}
        except AnthropiError as error:
            found["report"], found["no_report"] = None, str(error)
    return found


def draw(motion: Motion, path: Path, words: str) -> None:
    """Draw the last complete gait cycle from the side and from the front."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise MissingExtra("matplotlib", "plots", "--plot") from None

    strikes = [event.time for event in motion.events if event.what == "strike"]
    if len(strikes) < 2:
        raise InputError(
            f"--plot draws a gait cycle, but the motion has only {len(strikes)} foot strikes. Simulate more steps."
        )
    cycle = motion.slice(*strikes[-3:][:: min(2, len(strikes) - 1)])
    fig, (side, front) = plt.subplots(2, 1, figsize=(11, 6), layout="constrained")
    sticks(cycle, 17, spacing=0.22, axes=side, title=f"{words} One cycle from the right")
    sticks(cycle, 13, spacing=0.62, front=True, axes=front, title="and from the front")
    fig.savefig(path, dpi=150)
    plt.close(fig)
