"""Figures with closed loops in time: nothing opens, energy stays, led loops follow and say what it takes."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra.spatial import identity
from anthropi.algorithms.energy import kinetic_energy, potential_energy
from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.constraints.loops.closures import closures, course_at, loop_errors, speeds
from anthropi.constraints.loops.dynamics import loop_dynamics, loop_hybrid_dynamics
from anthropi.constraints.loops.projection import close_loops
from anthropi.errors import InputError, StateError
from anthropi.simulation.drive import Drive
from anthropi.simulation.step import State, advance

sin, cos = ap.scalar.sin, ap.scalar.cos


def opened(motion, figure=None) -> float:
    """How far any loop opens in any frame."""
    figure = figure or motion.figure
    return max(np.abs(e).max() for q in motion.q for e in loop_errors(figure, q).values())


def energies(motion):
    """Kinetic, and all, of every frame."""
    kinetic = np.array([kinetic_energy(motion.figure, q, u) for q, u in zip(motion.q, motion.u, strict=True)])
    return kinetic, kinetic + np.array([potential_energy(motion.figure, q) for q in motion.q])


def swinging(rate=3.0):
    figure = ap.sample("four_bar")
    closed = close_loops(figure, figure.neutral(), np.array([rate, 0.0, 0.0]))
    return figure, closed.q, closed.u


@pytest.mark.slow
def test_a_stewart_platform_under_a_moving_load_for_a_minute():
    """A block of 30 kg slides to and fro on the platform, which sways on its springs: loops and energy stay."""
    figure = ap.sample("stewart", load=30.0)
    u, rail = np.zeros(figure.nu), figure.dof_indices("rail")[0]
    u[:6], u[rail] = (0.1, 0.2, -0.1, 0.3, 0.2, 0.1), 0.6
    start = close_loops(figure, figure.neutral(), u)
    dt = 1.25e-3
    motion = ap.simulate(figure, start.q, start.u, steps=round(60.0 / dt), dt=dt, every=800, opt=0)
    assert motion.time[-1] == pytest.approx(60.0)
    assert opened(motion) <= 1e-10
    kinetic, energy = energies(motion)
    assert np.abs(energy - energy[0]).max() <= 1e-6 * kinetic.max()  # relative to the motion's, not to a far zero
    place = motion.q[:, figure.q_of[figure.joint_index("rail")]]
    assert np.ptp(place) > 0.5 and np.ptp(motion.q[:, 1]) > 0.03  # both do move


@pytest.mark.slow
def test_a_nailed_chain_follows_and_says_the_force():
    """A chain whose first point is led along a path: as hybrid dynamics with the same point prescribed."""
    chain = ap.sample("chain", links=3, joint="ball")
    chain = chain.changed(joints=[ap.joints.Free(name="root"), *chain.joints[1:]])
    figure = chain.changed(loops=[ap.Loop("nail", "point", "", identity(), "link_0", identity())])

    def path(t):
        return np.array([0.2 * sin(2.0 * t), 0.1 * cos(3.0 * t), 0.05 * sin(5.0 * t)])

    course = course_at(figure, {"nail": path}, 0.0)
    q = figure.integrate(figure.neutral(), 0.3 * np.random.default_rng(1).normal(size=figure.nu))
    start = close_loops(figure, q, np.zeros(figure.nu), course)
    motion = ap.simulate(figure, start.q, start.u, steps=500, dt=1e-3, every=50, loops={"nail": path}, loop_forces=True,
                         opt=0)  # fmt: skip
    forces, worst = motion.channels["nail.force"], 0.0
    for t, q, u, force in zip(motion.time, motion.q, motion.u, forces, strict=True):
        value, rate, change = course_at(figure, {"nail": path}, t)
        np.testing.assert_allclose(kinematics(figure, q).position[0], value, atol=1e-10)
        np.testing.assert_allclose(u[:3], rate, atol=1e-10)
        given = np.concatenate([change, np.zeros(figure.nu - 3)])
        _, tau = hybrid_dynamics(chain, q, u, np.zeros(figure.nu), given, prescribed=("root.px", "root.py", "root.pz"))
        worst = max(worst, np.abs(tau[:3] - force[3:]).max())
    assert worst <= 1e-9 * np.abs(forces).max() and np.abs(forces).max() > 10.0


def test_a_driven_crank_follows_and_says_the_torque():
    """A four-bar whose crank's angle is led: as hybrid dynamics with the crank prescribed."""
    plain = ap.sample("four_bar")
    place = plain.joints[0].placement
    figure = plain.changed(loops=[*plain.loops, ap.Loop("lead", "angle", "", place, "crank", identity())])

    def angle(t):
        return 4.0 * t + 0.3 * sin(3.0 * t)  # more than a turn

    course = course_at(figure, {"lead": angle}, 0.0)
    start = close_loops(figure, figure.neutral(), np.zeros(3), course)
    motion = ap.simulate(figure, start.q, start.u, steps=2000, dt=1e-3, every=100, loops={"lead": angle},
                         loop_forces=True, opt=0)  # fmt: skip
    torques = motion.channels["lead.force"][:, :3] @ place.rotation[:, 2]
    assert motion.q[-1, 0] > 2.0 * np.pi
    for t, q, u, torque in zip(motion.time, motion.q, motion.u, torques, strict=True):
        value, rate, change = course_at(figure, {"lead": angle}, t)[:, 0]
        assert abs(q[0] - value) <= 1e-10 and abs(u[0] - rate) <= 1e-10
        want = loop_hybrid_dynamics(plain, q, u, np.zeros(3), np.array([change, 0.0, 0.0]), prescribed=("crank",))
        assert abs(torque - want.tau[0]) <= 1e-9 * np.abs(torques).max()
    assert opened(motion, plain) <= 1e-12


