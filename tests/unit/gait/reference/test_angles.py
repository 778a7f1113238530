"""Gait angles: signs by hand, there and back, both sides alike."""

import math

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError
from anthropi.gait.reference.gait_angles import GAIT_ANGLES, gait_angles, leg_length, posture

FIGURE = ap.human(1.75, 75.0)
NEUTRAL_TILT = math.atan2(0.0139, 0.1532)  # the markers: rear spines 13.9 mm above the front ones, 153.2 mm behind


def some_angles(rng, frames):
    names = ["pelvis_tilt", "pelvis_obliquity", "pelvis_rotation", "trunk_tilt", "trunk_obliquity", "trunk_rotation"]
    joints = ("hip_flexion", "hip_adduction", "hip_rotation", "knee_flexion", "ankle_dorsiflexion", "ankle_inversion",
              "toe_flexion")  # fmt: skip
    names += [f"{side}_{name}" for side in "lr" for name in joints]
    return {name: rng.uniform(-0.4, 0.4, frames) for name in names}


def test_an_upright_figure_has_the_tilt_its_markers_say():
    found = gait_angles(FIGURE, FIGURE.neutral())
    assert found["pelvis_tilt"] == pytest.approx(NEUTRAL_TILT, abs=1e-3)
    assert found["hip_flexion"] == pytest.approx(NEUTRAL_TILT, abs=1e-3)
    rest = set(GAIT_ANGLES) - {"pelvis_tilt", "hip_flexion"}
    assert all(abs(found[name]) < 1e-12 for name in rest)


@pytest.mark.parametrize("side", ["l", "r"])
@pytest.mark.parametrize(("name", "marker", "axis", "way"), [
    ("hip_flexion", "knee_centre", 0, 1.0),  # the knee goes forward
    ("hip_adduction", "knee_centre", 1, -1.0),  # inwards
    ("hip_rotation", "toe_tip", 1, -1.0),  # toes in
    ("knee_flexion", "ankle_centre", 0, -1.0),  # back
    ("ankle_dorsiflexion", "toe_tip", 2, 1.0),  # toes up
])  # fmt: skip
def test_signs(name, marker, axis, way, side):
    """Each angle moves a point of the leg the way its name says; y counts from the body's middle outwards."""
    start = {f"{side}_hip_flexion": gait_angles(FIGURE, FIGURE.neutral())["hip_flexion"]}
    q = [posture(FIGURE, start | {f"{side}_{name}": start.get(f"{side}_{name}", 0.0) + a}) for a in (0.0, 0.1)]
    before, after = (ap.kinematics(FIGURE, x).marker(f"{side}_{marker}")[axis] for x in q)
    outwards = -1.0 if axis == 1 and side == "r" else 1.0
    assert way * outwards * (after - before) > 0.01  # [m], of 0.1 rad on 0.2 m at least


@pytest.mark.parametrize("side", ["l", "r"])
@pytest.mark.parametrize(("name", "axis", "way"), [("pelvis_obliquity", 2, 1.0), ("pelvis_rotation", 0, 1.0)])
def test_signs_of_the_pelvis(name, axis, way, side):
    """That side's hip goes up, or forward."""
    q = posture(FIGURE, {name: 0.1 if side == "l" else -0.1})
    assert gait_angles(FIGURE, q, side)[name] == pytest.approx(0.1)
    assert way * ap.kinematics(FIGURE, q).marker(f"{side}_hip_centre")[axis] > 0.008


@pytest.mark.parametrize("detail", ["standard", "full"])
def test_there_and_back(detail):
    figure, wanted = ap.human(1.4, 40.0, "f", detail), some_angles(np.random.default_rng(3), 20)
    q = posture(figure, wanted, position=[0.1, 0.2, 0.9])
    for side, sign in (("l", 1.0), ("r", -1.0)):
        found = gait_angles(figure, q, side)
        for name, value in wanted.items():
            if name[1] != "_":
                sideways = 1.0 if name.endswith("tilt") else sign
                np.testing.assert_allclose(found[name], sideways * value, atol=1e-12)
            elif name[0] == side:
                np.testing.assert_allclose(found[name[2:]], value, atol=1e-12)
    np.testing.assert_allclose(q[:, :3], np.broadcast_to([0.1, 0.2, 0.9], (20, 3)))


def test_the_mirror_image_has_the_other_sides_angles():
    q = posture(FIGURE, some_angles(np.random.default_rng(4), 5))
    mirrored = ap.Motion(FIGURE, np.arange(5.0), q).mirror().q
    left, right = gait_angles(FIGURE, q, "l"), gait_angles(FIGURE, mirrored, "r")
    for name, value in left.items():
        np.testing.assert_allclose(right[name], value, atol=1e-12)


def test_heading_turns_what_counts_from_the_world():
    q = posture(FIGURE, some_angles(np.random.default_rng(5), 1))[0]
    turned = q.copy()
    about = np.array([math.cos(0.35), 0.0, 0.0, math.sin(0.35)])
    turned[3:7] = ap.rotation.quaternion_product(about, q[3:7])
    before, after = gait_angles(FIGURE, q), gait_angles(FIGURE, turned, heading=0.7)
    assert all(after[name] == pytest.approx(before[name], abs=1e-12) for name in before)


def test_the_figures_of_the_thesis_have_no_ankle():
    figure = ap.human(detail="thesis42")
    found = gait_angles(figure, figure.neutral())
    assert "ankle_dorsiflexion" not in found and found["pelvis_tilt"] == pytest.approx(NEUTRAL_TILT, abs=1e-3)
    with pytest.raises(InputError, match="with the pelvis as its free root"):
        posture(figure, {"l_knee_flexion": 0.1})


def test_refusals_name_the_choices():
    with pytest.raises(InputError, match=r"unknown angle 'l_knee_flex'.*l_knee_flexion"):
        posture(FIGURE, {"l_knee_flex": 0.1})
    with pytest.raises(InputError, match='give "l" or "r"'):
        gait_angles(FIGURE, FIGURE.neutral(), "left")
    with pytest.raises(InputError, match="need the links l_thigh"):
        gait_angles(ap.sample("hopper"), ap.sample("hopper").neutral())


def test_leg_length():
    assert leg_length(FIGURE) == pytest.approx(0.917, abs=1e-3)
