"""Options of the subcommands that read captured motion, and descriptions of recordings for `anthropi info`."""

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from anthropi.cli.common import echo_json, named, table
from anthropi.errors import FormatError, InputError
from anthropi.figure import Figure
from anthropi.figure.human.build import human
from anthropi.formats import load_capture, load_forces
from anthropi.formats.motions.tables.opensim import read as read_table
from anthropi.formats.registry import find_format
from anthropi.gait.hidds.ground_force_estimate import estimate_ground_forces
from anthropi.motion import Motion
from anthropi.motion.capture import Capture
from anthropi.motion.ground_forces import GroundForces
from anthropi.motion.plate_contacts import Stance, with_ground_forces

__all__ = [
    "Forces", "Forward", "Mass", "Of", "Static", "Units", "Up", "capture_lines", "described", "figure_of", "followed",
    "forces_added", "number_in", "of_mass",
]  # fmt: skip

Up = Annotated[str | None, typer.Option("--up", help="Axis of a captured file that points up: x, y, z, -x, -y or -z.")]
Forward = Annotated[str | None, typer.Option("--forward", help="Axis of a captured file that points forward.")]
Units = Annotated[
    str | None, typer.Option("--units", help="Length unit of captured markers: m, dm, cm, mm, inch, or a number [m].")
]
Mass = Annotated[float | None, typer.Option("--mass", help="Body mass of the person [kg].")]
Forces = Annotated[
    Path | None,
    typer.Option(
        "--forces",
        help="Ground forces: .c3d, .mot, .sto, OpenSim's ExternalLoads (.xml), or the word 'estimated'.",
    ),
]
Of = Annotated[str | None, typer.Option("--of", help="Figure of markers or a table (.c3d, .trc, .csv, .mot, .sto).")]
Static = Annotated[
    Path | None,
    typer.Option(
        "--static", help="Standing trial (.c3d, .trc) to which a human is scaled, which then follows markers."
    ),
]
ESTIMATED = "estimated"  # in place of a file of ground forces
TABLES = (".mot", ".sto")
SIDES = {"l": "left foot", "r": "right foot", "": "no foot"}


def number_in(word: str | None) -> Any:
    """Return the value of a word of the command line, or the word if it is not a number."""
    try:
        return None if word is None else float(word)
    except ValueError:
        return word  # a unit by name


def figure_of(word: str, mass: float | None = None, source: Path | None = None) -> Figure:
    """Return a figure by name, with a given mass [kg]. A human has the mass and height that a C3D file states."""
    if word != "human":
        figure = named(word).figure
        return figure if mass is None else of_mass(figure, mass)
    about: dict[str, float] = {} if mass is None else {"mass": mass}
    if source is not None and source.suffix.lower() == ".c3d":
        subject = load_capture(source, forces=False).subject
        about = {k: x for k, x in (("height", subject.height), ("mass", subject.mass)) if x is not None} | about
    return human(**about)  # type: ignore[arg-type]


def of_mass(figure: Figure, mass: float) -> Figure:
    """Return a figure with another mass [kg]."""
    if not 0.0 < mass < 1e6:
        raise InputError(f"--mass {mass:g}: give a mass in kg, more than 0.")
    return figure.scale(1.0, mass=mass)


def followed(path: Path, static: Path, of: str | None, mass: float | None, options: dict[str, Any]) -> Motion:
    """Return the motion of a person who is scaled to a standing trial and follows the markers of a file.

    path, static : files of markers. of : must be "human" or None. mass : [kg]. options : up, forward, units of both.
    """
    if of not in (None, "human"):
        raise InputError(f"--static scales a human, so that --of {of} cannot be used with it. Leave one of them out.")
    for file in (path, static):
        if not find_format(file, "motion").capture:
            raise InputError(f"{file} is no file of markers. --static needs .c3d, .trc or .csv files.")
    person = load_capture(static, **options).person(**({} if mass is None else {"mass": mass}))
    return load_capture(path, **options).motion(person)


def forces_added(motion: Motion, forces: Path | None, up: str | None = None, forward: str | None = None) -> Motion:
    """Return the motion with the ground forces in a file as contacts; without a file, return it unchanged.

    forces : the file, or "estimated" to estimate them from the motion.
    """
    if forces is None:
        return motion
    if str(forces) == ESTIMATED:
        return with_ground_forces(motion, estimate_ground_forces(motion))
    options = {name: value for name, value in (("up", up), ("forward", forward)) if value is not None}
    return with_ground_forces(motion, load_forces(forces, **options))


def capture_lines(motion: Motion) -> list[str]:
    """Describe how the axes, units and forces of a captured motion were found."""
    about = motion.metadata.get("capture")
    lines = list(about["notes"]) if isinstance(about, dict) and isinstance(about.get("notes"), list) else []
    about = motion.metadata.get("ground_forces")
    if isinstance(about, dict):
        lines += [note for note in about.get("notes", ()) if note not in lines]
        for stance in about.get("stances", ()):
            if stance["foot"]:
                lines.append(
                    f"{stance['plate']}: {stance['foot']} from {stance['start']:.2f} to {stance['end']:.2f} s, centre "
                    f"of pressure {1e3 * stance['distance']:.0f} mm from the foot"
                )
    return [str(line) for line in lines]


