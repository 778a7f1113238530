"""The thesis' walk: plan, prints, virtual leg, inverse then direct dynamics, mirror images."""

import re
from pathlib import Path

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.virtual_leg import foot_wrenches
from anthropi.errors import AnthropiError
from anthropi.gait import Determinants, GaitPlan, Schedule
from anthropi.gait.hidds.walking.hidds_walk import with_feet
from anthropi.gait.hidds.walking.pose import Anatomy
from anthropi.gait.report.plausibility import foot_lines, foot_slip

pytestmark = pytest.mark.slow

PAGE = Path(__file__).resolve().parents[4] / "docs" / "walking.md"


@pytest.fixture(scope="module")
def figure():
    return ap.human(1.75, 75, detail="thesis42")


@pytest.fixture(scope="module")
def motion(figure):
    return ap.walk(figure, steps=6, step_frequency=100, method="hidds")


@pytest.fixture(scope="module")
def real():
    """A figure that has feet."""
    return ap.walk(ap.human(1.75, 75), steps=3, step_frequency=100)


def ankles(motion):
    """(frames, 2, 3): where the ankles are, from the states alone."""
    k, marks = ap.kinematics(motion.figure, motion.q), {m.name: m for m in motion.figure.markers}
    found = []
    for side in "lr":
        mark = marks[f"{side}_ankle_centre"]
        i = motion.figure.link_index(mark.link)
        found.append(np.asarray(k.position)[:, i] + np.asarray(k.rotation)[:, i] @ mark.point)
    return np.stack(found, 1)


def stances(motion):
    """(foot number, frames) of each stance that is whole."""
    for number, foot in enumerate("lr"):
        strikes = [e.time for e in motion.events if e == (e.time, foot, "strike")]
        offs = [e.time for e in motion.events if e == (e.time, foot, "off")]
        for begin in strikes:
            ends = [t for t in offs if t > begin]
            if ends:
                yield number, (motion.time > begin - 1e-9) & (motion.time < ends[0] + 1e-9)


def excursions(motion):
    """[cm] of the centre of mass, vertical and lateral."""
    G = ap.centre_of_mass(motion.figure, motion.q).position
    return 100.0 * np.ptp(G[:, 2]), 100.0 * np.ptp(G[:, 1])


def test_durations_are_those_of_the_plan(motion, figure):
    plan, dt = GaitPlan.of(figure, step_frequency=100), motion.metadata["walk"]["dt"]
    strikes = [e for e in motion.events if e.what == "strike"]
    offs = [e for e in motion.events if e.what == "off"]
    assert [e.foot for e in strikes] == list("lrlrlrl") and [e.foot for e in offs] == list("rlrlrl")
    steps, double = np.diff([e.time for e in strikes]), [o.time - s.time for s, o in zip(strikes, offs, strict=False)]
    assert np.abs(steps - plan.step).max() <= dt * 1.001  # (9.4)
    assert np.abs(np.array(double) - plan.double_support).max() <= dt * 1.001  # (9.7)
    swing = [s.time - o.time for o, s in zip(offs, strikes[1:], strict=False)]
    assert np.abs(np.array(swing) - plan.swing).max() <= dt * 1.001  # (9.6): off to the strike that ends the step
    assert motion.time[-1] == pytest.approx(6 * plan.step, abs=dt)
    ahead = ap.centre_of_mass(figure, motion.q[[0, -1]]).position[:, 0]
    assert np.diff(ahead)[0] == pytest.approx(6 * plan.step_length, abs=1e-3)


def test_feet_that_stand_stay_on_their_prints(motion, figure):
    """From states and pitches: the heel stays where it struck, the toe joint while the heel is up."""
    foot, at, pitch = Anatomy(figure).foot, ankles(motion), motion.channels["foot_pitch"]
    seen = 0
    for number, frames in stances(motion):
        a, phi = at[frames, number], pitch[frames, number]
        c, s = np.cos(phi), np.sin(phi)
        heel = a[:, [0, 2]] - np.stack([foot.heel * c - foot.ankle * s, foot.heel * s + foot.ankle * c], -1)
        high = foot.ankle - foot.pad
        toe = a[:, [0, 2]] - np.stack([-foot.ball * c - high * s, -foot.ball * s + high * c], -1)
        for point, carries, height in ((heel, phi >= 0.0, 0.0), (toe, phi <= 0.0, foot.pad)):
            own = point[carries]
            assert np.ptp(own[:, 0]) < 5e-3 and np.abs(own[:, 1] - height).max() < 5e-3
        assert np.ptp(a[:, 1]) < 5e-3  # across
        seen += 1
    assert seen == 5
    assert 0.0 < motion.metadata["walk"]["print_error"] < 5e-3


