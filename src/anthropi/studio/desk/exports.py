"""Export: which formats there are, and how each is made. Motions go through `share`, figures through `formats`."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from anthropi.errors import InputError, StateError, did_you_mean
from anthropi.formats import write
from anthropi.motion import Motion
from anthropi.studio import share
from anthropi.studio.messages import Choice
from anthropi.studio.project import ENDING, save_project
from anthropi.studio.store import plain_name
from anthropi.studio.world import Around

__all__ = ["export_to", "exports"]

FIGURES = {".toml": "The figure, all of it (figure.toml)", ".urdf": "The figure as URDF", ".xml": "The figure as MJCF"}


def exports() -> tuple[Choice, ...]:
    """All formats: of a motion, of a figure, of the project."""
    motions = [Choice(ending, words, "motion") for ending, (words, _) in share.FORMATS.items()]
    figures = [Choice(ending, words, "figure") for ending, words in FIGURES.items()]
    return (*motions, *figures, Choice(ENDING, "The whole project", "project"))


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
        return f"{item.figure.name}.png", lambda path: share.export(moment, path, **command.options)
    if ending not in share.FORMATS:
        known = [choice.name for choice in exports()]
        raise InputError(f"No format '{ending[:20]}'.{did_you_mean(ending[:20], known)} Formats: {', '.join(known)}.")
    made = project.made(_one(command.motion, [project.shown] if project.shown else [], "motion"))
    return plain_name(f"{made.title}{ending}"), lambda path: share.export(
        made.motion, path, **_options(made, ending, command.options)
    )


def _options(made, ending: str, given: dict) -> dict:
    """What a writer is told; pages and films know what stands around."""
    around: dict = {}
    if ending == ".html":
        around["title"] = made.title
    if ending in (".html", ".glb", ".mp4", ".png", ".zip"):
        scene = made.scene if made.world is None else Around(made.world)
        around |= {} if scene is None else {"scene": scene}
    return around | given


def _one(given: int | None, there: list, what: str) -> int:
    if given is None and not there:
        raise StateError(f"There is no {what} to export.")
    return there[0] if given is None else given
