"""Every equation of spec/joint_motion.md, in its corrected form, as it is printed there; errata show that they matter.

Names: `test_8__E2__words`. Rates are also compared with derivatives along the motion, by the tape's forward sweep.
"""

import numpy as np
import pytest
from scipy.linalg import expm

from anthropi.algebra.spatial import Transform, skew
from anthropi.algorithms import kinematics as kin
from anthropi.algorithms.kinematics import kinematics
from anthropi.figure import (
    Ball,
    Composite,
    Cylindrical,
    Figure,
    Free,
    Link,
    Planar,
    Prismatic,
    Revolute,
    Translational,
    universal,
)
from laws.rotation.law import along
from unit.kinematics.tree import JT, PARENT, state, tree

SEEDS = range(4)
LINKS = range(1, len(JT))
each = pytest.mark.parametrize("seed", SEEDS)


def same(a, b, tol=1e-13):  # numbers of size 1 to 100, nine links in a row
    np.testing.assert_allclose(np.asarray(a, float), np.asarray(b, float), rtol=tol, atol=tol * (1 + np.abs(b).max()))


def differs(a, b):
    assert np.abs(np.asarray(a) - np.asarray(b)).max() > 1e-3


def of(i, seed):
    """gamma_i, its rate and second rate, and the joint."""
    fig, (q, u, udot, _) = tree(), state(seed)
    return q[fig.q_of[i]], u[fig.u_of[i]], udot[fig.u_of[i]], fig.joints[i]


def relative(i, seed):
    """C_i^ip of (2a), (2b), (2c)."""
    gamma, _, _, joint = of(i, seed)
    if JT[i] in (1, 2):
        return np.eye(3)  # (2a)
    if JT[i] == 3:
        return joint.placement.rotation @ bracket(gamma[0], joint.axis)  # (2b)
    return joint.placement.rotation @ from_eps(eps_of(gamma))  # (2c) with the nominal dcm


def bracket(th, g):
    return (1 - np.cos(th)) * np.outer(g, g) + np.cos(th) * np.eye(3) + np.sin(th) * skew(g)


def eps_of(quaternion):
    """[a, b, c, d], the scalar last."""
    return np.roll(quaternion, -1)


def from_eps(eps):
    a, b, c, d = eps
    return np.array([
        [a**2 - b**2 - c**2 + d**2, 2 * (a * b - c * d), 2 * (a * c + b * d)],
        [2 * (a * b + c * d), -(a**2) + b**2 - c**2 + d**2, 2 * (b * c - a * d)],
        [2 * (a * c - b * d), 2 * (b * c + a * d), -(a**2) - b**2 + c**2 + d**2],
    ])  # fmt: skip


def E_of(eps):
    a, b, c, d = eps
    return np.array([[d, -c, b], [c, d, -a], [-b, a, d], [-a, -b, -c]])


def dbar(i, seed):
    """joint(ip) → joint(i) in the inertial frame, from constants in the parent's frame."""
    gamma, _, _, joint = of(i, seed)
    d = joint.placement.origin
    moved = d + joint.axis * gamma[0] if JT[i] == 1 else d + gamma if JT[i] == 2 else d
    return state(seed)[3].rotation[PARENT[i]] @ moved


def derivative(function, seed):
    """d/dt of function(kinematics) along the motion: q' = F u, u' as given."""
    fig, (q, u, udot, _) = tree(), state(seed)
    return along(lambda q, u: function(kinematics(fig, q, u)), (q, u), (fig.rate(q, u), udot))


# attitude


@each
def test_2__attitude_is_the_parents_times_the_joints(seed):
    k = state(seed)[3]
    for i in LINKS:
        same(k.rotation[i], k.rotation[PARENT[i]] @ relative(i, seed))


@each
def test_2a__sliders_keep_the_attitude(seed):
    k = state(seed)[3]
    for i in LINKS:
        if JT[i] in (1, 2):
            same(k.rotation[i], k.rotation[PARENT[i]], 0.0)


