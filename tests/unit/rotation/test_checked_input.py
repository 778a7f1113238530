"""`ap.rotation` refuses what is not a rotation, by one rule, and says what repairs it."""

import contextlib
import inspect
import math
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra import rotation as kernel
from anthropi.algorithms.kinematics import KinematicsView
from anthropi.errors import InputError, ShapeError, SingularError, StateError
from anthropi.tape import record
from unit.rotation.catalog import CATALOG, inputs_of

rot = ap.rotation
TURN = [2.0 * math.pi, 0.0, 0.0]
FLIP = np.diag([1.0, 1.0, -1.0])
X = [1.0, 0.0, 0.0]

INVALID = {
    "rotate by 2 + k": (lambda: rot.rotate([2, 0, 0, 1], X), "rotate: 'Phi' is not a unit.*2.236.*normalise"),
    "matrix of 2 + k": (lambda: rot.matrix_from_quaternion([2, 0, 0, 1]), "'q' is not a unit quaternion.*normalise"),
    "log of -1": (lambda: rot.log(-np.eye(3)), "log: 'Phi' is not a rotation matrix: its determinant is -1.*nearest"),
    "log of a reflection": (lambda: rot.log(FLIP), "reflection.*nearest"),
    "sheared matrix": (lambda: rot.euler_from_matrix(np.eye(3) + 1e-3 * np.eye(3, k=1)), "orthonormal.*0.001.*nearest"),
    "long axis": (lambda: rot.matrix_from_angle_axis(0.3, [1, 1, 0]), "'n' is not a unit vector.*1.41421.*normalise"),
    "zero axis": (lambda: rot.quaternion_from_angle_axis(0.3, [0, 0, 0]), "'n' is not a unit vector.*length is 0"),
    "NaN quaternion": (lambda: rot.log(np.full(4, np.nan)), "'Phi' contains nan at index 0"),
    "NaN in a batch": (lambda: rot.exp([[0, 0, 0], [0, np.inf, 0]]), "'v' contains inf at index 1, 1"),
    "second of a batch": (lambda: rot.inverse([[1, 0, 0, 0], [3, 0, 0, 0]]), "quaternion at index 1: its length is 3"),
    "complex": (lambda: rot.exp([1j, 0, 0]), "exp: 'v' is complex"),
    "text": (lambda: rot.exp("abc"), "'v' is not an array of numbers: 'abc'"),
    "ragged": (lambda: rot.exp([[1, 2], [3]]), "'v' is not an array of numbers"),
    "no angle": (lambda: rot.alpha(), r"alpha needs the angle, alpha\(theta\), or its square.*neither"),
    "two angles": (lambda: rot.zeta(1.0, square=1.0), "got both"),
    "zero time": (lambda: rot.differentiate([1, 0, 0, 0], [1, 0, 0, 0], 0.0), "'dt' is zero"),
    "no direction": (lambda: rot.quaternion_between(X, [0, 0, 0]), "'b' is zero and has no direction"),
    "opposite mean": (lambda: rot.mean([[1, 0, 0, 0], [0, 1, 0, 0]]), "180° apart"),
    "negative weight": (lambda: rot.mean([[1, 0, 0, 0], [1, 0, 0, 0]], [2, -1]), "weights must not be negative"),
    "normalise zero": (lambda: rot.normalise(np.zeros(4)), "zero and has no direction"),
    "affine matrix": (lambda: rot.homogeneous_inverse(np.diag([1, 1, 1, 2.0])), "last row is .*not \\(0, 0, 0, 1\\)"),
    "scaled transform": (lambda: rot.transform_point(np.diag([2, 2, 2, 1.0]), X), "'T' is not a rotation matrix"),
    "seed": (lambda: rot.random_quaternion(seed=-1), "seed -1 is not valid"),
}  # fmt: skip


@pytest.mark.parametrize("name", INVALID)
def test_refuses(name):
    call, message = INVALID[name]
    with pytest.raises(InputError, match=message):
        call()