def test_inverse_then_direct_dynamics_with_the_ground_and_the_residual(motion, figure):
    """τ, the ground's forces and nothing else but the residual make the accelerations that there are."""
    pick = slice(0, None, 97)
    q, u, tau, udot = motion.q[pick], motion.u[pick], motion.tau[pick], motion.udot[pick]
    forces, places = motion.channels["f_ground"][pick], motion.channels["places"][pick]
    links = [figure.link_index(f"{side}_shank") for side in "lr"]
    for i in range(len(q)):
        f_ext = {figure.links[n].name: f for n, f in foot_wrenches(kinematics(figure, q[i], u[i]), links, places[i],
                                                            forces[i]).items()}  # fmt: skip
        found = ap.direct_dynamics(figure, q[i], u[i], tau[i], f_ext)
        np.testing.assert_allclose(found, udot[i], rtol=1e-7, atol=1e-6)  # 42 degrees of freedom, condition ~1e4
        np.testing.assert_allclose(tau[i, :3], motion.channels["residual"][pick][i, :3], atol=1e-5)  # the same force
    weight = figure.mass * 9.81
    F = motion.channels["f_ground"].sum(1)
    assert abs(F[:-1, 2].mean() / weight - 1.0) < 0.01  # over whole cycles the ground carries the weight
    assert np.sqrt((motion.channels["residual"][:, :3] ** 2).sum(-1).mean()) < 0.01 * weight
    moment = np.sqrt((motion.channels["residual"][:, 3:] ** 2).mean(0))
    assert moment[:2].max() < 1.5 and moment[2] < 8.0  # [N m]: the ground gives all but what is about the vertical


def test_inverse_dynamics_and_hidds_know_the_ground_of_a_walk(motion):
    found = ap.inverse_motion(motion)
    np.testing.assert_allclose(found.tau, motion.tau, atol=1e-9)
    assert np.abs(found.channels["residual"][:, 2]).max() < 0.05 * motion.figure.mass * 9.81
    followed = ap.hidds(motion.slice(0.0, 0.3), root="forced", dt=2e-3, opt=0)
    assert np.abs(followed.channels["error"]).max() < 0.01


def test_states_follow_their_accelerations(motion):
    """u of the motion is the slope of its q, udot that of u, between strikes."""
    dt = motion.metadata["walk"]["dt"]
    part = slice(10, 590)
    step = motion.figure.difference(motion.q[part][:-1:19], motion.q[part][1::19])
    assert np.abs(step / dt - motion.u[part][1::19]).max() < 0.02  # other coordinates of a path of order dt
    change = (motion.u[part][1::19] - motion.u[part][:-1:19]) / dt
    assert np.abs(change - motion.udot[part][:-1:19]).max() < 0.05 * np.abs(motion.udot).max()


def test_the_load_goes_over_as_alpha_says(motion, figure):
    plan = GaitPlan.of(figure, step_frequency=100)
    alpha = np.array([float(plan.alpha(t)) for t in motion.time[::37]])
    assert np.abs(motion.channels["alpha"][::37] - alpha).max() < 0.02  # double support ends on the grid
    F = motion.channels["f_ground"]
    np.testing.assert_allclose(F[:, 0], motion.channels["alpha"][:, None] * F.sum(1), atol=1e-9)


def test_a_step_is_the_mirror_image_of_the_one_before(motion, figure):
    n = 600
    _, q, u = figure.mirror(motion.q[:n:53], motion.u[:n:53])
    q[:, 0] += 0.7
    assert np.abs(figure.difference(q, motion.q[n : 2 * n : 53])).max() < 1e-9
    assert np.abs(u - motion.u[n : 2 * n : 53]).max() < 1e-8
    assert motion.metadata["walk"]["gap"] < 1e-6  # and it begins as its mirror image ends
    each = ap.walk(figure, steps=2, step_frequency=100, symmetric=False)
    assert np.abs(figure.difference(each.q[::53], motion.q[: len(each) : 53])).max() < 5e-3


