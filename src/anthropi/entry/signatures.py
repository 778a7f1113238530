"""Signature and docstring of an entry point, made from those of its algorithm.

An algorithm takes one state and returns plain arrays. Its entry point also takes a batch, finds links by name, checks
its input and may wrap the result. It has no parameters that only other algorithms use. The functions below make the
signature and the docstring that `help(ap.direct_dynamics)` prints.
"""

import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["document", "signature_of"]

_EQUATION_NUMBERS = re.compile(r" \(\d+\)(?:(?:-|, | and )\(\d+\))*")
_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
_NOTES = """\
Arrays may have a leading batch axis: (batch, n) in place of (n,). The result then has it too. The function is
compiled for the figure on first use; the kernel is kept (`ap.compile` returns it). Equations and source:
`{module}.{name}`."""
_OUT = (
    "\n`out` : arrays of float64 to be filled and returned, in the structure of the result, such as an earlier result."
)
_RAISES = """\
InputError : an argument is unknown, missing or not finite. ShapeError : an array has the wrong shape.
StateError : a quaternion in q does not have unit length."""
_SINGULAR = "\nSingularError : forces do not determine the motion of a joint; the message names it."
_WHOLE_TURN = "\nSingularError : the rotation vector of a joint is a whole turn, where its rates are infinite."


def signature_of(algorithm: Callable[..., Any], returns: Any, out: bool = False) -> inspect.Signature:
    """Return the signature of an algorithm's entry point.

    Parameters
    ----------
    algorithm : a function with declared shapes (`anthropi.algorithms.shapes.algorithm`).
    returns : return type of the entry point. out : whether the entry point can fill given arrays.
    """
    declared: Any = algorithm
    known = inspect.signature(algorithm).parameters
    found = [known["figure"].replace(annotation="Figure")]
    for name in declared.shapes:
        kind = "ArrayLike | dict[str, ArrayLike]" if declared.shapes[name] == "links*6" else "ArrayLike"
        optional = known[name].default is not inspect.Parameter.empty
        annotation = f"{kind} | None" if optional else kind
        found.append(known[name].replace(annotation=annotation, kind=inspect.Parameter.POSITIONAL_OR_KEYWORD))
    for name in declared.options:
        known_type = known[name].annotation
        found.append(known[name].replace(annotation="ArrayLike" if known_type is Any else known_type))
    if out:
        found.append(inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="Any"))
    return inspect.Signature(found, return_annotation=returns)


def document(
    algorithm: Callable[..., Any], returns: str | None, solves: bool, refuses: bool = False, out: bool = False
) -> str:
    """Return the docstring of an algorithm's entry point.

    It has the summary and the sections of the algorithm's docstring without the equation numbers and without "Other
    Parameters". The sections "Raises" and "Notes" are general texts for entry points.

    Parameters
    ----------
    algorithm : a function with declared shapes.
    returns : the text of the section "Returns", if the entry point does not return what the algorithm returns.
    solves : whether the entry point raises an error for singular joints.
    refuses : whether the entry point raises an error for rotation vectors of a whole turn.
    out : whether the entry point can fill given arrays.
    """
    text = _EQUATION_NUMBERS.sub("", inspect.cleandoc(algorithm.__doc__ or ""))
    text = text.replace("link number: (6,)", "link name: (6,)")
    head, *rest = _SECTION.split(text)
    sections = dict(zip(rest[::2], (body.strip() for body in rest[1::2]), strict=True))
    sections.pop("Other Parameters", None)  # for other algorithms only
    if returns is not None:
        sections["Returns"] = returns
    sections["Raises"] = _RAISES + (_SINGULAR if solves else "") + (_WHOLE_TURN if refuses else "")
    sections["Notes"] = _NOTES.format(module=algorithm.__module__, name=algorithm.__name__) + (_OUT if out else "")
    return (
        "\n\n".join([head.strip(), *(f"{name}\n{'-' * len(name)}\n{body}" for name, body in sections.items())]) + "\n"
    )


def annotations_of(signature: inspect.Signature) -> dict[str, Any]:
    """Return the annotations of a signature in the form of `__annotations__`, with types instead of type names."""
    by_name = {"ArrayLike": np.typing.ArrayLike}
    found = {n: by_name.get(str(p.annotation), p.annotation) for n, p in signature.parameters.items()}
    return found | {"return": signature.return_annotation}
