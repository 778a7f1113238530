"""Channel names, events and metadata of a motion as JSON text that reads back the same.

Numbers read back to the same bits. Tuples, named tuples and arrays are marked: {"tuple": […]},
{"event": name, "values": {…}}, {"array": […], "dtype": …, "shape": […]}; a mapping is {"map": [[key, value], …]} where
its keys could be taken for a mark. An event of an unknown kind becomes an `Event` with its values in `about`.
"""

import json
from typing import Any

import numpy as np

from anthropi.errors import FormatError
from anthropi.motion.motion import EVENTS, Event

__all__ = ["from_text", "to_text"]

MARKS = ("tuple", "event", "array", "map")
DTYPES = ("float64", "float32", "int64", "int32", "bool")
MAX_DEPTH = 40


def to_text(value: Any, what: str) -> str:
    """The text of a value; `what` names it in errors."""
    try:
        return json.dumps(_plain(value, what), ensure_ascii=True)
    except (RecursionError, ValueError) as error:
        raise FormatError(f"{what} cannot be written: {error}.") from None


def _plain(value: Any, what: str, depth: int = 0) -> Any:
    if depth > MAX_DEPTH:
        raise FormatError(f"{what} is nested more than {MAX_DEPTH} deep, or holds itself. Make it flatter.")

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
            raise FormatError(f"{what} has the keys {list(value)[:5]}; a file holds words as keys.")
        if any(k in MARKS for k in value):
            return {"map": [[k, inner(v)] for k, v in value.items()]}
        return {k: inner(v) for k, v in value.items()}
    raise FormatError(
        f"{what} holds {type(value).__name__}, which a file does not. Give numbers, words, lists, "
        "tuples, mappings or arrays."
    )


def from_text(text: str, what: str) -> Any:
    """The value of a text written by `to_text`."""
    try:
        return _back(json.loads(text))
    except FormatError as error:
        raise FormatError(f"{what}: {error}") from None
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError) as error:
        raise FormatError(f"{what} is not as it was written: {error}.") from None


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
            raise FormatError(f"an array is of '{value['dtype']}'; known: {', '.join(DTYPES)}.")
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
        raise FormatError(f"the event '{name}' has time {time!r}, no number.")
    rollout = values.get("rollout", 0)
    return Event(time, name, rollout if isinstance(rollout, int) else 0, values)


def _kinds() -> dict[str, type[Any]]:
    """Every kind of event that a file may name."""
    from anthropi.simulation.motion_frames import Lost
    from anthropi.simulation.rooted import NewRoot

    return {"Lost": Lost, "NewRoot": NewRoot, **EVENTS}
