"""The table of file formats, used by `load`, `save`, `export`, the command line, the studio and docs/formats.md.

To add a format, write a module with a reader, a writer or both, and add one entry to `FORMATS`:

    figure     read(path, **options) -> Reading            write(figure, path, state=None) -> notes
    motion     read(path, **options) -> Motion             write(motion, path, **options)
    script     read(path) -> Script
    assembly   read(path) -> Assembly                      write(assembly, path)
    project    read(path) -> Project                       write(motion, path, **options)

A format of captured markers also has a function `capture(path, **options) -> Capture`.

`docs/build.py` reads the entries from the syntax tree, so their values must be literals, or names of literals in this
file.
"""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from anthropi.errors import FormatError, InputError, did_you_mean

__all__ = ["FORMATS", "Format", "check_options", "extensions", "find_format", "formats_of", "function_of"]

MARKER_RANGE = 2**16  # [bytes] at the start of a file that are searched for a marker
READERS = {"motion": "ap.Motion.load", "figure": "ap.load"}  # functions that a message recommends
GENERIC_EXTENSIONS = (".xml",)  # extensions shared by many formats: only the content of the file determines the format


@dataclass(frozen=True)
class Format:
    """A file format.

    Parameters
    ----------
    name : its short name, the value of `format=`.
    extensions : file extensions in lower case, the usual one first; () for a folder.
    title : short description, for menus and tables.
    holds : kind of content: "figure", "motion", "script", "assembly" or "project".
    read, write : the functions that read and write a file, as "module:function"; "" if there is no such function.
    capture : the function that reads a file as a `Capture`, with markers and forces and without a figure, as
        "module:function"; "" if there is no such function.
    read_options, write_options : keyword arguments of the two functions.
    marker : bytes near the start of each file, which distinguish formats with the same extension.
    exact : whether the content is read back bit for bit; for a motion, with all its channels.
    needs_figure : whether the reader needs the option `figure`, because the file does not describe one.
    even_times : whether frames must be evenly spaced in time.
    still : whether a figure can be written instead of a motion.
    several : whether several motions can be written, side by side.
    """

    name: str
    extensions: tuple[str, ...]
    title: str
    holds: str
    read: str = ""
    write: str = ""
    capture: str = ""
    read_options: tuple[str, ...] = ()
    write_options: tuple[str, ...] = ()
    marker: bytes = b""
    exact: bool = False
    needs_figure: bool = False
    even_times: bool = False
    still: bool = False
    several: bool = False

    @property
    def extension(self) -> str:
        """The usual file extension; "" for a folder."""
        return self.extensions[0] if self.extensions else ""

    def place(self, action: str) -> str:
        """Return "module:function", the place of the function for an action ("read", "write" or "capture")."""
        return {"read": self.read, "write": self.write, "capture": self.capture}[action]

    def options(self, action: str) -> tuple[str, ...]:
        """Return the names of the options for an action ("read", "write" or "capture")."""
        if action == "capture":
            return tuple(name for name in CAPTURE_OPTIONS if name in self.read_options)
        return self.read_options if action == "read" else self.write_options


MARKER_OPTIONS = ("figure", "names", "weights", "units", "up", "forward", "gap", "q0", "limits", "static")
TABLE_OPTIONS = ("degrees", "strict")
PART_OPTIONS = ("start", "end", "every", "channels")
PLATE_OPTIONS = ("forces", "sign", "feet")
CAPTURE_OPTIONS = ("up", "forward", "units", "forces", "sign", "strict")
FILM_OPTIONS = ("pixels", "view", "ground", "scene", "rate", "speed", "follow", "progress")
SCENE_OPTIONS = ("title", "caption", "scene", "rate", "view", "follow", "speed", "ground", "forces", "folder")

