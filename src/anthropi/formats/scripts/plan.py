"""Collect the controls and commands of a script in order of time. The result does not depend on the time step."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import FormatError
from anthropi.formats.scripts.entries import choose, function, located_errors, where
from anthropi.formats.scripts.figures import Cast, pose_of, scaled
from anthropi.formats.scripts.schema import CommandTable, ControlTable, Document
from anthropi.motion import Control, Event, driven
from anthropi.simulation.script_controller import Change, Force, Pose

__all__ = ["Kick", "Plan", "plan_of"]

HOLD = ("joints", "target", "kp", "kd", "limit")
CONTROLS: dict[str, tuple[Any, ...]] = {
    "hold": ((*HOLD, "begin", "end"), ("kp",)),
    "force": (("force", "begin", "end"), ("force",)),
    "motion": (("position", "velocity", "acceleration", "by", "gains"), ()),
    "freeze": (("joints",), ("joints",)),
}
COMMANDS: dict[str, tuple[Any, ...]] = {
    "push": (("link", "force", "impulse", "direction", "point", "frame", "duration"), ("link",)),
    "hold": ((*HOLD, "over"), ()),
    "release": (("joints",), ()),
    "lock": (("joints",), ("joints",)),
}


class Kick(NamedTuple):
    """A push, independent of the time step: a force [N] or an impulse [N s] over a duration [s] (0: one step).

    impulse : whether `force` is an impulse. point : in the link frame [m]. own : whether `force` is in the link frame.
    """

    time: float
    duration: float
    link: str
    force: Any
    impulse: bool
    point: Any
    own: bool


@dataclass(eq=False)
class Plan:
    """All controls and commands of a script.

    led : motion-driven degrees of freedom, as returned by `driven`, or None. frozen : degrees of freedom locked from
    the start. locks : (time, degrees of freedom to lock, degrees of freedom to release).
    """

    own: Cast
    q: np.ndarray
    u: np.ndarray
    poses: list[Pose] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    kicks: list[Kick] = field(default_factory=list)
    forces: list[Force] = field(default_factory=list)
    led: dict[str, Any] | None = None
    frozen: tuple[str, ...] = ()
    locks: list[tuple[float, tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)


class _Order(NamedTuple):
    """A change of joint targets at a time. dofs : indices in u."""

    time: float
    dofs: tuple[int, ...]
    table: Any  # control or command; None to release the joints
    place: str


def plan_of(found: Document, file: str, own: Cast) -> Plan:
    """Read the controls and commands of a script. `own` contains its figures and their initial state."""
    plan = Plan(own, own.q, own.u)
    motions: list[tuple[str, ControlTable]] = []
    orders: list[_Order] = []
    for k, table in enumerate(found.control):
        place = where(file, "control", k, table)
        choose(table, table.kind, CONTROLS, place)
        with located_errors(place):
            if table.kind == "motion":
                motions.append((place, table))
            elif table.kind == "force":
                _forces(plan, table, place, found.run.duration)
            elif table.kind == "freeze":
                names = [own.figure.dofs[j] for j in own.dofs(table.figure, table.joints)]
                plan.frozen = tuple(dict.fromkeys((*plan.frozen, *names)))
            else:
                orders += _holds(own, table, place, orders)
    _lead(plan, motions, found.run.duration, file)
    for k, command in enumerate(found.command):
        place = where(file, "command", k, command)
        choose(command, command.kind, COMMANDS, place, but=("kind", "name", "figure", "at"))
        with located_errors(place):
            if command.at > found.run.duration:
                raise FormatError(f"its time is {command.at:g} s, but the run ends at {found.run.duration:g} s.")
            orders += _command(plan, command, place)
    _hold(plan, sorted(orders, key=lambda order: order.time))
    with located_errors(f"{file}: control"):
        _check_frozen(plan)
    plan.events.sort(key=lambda event: event.time)
    return plan


def _holds(own: Cast, table: ControlTable, place: str, before: list[_Order]) -> list[_Order]:
    """Return the changes of joint targets at the start and at the end of a control of kind "hold"."""
    dofs = own.dofs(table.figure, table.joints)
    taken = {k for order in before if order.table is not None for k in order.dofs}
    if taken & set(dofs):
        names = ", ".join(own.figure.dofs[k] for k in sorted(taken & set(dofs))[:8])
        raise FormatError(
            f"another control already holds {names}. Choose other joints with 'joints', or use a command."
        )
    begin = table.begin or 0.0
    found = [_Order(begin, dofs, table, place)]
    if table.end is not None:
        if table.end <= begin:
            raise FormatError(f"it ends at {table.end:g} s, but begins at {begin:g} s. The end must come later.")
        found.append(_Order(table.end, dofs, None, place))
    return found


def _forces(plan: Plan, table: ControlTable, place: str, duration: float) -> None:
    """Add the joint forces of a control of kind "force" to the plan."""
    begin, end = table.begin, table.end
    for name, given in (table.force or {}).items():
        places = plan.own.dofs(table.figure, [name])
        if len(places) != 1:
            choices = ", ".join(plan.own.figure.dofs[k] for k in places)
            raise FormatError(
                f"force of '{name}': this joint has {len(places)} degrees of freedom. Choose from: {choices}."
            )
        f = function(given, 1.0, (0.0, duration), f"{place} force {name}")
        plan.forces.append(Force(places[0], f, -np.inf if begin is None else begin, np.inf if end is None else end))


def _lead(plan: Plan, motions, duration: float, file: str) -> None:
    """Add the motion-driven degrees of freedom of all controls of kind "motion" to the plan."""
    own, controls, forced, gains = plan.own, {}, [], None
    for place, table in motions:
        with located_errors(place):
            kinds = [kind for kind in ("position", "velocity", "acceleration") if getattr(table, kind) is not None]
            if not kinds:
                raise FormatError(
                    "a motion needs 'position', 'velocity' or 'acceleration'. Give a table {joint = function of t}."
                )
            for kind in kinds:
                for name, given in getattr(table, kind).items():
                    places = own.dofs(table.figure, [name])
                    if len(places) != 1:
                        choices = ", ".join(own.figure.dofs[k] for k in places)
                        raise FormatError(
                            f"{kind} of '{name}': this joint has {len(places)} degrees of freedom. "
                            f"Choose from: {choices}."
                        )
                    unit = float(scaled(own.figure, places, own.unit)[0])
                    f = function(given, unit, (0.0, duration), f"{place} {kind} {name}")
                    dof = own.figure.dofs[places[0]]
                    if dof in controls:
                        raise FormatError(f"'{name}' is driven by two motions. Keep one.")
                    controls[dof] = Control(kind, f)
                    forced += [dof] if table.by == "force" else []
            if table.gains is not None:
                if table.by != "force":
                    raise FormatError("'gains' is only for motions with by = 'force'. Remove it.")
                if gains not in (None, tuple(table.gains)):
                    raise FormatError("all motions with by = 'force' must have the same gains. Make them equal.")
                gains = tuple(table.gains)
    if controls:
        with located_errors(f"{file}: control"):
            plan.led = driven(own.figure, controls, plan.q, plan.u, forced=forced, gains=gains)
        plan.q, plan.u = plan.led["q"], plan.led["u"]


def _command(plan: Plan, table: CommandTable, place: str) -> list[_Order]:
    """Add one command and its event to the plan. Return the changes of joint targets."""
    own = plan.own
    if table.kind == "push":
        plan.kicks.append(_kick(own, table))
        plan.events.append(Event(table.at, table.name or f"push {table.link}"))
        return []
    dofs = own.dofs(table.figure, table.joints)
    names = tuple(own.figure.dofs[k] for k in dofs)
    who = ", ".join(table.joints) if table.joints else table.figure or "all"
    plan.events.append(Event(table.at, table.name or f"{table.kind} {who}"[:200]))
    led = set() if plan.led is None else set(plan.led["prescribed"])
    if table.kind == "lock":
        if led & set(names):
            raise FormatError(
                f"{', '.join(sorted(led & set(names)))} are driven by a motion and cannot be locked. Make the "
                "motion constant instead."
            )
        plan.locks.append((table.at, names, ()))
        return []
    if table.kind == "release":
        plan.locks.append((table.at, (), names))
        return [_Order(table.at, dofs, None, place)]
    if table.kp is None and table.kd is None and table.target is None and table.limit is None:
        raise FormatError(f"{place}: this 'hold' has no effect. Give a target, kp, kd or limit.")
    return [_Order(table.at, dofs, table, place)]


def _kick(own: Cast, table: CommandTable) -> Kick:
    link = own.full(table.figure, table.link or "")
    i = own.figure.link_index(link)
    if (table.force is None) == (table.impulse is None):
        raise FormatError("a push needs either a force [N] or an impulse [N s]. Give one of them.")
    size = table.force if table.impulse is None else table.impulse
    if isinstance(size, list):
        if table.direction is not None:
            raise FormatError(
                "a force of three numbers already has a direction. Remove 'direction', or give one number."
            )
        f = np.array(size)
    else:
        direction = np.array([0.0, 0.0, 0.0] if table.direction is None else table.direction)
        length = float(np.linalg.norm(direction))
        if not length > 0.0:
            raise FormatError("a force of one number needs a 'direction'. Give three numbers that are not all 0.")
        f = float(size or 0.0) * direction / length
    if table.impulse is None and not table.duration:
        raise FormatError("a force needs a 'duration' [s]. Give one, or an impulse [N s].")
    point = np.asarray(own.figure.links[i].centre, float) if table.point is None else np.array(table.point)
    return Kick(table.at, table.duration or 0.0, link, f, table.impulse is not None, point, table.frame == "link")


def _hold(plan: Plan, orders: list[_Order]) -> None:
    """Add the joint targets and gains after each order (change of targets) to the plan."""
    figure, nu = plan.own.figure, plan.own.figure.nu
    target = np.array(plan.q)
    kp, kd, limit = np.zeros(nu), np.zeros(nu), np.full(nu, np.inf)
    if orders and orders[0].time > 0.0:
        plan.changes.append(Change(0.0, kp.copy(), kd.copy(), limit.copy()))
    for order in orders:
        table, dofs = order.table, list(order.dofs)
        if table is None:
            kp[dofs] = kd[dofs] = 0.0
        else:
            if isinstance(table, CommandTable) and table.kp is None and not (kp[dofs] + kd[dofs] > 0.0).any():
                raise FormatError(
                    f"{order.place}: no control holds {', '.join(figure.dofs[k] for k in dofs[:8])} at "
                    f"{order.time:g} s. Give kp and kd too."
                )
            for row, value in ((kp, table.kp), (kd, table.kd), (limit, table.limit)):
                row[dofs] = row[dofs] if value is None else value
            _joint_target(plan, order, target)
        change = Change(order.time, kp.copy(), kd.copy(), limit.copy())
        if plan.changes and plan.changes[-1].time == order.time:
            plan.changes[-1] = change
        else:
            plan.changes.append(change)


def _joint_target(plan: Plan, order: _Order, target: np.ndarray) -> None:
    """Add the joint targets that an order sets to the plan, and update target (nq,) in place."""
    own, table = plan.own, order.table
    figure, given = own.figure, table.target
    if given is None or given == "start":
        wanted = np.array(plan.q) if given == "start" else target.copy()
    elif isinstance(given, str):
        if given != "neutral":
            raise FormatError(
                f"{order.place}: unknown target '{given[:40]}'. Give 'start', 'neutral', or a table of joints."
            )
        wanted = figure.neutral()
    else:
        with located_errors(f"{order.place} target"):
            wanted = pose_of(figure, given, target, own.unit, lambda name: own.full(table.figure, name))
            named = figure.dof_indices([own.full(table.figure, name) for name in given])
            loose = [figure.dofs[k] for k in named if k not in order.dofs]
            if loose:
                raise FormatError(f"contains {', '.join(loose[:8])}, which are not in 'joints'. Add them to 'joints'.")
    for i, (at, of) in enumerate(zip(figure.q_of, figure.u_of, strict=True)):
        if any(of.start <= k < of.stop for k in order.dofs) and not np.array_equal(wanted[at], target[at]):
            target[at] = wanted[at]
            plan.poses.append(Pose(order.time, i, wanted[at].copy(), getattr(table, "over", None) or 0.0))


def _check_frozen(plan: Plan) -> None:
    """Raise `FormatError` if frozen degrees of freedom move at the start or are driven by a motion."""
    figure = plan.own.figure
    moving = [name for name in plan.frozen if plan.u[figure.dofs.index(name)] != 0.0]
    led = [] if plan.led is None else [name for name in plan.frozen if name in plan.led["prescribed"]]
    if moving or led:
        words = "have an initial velocity" if moving else "are driven by a motion"
        raise FormatError(
            f"frozen degrees of freedom {words}: {', '.join((moving or led)[:8])}. Remove one of the two."
        )
