"""A motion in the format of a file's ending. A new format is an entry in `WRITERS`."""

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import AnthropiError, FormatError, InputError, did_you_mean
from anthropi.formats.files import refuse_to_write
from anthropi.motion import Motion

__all__ = ["MOTION_FORMATS", "WRITERS", "Writer", "export"]

EVEN = 1e-4  # of a step


class Writer(NamedTuple):
    """words : what it is. place : "module:function". moves : whether it needs a motion, not a figure alone."""

    words: str
    place: str
    moves: bool = True
    even: bool = False  # whether it wants frames at even times


WRITERS = {
    ".html": Writer("a page that plays in any browser", "anthropi.formats.pages.html:page"),
    ".glb": Writer("glTF, animated", "anthropi.formats.pages.glb:glb"),
    ".bvh": Writer("BVH, a skeleton and its angles", "anthropi.formats.motions.bvh:write", even=True),
    ".csv": Writer("a table of coordinates", "anthropi.formats.motions.tables:write"),
    ".trc": Writer("a table of markers", "anthropi.formats.motions.tables.writer:trc", even=True),
    ".mot": Writer("a table of coordinates, as OpenSim has it", "anthropi.formats.motions.tables.writer:mot"),
    ".png": Writer("a picture; one a frame if its name has %04d", "anthropi.formats.pages.images:snapshot", False),
    ".zip": Writer("pictures, one a frame", "anthropi.formats.pages.images:sequence"),
    ".mp4": Writer("a film", "anthropi.formats.pages.images:film"),
    ".npz": Writer("the motion itself", "anthropi.formats.motions.native:save_motion"),
    ".h5": Writer("the motion itself, for long ones", "anthropi.formats.motions.native:save_motion"),
    ".anthropi": Writer("a project of the studio", "anthropi.studio.project.file:project"),
}
MOTION_FORMATS: dict[str, tuple[str, bool]] = {  # of a motion; the studio knows of projects by itself
    ending: (w.words, w.moves) for ending, w in WRITERS.items() if ending != ".anthropi"
}
SAME = {".htm": ".html", ".hdf5": ".h5"}


def export(motion, path: str | os.PathLike, **options: Any) -> Path:
    """Write a motion in the format of the path's ending and return the path; whole, or not at all.

    motion : one rollout; a figure, for a picture of it. options : of the format: see its function in `WRITERS`.
    """
    path = Path(path)
    ending = path.suffix.lower()
    writer = WRITERS.get(SAME.get(ending, ending))
    if writer is None:
        raise FormatError(f"{path.name}: a motion is not written as '{ending}'.{did_you_mean(ending, WRITERS)} "
                          f"Endings: {', '.join(WRITERS)}.")  # fmt: skip
    if not isinstance(motion, Motion) and writer.moves and not _several(motion):
        raise InputError(f"{path.name} holds a motion; got {type(motion).__name__}.")
    module, _, name = writer.place.partition(":")
    if ending == ".png" and "%" in path.name:
        name = "sequence"
    write: Callable = getattr(import_module(module), name)
    try:
        write(_even(motion) if writer.even else motion, path, **options)
    except TypeError as error:
        if "unexpected keyword argument" not in str(error):
            raise
        raise FormatError(f"{path.name}: {str(error).partition('() ')[2] or error}.") from None
    except OSError as error:
        if isinstance(error, AnthropiError):
            raise
        raise refuse_to_write(path, error) from None
    return path


def _several(motion) -> bool:
    return isinstance(motion, (list, tuple)) and all(isinstance(m, Motion) for m in motion)


def _even(motion: Motion) -> Motion:
    """The motion at even times, as many as there were."""
    steps = np.diff(motion.time)
    if not len(steps) or np.abs(steps - steps.mean()).max() <= EVEN * steps.mean():
        return motion
    return motion.resample(np.linspace(motion.time[0], motion.time[-1], len(motion)))