def test_a_prescribed_crank_moves_as_one_that_is_led():
    """The same crank by `prescribed`: projection leaves what is prescribed alone."""
    figure = ap.sample("four_bar")
    start = close_loops(figure, figure.neutral(), np.array([4.0, 0.0, 0.0]))
    rate = start.u[0]

    def udot(figure, t, q, u):
        return np.array([-2.0 * sin(2.0 * t), 0.0, 0.0])

    motion = ap.simulate(figure, start.q, start.u, udot=udot, prescribed=["crank"], steps=400, dt=2e-3, every=40, opt=0)
    want = rate * motion.time + 0.5 * np.sin(2.0 * motion.time) - motion.time
    np.testing.assert_allclose(motion.q[:, 0], want, atol=1e-9)  # RK4 of a smooth function
    assert opened(motion) <= 1e-13


@pytest.mark.parametrize("method", ["semi_implicit_euler", "linearly_implicit_euler", "rk4", "rk6"])
def test_every_method_keeps_loops_closed(method):
    figure, q, u = swinging()
    motion = ap.simulate(figure, q, u, steps=200, dt=5e-3, every=20, method=method, opt=0)
    assert opened(motion) <= 1e-13  # velocities: Euler is off by 1e-3 before three passes that gain 1e-3 each
    np.testing.assert_allclose(
        [speeds_of(figure, x, v) for x, v in zip(motion.q, motion.u, strict=True)], 0.0, atol=1e-10
    )


def speeds_of(figure, q, u) -> float:
    return np.abs(speeds(figure, kinematics(figure, q, u), closures(figure), q, u)).max()


def test_steps_that_choose_themselves_keep_loops_closed():
    figure, q, u = swinging()
    motion = ap.simulate(figure, q, u, steps=50, dt=0.02, method="dormand_prince", tolerance=1e-9, opt=0)
    fine = ap.simulate(figure, q, u, steps=1000, dt=1e-3, every=20, method="rk6", opt=0)
    assert opened(motion) <= 1e-13  # velocities: Euler is off by 1e-3 before three passes that gain 1e-3 each
    np.testing.assert_allclose(motion.q, fine.q, atol=2e-7)


