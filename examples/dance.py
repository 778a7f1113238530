"""A simulated dance of twenty seconds: a sequence of postures and a balance controller.

It consists of sways, waves, twists, knee lifts, a jump and a bow. Springs hold the joints to the postures, and the legs
follow the balance law. There is no force at the root. Writes out/dance.png and out/dance.html.
"""

import matplotlib.pyplot as plt
import numpy as np
from _charts import save

import anthropi as ap
from anthropi import pictures
from anthropi.gait.walker.performer import perform
from anthropi.gait.walker.performer.measures import loads, slip

MOMENTS = (1.0, 1.9, 2.8, 6.3, 7.0, 8.4, 9.6, 11.9, 13.9, 15.6, 16.1, 18.6)  # [s]


def check(motion):
    assert motion.time[-1] >= 15.0 and motion.q[-1, 2] > 0.95 * motion.q[0, 2], "the figure stands at the end"
    assert np.abs(motion.tau[:, :6]).max() == 0.0, "no force at the root"
    assert slip(motion) < 0.02, "stance feet do not slip"
    k = ap.kinematics(motion.figure, motion.q)
    assert min(k.link(f"{x}_foot").position[:, 2].max() for x in "lr") > 0.2, "both feet were lifted"


def picture(file, motion):
    sheet, (poses, force) = plt.subplots(2, 1, figsize=(13, 6), layout="constrained", height_ratios=(2, 1))
    pictures.strip(motion, np.array(MOMENTS), view=(25, 8), spacing=1.1, axes=poses)
    load = loads(motion) / (9.81 * motion.figure.mass)
    for j, (name, colour) in enumerate((("left foot", "#00798c"), ("right foot", "#d1495b"))):
        force.plot(motion.time, load[:, j], color=colour, lw=0.9, label=name)
    force.set(xlabel="time [s]", ylabel="[body weights]", xlim=(0.0, motion.time[-1]), ylim=(0.0, 2.0))
    force.legend(frameon=False, ncols=2, loc="upper left")
    force.spines[["top", "right"]].set_visible(False)
    save(sheet, file)


if __name__ == "__main__":
    figure = ap.human(1.75, 75)
    motion = perform(figure, "dance", record=("contact", "tau"))
    check(motion)
    picture("out/dance.png", motion)
    words = "Twenty seconds in balance, forces at the joints alone. Drag to turn, scroll to come nearer, space to play."
    motion.export("out/dance.html", title="Dance", caption=words, view=(20, 8))
