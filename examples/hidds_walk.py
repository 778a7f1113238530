"""Six steps by hybrid dynamics: gait plan, determinants, virtual leg, inverse and direct dynamics.

The plan (thesis 9.1-9.7) has 100 steps per minute. The determinants place pelvis, knees and feet, and the hips are
shifted until the virtual leg carries the body. Then inverse and direct dynamics alternate, with the stance foot as
root. Writes out/hidds_walk.png, a cycle as in figure 9.7 with the ground forces, and out/hidds_walk.html, a page that
plays the walk.
"""

import matplotlib.pyplot as plt
import numpy as np
from _charts import save

import anthropi as ap
from anthropi.gait.hidds.walking.hidds_walk import with_feet
from anthropi.pictures.draw import LEFT, RIGHT, sticks


def check(motion):
    result, plan = motion.metadata["walk"], ap.gait.GaitPlan.of(motion.figure, step_frequency=100)
    assert result["print_error"] < 5e-3, "feet stay on their prints"
    assert result["residual_force"] < 0.01, "the ground carries the body"
    strikes = [event.time for event in motion.events if event.what == "strike"]
    assert np.abs(np.diff(strikes) - plan.step).max() < 1.001 * result["dt"], "steps last as planned"


def picture(file, motion, shown):
    cycle = shown.slice(0.0, 1.2)
    figure, (side, front, force) = plt.subplots(3, 1, figsize=(11, 9), layout="constrained", height_ratios=(3, 2.4, 2))
    sticks(cycle, 17, spacing=0.22, axes=side, title="A cycle, strike to strike, from the right")
    sticks(cycle, 13, spacing=0.62, front=True, axes=front, title="and from the front")
    load = motion.channels["f_ground"][..., 2] / (9.81 * motion.figure.mass)
    force.plot(motion.time, load.sum(1), color="#b8c0cc", lw=4.0, label="both")
    for foot, name, colour in ((0, "left", LEFT), (1, "right", RIGHT)):
        force.plot(motion.time, load[:, foot], color=colour, label=f"{name} foot")
    force.set(xlabel="time [s]", xlim=(0.0, motion.time[-1]), ylabel="vertical force [body weights]")
    force.spines[["top", "right"]].set_visible(False)
    force.legend(frameon=False, ncols=3, loc="lower right", bbox_to_anchor=(1.0, 1.0))
    save(figure, file)


if __name__ == "__main__":
    figure = ap.human(1.75, 75, detail="thesis42")
    motion = ap.walk(figure, steps=6, step_frequency=100, method="hidds")
    check(motion)
    shown = with_feet(motion)
    picture("out/hidds_walk.png", motion, shown)
    words = "Six steps by hybrid dynamics on a virtual leg. Drag to turn, scroll to come nearer, space to play."
    shown.export("out/hidds_walk.html", title="The thesis' walk", caption=words, view=(-70, 8))
