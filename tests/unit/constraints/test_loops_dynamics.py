"""Dynamics with closed loops: one dense system says the same; redundant rows, impulses, actuators, kernels."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra.spatial import Transform
from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.jacobians import jacobian
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.constraints.loops.closures import closures
from anthropi.constraints.loops.dynamics import (
    accelerate,
    loop_dynamics,
    loop_hybrid_dynamics,
    loop_impulses,
    loop_inverse_dynamics,
)
from anthropi.constraints.loops.independent_rows import choice
from anthropi.constraints.loops.multipliers import wrenches
from anthropi.constraints.loops.projection import close_loops
from anthropi.constraints.relative import equations
from anthropi.errors import InputError, StateError
from anthropi.figure import Loop

SAMPLES = ("four_bar", "slider_crank", "bennett", "stewart", "lifter")
ACTUATORS = {"four_bar": ("crank",), "slider_crank": ("crank",), "bennett": ("hinge_1",),
             "stewart": tuple(f"slide_{k}" for k in range(1, 7))}  # fmt: skip
_states: dict = {}


def moving(name, seed=3):
    """A sample in a closed state: figure, q, u, tau."""
    if name not in _states:
        figure, rng = ap.sample(name), np.random.default_rng(seed)
        near = figure.integrate(figure.neutral(), 0.1 * rng.normal(size=figure.nu))
        if name == "lifter":
            bent = {f"{s}_elbow.{n}": a for s in "lr" for n, a in (("flexion", 1.2), ("pronation", 1.3))}
            near = figure.integrate(figure.neutral(), np.array([bent.get(d, 0.0) for d in figure.dofs]))
        closed = close_loops(figure, near, rng.normal(size=figure.nu))
        assert closed.error < 1e-14
        _states[name] = figure, closed.q, closed.u, rng.normal(size=figure.nu)
    return _states[name]


def dense(figure, q, u, tau):
    """udot and the least multipliers (Σ w_j λ_j²), by NumPy."""
    tree = figure.changed(loops=())
    M, e = mass_matrix(tree, q), equations(figure, q, u, closures(figure), 0.0)
    h, J = inverse_dynamics(tree, q, u, np.zeros(figure.nu)), e.jacobian.astype(float)
    A = J @ np.linalg.solve(M, J.T)
    lam = np.linalg.lstsq(A, -e.bias.astype(float) - J @ np.linalg.solve(M, tau - h), rcond=1e-10)[0]
    scale = np.sqrt(choice(figure).weights)
    least = np.linalg.lstsq((J / scale[:, None]).T, J.T @ lam, rcond=1e-10)[0] / scale
    return np.linalg.solve(M, tau - h + J.T @ lam), least


def near(found, want, tol=1e-9):
    np.testing.assert_allclose(found, want, rtol=0.0, atol=tol * np.max(np.abs(want), initial=1e-3))


@pytest.mark.parametrize("name", SAMPLES)
def test_one_dense_system_says_the_same(name):
    figure, q, u, tau = moving(name)
    found = loop_dynamics(figure, q, u, tau)
    udot, least = dense(figure, q, u, tau)
    near(found.udot, udot, 1e-11)
    want = wrenches(figure, kinematics(figure, q), closures(figure), least)
    for loop, force in found.forces.items():
        near(force, want[loop])


@pytest.mark.parametrize(("name", "kept"), [("four_bar", 2), ("slider_crank", 2), ("bennett", 2), ("stewart", 24),
                                            ("lifter", 5)])  # fmt: skip
def test_only_rows_that_say_something_new_are_held(name, kept):
    figure = ap.sample(name)
    found = choice(figure)
    assert len(found.kept) == kept and len(found.kept) + len(found.shared) == found.total


def test_three_hinges_of_a_door_share_its_weight():
    """A door on the world by three hinges in a line: ten rows that say nothing new, and equal shares."""
    door = ap.figure_from_parts("door", [(None, ap.joints.Free(name="root"), ap.sample("pendulum").links[0])])
    places = [Transform(np.eye(3), np.array([0.0, 0.0, z])) for z in (0.0, -0.5, -1.0)]
    door = door.changed(loops=[Loop(f"hinge_{k}", "hinge", "", p, "rod", p) for k, p in enumerate(places)])
    found = choice(door)
    assert (len(found.kept), len(found.shared)) == (5, 10)
    udot, forces = loop_dynamics(door, door.neutral(), np.zeros(6), np.zeros(6))
    near(sum(f[3:] for f in forces.values()), [0.0, 0.0, 9.81], 1e-12)
    near(udot, np.zeros(6), 1e-9)
    shares = [f[5] for f in forces.values()]
    np.testing.assert_allclose(shares, 9.81 / 3.0, rtol=1e-9)  # each the same by symmetry of the least sum


@pytest.mark.parametrize("name", ACTUATORS)
def test_inverse_dynamics_by_actuators_is_what_hybrid_needs(name):
    figure, q, u, tau = moving(name)
    udot = loop_dynamics(figure, q, u, tau).udot
    by = ACTUATORS[name]
    effort = loop_inverse_dynamics(figure, q, u, udot, actuated=by)
    hybrid = loop_hybrid_dynamics(figure, q, u, np.zeros(figure.nu), udot, prescribed=by)
    near(hybrid.udot, udot)
    near(hybrid.tau, effort.tau)
    idle = [k for k in range(figure.nu) if k not in figure.dof_indices(by)]
    near(effort.tau[idle], np.zeros(len(idle)), 1e-8)
    near(loop_dynamics(figure, q, u, effort.tau).udot, udot)
    for loop, force in effort.forces.items():
        near(hybrid.forces[loop], force)


@pytest.mark.parametrize("name", SAMPLES)
def test_inverse_dynamics_finds_the_smallest_forces(name):
    figure, q, u, tau = moving(name)
    udot = loop_dynamics(figure, q, u, tau).udot
    least = loop_inverse_dynamics(figure, q, u, udot).tau
    near(loop_dynamics(figure, q, u, least).udot, udot, 1e-8)
    weight = 1.0 / np.diag(mass_matrix(figure.changed(loops=()), q))
    J = equations(figure, q, u, closures(figure), 0.0).jacobian.astype(float)
    near(J @ (weight * least), np.zeros(len(J)), 1e-8)  # no λ makes it smaller
    assert (weight * least * least).sum() <= (weight * tau * tau).sum() + 1e-9
    some = figure.dofs[: figure.nu // 2 + 3] if name == "lifter" else figure.dofs  # more actuators than freedoms
    again = loop_inverse_dynamics(figure, q, u, udot, actuated=some).tau
    near(loop_dynamics(figure, q, u, again).udot, udot, 1e-7)


def test_actuators_that_do_not_suffice_show_what_is_lacking():
    figure, q, _, _ = moving("stewart")
    found = loop_inverse_dynamics(figure, q, np.zeros(figure.nu), np.zeros(figure.nu), actuated=("slide_1",)).tau
    idle = [k for k in range(figure.nu) if figure.dofs[k] != "slide_1"]
    assert np.abs(found[idle]).max() > 1.0
    near(loop_dynamics(figure, q, np.zeros(figure.nu), found).udot, np.zeros(figure.nu), 1e-6)


@pytest.mark.parametrize("name", SAMPLES)
def test_impulses_keep_loops_closed(name):
    figure, q, u, tau = moving(name)
    tree, rng = figure.changed(loops=()), np.random.default_rng(1)
    J, M = equations(figure, q, u, closures(figure), 0.0).jacobian.astype(float), mass_matrix(tree, q)
    on = rng.normal(size=(figure.n, 6))
    after, impulses = loop_impulses(figure, q, u, tau, on)
    near(J @ after, np.zeros(len(J)), 1e-9)
    k, given = kinematics(figure, q), tau.copy()
    for i, impulse in enumerate(on):
        C = np.kron(np.eye(2), k.rotation[i])
        given = given + jacobian(tree, q, link=figure.links[i].name).T @ (C @ impulse)
    for loop in figure.loops:
        wrench = impulses[loop.name]
        b = jacobian(tree, q, link=loop.link_b, point=tuple(loop.at_b.origin)).T
        given = given + b @ wrench
        if loop.link_a:
            i, j = figure.link_index(loop.link_a), figure.link_index(loop.link_b)
            x = k.position[j] + k.rotation[j] @ loop.at_b.origin
            at = k.rotation[i].T @ (x - k.position[i])
            given = given - jacobian(tree, q, link=loop.link_a, point=tuple(at)).T @ wrench
    near(M @ (after - u), given)


def test_a_driven_angle_takes_the_torque_of_hybrid_dynamics():
    """An angle led as a function of time, on a tree and on a mechanism: the same acceleration and force."""
    rng = np.random.default_rng(2)
    about_y = Transform(np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]), np.zeros(3))  # z along y
    for name, joint in (("double_pendulum", "joint_0"), ("four_bar", "crank")):
        figure = ap.sample(name)
        link = figure.links[0].name
        frame = about_y if name == "double_pendulum" else figure.joints[0].placement
        on = frame if name == "double_pendulum" else Transform(np.eye(3), np.zeros(3))
        lead = Loop("lead", "angle", "", frame, link, on)
        led = figure.changed(loops=[*figure.loops, lead])
        if figure.loops:
            _, q, u, tau = moving(name)
        else:
            q, u, tau = rng.normal(size=2), rng.normal(size=2), rng.normal(size=2)
        course = np.array([[q[0]], [u[0]], [1.7]])
        found = loop_dynamics(led, q, u, tau, course=course)
        given = np.array([1.7, *np.zeros(figure.nu - 1)])
        if figure.loops:
            want = loop_hybrid_dynamics(figure, q, u, tau, given, prescribed=(joint,))
            udot, torque = want.udot, want.tau[0] - tau[0]
        else:
            udot, force = hybrid_dynamics(figure, q, u, tau, given, prescribed=(joint,))
            torque = force[0] - tau[0]
        near(found.udot, udot, 1e-11)
        near(found.forces["lead"][:3] @ frame.rotation[:, 2], torque)


def test_a_nail_takes_the_force_of_hybrid_dynamics():
    """A chain by its end on a nail that moves: as a free chain whose root is prescribed the same way."""
    rng = np.random.default_rng(7)
    chain = ap.sample("chain", links=4, joint="ball")
    tree = chain.changed(joints=[ap.joints.Free(name="root"), *chain.joints[1:]])
    q = np.concatenate([[0.2, 0.1, -0.3], chain.neutral()])
    q = tree.integrate(q, rng.normal(size=tree.nu))
    held = tree.changed(loops=[Loop("nail", "point", "", Transform(np.eye(3), np.zeros(3)), "link_0",
                                    Transform(np.eye(3), np.zeros(3)))])  # fmt: skip
    u, tau = rng.normal(size=tree.nu), 0.01 * rng.normal(size=tree.nu)
    tau[:3] = 0.0
    course = np.stack([q[:3], u[:3], [0.3, -2.0, 1.0]])
    found = loop_dynamics(held, q, u, tau, course=course)
    given = np.concatenate([[0.3, -2.0, 1.0], np.zeros(tree.nu - 3)])
    udot, force = hybrid_dynamics(tree, q, u, tau, given, prescribed=("root.px", "root.py", "root.pz"))
    near(found.udot, udot)
    near(found.forces["nail"][3:], force[:3])


def test_recorded_it_is_the_same_and_has_derivatives():
    figure, q, u, tau = moving("bennett")
    arrays = {"q": q, "u": u, "tau": tau}
    kernel = ap.compile(ap.loops.loop_dynamics, figure, opt=0)
    plain = loop_dynamics(figure, **arrays)
    found = kernel(q, u, tau)
    np.testing.assert_allclose(found.udot, plain.udot, rtol=1e-12)
    np.testing.assert_allclose(found.forces["closure"], plain.forces["closure"], rtol=1e-10, atol=1e-12)
    slopes = ap.derivative(ap.loops.loop_dynamics, figure, wrt=("u", "tau"), opt=0)(q, u, tau)
    for name in ("u", "tau"):
        for k, e in enumerate(np.eye(3)):
            sides = [loop_dynamics(figure, **{**arrays, name: arrays[name] + s * 1e-5 * e}).udot for s in (1.0, -1.0)]
            np.testing.assert_allclose(slopes[name].udot[:, k], (sides[0] - sides[1]) / 2e-5, atol=1e-6)


@pytest.mark.parametrize(("name", "most"), [("four_bar", 290), ("bennett", 860), ("stewart", 20_100)])
def test_operations(name, most):
    """What loops cost: the tree alone takes 129, 365 and 2,752 by the articulated-body algorithm."""
    figure = ap.sample(name)
    arrays = {"q": figure.neutral(), "u": np.zeros(figure.nu), "tau": np.zeros(figure.nu)}
    assert ap.record(lambda q, u, tau: loop_dynamics(figure, q, u, tau), **arrays).operations <= most


def test_extra_inertia_and_external_forces_reach_the_loops():
    figure, q, u, tau = moving("four_bar")
    extra = np.array([0.3, 0.2, 0.1])
    heavy = figure.changed(joints=[j.changed(armature=x) for j, x in zip(figure.joints, extra, strict=True)])
    f_ext = np.random.default_rng(0).normal(size=(3, 6))
    one = accelerate(figure, q, u, tau, f_ext, extra)[0]
    near(one, accelerate(heavy, q, u, tau, f_ext)[0], 1e-12)
    assert np.abs(one - accelerate(figure, q, u, tau)[0]).max() > 1e-3


def test_joints_that_prescribe_more_than_is_free_take_the_load():
    """All joints of a four-bar prescribed: no row says anything new over what is free, and the loop carries nothing."""
    figure, q, u, tau = moving("four_bar")
    udot = loop_dynamics(figure, q, u, tau).udot
    found = loop_hybrid_dynamics(figure, q, u, tau, udot, prescribed=("crank", "coupler", "rocker"))
    near(found.tau, inverse_dynamics(figure.changed(loops=()), q, u, udot), 1e-12)
    near(found.forces["closure"], np.zeros(6))


def test_fronts_refuse_and_name_the_way():
    figure = ap.sample("four_bar")
    zero = np.zeros(3)
    for function, name in ((ap.direct_dynamics, "loop_dynamics"), (ap.inverse_dynamics, "loop_inverse_dynamics")):
        with pytest.raises(InputError, match=rf"loops \(closure\)\. Use ap\.loops\.{name}, or remove the loops"):
            function(figure, zero, zero, zero)
    with pytest.raises(InputError, match=r"ap\.loops\.loop_hybrid_dynamics"):
        ap.hybrid_dynamics(figure, zero, zero, zero, zero, prescribed=("crank",))
    far = figure.changed(loops=[Loop("far", "point", "", Transform(np.eye(3), np.array([5.0, 0.0, 0.0])), "rocker",
                                     Transform(np.eye(3), np.zeros(3)))])  # fmt: skip
    with pytest.raises(StateError, match=r"do not close from this state: 'far' stays open by .*Start closer"):
        ap.loops.close_loops(far, zero)
