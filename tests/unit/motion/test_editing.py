"""Other motions of one or two: at other times, cut, joined, blended, mirrored; for every joint."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.figure import Locked
from anthropi.motion import Event, Motion, blend, concatenate, ramp
from anthropi.motion.editing import moved_to
from anthropi.simulation.motion_frames import Lost
from anthropi.simulation.rooted import NewRoot
from oracle.figures import FAMILIES as KINDS
from oracle.figures import figure as random_figure

EVERY = random_figure(3, links=len(KINDS) + 1, in_turn=True)  # a floating base and every family
HUMAN = ap.human()


def motion_of(figure, seed=0, frames=6, start=0.0, reach=0.3, **fields):
    """A motion at uneven times."""
    rng = np.random.default_rng(seed)
    time = start + np.concatenate([[0.0], np.cumsum(rng.uniform(0.1, 0.3, frames - 1))])
    base = ap.standing(figure) if figure is HUMAN else figure.random(rng)
    q = figure.integrate(np.tile(base, (frames, 1)), reach * rng.normal(size=(frames, figure.nu)))
    return Motion(figure, time, q, rng.normal(size=(frames, figure.nu)), **fields)


def speed_is_that_of_the_way(motion, times, h=1e-6, atol=3e-7):
    for t in times:
        a, b, c = (motion.at(t + k * h) for k in (-1, 0, 1))
        np.testing.assert_allclose(motion.figure.difference(a.q, c.q) / (2.0 * h), b.u, atol=atol)


def test_resampling_is_on_the_way_and_comes_back():
    motion = motion_of(EVERY, channels={"heat": np.arange(6.0), "tau": np.ones((6, EVERY.nu))})
    middle = 0.5 * (motion.time[1] + motion.time[2])
    fine = motion.resample([motion.time[0], middle, motion.time[3]])
    np.testing.assert_array_equal(fine.q[1], motion.at(middle).q)
    assert fine.channels["heat"] == pytest.approx([0.0, 1.5, 3.0]) and fine.tau.shape == (3, EVERY.nu)
    back = motion.resample(np.union1d(motion.time, [middle])).resample(motion.time)
    assert np.abs(EVERY.difference(back.q, motion.q)).max() < 1e-13
    np.testing.assert_array_equal(back.channels["heat"], motion.channels["heat"])
    even = motion.resample(rate=50.0)
    assert even.time[0] == motion.time[0] and even.time[-1] == motion.time[-1]
    assert np.ptp(np.diff(even.time)) < 1e-12 and len(even) == round(50.0 * np.ptp(motion.time)) + 1
    assert motion.resample(motion.time) is motion


def test_batches_and_precision_are_kept():
    one = motion_of(HUMAN)
    many = Motion(HUMAN, one.time, np.stack([one.q] * 3).astype(np.float32), np.stack([one.u] * 3).astype(np.float32),
                  {"load": np.ones((3, 6, 2), np.float32)})  # fmt: skip
    found = many.resample(rate=20.0)
    assert found.q.shape[0] == 3 and found.q.dtype == np.float32 and found.channels["load"].dtype == np.float32
    assert found.channels["load"].shape == (3, len(found), 2) and many.mirror().q.dtype == np.float32
    np.testing.assert_allclose(found.q[1], one.resample(rate=20.0).q, atol=1e-6)
    assert many.slice(0.1, 0.4).q.shape[0] == 3 and blend(many, many, 0.3).q.shape == many.q.shape


def test_a_part_has_frames_at_its_ends_and_its_events():
    events = (Event(0.05, "early"), Event(0.3, "middle"), Event(0.9, "late"))
    motion = motion_of(EVERY, events=events)
    part = motion.slice(0.2, 0.6)
    assert part.time[0] == 0.2 and part.time[-1] == 0.6 and part.events == events[1:2]
    np.testing.assert_array_equal(part.q[0], motion.at(0.2).q)
    assert set(part.time[1:-1]) == {t for t in motion.time if 0.2 < t < 0.6}
    assert len(motion.slice(0.2, 0.2)) == 1 and motion.slice() is not None and len(motion.slice()) == len(motion)
    later = motion.shift(2.0)
    assert later.time[0] == 2.0 and later.events[0].time == 2.05 and later.events[0].what == "early"


def test_motions_that_meet_are_strung_together():
    whole = motion_of(EVERY, channels={"heat": np.arange(6.0)}, events=(Event(0.5, "x"),), metadata={"who": "me"})
    t = whole.time[3]
    again = concatenate(whole.slice(end=t), whole.slice(start=t).shift(7.0))
    np.testing.assert_allclose(again.time, whole.time, atol=1e-12)
    np.testing.assert_array_equal(again.q, whole.q)
    np.testing.assert_array_equal(again.channels["heat"], whole.channels["heat"])
    assert again.events[0].time == pytest.approx(0.5) and again.metadata == {"who": "me"}


def test_motions_that_do_not_meet_are_refused_by_name():
    a = motion_of(HUMAN, reach=0.0)
    b = a.changed(q=HUMAN.integrate(a.q, 0.2 * np.eye(HUMAN.nu)[HUMAN.dof_indices(["l_knee"])[0]]), u=a.u)
    with pytest.raises(ap.AnthropiError, match=r"do not meet at .* differ by 0.2 in 'l_knee'.*overlap="):
        concatenate(a.changed(u=0.0 * a.u), b.changed(u=0.0 * b.u))
    with pytest.raises(ap.AnthropiError, match="velocities differ by"):
        concatenate(a, a.changed(u=a.u + 1.0))


@pytest.mark.slow
def test_motions_go_over_into_each_other():
    """The path through the overlap is smooth: its velocity is the recorded one, at its ends too."""
    a, b = motion_of(EVERY, 1), motion_of(EVERY, 2)
    joined = a.then(b, overlap=0.3)
    assert joined.time[-1] == pytest.approx(a.time[-1] - 0.3 + b.time[-1])
    begin, end = a.time[-1] - 0.3, a.time[-1]
    for t, motion, own in ((begin, a, begin), (end, b, 0.3)):
        found, wanted = joined.at(t), motion.at(own)
        assert np.abs(EVERY.difference(found.q, wanted.q)).max() < 1e-12
        np.testing.assert_allclose(found.u, wanted.u, atol=1e-12)
    later = concatenate(a, b, a, overlap=0.2)
    assert later.time[-1] == pytest.approx(2.0 * a.time[-1] + b.time[-1] - 0.4)
    with pytest.raises(ap.AnthropiError, match="longer than one of the motions"):
        a.then(b, overlap=9.0)


def test_a_placed_motion_begins_where_the_last_one_ended():
    a, b = motion_of(HUMAN, 1, reach=0.05), motion_of(HUMAN, 2, reach=0.05)
    turn = HUMAN.integrate(b.q, np.eye(HUMAN.nu)[5] * 2.0) + 5.0 * np.eye(HUMAN.nq)[0]
    moved = moved_to(b.changed(q=turn), a[-1])
    np.testing.assert_allclose(moved.q[0, :2], a.q[-1, :2], atol=1e-12)
    assert moved.q[0, 2] == pytest.approx(turn[0, 2])

    def yaw(q):
        return ap.rotation.euler_from_quaternion(q[3:7], "zyx")[0]

    assert abs(yaw(moved.q[0]) - yaw(a.q[-1])) < 0.02  # tilts differ a little, and so does the nearest turn
    speed_is_that_of_the_way(moved, [0.5 * (moved.time[1] + moved.time[2])])
    np.testing.assert_allclose(
        ap.dynamics.kinetic_energy(HUMAN, moved.q, moved.u), ap.dynamics.kinetic_energy(HUMAN, turn, b.u)
    )
    with pytest.raises(ap.AnthropiError, match="needs a free root"):
        motion_of(ap.sample("pendulum")).then(motion_of(ap.sample("pendulum")), align=True)


@pytest.mark.parametrize("weight", [0.0, 1.0])
def test_a_blend_ends_at_its_motions(weight):
    a = motion_of(EVERY, 1)
    b = motion_of(EVERY, 1, reach=0.5)
    found, wanted = blend(a, b, weight), (a, b)[int(weight)]
    assert np.abs(EVERY.difference(found.q, wanted.resample(found.time).q)).max() < 1e-12
    np.testing.assert_allclose(found.u, wanted.resample(found.time).u, atol=1e-11)


def test_velocities_of_a_blend_are_those_of_its_way():
    """Blend of two paths of every joint, by a changing weight: velocities equal differences of configurations."""
    a, b = motion_of(EVERY, 1), motion_of(EVERY, 4)
    weight, h, t = ramp(0.0, 0.5), 1e-5, 0.17
    rows = blend(a.resample([t - h, t, t + h]), b.resample([t - h, t, t + h]), weight)
    by_hand = EVERY.difference(rows.q[0], rows.q[2]) / (2.0 * h)
    np.testing.assert_allclose(rows.u[1], by_hand, atol=1e-6 * (1.0 + np.abs(rows.u).max() ** 3))


def test_a_blend_of_turns_takes_the_short_way():
    ball = ap.sample("spherical_pendulum")
    q = [ball.integrate(ball.neutral(), [0.0, 0.0, x]) for x in (0.2, 1.0)]
    a, b = (Motion(ball, [0.0, 1.0], [x, x], channels={"heat": [k, k]}) for k, x in enumerate(q))
    middle = blend(a, b, 0.25, channels="heat")
    np.testing.assert_allclose(ball.difference(ball.neutral(), middle.q[0]), [0.0, 0.0, 0.4], atol=1e-15)
    assert middle.channels["heat"] == pytest.approx([0.25, 0.25]) and not blend(a, b, 0.25).channels


def test_what_cannot_be_joined_is_answered():
    a, other = motion_of(HUMAN), motion_of(EVERY)
    for make, message in (
        (lambda: blend(a, other, 0.5), "of figure 'human', the other of 'random 3'"),
        (lambda: blend(a, a.shift(9.0), 0.5), "no time in common"),
        (lambda: blend(a, a, "half"), "weight='half'"),
        (lambda: blend(a, a, 0.5, channels=["heat"]), "Channel 'heat' is not in both"),
        (lambda: blend(a, 3, 0.5), "takes motions; got int"),
        (concatenate, "at least one motion"),
        (lambda: concatenate(a, a, overlap=-1.0), "overlap=-1.0"),
        (lambda: a.resample(), "give one of them"),
        (lambda: a.resample(rate=0.0), "rate=0.0"),
        (lambda: a.resample([9.0]), "at takes a time"),
        (lambda: a.slice(0.0, 9.0), "is not in it"),
        (lambda: a.shift(np.nan), "give seconds"),
        (lambda: a.changed(channels={"tau": np.ones(6)}), r"'tau' has shape \(6,\); it must have \(6, 50\)"),
    ):
        with pytest.raises(ap.AnthropiError, match=message):
            make()


def test_a_person_does_the_mirrored_motion():
    """Left and right exchanged: markers lie where their twins lay, mirrored; forces make the mirrored motion."""
    motion = motion_of(HUMAN, events=(Event(0.1, "l_foot touches"), NewRoot(0.2, "l_foot"), Lost(0.3, 0)))
    udot = np.random.default_rng(1).normal(size=motion.u.shape)
    tau = ap.inverse_dynamics(HUMAN, motion.q, motion.u, udot)
    motion = motion.changed(channels={"udot": udot, "tau": tau, "l_heel.load": motion.time, "f": np.ones((6, 3))})
    image = motion.mirror()
    assert image.figure is HUMAN and set(image.channels) == {"udot", "tau", "r_heel.load"}
    assert image.events == (Event(0.1, "r_foot touches"), NewRoot(0.2, "r_foot"), Lost(0.3, 0))
    for k in range(len(motion)):
        here, there = ap.kinematics(HUMAN, motion.q[k]), ap.kinematics(HUMAN, image.q[k])
        for side, other in (("l_foot", "r_foot"), ("r_hand", "l_hand"), ("head", "head")):
            np.testing.assert_allclose(there.link(other).position, [1, -1, 1] * here.link(side).position, atol=1e-12)
    again = ap.inverse_dynamics(HUMAN, image.q, image.u, image.udot)
    np.testing.assert_allclose(again, image.tau, atol=1e-9)
    np.testing.assert_array_equal(image.mirror().q, motion.q)
    np.testing.assert_array_equal(image.mirror().u, motion.u)


def test_a_figure_that_is_not_its_own_image_is_mirrored_too():
    lame = HUMAN.with_numbers(["l_thigh.mass"], [9.0])
    image = motion_of(HUMAN).changed(figure=lame).mirror()
    assert image.figure is not lame and image.figure.links[lame.link_index("r_thigh")].mass == 9.0
    held = HUMAN.lock(["l_knee"], ap.standing(HUMAN))
    assert isinstance(held.joints[held.joint_index("l_knee")], Locked)
    still = Motion(held, [0.0], [held.state_from(HUMAN, ap.standing(HUMAN))])
    assert isinstance(still.mirror().figure.joints[held.joint_index("r_knee")], Locked)


def test_channels_udot_and_tau_have_names():
    plain = motion_of(HUMAN)
    assert plain.udot is None and plain.tau is None
    assert plain.changed(channels={"tau": np.ones(plain.u.shape)}).tau.sum() == plain.u.size
