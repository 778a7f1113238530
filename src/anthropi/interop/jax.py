"""Differentiable functions on jax arrays.

A function is one jax primitive, which runs a kernel on the host (`jax.pure_callback`) and has rules for batches,
forward and reverse mode, so that jit, vmap, grad, jvp and scan compose in any order. With the tangent (x, ẋ) → J ẋ and
the gradient (x, w) → Jᵀ w of a function x → y (entry/differentiable.py),

    forward mode:   ẏ = tangent(x, ẋ), again the primitive, of another function               (1)
    reverse mode:   (1) is linear in ẋ; its transpose is w → gradient(x, w)                   (2)
"""

from functools import partial
from typing import Any

import numpy as np

from anthropi.entry.differentiable import Differentiable
from anthropi.errors import MissingExtra, ShapeError
from anthropi.simulation.step_function import differentiable_of
from anthropi.tape.record import leaves, rebuild

try:
    import jax
    import jax.numpy as jnp
    from jax.extend.core import Primitive
    from jax.interpreters import ad, batching, mlir
except ImportError:
    raise MissingExtra("jax", "jax", "ap.jax") from None

__all__ = ["JaxFunction", "function"]


def function(
    function: Any,
    figure: Any = None,
    inputs: Any = None,
    parameters: Any = (),
    target: str = "cpu",
    precision: str = "float64",
    opt: int | str = "now",
    **options: Any,
) -> "JaxFunction":
    """Return an algorithm, a function of your own or the step of a simulation as a differentiable function of arrays.

    Parameters are those of `ap.torch.function`. The returned function takes arrays (*shape) or (*batch, *shape), by
    position or by name. jit, vmap, grad, jvp, jacfwd, jacrev and scan compose. Gradients are with respect to the stored
    coordinates. jax computes in float32 unless `jax_enable_x64` is set; kernels compute in `precision`.

    Examples
    --------
    >>> dynamics = ap.jax.function(ap.direct_dynamics, figure)  # doctest: +SKIP
    >>> jax.jit(jax.grad(lambda q: dynamics(q, u, tau).sum()))(q)  # doctest: +SKIP
    """
    return JaxFunction(differentiable_of(function, figure, inputs, parameters, target, precision, opt, **options))


class JaxFunction:
    """A differentiable function of jax arrays; see `function`.

    core : the recorded function with its kernels. inputs, outputs : names and shapes (`Slot`).
    """

    def __init__(self, core: Differentiable) -> None:
        self.core, self.inputs, self.outputs = core, core.inputs, core.outputs

    def __repr__(self) -> str:
        return f"JaxFunction({', '.join(f'{s.name}{list(s.shape)}' for s in self.inputs)})"

    def __call__(self, *arrays: Any, **named: Any) -> Any:
        """Evaluate the function; the result has the structure of the recorded function's result."""
        given = [jnp.asarray(x) for x in self.core.ordered(arrays, named)]
        _leads(self.core, given)
        dtype = jnp.result_type(*given, jnp.float32)
        found = _call.bind(*(x.astype(dtype) for x in given), core=self.core)
        return rebuild(self.core.kernel.structure, found)


def _leads(core: Differentiable, arrays: Any) -> list[tuple[int, ...]]:
    """Return the leading axes of each input; raise `ShapeError` for a wrong shape."""
    found = []
    for slot, x in zip(core.inputs, arrays, strict=True):
        split = len(x.shape) - len(slot.shape)
        if split < 0 or tuple(x.shape[split:]) != slot.shape:
            raise ShapeError(
                f"Input '{slot.name}' has shape {tuple(x.shape)}; wanted {slot.shape}, with any leading batch axes."
            )
        found.append(tuple(x.shape[:split]))
    return found


def _results(core: Differentiable, arrays: Any) -> list[Any]:
    """Return the shapes and the dtype of the outputs for these inputs."""
    whole = np.broadcast_shapes(*_leads(core, arrays))
    return [jax.ShapeDtypeStruct((*whole, *s.shape), arrays[0].dtype) for s in core.outputs]


