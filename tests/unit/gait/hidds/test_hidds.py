"""Inverse then direct dynamics: three modes, three ways to drive a joint, three kinds of root."""

from functools import cache

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics, point_velocity
from anthropi.errors import InputError, ShapeError, StateError, StepError
from anthropi.gait.hidds import MODES, arm_motion
from anthropi.gait.hidds.desired_motion import differentiated
from anthropi.gait.hidds.increment import Increment, increment, increment_kernel
from anthropi.gait.hidds.sequence import Sequence

ARM = arm_motion()
JOINTS = slice(6, None)


@cache
def followed(mode: str, **options):
    return ap.hidds(ARM, mode, opt=0, **options)


def largest(motion) -> np.ndarray:
    """The largest error [rad] of any joint, at each frame."""
    return np.abs(motion.channels["error"][:, JOINTS]).max(-1)


def test_10_3__E19__the_stored_motion_in_three_modes():
    """`floating_arm6`, 2 s at 120 Hz: the issue's own bounds."""
    opened, current, computed = (largest(followed(m)) for m in ("open loop", "current state", "computed torque"))
    assert len(opened) == 241 and ARM.time[np.argmax(opened > 0.1)] < 0.6 and opened.max() > 1.0
    assert current.max() <= 0.15
    assert computed.max() <= 0.01
    assert current[-1] > 0.02  # nothing pulls back: half a step's lag of the first acceleration stays as a drift


def test_10_3__the_same_with_increments_integrated_exactly():
    """rk4 within increments: holding forces is then the only error; feedback is needed all the more."""
    opened, computed = (largest(followed(m, method="rk4")) for m in ("open loop", "computed torque"))
    assert ARM.time[np.argmax(opened > 0.1)] < 1.2
    assert computed.max() <= 0.01


@pytest.mark.parametrize("mode", MODES)
def test_10_2__at_one_instant_direct_dynamics_undoes_inverse_dynamics(mode):
    """u' at the start of each increment is the one that was asked for, whatever the mode, at the first frame; at all
    frames where the state is the current one. The base follows (9.13): no force acts on it."""
    found = followed(mode)
    frames = slice(0, 1) if mode != "current state" else slice(None)
    assert np.allclose(found.udot[frames, JOINTS], ARM.udot[frames, JOINTS], rtol=0.0, atol=1e-9)
    back = ap.direct_dynamics(ARM.figure, found.q, found.u, found.tau)
    assert np.abs(back - found.udot).max() < 1e-9 * np.abs(found.udot).max()
    assert not found.channels["residual"].any()
    momentum = ap.dynamics.momentum(ARM.figure, found.q[::40], found.u[::40])
    assert mode == "open loop" or np.abs(momentum - momentum[0]).max() < 0.05 * np.abs(ARM.u).max()


def test_open_loop_is_simulate_with_rows():
    found = followed("open loop")
    again = ap.simulate(ARM.figure, found.q[0], found.u[0], found.tau[:60], steps=60, dt=1.0 / 120.0, opt=0,
                        method="semi_implicit_euler")  # fmt: skip
    assert np.array_equal(again.q, found.q[:61]) and np.array_equal(again.u, found.u[:61])


def test_forces_on_a_free_root_are_not_read():
    found = followed("open loop")
    rows = found.tau[:61] + np.where(np.arange(12) < 6, 5.0, 0.0)
    again = ap.hidds(ARM[:61], "open loop", tau=rows, opt=0)
    assert np.array_equal(again.q, found.q[:61]) and not again.channels["residual"].any()


@pytest.mark.slow
def test_forces_may_be_held_for_longer_and_integrated_more_finely():
    coarse, fine = (largest(ap.hidds(ARM, dt=1.0 / rate, method="rk4", opt=0)) for rate in (60, 240))
    assert fine.max() < 0.4 * coarse.max() < 0.02  # first order in how long forces are held
    halves = [ap.hidds(ARM[:61], method="rk4", substeps=n, opt=0).q for n in (1, 4)]
    assert 0.0 < np.abs(halves[0] - halves[1]).max() < 1e-5


