"""Over rough ground that it does not see: its feet feel for it."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.contact.geometry.height_field import HeightField
from anthropi.gait.walker.hexapod import Roach, measure

ROUGH = 0.013  # [m] up and down: a tenth of the body's height
SPACING = 0.1  # [m]


@pytest.mark.slow
def test_it_goes_over_random_ground():
    figure = ap.sample("roach")
    roach = Roach(figure)
    heights = np.random.default_rng(5).uniform(-ROUGH, ROUGH, (50, 12))
    heights[:10] = 0.0  # where it starts
    ground = HeightField(heights, (-0.5, -0.55), SPACING)
    soles = [f"{leg.name}_sole" for leg in roach.legs]
    scene = ap.Scene(figure, ground=ground, features=["body.1", "body.2", "body.3", "body.4", *soles])
    motion = ap.simulate(scene, roach.start(), forces=roach, duration=12.0, every=10, command=(0.3, 0.0), opt=0,
                         record=("contact",))  # fmt: skip
    found = measure(motion, scene, since=2.0)
    assert np.ptp(ap.kinematics(figure, motion.q).marker("l1_sole")[motion.time > 3.0, 2]) > 0.03  # it was rough
    assert motion.q[-1, 0] > 3.3 and abs(motion.q[-1, 1]) < 0.1
    assert found.touched == 0.0 and found.tilt < np.deg2rad(3.0)
    assert found.height[0] > 0.115 and found.height[1] < 0.145
    assert found.speed < 0.3 * 1.05 and found.speed > 0.3 * 0.95
    # 0.022 with steps of 0.25 ms; with friction beyond its cone, by 9 % of the weight, it was 0.0198
    assert found.slip[0] < 0.025 * found.step and found.slip[1] < 0.1 * found.step
    laws = motion.verify(scene=scene)
    assert laws.row("friction").measured < 0.011 and laws.row("no pull").measured < 0.011  # share of the weight
