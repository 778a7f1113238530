"""`anthropi info` and `anthropi convert`: describe figures and motions, and convert between file formats."""

import contextlib
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from anthropi.cli.captures import Forward, Mass, Of, Units, Up, capture_lines, described, figure_of, motion_of
from anthropi.cli.common import By, Json, Named, Root, app, echo_json, named, one_line, reading, table
from anthropi.cli.costs import cost_tables, costs
from anthropi.cli.files import bar, motion_data, printed_warnings, written
from anthropi.errors import FileError, FormatWarning, InputError
from anthropi.figure import Figure
from anthropi.figure.human.build import human
from anthropi.figure.joints.base import ACTING
from anthropi.formats import Reading, export, write
from anthropi.formats.figures.common import InitialState
from anthropi.formats.registry import extensions, find_format
from anthropi.motion import Motion
from anthropi.motion.retargeting import retarget

__all__ = ["convert", "convert_motion", "holds_motion", "info", "motion_lines", "motion_of"]


MOTION_EXTENSIONS = extensions("motion", "read")


def holds_motion(path: Path) -> bool:
    """Return whether a path is a folder or has the extension of a motion file."""
    return path.suffix.lower() in MOTION_EXTENSIONS or path.is_dir()


def convert_motion(
    source: Path,
    target: Path,
    scale: str | None,
    figure: str | None,
    degrees: bool,
    onto: str | None,
    start: float | None = None,
    end: float | None = None,
    as_json: bool = False,
    mass: float | None = None,
    **reading: Any,
) -> None:
    """Read a motion, cut it, retarget it, and write it in the format of the target's extension.

    Parameters
    ----------
    source, target : files.
    scale, figure, degrees : options of the reader, as in `motion_of`.
    onto : figure to retarget to: a height [m], the name or file of a figure, or "human". None does not retarget.
    start, end : part to keep [s].
    as_json : whether the result is printed as JSON.
    mass : [kg] of the person.
    reading : further options of the reader: up, forward, units.
    """
    kind = find_format(target, ("motion", "project"), "write")
    with printed_warnings(FormatWarning):
        motion = motion_of(source, scale, figure, degrees, mass=mass if onto is None else None, **reading)
    if start is not None or end is not None:
        motion = motion.slice(start, end)
    if onto is not None:
        motion = retarget(motion, _onto(onto, mass))
        if mass is not None and onto == "human":
            motion = motion.changed(figure=motion.figure.scale(1.0, mass=mass))
    options: dict[Any, Any] = {"title": source.stem} if kind.holds == "motion" and "title" in kind.write_options else {}
    slow = kind.name in ("mp4", "zip")
    with bar("writing", as_json or not slow) as progress:
        export(motion, target, **options, **({"progress": progress} if slow else {}))
    if as_json:
        echo_json({"wrote": str(target), "motion": motion_data(motion), "notes": motion_lines(motion)[1:]})
        return
    console = Console(soft_wrap=True)
    for line in motion_lines(motion):
        console.print(Text(line))
    console.print(
        Text(f"wrote {target}: {len(motion)} frames of {motion.figure.name}, {motion.figure.nu} degrees of freedom")
    )


def _onto(word: str, mass: float | None) -> Figure | None:
    """Return the figure to retarget to: a person of a height [m] and a mass [kg], or a named figure.

    None, for "human", means a person of the size of the source.
    """
    try:
        height = float(word)
    except ValueError:
        return None if word == "human" else figure_of(word, mass)
    return human(height) if mass is None else human(height, mass)


def motion_lines(motion: Motion) -> list[str]:
    """Describe a motion in lines of text."""
    frames, span = len(motion), float(motion.time[-1] - motion.time[0])
    rate = f", {(frames - 1) / span:.5g} per second" if span else ""
    rollouts = f"{len(motion.q)} rollouts of " if motion.q.ndim == 3 else ""
    lines = [
        f"motion: {rollouts}{frames} frames{rate}, from {motion.time[0]:g} to {motion.time[-1]:g} s; "
        f"{len(motion.channels)} channels, {len(motion.events)} events"
    ]
    about = motion.metadata.get("bvh")
    if isinstance(about, dict):
        lines.append(
            f"BVH: 1 unit is {about['scale']:g} m ({about['unit']}), size of the skeleton {about['size']:.3g} m; "
            f"{about['up']} up, {about['forward']} forward; masses {about['masses']}"
        )
    about = motion.metadata.get("retarget")
    if isinstance(about, dict):
        worst = np.rad2deg(motion.channels["direction_error"]).max()
        lines.append(
            f"retargeted from {about['from']}: lengths × {about['scale']:.4g}, limbs within {worst:.2g}° of "
            f"the source, ankles within {1e3 * motion.channels['ankle_error'].max():.2g} mm"
        )
    about = motion.metadata.get("markers")
    if isinstance(about, dict):
        worst_of = about["largest error"]
        name = max(worst_of, key=worst_of.get)
        lines.append(
            f"{len(worst_of)} markers, largest error {1e3 * worst_of[name]:.3g} mm ({name}); "
            f"figure scaled by {about['scale']:.5g}"
        )
    return lines + capture_lines(motion)