# driven, frozen


@pytest.mark.parametrize(("method", "substeps"), [("semi_implicit_euler", 1), ("semi_implicit_euler", 3), ("rk4", 1)])
def test_a_driven_joint_is_where_it_should_be_and_the_others_feel_it(method, substeps):
    found = ap.hidds(ARM[:61], "open loop", driven=["shoulder_pitch", "elbow"], method=method, substeps=substeps, opt=0)
    error = np.abs(found.channels["error"])
    led = list(ARM.figure.dof_indices(["shoulder_pitch", "elbow"]))
    assert error[:, led].max() < 1e-12
    assert error[:, 9:].max() > 1e-4
    back = ap.inverse_dynamics(ARM.figure, found.q, found.u, found.udot)
    assert np.abs(back - found.tau).max() < 1e-10 * np.abs(found.tau).max()  # tau tells what leading them takes


def test_feedback_does_not_ask_for_more_of_what_is_driven_by_motion():
    """A semi-implicit step leaves a driven joint half a step behind its velocity. Inverse dynamics that took the pull
    of it for an acceleration that comes would throw the other joint: 0.0215 rad instead of 0.005."""
    figure = ap.sample("double_pendulum")
    keys = ap.Keyframes(figure, {0.0: [0.0, 0.0], 0.5: [1.0, 0.5], 1.0: [0.2, -0.3]})
    alone, led = (ap.hidds(keys, driven=driven, opt=0).channels["error"] for driven in ((), ("joint_0",)))
    assert np.abs(led[:, 1]).max() < 1.1 * np.abs(alone[:, 1]).max() < 0.01
    made = Sequence(keys, driven=["joint_0"], opt=0)
    assert np.array_equal(made.feedback(3, np.ones(2), np.ones(2), 100.0, 20.0) != 0.0, [False, True])


def test_a_frozen_joint_stays_and_the_rest_is_planned_with_it_still():
    found = ap.hidds(ARM, frozen=["elbow"], driven=["flange"], opt=0)
    k = ARM.figure.dof_indices(["elbow"])[0]
    assert np.array_equal(found.u[:, k], np.zeros(len(found))) and np.ptp(found.q[:, k + 1]) == 0.0
    assert np.any(found.tau[:, k]) and largest(found).max() <= 0.01
    with pytest.raises(InputError, match="'elbow' is both driven and frozen"):
        ap.hidds(ARM, frozen=["elbow"], driven=["elbow"])


def test_one_axis_of_a_ball_may_be_frozen():
    figure = ap.sample("spherical_pendulum")
    assert figure.nu == 3 and figure.nq == 4
    rng = np.random.default_rng(0)
    keys = {t: figure.integrate(figure.neutral(), 0.5 * rng.normal(size=3)) for t in (0.0, 0.3, 0.6)}
    dof = figure.dofs[0]
    found = ap.hidds(ap.Keyframes(figure, keys, ends="clamped"), frozen=[dof], method="rk4", opt=0)
    assert np.array_equal(found.u[:, 0], np.zeros(len(found)))
    assert np.abs(found.channels["error"]).max() < 0.01 and np.abs(found.u[:, 1:]).max() > 0.5
    wanted = figure.integrate(found.q, found.channels["error"])
    told = differentiated(ap.Motion(figure, found.time, wanted)).u  # what is wanted turns about the other axes alone
    assert np.abs(told[:, 0]).max() < 1e-3 * np.abs(told).max()


# roots


def lifted():
    """The arm on a course through the air that only forces from outside could make."""
    keys = {t: ARM.figure.integrate(ARM.q[0], [0.3 * t, 0.1 * t * t, 0.2 * t, 0.0, 0.4 * t * t, *(0.3,) * 7][:12])
            for t in (0.0, 0.25, 0.5)}  # fmt: skip
    return ap.Keyframes(ARM.figure, keys)


