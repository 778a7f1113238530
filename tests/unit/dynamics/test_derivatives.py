"""Derivatives of the dynamics, in the tangent space: by hand, by sweeps, and against laws that are exact."""

import numpy as np
import pinocchio as pin
import pytest

import anthropi as ap
from anthropi import rotation, spatial
from anthropi.algorithms.cholesky import inverse_mass_matrix
from anthropi.algorithms.derivatives import BY_HAND, curve, forward_derivatives
from anthropi.algorithms.direct_derivatives import direct_derivatives
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics
from anthropi.algorithms.inverse_derivatives import inverse_derivatives
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.algorithms.momentum import momentum_rate
from anthropi.algorithms.momentum_derivatives import momentum_derivatives
from anthropi.errors import InputError
from anthropi.figure import Link, Weld, figure_from_parts
from anthropi.figure.numbers import numbers
from anthropi.tape.record import flatten
from oracle import figures
from oracle.pinocchio_peer import ANGULAR_FIRST, PinocchioPeer
from unit.dynamics.test_direct_and_inverse import every_joint

EPS = np.finfo(float).eps


def loaded(seed):
    """A figure with every joint, and springs, dampers and rotors in them; a state; forces on its links."""
    figure, rng = every_joint(seed, armature=0.2)
    acting = [
        j.changed(stiffness=rng.uniform(1, 3, j.nu), damping=rng.uniform(1, 3, j.nu), rest=0.3 * rng.normal(size=j.nu))
        if j.nu
        else j
        for j in figure.joints
    ]
    figure = figure.changed(joints=acting)
    return figure, figure.random(rng), *rng.normal(size=(2, figure.nu)), rng.normal(size=(figure.n, 6))


def close(found, wanted, factor=1e-12):
    assert np.abs(np.asarray(found, float) - np.asarray(wanted, float)).max() <= factor * np.abs(wanted).max()


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", BY_HAND)
@pytest.mark.parametrize("seed", [3, 8])
def test_by_hand_they_equal_the_forward_sweep_for_every_joint(algorithm, seed):
    figure, q, u, last, f_ext = loaded(seed)
    closed, names = BY_HAND[algorithm]
    given = {"q": q, "u": u, names[-1]: last, "f_ext": f_ext}
    given = {name: x for name, x in given.items() if name in closed.shapes}
    swept = forward_derivatives(lambda **x: algorithm(figure, **x), figure, names, given)
    for name, found in closed(figure, **given)._asdict().items():
        close(found, swept[name], 1e-11)


