"""Chaos of the double pendulum: 160,000 rollouts in one kernel call, and energy over a long run.

Four hundred pendulums start within a billionth of a radian and diverge exponentially. The map shows the time until the
lower rod turns over. Energy drifts with Runge–Kutta and oscillates with the variational method. Writes
out/double_pendulum.png.
"""

import numpy as np
from _charts import chaos

import anthropi as ap
from anthropi.simulation.drive import Drive
from anthropi.simulation.step import State, advance

FIGURE = ap.sample("double_pendulum")
START, APART, GRID, DT, LONGEST = np.array([2.0, 0.6]), 1e-9, 400, 5e-3, 10.0  # [rad], [rad], pixels, [s], [s]


def neighbours():
    """Simulate 400 nearly equal pendulums for 12 s; return the motion and the distance of the outermost two [rad]."""
    starts = START + APART * np.linspace(0.0, 1.0, 400)[:, None] * [1.0, 0.0]
    motion = ap.simulate(FIGURE, starts, steps=12000, dt=1e-3, every=10)
    return motion, np.linalg.norm(motion.q[-1] - motion.q[0], axis=-1)


def turning_over(q):
    """Return the time [s] until the lower rod, released at rest, has turned over; at most LONGEST."""
    return ap.repeat(
        lambda s: advance(FIGURE, lambda t, q, u: Drive(), s, DT), State(np.array(0.0), q, np.zeros(2)),
        round(LONGEST / DT), until=lambda s: ap.scalar.less(np.pi, ap.scalar.absolute(s.q.sum())),
    ).t  # fmt: skip


def times_of_turning():
    """Return turn-over times (GRID, GRID) [s] for angles of both rods from the vertical from -π to π."""
    angle = (np.arange(GRID) + 0.5) / GRID * 2.0 * np.pi - np.pi
    upper, lower = np.meshgrid(angle, angle)
    kernel = ap.build(ap.record(turning_over, q=np.zeros(2)))
    return kernel(np.stack([upper, lower - upper], -1).reshape(-1, 2)).reshape(GRID, GRID)


def energies(method):
    """Return times [s] and the change of energy over 300 s, relative to the energy above hanging down."""
    run = ap.simulate(FIGURE, START, steps=30000, dt=2.0 * DT, every=10, method=method)
    energy = ap.dynamics.kinetic_energy(FIGURE, run.q, run.u) + ap.dynamics.potential_energy(FIGURE, run.q)
    return run.time, (energy - energy[0]) / (energy[0] - ap.dynamics.potential_energy(FIGURE, np.zeros(2)))


def check(gap, times, energy):
    assert gap[0] < 1.001 * APART and gap[-1] > 1.0
    assert np.array_equal(times, times[::-1, ::-1]), "mirror images agree bit for bit"
    late = {name: abs(change[-500:].mean()) for name, (_, change) in energy.items()}
    assert late["variational"] < 0.03 < 0.1 < late["rk4"]


if __name__ == "__main__":
    motion, gap = neighbours()
    times, energy = times_of_turning(), {name: energies(name) for name in ("rk4", "variational")}
    check(gap, times, energy)
    chaos("out/double_pendulum.png", motion, gap, times, energy)
