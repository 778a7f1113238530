"""Forces on a figure at one instant (contacts, controller, limits) and the memory they update.

Within a step all of it is a function of (t, q, u) with the memory of the step's start, so that methods with several
stages see the same laws at each. Contacts come first: a controller senses the forces it stands on now. Impulses are
known only after the dynamics; a controller senses those of the previous step.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.forces import add_inertia
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.contacts import contacts
from anthropi.errors import InputError
from anthropi.simulation.drive import Drive, by_link, checked
from anthropi.simulation.problem import Problem
from anthropi.simulation.sense import Contacts, Sense

__all__ = ["Forces", "Inputs", "combined", "forces_at"]


class Inputs(NamedTuple):
    """Inputs of a step besides the state.

    drive : function (t, q, u) → `Drive` of forces that act besides, None for nothing. parameters : {name: numbers} of
    the controller. command : (n,). stream, count : which rollout this is and how many steps it has made (random
    numbers).
    """

    drive: Callable[[Any, Any, Any], Drive] | None = None
    parameters: Any = None
    command: Any = ()
    stream: Any = 0.0
    count: Any = 0.0


class Forces(NamedTuple):
    """All forces on a figure at an instant.

    drive : their sum. memory : after the instant. push : the contact model's forces, None without. sensed : (contacts,
    3) [N] forces as a controller senses them, None without. contacts : the candidates. kinematics : None for a lone
    figure. parts : the share of "drive", "contact" and "limits", None where there is none.
    """

    drive: Drive
    memory: dict[str, Any]
    push: Any
    sensed: Any
    contacts: list[Any]
    kinematics: Any
    parts: dict[str, Drive | None]


def forces_at(problem: Problem, t: Any, q: Any, u: Any, memory: Any, inputs: Inputs, dt: Any = None) -> Forces:
    """Compute all forces at (t, q, u). dt : [s] the step over which they act implicitly; None: at the instant."""
    figure, after = problem.figure, dict(memory or {})
    drive = checked(figure, Drive() if inputs.drive is None else inputs.drive(t, q, u))
    if problem.alone:
        return Forces(drive, after, None, None, [], None, {"drive": drive, "contact": None, "limits": None})
    k = kinematics(figure, q, u)
    found: list[Any] = []
    push = sensed = contact = limits = None
    if problem.contact is not None:
        found = contacts(problem.scene, t, k)
        if problem.impulsive:
            sensed = memory["felt"]
        else:
            push, left = problem.contact.force(problem.scene, found, k, memory.get("contact", {}), dt)
            sensed, after = push.forces, _kept(after, "contact", left)
            contact = Drive(f_ext=push.f_ext, added=push.added or None)
    if problem.controller is not None:
        names, links = tuple(x.name for x in found), tuple((x.a, x.b) for x in found)
        felt = Contacts(names, links, np.zeros((0, 3)) if sensed is None else sensed, tuple(x.feature for x in found))
        sense = Sense(t, q, u, k, felt, inputs.command, inputs.stream, inputs.count)
        own, left = _answer(problem.controller(figure, sense, (memory or {}).get("control", {}), inputs.parameters))
        drive = combined(drive, checked(figure, own, problem.controller.prescribed))
        after = _kept(after, "control", left)
    if problem.limits is not None:
        tau, stiffness, damping, left = problem.limits.force(figure, q, u, (memory or {}).get("limits", {}), dt)
        limits = Drive(tau=tau, stiffness=stiffness, damping=damping)
        after = _kept(after, "limits", left)
    total = drive
    for part in (contact, limits):
        total = total if part is None else combined(total, part)
    return Forces(total, after, push, sensed, found, k, {"drive": drive, "contact": contact, "limits": limits})


def _answer(found: Any) -> tuple[Drive, dict[Any, Any]]:
    """What a controller returned, if it is a drive and a memory."""
    if isinstance(found, Drive) or not isinstance(found, tuple) or len(found) != 2 or not isinstance(found[0], Drive):
        raise InputError(
            f"The controller returns {type(found).__name__}; wanted (Drive(…), memory): a drive, and {{name: numbers}} "
            "to remember, {} for nothing."
        )
    return found


def _kept(memory: dict[Any, Any], name: str, part: Any) -> dict[Any, Any]:
    return memory | {name: part} if part else memory


_ADDED = ("tau", "stiffness", "damping")  # fields of a drive that add up


def combined(one: Drive, other: Drive) -> Drive:
    """Combine two drives: forces and slopes add; any other field only one of them may give."""
    found = {}
    for name, a, b in zip(Drive._fields, one, other, strict=True):
        if a is None or b is None:
            found[name] = b if a is None else a
        elif name in _ADDED:
            found[name] = add_inertia(a, b)
        elif name == "f_ext":
            found[name] = _summed(by_link(a), by_link(b))
        elif name == "added":
            found[name] = _summed(a, b)
        else:
            raise InputError(f"Two of forces, controller and arguments give '{name}'. Leave one out.")
    return Drive(**found)


def _summed(a: dict[Any, Any], b: dict[Any, Any]) -> dict[Any, Any]:
    return {i: a[i] + b[i] if i in a and i in b else a.get(i, b.get(i)) for i in {**a, **b}}
