"""What is open: a project of frozen data. An edit makes a new one, so that undoing is going back to the old."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from anthropi.errors import InputError
from anthropi.figure import Figure
from anthropi.formats.figures.common import InitialState, Reading
from anthropi.formats.figures.toml import parse, text
from anthropi.formats.figures.toml.writer import block, plain, value_text
from anthropi.motion import Motion
from anthropi.studio.messages import Camera, CameraKey, ControlFunction, Force, Gait, Key, KeysSetting, Profile, World

__all__ = ["Item", "Made", "Project", "document_text"]


@dataclass(frozen=True, eq=False)
class Item:
    """A figure of the project, with the state it starts in and what is set for its degrees of freedom.

    stops : springs at the ends of joints' ranges. drives : {dof: "force" or "motion"}, what is not named is free.
    pinned : degrees of freedom of the root that do not move (Root Characteristics).
    """

    number: int
    figure: Figure
    state: InitialState
    stops: dict[str, dict[str, Any]] = field(default_factory=dict)
    drives: dict[str, str] = field(default_factory=dict)
    controls: dict[str, ControlFunction] = field(default_factory=dict)
    keys: tuple[Key, ...] = ()
    revision: int = 1

    @cached_property
    def document(self) -> dict[str, Any]:
        """The plain data of its figure.toml. Nobody changes it: edits copy it first."""
        return plain(self.figure, self.state, self.stops)

    @cached_property
    def text(self) -> str:
        """Its figure.toml."""
        return text(self.figure, self.state, self.stops)

    def read(self, document: dict[str, Any]) -> "Item":
        """The item after an edit of its document, checked as a file would be."""
        return self.of(parse(document_text(document), f"{document.get('name') or 'figure'}"))

    def of(self, reading: Reading) -> "Item":
        """The item with another figure; what was set for what is no longer there goes."""
        return self.changed(figure=reading.figure, state=reading.state, stops=reading.stops)

    def changed(self, **fields) -> "Item":
        """A copy with other fields and the next revision."""
        made = replace(self, **fields, revision=self.revision + 1)
        dofs = set(made.figure.dofs)
        if dofs == set(self.figure.dofs):
            return made
        keys = tuple(Key(k.time, {n: x for n, x in k.values.items() if n in dofs}) for k in made.keys)
        return replace(made, drives={n: x for n, x in made.drives.items() if n in dofs},
                       controls={n: x for n, x in made.controls.items() if n in dofs},
                       keys=tuple(k for k in keys if k.values))  # fmt: skip

    def with_state(self, q=None, u=None) -> "Item":
        """In another state."""
        q = self.state.q if q is None else self.figure.normalise(q)
        u = self.state.u if u is None else np.asarray(u, float)
        if not (np.isfinite(q).all() and np.isfinite(u).all()):
            raise InputError(f"A state of figure '{self.figure.name}' must be finite numbers.")
        return self.changed(state=InitialState(q, u, self.state.udot))


@dataclass(frozen=True, eq=False)
class Made:
    """A motion, where it came from, and its figure's number if it is of one figure of the project."""

    number: int
    motion: Motion
    title: str
    kind: str
    figure: int | None = None
    words: str = ""
    world: World | None = None
    scene: Any = None  # of a script, which has its own; not saved


@dataclass(frozen=True, eq=False)
class Project:
    """All that is open."""

    name: str = "untitled"
    path: str = ""
    items: tuple[Item, ...] = ()
    motions: tuple[Made, ...] = ()
    shown: int | None = None
    world: World = field(default_factory=World)
    forces: tuple[Force, ...] = ()
    keys_setting: KeysSetting = field(default_factory=KeysSetting)
    gait: Gait = field(default_factory=Gait)
    profiles: dict[int, tuple[Profile, ...]] = field(default_factory=dict)
    camera: Camera = field(default_factory=Camera)
    camera_keys: tuple[CameraKey, ...] = ()
    next: int = 1  # the number of the next figure, motion or force

    def changed(self, **fields) -> "Project":
        """A copy with other fields."""
        return replace(self, **fields)

    def item(self, number: int) -> Item:
        """A figure by its number."""
        for item in self.items:
            if item.number == number:
                return item
        raise InputError(f"No figure number {number} is open.")

    def made(self, number: int) -> Made:
        """A motion by its number."""
        for made in self.motions:
            if made.number == number:
                return made
        raise InputError(f"No motion number {number} is there.")

    def with_item(self, item: Item) -> "Project":
        """With a figure changed, or added."""
        if all(x.number != item.number for x in self.items):
            return self.changed(items=(*self.items, item))
        return self.changed(items=tuple(item if x.number == item.number else x for x in self.items))

    def free_name(self, name: str) -> str:
        """A name that no figure has yet; without "/", which parts figures from links."""
        wanted = name.replace("/", "_").strip() or "figure"
        taken = {item.figure.name for item in self.items}
        return next(n for n in (wanted, *(f"{wanted}{k}" for k in range(2, 10**6))) if n not in taken)


def document_text(document: dict[str, Any]) -> str:
    """The figure.toml of plain data."""
    keys = [k for k in ("format", "name", "root", "gravity") if k in document]
    lines = [f"{key} = {value_text(document[key])}" for key in keys]
    for section in ("link", "joint", "marker", "loop"):
        for item in document.get(section, []):
            lines += ["", block((section,), item).rstrip("\n")]
    for what, values in document.get("state", {}).items():
        rows = [f"{value_text(str(k))} = {value_text(v)}" for k, v in values.items()]
        lines += ["", f"[state.{what}]", *rows]
    return "\n".join(lines) + "\n"
