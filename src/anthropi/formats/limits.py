"""Limits on what reading a file may cost: bytes, unpacked bytes, and counts of elements, rows, numbers and values.

A small file can cause a reader to use much memory or time, for example by compressed zeros, or by a count of frames
without data. Therefore every reader checks these limits before it allocates memory or starts a loop. The limits are the
fields of `Limits`. To read a large file that you trust, raise a limit temporarily:

    from anthropi.formats import limits

    with limits.changed(table_rows=10_000_000):
        motion = ap.load_motion("long.csv", figure=figure)

or for a whole process, also on the command line, with the environment variable ANTHROPI_LIMITS="table_rows=10000000".
"""

import contextlib
import os
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from pathlib import Path

from anthropi.errors import FormatError, InputError, did_you_mean

__all__ = ["VARIABLE", "Limits", "changed", "check", "current", "exceeded", "unpacked_limit"]

VARIABLE = "ANTHROPI_LIMITS"
MiB = 2**20


@dataclass(frozen=True)
class Limits:
    """Limits on the cost of reading one file. All are whole numbers.

    Figures (URDF, MJCF, TOML)
    --------------------------
    figure_bytes : size of an XML file of a figure. A thousand links take less than 2 MiB.
    xml_depth : nested levels of an XML file.
    xml_elements : elements of an XML file and of the files that it includes.
    xml_attributes : attributes of one XML element.
    toml_bytes : size of a TOML file (figure, script, assembly or style). A thousand links take 1 MiB.
    toml_depth : nested brackets, or dots in a key, of a TOML file.
    toml_items : keys, dots and brackets of a TOML file, counted together.
    mujoco_copies : elements that MuJoCo makes from `replicate`, `composite` and `flexcomp`, which takes quadratic time.
    mujoco_numbers : pixels of a texture, or points of a height field, that MuJoCo allocates.
    figure_dofs : degrees of freedom of a figure.
    joint_parts : parts of one joint (joints of one MJCF body). Checking them takes quadratic time.
    mesh_bytes : size of a mesh file.
    mesh_triangles : triangles of a mesh file.

    Tables and BVH
    --------------
    table_bytes : size of a .csv, .trc or .mot file.
    table_rows : lines of a .csv, .trc or .mot file.
    table_columns : columns of a .csv, .trc or .mot file.
    marker_rows : rows of marker positions. Inverse kinematics is solved for each of them.
    c3d_bytes : size of a .c3d file.
    bvh_bytes : size of a .bvh file.
    bvh_bones : bones of a .bvh file.
    bvh_depth : nested bones of a .bvh file.
    bvh_frames : frames of a .bvh file.
    bvh_still_frames : frames of a .bvh skeleton without channels. Such frames take no bytes in the file.
    numbers : numbers of a table, .bvh or .c3d file, and of the motion that is made from it.

    Motions, pages and projects
    ---------------------------
    text_bytes : size of a text in a motion file.
    project_text_bytes : unpacked size of project.json.
    json_values : values of a JSON text.
    json_containers : lists and objects of a JSON text.
    unpacked_bytes : unpacked size of a compressed file, unless `unpacked_ratio` allows more.
    unpacked_ratio : unpacked size of a compressed file relative to its own size, if this is more than `unpacked_bytes`.
        The motion in a page is compressed; other files that AnthroPI writes are not.
    array_bytes : size of one array.
    archive_parts : entries of an .npz file or project.
    page_bytes : size of an .html or .glb file.
    frame_files : files in a folder of frames.
    """

    figure_bytes: int = 32 * MiB
    xml_depth: int = 200
    xml_elements: int = 100_000
    xml_attributes: int = 200
    toml_bytes: int = 2 * MiB
    toml_depth: int = 30
    toml_items: int = 250_000
    mujoco_copies: int = 5_000
    mujoco_numbers: int = 100_000_000
    figure_dofs: int = 10_000
    joint_parts: int = 12
    mesh_bytes: int = 64 * MiB
    mesh_triangles: int = 500_000
    table_bytes: int = 256 * MiB
    table_rows: int = 2_000_000
    table_columns: int = 5_000
    marker_rows: int = 500_000
    c3d_bytes: int = 1024 * MiB
    bvh_bytes: int = 512 * MiB
    bvh_bones: int = 2_000
    bvh_depth: int = 200
    bvh_frames: int = 2_000_000
    bvh_still_frames: int = 10_000
    numbers: int = 50_000_000
    text_bytes: int = 16 * MiB
    project_text_bytes: int = 64 * MiB
    json_values: int = 6_000_000
    json_containers: int = 1_000_000
    unpacked_bytes: int = 256 * MiB
    unpacked_ratio: int = 20
    array_bytes: int = 2**37
    archive_parts: int = 5_000
    page_bytes: int = 1024 * MiB
    frame_files: int = 1_000_000

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise InputError(f"The limit {field.name} is {value!r}. Give a whole number, at least 1.")