MISSHAPEN = {
    "4×4 inverse": (lambda: rot.inverse(np.eye(4)), "homogeneous transform.*homogeneous_inverse"),
    "4×4 product": (lambda: rot.product(rot.homogeneous(np.eye(3), [1, 2, 3]), np.eye(4)), "homogeneous_product"),
    "4×4 log": (lambda: rot.log(np.stack([rot.homogeneous(rot.exp([0, 0, 1]), X)] * 2)), "homogeneous_log"),
    "batches": (lambda: rot.rotate(np.tile(np.eye(3), (3, 1, 1)), np.zeros((2, 3))), r"'Phi' \(3,\), 'r' \(2,\)"),
    "vector of 4": (lambda: rot.exp(np.zeros(4)), r"'v' is not a vector: its shape is \(4,\)"),
    "vector as rotation": (lambda: rot.inverse(np.zeros(3)), "quaternion_from_rotation_vector"),
    "two types": (lambda: rot.product(np.eye(3), [1, 0, 0, 0]), "different types"),
}


@pytest.mark.parametrize("name", MISSHAPEN)
def test_refuses_the_shape(name):
    call, message = MISSHAPEN[name]
    with pytest.raises(ShapeError, match=message):
        call()


SINGULAR = {
    "rotation vector rate": (lambda: rot.rotation_vector_rate_from_angular_velocity(TURN, X), "change_chart"),
    "two turns": (lambda: rot.rotation_vector_rate_from_angular_velocity([0, 4 * math.pi, 0], X), "whole turn"),
    "rotation vector acceleration":
        (lambda: rot.rotation_vector_acceleration_from_angular_acceleration(TURN, X, X, X), "whole turn"),
    "G_b": (lambda: rot.G_b([X, TURN]), "whole turn"), "G_s_dot_w": (lambda: rot.G_s_dot_w(TURN, X, X), "whole turn"),
    "zeta": (lambda: rot.zeta(2 * math.pi), "infinite"),
    "delta": (lambda: rot.delta(square=4 * math.pi**2), "infinite"),
    "torque": (lambda: rot.change_chart_torque(TURN, X), "change_chart"),
    "axis rate at 0": (lambda: rot.angle_axis_rate_from_angular_velocity(0.0, X, X), "'theta' is 0"),
    "axis acceleration": (lambda: rot.angle_axis_acceleration_from_angular_acceleration(0.0, X, X, X), "'theta' is 0"),
    "gimbal lock": (lambda: rot.euler_rate_from_angular_velocity([0, math.pi / 2, 0], X), "gimbal lock.*1.5708"),
    "two axes": (lambda: rot.euler_rate_matrix_inverse([1.0, 0.0, 0.0], "zxz"), "'zxz' are at gimbal lock"),
    "Euler acceleration":
        (lambda: rot.euler_acceleration_from_angular_acceleration([0, -math.pi / 2, 0], X, X), "gimbal lock"),
    "Rodrigues": (lambda: rot.rodrigues_from_quaternion([0, 1, 0, 0]), "half turn"),
    "nearest": (lambda: rot.nearest(-np.eye(3)), "equally near"),
    "overflow": (lambda: rot.point_velocity(X, [0, 1e300, 0], [1e300, 0, 0]), "not finite"),
}  # fmt: skip


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", SINGULAR)
def test_refuses_a_singular_rate(name):
    call, message = SINGULAR[name]
    with pytest.raises(SingularError, match=message):
        call()


@pytest.mark.parametrize("function", ["exponential_rates", "forces_from_exponential"])
def test_exponential_coordinates_are_refused_at_a_whole_turn(function):
    links = [("", ap.joints.Exponential(name="hip"), ap.Link.of("leg", ap.spatial.box((0.1, 0.2, 0.3), mass=1.0)))]
    figure = ap.figure_from_parts("one", links)
    with pytest.raises(SingularError, match=rf"{function}: the rotation vector of joint 'hip' is a whole turn"):
        getattr(ap.dynamics, function)(figure, TURN, X)
    with pytest.raises(SingularError, match="number 1 of the batch"):
        getattr(ap.dynamics, function)(figure, [X, TURN], X)
    with pytest.raises(SingularError, match=r"figure\.rate"):
        figure.rate(TURN, X)
    assert np.all(np.isfinite(getattr(ap.dynamics, function)(figure, X, X)))


