"""Limits hold: limbs thrown at them, random torques, released joints, free flight."""

import functools
from itertools import pairwise

import numpy as np
import pytest

import anthropi as ap
from anthropi import rotation as rot
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.contact.limits import (
    HardLimits,
    ReachCone,
    SoftLimits,
    distal_mass,
    human_limits,
    implicit_limits,
    limited_step,
)
from anthropi.figure import Link
from anthropi.figure.joints import Ball
from anthropi.tape import repeat
from unit.limits.limbs import gaps, limb, runs

FALLING = ap.human().changed(gravity=np.zeros(3))
LIMITS = human_limits(FALLING)
AWAY, SPEED = 0.06, 10.0  # [rad] before the limit, which is before the zone; [rad/s]


def thrown(figure, limits):
    """One row for each end and side: its name, q at AWAY before it, u with SPEED towards it, all else neutral."""
    rows = []
    for joint, at, of in zip(figure.joints, figure.q_of, figure.u_of, strict=True):
        for name, part in _before(joint, limits.joints.get(joint.name)):
            q, u = figure.neutral(), np.zeros(figure.nu)
            q[at] = part
            row = next(end.row for end in limits.ends(figure, q) if end.name == name).astype(float)
            u[of] = -SPEED * row / np.linalg.norm(row)
            rows.append((name, q, u))
    return rows


def _before(joint, shape):
    """(name of the end, the joint's own q) for every side."""
    if shape is not None:
        for azimuth in np.linspace(-np.pi, np.pi, 12, endpoint=False):
            polar = shape.boundary.polar(azimuth)[0] - AWAY
            e1, e2, c = shape.boundary.frame
            s = np.sin(polar) * (np.cos(azimuth) * e1 + np.sin(azimuth) * e2) + np.cos(polar) * c
            side = np.cross(shape.axis, s)
            angle = np.arctan2(np.linalg.norm(side), shape.axis @ s)
            yield f"{joint.name}.swing", rot.quaternion_from_rotation_vector(angle * side / np.linalg.norm(side))
        low, high = shape.angles(np.eye(3))[2]
        for psi in (low + AWAY, high - AWAY):
            yield f"{joint.name}.twist", rot.quaternion_from_rotation_vector(psi * shape.axis)
        return
    for k, name in enumerate(joint.dofs):
        for limit, sign in ((joint.lower[k], 1.0), (joint.upper[k], -1.0)):
            if np.isfinite(limit):
                x = np.array(joint.coordinates(joint.neutral()))
                x[k] = limit + sign * min(AWAY, 0.5 * (joint.upper[k] - joint.lower[k]))
                yield name, joint.from_coordinates(x)


@functools.cache
def throws():
    """The least gap of every end (rows, ends) of the standard human, with the rest of the figure free and held."""
    rows = thrown(FALLING, LIMITS)
    kernel = runs(FALLING, LIMITS, 1e-3, 120, opt=0)
    q, u = np.array([row[1] for row in rows]), np.array([row[2] for row in rows])
    own = np.array([np.concatenate([np.full(of.stop - of.start, x[of].any()) for of in FALLING.u_of]) for x in u])
    held = np.where(own, 0.0, 1e6)  # [kg m²]
    return rows, [kernel(q, u, 0.0 * u, inertia)[2] for inertia in (0.0 * held, held)]


@pytest.mark.slow
def test_every_limit_of_standard_stops_a_limb_at_10_rad_per_s_within_5_degrees():
    rows, found = throws()
    names = [end.name for end in LIMITS.ends(FALLING, FALLING.neutral())]
    assert {row[0] for row in rows} == set(names)
    for least in found:
        assert np.isfinite(least).all()
        assert least.min() > -np.deg2rad(5.0), "no end of any joint passes by more, whichever limb was thrown"
    reached = [found[1][k, names.index(row[0])] for k, row in enumerate(rows)]
    assert max(reached) < AWAY - 0.01, "each was thrown into its zone"
    assert min(reached) < -np.deg2rad(2.0), "and the spring yields: this is no wall"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "most"), [("l_shoulder", (100.0, 100.0, 10.0)), ("r_hip", (100.0, 100.0, 100.0))])
