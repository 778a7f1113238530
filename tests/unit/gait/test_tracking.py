"""Tracking of captured motion in simulation: the whole motion in contact, by joint forces alone, with the same bits."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import anthropi as ap
from anthropi.cli.app import app
from anthropi.errors import InputError, PhysicsWarning, StepError
from anthropi.gait import TrackingSettings, tracking
from anthropi.gait.hidds import hidds

pytestmark = pytest.mark.slow
PLAN = TrackingSettings(samples=256, cutoff=None)


@pytest.fixture(scope="module")
def person():
    return ap.human(1.75, 75.0)


@pytest.fixture(scope="module")
def planned(person):
    return ap.gait.reference_gait(person, speed=1.3, steps=3)


@pytest.fixture(scope="module")
def tracked(planned):
    return ap.gait.track(planned, settings=PLAN)


def test_a_planned_gait_is_followed_without_a_force_at_the_root(planned, tracked):
    about = tracked.metadata
    assert not about["fell"] and about["tracking"]["share"] == 1.0
    assert tracked.time[-1] > planned.time[-1] - 2 * PLAN.period
    assert (tracked.tau[:, :6] == 0.0).all()
    assert tracked.verify().holds
    d = planned.figure.difference(_at(planned, tracked.time), tracked.q)
    assert np.rad2deg(np.sqrt((d[:, 6:] ** 2).mean())) < 6.0  # recomputed here, from the plan itself
    assert np.abs(d[:, :3]).max() < 0.3


def test_the_weight_is_carried_by_the_contacts(tracked):
    force = tracked.channels["contact"].sum(-2)[:, 2].mean()
    rate = (tracked.u[-1] - tracked.u[0])[2] / (tracked.time[-1] - tracked.time[0])  # of the root, as an estimate
    weight = tracked.figure.mass * 9.81
    assert abs(force / weight - 1.0 - rate / 9.81) < 0.05


def test_the_recorded_motion_has_the_bits_of_the_sample_that_was_found(planned, tracked):
    """The search computes it among 256 others, the record alone."""
    again = ap.gait.track(planned, settings=PLAN)
    assert np.array_equal(again.q, tracked.q) and np.array_equal(again.tau, tracked.tau)
    scene = ap.Scene(planned.figure, features="body", limits=tracking.SoftLimits())
    guide = tracking._Guide(planned.figure, tracking.desired_motion(planned, PLAN.period, None), PLAN)
    path, reached = tracking._search(scene, guide, PLAN, None)
    sim = tracking._simulation(scene, guide, PLAN, 3)
    start = np.zeros((3, planned.figure.nu))
    for window, offsets in enumerate(path):
        first, last = window * guide.per, min((window + 1) * guide.per, len(guide.q) - 1)
        for k in range(first + 1, last + 1):
            sim.step(20, command=guide.target(k, start + (k - first) / (last - first) * (offsets - start)))
            here = np.flatnonzero(np.abs(tracked.time - guide.time[k]) < 1e-9)
            assert all((sim.q[1] == tracked.q[i]).all() for i in here)
        start = start * 0.0 + offsets
    assert reached == guide.windows


def test_hidds_replays_it_without_a_force_at_the_root(planned):
    tracked = ap.gait.track(planned, settings=TrackingSettings(samples=256, cutoff=None, frame=1e-3))
    replay = hidds(tracked, root="free", dt=1e-3)
    assert len(replay) == len(tracked) and (replay.channels["residual"] == 0.0).all()
    assert np.abs(replay.q[:, 2] - tracked.q[:, 2]).max() < 1e-9  # the same steps; measured 1e-15
    assert np.abs(replay.channels["error"]).max() < 0.05  # feedback on joints; measured 0.016


def test_a_motion_that_cannot_be_followed_is_reported(person):
    still = ap.standing(person)
    rising = np.tile(still, (61, 1))
    rising[:, 2] += np.linspace(0.0, 3.0, 61)  # to 3 m in a second and a half
    motion = ap.Motion(person, np.linspace(0.0, 1.5, 61), rising)
    few = TrackingSettings(samples=32, attempts=1)
    with pytest.warns(PhysicsWarning, match=r"leaves the captured motion, or falls, at \d"):
        found = ap.gait.track(motion, settings=few)
    assert found.metadata["tracking"]["share"] < 1.0 or found.metadata["fell"]
    with pytest.raises(StepError) as caught:
        ap.gait.track(motion, settings=few, strict=True)
    assert len(caught.value.motion) == len(found)


def test_inputs_that_cannot_be_tracked_are_refused(person, planned):
    with pytest.raises(InputError, match="not a motion"):
        ap.gait.track("walk.bvh")
    arm = ap.sample("double_pendulum")
    with pytest.raises(InputError, match=r"needs a figure with a free root .* ap\.motion\.retarget"):
        ap.gait.track(ap.simulate(arm, [0.1, 0.2], steps=5))
    with pytest.raises(InputError, match="another figure"):
        ap.gait.track(planned, ap.Scene(ap.human(1.6, 50.0)))
    with pytest.raises(InputError, match="less than two periods"):
        ap.gait.track(planned[:2])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"samples": 1}, "samples=1"),
        ({"window": 0.03}, "not a multiple of period"),
        ({"dt": float("nan")}, "dt=nan"),
        ({"kept": 1.5}, "at most 1"),
    ],
)
def test_wrong_settings_are_named(given, message):
    with pytest.raises(InputError, match=message):
        TrackingSettings(**given)


def test_a_captured_walk_is_tracked_to_its_end(shared, tmp_path):
    """The file of a laboratory, by the command."""
    captured = ap.load_motion(shared / "bvh/cmu/07_01.bvh", scale="cmu")[1:]
    ap.motion.retarget(captured, limits=True).save(tmp_path / "walk.npz")
    found = CliRunner().invoke(app, ["track", str(tmp_path / "walk.npz"), "--json", "--out", str(tmp_path / "t.npz")])
    assert found.exit_code == 0, found.output
    shown = json.loads(found.stdout)
    assert shown["tracking"]["share"] == 1.0 and not shown["fell"]
    motion = ap.Motion.load(tmp_path / "t.npz")
    assert motion.time[-1] > captured.time[-1] - 0.05 and (motion.tau[:, :6] == 0.0).all()


def _at(motion, times):
    """Return the configurations of a motion at the nearest frames."""
    return motion.q[np.argmin(np.abs(motion.time[:, None] - times), axis=0)]
