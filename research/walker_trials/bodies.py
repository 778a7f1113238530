"""Trials of one parameter file on bodies of different size, and differences between their walks.

Works on plain floats only.
"""

import numpy as np
from research.walker_trials.lines import Line
from research.walker_trials.subject import BODY, Subject, subject
from research.walker_trials.timing import timing
from research.walker_trials.walks import long_walk, walk

from anthropi.contact.material import Material
from anthropi.figure.human.build import human

__all__ = ["BODIES", "apart", "bodies", "otherwise"]

BODIES = tuple((sex, *size) for sex in "fm" for size in ((1.55, 50.0), (1.65, 62.0), (1.75, 75.0), (1.85, 87.0),
                                                        (1.95, 100.0)))  # fmt: skip
NAMES = {"f": "woman", "m": "man"}
DURATION, SETTLED = 6.0, 1.0  # [s] of two walks that are compared, and start of the comparison
MIN_DIFFERENCE = 0.5  # [°]
ADDED_MASS = 7.5  # [kg]


def bodies(walker="natural", who=BODIES, steps: int = 200, progress=None, opt=2) -> list[Line]:
    """Count the steps of each body at its preferred speed."""
    found = []
    for k, (sex, height, mass) in enumerate(who):
        one = subject(human(height, mass, sex), walker)
        went = long_walk(one, [one.preferred], steps, frame=0.01, opt=opt)
        up = ~(went.time >= went.fell[0])
        count = float(np.nanmax(went.steps[0][up], initial=0.0))
        own = timing(went.time[up], went.place[0][up], {s: x[0][up] for s, x in went.load.items()}, 5.0)
        note = f"{own.speed:.2f} of {one.preferred:.2f} m/s"
        if np.isfinite(went.fell[0]):
            note += f", falls at {went.fell[0]:.1f} s"
        found.append(
            Line(f"{NAMES[sex]} {height:g} m, {mass:g} kg: steps", min(count, steps), "", steps, None, 0, note)
        )
        if progress is not None:
            progress(k + 1, len(who))
    return found


def otherwise(walker="natural", speed: float = 1.3, opt=2) -> list[Line]:
    """Measure the change of the joint angles [°] by each change of body, speed or ground, from 1.75 m and 75 kg.

    A body with all masses scaled walks the same by dynamic similarity if its controller uses the scaled masses: masses,
    torques and the stiffness of the ground all scale. Therefore the mass is changed while the controller's model stays
    the same.
    """
    figure, usual = human(*BODY), subject(walker=walker)
    q, u = usual.start
    heavier = human(BODY[0], BODY[1] + ADDED_MASS)
    others = {
        "height +5 cm": subject(human(BODY[0] + 0.05, BODY[1]), walker),
        "mass +7.5 kg, unknown to it": subject(heavier, walker, taken_for=figure),
        "speed +0.1 m/s": usual,
        "start +0.1 m/s": Subject(usual.scene, usual.controller, (q, u + 0.1 * np.eye(len(u))[0])),
        "friction 0.4": subject(walker=walker, material=Material(friction=0.4)),
        "mass +7.5 kg, known (similar)": subject(heavier, walker),
    }

    def went(who, speed):
        return walk(who, [speed], DURATION, record=(), opt=opt).rollout(0)

    base, found = went(usual, speed), []
    for name, who in others.items():
        moved = apart(base, went(who, speed + (0.1 if name.startswith("speed") else 0.0)))
        found.append(
            Line(f"{name} moves joints by", moved, "° RMS", None if "similar" in name else MIN_DIFFERENCE, None, 2)
        )
    return found


def apart(one, other) -> float:
    """Compute the RMS difference [°] of two motions over time and all joints except the root."""
    figure, kept = one.figure, one.time >= SETTLED
    off = [figure.difference(a, b)[6:] for a, b in zip(one.q[kept], other.q[kept], strict=True)]
    return float(np.degrees(np.sqrt(np.mean(np.square(off)))))
