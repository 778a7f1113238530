"""One time step: the step function of every simulation. It is pure and can be recorded on a tape.

    sense → control → contact forces and limits → dynamics → impulses → integrate → project loops

A single figure is a problem without scene and controller. All parts use the memory at the start of the step. Loop
forces hold loops closed within a step, and a projection at its end prevents drift.

The force of a compliant contact over a step h is the force at its start, plus an implicit part,

    f = f₀ - B Δv,   B = B_t 1 + (B_n - B_t) n nᵀ,   Δv = J (u⁺ - u)           (1)

with J at the start of the step. `unilateral.py` limits it to forces that push. For a Runge–Kutta method, the forces of
the stages are added with their weights. With u' = (u⁺ - u) / h at the start of the step, these forces balance the
momentum of every step of a one-stage method:

    M u' + bias(q, u) = τ + Σ Jᵀ f + loop forces                               (4)

τ includes the implicit parts of drives, limits and the joints' own springs and dampers. Loops inside the figure do not
change the rows of a free root, and neither does their projection, which uses M at the start of the step.

`conserve` restores the momentum that a first-order step loses because the configuration changes during the step. With
the angular momentum h about the centre of mass c and the linear momentum p, the momentum after the step must be

    (h, p) + dt (h', p')(q, u, u'),   u' = (u⁺ - u) / dt                       (2)

The missing δh and δp change the velocity of the free root, as if the whole figure were one rigid body:

    I δω = δh,   δv = δp / m - δω × (c - p_root)                               (3)
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra.linear import full, ldl, matvec, transpose, upper
from anthropi.algorithms.forces import times
from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.kinematics import kinematics, point_position
from anthropi.algorithms.momentum import centre_of, has_mass, momentum, momentum_rate
from anthropi.constraints.loops.projection import nearest_closed
from anthropi.errors import InputError
from anthropi.motion.state import State
from anthropi.simulation.audit import works
from anthropi.simulation.drive import Drive, acceleration, by_link, checked, inputs, total_force
from anthropi.simulation.forces import Forces, Inputs, forces_at
from anthropi.simulation.impulses import Impulses, impulse_step
from anthropi.simulation.integrators import RK4, SemiImplicit, Tableau, Variational, runge_kutta_in_time
from anthropi.simulation.integrators import method as by_name
from anthropi.simulation.problem import Problem
from anthropi.simulation.unilateral import unilateral_step
from anthropi.simulation.variational import variational_midpoint

__all__ = ["Result", "State", "advance", "step"]


@dataclass(frozen=True, eq=False)
class Result:
    """Result of one time step, with the forces and impulses that acted.

    Attributes
    ----------
    state, start : state after and before the step.
    dt : [s] time step.
    forces : forces at the start of the step.
    impulses : impulses at the end of the step, or None.
    stages : [(weight, forces, q, u)], the states at which forces acted, for a Runge–Kutta method (its stages) and for
        the variational method (its midpoint); () for one-stage methods, whose forces act at the start.
    u_dynamics : (nu,) velocity after the dynamics, before loops are projected and momentum is restored.
    contact : (contacts, 3) [N] contact forces that acted, (1) in `unilateral.py`; None if they are not implicit.
    """

    problem: Problem
    state: State
    start: State
    dt: Any
    forces: Forces
    impulses: Impulses | None = None
    stages: tuple[Any, ...] = ()
    u_dynamics: Any = None
    contact: Any = None

    @property
    def udot(self) -> Any:
        """Mean acceleration (u⁺ - u) / dt (nu,) of the step, in the coordinates of the figure."""
        rooted, ends = self.problem.rooted, (self.start, self.state)
        u, after = (x.u if rooted is None else rooted.back(x.q, x.u)[1] for x in ends)
        return (after - u) / self.dt

    def contact_forces(self) -> Any:
        """Compute the mean contact forces (contacts, 3) [N] over the step, on each first link, in world axes."""
        if self.impulses is not None and self.impulses.contacts is not None:
            return self.impulses.contacts / self.dt
        if self.stages:
            return sum(weight * forces.push.acting for weight, forces, *_ in self.stages)
        return self.forces.push.acting if self.contact is None else self.contact

    def contact_points(self) -> Any:
        """Return the contact points (contacts, 3) [m] at the start of the step, in world axes."""
        return np.array([np.asarray(x.point) for x in self.forces.contacts]).reshape(-1, 3)

    def joint_forces(self) -> Any:
        """Compute the mean joint forces (nu,) [N m or N] over the step, τ in (4).

        They include the implicit parts of drives, limits and the joints' own springs and dampers, the impulses of hard
        limits, and the forces that prescribed dofs of a figure without loops need. For methods with several stages,
        they are the weighted sum over the stages.
        """
        figure, held = self.problem.figure, self.problem.prescribed
        if self.stages:
            return sum(w * _stage_forces(figure, forces.drive, q, u, held) for w, forces, q, u in self.stages)
        _, q, u = self.start[:3]
        udot = (self.u_dynamics - u) / self.dt
        tau, extra, _ = inputs(figure, self.forces.drive, q, u, self.dt if self.problem.implicit else None)
        tau = tau if extra is None else tau - times(extra, udot)
        stop = None if self.impulses is None else self.impulses.limits
        tau = tau if stop is None else tau + stop / self.dt
        if not held or figure.loops:
            return tau
        needed, own = inverse_dynamics(figure, q, u, udot, self._link_forces()), set(figure.dof_indices(held))
        return np.array([needed[k] if k in own else tau[k] for k in range(figure.nu)])

    def _link_forces(self) -> dict[int, Any]:
        """Compute all external forces {link number: (6,)} of a one-stage step, contacts included, in link frames."""
        drive, figure, (_, q, u) = self.forces.parts["drive"], self.problem.figure, self.start[:3]
        found = dict(by_link(None if drive is None else drive.f_ext))
        if self.problem.contact is None:
            return found
        k = kinematics(figure, q, u)
        for contact, f in zip(self.forces.contacts, self.contact_forces(), strict=True):
            for i, force in ((contact.a, f), (contact.b, -f)):
                if i >= 0:
                    back = transpose(k.rotation[i])
                    moment = np.cross(contact.point - k.position[i], force)
                    own = np.concatenate([matvec(back, moment), matvec(back, force)])
                    found[i] = own if i not in found else found[i] + own
        return found


def _stage_forces(figure: Any, drive: Drive, q: Any, u: Any, prescribed: Any) -> Any:
    """Compute the joint forces (nu,) at a stage, including those that prescribed dofs need."""
    tau = total_force(figure, drive, q, u)
    if not prescribed or figure.loops:
        return tau
    return hybrid_dynamics(figure, q, u, tau, drive.udot, drive.f_ext, prescribed=prescribed)[1]


def step(problem: Problem, state: State, dt: Any, given: Inputs | None = None) -> Result:
    """Make one time step of dt [s].

    given : inputs of the step other than the state; None for no inputs.
    """
    problem.check()
    given = Inputs() if given is None else given
    start = state if state.memory is not None else state._replace(memory={})
    t, q, u, memory = start[:4]
    over, rooted = dt if problem.implicit else None, problem.rooted

    def at(t: Any, q: Any, u: Any, over: Any) -> Forces:
        own_q, own_u = (q, u) if rooted is None else rooted.back(q, u)
        return forces_at(problem, t, own_q, own_u, memory, given, over)

    now = at(t, q, u, over)
    if over is None and memory:  # explicit methods use forces at an instant, but memory advances by a step
        now = now._replace(memory=at(t, q, u, dt).memory)
    acted = None
    if now.push is not None and now.push.implicit:
        q1, u1, after, impulses, stages, now, acted = _pushed(problem, start, dt, now)
    else:
        q1, u1, after, impulses, stages = _moved(problem, start, dt, now, lambda t, q, u: at(t, q, u, over))
    u_dynamics = u1
    tree = problem.figure if rooted is None else rooted.tree
    if tree.loops:
        end = checked(tree, at(t + dt, q1, u1, over).drive, problem.prescribed)
        q1, u1 = nearest_closed(tree, q1, u1, end.course, problem.prescribed, metric=q)
    end_u = u1
    if problem.conserve:
        u1 = _restore_momentum(tree, q, u, q1, u1, dt)
    if problem.audit:
        ends = [(q, u), (q1, end_u)]
        (own_q, own_u), (_, own_end) = ends if rooted is None else [rooted.back(*x) for x in ends]
        done = works(problem.figure, now, own_q, own_u, own_end, dt, over, impulses)
        after = after | {"work": memory["work"] + done}
    return Result(problem, State(t + dt, q1, u1, after), start, dt, now, impulses, tuple(stages), u_dynamics, acted)


def _pushed(problem: Problem, start: State, dt: Any, now: Forces):
    """Compute the results of `_moved` for implicit contacts, and also the forces and contact forces that acted."""
    has_stops = problem.has_stopping_limits or problem.has_hard_limits
    _, q, u = start[:3]
    sizes = {"u": len(u)} | ({"q": len(q), "stop": len(u)} if has_stops else {})

    def move(forces: Forces) -> dict[str, Any]:
        q1, u1, _, impulses, _ = _moved(problem, start, dt, forces, lambda t, q, u: forces)
        if not has_stops:
            return {"u": u1}  # without limits that stop joints, q1 follows from u1
        return {"u": u1, "q": q1, "stop": np.zeros(len(u)) if impulses.limits is None else impulses.limits}

    moved, forces, contact, yielded = unilateral_step(problem, now, q, u, dt, move, sizes)
    q1 = moved["q"] if has_stops else problem.figure.integrate(q, dt * moved["u"])
    memory, old = now.memory, now.memory["contact"]
    rows = [yielded[k] * z if k in yielded else z for k, z in enumerate(old["bristles"])]
    memory = memory | {"contact": old | {"bristles": np.array(rows).reshape(-1, 2)}}
    impulses = Impulses(None, moved["stop"]) if has_stops else None
    return q1, moved["u"], memory, impulses, (), forces._replace(memory=memory), contact


def _moved(problem: Problem, start: State, dt: Any, now: Forces, at: Callable[..., Any]):
    """Compute q⁺, u⁺, memory, impulses and stages of a step, before loops are projected.

    now : forces at the start of the step. at : function (t, q, u) → `Forces`.
    """
    figure, rule, (t, q, u) = problem.figure, by_name(problem.method), start[:3]
    over = dt if problem.implicit else None
    if problem.has_stopping_limits:
        tau, extra, added = inputs(figure, now.drive, q, u, over)
        q1, u1, stop = problem.limits.step(figure, q, u, tau, dt, now.drive.f_ext, extra, added)
        return q1, u1, now.memory, Impulses(None, stop), ()
    if problem.needs_impulses:
        q1, u1, after, impulses = impulse_step(problem, now, q, u, dt)
        return q1, u1, after, impulses, ()
    rooted, stages = problem.rooted, list[tuple[Any, ...]]()
    tree = figure if rooted is None else rooted.tree

    def drive(t, q, u, forces=None) -> Drive:
        found = at(t, q, u) if forces is None else forces
        stages.append((found, *((q, u) if rooted is None else rooted.back(q, u))))
        own = found.drive if rooted is None else rooted.drive(q, u, found.drive)
        return checked(tree, own, problem.prescribed)

    q1, u1 = _METHODS[type(rule)](tree, drive, t, q, u, dt, rule, problem.prescribed, now)
    if isinstance(rule, Tableau):
        weights = [rule.b[i] for i in rule.needed]
        return q1, u1, now.memory, None, [(w, *stage) for w, stage in zip(weights, stages, strict=True) if w]
    return q1, u1, now.memory, None, [(1.0, *stages[-1])] if isinstance(rule, Variational) else ()


def advance(
    figure: Any, drive: Callable[..., Any], state: State, dt: Any, method: Any = RK4, prescribed: Any = ()
) -> State:
    """Make one time step of dt [s] for a figure without scene and controller.

    drive : function (t, q, u) → `Drive`. method : a name in `METHODS`, or a method object. prescribed : names of joints
    or dofs that follow drive.udot.
    """
    problem = Problem(figure, method=method, prescribed=tuple(prescribed))
    after = step(problem, State(*state[:3]), dt, Inputs(drive)).state
    return State(*after[:3])


def _semi_implicit(figure, drive, t, q, u, h, method: SemiImplicit, prescribed, now):
    """Make one step by semi-implicit Euler; returns (q⁺, u⁺)."""
    u1 = u + h * acceleration(figure, drive(t, q, u, now), q, u, prescribed, h if method.implicit else None)
    return figure.integrate(q, h * u1), u1


def _runge_kutta(figure, drive, t, q, u, h, method: Tableau, prescribed, now):
    """Make one step by a Runge–Kutta method; returns (q⁺, u⁺)."""
    known = [now]  # the first stage is at the start of the step

    def rate(t, q, u):
        return acceleration(figure, drive(t, q, u, known.pop() if known else None), q, u, prescribed)

    return runge_kutta_in_time(figure, rate, t, q, u, h, method)


def _variational(figure, drive, t, q, u, h, method: Variational, prescribed, now):
    """Make one step by the variational midpoint rule; returns (q⁺, u⁺)."""
    if prescribed:
        raise InputError(
            f"Method '{method.name}' moves every joint by forces and cannot prescribe {', '.join(prescribed)}. Use a "
            "Runge–Kutta method such as rk4."
        )
    if figure.loops:
        names = ", ".join(loop.name for loop in figure.loops)
        raise InputError(
            f"Method '{method.name}' is for figures without loops, but figure '{figure.name}' has loops ({names}). Use "
            "a Runge–Kutta method such as rk4."
        )

    def forces(t, q, u):
        given: Drive = drive(t, q, u)
        return total_force(figure, given, q, u), given.f_ext

    start: Drive = drive(t, q, u, now)
    return variational_midpoint(figure, forces, t, q, u, h, (start.kp, start.kd), method.passes)


_METHODS: dict[type[Any], Any] = {SemiImplicit: _semi_implicit, Tableau: _runge_kutta, Variational: _variational}


def _restore_momentum(figure, q, u, q1, u1, dt):
    """Correct the velocities u1 (nu,) so that the momentum agrees with the forces of the step, by (2) and (3).

    q, u : state before the step. q1, u1 : state after the step.
    """
    root = figure.joints[0]
    if root.kind != "free":
        raise InputError(
            f"conserve=True needs a free root, but the root joint of figure '{figure.name}' is of kind {root.kind}. "
            "Leave out conserve."
        )
    held = [loop.name for loop in figure.loops if loop.on_world]
    if held:
        raise InputError(
            f"conserve=True needs a free figure, but loop '{held[0]}' connects figure '{figure.name}' to the world. "
            "Leave out conserve."
        )
    missing = momentum(figure, q, u) + dt * momentum_rate(figure, q, u, (u1 - u) / dt) - momentum(figure, q1, u1)  # (2)
    k = kinematics(figure, q1)
    centre = centre_of(figure, k)
    turn = ldl(_whole_inertia(figure, k, centre)).solve(missing[:3])  # (3)
    slide = missing[3:] / figure.mass - np.cross(turn, centre - k.position[0])
    more = [matvec(transpose(root.placement.rotation), slide), matvec(transpose(k.rotation[0]), turn)]
    return np.concatenate([u1[:6] + np.concatenate(more), u1[6:]])


def _whole_inertia(figure, k, centre):
    """Compute the inertia tensor (3, 3) of the whole figure about its centre of mass, in world axes."""
    total = np.zeros(6)
    for i, link in enumerate(figure.links):
        if has_mass(link):
            C, d = k.rotation[i], point_position(k, i, link.centre) - centre
            own = C @ link.tensor @ transpose(C)
            total = total + upper(own) + link.mass * (d @ d * upper(np.eye(3)) - upper(np.outer(d, d)))
    return full(total)
