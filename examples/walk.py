"""A person walks by the thesis' road: what do plan, determinants and hybrid dynamics make of six steps?

The plan is 9.1 to 9.7 at 100 steps a minute; the six determinants place pelvis, knees and feet; dynamics moves the hips
until the virtual leg of the feet carries the body; then inverse and direct dynamics go from strike to strike, the foot
that struck being the root. Writes out/walk.png, a cycle as figure 9.7 draws it with what the ground carries, and
out/walk.html, a page that plays the walk.
"""

import matplotlib.pyplot as plt
import numpy as np

import anthropi as ap
from anthropi import pictures
from anthropi.gait.walking import with_feet
from anthropi.pictures.sticks import sticks


def check(motion):
    told, plan = motion.metadata["walk"], ap.GaitPlan.of(motion.figure, step_frequency=100)
    assert told["print_error"] < 5e-3, "feet stay on their prints"
    assert told["residual_force"] < 0.01, "the ground carries the body"
    strikes = [event.time for event in motion.events if event.what == "strike"]
    assert np.abs(np.diff(strikes) - plan.step).max() < 1.001 * told["dt"], "steps last as planned"


def picture(file, motion, shown):
    cycle = shown.slice(0.0, 1.2)
    figure, (side, front, force) = plt.subplots(3, 1, figsize=(11, 9), layout="constrained", height_ratios=(3, 3, 2))
    sticks(cycle, 17, apart=0.22, axes=side)
    sticks(cycle, 13, apart=0.62, across=True, axes=front)
    load = motion.channels["f_ground"][..., 2] / (9.81 * motion.figure.mass)
    for foot, name, colour in ((0, "left", "#d1495b"), (1, "right", "#2e7f8f")):
        force.plot(motion.time, load[:, foot], color=colour, label=f"{name} foot")
    force.plot(motion.time, load.sum(1), color="#4a5568", lw=0.8, label="both")
    force.set(xlabel="time [s]", ylabel="vertical force [body weights]")
    force.legend(frameon=False, ncols=3)
    figure.savefig(file, dpi=100)


if __name__ == "__main__":
    figure = ap.human(1.75, 75, detail="thesis42")
    motion = ap.walk(figure, steps=6, step_frequency=100, method="hidds")
    check(motion)
    shown = with_feet(motion)
    picture("out/walk.png", motion, shown)
    words = "Six steps by hybrid dynamics on a virtual leg. Drag to turn, scroll to come nearer, space to play."
    pictures.page(shown, "out/walk.html", title="The thesis' walk", caption=words, view=(-70, 8))
