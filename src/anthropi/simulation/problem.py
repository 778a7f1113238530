"""What a simulation is about: a figure, the scene it is in, its controller and the integration method. All static."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from anthropi.contact.contacts import contact_names
from anthropi.contact.limits.stopping import StoppingLimits
from anthropi.errors import InputError
from anthropi.simulation.integrators import SemiImplicit, Tableau
from anthropi.simulation.integrators import method as by_name

__all__ = ["Problem", "initial_memory"]


@dataclass(frozen=True, eq=False)
class Problem:
    """A figure, alone or in a scene, driven by forces or by a controller.

    Attributes
    ----------
    figure : the figure that moves. scene : its `Scene`; None is an empty scene. controller : a `Controller` or None.
    method : name of the integration method. prescribed : names of joints or dofs that follow given accelerations.
    audit : whether the work of all forces is accumulated. conserve : whether the momentum lost by a first-order step
        is restored in the root (`momentum_correction`).
    rooted : compute from another root link (`rooted.Rooted`), or None.
    """

    figure: Any
    scene: Any = None
    controller: Any = None
    method: str = "linearly_implicit_euler"
    prescribed: tuple[str, ...] = ()
    audit: bool = False
    conserve: bool = False
    rooted: Any = None

    @property
    def contact(self) -> Any:
        """The contact model; None where nothing can make contact."""
        return self.scene.contact if self.scene is not None and contact_names(self.scene) else None

    @property
    def limits(self) -> Any:
        """The model of joint limits, or None."""
        return None if self.scene is None else self.scene.limits

    @property
    def has_hard_limits(self) -> bool:
        """Whether joints stop at their limits by impulses."""
        return self.limits is not None and self.limits.hard

    @property
    def has_stopping_limits(self) -> bool:
        """Whether joints that would pass their limits are motion-driven for the step."""
        return isinstance(self.limits, StoppingLimits)

    @property
    def impulsive(self) -> bool:
        """Whether contacts are impulses."""
        return self.contact is not None and self.contact.impulsive

    @property
    def needs_impulses(self) -> bool:
        """Whether a step ends with impulses."""
        return self.impulsive or self.has_hard_limits

    @property
    def implicit(self) -> bool:
        """Whether springs, dampers and contacts act at the end of the step."""
        rule = by_name(self.method)
        return isinstance(rule, SemiImplicit) and rule.implicit

    @property
    def alone(self) -> bool:
        """Whether there is nothing but a figure: no contact, limits or controller."""
        return self.contact is None and self.limits is None and self.controller is None

    def with_figure(self, figure: Any) -> "Problem":
        """The same problem with another figure, whose numbers may be kernel inputs."""
        if figure is self.figure:
            return self
        scene = None if self.scene is None else self.scene.changed(figure=figure, gravity=None)
        return replace(self, figure=figure, scene=scene)

    def check(self) -> None:
        """Refuse combinations that no step can compute."""
        rule = by_name(self.method)
        if not self.alone and not isinstance(rule, (SemiImplicit, Tableau)):
            raise InputError(
                f"Method '{rule.name}' cannot simulate scenes or controllers. Use linearly_implicit_euler or a "
                "Runge–Kutta method."
            )
        if self.conserve and set(self.figure.dof_indices(self.prescribed)) & set(range(6)):
            raise InputError("conserve=True puts momentum into the root, and the root is prescribed. Leave one out.")
        if self.has_stopping_limits:
            self._check_stopping_limits(rule)
        elif self.needs_impulses and not isinstance(rule, SemiImplicit):
            raise InputError(
                f"Impulsive contact and hard limits need a first-order method; '{rule.name}' has several stages. Use "
                "linearly_implicit_euler, or a contact model of forces."
            )

    def _check_stopping_limits(self, rule: Any) -> None:
        others = {
            f"method '{rule.name}', which has stages": not isinstance(rule, SemiImplicit),
            "impulses of contacts": self.impulsive,
            "loops": bool(self.figure.loops),
            f"prescribed {', '.join(self.prescribed)}": bool(self.prescribed),
            "another root": self.rooted is not None,
        }
        for what, there in others.items():
            if there:
                raise InputError(
                    f"StoppingLimits do not go with {what}: they prescribe joints for steps of first order. Use "
                    "SoftLimits or HardLimits, or leave it out."
                )


def initial_memory(problem: Problem) -> dict[str, Any]:
    """The memory of contact model, limits, controller and audit at the start: nested arrays."""
    found: dict[str, Any] = {}
    if problem.contact is not None:
        found["contact"] = problem.contact.memory(problem.scene)
        if problem.impulsive:
            found["felt"] = np.zeros((len(contact_names(problem.scene)), 3))
    if problem.limits is not None:
        found["limits"] = problem.limits.memory(problem.figure)
    if problem.controller is not None:
        found["control"] = {name: np.asarray(x, float) for name, x in problem.controller.memory.items()}
    if problem.audit:
        found["work"] = np.zeros(4)
    return {name: part for name, part in found.items() if not (isinstance(part, dict) and not part)}
