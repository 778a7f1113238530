"""One step by HIDDS, from a foot strike to the next: planned, walked by increments, or the mirror image of the last.

A step is a dictionary of arrays (frames, …) in the figure's own coordinates, a frame at the start of each increment and
one at the end. Floats only.

Hidds walk
----------
The thesis' walk: plan, dynamics that guides it, and the sequence of inverse and direct dynamics, step by step.

The four principles of 9.4.2. Once a step its plan is decoded (9.1-9.7 and the determinants), and parameters may change;
dynamics moves the lower body (`hip_path.py`); the upper body follows the legs; the foot that struck becomes the root,
and increments of inverse and direct dynamics go from its strike to the next (`stance_increment.py`), stance and swing
each by their own rules (`legs.py`). A walk of equal steps is one step and its mirror images (9.4.1). Floats only.

Shown
-----
The motion as people want to see it: feet at the pitch that the walk planned, of a figure that has none. Floats only.

A figure of the thesis has its feet in its shanks. For pictures, what is drawn below an ankle goes to a link of its own
that weighs next to nothing, on a hinge at the ankle, and the toes to another. They turn by

    ankle: pitch + lean of the shank,   toes: -pitch where the heel is up      (1)
"""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from anthropi.algebra.spatial import Transform
from anthropi.contact.virtual_leg import BLENDS, Leg
from anthropi.entry import kinematics
from anthropi.errors import InputError, SimulationError, StepError, did_you_mean
from anthropi.figure.editing.scaling import other_side
from anthropi.figure.joints import Revolute
from anthropi.figure.parts import Link, Marker, Shape
from anthropi.gait.hidds.walking.footprints import Prints
from anthropi.gait.hidds.walking.hip_path import HipPath, balanced, course
from anthropi.gait.hidds.walking.legs import Legs
from anthropi.gait.hidds.walking.pose import MARGIN, Anatomy, rates_of, toes_up
from anthropi.gait.hidds.walking.stance_increment import Law, increment_kernel, leg_kernel, rooted_state_kernel
from anthropi.gait.plan.determinants import Determinants
from anthropi.gait.plan.schedule import Schedule
from anthropi.motion import Motion
from anthropi.motion.motion import FootEvent
from anthropi.simulation.rooted import Rooted

__all__ = ["hidds_walk", "mirrored", "planned", "walked", "with_feet"]


FLIP, TURN = np.array([1.0, -1.0, 1.0]), np.array([-1.0, 1.0, -1.0])  # vectors, and moments, in the mirror y → -y


def planned(body: Anatomy, legs: Legs, way, k: int, form: str) -> HipPath:
    """The plan of step k on the grid of increments, with MARGIN frames to spare at both ends."""
    prints = legs.prints
    first, last = (round(x / prints.dt) for x in prints.strikes[prints.more + k : prints.more + k + 2])
    t = prints.dt * np.arange(first - 2 * MARGIN, last + 2 * MARGIN + 1)
    return course(body, legs, t, way(t).value, form)


def walked(body: Anatomy, law: Law, plan: HipPath, prints: Prints, k: int, form: str, start=None) -> dict[str, Any]:
    """Step k by increments, rooted at the foot that begins it. start : (q, u), the plan's own if None."""
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
            raise StepError(f"The walk is lost at t = {t[i]:g} s. Take a smaller dt, or a smaller kp.")
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


def mirrored(figure, step: dict, by: float) -> dict[str, Any]:
    """A step in the mirror, `by` [m] further on (thesis 9.8)."""
    on = np.array([by, 0.0, 0.0])
    _, q, u = figure.mirror(step["q"], step["u"])
    q = q + np.concatenate([on, np.zeros(figure.nq - 3)])
    found = {"q": q, "u": u, "alpha": 1.0 - step["alpha"]}
    found |= {name: figure.mirror(step["q"], step[name])[2] for name in ("tau", "udot")}
    found |= {name: step[name][:, ::-1] for name in ("foot_pitch", "foot_error")}
    found |= {"f_ground": step["f_ground"][:, ::-1] * FLIP, "places": step["places"][:, ::-1] * FLIP + on}
    return found | {"residual": step["residual"] * np.concatenate([FLIP, TURN])}


