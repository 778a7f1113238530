"""Trunk, head and arms from the legs: the opposite arm swings, shoulders turn back, the head looks ahead."""

import math
from dataclasses import replace

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import InputError
from anthropi.figure.human.build import DETAILS
from anthropi.gait.plan.determinant_forces import pelvis_angles
from anthropi.gait.plan.upper_body import SHOULDER_LINKS, UpperBody, upper_body, upper_body_joints

FIGURES = {detail: ap.human(detail=detail) for detail in DETAILS}
STYLE = UpperBody(lean=0.0)


def striding(figure, left=25.0, right=-15.0, turn=(3.0, 0.0, -4.0)):
    """A standing figure with flexed hips [deg], its root turned by a rotation vector [deg]."""
    v = np.zeros(figure.nu)
    v[3:6] = np.radians(turn)
    for side, flexion in (("l", left), ("r", right)):
        v[figure.dof_indices(f"{side}_hip")[1]] = -math.radians(flexion)
    return figure.integrate(ap.standing(figure), v)


def link(figure, q, names):
    own = [x.name for x in figure.links]
    return kinematics(figure, q).rotation[own.index(next(n for n in names if n in own))]


@pytest.mark.parametrize("detail", DETAILS)
def test_the_right_arm_goes_forward_with_the_left_leg(detail):
    figure = FIGURES[detail]
    q = upper_body(figure, striding(figure), STYLE)
    k = ap.kinematics(figure, q)
    carrier = link(figure, q, SHOULDER_LINKS)
    for side, hip in (("r", 25.0), ("l", -15.0)):
        wanted = STYLE.arm_offset + STYLE.arm * math.radians(hip)
        arm = carrier.T @ (k.marker(f"{side}_elbow_centre") - k.marker(f"{side}_shoulder_centre"))
        if detail in ("standard", "thesis42", "full"):
            flexion = math.atan2(arm[0], -arm[2])
            assert flexion == pytest.approx(wanted, abs=0.01)  # abduction of 0.08 rad beside it
            assert (arm[1] > 0) == (side == "l")  # away from the body on both sides
        wrist = k.marker(f"{side}_wrist_centre") - k.marker(f"{side}_shoulder_centre")
        assert (wrist[0] > 0) == (side == "r")


@pytest.mark.parametrize("detail", ["standard", "thesis42", "full"])
def test_elbows_bend_as_arms_come_forward(detail):
    figure = FIGURES[detail]
    found = []
    for hip in (-30.0, 0.0, 14.3, 40.0):  # the last but one: the shoulder at 0
        q = upper_body(figure, striding(figure, left=hip), STYLE)
        k = ap.kinematics(figure, q)
        upper, lower = (k.link(f"r_{x}").rotation for x in ("upper_arm", "forearm"))
        C = upper.T @ lower
        found.append(math.atan2(C[2, 0], C[0, 0]))
        assert C[1, 1] == pytest.approx(1.0)  # flexion alone
    assert found[0] == pytest.approx(STYLE.elbow, abs=0.01) and found == sorted(found)
    assert found[3] == pytest.approx(
        STYLE.elbow + STYLE.elbow_gain * (STYLE.arm_offset + 0.8 * math.radians(40)), abs=0.01
    )


@pytest.mark.parametrize("detail", DETAILS)
def test_shoulders_turn_against_the_pelvis_and_the_head_looks_ahead(detail):
    figure = FIGURES[detail]
    q0 = striding(figure)
    for style in (STYLE, UpperBody(counter=0.5, upright=0.5, lean=0.05)):
        q = upper_body(figure, q0, style)
        turn, tilt = pelvis_angles(link(figure, q, ("hip_bar", "pelvis")))[0]
        assert (turn, tilt) == pelvis_angles(link(figure, q0, ("hip_bar", "pelvis")))[0]  # the legs are left alone
        found = pelvis_angles(link(figure, q, SHOULDER_LINKS))[0]
        assert found == pytest.approx((-style.counter * turn, (1 - style.upright) * tilt), abs=1e-4)
        if any(x.name == "head" for x in figure.links):
            assert link(figure, q, ("head",)) == pytest.approx(np.eye(3), abs=1e-12)
    about = ap.rotation.elementary("z", 0.5)
    if any(x.name == "head" for x in figure.links):
        assert link(figure, upper_body(figure, q0, heading=0.5), ("head",)) == pytest.approx(about, abs=1e-12)


def test_only_the_upper_body_moves_and_twice_is_once():
    figure = FIGURES["full"]
    q0 = striding(figure)
    q = upper_body(figure, q0)
    names = upper_body_joints(figure, q0)
    for joint, at in zip(figure.joints, figure.q_of, strict=True):
        assert joint.name in names or (q[at] == q0[at]).all()
    assert upper_body(figure, q) == pytest.approx(q, abs=1e-14)
    assert set(names) == {
        "lumbar",
        "thoracic",
        "neck",
        "head",
        *(f"{s}_{j}" for s in "lr" for j in ("shoulder", "elbow")),
    }
    low, high = figure.limits
    x = np.concatenate([j.coordinates(q[at]) for j, at in zip(figure.joints[1:], figure.q_of[1:], strict=True)])
    assert ((x >= low[6:] - 1e-9) & (x <= high[6:] + 1e-9)).all()  # within every joint's range


@pytest.mark.parametrize("detail", ["standard", "thesis42"])
def test_from_a_foot_as_root_the_same(detail):
    figure = FIGURES[detail]
    q0 = striding(figure)
    foot, there = figure.reroot("r_shank", q0)
    here, moved = upper_body(figure, q0), upper_body(foot, there)
    for marker in ("l_wrist_centre", "r_wrist_centre", "vertex"):
        a, b = ap.kinematics(figure, here).marker(marker), ap.kinematics(foot, moved).marker(marker)
        assert a == pytest.approx(b, abs=1e-12)


@pytest.mark.parametrize("detail", ["standard", "thesis42"])
def test_it_records(detail):
    figure = FIGURES[detail]
    kernel = ap.build(ap.record(lambda q: upper_body(figure, q), q=figure.neutral()), target="replay")
    q = striding(figure)
    assert np.asarray(kernel(q)) == pytest.approx(upper_body(figure, q), abs=1e-13)


def test_what_cannot_follow_is_refused():
    figure = FIGURES["standard"]
    with pytest.raises(InputError, match="arm=nan"):
        UpperBody(arm=math.nan)
    head, q = figure.reroot("head", ap.standing(figure))
    with pytest.raises(InputError, match="root of figure 'human' is 'head', above its spine"):
        upper_body(head, q)
    chain = ap.sample("chain")
    with pytest.raises(InputError, match="no pelvis"):
        upper_body(chain, chain.neutral())


def test_a_figure_without_shoulder_links_is_named():
    figure = ap.human(1.75, 75.0)
    links = [replace(x, name="chest") if x.name == "thorax" else x for x in figure.links]
    markers = [replace(m, link="chest") if getattr(m, "link", "") == "thorax" else m for m in figure.markers]
    renamed = replace(figure, links=tuple(links), markers=tuple(markers))
    with pytest.raises(InputError, match="no link 'thorax' or 'shoulder_bar' or 'torso' that carries the shoulders"):
        upper_body(renamed, ap.standing(figure))