@pytest.mark.parametrize(("kind", "past"), [("stiff", 1e-3), ("hard", 1e-6)])
def test_ten_thousand_random_torques_stay_inside(name, most, kind, past):
    """Torques up to 100 N m in the limb's axes, held for 0.3 s from rest; the arm, of 0.006 kg m² about itself, 10 N m.

    5 000 for each limb, so each kind of limit sees 10 000.
    """
    figure, rng = limb(name), np.random.default_rng(11)
    limits = human_limits(figure, kind)
    tau = rng.normal(size=(5000, 3))
    tau *= rng.uniform(0.0, 1.0, (5000, 1)) / np.linalg.norm(tau, axis=1, keepdims=True) * most
    q = np.tile(figure.neutral(), (5000, 1))
    _, u, least = runs(figure, limits, 2.5e-4, 1200)(q, 0.0 * tau, tau, np.zeros(3))
    assert np.isfinite(u).all()
    assert least.min() > -past
    assert (least.min(1) < 1e-2).mean() > 0.5, "most of them reached it"


def pendulum():
    """A rod on a ball joint, hanging aslant."""
    rod = Link("rod", 2.0, [0.0, 0.05, -0.4], np.diag([0.12, 0.115, 0.01]))
    return ap.figure_from_parts("pendulum", [("", Ball(name="ball"), rod)])


CONE = {"ball": ReachCone([0.3, 0.2, 0.9], 0.8)}


def test_a_released_ball_never_leaves_its_cone_in_60_s():
    figure, limits = pendulum(), HardLimits(CONE, restitution=0.5)
    rng = np.random.default_rng(0)
    r = rng.normal(size=(8, 3))
    q = np.array([rot.quaternion_from_rotation_vector(0.7 * x / np.linalg.norm(x)) for x in r])
    assert min(gaps(figure, limits, x).min() for x in q) > 0
    u = 4.0 * rng.normal(size=(8, 3))
    end, speed, least = runs(figure, limits, 1e-3, 60_000)(q, u, 0.0 * u, 0.0 * u)
    assert least.min() > -1e-6
    assert least.max() < 1e-4, "and each of them met it"
    before, after = (
        ap.dynamics.kinetic_energy(figure, a, b) + ap.dynamics.potential_energy(figure, a)
        for a, b in ((q, u), (end, speed))
    )
    assert (after < before).all()


def test_restitution_of_a_cone():
    """Without gravity a rod that meets its cone head on comes back with e times its speed."""
    figure = pendulum().changed(gravity=np.zeros(3))
    joints = {"ball": ReachCone([0.0, 0.0, 1.0], 0.5)}
    start = np.array([rot.quaternion_from_rotation_vector([0.45, 0.0, 0.0])])
    M = mass_matrix(figure, start[0])
    u = np.linalg.solve(M, [1.0, 0.0, 0.0])  # an impulse about the row's own axis: nothing else happens
    u = 3.0 * u / u[0]
    for e in (0.0, 0.4, 1.0):
        limits = HardLimits(joints, restitution=e)
        q, v = start[0], u
        for _ in range(40):
            q, v, _ = limited_step(figure, limits, q, v, np.zeros(3), 1e-3)
        row = limits.ends(figure, q)[0].row
        assert row @ v == pytest.approx(3.0 * e, abs=0.05)


@pytest.mark.slow
def test_hard_limits_of_a_whole_human_in_free_fall_and_spin():
    figure, rng = ap.human(), np.random.default_rng(5)
    limits = human_limits(figure, "hard")

    def run(q, u):
        def body(state):
            q, u, least = state
            q, u, _ = limited_step(figure, limits, q, u, np.zeros(figure.nu), 2e-3)
            return q, u, ap.scalar.minimum(least, _least(figure, limits, q))

        return repeat(body, (q, u, np.array(9.0)), 100)

    q, u = figure.neutral(), np.where(np.arange(figure.nu) < 6, 0.0, 4.0 * rng.normal(size=figure.nu))
    kernel = ap.build(ap.record(run, q=q, u=u), opt=0)
    q, u, least = kernel(limits.project(figure, q), u)
    assert np.isfinite(u).all() and -1e-9 < least < 1e-6


def _least(figure, limits, q):
    found = list(gaps(figure, limits, q))
    least = found[0]
    for gap in found[1:]:
        least = ap.scalar.minimum(least, gap)
    return least


