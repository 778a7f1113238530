"""Inverse dynamics and HIDDS of a simulated walk, with the contact forces it has recorded.

The walker moves by joint torques and contact forces alone, so its motion determines both: inverse dynamics must give
its own torques back and leave nothing at the root. With a frame at every step it does so to rounding error. By default
forces are means over 10 ms, which bounds the accuracy: at a heel strike the state changes within one interval.
"""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError, MissingContactWarning
from anthropi.gait.walker.performer import perform
from anthropi.motion.contacts import interval_means, over_increments

WEIGHT = 75.0 * 9.81
pytestmark = pytest.mark.filterwarnings("error::anthropi.errors.MissingContactWarning")


@pytest.fixture(scope="module")
def walk():
    return ap.walk(ap.human(1.75, 75.0), speed=1.3, steps=8)


@pytest.fixture(scope="module")
def part(walk):
    return walk.slice(0.5, 1.5)


def without(motion, *names):
    return motion.changed(channels={name: x for name, x in motion.channels.items() if name not in names})


def test_inverse_dynamics_of_a_walk_gives_the_walkers_own_torques(walk):
    found = ap.inverse_motion(without(walk, "tau"))
    (ankle,) = walk.figure.dof_indices(["l_ankle.dorsiflexion"])
    assert abs(found.tau[:, ankle].min() + 117.0) < 2.0 and abs(found.tau[:, ankle].max() - 32.0) < 2.0
    error, rows = (found.tau - walk.tau)[:-1, 6:], slice(0, -1)  # no interval follows the last frame
    assert np.abs(error).max() < 0.8  # 0.55 N m at heel strikes, where 10 ms hold all of the impact
    assert (np.sqrt(np.mean(error**2, axis=0)) < 0.0015 * np.ptp(walk.tau[:, 6:], axis=0)).all()  # the worst: 0.0010
    force, moment = found.channels["residual"][rows, :3], found.channels["residual"][rows, 3:]
    assert np.abs(force).max() < 0.002 * WEIGHT and np.sqrt(np.mean(force**2)) < 2e-4 * WEIGHT
    assert np.abs(moment).max() < 1.0 and np.sqrt(np.mean(moment**2)) < 0.1
    assert "tau" in interval_means(found).channels and found.metadata["inverse"]["forces"] == "recorded"


def explained(motion):
    """Whether inverse dynamics of recorded forces gives the recorded torques in every step, and nothing at the root."""
    found, bound = ap.inverse_motion(without(motion, "tau")), 1e-9 * WEIGHT
    assert np.abs(motion.channels["contact"]).max() > 0.5 * WEIGHT
    error = np.abs(found.tau - motion.tau)[:-1].max()
    return error < bound and np.abs(found.channels["residual"]).max() < bound


@pytest.mark.slow
def test_every_step_of_a_walk_balances(walk):
    """Frames at every step: the same walk, and its torques to rounding error."""
    every = ap.walk(walk.figure, speed=1.3, steps=2, every=1)
    n = len(every) // 10
    assert np.array_equal(every.q[::10][:n], walk.q[:n]) and np.array_equal(every.u[::10][:n], walk.u[:n])
    means = every.channels["contact"][: 10 * n].reshape(n, 10, -1, 3).mean(1)
    assert np.abs(means - walk.channels["contact"][:n]).max() < 1e-9 * WEIGHT
    assert explained(every)
    assert np.abs(every[::10].channels["contact"][: n - 1] - walk.channels["contact"][: n - 1]).max() < 1e-9 * WEIGHT


@pytest.mark.slow
def test_every_step_of_a_run_and_a_jump_balances(walk):
    run = ap.walk(walk.figure, kind="run", steps=3, every=1)
    jump = perform(walk.figure, "jump", duration=2.5, every=1, record=("contact", "tau"))
    assert explained(run) and explained(jump)


def test_steps_between_frames_divide_a_tick(walk):
    with pytest.raises(InputError, match=r"every=3 is not valid.*1, 2, 5 or 10"):
        ap.walk(walk.figure, steps=1, every=3)


def test_a_shorter_interval_leaves_less_at_the_root(walk):
    """The error is of second order in the interval between frames; every second frame holds means over two."""
    coarse, fine = (ap.inverse_motion(x).channels["residual"] for x in (walk[::2], walk))
    assert np.sqrt(np.mean(coarse**2)) > 2.5 * np.sqrt(np.mean(fine**2))


def test_edited_motions_keep_their_impulses(walk):
    """Slices, resampled and joined motions hold means over their own intervals."""
    impulse = walk.channels["contact"][100:300].sum(0) * 0.01
    rate = walk.slice(1.0, 3.0).resample(rate=75.0)
    assert np.abs(rate.channels["contact"][:-1].sum(0) / 75.0 - impulse).max() < 1e-6
    every_fourth = walk[100:304:4]
    assert np.abs(every_fourth.channels["contact"][:50].sum(0) * 0.04 - impulse).max() < 1e-9
    joined = walk.slice(0.0, 2.0).then(walk.slice(2.0, 4.0))
    for name in ("contact", "contact_point", "tau"):
        assert np.array_equal(joined.channels[name], walk.slice(0.0, 4.0).channels[name])