Scale = Annotated[
    str | None, typer.Option("--scale", help="Length unit of a .bvh file: a number [m], or m, cm, mm, inch, cmu.")
]


@app.command()
def info(
    name: Named,
    connectivity: Annotated[
        bool, typer.Option("--connectivity", help="Print the connectivity matrix of joints and links.")
    ] = False,
    cost: Annotated[
        bool, typer.Option("--cost", help="Count the operations of the algorithms for this figure.")
    ] = False,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw the figure (.png, .svg, .pdf).")] = None,
    by: By = None,
    root: Root = None,
    scale: Scale = None,
    of: Of = None,
    up: Up = None,
    forward: Forward = None,
    units: Units = None,
    as_json: Json = False,
) -> None:
    """Describe a figure, a motion and its figure, or a recording: markers, force plates, events."""
    with one_line(), printed_warnings(FormatWarning):
        lines: list[str] = []
        if holds_motion(Path(name)) and Path(name).exists():
            if of is None and Path(name).is_file() and described(Path(name), up, forward, units, as_json):
                return
            found, lines = _moving(Path(name), scale, of, up=up, forward=forward, units=units)
        else:
            found = named(name, by, root)
        console = Console(soft_wrap=False, quiet=as_json)
        figure = found.figure
        for line in lines:
            console.print(Text(line))
        console.print(
            Text(
                f"{figure.name}: {figure.n} links, {figure.nu} degrees of freedom (nq = {figure.nq}), "
                f"{float(figure.mass):.6g} kg, gravity {_vector(figure.gravity)} m/s²"
            )
        )
        console.print(_links(figure))
        if figure.nu:
            console.print(_dofs(figure))
        if figure.markers or figure.loops:
            names = ", ".join(m.name for m in (*figure.markers, *figure.loops))
            console.print(Text(f"{len(figure.markers)} markers, {len(figure.loops)} loops: {names}"))
        if connectivity:
            console.print(_connectivity(figure))
        if cost:
            for part in cost_tables(figure):
                console.print(part)
        for note in found.notes:
            console.print(Text(f"left out: {note}", style="yellow" if note.matters else "dim"))
        if plot is not None:
            _draw(found, plot)
            console.print(Text(f"drawn: {plot}"))
        if as_json:
            echo_json(figure_data(found, lines, cost) | {"files": written(plot=plot)})


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(help="File to read.")],
    target: Annotated[Path, typer.Argument(help="File to write; its extension determines the format.")],
    by: By = None,
    root: Root = None,
    scale: Scale = None,
    of: Of = None,
    up: Up = None,
    forward: Forward = None,
    units: Units = None,
    mass: Mass = None,
    degrees: Annotated[
        bool, typer.Option("--degrees", help="Angles without a unit in a .csv file are in degrees.")
    ] = False,
    onto: Annotated[
        str | None, typer.Option("--onto", help="Retarget the motion: a body height [m], a figure, or 'human'.")
    ] = None,
    from_time: Annotated[
        float | None,
        typer.Option("--from-time", help="Start of the motion [s]; 0.01 skips the T-pose that starts CMU files."),
    ] = None,
    to_time: Annotated[float | None, typer.Option("--to-time", help="End of the motion [s].")] = None,
    as_json: Json = False,
) -> None:
    """Convert a figure or a motion to another file format.

    A figure is written with its initial state. A motion can also be written as a page (.html), glTF (.glb), a film
    (.mp4), pictures (.png, .zip) or a table (.csv, .trc, .mot).
    """
    with one_line():
        if target.exists() and source.exists() and target.samefile(source):
            raise FileError(f"{target} is the input file. Choose another name for the output.")
        if holds_motion(source):
            axes = {"up": up, "forward": forward, "units": units}
            convert_motion(source, target, scale, of, degrees, onto, from_time, to_time, as_json, mass, **axes)
            return
        if degrees or any(x is not None for x in (onto, scale, of, from_time, to_time, up, forward, units, mass)):
            raise InputError(
                f"{source} contains a figure. --scale, --of, --degrees, --onto, --from-time, --to-time, --up, "
                "--forward, --units and --mass apply to motions only. Leave them out."
            )
        found = reading(source, by, root)
        notes = write(found.figure, target, found.state)
        if as_json:
            echo_json(
                {
                    "wrote": str(target),
                    "figure": found.figure.name,
                    "links": found.figure.n,
                    "dofs": found.figure.nu,
                    "left_out_on_reading": [str(note) for note in found.notes],
                    "left_out_on_writing": [str(note) for note in notes],
                }
            )
            return
        console = Console(soft_wrap=True)
        for words, several in (("left out on reading", found.notes), ("left out on writing", notes)):
            for note in several:
                console.print(Text(f"{words}: {note}", style="yellow" if note.matters else "dim"))
        console.print(Text(f"wrote {target}: {found.figure.n} links, {found.figure.nu} degrees of freedom"))


