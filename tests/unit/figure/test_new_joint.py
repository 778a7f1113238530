"""A joint with no more than the methods of `figure/joints/interface.py` works everywhere.

The joint turns about z by θ and slides along x of the child by r θ: a wheel that rolls on a line. It has one degree of
freedom, S = [0, 0, 1, r cos θ, -r sin θ, 0], which is not made of unit columns.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import anthropi as ap
from anthropi import spatial
from anthropi.algebra.scalar import cos, sin
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.figure import Free, Joint, Link, Revolute, figure_from_parts


@dataclass(frozen=True, eq=False, kw_only=True)
class Rolling(Joint):
    """Rotation about z by θ [rad] and translation along x by radius · θ."""

    radius: float = 0.2
    kind: ClassVar[str] = "rolling"
    nq: ClassVar[int] = 1
    nu: ClassVar[int] = 1

    def transform(self, q):
        s, c = sin(q[0]), cos(q[0])
        rotation = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        return spatial.Transform(rotation, np.array([self.radius * q[0], 0.0, 0.0]))

    def subspace(self, q):
        s, c = sin(q[0]), cos(q[0])
        return np.array([[0.0], [0.0], [1.0], [self.radius * c], [-self.radius * s], [0.0]])

    def bias(self, q, u):
        s, c = sin(q[0]), cos(q[0])
        rate = self.radius * u[0] * u[0]
        return np.array([0.0, 0.0, 0.0, -rate * s, -rate * c, 0.0])


def cart(lower=None, upper=None):
    body = spatial.box((0.3, 0.2, 0.1), mass=2.0, centre=(0.05, 0.02, -0.03))
    arm = spatial.box((0.1, 0.1, 0.5), mass=1.0, centre=(0.0, 0.03, 0.2))
    wheel = Rolling(name="wheel", placement=spatial.Transform(np.eye(3), np.array([0.1, 0.2, 0.3])), stiffness=3.0,
                    lower=lower, upper=upper)  # fmt: skip
    parts = [
        (None, Free(name="root"), Link.of("base", body)),
        ("base", wheel, Link.of("l_wheel", body)),
        ("l_wheel", Revolute(name="hinge", axis="y"), Link.of("arm", arm)),
    ]
    return figure_from_parts("cart", parts)


FIGURE = cart()
RNG = np.random.default_rng(3)
Q, U, TAU = FIGURE.random(RNG), RNG.normal(size=FIGURE.nu), RNG.normal(size=FIGURE.nu)


def test_dynamics_plain_and_compiled():
    udot = direct_dynamics(FIGURE, Q, U, TAU)
    np.testing.assert_allclose(inverse_dynamics(FIGURE, Q, U, udot), TAU, atol=1e-11)  # three links
    np.testing.assert_allclose(ap.direct_dynamics(FIGURE, Q, U, TAU), udot, atol=1e-11)


def test_kinematics_and_their_rates():
    h = 1e-6
    k = ap.kinematics(FIGURE, Q, U, np.zeros(FIGURE.nu))
    after, before = (ap.kinematics(FIGURE, FIGURE.integrate(Q, s * h * U), U) for s in (1.0, -1.0))
    np.testing.assert_allclose((after.position - before.position) / (2 * h), k.velocity, atol=1e-8)  # h² and 1e-16 / h


def test_limits_stop_it():
    figure = cart(lower=-0.1, upper=0.2)
    scene = ap.Scene(figure, ground=None, contact=None, limits=ap.limits.SoftLimits())
    motion = ap.simulate(scene, figure.neutral(), u=np.array([0.0] * 6 + [3.0, 0.0]), duration=0.3)
    assert motion.q[:, 7].max() < 0.3


def test_a_figure_with_it_is_rerooted_and_keeps_its_motion():
    other, q, u = FIGURE.reroot("arm", Q, U)
    here, there = ap.kinematics(FIGURE, Q, U), ap.kinematics(other, q, u)
    for name in ("base", "l_wheel", "arm"):
        one, two = (k.centre(name) for k in (here, there))
        np.testing.assert_allclose(one.position, two.position, atol=1e-12)
        np.testing.assert_allclose(one.velocity, two.velocity, atol=1e-12)


def test_a_figure_with_it_is_mirrored_twice_and_comes_back():
    image, q, u = FIGURE.mirror(Q, U)
    mirror = np.array([1.0, -1.0, 1.0])
    here, there = ap.kinematics(FIGURE, Q, U), ap.kinematics(image, q, u)
    for name, other in (("base", "base"), ("l_wheel", "r_wheel"), ("arm", "arm")):
        np.testing.assert_allclose(here.centre(name).position * mirror, there.centre(other).position, atol=1e-12)
        np.testing.assert_allclose(here.centre(name).velocity * mirror, there.centre(other).velocity, atol=1e-12)
    again, q2, u2 = image.mirror(q, u)
    np.testing.assert_allclose(q2, Q, atol=1e-15)
    np.testing.assert_allclose(u2, U, atol=1e-15)
    assert again.key == FIGURE.key
    energy = [ap.dynamics.kinetic_energy(f, a, b) for f, a, b in ((FIGURE, Q, U), (image, q, u))]
    assert energy[0] == pytest.approx(energy[1], rel=1e-12)


def test_what_is_missing_is_named():
    with pytest.raises(NotImplementedError, match=r"Incomplete needs a method transform\(q\)"):
        Incomplete(name="a").transform(np.zeros(1))
    with pytest.raises(NotImplementedError, match=r"Incomplete needs `axes`, or a method subspace\(q\)"):
        Incomplete(name="a").subspace(np.zeros(1))


class Incomplete(Joint):
    nq = nu = 1
