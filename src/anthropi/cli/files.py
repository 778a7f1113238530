"""Input and output files of the subcommands that work on motions, checks of these files, and progress bars."""

import contextlib
import json
import os
import tomllib
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from anthropi.errors import AnthropiError, FileError, InputError, MissingContactWarning, ValidityWarning
from anthropi.figure import Figure
from anthropi.formats import load_motion, save_motion
from anthropi.formats.files import read_bytes, refuse_to_write, write_whole
from anthropi.formats.registry import extensions, find_format, formats_of
from anthropi.motion import Motion

__all__ = [
    "MOTIONS",
    "MOTIONS_OR_FORCES",
    "PAGES",
    "PICTURES",
    "File",
    "Out",
    "Page",
    "Plot",
    "Quiet",
    "bar",
    "check_motion_targets",
    "check_targets",
    "dof_errors",
    "missing_contacts",
    "motion_data",
    "motion_in",
    "names_of",
    "pairs_in",
    "printed_warnings",
    "say",
    "unit_of",
    "validity",
    "whole",
    "write",
    "written",
]


PICTURES = (".png", ".svg", ".pdf")  # written by matplotlib
PAGES = next(f.extensions for f in formats_of("motion", "write") if f.name == "html")
MOTIONS = extensions("motion", "write", exact=True)
MOTIONS_OR_FORCES = (*MOTIONS, ".csv")  # a table of joint forces


def check_targets(file: Path | None, targets: dict[str, tuple[Path | None, tuple[str, ...]]]) -> None:
    """Check before a computation that its output files can be written; raise FileError otherwise.

    Parameters
    ----------
    file : the input file, which no output may overwrite; None if there is none.
    targets : {option: (path or None, allowed extensions)}.
    """
    for option, (path, endings) in targets.items():
        if path is None:
            continue
        if path.suffix.lower() not in endings:
            raise FileError(f"{option} {path}: the file name must end in {' or '.join(endings)}.")
        if path.is_dir() or not path.parent.is_dir():
            what = "is a folder" if path.is_dir() else f"is in {path.parent}, which is not an existing folder"
            raise FileError(f"{option} {path} {what}. Give the name of a file in an existing folder.")
        if not os.access(path.parent, os.W_OK):
            raise FileError(f"{option} {path}: its folder is not writable. Choose another folder.")
        if file is not None and path.exists() and file.exists() and path.samefile(file):
            raise FileError(f"{path} is the input file. Choose another name for the output.")


