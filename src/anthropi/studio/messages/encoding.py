"""Read and write messages as JSON, and convert errors to messages.

Every field is checked when a message is read. Unknown fields and wrong types raise a FormatError that names them. The
link, joint and time that an error names are sent with it, so that the page can show them.
"""

import dataclasses
import json
import math
import re
import types
import typing
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from anthropi.errors import AnthropiError, FormatError, did_you_mean, half_character
from anthropi.studio.messages import COMMANDS, Command, Event, Problem, kind_of

__all__ = ["MAX_DEPTH", "command_of", "encoded", "event_text", "plain", "problem_of", "read_as", "refusal"]


MAX_DEPTH = 32  # deepest nesting of lists and objects
TYPE_HINTS: dict[type[Any], dict[str, Any]] = {}


def command_of(data: Any) -> Command:
    """Return the command that an object {"kind": …, fields} describes. An "id" is ignored."""
    if not isinstance(data, dict) or not isinstance(data.get("kind"), str):
        raise FormatError('A command must be an object with a text "kind".')
    kind = data["kind"]
    if kind not in COMMANDS:
        raise FormatError(f"No command '{kind[:40]}'.{did_you_mean(kind[:40], COMMANDS)}")
    return _dataclass(COMMANDS[kind], {k: v for k, v in data.items() if k not in ("kind", "id")}, kind, 0)


def read_as(cls: type[Any], data: Any, where: str) -> Any:
    """Convert plain data to a dataclass and check every type. where : the name of the data in error messages."""
    return _dataclass(cls, data, where, 0)


