"""Sensors of contact: pressure of regions, contact flags, centre of pressure.

f_i is the force on the sensor's link at contact i, p_i its point, n_i the unit normal towards that link:

    pressure of a region        N = Σ n_i·f_i                                  (1)
    flag                        1 if N > threshold, else 0                     (2)
    centre of pressure          c = p₀ + n × M₀ / (n·F)                        (3)  the tangential moment about c is 0
    with                        p₀ = Σ w_i p_i / Σ w_i,  w_i = max(n_i·f_i, 0)
                                M₀ = Σ (p_i - p₀) × f_i,  F = Σ f_i            (4)

In (3), n is the normal of the ground if the ground is a plane, otherwise vertical. Forces of impulsive contact models
are those of the previous step.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anthropi.algebra.linear import cross
from anthropi.algebra.scalar import less, maximum, where
from anthropi.contact.vectors import dot
from anthropi.errors import InputError, did_you_mean

__all__ = ["CentreOfPressure", "ContactFlags", "Pressure"]

UP = np.array([0.0, 0.0, 1.0])


@dataclass(eq=False)
class Pressure:
    """Normal force of regions [N], (1).

    regions : {region: names}, or names, each of which is a region. A name is that of a contact feature, of a link (all
        its contacts), or of one contact ("l_foot.l_heel on ground").
    """

    regions: Any
    parameters: dict[str, Any] = field(init=False, default_factory=dict)
    memory: dict[str, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.regions = _regions(self.regions)

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the regions."""
        return tuple(self.regions)

    def read(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> tuple[Any, dict[str, Any]]:
        """Return the normal forces (n,) [N] and the memory."""
        return _normal_forces(figure, sense, self.regions), {}


@dataclass(eq=False)
class ContactFlags:
    """Contact flags of regions: 1 where the normal force exceeds the threshold [N], otherwise 0, (2).

    regions : as in `Pressure`. threshold is a parameter.
    """

    regions: Any
    threshold: float = 1.0
    parameters: dict[str, Any] = field(init=False)
    memory: dict[str, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.regions = _regions(self.regions)
        self.parameters = {"threshold": _threshold(self.threshold)}

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the regions."""
        return tuple(self.regions)

    def read(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> tuple[Any, dict[str, Any]]:
        """Return the flags (n,) and the memory."""
        force = _normal_forces(figure, sense, self.regions)
        return where(less(parameters["threshold"], force), 1.0, 0.0), {}


@dataclass(eq=False)
class CentreOfPressure:
    """Centre of pressure (3,) [m] of contacts with the world, in world axes, (3) and (4).

    names : names of features, links or contacts, for example both feet.
    threshold : [N] normal force below which the reading is the mean of the contact points instead; a parameter.
    """

    names: tuple[str, ...]
    threshold: float = 1.0
    labels: tuple[str, ...] = field(init=False, default=("x", "y", "z"))
    parameters: dict[str, Any] = field(init=False)
    memory: dict[str, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.names = (self.names,) if isinstance(self.names, str) else tuple(self.names)
        self.parameters = {"threshold": _threshold(self.threshold)}

    def read(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> tuple[Any, dict[str, Any]]:
        """Return the centre (3,) [m] and the memory."""
        felt = sense.contacts
        own = [i for i in _matching(figure, felt, self.names) if felt.links[i][1] < 0]
        if not own:
            raise InputError(f"{', '.join(self.names)}: no contacts with the ground or obstacles.")
        n = sense.ground.normal if getattr(sense.ground, "constant", False) else UP
        points, forces = [felt.points[i] for i in own], [felt.forces[i] for i in own]
        w = [maximum(dot(felt.normals[i], f), 0.0) for i, f in zip(own, forces, strict=True)]
        weight, mean = sum(w), sum(points) * (1.0 / len(own))
        loaded = less(parameters["threshold"], weight)
        p0 = sum(a * p for a, p in zip(w, points, strict=True)) / where(loaded, weight, 1.0)  # (4)
        M0 = sum(cross(p - p0, f) for p, f in zip(points, forces, strict=True))
        load = dot(n, sum(forces))
        c = p0 + cross(n, M0) / where(less(parameters["threshold"], load), load, 1.0)  # (3)
        return where(loaded & less(parameters["threshold"], load), c, mean), {}


def _normal_forces(figure: Any, sense: Any, regions: Mapping[str, Any]) -> Any:
    """Return the normal forces (n,) [N] of regions (1)."""
    felt, found = sense.contacts, []
    for names in regions.values():
        own = _matching(figure, felt, names)
        found.append(sum((dot(felt.normals[i], felt.forces[i]) for i in own), 0.0))
    return np.array(found)


def _matching(figure: Any, felt: Any, names: Iterable[str]) -> list[int]:
    """Return the numbers of the contacts with these names; raise InputError for an unknown name."""
    links = [{figure.links[i].name for i in pair if i >= 0} for pair in felt.links]
    features = felt.features or ("",) * len(links)
    known = [{name, feature, *own} - {""} for name, feature, own in zip(felt.names, features, links, strict=True)]
    for name in names:
        if not any(name in own for own in known):
            choices = list(dict.fromkeys([*features, *(x for own in links for x in sorted(own))]))
            choices = [x for x in choices if x]
            raise InputError(
                f"No contacts of '{name}' in the scene.{did_you_mean(str(name), choices)} Features and links with "
                f"contacts: {', '.join(choices) or 'none'}."
            )
    return [i for i, own in enumerate(known) if own & set(names)]


def _regions(given: Any) -> dict[str, tuple[str, ...]]:
    """Return regions as {region: names}."""
    if isinstance(given, str):
        given = (given,)
    whole = dict(given) if isinstance(given, Mapping) else {name: (name,) for name in given}
    if not whole:
        raise InputError("Give at least one region: names of features or links, or {region: names}.")
    return {region: (names,) if isinstance(names, str) else tuple(names) for region, names in whole.items()}


def _threshold(value: Any) -> float:
    """Return a threshold [N] as a float; raise InputError if it is not a number above 0."""
    if not isinstance(value, (int, float, np.number)) or not 0.0 < value < np.inf:
        raise InputError(f"threshold={value!r} is not valid. Give a force above 0 [N].")
    return float(value)
