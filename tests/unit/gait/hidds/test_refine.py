"""Refinement of forces: by itself on an arm and on a walking step, and by hand."""

import itertools
from functools import cache

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.virtual_leg import foot_wrenches
from anthropi.errors import InputError
from anthropi.gait.hidds import arm_motion
from anthropi.gait.hidds.refinement import change
from unit.gait.hidds.step import step_motion

ARM = arm_motion()


def rms(error) -> float:
    """Over time and joints."""
    return float(np.sqrt(np.mean(error[:, 6:] ** 2)))


def assert_refined(result, motion, **options):
    """The issue's bounds, measured again on a replay that knows nothing of the wanted motion but its start."""
    replayed = ap.hidds(motion, "open loop", tau=result.tau, opt=0, **options)
    assert np.array_equal(replayed.q, result.motion.q)
    wanted = motion.figure.integrate(replayed.q, replayed.channels["error"])
    still = motion.figure.difference(np.broadcast_to(wanted[0], wanted.shape), wanted)
    fell, stood, after = (rms(x) for x in (result.first.channels["error"], still, replayed.channels["error"]))
    before = min(fell, stood) if len(result.first) == len(replayed) else stood  # a fall counts as no motion at all
    assert before >= 10.0 * after
    assert np.isclose(result.gain, before / after, rtol=1e-6)
    plan = ap.gait.Profile.of(motion, opt=0, **options).tau  # the first run may have broken off
    forced = [k for k in range(6, motion.figure.nu)]
    changed = np.linalg.norm((result.tau - plan)[:-1, forced]) / np.linalg.norm(plan[:-1, forced])
    assert changed < 0.2 and result.iterations <= 15 and result.accepted
    assert np.isclose(result.change, changed, rtol=1e-9)


@pytest.mark.slow
def test_9_6__an_arm_in_the_open_loop():
    assert_refined(ap.refine(ARM, opt=0), ARM)


@pytest.mark.slow
def test_9_6__learning_goes_on_from_run_to_run():
    """With increments integrated well, feedback that becomes part of the plan leaves less and less to correct."""
    result = ap.refine(ARM, accept=0.0, iterations=6, method="rk4", opt=0)
    errors = [x.error for x in result.history]
    assert all(b < a for a, b in itertools.pairwise(errors))
    assert errors[1] > 10.0 * errors[-1] and result.gain > 1000.0
    assert not result.accepted and result.iterations == 6 and result.change < 0.2


@pytest.mark.slow
def test_9_6__one_walking_step():
    """50 degrees of freedom on a stance foot that is held: an inverted pendulum of many links, open loop."""
    step = step_motion()
    result = ap.refine(step, frozen=["root"], method="rk4", opt=0)
    assert result.history[0].error > 0.3  # [rad] nothing holds it up
    assert_refined(result, step, frozen=["root"], method="rk4")
    assert result.error < 0.01
    weight = 75.0 * 9.81
    assert 0.5 * weight < result.motion.channels["residual"][:, 2].mean() < 1.5 * weight  # what the stance foot carries


@cache
def walked():
    """A step of the thesis' walk, seen from the shank that stands: the motion, and the ground's forces on both feet."""
    figure = ap.human(1.75, 75.0, detail="thesis42")
    walk = ap.walk(figure, steps=1, step_frequency=100)
    tree, q, u = figure.reroot("l_shank", walk.q, walk.u)
    places, feet = walk.channels["places"], walk.channels["f_ground"]
    links, f_ext = [tree.link_index(f"{side}_shank") for side in "lr"], np.zeros((len(walk), tree.n, 6))
    for k in range(len(walk)):
        for link, row in foot_wrenches(kinematics(tree, q[k], u[k]), links, places[k], feet[k]).items():
            f_ext[k, link] = row
    return ap.Motion(tree, walk.time, q, u), f_ext


@pytest.mark.slow
def test_9_6__one_step_of_the_walk():
    """42 degrees of freedom by forces held for 4 ms, the ground's reaction as it was; open loop it falls before its
    end, so that the error is measured against a figure that does not move."""
    step, f_ext = walked()
    options = {"root": "driven", "f_ext": f_ext, "dt": 4e-3, "method": "rk4"}
    result = ap.refine(step, opt=0, **options)
    assert not np.isfinite(result.history[0].error) and result.still < 0.2
    assert_refined(result, step, **options)
    assert result.error < 0.015 and result.change < 0.1