def whole(path: Path, make: Callable[[Path], object]) -> None:
    """Write a file by `make(path)`, completely or not at all. Matplotlib is set to draw without a window."""
    with contextlib.suppress(ImportError):
        import matplotlib

        matplotlib.use("Agg")
    fresh = path.with_name(f".{os.getpid()}.part.{path.name}")
    try:
        make(fresh)
        os.replace(fresh, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            fresh.unlink()
        if isinstance(error, (OSError, ValueError)) and not isinstance(error, AnthropiError):
            raise refuse_to_write(path, error) from None
        raise


File = Annotated[
    Path, typer.Argument(metavar="MOTION", help="A motion: .npz, .h5, .bvh, .html, .glb, or a folder of frames.")
]
Out = Annotated[Path | None, typer.Option("--out", help="Write the motion (.npz, .h5) or the joint forces (.csv).")]
Plot = Annotated[Path | None, typer.Option("--plot", help="Plot the curves over time (.png, .svg, .pdf).")]
Page = Annotated[Path | None, typer.Option("--page", help="Write a page that plays the motion in a browser (.html).")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print no progress and no tables.")]


def check_motion_targets(file: Path | None, out: Path | None, plot: Path | None, page: Path | None = None) -> None:
    """Check that the output files of a motion can be written; see `check_targets`."""
    check_targets(file, {"--out": (out, MOTIONS_OR_FORCES), "--plot": (plot, PICTURES), "--page": (page, PAGES)})


def motion_in(file: Path) -> Motion:
    """Load the motion in a file; raise InputError for a table, which does not name its figure."""
    if file.is_file() and find_format(file, "motion").needs_figure:
        raise InputError(
            f"{file} does not name its figure. Give --of human if the command has this option, or convert the file "
            f"first: anthropi convert {file} {file.with_suffix('.npz')} --of human."
        )
    return load_motion(file)


def names_of(words: list[str] | None) -> tuple[str, ...]:
    """Return the names given by repeated options or separated by commas."""
    return tuple(name.strip() for word in words or () for name in word.split(",") if name.strip())


def pairs_in(words: str) -> dict[str, str]:
    """Return assignments {name: name} from "a=b,c=d", or from a .toml or .json file that contains them.

    Raises
    ------
    InputError : a part has no "=", a name is empty or assigned twice, or the file has another form.
    """
    path = Path(words)
    if path.suffix.lower() in (".toml", ".json"):
        text = read_bytes(path, "toml_bytes")
        try:
            found = tomllib.loads(text.decode()) if path.suffix.lower() == ".toml" else json.loads(text)
        except (ValueError, RecursionError) as error:
            raise FileError(f'{path} cannot be read: {error}. Write lines such as l_thigh = "LeftUpLeg".') from None
        if not isinstance(found, dict) or not all(isinstance(x, str) for x in found.values()):
            raise FileError(f'{path} must contain pairs of names, such as l_thigh = "LeftUpLeg".')
        return found
    found = {}
    for part in words.split(","):
        name, equals, value = (x.strip() for x in part.partition("="))
        if not (name and equals and value) or name in found:
            raise InputError(
                f"--names has '{part.strip()}'. Write l_thigh=LeftUpLeg,r_thigh=…, each name once, or a file."
            )
        found[name] = value
    return found


def unit_of(figure: Figure, k: int) -> str:
    """Return the unit of the force of degree of freedom k: "N" for a translation, "N m" for a rotation."""
    i = next(i for i, at in enumerate(figure.u_of) if at.start <= k < at.stop)
    column = np.asarray(figure.joints[i].subspace(figure.neutral()[figure.q_of[i]]), float)[:, k - figure.u_of[i].start]
    return "N m" if np.any(column[:3]) else "N"


def motion_data(motion: Motion) -> dict[str, Any]:
    """Describe a motion as data for JSON."""
    events = [
        {"time": e.time, "what": str(getattr(e, "what", type(e).__name__)), "foot": getattr(e, "foot", None)}
        for e in motion.events
        if hasattr(e, "time")
    ]
    return {
        "figure": motion.figure.name,
        "links": motion.figure.n,
        "dofs": motion.figure.nu,
        "frames": len(motion),
        "start": motion.time[0],
        "end": motion.time[-1],
        "channels": list(motion.channels),
        "events": events,
    }


def dof_errors(motion: Motion) -> dict[str, Any]:
    """Return the largest, RMS and final error of every degree of freedom [rad, m], for JSON."""
    error = np.abs(motion.channels["error"])
    return {
        dof: {"most": error[:, k].max(), "rms": np.sqrt(np.mean(error[:, k] ** 2)), "end": error[-1, k]}
        for k, dof in enumerate(motion.figure.dofs)
    }


def written(**files: Path | None) -> dict[str, str]:
    """Return the files that were written as {option: path}, for JSON."""
    return {name: str(path) for name, path in files.items() if path is not None}


def write(motion: Motion, out: Path | None, page: Path | None, report: Callable[[str], object], **options: Any) -> None:
    """Write a motion (or its joint forces, if `out` is a .csv file) and a page.

    report : function that prints a line for each file. options : options of the page, such as title, caption, view.
    """
    if out is not None:
        if out.suffix.lower() == ".csv":
            write_whole(out, lambda file: file.write(_table(motion).encode()))
        else:
            save_motion(motion, out)
        report(f"wrote: {out}")
    if page is not None:
        from anthropi.formats.pages.html import page as write_page  # imported late: it is slow to import

        write_page(motion, page, **options)
        report(f"wrote: {page}")


def _table(motion: Motion) -> str:
    """Return the joint forces of a motion as CSV text, with one row for each frame and all digits."""
    figure = motion.figure
    head = ["time [s]", *(f"{dof} [{unit_of(figure, k)}]" for k, dof in enumerate(figure.dofs))]
    rows = [",".join(map(repr, map(float, (t, *tau)))) for t, tau in zip(motion.time, motion.tau, strict=True)]
    return "\n".join([",".join(head), *rows]) + "\n"


@contextlib.contextmanager
def bar(words: str, quiet: bool) -> Iterator[Callable[[float, float], None]]:
    """Show a progress bar; yield the function `(done, total)` that updates it."""
    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as shown:
        task = shown.add_task(words, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)


def say(quiet: bool) -> Callable[[Any], None]:
    """Return a function that prints text or a table, or nothing if `quiet` is True."""
    console = Console(soft_wrap=False)
    return lambda words: None if quiet else console.print(Text(words) if isinstance(words, str) else words)


@contextlib.contextmanager
def printed_warnings(kind: type[Warning]) -> Iterator[list[str]]:
    """Print each warning of a kind as one line on stderr; yield a list of their texts."""
    found: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("always", kind)
        show = warnings.showwarning

        def collect(message, category, *place, **options) -> None:
            if issubclass(category, kind):
                found.append(str(message))
            else:
                show(message, category, *place, **options)

        warnings.showwarning = collect
        yield found
    for text in found:
        typer.echo(f"anthropi: warning: {text}", err=True)


def missing_contacts() -> contextlib.AbstractContextManager[list[str]]:
    """Print warnings about missing contact forces; see `printed_warnings`."""
    return printed_warnings(MissingContactWarning)


def validity() -> contextlib.AbstractContextManager[list[str]]:
    """Print warnings about walks outside the limits of the walker; see `printed_warnings`."""
    return printed_warnings(ValidityWarning)
