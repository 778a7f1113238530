"""Free flight of a human figure with passive joints: conservation of momentum.

The centre of mass follows a parabola and the angular momentum about it is constant, while dampers and joint limits
dissipate energy. Writes out/falling_human.png, and out/falling_human.html, a page that plays the motion.
"""

import numpy as np
from _charts import falling

import anthropi as ap
from anthropi.contact.limits import SoftLimits

DT, STEPS, EVERY = 1e-4, 12500, 100  # [s]: 1.25 s, 100 frames per second
THROWN = [7.5, 0.0, 6.0, 0.3, 7.0, 1.5]  # velocity forward and up [m/s], a somersault [rad/s]


def loose(figure):
    """Return a function for joint forces of a limp body: dampers of 1/8 s."""
    M = ap.mass_matrix(figure, figure.neutral())
    inertia = np.sqrt(np.diag(M) / np.diag(np.linalg.inv(M)))  # geometric mean of other joints all stiff and all free
    inertia[:6] = 0.0  # no force acts on the root
    return lambda figure, t, q, u: -8.0 * inertia * u


def fall(figure):
    """Return the flight from standing, with an initial rate of about 1.2 rad/s in every joint."""
    shaken = 1.2 * np.random.default_rng(3).normal(size=figure.nu - 6)
    start = ap.standing(figure), np.array([*THROWN, *shaken])
    scene = ap.Scene(figure, ground=None, limits=SoftLimits())
    return ap.simulate(scene, *start, forces=loose(figure), steps=STEPS, dt=DT, every=EVERY, method="rk4")


def balance(motion):
    """Return the momentum without the part of gravity (frames, 6), and the energy (frames,)."""
    figure, q, u = motion.figure, motion.q, motion.u
    weight = figure.mass * np.concatenate([np.zeros(3), figure.gravity])
    energy = ap.dynamics.kinetic_energy(figure, q, u) + ap.dynamics.potential_energy(figure, q)
    return ap.dynamics.momentum(figure, q, u) - motion.time[:, None] * weight, energy


def check(momentum, energy):
    assert np.abs(momentum - momentum[0]).max() < 1e-9 * np.linalg.norm(momentum[0])
    assert energy.argmax() == 0, "joints only dissipate energy"


if __name__ == "__main__":
    motion = fall(ap.human())
    momentum, energy = balance(motion)
    check(momentum, energy)
    falling("out/falling_human.png", motion, momentum, energy)
    words = "Nothing but weight acts on it. Drag to turn, scroll to come nearer, space to play."
    motion.export("out/falling_human.html", title="Falling human", caption=words, view=(-75, 7), speed=0.5)