@pytest.mark.parametrize("name", CATALOG)
def test_checked_functions_agree_with_those_of_the_kernels(name):
    entry = CATALOG[name]
    public = getattr(rot, name.partition(",")[0])
    if entry.function is not getattr(kernel, name.partition(",")[0], None):
        return  # a partial function or one with other inputs
    batch = inputs_of(entry, (0.4, 1.7, 2.9))
    if name == "differentiate":
        batch[2] = 0.1 + np.abs(batch[2])
    ours, theirs = public(*batch), entry.function(*batch)
    for a, b in zip(*((x if isinstance(x, tuple) else (x,)) for x in (ours, theirs)), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-13, atol=1e-13)  # inputs within rounding are used as they are


def test_every_function_of_the_kernels_is_public_with_checks():
    for name in kernel.__all__:
        public = getattr(rot, name)
        assert name in ("EULER_ORDERS", "euler_order") or public is not getattr(kernel, name), f"{name} is not checked"
        assert not callable(public) or pickle.loads(pickle.dumps(public)) is public


def test_rotations_within_rounding_of_files_are_used_as_the_nearest_rotation():
    rng = np.random.default_rng(0)
    q = rot.random_quaternion(20, seed=1) * (1.0 + rng.uniform(-1e-6, 1e-6, (20, 1)))
    v = rng.normal(size=(20, 3))
    C = rot.matrix_from_quaternion(q)
    np.testing.assert_allclose(rot.rotate(q, v), (C @ v[..., None])[..., 0], rtol=0, atol=2e-15)
    np.testing.assert_allclose(np.swapaxes(C, -1, -2) @ C, np.broadcast_to(np.eye(3), C.shape), rtol=0, atol=2e-15)
    noisy = C + rng.uniform(-3e-7, 3e-7, C.shape)
    Q = rot.matrix_from_quaternion(rot.quaternion_from_matrix(noisy))
    np.testing.assert_allclose(Q, rot.nearest(noisy), rtol=0, atol=1e-12)


def test_single_precision_is_computed_in_double_precision():
    C = rot.exp(np.array([0.3, -0.2, 0.9], np.float32))
    assert C.dtype == np.float64
    assert rot.log(C.astype(np.float32)).dtype == np.float64


def test_a_missing_point_stays_missing():
    moved = rot.rotate(rot.exp([0, 0, 1]), [X, [np.nan] * 3])
    assert np.isfinite(moved[0]).all() and np.isnan(moved[1]).all()


def test_checks_are_not_recorded():
    tapes = [record(lambda q, v, m=m: m.log(m.box_plus(q, v)), q=np.zeros(4), v=np.zeros(3)) for m in (rot, kernel)]
    assert tapes[0].key == tapes[1].key


def test_upper_case_names_the_same_order_in_functions_and_joints():
    angles = [0.3, -0.4, 1.2]
    assert np.array_equal(rot.matrix_from_euler(angles, "ZYX"), rot.matrix_from_euler(angles, "zyx"))
    assert np.array_equal(rot.quaternion_from_euler(angles, "ZXZ"), rot.quaternion_from_euler(angles, "zxz"))
    assert ap.joints.Euler(name="hip", order="ZYX").order == "zyx"
    for call in (lambda: rot.matrix_from_euler(angles, "Zyx"), lambda: ap.joints.Euler(name="hip", order="Zyx")):
        with pytest.raises(InputError, match=r"'Zyx'.*lower or upper case"):
            call()


def test_kernels_refuse_complex_numbers_too():
    with pytest.raises(InputError, match=r"real numbers.*complex"):
        kernel.exp(np.array([1j, 0, 0]))


