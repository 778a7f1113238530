"""Static description of a simulation: a figure, its scene, its controller and the integration method."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from anthropi.contact.geometry.contacts import contact_names
from anthropi.contact.limits.stopping import StoppingLimits
from anthropi.contact.scene import Scene
from anthropi.errors import InputError
from anthropi.figure import Figure
from anthropi.simulation.integrators import METHODS, SemiImplicit, Tableau
from anthropi.simulation.integrators import method as by_name
from anthropi.simulation.sense import is_controller

__all__ = ["Problem", "initial_memory", "problem_of"]


@dataclass(frozen=True, eq=False)
class Problem:
    """Simulation problem: a figure, with or without a scene, driven by forces or by a controller.

    Attributes
    ----------
    figure : the simulated figure.
    scene : its `Scene`; None for an empty scene.
    controller : a `Controller`, or None.
    method : name of the integration method.
    prescribed : names of joints or dofs that follow given accelerations.
    audit : whether the work of all forces is accumulated.
    conserve : whether the momentum that a first-order step loses is restored in the root (`step.py` (2), (3)).
    rooted : `rooted.Rooted` to compute from another root link, or None.
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
        """The contact model; None if there are no contact candidates."""
        return self.scene.contact if self.scene is not None and self.scene.candidates else None

    @property
    def limits(self) -> Any:
        """The model of joint limits, or None."""
        return None if self.scene is None else self.scene.limits

    @property
    def has_hard_limits(self) -> bool:
        """Whether impulses stop joints at their limits."""
        return self.limits is not None and self.limits.hard

    @property
    def metadata(self) -> dict[str, Any]:
        """Metadata of a motion that `Motion.verify` reads: "prescribed" dofs, "hard_limits"."""
        held = [self.figure.dofs[k] for k in self.figure.dof_indices(self.prescribed)] if self.prescribed else []
        return ({"prescribed": held} if held else {}) | ({"hard_limits": True} if self.has_hard_limits else {})

    @property
    def has_stopping_limits(self) -> bool:
        """Whether accelerations stop joints at their limits (`StoppingLimits`)."""
        return isinstance(self.limits, StoppingLimits)

    @property
    def impulsive(self) -> bool:
        """Whether the contact model computes impulses."""
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
        """Whether the figure has no contact, no limits and no controller."""
        return self.contact is None and self.limits is None and self.controller is None

    def with_figure(self, figure: Any) -> "Problem":
        """Return the same problem with another figure, whose numbers may be inputs of the kernel."""
        if figure is self.figure:
            return self
        scene = None if self.scene is None else self.scene.changed(figure=figure, gravity=None)
        return replace(self, figure=figure, scene=scene)

    def check(self) -> None:
        """Raise InputError if method, limits, contact model and options cannot be combined."""
        rule = by_name(self.method)
        if not self.alone and not isinstance(rule, (SemiImplicit, Tableau)):
            raise InputError(
                f"Method '{rule.name}' cannot simulate scenes or controllers. Use linearly_implicit_euler or a "
                "Runge–Kutta method."
            )
        if self.conserve and set(self.figure.dof_indices(self.prescribed)) & set(range(6)):
            raise InputError(
                "conserve=True changes the velocity of the root, but the root is prescribed. Leave one out."
            )
        if self.has_stopping_limits:
            self._check_stopping_limits(rule)
        elif self.needs_impulses and not isinstance(rule, SemiImplicit):
            raise InputError(
                f"Impulsive contact and hard limits need a first-order method, but '{rule.name}' has several stages. "
                "Use linearly_implicit_euler, or Compliant contact and SoftLimits."
            )

    def _check_stopping_limits(self, rule: Any) -> None:
        """Raise InputError if stopping limits cannot be combined with the rest of the problem."""
        others = {
            f"method '{rule.name}', which has several stages": not isinstance(rule, SemiImplicit),
            "impulsive contact": self.impulsive,
            "loops": bool(self.figure.loops),
            f"prescribed {', '.join(self.prescribed)}": bool(self.prescribed),
            "another root": self.rooted is not None,
        }
        for what, there in others.items():
            if there:
                raise InputError(f"StoppingLimits cannot be combined with {what}. Use SoftLimits or HardLimits.")


def problem_of(scene: Any, controller: Any, method: str | None, prescribed: Any, audit: bool = False) -> Problem:
    """Return the checked problem of a simulation, whose arguments are those of `Simulation`."""
    place = scene if isinstance(scene, Scene) else None
    figure = scene if place is None else place.figure
    if not isinstance(figure, Figure):
        raise InputError(f"Simulation got an object of type {type(scene).__name__}. Give a scene or a figure.")
    if controller is not None and not is_controller(controller):
        raise InputError(
            f"{controller!r} is not a controller. Give a callable with parameters, memory and prescribed, or None."
        )
    held = (prescribed,) if isinstance(prescribed, str) else tuple(prescribed)
    held = held if controller is None else tuple(dict.fromkeys((*held, *controller.prescribed)))
    figure.dof_indices(held)
    rule: Any = by_name(method or ("rk4" if place is None and controller is None else "linearly_implicit_euler"))
    if not (rule.name in METHODS and METHODS[rule.name] is rule):
        raise InputError(f"Method '{rule.name}' is not in METHODS. Add it to METHODS and give its name.")
    problem = Problem(figure, place, controller, rule.name, held, audit=audit)
    problem.check()
    return problem


def initial_memory(problem: Problem) -> dict[str, Any]:
    """Return the memory of contact model, limits, controller and audit at the start, as nested arrays."""
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