@each
def test_2b__a_hinge_turns_about_its_axis_and_leaves_it_fixed(seed):
    k = state(seed)[3]
    for i in (i for i in LINKS if JT[i] == 3):
        (theta,), _, _, joint = of(i, seed)
        turned = joint.placement.rotation.T @ k.rotation[PARENT[i]].T @ k.rotation[i]
        same(turned, bracket(theta, joint.axis))
        same(turned, expm(theta * skew(joint.axis)))
        same(turned @ joint.axis, joint.axis)


@each
def test_2c__E6__a_ball_by_its_quaternion_scalar_last(seed):
    """E6: eps and q-bar are one quaternion. Off the unit sphere C Cᵀ = |eps|⁴ 1 (section 8)."""
    k = state(seed)[3]
    for i in (i for i in LINKS if JT[i] == 4):
        gamma, _, _, joint = of(i, seed)
        same(joint.placement.rotation.T @ k.rotation[PARENT[i]].T @ k.rotation[i], from_eps(eps_of(gamma)))
        C = from_eps(1.1 * eps_of(gamma))
        same(C @ C.T, 1.1**4 * np.eye(3))


# position


@each
def test_3__E1__joints_are_placed_in_their_parents(seed):
    """E1: d is constant in the parent's frame; read in the child's, as printed, hinges and balls go astray."""
    k = state(seed)[3]
    for i in LINKS:
        same(k.position[i], k.position[PARENT[i]] + dbar(i, seed))
        if JT[i] in (3, 4):
            differs(k.position[i], k.position[PARENT[i]] + k.rotation[i] @ of(i, seed)[3].placement.origin)


@each
def test_3__E5__the_root_is_given(seed):
    """E5: the root's own values are inputs: here a free joint to the world."""
    q, u, udot, k = state(seed)
    same(k.position[0], q[:3], 0.0)
    same(k.rotation[0], from_eps(eps_of(q[3:7])))
    same(k.velocity[0], u[:3])
    same(k.angular_velocity[0], k.rotation[0] @ u[3:6])
    same(k.acceleration[0], udot[:3])
    same(k.angular_acceleration[0], k.rotation[0] @ udot[3:6])


@each
def test_4__centres_of_mass(seed):
    fig, k = tree(), state(seed)[3]
    for i, link in enumerate(fig.links):
        same(kin.point_position(k, i, link.centre), k.position[i] + k.rotation[i] @ link.centre)


# velocity


@each
def test_5__rate_of_the_quaternion(seed):
    fig, (q, u, _, _) = tree(), state(seed)
    rate = fig.rate(q, u)
    for i in (i for i in LINKS if JT[i] == 4):
        gamma, omega, _, _ = of(i, seed)
        eps, E = eps_of(gamma), E_of(eps_of(gamma))
        same(eps_of(rate[fig.q_of[i]]), 0.5 * E @ omega)
        same(E.T @ E, np.eye(3))
        same(E.T @ eps, np.zeros(3))
        same(2 * E.T @ eps_of(rate[fig.q_of[i]]), omega)


@each
def test_6__E7__angular_velocity(seed):
    """E7: the axis is link i's own, the same seen from either side of the hinge."""
    fig, (_, _, _, k) = tree(), state(seed)
    for i in LINKS:
        _, rate, _, joint = of(i, seed)
        own = np.zeros(3)
        if JT[i] == 3:
            own = k.rotation[i] @ joint.axis * rate[0]
            same(own, k.rotation[PARENT[i]] @ joint.placement.rotation @ joint.axis * rate[0])
        elif JT[i] == 4:
            own = k.rotation[i] @ rate
        same(k.angular_velocity[i], k.angular_velocity[PARENT[i]] + own)
    turning = derivative(lambda k: k.rotation, seed)
    for i in range(fig.n):
        same(turning[i], skew(k.angular_velocity[i]) @ k.rotation[i])


@each
def test_7__relative_angular_velocity_in_the_inertial_frame(seed):
    k = state(seed)[3]
    for i in (i for i in LINKS if JT[i] == 4):
        same(k.rotation[i] @ of(i, seed)[1], k.angular_velocity[i] - k.angular_velocity[PARENT[i]])