FORMATS: tuple[Format, ...] = (
    Format(
        name="toml",
        extensions=(".toml",),
        title="figure.toml, the native format: the whole figure, exactly",
        holds="figure",
        read="anthropi.formats.figures.toml:read",
        write="anthropi.formats.figures.toml:write",
        marker=b"anthropi figure",
        exact=True,
    ),
    Format(
        name="urdf",
        extensions=(".urdf",),
        title="URDF, the format of ROS",
        holds="figure",
        read="anthropi.formats.figures.urdf:read",
        write="anthropi.formats.figures.urdf:write",
        read_options=("root", "strict", "folders"),
        marker=b"<robot",
    ),
    Format(
        name="mjcf",
        extensions=(".xml", ".mjcf"),
        title="MJCF, the format of MuJoCo: a subset",
        holds="figure",
        read="anthropi.formats.figures.mjcf:read",
        write="anthropi.formats.figures.mjcf:write",
        read_options=("by", "folders"),
        marker=b"<mujoco",
    ),
    Format(
        name="osim",
        extensions=(".osim",),
        title="OpenSim models",
        holds="figure",
        read="anthropi.formats.figures.osim:read",
        read_options=("locks", "ranges", "rounded", "strict"),
        marker=b"<OpenSimDocument",
    ),
    Format(
        name="html",
        extensions=(".html", ".htm"),
        title="a page that plays in any browser",
        holds="motion",
        read="anthropi.formats.pages.reading:read_page",
        write="anthropi.formats.pages.html:page",
        write_options=(*SCENE_OPTIONS, "gait", "live", "pillars", "skin"),
        several=True,
    ),
    Format(
        name="glb",
        extensions=(".glb",),
        title="glTF, animated",
        holds="motion",
        read="anthropi.formats.pages.reading:read_page",
        write="anthropi.formats.pages.glb:glb",
        write_options=(*SCENE_OPTIONS, "body", "pillars"),
        several=True,
    ),
    Format(
        name="bvh",
        extensions=(".bvh",),
        title="BVH: a skeleton and its joint angles",
        holds="motion",
        read="anthropi.formats.motions.bvh:read",
        write="anthropi.formats.motions.bvh:write",
        read_options=("scale", "up", "forward", "positions", "root", "names"),
        write_options=("scale", "up", "forward"),
        even_times=True,
    ),
    Format(
        name="csv",
        extensions=(".csv",),
        title="a table of coordinates; markers are read too",
        holds="motion",
        read="anthropi.formats.motions.tables:read",
        write="anthropi.formats.motions.tables:write",
        capture="anthropi.formats.motions.tables:read_capture",
        read_options=(*MARKER_OPTIONS, *TABLE_OPTIONS),
        write_options=("degrees",),
        needs_figure=True,
    ),
    Format(
        name="c3d",
        extensions=(".c3d",),
        title="C3D: markers, force plates and events of a motion laboratory",
        holds="motion",
        read="anthropi.formats.motions.c3d:read",
        write="anthropi.formats.motions.c3d:write",
        capture="anthropi.formats.motions.c3d:read_capture",
        read_options=(*MARKER_OPTIONS, *PLATE_OPTIONS),
        needs_figure=True,
        even_times=True,
    ),
    Format(
        name="trc",
        extensions=(".trc",),
        title="TRC: a table of marker positions",
        holds="motion",
        read="anthropi.formats.motions.tables:read",
        write="anthropi.formats.motions.tables.writer:trc",
        capture="anthropi.formats.motions.tables:read_capture",
        read_options=(*MARKER_OPTIONS, *TABLE_OPTIONS),
        needs_figure=True,
        even_times=True,
    ),
    Format(
        name="mot",
        extensions=(".mot", ".sto"),
        title="MOT, STO: a table of coordinates as in OpenSim",
        holds="motion",
        read="anthropi.formats.motions.tables:read",
        write="anthropi.formats.motions.tables.writer:mot",
        read_options=(*MARKER_OPTIONS, *TABLE_OPTIONS),
        needs_figure=True,
    ),
    Format(
        name="png",
        extensions=(".png",),
        title="a picture; one for each frame if the name contains %04d",
        holds="motion",
        write="anthropi.formats.pages.images:picture",
        write_options=("time", *FILM_OPTIONS, "even"),
        still=True,
    ),
    Format(
        name="zip",
        extensions=(".zip",),
        title="pictures, one for each frame",
        holds="motion",
        write="anthropi.formats.pages.images:sequence",
        write_options=(*FILM_OPTIONS, "even"),
    ),
    Format(
        name="mp4",
        extensions=(".mp4",),
        title="a video",
        holds="motion",
        write="anthropi.formats.pages.images:film",
        write_options=FILM_OPTIONS,
    ),
    Format(
        name="npz",
        extensions=(".npz",),
        title="the whole motion, exactly",
        holds="motion",
        read="anthropi.formats.motions.native:read",
        write="anthropi.formats.motions.native:write",
        read_options=PART_OPTIONS,
        write_options=("provenance",),
        exact=True,
    ),
    Format(
        name="h5",
        extensions=(".h5", ".hdf5"),
        title="the whole motion, exactly, as HDF5 for long recordings",
        holds="motion",
        read="anthropi.formats.motions.native:read",
        write="anthropi.formats.motions.native:write",
        read_options=PART_OPTIONS,
        write_options=("provenance",),
        exact=True,
    ),
    Format(
        name="frames",
        extensions=(),
        title="a folder with one numbered text file for each frame",
        holds="motion",
        read="anthropi.formats.motions.frame_files:load_frames",
        write="anthropi.formats.motions.frame_files:save_frames",
    ),
    Format(
        name="script",
        extensions=(".toml",),
        title="script.toml: figures, a scene, controllers and events",
        holds="script",
        read="anthropi.formats.scripts:read",
        marker=b"anthropi script",
    ),
    Format(
        name="assembly",
        extensions=(".toml",),
        title="assembly.toml: bodies and the constraints between them",
        holds="assembly",
        read="anthropi.formats.figures.assembly:read",
        write="anthropi.formats.figures.assembly:write",
        marker=b"anthropi assembly",
    ),
    Format(
        name="anthropi",
        extensions=(".anthropi",),
        title="a project of the studio",
        holds="project",
        read="anthropi.upward:load_project",
        write="anthropi.upward:save_project",
        write_options=("title",),
    ),
)


