"""Exports: the formats, functions that write them, and temporary storage of uploaded and exported files."""

import re
import secrets
import shutil
import tempfile
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.errors import FileError, InputError, StateError, did_you_mean
from anthropi.formats import export, write
from anthropi.formats.pages.live_page import live_page
from anthropi.formats.registry import extensions, find_format, formats_of
from anthropi.gait.walker_walk import can_walk, speed_range
from anthropi.motion import Motion
from anthropi.simulation.simulation import Simulation
from anthropi.studio.live.models import SceneModel, WalkerModel
from anthropi.studio.messages import Choice, Export
from anthropi.studio.project.file import EXTENSION, save_project
from anthropi.studio.project.scene import EmptyScene
from anthropi.studio.project.state import MotionItem, Project

__all__ = ["MAX_UPLOAD", "FileStore", "export_formats", "export_writer", "plain_name"]

MAX_UPLOAD = 64 << 20  # bytes of an uploaded file
LIVE = ".live.html"
MAX_FILES = 32  # temporary files that are kept


def plain_name(name: str, otherwise: str = "file") -> str:
    """Return a file name without folders and unusual characters."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    kept = re.sub(r"[^\w.()+-]", "_", last, flags=re.ASCII).strip("_.")[:120]
    return kept or otherwise


class FileStore:
    """Temporary files, each with a random key. `close` removes all of them."""

    folder: Any

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="anthropi-studio-"))
        self._names: dict[str, Path] = {}

    def place(self, name: str) -> tuple[str, Path]:
        """Return (key, path) for a new file of this name, in a new folder."""
        key = secrets.token_urlsafe(12)
        folder = self.folder / key
        folder.mkdir()
        self._names[key] = folder / plain_name(name)
        for old in list(self._names)[:-MAX_FILES]:
            self.remove(old)
        return key, self._names[key]

    def find(self, key: str) -> Path:
        """Return the path of the file with this key."""
        path = self._names.get(key)
        if path is None or not path.is_file():
            raise FileError("The file has been removed. Upload or export it again.")
        return path

    def remove(self, key: str) -> None:
        """Remove the file with this key."""
        path = self._names.pop(key, None)
        if path is not None:
            shutil.rmtree(path.parent, ignore_errors=True)

    def close(self) -> None:
        """Remove all files."""
        shutil.rmtree(self.folder, ignore_errors=True)


FIGURES, MOTIONS = extensions("figure", "write"), extensions("motion", "write")


def export_formats() -> tuple[Choice, ...]:
    """Return all export formats of motions, figures and projects."""
    formats = [f for holds in ("motion", "figure") for f in formats_of(holds, "write") if f.extensions]
    choices = [Choice(f.extension, f.title, f.holds) for f in formats]
    live = Choice(LIVE, "a page that simulates the figure: push it", "figure")
    return (*choices, live, Choice(EXTENSION, "The whole project", "project"))


def export_writer(project: Project, command: Export) -> tuple[str, Callable[[Path], object]]:
    """Return the name of the exported file and a function that writes it to a path."""
    ending = command.format
    if ending == EXTENSION:
        return f"{project.name}{EXTENSION}", lambda path: save_project(project, path)
    if ending == LIVE:
        number = _one(command.figure, [i.number for i in project.items], "figure")
        name = project.item(number).figure.name
        return f"{name}{LIVE}", lambda path: _write_live(project, number, path, command.options)
    if ending in FIGURES and command.motion is None:
        figure = project.item(_one(command.figure, [i.number for i in project.items], "figure"))
        if ending == ".toml":
            return f"{figure.figure.name}.toml", lambda path: path.write_text(figure.text, encoding="utf-8")
        return f"{figure.figure.name}{ending}", lambda path: write(figure.figure, path, figure.state)
    if ending == ".png" and command.motion is None and project.shown is None:
        figure = project.item(_one(command.figure, [i.number for i in project.items], "figure"))
        still = Motion(figure.figure, np.zeros(1), figure.state.q[None], figure.state.u[None])
        return f"{figure.figure.name}.png", lambda path: export(still, path, **command.options)
    if ending not in MOTIONS:
        known = [choice.name for choice in export_formats()]
        raise InputError(f"No format '{ending[:20]}'.{did_you_mean(ending[:20], known)} Formats: {', '.join(known)}.")
    item = project.motion_item(_one(command.motion, [project.shown] if project.shown else [], "motion"))
    return plain_name(f"{item.title}{ending}"), lambda path: export(
        item.motion, path, **_options(item, ending, command.options)
    )


def _write_live(project: Project, number: int, path: Path, options: dict[str, Any]) -> None:
    """Write a live page of a figure in the world of its project. A human walks, in the style of the project's gait.

    The page first plays the shown motion, if it is of this figure alone.
    """
    from anthropi.gait.report.walk_page import page_norms, walk_page  # slow to import

    figure, gait = project.item(number).figure, project.gait
    model: Any
    if can_walk(figure) and gait.kind == "walk":
        model = WalkerModel(project, number, speed_range(figure)[1], gait.style, gait.start)
        controller: Any = copy(model.problem.controller)
        controller.parameters = model.parameters
    else:
        model = SceneModel(project, project.world.ground.kind != "none" or bool(project.world.obstacles), number)
        controller = model.problem.controller
    simulation = Simulation(model.problem.scene or model.problem.figure, controller, dt=model.dt)
    simulation.reset(model.q, model.u)
    item = None if project.shown is None else project.motion_item(project.shown)
    options = {"title": figure.name, "caption": ""} | options
    if item is None or item.figure != number or len(item.motion) < 2:
        live_page(simulation, path, **options)
    elif page_norms(item.motion) is not None:
        del options["caption"]
        walk_page(item.motion, path, live=simulation, **options)
    else:
        live_page(simulation, path, motion=item.motion, **options)


def _options(item: MotionItem, ending: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a format; pages, pictures and videos also get the ground and obstacles."""
    known = find_format(f"motion{ending}", "motion", "write").write_options
    options: dict[str, Any] = {"title": item.title} if ending == ".html" else {}
    if "scene" in known:
        scene = item.scene if item.world is None else EmptyScene(item.world)
        options |= {} if scene is None else {"scene": scene}
    return options | given


def _one(given: int | None, choices: list[int], what: str) -> int:
    """Return the given number of a figure or motion, or the first choice if it is None."""
    if given is None and not choices:
        raise StateError(f"There is no {what} to export. Open or compute one first.")
    return choices[0] if given is None else given
