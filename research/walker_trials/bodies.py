"""Trials of one parameter file on bodies of different size, and differences between their walks.

Works on plain floats only.
"""

import numpy as np
from research.walker_trials.lines import Line
from research.walker_trials.subject import BODY, Subject, subject
from research.walker_trials.timing import timing
from research.walker_trials.walks import long_walk, walk

from anthropi import study
from anthropi.contact.material import Material
from anthropi.figure.human.build import human
from anthropi.motion import Motion

__all__ = ["BODIES", "apart", "bodies", "body_walk", "changed_walk", "otherwise"]

BODIES = tuple((sex, *size) for sex in "fm" for size in ((1.55, 50.0), (1.65, 62.0), (1.75, 75.0), (1.85, 87.0),
                                                        (1.95, 100.0)))  # fmt: skip
NAMES = {"f": "woman", "m": "man"}
DURATION, SETTLED = 6.0, 1.0  # [s] of two walks that are compared, and start of the comparison
MIN_DIFFERENCE = 0.5  # [°]
ADDED_MASS = 7.5  # [kg]
CHANGES = ("none", "height +5 cm", "mass +7.5 kg, unknown to it", "speed +0.1 m/s", "start +0.1 m/s", "friction 0.4",
           "mass +7.5 kg, known (similar)")  # fmt: skip


def bodies(walker="natural", who=BODIES, steps: int = 200, executor=None, opt=2) -> list[Line]:
    """Count the steps of each body at its preferred speed. executor : as in `study.Study.run`."""
    points = dict(zip(("sex", "height", "mass"), zip(*who, strict=True), strict=True))
    own = {"walker": walker, "steps": steps, "opt": opt}
    table = study.Study(body_walk, points, constants=own, allow_nan=True).run(executor).require_done()
    found = []
    for row in table.rows():
        note = f"{row['speed']:.2f} of {row['preferred']:.2f} m/s"
        if np.isfinite(row["fell"]):
            note += f", falls at {row['fell']:.1f} s"
        name = f"{NAMES[row['sex']]} {row['height']:g} m, {row['mass']:g} kg: steps"
        found.append(Line(name, min(row["count"], steps), "", steps, None, 0, note))
    return found


def body_walk(sex: str, height: float, mass: float, walker, steps: int, opt=2) -> dict[str, float]:
    """Simulate the walk of a body at its preferred speed: its steps, speeds [m/s] and fall [s]. Function of a study."""
    one = subject(human(height, mass, sex), walker)
    went = long_walk(one, [one.preferred], steps, frame=0.01, opt=opt)
    up = ~(went.time >= went.fell[0])
    own = timing(went.time[up], went.place[0][up], {s: x[0][up] for s, x in went.load.items()}, 5.0)
    count = float(np.nanmax(went.steps[0][up], initial=0.0))
    return {"count": count, "speed": own.speed, "preferred": one.preferred, "fell": float(went.fell[0])}


def otherwise(walker="natural", speed: float = 1.3, executor=None, opt=2) -> list[Line]:
    """Measure the change of the joint angles [°] by each change of body, speed or ground, from 1.75 m and 75 kg.

    A body with all masses scaled walks the same by dynamic similarity if its controller uses the scaled masses: masses,
    torques and the stiffness of the ground all scale. Therefore the mass is changed while the controller's model stays
    the same.
    """
    own = {"walker": walker, "speed": speed, "opt": opt}
    table = study.Study(changed_walk, {"change": CHANGES}, constants=own).run(executor).require_done()
    figure = human(*BODY)
    base, *others = (Motion(figure, row["time"], row["q"], row["u"]) for row in table.rows())
    return [
        Line(f"{name} moves joints by", apart(base, other), "° RMS", None if "similar" in name else MIN_DIFFERENCE)
        for name, other in zip(CHANGES[1:], others, strict=True)
    ]


def changed_walk(change: str, walker, speed: float, opt=2) -> dict[str, np.ndarray]:
    """Simulate a walk with one of `CHANGES`: time (frames,), q and u (frames, …). The function of a study."""
    heavier = human(BODY[0], BODY[1] + ADDED_MASS)
    if change == "height +5 cm":
        who = subject(human(BODY[0] + 0.05, BODY[1]), walker)
    elif change == "mass +7.5 kg, unknown to it":
        who = subject(heavier, walker, taken_for=human(*BODY))
    elif change == "mass +7.5 kg, known (similar)":
        who = subject(heavier, walker)
    elif change == "friction 0.4":
        who = subject(walker=walker, material=Material(friction=0.4))
    else:
        who = subject(walker=walker)
    if change == "start +0.1 m/s":
        q, u = who.start
        who = Subject(who.scene, who.controller, (q, u + 0.1 * np.eye(len(u))[0]))
    motion = walk(who, [speed + 0.1 * (change == "speed +0.1 m/s")], DURATION, record=(), opt=opt).rollout(0)
    return {"time": motion.time, "q": motion.q, "u": motion.u}


def apart(one, other) -> float:
    """Compute the RMS difference [°] of two motions over time and all joints except the root."""
    figure, kept = one.figure, one.time >= SETTLED
    off = [figure.difference(a, b)[6:] for a, b in zip(one.q[kept], other.q[kept], strict=True)]
    return float(np.degrees(np.sqrt(np.mean(np.square(off)))))
