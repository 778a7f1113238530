"""Curves in a figure.toml: of the axes of custom joints, and of couplings."""

from typing import Any

import numpy as np

from anthropi.errors import FormatError, InputError
from anthropi.figure import Coupling, Polynomial
from anthropi.figure.joints import Custom, CustomAxis
from anthropi.figure.joints.curves import CURVES, Curve
from anthropi.formats.figures.toml.schema import CouplingTable, CurveAxisTable, PartTable

__all__ = ["custom_fields", "custom_tables", "function_of", "function_table"]

AXES = ("rotations", "translations")


def custom_fields(table: PartTable, where: str) -> dict[str, Any]:
    """Return the fields of a `Custom` joint that a [[joint]] table of type "custom" describes."""
    if not table.coordinates:
        raise FormatError(f"{where} of type 'custom' needs 'coordinates': the names of its coordinates.")
    fields: dict[str, Any] = {"coordinate_names": tuple(table.coordinates), "lengths": tuple(table.lengths or ())}
    for what in AXES:
        fields[what] = tuple(_axis(one, f"{where}: {what}[{k}]") for k, one in enumerate(getattr(table, what)))
    return fields


def _axis(table: CurveAxisTable, where: str) -> CustomAxis:
    given = [kind for kind in CURVES if getattr(table, kind) is not None]
    if len(given) != 1:
        raise FormatError(
            f"{where} has {' and '.join(given) or 'no curve'}. Give one of {', '.join(CURVES)}, which is a table."
        )
    try:
        curve = CURVES[given[0]](**getattr(table, given[0]).model_dump())
        return CustomAxis(table.axis if isinstance(table.axis, str) else np.array(table.axis), curve, tuple(table.of))
    except InputError as error:
        raise FormatError(f"{where}: {error}") from None


def custom_tables(joint: Custom) -> dict[str, Any]:
    """Return the keys of the [[joint]] table of a custom joint."""
    item: dict[str, Any] = {"coordinates": list(joint.coordinate_names)}
    if any(joint.lengths):
        item["lengths"] = list(joint.lengths)
    for what in AXES:
        axes = [_axis_table(axis) for axis in getattr(joint, what)]
        item |= {what: axes} if axes else {}
    return item


def _axis_table(axis: CustomAxis) -> dict[str, Any]:
    kind = next(name for name, family in CURVES.items() if isinstance(axis.curve, family))
    return {"axis": axis.axis.tolist(), "of": list(axis.of), kind: _curve_table(axis.curve)}


def _curve_table(curve: Curve) -> dict[str, Any]:
    plain = {name: getattr(curve, name) for name in curve.__dataclass_fields__}
    return {name: x.tolist() if isinstance(x, np.ndarray) else _lists(x) for name, x in plain.items()}


def _lists(x: Any) -> Any:
    return [_lists(y) for y in x] if isinstance(x, tuple) else x


def function_of(table: CouplingTable, where: str) -> Any:
    """Return the function of a coupling: a polynomial, or a curve."""
    given = [kind for kind in ("coefficients", "piecewise", "sine") if getattr(table, kind) is not None]
    if len(given) > 1:
        raise FormatError(f"{where} has {' and '.join(given)}. Keep one of them.")
    if given in ([], ["coefficients"]):
        return Polynomial(tuple(table.coefficients or (0.0, 1.0)))
    try:
        curve = CURVES[given[0]](**getattr(table, given[0]).model_dump())
    except InputError as error:
        raise FormatError(f"{where}: {error}") from None
    if curve.arguments != 1:
        raise FormatError(f"{where} has a curve of {curve.arguments} coordinates. A coupling has one source.")
    return curve


def function_table(coupling: Coupling) -> dict[str, Any]:
    """Return the key of a [[coupling]] table that describes its function."""
    function = coupling.function
    if isinstance(function, Polynomial):
        return {"coefficients": list(function.coefficients)}
    kind = next((name for name, family in CURVES.items() if isinstance(function, family)), None)
    if kind not in ("piecewise", "sine"):
        raise FormatError(
            f"Coupling '{coupling.name}' has a function of type {type(function).__name__}, which a figure.toml cannot "
            "store. Use a polynomial, or a piecewise curve."
        )
    return {kind: _curve_table(function)}
