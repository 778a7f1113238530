"""Closed loops: a block slides on a Stewart platform with springs in its legs, and the forces in the feet are computed.

Each leg ends in a universal joint on the ground. Its loop force holds it within a step, and a projection at the end of
the step. The forces in the feet sum to the rate of momentum. Writes out/stewart.png.
"""

import numpy as np
from _loops import feet

import anthropi as ap

LOAD, SPAN, DT = 40.0, 8.0, 1e-3  # [kg], [s], [s]
FIGURE = ap.sample("stewart", load=LOAD, damping=60.0)


def ride():
    """Return a motion from the middle of the rail: the block slides at 0.8 m/s, the platform sways slightly across."""
    u = np.zeros(FIGURE.nu)
    u[list(FIGURE.dof_indices(["rail", "root.py"]))] = 0.8, 0.1
    q, u = ap.loops.close_loops(FIGURE, FIGURE.neutral(), u)
    return ap.simulate(FIGURE, q, u, steps=round(SPAN / DT), dt=DT, every=20, opt=0)


def check(motion, udot, forces):
    """Check that loops stay closed, feet carry weight and inertia of the whole, and dampers only dissipate."""
    for gap in ap.loops.loop_errors(FIGURE, motion.q).values():
        assert np.abs(gap).max() < 1e-10  # [m]
    total = sum(force[:, 3:] for force in forces.values())
    asked = ap.dynamics.momentum_rate(FIGURE, motion.q, motion.u, udot)[:, 3:] - FIGURE.mass * FIGURE.gravity
    assert np.abs(total - asked).max() < 1e-9 * np.abs(asked).max()
    rail = motion.q[:, FIGURE.q_of[FIGURE.joint_index("rail")]]
    assert np.ptp(rail) > 0.7, "the block goes from side to side"
    energy = ap.dynamics.kinetic_energy(FIGURE, motion.q, motion.u) + ap.dynamics.potential_energy(FIGURE, motion.q)
    assert np.diff(energy).max() < 1e-9 * energy[0]


if __name__ == "__main__":
    motion = ride()
    udot, forces = ap.loops.loop_dynamics(FIGURE, motion.q, motion.u, np.zeros_like(motion.u))  # all frames at once
    check(motion, udot, forces)
    feet("out/stewart.png", motion, forces)
