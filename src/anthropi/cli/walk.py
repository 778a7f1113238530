"""The command `walk`: a person of some height and mass walks, by HIDDS; what was planned, what came of it."""

from pathlib import Path
from typing import Annotated, Any

import typer

from anthropi.cli.common import app, one_line, table
from anthropi.cli.motions import Out, Page, Quiet, bar, names_of, say, write
from anthropi.cli.targets import PAGES, PICTURES, check_targets, whole
from anthropi.errors import AnthropiError
from anthropi.figure.human import human
from anthropi.formats.motion_file import ENDINGS
from anthropi.gait.determinants import DETERMINANTS, Determinants
from anthropi.gait.plan import GaitPlan
from anthropi.gait.walking import walk as walked
from anthropi.gait.walking.shown import with_feet
from anthropi.motion import Motion
from anthropi.pictures.sticks import sticks

__all__ = ["walk"]

WORDS = ", ".join(DETERMINANTS)
Length = Annotated[
    float | None, typer.Option("--step-length", help="[m]; of speed, length and frequency any one or two.")
]
Frequency = Annotated[float | None, typer.Option("--step-frequency", help="[steps/min]")]


@app.command()
def walk(
    steps: Annotated[int, typer.Option("--steps", help="How many steps.")] = 6,
    speed: Annotated[float | None, typer.Option("--speed", help="[m/s]")] = None,
    step_length: Length = None,
    step_frequency: Frequency = None,
    height: Annotated[float, typer.Option("--height", help="Stature [m].")] = 1.75,
    mass: Annotated[float, typer.Option("--mass", help="[kg]")] = 75.0,
    sex: Annotated[str, typer.Option("--sex", help="m or f.")] = "m",
    detail: Annotated[str, typer.Option("--detail", help="thesis42, thesis51, standard or full.")] = "thesis42",
    without: Annotated[
        list[str] | None, typer.Option("--without", help=f"Determinants of gait to switch off: {WORDS}.")
    ] = None,
    frozen: Annotated[
        list[str] | None, typer.Option("--frozen", help="Joints that do not move: neck,l_elbow,r_elbow.")
    ] = None,
    each: Annotated[bool, typer.Option("--each", help="Compute each step; else equal ones are mirror images.")] = False,
    out: Out = None,
    picture: Annotated[Path | None, typer.Option("--picture", help="Draw a cycle (.png, .svg, .pdf).")] = None,
    page: Page = None,
    quiet: Quiet = False,
) -> None:
    """A person walks: the plan, the determinants of gait, inverse and direct dynamics step by step (HIDDS)."""
    with one_line():
        check_targets(
            None, {"--out": (out, (*ENDINGS, ".csv")), "--picture": (picture, PICTURES), "--page": (page, PAGES)}
        )
        tell, figure = say(quiet), human(height, mass, sex, detail)
        given: dict[str, Any] = {"speed": speed, "step_length": step_length, "step_frequency": step_frequency}
        rules = Determinants().without(*names_of(without))
        with bar("walking", quiet) as progress:
            motion = walked(figure, steps, **given, determinants=rules, frozen=names_of(frozen), symmetric=not each,
                            progress=progress)  # fmt: skip
        tell(_told(motion))
        write(motion, out, None, tell)
        shown = with_feet(motion)
        if page is not None:
            write(shown, None, page, tell, title=f"{_who(motion)} walks", caption=_how(motion), view=(-70, 8))
        if picture is not None:
            whole(picture, lambda path: _draw(shown, path, f"{_who(motion)}: {_how(motion)}"))
            tell(f"drawn: {picture}")


def _told(motion: Motion):
    """What was planned, and what came of it."""
    own = motion.metadata["walk"]
    plan = GaitPlan(height=own["height"], velocity=own["velocity"], step_length=own["step_length"])
    shown = table(f"{own['steps']} steps of a figure of {motion.figure.nu} degrees of freedom", "what", ">is")
    force = motion.channels["f_ground"].sum(1)[:, 2] / (motion.figure.mass * 9.81)
    rows = {"speed": f"{plan.velocity:.2f} m/s", "step length": f"{plan.step_length:.3f} m",
            "step frequency": f"{plan.step_frequency:.1f} steps/min",
            "double support, swing": f"{plan.double_support:.3f}, {plan.swing:.3f} s",
            "ground's vertical force": f"{force.min():.2f} to {force.max():.2f} body weights",
            "most that a foot leaves its print": f"{1e3 * own['print_error']:.2f} mm",
            "residual force at the root, RMS": f"{100 * own['residual_force']:.2f} % of the weight",
            "residual moment, RMS": f"{own['residual_moment']:.3f} N m/kg",
            "of it about the vertical": f"{own['residual_yaw']:.3f} N m/kg"}  # fmt: skip
    for what, value in rows.items():
        shown.add_row(what, value)
    return shown


def _who(motion: Motion) -> str:
    """Somebody in words."""
    return f"A person of {motion.metadata['walk']['height']:.2f} m and {motion.figure.mass:.0f} kg"


def _how(motion: Motion) -> str:
    """A walk in words."""
    own = motion.metadata["walk"]
    return (f"{own['velocity']:.2f} m/s, steps of {own['step_length']:.2f} m, {own['step_frequency']:.0f} a minute, "
            "by hybrid dynamics.")  # fmt: skip


def _draw(motion: Motion, path: Path, words: str) -> None:
    """One cycle from the side and from the front."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise AnthropiError("--picture needs matplotlib. Install the extra: pip install 'anthropi[plots]'.") from None

    strikes = [event.time for event in motion.events if event.what == "strike"]
    cycle = motion.slice(strikes[0], strikes[min(2, len(strikes) - 1)])
    fig, (side, front) = plt.subplots(2, 1, figsize=(11, 6), layout="constrained")
    sticks(cycle, 17, apart=0.22, axes=side, title=f"{words} One cycle from the right")
    sticks(cycle, 13, apart=0.62, across=True, axes=front, title="and from the front")
    fig.savefig(path, dpi=150)
    plt.close(fig)
