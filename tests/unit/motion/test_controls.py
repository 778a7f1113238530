"""Control functions: derivatives and integrals, hostile text, and the same motion from each kind of control."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.motion import Control, Expression, Fourier, Integral, Keyframes, driven, spline
from anthropi.motion.expressions import FUNCTIONS

T = np.linspace(0.0, 5.0, 41)


@pytest.mark.slow
def test_an_expression_knows_its_derivatives_and_integrals():
    f = Expression("a*sin(2*pi*t) + t**3*exp(-t)", a=0.4)
    w, e = 2.0 * np.pi, np.exp(-T)
    value, rate = 0.4 * np.sin(w * T) + T**3 * e, 0.4 * w * np.cos(w * T) + (3.0 * T**2 - T**3) * e
    acceleration = -0.4 * w * w * np.sin(w * T) + (6.0 * T - 6.0 * T**2 + T**3) * e
    for found, wanted in zip(f(T), (value, rate, acceleration), strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-13)
    np.testing.assert_allclose(f.derivative().derivative()(T).value, acceleration, atol=1e-13)
    area = -0.4 * np.cos(w * T) / w - (T**3 + 3.0 * T**2 + 6.0 * T + 6.0) * e
    np.testing.assert_allclose(f.integral(1.0)(T).value, 1.0 + area - area[0], atol=1e-12)
    twice = f.derivative().derivative().integral(rate[0]).integral(value[0])
    for found, wanted in zip(twice(T), (value, rate, acceleration), strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-12)
    np.testing.assert_allclose(twice.derivative()(T).value, rate, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "area"),
    [
        ("abs(sin(3*t))", lambda t: (2.0 * np.floor(3.0 * t / np.pi) + 1.0 - np.cos(np.mod(3.0 * t, np.pi))) / 3.0),
        ("where(t < 1.2345678, 1, -t)", lambda t: np.where(t < 1.2345678, t, 1.2345678 - (t * t - 1.2345678**2) / 2)),
        ("min(t, 2) + floor(t)", lambda t: np.where(t < 2, t * t / 2, 2 * t - 2) + _steps(t)),
        ("sqrt(t + 0.01)", lambda t: ((t + 0.01) ** 1.5 - 0.001) / 1.5),
        ("1 / (1 + 400*(t - 2)**2)", lambda t: (np.arctan(20 * (t - 2)) + np.arctan(40.0)) / 20),
        ("sin(60*t)", lambda t: (1 - np.cos(60 * t)) / 60),
    ],
)
def test_integrals_to_twelve_digits_over_kinks_jumps_and_waves(text, area):
    np.testing.assert_allclose(Expression(text).integral()(T).value, area(T), atol=1e-12)


def _steps(t):
    n = np.floor(t)
    return n * (n - 1.0) / 2.0 + n * (t - n)


def test_a_fourier_series_knows_its_derivatives_and_integrals():
    f = Fourier(2.0, 0.3, [0.1, 0.2], [0.5])
    w = np.pi
    np.testing.assert_allclose(f(T).value, 0.3 + 0.1 * np.cos(w * T) + 0.2 * np.cos(2 * w * T) + 0.5 * np.sin(w * T))
    np.testing.assert_allclose(f.derivative()(T).value, f(T).rate, atol=1e-14)
    np.testing.assert_allclose(f.derivative().derivative()(T).value, f(T).acceleration, atol=1e-13)
    up = f.integral(0.7)
    np.testing.assert_allclose(up(T).rate, f(T).value, atol=1e-14)
    assert up(0.0).value == pytest.approx(0.7) and f.integral(0.2, at=1.3)(1.3).value == pytest.approx(0.2)
    back = f.derivative().derivative().integral(f(0.4).rate, 0.4).integral(f(0.4).value, 0.4)
    np.testing.assert_allclose(back(T).value, f(T).value, atol=1e-13)


TEXTS = [f"{name}(0.3*t + 0.2)" for name, (_, arguments) in FUNCTIONS.items() if arguments == 1]
TEXTS += ["atan2(t, 2)", "min(t, 1)", "max(t, t*t)", "where(t >= 1, t**2, t**0.5)", "-t**-2 + +t"]


@pytest.mark.parametrize("text", TEXTS)
def test_every_function_records_as_it_computes(text):
    f = Expression(text)
    tape = ap.record(lambda t: np.array(f(t)), t=np.zeros(()))
    t = np.array([0.3, 1.1, 2.3])
    np.testing.assert_allclose(ap.build(tape, target="replay")(t), np.array(f(t)).T, rtol=1e-13, atol=1e-13)


def test_breaks_spare_pieces():
    text = "where(t < 1.2345678, 1, -t)"
    plain, with_breaks = Expression(text).integral(), Expression(text, breaks=[1.2345678]).integral()
    assert len(with_breaks.knots) == 3 < len(plain.knots)
    np.testing.assert_allclose(with_breaks(T).value, plain(T).value, atol=1e-12)


def test_integrals_record():
    f = Expression("abs(t - 1)*sin(t)").integral(0.3).integral(0.1)
    tape = ap.record(lambda t: np.array(f(t)), t=np.zeros(()))
    t = np.array([0.0, 0.99, 1.0, 4.4, 10.0])
    np.testing.assert_allclose(ap.build(tape, target="replay")(t), np.array(f(t)).T, atol=1e-13)


HOSTILE = {
    "__import__('os').system('true')": "which is not part of a formula",
    "__import__('os')": "a function that is not known",
    "t.__class__": "which is not part of a formula",
    "(lambda: 1)()": "which is not part of a formula",
    "[x for x in (1, 2)]": "which is not part of a formula",
    "open": "a name that is not known",
    "sin": "It is a function: give it arguments",
    "sni(t)": "Did you mean 'sin'",
    "sin(t, t)": "sin takes 1 argument",
    "sin(x=t)": "sin takes 1 argument",
    "max(*t, 1)": "which is not part of a formula",
    "9**9**9**9": "neither a whole number up to 64",
    "t**t": "neither a whole number up to 64",
    "t**1e9": "neither a whole number up to 64",
    "1e400": "not a finite number",
    "True": "not a finite number",
    "'a'*10**9": "not a finite number",
    "1j": "not a finite number",
    "t < 1": "Use a single <, <=, > or >=, inside where",
    "where(t, 1, 2)": "where a comparison belongs",
    "where(0 < t < 1, 1, 2)": "Use a single",
    "1 if t else 2": "which is not part of a formula",
    "1/0": "divides by 0",
    "log(-1)": "not a finite number",
    "exp(1e6)*t": "not a finite number",
    "t :=": "cannot be read",
    "t; t": "cannot be read",
    "\0": "cannot be read",
    "": "An expression must be text",
    "t+" * 1500 + "t": "at most 2000 are allowed",
    "-" * 900 + "t": "nested more than 50 levels deep",
    "(" * 900 + "t" + ")" * 900: "cannot be read",
}


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:20]))
def test_hostile_text_is_refused(text):
    with pytest.raises(ap.AnthropiError) as error:
        Expression(text)
    assert HOSTILE[text] in str(error.value) and len(str(error.value)) < 600


def test_bad_functions_are_answered():
    for make, message in (
        (lambda: Expression("a*t", a="b"), "constant 'a' is 'b'"),
        (lambda: Expression("t", t=1.0), "'t' already has a meaning"),
        (lambda: Expression("1/t").integral(), "not finite|cannot be integrated"),
        (lambda: Expression("t").integral()(11.0), "spans 0 to 10 s, but was evaluated at 11"),
        (lambda: Integral(Expression("t"), (1.0, 0.0)), "give the first and last time"),
        (lambda: Fourier(0.0), "period 0.0"),
        (lambda: Fourier(1.0, np.nan), "not finite"),
        (lambda: Fourier(1.0, 1.0).integral().integral().integral(), "integrated twice already"),
        (lambda: Control("positio", "t"), "Did you mean 'position'"),
        (lambda: Control("position", "t", position=1.0), "needs no integration constant .position."),
        (lambda: Control("velocity", "t", at=1.0), "or leave `at` out"),
        (lambda: Control("force", [1, 2]), "A control function must be a spline"),
    ):
        with pytest.raises(ap.AnthropiError, match=message):
            make()


# what they drive


FIGURE = ap.sample("double_pendulum")
CURVES = {
    "expression": tuple(map(Expression, ("0.4*sin(2*t) + 0.3*cos(3*t)", "0.8*cos(2*t) - 0.9*sin(3*t)",
                                         "-1.6*sin(2*t) - 2.7*cos(3*t)"))),
    "spline": (lambda f: (f, f.derivative(), f.derivative().derivative()))(
        spline(np.linspace(0.0, 3.0, 7), [0.1, 0.5, -0.3, 0.2, 0.8, 0.4, -0.1])),
    "Fourier": (lambda f: (f, f.derivative(), f.derivative().derivative()))(Fourier(2.0, 0.1, [0.3, 0.05], [0.1])),
}  # fmt: skip


@pytest.mark.parametrize("name", CURVES)
def test_position_velocity_and_acceleration_give_the_same_motion(name):
    """Three seconds of a driven joint with a free one behind it, to 1e-8 of each other and of the curve itself."""
    position, velocity, acceleration = CURVES[name]
    q, u = [float(position(0.0).value), 0.2], [float(velocity(0.0).value), 0.0]
    ways = {
        "position": driven(FIGURE, {"joint_0": Control("position", position)}, q=[0.0, 0.2]),
        "velocity": driven(FIGURE, {"joint_0": Control("velocity", velocity)}, q=q),
        "acceleration": driven(FIGURE, {"joint_0": Control("acceleration", acceleration)}, q=q, u=u),
        "by force": driven(FIGURE, {"joint_0": Control("velocity", velocity)}, q=q, forced="all"),
    }
    motions = {way: ap.simulate(FIGURE, **given, steps=3000, dt=1e-3, every=100, opt=0) for way, given in ways.items()}
    curve = position(motions["position"].time)
    for way, motion in motions.items():
        assert np.abs(motion.q - motions["position"].q).max() <= 1e-8, way
        assert np.abs(motion.q[:, 0] - curve.value).max() <= 1e-8, way
        assert np.abs(motion.u[:, 0] - curve.rate).max() <= 1e-8, way
    assert np.ptp(motions["position"].q[:, 1]) > 0.1  # the other joint moves


def test_a_control_tells_its_position_whatever_it_is_of():
    position, velocity, acceleration = CURVES["expression"]
    start = float(position(0.5).value), float(velocity(0.5).value)
    for control in (Control("position", position), Control("velocity", velocity, position=start[0], at=0.5),
                    Control("acceleration", acceleration, *start, at=0.5)):  # fmt: skip
        for found, wanted in zip(control(T), position(T), strict=True):
            np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_a_wheel_may_turn_for_ever():
    """A velocity that repeats and has a mean: the angle grows by it, with gains too."""
    rate = spline([0.0, 0.2, 0.5], [2.0, 4.0, 2.0], "periodic")
    for gains in (None, (1e4, 200.0)):
        given = driven(FIGURE, {"joint_0": Control("velocity", rate)}, q=[0.3, 0.0], gains=gains)
        motion = ap.simulate(FIGURE, **given, steps=2000, every=500, opt=0)
        np.testing.assert_allclose(motion.q[:, 0], rate.integral(0.3, 0.0)(motion.time).value, atol=1e-9)
        assert motion.q[-1, 0] > 5.0


def test_forces_over_time_push():
    """A force as text is the force as a function of ours."""
    by_text = ap.simulate(FIGURE, **driven(FIGURE, {"joint_1": Control("force", "3*sin(4*t)")}), steps=500, opt=0)

    def push(figure, t, q, u):
        return np.array([0.0, 3.0 * ap.scalar.sin(4.0 * t)])

    by_hand = ap.simulate(FIGURE, FIGURE.neutral(), forces=push, steps=500, opt=0)
    np.testing.assert_array_equal(by_text.q, by_hand.q)


def test_three_positions_of_a_ball_are_a_rotation_vector():
    figure = ap.sample("chain", links=2, joint="ball")
    texts = {"joint_0.x": "0.5*sin(t)", "joint_0.y": "0.4*cos(2*t)", "joint_0.z": "0.3*t"}
    given = driven(figure, {dof: Control("position", text) for dof, text in texts.items()})
    motion = ap.simulate(figure, **given, steps=1000, every=100, opt=0)
    r = np.array([figure.joints[0].coordinates(q[:4]) for q in motion.q])
    wanted = np.stack([0.5 * np.sin(motion.time), 0.4 * np.cos(2.0 * motion.time), 0.3 * motion.time], -1)
    np.testing.assert_allclose(r, wanted, atol=1e-11)
    with pytest.raises(ap.AnthropiError, match="one rotation vector: give all three"):
        driven(figure, {"joint_0.x": Control("position", "t")})
    turning = driven(figure, {"joint_0.x": Control("velocity", "1 + 0*t")}, start=1.0)
    assert turning["u"][0] == 1.0 and turning["start"] == 1.0 and turning["prescribed"] == ("joint_0.x",)


def test_keyframes_drive_a_simulation():
    """Balls led through attitudes at random: the simulation's own error, 1 ms and fourth order."""
    figure, rng = ap.sample("chain", links=3, joint="ball"), np.random.default_rng(1)
    keys = Keyframes(figure, {t: figure.random(rng) for t in (0.0, 0.7, 1.1, 2.0)}, ends="clamped")
    motion = ap.simulate(figure, **driven(figure, keys), steps=2000, every=100, opt=0)
    wanted = keys.motion(motion.time)
    assert np.abs(figure.difference(motion.q, wanted.q)).max() < 1e-9
    np.testing.assert_allclose(motion.u, wanted.u, atol=1e-9)