def plain(value: Any) -> Any:
    """Convert a value to plain data for JSON: dataclasses to dicts, arrays to lists, infinity and NaN to None."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return value


def encoded(data: Any) -> str:
    """Return data as compact JSON text. Halves of characters, as in some names of files, are replaced by "?"."""
    text = json.dumps(plain(data), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def event_text(event: Event) -> str:
    """Return an event as JSON text."""
    return encoded({"kind": kind_of(type(event)), **plain(event)})


def _dataclass(cls: type[Any], data: Any, where: str, depth: int) -> Any:
    if not isinstance(data, dict):
        raise FormatError(f"{where} is {_shortened(data)}; give an object.")
    if cls not in TYPE_HINTS:
        TYPE_HINTS[cls] = get_type_hints(cls)
    fields = {f.name: f for f in dataclasses.fields(cls)}
    for name in data:
        if name not in fields:
            raise FormatError(
                f"{where} has no field '{str(name)[:40]}'.{did_you_mean(str(name)[:40], fields)} "
                f"Fields: {', '.join(fields) or 'none'}."
            )
    found = {}
    for name, field in fields.items():
        if name in data:
            found[name] = _value(TYPE_HINTS[cls][name], data[name], f"{where}.{name}", depth + 1)
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise FormatError(f"{where} needs the field '{name}'.")
    return cls(**found)


def _value(hint: Any, data: Any, where: str, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise FormatError(f"{where} is nested more than {MAX_DEPTH} levels deep. Use fewer levels.")
    if hint is Any:
        return _any(data, where, depth)
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _union(inside, data, where, depth)
    if origin is Literal:
        if data not in inside or isinstance(data, bool) not in [isinstance(x, bool) for x in inside]:
            raise FormatError(f"{where} is {_shortened(data)}; choose one of {', '.join(map(str, inside))}.")
        return data
    if origin is tuple:
        return _tuple(inside, data, where, depth)
    if origin is dict:
        if not isinstance(data, dict):
            raise FormatError(f"{where} is {_shortened(data)}; give an object.")
        return {_text(k, where): _value(inside[1], v, f"{where}.{k[:40]}", depth + 1) for k, v in data.items()}
    if dataclasses.is_dataclass(hint):
        return _dataclass(typing.cast(type, hint), data, where, depth)
    return _plain_value(hint, data, where)


def _union(choices, data: Any, where: str, depth: int) -> Any:
    if data is None and type(None) in choices:
        return None
    problems = []
    for choice in choices:
        if choice is not type(None):
            try:
                return _value(choice, data, where, depth)
            except FormatError as error:
                problems.append(str(error))
    raise FormatError(problems[-1])


def _tuple(inside, data: Any, where: str, depth: int) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise FormatError(f"{where} is {_shortened(data)}; give a list.")
    if len(inside) == 2 and inside[1] is Ellipsis:
        return tuple(_value(inside[0], x, f"{where}[{k}]", depth + 1) for k, x in enumerate(data))
    if len(data) != len(inside):
        raise FormatError(f"{where} has {len(data)} entries; give {len(inside)}.")
    return tuple(_value(h, x, f"{where}[{k}]", depth + 1) for k, (h, x) in enumerate(zip(inside, data, strict=True)))


def _plain_value(hint: Any, data: Any, where: str) -> Any:
    if hint is float and isinstance(data, (int, float)) and not isinstance(data, bool):
        number = _finite(data)
        if number is None:
            raise FormatError(f"{where} is {_shortened(data)}; give a finite number.")
        return number
    if hint is int and isinstance(data, float) and data.is_integer() and abs(data) < 2**53:
        return int(data)
    if hint is int and isinstance(data, int) and not isinstance(data, bool) and abs(data) < 2**53:
        return data
    if hint is str and isinstance(data, str):
        return _text(data, where)
    if hint is bool and isinstance(data, bool):
        return data
    wanted = {float: "a number", int: "a whole number", str: "text", bool: "true or false"}.get(hint, str(hint))
    raise FormatError(f"{where} is {_shortened(data)}; give {wanted}.")


def _any(data: Any, where: str, depth: int) -> Any:
    """Return plain data unchanged after checking that its numbers are finite and its nesting is not too deep."""
    if depth > MAX_DEPTH:
        raise FormatError(f"{where} is nested more than {MAX_DEPTH} levels deep. Use fewer levels.")
    if isinstance(data, list):
        return [_any(x, where, depth + 1) for x in data]
    if isinstance(data, dict):
        return {_text(k, where): _any(x, where, depth + 1) for k, x in data.items()}
    if isinstance(data, str):
        return _text(data, where)
    if isinstance(data, float) and not math.isfinite(data):
        raise FormatError(f"{where} contains {data}; give finite numbers.")
    return data


def _text(data: str, where: str) -> str:
    """Return a text unchanged after checking that it can be written as UTF-8."""
    if half := half_character(data):
        raise FormatError(f"{where} contains {half} Got {data[:40]!a}.")
    return data


def _finite(data: int | float) -> float | None:
    try:
        number = float(data)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _shortened(data: Any) -> str:
    text = "null" if data is None else repr(data)
    return text if len(text) <= 60 else f"{text[:57]}…"


LINK_NAME = re.compile(r"\b[Ll]ink '([^']+)'")
JOINT_NAME = re.compile(r"\b(?:[Jj]oint|[Dd]egree of freedom|dof) '([^']+)'")
TIME_VALUE = re.compile(r"\bt = ([0-9.eE+-]*[0-9])\s*s|\bat ([0-9.eE+-]*[0-9]) s\b")


def refusal(error: BaseException) -> dict[str, Any]:
    """Return {message, link, joint, time} of an error for a reply. link, joint and time are found in its text."""
    words = " ".join(str(error).split())
    if not isinstance(error, AnthropiError):
        words = f"Internal error ({type(error).__name__}: {words[:300]}). The project is unchanged."
    link, joint, time = LINK_NAME.search(words), JOINT_NAME.search(words), TIME_VALUE.search(words)
    return {
        "message": words[:2000],
        "link": link[1] if link else "",
        "joint": joint[1] if joint else "",
        "time": float(time[1] or time[2]) if time else None,
    }


def problem_of(error: BaseException, task: int = 0) -> Problem:
    """Return the `problem` event of an error. task : the number of the task that raised it, or 0."""
    return Problem(**refusal(error), task=task)
