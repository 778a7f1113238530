"""The open project as immutable data: an edit creates a new project, and undo restores the old one."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, count
from typing import Any

import numpy as np

from anthropi.errors import InputError
from anthropi.figure import Figure
from anthropi.formats.figures.common import InitialState, Reading
from anthropi.formats.figures.toml import document_text, parse_data, plain_copy
from anthropi.formats.figures.toml.writer import plain
from anthropi.motion import Motion
from anthropi.studio.messages import Camera, CameraKey, ControlFunction, Force, Gait, Key, KeysSetting, Profile, World

__all__ = ["FigureItem", "MotionItem", "Project"]


@dataclass(frozen=True, eq=False)
class FigureItem:
    """A figure of the project, with its initial state and the settings of its degrees of freedom.

    number : its number in the project. stops : springs at joint limits. drives : {dof: "force" or "motion"}; degrees of
    freedom that are not listed are free. controls : {dof: control function}. keys : its keyframes. revision : counts
    its edits.
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
        """The plain data of its figure.toml. It is shared, so make a copy before you change it."""
        return plain(self.figure, self.state, self.stops)

    @cached_property
    def text(self) -> str:
        """The text of its figure.toml."""
        return document_text(self.document)

    def read(self, document: dict[str, Any]) -> "FigureItem":
        """Return the item with the figure of an edited document, which is checked like a figure.toml."""
        return self.with_reading(parse_data(plain_copy(document), f"{document.get('name') or 'figure'}"))

    def with_reading(self, reading: Reading) -> "FigureItem":
        """Return the item with the figure, state and stops that were read from a file."""
        return self.changed(figure=reading.figure, state=reading.state, stops=reading.stops)

    def changed(self, **fields: Any) -> "FigureItem":
        """Return a copy with changed fields and the next revision number.

        Drives, controls and keys of degrees of freedom that no longer exist are removed.
        """
        item = replace(self, **fields, revision=self.revision + 1)
        dofs = set(item.figure.dofs)
        if dofs == set(self.figure.dofs):
            return item
        keys = tuple(Key(k.time, {n: x for n, x in k.values.items() if n in dofs}) for k in item.keys)
        drives = {n: x for n, x in item.drives.items() if n in dofs}
        controls = {n: x for n, x in item.controls.items() if n in dofs}
        return replace(item, drives=drives, controls=controls, keys=tuple(k for k in keys if k.values))

    def with_state(self, q: Any = None, u: Any = None) -> "FigureItem":
        """Return the item with another initial state q (nq,), u (nu,). None leaves q or u unchanged."""
        q = self.state.q if q is None else self.figure.normalise(q)
        u = self.state.u if u is None else np.asarray(u, float)
        if not (np.isfinite(q).all() and np.isfinite(u).all()):
            raise InputError(
                f"The state of figure '{self.figure.name}' contains numbers that are not finite. Give finite numbers."
            )
        return self.changed(state=InitialState(q, u, self.state.udot))


@dataclass(frozen=True, eq=False)
class MotionItem:
    """A motion of the project.

    title, words : its name and caption. kind : how it was made (see `MotionView.kind`). figure : the number of its
    figure, None if it has several. world : the world in which it was computed, or None.
    """

    number: int
    motion: Motion
    title: str
    kind: str
    figure: int | None = None
    words: str = ""
    world: World | None = None
    scene: Any = None  # the scene of the script that computed it; not saved

    def onto(self, item: FigureItem) -> Motion:
        """Return the motion for the present state of a figure, whose joints may have been reordered since."""
        figure = self.motion.figure
        if sorted(figure.dofs) != sorted(item.figure.dofs):
            raise InputError(
                f"Motion '{self.title}' does not belong to figure '{item.figure.name}'. Choose one of this figure."
            )
        return self.motion if figure.key == item.figure.key else self.motion.onto(item.figure)


@dataclass(frozen=True, eq=False)
class Project:
    """The figures, motions and all settings of a project."""

    name: str = "untitled"
    path: str = ""
    items: tuple[FigureItem, ...] = ()
    motions: tuple[MotionItem, ...] = ()
    shown: int | None = None
    world: World = field(default_factory=World)
    forces: tuple[Force, ...] = ()
    keys_setting: KeysSetting = field(default_factory=KeysSetting)
    gait: Gait = field(default_factory=Gait)
    profiles: dict[int, tuple[Profile, ...]] = field(default_factory=dict)
    camera: Camera = field(default_factory=Camera)
    camera_keys: tuple[CameraKey, ...] = ()
    next: int = 1  # the number of the next figure, motion or force
    identity: object = field(default_factory=object)  # the same for all edits of an opened project; not saved

    def changed(self, **fields: Any) -> "Project":
        """Return a copy with changed fields."""
        return replace(self, **fields)

    def item(self, number: int) -> FigureItem:
        """Return a figure by its number."""
        for item in self.items:
            if item.number == number:
                return item
        raise InputError(f"No figure number {number} is open. Figures: {_numbers(self.items)}.")

    def motion_item(self, number: int) -> MotionItem:
        """Return a motion by its number."""
        for item in self.motions:
            if item.number == number:
                return item
        raise InputError(f"The project has no motion number {number}. Motions: {_numbers(self.motions)}.")

    def with_item(self, item: FigureItem) -> "Project":
        """Return the project with a figure replaced by another of the same number, or added."""
        if all(x.number != item.number for x in self.items):
            return self.changed(items=(*self.items, item))
        return self.changed(items=tuple(item if x.number == item.number else x for x in self.items))

    def free_name(self, name: str) -> str:
        """Return an unused name for a figure, without "/", which separates figure and link names."""
        wanted = name.replace("/", "_").strip() or "figure"
        taken = {item.figure.name for item in self.items}
        return next(n for n in chain((wanted,), (f"{wanted}{k}" for k in count(2))) if n not in taken)


def _numbers(items: tuple[Any, ...]) -> str:
    return ", ".join(str(item.number) for item in items) or "none"
