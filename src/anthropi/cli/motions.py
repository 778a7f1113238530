"""Motions of `anthropi info` and `anthropi convert`: options for reading and retargeting, and descriptions."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.text import Text

from anthropi.cli.captures import capture_lines, figure_of, followed, number_in, of_mass
from anthropi.cli.common import echo_json
from anthropi.cli.files import bar, motion_data, pairs_in, printed_warnings, validity
from anthropi.errors import FormatWarning, InputError
from anthropi.figure import Figure
from anthropi.figure.human.build import human
from anthropi.formats import export, load_motion
from anthropi.formats.registry import extensions, find_format
from anthropi.motion import Motion
from anthropi.motion.retargeting import retarget

__all__ = ["FEET", "ReadingOptions", "convert_motion", "holds_motion", "motion_lines", "motion_of"]


MOTION_EXTENSIONS = extensions("motion", "read")


def holds_motion(path: Path) -> bool:
    """Return whether a path is a folder or has the extension of a motion file."""
    return path.suffix.lower() in MOTION_EXTENSIONS or path.is_dir()


@dataclass(frozen=True)
class ReadingOptions:
    """Options for reading a motion and for retargeting it, as words of the command line; None where not given.

    scale : length unit, as a number [m] or a name. of : name of the figure, for tables. degrees : whether angles
    without a unit are in degrees. up, forward : axes of the file. names : assignments, see `pairs_in`. root : name of
    the skeleton to read. rest : rest pose of the skeleton: a time [s], "zero" or "auto". units : length unit of
    markers. mass : [kg] of the person. static : standing trial of the person.
    """

    scale: str | None = None
    of: str | None = None
    degrees: bool = False
    up: str | None = None
    forward: str | None = None
    names: str | None = None
    root: str | None = None
    rest: str | None = None
    units: str | None = None
    mass: float | None = None
    static: Path | None = None


def motion_of(path: Path, given: ReadingOptions = ReadingOptions()) -> Motion:
    """Load the motion in a file; raise an error for options that its format does not have."""
    options: dict[Any, Any] = {
        name: value for name in ("up", "forward", "root") if (value := getattr(given, name)) is not None
    }
    options |= {name: number_in(x) for name in ("scale", "units") if (x := getattr(given, name)) is not None}
    kind = find_format(path, "motion") if path.is_file() else None
    if kind is not None and "units" in options and "scale" in kind.read_options:
        options.setdefault("scale", options.pop("units"))
    if given.names is not None and kind is not None and "names" in kind.read_options:
        options["names"] = pairs_in(given.names)
    if given.static is not None:
        axes = {name: x for name, x in options.items() if name in ("up", "forward", "units")}
        return followed(path, given.static, given.of, given.mass, axes)
    if given.of is not None:
        options["figure"] = figure_of(given.of, given.mass, path)
    elif kind is not None and kind.needs_figure:
        raise InputError(
            f"{path} is a table, which does not name its figure. Give --of human, or --of with a figure file."
            if not kind.capture or kind.name == "csv"
            else f"{path} contains markers, and no figure. Give --of human, or --of with a figure file; anthropi info "
            f"{path} describes the markers."
        )
    if given.degrees:
        options["degrees"] = True
    motion = load_motion(path, **options)
    return (
        motion
        if given.mass is None or given.of is not None
        else motion.changed(figure=of_mass(motion.figure, given.mass))
    )


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
    with printed_warnings(FormatWarning), validity():
        motion = motion_of(source, given if onto is None else replace(given, mass=None))
    read_lines = motion_lines(motion)[1:]
    if start is not None or end is not None:
        motion = motion.slice(start, end)
    if onto is None and (given.rest is not None or feet is not None):
        raise InputError("--rest and --feet are options of retargeting. Give --onto human, or leave them out.")
    if feet is not None and feet not in FEET:
        raise InputError(f"--feet {feet}: choose from {', '.join(FEET)}.")
    if onto is not None:
        names = pairs_in(given.names) if given.names is not None and given.of is None else None
        person = _onto(onto, given.mass)
        with validity():
            motion = retarget(motion, person, names=names, rest=_rest(given.rest), feet=FEET[feet or "follow"])
        if given.mass is not None and person is None:
            motion = motion.changed(figure=of_mass(motion.figure, given.mass))
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
    return lines + capture_lines(motion)
