"""Muscles: biceps and triceps lift a weight of 4 kg by the elbow, hold it, and lower it.

Each excitation is a reflex: it depends on the angle and the speed of the elbow as a noisy encoder measured them 20 ms
before. Activation, fibre length and fibre speed give the tension, and moment arms the moment. Writes out/muscle_arm.png
with the curves of the muscles, and out/muscle_arm.html, a page that plays the motion.
"""

import numpy as np
from _figures import forearm_with_weight
from _muscles import chart

import anthropi as ap

DOWN, UP = np.deg2rad([20.0, 110.0])  # elbow angles before and after the lift
BICEPS = ap.actuators.Muscle(
    "biceps", [("upper", (0.02, 0, 0)), ("upper", (0.03, 0, -0.24)), ("fore", (0.01, 0, -0.05))], 1200.0, 0.13, 0.20
)
TRICEPS = ap.actuators.Muscle(
    "triceps", [("upper", (-0.02, 0, -0.05)), ("upper", (-0.025, 0, -0.27)), ("fore", (-0.022, 0, 0.01))],
    1000.0, 0.12, 0.17,
)  # fmt: skip


def reflex(figure, sense):
    """Return the excitations: proportional to the error of the measured angle, less some of its speed."""
    angle, speed = sense.readings["elbow"]
    rise = ap.scalar.clip((sense.t - 0.3) / 0.8, 0.0, 1.0) - ap.scalar.clip((sense.t - 2.2) / 0.8, 0.0, 1.0)
    goal = DOWN + (UP - DOWN) * rise * rise * (3.0 - 2.0 * rise)
    drive = 1.2 * (goal - angle) - 0.12 * speed
    return np.array([0.05 + 0.3 * ap.scalar.sin(goal) + drive, 0.05 - drive])


def lift(figure):
    """Return the motion of the lift, with the readings and the states of the muscles."""
    encoder = ap.sensors.Imperfect(ap.sensors.Encoder("elbow", speed=True), noise=[2e-3, 2e-2], delay=20)
    muscles = ap.actuators.Muscles(figure, (BICEPS, TRICEPS), reflex, activation=0.05)
    person = ap.sensors.sensed(muscles, {"elbow": encoder})
    return ap.simulate(figure, [DOWN], forces=person, duration=4.0, every=5, record=("tau", "energy"))


def check(motion):
    angle, force, length = (motion.q[:, 0], motion.channels["sensor.tension"], motion.channels["sensor.length"])
    held = (motion.time > 1.8) & (motion.time < 2.2)
    assert np.abs(angle[held] - UP).max() < np.deg2rad(10.0) and abs(angle[-1] - DOWN) < np.deg2rad(15.0)
    work = -((force[1:-1] + force[2:]) / 2 * np.diff(length[1:], axis=0)).sum(1).cumsum()  # of both muscles
    energy = motion.channels["energy"].sum(1)
    assert np.abs(work - (energy[2:] - energy[1])).max() < 0.02 * np.ptp(energy), "muscles do the work of the lift"


if __name__ == "__main__":
    motion = lift(forearm_with_weight(4.0))
    check(motion)
    chart("out/muscle_arm.png", motion, ("biceps", "triceps"))
    words = "Biceps and triceps lift 4 kg. Their reflexes see the elbow 20 ms late."
    motion.export("out/muscle_arm.html", title="Muscles lift a weight", caption=words, view=(-90, 5))