def _moving(path: Path, scale: str | None, of: str | None, **reading: Any) -> tuple[Reading, list[str]]:
    """Return the figure of a motion in its first frame, and a description of the motion."""
    motion = motion_of(path, scale, of, **reading)
    q, u = (np.asarray(x.reshape(-1, x.shape[-1])[0], float) for x in (motion.q, motion.u))
    return Reading(motion.figure, InitialState(q, u, np.zeros(motion.figure.nu))), motion_lines(motion)


def figure_data(found: Reading, lines: list[str], cost: bool) -> dict[Any, Any]:
    """Describe a figure as data for JSON."""
    figure = found.figure
    links = [
        {
            "name": link.name,
            "parent": None if p < 0 else figure.links[p].name,
            "mass": float(link.mass),
            "centre": link.centre,
            "joint": joint.name,
            "kind": joint.kind,
            "dofs": list(joint.dofs),
        }
        for link, joint, p in zip(figure.links, figure.joints, figure.parent, strict=True)
    ]
    joints = [(j, k) for j in figure.joints for k in range(j.nu)]
    dofs = {
        name: {word: float(getattr(joint, word)[k]) for word in ("lower", "upper", *ACTING)}
        for name, (joint, k) in zip(figure.dofs, joints, strict=True)
    }
    data = {
        "name": figure.name,
        "nq": figure.nq,
        "nu": figure.nu,
        "mass": float(figure.mass),
        "links": links,
        "dofs": dofs,
        "gravity": figure.gravity,
        "markers": [m.name for m in figure.markers],
        "loops": [x.name for x in figure.loops],
        "about": lines,
        "notes": [str(note) for note in found.notes],
    }
    if cost:
        data["operations"] = {name: counts.total for name, counts in costs(figure).items()}
    return data


def _links(figure) -> Table:
    shown = table("Links", ">#", "link", "parent", "joint", "type", ">dof", ">mass kg")
    for i, (link, joint, p) in enumerate(zip(figure.links, figure.joints, figure.parent, strict=True)):
        above = "the world" if p < 0 else figure.links[p].name
        row = [str(i), link.name, above, joint.name, joint.kind, str(joint.nu), f"{float(link.mass):.5g}"]
        shown.add_row(*map(Text, row))
    return shown


def _dofs(figure) -> Table:
    shown = table(
        "Degrees of freedom (rad or m)", ">#", "dof", ">lower", ">upper", ">stiffness", ">damping", ">armature"
    )
    joints = [(j, k) for j in figure.joints for k in range(j.nu)]
    for n, (name, (joint, k)) in enumerate(zip(figure.dofs, joints, strict=True)):
        bounds = ["" if np.isinf(v) else f"{float(v):.4g}" for v in (joint.lower[k], joint.upper[k])]
        acting = [f"{float(v):.4g}" if v else "" for v in (joint.stiffness[k], joint.damping[k], joint.armature[k])]
        shown.add_row(*map(Text, [str(n), name, *bounds, *acting]))
    return shown


def _connectivity(figure) -> Table:
    """Return a table of the connectivity of joints (rows) and links (columns, by index)."""
    shown = table("Connectivity (joints × links)", "joint", *(str(i) for i in range(figure.n)))
    for joint, row in zip(figure.joints, figure.connectivity(), strict=True):
        shown.add_row(Text(joint.name), *("x" if connected else "·" for connected in row))
    return shown


def _vector(values) -> str:
    return "(" + ", ".join(f"{float(v):.4g}" for v in values) + ")"


def _draw(found: Reading, plot: Path) -> None:
    """Draw the figure in its initial state."""
    with contextlib.suppress(ImportError):  # without matplotlib, drawing raises MissingExtra
        import matplotlib

        matplotlib.use("Agg")
    axes = found.figure.draw(found.state.q)
    try:
        axes.figure.savefig(plot)
    except (OSError, ValueError) as error:
        raise FileError(f"{plot} cannot be drawn: {error}.") from None