def test_accelerations_recorded_as_means_are_not_taken_for_those_at_the_frames(walk):
    udot = np.concatenate([np.diff(walk.u, axis=0), np.zeros((1, walk.figure.nu))]) / 0.01
    with_means = walk.changed(channels=walk.channels | {"udot": udot})
    assert np.array_equal(ap.inverse_motion(with_means).tau, ap.inverse_motion(walk).tau)


def test_a_filter_acts_on_motion_and_contact_forces_alike(walk):
    found = ap.inverse_motion(walk, cutoff=20.0)
    residual = found.channels["residual"][10:-10]
    assert np.sqrt(np.mean(residual[:, :3] ** 2)) < 0.01 * WEIGHT
    (ankle,) = walk.figure.dof_indices(["l_ankle.dorsiflexion"])
    assert -125.0 < found.tau[:, ankle].min() < -100.0


@pytest.mark.parametrize("dt", [0.01, 1.0 / 120.0, 0.02])
def test_forces_held_over_increments_keep_the_impulse(walk, dt):
    times = np.arange(0.0, 4.0, dt)
    force = walk.channels["contact"]
    held = over_increments(force, walk.time, times)
    n = round(times[-1] / 0.01)
    assert np.allclose(held[:-1].sum(0) * dt, force[:n].sum(0) * 0.01 + (times[-1] - n * 0.01) * force[n], atol=1e-9)
    if dt == 0.01:
        assert np.allclose(held[:-1], force[: len(times) - 1], rtol=0.0, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("dt", [0.01, 1.0 / 120.0])
def test_hidds_of_a_walk_follows_it_on_the_ground(walk, dt):
    """The root is led along the walk by default; the recorded forces carry it, so little is left to lead it with."""
    found = ap.hidds(walk, dt=dt)
    assert found.metadata["hidds"]["root"] == "driven"
    assert np.abs(found.q[:, 2] - walk.at(found.time).q[:, 2]).max() < 1e-9
    assert np.abs(found.channels["error"]).max() < 0.06  # forces are held for 10 ms, through heel strikes
    assert np.sqrt(np.mean(found.channels["residual"][:, :3] ** 2)) < 0.03 * WEIGHT
    (ankle,) = walk.figure.dof_indices(["l_ankle.dorsiflexion"])
    assert -130.0 < found.tau[:, ankle].min() < -100.0


@pytest.mark.slow
@pytest.mark.parametrize("method", ["rk4", "semi_implicit_euler"])
def test_feet_that_are_driven_stay_under_the_recorded_forces(part, method):
    """A loaded foot under a held force is an inverted pendulum of 8 ms: it is led, as the ground leads it."""
    feet = ("l_ankle", "r_ankle", "l_toe", "r_toe")
    found = ap.hidds(part, driven=feet, method=method)
    assert np.abs(found.channels["error"]).max() < 0.06
    assert np.sqrt(np.mean(found.channels["residual"][:, :3] ** 2)) < 0.05 * WEIGHT


@pytest.mark.slow
def test_a_free_root_is_carried_by_the_recorded_forces(part):
    """Nothing holds the root; errors of the forces add up: some centimetres in a second, where it fell 5 m before."""
    found = ap.hidds(part, root="free", driven=[j.name for j in part.figure.joints[1:]], method="rk4")
    assert np.abs(found.q[:, :3] - part.at(found.time).q[:, :3]).max() < 0.05


@pytest.mark.slow
def test_refinement_of_a_walk_ends_on_the_walk(part):
    found = ap.refine(part)
    assert found.accepted and found.error < 0.01 and found.change < 0.1
    assert np.abs(found.motion.q[:, 2] - part.at(found.motion.time).q[:, 2]).max() < 1e-9


def test_a_motion_without_its_contact_forces_is_named():
    figure = ap.human(1.75, 75.0)
    still = ap.Motion(figure, np.arange(5) / 100.0, np.tile(ap.standing(figure), (5, 1)))
    with pytest.warns(MissingContactWarning, match=r"'human'.*100 % of its weight.*no contact force"):
        ap.inverse_motion(still)
    with pytest.warns(MissingContactWarning, match="the figure falls"):
        ap.hidds(still, dt=0.01, opt=0)
    ap.hidds(still, dt=0.01, root="driven", opt=0)  # the residual is asked for
    ap.inverse_motion(still, {})  # no external force, and that is meant


@pytest.mark.slow
def test_a_fall_that_follows_a_fall_is_not_accepted(part):
    """Without contact forces, the desired root falls too, and the error of the joints says nothing."""
    with pytest.warns(MissingContactWarning, match="the figure falls"):
        found = ap.refine(part.changed(channels={}))
    assert found.gain > 10.0 and not found.accepted


def test_free_fall_and_a_figure_rooted_at_its_foot_need_no_contact_force():
    figure = ap.human(1.75, 75.0)
    time = np.arange(12) / 100.0
    q = np.tile(ap.standing(figure), (12, 1))
    falling = q.copy()
    falling[:, 2] -= 0.5 * 9.81 * time**2
    ap.inverse_motion(ap.Motion(figure, time, falling))
    rooted, there, _ = figure.reroot("l_foot", q, np.zeros((12, figure.nu)))
    ap.inverse_motion(ap.Motion(rooted, time, there))
