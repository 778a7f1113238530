"""Trials on slopes and steps, with low friction and with added mass, unknown to the controller. For plain floats only.

Parameters stay the same. Every case starts at several phases of the stride: for slopes and steps by the distance to
them, otherwise by the initial state.
"""

from dataclasses import replace

import numpy as np
from research.walker_trials.lines import Line
from research.walker_trials.subject import BODY, subject
from research.walker_trials.walks import fell_at, on_the_walk, walk

from anthropi import study
from anthropi.contact.material import Material
from anthropi.errors import SimulationError
from anthropi.figure.human.build import human
from anthropi.gait.walker.search.grounds import Lanes

__all__ = ["grounds", "laden", "laden_walks", "loads", "slippery"]

SPEED = 1.3  # [m/s]
DURATION = 40.0  # [s]
SLOPES, STEPS = (5.0, -5.0), (0.04, -0.04)  # [°], [m]
FIRST, STRIDE = 6.0, 1.4  # [m] distance of the nearest start, and range of the distances
FRICTION, MASS_CHANGE, LOAD = 0.4, 0.1, 7.5  # coefficient; share of the mass; [kg]


def grounds(walker="natural", phases: int = 8, duration: float = DURATION, speed: float = SPEED, opt=2) -> list[Line]:
    """Return lines of slopes and unexpected steps, as strips of one ground."""
    cases = [(f"slope {s:+g}°", np.tan(np.radians(s)), 0.0) for s in SLOPES]
    cases += [(f"unexpected step {100.0 * h:+g} cm", 0.0, h) for h in STEPS]
    rows = [(FIRST + STRIDE * k / phases, slope, step) for _, slope, step in cases for k in range(phases)]
    ground = Lanes(*np.array(rows).T)
    who = subject(walker=walker, ground=ground)
    places = np.stack([0.0 * ground.middles, ground.middles], axis=1)
    motion = walk(who, np.full(len(rows), speed), duration, places=places, record=(), opt=opt)
    fell = fell_at(motion, who.scene).reshape(len(cases), phases)
    place = motion.q[..., :3].reshape(len(cases), phases, -1, 3)
    return [_line(name, fell[k], duration, _went(motion.time, place[k], fell[k])) for k, (name, *_) in enumerate(cases)]


def slippery(walker="natural", phases: int = 8, duration: float = DURATION, speed: float = SPEED, opt=2) -> list[Line]:
    """Return the line of low friction, 0.4."""
    usual, who = subject(walker=walker), subject(walker=walker, material=Material(friction=FRICTION))
    fell, went = _case(who, on_the_walk(usual, speed, phases, opt=opt), duration, speed, opt)
    return [_line(f"friction {FRICTION:g}", fell, duration, went)]


def loads(walker="natural", phases: int = 8, duration: float = DURATION, speed: float = SPEED, executor=None,
          opt=2) -> list[Line]:  # fmt: skip
    """Return lines of mass ±10 % and 7.5 kg at the chest; the controller assumes 75 kg.

    executor : as in `study.Study.run`.
    """
    names = [*(f"mass {100.0 * s:+.0f} %" for s in (MASS_CHANGE, -MASS_CHANGE)), f"{LOAD:g} kg at the chest"]
    points = {"change": [MASS_CHANGE, -MASS_CHANGE, 0.0], "load": [0.0, 0.0, LOAD]}
    own = {"walker": walker, "phases": phases, "duration": duration, "speed": speed, "opt": opt}
    table = study.Study(laden_walks, points, constants=own, allow_nan=True).run(executor).require_done()
    return [
        _line(f"{name}, unknown to it", row["fell"], duration, row["went"])
        for name, row in zip(names, table.rows(), strict=True)
    ]


def laden_walks(change: float, load: float, walker, phases: int, duration: float, speed: float, opt=2) -> dict:
    """Simulate walks of a body that the controller does not know: falls (phases,) and speed. The function of a study.

    change : of all masses, as a share. load : [kg] at the chest.
    """
    usual = human(*BODY)
    start = on_the_walk(subject(walker=walker), speed, phases, opt=opt)
    figure = laden(usual, load) if load else human(BODY[0], BODY[1] * (1.0 + change))
    fell, went = _case(subject(figure, walker, taken_for=usual), start, duration, speed, opt)
    return {"fell": fell, "went": went}


def laden(figure, load: float, link: str = "thorax"):
    """Return a figure with a load [kg] at the centre of mass of a link."""
    i, links = figure.link_index(link), list(figure.links)
    links[i] = replace(links[i], mass=links[i].mass + load)
    return figure.changed(links=tuple(links))


def _case(who, start, duration: float, speed: float, opt) -> tuple[np.ndarray, str]:
    """Return the times (n,) [s] of falls of walks from n starts, NaN without one, and their speed as text."""
    motion = walk(who, np.full(len(start.q), speed), duration, start=start, record=(), opt=opt)
    fell = fell_at(motion)
    return fell, _went(motion.time, motion.q[..., :3], fell)


def _line(name: str, fell, duration: float, went: str) -> Line:
    up = np.isnan(fell)
    note = went if up.all() else f"falls at {', '.join(f'{t:.1f}' for t in fell[~up])} s; {went}"
    return Line(f"{name}, up for {duration:g} s", 100.0 * up.mean(), "% of starts", 100.0, None, 0, note)


def _went(time, place, fell) -> str:
    """Return the mean speed of upright walks in the second half, as text."""
    up, half = np.isnan(fell), len(time) // 2
    if not up.any():
        return "none stays up"
    speed = np.linalg.norm(place[up, -1] - place[up, half], axis=-1) / (time[-1] - time[half])
    if not np.isfinite(speed).all():
        raise SimulationError("A walk that stayed upright has no finite position.")
    return f"{speed.mean():.2f} m/s"
