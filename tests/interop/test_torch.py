"""Differentiable functions on torch tensors: gradients of algorithms, of own functions and of steps with contact."""

import sys

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError, MissingExtra, ShapeError
from interop.rollouts import HOPPER, NAMES, START_U, hopping, slope

torch = pytest.importorskip("torch")
KNEED = ap.sample("hopper", leg="knee")  # free root: its quaternion is taken as it is

ALGORITHMS = {
    "direct_dynamics": {},
    "inverse_dynamics": {},
    "hybrid_dynamics": {"prescribed": ("knee",)},
    "mass_matrix": {},
    "kinematics": {"inputs": ("q", "u")},
    "centre_of_mass": {},
    "dynamics.bias_forces": {},
    "dynamics.kinetic_energy": {},
    "dynamics.momentum": {},
}


def entry(name):
    owner, _, last = name.rpartition(".")
    return getattr(getattr(ap, owner) if owner else ap, last)


def sampled(function, figure, seed=0, lead=()):
    """Return random inputs of a function, which require gradients; q is not of unit length where it is a quaternion."""
    rng = np.random.default_rng(seed)
    values = []
    for slot in function.inputs:
        x = rng.normal(size=(*lead, *slot.shape))
        if slot.name == "q":
            x = 0.1 * x + figure.random(rng)
        values.append(torch.tensor(1.0 + x * x if slot.name == "parameters" else x, requires_grad=True))
    return values


def leaves(result):
    """Return the tensors of a result."""
    if isinstance(result, torch.Tensor):
        return (result,)
    return tuple(y for x in result for y in leaves(x)) if result is not None else ()


@pytest.mark.parametrize("name", ALGORITHMS)
def test_gradients_of_algorithms(name):
    function = ap.torch.function(entry(name), KNEED, parameters=("shank.mass",), **ALGORITHMS[name])
    assert torch.autograd.gradcheck(lambda *x: leaves(function(*x)), sampled(function, KNEED), check_forward_ad=True)


def test_second_derivatives():
    function = ap.torch.function(ap.dynamics.kinetic_energy, HOPPER)
    assert torch.autograd.gradgradcheck(function, sampled(function, HOPPER))


def test_batches_and_vmap_agree_with_single_states():
    function = ap.torch.function(ap.direct_dynamics, HOPPER)
    q, u, tau = sampled(function, HOPPER, lead=(3,))

    def loss(q, u, tau):
        return function(q, u, tau).square().sum()

    loss(q, u, tau[0]).backward()
    alone = [torch.func.grad(loss, (0, 1, 2))(q[k].detach(), u[k].detach(), tau[0].detach()) for k in range(3)]
    mapped = torch.func.vmap(torch.func.grad(loss, (0, 1, 2)), (0, 0, None))(q.detach(), u.detach(), tau[0].detach())
    for k in range(3):
        torch.testing.assert_close(q.grad[k], alone[k][0])
        torch.testing.assert_close(mapped[2][k], alone[k][2])
    torch.testing.assert_close(tau.grad[0], sum(g[2] for g in alone))
    jacobian = torch.func.jacfwd(function)(q[0].detach(), u[0].detach(), tau[0].detach())
    torch.testing.assert_close(jacobian, torch.func.jacrev(function)(q[0].detach(), u[0].detach(), tau[0].detach()))


def test_single_precision_stays_single():
    function = ap.torch.function(ap.mass_matrix, HOPPER)
    q = torch.tensor(HOPPER.neutral(), dtype=torch.float32, requires_grad=True)
    M = function(q)
    M.sum().backward()
    assert M.dtype == q.grad.dtype == torch.float32


def test_own_functions_and_tapes():
    def energy(x, gain):
        return gain * (x @ x)

    for function in (energy, ap.record(energy, x=np.zeros(3), gain=np.zeros(()))):
        made = ap.torch.function(function, inputs={"x": 3, "gain": ()})
        x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
        made(x, gain=2.0).backward()
        np.testing.assert_allclose(x.grad, [4.0, 8.0, 12.0])


@pytest.mark.parametrize(("model", "restitution"), [("compliant", 0.0), ("impulsive", 0.0), ("impulsive", 0.5)])
def test_rollouts_through_contact(model, restitution):
    sim = hopping(model, restitution)
    step = ap.torch.function(sim, inputs="tau", parameters=NAMES)
    given = {"q": sim.q, "u": sim.u, "tau": np.full(5, 0.1)} | {n: step.core.defaults[n] for n in NAMES}
    tensors = {name: torch.tensor(x, requires_grad=True) for name, x in given.items()}

    def loss(tensors):
        state, fixed = {n: tensors[n] for n in "qu"}, {n: x for n, x in tensors.items() if n not in ("q", "u")}
        for _ in range(20):
            state = step(**state, **fixed)
        return (state["q"] * torch.arange(1.0, 6.0)).sum() + state["u"].square().sum()

    loss(tensors).backward()
    rng = np.random.default_rng(0)
    for name, x in tensors.items():
        along = rng.normal(size=x.shape)

        def changed(x, name=name):
            return loss({**tensors, name: torch.tensor(x)}).item()

        found = float((x.grad.numpy() * along).sum())
        assert found != 0.0, name
        expected = slope(changed, given[name], along)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7, err_msg=name)  # central differences


def test_a_step_is_that_of_the_simulation():
    sim = hopping("impulsive")
    step, state = ap.torch.function(sim), {"q": torch.tensor(sim.q), "u": torch.tensor(sim.u)}
    for _ in range(20):
        state = step(**state)
    sim.step(20)
    assert np.abs(sim.contacts.forces).max() > 1.0
    np.testing.assert_allclose(state["q"], sim.q, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(state["u"], sim.u, rtol=1e-9, atol=1e-12)
    assert float(state["t"]) == pytest.approx(sim.time)


def test_a_bouncing_figure_far_above_the_ground_has_finite_gradients():
    sim = hopping("impulsive", restitution=0.5, height=1.0)
    step = ap.torch.function(sim, inputs="tau")
    u, tau = torch.tensor(START_U, requires_grad=True), torch.tensor([0.0, 500.0, 0.0, 0.0, 0.0])  # accelerates upwards
    step(q=torch.tensor(sim.q), u=u, tau=tau)["u"].sum().backward()
    assert torch.isfinite(u.grad).all()


def test_errors_name_what_is_wrong():
    function = ap.torch.function(ap.mass_matrix, HOPPER)
    with pytest.raises(ShapeError, match=r"'q' has shape \(4,\); wanted \(5,\)"):
        function(torch.zeros(4))
    with pytest.raises(InputError, match=r"No input 'p'\. Inputs: q"):
        function(p=torch.zeros(5))
    with pytest.raises(InputError, match="Missing input: q"):
        function()
    with pytest.raises(InputError, match="Give the figure"):
        ap.torch.function(ap.mass_matrix)
    with pytest.raises(InputError, match="inputs="):
        ap.torch.function(lambda x: x)
    with pytest.raises(InputError, match=r"no parameter 'shin.mas'\. Did you mean 'shin.mass'"):
        ap.torch.function(hopping("compliant"), parameters="shin.mas")
    with pytest.raises(InputError, match="no input 'torque'"):
        ap.torch.function(hopping("compliant"), inputs="torque")


@pytest.mark.parametrize("name", ["torch", "jax"])
def test_a_missing_package_names_the_extra(name, monkeypatch):
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"anthropi.interop.{name}", raising=False)
    monkeypatch.delitem(vars(ap), name, raising=False)
    with pytest.raises(MissingExtra, match=rf"anthropi\[{name}\]"):
        getattr(ap, name)
