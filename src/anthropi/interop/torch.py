"""Differentiable functions on torch tensors.

A call runs the kernel of the function, its derivatives run the kernels of its tangent and gradient (`ap.jax` is the
same on jax arrays). Tensors go to the kernels as they are: a kernel takes those of its own device without copying them.
"""

from typing import Any

from anthropi.entry.differentiable import Differentiable
from anthropi.errors import MissingExtra, ShapeError
from anthropi.simulation.step_function import differentiable_of
from anthropi.tape.record import rebuild

try:
    import torch
except ImportError:
    raise MissingExtra("torch", "torch", "ap.torch") from None

__all__ = ["TorchFunction", "function"]


def function(
    function: Any,
    figure: Any = None,
    inputs: Any = None,
    parameters: Any = (),
    target: str = "cpu",
    precision: str = "float64",
    opt: int | str = "now",
    **options: Any,
) -> "TorchFunction":
    """Return an algorithm, a function of your own or the step of a simulation as a differentiable function of tensors.

    Parameters
    ----------
    function : an algorithm or its entry point (`ap.direct_dynamics`); a function that can be recorded; a `Tape`; or a
        `Simulation`, for its step (`anthropi.simulation.step_function`).
    figure : the figure of an algorithm, and the first argument of a function of your own, if given.
    inputs : names of the inputs of an algorithm, as in `ap.compile`; of a step, those besides the state: "tau",
        "command"; of a function of your own {name: shape or example array}.
    parameters : slots of the figure ("l_thigh.mass"), which become the first input, `parameters`, of an algorithm.
        Those of a step may also be "friction" and parameters of the controller, and are inputs of their own names.
    target, precision, opt : as in `build`. options : options of the algorithm or arguments of the function.

    Returns
    -------
    A function of tensors (*shape) or (*batch, *shape), by position or by name. Gradients are with respect to the stored
    coordinates; forward mode, second derivatives and `torch.func.vmap` work too.

    Examples
    --------
    >>> dynamics = ap.torch.function(ap.direct_dynamics, figure)  # doctest: +SKIP
    >>> dynamics(q, u, tau).square().sum().backward()  # doctest: +SKIP
    """
    return TorchFunction(differentiable_of(function, figure, inputs, parameters, target, precision, opt, **options))


class TorchFunction:
    """A differentiable function of torch tensors; see `function`.

    core : the recorded function with its kernels. inputs, outputs : names and shapes (`Slot`).
    """

    def __init__(self, core: Differentiable) -> None:
        self.core, self.inputs, self.outputs = core, core.inputs, core.outputs

    def __repr__(self) -> str:
        return f"TorchFunction({', '.join(f'{s.name}{list(s.shape)}' for s in self.inputs)})"

    def __call__(self, *tensors: Any, **named: Any) -> Any:
        """Evaluate the function; the result has the structure of the recorded function's result."""
        given = self.core.ordered(tensors, named)
        like = next((x for x in given if isinstance(x, torch.Tensor)), None)
        device = None if like is None else like.device
        dtype = torch.float64
        kinds = [x.dtype for x in given if isinstance(x, torch.Tensor) and x.dtype.is_floating_point]
        if kinds:
            dtype = kinds[0]
            for kind in kinds[1:]:
                dtype = torch.promote_types(dtype, kind)
        ready = [torch.as_tensor(x, dtype=dtype, device=device) for x in given]
        return rebuild(self.core.kernel.structure, _apply(self.core, ready))


def _apply(core: Differentiable, tensors: list[Any]) -> tuple[Any, ...]:
    """Evaluate a function on tensors of one dtype; its outputs, flat."""
    return _Call.apply(core, *tensors)


def _leads(core: Differentiable, tensors: Any) -> list[torch.Size]:
    """Return the leading axes of each input; raise `ShapeError` for a wrong shape."""
    found = []
    for slot, x in zip(core.inputs, tensors, strict=True):
        split = x.ndim - len(slot.shape)
        if split < 0 or tuple(x.shape[split:]) != slot.shape:
            raise ShapeError(
                f"Input '{slot.name}' has shape {tuple(x.shape)}; wanted {slot.shape}, with any leading batch axes."
            )
        found.append(x.shape[:split])
    return found


def _evaluated(core: Differentiable, tensors: Any) -> tuple[Any, ...]:
    """Run the kernel on tensors with any leading axes. They are only reshaped: the kernel decides by their device."""
    leads = _leads(core, tensors)
    whole = torch.broadcast_shapes(*leads)
    flat = [
        x.detach() if not lead else x.detach().expand(*whole, *s.shape).reshape(whole.numel(), *s.shape)
        for s, x, lead in zip(core.inputs, tensors, leads, strict=True)
    ]
    found = _leaves(core, core.kernel(*flat))
    dtype = tensors[0].dtype
    return tuple(x.reshape((*whole, *s.shape)).to(dtype) for s, x in zip(core.outputs, found, strict=True))


def _leaves(core: Differentiable, result: Any) -> list[Any]:
    """Return the outputs of the kernel as tensors: arrays that are no tensors yet are converted here, and only here."""
    from anthropi.tape.record import leaves

    return [torch.as_tensor(x) for x in leaves(core.kernel.structure, result)]


def _summed(gradient: Any, like: Any) -> Any:
    """Return a gradient summed over the batch axes along which the input was repeated."""
    return gradient.sum_to_size(like.shape) if gradient.shape != like.shape else gradient


class _Call(torch.autograd.Function):
    """One evaluation: backward by the gradient's kernel, forward mode by the tangent's, batches by leading axes."""

    @staticmethod
    def forward(core: Any, *tensors: Any) -> Any:
        return _evaluated(core, tensors)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.core = inputs[0]
        ctx.save_for_backward(*inputs[1:])
        ctx.save_for_forward(*inputs[1:])

    @staticmethod
    def backward(ctx: Any, *weights: Any) -> Any:
        tensors, core = ctx.saved_tensors, ctx.core
        wanted = ctx.needs_input_grad[1:]
        names = [s.name for s, need in zip(core.inputs, wanted, strict=True) if need]
        found = iter(_apply(core.gradient(names), [*tensors, *weights]))
        return None, *(_summed(next(found), x) if need else None for x, need in zip(tensors, wanted, strict=True))

    @staticmethod
    def jvp(ctx: Any, _: Any, *directions: Any) -> Any:
        tensors, core = ctx.saved_tensors, ctx.core
        names = [s.name for s, d in zip(core.inputs, directions, strict=True) if d is not None]
        return _apply(core.tangent(names), [*tensors, *(d for d in directions if d is not None)])

    @staticmethod
    def vmap(info: Any, in_dims: Any, core: Any, *tensors: Any) -> Any:
        axes, ready = in_dims[1:], []
        own = [x.ndim - len(s.shape) - (d is not None) for s, x, d in zip(core.inputs, tensors, axes, strict=True)]
        for x, axis, inner in zip(tensors, axes, own, strict=True):
            first = x if axis is None else x.movedim(axis, 0)
            if axis is not None:  # the new axis first, before as many batch axes as the other inputs have
                first = first.reshape(first.shape[0], *[1] * (max(own) - inner), *first.shape[1:])
            ready.append(first)
        return _apply(core, ready), (0,) * len(core.outputs)
