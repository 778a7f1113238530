"""`anthropi walk --explain "…"`: what words set, printed. Mounted by the command `walk`.

Walk
----
The command `walk`: a person of some height and mass walks, by itself in pure physics, or planned by HIDDS; or obeys
a script of everyday words.
"""

from typing import Annotated, Any

import typer

from anthropi.cli.common import Json, app, echo_json, one_line, table
from anthropi.cli.files import Out, Page, Quiet, bar, names_of, say, whole, write, written
from anthropi.cli.gait_report import show
from anthropi.cli.people import Height, Mass, Picture, Report, Sex, Stopwatch, check, draw, end, person_data, who
from anthropi.errors import InputError
from anthropi.figure.human.build import human
from anthropi.gait.hidds.walking.hidds_walk import with_feet
from anthropi.gait.plan.determinants import DETERMINANTS, Determinants
from anthropi.gait.plan.gait_plan import GaitPlan
from anthropi.gait.report import gait_report
from anthropi.gait.styles import explain, read_script
from anthropi.gait.walker.external_aid import Aid
from anthropi.gait.walking import METHODS, method_of
from anthropi.gait.walking import walk as walked
from anthropi.motion import Motion

__all__ = ["explain_words", "walk"]


def explain_words(words: str) -> None:
    """Print the parameters that a word, a script or a script's file (.txt) sets. "words" lists all words."""
    with one_line():
        told = words.strip()
        typer.echo(explain(read_script(told) if told.lower().endswith(".txt") else told))


WORDS = ", ".join(DETERMINANTS)