@each
def test_8__E2__velocity(seed):
    """E2: the slider's term has its rate, not its place."""
    k = state(seed)[3]
    for i in LINKS:
        gamma, rate, _, joint = of(i, seed)
        p = PARENT[i]
        C, w = k.rotation[p], k.angular_velocity[p]
        own = C @ joint.axis * rate[0] if JT[i] == 1 else C @ rate if JT[i] == 2 else np.zeros(3)
        carried = k.velocity[p] + np.cross(w, dbar(i, seed))
        same(k.velocity[i], carried + own)
        if JT[i] == 1:
            differs(k.velocity[i], carried + C @ joint.axis * gamma[0])
    same(derivative(lambda k: k.position, seed), k.velocity)


@each
def test_9__velocity_of_centres_of_mass(seed):
    fig, k = tree(), state(seed)[3]
    for i, link in enumerate(fig.links):
        r = k.rotation[i] @ link.centre
        same(kin.point_velocity(k, i, link.centre), k.velocity[i] + np.cross(k.angular_velocity[i], r))
        same(
            derivative(lambda k, i=i, s=link.centre: kin.point_position(k, i, s), seed),
            kin.point_velocity(k, i, link.centre),
        )


# acceleration


@each
def test_10__E3__angular_acceleration(seed):
    """E3: second rates go in."""
    k = state(seed)[3]
    for i in LINKS:
        _, rate, second, joint = of(i, seed)
        p = PARENT[i]
        own = np.zeros(3)
        if JT[i] == 3:
            g = k.rotation[i] @ joint.axis
            own = g * second[0] + np.cross(k.angular_velocity[p], g * rate[0])
        elif JT[i] == 4:
            own = k.rotation[i] @ second + np.cross(k.angular_velocity[p], k.rotation[i] @ rate)
        same(k.angular_acceleration[i], k.angular_acceleration[p] + own)
    same(derivative(lambda k: k.angular_velocity, seed), k.angular_acceleration)


@each
def test_11__E4__acceleration(seed):
    """E4: for three slides C_i = C_ip, and their rate is turned into the inertial frame before the cross product."""
    k = state(seed)[3]
    for i in LINKS:
        _, rate, second, joint = of(i, seed)
        p = PARENT[i]
        C, w, d = k.rotation[p], k.angular_velocity[p], dbar(i, seed)
        carried = k.acceleration[p] + np.cross(k.angular_acceleration[p], d) + np.cross(w, np.cross(w, d))
        X = np.zeros(3)
        if JT[i] == 1:
            X = C @ joint.axis * second[0] + 2 * np.cross(w, C @ joint.axis * rate[0])
        elif JT[i] == 2:
            X = C @ second + 2 * np.cross(w, C @ rate)
            differs(k.acceleration[i], carried + C @ second + 2 * np.cross(w, rate))
        same(k.acceleration[i], carried + X)
    same(derivative(lambda k: k.velocity, seed), k.acceleration)


@each
def test_12__E9__acceleration_of_centres_of_mass(seed):
    """E9: it needs the second derivatives; rates alone do not do."""
    fig, k = tree(), state(seed)[3]
    for i, link in enumerate(fig.links):
        r, w = k.rotation[i] @ link.centre, k.angular_velocity[i]
        wanted = k.acceleration[i] + np.cross(k.angular_acceleration[i], r) + np.cross(w, np.cross(w, r))
        same(kin.point_acceleration(k, i, link.centre), wanted)
        differs(wanted, np.cross(w, np.cross(w, r)))
        same(derivative(lambda k, i=i, s=link.centre: kin.point_velocity(k, i, s), seed), wanted)


# markers


def marker(name):
    fig = tree()
    return fig.marker(name), fig.link_index(fig.marker(name).link)


@each
def test_13__a_position_marker_turns_with_its_link(seed):
    (m, j), k = marker("point"), state(seed)[3]
    same(kin.point_position(k, j, m.point) - k.position[j], k.rotation[j] @ m.point)