def described(
    path: Path, up: str | None = None, forward: str | None = None, units: str | None = None, as_json: bool = False
) -> bool:
    """Print a description of the recording or the table in a file. Return False if the file contains neither."""
    options = {n: x for n, x in (("up", up), ("forward", forward), ("units", number_in(units))) if x is not None}
    kind = find_format(path, "motion")
    if path.suffix.lower() in TABLES:
        _describe_table(path, as_json)
        return True
    if not kind.capture:
        return False
    try:
        found = load_capture(path, **options)
    except FormatError:
        if kind.name == "csv":  # a table of coordinates
            return False
        raise
    stand = found.stances()
    if as_json:
        echo_json(_data(found, stand))
        return True
    console = Console(soft_wrap=True)
    for line in _lines(found):
        console.print(Text(line))
    console.print(_markers(found))
    if found.forces is not None:
        console.print(_plates(found.forces, found.subject.mass, stand))
    for note in found.notes:
        console.print(Text(note))
    return True


def _lines(capture: Capture) -> list[str]:
    time, subject = capture.time, capture.subject
    rate = f", {capture.rate:.5g} per second" if capture.rate else ""
    lines = [
        f"recording: {len(capture)} frames{rate}, from {time[0]:g} to {time[-1]:g} s; {len(capture.markers)} markers, "
        f"{len(capture.outputs)} results of a model, {len(capture.events)} events"
    ]
    own = [
        subject.name,
        f"{subject.mass:.4g} kg" if subject.mass else "",
        f"{subject.height:.4g} m" if subject.height else "",
    ]
    if any(own):
        lines.append(f"subject: {', '.join(word for word in own if word)}")
    if capture.analog is not None:
        fine = (len(capture.analog.time) - 1) / max(float(np.ptp(capture.analog.time)), 1e-12)
        names = list(capture.analog.channels)
        few = ", ".join(names[:12]) + (" …" if len(names) > 12 else "")
        lines.append(f"{len(names)} analog channels, {fine:.5g} per second: {few}")
    for event in capture.events[:20]:
        who = f"{SIDES.get(event.foot, event.foot)} {event.what}" if hasattr(event, "foot") else event.what
        lines.append(f"event at {event.time:.3f} s: {who}")
    return lines


def _markers(capture: Capture) -> Table:
    shown = table("Markers", "marker", ">seen %", ">lowest z m", ">highest z m", ">residual mm")
    share = capture.seen()
    for label, x in capture.markers.items():
        row = ["", "", ""]
        if share[label]:
            z = x[:, 2]
            row[:2] = [f"{np.nanmin(z):.3f}", f"{np.nanmax(z):.3f}"]
        own = capture.residuals.get(label)
        if own is not None and np.isfinite(own).any():
            row[2] = f"{1e3 * np.nanmean(own):.2f}"
        shown.add_row(*map(Text, [label, f"{100.0 * share[label]:.0f}", *row]))
    return shown


def _plates(forces: GroundForces, mass: float | None, stand: tuple[Stance, ...]) -> Table:
    shown = table("Force plates", "plate", "loaded by", "from s", "to s", ">largest N", ">of the weight", ">inside %")
    for plate in forces.plates:
        spans = plate.intervals()
        for start, end in spans or [(np.nan, np.nan)]:
            rows = (plate.time >= start) & (plate.time <= end) & plate.loaded
            who = next((s for s in stand if (s.plate, s.start) == (plate.name, start)), None)
            foot = SIDES.get(who.foot, who.foot) + (f" ({who.words})" if who.words else "") if who else ""
            load = float(plate.load[rows].max(initial=0.0))
            inside = f"{100.0 * plate.inside()[rows].mean():.0f}" if rows.any() and plate.corners is not None else ""
            share = f"{load / (9.81 * mass):.3f}" if mass else ""
            cells = [f"{start:.3f}", f"{end:.3f}", f"{load:.1f}", share, inside] if spans else ["", "", "", "", ""]
            shown.add_row(*map(Text, [plate.name, foot if spans else "not loaded", *cells]))
    return shown


def _data(capture: Capture, stand: tuple[Stance, ...]) -> dict[str, Any]:
    """Describe a recording as data for JSON."""
    return {
        "name": capture.name,
        "frames": len(capture),
        "rate": capture.rate,
        "start": capture.time[0],
        "end": capture.time[-1],
        "markers": capture.seen(),
        "outputs": dict(capture.output_units),
        "analog": [] if capture.analog is None else list(capture.analog.channels),
        "subject": {"name": capture.subject.name, "mass": capture.subject.mass, "height": capture.subject.height},
        "events": list(capture.events),
        "plates": []
        if capture.forces is None
        else [
            {"name": p.name, "corners": p.corners, "largest": float(p.load.max()), "loads": p.intervals()}
            for p in capture.forces.plates
        ],
        "stances": list(stand),
        "notes": list(capture.notes),
    }


def _describe_table(path: Path, as_json: bool) -> None:
    """Print the columns of an OpenSim table, and the ground forces in it."""
    found = read_table(path, missing=True)
    units = {
        None: "angles in a unit that the file does not give",
        True: "angles in degrees",
        False: "angles in radians",
    }
    lines = [
        f"table: {len(found.time)} rows, from {found.time[0]:g} to {found.time[-1]:g} s; {len(found.columns)} columns; "
        f"{units[found.in_degrees]}",
        f"columns: {', '.join(found.columns)}",
        *found.notes,
    ]
    try:
        forces: GroundForces | None = load_forces(path)
    except FormatError:
        forces = None
        lines.append(f"To read it as a motion, name its figure: anthropi convert {path} motion.npz --of human")
    if as_json:
        echo_json(
            {
                "rows": len(found.time),
                "columns": list(found.columns),
                "in_degrees": found.in_degrees,
                "notes": lines[2:],
            }
        )
        return
    console = Console(soft_wrap=True)
    for line in lines:
        console.print(Text(line))
    if forces is not None:
        console.print(_plates(forces, None, ()))
        for note in forces.notes:
            console.print(Text(note))