_current: ContextVar[Limits | None] = ContextVar("reading limits", default=None)
_from_environment: dict[str, Limits] = {}


def current() -> Limits:
    """Return the limits in use: those of `changed`, or else the defaults with the changes in ANTHROPI_LIMITS."""
    found = _current.get()
    if found is not None:
        return found
    text = os.environ.get(VARIABLE, "")
    if text not in _from_environment:
        _from_environment[text] = _changed(Limits(), _changes(text))
    return _from_environment[text]


@contextlib.contextmanager
def changed(**changes: int) -> Iterator[Limits]:
    """Change limits inside a `with` block, for this thread only.

    changes : new values by the names of the fields of `Limits`; the other limits stay as they are.
    """
    token = _current.set(_changed(current(), changes))
    try:
        yield current()
    finally:
        _current.reset(token)


def check(name: str | os.PathLike[str], limit: str, found: int, what: str) -> None:
    """Raise `FormatError` if a count is above a limit.

    Parameters
    ----------
    name : the file. limit : name of a field of `Limits`. found : the count. what : what is counted, such as "rows".
    """
    if found > getattr(current(), limit):
        raise exceeded(name, limit, f"{found:,} {what}")


def exceeded(name: str | os.PathLike[str], limit: str, words: str) -> FormatError:
    """Return the error for a file above a limit. It names the file, the limit and how to raise it.

    Parameters
    ----------
    name : the file, or the file and line. limit : name of a field of `Limits`. words : what was found.
    """
    file = Path(name).name if isinstance(name, os.PathLike) else name
    return FormatError(
        f"{file}: {words}. The limit {limit} is {getattr(current(), limit):,}. If you trust the file, raise it: with "
        f"anthropi.formats.limits.changed({limit}=…), or in the environment, {VARIABLE}='{limit}=…'."
    )


def unpacked_limit(size: int) -> int:
    """Return the bytes to which a compressed file of `size` bytes may unpack."""
    now = current()
    return max(now.unpacked_bytes, now.unpacked_ratio * size)


def _changed(limits: Limits, changes: dict[str, int]) -> Limits:
    known = [field.name for field in fields(Limits)]
    for name in changes:
        if name not in known:
            raise InputError(f"No limit '{name}'.{did_you_mean(name, known)} Limits: {', '.join(known)}.")
    return replace(limits, **changes)


def _changes(text: str) -> dict[str, int]:
    """Parse ANTHROPI_LIMITS: "name=number", separated by commas or spaces."""
    found = {}
    for part in text.replace(",", " ").split():
        name, _, number = part.partition("=")
        digits = number.replace("_", "")
        if not digits.isdecimal() or len(digits) > 18:
            raise InputError(
                f"The environment variable {VARIABLE} has '{part[:80]}'. Write whole numbers, such as "
                "'table_rows=10000000', separated by commas."
            )
        found[name] = int(digits)
    return found