def _on_host(core: Differentiable, *arrays: Any) -> tuple[np.ndarray, ...]:
    """Run the kernel on arrays of the host with any leading axes."""
    arrays = tuple(np.asarray(x) for x in arrays)
    leads = _leads(core, arrays)
    whole = np.broadcast_shapes(*leads)
    count = int(np.prod(whole))
    flat = [
        np.broadcast_to(x, (*whole, *s.shape)).reshape(count, *s.shape) if lead else x
        for s, x, lead in zip(core.inputs, arrays, leads, strict=True)
    ]
    found = leaves(core.kernel.structure, core.kernel(*flat))
    dtype = arrays[0].dtype
    return tuple(np.asarray(x, dtype).reshape((*whole, *s.shape)) for s, x in zip(core.outputs, found, strict=True))


_call = Primitive("anthropi")
_call.multiple_results = True


def _callback(*arrays: Any, core: Differentiable) -> Any:
    shapes = tuple(_results(core, arrays))
    return jax.pure_callback(partial(_on_host, core), shapes, *arrays, vmap_method="broadcast_all")


def _abstract(*arrays: Any, core: Differentiable) -> Any:
    return [jax.core.ShapedArray(x.shape, x.dtype) for x in _results(core, arrays)]


def _batch(arrays: Any, axes: Any, *, core: Differentiable) -> Any:
    """Evaluate a batch: the new axis comes first, before as many batch axes as the other inputs have."""
    own = [x.ndim - len(s.shape) - (a is not None) for s, x, a in zip(core.inputs, arrays, axes, strict=True)]
    most, ready = max(own, default=0), []
    for x, axis, inner in zip(arrays, axes, own, strict=True):
        if axis is not None:
            first = jnp.moveaxis(x, axis, 0)
            x = first.reshape(first.shape[0], *[1] * (most - inner), *first.shape[1:])
        ready.append(x)
    found = _call.bind(*ready, core=core)
    return found, [0] * len(found)


def _forward(primals: Any, tangents: Any, *, core: Differentiable) -> Any:
    """Forward mode (1)."""
    names = tuple(s.name for s, t in zip(core.inputs, tangents, strict=True) if type(t) is not ad.Zero)
    along = [ad.instantiate_zeros(t) for t in tangents if type(t) is not ad.Zero]
    return _call.bind(*primals, core=core), _call.bind(*primals, *along, core=core.tangent(names))


def _transpose(weights: Any, *arrays: Any, core: Differentiable) -> Any:
    """Reverse mode (2): the transpose of a tangent with respect to its directions."""
    assert core.origin is not None, "only tangents are linear"
    count = len(core.origin.inputs)
    linear = [ad.is_undefined_primal(x) for x in arrays]
    assert not any(linear[:count]), "a tangent is linear in its directions only"
    ready = [ad.instantiate_zeros(w) for w in weights]
    names = tuple(name for name, free in zip(core.wrt, linear[count:], strict=True) if free)
    found = iter(_call.bind(*arrays[:count], *ready, core=core.origin.gradient(names)))
    own = [_summed(next(found), x.aval.shape) if ad.is_undefined_primal(x) else None for x in arrays[count:]]
    return [None] * count + own


def _summed(gradient: Any, shape: tuple[int, ...]) -> Any:
    """Return a gradient summed over the batch axes along which the input was repeated."""
    more = gradient.ndim - len(shape)
    gradient = gradient.sum(tuple(range(more))) if more else gradient
    repeated = tuple(k for k, n in enumerate(shape) if n != gradient.shape[k])
    return gradient.sum(repeated, keepdims=True) if repeated else gradient


_call.def_impl(jax.jit(_callback, static_argnames="core"))
_call.def_abstract_eval(_abstract)
mlir.register_lowering(_call, mlir.lower_fun(_callback, multiple_results=True))
batching.primitive_batchers[_call] = _batch
ad.primitive_jvps[_call] = _forward
ad.primitive_transposes[_call] = _transpose
