"""Forces of a captured walk: what inverse dynamics finds at the root of a motion that nobody calculated.

CMU's subject 7 walks; only joint angles were captured, no forces. Whoever walks carries his weight on the mean, so the
residual must be that weight, though nothing was told of the ground; differentiated without a filter it is mostly noise.
"""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import MissingContactWarning

HUMAN = ap.human(1.75, 75.0)
WEIGHT = 75.0 * 9.81


@pytest.fixture(scope="module")
def walk(shared):
    file = shared / "bvh" / "cmu" / "07_01.bvh"
    return ap.motion.retarget(ap.load_motion(file), HUMAN)[5:]  # the first frame is a T


@pytest.mark.slow
def test_the_residual_of_a_captured_walk_is_the_ground_reaction(walk):
    with pytest.warns(MissingContactWarning, match="100 % of its weight"):
        force = ap.inverse_motion(walk, cutoff=6.0).channels["residual"][:, :3]
    assert abs(force[:, 2].mean() / WEIGHT - 1.0) < 0.02
    assert 1.0 < force[:, 2].max() / WEIGHT < 1.6  # people push 1.1 to 1.2 times their weight; differentiation adds
    assert (
        np.abs(force[10:-10, :2]).max() < 0.4 * WEIGHT
    )  # without the ends, where a filter and differences are one-sided
    raw = ap.inverse_motion(walk, {}).channels["residual"][:, :3]
    assert np.abs(raw[:, 2]).max() > 2.0 * np.abs(force[:, 2]).max()


def test_direct_dynamics_follows_a_captured_walk(walk):
    part = walk.slice(walk.time[0], walk.time[0] + 0.8)
    found = ap.hidds(part, root="driven", cutoff=6.0, opt=0)
    assert np.abs(found.channels["error"]).max() < 0.1
    assert abs(found.channels["residual"][5:, 2].mean() / WEIGHT - 1.0) < 0.2  # over less than a cycle
