"""Chart of the hopper."""

import matplotlib.pyplot as plt
from _charts import save

from anthropi.pictures import strip


def hopping(file, motion, height, top, apex):
    """Draw the poses of one hop, the heights of all hops, and the ground force in three of them."""
    sheet = plt.figure(figsize=(15, 7.2), layout="constrained")
    grid = sheet.add_gridspec(2, 2, height_ratios=[1.5, 1], width_ratios=[1.6, 1])
    one, three = (motion[top[20] : top[20 + n] + 1] for n in (1, 3))
    poses = sheet.add_subplot(grid[0, :])
    strip(one, 13, view=(-80, 6), spacing=0.6, axes=poses, pixels=1500)
    poses.set_title("from the top of a hop to the next")
    left, right = (sheet.add_subplot(grid[1, k]) for k in (0, 1))
    left.axhspan(0.98 * apex, 1.02 * apex, color="#00798c", alpha=0.15, label="wanted, ± 2 %")
    left.plot(motion.time, height, color="#8d99ae", lw=0.8)
    left.plot(motion.time[top], height[top], ".", color="#d1495b", label=f"{len(top)} apexes")
    left.set(xlabel="time [s]", ylabel="[m]", title="height of the centre of mass", ylim=(0.6, 1.3))
    left.legend(frameon=False, loc="upper right", ncols=2)
    force = motion.channels["contact"][top[20] : top[23] + 1, 0]
    for k, (name, colour) in {2: ("up", "#00798c"), 0: ("forward", "#d1495b")}.items():
        right.plot(three.time, force[:, k], color=colour, label=name)
    right.axhline(-motion.figure.mass * motion.figure.gravity[2], color="0.5", lw=0.8, ls="--", label="weight")
    right.set(xlabel="time [s]", ylabel="[N]", title="push of the ground", ylim=(-150, 1450))
    right.legend(frameon=False, loc="upper right", ncols=3)
    for chart in (left, right):
        chart.grid(alpha=0.2)
    save(sheet, file)
