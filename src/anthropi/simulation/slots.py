"""Numbers of a simulation in named slots: those of the figure, and those of the ground of its scene.

    ground.point    (3,) [m] a point of the ground, a plane
    ground.normal   (3,) its outward normal; any length except 0
    friction        (1,) coefficient of friction of the scene's material

The numbers of the figure are listed by `figure.slots()`. Slots are inputs of the kernel, so they may change between two
steps and differ between rollouts.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from anthropi.algebra.scalar import records, sqrt
from anthropi.contact.geometry.surfaces import Plane
from anthropi.errors import InputError
from anthropi.figure.numbers import numbers, slot_numbers
from anthropi.simulation.problem import Problem

__all__ = ["SCENE_SLOTS", "slot_sizes", "slot_values", "with_slots"]

SCENE_SLOTS = ("ground.point", "ground.normal", "friction")


def slot_values(problem: Problem, names: Iterable[str]) -> np.ndarray:
    """Return the numbers of some slots, one after the other, (n,)."""
    return np.concatenate([np.zeros(0), *_values(problem, names).values()])


def slot_sizes(problem: Problem, names: Iterable[str]) -> dict[str, int]:
    """Return how many numbers each of some slots has."""
    return {name: len(values) for name, values in _values(problem, names).items()}


def _values(problem: Problem, names: Iterable[str]) -> dict[str, np.ndarray]:
    """Return {slot: its numbers (n,)}."""
    known = numbers(problem.figure)
    return {name: _scene_numbers(problem, name) if name in SCENE_SLOTS else slot_numbers(name, known) for name in names}


def with_slots(problem: Problem, names: Iterable[str], values: Any) -> Problem:
    """Return a problem with other numbers in some slots. The numbers may be recorded scalars."""
    at, figure_names, figure_values, scene = 0, [], [], {}
    for name, size in slot_sizes(problem, names).items():
        own, at = values[at : at + size], at + size
        if name in SCENE_SLOTS:
            scene[name] = own
        else:
            figure_names.append(name)
            figure_values.append(own)
    if figure_names:
        problem = problem.with_figure(problem.figure.with_numbers(figure_names, np.concatenate(figure_values)))
    return _with_scene_numbers(problem, scene) if scene else problem


def _scene_numbers(problem: Problem, name: str) -> np.ndarray:
    """Return the numbers (n,) of a slot of the scene."""
    scene = problem.scene
    if scene is None:
        raise InputError(f"Slot '{name}' belongs to a scene, but this simulation has none. Use Scene(figure).")
    if name == "friction":
        return np.array([float(scene.material.friction)])
    if not isinstance(scene.ground, Plane):
        kind = "no ground" if scene.ground is None else f"a ground of type {type(scene.ground).__name__}"
        raise InputError(f"Slot '{name}' needs a plane as the ground, but the scene has {kind}.")
    return np.asarray(scene.ground.point if name == "ground.point" else scene.ground.normal, float)


def _with_scene_numbers(problem: Problem, numbers: dict[str, Any]) -> Problem:
    scene = problem.scene
    if "friction" in numbers:
        scene = scene.changed(material=scene.material._replace(friction=numbers["friction"][0]), gravity=None)
    if "ground.point" in numbers or "ground.normal" in numbers:
        normal = numbers.get("ground.normal", scene.ground.normal)
        if records(normal):
            normal = normal / sqrt((normal * normal).sum())
        scene = scene.changed(ground=Plane(numbers.get("ground.point", scene.ground.point), normal), gravity=None)
    return replace(problem, scene=scene)
