"""Forces on a figure at one instant (contacts, controller, limits) and the memory they update.

Within a step, forces are a function of (t, q, u) with the memory at the start of the step, so all stages of a method
use the same force laws. Contact forces are computed first, so that a controller can measure the current ones. Impulses
are known only after the dynamics. A controller measures those of the previous step.
"""

import contextlib
from collections.abc import Callable
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from anthropi.algorithms.forces import add_inertia
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.geometry.contacts import contacts
from anthropi.errors import InputError
from anthropi.simulation.drive import Drive, by_link, checked
from anthropi.simulation.problem import Problem, initial_memory
from anthropi.simulation.sense import Contacts, Sense

__all__ = ["Forces", "Inputs", "combined", "controller_pushes", "forces_at", "with_contact"]


class Inputs(NamedTuple):
    """Inputs of a time step other than the state.

    drive : function (t, q, u) → `Drive` with additional forces, or None. parameters : {name: numbers} of the
    controller. command : (n,) command to the controller. stream, count : number of the rollout and of its steps so far,
    used for random numbers.
    """

    drive: Callable[[Any, Any, Any], Drive] | None = None
    parameters: Any = None
    command: Any = ()
    stream: Any = 0.0
    count: Any = 0.0


class Forces(NamedTuple):
    """All forces on a figure at one instant.

    Attributes
    ----------
    drive : sum of all forces.
    memory : memory after they are evaluated.
    push : `ContactForces` of the contact model, or None.
    sensed : (contacts, 3) [N] contact forces as measured for the controller, or None.
    contacts : contact candidates.
    kinematics : kinematics of the figure; None for a figure without scene and controller.
    parts : {"drive", "contact", "limits": share of the forces, or None}.
    """

    drive: Drive
    memory: dict[str, Any]
    push: Any
    sensed: Any
    contacts: list[Any]
    kinematics: Any
    parts: dict[str, Drive | None]


def forces_at(problem: Problem, t: Any, q: Any, u: Any, memory: Any, inputs: Inputs, dt: Any = None) -> Forces:
    """Compute all forces on a figure at (t, q, u). dt : [s] time step for implicit forces; None for explicit forces."""
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
        places = tuple(x.point for x in found), tuple(x.normal for x in found)
        acting = np.zeros((0, 3)) if sensed is None else sensed
        felt = Contacts(names, links, acting, tuple(x.feature for x in found), *places)
        ground = None if problem.scene is None else problem.scene.ground
        sense = Sense(t, q, u, k, felt, inputs.command, inputs.stream, inputs.count, dt, ground)
        own, left = _answer(problem.controller(figure, sense, (memory or {}).get("control", {}), inputs.parameters))
        drive = combined(drive, checked(figure, own, problem.controller.prescribed))
        after = _kept(after, "control", left)
    if problem.limits is not None:
        tau, stiffness, damping, left = problem.limits.force(figure, q, u, (memory or {}).get("limits", {}), dt)
        limits = Drive(tau=tau, stiffness=stiffness, damping=damping)
        after = _kept(after, "limits", left)
    parts = {"drive": drive, "contact": contact, "limits": limits}
    return Forces(_total(parts), after, push, sensed, found, k, parts)


def controller_pushes(problem: Problem, q: Any, u: Any, inputs: Inputs) -> bool:
    """Whether the controller applies external forces `Drive.f_ext`, which no channel records; on plain floats.

    Which fields of a drive a controller gives does not depend on the state, so one state (q, u) decides, once for each
    controller object.
    """
    controller = problem.controller
    if controller is None:
        return False
    try:
        return _PUSHES[controller]
    except (KeyError, TypeError):  # not known yet, or an object that cannot be a key
        with np.errstate(all="ignore"):
            own = forces_at(problem, 0.0, q, u, initial_memory(problem), inputs).parts["drive"]
    pushes = own is not None and own.f_ext is not None
    with contextlib.suppress(TypeError):
        _PUSHES[controller] = pushes
    return pushes


_PUSHES: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()  # {controller: whether its drives have f_ext}


def with_contact(forces: Forces, push: Any) -> Forces:
    """Return a copy of `forces` in which `push` (`ContactForces`) replaces the contact forces.

    The measured forces and the memory are unchanged.
    """
    parts = forces.parts | {"contact": Drive(f_ext=push.f_ext, added=push.added or None)}
    return forces._replace(drive=_total(parts), push=push, parts=parts)


def _total(parts: dict[str, Drive | None]) -> Drive:
    """Add up the drive, the contact forces and the forces of limits."""
    total = parts["drive"]
    assert total is not None
    for name in ("contact", "limits"):
        part = parts[name]
        total = total if part is None else combined(total, part)
    return total


def _answer(found: Any) -> tuple[Drive, dict[Any, Any]]:
    """Check that a controller returned a drive and a memory, and return them."""
    if isinstance(found, Drive) or not isinstance(found, tuple) or len(found) != 2 or not isinstance(found[0], Drive):
        raise InputError(
            f"The controller returned an object of type {type(found).__name__}. It must return (Drive(…), memory). "
            "memory is a dictionary {name: numbers}, or {} for no memory."
        )
    return found


def _kept(memory: dict[Any, Any], name: str, part: Any) -> dict[Any, Any]:
    """Return the memory with a new part, if the part is not empty."""
    return memory | {name: part} if part else memory


_ADDED = ("tau", "stiffness", "damping")  # fields of two drives that are added


def combined(one: Drive, other: Drive) -> Drive:
    """Combine two drives: add their forces, stiffness and damping. Only one of them may give another field."""
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
            raise InputError(f"'{name}' is given twice, by forces, controllers or arguments. Leave one out.")
    return Drive(**found)


def _summed(a: dict[Any, Any], b: dict[Any, Any]) -> dict[Any, Any]:
    """Add two dictionaries of numbers or arrays, key by key."""
    return {i: a[i] + b[i] if i in a and i in b else a.get(i, b.get(i)) for i in {**a, **b}}
