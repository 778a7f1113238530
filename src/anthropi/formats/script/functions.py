"""Functions of time as a script says them: a number, a formula of t, a spline through keys, a Fourier series."""

from typing import Any

from anthropi.errors import FormatError
from anthropi.formats.script.schema import FunctionTable
from anthropi.formats.script.words import told
from anthropi.motion import Expression, Fourier, spline
from anthropi.motion.controls import function_of

__all__ = ["function"]

SPLINE, SERIES = ("keys", "ends"), ("period", "mean", "cosine", "sine")


def function(given: Any, scale: float, span: tuple[float, float], place: str):
    """A control function, t → (value, rate, acceleration), of what the file says, times `scale`.

    span : (first, last) [s] over which a formula may be integrated.
    """
    with told(place):
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
    raise FormatError(f"{place} has {', '.join(given) or 'nothing'}. Give a number, a formula of t as text, a spline "
                      f"({', '.join(SPLINE)}) or a Fourier series ({', '.join(SERIES)}).")  # fmt: skip