@pytest.mark.slow
def test_9_6__part_of_a_step_that_does_not_fall():
    """0.25 s by forces held for 2 ms: the open loop is off by less than the motion itself, and still ten times more."""
    step, f_ext = walked()
    part = step[:251]
    options = {"root": "driven", "f_ext": f_ext[:251], "dt": 2e-3, "method": "rk4"}
    result = ap.refine(part, opt=0, **options)
    assert result.history[0].error < result.still
    assert_refined(result, part, **options)


@pytest.mark.slow
def test_9_6__one_step_of_the_reference_gait():
    """From left to right foot strike, seen from the left foot, which is led as it rolls."""
    figure = ap.human(1.75, 75.0)
    gait = ap.gait.reference_gait(figure, steps=1, rate=120.0)
    rooted, q, _ = figure.reroot("l_foot", gait.q, gait.u)
    step = ap.Motion(rooted, gait.time, q)
    result = ap.refine(step, root="driven", method="rk4", opt=0)
    assert_refined(result, step, root="driven", method="rk4")


@pytest.mark.slow
def test_ctrl_c_keeps_the_best_run_so_far():
    def stop_at_the_second(done, total):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(ap.errors.Interrupted, match="stopped after 2 iterations") as stop:
        ap.refine(ARM, accept=0.0, iterations=6, opt=0, progress=stop_at_the_second)
    found, whole = stop.value.result, ap.refine(ARM, accept=0.0, iterations=2, opt=0)
    assert np.array_equal(found.tau, whole.tau) and found.history == whole.history
    assert stop.value.motion is found.motion and not found.accepted


def test_the_change_is_bounded_whatever_the_error():
    result = ap.refine(ARM, bound=0.002, iterations=3, opt=0)
    assert not result.accepted and all(x.change <= 0.002 for x in result.history)
    assert result.error == min(x.error for x in result.history)  # the best is kept
    assert change(result.first.tau, result.tau) <= 0.002


@pytest.mark.slow
def test_after_a_run_that_is_worse_learning_goes_on_from_the_best_more_carefully():
    """A rough motion, shaken by 1e-4 rad: forces for it soon use up the bound, and where they do the run is worse."""
    rng, arm = np.random.default_rng(0), arm_motion(0.8)
    shaken = arm.figure.integrate(arm.q, 1e-4 * rng.normal(size=arm.u.shape) * (np.arange(12) > 5))
    result = ap.refine(ap.Motion(arm.figure, arm.time, shaken), accept=0.0, iterations=8, method="rk4", opt=0)
    errors = [x.error for x in result.history]
    worse = next(k for k in range(1, 9) if errors[k] > min(errors[:k]))
    assert result.kept > worse and errors[result.kept] == min(errors) < min(errors[:worse])
    assert result.gain > 100.0 and all(x.change < 0.2 for x in result.history)


def test_a_profile_from_elsewhere_is_led_back_and_the_criterion_is_anybodys():
    wrong = 1.05 * ap.hidds(ARM, "open loop", opt=0).tau
    seen = []

    def good(motion):
        seen.append(np.abs(motion.channels["error"][:, 6:]).max())
        return seen[-1] < 0.01

    result = ap.refine(ARM, wrong, accept=good, opt=0)
    assert result.accepted and seen[-1] < 0.01 < seen[0]
    assert np.array_equal(result.first.tau, wrong) and 0.0 < result.change < 0.2


def test_a_first_run_that_breaks_off_is_no_reason_to_accept_another_that_does():
    far = np.full((61, 12), 1e6)
    result = ap.refine(ARM[:61], far, iterations=2, bound=1e-6, opt=0)
    assert not result.accepted and result.gain == 0.0 and not np.isfinite(result.error)
    free = ap.refine(ARM[:61], far, iterations=2, bound=2.0, opt=0)
    assert free.accepted and free.error < 0.01 and 10.0 < free.gain < np.inf


