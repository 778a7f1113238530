"""Laws of joint limits: rows are rates, pushing back takes energy, projecting once is projecting."""

import math

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

import anthropi as ap
from anthropi import rotation as rot
from anthropi.contact.limits import HardLimits, ReachCone, SwingTwist, ends
from anthropi.contact.limits.springs import GATES, Exponential, Linear, Power, limit_force
from anthropi.figure import Link
from anthropi.figure.joints import Ball

UNIT = st.tuples(*[st.floats(-1, 1)] * 3).map(np.array).filter(lambda v: np.linalg.norm(v) > 0.1)
TURN = st.tuples(*[st.floats(-1.7, 1.7)] * 3).map(np.array)
SMALL = st.floats(0.05, 0.9)
FIGURE = ap.figure_from_parts(
    "limb", [("", Ball(name="ball"), Link("rod", 1.0, [0.1, 0.0, -0.3], np.diag([0.04, 0.05, 0.02])))]
)
CONES = st.builds(ReachCone, UNIT, st.floats(0.1, 3.0))


@st.composite
def swing_twists(draw):
    """Boundaries round the limb's axis, through three to six directions, twist over a range that follows them."""
    n = draw(st.integers(3, 6))
    polar = [draw(st.floats(0.6, 1.7)) for _ in range(n)]
    azimuth = [2 * math.pi * (k + 0.4 * draw(SMALL)) / n for k in range(n)]
    sides = [[math.sin(p) * math.cos(a), math.sin(p) * math.sin(a), math.cos(p)]
             for p, a in zip(polar, azimuth, strict=True)]  # fmt: skip
    twist = [([0, 0, 1], -draw(SMALL), draw(SMALL)), (sides[0], -0.5 * draw(SMALL) - 0.3, 0.5)]
    try:
        return SwingTwist([0, 0, 1], sides, twist)
    except ap.AnthropiError:
        assume(False)


@given(st.one_of(CONES, swing_twists()), TURN, UNIT)
def test_a_row_is_the_rate_of_its_gap(shape, r, w):
    R, e = rot.matrix_from_rotation_vector(r), 1e-5
    for k, side in enumerate(shape.sides(R)):
        if not 0.5 < np.linalg.norm(side.row) < 20.0:
            continue  # beside the centre, or opposite to it, where directions have no side
        gap = [shape.sides(R @ rot.matrix_from_rotation_vector(s * e * w))[k] for s in (-1, 1)]
        bend = np.abs(gap[0].row - gap[1].row).max()
        if bend > 0.1:
            continue  # between them the nearer end changes
        wrong = abs((gap[1].gap - gap[0].gap) / (2 * e) - side.row @ w)
        assert wrong < 1e-6 * (1 + np.abs(side.row).max()) ** 3 + bend**2  # of differences, where the row turns quickly


@given(st.one_of(CONES, swing_twists()), TURN)
def test_what_is_projected_is_within_and_stays(shape, r):
    limits, q = HardLimits({"ball": shape}), rot.quaternion_from_rotation_vector(r)
    assume(min(end.gap for end in ends(FIGURE, limits.joints, q)) > -0.5)
    there = limits.project(FIGURE, q, 12)
    gaps = [end.gap for end in ends(FIGURE, limits.joints, there)]
    assume(abs(np.concatenate([end.row for end in ends(FIGURE, limits.joints, there)])).max() < 20.0)
    assert min(gaps) > -1e-9
    assert np.allclose(limits.project(FIGURE, there, 1), there, atol=1e-8)


SPRINGS = st.one_of(st.builds(Linear, SMALL), st.builds(Power, SMALL, st.floats(1.0, 4.0)),
                    st.builds(Exponential, SMALL, st.floats(0.1, 9.0)))  # fmt: skip


@given(SPRINGS, st.sampled_from(GATES), st.floats(-0.3, 0.5), st.floats(-9, 9), st.floats(0, 2))
def test_a_limit_pushes_yields_and_never_gives_more_than_its_spring(spring, gate, gap, rate, dissipation):
    found = limit_force(spring, gap, rate, 0.3, gate, dissipation, wall=5.0, wall_relaxation=0.1)
    bare = limit_force(spring, gap, rate, 0.3, wall=5.0)
    assert found.force >= 0.0 and found.stiffness >= 0.0 and found.damping >= 0.0
    assert (found.force - bare.force) * rate <= 1e-12, "gates and dampers only take energy"
