"""Walking by HIDDS: plan each step, then compute its motion by inverse and direct dynamics.

The method follows the four principles of docs/equations/thesis.md, 9.3. The plan is evaluated once per step ((9.1) to
(9.7) and the determinants), and its parameters may change from step to step. Dynamics determines the motion of the
lower body (`hip_path.py`). The upper body follows the legs. The foot that struck becomes the root, and increments of
inverse and direct dynamics go from its strike to the next (`stance_increment.py`), with separate rules for stance and
swing (`legs.py`). If all steps are equal, one step is computed and the others are its mirror images (9.8).

A step is a dictionary of arrays (frames, …) in the figure's own coordinates, with a frame at the start of each
increment and one at the end. The functions work on plain floats only.

In some figures the feet belong to the shanks. For pictures of these, `with_feet` moves the shapes below an ankle to a
link of negligible mass on a hinge at the ankle, and the toes to another link. They rotate by

    ankle: pitch + lean of the shank,   toes: -pitch where the heel is up      (1)
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from anthropi.algebra.spatial import Transform
from anthropi.contact.virtual_leg import BLENDS, Leg
from anthropi.entry import kinematics
from anthropi.errors import InputError, SimulationError, StepError, did_you_mean
from anthropi.figure.editing.scaling import other_side
from anthropi.figure.figure import Figure
from anthropi.figure.joints import Revolute
from anthropi.figure.parts import Link, Marker, Shape
from anthropi.gait.hidds.walking.footprints import Prints
from anthropi.gait.hidds.walking.hip_path import HipPath, balanced, course
from anthropi.gait.hidds.walking.legs import Legs
from anthropi.gait.hidds.walking.pose import MARGIN, Anatomy, rates_of, toes_up
from anthropi.gait.hidds.walking.stance_increment import Law, increment_kernel, leg_kernel, rooted_state_kernel
from anthropi.gait.physics import warn_of_residual, with_physics
from anthropi.gait.plan.determinants import Determinants
from anthropi.gait.plan.schedule import Schedule
from anthropi.motion import Motion
from anthropi.motion.motion import FootEvent
from anthropi.simulation.rooted import Rooted

__all__ = ["hidds_walk", "mirrored", "planned", "walked", "with_feet"]


MIRROR_VECTOR, MIRROR_MOMENT = np.array([1.0, -1.0, 1.0]), np.array([-1.0, 1.0, -1.0])  # signs for y → -y


def planned(body: Anatomy, legs: Legs, path: Callable[..., Any], k: int, form: str) -> HipPath:
    """Return the plan of step k at the times of the increments, with MARGIN extra frames at both ends."""
    prints = legs.prints
    first, last = (round(x / prints.dt) for x in prints.strikes[prints.more + k : prints.more + k + 2])
    t = prints.dt * np.arange(first - 2 * MARGIN, last + 2 * MARGIN + 1)
    return course(body, legs, t, path(t).value, form)


def walked(
    body: Anatomy, law: Law, plan: HipPath, prints: Prints, k: int, form: str, start: Any = None
) -> dict[str, Any]:
    """Compute step k of a walk by increments, with the foot that begins it as the root.

    start : initial state (q, u); that of the plan if None.
    """
    figure, link = body.figure, body.feet[prints.feet[prints.more + k]]
    rooted, inner = Rooted(figure, link), slice(MARGIN, len(plan.t) - MARGIN)
    wanted = np.array([rooted.there(q, np.zeros(figure.nu))[0] for q in plan.q])
    u_wanted, udot_wanted = rates_of(rooted.tree, wanted, prints.dt)
    wanted, t, lower = wanted[inner], plan.t[inner], plan.lower.cut(inner)
    legs = [lower.legs[side] for side in "lr"]
    share = np.stack([prints.load(t, side, form) for side in "lr"], -1)
    ankle = np.stack([leg.ankle for leg in legs], 1)
    arms = np.stack([leg.load for leg in legs], 1) - ankle
    rest, spin = leg_kernel(figure, law.leg)(plan.q[inner], plan.u[inner], share, arms, plan.force[inner])
    q, u = (wanted[0], u_wanted[0]) if start is None else rooted.there(*start)
    run, rows = increment_kernel(rooted.tree, law), []
    for i in range(len(t)):
        after = run(q, u, wanted[i], u_wanted[i], udot_wanted[i], share[i], arms[i], rest[i], spin[i], prints.dt)
        rows.append((q, u, *after[2:]))
        q, u = after[:2]
        if not np.isfinite(u).all():
            raise StepError(f"The state is no longer finite at t = {t[i]:g} s. Use a smaller dt or a smaller kp.")
    q, u, udot, feet, places, residual = (np.array(x) for x in zip(*rows, strict=True))
    q, u, udot, tau = rooted_state_kernel(figure, link)(q, u, udot, feet, places)
    down = np.stack([leg.down for leg in legs], -1)
    return {
        "q": q,
        "u": u,
        "tau": tau,
        "udot": udot,
        "f_ground": feet,
        "places": places,
        "residual": residual,
        "alpha": share[:, 0],
        "foot_pitch": np.stack([leg.pitch for leg in legs], -1),
        "foot_error": np.linalg.norm(places - arms - ankle, axis=-1) * down,
    }


def mirrored(figure: Figure, step: dict[Any, Any], by: float) -> dict[str, Any]:
    """Return the mirror image of a step, moved forward by `by` [m] (docs/equations/thesis.md, 9.8)."""
    on = np.array([by, 0.0, 0.0])
    _, q, u = figure.mirror(step["q"], step["u"])
    q = q + np.concatenate([on, np.zeros(figure.nq - 3)])
    found = {"q": q, "u": u, "alpha": 1.0 - step["alpha"]}
    found |= {name: figure.mirror(step["q"], step[name])[2] for name in ("tau", "udot")}
    found |= {name: step[name][:, ::-1] for name in ("foot_pitch", "foot_error")}
    found |= {
        "f_ground": step["f_ground"][:, ::-1] * MIRROR_VECTOR,
        "places": step["places"][:, ::-1] * MIRROR_VECTOR + on,
    }
    return found | {"residual": step["residual"] * np.concatenate([MIRROR_VECTOR, MIRROR_MOMENT])}


WIDTH_OVER_STATURE = 0.1 / 1.75  # step width of a walk; textbooks give 5 to 13 cm
LEG_STIFFNESS, LEG_DAMPING, LEG_SPIN = 25.0, 0.5, 10.0  # k_l / m g [1/m], b_l / m g [s/m], k_h [1/s]
MAX_MOMENT = 5.0  # [N m per 75 kg], largest moment about the virtual foot on a balanced path
DEFAULT_KP = 900.0  # [1/s²], for a natural frequency of 30 rad/s, critically damped


def hidds_walk(
    figure: Figure,
    schedule: Schedule,
    determinants: Determinants | None = None,
    *,
    width: float | None = None,
    dt: float = 1e-3,
    form: str = "cosine",
    leg: Leg | None = None,
    kp: float = DEFAULT_KP,
    symmetric: bool = True,
    frozen: str | tuple[str, ...] | list[str] = (),
    limits: bool = True,
    progress: Callable[[int, int], Any] | None = None,
) -> Motion:
    """Compute a walk of a human figure along a schedule of steps by HIDDS.

    Parameters
    ----------
    figure : a human with knees: detail "thesis42", "thesis51", "standard" or "full".
    schedule : a plan of kind "walk" for each step.
    determinants : determinants of gait; the defaults if None.
    width : distance between the lines of the two feet [m]. By default 0.1 m for a stature of 1.75 m, or the distance of
        the hips if the lateral determinant is off.
    dt : length of an increment [s].
    form : curve of the share α over double support: "linear", "cosine" or "cubic".
    leg : parameters of the virtual leg.
    kp : feedback gain [1/s²]; damping is critical.
    symmetric : whether equal steps are mirror images of the first step. Otherwise every step is computed.
    frozen : joints or degrees of freedom that do not move.
    limits : whether determinants also act as limits.
    progress : function that is called with the steps done and the total number of steps.

    Returns
    -------
    A `Motion` with FootEvents, a summary in metadata["walk"], metadata "method", "aid" and "residual"
    (`gait/physics.py`), and these channels:
    "tau", "udot" : (frames, nu).
    "f_ground", "places" : (frames, 2, 3), ground force on the left and right foot [N] and its point of application [m].
    "alpha" : (frames,), the left foot's share of the force.
    "residual" : (frames, 6), additional force on the root [N] and moment about the virtual foot [N m], in world axes.
    "foot_pitch" : (frames, 2) [rad], positive with toes up.
    "foot_error" : (frames, 2) [m], distance of a stance foot from its footprint.

    Warns
    -----
    PhysicsWarning : the residual force is above 5 % of the weight.
    """
    frozen = (frozen,) if isinstance(frozen, str) else tuple(frozen)
    _refuse(schedule, determinants, dt, form, kp, width)
    body, d = Anatomy(figure, frozen), Determinants() if determinants is None else determinants
    height, length = schedule.plans[0].height, schedule.plans[0].step_length
    if width is None:
        width = WIDTH_OVER_STATURE * height * d.scale("lateral") if d.lateral.on else 2.0 * body.half
    prints = Prints(schedule, float(width), float(dt))
    legs = Legs(body.thigh, body.shank, body.half, body.foot, prints, d)
    weight = figure.mass * float(np.linalg.norm(figure.gravity))
    leg = Leg(LEG_STIFFNESS * weight, LEG_DAMPING * weight, LEG_SPIN) if leg is None else leg
    law = Law(leg, float(kp), 2.0 * float(np.sqrt(kp)), d if limits else None, frozen)
    n, alike = len(schedule), len(set(schedule.plans)) == 1 and {other_side(name) for name in frozen} == set(frozen)
    own = 1 if symmetric and alike else n  # steps to compute; the others are mirror images
    report = (lambda done: None) if progress is None else (lambda done: progress(done, own))
    report(0)
    first, last = (float(prints.strikes[prints.more + k]) for k in (0, own))
    legs, path, history = balanced(body, legs, first, last, form)
    left = _remaining_moment(history, figure.mass)
    start, steps = None, list[dict]()
    if own < n:  # find a step that begins as its mirror image ends
        start = _end(mirrored(figure, walked(body, law, planned(body, legs, path, 0, form), prints, 0, form), -length))
    for k in range(n):
        if k < own:
            steps.append(walked(body, law, planned(body, legs, path, k, form), prints, k, form, start))
            start = _end(steps[-1])
            report(k + 1)
        else:
            steps.append(mirrored(figure, steps[-1], length))
    motion = _joined(figure, prints, steps, len(history), left, weight)
    warn_of_residual(motion, "Use slower or shorter steps, or method='walker'.")
    return motion


def _end(step: dict[Any, Any]):
    """Return the last state (q, u) of a step."""
    return step["q"][-1], step["u"][-1]


def _joined(figure, prints: Prints, steps: list[dict[Any, Any]], passes: int, left: float, weight: float) -> Motion:
    """Concatenate steps to a motion. At a strike, the frame of the new step is used."""
    gap = [np.abs(figure.difference(a["q"][-1], b["q"][0])).max() for a, b in pairwise(steps)]
    parts = [{name: x[:-1] for name, x in step.items()} for step in steps[:-1]] + [steps[-1]]
    data = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    time = prints.strikes[prints.more] + prints.dt * np.arange(len(data["q"]))
    numbers = range(prints.more, prints.more + len(steps))
    strikes = [FootEvent(float(prints.strikes[k]), prints.feet[k], "strike") for k in (*numbers, numbers[-1] + 1)]
    offs = [FootEvent(float(prints.offs[k]), prints.feet[k + 1], "off") for k in numbers]
    plan, residual = prints.schedule.plans[0], data["residual"]
    summary = {name: getattr(plan, name) for name in ("height", "velocity", "step_length", "step_frequency")}
    summary |= {
        "steps": len(steps),
        "dt": prints.dt,
        "width": prints.width,
        "passes": passes,
        "balance": left,
        "gap": float(max(gap, default=0.0)),
        "print_error": float(data["foot_error"].max()),
        "residual_force": _rms(residual[:, :3]) / weight,
        "residual_moment": _rms(residual[:, 3:]) / figure.mass,
        "residual_yaw": _rms(residual[:, 5:]) / figure.mass,
    }
    events = tuple(sorted((*strikes, *offs), key=lambda event: event.time))
    motion = Motion(figure, time, data.pop("q"), data.pop("u"), data, events, {"walk": {"method": "hidds"} | summary})
    return with_physics(motion, "hidds")


def _remaining_moment(history, mass: float) -> float:
    """Return the remaining moment about the virtual foot [N m]; raise SimulationError if it is too large."""
    left = min(history)
    if left > MAX_MOMENT * mass / 75.0:
        raise SimulationError(
            f"No path of the hips was found on which ground forces support this walk: a moment of {left:.0f} N m "
            "remains. Use shorter or slower steps, or steps that differ less from one to the next."
        )
    return left


def _rms(x) -> float:
    return float(np.sqrt((x**2).sum(-1).mean()))


def _refuse(schedule: Schedule, determinants, dt, form: str, kp, width) -> None:
    """Check the arguments of `hidds_walk`; raise InputError if one is wrong."""
    if not isinstance(schedule, Schedule):
        raise InputError(f"schedule={schedule!r} is not a Schedule. Give a Schedule of GaitPlans, one for each step.")
    if determinants is not None and not isinstance(determinants, Determinants):
        raise InputError(
            f"determinants={determinants!r}: give a Determinants, for example "
            "ap.gait.Determinants().without('pelvic_tilt')."
        )
    if determinants is not None and not determinants.swing_knee.on:
        raise InputError(
            "method='hidds' cannot switch the determinant 'swing_knee' off: the swing foot must clear the ground, "
            "which flexes the knee in any case. Keep it on, and change its amplitude; the knee flexes at least as far "
            "as the clearance needs. In ap.gait.reference_gait(figure, determinants=…) it can be off."
        )
    if schedule.plans[0].kind != "walk":
        raise InputError(
            "method='hidds' cannot run: at least one foot must be on the ground. Use ap.gait.reference_gait for a run."
        )
    if form not in BLENDS:
        raise InputError(f"Unknown form={form!r}.{did_you_mean(str(form), BLENDS)} Choose one of: {', '.join(BLENDS)}.")
    bounds = [("dt", dt, 1e-5, 5e-3), ("kp", kp, 100.0, 1e5)] + ([] if width is None else [("width", width, 0.0, 1.0)])
    for name, x, low, high in bounds:
        if isinstance(x, bool) or not isinstance(x, (int, float, np.number)) or not low <= x <= high:
            raise InputError(f"walk got {name}={x!r}. Give a number from {low:g} to {high:g}.")


DRAWN_MASS = 1e-6  # [kg], [kg m²], for links that are only drawn


def with_feet(motion: Motion) -> Motion:
    """Return the motion with separate feet that rotate by the channel "foot_pitch" (1).

    The motion of a figure that already has feet is returned unchanged.
    """
    marks = {m.name: m for m in motion.figure.markers if isinstance(m, Marker)}
    if "foot_pitch" not in motion.channels or "foot" in marks["l_ankle_centre"].link:
        return motion
    figure, angles, pad = motion.figure, [], Anatomy(motion.figure).foot.pad
    k = kinematics(figure, motion.q)
    for side, pitch in zip("lr", motion.channels["foot_pitch"].T, strict=True):
        mark, ball = marks[f"{side}_ankle_centre"], marks[f"{side}_sole_ball_in"].point
        i = motion.figure.link_index(mark.link)
        toe = np.array([ball[0], 0.0, ball[2] + pad])
        figure = _split(figure, i, f"{side}_foot", f"{side}_ankle", mark.point, lambda p, at=mark.point: p[2] <= at[2])
        figure = _split(
            figure, figure.n - 1, f"{side}_toes", f"{side}_toe", toe - mark.point, lambda p, at=ball: p[0] > at[0]
        )
        up = np.asarray(k.rotation)[:, i, :, 2]
        angles += [np.arctan2(up[:, 0], up[:, 2]) + pitch, -toes_up(pitch)]  # (1)
    turned = np.stack(angles, -1)
    q = np.concatenate([motion.q, turned], -1)
    u = np.concatenate([motion.u, np.gradient(turned, motion.time, axis=0)], -1)
    return Motion(figure, motion.time, q, u, events=motion.events, metadata=motion.metadata)


def _split(figure, i: int, name: str, joint: str, at, beyond):
    """Return the figure with part of link i split off to a new link on a hinge.

    name, joint : names of the new link and hinge. at : position of the hinge. beyond : function of a point that returns
    whether a shape or marker there belongs to the new link.
    """
    link = figure.links[i]
    there = [beyond(shape.placement.origin) for shape in link.shapes]
    moved = tuple(_moved(shape, -np.asarray(at)) for shape, far in zip(link.shapes, there, strict=True) if far)
    kept = tuple(shape for shape, far in zip(link.shapes, there, strict=True) if not far)
    part = Link(name, DRAWN_MASS, np.zeros(3), DRAWN_MASS * np.eye(3), moved)
    hinge = Revolute(name=joint, axis=np.array([0.0, -1.0, 0.0]), placement=Transform(np.eye(3), np.asarray(at)))
    links = [replace(link, shapes=kept) if n == i else x for n, x in enumerate(figure.links)]
    marks = [
        replace(m, link=name, point=m.point - at)
        if isinstance(m, Marker) and m.link == link.name and beyond(m.point)
        else m
        for m in figure.markers
    ]
    return figure.changed(
        links=[*links, part], joints=[*figure.joints, hinge], parent=[*figure.parent, i], markers=marks
    )


def _moved(shape: Shape, by) -> Shape:
    return replace(shape, placement=Transform(shape.placement.rotation, shape.placement.origin + by))