def test_implicit_limits_are_the_dynamics_with_their_inertia():
    """direct and hybrid dynamics with a matrix of extra inertia equal a dense solve with M + extra."""
    figure, rng, h = ap.human(), np.random.default_rng(8), 1e-3
    limits = human_limits(figure, "stiff")
    q, u = figure.neutral(), 5.0 * rng.normal(size=figure.nu)
    for joint, at in zip(figure.joints[1:], figure.q_of[1:], strict=True):
        q[at] = joint.from_coordinates(
            np.where(rng.uniform(size=joint.nu) < 0.5, joint.lower - 0.01, joint.upper + 0.01)
        )
    tau, extra, _ = implicit_limits(figure, limits, q, u, rng.normal(size=figure.nu), h)
    assert extra.shape == (figure.nu, figure.nu) and np.array_equal(extra, extra.T)
    assert np.linalg.eigvalsh(extra).min() > -1e-9 * abs(extra).max() and abs(extra).max() > 1.0
    M, rest = mass_matrix(figure, q), inverse_dynamics(figure, q, u, np.zeros(figure.nu))
    wanted = np.linalg.solve(M + extra, tau - rest)
    found = direct_dynamics(figure, q, u, tau, extra=extra)
    assert np.allclose(found, wanted, rtol=1e-7, atol=1e-7 * abs(wanted).max())  # cond(M + extra) ~ 1e7
    held = ["l_knee", "r_hip.x", "lumbar.y"]
    udot, _ = hybrid_dynamics(figure, q, u, tau, wanted, extra=extra, prescribed=held)
    assert np.allclose(udot, wanted, rtol=1e-6, atol=1e-6 * abs(wanted).max())


def test_momentum_of_a_free_flight_is_kept_with_implicit_limits():
    """Forces and added inertia stay inside joints: one step changes no momentum, whatever the limits do."""
    rng, h = np.random.default_rng(9), 1e-3
    for kind in ("soft", "stiff"):
        limits = human_limits(FALLING, kind)
        q, u = FALLING.random(rng), 5.0 * rng.normal(size=FALLING.nu)
        tau, extra, _ = implicit_limits(FALLING, limits, q, u, np.zeros(FALLING.nu), h)
        udot = direct_dynamics(FALLING, q, u, tau, extra=extra)
        rate = ap.dynamics.momentum_rate(FALLING, q, u, udot)
        assert abs(tau).max() > 10.0
        assert np.abs(rate).max() < 1e-12 * abs(tau).max()


def test_a_spring_from_a_potential_gives_back_what_it_takes():
    """Without damper and gate the work of a spring round a closed way on the sphere is zero."""
    figure = limb("l_shoulder")
    limits = human_limits(figure, dissipation=0.0, zone=0.3)
    t = np.linspace(0.0, 2 * np.pi, 601)
    way = np.stack([0.5 + 1.4 * np.sin(t), -0.3 + 1.3 * np.cos(t), 0.8 * np.sin(2 * t)], 1)
    q = rot.quaternion_from_rotation_vector(way)
    tau = np.array([limits.force(figure, x, np.zeros(3))[0] for x in q])
    steps = np.array([figure.difference(a, b) for a, b in pairwise(q)])
    work = (0.5 * (tau[:-1] + tau[1:]) * steps).sum(1)
    assert abs(tau).max() > 10.0
    assert abs(work.sum()) < 1e-4 * abs(work).sum()  # by the trapezium rule


def test_strength_follows_the_distal_mass_and_the_factor():
    figure = ap.human()
    knee = figure.joint_index("l_knee")
    mass = sum(figure.links[figure.link_index(n)].mass for n in ("l_shank", "l_foot", "l_toes"))
    assert distal_mass(figure, knee) == pytest.approx(mass)
    q = figure.neutral()
    q[figure.q_of[knee]] = figure.joints[knee].upper + 0.05
    none, at = np.zeros(figure.nu), figure.dofs.index("l_knee")
    plain = SoftLimits().force(figure, q, none)[0][at]
    assert plain == pytest.approx(-6000.0 * mass * 0.085**2)
    for factor in (3.0, {"l_knee": 3.0}):
        assert SoftLimits(factor=factor).force(figure, q, none)[0][at] == pytest.approx(3.0 * plain)
    assert SoftLimits(by_mass=False).force(figure, q, none)[0][at] == pytest.approx(plain / mass)
    assert SoftLimits(exclude=("l_knee",)).force(figure, q, none)[0][at] == 0.0


def test_few_operations_for_a_human():
    figure = ap.human()
    soft, hard = human_limits(figure), human_limits(figure, "hard")
    q, u = figure.neutral(), np.zeros(figure.nu)
    count = {
        "now": ap.record(lambda q, u: soft.force(figure, q, u)[0], q=q, u=u).operations,
        "implicit": ap.record(lambda q, u: soft.force(figure, q, u, {}, 1e-3)[:3], q=q, u=u).operations,
        "rows": ap.record(lambda q: hard.rows(figure, q)[:2], q=q).operations,
        "project": ap.record(lambda q: hard.project(figure, q), q=q).operations,
    }
    assert count["now"] <= 1750 and count["implicit"] <= 2950 and count["rows"] <= 1200 and count["project"] <= 3800
