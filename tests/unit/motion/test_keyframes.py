"""Keyframes: two derivatives through every key for every joint, parameters by name, and what a kernel makes of them."""

import numpy as np
import pytest

import anthropi as ap
from anthropi import rotation as rot
from anthropi.figure import Ball, Revolute
from anthropi.motion import JointPath, Keyframes, Motion, configuration, spline
from anthropi.motion.splines import ENDS
from oracle.figures import FAMILIES as KINDS
from oracle.figures import figure as random_figure
from unit.figure.families import FAMILIES

HAND = ap.sample("chain", links=2, joint="ball")


def keys_of(joint, seed: int, ends: str, count: int = 6):
    """Uneven times, and any configurations at all."""
    rng = np.random.default_rng(seed)
    q = np.array([joint.random(rng) for _ in range(count)])
    if ends == "periodic":
        q[-1] = q[0]
    return np.cumsum(rng.uniform(0.2, 1.0, count)), q


def sides(way, t):
    """What a way says just before a key and at it: the pieces on both sides."""
    return way(np.nextafter(t, -np.inf)), way(t)


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("name", FAMILIES)
def test_a_way_through_keys_has_two_derivatives(name, ends):
    """Jump of the acceleration ≤ 1e-9 at every key, attitudes any two of which may be half a turn apart."""
    joint = FAMILIES[name]
    for seed in range(2):
        times, q = keys_of(joint, seed, ends)
        way = JointPath(joint, times, q, ends)
        inner = times[1:-1] if ends != "periodic" else [*times[1:-1], times[-1]]
        for t in inner:
            before, after = sides(way, t)
            assert np.abs(joint.difference(before.q, after.q)).max(initial=0.0) < 1e-12
            assert np.abs(before.u - after.u).max(initial=0.0) < 1e-11
            assert np.abs(before.udot - after.udot).max(initial=0.0) <= 1e-9
        for t, wanted in zip(times, q, strict=True):
            assert np.abs(joint.difference(way(t).q, wanted)).max(initial=0.0) < 1e-12
        if ends == "natural":
            assert np.abs([way(t).udot for t in times[[0, -1]]]).max(initial=0.0) < 1e-9
        elif ends == "clamped":
            assert np.abs([way(t).u for t in times[[0, -1]]]).max(initial=0.0) < 1e-12


@pytest.mark.parametrize("rotations", ["log", "squad"])
@pytest.mark.parametrize("name", [n for n in FAMILIES if not FAMILIES[n].plain])
def test_velocity_and_acceleration_are_those_of_the_way(name, rotations):
    joint = FAMILIES[name]
    times, q = keys_of(joint, 5, "natural")
    way, h = JointPath(joint, times, q, rotations=rotations), 1e-5
    for t in np.random.default_rng(1).uniform(times[0] - 0.3, times[-1] + 0.3, 8):
        a, b, c = way(t - h), way(t), way(t + h)
        size = 1.0 + np.abs(b.udot).max() ** 1.5
        np.testing.assert_allclose(joint.difference(a.q, c.q) / (2.0 * h), b.u, atol=1e-8 * size)  # h² u'' / 6
        np.testing.assert_allclose((c.u - a.u) / (2.0 * h), b.udot, atol=1e-8 * size)


def test_about_one_axis_a_turn_is_the_spline_of_its_angle():
    axis, angles = np.array([0.6, 0.0, 0.8]), np.array([0.0, 1.0, 2.5, 2.0, 4.5])
    times = np.array([0.0, 0.5, 0.9, 1.7, 2.5])
    way = JointPath(Ball(name="b"), times, rot.quaternion_from_rotation_vector(axis * angles[:, None]))
    curve = spline(times, angles)
    for t in np.linspace(-0.2, 2.7, 30):
        angle = curve(t)
        np.testing.assert_allclose(way(t).u, axis * angle.rate, atol=1e-12)
        np.testing.assert_allclose(way(t).udot, axis * angle.acceleration, atol=1e-11)


@pytest.mark.slow
def test_very_uneven_keys_are_met_too():
    """Pieces a thousand times as long as others, attitudes at random: turns grow to their size where Newton fails."""
    rng, ball = np.random.default_rng(1), Ball(name="b")
    for _ in range(8):
        times, q = np.cumsum(np.exp(1.5 * rng.normal(size=20))), np.array([ball.random(rng) for _ in range(20)])
        way = JointPath(ball, times, q)
        for t in times[1:-1]:
            before, after = sides(way, t)
            assert np.abs(before.udot - after.udot).max() <= 1e-9 * (1.0 + np.abs(after.udot).max())


