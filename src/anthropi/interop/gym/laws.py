"""Action laws: controllers that turn the action of an environment, n numbers from -1 to 1, into forces.

    Targets    target = rest ⊞ s a,  τ = kp (target ⊟ q) - kd u                 (1)  implicit in the step
    Forces     τ = s a                                                         (2)

An action holds for a control period of `substeps` steps. With a latency of l periods, step k of a period applies the
action given j periods before,

    j = ⌈l - k / substeps⌉, at least 0                                         (3)

so that the memory contains the actions of the last ⌈max_latency⌉ periods.
"""

import math
from typing import Any

import numpy as np

from anthropi.algebra.linear import cross, matvec, transpose
from anthropi.algebra.scalar import clip, floor, less, less_equal, where
from anthropi.errors import InputError, ShapeError
from anthropi.simulation.drive import Drive
from anthropi.simulation.options import finite_array

__all__ = ["Forces", "Targets"]

ROUNDING = 1e-5  # [s] of the time in float32, so that a push has the same number of steps at any time


class _Law:
    """Latched actions with latency, and pushes.

    Attributes
    ----------
    actions : number of actions. substeps : steps in a control period.
    parameters : "latency" [control periods] if max_latency is above 0; with `pushed`, "push_force" (3,) [N] in world
        axes at the centre of mass of that link, and "push_times" (3,) [s]: the first push, the time from one push to
        the next, and the duration of each.
    """

    actions: int
    substeps: int
    parameters: dict[str, Any]
    memory: dict[str, Any]
    prescribed: tuple[str, ...] = ()

    def __init__(
        self, figure: Any, dofs: Any, scale: Any, substeps: int, latency: float, max_latency: float | None, pushed: str
    ) -> None:
        if dofs is None:
            dofs = [j.name for j in figure.joints[1 if figure.joints[0].kind == "free" else 0 :] if j.nu]
        self.dofs = tuple(figure.dof_indices(dofs))
        self.actions, self.substeps = len(self.dofs), substeps
        scale = finite_array("scale", scale, None)
        if scale.shape not in ((), (self.actions,), (2, self.actions)):
            raise ShapeError(
                f"scale has shape {scale.shape}. Give one number, or an array of shape ({self.actions},) or "
                f"(2, {self.actions}), for negative and for positive actions."
            )
        self.scale = np.array(np.broadcast_to(scale, (2, self.actions)))
        if not isinstance(substeps, (int, np.integer)) or substeps < 1:
            raise InputError(f"substeps={substeps!r} is not valid. Give an integer number of steps, at least 1.")
        longest = latency if max_latency is None else max_latency
        if not 0.0 <= latency <= longest < 100.0:
            raise InputError(
                f"latency={latency!r} with max_latency={max_latency!r} is not valid. Give 0 to 100 control periods."
            )
        self.max_latency, self.pushed = float(longest), pushed
        self.parameters, self.memory = {}, {}
        if longest > 0.0:
            self.parameters["latency"] = np.asarray(float(latency))
            self.memory["past"] = np.zeros((math.ceil(longest), self.actions))
        if pushed:
            figure.link_index(pushed)
            self.parameters |= {"push_force": np.zeros(3), "push_times": np.array([1.0, 1.0, 0.1])}

    def _acting(self, sense: Any, memory: Any, parameters: Any) -> tuple[Any, dict[str, Any]]:
        """Return the action (n,) that acts in this step, by (3), and the memory after it."""
        command = clip(sense.command, -1.0, 1.0)
        if "past" not in memory:
            return command, {}
        past, latency = memory["past"], parameters["latency"]
        step = sense.count - self.substeps * floor((sense.count + 0.5) / self.substeps)  # in the control period
        action = command
        for j in range(len(past)):
            action = where(less(step / self.substeps + j, latency), past[j], action)  # (3)
        last = less(self.substeps - 1.5, step)
        return action, {"past": where(last, np.concatenate([command[None], past[:-1]]), past)}

    def _scaled(self, figure: Any, action: Any) -> Any:
        """Return the scaled action as one number for each degree of freedom (nu,), 0 for the others."""
        low, high = self.scale
        own = dict(zip(self.dofs, range(self.actions), strict=True))

        def one(a: Any, below: float, above: float) -> Any:
            return above * a if below == above else where(less(a, 0.0), below * a, above * a)

        return np.array([one(action[own[k]], low[own[k]], high[own[k]]) if k in own else 0.0 for k in range(figure.nu)])

    def _push(self, figure: Any, sense: Any, parameters: Any) -> dict[Any, Any] | None:
        """Return the external force of a push, or None without `pushed`."""
        if not self.pushed:
            return None
        i = figure.link_index(self.pushed)
        first, every, lasting = parameters["push_times"]
        after = sense.t + ROUNDING - first
        since = after - every * floor(after / every)
        on = less_equal(0.0, after) & less(since, lasting)
        force = matvec(transpose(sense.kinematics.rotation[i]), where(on, parameters["push_force"], 0.0))
        return {i: np.concatenate([cross(np.asarray(figure.links[i].centre), force), force])}