def test_arms_and_trunk_follow_the_legs(motion, figure):
    def flexion(name):
        joint = figure.joint_index(name)
        return np.array([-figure.joints[joint].coordinates(q[figure.q_of[joint]])[1] for q in motion.q[:1200:20]])

    for arm, leg in (("l_shoulder", "r_hip"), ("r_shoulder", "l_hip")):
        assert np.corrcoef(flexion(arm), flexion(leg))[0, 1] > 0.99
    assert np.ptp(flexion("l_elbow")) > np.radians(5)
    k = ap.kinematics(figure, motion.q[:1200:20])
    bar, hips = (np.asarray(k.rotation)[:, figure.link_index(name), 0, 1] for name in ("shoulder_bar", "hip_bar"))
    assert np.corrcoef(bar, hips)[0, 1] < -0.99  # counter-rotation


def test_determinants_show_in_the_walk(motion, figure):
    """Pelvic rotation is largest at strikes, tilt at mid-step; the stance knee yields, the swing knee bends."""
    k = ap.kinematics(figure, motion.q)
    y = np.asarray(k.rotation)[:, figure.link_index("hip_bar"), :, 1]
    turn, tilt = np.degrees(np.arctan2(-y[:, 0], y[:, 1])), np.degrees(np.arcsin(y[:, 2]))
    assert turn[0] == pytest.approx(-4.0, abs=0.1) and turn[600] == pytest.approx(4.0, abs=0.1)
    assert abs(turn[300]) < 0.3 and abs(tilt[0]) < 0.3 and tilt[300] == pytest.approx(5.0, abs=0.2)
    assert np.abs(turn).max() < 4.1 and np.abs(tilt).max() < 5.1
    G = ap.centre_of_mass(figure, motion.q).position
    assert G[300, 1] > 0.01 and G[900, 1] < -0.01  # over each foot in turn


def rows():
    """{name: (vertical, lateral) of the dynamic walk} in the table of docs/walking.md."""
    lines = [re.split(r"\s*\|\s*", line)[1:6] for line in PAGE.read_text(encoding="utf-8").splitlines() if "|" in line]
    return {
        row[0]: (float(row[3]), float(row[4])) for row in lines if len(row) == 5 and re.fullmatch(r"[\d.]+", row[3])
    }


@pytest.mark.parametrize(("row", "off"), [("all on", ()), ("without stance knee flexion", ("stance_knee",)),
                                          ("without pelvic tilt", ("pelvic_tilt",)),
                                          ("without lateral displacement", ("lateral",))])  # fmt: skip
def test_the_page_tells_what_each_determinant_does(figure, row, off):
    found = excursions(ap.walk(figure, steps=2, step_frequency=100, determinants=Determinants().without(*off)))
    np.testing.assert_allclose(found, rows()[row], atol=0.06)  # one decimal is printed


def test_determinants_flatten_the_path(figure):
    table = rows()
    assert len(table) == 8
    for name in ("pelvic rotation", "pelvic tilt", "stance knee flexion", "foot and ankle"):
        assert table[f"without {name}"][0] > table["all on"][0]
    assert table["none"][0] > 1.15 * table["all on"][0] and table["without lateral displacement"][1] > 4.0


def test_plans_may_change_from_step_to_step(figure):
    plan = GaitPlan.of(figure, step_frequency=95)
    schedule = Schedule((plan, plan.changed(step_frequency=105), plan.changed(step_frequency=90)))
    motion = ap.walk(figure, schedule=schedule)
    strikes = [e.time for e in motion.events if e.what == "strike"]
    np.testing.assert_allclose(strikes, schedule.strikes, atol=1.001e-3)
    about = motion.metadata["walk"]
    assert about["print_error"] < 5e-3 and about["residual_force"] < 0.02
    ground = ankles(motion)
    assert ground[-1, 1, 0] - ground[0, 1, 0] > 1.2  # the right foot went two steps


