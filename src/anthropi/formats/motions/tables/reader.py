"""Read motions from tables of coordinates, or from tables of marker positions by inverse kinematics.

A table of coordinates has a column "time" and columns named after degrees of freedom ("l_knee", "l_hip.x", "root.px").
The three columns of a ball joint are its rotation vector. A unit may follow in brackets: "l_knee [deg]". Angles without
a unit are in radians, or in degrees if the option `degrees` is set.

A marker has three columns, "LKNE.x", "LKNE.y" and "LKNE.z"; the separator may also be "_", ":" or a space. An empty
cell means that the marker was not visible.
"""

import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.errors import FormatError, did_you_mean
from anthropi.figure import Ball, Figure, Free
from anthropi.formats import limits
from anthropi.formats.files import naming
from anthropi.formats.motions.bvh.skeleton import axes_of
from anthropi.formats.motions.tables.scan import UNITS, Table, read_csv, read_mot, read_trc, refuse
from anthropi.motion.markers import from_markers
from anthropi.motion.motion import Motion

__all__ = ["read"]

_TRIPLE = re.compile(r"(.+?)[ ._:]([xyzXYZ])")
_UNIT = re.compile(r"(.*?)\s*[\[(](\w*)[\])]")
_ANGLES = {"deg": np.pi / 180.0, "rad": 1.0}
MIN_TIME_STEP = 1e-7  # [s]; smaller steps are errors in the file and would give unbounded velocities
MARKER_OPTIONS = ("names", "weights", "gap", "q0", "limits", "static")


def read(
    path: str | os.PathLike[str],
    figure: Figure | None = None,
    degrees: bool = False,
    units: str | None = None,
    up: str | None = None,
    forward: str | None = None,
    **solving: Any,
) -> Motion:
    """Read the motion of a figure from a .csv, .trc or .mot table.

    Parameters
    ----------
    path : the table.
    figure : the figure that moves; required, because a table does not describe one.
    degrees : whether angles without a unit are in degrees. If the header of a .mot file gives the unit, that is used.
    units : unit of marker positions, "m", "cm" or "mm". By default it is the unit in the .trc file or in the brackets
        of a column name, or else metres.
    up, forward : axes of the file that point up and forward (z and x of a figure). By default "y" and "x" for .trc, "z"
        and "x" for .csv.
    names, weights, gap, q0, limits, static : options for markers, as in `anthropi.motion.from_markers`. q0 also gives
        the values of degrees of freedom without a column.
    """
    path = Path(path)
    if not isinstance(figure, Figure):
        raise FormatError(
            f"{path.name}: a table does not describe its figure. Give one, for example figure=ap.human()."
        )
    trc, metres = path.suffix.lower() == ".trc", 1.0
    if trc:
        table, metres = read_trc(path)
    elif path.suffix.lower() == ".mot":
        table, degrees = read_mot(path, degrees)
    else:
        table = read_csv(path)
    limits.check(
        path, "numbers", len(table.values) * max(figure.nq, 1), "numbers: rows, times coordinates of the figure"
    )
    time, rest = _time(table)
    with naming(path):
        if not trc and (known := _coordinates(table, rest, figure)) is not None:
            alien = [x for x in MARKER_OPTIONS if x != "q0" and x in solving]
            if alien or units or up or forward:
                raise FormatError(
                    f"{path.name} contains coordinates, not markers. The option '"
                    f"{(alien or ['units, up or forward'])[0]}' does not apply to them."
                )
            return _motion(table, time, known, figure, degrees, solving.get("q0"))
        if units is not None:
            if units not in UNITS:
                raise FormatError(f"{path.name}: units={units!r}. Choose from {', '.join(UNITS)}.")
            metres = UNITS[units]
        axes = axes_of(up or ("y" if trc else "z"), forward or "x", path.name)
        triples = _triples(table, rest, figure, metres, units_given=units is not None)
        limits.check(path, "marker_rows", len(time), "rows of marker positions")
        seen = {name: x @ axes.T for name, x in triples.items()}
        found = from_markers(figure, time, seen, **solving)
        return found.changed(metadata=found.metadata | {"source": path.name})


def _time(table: Table) -> tuple[np.ndarray, list[int]]:
    """Return the times [s], which must increase, and the indices of the other columns."""
    names = [re.sub(r"\s*[\[(]s[\])]$", "", c).strip().lower() for c in table.columns]
    if not {"time", "t"} & set(names):
        refuse(table.name, table.header, f"no column 'time' [s]. Columns: {', '.join(table.columns)[:300]}.")
    k = names.index("time") if "time" in names else names.index("t")
    time = table.values[:, k]
    for n, t in enumerate(time):
        if not np.isfinite(t) or (n and t < time[n - 1] + MIN_TIME_STEP):
            what = f"the time {t:.9g} s does not come after {time[n - 1]:.9g} s" if np.isfinite(t) else "no time"
            refuse(table.name, table.lines[n], f"{what}. Times must increase from row to row.")
    others = [n for n in range(len(names)) if n != k and names[n] not in ("frame", "frame#")]
    return time, others


