"""The same limits serve inverse kinematics and inverse dynamics, with gradients."""

import numpy as np
import pytest

import anthropi as ap
from anthropi import rotation as rot
from anthropi.contact.limits import HardLimits, ReachCone, human_limits, split_forces
from anthropi.errors import InputError

FIGURE = ap.human()
LIMITS = human_limits(FIGURE)
SHOULDER = FIGURE.joint_index("l_shoulder")


def outside(count=12):
    """Poses whose arm is within its ranges of coordinates and outside its boundary of swing (count, nq)."""
    rng, found = np.random.default_rng(1), []
    joint = FIGURE.joints[SHOULDER]
    while len(found) < count:
        q = FIGURE.neutral()
        for name in ("l_elbow", "r_elbow"):
            q[FIGURE.q_of[FIGURE.joint_index(name)].start] = 0.3
        q[FIGURE.q_of[SHOULDER]] = rot.quaternion_from_rotation_vector(rng.uniform(joint.lower, joint.upper))
        if -0.5 < LIMITS.rotation_bounds(FIGURE, q)[0][0] < -0.15:
            found.append(q)
    return np.array(found)


def reaching(q):
    """Targets that the poses q (batch, nq) meet: one arm and the trunk."""
    k = ap.kinematics(FIGURE, q)
    names = ("l_elbow_centre", "l_wrist_centre", "l_shoulder_centre", "r_shoulder_centre", "mid_hip", "sternum")
    return [ap.targets.Position(name, k.marker(name)) for name in names]


@pytest.mark.slow
def test_inverse_kinematics_stays_within_swing_and_twist():
    q = outside()
    targets = reaching(q)
    free = ap.inverse_kinematics(FIGURE, targets, FIGURE.neutral())
    kept = ap.inverse_kinematics(FIGURE, targets, FIGURE.neutral(), limits=LIMITS)

    def least(found):
        return np.array([min(end.gap for end in LIMITS.ends(FIGURE, x)) for x in found.q])

    assert (least(free) < -0.05).mean() > 0.5, "coordinates alone let the arm out"
    assert least(kept).min() > -1e-6
    at_limit = np.array([LIMITS.rotation_bounds(FIGURE, x)[0][0] for x in kept.q])
    assert (at_limit < 1e-3).mean() > 0.5, "and it goes as far as it may"


@pytest.mark.slow
def test_inverse_kinematics_still_reaches_what_is_within():
    rng = np.random.default_rng(4)
    q = np.array([LIMITS.project(FIGURE, FIGURE.random(rng), 10) for _ in range(10)])
    targets = reaching(q)
    found = ap.inverse_kinematics(FIGURE, targets, limits=LIMITS)
    assert found.converged.all()
    assert min(end.gap for x in found.q for end in LIMITS.ends(FIGURE, x)) > -1e-6


def test_refuses_what_are_no_limits():
    target = ap.targets.Position("l_heel", np.zeros(3))
    with pytest.raises(InputError, match="Give True, False, or limits"):
        ap.inverse_kinematics(FIGURE, target, limits=3.0)
    with pytest.raises(InputError, match="has no such joint"):
        ap.inverse_kinematics(FIGURE, target, limits=HardLimits({"l_hipp": ReachCone([0, 0, 1], 1.0)}))


def test_violations_and_their_rows():
    """J v is how past falls along v; zero where nothing is past."""
    q, e = outside(1)[0], 1e-7
    past, J = LIMITS.violations(FIGURE, q)
    assert past.max() > 0.05 and past.shape == (40,) and J.shape == (40, FIGURE.nu)
    rng = np.random.default_rng(0)
    for _ in range(5):
        v = rng.normal(size=FIGURE.nu)
        moved = [LIMITS.violations(FIGURE, FIGURE.integrate(q, s * e * v))[0] for s in (1, -1)]
        assert np.allclose(-(moved[0] - moved[1]) / (2 * e), J @ v, atol=1e-6)
    assert not J[past == 0.0].any()


@pytest.mark.slow
def test_project_brings_everything_within():
    q = outside()
    for passes, left in ((3, 1e-6), (5, 1e-12)):
        inside = np.array([LIMITS.project(FIGURE, x, passes) for x in q])
        assert min(end.gap for x in inside for end in LIMITS.ends(FIGURE, x)) > -left
    for x in (FIGURE.neutral(), inside[0]):
        assert np.allclose(LIMITS.project(FIGURE, x), x, atol=1e-9), "what is inside stays"


def test_inverse_dynamics_splits_into_muscles_and_limits():
    rng, q = np.random.default_rng(2), outside(1)[0]
    u, udot = rng.normal(size=FIGURE.nu), rng.normal(size=FIGURE.nu)
    tau = ap.inverse_dynamics(FIGURE, q, u, udot)
    split = split_forces(FIGURE, LIMITS, q, u, tau)
    assert np.allclose(split.muscles + split.limits, tau, rtol=1e-12, atol=1e-9)
    own = np.zeros(FIGURE.nu, bool)
    own[FIGURE.u_of[SHOULDER]] = True
    assert abs(split.limits[own]).max() > 1.0
    inside = LIMITS.project(FIGURE, q)
    inside[FIGURE.q_of[SHOULDER]] = FIGURE.neutral()[FIGURE.q_of[SHOULDER]]
    assert not split_forces(FIGURE, LIMITS, inside, u, tau).limits[own].any()


def test_gradients_of_limit_forces_by_the_tape():
    """The derivative of the forces by q, in the tangent, is minus what they say they yield."""
    q = outside(1)[0]
    none = np.zeros(FIGURE.nu)
    tape = ap.record(lambda v: LIMITS.force(FIGURE, FIGURE.integrate(q, v), v * 0.0)[0], v=none)
    run = ap.build(tape.jvp(["v"]), opt=0)
    e, of = 1e-6, FIGURE.u_of[SHOULDER]
    for k in range(of.start, of.stop):
        unit = np.eye(FIGURE.nu)[k]
        slope = run(none, unit)[-1]
        there, back = (LIMITS.force(FIGURE, FIGURE.integrate(q, s * e * unit), none)[0] for s in (1, -1))
        assert abs(slope).max() > 10.0
        assert np.allclose(slope, (there - back) / (2 * e), rtol=1e-5, atol=1e-3)
