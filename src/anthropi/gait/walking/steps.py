"""One step by HIDDS, from a foot strike to the next: planned, walked by increments, or the mirror image of the last.

A step is a dictionary of arrays (frames, …) in the figure's own coordinates, a frame at the start of each increment and
one at the end. Floats only.
"""

from typing import Any

import numpy as np

from anthropi.errors import StepError
from anthropi.gait.walking.balance import Course, course
from anthropi.gait.walking.ground import Law, increment_kernel, leg_kernel, told_kernel
from anthropi.gait.walking.legs import Legs
from anthropi.gait.walking.pose import MARGIN, Anatomy, rates_of
from anthropi.gait.walking.prints import Prints
from anthropi.simulation.rooted import Rooted

__all__ = ["mirrored", "planned", "walked"]

FLIP, TURN = np.array([1.0, -1.0, 1.0]), np.array([-1.0, 1.0, -1.0])  # vectors, and moments, in the mirror y → -y


def planned(body: Anatomy, legs: Legs, way, k: int, form: str) -> Course:
    """The plan of step k on the grid of increments, with MARGIN frames to spare at both ends."""
    prints = legs.prints
    first, last = (round(x / prints.dt) for x in prints.strikes[prints.more + k : prints.more + k + 2])
    t = prints.dt * np.arange(first - 2 * MARGIN, last + 2 * MARGIN + 1)
    return course(body, legs, t, way(t).value, form)


def walked(body: Anatomy, law: Law, plan: Course, prints: Prints, k: int, form: str, start=None) -> dict[str, Any]:
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
    q, u, udot, tau = told_kernel(figure, link)(q, u, udot, feet, places)
    down = np.stack([leg.down for leg in legs], -1)
    return {"q": q, "u": u, "tau": tau, "udot": udot, "f_ground": feet, "places": places, "residual": residual,
            "alpha": share[:, 0], "foot_pitch": np.stack([leg.pitch for leg in legs], -1),
            "foot_error": np.linalg.norm(places - arms - ankle, axis=-1) * down}  # fmt: skip


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
