"""Charts of examples with closed loops."""

import matplotlib.pyplot as plt
import numpy as np
from _charts import save


def feet(file, motion, forces):
    """Draw the platform at both ends of the rail, and the force on each foot over time."""
    figure = motion.figure
    rail = motion.q[:, figure.q_of[figure.joint_index("rail")]][:, 0]
    sheet = plt.figure(figsize=(14, 5), layout="constrained")
    left, middle, right = sheet.subplots(1, 3, width_ratios=[1, 1, 1.5])
    late = len(motion) // 2
    for axes, frame in ((left, late + np.argmin(rail[late:])), (middle, late + np.argmax(rail[late:]))):
        figure.draw(motion.q[frame], axes=axes, view=(-70, 12), pixels=600)
        axes.set_title(f"t = {motion.time[frame]:.2f} s", fontsize=10)
    for k, (name, force) in enumerate(forces.items()):
        right.plot(motion.time, force[:, 5], lw=1.2, color=plt.cm.viridis(k / 6), label=name)
    right.set(xlabel="time [s]", ylabel="vertical force on the foot [N]", title="load of each foot")
    right.legend(frameon=False, ncols=2, fontsize=8)
    right.grid(alpha=0.2)
    save(sheet, file)
