"""Kearney's hopper: fifty hops of the commanded height, by forces alone."""

import sys

import numpy as np
import pytest

import anthropi as ap


@pytest.fixture(scope="module")
def hopped(root):
    """The example's motion, its centre of mass, frames at the tops of hops; and the example."""
    sys.path.insert(0, str(root / "examples"))
    try:
        import hopper
    finally:
        sys.path.remove(str(root / "examples"))
    return *hopper.hop(ap.sample("hopper", leg="knee")), hopper


def test_6_3__it_hops_fifty_times_as_high_as_it_is_told(hopped):
    motion, centre, top, hopper = hopped
    height = centre.position[top, 2]
    assert len(top) >= 50
    assert np.abs(height / hopper.APEX - 1.0).max() < 0.02  # from a start 7 cm too low on
    assert np.abs((height[5:] - hopper.APEX) / (hopper.APEX - hopper.LENGTH)).max() < 0.02  # of the hop alone, too
    assert np.abs(centre.velocity[top[5:], 0] - hopper.SPEED).max() < 0.05
    assert np.abs(2.0 * motion.q[:, 4:7]).max() < 0.5  # the trunk stays upright [rad]


def test_6_1__the_ground_pushes_in_stance_alone_and_within_its_cone(hopped):
    motion, _, top, _ = hopped
    foot = ap.kinematics(motion.figure, motion.q).marker("sole")[:, 2]
    force = motion.channels["contact"][:, 0]
    assert (force[:, 2] >= 0.0).all() and (force[foot > 5.1e-3] == 0.0).all() and (force[top] == 0.0).all()
    assert (np.linalg.norm(force[:, :2], axis=1) <= 0.8 * force[:, 2] + 1e-9).all()
    weight = 9.81 * motion.figure.mass
    whole = slice(top[10], top[40])
    assert force[whole, 2].mean() == pytest.approx(weight, rel=0.01)  # over whole hops the ground carries it
    loaded = force[:, 2] > weight
    assert np.abs(foot[loaded]).max() < 3e-3  # and the foot is on it


def test_7_2_1__stance_and_peak_are_those_of_a_mass_on_a_spring(hopped):
    """x'' = -ω² x - g from touch-down at v: for (2/ω) (π - atan(ω v/g)), up to m (g + √(g² + ω² v²)): some weights."""
    motion, _, top, hopper = hopped
    m, g, w = motion.figure.mass, 9.81, np.sqrt(5e3 / motion.figure.mass)
    v = np.sqrt(2.0 * g * (hopper.APEX - hopper.LENGTH))
    force, dt = motion.channels["contact"][top[10] : top[40], 0, 2], motion.time[1] - motion.time[0]
    assert force.max() == pytest.approx(m * (g + np.hypot(g, w * v)), rel=0.03)  # it goes forward, too
    assert 1.0 < force.max() / (m * g) < 6.0
    assert (force > 0.0).sum() * dt / 30 == pytest.approx(2.0 / w * (np.pi - np.arctan2(w * v, g)), rel=0.03)
