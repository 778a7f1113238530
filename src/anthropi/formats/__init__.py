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
from anthropi.motion.capture import Capture
from anthropi.motion.ground_forces import GroundForces
from anthropi.motion.motion import Motion

__all__ = [
    "FORMATS",
    "Format",
    "InitialState",
    "Note",
    "Reading",
    "export",
    "load",
    "load_capture",
    "load_forces",
    "load_motion",
    "read",
    "save",
    "save_motion",
    "write",
]

CAPTURES = (".c3d", ".trc")  # extensions of files that always contain captured markers
TIME_STEP_TOLERANCE = 1e-4  # relative to the mean time step: steps that differ by less count as even


def read(path: str | os.PathLike[str], format: str | None = None, **options: Any) -> Reading:
    """Read a figure from a file.

    Parameters
    ----------
    path : the file.
    format : "toml", "urdf" or "mjcf"; needed only if neither the extension nor the content determines the format.
    options : options of the format: for URDF `root` ("weld" or "free"), `strict` (refuse what is otherwise noted) and
        `folders` (further folders of meshes and packages); for MJCF `by` ("anthropi" or "mujoco") and `folders`,
        further folders from which included files and meshes may be read.

    Returns
    -------
    Reading : the figure, its initial state, and notes on content of the file that a figure cannot represent.
    """
    kind = find_format(path, "figure", "read", format)
    check_options(kind, "read", options, Path(path))
    return function_of(kind, "read")(path, **options)


def write(
    figure: Figure, path: str | os.PathLike[str], state: InitialState | None = None, format: str | None = None
) -> tuple[Note, ...]:
    """Write a figure to a file and return notes on what the format cannot represent.

    Parameters
    ----------
    figure : the figure to write.
    path : the file to write; its extension determines the format unless `format` is given.
    state : the initial state of the figure; written if the format can store one.
    format : "toml", "urdf" or "mjcf", for a file with another extension.
    """
    return function_of(find_format(path, "figure", "write", format), "write")(figure, path, state=state)


def load(path: str | os.PathLike[str], format: str | None = None, **options: Any) -> Any:
    """Load a figure from a file, or the recording of a motion laboratory (.c3d, .trc).

    Parameters
    ----------
    path : the file. A file of a figure gives a `Figure`, and a file of captured markers a `Capture`, with markers,
        force plates and events. Other motions are loaded with `load_motion`.
    format, options : as in `read` and `load_capture`.

    A `FormatWarning` lists the parts of the file that affect the motion but cannot be represented in a figure.
    """
    if format is None and Path(path).suffix.lower() in CAPTURES:
        return load_capture(path, **options)
    found = read(path, format, **options)
    _warn([n for n in found.notes if not n.changed], f"{Path(path).name} contains more than a figure: ")
    _warn([n for n in found.notes if n.changed], f"{Path(path).name} is read with other numbers: ")
    return found.figure


def load_capture(path: str | os.PathLike[str], **options: Any) -> Capture:
    """Load a recording of markers, with force plates, events and the subject if the file has them.

    Parameters
    ----------
    path : a .c3d, .trc or .csv file.
    options : up, forward, units; for .c3d also forces, sign; for tables also strict. They are listed in `FORMATS`.
    """
    path = Path(path)
    kind = find_format(path, "motion", "capture")
    check_options(kind, "capture", options, path)
    return function_of(kind, "capture")(path, **options)


def load_forces(path: str | os.PathLike[str], **options: Any) -> GroundForces:
    """Load ground forces: from a .c3d file, or from OpenSim's ExternalLoads (.xml) or table (.mot, .sto).

    options : up, forward and strict; see `anthropi.formats.motions.ground_forces.read_forces`.
    """
    from anthropi.formats.motions.ground_forces import read_forces

    return read_forces(path, **options)


