"""Project files (`.anthropi`): a zip archive of project.json and one .npz file for each motion.

A file is written under a temporary name, flushed to disk and renamed. After a crash at any moment, either the old or
the new file exists and is complete.
"""

import io
import tempfile
import weakref
import zipfile
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from anthropi.errors import FormatError
from anthropi.formats import save_motion
from anthropi.formats.decoding import load_json, opened_archive, read_part
from anthropi.formats.figures.common import InitialState
from anthropi.formats.figures.toml import parse
from anthropi.formats.files import write_whole
from anthropi.formats.motions.native import read_npz
from anthropi.motion import Motion
from anthropi.studio.messages import Camera, CameraKey, ControlFunction, Force, Gait, Key, KeysSetting, Profile, World
from anthropi.studio.messages.encoding import encoded, plain, read_as
from anthropi.studio.project.state import FigureItem, MotionItem, Project

__all__ = ["EXTENSION", "FORMAT", "load_project", "project", "project_bytes", "save_project", "version_on_disk"]

EXTENSION = ".anthropi"
FORMAT = "anthropi project 1"
_encoded: "weakref.WeakKeyDictionary[Motion, bytes]" = weakref.WeakKeyDictionary()


def save_project(project: Project, path: Path, private: bool = False) -> None:
    """Write a project to a file. If anything fails, the old file is unchanged. private : mode 0600."""
    data = project_bytes(project)
    write_whole(path, lambda file: file.write(data), private)


def project_bytes(project: Project) -> bytes:
    """Return the content of the project file as bytes."""
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("project.json", encoded(_described(project)).encode(), zipfile.ZIP_DEFLATED)
        for item in project.motions:
            archive.writestr(f"motion-{item.number}.npz", _motion_bytes(item.motion))
    return box.getvalue()


def version_on_disk(path: Path) -> tuple[int, int, int] | None:
    """Return (file number, size, time of change), which differ if a file was changed or replaced; None if missing."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def load_project(path: Path) -> Project:
    """Read a project file. Raises FormatError if it is not a project, FileError if it does not exist."""
    path = Path(path)
    with opened_archive(path, path.name, "project") as archive:
        if "project.json" not in archive.namelist():
            raise FormatError(
                f"{path.name} is not a project of the studio: it does not contain project.json. Choose an "
                f"{EXTENSION} file that the studio has saved."
            )
        text = read_part(archive, "project.json", path.name, "project_text_bytes")
        head = load_json(text, f"{path.name}: project.json")
        if not isinstance(head, dict) or head.get("format") != FORMAT:
            raise FormatError(
                f"{path.name} is not a project that this version can read: its format is not '{FORMAT}'. Update "
                "AnthroPI, or choose another file."
            )
        return _project(_known(_Head, head, f"{path.name}: project.json"), archive, path.name)


def _described(project: Project) -> dict[str, Any]:
    """Return the content of project.json as plain data: the whole project except the motions' frames."""
    return {
        "format": FORMAT,
        "name": project.name,
        "shown": project.shown,
        "next": project.next,
        "world": plain(project.world),
        "forces": plain(project.forces),
        "gait": plain(project.gait),
        "keys_setting": plain(project.keys_setting),
        "camera": plain(project.camera),
        "camera_keys": plain(project.camera_keys),
        "profiles": {str(number): plain(curves) for number, curves in project.profiles.items()},
        "figures": [
            {
                "number": i.number,
                "revision": i.revision,
                "text": i.text,
                "drives": i.drives,
                "controls": plain(i.controls),
                "keys": plain(i.keys),
            }
            for i in project.items
        ],
        "motions": [
            {
                "number": x.number,
                "title": x.title,
                "kind": x.kind,
                "figure": x.figure,
                "words": x.words,
                "world": plain(x.world),
            }
            for x in project.motions
        ],
    }


@dataclass(frozen=True)
class _FigureRow:
    """A figure in project.json."""

    number: int
    revision: int
    text: str
    drives: dict[str, str]
    controls: dict[str, ControlFunction]
    keys: tuple[Key, ...]