@app.command()
def walk(
    steps: Annotated[int | None, typer.Option("--steps", help="How many steps; 20, by HIDDS 6.")] = None,
    speed: Annotated[float | None, typer.Option("--speed", help="[m/s]")] = None,
    style: Annotated[str | None, typer.Option("--style", help="tired, happily, very old …: --explain words.")] = None,
    start: Annotated[str | None, typer.Option("--start", help="walk (on the gait) or stand.")] = None,
    script: Annotated[str | None, typer.Option("--script", help='"stand 2 s; walk happily", or a .txt file.')] = None,
    explain: Annotated[str | None, typer.Option("--explain", help="Print what words set, and do nothing else.")] = None,
    walker: Annotated[str | None, typer.Option("--walker", help="A walker's set by its name, or a .toml file.")] = None,
    aid: Annotated[
        list[str] | None, typer.Option("--aid", help="Hold a segment upright from outside: thorax=300 [N m/rad].")
    ] = None,
    height: Height = 1.75,
    mass: Mass = 75.0,
    sex: Sex = "m",
    method: Annotated[str | None, typer.Option("--method", help=f"{' or '.join(METHODS)}; as options ask.")] = None,
    detail: Annotated[str | None, typer.Option("--detail", help="standard; by HIDDS thesis42, thesis51, full.")] = None,
    step_length: Annotated[
        float | None, typer.Option("--step-length", help="HIDDS: [m]; of speed, length, frequency one or two.")
    ] = None,
    step_frequency: Annotated[float | None, typer.Option("--step-frequency", help="HIDDS: [steps/min]")] = None,
    without: Annotated[
        list[str] | None, typer.Option("--without", help=f"HIDDS: determinants to switch off: {WORDS}.")
    ] = None,
    frozen: Annotated[
        list[str] | None, typer.Option("--frozen", help="HIDDS: joints that do not move: neck,l_elbow,r_elbow.")
    ] = None,
    each: Annotated[
        bool, typer.Option("--each", help="HIDDS: compute each step; else equal ones are mirror images.")
    ] = False,
    out: Out = None,
    picture: Picture = None,
    page: Page = None,
    report: Report = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """A person walks, in balance by itself; or by --method hidds, planned; or as --script says."""
    if explain is not None:
        explain_words(explain)
        return
    quiet = quiet or as_json
    with one_line():
        check(out, page, picture)
        asked: dict[str, Any] = {"style": style, "start": start, "walker": walker, "aid": _aids(aid),
                                 "step_length": step_length, "step_frequency": step_frequency,
                                 "determinants": Determinants().without(*names_of(without)) if without else None,
                                 "frozen": names_of(frozen) or None, "symmetric": False if each else None}  # fmt: skip
        asked = {name: x for name, x in asked.items() if x is not None}
        figure = human(height, mass, sex, detail or "standard")
        how = "walker" if script is not None else method_of(figure, asked, method)
        shown: dict[str, Any] = {"out": out, "page": page, "picture": picture, "report": report, "as_json": as_json}
        if how == "walker":
            with bar("walking", quiet) as progress:
                watch = Stopwatch(progress)
                motion = walked(figure, steps, speed=speed, script=script, method=method or how, **asked, strict=False,
                                progress=watch)  # fmt: skip
            own, tell = motion.metadata["walk"], say(quiet)
            words = f"{who(motion, height)} " + ("obeys" if script is not None else
                    f"walks: {own['steps']} steps at {own['speed']:.2f} m/s, {own['style']}")  # fmt: skip
            if script is not None:
                tell(own["script"])
            end(motion, tell, words=words, caption="In pure physics; arrows: the ground's force.",
                faster=watch.faster(motion), gait=script is None, **shown)  # fmt: skip
        else:
            figure = human(height, mass, sex, detail or "thesis42")
            with bar("walking", quiet) as progress:
                motion = walked(figure, steps, speed=speed, **asked, method="hidds", progress=progress)
            _planned(motion, say(quiet), **shown)


def _aids(words: list[str] | None) -> tuple[Aid, ...] | None:
    """Aids of LINK=STIFFNESS."""
    found = []
    for word in names_of(words):
        link, _, stiff = word.partition("=")
        try:
            k = float(stiff or 300.0)
        except ValueError:
            raise InputError(f"--aid {word}: give SEGMENT=STIFFNESS, as thorax=300 [N m/rad].") from None
        found.append(Aid(link, stiffness=k, damping=0.1 * k))
    return tuple(found) or None


def _planned(motion: Motion, tell, out, page, picture, report, as_json) -> None:
    """Print and write a walk by HIDDS."""
    tell(_told(motion))
    if report and not as_json:
        show(gait_report(motion))
    write(motion, out, None, tell)
    shown, own = with_feet(motion), motion.metadata["walk"]
    somebody = who(motion, own["height"])
    how = (f"{own['velocity']:.2f} m/s, steps of {own['step_length']:.2f} m, {own['step_frequency']:.0f} a minute, "
           "by hybrid dynamics.")  # fmt: skip
    if page is not None:
        write(shown, None, page, tell, title=f"{somebody} walks", caption=how, view=(-70, 8))
    if picture is not None:
        whole(picture, lambda path: draw(shown, path, f"{somebody}: {how}"))
        tell(f"drawn: {picture}")
    if as_json:
        echo_json(person_data(motion, f"{somebody}: {how}", gait=report)
                  | {"files": written(out=out, page=page, picture=picture)})  # fmt: skip


def _told(motion: Motion):
    """What was planned, and what came of it."""
    own = motion.metadata["walk"]
    planned = GaitPlan(height=own["height"], velocity=own["velocity"], step_length=own["step_length"])
    shown = table(f"{own['steps']} steps of a figure of {motion.figure.nu} degrees of freedom", "what", ">is")
    force = motion.channels["f_ground"].sum(1)[:, 2] / (motion.figure.mass * 9.81)
    rows = {"speed": f"{planned.velocity:.2f} m/s", "step length": f"{planned.step_length:.3f} m",
            "step frequency": f"{planned.step_frequency:.1f} steps/min",
            "double support, swing": f"{planned.double_support:.3f}, {planned.swing:.3f} s",
            "ground's vertical force": f"{force.min():.2f} to {force.max():.2f} body weights",
            "most that a foot leaves its print": f"{1e3 * own['print_error']:.2f} mm",
            "residual force at the root, RMS": f"{100 * own['residual_force']:.2f} % of the weight",
            "residual moment, RMS": f"{own['residual_moment']:.3f} N m/kg",
            "of it about the vertical": f"{own['residual_yaw']:.3f} N m/kg"}  # fmt: skip
    for what, value in rows.items():
        shown.add_row(what, value)
    return shown
