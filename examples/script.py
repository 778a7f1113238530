"""A minute of walking by a script of words: start, speed up, turns, styles, and a stop in two steps.

The words are translated into a plan, and the plan into commands and parameters of one walker. There is no force at the
root. Speed and heading are checked from 2.5 s after a turn. Writes out/script.png and out/script.html.
"""

import itertools

import matplotlib.pyplot as plt
import numpy as np
from _charts import save

import anthropi as ap
from anthropi.gait.styles import perform, plan, styled_walker
from anthropi.gait.walker import WalkingSession, load_walker

SCRIPT = """
stand 2 s; walk at 0.8 m/s for 6 s
walk to 1.6 m/s in 5 s; walk for 4.5 s; walk at 1.3 m/s for 2.5 s
turn left 90 degrees; walk for 5.5 s
walk happily for 4 s; turn right 180 degrees; walk for 5.5 s
walk tired for 4.5 s; walk naturally at 0.8 m/s for 5.3 s
stop within two steps; stand 5 s
"""
COLOURS = {"natural": "#00798c", "happily": "#edae49", "tired": "#d1495b"}


def went(motion, start, end):  # speed [m/s], direction [rad]
    x, y = (np.diff(np.interp([start, end], motion.time, motion.q[:, k]))[0] for k in (0, 1))
    return np.hypot(x, y) / (end - start), np.arctan2(y, x)


def check(orders, motion, steps):
    assert motion.time[-1] > 59.9 and motion.q[-1, 2] > 0.95 * motion.q[0, 2], "a minute, and upright"
    slow, fast = went(motion, 5.0, 8.0)[0], went(motion, 14.5, 17.5)[0]
    assert abs(slow / 0.8 - 1.0) < 0.05 and fast > 1.8 * slow, f"from {slow:.2f} to {fast:.2f} m/s"
    for turn in (b for a, b in itertools.pairwise(orders) if a.heading != b.heading):
        off = went(motion, turn.end + 2.5, turn.end + 5.5)[1] - turn.heading
        assert abs(np.angle(np.exp(1j * off), deg=True)) < 5.0, f"{np.degrees(off):.1f}° off the commanded heading"
    assert steps[-1] - steps[-3] <= 2, "stops within two steps"
    assert went(motion, orders[-1].time, orders[-1].end)[0] < 0.01 and not motion.tau[:, :6].any(), "stands without aid"


def picture(file, orders, motion):
    sheet, chart = plt.subplots(figsize=(11, 9), layout="constrained")
    for o in orders:
        own = motion.q[(motion.time >= o.time) & (motion.time <= o.end), :2]
        chart.plot(*own.T, color=COLOURS[o.style.name], lw=2.5)
        chart.text(*own[0], f" {o.time:.0f} s", fontsize=8)
    chart.set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title="Where the pelvis went: natural, happily, tired")
    save(sheet, file)


if __name__ == "__main__":
    orders, session, steps = plan(SCRIPT), WalkingSession(ap.human(1.75, 75)), []
    motion = perform(orders, session, styled_walker(load_walker()), progress=lambda _: steps.append(session.steps))
    check(orders, motion, steps)
    picture("out/script.png", orders, motion)
    motion.export("out/script.html", title="A minute by the script", rate=30, follow=True)
