"""Scenes: a figure, the ground, obstacles, the contact model and joint limits.

A scene is immutable. It does not contain the state of the figure.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from anthropi.algebra.scalar import Array, less, records, sqrt, where
from anthropi.algebra.spatial import Transform, identity
from anthropi.contact.compliant import Compliant
from anthropi.contact.geometry.features import Feature, chosen_features, listed
from anthropi.contact.geometry.pairs import chosen_pairs, pair_candidates, world_candidates
from anthropi.contact.geometry.surfaces import Plane, Surface, finite
from anthropi.contact.limits.joint_stops import joint_stops, stop_limits
from anthropi.contact.material import Material, between, checked_material
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.editing.joining import combine
from anthropi.figure.figure import Figure

__all__ = ["Obstacle", "Scene", "with_stops"]


@dataclass(frozen=True, eq=False)
class Obstacle:
    """A surface in the scene, fixed or on a prescribed motion.

    Attributes
    ----------
    name : name of the obstacle, which appears in names of contacts such as "l_foot.heel on step"; not "ground".
    surface : a `Surface`.
    pose : a Transform in the world, or a function of time t [s] that returns (Transform, angular velocity (3,) [rad/s],
        velocity (3,) [m/s] of the origin), in world axes. The motion is prescribed: contact forces do not change it.
        The function may be recorded on a tape.
    material : material of all contacts with the obstacle; None for the material of the scene.
    """

    name: str
    surface: Surface
    pose: Transform | Callable[..., Any] = field(default_factory=identity)
    material: Material | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name or self.name == "ground":
            raise InputError(f"An obstacle cannot have the name {self.name!r}. Give it another name, not 'ground'.")
        if not isinstance(self.surface, Surface):
            raise InputError(
                f"Obstacle '{self.name}' has surface {self.surface!r}. Give a Plane, Sphere, Box, Capsule "
                "or HeightField."
            )
        if self.material is not None:
            object.__setattr__(self, "material", checked_material(self.material, f"Obstacle '{self.name}'"))
        if not callable(self.pose):
            _pose(self.name, self.pose)
        else:
            self.at(0.0)

    @property
    def moves(self) -> bool:
        """Whether the pose is a function of time."""
        return callable(self.pose)

    def at(self, t: Array) -> tuple[Transform, Any, Any]:
        """Return the pose, angular velocity [rad/s] and velocity [m/s] of the origin at time t [s], in world axes."""
        if not callable(self.pose):
            return self.pose, np.zeros(3), np.zeros(3)
        found = self.pose(t)
        if not isinstance(found, tuple) or len(found) != 3:
            raise InputError(
                f"The pose function of obstacle '{self.name}' returned {found!r}. It must return (Transform, angular "
                "velocity (3,), velocity (3,))."
            )
        pose, w, v = found[0], np.asarray(found[1]), np.asarray(found[2])
        _pose(self.name, pose)
        for name, array in (("angular velocity", w), ("velocity", v)):
            if array.shape != (3,) or not (records(array) or (abs(array.astype(float)) < float("inf")).all()):
                raise InputError(f"Obstacle '{self.name}' has {name} {array!r}. Give three finite numbers.")
        return pose, w, v


def _pose(name: str, pose) -> None:
    """Raise InputError if the pose of an obstacle is invalid; recorded scalars are accepted."""
    good = isinstance(pose, Transform) and pose.rotation.shape == (3, 3) and pose.origin.shape == (3,)
    if good and not records(pose.rotation, pose.origin):
        C, p = pose.rotation.astype(float), pose.origin.astype(float)
        finite = (abs(C) < float("inf")).all() and (abs(p) < float("inf")).all()
        good = bool(finite) and bool((abs(C @ C.T - np.eye(3)) < 1e-6).all()) and float(np.cross(C[0], C[1]) @ C[2]) > 0
    if not good:
        raise InputError(
            f"Obstacle '{name}' has pose {pose!r}. Give a Transform(rotation (3, 3), origin (3,) [m]) with a "
            "right-handed rotation and finite numbers, or a function of time that returns one."
        )


STANDARD_GRAVITY = 9.81  # [m/s²] used to compute stiffness from weight in scenes without gravity


@dataclass(frozen=True, eq=False)
class Scene:
    """A figure, or several (`Scene.of`), with ground, obstacles, contact model and joint limits.

    Attributes
    ----------
    figure : the figure.
    ground : a `Surface` in the world, or None.
    obstacles : list of `Obstacle`.
    features : contact features of links: None or "all", "feet", "body" (the soles, and one contact for each link as a
        whole), names of links, markers or features, or a list of `Feature`.
    pairs : links that can make contact with each other, by name or pattern, for example (("l_hand", "r_*"),
        ("*", "*")). Links that are connected by a joint are left out.
    material : default material of all contacts.
    materials : {(one side, other side): Material} for particular pairs. One side is a link or feature, the other is
        "ground", an obstacle or a link.
    contact : the contact model (`Compliant`, `Impulsive`, `Convex`, `VirtualLeg`); None for no contact.
    limits : joint limits (`SoftLimits`, `HardLimits`, `StoppingLimits`); by default the stops of the joints
        (`Joint.stop`), if there are any. Limits that are given replace these stops.
    gravity : (3,) [m/s²]; None for the gravity of the figure.
    edges : whether edges of boxes, in addition to corners, make contact with boxes of other links and of obstacles.
        This adds 24 candidates for each pair of boxes.
    """

    figure: Figure
    ground: Surface | None = field(default_factory=Plane)
    obstacles: tuple[Obstacle, ...] = ()
    features: Any = None
    pairs: Any = ()
    material: Material = field(default_factory=Material)
    materials: dict[Any, Any] = field(default_factory=dict)
    contact: Any = field(default_factory=Compliant)
    limits: Any = None
    gravity: Any = None
    edges: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.figure, Figure):
            raise InputError(
                f"A scene needs a figure, but got an object of type {type(self.figure).__name__}. For several figures, "
                "use Scene.of([one, other], …)."
            )
        if self.ground is not None and not isinstance(self.ground, Surface):
            raise InputError(f"The ground is {self.ground!r}. Give a Plane, HeightField or other Surface, or None.")
        obstacles = listed(self.obstacles, Obstacle, "obstacles", "Obstacle(name, surface, pose)s")
        for ob in obstacles:
            if not isinstance(ob, Obstacle):
                raise InputError(f"{ob!r} is not an obstacle. Give Obstacle(name, surface, pose).")
            if [other.name for other in obstacles].count(ob.name) > 1:
                raise InputError(f"Two obstacles have the name '{ob.name}'. Give each obstacle a different name.")
        object.__setattr__(self, "obstacles", obstacles)
        if self.gravity is not None:
            gravity = finite(self.gravity, (3,), "The scene", "gravity")
            object.__setattr__(self, "figure", self.figure.changed(gravity=gravity))
        object.__setattr__(self, "material", checked_material(self.material, "The scene"))
        if self.limits is None:
            object.__setattr__(self, "limits", stop_limits(self.figure))
        self._check_models()
        object.__setattr__(self, "features", chosen_features(self.figure, self.features))
        object.__setattr__(self, "pairs", chosen_pairs(self.figure, self.pairs))
        self._check_materials()

    @staticmethod
    def of(figures: Any, names: Any = None, **options: Any) -> "Scene":
        """Make a scene of several figures.

        names : names of the figures in the scene; by default, the name of each figure. A link has the name "name/link".
        `Scene.figure` combines all figures.
        options : other fields of the scene.
        """
        if isinstance(figures, Figure):
            return Scene(figures, **options)
        return Scene(combine(figures, names), **options)

    def changed(self, **fields: Any) -> "Scene":
        """Return a copy of the scene with some fields replaced."""
        return replace(self, **fields)

    def feature(self, name: str) -> Feature:
        """Return the contact feature with this name; raise InputError if there is none."""
        names = [f.name for f in self.features]
        if name not in names:
            raise InputError(f"No feature '{name}'.{did_you_mean(str(name), names)} Features: {', '.join(names)}.")
        return self.features[names.index(name)]

    @cached_property
    def candidates(self) -> tuple[Any, ...]:
        """Contact candidates of the scene: features on the ground, then on obstacles, then pairs of links."""
        return (*world_candidates(self), *pair_candidates(self))

    def between(self, feature: str, link: str, on: str) -> Material:
        """Return the material between a feature of a link and the ground, an obstacle or another link."""
        for key in ((feature, on), (on, feature), (link, on), (on, link)):
            if key in self.materials:
                return self.materials[key]
        for ob in self.obstacles:
            if ob.name == on and ob.material is not None:
                return between(self.material, ob.material)
        return self.material

    @cached_property
    def gravity_magnitude(self) -> Any:
        """Magnitude of gravity [m/s²]; `STANDARD_GRAVITY` in a scene without gravity."""
        g = np.asarray(self.figure.gravity)
        square = (g * g).sum()
        if not records(g):
            return float(square) ** 0.5 or STANDARD_GRAVITY
        some = less(0.0, square)
        return where(some, sqrt(where(some, square, 1.0)), STANDARD_GRAVITY)

    def weight(self, i: int) -> Any:
        """Compute the weight [N] of the figure that link i belongs to."""
        figure = self.figure
        top = next((j for j in figure.path(i) if figure.joints[j].nu), i)
        if top not in self._weights:
            masses = [link.mass for j, link in enumerate(figure.links) if top in figure.path(j)]
            self._weights[top] = self.gravity_magnitude * sum(masses)
        return self._weights[top]

    @cached_property
    def _weights(self) -> dict[int, Any]:
        """Weights [N] computed so far, by the number of the first link that moves. Every contact needs a weight."""
        return {}

    def _check_models(self) -> None:
        """Raise InputError if the contact model or the limits have the wrong type."""
        asked = {
            "contact": ("Compliant(), Impulsive(), Convex() or VirtualLeg()", ("memory", "impulsive")),
            "limits": (
                "SoftLimits(), HardLimits(), StoppingLimits() or human_limits(…)",
                ("memory", "force", "rows", "hard"),
            ),
        }
        for name, (choices, needs) in asked.items():
            given = getattr(self, name)
            if given is None or (not isinstance(given, type) and all(hasattr(given, need) for need in needs)):
                continue
            said = f"the class {given.__name__}" if isinstance(given, type) else repr(given)
            call = f" Call it: {given.__name__}()." if isinstance(given, type) else ""
            raise InputError(f"The scene has {name} {said}. Give {choices}, or None.{call}")

    def _check_materials(self) -> None:
        """Raise InputError if `materials` names an unknown link, feature or obstacle."""
        links = [link.name for link in self.figure.links]
        known = [*links, *(f.name for f in self.features), "ground", *(ob.name for ob in self.obstacles)]
        if not isinstance(self.materials, dict):
            raise InputError(
                f"materials is {self.materials!r}. Give a dictionary, for example {{('foot', 'ground'): Material(…)}}."
            )
        plain: dict[Any, Any] = {}
        for key, material in self.materials.items():
            if not isinstance(key, tuple) or len(key) != 2:
                raise InputError(
                    f"materials has the key {key!r}. Give a pair of names: a link or feature, and 'ground', an "
                    "obstacle or a link."
                )
            for name in key:
                if name not in known:
                    raise InputError(
                        f"materials names '{name}', which is not a link, feature or obstacle."
                        f"{did_you_mean(str(name), known)} Choose from: {', '.join(known)}."
                    )
            plain[key] = checked_material(material, f"The pair {key[0]}, {key[1]}")
        object.__setattr__(self, "materials", plain)


def with_stops(scene: Any) -> Any:
    """Return an empty scene for a figure whose joints have stops, so that these act; anything else unchanged."""
    if isinstance(scene, Figure) and joint_stops(scene):
        return Scene(scene, ground=None, contact=None)
    return scene
