"""Declared shapes of an algorithm's arguments, and the types used in its signature.

An algorithm is a pure function of a figure and one state. `algorithm` attaches the shapes of its array arguments, so
that an entry point can size, check and compile it; it returns the function unchanged.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar

__all__ = ["Array", "ExternalForces", "LinkInertias", "Number", "algorithm", "size_of"]

Array: TypeAlias = Any
"""An array of floats, or of recording scalars (dtype=object) while a tape is recorded."""

Number: TypeAlias = Any
"""A float, or a recording scalar while a tape is recorded."""

ExternalForces: TypeAlias = Any
"""Forces on links: an array (links, 6), {link number: (6,)}, or None if there are no forces.

Each row is a moment about the link's origin [N m], then a force [N], both in the link frame.
"""

LinkInertias: TypeAlias = Mapping[int, Any] | None
"""{link number: ArticulatedInertia}: inertia added to links, in the link frame; None if none is added."""

Function = TypeVar("Function", bound=Callable[..., Any])


def algorithm(**shapes: str) -> Callable[[Function], Function]:
    """Declare the shape of each array argument of an algorithm.

    Parameters
    ----------
    shapes : for each array argument its shape, such as q="nq", u="nu", f_ext="links*6" or point="3".

    Returns
    -------
    A decorator that sets `shapes`, `options` (names of keyword-only arguments, fixed while recording and part of a
    kernel's identity) and `needed` (options without a default) on the function, and returns the function itself.
    """

    def declare(function: Function) -> Function:
        marked: Any = function
        marked.shapes = shapes
        given = inspect.signature(function).parameters.values()
        options = [p for p in given if p.kind is p.KEYWORD_ONLY and p.name not in shapes]
        marked.options = tuple(p.name for p in options)
        marked.needed = tuple(p.name for p in options if p.default is p.empty)
        return function

    return declare


def size_of(shape: str, figure: Any) -> tuple[int, ...]:
    """Convert a declared shape to numbers for one figure: "links*6" is (figure.n, 6).

    "nq" and "nu" are the sizes of q and u, "links" the number of links, "numbers" the number of values of the
    loops (lengths, angles).
    """
    known = {"nq": figure.nq, "nu": figure.nu, "links": figure.n}
    known["numbers"] = sum(len(loop.value) for loop in figure.loops)
    return tuple(known[part] if part in known else int(part) for part in shape.split("*"))
