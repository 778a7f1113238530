"""Differentiable functions on jax arrays: derivatives of any order, and jit, vmap, grad and scan composed."""

import numpy as np
import pytest

import anthropi as ap
from interop.rollouts import HOPPER, NAMES, hopping, slope

jax = pytest.importorskip("jax")
jnp = jax.numpy
KNEED = ap.sample("hopper", leg="knee")


@pytest.fixture(autouse=True)
def _double():
    """Compute in float64 within a test, and leave the setting of other tests alone."""
    was = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", was)


def sampled(figure, seed=0):
    rng = np.random.default_rng(seed)
    return [jnp.asarray(x) for x in (figure.random(rng), rng.normal(size=figure.nu), rng.normal(size=figure.nu))]


def test_derivatives_of_first_and_second_order():
    from jax.test_util import check_grads

    function = ap.jax.function(ap.direct_dynamics, KNEED)
    check_grads(function, sampled(KNEED), order=1, modes=("fwd", "rev"), rtol=1e-6, atol=1e-6)
    energy = ap.jax.function(ap.dynamics.kinetic_energy, HOPPER)
    check_grads(energy, sampled(HOPPER)[:2], order=2, modes=("fwd", "rev"), rtol=1e-5, atol=1e-5)


def test_jit_vmap_and_grad_compose():
    function = ap.jax.function(ap.direct_dynamics, HOPPER)
    q, u, tau = sampled(HOPPER)
    many = jnp.stack([q, 2.0 * q, q + 0.1])

    def loss(q, u):
        return (function(q, u, tau) ** 2).sum()

    alone = jnp.stack([jax.grad(loss)(x, u) for x in many])
    np.testing.assert_allclose(jax.jit(jax.vmap(jax.grad(loss), (0, None)))(many, u), alone, rtol=1e-12)
    total = jax.jit(jax.grad(lambda u: jax.vmap(loss, (0, None))(many, u).sum()))(u)
    np.testing.assert_allclose(total, sum(jax.grad(loss, 1)(x, u) for x in many), rtol=1e-12)
    np.testing.assert_allclose(
        jax.jacfwd(function, 1)(q, u, tau), jax.jacrev(function, 1)(q, u, tau), rtol=1e-9, atol=1e-9
    )
    nested = jax.vmap(jax.vmap(function, (0, None, None)), (None, 0, None))(many, jnp.stack([u, 2.0 * u]), tau)
    np.testing.assert_allclose(nested[1, 2], function(many[2], 2.0 * u, tau), rtol=1e-12)


@pytest.mark.parametrize("model", ["compliant", "impulsive"])
def test_rollouts_through_contact_agree_with_torch(model):
    torch = pytest.importorskip("torch")
    sim = hopping(model)
    step, other = (made.function(sim, parameters=NAMES) for made in (ap.jax, ap.torch))
    given = {"q": sim.q, "u": sim.u} | {n: np.asarray(step.core.defaults[n]) for n in NAMES}

    def loss(x):
        fixed = {n: x[n] for n in NAMES}
        start = {"q": x["q"], "u": x["u"], **{n: jnp.asarray(step.core.defaults[n]) for n in ("memory", "t")}}
        last, _ = jax.lax.scan(lambda state, _: (step(**state, **fixed), None), start, None, length=20)
        return (last["q"] * jnp.arange(1.0, 6.0)).sum() + (last["u"] ** 2).sum()

    found = jax.jit(jax.grad(loss))({n: jnp.asarray(x) for n, x in given.items()})
    tensors = {n: torch.tensor(x, requires_grad=True) for n, x in given.items()}
    state = {n: tensors[n] for n in "qu"}
    for _ in range(20):
        state = other(**state, **{n: tensors[n] for n in NAMES})
    ((state["q"] * torch.arange(1.0, 6.0)).sum() + state["u"].square().sum()).backward()
    run = jax.jit(loss)
    rng = np.random.default_rng(0)
    for name, x in given.items():
        np.testing.assert_allclose(found[name], tensors[name].grad, rtol=1e-10, atol=1e-10, err_msg=name)
        along = rng.normal(size=np.shape(x))
        expected = slope(lambda y, name=name: run({**given, name: y}), x, along)
        np.testing.assert_allclose((found[name] * along).sum(), expected, rtol=1e-5, atol=1e-7, err_msg=name)
