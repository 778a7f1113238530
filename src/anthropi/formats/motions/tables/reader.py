"""Read motions from tables of coordinates, or from tables of marker positions by inverse kinematics.

A table of coordinates has a column "time" and columns named after degrees of freedom ("l_knee", "l_hip.x", "root.px").
The three columns of a ball joint are its rotation vector. A unit may follow in brackets: "l_knee [deg]". Angles without
a unit are in radians, or in degrees if the option `degrees` is set.

A marker has three columns, "LKNE.x", "LKNE.y" and "LKNE.z"; the separator may also be "_", ":" or a space. An empty
cell means that the marker was not visible. The length unit and the up axis of markers are found from evidence
(`formats/motions/evidence.py`). Faults of a file that do not change its meaning are repaired; a `FormatWarning` lists
them, and `strict` refuses them.
"""

import os
import re
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.errors import FormatError, FormatWarning, did_you_mean
from anthropi.figure import Ball, Figure, Free
from anthropi.formats import limits
from anthropi.formats.files import naming
from anthropi.formats.motions.evidence import axes_from, metres_from
from anthropi.formats.motions.tables.scan import UNITS, Table, read_csv, read_mot, refuse
from anthropi.formats.motions.tables.trc import read_trc
from anthropi.motion.capture import Capture
from anthropi.motion.motion import Motion

__all__ = ["read", "read_capture"]

_OPENSIM_PATH = re.compile(r"/jointset/[^/]+/([^/]+)/(value|speed)")
_TRIPLE = re.compile(r"(.+?)[ ._:]([xyzXYZ])")
_UNIT = re.compile(r"(.*?)\s*[\[(](\w*)[\])]")
_ANGLES = {"deg": np.pi / 180.0, "rad": 1.0}
MIN_TIME_STEP = 1e-7  # [s]; smaller steps are errors in the file and would give unbounded velocities
MARKER_OPTIONS = ("names", "weights", "gap", "q0", "limits", "static")


def read(
    path: str | os.PathLike[str],
    figure: Figure | None = None,
    degrees: bool = False,
    units: Any = None,
    up: str | None = None,
    forward: str | None = None,
    strict: bool = False,
    **solving: Any,
) -> Motion:
    """Read the motion of a figure from a .csv, .trc, .mot or .sto table.

    Parameters
    ----------
    path : the table.
    figure : the figure that moves; required, because a table does not describe one.
    degrees : whether angles without a unit are in degrees. If the header of a .mot file gives the unit, that is used.
    units : unit of marker positions, "m", "dm", "cm", "mm", "inch", or its length [m]. By default it is the unit in the
        .trc file or in the brackets of a column name, or else metres, unless the person would then have an impossible
        size.
    up, forward : axes of the file that point up and forward (z and x of a figure). By default, up is found from the
        names of the markers, or else it is "y" for .trc and "z" for .csv; forward is "x".
    strict : whether faults that could be repaired raise an error.
    names, weights, gap, q0, limits, static : options for markers, as in `anthropi.motion.from_markers`. q0 also gives
        the values of degrees of freedom without a column.
    """
    path = Path(path)
    if not isinstance(figure, Figure):
        raise FormatError(
            f"{path.name}: a table does not describe its figure. Give one, for example figure=ap.human()."
        )
    table, degrees, unit = _table(path, degrees, strict)
    limits.check(
        path, "numbers", len(table.values) * max(figure.nq, 1), "numbers: rows, times coordinates of the figure"
    )
    time, rest = _time(table)
    _say(table)
    trc = unit is not None
    with naming(path):
        if not trc and (known := _coordinates(table, rest, figure)) is not None:
            alien = [x for x in MARKER_OPTIONS if x != "q0" and x in solving]
            if alien or units or up or forward:
                raise FormatError(
                    f"{path.name} contains coordinates, not markers. The option '"
                    f"{(alien or ['units, up or forward'])[0]}' does not apply to them."
                )
            return _motion(table, time, known, figure, degrees, solving.get("q0"))
        found = _capture(table, time, rest, figure, unit, units, up, forward)
        limits.check(path, "marker_rows", len(time), "rows of marker positions")
        return found.motion(figure, **solving)


def read_capture(
    path: str | os.PathLike[str],
    up: str | None = None,
    forward: str | None = None,
    units: Any = None,
    strict: bool = False,
) -> Capture:
    """Read the markers of a .trc or .csv table as a recording. The options are those of `read`."""
    path = Path(path)
    table, _, unit = _table(path, False, strict)
    time, rest = _time(table)
    _say(table)
    with naming(path):
        return _capture(table, time, rest, None, unit, units, up, forward)


def _table(path: Path, degrees: bool, strict: bool) -> tuple[Table, bool, str | None]:
    """Return the table, whether its angles are in degrees, and the length unit that a .trc file declares."""
    ending = path.suffix.lower()
    if ending == ".trc":
        table, unit = read_trc(path, strict)
        return table, degrees, unit
    if ending in (".mot", ".sto"):
        table, degrees = read_mot(path, degrees, strict)
        return table, degrees, None
    return _distinct(read_csv(path), strict), degrees, None