@dataclass(frozen=True)
class _MotionRow:
    """A motion in project.json; its numbers are in a part of their own."""

    number: int
    title: str
    kind: str
    figure: int | None
    words: str
    world: World | None


@dataclass(frozen=True)
class _Head:
    """The content of project.json."""

    name: str
    shown: int | None
    next: int
    world: World
    forces: tuple[Force, ...]
    gait: Gait
    keys_setting: KeysSetting
    camera: Camera
    camera_keys: tuple[CameraKey, ...]
    profiles: dict[str, tuple[Profile, ...]]
    figures: tuple[Any, ...]
    motions: tuple[Any, ...]


def _known(cls: type[Any], data: Any, where: str) -> Any:
    """Return an object of the file as a dataclass, every type checked. Fields that are not known are ignored."""
    if isinstance(data, dict):
        names = {field.name for field in fields(cls)}
        data = {key: value for key, value in data.items() if key in names}
    return read_as(cls, data, where)


def _project(head: _Head, archive: zipfile.ZipFile, name: str) -> Project:
    items, motions = [], []
    for k, data in enumerate(head.figures):
        row = _known(_FigureRow, data, f"{name}: figures[{k}]")
        reading = parse(row.text, f"{name}: figure {row.number}")
        settings = (dict(row.drives), dict(row.controls), row.keys, row.revision)
        items.append(FigureItem(row.number, reading.figure, reading.state, reading.stops, *settings))
    for k, data in enumerate(head.motions):
        row = _known(_MotionRow, data, f"{name}: motions[{k}]")
        motion = _motion(archive, row.number, name)
        motions.append(MotionItem(row.number, motion, row.title, row.kind, row.figure, row.words, row.world))
    if not (head.world.dt > 0.0 and head.world.rate * head.world.dt > 1e-9):
        raise FormatError(
            f"{name}: its time step is {head.world.dt:g} s and its frame rate is {head.world.rate:g} per second. Give "
            "positive numbers."
        )
    if not all(number.isdecimal() and len(number) < 16 for number in head.profiles):
        raise FormatError(f"{name}: the keys of its profiles are not all numbers of figures.")
    return Project(
        name=head.name,
        items=tuple(items),
        motions=tuple(motions),
        shown=head.shown,
        world=head.world,
        forces=head.forces,
        keys_setting=head.keys_setting,
        gait=head.gait,
        profiles={int(number): curves for number, curves in head.profiles.items()},
        camera=head.camera,
        camera_keys=head.camera_keys,
        next=head.next,
    )


def _motion_bytes(motion: Motion) -> bytes:
    """Return the .npz file of a motion as bytes. Each motion is encoded only once."""
    if motion not in _encoded:
        with tempfile.TemporaryDirectory(prefix="anthropi-") as folder:
            path = Path(folder) / "motion.npz"
            save_motion(motion, path)
            _encoded[motion] = path.read_bytes()
    return _encoded[motion]


def _motion(archive: zipfile.ZipFile, number: int, name: str) -> Motion:
    """Read the motion with a number from its part of the archive."""
    part = f"motion-{number}.npz"
    data = read_part(archive, part, name, "array_bytes")
    motion = read_npz(data, f"{name}: {part}")
    _encoded[motion] = data
    return motion


def project(motion: Motion, file: str | Path, *, title: str | None = None) -> Path:
    """Write a motion and its figure as a project file, which `anthropi studio` can open.

    Parameters
    ----------
    motion : a motion of one rollout. Its first frame is the initial state of the figure.
    file : the path of the file, with the extension .anthropi.
    title : the name of the project and of the motion; by default the file name without its extension.
    """
    file = Path(file)
    if motion.q.ndim != 2:
        raise FormatError(
            f"{file.name} can contain only one rollout, and this motion has {len(motion.q)}. Choose one, for example "
            "motion.rollout(0)."
        )
    item = FigureItem(1, motion.figure, InitialState(motion.q[0], motion.u[0], 0.0 * motion.u[0]))
    entry = MotionItem(2, motion, title or file.stem, "file", 1)
    save_project(Project(name=title or file.stem, items=(item,), motions=(entry,), shown=2, next=3), file)
    return file