@each
def test_14__where_it_is(seed):
    (m, j), k = marker("point"), state(seed)[3]
    same(kin.point_position(k, j, m.point), k.position[j] + k.rotation[j] @ m.point)


@each
def test_15__how_fast_it_moves(seed):
    (m, j), k = marker("point"), state(seed)[3]
    same(kin.point_velocity(k, j, m.point), k.velocity[j] + np.cross(k.angular_velocity[j], k.rotation[j] @ m.point))
    same(derivative(lambda k: kin.point_position(k, j, m.point), seed), kin.point_velocity(k, j, m.point))


@each
def test_16__how_that_changes(seed):
    (m, j), k = marker("point"), state(seed)[3]
    p, w = k.rotation[j] @ m.point, k.angular_velocity[j]
    wanted = k.acceleration[j] + np.cross(k.angular_acceleration[j], p) + np.cross(w, np.cross(w, p))
    same(kin.point_acceleration(k, j, m.point), wanted)
    same(derivative(lambda k: kin.point_velocity(k, j, m.point), seed), wanted)


@each
def test_17__a_direction_marker(seed):
    (m, j), k = marker("way"), state(seed)[3]
    same(kin.direction(k, j, m.direction), k.rotation[j] @ m.direction)


@each
def test_18__how_it_turns(seed):
    (m, j), k = marker("way"), state(seed)[3]
    same(kin.direction_velocity(k, j, m.direction), np.cross(k.angular_velocity[j], k.rotation[j] @ m.direction))
    same(derivative(lambda k: kin.direction(k, j, m.direction), seed), kin.direction_velocity(k, j, m.direction))


@each
def test_19__how_that_changes(seed):
    (m, j), k = marker("way"), state(seed)[3]
    u, w = k.rotation[j] @ m.direction, k.angular_velocity[j]
    wanted = np.cross(k.angular_acceleration[j], u) + np.cross(w, np.cross(w, u))
    same(kin.direction_acceleration(k, j, m.direction), wanted)
    same(derivative(lambda k: kin.direction_velocity(k, j, m.direction), seed), wanted)


# compound joints (section 7): the last link moves as if the joints came one after another on links without mass

AXIS = np.array([0.6, 0.0, 0.8])
COMPOUND = {
    "universal": (universal("u", "x", "z"), [Revolute(name="1", axis="x"), Revolute(name="2", axis="z")]),
    "six": (Free(name="u"), [Translational(name="1"), Ball(name="2")]),
    "cylindrical": (Cylindrical(name="u", axis=AXIS), [Prismatic(name="1", axis=AXIS), Revolute(name="2", axis=AXIS)]),
    "planar": (Planar(name="u"), [Prismatic(name="1", axis="x"), Prismatic(name="2", axis="y"), Revolute(name="3")]),
}


@pytest.mark.parametrize("name", COMPOUND)
@each
def test_universal__six__cylindrical__planar__compound_joints(name, seed):
    one, several = COMPOUND[name]
    place = Transform(expm(skew(np.array([0.3, -0.5, 0.9]))), np.array([0.1, 0.2, 0.3]))
    body = Link("end", 1.0, np.zeros(3), np.eye(3))
    row = [Revolute(name="base", axis="y"), several[0].changed(placement=place), *several[1:]]
    links = [body.__class__(f"b{k}", 1.0, np.zeros(3), np.eye(3)) for k in range(len(row))]
    chain = Figure("chain", links, row, range(-1, len(row) - 1))
    short = [Revolute(name="base", axis="y"), one.changed(placement=place)]
    whole = Figure("whole", links[:2], short, (-1, 0))
    packed = Figure("packed", links[:2], [short[0], Composite(name="c", parts=several, placement=place)], (-1, 0))
    rng = np.random.default_rng(seed)
    q, u, udot = chain.random(rng), rng.normal(size=chain.nu), rng.normal(size=chain.nu)
    wanted = kinematics(chain, q, u, udot)
    for fig in (whole, packed):
        for got, want in zip(kinematics(fig, q, u, udot), wanted, strict=True):
            same(got[-1], want[-1])
