"""The solver of the feet: its slopes are those of its rows, runs come to their end, threads change nothing."""

import os
import subprocess
import sys

import numpy as np
import pytest

import anthropi as ap
from anthropi.gait.plan.determinants import Determinants
from anthropi.gait.reference.consistency import _Problem
from anthropi.gait.reference.curves import run_curves, walk_curves
from anthropi.gait.reference.leg_chain import Footing, leg_chain
from anthropi.gait.reference.reference_gait import CLEARANCE, _desired, reference_cycle, reference_plan

FIGURE = ap.human(1.75, 75.0)


def problem(speed: float, kind: str) -> _Problem:
    chain, plan = leg_chain(FIGURE), reference_plan(FIGURE, speed, kind)
    phase = (np.arange(48) + 0.5) / 48
    curves = run_curves(phase, plan, Determinants()) if kind == "run" else walk_curves(phase, plan, 0.4, Determinants())
    footing = Footing(curves.flat, curves.rise, plan.stance_fraction, CLEARANCE[kind])
    return _Problem(chain, footing, _desired(curves, chain, plan), 1e-3)


@pytest.mark.parametrize(("speed", "kind"), [(1.25, "walk"), (3.5, "run")])
def test_the_slope_of_the_cost_is_its_gradient(speed, kind):
    """Along any way, prints that roll with the foot too. Differences over 2e-6: kinks within are rare and small."""
    own, rng = problem(speed, kind), np.random.default_rng(5)
    c = own.start() + rng.normal(0.0, 0.01, len(own.start()))
    _, gradient, H = own.system(c)
    np.testing.assert_allclose(H, H.T, atol=1e-9 * np.abs(H).max())
    for _ in range(4):
        way = rng.normal(size=len(c))
        slope = (own.cost(c + 1e-6 * way) - own.cost(c - 1e-6 * way)) / 2e-6
        assert slope == pytest.approx(2.0 * gradient @ way, rel=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(("speed", "cost"), [(3.5, 10700.0), (5.0, 15200.0)])
def test_runs_come_to_their_end(speed, cost):
    """Six and five passes of the last problem. With a bearing asked of feet that point straight down they did not."""
    cycle = reference_cycle(FIGURE, reference_plan(FIGURE, speed, "run"))
    assert cycle.passes < 12 and cycle.cost < cost


@pytest.mark.slow
def test_the_number_of_threads_changes_nothing():
    """One thread in a process of its own against this one's, whatever it has."""
    code = ("import anthropi as ap, numpy as np, sys\n"
            "q = ap.gait.reference_gait(ap.human(1.75, 75.0), speed=4.0, kind='run', steps=1, rate=20.0).q\n"
            "sys.stdout.write(q.astype(float).tobytes().hex())")  # fmt: skip
    found = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                            env=os.environ | {"OPENBLAS_NUM_THREADS": n}).stdout for n in "12"]  # fmt: skip
    one, two = (np.frombuffer(bytes.fromhex(x)) for x in found)
    np.testing.assert_allclose(one, two, rtol=0.0, atol=1e-9)
