"""Exact sensitivities of a throw: derivatives through 100 steps by one reverse sweep.

The sensitivities show how the range depends on each torque at each instant, each initial angle and each mass. Newton's
method uses them to hit a target. Writes out/throw_sensitivity.png.
"""

import numpy as np
from _charts import throwing
from _figures import flight, masses_of, thrower, throwing_torques

import anthropi as ap
from anthropi.simulation.drive import Drive
from anthropi.simulation.step import State, advance

STEPS, DT, TARGET = 100, 2.9e-3, 28.0  # [], [s], [m]
TURNED, WEIGHED = ("lumbar.y", "r_shoulder.y", "r_elbow.flexion"), ("ball", "r_hand", "r_forearm", "r_upper_arm")
FIGURE, START, DRIVEN, STILL = thrower(TURNED)  # DRIVEN (nu, 3): map from TURNED to all dofs; STILL: the other dofs


def landing(tau, angles, masses):
    """Return the range [m]: tau (STEPS, 3) [N m], angles (3,) [rad] added at the start, masses (4,) [kg]."""
    figure, still = FIGURE.with_numbers([f"{link}.mass" for link in WEIGHED], masses), np.zeros(FIGURE.nu)

    def step(state, row):
        return advance(figure, lambda t, q, u: Drive(DRIVEN @ row, udot=still), state, DT, "rk4", STILL)

    end = ap.repeat(step, State(np.array(0.0), figure.integrate(START, DRIVEN @ angles), still), STEPS, rows=tau)
    return flight(ap.kinematics(figure, end.q, end.u).link("ball"))[0]


def aim(slopes, tau, *rest):
    """Return [(torques, landing place, slopes)] of throws that approach the target by Newton steps."""
    found = [(tau, *slopes(tau, *rest, 1.0))]
    for _ in range(5):
        tau, place, slope = found[-1]
        tau = tau + slope["tau"] * (TARGET - place) / (slope["tau"] ** 2).sum()
        found.append((tau, *slopes(tau, *rest, 1.0)))
    return found


def check(kernel, given, found, h=1e-5):
    """Return slopes by differences, from two throws for each of the 307 numbers, and their errors."""
    by_hand = {}
    for name, x in given.items():
        shifts = h * np.eye(x.size).reshape(x.size, *x.shape)
        more, less = (kernel(**(given | {name: x + shift})) for shift in (shifts, -shifts))
        by_hand[name], exact = ((more - less) / (2.0 * h)).reshape(x.shape), found[0][2][name]
        assert np.abs(exact - by_hand[name]).max() < 1e-6 * np.abs(exact).max()
    assert abs(found[-1][1] - TARGET) < 1e-9
    return by_hand


if __name__ == "__main__":
    given = {"tau": throwing_torques(STEPS), "angles": np.zeros(3), "masses": masses_of(FIGURE, WEIGHED)}
    tape = ap.record(landing, **given)
    found = aim(ap.build(tape.vjp()), *given.values())
    by_hand = check(ap.build(tape), given, found)
    drive = {"forces": np.stack([tau @ DRIVEN.T for tau, _, _ in found]), "udot": np.zeros(FIGURE.nu)}
    motion = ap.simulate(FIGURE, START, **drive, prescribed=STILL, steps=STEPS, dt=DT)
    throwing("out/throw_sensitivity.png", motion, found, by_hand, TURNED, WEIGHED)
