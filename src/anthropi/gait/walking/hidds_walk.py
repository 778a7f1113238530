"""The thesis' walk: plan, dynamics that guides it, and the sequence of inverse and direct dynamics, step by step.

The four principles of 9.4.2. Once a step its plan is decoded (9.1-9.7 and the determinants), and parameters may change;
dynamics moves the lower body (`balance.py`); the upper body follows the legs; the foot that struck becomes the root,
and increments of inverse and direct dynamics go from its strike to the next (`ground.py`), stance and swing each by
their own rules (`legs.py`). A walk of equal steps is one step and its mirror images (9.4.1). Floats only.
"""

from itertools import pairwise

import numpy as np

from anthropi.contact.virtual_leg import BLENDS, Leg
from anthropi.errors import InputError, SimulationError, did_you_mean
from anthropi.figure.editing.mirroring import other_side
from anthropi.gait.determinants import Determinants
from anthropi.gait.schedule import Schedule
from anthropi.gait.walking.balance import balanced
from anthropi.gait.walking.ground import Law
from anthropi.gait.walking.legs import Legs
from anthropi.gait.walking.pose import Anatomy
from anthropi.gait.walking.prints import Prints
from anthropi.gait.walking.steps import mirrored, planned, walked
from anthropi.motion import Motion
from anthropi.motion.events import FootEvent

__all__ = ["hidds_walk"]

NARROW = 0.1 / 1.75  # width of a walk over stature: textbooks say 5 to 13 cm
STIFF, DAMPED, SPIN = 25.0, 0.5, 10.0  # k_l / m g [1/m], b_l / m g [s/m], k_h [1/s] of the virtual leg
LEFT = 5.0  # [N m per 75 kg] of moments about the foot: a walk that needs more is none
PULL = 900.0  # k_p [1/s²]: 30 rad/s, critically damped


def hidds_walk(figure, schedule: Schedule, determinants: Determinants | None = None, *, width: float | None = None,
               dt: float = 1e-3, form: str = "cosine", leg: Leg | None = None, kp: float = PULL,
               symmetric: bool = True, frozen=(), limits: bool = True, progress=None) -> Motion:  # fmt: skip
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
    told |= {"steps": len(steps), "dt": prints.dt, "width": prints.width, "passes": passes,
             "balance": left, "gap": float(max(gap, default=0.0)),
             "print_error": float(data["foot_error"].max()), "residual_force": _rms(residual[:, :3]) / weight,
             "residual_moment": _rms(residual[:, 3:]) / figure.mass,
             "residual_yaw": _rms(residual[:, 5:]) / figure.mass}  # fmt: skip
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
        raise InputError(f"determinants={determinants!r}: give ap.Determinants(), as with .without('pelvic_tilt').")
    if schedule.plans[0].kind != "walk":
        raise InputError("method='hidds' walks: one foot or two are on the ground. For a run see ap.reference_gait.")
    if form not in BLENDS:
        raise InputError(f"form={form!r}.{did_you_mean(str(form), BLENDS)} Choose: {', '.join(BLENDS)}.")
    wanted = [("dt", dt, 1e-5, 5e-3), ("kp", kp, 100.0, 1e5)] + ([] if width is None else [("width", width, 0.0, 1.0)])
    for name, x, low, high in wanted:
        if isinstance(x, bool) or not isinstance(x, (int, float, np.number)) or not low <= x <= high:
            raise InputError(f"walk got {name}={x!r}; give a number from {low:g} to {high:g}.")