def _coordinates(table: Table, columns: list[int], figure: Figure):
    """Find the columns that are degrees of freedom.

    Returns {column: (index in u, factor of its unit or None)}; None if no column is a degree of freedom.
    """
    found: dict[int, tuple[int, float | None]] = {}
    strange = []
    long = dict(zip(figure.dofs, _lengths(figure), strict=True))
    for n in columns:
        name, unit = _apart(table.columns[n])
        if name in figure.dofs:
            found[n] = figure.dofs.index(name), None if unit is None else _factor(table, n, unit, long[name])
        else:
            strange.append(name)
    if found and strange:
        refuse(
            table.name,
            table.header,
            f"column '{strange[0]}' is not a degree of freedom of figure '{figure.name}'."
            f"{did_you_mean(strange[0], figure.dofs)} It has: {', '.join(figure.dofs)}.",
        )
    places = [k for k, _ in found.values()]
    if len(set(places)) < len(places):
        twice = next(figure.dofs[k] for k in places if places.count(k) > 1)
        refuse(table.name, table.header, f"two columns give the degree of freedom '{twice}'. Remove one of them.")
    return found or None


def _apart(column: str) -> tuple[str, str | None]:
    """Split a column label into the name and the unit in brackets after it; None if there is no unit."""
    match = _UNIT.fullmatch(column)
    return (match[1], match[2]) if match else (column, None)


def _factor(table: Table, n: int, unit: str, length: bool) -> float:
    """Return the factor that converts the numbers of column n to metres or radians."""
    known = UNITS if length else _ANGLES
    if unit not in known:
        what = "a length" if length else "an angle"
        refuse(
            table.name,
            table.header,
            f"column '{table.columns[n]}' is {what} and cannot have the unit '{unit}'. Use "
            f"one of {', '.join(f'[{u}]' for u in known)}.",
        )
    return known[unit]


def _lengths(figure: Figure) -> list[bool]:
    """Return for each degree of freedom whether it is a length."""
    return [long for j in figure.joints for long in (j.lengths or (False,) * j.nu)]


def _motion(table: Table, time, known, figure: Figure, degrees: bool, q0) -> Motion:
    """Build the motion from columns of coordinates. Degrees of freedom without a column keep their value in q0."""
    base = figure.neutral() if q0 is None else np.asarray(q0, float)
    if base.shape != (figure.nq,):
        raise FormatError(f"{table.name}: q0 has shape {base.shape}; figure '{figure.name}' needs ({figure.nq},).")
    start = [np.asarray(j.coordinates(base[at]), float) for j, at in zip(figure.joints, figure.q_of, strict=True)]
    x = np.tile(np.concatenate(start), (len(time), 1))
    long = _lengths(figure)
    for n, (k, factor) in known.items():
        values = table.values[:, n]
        empty = np.flatnonzero(~np.isfinite(values))
        if len(empty):
            refuse(
                table.name,
                table.lines[empty[0]],
                f"'{table.columns[n]}' has no number. Coordinates are needed in every row.",
            )
        x[:, k] = values * (factor if factor is not None else np.pi / 180.0 if degrees and not long[k] else 1.0)
    places = {k for k, _ in known.values()}
    parts = [
        _configurations(j, x[:, of], any(k in places for k in range(of.start, of.stop)))
        for j, of in zip(figure.joints, figure.u_of, strict=True)
    ]
    return Motion(figure, time, np.concatenate(parts, axis=1), None, {}, (), {"source": table.name})


def _configurations(joint: Any, x: np.ndarray, moves: bool) -> np.ndarray:
    """Convert coordinates (rows, nu) of a joint to configurations (rows, nq). moves : whether the rows differ."""
    if joint.plain:
        return x
    if isinstance(joint, (Ball, Free)):
        return joint.from_coordinates(x)
    rows = [joint.from_coordinates(row) for row in (x if moves else x[:1])]
    return np.broadcast_to(np.array(rows, float).reshape(len(rows), joint.nq), (len(x), joint.nq))


def _triples(
    table: Table, columns: list[int], figure: Figure, metres: float, units_given: bool
) -> dict[str, np.ndarray]:
    """Return the marker positions, {marker: (rows, 3)} [m].

    metres : unit [m] of columns without a unit in brackets, or of all columns if `units_given`.
    """
    found: dict[str, dict[str, int]] = {}
    scale = np.full(len(table.columns), metres)
    for n in columns:
        name, unit = _apart(table.columns[n])
        match = _TRIPLE.fullmatch(name)
        if match is not None and unit is not None and not units_given:
            scale[n] = _factor(table, n, unit, True)
        if match is None:
            hint = did_you_mean(table.columns[n], figure.dofs)
            refuse(
                table.name,
                table.header,
                f"column '{table.columns[n]}' is neither a degree of freedom of figure "
                f"'{figure.name}' ({', '.join(figure.dofs[:8])} …) nor a marker coordinate such as 'LKNE.x'.{hint}",
            )
        found.setdefault(match[1], {})[match[2].lower()] = n
    for name, axes in found.items():
        if len(axes) < 3:
            refuse(table.name, table.header, f"marker '{name}' has {', '.join(sorted(axes))}; it needs x, y and z.")
    if not found:
        refuse(table.name, table.header, "the table has only a column for the time.")
    values = scale * table.values
    return {name: values[:, [axes[a] for a in "xyz"]] for name, axes in found.items()}