@pytest.mark.slow
def test_a_root_that_nothing_holds_may_be_turned_with_all_it_carries():
    figure, rng = every_joint(10)
    turned = spatial.Transform(rotation.matrix_from_rotation_vector(rng.normal(size=3)), rng.normal(size=3))
    joints = [figure.joints[0].changed(placement=turned), *figure.joints[1:]]
    figure = figure.changed(joints=joints, gravity=rng.normal(size=3))
    q, (u, tau), f_ext = figure.random(rng), rng.normal(size=(2, figure.nu)), rng.normal(size=(figure.n, 6))
    given = {"q": q, "u": u, "tau": tau, "f_ext": f_ext}
    swept = forward_derivatives(lambda **x: direct_dynamics(figure, **x), figure, ("q",), given)
    close(direct_derivatives(figure, **given).q, swept["q"], 1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("figure", ["bench42", "roach", "chain", "floating_arm6"])
def test_by_hand_they_take_fewer_operations(figure):
    figure = ap.sample(figure)
    for algorithm, (closed, names) in BY_HAND.items():
        arrays = {"q": np.zeros(figure.nq), "u": np.zeros(figure.nu), names[-1]: np.zeros(figure.nu)}
        swept = ap.record(
            lambda a=algorithm, n=names, **x: forward_derivatives(lambda **y: a(figure, **y), figure, n, x), **arrays
        )
        by_hand = ap.record(lambda c=closed, **x: c(figure, **x), **arrays)
        passes = [sum(tape.counts(passes=True).values()) for tape in (by_hand, swept)]
        assert passes[0] < passes[1], (figure.name, algorithm.__name__, passes)


@pytest.mark.parametrize("seed", range(1, 12, 2))
def test_inverse_derivatives_are_those_of_pinocchio(seed):
    """Joints whose velocities are the peer's own, on a fixed base; external forces are not part of its derivatives."""
    simple = ("revolute", "prismatic", "helical", "ball", "exponential", "weld", "cylindrical", "translational")
    figure = figures.figure(3 * seed + 1, links=9, families=simple)
    q, u, udot = figures.state(figure, seed)
    peer = PinocchioPeer(figure, q, u, udot)
    found = inverse_derivatives(figure, q, u, udot)
    parts = pin.computeRNEADerivatives(peer.model, peer.data, peer.q, peer.u, peer.udot)
    for name, theirs in zip(("q", "u", "udot"), parts, strict=True):
        full = np.triu(theirs) + np.triu(theirs, 1).T if name == "udot" else theirs
        close(getattr(found, name), peer.B.T @ full @ peer.B, 1e-11)


@pytest.mark.parametrize("seed", range(1, 12, 2))
def test_momentum_derivatives_are_those_of_pinocchio(seed):
    simple = ("revolute", "prismatic", "helical", "ball", "exponential", "weld", "cylindrical", "translational")
    figure = figures.figure(3 * seed + 1, links=9, families=simple)
    q, u, udot = figures.state(figure, seed)
    peer = PinocchioPeer(figure, q, u, udot)
    _, *theirs = pin.computeCentroidalDynamicsDerivatives(peer.model, peer.data, peer.q, peer.u, peer.udot)
    for ours, other in zip(momentum_derivatives(figure, q, u, udot), theirs, strict=True):
        close(ours, other[ANGULAR_FIRST] @ peer.B, 1e-11)


def test_momentum_derivatives_about_the_origin_and_through_the_front():
    figure, q, u, udot, _ = loaded(9)
    given = {"q": q, "u": u, "udot": udot}
    swept = forward_derivatives(lambda **x: momentum_rate(figure, **x, about="origin"), figure, tuple(given), given)
    for name, found in momentum_derivatives(figure, q, u, udot, about="origin")._asdict().items():
        close(found, swept[name], 1e-11)
    arm = ap.sample("floating_arm6")
    rng = np.random.default_rng(3)
    q, (u, udot) = arm.random(rng), rng.normal(size=(2, arm.nu))
    for about in ("centre", "origin"):
        kernel = ap.derivative(ap.dynamics.momentum_rate, arm, about=about, opt=0)
        for name, found in kernel(q, u, udot).items():
            close(found, getattr(momentum_derivatives(arm, q, u, udot, about=about), name), 1e-12)
    close(kernel(q, u, udot)["udot"][3:], ap.dynamics.centroidal_momentum_matrix(arm, q)[3:], 1e-13)


def test_the_inverse_of_the_mass_matrix_is_exactly_symmetric():
    figure, q, *_ = loaded(5)
    found, M = inverse_mass_matrix(figure, q), mass_matrix(figure, q)
    assert np.array_equal(found, found.T)
    assert np.abs(found @ M - np.eye(figure.nu)).max() < 10 * np.linalg.cond(M) * EPS
    close(ap.dynamics.inverse_mass_matrix(figure, np.stack([q, q]))[1], found, 1e-13)


@pytest.mark.slow
def test_derivative_is_a_kernel_of_the_same_inputs():
    figure, q, u, tau, f_ext = loaded(4)
    wanted = direct_derivatives(figure, q, u, tau, f_ext)
    kernel = ap.derivative(ap.direct_dynamics, figure, wrt=("q", "tau"), inputs=("q", "u", "tau", "f_ext"), opt=0)
    found = kernel(q, u, tau, f_ext)
    assert list(found) == ["q", "tau"]
    close(found["q"], wanted.q)
    close(found["tau"], wanted.tau)
    many = kernel(np.stack([q] * 3), u, tau, f_ext)
    assert np.array_equal(many["q"][2], found["q"])
    with pytest.raises(InputError, match=r"compiled without an input 'udot'.*Inputs: q, u, tau"):
        ap.derivative(ap.direct_dynamics, figure, wrt="udot")
    with pytest.raises(InputError, match=r"Name the slots"):
        ap.derivative(ap.direct_dynamics, figure, wrt="parameters")


@pytest.mark.slow
def test_hybrid_dynamics_and_others_go_by_sweeps():
    """∂τ of held degrees of freedom and ∂u' of the others, from those of direct dynamics by partial inversion."""
    figure, q, u, tau, _ = loaded(6)
    held = list(figure.dof_indices([figure.joints[5].name, figure.joints[12].dofs[1]]))
    free = [k for k in range(figure.nu) if k not in held]
    udot = np.sin(np.arange(figure.nu))
    options = {"prescribed": tuple(figure.dofs[k] for k in held)}
    found = forward_derivatives(
        lambda **x: hybrid_dynamics(figure, **x, **options), figure, ("u",), {"q": q, "u": u, "tau": tau, "udot": udot}
    )["u"]
    rates, forces = hybrid_dynamics(figure, q, u, tau, udot, **options)
    D, M = inverse_derivatives(figure, q, u, rates).u, mass_matrix(figure, q)
    moved = -np.linalg.solve(M[np.ix_(free, free)], D[free])
    close(found[0][free], moved, 1e-9)
    close(found[1][held], D[held] + M[np.ix_(held, free)] @ moved, 1e-9)
    assert forces[free[0]] == tau[free[0]]


def test_masses_lengths_and_inertias_are_parameters():
    """Forces are linear in mass and tensor, and quadratic in a centre: differences over any step are exact."""
    figure = ap.human(detail="simple27")
    rng = np.random.default_rng(2)
    q, (u, udot) = figure.random(rng), rng.normal(size=(2, figure.nu))
    link, joint = figure.links[4].name, figure.joints[4].name
    slots = (f"{link}.mass", f"{link}.tensor", f"{link}.centre", f"{joint}.origin")
    kernel = ap.derivative(ap.inverse_dynamics, figure, wrt="parameters", parameters=slots, opt=0)
    at = np.concatenate([np.ravel(numbers(figure)[slot]) for slot in slots])
    found = kernel(at, q, u, udot)["parameters"]
    assert found.shape == (figure.nu, len(at))
    plain = ap.compile(ap.inverse_dynamics, figure, parameters=slots, opt=0)
    for k in range(len(at)):
        step = np.zeros(len(at))
        step[k] = 0.01
        difference = (plain(at + step, q, u, udot) - plain(at - step, q, u, udot)) / 0.02
        np.testing.assert_allclose(found[:, k], difference, rtol=1e-9, atol=1e-9)


@pytest.mark.slow
def test_second_derivatives_along_a_direction():
    """Forces are quadratic in u: the curvature along it is the second difference over any step."""
    figure, q, u, udot, _ = loaded(7)
    rng = np.random.default_rng(1)
    du, dq, dudot = rng.normal(size=(3, figure.nu))
    arrays = {"q": q, "u": u, "udot": udot}

    def forces(**x):
        return inverse_dynamics(figure, **x)

    value, slope, bend = curve(forces, figure, ("u",), arrays, {"u": du}, 2)
    ahead, here, behind = (inverse_dynamics(figure, q, u + s * du, udot) for s in (1.0, 0.0, -1.0))
    close(value, here)
    close(slope, 0.5 * (ahead - behind), 1e-11)
    close(bend, ahead - 2.0 * here + behind, 1e-11)
    along = {"q": dq, "u": du, "udot": dudot}
    _, slope, bend = curve(forces, figure, ("q", "u", "udot"), arrays, along, 2)
    D = inverse_derivatives(figure, q, u, udot)
    close(slope, D.q @ dq + D.u @ du + D.udot @ dudot, 1e-11)

    def first(s):
        moved = figure.integrate(q, s * dq), u + s * du, udot + s * dudot
        D = inverse_derivatives(figure, *moved)
        return D.q @ dq + D.u @ du + D.udot @ dudot  # dq is the velocity all along the curve

    h = 1e-4
    close(bend, (8.0 * (first(h) - first(-h)) - (first(2 * h) - first(-2 * h))) / (12.0 * h), 1e-8)


def test_directional_is_a_kernel():
    figure = ap.sample("floating_arm6")
    rng = np.random.default_rng(0)
    q, (u, tau, dq, du, dtau) = figure.random(rng), rng.normal(size=(5, figure.nu))
    value, slope, bend = ap.dynamics.directional(ap.direct_dynamics, figure, opt=0)(q, u, tau, dq, du, dtau)
    D = direct_derivatives(figure, q, u, tau)
    close(value, direct_dynamics(figure, q, u, tau))
    close(slope, D.q @ dq + D.u @ du + D.tau @ dtau, 1e-11)

    def moved(s):
        return direct_dynamics(figure, figure.integrate(q, s * dq), u + s * du, tau + s * dtau)

    h = 1e-3
    difference = (-moved(2 * h) + 16 * moved(h) - 30 * moved(0) + 16 * moved(-h) - moved(-2 * h)) / (12 * h * h)
    close(bend, difference, 1e-6)
    with pytest.raises(InputError, match="order=0"):
        ap.dynamics.directional(ap.direct_dynamics, figure, order=0)


def test_forces_on_named_links_are_an_input_of_their_own():
    figure = ap.sample("biped")
    rng = np.random.default_rng(4)
    q, (u, tau), push = figure.random(rng), rng.normal(size=(2, figure.nu)), rng.normal(size=(2, 6))
    feet = ("l_foot", "r_foot")
    f_ext = np.zeros((figure.n, 6))
    f_ext[[figure.link_index(name) for name in feet]] = push
    pushed = ap.compile(ap.direct_dynamics, figure, f_ext=feet, opt=0)
    close(pushed(q, u, tau, push), direct_dynamics(figure, q, u, tau, f_ext), 1e-11)
    slopes = ap.derivative(ap.direct_dynamics, figure, f_ext=feet, opt=0)
    found = slopes(q, u, tau, push)
    assert found["f_ext"].shape == (figure.nu, 12)
    close(found["q"], direct_derivatives(figure, q, u, tau, f_ext).q, 1e-11)
    J = np.stack([ap.dynamics.spatial_jacobian(figure, q, link=name) for name in feet]).reshape(12, figure.nu)
    close(found["f_ext"], inverse_mass_matrix(figure, q) @ J.T, 1e-10)
    alone = ap.derivative(ap.direct_dynamics, figure, opt=0)
    assert slopes.operations < 1.5 * alone.operations  # what is known by hand stays by hand
    with pytest.raises(InputError, match=r"also needs tau among its inputs"):
        ap.compile(ap.direct_dynamics, figure, ("q", "u"))


def test_a_figure_that_cannot_move_has_empty_derivatives():
    figure = figure_from_parts("post", [("", Weld(name="base"), Link("post", 1.0, (0, 0, 1), np.eye(3)))])
    found = ap.derivative(ap.dynamics.kinetic_energy, figure, opt=0)(np.zeros(0), np.zeros(0))
    assert found["q"].shape == found["u"].shape == (0,)


@pytest.mark.parametrize("make", [ap.derivative, ap.dynamics.directional])
def test_first_results_are_interpreted_with_the_bits_of_compiled_code(make):
    """The interpreter is ready at once. Compiled code has the same bits, for one state and for a batch."""
    figure, rng = ap.sample("floating_arm6"), np.random.default_rng(0)
    states = [np.stack([figure.random(rng) for _ in range(3)]), *rng.normal(size=(2, 3, figure.nu))]
    kernel, compiled = make(ap.direct_dynamics, figure, wrt="u"), make(ap.direct_dynamics, figure, wrt="u", opt=2)
    arrays = states if make is ap.derivative else [*states, states[1]]
    wanted = flatten(compiled(*arrays))[0]
    first = flatten(kernel(*(a[0] for a in arrays)))[0]
    assert kernel._engine.code(1).loaded is None  # nothing was compiled
    assert [x.tobytes() for x in first] == [x[0].tobytes() for x in wanted]
    assert [x.tobytes() for x in flatten(kernel(*arrays))[0]] == [x.tobytes() for x in wanted]
