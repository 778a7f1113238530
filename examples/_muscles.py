"""Chart of muscles."""

import matplotlib.pyplot as plt
import numpy as np
from _charts import save

from anthropi import actuators

COLOURS = ("#d1495b", "#00798c")


def chart(file, motion, names):
    """Draw the curves of a muscle, the angle of the elbow, and activations and tensions."""
    sheet, charts = plt.subplots(2, 2, figsize=(10, 6.4), layout="constrained")
    (curve, speed), (angle, force) = charts
    l, v = np.linspace(0.4, 1.65, 300), np.linspace(-1.0, 1.0, 300)
    curve.plot(l, actuators.active_force_length(l), color=COLOURS[0], lw=2, label="active")
    curve.plot(l, actuators.passive_force_length(l), color=COLOURS[1], lw=2, label="passive")
    curve.set(xlabel="fibre length [optimal lengths]", ylabel="force [largest isometric force]", title="force–length")
    speed.plot(v, actuators.force_velocity(v), color=COLOURS[0], lw=2)
    speed.set(xlabel="speed [largest speed], shortening < 0", title="force–velocity")
    angle.plot(motion.time, np.rad2deg(motion.q[:, 0]), color="#222a38", lw=1.6, label="angle")
    angle.plot(motion.time[1:], np.rad2deg(motion.channels["sensor.elbow"][1:, 0]), color="#edae49", lw=0.7,
               label="measured, 20 ms late")  # fmt: skip
    angle.set(xlabel="time [s]", ylabel="elbow [deg]", title="a weight of 4 kg")
    for k, name in enumerate(names):
        force.plot(motion.time[1:], motion.channels["sensor.tension"][1:, k], color=COLOURS[k], lw=1.4, label=name)
    force.set(xlabel="time [s]", ylabel="tension [N]", title="muscles")
    for each in charts.flat:
        each.grid(alpha=0.2)
    for each, place in ((curve, "upper left"), (angle, "lower center"), (force, "upper right")):
        each.legend(frameon=False, loc=place)
    save(sheet, file)
