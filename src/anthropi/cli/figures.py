"""`anthropi info` and `anthropi convert`: describe figures and motions, and convert between file formats."""

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from anthropi.cli.common import By, Json, Named, Root, app, echo_json, named, one_line, reading, table
from anthropi.cli.costs import cost_tables, costs
from anthropi.cli.files import bar, motion_data, pairs_in, validity, written
from anthropi.errors import FileError, InputError
from anthropi.figure import Figure
from anthropi.figure.human.build import human
from anthropi.figure.joints.base import ACTING
from anthropi.formats import Reading, export, load_motion, write
from anthropi.formats.figures.common import InitialState
from anthropi.formats.registry import extensions, find_format
from anthropi.motion import Motion
from anthropi.motion.retargeting import retarget

__all__ = ["ReadingOptions", "convert", "convert_motion", "holds_motion", "info", "motion_lines", "motion_of"]


MOTION_EXTENSIONS = extensions("motion", "read")


def holds_motion(path: Path) -> bool:
    """Return whether a path is a folder or has the extension of a motion file."""
    return path.suffix.lower() in MOTION_EXTENSIONS or path.is_dir()


@dataclass(frozen=True)
class ReadingOptions:
    """Options for reading a motion and for retargeting it, as words of the command line; None where not given.

    scale : length unit, as a number [m] or a name. of : name of the figure, for tables. degrees : whether angles
    without a unit are in degrees. up, forward : axes of the file. names : assignments, see `pairs_in`. root : name of
    the skeleton to read. rest : rest pose of the skeleton: a time [s], "zero" or "auto".
    """

    scale: str | None = None
    of: str | None = None
    degrees: bool = False
    up: str | None = None
    forward: str | None = None
    names: str | None = None
    root: str | None = None
    rest: str | None = None


def motion_of(path: Path, given: ReadingOptions = ReadingOptions()) -> Motion:
    """Load the motion in a file; raise an error for options that its format does not have."""
    options: dict[Any, Any] = {
        name: value for name in ("up", "forward", "root") if (value := getattr(given, name)) is not None
    }
    if given.scale is not None:
        try:
            options["scale"] = float(given.scale)
        except ValueError:
            options["scale"] = given.scale  # a unit by name
    if given.names is not None and path.is_file() and "names" in find_format(path, "motion").read_options:
        options["names"] = pairs_in(given.names)
    if given.of is not None:
        options["figure"] = named(given.of).figure
    elif path.is_file() and find_format(path, "motion").needs_figure:
        raise InputError(
            f"{path} is a table, which does not name its figure. Give --of human, or --of with a figure file."
        )
    if given.degrees:
        options["degrees"] = True
    return load_motion(path, **options)


def convert_motion(
    source: Path,
    target: Path,
    given: ReadingOptions,
    onto: str | None,
    feet: str | None = None,
    start: float | None = None,
    end: float | None = None,
    as_json: bool = False,
) -> None:
    """Read a motion, cut it, retarget it, and write it in the format of the target's extension.

    Parameters
    ----------
    source, target : files.
    given : options of the reader and of retargeting.
    onto : figure to retarget to: a height [m], the name or file of a figure, or "human". None does not retarget.
    feet : "lock", "follow" or "free", see `FEET`. None is "follow".
    start, end : part to keep [s].
    as_json : whether the result is printed as JSON.
    """
    kind = find_format(target, ("motion", "project"), "write")
    motion = motion_of(source, given)
    read_lines = motion_lines(motion)[1:]
    if start is not None or end is not None:
        motion = motion.slice(start, end)
    if onto is None and (given.rest is not None or feet is not None):
        raise InputError("--rest and --feet are options of retargeting. Give --onto human, or leave them out.")
    if feet is not None and feet not in FEET:
        raise InputError(f"--feet {feet}: choose from {', '.join(FEET)}.")
    if onto is not None:
        names = pairs_in(given.names) if given.names is not None and given.of is None else None
        with validity():
            motion = retarget(motion, _onto(onto), names=names, rest=_rest(given.rest), feet=FEET[feet or "follow"])
    options: dict[Any, Any] = {"title": source.stem} if kind.holds == "motion" and "title" in kind.write_options else {}
    slow = kind.name in ("mp4", "zip")
    with bar("writing", as_json or not slow) as progress:
        export(motion, target, **options, **({"progress": progress} if slow else {}))
    lines = (
        [motion_lines(motion)[0], *read_lines, *motion_lines(motion)[1:]] if onto is not None else motion_lines(motion)
    )
    if as_json:
        echo_json({"wrote": str(target), "motion": motion_data(motion), "notes": lines[1:]})
        return
    console = Console(soft_wrap=True)
    for line in lines:
        console.print(Text(line))
    console.print(
        Text(f"wrote {target}: {len(motion)} frames of {motion.figure.name}, {motion.figure.nu} degrees of freedom")
    )