def formats_of(holds: str | Iterable[str], action: str, exact: bool | None = None) -> tuple[Format, ...]:
    """List the formats that can read or write a kind of content.

    Parameters
    ----------
    holds : "figure", "motion", "script", "assembly" or "project", or several of them.
    action : "read" or "write".
    exact : True for exact formats only, False for the others only, None for all.
    """
    wanted = {holds} if isinstance(holds, str) else set(holds)
    return tuple(f for f in FORMATS if f.holds in wanted and f.place(action) and (exact is None or f.exact == exact))


def extensions(holds: str | Iterable[str], action: str, exact: bool | None = None) -> tuple[str, ...]:
    """List the file extensions for a kind of content, each once. The arguments are those of `formats_of`."""
    return tuple(dict.fromkeys(e for f in formats_of(holds, action, exact) for e in f.extensions))


def find_format(
    path: str | os.PathLike[str], holds: str | Iterable[str], action: str = "read", name: str | None = None
) -> Format:
    """Find the format of a file from the given format name, or else from its extension, or else from its content.

    Parameters
    ----------
    path : the file. It is opened only if the action is "read" and its extension does not determine the format.
    holds, action : kind of content and "read" or "write", as in `formats_of`.
    name : name of the format; needed only if neither the extension nor the content determines it.

    Raises
    ------
    InputError : no format has this name.
    FormatError : no format has this extension or content.

    Both messages list the choices.
    """
    choices = formats_of(holds, action)
    if name is not None:
        names = [f.name for f in choices]
        if name not in names:
            raise InputError(f"No format '{name}'.{did_you_mean(name, names)} Formats: {', '.join(names)}.")
        return choices[names.index(name)]
    extension = Path(path).suffix.lower()
    found = [f for f in choices if extension in f.extensions]
    foreign = not found and extension and any(extension in f.extensions for f in FORMATS)
    if action == "read" and not foreign and (len(found) != 1 or extension in GENERIC_EXTENSIONS):
        candidates = choices if extension in GENERIC_EXTENSIONS or not found else found
        known = _by_content(path, candidates)
        if known is not None:
            return known
        found = [] if extension in GENERIC_EXTENSIONS else found
    if not found:
        raise _unknown(Path(path), choices, action)
    return found[0]


def _by_content(path: str | os.PathLike[str], choices: Iterable[Format]) -> Format | None:
    """Find the format whose marker comes first in a file. The file is opened only if some format has a marker."""
    from anthropi.formats.files import read_start

    marked = [f for f in choices if f.marker]
    head = read_start(path, MARKER_RANGE) if marked else b""
    places = [(head.find(f.marker), k) for k, f in enumerate(marked) if f.marker in head]
    return marked[min(places)[1]] if places else None


def _unknown(path: Path, choices: tuple[Format, ...], action: str) -> FormatError:
    """Return the error for a file that is in none of these formats."""
    kinds = " or ".join(dict.fromkeys(f.holds for f in choices))
    known = sorted(choices, key=lambda f: not f.exact) if action == "read" else choices
    endings = list(dict.fromkeys(e for f in known for e in f.extensions))
    content = " or this content" if any(f.marker for f in choices) and action == "read" else ""
    folder = ", or give a folder of frames" if action == "read" and any(not f.extensions for f in choices) else ""
    others = " or ".join(
        dict.fromkeys(
            f"{'an' if f.holds[0] == 'a' else 'a'} {f.holds}" for f in FORMATS if path.suffix.lower() in f.extensions
        )
    )
    reader = next((r for kind, r in READERS.items() if others.endswith(kind)), "") if action == "read" else ""
    others += f" ({reader} reads them)" if reader else ""
    hint = f" Such files contain {others}." if others else did_you_mean(path.suffix, endings)
    return FormatError(
        f"{path.name}: no {kinds} format has the extension '{path.suffix}'{content}.{hint} "
        f"Extensions: {', '.join(endings)}{folder}."
    )


def function_of(format: Format, action: str) -> Callable[..., Any]:
    """Import the function that reads or writes a format."""
    module, _, name = format.place(action).partition(":")
    return getattr(import_module(module), name)


def check_options(
    format: Format, action: str, options: Iterable[str], path: Path, error: type[Exception] = InputError
) -> None:
    """Raise an error that lists the choices if the reader or writer of a format does not have one of the options."""
    choices = format.options(action)
    for name in options:
        if name not in choices:
            verb = "reading" if action == "read" else "writing"
            raise error(
                f"{path.name}: no option '{name}' for {verb} {format.name} files.{did_you_mean(name, choices)} "
                f"Options: {', '.join(choices) or 'none'}."
            )
