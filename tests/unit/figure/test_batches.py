"""Functions of configurations on batches: the same bits as row by row, without a call for each row."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.figure import Ball, Figure, Free, Joint

FIGURES = {"human": ap.human, "full": lambda: ap.human(detail="full"), "stewart": lambda: ap.sample("stewart")}


METHODS = {"rate": "u", "velocity": "q", "integrate": "u", "difference": "q"}  # and the second argument of each


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", FIGURES)
def test_a_batch_has_the_bits_of_single_states(name, method):
    figure, rng = FIGURES[name](), np.random.default_rng(4)
    q = np.array([figure.random(rng) for _ in range(12)])
    size = figure.nu if METHODS[method] == "u" else figure.nq
    other = np.array([figure.random(rng) for _ in range(12)]) if method == "difference" else rng.normal(size=(12, size))
    function = getattr(figure, method)
    single = np.array([function(x, y) for x, y in zip(q, other, strict=True)])
    assert np.array_equal(function(q, other), single)
    assert np.array_equal(function(q.reshape(3, 4, -1), other.reshape(3, 4, -1)), single.reshape(3, 4, -1))
    assert np.array_equal(function(q[0], other), [function(q[0], y) for y in other])


@pytest.mark.parametrize("name", FIGURES)
def test_differences_of_a_batch_have_the_bits_of_single_ones(name):
    figure, rng = FIGURES[name](), np.random.default_rng(4)
    a, b = (np.array([figure.random(rng) for _ in range(12)]) for _ in range(2))
    single = np.array([figure.difference(x, y) for x, y in zip(a, b, strict=True)])
    assert np.array_equal(figure.difference(a, b), single)
    assert np.array_equal(figure.difference(a.reshape(3, 4, -1), b.reshape(3, 4, -1)), single.reshape(3, 4, -1))
    assert np.array_equal(figure.difference(a[0], b), [figure.difference(a[0], y) for y in b])
    assert figure.difference(a[:0], b[:0]).shape == (0, figure.nu)


def test_a_batch_takes_one_call_of_each_joint(monkeypatch):
    """A file of 2,000,000 short rows took ten minutes, 0.3 ms for each."""
    figure, calls = ap.human(), []
    for cls in {type(joint) for joint in figure.joints}:
        for name in ("difference", "integrate"):
            own = getattr(cls, name)
            monkeypatch.setattr(cls, name, lambda self, a, b, own=own: calls.append(1) or own(self, a, b))
        monkeypatch.setattr(cls, "takes_batches", True)
    q = np.tile(figure.neutral(), (1000, 1))
    figure.integrate(q[:-1], figure.difference(q[:-1], q[1:]))
    assert len(calls) <= 6 * figure.n  # of composite joints also their parts, and of free joints their ball


def test_a_joint_that_does_not_take_batches_is_called_row_by_row():
    class Odd(Ball):
        takes_batches = False

        def difference(self, q0, q1):
            assert q0.ndim == 1
            return super().difference(q0, q1)

    figure = Figure("odd", [ap.Link("a", 1.0, [0.0, 0.0, 0.1], np.eye(3))], [Odd(name="j")], [-1])
    q = np.array([figure.random(k) for k in range(4)])
    assert np.array_equal(figure.difference(q[:-1], q[1:]), [figure.difference(q[k], q[k + 1]) for k in range(3)])


@pytest.mark.parametrize("joint", [Ball(name="a"), Free(name="b")])
def test_configurations_from_a_batch_of_coordinates(joint: Joint):
    x = np.random.default_rng(5).normal(size=(20, joint.nu))
    assert np.array_equal(joint.from_coordinates(x), [joint.from_coordinates(row) for row in x])
