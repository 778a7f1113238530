"""Derivatives that someone knows better than the chain rule does."""

import functools

import numpy as np

from anthropi.tape.inline import deepest

__all__ = ["derivative_rule"]


def derivative_rule(push, pull):
    """Give a function its own derivative (decision 0009).

    The function takes arrays or numbers and returns one array or number; it is recorded as it is. The sweeps then use

    - `push(inputs, output, tangents)` → tangent of the output, same shape as the output;
    - `pull(inputs, output, cotangent)` → tuple of cotangents, one for each input and of its shape,

    where `inputs`, `tangents` are tuples like the function's arguments. Both are ordinary functions that record, so
    second derivatives work too. An element-wise function may treat its arrays as wholes.

    The rule holds as long as all its inputs and outputs are alive on the tape: take only what the function reads (a
    packed upper triangle, not a matrix whose lower half is ignored). Where one is not, the chain rule serves instead.
    """

    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args):
            output = function(*args)
            arrays = [np.asarray(a) for a in (*args, output)]
            if any(a.dtype == object for a in arrays[:-1]):
                _attach(arrays, push, pull)
            return output

        return wrapper

    return decorate


def _attach(arrays, push, pull) -> None:
    shapes = [a.shape for a in arrays[:-1]]
    inputs, outputs = [x for a in arrays[:-1] for x in a.flat], list(arrays[-1].flat)
    tape, innermost = deepest(outputs), deepest(inputs)
    if tape is None or (innermost is not None and innermost.depth > tape.depth):
        return  # the output is constant, or does not depend on what changes from pass to pass
    shape = arrays[-1].shape

    def flat_push(values, results, tangents):
        return list(_flat(push(_cut(values, shapes), _one(results, shape), _cut(tangents, shapes)), shape))

    def flat_pull(values, results, cotangents):
        shares = pull(_cut(values, shapes), _one(results, shape), _one(cotangents, shape))
        return [x for share, s in zip(shares, shapes, strict=True) for x in _flat(share, s)]

    tape.add_rule(inputs, outputs, flat_push, flat_pull)


def _flat(value, shape):
    return np.broadcast_to(np.asarray(value, dtype=object), shape).flat


def _one(values, shape):
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out.reshape(shape)[()] if shape == () else out.reshape(shape)


def _cut(values, shapes):
    parts, start = [], 0
    for shape in shapes:
        size = int(np.prod(shape))
        parts.append(_one(values[start : start + size], shape))
        start += size
    return tuple(parts)