def test_squad_keeps_the_velocity_and_is_shoemakes_at_even_keys():
    ball, rng = Ball(name="b"), np.random.default_rng(3)
    q = [ball.neutral()]
    for _ in range(5):
        q.append(ball.integrate(q[-1], 0.5 * rng.normal(size=3)))
    way = JointPath(ball, np.arange(6.0), q, rotations="squad")
    jumps = [np.abs(a.udot - b.udot).max() for a, b in (sides(way, t) for t in range(1, 5))]
    assert max(np.abs(a.u - b.u).max() for a, b in (sides(way, t) for t in range(1, 5))) < 1e-13 and max(jumps) > 1e-3
    log = ball.difference

    def slerp(a, b, s):
        return ball.integrate(a, s * log(a, b))

    def corner(k):
        return ball.integrate(q[k], -0.25 * (log(q[k], q[k + 1]) + log(q[k], q[k - 1])))

    for s in (0.2, 0.5, 0.8):
        wanted = slerp(slerp(q[2], q[3], s), slerp(corner(2), corner(3), s), 2.0 * s * (1.0 - s))
        assert np.abs(log(way(2.0 + s).q, wanted)).max() < 1e-14


def test_quaternions_do_not_change_side():
    ball = Ball(name="b")
    q = np.array([ball.integrate(ball.neutral(), [0.0, 0.0, a]) for a in (0.0, 1.0, 2.0)]) * [[1.0], [-1.0], [1.0]]
    way = JointPath(ball, [0.0, 1.0, 2.0], q)
    rows = np.array([way(t).q for t in np.linspace(0.0, 2.0, 41)])
    assert (rows[1:] * rows[:-1]).sum(-1).min() > 0.99


def test_a_figure_of_every_joint_passes_its_keys_smoothly():
    """The oracles' figure with every family there is, all keys whole configurations."""
    figure = random_figure(3, links=len(KINDS) + 1, in_turn=True)
    assert {j.kind for j in figure.joints} >= {"free", "ball", "exponential", "euler", "composite", "helical"}
    rng = np.random.default_rng(0)
    keys = Keyframes(figure, {t: figure.random(rng) for t in (0.0, 0.6, 1.0, 1.7)}, ends="clamped")
    for t in (0.6, 1.0):
        before, after = sides(keys, t)
        assert np.abs(before.udot - after.udot).max() <= 1e-9
    motion = keys.motion(keys.times)
    between = Motion(figure, motion.time, motion.q, motion.u).at(0.8)  # a motion's own way is the same one
    np.testing.assert_allclose(between.u, keys(0.8).u, atol=1e-11)
    assert np.abs(figure.difference(between.q, keys(0.8).q)).max() < 1e-13


@pytest.mark.slow
def test_a_kernel_says_the_same():
    figure = ap.sample("chain", links=2, joint="ball")
    rng = np.random.default_rng(4)
    for rotations in ("log", "squad"):
        keys = Keyframes(figure, {float(t): figure.random(rng) for t in range(12)}, rotations=rotations)
        tape = ap.record(lambda t, keys=keys: tuple(keys(t)), t=np.zeros(()))
        t = np.array([-0.5, 0.0, 3.0, 7.7, 11.0, 12.5])
        for kernel in (ap.build(tape, target="replay"), ap.build(tape, opt=0)):
            for row, found in zip(t, zip(*kernel(t), strict=True), strict=True):
                for a, b in zip(found, keys(row), strict=True):
                    np.testing.assert_allclose(a, b, atol=1e-12)
        assert tape.operations < (750 if rotations == "log" else 2000)


def test_the_tape_knows_the_rates_too():
    """The derivative by time of q and u on the tape is q' = F u and u'."""
    figure = ap.sample("chain", links=2, joint="ball")
    rng = np.random.default_rng(4)
    keys = Keyframes(figure, {float(t): figure.random(rng) for t in range(4)})
    tape = ap.record(lambda t: tuple(keys(t)[:2]), t=np.zeros(()))
    for t in (0.0, 1.3, 2.0, 2.9):
        _, (qdot, udot) = ap.build(tape.jvp("t"), target="replay")(np.array(t), np.array(1.0))
        state = keys(t)
        np.testing.assert_allclose(qdot, figure.rate(state.q, state.u), atol=1e-12)
        np.testing.assert_allclose(udot, state.udot, atol=1e-11)


@pytest.mark.parametrize("rotations", ["log", "squad"])
def test_many_times_at_once(rotations):
    times = np.array([-1.0, 0.0, 0.6, 1.3, 5.0])
    rng = np.random.default_rng(4)
    keys = Keyframes(HAND, {float(t): HAND.random(rng) for t in range(4)}, rotations=rotations)
    for name, rows in keys(times)._asdict().items():
        np.testing.assert_allclose(rows, [getattr(keys(t), name) for t in times], atol=1e-12)