def test_figures_refuse_quaternions_that_are_not_of_unit_length():
    figure = ap.sample("floating_arm6")
    q = figure.neutral()
    q[3:7] = 2.0, 0.0, 0.0, 1.0
    for call in (
        lambda: figure.integrate(q, np.zeros(figure.nu)),
        lambda: figure.rate(q, np.ones(figure.nu)),
        lambda: figure.velocity(q, np.zeros(figure.nq)),
    ):
        with pytest.raises(StateError, match=r"The quaternion of joint .* in q has length 2\.236"):
            call()
    # a difference does not depend on the length
    same = figure.difference(figure.neutral(), figure.normalise(q))
    np.testing.assert_allclose(figure.difference(figure.neutral(), q), same, rtol=0, atol=1e-15)


def test_figures_refuse_other_arrays_by_their_own_errors():
    figure = ap.sample("floating_arm6")
    q, v = figure.neutral(), np.zeros(figure.nu)
    with pytest.raises(InputError, match="'q' is complex"):
        figure.integrate(q.astype(complex), v)
    with pytest.raises(InputError, match="'v' is an array of str_"):
        figure.integrate(q, np.array(["a"] * figure.nu))
    with pytest.raises(ShapeError, match="do not fit together"):
        figure.integrate(np.stack([q] * 2), np.stack([v] * 3))
    with pytest.raises(ShapeError, match="do not fit together"):
        figure.difference(np.stack([q] * 2), np.stack([q] * 3))


def test_every_function_is_on_the_page():
    page = (Path(__file__).resolve().parents[3] / "docs" / "rotations.md").read_text(encoding="utf-8")
    missing = [name for name in rot.__all__ if not re.search(rf"`{name}\b", page)]
    assert not missing, f"docs/rotations.md lacks {', '.join(missing)}"
    methods = {n for cls in (ap.Rotation, ap.Transform) for n in vars(cls) if n[0] != "_"}
    missing = [name for name in methods if not re.search(rf"\b{name}\b", page)]
    assert not missing, f"docs/rotations.md lacks {', '.join(missing)}"


def test_help_of_kinematics_names_what_it_returns():
    assert inspect.signature(ap.kinematics).return_annotation is KinematicsView
    assert "Returns\n-------\nKinematicsView : " in ap.kinematics.__doc__
    figure = ap.sample("floating_arm6")
    assert type(ap.kinematics(figure, figure.neutral())) is KinematicsView


ODD = [None, "x", 1j, np.nan, [[1, 2], [3]], np.zeros(0), np.zeros((0, 4)), 1e308 * np.ones(3), 1e308 * np.eye(3),
       np.array([1, 2, 3], dtype=object), {}, np.zeros((5, 4)), 1e-320 * np.ones(3), [10**400, 0, 0],
       ap.Rotation.identity()]  # fmt: skip


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", CATALOG)
def test_odd_arguments_raise_our_errors_or_none(name):
    entry, public = CATALOG[name], getattr(rot, name.partition(",")[0])
    if entry.function is not getattr(kernel, name.partition(",")[0]):
        return
    good = [x[0] for x in inputs_of(entry, (0.4,))]
    for k in range(len(good)):
        for odd in ODD:
            with contextlib.suppress(ap.AnthropiError):
                public(*good[:k], odd, *good[k + 1 :])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", [ap.Rotation.random(3), ap.Transform.random(3)], ids=["Rotation", "Transform"])
def test_odd_arguments_of_methods_raise_our_errors_or_none(value):
    for name in dir(value):
        method = getattr(value, name)
        if name[0] == "_" or not callable(method):
            continue
        places = [p for p in inspect.signature(method).parameters.values() if p.kind == p.POSITIONAL_OR_KEYWORD]
        needed = sum(p.default is p.empty for p in places)
        for odd in ODD:
            for count in range(max(needed, 1), len(places) + 1):
                with contextlib.suppress(ap.AnthropiError):
                    method(*[odd] * count)