def test_after_a_first_run_that_fell_not_every_run_is_accepted():
    """Any error is a small share of none at all; but not of that of a figure that never moved."""
    far = np.full((61, 12), 1e6)
    loose = ap.refine(ARM[:61], far, iterations=2, bound=2.0, kp=0.0, kd=0.0, accept=1e-3, opt=0)
    assert not np.isfinite(loose.history[0].error) and np.isfinite(loose.error)
    assert not loose.accepted and loose.error > 1e-3 * loose.still


def test_forces_from_outside_stay():
    push = {"base": np.array([0.0, 0.5, 0.0, 5.0, 0.0, 0.0])}
    result = ap.refine(ARM, f_ext=push, opt=0)
    assert_refined(result, ARM, f_ext=push)


@pytest.mark.parametrize(("options", "words"), [({"iterations": 0}, "iterations=0"), ({"bound": -1}, "bound=-1"),
                                                ({"accept": "x"}, "accept='x'")])  # fmt: skip
def test_what_is_no_criterion_is_refused(options, words):
    with pytest.raises(InputError, match=words):
        ap.refine(ARM, **options)


def test_where_nothing_is_driven_by_force_nothing_is_refined():
    joints = [j.name for j in ARM.figure.joints[1:]]
    with pytest.raises(InputError, match="There is no force to refine"):
        ap.refine(ARM[:10], driven=joints)


# by hand


def test_an_edited_profile_is_run_again():
    motion = ARM[:61]
    first = ap.gait.Profile.of(motion)
    edited = first.scaled("elbow", 1.2, 0.1, 0.3).shifted("flange", 0.01).through("wrist_roll", {0.2: 0.5})
    before, after = (p.run(motion, opt=0) for p in (first, edited))
    assert np.array_equal(before.q, ap.hidds(motion, "open loop", opt=0).q)
    k = {name: ARM.figure.dof_indices([name])[0] for name in ("elbow", "flange", "wrist_roll")}
    assert np.array_equal(after.tau[:, k["flange"]], first.tau[:, k["flange"]] + 0.01)
    assert np.isclose(edited.tau[24, k["elbow"]], 1.2 * first.tau[24, k["elbow"]])  # at 0.2 s, past the edge
    assert np.array_equal(edited.tau[:13, k["elbow"]], first.tau[:13, k["elbow"]])
    s = 1.0 / 6.0  # a frame after the start, of an edge of 0.05 s
    grown = 1.0 + 0.2 * s * s * (3.0 - 2.0 * s)
    assert np.isclose(edited.tau[13, k["elbow"]], grown * first.tau[13, k["elbow"]], rtol=1e-9)
    assert np.isclose(np.interp(0.2, edited.time, edited.tau[:, k["wrist_roll"]]), 0.5)
    assert edited.tau[0, k["wrist_roll"]] == first.tau[0, k["wrist_roll"]]
    others = [j for j in range(12) if j not in k.values()]
    assert np.array_equal(edited.tau[:, others], first.tau[:, others])
    assert first.apart(edited) > 0.0 and np.abs(after.q - before.q).max() > 1e-3


def test_a_profile_in_a_motion_is_taken_from_it():
    found = ap.hidds(ARM[:61], opt=0)
    again = ap.gait.Profile.of(found).run(ARM[:61], opt=0)
    assert np.array_equal(again.q, found.q)  # what feedback did, without feedback


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda p: p.scaled("elbw", 2.0), "Did you mean 'elbow'"),
        (lambda p: p.scaled("elbow", np.nan), "factor=nan"),
        (lambda p: p.shifted("elbow", 1.0, 0.4, 0.2), "Give a start before the end"),
        (lambda p: p.through("root", {0.1: 0.0}), "needs a name with one degree of freedom"),
        (lambda p: p.through("elbow", {9.0: 0.0}), "are not inside"),
        (lambda p: ap.gait.Profile(p.figure, p.time, p.tau[1:]), "tau has shape"),
    ],
)
def test_edits_that_cannot_be_are_refused(edit, words):
    with pytest.raises(InputError, match=words):
        edit(ap.gait.Profile.of(ARM[:61]))