NARROW = 0.1 / 1.75  # width of a walk over stature: textbooks say 5 to 13 cm
STIFF, DAMPED, SPIN = 25.0, 0.5, 10.0  # k_l / m g [1/m], b_l / m g [s/m], k_h [1/s] of the virtual leg
LEFT = 5.0  # [N m per 75 kg] of moments about the foot: a walk that needs more is none
PULL = 900.0  # k_p [1/s²]: 30 rad/s, critically damped


def hidds_walk(
    figure,
    schedule: Schedule,
    determinants: Determinants | None = None,
    *,
    width: float | None = None,
    dt: float = 1e-3,
    form: str = "cosine",
    leg: Leg | None = None,
    kp: float = PULL,
    symmetric: bool = True,
    frozen=(),
    limits: bool = True,
    progress=None,
) -> Motion:
    """How does a human figure walk a schedule of steps by HIDDS?

    Parameters
    ----------
    figure : a human with knees: detail "thesis42", "thesis51", "standard", "full". schedule : a plan a step, walking.
    determinants : of gait; their defaults if None. width : [m] between the lines of the feet; by default 0.1 m for
        1.75 m of stature, or the hips' distance where the lateral determinant is off.
    dt : [s] an increment. form : of α over double support: linear, cosine, cubic. leg : the virtual leg's numbers.
    kp : [1/s²] how stiffly the plan is followed, critically damped.
    symmetric : whether equal steps are mirror images of the first, not walked each. frozen : joints or degrees of
        freedom that do not move. limits : whether determinants push back as limits, too.
    progress : function (steps done, of all).

    Returns
    -------
    A `Motion` with FootEvents and channels: "tau", "udot" (frames, nu); "f_ground" (frames, 2, 3) [N] on the left and
    right foot, "places" (frames, 2, 3) [m] where; "alpha" (frames,), the left foot's share; "residual" (frames, 6):
    force [N] and moment [N m] about the virtual foot that the root was given besides, world axes; "foot_pitch" (frames,
    2) [rad], toes up; "foot_error" (frames, 2) [m], how far a foot that stands is from its print. metadata["walk"] sums
    up.
    """
    frozen = (frozen,) if isinstance(frozen, str) else tuple(frozen)
    _refuse(schedule, determinants, dt, form, kp, width)
    body, d = Anatomy(figure, frozen), Determinants() if determinants is None else determinants
    height, length = schedule.plans[0].height, schedule.plans[0].step_length
    if width is None:
        width = NARROW * height * d.scale("lateral") if d.lateral.on else 2.0 * body.half
    prints = Prints(schedule, float(width), float(dt))
    legs = Legs(body.thigh, body.shank, body.half, body.foot, prints, d)
    weight = figure.mass * float(np.linalg.norm(figure.gravity))
    leg = Leg(STIFF * weight, DAMPED * weight, SPIN) if leg is None else leg
    law = Law(leg, float(kp), 2.0 * float(np.sqrt(kp)), d if limits else None, frozen)
    n, alike = len(schedule), len(set(schedule.plans)) == 1 and {other_side(name) for name in frozen} == set(frozen)
    own = 1 if symmetric and alike else n  # steps to walk; the others are mirror images
    tell = (lambda done: None) if progress is None else (lambda done: progress(done, own))
    tell(0)
    first, last = (float(prints.strikes[prints.more + k]) for k in (0, own))
    legs, way, history = balanced(body, legs, first, last, form)
    left = _carried(history, figure.mass)
    start, steps = None, list[dict]()
    if own < n:  # a step that begins as its mirror image ends
        start = _end(mirrored(figure, walked(body, law, planned(body, legs, way, 0, form), prints, 0, form), -length))
    for k in range(n):
        if k < own:
            steps.append(walked(body, law, planned(body, legs, way, k, form), prints, k, form, start))
            start = _end(steps[-1])
            tell(k + 1)
        else:
            steps.append(mirrored(figure, steps[-1], length))
    return _joined(figure, prints, steps, len(history), left, weight)


