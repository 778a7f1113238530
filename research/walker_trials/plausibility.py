"""Trials of plausibility: step size, foot slip, energy audit, repeatability and computing speed. For plain floats only.

slip     of a stance: the report's measure, points of the sole within 1 mm of the ground                      (1)
         of loaded points: largest distance between positions of a contact while it carries 20 N              (2)
audit    largest |energy - works| / positive work of the drives in the same time                              (3)
"""

import time as clocks

import numpy as np
from research.walker_trials.lines import Line
from research.walker_trials.speeds import SPEEDS
from research.walker_trials.subject import Subject
from research.walker_trials.timing import timing
from research.walker_trials.walks import walk

from anthropi.entry import kinematics
from anthropi.figure.human.build import sole_markers
from anthropi.gait.report import gait_report
from anthropi.gait.report.from_motion import foot_forces
from anthropi.gait.walker import Command, WalkingSession
from anthropi.motion.contacts import contacts_of
from anthropi.simulation.audit import energy_audit

__all__ = ["plausibility", "real_time", "stance_slip_of_contacts"]

SETTLED, DURATION, AUDITED = 10.0, 40.0, 12.0  # [s]
FRAME = 0.005  # [s]
CONTACT_FORCE = 20.0  # [N] load threshold of (2)
MAX_CHANGE, MAX_SLIP, MAX_DEPTH, MAX_AUDIT = 1.0, 10.0, 15.0, 1.0  # [%], [mm], [mm], [%]
MIN_REAL_TIME = 100.0  # required ratio of simulated to real time


def plausibility(who: Subject, at=SPEEDS, walker="natural", opt=2) -> list[Line]:
    """Return all lines at every speed."""
    motion, half = (walk(who, at, DURATION, dt=dt, frame=FRAME, opt=opt) for dt in (1e-3, 5e-4))
    return [*_halved(motion, half, at), *_feet(motion, at), *_audited(who, at, opt), *_repeated(who, motion, at, opt),
            Line("real time on one core", real_time(who, walker), "times", MIN_REAL_TIME, None, 0)]  # fmt: skip


def _halved(motion, half, at) -> list[Line]:
    lines = []
    for k, v in enumerate(at):
        a, b = (_timing(x, k) for x in (motion, half))
        for name, x, y in (("length", a.length, b.length), ("time", a.step, b.step), ("speed", a.speed, b.speed)):
            lines.append(Line(f"{v:g} m/s, dt halved: stride {name} changes", 100.0 * abs(y / x - 1.0), "%", None,
                              MAX_CHANGE, 2))  # fmt: skip
    return lines


def _timing(motion, k: int):
    force = foot_forces(motion, np.eye(3)) or {}
    return timing(motion.time, motion.q[k, :, :3], {side: x[k, :, 2] for side, x in force.items()}, SETTLED)


def _feet(motion, at) -> list[Line]:
    lines = []
    for k, v in enumerate(at):
        one = motion.rollout(k)
        report = gait_report(one, from_time=SETTLED)
        slip, deep = (report[name].values for name in ("slip in stance", "penetration"))
        lines.append(Line(f"{v:g} m/s, slip in stance", max(slip.values()), "mm", None, MAX_SLIP, 1))  # (1)
        far, where = stance_slip_of_contacts(one, SETTLED)
        lines.append(Line(f"{v:g} m/s, slip of loaded points", 1e3 * far, "mm", None, MAX_SLIP, 1, where))
        lines.append(Line(f"{v:g} m/s, penetration", max(deep.values()), "mm", None, MAX_DEPTH, 1))
    return lines


def stance_slip_of_contacts(motion, start: float = 0.0) -> tuple[float, str]:
    """Return the largest slip (2) [m] of one rollout, with the sole point and the phase of its load, as text."""
    figure, contacts, kept = motion.figure, contacts_of(motion), motion.time >= start
    places, force = kinematics(figure, motion.q[kept]), motion.channels["contact"][kept]
    worst, where = 0.0, ""
    for marker in sole_markers(figure):
        own = [k for k, contact in enumerate(contacts) if contact.feature == marker.name]
        if not own:
            continue
        at, load = places.marker(marker.name)[:, :2], force[:, own, 2].sum(-1)
        on = np.flatnonzero(load > CONTACT_FORCE)
        for spell in np.split(on, np.flatnonzero(np.diff(on) > 1) + 1) if len(on) else []:
            off = np.linalg.norm(at[spell] - at[spell[0]], axis=-1)
            far = float(np.linalg.norm(at[spell][:, None] - at[spell][None], axis=-1).max())
            if far > worst:
                moved = np.abs(np.diff(off, prepend=0.0))
                part = int(np.argmax(np.convolve(moved, np.ones(3), "same"))) / max(len(spell) - 1, 1)
                worst, where = far, f"{marker.name}, most at {100.0 * part:.0f} % of its load"
    return worst, where


def _audited(who: Subject, at, opt) -> list[Line]:
    motion = walk(who, at, AUDITED, record=("energy", "work"), opt=opt)
    audit, lines = energy_audit(motion), []
    for k, v in enumerate(at):
        done = np.maximum(np.diff(audit.works["drive"][k]), 0.0).sum()
        worst = float(np.abs(audit.left_over[k]).max())
        lines.append(Line(f"{v:g} m/s, energy audit over {AUDITED:g} s", 100.0 * worst / done, "%", None, MAX_AUDIT, 2,
                          f"{worst:.1f} of {done:.0f} J"))  # (3)  # fmt: skip
    return lines


def _repeated(who: Subject, motion, at, opt) -> list[Line]:
    """Repeat the walks in another order, among copies, and compare the results."""
    order = [*reversed(range(len(at))), 0]
    again = walk(who, [at[k] for k in order], DURATION, frame=FRAME, opt=opt)
    same = all(np.array_equal(again.q[n], motion.q[k]) for n, k in enumerate(order))
    return [Line("bit-identical repeat, in other places of a batch", float(same), "", 1.0, None, 0)]


def real_time(who: Subject, walker="natural", rounds: int = 8, span: float = 4.0) -> float:
    """Return the ratio of simulated to real time of one walk on one core, the best of some rounds after compilation."""
    session = WalkingSession(who.scene, walker, start="walk", opt=2)
    session.command(Command(speed=1.3))
    session.run(1.0)
    best = np.inf
    for _ in range(rounds):
        begun = clocks.perf_counter()
        session.run(span)
        best = min(best, clocks.perf_counter() - begun)
    return span / best
