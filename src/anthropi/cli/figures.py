"""`anthropi info` and `anthropi convert`: describe figures and motions, and convert between file formats."""

import contextlib
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from anthropi.cli.captures import Forward, Mass, Of, Static, Units, Up, described
from anthropi.cli.common import (
    By,
    Folders,
    Json,
    Named,
    Root,
    Strict,
    app,
    echo_json,
    named,
    one_line,
    reading,
    table,
)
from anthropi.cli.costs import cost_tables, costs
from anthropi.cli.files import printed_warnings, written
from anthropi.cli.motions import ReadingOptions, convert_motion, holds_motion, motion_lines, motion_of
from anthropi.errors import FileError, FormatWarning, InputError
from anthropi.figure.joints.base import ACTING
from anthropi.formats import Reading, write
from anthropi.formats.figures.common import InitialState

__all__ = ["convert", "info"]

RATED = ("effort", "velocity")


Scale = Annotated[
    str | None,
    typer.Option("--scale", help="Length unit of a .bvh file: a number [m], or m, dm, cm, mm, inch, foot, cmu."),
]
Names = Annotated[
    str | None,
    typer.Option("--names", help="Parts of the body: l_thigh=MyLeg,r_thigh=… or a .toml or .json file of them."),
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
    strict: Strict = False,
    folders: Folders = None,
    scale: Scale = None,
    of: Of = None,
    up: Up = None,
    forward: Forward = None,
    names: Names = None,
    units: Units = None,
    as_json: Json = False,
) -> None:
    """Describe a figure, a motion and its figure, or a recording: markers, force plates, events."""
    with one_line(), printed_warnings(FormatWarning):
        lines: list[str] = []
        if holds_motion(Path(name)) and Path(name).exists():
            if of is None and Path(name).is_file() and described(Path(name), up, forward, units, as_json):
                return
            given = ReadingOptions(scale, of, up=up, forward=forward, names=names, root=root, units=units)
            found, lines = _moving(Path(name), given)
        else:
            found = named(name, by, root, strict, folders)
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
            word = "changed" if note.changed else "left out"
            console.print(Text(f"{word}: {note}", style="yellow" if note.matters else "dim"))
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
    strict: Strict = False,
    folders: Folders = None,
    scale: Scale = None,
    of: Of = None,
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
    up: Up = None,
    forward: Forward = None,
    names: Names = None,
    rest: Annotated[
        str | None,
        typer.Option("--rest", help="Upright pose of a captured skeleton: a time [s], zero, or auto (the default)."),
    ] = None,
    feet: Annotated[
        str | None,
        typer.Option("--feet", help="Feet of a retargeted motion: follow the skeleton, lock to the ground, or free."),
    ] = None,
    units: Units = None,
    mass: Mass = None,
    static: Static = None,
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
            given = ReadingOptions(scale, of, degrees, up, forward, names, root, rest, units, mass, static)
            convert_motion(source, target, given, onto, feet, from_time, to_time, as_json)
            return
        of_motions = (onto, scale, of, from_time, to_time, up, forward, units, mass, names, rest, feet, static)
        if degrees or any(x is not None for x in of_motions):
            raise InputError(
                f"{source} contains a figure. --scale, --of, --degrees, --onto, --from-time, --to-time, --up, "
                "--forward, --units, --mass, --static, --names, --rest and --feet apply to motions. Leave them out."
            )
        found = reading(source, by, root, strict, folders)
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
        for words, several in (("reading", found.notes), ("writing", notes)):
            for note in several:
                done = "changed" if note.changed else "left out"
                console.print(Text(f"{done} on {words}: {note}", style="yellow" if note.matters else "dim"))
        console.print(Text(f"wrote {target}: {found.figure.n} links, {found.figure.nu} degrees of freedom"))


def _moving(path: Path, given: ReadingOptions) -> tuple[Reading, list[str]]:
    """Return the figure of a motion in its first frame, and a description of the motion."""
    motion = motion_of(path, given)
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
        | {word: getattr(joint.ratings[k], word) for word in RATED}
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
    columns = ["#", "dof", "lower", "upper", "stiffness", "damping", "armature"]
    joints = [(j, k) for j in figure.joints for k in range(j.nu)]
    rated = [word for word in RATED if any(np.isfinite(getattr(j.ratings[k], word)) for j, k in joints)]
    shown = table("Degrees of freedom (rad or m)", *(c if c == "dof" else f">{c}" for c in (*columns, *rated)))
    for n, (name, (joint, k)) in enumerate(zip(figure.dofs, joints, strict=True)):
        bounds = ["" if np.isinf(v) else f"{float(v):.4g}" for v in (joint.lower[k], joint.upper[k])]
        acting = [f"{float(v):.4g}" if v else "" for v in (joint.stiffness[k], joint.damping[k], joint.armature[k])]
        drive = [getattr(joint.ratings[k], word) for word in rated]
        ratings = ["" if np.isinf(v) else f"{v:.4g}" for v in drive]
        shown.add_row(*map(Text, [str(n), name, *bounds, *acting, *ratings]))
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