@pytest.mark.parametrize(("method", "order"), [("rk4", 4), ("semi_implicit_euler", 1)])
def test_projection_keeps_the_order(method, order):
    figure, q, u = swinging()
    ends = []
    for steps in (50, 100, 400 if order > 1 else 3200):
        kernel = {"steps": steps, "dt": 0.5 / steps, "every": steps, "opt": 0}
        ends.append(ap.simulate(figure, q, u, method=method if len(ends) < 2 else "rk6", **kernel).q[-1])
    coarse, fine = (np.abs(end - ends[2]).max() for end in ends[:2])
    assert np.log2(coarse / fine) == pytest.approx(order, abs=0.3)


def test_an_overconstrained_linkage_turns():
    """Bennett's, which has three rows too many everywhere, at steps so long that stages are well off the loop."""
    figure = ap.sample("bennett")
    start = close_loops(figure, figure.neutral(), np.array([2.0, 0.0, 0.0]))
    motion = ap.simulate(figure, start.q, start.u, steps=200, dt=1e-2, every=10, opt=0)
    kinetic, energy = energies(motion)
    assert opened(motion) <= 1e-13 and np.ptp(motion.q[:, 0]) > 1.0
    assert np.ptp(energy) <= 1e-5 * kinetic.max()


def test_a_batch_has_the_bits_of_each_alone():
    figure, q, u = swinging()
    rates = np.array([1.0, -0.5, 0.2])[:, None] * u
    many = ap.simulate(figure, q, rates, steps=50, every=25, opt=0, parameters={"crank.mass": [0.5, 1.0, 2.0]})
    alone = ap.simulate(figure, q, rates[1], steps=50, every=25, opt=0, parameters={"crank.mass": 1.0})
    np.testing.assert_array_equal(many.q[1], alone.q)
    assert np.abs(many.q[0, -1] - many.q[1, -1]).max() > 1e-3


def test_one_step_records_and_runs_plain():
    figure, q, u = swinging()
    after = advance(figure, lambda t, q, u: Drive(), State(0.0, q, u), 1e-3)
    kernel = ap.simulate(figure, q, u, steps=1, dt=1e-3, opt=0)
    np.testing.assert_allclose(kernel.q[-1], after.q, atol=1e-15)
    np.testing.assert_allclose(kernel.u[-1], after.u, atol=1e-13)


def test_forces_by_name_in_a_batch_with_rows_and_parameters():
    """Channels say what `loop_dynamics` says at the frames' states, whatever drives the figure."""
    figure, q, u = swinging()
    rows = 0.1 * np.random.default_rng(0).normal(size=(2, 40, 3))
    push = {"coupler": np.array([0.0, 0.0, 0.1, 1.0, 0.0, 0.0])}
    motion = ap.simulate(figure, q, u, rows, f_ext=push, parameters={"rocker.mass": [1.0, 3.0]}, steps=40, every=10,
                         loop_forces=True, opt=0)  # fmt: skip
    assert motion.channels["closure.force"].shape == (2, 5, 6)
    heavy = figure.with_numbers(["rocker.mass"], [3.0])
    f_ext = np.zeros((3, 6))
    f_ext[1] = push["coupler"]
    for frame in (0, 2):
        want = loop_dynamics(heavy, motion.q[1, frame], motion.u[1, frame], rows[1, 10 * frame], f_ext)
        np.testing.assert_allclose(motion.channels["closure.force"][1, frame], want.forces["closure"], atol=1e-10)


def test_what_is_not_closed_is_refused():
    figure, q, u = swinging()
    with pytest.raises(StateError, match=r"'closure' of figure 'four_bar' is open by 0\..*ap.loops.close_loops"):
        ap.simulate(figure, q + 0.1, u, steps=1)
    with pytest.raises(StateError, match=r"'closure' .* is opening at .* per second"):
        ap.simulate(figure, q, u + 0.1, steps=1)
    with pytest.raises(InputError, match=r"'variational' is for figures without loops.*closure.*Runge"):
        ap.simulate(figure, q, u, steps=1, method="variational")
    with pytest.raises(InputError, match="No loop 'closur' with a number"):
        ap.simulate(figure, q, u, steps=1, loops={"closur": lambda t: t})
    with pytest.raises(InputError, match="is for figures without loops"):
        advance(figure, lambda t, q, u: Drive(), State(0.0, q, u), 1e-3, "variational")