def test_keys_by_name_have_times_of_their_own():
    figure = ap.human()
    keys = Keyframes(figure, [(1.0, {"r_elbow.flexion": 1.2, "neck": [0.0, 0.1, 0.0]}), (0.0, {"r_elbow.flexion": 0.2}),
                              (0.4, {"neck": [0.0, 0.0, 0.3]})], base=ap.standing(figure))  # fmt: skip
    assert set(keys.joints) == {"r_elbow", "neck"} and keys.times.tolist() == [0.0, 0.4, 1.0]
    elbow = figure.dof_indices(["r_elbow.flexion"])[0]

    def x(t, name):
        return figure.joints[figure.joint_index(name)].coordinates(keys(t).q[figure.q_of[figure.joint_index(name)]])

    assert x(0.5, "r_elbow")[0] == pytest.approx(0.7) and keys(0.5).u[elbow] == pytest.approx(1.0)
    np.testing.assert_allclose(x(0.4, "neck"), [0.0, 0.0, 0.3], atol=1e-14)
    still = [k for k in range(figure.nu) if k not in figure.dof_indices(["r_elbow.flexion", "neck"])]
    assert not keys(0.5).u[still].any()
    assert "3 times, 0 to 1 s: neck, r_elbow" in repr(keys)


def test_parameters_have_keys_too():
    figure = ap.sample("double_pendulum")
    named = {"link_1.mass": {0.0: 1.0, 1.0: 3.0, 2.0: 1.0}, "speed": {0.0: 1.3, 2.0: 1.5}}
    keys = Keyframes(figure, {0.0: [0.0, 0.0], 2.0: [1.0, 0.5]}, ends="clamped", parameters=named)
    assert keys.parameter("link_1.mass", 1.0).value == pytest.approx(3.0)
    assert keys.figure_at(1.0).links[1].mass == pytest.approx(3.0)
    motion = keys.motion(rate=10.0)
    assert motion.channels["speed"][-1] == pytest.approx(1.5) and motion.udot.shape == (21, 2)

    def energy(t):
        return ap.dynamics.potential_energy(keys.figure_at(t), keys(t).q)

    tape = ap.record(energy, t=np.zeros(()))
    assert ap.build(tape, target="replay")(np.array(0.7)) == pytest.approx(energy(0.7), abs=1e-12)


def test_clamped_ends_may_move():
    figure = ap.sample("chain", links=2, joint="ball")
    rng = np.random.default_rng(2)
    slopes = rng.normal(size=(2, 6))
    keys = Keyframes(figure, {t: figure.random(rng) for t in (0.0, 0.5, 1.2)}, ends="clamped", slopes=slopes)
    np.testing.assert_allclose([keys(0.0).u, keys(1.2).u], slopes, atol=1e-13)
    with pytest.raises(ap.AnthropiError, match=r"give velocities \(2, 6\) with ends='clamped'"):
        Keyframes(figure, {0.0: figure.neutral()}, slopes=slopes)


def test_one_key_is_held():
    figure = ap.sample("pendulum")
    keys = Keyframes(figure, {1.0: [0.4]})
    assert keys(5.0).q == pytest.approx([0.4]) and not keys(-3.0).u.any()


def test_configurations_by_name():
    figure = ap.sample("chain", links=2, joint="ball")
    q = configuration(figure, {"joint_1": [0.1, 0.2, 0.3], "joint_0.z": 0.5})
    np.testing.assert_allclose(figure.joints[1].coordinates(q[4:]), [0.1, 0.2, 0.3], atol=1e-15)
    np.testing.assert_allclose(figure.joints[0].coordinates(q[:4]), [0.0, 0.0, 0.5], atol=1e-15)
    again = configuration(figure, {"joint_0": q[4:]}, q)
    np.testing.assert_array_equal(again[:4], q[4:])


@pytest.mark.parametrize(
    ("keys", "options", "message"),
    [
        ({}, {}, "at least one"),
        ({0.0: {"joint_9": 1.0}}, {}, "No joint or degree of freedom 'joint_9'"),
        ({0.0: {"joint_0": [1.0, 2.0]}}, {}, "'joint_0' is set to 2 numbers; it needs 1"),
        ({0.0: [0.0]}, {}, r"needs \(2,\)"),
        ({0.0: [0.0, np.nan]}, {}, "not finite"),
        ({"soon": [0.0, 0.0]}, {}, "finite numbers"),
        ([(0.0, [0, 0]), (0.0, [0, 0])], {}, "two keys at 0 s"),
        ({0.0: [0, 0], 1.0: [1, 1]}, {"ends": "periodic"}, "'joint_0': a periodic path must end as it begins"),
        ({0.0: [0, 0]}, {"rotations": "slerp"}, "rotations='slerp'"),
        ({0.0: [0, 0]}, {"parameters": {"link_1.mas": {0.0: 1.0}}}, "Did you mean 'link_1.mass'"),
    ],
)
def test_bad_keys_are_answered(keys, options, message):
    with pytest.raises(ap.AnthropiError, match=message):
        Keyframes(ap.sample("double_pendulum"), keys, **options)


def test_an_unknown_parameter_is_answered():
    keys = Keyframes(ap.sample("pendulum"), {0.0: [0.0]}, parameters={"speed": {0.0: 1.0}})
    with pytest.raises(ap.AnthropiError, match="Did you mean 'speed'"):
        keys.parameter("sped", 0.0)
    with pytest.raises(ap.AnthropiError, match=r"shape \(2, 2\); give numbers of shape \(2, 1\)"):
        JointPath(Revolute(name="r"), [0.0, 1.0], np.zeros((2, 2)))
