"""Custom joints: values calculated by hand, and dynamics equal to those of joints in sequence, in every algorithm."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra.piecewise import pick, piece_at
from anthropi.algorithms.energy import kinetic_energy, potential_energy
from anthropi.errors import InputError
from anthropi.figure import Composite, Prismatic, Revolute, figure_from_parts
from anthropi.figure.joints import Custom, CustomAxis, PiecewiseCurve, PolynomialCurve, SineCurve
from anthropi.figure.joints.curves import CURVES
from unit.dynamics.catalog import everything
from unit.figure.families import FAMILIES, body, place

LINE = PolynomialCurve.of(0.0, 1.0)
SPLINE = next(axis.curve for axis in FAMILIES["custom knee"].translations if isinstance(axis.curve, PiecewiseCurve))


def arm(joints, seed=4):
    """A chain of these joints, with springs, dampers and rotors, and a state with forces of all sorts."""
    rng, parts = np.random.default_rng(seed), []
    for k, joint in enumerate(joints):
        named = joint.changed(name=f"j{k}", placement=place(rng), stiffness=1.5, damping=0.7, armature=0.1)
        parts.append((f"link{k - 1}" if k else "", named, body(rng, f"link{k}")))
    figure = figure_from_parts("arm", parts)
    q, u, udot, tau, rates, forces = rng.normal(size=(6, figure.nu))
    given = {"q": 0.5 * q, "u": u, "udot": udot, "tau": tau, "f_ext": rng.normal(size=(figure.n, 6)), "rates": rates}
    return figure, given | {"forces": forces}


def test_a_knee_by_hand():
    """Flexion θ about z with x = θ² and y = 0.3 θ: at θ = 0, the velocity is (0, 0.3, 0) and the bias is (2, 0, 0)."""
    slides = (CustomAxis("x", PolynomialCurve.of(0.0, 0.0, 1.0), "bend"),
              CustomAxis("y", PolynomialCurve.of(0.0, 0.3), "bend"))  # fmt: skip
    knee = Custom(name="knee", coordinate_names=("bend",), rotations=(CustomAxis("z", LINE, "bend"),),
                  translations=slides)  # fmt: skip
    assert knee.subspace(np.zeros(1))[:, 0].tolist() == [0.0, 0.0, 1.0, 0.0, 0.3, 0.0]
    u = np.array([2.0])
    want = np.array([2.0 * 4.0, 0.0, 0.0]) - np.cross([0.0, 0.0, 2.0], [0.0, 0.6, 0.0])  # t'' - ω × v
    np.testing.assert_allclose(knee.bias(np.zeros(1), u), [0.0, 0.0, 0.0, *want], atol=1e-15)
    assert knee.slide_rate(np.zeros(1), u, np.array([1.0])).tolist() == [8.0, 0.3, 0.0]
    assert knee.transform(np.array([0.5])).origin.tolist() == [0.25, 0.15, 0.0]


SEQUENCE = Composite(parts=(Prismatic(name="a", axis="y"), Revolute(name="b", axis=(1.0, 2.0, 0.5)),
                            Revolute(name="c", axis="-x")))  # fmt: skip
SAME = Custom(
    coordinate_names=("a", "b", "c"),
    lengths=(True, False, False),
    translations=(CustomAxis("y", LINE, "a"),),
    rotations=(CustomAxis((1.0, 2.0, 0.5), LINE, "b"), CustomAxis("-x", LINE, "c")),
)


def test_every_algorithm_agrees_with_joints_in_sequence():
    (one, given), (other, _) = arm([SAME, SAME]), arm([SEQUENCE, SEQUENCE])
    assert one.dofs == other.dofs and [*one.joints[0].lengths] == [*other.joints[0].lengths]
    got, wanted = everything(one)(**given), everything(other)(**given)
    for name, values in wanted.items():
        size = np.max(np.abs(values), initial=1.0)
        assert np.max(np.abs(got[name] - values), initial=0.0) <= 1e-11 * size, name  # condition about 1e3
    for algorithm in (ap.direct_dynamics, ap.inverse_dynamics):
        rows = [given["q"], given["u"], given["tau"]]
        D, E = (ap.derivative(algorithm, figure, wrt=("q", "u"))(*rows) for figure in (one, other))
        for name in E:
            np.testing.assert_allclose(D[name], E[name], rtol=1e-10, atol=1e-9, err_msg=name)


@pytest.mark.parametrize("target", ["cpu", "replay", "wasm"])
def test_kernels_agree_with_the_plain_functions(target):
    figure, given = arm([FAMILIES[name] for name in FAMILIES if "custom" in name])
    tape = ap.record(everything(figure), **{name: np.zeros(np.shape(x)) for name, x in given.items()})
    got = ap.build(tape, target=target, opt=0)(*given.values())
    for name, wanted in everything(figure)(**given).items():
        size = np.max(np.abs(wanted), initial=1.0)
        assert np.max(np.abs(got[name] - wanted), initial=0.0) <= 1e-11 * size, name


def test_derivatives_of_dynamics_are_slopes():
    """Exact derivatives of direct dynamics, beside central differences of fourth order."""
    figure, given = arm([FAMILIES["custom knee"], FAMILIES["custom, coupled"], FAMILIES["backward custom"]])
    q, u, tau = given["q"], given["u"], given["tau"]
    D = ap.derivative(ap.direct_dynamics, figure, wrt=("q", "u"))(q, u, tau)
    h = 1e-4
    for name in ("q", "u"):
        slopes = []
        for step in h * np.eye(figure.nu):
            rows = [(q + s * step, u) if name == "q" else (q, u + s * step) for s in (-2, -1, 1, 2)]
            f = [ap.direct_dynamics(figure, a, b, tau) for a, b in rows]
            slopes.append((f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h))
        np.testing.assert_allclose(D[name], np.transpose(slopes), rtol=1e-7, atol=1e-7)  # rounding 1e-12 / h


def test_a_simulation_keeps_its_energy():
    """Two joints fall and swing for half a second."""
    figure, given = arm([FAMILIES["custom knee"], FAMILIES["custom, coupled"]], seed=2)
    joints = [j.changed(stiffness=0.0, damping=0.0, lower=-np.inf, upper=np.inf) for j in figure.joints]
    figure = figure.changed(joints=joints)
    motion = ap.simulate(figure, 0.2 * given["q"], 0.2 * given["u"], duration=0.5, dt=1e-3, method="rk4")
    kinetic = [kinetic_energy(figure, q, u) for q, u in zip(motion.q, motion.u, strict=True)]
    total = kinetic + np.array([potential_energy(figure, q) for q in motion.q])
    assert np.ptp(total) < 1e-7 * np.ptp(kinetic)  # dt⁴ = 1e-12, times fifth derivatives at frequencies of 20/s


def test_pieces_meet_at_knots_and_the_last_knot_belongs_to_the_piece_before():
    knots = np.array([0.0, 1.0])
    assert [int(piece_at(knots, t)) for t in (-1.0, 0.0, 0.5, 1.0, 1.5)] == [0, 1, 1, 1, 2]
    assert pick([3.0, 4.0, 5.0], 1) == 4.0
    for knot in SPLINE.knots:
        around = [[f.value([x]) for f in (SPLINE, SPLINE.derivative(0))] for x in (knot - 1e-9, knot, knot + 1e-9)]
        np.testing.assert_allclose(around[0], around[2], atol=1e-8)
        np.testing.assert_allclose(around[1], around[2], atol=1e-8)


@pytest.mark.parametrize("curve", [LINE, SPLINE, SineCurve((1.3,), 0.2, 0.5, 0.1, 0.3)])
def test_curves_rescale_and_fix_their_argument(curve):
    big = curve.rescaled(3.0, (2.0,))
    for x in (-0.7, 0.1, 0.9):
        assert big.value([2.0 * x]) == pytest.approx(3.0 * curve.value([x]), rel=1e-13)
        assert curve.fixed(0, x).constant == pytest.approx(curve.value([x]), rel=1e-15)


def test_a_polynomial_of_two_arguments():
    """f = 2 x y² + 3: by hand."""
    f = PolynomialCurve(((1, 2), (0, 0)), (2.0, 3.0))
    assert f.value([2.0, 3.0]) == 39.0 and [d.value([2.0, 3.0]) for d in f.first] == [18.0, 24.0]
    assert f.rate([2.0, 3.0], [1.0, -1.0]) == -6.0 and f.second([2.0, 3.0], [1.0, -1.0]) == 8.0 - 2 * 12.0
    assert f.fixed(1, 3.0).value([2.0]) == 39.0 and f.constant is None and LINE.derivative(0).constant == 1.0


def test_kinds_of_curves_are_listed():
    assert set(CURVES.values()) == {PolynomialCurve, PiecewiseCurve, SineCurve}


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Custom(name="j"), r"has coordinates \[\]"),
        (lambda: Custom(name="j", coordinate_names=("a", "a")), "each with its own name"),
        (lambda: Custom(name="j", coordinate_names=("bend",), rotations=(CustomAxis("z", LINE, "bent"),)), "'bend'"),
        (lambda: Custom(name="j", coordinate_names=("a",), lengths=(True, False)), "1 coordinates and 2 lengths"),
        (lambda: CustomAxis("z", LINE, ("a", "b")), "2 coordinates and a curve of 1"),
        (lambda: PiecewiseCurve((0.0, 0.0), [[0.0]] * 3), "must increase"),
        (lambda: PiecewiseCurve((0.0,), [[0.0]] * 3), "one row for each piece"),
        (lambda: PolynomialCurve(((40,),), (1.0,)), "powers outside 0 to 30"),
        (lambda: SineCurve((np.nan,)), "finite"),
    ],
)
def test_what_is_not_a_joint_is_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()