class Targets(_Law):
    """Action law: springs and dampers towards a pose that the action sets, by (1).

    Parameters
    ----------
    rest : (nq,) the pose of action 0, or a function (figure, t) → (nq,); neutral if None.
    kp, kd : stiffness and damping, one number or one for each controlled degree of freedom.
    scale : [rad or m] change of the target for an action of 1: one number, (n,), or (2, n) for negative and positive
        actions.
    dofs : names of controlled joints or degrees of freedom; None for all except a free root.
    substeps : steps in a control period.
    latency, max_latency : [control periods] delay of the action, and its largest value if it will be changed.
    pushed : name of a link that pushes act on; "" for none.
    """

    def __init__(
        self, figure: Any, rest: Any = None, kp: Any = 100.0, kd: Any = 10.0, *, scale: Any = 1.0, dofs: Any = None,
        substeps: int = 10, latency: float = 0.0, max_latency: float | None = None, pushed: str = "",
    ) -> None:  # fmt: skip
        super().__init__(figure, dofs, scale, substeps, latency, max_latency, pushed)
        pose = figure.neutral() if rest is None else rest
        self.rest = pose if callable(pose) else finite_array("rest", pose, (figure.nq,), figure, "nq")
        for name, value in (("kp", kp), ("kd", kd)):
            array = finite_array(name, value, None)
            if array.shape not in ((), (self.actions,)) or (array < 0.0).any():
                raise InputError(f"{name} must be one number, or {self.actions} numbers, 0 or more.")
            self.parameters[name] = np.array(np.broadcast_to(array, (self.actions,)))

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """Return the drive towards the target of the action, and the memory."""
        action, after = self._acting(sense, memory, parameters)
        rest = self.rest(figure, sense.t) if callable(self.rest) else self.rest
        target = figure.integrate(rest, self._scaled(figure, action))  # (1)
        own = dict(zip(self.dofs, range(self.actions), strict=True))
        kp, kd = (
            np.array([parameters[name][own[k]] if k in own else 0.0 for k in range(figure.nu)]) for name in ("kp", "kd")
        )
        return Drive(target=target, kp=kp, kd=kd, f_ext=self._push(figure, sense, parameters)), after


class Forces(_Law):
    """Action law: joint forces in proportion to the action, by (2).

    scale : [N m or N] force for an action of 1. Other parameters as in `Targets`.
    """

    def __init__(
        self, figure: Any, scale: Any = 1.0, *, dofs: Any = None, substeps: int = 10, latency: float = 0.0,
        max_latency: float | None = None, pushed: str = "",
    ) -> None:  # fmt: skip
        super().__init__(figure, dofs, scale, substeps, latency, max_latency, pushed)

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """Return the drive with the forces of the action, and the memory."""
        action, after = self._acting(sense, memory, parameters)
        return Drive(tau=self._scaled(figure, action), f_ext=self._push(figure, sense, parameters)), after  # (2)
