"""Springs at limits: thesis 8.7 and its figures, gates, dampers, walls."""

import math

import numpy as np
import pytest

from anthropi.contact.limits.springs import GATES, Exponential, Linear, Power, limit_force, zone_width
from anthropi.errors import InputError
from anthropi.tape import record

W = math.pi / 8
ALPHA, BETA = -0.5, 1.2  # a joint's range [rad]
SPRINGS = [Linear(30.0), Power(90.0, 3.0), Power(50.0, 2.0), Power(40.0, 2.5), Exponential(2.0, 6.0)]


def torque(spring, x, speed, gate="direction"):
    """The moment in the joint as the thesis writes it: +f at the lower limit, -f at the upper one."""
    low = limit_force(spring, x - ALPHA, speed, W, gate).force
    high = limit_force(spring, BETA - x, -speed, W, gate).force
    return low - high


def test_8_2__magnitudes_of_the_three_laws():
    d = np.linspace(0.0, W, 50)
    assert np.array_equal(Linear(30.0).force(d)[0], 30.0 * d)
    assert np.allclose(Power(90.0, 3).force(d)[0], 90.0 * d**3, rtol=1e-15)
    assert np.allclose(Power(40.0, 2.5).force(d)[0], 40.0 * d**2.5, rtol=1e-14)
    assert np.allclose(Exponential(2.0, 6.0).force(d)[0], 2.0 * np.expm1(6.0 * d), rtol=1e-13, atol=1e-15)
    thirds = [Power(1.0, n).force(W / 3)[0] / Power(1.0, n).force(W)[0] for n in (1, 2, 3)]
    assert thirds == sorted(thirds, reverse=True), "the higher the power, the later and the more rapid the rise"


@pytest.mark.parametrize("spring", SPRINGS, ids=repr)
def test_8_3a__compression_acts_in_the_lower_zone_when_x_decreases(spring):
    x = np.linspace(ALPHA, BETA, 400)
    f = torque(spring, x, -1.0)
    inside = x < ALPHA + W
    assert (f[inside] > 0).all() and (f[~inside] == 0).all()
    assert (np.diff(f[inside]) < 0).all()
    assert np.allclose(f[inside], spring.force(ALPHA + W - x[inside])[0])
    assert (torque(spring, x, 1.0)[inside] == 0).all(), "no force when moving away"


@pytest.mark.parametrize("spring", SPRINGS, ids=repr)
def test_8_3b__tension_acts_in_the_upper_zone_when_x_increases(spring):
    x = np.linspace(ALPHA, BETA, 400)
    f = torque(spring, x, 1.0)
    inside = x > BETA - W
    assert (f[inside] < 0).all() and (f[~inside] == 0).all()
    assert np.allclose(f[inside], -spring.force(x[inside] - BETA + W)[0])


@pytest.mark.parametrize("spring", SPRINGS, ids=repr)
def test_8_7__onset(spring):
    e = 1e-9
    value, _ = spring.force(0.0)
    slope = (spring.force(e)[0] - value) / e
    assert value == 0.0
    if isinstance(spring, Power):
        assert abs(slope) < 1e-3 * spring.k  # e^(n - 1)
        assert spring.force(0.0)[1] == 0.0
    else:
        wanted = spring.k * (spring.c if isinstance(spring, Exponential) else 1.0)
        assert slope == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize("spring", SPRINGS, ids=repr)
@pytest.mark.parametrize("gate", GATES)
def test_slopes_are_those_of_the_force(spring, gate):
    rng, e = np.random.default_rng(0), 1e-6
    gap, rate = rng.uniform(-0.2, W, 200), rng.uniform(-2.0, 2.0, 200)
    keep = (abs(rate) > 1e-3) & (abs(rate - 1.25) > 1e-3) & (abs(gap) > 1e-3) & (gap < W - 1e-3)  # away from seams
    gap, rate = gap[keep], rate[keep]

    def force(gap, rate):
        return limit_force(spring, gap, rate, W, gate, dissipation=0.8, strength=3.0, wall=100.0, wall_relaxation=0.1)

    found = force(gap, rate)
    pressed = np.where(gap < 0, -300.0 * gap - 30.0 * rate, 1.0)
    keep = abs(pressed) > 1e-2
    stiffness = -(force(gap + e, rate).force - force(gap - e, rate).force) / (2 * e)
    damping = -(force(gap, rate + e).force - force(gap, rate - e).force) / (2 * e)
    assert np.allclose(found.stiffness[keep], stiffness[keep], rtol=1e-6, atol=1e-4)
    assert np.allclose(found.damping[keep], damping[keep], rtol=1e-6, atol=1e-4)
    assert (found.force >= 0).all() and (found.stiffness >= 0).all() and (found.damping >= 0).all()


def test_goes_on_past_the_limit():
    for spring in SPRINGS:
        f = [limit_force(spring, gap, 0.0, W).force for gap in (0.05, 0.0, -0.05, -0.5)]
        assert f == sorted(f) and f[0] > 0


@pytest.mark.slow
def test_E11__a_gated_spring_is_only_a_brake_and_the_others_hold():
    """A hinge under a constant load beyond what rest allows: gate `direction` lets it through, the others hold it."""
    h, inertia, load = 1e-3, 0.2, 4.0
    for gate, holds in (("direction", False), ("smooth", True), ("none", True)):
        gap, rate = 0.2, 0.0
        for _ in range(8_000):
            rate += h * (limit_force(Power(90.0, 3.0), gap, rate, W, gate, dissipation=0.1).force - load) / inertia
            gap += h * rate
        rest = W - (load / 90.0) ** (1.0 / 3.0)  # where the spring carries the load
        assert (abs(gap - rest) < 1e-3) == holds, (gate, gap, rest)
        assert holds or gap < -0.02, "it chatters on past the limit"


def test_a_damper_only_takes_energy():
    rng = np.random.default_rng(1)
    gap, rate = rng.uniform(-0.1, W, 500), rng.uniform(-20, 20, 500)
    plain, damped = (limit_force(Power(90.0, 3.0), gap, rate, W, dissipation=x).force for x in (0.0, 0.7))
    assert ((damped - plain) * rate <= 1e-12).all() and (damped >= 0).all()


@pytest.mark.parametrize("degrees", [0.0, 1.0, 8.0, 30.0, 44.9, 45.0, 90.0, math.inf])
def test_E11__zones_never_overlap(degrees):
    for zone_share in (0.1, 0.25, 0.5):
        w = zone_width(W, zone_share, math.radians(degrees))
        assert 2 * w <= math.radians(degrees) and w <= W
    assert zone_width(W, 0.5, math.radians(90.0)) == W


def test_records_with_few_operations():
    def cost(spring, **options):
        def push(g, v):
            return limit_force(spring, g, v, W, strength=2.0, **options)

        return record(push, g=np.zeros(()), v=np.zeros(())).operations

    assert cost(Power(1.0, 2.0)) <= 9
    assert cost(Power(1.0, 2.0), dissipation=0.5) <= 19
    assert cost(Exponential(1.0, 3.0), dissipation=0.5, gate="smooth", wall=1.0, wall_relaxation=0.1) <= 50


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Power(-1.0), "k=-1.0"),
        (lambda: Power(1.0, 0.5), "n=0.5"),
        (lambda: Exponential(1.0, math.nan), "c=nan"),
        (lambda: limit_force(Linear(1.0), 0.0, 0.0, W, gate="smoth"), "Did you mean 'smooth'"),
    ],
)
def test_refuses(make, words):
    with pytest.raises(InputError, match=words):
        make()
