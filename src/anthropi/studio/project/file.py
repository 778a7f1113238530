"""Project files (`.anthropi`): a zip archive of project.json and one .npz file for each motion.

A file is written under a temporary name, flushed to disk and renamed. After a crash at any moment, either the old or
the new file exists and is complete.
"""

import io
import json
import tempfile
import weakref
import zipfile
from pathlib import Path
from typing import Any

from anthropi.errors import AnthropiError, FileError, FormatError
from anthropi.formats import load_motion, save_motion
from anthropi.formats.figures.common import InitialState
from anthropi.formats.figures.toml import parse
from anthropi.formats.files import write_whole
from anthropi.motion import Motion
from anthropi.studio.messages import Camera, CameraKey, ControlFunction, Force, Gait, Key, KeysSetting, Profile, World
from anthropi.studio.messages.encoding import encoded, plain, read_as
from anthropi.studio.project.state import FigureItem, MotionItem, Project

__all__ = ["EXTENSION", "FORMAT", "load_project", "project", "project_bytes", "save_project"]

EXTENSION = ".anthropi"
FORMAT = "anthropi project 1"
MAX_PART_BYTES = 1 << 31  # unpacked size of one file in the archive
MAX_PARTS = 1000
_encoded: "weakref.WeakKeyDictionary[Motion, bytes]" = weakref.WeakKeyDictionary()


def save_project(project: Project, path: Path) -> None:
    """Write a project to a file. If anything fails, the old file is unchanged."""
    data = project_bytes(project)
    write_whole(path, lambda file: file.write(data))


def project_bytes(project: Project) -> bytes:
    """Return the content of the project file as bytes."""
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("project.json", encoded(_described(project)).encode(), zipfile.ZIP_DEFLATED)
        for item in project.motions:
            archive.writestr(f"motion-{item.number}.npz", _motion_bytes(item.motion))
    return box.getvalue()


def load_project(path: Path) -> Project:
    """Read a project file. Raises FormatError if it is not a project, FileError if it does not exist."""
    try:
        with zipfile.ZipFile(path) as archive:
            parts = {info.filename: info for info in archive.infolist()}
            if len(parts) > MAX_PARTS or any(info.file_size > MAX_PART_BYTES for info in parts.values()):
                raise FormatError(f"{path.name} is too large for a project.")
            if "project.json" not in parts:
                raise FormatError(
                    f"{path.name} is not a project of the studio: it does not contain project.json. Choose an "
                    f"{EXTENSION} file that the studio has saved."
                )
            head = json.loads(archive.read("project.json"))
            if not isinstance(head, dict) or head.get("format") != FORMAT:
                raise FormatError(
                    f"{path.name} is not a project that this version can read: its format is not '{FORMAT}'. Update "
                    "AnthroPI, or choose another file."
                )
            return _project(head, archive, path.name)
    except FileNotFoundError:
        raise FileError(f"No file {path.name}.") from None
    except (OSError, zipfile.BadZipFile, ValueError, KeyError, RecursionError, NotImplementedError) as error:
        if isinstance(error, AnthropiError):
            raise
        raise FormatError(f"{path.name} cannot be read as a project: {error}.") from None


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


def _project(head: dict[str, Any], archive: zipfile.ZipFile, name: str) -> Project:
    def many(cls: type[Any], rows: Any, what: str) -> tuple[Any, ...]:
        return tuple(read_as(cls, row, f"{name}: {what}") for row in rows)

    items = []
    for row in head["figures"]:
        reading = parse(row["text"], f"{name}: figure {row['number']}")
        controls = {dof: read_as(ControlFunction, x, f"{name}: control") for dof, x in row["controls"].items()}
        items.append(
            FigureItem(
                int(row["number"]),
                reading.figure,
                reading.state,
                reading.stops,
                dict(row["drives"]),
                controls,
                many(Key, row["keys"], "keys"),
                int(row["revision"]),
            )
        )
    motions = []
    for row in head["motions"]:
        data = archive.read(f"motion-{int(row['number'])}.npz")
        world = None if row["world"] is None else read_as(World, row["world"], f"{name}: world")
        motions.append(
            MotionItem(
                int(row["number"]),
                _motion(data),
                str(row["title"]),
                str(row["kind"]),
                row["figure"],
                str(row["words"]),
                world,
            )
        )
    return Project(
        name=str(head["name"]),
        items=tuple(items),
        motions=tuple(motions),
        shown=head["shown"],
        world=read_as(World, head["world"], f"{name}: world"),
        forces=many(Force, head["forces"], "forces"),
        keys_setting=read_as(KeysSetting, head["keys_setting"], f"{name}: keys_setting"),
        gait=read_as(Gait, head["gait"], f"{name}: gait"),
        profiles={int(number): many(Profile, rows, "profiles") for number, rows in head["profiles"].items()},
        camera=read_as(Camera, head["camera"], f"{name}: camera"),
        camera_keys=many(CameraKey, head["camera_keys"], "camera_keys"),
        next=int(head["next"]),
    )


def _motion_bytes(motion: Motion) -> bytes:
    """Return the .npz file of a motion as bytes. Each motion is encoded only once."""
    if motion not in _encoded:
        with tempfile.TemporaryDirectory(prefix="anthropi-") as folder:
            path = Path(folder) / "motion.npz"
            save_motion(motion, path)
            _encoded[motion] = path.read_bytes()
    return _encoded[motion]


def _motion(data: bytes) -> Motion:
    with tempfile.TemporaryDirectory(prefix="anthropi-") as folder:
        path = Path(folder) / "motion.npz"
        path.write_bytes(data)
        motion = load_motion(path)
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
