"""Repeated calls of entry points: the bits and messages of first calls."""

import contextlib

import numpy as np
import pytest

import anthropi as ap
from anthropi.entry.entry_point import _repeated
from anthropi.entry.repeated_calls import RepeatedCall, key_of
from anthropi.errors import AnthropiError, InputError

FIGURE = ap.sample("floating_arm6")


@pytest.fixture
def calls(monkeypatch):
    """Forget earlier calls; count what repeated calls return."""
    _repeated.clear()
    found, plain = [], RepeatedCall.__call__

    def counted(self, *arguments):
        found.append(plain(self, *arguments) is not None)
        return plain(self, *arguments)

    monkeypatch.setattr(RepeatedCall, "__call__", counted)
    return found


def state(batch=None):
    rng = np.random.default_rng(0)
    q = FIGURE.random(rng) if batch is None else np.stack([FIGURE.random(rng) for _ in range(batch)])
    return q, *rng.normal(size=(2, *q.shape[:-1], FIGURE.nu))


def bits(found):
    return [np.asarray(x).tobytes() for x in (found if isinstance(found, tuple) else (found,))]


@pytest.mark.parametrize("batch", [None, 1, 6])
def test_later_calls_give_the_bits_of_the_first(calls, batch):
    q, u, tau = state(batch)
    held = [FIGURE.joints[0].name, FIGURE.dofs[-1]]
    nothing = np.where(np.isin(np.arange(FIGURE.nu), FIGURE.dof_indices(held)), np.nan, tau)
    for call in (
        lambda order: ap.direct_dynamics(FIGURE, order(q), order(u), order(tau)),
        lambda order: ap.direct_dynamics(FIGURE, order(q), u=order(u), tau=order(tau)),
        lambda order: ap.inverse_dynamics(FIGURE, order(q), order(u), order(tau)),
        lambda order: ap.hybrid_dynamics(FIGURE, order(q), order(u), order(nothing), order(u), prescribed=held),
        lambda order: ap.jacobian(FIGURE, order(q), link="arm_3", point=np.array([0.0, 0.1, 0.0])),
        lambda order: ap.dynamics.kinetic_energy(FIGURE, order(q), order(u)),
        lambda order: ap.kinematics(FIGURE, order(q), order(u)).link("arm_3").velocity,
    ):
        first = call(np.array)
        _repeated or call(np.array)  # the first call of all finds the key of the figure
        calls.clear()
        for order in (np.array, np.asfortranarray, lambda x: np.repeat(x, 2, -1)[..., ::2]):
            assert bits(call(order)) == bits(first)
        assert calls == [True, True, True]
        assert bits(call(lambda x: x.tolist())) == bits(first)
        assert calls[3:] == [False]


def broken(name):
    """Arguments of direct dynamics with one mistake."""
    q, u, tau = state(4)
    if name == "unknown":
        q[2, 1] = np.nan
    elif name == "infinite":
        tau[3, 0] = -np.inf
    elif name == "not of unit length":
        q[1, 3:7] *= 1.01
    elif name == "overflow":
        u[0] = 1e200
    elif name == "long":
        u = u[:, :-1]
    elif name == "batches":
        u = u[:3]
    elif name == "complex":
        u = u + 0j
    elif name == "text":
        u = "u"
    return q, u, tau


@pytest.mark.parametrize(
    "name", ["unknown", "infinite", "not of unit length", "overflow", "long", "batches", "complex", "text"]
)
def test_later_calls_have_the_messages_of_first_ones(calls, name):
    arrays, said = broken(name), []
    for k in range(3):
        if k == 1:
            for _ in range(3):
                ap.direct_dynamics(FIGURE, *state(4))
        with pytest.raises(AnthropiError) as caught:
            ap.direct_dynamics(FIGURE, *arrays)
        said.append((type(caught.value), str(caught.value)))
    assert said[0] == said[1] == said[2]
    assert True in calls
    assert calls[-1] is False


def test_bounds_are_those_of_first_calls(calls):
    """Lengths of quaternions that differ from 1 by rounding are accepted, others not; angles are bounded on both sides.

    Inverse dynamics does not examine its result, so that every message comes from the input.
    """
    q, u, udot = state()
    for _ in range(3):
        ap.inverse_dynamics(FIGURE, q, u, udot)
    for scale, words in (
        (1.0 + 9e-7, ""),
        (1.0 - 9e-7, ""),
        (1.0 + 1.1e-6, "length 1"),
        (1.0 - 1.1e-6, "length 0.99999"),
    ):
        near = q.copy()
        near[3:7] *= scale
        with pytest.raises(AnthropiError, match=words) if words else contextlib.nullcontext():
            ap.inverse_dynamics(FIGURE, near, u, udot)
    for value in (-np.inf, np.inf, np.nan, 4e13, -4e13):
        far = q.copy()
        far[-1] = value
        with pytest.raises(InputError, match="'q' holds"):
            ap.inverse_dynamics(FIGURE, far, u, udot)
    for value in (-np.inf, np.inf, np.nan):
        wild = u.copy()
        wild[2] = value
        with pytest.raises(InputError, match="'u' holds"):
            ap.inverse_dynamics(FIGURE, q, wild, udot)
    assert calls.count(True) >= 3
    assert calls.count(False) == 10


def test_out_of_entry_points(calls):
    q, u, tau = state()
    wanted = ap.direct_dynamics(FIGURE, q, u, tau)
    for _ in range(3):
        out = np.zeros(FIGURE.nu)
        assert ap.direct_dynamics(FIGURE, q, u, tau, out=out) is out
        assert out.tobytes() == wanted.tobytes()
    with pytest.raises(InputError, match=r"out 'result' has shape \(3,\); the result has shape"):
        ap.direct_dynamics(FIGURE, q, u, tau, out=np.zeros(3))
    with pytest.raises(InputError, match="kinematics takes no out: its result is not an array"):
        ap.kinematics(FIGURE, q, out=out)
    with pytest.raises(InputError, match="mass_matrix takes no out: its result is not computed while recording"):
        ap.record(lambda q: ap.mass_matrix(FIGURE, q, out=out), q=q)


def test_different_options_have_different_keys():
    values = [None, "a", ("a",), ["a"], 1, 1.0, True, (1, 2), (1.0, 2), np.array([1, 2]), np.array([1.0, 2.0])]
    keys = [repr(key_of(value)) for value in values]
    assert len(set(keys)) == len(keys)
    for value in ({"a"}, {"a": 1}, iter("ab"), np.array([None]), FIGURE):
        with pytest.raises(TypeError):
            key_of(value)
