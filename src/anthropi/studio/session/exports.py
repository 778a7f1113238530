"""Files on their way: what browsers sent in, and what waits to be fetched, in a folder that goes at the end.

Exports
-------
Export: which formats there are, and how each is made. Motions go through `share`, figures through `formats`.
"""

import re
import secrets
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from anthropi.errors import FileError, InputError, StateError, did_you_mean
from anthropi.formats import export, write
from anthropi.formats.registry import extensions, find_format, formats_of
from anthropi.motion import Motion
from anthropi.studio.messages import Choice
from anthropi.studio.project.file import ENDING, save_project
from anthropi.studio.project.scene import Around

__all__ = ["LARGEST", "Store", "export_to", "exports", "plain_name"]


LARGEST = 64 << 20  # bytes of a file that a browser may send
KEPT = 32  # files that wait


def plain_name(name: str, otherwise: str = "file") -> str:
    """A file's name without folders and odd characters."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    kept = re.sub(r"[^\w.()+-]", "_", last, flags=re.ASCII).strip("_.")[:120]
    return kept or otherwise


class Store:
    """Files by a number nobody guesses."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="anthropi-studio-"))
        self._names: dict[str, Path] = {}

    def place(self, name: str) -> tuple[str, Path]:
        """(key, path) for a new file of this name, in a folder of its own."""
        key = secrets.token_urlsafe(12)
        folder = self.folder / key
        folder.mkdir()
        self._names[key] = folder / plain_name(name)
        for old in list(self._names)[:-KEPT]:
            self.forget(old)
        return key, self._names[key]

    def find(self, key: str) -> Path:
        """The file of a key."""
        path = self._names.get(key)
        if path is None or not path.is_file():
            raise FileError("That file is no longer there. Send or export it again.")
        return path

    def forget(self, key: str) -> None:
        """Throw a file away."""
        path = self._names.pop(key, None)
        if path is not None:
            shutil.rmtree(path.parent, ignore_errors=True)

    def close(self) -> None:
        """Throw all away."""
        shutil.rmtree(self.folder, ignore_errors=True)


FIGURES, MOTIONS = extensions("figure", "write"), extensions("motion", "write")


def exports() -> tuple[Choice, ...]:
    """The formats in which motions, figures and the project are exported."""
    kinds = [f for holds in ("motion", "figure") for f in formats_of(holds, "write") if f.extensions]
    return (*(Choice(f.extension, f.title, f.holds) for f in kinds), Choice(ENDING, "The whole project", "project"))


def export_to(desk, command) -> tuple[str, Callable[[Path], object]]:
    """(file name, function that writes it to a path)."""
    ending, project = command.format, desk.project
    if ending == ENDING:
        return f"{project.name}{ENDING}", lambda path: save_project(project, path)
    if ending in FIGURES and command.motion is None:
        item = project.item(_one(command.figure, [i.number for i in project.items], "figure"))
        if ending == ".toml":
            return f"{item.figure.name}.toml", lambda path: path.write_text(item.text, encoding="utf-8")
        return f"{item.figure.name}{ending}", lambda path: write(item.figure, path, item.state)
    if ending == ".png" and command.motion is None and project.shown is None:
        item = project.item(_one(command.figure, [i.number for i in project.items], "figure"))
        moment = Motion(item.figure, np.zeros(1), item.state.q[None], item.state.u[None])
        return f"{item.figure.name}.png", lambda path: export(moment, path, **command.options)
    if ending not in MOTIONS:
        known = [choice.name for choice in exports()]
        raise InputError(f"No format '{ending[:20]}'.{did_you_mean(ending[:20], known)} Formats: {', '.join(known)}.")
    made = project.made(_one(command.motion, [project.shown] if project.shown else [], "motion"))
    return plain_name(f"{made.title}{ending}"), lambda path: export(
        made.motion, path, **_options(made, ending, command.options)
    )


def _options(made, ending: str, given: dict) -> dict:
    """Options of a writer; pages, pictures and films show the scene around the figure."""
    known = find_format(f"motion{ending}", "motion", "write").write_options
    around: dict = {"title": made.title} if ending == ".html" else {}
    if "scene" in known:
        scene = made.scene if made.world is None else Around(made.world)
        around |= {} if scene is None else {"scene": scene}
    return around | given


def _one(given: int | None, there: list, what: str) -> int:
    if given is None and not there:
        raise StateError(f"There is no {what} to export.")
    return there[0] if given is None else given
