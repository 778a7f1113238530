"""Simulated jumps, in place and forward: height, distance and ground forces.

The jump has a crouch, a thrust of the legs along the line from the feet to the centre of mass, a flight with the feet
moved under the capture point, and a landing on compliant knees. There is no force at the root. Writes out/jump.png, and
out/jump.html, a page that plays the jump forward.
"""

import matplotlib.pyplot as plt
import numpy as np
from _charts import save

import anthropi as ap
from anthropi.gait.walker.performer import perform
from anthropi.gait.walker.performer.measures import jumped, loads
from anthropi.pictures.draw import sticks


def check(motions):
    for name, motion in motions.items():
        result = jumped(motion)
        assert result.rise > 0.2 and result.clear > 0.15 and result.flight > 0.35, f"{name}: leaves the ground"
        assert result.ahead > (0.3 if name == "leap" else -0.1), f"{name}: lands at the required distance"
        assert np.abs(motion.tau[:, :6]).max() == 0.0, f"{name}: no force at the root"
        later = motion.time > motion.time[-1] - 2.0
        assert np.ptp(motion.q[later, :3], axis=0).max() < 0.01 and motion.q[-1, 2] > 0.95 * motion.q[0, 2], "stands"


def picture(file, motions):
    sheet, axes = plt.subplots(3, 1, figsize=(11, 9), layout="constrained", height_ratios=(3, 3, 2))
    for chart, (name, motion) in zip(axes, motions.items(), strict=False):
        result, part = jumped(motion), motion.slice(0.6, 2.9)
        words = f"{name}: centre rises {result.rise:.2f} m, soles {result.clear:.2f} m, feet {result.ahead:.2f} m ahead"
        sticks(part, 16, spacing=0.5, axes=chart, title=words)
        axes[2].plot(motion.time, loads(motion).sum(1) / (9.81 * motion.figure.mass), label=name)
    axes[2].set(xlabel="time [s]", ylabel="ground [body weights]", xlim=(0.5, 3.5), ylim=(0.0, 6.0))
    axes[2].legend(frameon=False)
    axes[2].spines[["top", "right"]].set_visible(False)
    save(sheet, file)


if __name__ == "__main__":
    figure = ap.human(1.75, 75)
    motions = {name: perform(figure, name, record=("contact", "tau")) for name in ("jump", "leap")}
    check(motions)
    picture("out/jump.png", motions)
    words = "A jump forward in pure physics. Drag to turn, scroll to come nearer, space to play."
    motions["leap"].export("out/jump.html", title="Jump", caption=words, view=(-60, 8))