def test_a_root_may_be_forced_or_driven_and_the_residual_says_what_it_takes():
    wanted = lifted()
    forced, driven, free = (ap.hidds(wanted, root=r, method="rk4", opt=0) for r in ("forced", "driven", "free"))
    exact = ap.inverse_motion(wanted, dt=1.0 / 120.0)
    assert np.abs(driven.channels["error"][:, :3]).max() < 1e-12  # coordinates that add
    assert np.abs(driven.channels["error"][:, 3:6]).max() < 1e-7  # of those that turn together, corrected as it goes
    assert np.abs(forced.channels["error"]).max() < 0.01
    scale = np.abs(exact.channels["residual"]).max()
    assert np.abs(forced.channels["residual"] - exact.channels["residual"]).max() < 0.1 * scale
    assert np.array_equal(forced.channels["residual"], forced.tau[:, :6])
    assert not free.channels["residual"].any()
    assert np.abs(free.q[-1, :3] - wanted(0.5).q[:3]).max() > 1e-3  # nothing but the joints moves it


@pytest.mark.slow
def test_forces_from_outside_act_in_both_passes():
    """A steady push on the base, as rows and as a function of the state: the joints are held against it alike."""
    push = {"base": np.array([0.0, 0.3, 0.0, 4.0, 0.0, 0.0])}
    rows = ap.hidds(ARM[:61], f_ext=push, opt=0)
    function = ap.hidds(ARM[:61], f_ext=lambda figure, t, q, u: push, opt=0)
    assert np.allclose(rows.q, function.q, rtol=0.0, atol=1e-12)
    assert largest(rows).max() <= 0.01
    free = ap.hidds(ARM[:61], opt=0)
    rate = ap.dynamics.momentum_rate(ARM.figure, rows.q[:1], rows.u[:1], rows.udot[:1])[0, 3:]
    assert np.allclose(rate, [4.0, 0.0, 0.0], atol=1e-9)
    assert np.abs(rows.q[-1, :3] - free.q[-1, :3]).max() > 1e-3


def tether(figure, t, q, u):
    """A spring from the tool to where it began, and a damper: forces that depend on the state, in world axes."""
    k, link = kinematics(figure, q, u), figure.n - 1
    force = -20.0 * (k.position[link] - np.array([0.4, 0.0, 0.9])) - 2.0 * point_velocity(k, link, np.zeros(3))
    return {figure.links[link].name: np.concatenate([np.zeros(3), k.rotation[link].T @ force])}


@pytest.mark.slow
def test_a_reaction_that_depends_on_the_state_is_part_of_both_kernels():
    motion = ARM[:61]
    made = Sequence(motion, f_ext=tether, opt=0)
    plain = ap.inverse_motion(made.desired, tether, root="free")  # evaluated frame by frame, in Python
    assert np.allclose(made.planned(), plain.tau, rtol=0.0, atol=1e-10)
    off = np.abs(made.desired.udot[:, :6] - plain.udot[:, :6])  # the cubic of an increment against the wave itself
    assert off.max() < 1e-3 * np.abs(plain.udot[:, :6]).max()
    found = ap.hidds(motion, f_ext=tether, opt=0)
    assert largest(found).max() <= 0.01
    assert np.abs(found.tau - ap.hidds(motion, opt=0).tau).max() > 1.0  # [N m] the joints feel it


def test_forces_that_throw_the_root_off_are_named():
    def blast(figure, t, q, u):
        return {"base": 1e6 * np.concatenate([u[3:6] ** 3 + 1.0, np.zeros(3)])}

    with pytest.raises(StepError, match="The root of 'floating_arm6' diverges under the external forces"):
        ap.hidds(ARM, f_ext=blast, opt=0)


def test_another_start_is_led_back_by_feedback():
    rng = np.random.default_rng(5)
    q = ARM.figure.integrate(ARM.q[0], np.concatenate([np.zeros(6), 0.1 * rng.normal(size=6)]))
    found = ap.hidds(ARM, start=(q, ARM.u[0]), opt=0)
    error = largest(found)
    assert error[0] > 0.05 and error[120:].max() <= 0.01  # ten time constants
    with pytest.raises(StateError, match="Frozen degrees of freedom move at the start: elbow"):
        ap.hidds(ARM, start=(q, ARM.u[0]), frozen=["elbow"])
    with pytest.raises(ShapeError, match=r"'start q' has shape \(3,\)"):
        ap.hidds(ARM, start=(q[:3], ARM.u[0]))


