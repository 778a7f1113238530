"""Build the figures of a script, with their positions in the world and initial states."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import pi
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.geometry.features import chosen_features
from anthropi.errors import FormatError, did_you_mean
from anthropi.figure import Figure, figure_from_parts
from anthropi.figure.editing.joining import combine
from anthropi.figure.human.build import human
from anthropi.figure.joints import Free
from anthropi.figure.samples import sample
from anthropi.formats import read
from anthropi.formats.figures.common import Reading, is_identity, rest_state
from anthropi.formats.figures.toml.parts import link_of, placed
from anthropi.formats.figures.toml.schema import LinkTable, Place
from anthropi.formats.files import confined
from anthropi.formats.scripts.entries import located_errors, where
from anthropi.formats.scripts.schema import BodyTable, Document, FigureTable
from anthropi.motion import configuration

__all__ = ["Cast", "cast", "pose_of", "scaled", "turned"]

MAX_LINKS = 500  # of all figures together; with more links, compiling a step takes too long
MAX_HEIGHT_ITERATIONS = 20  # for placing a figure on curved ground


@dataclass(frozen=True, eq=False)
class Cast:
    """All figures of a script, combined into one, with their names and initial state.

    q (nq,), u (nu,) : initial state. unit : unit of angles in the file [rad].
    """

    figure: Figure
    names: tuple[str, ...]
    q: np.ndarray
    u: np.ndarray
    unit: float

    def full(self, figure: str | None, name: str) -> str:
        """Return the name of a link, joint or marker of one figure in the combined figure, such as "anna/l_knee"."""
        if figure is not None and figure not in self.names:
            raise FormatError(
                f"No figure '{figure}'.{did_you_mean(figure, self.names)} Figures: {', '.join(self.names)}."
            )
        if len(self.names) == 1:
            return name.removeprefix(f"{self.names[0]}/")
        return name if figure is None else f"{figure}/{name}"

    def dofs(self, figure: str | None, names: Iterable[str] | None) -> tuple[int, ...]:
        """Return the indices in u of the named joints or degrees of freedom.

        figure : name of a figure; None for all figures. names : None for all joints except free roots.
        """
        if names is not None:
            return tuple(dict.fromkeys(self.figure.dof_indices([self.full(figure, n) for n in names])))
        self.full(figure, "")
        found = [
            j
            for j in self.figure.joints
            if j.kind != "free" and (figure is None or len(self.names) == 1 or j.name.startswith(f"{figure}/"))
        ]
        return self.figure.dof_indices([j.name for j in found if j.nu])


def cast(found: Document, file: str, folder: Path, ground: Any) -> Cast:
    """Build all figures of a script.

    found : the content of the script. file : its name, for error messages. folder : its folder. ground : the surface on
    which figures stand, or None.
    """
    unit = pi / 180.0 if found.angles == "degrees" else 1.0
    made, names = [], []
    for k, table in enumerate(found.figure):
        place = where(file, "figure", k, table)
        with located_errors(place):
            figure, q, u = _figure(table, place, folder, unit, ground)
        made.append((figure, q, u))
        if sum(f.n for f, _, _ in made) > MAX_LINKS:
            raise FormatError(
                f"{place}: the figures have more than {MAX_LINKS} links in all. Use fewer figures, or less detail."
            )
        names.append(table.name or figure.name)
    given, own = [table.name for table in found.figure if table.name], list(names)
    for k, table in enumerate(found.figure):
        if "/" in table.name or given.count(table.name) > 1:
            raise FormatError(
                f"{where(file, 'figure', k, table)}: the figures are called {', '.join(given)}. Names must be "
                "unique and must not contain '/'."
            )
        if not table.name and own.count(own[k]) > 1:
            names[k] = next(n for n in (f"{own[k]}{j}" for j in range(1, 1000)) if n not in names)
    if len(made) == 1:
        figure, q, u = made[0]
        return Cast(figure.changed(name=names[0]), tuple(names), q, u, unit)
    with located_errors(file):
        whole = combine([figure for figure, _, _ in made], names)
    return Cast(
        whole, tuple(names), np.concatenate([q for _, q, _ in made]), np.concatenate([u for *_, u in made]), unit
    )


def _figure(table: FigureTable, place: str, folder: Path, unit: float, ground):
    """Build one figure. Return it with its initial q (nq,) and u (nu,)."""
    found = _read(table, place, folder)
    figure, state = found.figure, found.state
    pose = placed(turned(table, unit), place)
    if not isinstance(figure.joints[0], Free):
        root = figure.joints[0]
        if not is_identity(pose):
            first = root.changed(placement=pose @ root.placement)
            figure = figure.changed(joints=(first, *figure.joints[1:]))
    q = pose_of(figure, table.position, figure.neutral() if table.pose != "start" else state.q, unit)
    if isinstance(figure.joints[0], Free):
        at = figure.q_of[0]
        own = pose @ figure.joints[0].transform(q[at])
        q[at] = [*own.origin, *rot.quaternion_from_matrix(own.rotation)]
    if table.pose == "standing":
        q = _standing(figure, q, ground)
    u = np.array(state.u if table.pose == "start" else 0.0 * state.u)
    for name, values in table.velocity.items():
        places = figure.dof_indices([name])
        if len(values) != len(places):
            raise FormatError(f"velocity of '{name}' has {len(values)} numbers. Give {len(places)}.")
        u[list(places)] = values * scaled(figure, places, unit)
    return figure, q, u


def _read(table: FigureTable, place: str, folder: Path) -> Reading:
    """Build or read the figure of a table from its source: human, sample, file or body."""
    given = [w for w in ("human", "sample", "file", "body") if getattr(table, w) is not None]
    if len(given) != 1:
        raise FormatError(f"{place} has {' and '.join(given) or 'no source'}. Give one of human, sample, file, body.")
    if table.options and given[0] not in ("sample", "file"):
        raise FormatError(f"{place}: 'options' is only for a sample or a file. Remove it.")
    if table.file is not None:
        options: dict[str, Any] = table.options
        return read(confined(folder, table.file, place), **options)
    if table.sample is not None:
        for key, x in table.options.items():
            if isinstance(x, int) and abs(x) > MAX_LINKS:
                raise FormatError(
                    f"{place} options {key}: {x} is too large. Integers may be {MAX_LINKS} at most. Write other "
                    "numbers with a decimal point."
                )
        figure = sample(table.sample, **table.options)
    elif table.body is not None:
        figure = _body(table.body, table.name or table.body.kind, place)
    else:
        assert table.human is not None
        figure = human(**table.human.model_dump())
    return Reading(figure, rest_state(figure))


def _body(table: BodyTable, name: str, place: str) -> Figure:
    """Build a figure that is one free rigid body."""
    if table.mass is not None and table.density is not None:
        raise FormatError(f"{place}: the body has a mass and a density. Keep only one of them.")
    weight = {"mass": table.mass} if table.mass is not None else {"density": table.density or 1000.0}
    shape = {"kind": table.kind, "size": table.size, **weight} | ({"colour": table.colour} if table.colour else {})
    link = link_of(LinkTable.model_validate({"name": "body", "shape": [shape]}), place, Path())
    return figure_from_parts(name, [("", Free(name="root"), link)])


def turned(table: Place, unit: float) -> Place:
    """Return a pose table with its angles converted to radians. unit : unit of its angles [rad]."""
    if unit == 1.0:
        return table
    kept: dict[str, Any] = {k: getattr(table, k) for k in ("origin", "rotation", "quaternion")}
    if table.rotation_vector is not None:
        kept["rotation_vector"] = [unit * x for x in table.rotation_vector]
    if table.angle_axis is not None:
        kept["angle_axis"] = {"angle": unit * table.angle_axis.angle, "axis": table.angle_axis.axis}
    if table.euler is not None:
        kept["euler"] = {"order": table.euler.order, "angles": [unit * x for x in table.euler.angles]}
    return Place.model_validate({k: v for k, v in kept.items() if v is not None})


def scaled(figure: Figure, places: Any, unit: float) -> np.ndarray:
    """Return the factors that convert numbers of the file to SI units: `unit` for angles, 1 for lengths.

    places : indices in u. unit : unit of angles in the file [rad].
    """
    long = [x for joint in figure.joints for x in joint.lengths or (False,) * joint.nu]
    return np.array([1.0 if long[k] else unit for k in places])


def pose_of(
    figure: Figure, values: dict[str, list[float]], base: Any, unit: float, full: Any = lambda name: name
) -> np.ndarray:
    """Return the configuration `base` (nq,) with some joints changed.

    values : {joint or degree of freedom: numbers}, angles in the file's unit. unit : that unit [rad]. full : function
    that returns the name in `figure` of a name in the file.
    """
    found = {}
    for name, numbers in values.items():
        places = figure.dof_indices([full(name)])
        coordinates = len(numbers) == len(places)  # otherwise the numbers contain a quaternion, which is not scaled
        found[full(name)] = numbers * scaled(figure, places, unit) if coordinates else numbers
    return configuration(figure, found, base)


def _standing(figure: Figure, q, ground) -> np.ndarray:
    """Move a figure vertically until its lowest point touches the ground. Return q (nq,)."""
    if ground is None:
        raise FormatError("pose 'standing' needs a ground, but the scene has none. Use 'neutral', or add a ground.")
    if not isinstance(figure.joints[0], Free):
        raise FormatError(
            f"pose 'standing' needs a free root, but the root of figure '{figure.name}' is {figure.joints[0].kind}."
        )
    features, q = chosen_features(figure), np.array(q, float)
    if not features:
        raise FormatError(f"pose 'standing' needs shapes or markers, but figure '{figure.name}' has none.")
    for _ in range(MAX_HEIGHT_ITERATIONS):
        k, lifts = kinematics(figure, q), []
        for f in features:
            i = figure.link_index(f.link)
            p = k.position[i] + k.rotation[i] @ np.asarray(f.point, float)
            gap, normal = ground.distance(p)
            if not normal[2] > 0.01:
                raise FormatError("the ground is too steep for the pose 'standing'.")
            lifts.append((gap - f.radius) / normal[2])
        q[2] -= min(lifts)
        if abs(min(lifts)) < 1e-12:
            break
    return q