def test_a_jump_of_the_acceleration_costs_a_sixth_of_a_step_and_gains_take_it_back():
    curve = spline([0.0, 0.4, 1.0], [0.0, 0.5, 0.2], "clamped")
    ends = []
    for gains in (None, (1e4, 200.0)):
        given = driven(FIGURE, {"joint_0": Control("position", curve)}, gains=gains)
        ends.append(ap.simulate(FIGURE, **given, steps=2000, every=2000, opt=0)[-1])
    assert ends[0].u[0] == pytest.approx(1e-3 / 6.0 * curve(1.0).acceleration, rel=1e-6)
    assert abs(ends[1].u[0]) < 1e-10 and abs(ends[1].q[0] - 0.2) < 1e-10


def test_gains_bring_a_forced_motion_back():
    """Started 0.1 rad off, critically damped with 10 /s: gone after 3 s to e^-30."""
    control = {"joint_0": Control("position", "0.3*sin(2*t)"), "joint_1": Control("velocity", "cos(t)")}
    given = driven(FIGURE, control, forced="all", gains=(100.0, 20.0))
    given["q"] = given["q"] + [0.1, -0.05]
    motion = ap.simulate(FIGURE, **given, steps=3000, every=3000, opt=0)
    np.testing.assert_allclose(motion.q[-1], [0.3 * np.sin(6.0), np.sin(3.0)], atol=1e-8)


