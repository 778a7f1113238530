"""Couplings: a coordinate of one joint as a function of a coordinate of another joint, such as a mimic joint of URDF.

    q_dof = f(q_source),   u_dof = f'(q_source) u_source                                              (1)

A coupling is stored with the loops of a figure, because it is a constraint as they are: an equation for the coordinates
that a force keeps satisfied. The function f is an object with the methods of `CouplingFunction`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from anthropi.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from anthropi.figure.figure import Figure

__all__ = ["Coupling", "CouplingFunction", "Polynomial", "coordinate_places", "places_of"]


class CouplingFunction(Protocol):
    """A smooth function of one coordinate, as a frozen dataclass of plain data."""

    def at(self, x: Any) -> tuple[Any, Any, Any]:
        """Return f, f' and f″ at x, a float or a recording scalar; branches are selected (`ap.scalar.where`)."""

    def scaled(self, result: float, argument: float) -> "CouplingFunction":
        """Return the function x ↦ result · f(x / argument)."""


@dataclass(frozen=True, eq=False)
class Polynomial:
    """The polynomial f(x) = c₀ + c₁ x + c₂ x² + …; coefficients : (c₀, c₁, …)."""

    coefficients: tuple[float, ...] = (0.0, 1.0)

    def __post_init__(self) -> None:
        given = np.ravel(np.asarray(self.coefficients, dtype=object))
        object.__setattr__(self, "coefficients", tuple(float(c) for c in given))

    def at(self, x: Any) -> tuple[Any, Any, Any]:
        """Return f, f' and f″ at x, by Horner's scheme."""
        f, first, second = 0.0 * x, 0.0 * x, 0.0 * x
        for c in reversed(self.coefficients):
            f, first, second = f * x + c, first * x + f, second * x + 2.0 * first
        return f, first, second

    def scaled(self, result: float, argument: float) -> "Polynomial":
        """Return the polynomial x ↦ result · f(x / argument)."""
        return Polynomial(tuple(result * c / argument**k for k, c in enumerate(self.coefficients)))


@dataclass(frozen=True, eq=False)
class Coupling:
    """A coupling of two coordinates: q_dof = f(q_source).

    name : unique among the couplings and loops of a figure.
    dof, source : names of degrees of freedom ("r_finger", "knee.slide") whose velocities are rates of coordinates;
        those of free and ball joints are not.
    function : f, by default the identity. [rad or m], as the two coordinates.
    """

    name: str
    dof: str
    source: str
    function: Any = field(default_factory=Polynomial)

    kind: ClassVar[str] = "coupling"
    value: ClassVar[tuple[float, ...]] = ()
    held: ClassVar[tuple[Any, ...]] = ()
    on_world: ClassVar[bool] = False

    def renamed(self, rename: Callable[[str], str]) -> "Coupling":
        """Return the coupling with new names of itself and of its degrees of freedom."""
        return replace(self, name=rename(self.name), dof=rename(self.dof), source=rename(self.source))

    def scaled_by(self, factors: dict[str, float], names: dict[str, str] | None = None) -> "Coupling":
        """Return the coupling of coordinates that are multiplied by `factors` {dof: factor}; names : new names."""
        names = names or {}
        dof, source = (names.get(x, x) for x in (self.dof, self.source))
        function = self.function.scaled(factors[self.dof], factors[self.source])
        return replace(self, dof=dof, source=source, function=function)

    def links(self, figure: "Figure") -> tuple[str, str]:
        """Return the names of the links that the two degrees of freedom move."""
        a, b = (next(i for i, j in enumerate(figure.joints) if dof in j.dofs) for dof in (self.source, self.dof))
        return figure.links[a].name, figure.links[b].name

    def check(self, figure: "Figure") -> None:
        """Raise `InputError` if the coupling does not fit a figure; the message names the culprit."""
        coordinate_places(figure, self)
        owner = f"Coupling '{self.name}' of figure '{figure.name}'"
        if self.dof == self.source:
            raise InputError(f"{owner} couples '{self.dof}' with itself. Give two degrees of freedom.")
        with np.errstate(all="ignore"):
            found = np.array([np.asarray(x, float) for x in self.function.at(0.25)])
        if not np.isfinite(found).all():  # floats only
            raise InputError(f"{owner} has a function that is not finite. Give finite numbers.")


def coordinate_places(figure: "Figure", coupling: Coupling) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the indices in q and in u of the two coordinates of a coupling: those of `dof`, then those of `source`."""
    places = figure.coordinate_places
    for dof in (coupling.dof, coupling.source):
        if dof not in places:
            owner = f"Coupling '{coupling.name}' of figure '{figure.name}'"
            if dof in figure.dofs:
                raise InputError(
                    f"{owner} refers to '{dof}', whose velocity is not the rate of a coordinate. Couple degrees of "
                    "freedom of revolute, prismatic, Euler and similar joints."
                )
            raise InputError(
                f"{owner} refers to the degree of freedom '{dof}', which does not exist or is locked."
                f"{did_you_mean(str(dof), places)} Remove the coupling, or give one of: {', '.join(places)[:300]}."
            )
    return places[coupling.dof], places[coupling.source]


def places_of(figure: "Figure") -> dict[str, tuple[int, int]]:
    """Return {dof: its indices in q and u} for the degrees of freedom that are rates of coordinates."""
    found: dict[str, tuple[int, int]] = {}
    for joint, at_q, at_u in zip(figure.joints, figure.q_of, figure.u_of, strict=True):
        q, u = at_q.start, at_u.start
        for part in (joint,) if joint.plain else getattr(joint, "parts", ()):
            if part.plain:
                found |= {joint.dofs[u + k - at_u.start]: (q + k, u + k) for k in range(part.nu)}
            q, u = q + part.nq, u + part.nu
    return found
