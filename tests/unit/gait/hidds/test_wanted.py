"""Velocities and accelerations of a motion: known, differentiated, filtered."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError
from anthropi.gait.hidds import desired_motion, filtered

FIGURE = ap.human(detail="thesis42")


def keyed(seed=0):
    """Balls and a free root through random poses: C2, with u and u' known."""
    rng = np.random.default_rng(seed)
    first = ap.standing(FIGURE)
    keys = {0.3 * k: FIGURE.integrate(first, 0.25 * rng.normal(size=FIGURE.nu)) for k in range(5)}
    return ap.Keyframes(FIGURE, keys)


def test_keyframes_and_channels_are_taken_as_they_are():
    keys = keyed()
    found = desired_motion(keys, 0.02)
    exact = keys(found.time)
    assert np.array_equal(found.q, exact.q) and np.array_equal(found.udot, exact.udot)
    assert desired_motion(found, 0.02) is found and desired_motion(found) is found


@pytest.mark.parametrize("known", [False, True], ids=["from q", "from u"])
def test_differentiation_is_of_high_order_on_every_joint(known):
    """Within one piece of the keyframes all is smooth; halving the step divides errors by 8 or more (order 3, ends)."""
    keys, off = keyed(), []
    for n in (12, 24):
        time = np.linspace(0.62, 0.88, n + 1)
        exact = keys(time)
        motion = ap.Motion(FIGURE, time, exact.q, exact.u if known else None)
        found = desired_motion(motion)
        off.append([np.abs(found.u - exact.u).max(), np.abs(found.udot - exact.udot).max()])
    assert off[1][1] < off[0][1] / 6.0 and off[1][1] < 1e-2 * np.abs(exact.udot).max()
    assert known or off[1][0] < off[0][0] / 12.0


@pytest.mark.parametrize("known", [False, True], ids=["from q", "from u"])
def test_two_frames_beside_each_other_do_no_harm(known):
    """A cut between frames leaves one a hair from the next, off its way by what is interpolated."""
    keys = keyed()
    even = np.linspace(0.62, 0.88, 25)
    time = np.sort([*even, even[8] + 1e-8])
    exact = keys(time)
    q = FIGURE.integrate(exact.q, 1e-7 * (np.arange(26) == 9)[:, None] * np.ones(FIGURE.nu))
    found = desired_motion(ap.Motion(FIGURE, time, q, exact.u if known else None))
    assert np.abs(found.udot - exact.udot).max() < 1e-2 * np.abs(exact.udot).max()


def wave(frequency, rate=100.0, seconds=4.0):
    time = np.arange(0.0, seconds, 1.0 / rate)
    figure = ap.sample("double_pendulum")
    x = np.sin(2.0 * np.pi * frequency * time)
    return ap.Motion(figure, time, np.stack([x, 0.0 * x], -1))


@pytest.mark.parametrize(("frequency", "share"), [(1.0, 1.0), (6.0, np.sqrt(0.5)), (24.0, 0.0)])
def test_the_filter_halves_power_at_its_cutoff_and_has_no_delay(frequency, share):
    motion = wave(frequency)
    found = filtered(motion, 6.0)
    middle = slice(100, 300)  # 2 s: whole periods
    x, y = motion.q[middle, 0], found.q[middle, 0]
    assert abs((x @ y) / (x @ x) - share) < 1e-3  # weights end at five σ
    assert np.abs(y - share * x).max() < 5e-3  # neither early nor late
    w = 2.0 * np.pi * frequency
    assert np.abs(found.udot[middle, 0] + share * w * w * x).max() < 5e-3 * w * w  # the same for accelerations


@pytest.mark.slow
def test_the_filter_takes_noise_out_of_accelerations_of_turns():
    keys, rng = keyed(), np.random.default_rng(1)
    exact = keys.motion(rate=100.0)
    shaken = FIGURE.integrate(exact.q, 1e-3 * rng.normal(size=exact.u.shape))
    noisy = ap.Motion(FIGURE, exact.time, shaken)
    inner, raw = slice(20, -20), desired_motion(noisy)

    def off(motion, at=inner):
        return np.sqrt(np.mean((motion.udot[at] - exact.udot[at]) ** 2))

    found = desired_motion(noisy, cutoff=6.0)
    assert off(found) < 0.1 * off(raw)
    assert off(found, slice(None, 5)) < 0.1 * off(raw, slice(None, 5))  # at the ends too
    clean = desired_motion(exact, cutoff=12.0)
    assert np.abs(clean.u[inner] - exact.u[inner]).max() < 0.05 * np.abs(exact.u).max()


def test_3__what_is_filtered_turns_as_its_polynomial_does():
    """Frames far from the way that fits them, c₀ ≠ 0: u and u' are those of q_k ⊞ θ(t), here by differences."""
    figure, rng, k, cutoff, h = ap.sample("spherical_pendulum"), np.random.default_rng(5), 40, 3.0, 1e-3
    time = np.arange(81) / 100.0
    turn = np.stack([2.0 * time, 1.5 * np.sin(4.0 * time), 1.2 * np.cos(5.0 * time)], -1)
    q = figure.integrate(np.tile(figure.neutral(), (81, 1)), turn + 0.3 * rng.normal(size=turn.shape))
    found = filtered(ap.Motion(figure, time, q), cutoff)
    sigma = 0.2337 / cutoff
    at = np.flatnonzero(np.abs(time - time[k]) <= 5.0 * sigma)
    theta, t = np.array([figure.difference(q[k], q[j]) for j in at]), time[at] - time[k]
    third, fourth = (np.polyfit(t, theta, n, w=np.exp(-0.25 * (t / sigma) ** 2)) for n in (3, 4))
    c = third[-1], third[-2], fourth[-3]
    assert np.linalg.norm(c[0]) > 0.2  # [rad] from the frame

    def way(s):
        return figure.integrate(q[k], c[0] + c[1] * s + c[2] * s * s)

    def speed(s):
        return figure.difference(way(s - h), way(s + h)) / (2.0 * h)

    scale = np.abs(found.udot[k]).max()
    assert np.allclose(found.q[k], way(0.0), rtol=0.0, atol=1e-9)
    assert np.allclose(found.u[k], speed(0.0), rtol=0.0, atol=1e-4)
    assert np.allclose(found.udot[k], (speed(h) - speed(-h)) / (2.0 * h), rtol=0.0, atol=1e-4 * scale)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda m: m[:2], "cannot be computed from 2 frames"),
        (lambda m: [m], "Give a Motion or Keyframes; got list"),
        (
            lambda m: ap.Motion(m.figure, m.time, np.stack([m.q, m.q])),
            r"2 rollouts. Select one with motion.rollout\(0\)",
        ),
    ],
)
def test_what_tells_no_acceleration_is_refused(change, words):
    with pytest.raises(InputError, match=words):
        desired_motion(change(wave(1.0)))
    with pytest.raises(InputError, match="less than one increment"):
        desired_motion(wave(1.0)[:3], 1.0)
    with pytest.raises(InputError, match="cutoff=-1"):
        desired_motion(wave(1.0), cutoff=-1)
    with pytest.raises(InputError, match=r"cutoff=200 Hz is too high: .* at most 100 Hz"):
        desired_motion(wave(1.0), cutoff=200.0)
