"""`anthropi walk`: simulate a person who walks, with a balance controller, by HIDDS or by a script in plain words."""

from pathlib import Path
from typing import Annotated, Any

import typer

from anthropi.cli.common import Json, app, echo_json, one_line, table
from anthropi.cli.files import (
    PAGES,
    Out,
    Page,
    Quiet,
    bar,
    check_targets,
    names_of,
    printed_warnings,
    say,
    validity,
    whole,
    write,
    written,
)
from anthropi.cli.gait_report import show
from anthropi.cli.people import Every, Height, Mass, Plot, Report, Sex, Stopwatch, check, draw, end, person_data, who
from anthropi.errors import InputError, PhysicsWarning
from anthropi.figure.human.build import human
from anthropi.gait.hidds.walking.hidds_walk import with_feet
from anthropi.gait.plan.determinants import DETERMINANTS, Determinants
from anthropi.gait.plan.gait_plan import GaitPlan
from anthropi.gait.report import gait_report
from anthropi.gait.report.walk_page import walk_page
from anthropi.gait.styles import explain, read_script
from anthropi.gait.walker.external_aid import Aid
from anthropi.gait.walker_walk import walker_session
from anthropi.gait.walking import METHODS, method_of
from anthropi.gait.walking import walk as walked
from anthropi.motion import Motion

__all__ = ["explain_words", "walk"]


def explain_words(words: str) -> None:
    """Print the parameters that a style, a script or a script file (.txt) sets.

    The text "words" lists all words that can be used.
    """
    with one_line():
        text = words.strip()
        typer.echo(explain(read_script(text) if text.lower().endswith(".txt") else text))


WORDS = ", ".join(DETERMINANTS)


