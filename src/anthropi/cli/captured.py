"""What `convert` and `info` do with files that hold motions: read, put onto a person, write, tell what is in them."""

from pathlib import Path

import numpy as np
from rich.console import Console
from rich.text import Text

from anthropi.cli.common import echo_json, named
from anthropi.cli.motions import bar, motion_data
from anthropi.errors import FileError, InputError
from anthropi.figure import Figure
from anthropi.figure.human import human
from anthropi.formats.motion_file import ENDINGS, FOREIGN, load_motion
from anthropi.motion import Motion
from anthropi.motion.retargeting import retarget

__all__ = ["convert_motion", "holds_motion", "motion_lines", "motion_of"]

TABLES = (".csv", ".trc", ".mot")
SHARED = (".html", ".htm", ".glb")  # what we wrote for others can be read back


def holds_motion(path: Path) -> bool:
    """Whether a file's ending, or its being a folder, says that it holds a motion."""
    return path.suffix.lower() in (*ENDINGS, *FOREIGN, *SHARED) or path.is_dir()


def motion_of(path: Path, scale: str | None = None, figure: str | None = None, degrees: bool = False) -> Motion:
    """The motion in a file; options that its format does not know are refused by its reader."""
    options: dict = {}
    if scale is not None:
        try:
            options["scale"] = float(scale)
        except ValueError:
            options["scale"] = scale  # a unit by name
    if figure is not None:
        options["figure"] = named(figure).figure
    elif path.suffix.lower() in TABLES and path.exists():
        raise InputError(f"{path}: a table does not say what moves. Name the figure: --of human, or a file of one.")
    if degrees:
        options["degrees"] = True
    if path.suffix.lower() in SHARED:
        from anthropi.studio.share import read_shared  # only where it is wanted: it takes a while to load

        return read_shared(path)
    return load_motion(path, **options)


def convert_motion(source: Path, target: Path, scale: str | None, figure: str | None, degrees: bool,
                   onto: str | None, start: float | None = None, end: float | None = None,
                   as_json: bool = False) -> None:  # fmt: skip
    """Read a motion, or a part of it, put it onto a person if so asked, and write it: a page, glTF, a film …"""
    from anthropi.studio.share import WRITERS, export

    if target.suffix.lower() not in (*WRITERS, ".htm", ".hdf5"):
        raise FileError(f"{target}: a motion is written to {', '.join(WRITERS)}.")
    motion = motion_of(source, scale, figure, degrees)
    if start is not None or end is not None:
        motion = motion.slice(start, end)
    if onto is not None:
        motion = retarget(motion, _onto(onto))
    named_page = {"title": source.stem} if target.suffix.lower() in (".html", ".htm", ".glb") else {}
    with bar("writing", as_json or target.suffix.lower() not in (".mp4", ".zip")) as progress:
        shown = {"progress": progress} if target.suffix.lower() in (".mp4", ".zip") else {}
        export(motion, target, **named_page, **shown)
    if as_json:
        echo_json({"wrote": str(target), "motion": motion_data(motion), "notes": motion_lines(motion)[1:]})
        return
    console = Console(soft_wrap=True)
    for line in motion_lines(motion):
        console.print(Text(line))
    console.print(
        Text(f"wrote {target}: {len(motion)} frames of {motion.figure.name}, {motion.figure.nu} degrees of freedom")
    )


def _onto(word: str) -> Figure | None:
    """A person by stature [m], a figure by name, or None: "human", one of the skeleton's proportions."""
    try:
        height = float(word)
    except ValueError:
        return None if word == "human" else named(word).figure
    return human(height)


def motion_lines(motion: Motion) -> list[str]:
    """What is to be known of a motion, in lines."""
    frames, span = len(motion), float(motion.time[-1] - motion.time[0])
    rate = f", {(frames - 1) / span:.5g} a second" if span else ""
    rollouts = f"{len(motion.q)} rollouts of " if motion.q.ndim == 3 else ""
    lines = [f"motion: {rollouts}{frames} frames{rate}, from {motion.time[0]:g} to {motion.time[-1]:g} s; "
             f"{len(motion.channels)} channels, {len(motion.events)} events"]  # fmt: skip
    about = motion.metadata.get("bvh")
    if isinstance(about, dict):
        lines.append(f"BVH: 1 unit is {about['scale']:g} m ({about['unit']}), the skeleton {about['size']:.3g} m "
                     f"large; {about['up']} up, {about['forward']} forward; masses {about['masses']}")  # fmt: skip
    about = motion.metadata.get("retarget")
    if isinstance(about, dict):
        worst = np.rad2deg(motion.channels["direction_error"]).max()
        lines.append(f"retargeted from {about['from']}: lengths × {about['scale']:.4g}, limbs within {worst:.2g}° of "
                     f"its, ankles within {1e3 * motion.channels['ankle_error'].max():.2g} mm")  # fmt: skip
    about = motion.metadata.get("markers")
    if isinstance(about, dict):
        worst_of = about["largest error"]
        name = max(worst_of, key=worst_of.get)
        lines.append(f"{len(worst_of)} markers, at most {1e3 * worst_of[name]:.3g} mm off ({name}); "
                     f"the figure scaled by {about['scale']:.5g}")  # fmt: skip
    return lines
