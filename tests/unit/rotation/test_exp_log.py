"""exp and log: accurate everywhere, cheap to differentiate, with derivatives that agree with mpmath to 1e-12."""

import math

import mpmath as mp
import numpy as np
import pytest

import anthropi.algebra.rotation as R  # noqa: N812
from anthropi.compiler import build
from anthropi.tape import pull, push, record
from unit.rotation import reference

PI = math.pi
# no two components equal: where two branches of log tie, differences across the tie are none
AXES = [np.array(a) / np.linalg.norm(a) for a in ((1, 0, 0), (0, -1, 0), (1, 0, 1.1), (1e-6, 2, -1), (1, 2, -2.2))]
ANGLES = (0.0, 1e-320, 1e-160, 1e-12, 1e-8, 1e-4, 0.5, 2.0, PI - 1e-3, PI - 1e-9, PI)
LONG = (PI + 1e-9, 4.0, 5.5, 2 * PI - 1e-3, 2 * PI)

EXP = record(R.matrix_from_rotation_vector, r=np.zeros(3))
LOG = record(R.rotation_vector_from_matrix, C=np.zeros((3, 3)))
KERNELS = {}


def kernel(name):
    """A kernel, compiled when first asked for."""
    if name not in KERNELS:
        tape = {"exp": EXP, "log": LOG}[name[:3]]
        KERNELS[name] = build({"exp": tape, "log": tape}.get(name) or getattr(tape, name[4:])())
    return KERNELS[name]


def cases(angles):
    return [(a, t) for a in AXES for t in angles]


def exact_matrix(r):
    """exp([r]) in mpmath, and rounded to floats."""
    with mp.workdps(reference.DIGITS):
        exact = reference.exp([mp.mpf(float(x)) for x in r])
    return exact, np.array([float(x) for x in exact]).reshape(3, 3)


def off(got, want):
    return max(float(abs(mp.mpf(float(a)) - b)) for a, b in zip(np.ravel(got), want, strict=True))


@pytest.mark.parametrize(("axis", "angle"), cases(ANGLES + LONG))
def test_exp(axis, angle):
    r = angle * axis
    exact, _ = exact_matrix(r)
    assert off(R.exp(r), exact) <= 1.2e-15
    assert off(kernel("exp")(r), exact) <= 1.2e-15


@pytest.mark.parametrize(("axis", "angle"), cases(ANGLES))
def test_log(axis, angle):
    r = angle * axis
    _, C = exact_matrix(r)
    for got in (R.log(C), kernel("log")(C)):
        error = np.max(np.abs(got - r))
        if angle >= PI - 1e-15:  # at π the sign is free
            error = min(error, np.max(np.abs(got + r)))
        assert error <= 1e-15
        if angle < 1e-3:
            assert error <= 4e-16 * angle


@pytest.mark.parametrize("size", [1e-320, 1e-300, 1e-200, 1e-160, 1e-155, 1e-150, 1e-100])
def test_tiny_rotations_go_there_and_back(size):
    r = size * np.array([1.0, -2.0, 3.0])
    np.testing.assert_array_equal(R.log(R.exp(r)), r)
    np.testing.assert_array_equal(R.rotation_vector_from_quaternion(R.quaternion_from_rotation_vector(r)), r)
    theta, n = R.angle_axis_from_rotation_vector(r)
    np.testing.assert_allclose(theta * n, r, rtol=1e-15 if size > 1e-307 else 1e-2)  # subnormal numbers have few digits
    np.testing.assert_allclose(n, np.array([1.0, -2.0, 3.0]) / math.sqrt(14.0), rtol=1e-15 if size > 1e-307 else 1e-3)


def both_sweeps(tape, values, direction, name):
    """The derivative along a direction four ways: each sweep on floats and through its kernel."""
    n_in, n_out = len(values), len(tape.result)
    shape_in, shape_out = tape.inputs[0].shape, tape.outputs[0].shape
    _, slopes = push(tape, list(values), [(d,) for d in direction])
    yield np.array([s[0] for s in slopes], dtype=float)
    rows = [pull(tape, list(values), list(row))[1] for row in np.eye(n_out)]
    yield np.array(rows, dtype=float) @ direction
    _, slope = kernel(f"{name}.jvp")(np.reshape(values, shape_in), np.reshape(direction, shape_in))
    yield np.ravel(slope)
    weights = np.eye(n_out).reshape(n_out, *shape_out)
    _, gradient = kernel(f"{name}.vjp")(np.tile(np.reshape(values, shape_in), (n_out, *[1] * len(shape_in))), weights)
    yield next(iter(gradient.values())).reshape(n_out, n_in) @ direction


@pytest.mark.parametrize(("axis", "angle"), cases(ANGLES + LONG))
def test_derivatives_of_exp_agree_with_mpmath(axis, angle):
    r = angle * axis
    for direction in (axis, np.array([0.3, -0.7, 0.6])):
        want = np.array(reference.derivative(reference.exp, r, direction), dtype=float)
        for got in both_sweeps(EXP, r, direction, "exp"):
            assert np.max(np.abs(got - want)) <= 1e-12


@pytest.mark.parametrize(("axis", "angle"), cases(ANGLES))
def test_derivatives_of_log_agree_with_mpmath(axis, angle):
    if angle == PI:
        angle = PI - 1e-12  # at π itself log jumps, and differences across the jump are none
    _, C = exact_matrix(angle * axis)
    tangent = R.skew(np.array([0.3, -0.7, 0.6])) @ C
    for direction in (tangent, np.arange(9.0).reshape(3, 3) / 9.0):  # also off the manifold
        want = np.array(reference.derivative(reference.log, np.ravel(C), np.ravel(direction)), dtype=float)
        scale = 1.0 + np.max(np.abs(want))
        for got in both_sweeps(LOG, np.ravel(C), np.ravel(direction), "log"):
            assert np.max(np.abs(got - want)) <= 1e-12 * scale


@pytest.mark.parametrize("axis", AXES)
def test_derivatives_of_log_at_half_a_turn_are_one_sided_limits(axis):
    C = 2.0 * np.outer(axis, axis) - np.eye(3)
    tangent = R.skew(np.array([0.3, -0.7, 0.6])) @ C
    r = R.log(C)
    want = R.G_s(r) @ np.array([0.3, -0.7, 0.6])  # C.dlog
    for got in both_sweeps(LOG, np.ravel(C), np.ravel(tangent), "log"):
        np.testing.assert_allclose(got, want, atol=1e-14)


@pytest.mark.parametrize("tape", [EXP, LOG], ids=["exp", "log"])
def test_sweeps_cost_little(tape):
    assert tape.jvp().operations <= 2.5 * tape.operations
    assert tape.vjp().operations <= 4.0 * tape.operations


def test_operation_budgets():
    """What the two maps cost; a change that makes them dearer should be meant."""
    assert EXP.operations <= 58
    assert LOG.operations <= 47
