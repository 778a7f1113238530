"""Many people as one figure with other numbers, so that one kernel computes all of them.

People of one sex differ in scale only (de Leva's tables give lengths and masses as shares of height and body mass):

    mass ∝ M,   centre, origin ∝ H,   tensor ∝ M H²                                                               (1)

Shapes and markers, which only pictures and contact use, are not among these numbers.

Works on plain floats only; cannot be recorded on a tape.
"""

from typing import Any

import numpy as np

from anthropi.errors import InputError, ShapeError
from anthropi.figure.figure import Figure
from anthropi.figure.human.build import MAX_HEIGHT, MAX_MASS, MIN_HEIGHT, MIN_MASS, human
from anthropi.figure.numbers import numbers

__all__ = ["Humans", "humans"]

POWERS = {"mass": (1, 0), "centre": (0, 1), "origin": (0, 1), "tensor": (1, 2)}  # of M and H (1)


class Humans:
    """People of given heights, masses and sexes.

    figure : the first person. slots : names of the numbers in which people differ.
    parameters : (n, numbers) the values of these slots, the input `parameters` of
        `ap.compile(…, people.figure, parameters=people.slots)`.
    heights, masses, sexes : (n,) [m], [kg], "m" or "f".
    """

    figure: Figure
    slots: tuple[str, ...]
    parameters: np.ndarray
    heights: np.ndarray
    masses: np.ndarray
    sexes: np.ndarray

    def __init__(self, heights: np.ndarray, masses: np.ndarray, sexes: np.ndarray, detail: str) -> None:
        self.heights, self.masses, self.sexes, self.detail = heights, masses, sexes, detail
        self.figure = self[0]
        known = numbers(self.figure)
        self.slots = tuple(name for name in known if name.rpartition(".")[2] in POWERS)
        powers = np.concatenate([[POWERS[name.rpartition(".")[2]]] * len(known[name]) for name in self.slots])
        self.parameters = np.empty((len(heights), len(powers)))
        for sex in np.unique(sexes):
            own = sexes == sex
            of = human(1.0, 100.0, sex, detail)  # masses and lengths as shares of 100 kg and 1 m
            shares = np.concatenate([np.asarray(numbers(of)[name], float) for name in self.slots])
            mass, height = masses[own, None] / 100.0, heights[own, None]
            self.parameters[own] = shares * np.where(powers[:, 0], mass, 1.0) * _powers(height, powers[:, 1])

    def __len__(self) -> int:
        return len(self.heights)

    def __getitem__(self, i: int) -> Figure:
        return human(float(self.heights[i]), float(self.masses[i]), str(self.sexes[i]), self.detail)

    def __repr__(self) -> str:
        return f"Humans({len(self):,} people, {len(self.slots)} slots)"


def humans(heights: Any, masses: Any, sexes: Any = "m", detail: str = "standard") -> Humans:
    """Return many people as one figure and an array of its numbers, for one kernel.

    Parameters
    ----------
    heights, masses, sexes : arrays (n,) [m], [kg], "m" or "f"; a single value stands for all.
    detail : as in `human`.

    Examples
    --------
    >>> people = humans([1.6, 1.7, 1.8], [55.0, 65.0, 80.0])
    >>> people.parameters.shape
    (3, 273)
    """
    arrays = [np.atleast_1d(np.asarray(x)) for x in (heights, masses, sexes)]
    try:
        h, m, s = np.broadcast_arrays(*arrays)
    except ValueError:
        sizes = ", ".join(str(x.shape) for x in arrays)
        raise ShapeError(f"heights, masses and sexes have shapes {sizes}. Give as many of each, or one.") from None
    if h.ndim != 1 or not len(h):
        raise ShapeError(f"heights, masses and sexes have shape {h.shape}. Give arrays (n,) with at least one person.")
    for name, x, low, high in (("height", h, MIN_HEIGHT, MAX_HEIGHT), ("mass", m, MIN_MASS, MAX_MASS)):
        if x.dtype.kind not in "fiu":
            raise InputError(f"The {name}s are of type {x.dtype}. Give numbers.")
        wrong = ~((x >= low) & (x <= high))
        if wrong.any():
            i = int(np.argmax(wrong))
            raise InputError(f"Person {i} has the {name} {x[i]:g}. Give {low:g} to {high:g}.")
    wrong = ~np.isin(s, ("m", "f"))
    if wrong.any():
        i = int(np.argmax(wrong))
        raise InputError(f"Person {i} has the sex {s[i]!r}. Choose from: m, f.")
    return Humans(h.astype(float), m.astype(float), s.astype(str), detail)


def _powers(x: np.ndarray, exponents: np.ndarray) -> np.ndarray:
    """Return x (n, 1) to the powers 0, 1 or 2, as products, which round in the same way on every machine."""
    return np.where(exponents == 0, 1.0, np.where(exponents == 1, x, x * x))
