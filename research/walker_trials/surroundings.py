"""Trials on slopes and steps, with low friction and with added mass, unknown to the controller. For plain floats only.

Parameters stay the same. Every case starts at several phases of the stride: for slopes and steps by the distance to
them, otherwise by the initial state.
"""

from dataclasses import replace

import numpy as np
from research.walker_trials.lines import Line
from research.walker_trials.subject import BODY, subject
from research.walker_trials.walks import fell_at, on_the_walk, walk

from anthropi.contact.material import Material
from anthropi.errors import SimulationError
from anthropi.figure.human.build import human
from anthropi.gait.walker.search.grounds import Lanes

__all__ = ["grounds", "laden", "loads", "slippery"]

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
    return [_case(f"friction {FRICTION:g}", who, on_the_walk(usual, speed, phases, opt=opt), duration, speed, opt)]


def loads(walker="natural", phases: int = 8, duration: float = DURATION, speed: float = SPEED, opt=2) -> list[Line]:
    """Return lines of mass ±10 % and 7.5 kg at the chest; the controller assumes 75 kg."""
    usual, plain = human(*BODY), subject(walker=walker)
    start = on_the_walk(plain, speed, phases, opt=opt)
    bodies = {f"mass {100.0 * s:+.0f} %": human(BODY[0], BODY[1] * (1.0 + s)) for s in (MASS_CHANGE, -MASS_CHANGE)}
    bodies[f"{LOAD:g} kg at the chest"] = laden(usual, LOAD)
    found = []
    for name, figure in bodies.items():
        who = subject(figure, walker, taken_for=usual)
        found.append(_case(f"{name}, unknown to it", who, start, duration, speed, opt))
    return found


def laden(figure, load: float, link: str = "thorax"):
    """Return a figure with a load [kg] at the centre of mass of a link."""
    i, links = figure.link_index(link), list(figure.links)
    links[i] = replace(links[i], mass=links[i].mass + load)
    return figure.changed(links=tuple(links))


def _case(name: str, who, start, duration: float, speed: float, opt) -> Line:
    n = len(start.q)
    motion = walk(who, np.full(n, speed), duration, start=start, record=(), opt=opt)
    fell = fell_at(motion)
    return _line(name, fell, duration, _went(motion.time, motion.q[..., :3], fell))


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
