"""What acts on a figure at an instant, and what is remembered of it: contacts, a controller, joint limits.

Within a step all of it is a function of (t, q, u), with the memory of the step's start: methods with several stages
see the same laws at each. Contacts come first, so that a controller feels what it stands on now; impulses, which are
known only after the dynamics, it feels one step later.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.algorithms.forces import add_inertia
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.limits.stopping_limits import StoppingLimits
from anthropi.contact.touches import touch_names, touches
from anthropi.errors import InputError
from anthropi.simulation.drive import Drive, by_link, checked
from anthropi.simulation.sense import Contacts, Sense

__all__ = ["Acting", "Given", "Setting", "acting", "combined", "first_memory"]


@dataclass(frozen=True, eq=False)
class Setting:
    """What is simulated: a figure, perhaps in a scene, perhaps with a controller. All of it static."""

    figure: Any
    scene: Any = None
    controller: Any = None
    audit: bool = False  # whether works are added up
    rooted: Any = None  # from which link the figure is told while it moves (`rooted.Rooted`)

    @property
    def contact(self):
        """The contact model, None where nothing can touch."""
        return self.scene.contact if self.scene is not None and touch_names(self.scene) else None

    @property
    def limits(self):
        """The model of joint limits, if any."""
        return None if self.scene is None else self.scene.limits

    @property
    def stops_hard(self) -> bool:
        """Whether joints end at their limits by impulses."""
        return self.limits is not None and self.limits.hard

    @property
    def stops_by_acceleration(self) -> bool:
        """Whether joints that would pass their limits are motion-driven for the step."""
        return isinstance(self.limits, StoppingLimits)

    @property
    def impulsive(self) -> bool:
        """Whether contacts are impulses."""
        return self.contact is not None and self.contact.impulsive


class Given(NamedTuple):
    """What a controller is given besides the state: parameters {name: numbers}, command (n,), stream, count."""

    parameters: Any
    command: Any
    stream: Any
    count: Any


class Acting(NamedTuple):
    """drive : all that acts; parts : by "drive", "contact", "limits", None where there is none. memory : after it.
    forces : (touches, 3) [N], None without. touches, kinematics."""

    drive: Drive
    memory: dict
    forces: Any
    touches: list
    kinematics: Any
    parts: dict[str, Drive | None]


def first_memory(setting: Setting) -> dict[str, Any]:
    """What there is to remember, at the start: nested arrays."""
    found: dict[str, Any] = {}
    if setting.contact is not None:
        found["contact"] = setting.contact.memory(setting.scene)
        if setting.impulsive:
            found["felt"] = np.zeros((len(touch_names(setting.scene)), 3))
    if setting.limits is not None:
        found["limits"] = setting.limits.memory(setting.figure)
    if setting.controller is not None:
        found["control"] = {name: np.asarray(x, float) for name, x in setting.controller.memory.items()}
    if setting.audit:
        found["work"] = np.zeros(4)
    return {name: part for name, part in found.items() if not (isinstance(part, dict) and not part)}


def acting(setting: Setting, base, t, q, u, memory, given: Given, dt=None) -> Acting:
    """What acts at (t, q, u)? base : function (t, q, u) → `Drive`. dt : [s] the step, where it acts implicitly."""
    figure, k, after = setting.figure, kinematics(setting.figure, q, u), dict(memory)
    found: list = []
    forces = contact = limits = None
    drive: Drive = base(t, q, u)
    if setting.contact is not None:
        found = touches(setting.scene, t, k)
        if setting.impulsive:
            forces = memory["felt"]
        else:
            push, left = setting.contact.force(setting.scene, found, k, memory.get("contact", {}), dt)
            forces, after = push.forces, _kept(after, "contact", left)
            contact = Drive(f_ext=push.f_ext, added=push.added or None)
    if setting.controller is not None:
        names, links = tuple(x.name for x in found), tuple((x.a, x.b) for x in found)
        felt = Contacts(names, links, np.zeros((0, 3)) if forces is None else forces)
        sense = Sense(t, q, u, k, felt, given.command, given.stream, given.count)
        own, left = _answer(setting.controller(figure, sense, memory.get("control", {}), given.parameters))
        drive = combined(drive, checked(figure, own, setting.controller.prescribed))
        after = _kept(after, "control", left)
    if setting.limits is not None:
        tau, stiffness, damping, left = setting.limits.force(figure, q, u, memory.get("limits", {}), dt)
        limits = Drive(tau=tau, stiffness=stiffness, damping=damping)
        after = _kept(after, "limits", left)
    total = drive
    for part in (contact, limits):
        total = total if part is None else combined(total, part)
    return Acting(total, after, forces, found, k, {"drive": drive, "contact": contact, "limits": limits})


def _answer(found) -> tuple[Drive, dict]:
    """What a controller gave, if it is a drive and a memory."""
    if isinstance(found, Drive) or not isinstance(found, tuple) or len(found) != 2 or not isinstance(found[0], Drive):
        raise InputError(
            f"The controller gives {type(found).__name__}; wanted (Drive(…), memory): a drive, and {{name: "
            "numbers} to remember, {} for nothing."
        )
    return found


def _kept(memory, name: str, part):
    return memory | {name: part} if part else memory


ADD = ("tau", "stiffness", "damping")


def combined(one: Drive, other: Drive) -> Drive:
    """Two drives at once: forces and slopes add, all else only one may give."""
    found = {}
    for name, a, b in zip(Drive._fields, one, other, strict=True):
        if a is None or b is None:
            found[name] = b if a is None else a
        elif name in ADD:
            found[name] = add_inertia(a, b)
        elif name == "f_ext":
            found[name] = _summed(by_link(a), by_link(b))
        elif name == "added":
            found[name] = _summed(a, b)
        else:
            raise InputError(f"Two of forces, controller and arguments give '{name}'. Leave one out.")
    return Drive(**found)


def _summed(a: dict, b: dict) -> dict:
    return {i: a[i] + b[i] if i in a and i in b else a.get(i, b.get(i)) for i in {**a, **b}}