@pytest.mark.parametrize(
    ("controls", "options", "message"),
    [
        ({}, {}, "at least one"),
        ({"joint_9": Control("force", 1.0)}, {}, "No joint or degree of freedom 'joint_9'"),
        ({"joint_0": "sin(t)"}, {}, "'joint_0' is given str; give a Control or a JointPath"),
        ({"joint_0": Control("force", 1.0)}, {"forced": "joint_0"}, "has no motion control"),
        ({"joint_0": Control("force", 1.0)}, {"q": [0.0]}, r"'q' has shape \(1,\); expected \(2,\)"),
    ],
)
def test_bad_controls_are_answered(controls, options, message):
    with pytest.raises(ap.AnthropiError, match=message):
        driven(FIGURE, controls, **options)


def test_two_controls_of_one_joint_are_refused():
    figure = ap.sample("chain", links=2, joint="ball")
    way = Keyframes(figure, {0.0: {"joint_0": [0.1, 0.0, 0.0]}}).paths[0]
    with pytest.raises(ap.AnthropiError, match=r"'joint_0.x' has two controls"):
        driven(figure, {"joint_0": way, "joint_0.x": Control("force", 1.0)})
    with pytest.raises(ap.AnthropiError, match="has 3 degrees of freedom, but a Control drives only one"):
        driven(figure, {"joint_1": Control("force", 1.0)})