@app.command()
def walk(
    steps: Annotated[
        int | None, typer.Option("--steps", help="Number of steps; by default 20, or 6 for HIDDS.")
    ] = None,
    speed: Annotated[float | None, typer.Option("--speed", help="Walking speed [m/s].")] = None,
    style: Annotated[
        str | None,
        typer.Option("--style", help="Style, such as tired, happily, very old. --explain words lists all styles."),
    ] = None,
    start: Annotated[str | None, typer.Option("--start", help="Initial state: walk (in steady gait) or stand.")] = None,
    script: Annotated[
        str | None, typer.Option("--script", help='Script, such as "stand 2 s; walk happily", or a .txt file.')
    ] = None,
    explain: Annotated[
        str | None, typer.Option("--explain", help="Print the parameters that a style or script sets, and exit.")
    ] = None,
    walker: Annotated[str | None, typer.Option("--walker", help="Walker parameters: a name or a .toml file.")] = None,
    aid: Annotated[
        list[str] | None, typer.Option("--aid", help="External spring that holds a link upright: thorax=300 [N m/rad].")
    ] = None,
    height: Height = 1.75,
    mass: Mass = 75.0,
    sex: Sex = "m",
    method: Annotated[
        str | None,
        typer.Option("--method", help=f"{' or '.join(METHODS)}; by default chosen from the other options."),
    ] = None,
    detail: Annotated[
        str | None,
        typer.Option("--detail", help="Detail of the figure: standard; for HIDDS also thesis42, thesis51, full."),
    ] = None,
    step_length: Annotated[
        float | None,
        typer.Option("--step-length", help="HIDDS: step length [m]; give one or two of speed, length and frequency."),
    ] = None,
    step_frequency: Annotated[
        float | None, typer.Option("--step-frequency", help="HIDDS: step frequency [steps/min].")
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option("--without", help=f"HIDDS: determinants to switch off: {WORDS}.")
    ] = None,
    frozen: Annotated[
        list[str] | None, typer.Option("--frozen", help="HIDDS: joints that do not move, such as neck,l_elbow.")
    ] = None,
    each: Annotated[
        bool, typer.Option("--each", help="HIDDS: compute every step; by default equal steps are mirrored.")
    ] = False,
    every: Every = 10,
    out: Out = None,
    plot: Plot = None,
    page: Page = None,
    live: Annotated[
        Path | None,
        typer.Option("--live", help="Write a page that plays the walk and simulates it when it is pushed (.html)."),
    ] = None,
    report: Report = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Simulate a person who walks: balanced by a controller, planned by HIDDS, or by a script."""
    if explain is not None:
        explain_words(explain)
        return
    quiet = quiet or as_json
    with one_line():
        check(out, page, plot)
        check_targets(None, {"--live": (live, PAGES)})
        asked: dict[str, Any] = {
            "style": style,
            "start": start,
            "walker": walker,
            "aid": _aids(aid),
            "step_length": step_length,
            "step_frequency": step_frequency,
            "determinants": Determinants().without(*names_of(without)) if without else None,
            "frozen": names_of(frozen) or None,
            "symmetric": False if each else None,
            "every": None if every == 10 else every,
        }
        asked = {name: x for name, x in asked.items() if x is not None}
        figure = human(height, mass, sex, detail or "standard")
        how = "walker" if script is not None else method_of(figure, asked, method)
        shown: dict[str, Any] = {"out": out, "page": page, "plot": plot, "report": report, "as_json": as_json}
        if how == "walker":
            with validity(), bar("walking", quiet) as progress:
                watch = Stopwatch(progress)
                motion = walked(
                    figure,
                    steps,
                    speed=speed,
                    script=script,
                    method=method or how,
                    **asked,
                    strict=False,
                    progress=watch,
                )
            own, say_line = motion.metadata["walk"], say(quiet)
            words = f"{who(motion, height)} " + (
                "follows a script"
                if script is not None
                else f"walks: {own['steps']} steps at {own['speed']:.2f} m/s, {own['style']}"
            )
            if script is not None:
                say_line(own["script"])
            if live is not None:
                _write_live(motion, live, words, say_line, start=start or "walk", walker=walker, style=style)
            end(
                motion,
                say_line,
                words=words,
                caption="Simulated without external support; arrows show ground reaction forces.",
                real_time_factor=watch.real_time_factor(motion),
                gait=script is None,
                **shown,
            )
        else:
            if live is not None:
                raise InputError("--live needs the walker, but this walk is planned by HIDDS. Use --method walker.")
            figure = human(height, mass, sex, detail or "thesis42")
            with printed_warnings(PhysicsWarning), bar("walking", quiet) as progress:
                motion = walked(figure, steps, speed=speed, **asked, method="hidds", progress=progress)
            _planned(motion, say(quiet), **shown)


def _write_live(motion: Motion, file: Path, words: str, say_line, **options: Any) -> None:
    """Write a page that plays a walk, and simulates its figure, in its style, when "Push it" is pressed."""
    own = {name: x for name, x in options.items() if x is not None}
    walk_page(motion, file, live=walker_session(motion.figure, **own)[0], title=words)
    say_line(f"wrote: {file}")


def _aids(words: list[str] | None) -> tuple[Aid, ...] | None:
    """Return the external springs (aids) that texts LINK=STIFFNESS describe."""
    found = []
    for word in names_of(words):
        link, _, stiff = word.partition("=")
        try:
            k = float(stiff or 300.0)
        except ValueError:
            raise InputError(f"--aid {word}: give LINK=STIFFNESS, such as thorax=300 [N m/rad].") from None
        found.append(Aid(link, stiffness=k, damping=0.1 * k))
    return tuple(found) or None


def _planned(motion: Motion, say_line, out, page, plot, report, as_json) -> None:
    """Print the results of a HIDDS walk and write its files."""
    say_line(_plan_table(motion))
    if report and not as_json:
        show(gait_report(motion))
    write(motion, out, None, say_line)
    shown, own = with_feet(motion), motion.metadata["walk"]
    person = who(motion, own["height"])
    how = (
        f"{own['velocity']:.2f} m/s, steps of {own['step_length']:.2f} m, {own['step_frequency']:.0f} steps/min, "
        "by hybrid dynamics."
    )
    if page is not None:
        write(shown, None, page, say_line, title=f"{person} walks", caption=how, view=(-70, 8))
    if plot is not None:
        whole(plot, lambda path: draw(shown, path, f"{person}: {how}"))
        say_line(f"drawn: {plot}")
    if as_json:
        echo_json(
            person_data(motion, f"{person}: {how}", gait=report) | {"files": written(out=out, page=page, plot=plot)}
        )


def _plan_table(motion: Motion):
    """Return a table of the planned gait and of the errors of the computed motion."""
    own = motion.metadata["walk"]
    planned = GaitPlan(height=own["height"], velocity=own["velocity"], step_length=own["step_length"])
    shown = table(f"{own['steps']} steps of a figure of {motion.figure.nu} degrees of freedom", "quantity", ">value")
    force = motion.channels["f_ground"].sum(1)[:, 2] / (motion.figure.mass * 9.81)
    rows = {
        "speed": f"{planned.velocity:.2f} m/s",
        "step length": f"{planned.step_length:.3f} m",
        "step frequency": f"{planned.step_frequency:.1f} steps/min",
        "double support, swing": f"{planned.double_support:.3f}, {planned.swing:.3f} s",
        "vertical ground reaction force": f"{force.min():.2f} to {force.max():.2f} body weights",
        "largest drift of a foot from its footprint": f"{1e3 * own['print_error']:.2f} mm",
        "residual force at the root, RMS": f"{100 * own['residual_force']:.2f} % of the weight",
        "residual moment, RMS": f"{own['residual_moment']:.3f} N m/kg",
        "residual moment about the vertical, RMS": f"{own['residual_yaw']:.3f} N m/kg",
    }
    for what, value in rows.items():
        shown.add_row(what, value)
    return shown