FEET: dict[str, Any] = {"lock": "lock", "follow": True, "free": False}  # the option `feet` of `retarget`


def _rest(word: str | None) -> Any:
    """Return the option `rest` of `retarget`: a time [s], a word, or None."""
    try:
        return None if word is None else float(word)
    except ValueError:
        return word


def _onto(word: str) -> Figure | None:
    """Return the figure to retarget to: a person of a height [m], or a named figure.

    None, for "human", means a person of the size of the source.
    """
    try:
        height = float(word)
    except ValueError:
        return None if word == "human" else named(word).figure
    return human(height)


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
        evidence = {"unit": "unit from", "up": "up from", "forward": "forward from"}
        found = [f"{name}: {about[key]}" for name, key in evidence.items() if about.get(key, "given") != "given"]
        lines += [f"found: {'; '.join(found)}"] if found else []
        lines += [about[key] for key in ("skeletons", "up problem") if about.get(key)]
    about = motion.metadata.get("retarget")
    if isinstance(about, dict):
        worst = np.rad2deg(motion.channels["direction_error"]).max()
        lines.append(
            f"retargeted from {about['from']}: lengths × {about['scale']:.4g}, limbs within {worst:.2g}° of "
            f"the source, ankles within {1e3 * motion.channels['ankle_error'].max():.2g} mm"
        )
        if "parts" in about:
            parts = ", ".join(
                f"{part} {np.rad2deg(about['parts'][part]):.1f}°" for part in ("trunk", "pelvis", "shoulders")
            )
            lines += [f"directions, RMS: {parts}", *about["notes"]]
    about = motion.metadata.get("markers")
    if isinstance(about, dict):
        worst_of = about["largest error"]
        name = max(worst_of, key=worst_of.get)
        lines.append(
            f"{len(worst_of)} markers, largest error {1e3 * worst_of[name]:.3g} mm ({name}); "
            f"figure scaled by {about['scale']:.5g}"
        )
    return lines


Scale = Annotated[
    str | None,
    typer.Option("--scale", help="Length unit of a .bvh file: a number [m], or m, dm, cm, mm, inch, foot, cmu."),
]
Up = Annotated[str | None, typer.Option("--up", help="Axis of the file that points up: x, y, z, -x, -y or -z.")]
Forward = Annotated[str | None, typer.Option("--forward", help="Axis of the file that points forward.")]
Names = Annotated[
    str | None,
    typer.Option("--names", help="Parts of the body: l_thigh=MyLeg,r_thigh=… or a .toml or .json file of them."),
]
Of = Annotated[str | None, typer.Option("--of", help="Figure of a motion table (.csv, .trc, .mot).")]


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
    names: Names = None,
    as_json: Json = False,
) -> None:
    """Describe a figure, or a motion and its figure."""
    with one_line():
        lines: list[str] = []
        if holds_motion(Path(name)) and Path(name).exists():
            given = ReadingOptions(scale, of, up=up, forward=forward, names=names, root=root)
            found, lines = _moving(Path(name), given)
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
            given = ReadingOptions(scale, of, degrees, up, forward, names, root, rest)
            convert_motion(source, target, given, onto, feet, from_time, to_time, as_json)
            return
        if degrees or any(x is not None for x in (onto, scale, of, from_time, to_time, up, forward, names, rest, feet)):
            raise InputError(
                f"{source} contains a figure. --scale, --of, --degrees, --onto, --from-time, --to-time, --up, "
                "--forward, --names, --rest and --feet apply to motions only. Leave them out."
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
