"""Falls: links on the ground, a low head, states that are not finite; their time and cause; bounds of searches."""

import numpy as np

import anthropi as ap
from anthropi.algebra.spatial import Transform
from anthropi.contact.geometry.height_field import HeightField
from anthropi.contact.geometry.surfaces import Box, Plane
from anthropi.contact.scene import Obstacle
from anthropi.gait.falls import (
    SEARCH,
    FallDetector,
    FallSettings,
    HeightBounds,
    fall_time,
    upright,
    with_fall,
)
from anthropi.motion import Motion

FIGURE = ap.human(1.75, 75.0)
STANDING = ap.standing(FIGURE)


def lowered(by: float) -> np.ndarray:
    """The standing posture, lowered or lifted [m]."""
    q = STANDING.copy()
    q[2] -= by
    return q


def bent(angle: float) -> np.ndarray:
    """The standing posture with both hips bent, so that the trunk is upright or lies ahead [rad]."""
    q = STANDING.copy()
    q[3:7] = [np.cos(0.5 * angle), 0.0, np.sin(0.5 * angle), 0.0]
    for side in "lr":
        i = FIGURE.joint_index(f"{side}_hip")
        q[FIGURE.q_of[i]] = FIGURE.joints[i].from_coordinates(np.array([0.0, -angle, 0.0]))
    return q


def test_a_figure_that_stands_has_not_fallen():
    detector = FallDetector(FIGURE)
    assert not detector.fallen(STANDING) and detector.first([0.0], [STANDING]) is None
    assert not detector.fallen(bent(0.8)) and not detector.fallen(lowered(-0.5))


def test_a_link_on_the_ground_is_a_fall():
    knee = lowered(0.45)  # the ankles sink into the ground; the shanks touch it
    detector = FallDetector(FIGURE)
    clearance, head = detector.measures(knee)
    names = [link.name for link in FIGURE.links]
    assert clearance[names.index("l_shank")] < 0.0 < clearance[names.index("l_hand")]
    assert clearance[names.index("l_foot")] == clearance[names.index("r_toes")] == 1e3 and head > 1.0
    assert detector.first([0.1, 0.2], [STANDING, knee]).time == 0.2
    assert "shank touches the ground" in detector.first([0.2], [knee]).cause
    assert not FallDetector(FIGURE, FallSettings(clearance=-1.0)).fallen(knee)


def test_a_low_head_is_a_fall():
    detector, low = FallDetector(FIGURE, FallSettings(clearance=-9.0)), bent(2.1)
    assert detector.fallen(low) and not detector.fallen(bent(1.0))
    assert (
        "head at 0." in detector.first([0.0], [low]).cause and "standing height" in detector.first([0.0], [low]).cause
    )


def test_a_state_that_is_not_finite_is_a_fall():
    q = STANDING.copy()
    q[9] = np.nan
    assert FallDetector(FIGURE).fallen(q) and FallDetector(FIGURE).first([1.0], [q]).cause == "the state is not finite"


def test_on_a_slope_on_a_field_and_on_an_obstacle():
    slope = ap.Scene(FIGURE, Plane((0.0, 0.0, -0.5), (-0.1, 0.0, 1.0)))
    assert not FallDetector(slope).fallen(lowered(0.45)) and FallDetector(slope).fallen(lowered(0.95))
    field = ap.Scene(FIGURE, HeightField(np.full((5, 5), 0.3), (-2.0, -2.0)))
    assert not FallDetector(field).fallen(lowered(-0.3)) and FallDetector(field).fallen(lowered(0.15))
    step = Obstacle("step", Box((4.0, 4.0, 0.6)), Transform(np.eye(3), np.zeros(3)))  # its upper side is at 0.3 m
    stage = ap.Scene(FIGURE, obstacles=(step,))
    assert not FallDetector(stage).fallen(lowered(-0.3)) and FallDetector(stage).fallen(lowered(0.15))
    assert not FallDetector(ap.Scene(FIGURE, ground=None)).fallen(lowered(5.0))


def test_the_first_fall_of_each_rollout():
    time = np.arange(5) * 0.1
    q = np.tile(STANDING, (4, 5, 1))
    q[1, 3:, 2] = 0.5  # falls
    q[2, 4, 7] = np.nan  # is lost
    q[3, :, 2] += np.linspace(0.0, 2.0, 5)  # climbs
    motion = Motion(FIGURE, time, q, np.zeros((4, 5, FIGURE.nu)))
    np.testing.assert_allclose(fall_time(motion), [np.nan, 0.3, 0.4, np.nan])


def test_a_motion_says_whether_it_fell():
    motion = Motion(FIGURE, np.arange(2.0), np.tile(STANDING, (2, 1)), np.zeros((2, FIGURE.nu)))
    kept = with_fall(motion, None)
    assert kept.metadata["fell"] is False and kept.metadata["fall_time"] is None and not kept.events
    fall = FallDetector(FIGURE).first([0.0, 1.0], [STANDING, lowered(0.5)])
    fallen = with_fall(motion, fall)
    assert fallen.metadata["fell"] is True and fallen.metadata["fall_time"] == 1.0
    assert [(event.time, event.what, event.about) for event in fallen.events] == [(1.0, "fall", fall.cause)]


def test_figures_without_a_head_or_feet():
    bench = ap.sample("bench42")
    q = bench.neutral()
    q[2] += 3.0
    assert not FallDetector(bench).fallen(q)
    q[2] = -1.0
    assert FallDetector(bench).fallen(q)


def test_a_search_loses_figures_upwards_too():
    assert not upright(1.2, 1.0, SEARCH) and upright(1.1, 1.0, SEARCH) and upright(9.0, 1.0, HeightBounds(0.7))
    np.testing.assert_array_equal(upright(np.array([0.79, 0.9, 1.16, np.nan]), 1.0), [False, True, False, False])
