"""Read and write figures and motions in files. The formats are the entries of `anthropi.formats.registry.FORMATS`."""

import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.errors import AnthropiError, FormatError, FormatWarning, InputError
from anthropi.figure import Figure
from anthropi.formats.figures.common import InitialState, Note, Reading, listed
from anthropi.formats.files import refuse_to_write
from anthropi.formats.registry import FORMATS, Format, check_options, find_format, formats_of, function_of
from anthropi.motion.motion import Motion

__all__ = [
    "FORMATS",
    "Format",
    "InitialState",
    "Note",
    "Reading",
    "export",
    "load",
    "load_motion",
    "read",
    "save",
    "save_motion",
    "write",
]

TIME_STEP_TOLERANCE = 1e-4  # of the mean step: frames whose steps differ by less count as evenly spaced


def read(path: str | os.PathLike[str], format: str | None = None, **options: Any) -> Reading:
    """Read a file that holds a figure.

    Parameters
    ----------
    path : the file.
    format : "toml", "urdf" or "mjcf", where neither extension nor content determine it.
    options : of the format: URDF `root` ("weld" or "free"), MJCF `by` ("anthropi" or "mujoco").

    Returns
    -------
    Reading : the figure, the state it starts in, and notes on what the file holds that a figure does not.
    """
    kind = find_format(path, "figure", "read", format)
    check_options(kind, "read", options, Path(path))
    return function_of(kind, "read")(path, **options)


def write(
    figure: Figure, path: str | os.PathLike[str], state: InitialState | None = None, format: str | None = None
) -> tuple[Note, ...]:
    """Write a figure in the format of the file's extension; return notes on what the format does not hold.

    Parameters
    ----------
    figure, path : what to write, and where.
    state : the state the figure starts in, written where the format holds one.
    format : "toml", "urdf" or "mjcf", for a file with another extension.
    """
    return function_of(find_format(path, "figure", "write", format), "write")(figure, path, state=state)


def load(path: str | os.PathLike[str], format: str | None = None, **options: Any) -> Figure:
    """Load the figure in a file; arguments as those of `read`.

    A `FormatWarning` lists what the file holds about motion that a figure does not.
    """
    found = read(path, format, **options)
    _warn(found.notes, f"{Path(path).name} holds more than a figure: ")
    return found.figure


def save(
    figure: Figure, path: str | os.PathLike[str], state: InitialState | None = None, format: str | None = None
) -> None:
    """Save a figure to a file; arguments as those of `write`. A `FormatWarning` lists what the format does not hold."""
    _warn(write(figure, path, state, format), f"{Path(path).name} holds less than the figure: ")


def _warn(notes: tuple[Note, ...], words: str) -> None:
    kept = [n for n in notes if n.matters]
    if kept:
        warnings.warn(words + listed(kept), FormatWarning, stacklevel=3)


def load_motion(path: str | os.PathLike[str], **options: Any) -> Motion:
    """Load the motion in a file, or in a folder of numbered frames.

    Parameters
    ----------
    path : the file; its extension determines the format. Pages and .glb files are read if AnthroPI wrote them; they
        hold float32.
    options : of the format: .bvh (scale, up, forward, positions: `formats.motions.bvh.read`); .csv, .trc and .mot
        (figure, which they need, and the meaning of their columns: `formats.motions.tables.read`).
    """
    path = Path(path)
    folder = next(f for f in FORMATS if f.name == "frames")
    kind = folder if path.is_dir() else find_format(path, "motion", "read")
    check_options(kind, "read", options, path)
    return function_of(kind, "read")(path, **options)


def save_motion(motion: Motion, path: str | os.PathLike[str], **options: Any) -> None:
    """Save a motion in the format of the file's extension, if that format can be read back.

    .npz and .h5 files hold the whole motion, exactly. If writing fails, an existing file stays as it was.

    Parameters
    ----------
    motion : one rollout; several in .npz and .h5 files.
    path : the file.
    options : of the format: .bvh (scale, up, forward), .csv (degrees); see `FORMATS`.
    """
    path = Path(path)
    kind = find_format(path, "motion", "write")
    if not kind.read:
        known = ", ".join(f.extension for f in formats_of("motion", "write") if f.read and f.extensions)
        raise FormatError(
            f"{path.name}: a {kind.extension} file cannot be read back as a motion. Save as {known}, or "
            f"write it by motion.export."
        )
    check_options(kind, "write", options, path)
    if kind.even_times and not _evenly_spaced(motion):
        raise FormatError(
            f"{path.name}: {kind.name} files have frames at even times, and this motion has not. Save "
            "motion.resample(times), or write it by motion.export, which resamples."
        )
    function_of(kind, "write")(motion, path, **options)


def export(motion: Motion | Figure | Sequence[Motion], path: str | os.PathLike[str], **options: Any) -> Path:
    """Write a motion in any format, in that of the file's extension, and return the path.

    Motions with uneven times are resampled where the format needs even ones. If writing fails, an existing file stays
    as it was.

    Parameters
    ----------
    motion : one rollout; a figure, for a picture of it; several motions, for a page or a .glb file.
    path : the file. "walk_%04d.png" names one picture for each frame.
    options : of the format; see `FORMATS`.
    """
    path = Path(path)
    kind = find_format(path, ("motion", "project"), "write")
    several = isinstance(motion, (list, tuple)) and all(isinstance(m, Motion) for m in motion)
    if not isinstance(motion, Motion) and not (kind.still or (several and kind.several)):
        got = f"{len(motion)} of them" if several else type(motion).__name__  # type: ignore[arg-type]
        raise InputError(f"{path.name} holds a motion; got {got}.")
    check_options(kind, "write", options, path, FormatError)
    try:
        function_of(kind, "write")(
            _evened(motion) if kind.even_times and isinstance(motion, Motion) else motion, path, **options
        )
    except TypeError as error:  # a single picture has fewer options than a sequence of them
        if "unexpected keyword argument" not in str(error):
            raise
        raise FormatError(f"{path.name}: {str(error).partition('() ')[2] or error}.") from None
    except OSError as error:
        if isinstance(error, AnthropiError):
            raise
        raise refuse_to_write(path, error) from None
    return path


def _evenly_spaced(motion: Motion) -> bool:
    steps = np.diff(motion.time)
    return not len(steps) or bool(np.abs(steps - steps.mean()).max() <= TIME_STEP_TOLERANCE * steps.mean())


def _evened(motion: Motion) -> Motion:
    """The motion at as many even times as it has frames."""
    if _evenly_spaced(motion):
        return motion
    return motion.resample(np.linspace(motion.time[0], motion.time[-1], len(motion)))
