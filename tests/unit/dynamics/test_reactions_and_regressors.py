"""Joint reactions and regressors: closed forms, laws, batches, identification, and refused input."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError, ShapeError, SingularError
from anthropi.figure import Euler, Link, Revolute, figure_from_parts
from unit.dynamics.catalog import acting

G = 9.81


def test_a_hanging_chain_carries_the_weight_below_each_joint():
    figure = ap.sample("double_pendulum")
    zero = np.zeros(figure.nu)
    found = ap.dynamics.joint_reactions(figure, figure.neutral(), zero, zero)
    below = np.cumsum([link.mass for link in figure.links][::-1])[::-1]
    np.testing.assert_allclose(found.force[:, 5], G * below, rtol=1e-14)
    np.testing.assert_allclose(np.delete(found.force, 5, axis=1), 0.0, atol=1e-13)
    assert np.array_equal(found.constraint[:, [0, 2, 3, 4, 5]], found.force[:, [0, 2, 3, 4, 5]])
    assert np.array_equal(found.constraint[:, 1], [0.0, 0.0])  # the hinges turn about y


def test_a_whirling_rod_pulls_with_the_centripetal_force():
    figure = ap.sample("pendulum").changed(gravity=np.zeros(3))
    link, rate = figure.links[0], 3.0
    found = ap.dynamics.joint_reactions(figure, [0.4], [rate], [0.0])
    np.testing.assert_allclose(found.force[0, 3:], -link.mass * rate**2 * link.centre, atol=1e-13)


@pytest.mark.parametrize("seed", range(4))
def test_reactions_of_roots_gravity_and_loads_make_the_rate_of_momentum(seed):
    figure, x = acting(900 + seed)
    q, u, udot, f_ext = (x[name] for name in ("q", "u", "udot", "f_ext"))
    found = ap.dynamics.joint_reactions(figure, q, u, udot, f_ext)
    k = ap.kinematics(figure, q)
    total = np.zeros(6)
    for i, parent in enumerate(figure.parent):
        for f in [f_ext[i], *([found.force[i]] if parent < 0 else [])]:
            line = k.rotation[i] @ f[3:]
            total += np.concatenate([k.rotation[i] @ f[:3] + np.cross(k.position[i], line), line])
    weight = figure.mass * figure.gravity
    total += np.concatenate([np.cross(ap.centre_of_mass(figure, q).position, weight), weight])
    rate = ap.dynamics.momentum_rate(figure, q, u, udot, about="origin")
    np.testing.assert_allclose(total, rate, rtol=0.0, atol=1e-12 * np.abs(rate).max())


def test_reactions_give_the_joint_forces_with_springs_dampers_and_rotors():
    figure, x = acting(910)
    q, u, udot, f_ext = (x[name] for name in ("q", "u", "udot", "f_ext"))
    found = ap.dynamics.joint_reactions(figure, q, u, udot, f_ext)
    along = [joint.subspace(q[figure.q_of[i]]).T @ found.force[i] for i, joint in enumerate(figure.joints) if joint.nu]
    armature = np.concatenate([joint.armature for joint in figure.joints])
    wanted = ap.inverse_dynamics(figure, q, u, udot, f_ext) + ap.dynamics.passive_forces(figure, q, u) - armature * udot
    np.testing.assert_allclose(np.concatenate(along), wanted, rtol=0.0, atol=1e-12 * np.abs(wanted).max())


def test_batches_and_options():
    figure = ap.sample("floating_arm6")
    rng = np.random.default_rng(1)
    q, (u, udot) = np.stack([figure.random(rng) for _ in range(3)]), rng.normal(size=(2, 3, figure.nu))
    many = ap.dynamics.joint_reactions(figure, q, u, udot)
    assert many.force.shape == (3, figure.n, 6)
    one = ap.dynamics.joint_reactions(figure, q[1], u[1], udot[1])
    assert np.array_equal(many.constraint[1], one.constraint)
    assert ap.dynamics.inverse_dynamics_regressor(figure, q, u, udot).shape == (3, figure.nu, 10 * figure.n)
    pushed = ap.dynamics.joint_reactions(figure, q[1], u[1], udot[1], {figure.links[-1].name: np.ones(6)})
    np.testing.assert_allclose(pushed.force[-1], one.force[-1] - 1.0, atol=1e-13)


def test_momentum_and_energies_are_linear_in_the_parameters():
    figure, x = acting(920)
    q, u, pi = x["q"], x["u"], ap.dynamics.inertial_parameters(figure).ravel()
    found = ap.dynamics.momentum_regressor(figure, q, u) @ pi
    wanted = ap.dynamics.momentum(figure, q, u, about="origin")
    np.testing.assert_allclose(found, wanted, rtol=0.0, atol=1e-12 * np.abs(wanted).max())
    plain = figure.changed(joints=[j.changed(stiffness=0.0, armature=0.0) for j in figure.joints])
    for name, given in (("kinetic", (q, u)), ("potential", (q,))):
        row = getattr(ap.dynamics, f"{name}_energy_regressor")(figure, *given)
        assert np.isclose(row @ pi, getattr(ap.dynamics, f"{name}_energy")(plain, *given), rtol=1e-12)


def test_identification_predicts_forces_of_other_motions():
    """Least squares on measured forces: not all parameters can be found, but those found predict every motion."""
    figure = ap.sample("floating_arm6")
    rng, pi = np.random.default_rng(2), ap.dynamics.inertial_parameters(figure).ravel()
    q = np.stack([figure.random(rng) for _ in range(60)])
    u, udot = rng.normal(size=(2, 60, figure.nu))
    Y, tau = ap.dynamics.inverse_dynamics_regressor(figure, q, u, udot), ap.inverse_dynamics(figure, q, u, udot)
    fitted, _, rank, _ = np.linalg.lstsq(Y[:40].reshape(-1, len(pi)), tau[:40].ravel(), rcond=1e-10)
    assert rank < len(pi)
    np.testing.assert_allclose(Y[40:] @ fitted, tau[40:], atol=1e-9 * np.abs(tau).max())


def test_parameters_there_and_back():
    figure = ap.human(detail="simple27")
    pi = ap.dynamics.inertial_parameters(figure)
    assert pi.shape == (figure.n, 10)
    heavier = ap.dynamics.with_inertial_parameters(figure, 2.0 * pi)
    for old, new in zip(figure.links, heavier.links, strict=True):
        assert new.mass == 2.0 * old.mass
        np.testing.assert_allclose(new.centre, old.centre, atol=1e-15)
        np.testing.assert_allclose(new.tensor, 2.0 * old.tensor, atol=1e-13)
    body = Link("body", 2.0, (0.1, 0.0, -0.2), np.diag([0.1, 0.2, 0.3]))
    parts = [("", Revolute(name="a", axis="x"), Link("frame")), ("frame", Revolute(name="b", axis="y"), body)]
    figure = figure_from_parts("with a massless link", parts)
    pi = ap.dynamics.inertial_parameters(figure)
    assert not pi[0].any()
    assert ap.dynamics.with_inertial_parameters(figure, pi.ravel()).links[0].mass == 0.0


def test_forces_as_a_function_of_recorded_parameters():
    """Differentiated with respect to π, inverse dynamics gives its regressor."""
    figure = ap.sample("floating_arm6")
    rng = np.random.default_rng(4)
    q, (u, udot) = figure.random(rng), rng.normal(size=(2, figure.nu))
    pi = ap.dynamics.inertial_parameters(figure).ravel()

    def forces(pi, q, u, udot):
        return ap.inverse_dynamics(ap.dynamics.with_inertial_parameters(figure, pi), q, u, udot)

    tape = ap.record(forces, pi=pi, q=q, u=u, udot=udot)
    Y = ap.dynamics.inverse_dynamics_regressor(figure, q, u, udot)
    weights = rng.normal(size=figure.nu)
    found = ap.build(tape.vjp(wrt="pi"), opt=0)(pi, q, u, udot, weights)[1]["pi"]
    np.testing.assert_allclose(found, weights @ Y, atol=1e-11 * np.abs(Y).max())


def test_refused():
    figure = ap.sample("double_pendulum")
    pi = ap.dynamics.inertial_parameters(figure)
    with pytest.raises(ShapeError, match=r"\(2, 10\) or \(20,\); got \(3, 10\)"):
        ap.dynamics.with_inertial_parameters(figure, np.ones((3, 10)))
    for k, value, said in ((0, -1.0, "mass of link"), (4, -1.0, "not positive definite"), (4, 1e3, "triangle")):
        bad = pi.copy()
        bad[1, k] = value
        with pytest.raises(InputError, match=said):
            ap.dynamics.with_inertial_parameters(figure, bad)
    looped = ap.sample("four_bar")
    with pytest.raises(InputError, match="joint_reactions is for trees"):
        ap.dynamics.joint_reactions(looped, looped.neutral(), np.zeros(looped.nu), np.zeros(looped.nu))
    view = ap.kinematics(figure, np.zeros(2), np.zeros(2))
    with pytest.raises(InputError, match="needs u and udot"):
        view.spatial_acceleration(figure.links[0].name)
    with pytest.raises(InputError, match="needs velocities"):
        ap.kinematics(figure, np.zeros(2)).spatial_velocity(figure.links[0].name)


def test_a_locked_gimbal_still_has_reactions():
    """A moment about the lost axis cannot be told from one of the joint: the force is finite, its parts too."""
    body = Link("body", 2.0, (0.1, 0.0, -0.2), np.diag([0.1, 0.2, 0.3]))
    figure = figure_from_parts("gimbal", [("", Euler(name="e", order="xyz"), body)])
    q = np.array([0.3, np.pi / 2, 0.1])
    try:
        found = ap.dynamics.joint_reactions(figure, q, np.zeros(3), np.zeros(3))
    except SingularError:
        pytest.fail("finite forces were refused")
    assert np.isfinite(found.force).all() and np.abs(found.constraint[0, :3]).max() == 0.0
