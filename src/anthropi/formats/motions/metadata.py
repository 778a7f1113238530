"""Convert channel names, events and metadata of a motion to JSON text and back, without loss.

Numbers are read back bit for bit. Tuples, events (named tuples) and arrays are written as marked objects:
{"tuple": […]}, {"event": name, "values": {…}} and {"array": […], "dtype": …, "shape": […]}. A mapping with one of these
marks among its keys is written as {"map": [[key, value], …]}. An event of an unknown kind is read as an `Event` with
its values in `about`.
"""

import json
from typing import Any

import numpy as np

from anthropi.errors import FormatError
from anthropi.formats.decoding import check_json, load_json
from anthropi.motion.motion import EVENTS, Event

__all__ = ["from_text", "to_text"]

MARKS = ("tuple", "event", "array", "map")
DTYPES = ("float64", "float32", "int64", "int32", "bool")
MAX_DEPTH = 40


def to_text(value: Any, what: str) -> str:
    """Return the JSON text of a value. `what` is its name in error messages."""
    try:
        text = json.dumps(_plain(value, what), ensure_ascii=True)
        check_json(text, what)  # what is written can be read back
        return text
    except FormatError:
        raise
    except (RecursionError, ValueError) as error:
        raise FormatError(f"{what} cannot be written: {error}.") from None


def _plain(value: Any, what: str, depth: int = 0) -> Any:
    if depth > MAX_DEPTH:
        raise FormatError(f"{what}: nested more than {MAX_DEPTH} levels deep, or contains itself. Use fewer levels.")

    def inner(x):
        return _plain(x, what, depth + 1)

    if value is None or type(value) in (bool, str, int, float):
        return value
    if isinstance(value, (np.bool_, np.integer, np.floating)):
        return value.item()
    if isinstance(value, np.ndarray) and value.dtype.name in DTYPES:
        return {"array": value.ravel().tolist(), "dtype": value.dtype.name, "shape": list(value.shape)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {"event": type(value).__name__, "values": {k: inner(v) for k, v in value._asdict().items()}}
    if isinstance(value, tuple):
        return {"tuple": [inner(x) for x in value]}
    if isinstance(value, list):
        return [inner(x) for x in value]
    if isinstance(value, dict):
        if not all(isinstance(k, str) for k in value):
            raise FormatError(f"{what}: the keys {list(value)[:5]} are not all strings. Use strings as keys.")
        if any(k in MARKS for k in value):
            return {"map": [[k, inner(v)] for k, v in value.items()]}
        return {k: inner(v) for k, v in value.items()}
    raise FormatError(
        f"{what}: a value of type {type(value).__name__} cannot be stored. Use numbers, strings, lists, "
        "tuples, mappings or arrays."
    )


def from_text(text: str, what: str) -> Any:
    """Return the value of a text written by `to_text`. `what` is its name in error messages."""
    try:
        return _back(load_json(text, what))
    except FormatError as error:
        raise FormatError(str(error) if str(error).startswith(what) else f"{what}: {error}") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError) as error:
        raise FormatError(f"{what} is damaged: {error}.") from None


def _back(value: Any) -> Any:
    if isinstance(value, list):
        return [_back(x) for x in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"tuple"}:
        return tuple(_back(x) for x in value["tuple"])
    if set(value) == {"map"}:
        return {str(k): _back(v) for k, v in value["map"]}
    if set(value) == {"array", "dtype", "shape"}:
        if value["dtype"] not in DTYPES:
            raise FormatError(f"an array has dtype '{value['dtype']}'; known: {', '.join(DTYPES)}.")
        return np.array(value["array"], value["dtype"]).reshape([int(n) for n in value["shape"]])
    if set(value) == {"event", "values"}:
        return _event(str(value["event"]), {k: _back(v) for k, v in value["values"].items()})
    return {k: _back(v) for k, v in value.items()}


def _event(name: str, values: dict[Any, Any]) -> Any:
    kind = _kinds().get(name)
    if kind is not None and set(values) <= set(kind._fields):
        try:
            return kind(**values)
        except TypeError:
            pass
    time = values.get("time", float("nan"))
    if isinstance(time, bool) or not isinstance(time, (int, float)):
        raise FormatError(f"the event '{name}' has time {time!r}, which is not a number.")
    rollout = values.get("rollout", 0)
    return Event(time, name, rollout if isinstance(rollout, int) else 0, values)


def _kinds() -> dict[str, type[Any]]:
    """Return {name: class} of all kinds of events that a file can contain."""
    from anthropi.simulation.motion_frames import Lost
    from anthropi.simulation.rooted import NewRoot

    return {"Lost": Lost, "NewRoot": NewRoot, **EVENTS}