def test_big_changes_of_plan_are_walked_or_refused(figure):
    slow, quick = (GaitPlan.of(figure, step_frequency=f) for f in (80, 100))
    about = ap.walk(figure, schedule=Schedule((slow, quick))).metadata["walk"]
    assert about["print_error"] < 5e-3 and about["residual_force"] < 0.02
    with pytest.raises(AnthropiError, match="differ less"):
        ap.walk(figure, schedule=Schedule((slow.changed(step_frequency=130), slow.changed(step_frequency=60))))
    with pytest.raises(AnthropiError, match="human figure"):
        ap.walk(None)


@pytest.mark.parametrize("frequency", [60, 130])
def test_slow_and_quick(figure, frequency):
    about = ap.walk(figure, steps=2, step_frequency=frequency).metadata["walk"]
    assert about["print_error"] < 2e-3 and about["residual_force"] < 0.05 and about["balance"] < 0.5


def test_frozen_joints_do_not_move(figure):
    motion = ap.walk(figure, steps=1, step_frequency=100, frozen=("neck", "l_elbow", "girdle.x"))
    still = figure.dof_indices(("neck", "l_elbow", "girdle.x"))
    assert np.abs(motion.u[:, still]).max() < 1e-9 and np.abs(motion.u[:, figure.dof_indices("r_elbow")]).max() > 0.1
    assert motion.metadata["walk"]["print_error"] < 5e-3


def test_the_same_road_with_real_feet(real):
    """Soles stand on the ground, do not slip, and clear it in swing; the ankles really move."""
    lines = foot_lines(real)
    assert lines.penetration < 2e-3 and lines.clearance > 5e-3
    assert foot_slip(real, near=2.5e-4) < 5e-3  # a millimetre up, the ball has rolled 6 mm back about the toe joint
    about = real.metadata["walk"]
    assert about["residual_force"] < 0.01 and about["print_error"] < 5e-3
    ankle = real.q[:, real.figure.q_of[real.figure.joint_index("l_ankle")].start]
    assert np.degrees(np.ptp(ankle)) > 25.0


def test_feet_are_drawn_at_their_pitch(motion, real):
    shown = with_feet(motion[:900:30])
    assert shown.figure.nu == motion.figure.nu + 4 and with_feet(real) is real
    k, marks = ap.kinematics(shown.figure, shown.q), {m.name: m for m in shown.figure.markers}
    for side, pitch in zip("lr", motion.channels["foot_pitch"][:900:30].T, strict=True):
        i = shown.figure.link_index(f"{side}_foot")
        x = np.asarray(k.rotation)[:, i, :, 0]
        np.testing.assert_allclose(np.arctan2(x[:, 2], np.hypot(x[:, 0], x[:, 1])), pitch, atol=0.02)  # slant of legs
        toe = marks[f"{side}_toe_tip"]
        at = np.asarray(k.position) + np.asarray(k.rotation) @ toe.point
        assert at[:, shown.figure.link_index(toe.link), 2].min() > -3e-3


@pytest.mark.parametrize(("given", "words"), [
    ({"step_frequency": 190}, "running"),
    ({"speed": 1.2, "step_length": 0.7, "step_frequency": 150}, "agree"),
    ({"method": "hids"}, "Did you mean 'hidds'"),
    ({"steps": 0}, "whole number"),
    ({"frozen": "l_knee"}, "legs need it"),
    ({"dt": 0.5}, "dt="),
    ({"form": "cosin"}, "Did you mean 'cosine'"),
    ({"width": -1.0}, "width="),
    ({"schedule": 3}, "Schedule"),
    ({"kp": 1.0}, "kp="),
    ({"determinants": "all"}, "ap.gait.Determinants()"),
    ({"frozn": "neck"}, "Did you mean 'frozen'"),
])  # fmt: skip
def test_what_cannot_be_walked_is_refused_in_words(figure, given, words):
    with pytest.raises(AnthropiError, match=re.escape(words)):
        ap.walk(figure, **given)


@pytest.mark.parametrize("detail", ["simple27", "simple36"])
def test_legs_without_knees_are_refused(detail):
    with pytest.raises(AnthropiError, match="knee"):
        ap.walk(ap.human(detail=detail))
    with pytest.raises(AnthropiError, match=r"ap\.gait\.reference_gait"):
        plan = GaitPlan(velocity=3.0, kind="run")
        ap.walk(ap.human(detail="thesis42"), schedule=Schedule((plan,)))