def test_a_planar_root_floats_too():
    figure = ap.sample("hopper").changed(gravity=np.zeros(3))
    keys = {t: {"hip": 0.3 * t, "leg": 0.02 * t} for t in (0.0, 0.2, 0.4)}
    found = ap.hidds(ap.Keyframes(figure, keys), opt=0)
    assert found.channels["residual"].shape == (len(found), 3) and not found.channels["residual"].any()
    assert np.abs(found.channels["error"]).max() < 0.01


# the kernel, and what is refused


@pytest.mark.parametrize("substeps", [1, 2])
def test_the_kernel_of_an_increment_is_the_plain_function(substeps):
    figure, rng = ARM.figure, np.random.default_rng(3)
    plan = Increment(("elbow",), "rk4", substeps, True)
    given = {"t": np.float64(0.1), "h": np.float64(0.01), "q": ARM.q[7], "u": ARM.u[7]}
    given |= {name: rng.normal(size=figure.nu) for name in ("tau", "a", "b")} | {"f_ext": rng.normal(size=(7, 6))}
    for got, wanted in zip(
        increment_kernel(figure, plan, opt=0)(**given), increment(figure, plan, **given), strict=True
    ):
        assert np.allclose(got, wanted, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mode": "open"}, "mode='open'. Did you mean 'open loop'"),
        ({"root": "fixed"}, "root='fixed'. Choose one of: free, forced, driven"),
        ({"kp": -1.0}, "kp must be a number or"),
        ({"kp": "stiff"}, "'kp' is of type str"),
        ({"kd": np.nan}, "'kd' holds nan"),
        ({"dt": None}, "dt=None: give the length of an increment"),
        ({"start": ARM.q[0]}, r"start has type ndarray. Give a tuple \(q, u\)"),
        ({"f_ext": "gravity"}, "'f_ext' is of type str"),
        ({"dt": 0.0}, "dt=0.0"),
        ({"substeps": 0}, "substeps=0"),
        ({"tau": np.zeros((3, 12))}, "tau can be replayed only with mode='open loop'"),
        ({"mode": "open loop", "tau": np.zeros((3, 12))}, r"tau has shape \(3, 12\); the motion has 241 frames"),
        ({"driven": ["elbow"], "method": "midpoint"}, "'midpoint' cannot drive joints"),
        ({"driven": ["elbo"]}, "Did you mean 'elbow'"),
    ],
)
def test_what_cannot_be_done_is_refused(options, words):
    with pytest.raises(InputError, match=words):
        ap.hidds(ARM, **options)


def test_a_figure_that_does_not_float_has_no_root_to_force():
    figure = ap.sample("double_pendulum")
    motion = ap.Motion(figure, [0.0, 0.1, 0.2], np.zeros((3, 2)))
    with pytest.raises(InputError, match=r"'double_pendulum' is fixed to the world. To drive its first joint"):
        Sequence(motion, root="driven")


def test_a_run_that_breaks_off_keeps_what_there_was():
    far = np.full((241, 12), 1e200)
    with pytest.raises(StepError, match=r"no longer finite at .* s. Use a shorter dt") as stopped:
        ap.hidds(ARM, "open loop", tau=far, opt=0)
    assert 1 <= len(stopped.value.motion) < 241


def test_figures_with_loops_are_refused():
    figure = ap.sample("four_bar")
    still = ap.Motion(figure, [0.0, 0.01, 0.02], np.tile(figure.neutral(), (3, 1)))
    for ask in (ap.inverse_motion, ap.hidds, ap.refine):
        with pytest.raises(InputError, match=r"is for trees, but figure 'four_bar' has loops \(closure\)"):
            ask(still)
