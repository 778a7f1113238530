"""Error messages for scripts, and functions of time in scripts.

An error message gives the file, the place in it, the cause and the choices. A function of time is a number, a formula
of t, a spline through keys, or a Fourier series.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from pydantic import BaseModel, ValidationError

from anthropi.errors import AnthropiError, FormatError, did_you_mean
from anthropi.formats.scripts.schema import TAGS, Document, FunctionTable
from anthropi.motion import Expression, Fourier, spline
from anthropi.motion.controls import function_of

__all__ = ["choose", "complaint", "function", "located_errors", "where"]


SEE = "See docs/scripts.md for the format."


def where(file: str, what: str, number: int, table: Any) -> str:
    """Return the place of a table for error messages, such as "fall.toml: control 2 'arms'"."""
    name = getattr(table, "name", "")
    return f"{file}: {what} {number + 1}" + (f" '{name[:80]}'" if name else "")


@contextlib.contextmanager
def located_errors(place: str) -> Iterator[None]:
    """Context manager that puts the place in the file before the messages of errors."""
    try:
        with np.errstate(all="ignore"):
            yield
    except AnthropiError as error:
        named = str(error).startswith(f"{place.partition(':')[0]}:")
        raise FormatError(str(error) if named else f"{place}: {error}") from None


def choose(
    table: BaseModel, kind: str, kinds: dict[str, tuple[Any, ...]], place: str, but: Any = ("kind", "name", "figure")
) -> None:
    """Raise `FormatError` if the kind is unknown, or if keys of the table are unknown or missing.

    kinds : {kind: (keys, required keys)}. but : keys that every table may have.
    """
    if kind not in kinds:
        raise FormatError(
            f"{place} is of the unknown kind '{kind[:40]}'.{did_you_mean(kind, kinds)} Kinds: {', '.join(kinds)}."
        )
    keys, needs = kinds[kind]
    for key, value in table:
        if value is not None and key not in keys and key not in but and key in table.model_fields_set:
            raise FormatError(f"{place}: '{kind}' has no key '{key}'. Its keys: {', '.join(keys) or 'none'}.")
    for key in needs:
        if getattr(table, key) is None:
            raise FormatError(f"{place}: '{kind}' needs the key '{key}'. Add it.")


def complaint(error: ValidationError, raw: Any, file: str) -> str:
    """Return a message for a validation error, with the names of items: "fall.toml: figure 'anna' human height: …"."""
    every, count = error.errors(include_url=False, include_input=False), error.error_count()
    first = next(
        (e for e in every if e["type"] == "extra_forbidden"), every[0]
    )  # a misspelt key is reported as missing too
    path, at = [], raw
    for step in first["loc"]:
        known = step in at if isinstance(at, dict) else isinstance(at, list) and step in range(len(at))
        if not known and step in TAGS:
            continue  # pydantic's name for one branch of a union
        at = at[step] if known else None
        if isinstance(step, int):
            name = at.get("name") if isinstance(at, dict) else None
            path.append(f"'{name[:80]}'" if isinstance(name, str) and name else str(step + 1))
        else:
            path.append(str(step)[:80])
    kind, last = first["type"], str(first["loc"][-1])
    if kind == "extra_forbidden":
        choices = sorted(_keys(Document, [s for s in first["loc"][:-1] if isinstance(s, str) and s not in TAGS]))
        hint = did_you_mean(last, choices).rstrip("?").replace(" Did you mean", ", did you mean")
        said = f"no such key{hint}. Keys: {', '.join(choices)}"
    else:
        said = {"missing": "is missing. Add it", "finite_number": "must be a finite number"}.get(
            kind, first["msg"][:200]
        )
    more = f" The file has {count - 1} more errors." if count > 1 else ""
    return f"{file}: {' '.join(path)}: {said}. {SEE}{more}"


def _keys(table: type[BaseModel], path: list[str]) -> set[str]:
    """Return the allowed keys of the table at a path."""
    for step in path:
        field = table.model_fields.get(step)
        inner = _table_in(field.annotation) if field is not None else None
        if inner is None:
            break
        table = inner
    return set(table.model_fields)


def _table_in(kind: Any) -> type[BaseModel] | None:
    """Return the first table class in a type annotation, or None."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind
    return next((x for x in map(_table_in, getattr(kind, "__args__", ())) if x is not None), None)


SPLINE, SERIES = ("keys", "ends"), ("period", "mean", "cosine", "sine")


def function(given: Any, scale: float, span: tuple[float, float], place: str) -> Any:
    """Make a control function t → (value, rate, acceleration) from a number, a formula or a table.

    scale : factor of the result. span : (first, last) time [s] over which a formula may be integrated. place : the
    place in the file, for error messages.
    """
    with located_errors(place):
        if isinstance(given, FunctionTable):
            return _table(given, scale, place)
        if isinstance(given, str):
            plain = Expression(given, span)
            return plain if scale == 1.0 else Expression(f"({given}) * {scale!r}", span)
        return function_of(scale * float(given))


def _table(table: FunctionTable, scale: float, place: str):
    given = [name for name, value in table if value is not None]
    if table.keys is not None and set(given) <= set(SPLINE):
        rows = sorted(table.keys)
        return spline([t for t, _ in rows], [scale * x for _, x in rows], table.ends or "natural")
    if table.period is not None and set(given) <= set(SERIES):
        cosine, sine = ([scale * x for x in row or ()] for row in (table.cosine, table.sine))
        return Fourier(table.period, scale * (table.mean or 0.0), cosine, sine)
    raise FormatError(
        f"{place} has {', '.join(given) or 'nothing'}. Give a number, a formula of t as text, a spline "
        f"({', '.join(SPLINE)}) or a Fourier series ({', '.join(SERIES)})."
    )
