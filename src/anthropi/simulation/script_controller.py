"""Controller of a script: target poses, pushes, forces and prescribed motion at given times.

hold     kp (target ⊟ q) - kd u, at the end of the step, with gains that change at given times                (1)
target   p ⊞ s d, joint by joint, s from 0 at a time to 1 at `over` later                                     (2)
push     on a link, a force f at a point x of it: (x × f, f) in the link's frame, from one time to another    (3)
force    τ(t) of degrees of freedom, from one time to another                                                 (4)
led      u'(t) prescribed; 0 where frozen                                                                     (5)
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import clip, less, less_equal, where
from anthropi.simulation.drive import Drive

__all__ = ["Change", "Force", "Pose", "Push", "ScriptController"]

UNLIMITED = 1e30  # [N m or N] limit of dofs without limit, if others have one


class Change(NamedTuple):
    """New gains kp, kd (nu,) and limit (nu,), inf for no limit, which are valid from `time` [s]."""

    time: float
    kp: Any
    kd: Any
    limit: Any


class Pose(NamedTuple):
    """New target of joint i from `time` [s]: its coordinates q, reached within `over` seconds."""

    time: float
    i: int
    q: Any
    over: float = 0.0


class Push(NamedTuple):
    """A force (3,) [N] at a point (3,) [m] of a link, from `begin` to `end` [s].

    The point is in the link frame. The force is in the link frame if `own`, else in world axes.
    """

    link: str
    force: Any
    point: Any
    begin: float
    end: float
    own: bool = False


class Force(NamedTuple):
    """Force of dof number k, given by a control function t → (value, …), from `begin` to `end` [s]."""

    k: int
    function: Any
    begin: float
    end: float


@dataclass(eq=False)
class ScriptController:
    """Controller of a script.

    The gains kp, kd and limit are parameters of shape (changes, groups). Dofs that always have equal gains form one
    group.

    Attributes
    ----------
    target : (nq,) the first target pose.
    poses : later target poses, sorted by time.
    changes : changes of gains, sorted by time.
    pushes, forces : forces on links and on dofs.
    tau, udot : functions (figure, t, q, u) → (nu,) for additional forces and for prescribed accelerations, or None.
    prescribed : names of dofs that follow udot.
    frozen : names of prescribed dofs that do not move.
    """

    figure: Any
    target: Any = None
    poses: tuple[Pose, ...] = ()
    changes: tuple[Change, ...] = ()
    pushes: tuple[Push, ...] = ()
    forces: tuple[Force, ...] = ()
    tau: Any = None
    udot: Any = None
    prescribed: tuple[str, ...] = ()
    frozen: tuple[str, ...] = ()
    parameters: dict[str, Any] = field(init=False, default_factory=dict)
    memory: dict[str, Any] = field(init=False, default_factory=dict)
    known: dict[str, np.ndarray] = field(
        init=False, default_factory=dict
    )  # gains as given, to see which change and which are 0
    groups: dict[str, list[int]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("kp", "kd", "limit") if self.changes else ():
            rows = np.array([getattr(c, name) for c in self.changes], float)
            if name != "limit" or (rows < np.inf).any():
                self.known[name], self.groups[name] = _alike(np.minimum(rows, UNLIMITED))
        self.parameters = {name: x.copy() for name, x in self.known.items()}

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """Return the drive at the time sense.t [s]."""
        held = {name: np.array(self._now(name, x, sense.t)) for name, x in parameters.items()}
        held = held | {"target": self._target(figure, sense.t)} if held else {}
        return Drive(**held, tau=self._tau(figure, sense), f_ext=self._pushed(figure, sense) or None,
                     udot=self._udot(figure, sense)), memory  # fmt: skip

    def _now(self, name: str, rows, t) -> list[Any]:
        """Return the gains at time t [s]; gains that are always 0 stay constant zeros."""
        found = []
        for j, known in enumerate(self.known[name].T):
            value = rows[0][j] if known.any() else 0.0
            for k in range(1, len(self.changes)):
                if known[k] != known[k - 1]:
                    value = where(less_equal(self.changes[k].time, t), rows[k][j], value)
            found.append(value)
        return [found[group] for group in self.groups[name]]

    def _target(self, figure, t):
        """Return the target pose (nq,) at time t [s], by equation (2)."""
        parts = [np.asarray(self.target, float)[at] for at in figure.q_of]
        last = {i: (part, 0.0 * part, Pose(-np.inf, i, part)) for i, part in enumerate(parts)}
        for pose in self.poses:
            joint, (start, change, before) = figure.joints[pose.i], last[pose.i]
            gone = 1.0 if before.over <= 0.0 else min((pose.time - before.time) / before.over, 1.0)
            start = joint.integrate(start, gone * change) if before.over > 0.0 else np.asarray(before.q, float)
            change = joint.difference(start, np.asarray(pose.q, float))
            last[pose.i] = start, change, pose
            there = np.asarray(pose.q, float)
            if pose.over > 0.0:
                there = joint.integrate(start, clip((t - pose.time) / pose.over, 0.0, 1.0) * change)
            late = less_equal(pose.time, t)
            parts[pose.i] = np.array([where(late, a, b) for a, b in zip(there, parts[pose.i], strict=True)])
        return np.concatenate(parts)

    def _tau(self, figure, sense):
        """Return the joint forces (nu,), or None."""
        own: dict[int, Any] = {}
        for force in self.forces:
            part = _during(sense.t, force.begin, force.end, force.function(sense.t)[0])
            own[force.k] = own.get(force.k, 0.0) + part
        tau = np.array([own.get(k, 0.0) for k in range(figure.nu)]) if own else None
        if self.tau is None:
            return tau
        more = self.tau(figure, sense.t, sense.q, sense.u)
        return more if tau is None else tau + more

    def _pushed(self, figure, sense) -> dict[int, Any]:
        """Return the wrenches of all pushes, {link number: (6,)}."""
        found: dict[int, Any] = {}
        for push in self.pushes:
            i = figure.link_index(push.link)
            f = np.asarray(push.force, float)
            f = f if push.own else matvec(transpose(sense.kinematics.rotation[i]), f)
            wrench = np.concatenate([np.cross(push.point, f), f])
            wrench = np.array([_during(sense.t, push.begin, push.end, x) for x in wrench])
            found[i] = found[i] + wrench if i in found else wrench
        return found

    def _udot(self, figure, sense):
        """Return the prescribed accelerations (nu,), or None."""
        if not self.prescribed:
            return None
        if self.udot is None:
            return np.zeros(figure.nu)
        still = set(figure.dof_indices(self.frozen))
        found = self.udot(figure, sense.t, sense.q, sense.u)
        return np.array([0.0 if k in still else x for k, x in enumerate(found)])


def _alike(rows) -> tuple[np.ndarray, list[int]]:
    """Return the distinct columns (K, groups) of rows (K, n), and the group of each column."""
    columns = [tuple(column) for column in rows.T]
    groups = list(dict.fromkeys(columns))
    return np.array(groups).T, [groups.index(column) for column in columns]


def _during(t, begin: float, end: float, x):
    """Return x if t is between two times, else 0."""
    x = x if begin == -np.inf else where(less_equal(begin, t), x, 0.0)
    return x if end == np.inf else where(less(t, end), x, 0.0)