def _end(step: dict):
    """The state (q, u) that a step ends in."""
    return step["q"][-1], step["u"][-1]


def _joined(figure, prints: Prints, steps: list[dict], passes: int, left: float, weight: float) -> Motion:
    """All steps after each other; at a strike the frame of the step that begins."""
    gap = [np.abs(figure.difference(a["q"][-1], b["q"][0])).max() for a, b in pairwise(steps)]
    parts = [{name: x[:-1] for name, x in step.items()} for step in steps[:-1]] + [steps[-1]]
    data = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    time = prints.strikes[prints.more] + prints.dt * np.arange(len(data["q"]))
    numbers = range(prints.more, prints.more + len(steps))
    strikes = [FootEvent(float(prints.strikes[k]), prints.feet[k], "strike") for k in (*numbers, numbers[-1] + 1)]
    offs = [FootEvent(float(prints.offs[k]), prints.feet[k + 1], "off") for k in numbers]
    plan, residual = prints.schedule.plans[0], data["residual"]
    told = {name: getattr(plan, name) for name in ("height", "velocity", "step_length", "step_frequency")}
    told |= {
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
    return Motion(figure, time, data.pop("q"), data.pop("u"), data, events, {"method": "hidds", "walk": told})


def _carried(history, mass: float) -> float:
    """What moment is left [N m], if it is little enough to walk with."""
    left = min(history)
    if left > LEFT * mass / 75.0:
        raise SimulationError(
            f"No way of the hips was found on which the ground carries this walk: {left:.0f} N m are left. "
            "Let steps differ less from one to the next, or take shorter or slower ones."
        )
    return left


def _rms(x) -> float:
    return float(np.sqrt((x**2).sum(-1).mean()))


def _refuse(schedule: Schedule, determinants, dt, form: str, kp, width) -> None:
    """Words for what cannot be walked."""
    if not isinstance(schedule, Schedule):
        raise InputError(f"schedule={schedule!r}: give a Schedule, made of GaitPlans.")
    if determinants is not None and not isinstance(determinants, Determinants):
        raise InputError(
            f"determinants={determinants!r}: give ap.gait.Determinants(), as with .without('pelvic_tilt')."
        )
    if schedule.plans[0].kind != "walk":
        raise InputError(
            "method='hidds' walks: one foot or two are on the ground. For a run see ap.gait.reference_gait."
        )
    if form not in BLENDS:
        raise InputError(f"form={form!r}.{did_you_mean(str(form), BLENDS)} Choose: {', '.join(BLENDS)}.")
    wanted = [("dt", dt, 1e-5, 5e-3), ("kp", kp, 100.0, 1e5)] + ([] if width is None else [("width", width, 0.0, 1.0)])
    for name, x, low, high in wanted:
        if isinstance(x, bool) or not isinstance(x, (int, float, np.number)) or not low <= x <= high:
            raise InputError(f"walk got {name}={x!r}; give a number from {low:g} to {high:g}.")


NOTHING = 1e-6  # [kg], [kg m²]


def with_feet(motion: Motion) -> Motion:
    """The motion of a figure with feet that turn by channel "foot_pitch"; the motion itself if it needs none."""
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
    """The figure with what is drawn and marked `beyond` a point of link i on a link of its own, hinged there."""
    link = figure.links[i]
    there = [beyond(shape.placement.origin) for shape in link.shapes]
    moved = tuple(_moved(shape, -np.asarray(at)) for shape, far in zip(link.shapes, there, strict=True) if far)
    kept = tuple(shape for shape, far in zip(link.shapes, there, strict=True) if not far)
    part = Link(name, NOTHING, np.zeros(3), NOTHING * np.eye(3), moved)
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