def _distinct(table: Table, strict: bool) -> Table:
    """Return a .csv table without rows whose time is that of the next row."""
    k = next((n for n, c in enumerate(table.columns) if _apart(c)[0].strip().lower() in ("time", "t")), None)
    again = np.flatnonzero(np.diff(table.values[:, k]) == 0.0) if k is not None else np.zeros(0, int)
    if not again.size:
        return table
    fault = f"the time {table.values[again[0], k]:g} s is repeated ({again.size} repeated times)"
    if strict:
        refuse(table.name, int(table.lines[again[0] + 1]), f"{fault}.")
    values, lines = (np.delete(x, again, axis=0) for x in (table.values, table.lines))
    return replace(table, values=values, lines=lines, notes=(f"{fault}; of rows with the same time the last is kept",))


def _say(table: Table) -> None:
    if table.notes:
        few = "; ".join(table.notes[:6]) + (f"; and {len(table.notes) - 6} more" if len(table.notes) > 6 else "")
        warnings.warn(f"{table.name} was repaired: {few}", FormatWarning, stacklevel=4)


def _capture(table: Table, time, columns, figure: Figure | None, declared, units, up, forward) -> Capture:
    """Return the markers of a table as a recording. declared : the unit of a .trc file; None for other tables."""
    triples, unit = _triples(table, columns, figure, units is not None)
    if declared is None:
        declared = unit
    place = table.name if unit or declared == "" else f"{table.name}, line 3"
    metres = metres_from(place, declared, units, triples)
    usual = "y" if table.name.lower().endswith(".trc") else "z"
    axes = axes_from(table.name, usual, up, forward, triples)
    markers = {name: metres.value * x @ axes.value.T for name, x in triples.items()}
    notes = (axes.words, metres.words, *table.notes)
    return Capture(table.name, time, markers, axes=axes.value, metres=metres.value, notes=notes)


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
    """Find the columns that are degrees of freedom, by full names, unique last parts of names, or paths of OpenSim.

    Returns {column: (index in u, factor of its unit or None)}; None if no column is a degree of freedom.
    """
    found: dict[int, tuple[int, float | None]] = {}
    strange = []
    long, number = _lengths(figure), _dof_names(figure)
    for n in columns:
        name, unit = _apart(table.columns[n])
        path = _OPENSIM_PATH.fullmatch(name)
        if path is not None and path[2] == "speed":
            continue  # the velocities follow from the coordinates
        k = number.get(name if path is None else path[1])
        if k is not None:
            found[n] = k, None if unit is None else _factor(table, n, unit, long[k])
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


def _dof_names(figure: Figure) -> dict[str, int]:
    """Return the numbers of the degrees of freedom by name, and by the last part of the name where that is unique."""
    short = [dof.rpartition(".")[2] for dof in figure.dofs]
    own = {name: k for k, name in enumerate(short) if short.count(name) == 1}
    return own | {dof: k for k, dof in enumerate(figure.dofs)}


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


def _triples(table: Table, columns: list[int], figure: Figure | None, given: bool) -> tuple[dict[str, np.ndarray], str]:
    """Return the marker positions {marker: (rows, 3)}, and their common unit, "" if the columns give none.

    If columns have different units in brackets, all are converted to metres, unless the caller has given a unit.
    """
    found: dict[str, dict[str, int]] = {}
    units: dict[int, str] = {}
    for n in columns:
        name, unit = _apart(table.columns[n])
        match = _TRIPLE.fullmatch(name)
        if match is not None and unit is not None:
            _factor(table, n, unit, True)  # refuses units of angles
            units[n] = unit
        if match is None:
            dofs = figure.dofs if figure is not None else ()
            hint = did_you_mean(table.columns[n], dofs)
            own = f"a degree of freedom of figure '{figure.name}' ({', '.join(dofs[:8])} …)" if figure else "a time"
            more = "" if figure else " A table of coordinates is read with ap.load_motion(path, figure=…)."
            refuse(
                table.name,
                table.header,
                f"column '{table.columns[n]}' is neither {own} nor a marker coordinate such as 'LKNE.x'.{hint}{more}",
            )
        found.setdefault(match[1], {})[match[2].lower()] = n
    for name, axes in found.items():
        if len(axes) < 3:
            refuse(table.name, table.header, f"marker '{name}' has {', '.join(sorted(axes))}; it needs x, y and z.")
    if not found:
        refuse(table.name, table.header, "the table has only a column for the time.")
    values, known = table.values, set(units.values())
    if not given and (len(known) > 1 or (known and len(units) < 3 * len(found))):
        values = values * [UNITS.get(units.get(n, "m"), 1.0) for n in range(len(table.columns))]
        known = {"m"}
    return {name: values[:, [axes[a] for a in "xyz"]] for name, axes in found.items()}, (known or {""}).pop() if len(
        known
    ) < 2 else ""