def save(
    figure: Figure, path: str | os.PathLike[str], state: InitialState | None = None, format: str | None = None
) -> None:
    """Save a figure to a file. The arguments are those of `write`.

    A `FormatWarning` lists the parts of the figure that the format cannot represent.
    """
    _warn(write(figure, path, state, format), f"{Path(path).name} does not contain the whole figure: ")


def _warn(notes: Sequence[Note], words: str) -> None:
    kept = [n for n in notes if n.matters]
    if kept:
        warnings.warn(words + listed(kept), FormatWarning, stacklevel=3)


def load_motion(path: str | os.PathLike[str], **options: Any) -> Motion:
    """Load a motion from a file, or from a folder of numbered frames.

    Parameters
    ----------
    path : the file or folder. The extension of a file determines its format. Pages (.html) and .glb files can be read
        if AnthroPI wrote them; their numbers have float32 precision.
    options : options of the format. For .bvh: scale, up, forward, positions (see `formats.motions.bvh.read`). For .csv,
        .trc and .mot: figure (required) and the meaning of the columns (see `formats.motions.tables.read`).
    """
    path = Path(path)
    folder = next(f for f in FORMATS if f.name == "frames")
    kind = folder if path.is_dir() else find_format(path, "motion", "read")
    check_options(kind, "read", options, path)
    return function_of(kind, "read")(path, **options)


def save_motion(motion: Motion, path: str | os.PathLike[str], **options: Any) -> None:
    """Save a motion to a file from which it can be loaded again.

    .npz and .h5 files store the whole motion exactly. If writing fails, an existing file is left unchanged.

    Parameters
    ----------
    motion : one rollout; .npz and .h5 files can also store several.
    path : the file; its extension determines the format.
    options : options of the format, listed in `FORMATS`: scale, up and forward for .bvh; degrees for .csv.
    """
    path = Path(path)
    kind = find_format(path, "motion", "write")
    if not kind.read:
        known = ", ".join(f.extension for f in formats_of("motion", "write") if f.read and f.extensions)
        raise FormatError(
            f"{path.name}: a {kind.extension} file cannot be read back as a motion. Save as {known}, or "
            f"write it with motion.export."
        )
    check_options(kind, "write", options, path)
    if kind.even_times and not _evenly_spaced(motion):
        raise FormatError(
            f"{path.name}: frames in {kind.name} files must be evenly spaced in time; those of this motion are not. "
            "Save motion.resample(times), or write it with motion.export, which resamples."
        )
    function_of(kind, "write")(motion, path, **options)


def export(motion: Motion | Figure | Sequence[Motion], path: str | os.PathLike[str], **options: Any) -> Path:
    """Write a motion to a file in any supported format, and return the path.

    If the format needs evenly spaced frames, the motion is resampled. If writing fails, an existing file is left
    unchanged.

    Parameters
    ----------
    motion : one rollout; or a figure, to draw a picture of it; or several motions, for a page or a .glb file.
    path : the file; its extension determines the format. "walk_%04d.png" writes one picture for each frame.
    options : options of the format, listed in `FORMATS`.
    """
    path = Path(path)
    kind = find_format(path, ("motion", "project"), "write")
    several = isinstance(motion, (list, tuple)) and all(isinstance(m, Motion) for m in motion)
    if not isinstance(motion, Motion) and not (kind.still or (several and kind.several)):
        got = f"{len(motion)} motions" if several else type(motion).__name__  # type: ignore[arg-type]
        raise InputError(f"{path.name}: this format stores a motion; got {got}.")
    check_options(kind, "write", options, path, FormatError)
    try:
        function_of(kind, "write")(
            _evened(motion) if kind.even_times and isinstance(motion, Motion) else motion, path, **options
        )
    except TypeError as error:  # a single picture has fewer options than a sequence of pictures
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
    """Resample a motion to evenly spaced times, with the same number of frames."""
    if _evenly_spaced(motion):
        return motion
    return motion.resample(np.linspace(motion.time[0], motion.time[-1], len(motion)))
