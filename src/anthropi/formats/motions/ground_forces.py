"""Read ground forces: force plates of C3D files, and the tables and ExternalLoads files of OpenSim.

An ExternalLoads file (.xml) names the body on which each force acts, and the columns of a table (.mot, .sto) with its
three components, its point of application and its torque. OpenSim takes the three columns whose names begin with an
identifier. A table alone is read by the names that OpenSim's programs use: "ground_force_vx", "1_ground_force_vx",
"ground_force_r_vx" … for the force, with "p" in place of "v" for the point, and "torque_" in place of "force_v" for the
torque.
"""

import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.errors import FormatError, did_you_mean
from anthropi.formats.files import confined, naming
from anthropi.formats.motions.bvh.skeleton import axes_of
from anthropi.formats.motions.evidence import FORWARDS
from anthropi.formats.motions.tables.opensim import Table
from anthropi.formats.motions.tables.opensim import read as read_table
from anthropi.motion.ground_forces import MIN_FORCE, ForcePlate, GroundForces

__all__ = ["EXTENSIONS", "read_forces"]

EXTENSIONS = (".c3d", ".xml", ".mot", ".sto")
FORCE_COLUMN = re.compile(r"(.*?)(?:force|grf)(.*?)_?v?x", re.IGNORECASE)
GROUND = ("ground", "/ground", "")
MAX_FORCES = 64
UP_SHARE = 0.8  # share of the mean force along an axis, above which this axis points up


def read_forces(
    path: str | os.PathLike[str], up: str | None = None, forward: str | None = None, strict: bool = False
) -> GroundForces:
    """Read the ground forces in a file.

    Parameters
    ----------
    path : a .c3d file, an ExternalLoads file (.xml), or a table (.mot, .sto).
    up, forward : axes of the file that point up and forward. By default, up is the axis of the mean force on the
        person, and forward is x.
    strict : whether faults of tables that could be repaired raise an error.
    """
    path = Path(path)
    ending = path.suffix.lower()
    if ending == ".c3d":
        from anthropi.formats.motions.c3d import read_capture

        found = read_capture(path, up, forward).forces
        if found is None:
            raise FormatError(f"{path.name} has no force plates. Give a file with forces: {', '.join(EXTENSIONS)}.")
        return found
    if ending not in EXTENSIONS:
        raise FormatError(
            f"{path.name}: no format of ground forces has the extension '{path.suffix}'."
            f"{did_you_mean(path.suffix, EXTENSIONS)} Extensions: {', '.join(EXTENSIONS)}."
        )
    rows, data = _loads(path) if ending == ".xml" else (None, path)
    table = read_table(data, strict, missing=True)
    with naming(path):
        rows = _named(table) if rows is None else rows
        raw = [_wrench(table, *row) for row in rows]
        axes, words = _axes(table.name, up, forward, [force for force, _, _ in raw])
        plates = tuple(
            _plate(name, link, table.time, *(x @ axes.T for x in parts))
            for (name, link, *_), parts in zip(rows, raw, strict=True)
        )
        return GroundForces(plates, path.name, (words, *table.notes))


def _loads(path: Path) -> tuple[list[tuple[str, str, str, str, str]], Path]:
    """Read an ExternalLoads file: (name, body, identifiers of force, point and torque) of each force, and its table."""
    from anthropi.formats.figures.xml import read_xml

    root = read_xml(path, keep_text=True)
    loads = root if root.tag == "ExternalLoads" else root.only("ExternalLoads")
    if loads is None:
        raise FormatError(f"{root.where} contains no <ExternalLoads>. Give the file that lists ground forces.")
    node = loads.only("datafile")
    reference = node.text if node is not None else ""
    if not reference:
        raise FormatError(f"{loads.where} names no table in <datafile>. Add the .mot or .sto file of the forces.")
    objects = loads.only("objects")
    found: list[tuple[str, str, str, str, str]] = []
    for force in objects.all("ExternalForce") if objects is not None else []:
        own = {child.tag: child.text for child in force.children}
        if own.get("appliesForce", own.get("applies_force", "true")) == "false" or own.get("isDisabled") == "true":
            continue
        for key in ("force_expressed_in_body", "point_expressed_in_body"):
            if own.get(key, "ground") not in GROUND:
                raise FormatError(
                    f"{force.where}: {key} is '{own[key][:40]}'. Only forces and points in ground axes are read."
                )
        if not own.get("force_identifier") or not own.get("point_identifier"):
            raise FormatError(f"{force.where} needs a force_identifier and a point_identifier.")
        body = own.get("applied_to_body", "").rpartition("/")[2]
        name = force.get("name") or body or f"force {len(found) + 1}"
        found.append(
            (name, body, own["force_identifier"], own["point_identifier"], own.get("torque_identifier", ""))
        )  # fmt: skip
    if not found or len(found) > MAX_FORCES:
        raise FormatError(f"{loads.where} has {len(found)} forces that are applied; 1 to {MAX_FORCES} are read.")
    return found, confined(path.parent, reference, loads.where)


def _named(table: Table) -> list[tuple[str, str, str, str, str]]:
    """Find forces, points and torques in a table by the names of its columns."""
    found: list[tuple[str, str, str, str, str]] = []
    for column in table.columns:
        match = FORCE_COLUMN.fullmatch(column)
        if match is None or not column.lower().endswith("vx"):
            continue
        force = column[:-1]
        point, torque = f"{force[:-1]}p", ""
        for word in ("torque", "moment"):
            start = re.sub("force", word, force[:-1].rstrip("_"), flags=re.IGNORECASE)
            torque = torque or next((start + end for end in ("_", "") if f"{start}{end}x" in table.columns), "")
        sides = [s for s in "lr" if re.search(rf"(^|_){s}(_|$)", f"{match[1]}_{match[2]}".strip("_").lower())]
        name = (match[1] + match[2]).replace("ground", "").strip("_") or "1"
        found.append((f"force {name}", f"calcn_{sides[0]}" if len(sides) == 1 else "", force, point, torque))
    if not found:
        few = ", ".join(table.columns[:8])
        raise FormatError(
            f"{table.name} has no columns of a ground force, such as 'ground_force_vx'. Columns: {few} … "
            "Give an ExternalLoads file (.xml) that names them."
        )
    if len(found) > MAX_FORCES:
        raise FormatError(f"{table.name} has {len(found)} ground forces; at most {MAX_FORCES} are read.")
    return found


def _wrench(table: Table, name: str, link: str, force: str, point: str, torque: str):
    """Return force, point and torque (rows, 3) of one external force; NaN counts as 0."""
    parts = []
    for what, identifier in (("force", force), ("point", point), ("torque", torque)):
        own = [column for column in table.columns if identifier and column.startswith(identifier)]
        exact = [identifier + axis for axis in "xyz"]
        own = exact if set(exact) <= set(table.columns) else own
        if not identifier:
            parts.append(np.zeros((len(table.time), 3)))
            continue
        if len(own) != 3:
            raise FormatError(
                f"{table.name}: the {what} of '{name}' needs three columns that begin with '{identifier}'; it has "
                f"{len(own)}.{did_you_mean(f'{identifier}x', table.columns)}"
            )
        parts.append(np.nan_to_num(np.stack([table[column] for column in own], -1)))
    return tuple(parts)


def _axes(name: str, up: str | None, forward: str | None, forces: list[np.ndarray]) -> tuple[np.ndarray, str]:
    """Return the axes of a table (3, 3), rows forward, left and up, and the reason."""
    if up is None:
        mean = np.mean([force.mean(0) for force in forces], axis=0)
        k, size = int(np.abs(mean).argmax()), float(np.linalg.norm(mean))
        if not size > 0.0 or abs(mean[k]) < UP_SHARE * size:
            up, words = "y", "up: y, the usual axis of OpenSim; the mean force points along no axis"
        else:
            up = f"{'-' if mean[k] < 0.0 else ''}{'xyz'[k]}"
            words = f"up: {up}, the direction of the mean force on the person"
    else:
        words = f"up: {up}, as given"
    ahead = forward or FORWARDS.get(up, "x")
    words += f"; forward: {ahead}, {'as given' if forward else 'the usual axis'}; lengths in metres"
    return axes_of(up, ahead, name), words


def _plate(name: str, link: str, time: Any, force: np.ndarray, point: np.ndarray, torque: np.ndarray) -> ForcePlate:
    """Return an external force as a plate whose surface is horizontal and goes through the point of application."""
    loaded = force[:, 2] > MIN_FORCE
    height = np.where(loaded, point[:, 2], float(np.median(point[loaded, 2])) if loaded.any() else 0.0)
    centre = np.stack([np.zeros(len(time)), np.zeros(len(time)), height], -1)
    same = float(np.ptp(height)) == 0.0
    return ForcePlate(name, time, force, np.cross(point, force) + torque, centre[0] if same else centre, link=link)
