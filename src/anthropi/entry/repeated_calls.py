"""Repeated calls of an entry point: the same kernel and checks, found by a short key and computed by compiled code.

After an ordinary call, two kernels are kept for the next call with the same figure and options: the kernel of the
algorithm, and one that checks inputs and results. The second one returns 0 if it finds nothing unusual. Otherwise, and
for all arguments other than plain arrays of float64, the entry point makes an ordinary call, which raises an error with
the reason.
"""

from typing import Any

import numpy as np

from anthropi.algebra import scalar
from anthropi.algorithms.shapes import size_of
from anthropi.compiler import kernel_for
from anthropi.compiler.cache import digest
from anthropi.figure import Figure
from anthropi.figure.states import MAX_ANGLE, UNIT_LENGTH_TOLERANCE
from anthropi.tape import record
from anthropi.tape.record import leaves

__all__ = ["RepeatedCall", "key_of", "repeated_call"]

MAX_FINITE = 1e300  # smaller numbers are finite without doubt
MAX_EXAMINED_NUMBERS = 1000  # of inputs and results; recording the check of more takes longer than it saves


def repeated_call(
    kernel: Any, figure: Figure, shapes: dict[str, str], unread: dict[str, Any], largest: float | None
) -> "RepeatedCall | None":
    """Return a `RepeatedCall`, or None if there are too many numbers to examine, or results that are not arrays."""
    results = () if largest is None else kernel.outputs
    numbers = sum(s.size for s in (*kernel.inputs, *results))
    if not 0 < numbers <= MAX_EXAMINED_NUMBERS or not all(s.shape for s in results):
        return None
    return RepeatedCall(kernel, figure, shapes, unread, largest)


class RepeatedCall:
    """A kernel of an algorithm, called with plain arrays that need no closer look.

    Parameters
    ----------
    kernel : the kernel of the algorithm. shapes : declared shapes of its inputs, by name.
    unread : {name: indices} of numbers that may be anything. largest : bound of results that need no closer look, or
        None if results are not examined.
    """

    def __init__(
        self, kernel: Any, figure: Figure, shapes: dict[str, str], unread: dict[str, Any], largest: float | None
    ) -> None:
        self.kernel, self._results = kernel, largest is not None
        places = figure.quaternion_places[1].tolist() if "q" in shapes else []
        bounds = {f"input_{n}": MAX_ANGLE["float64"] if s == "nq" else MAX_FINITE for n, s in shapes.items()}
        sizes = {f"input_{n}": np.zeros(size_of(s, figure)) for n, s in shapes.items()}
        skipped = {f"input_{n}": sorted(k) for n, k in unread.items()}
        if largest is not None:
            results = {f"result_{k}": np.zeros(s.shape) for k, s in enumerate(kernel.outputs)}
            sizes, bounds = sizes | results, bounds | dict.fromkeys(results, largest)

        def examine(**given: Any) -> Any:
            fine = None
            for name, array in given.items():
                for k, x in enumerate(np.ravel(array)):
                    if k not in skipped.get(name, ()):
                        small = scalar.less(scalar.absolute(x), bounds[name])
                        fine = small if fine is None else fine & small
            for four in places:
                length = sum(given["input_q"][k] ** 2 for k in four)
                fine &= scalar.less(scalar.absolute(length - 1.0), 1.9 * UNIT_LENGTH_TOLERANCE)
            return np.stack([scalar.where(fine, 0.0, 1.0)])

        name = digest(
            "examine", repr([(n, a.shape, bounds[n], skipped.get(n)) for n, a in sizes.items()]), repr(places)
        )
        self.check = kernel_for(name, lambda: record(examine, **sizes), opt="now")

    def __call__(self, arrays: tuple[Any, ...], out: Any = None) -> Any:
        """Return the result of the kernel, or None if it needs an ordinary call."""
        kernel = self.kernel
        found = None if out is not None else kernel.direct(arrays)
        if found is None:
            if not all(type(a) is np.ndarray and a.dtype == np.float64 for a in arrays):
                return None
            try:
                found = kernel(*arrays, out=out)
            except ValueError:  # of a wrong shape
                return None
        results = leaves(kernel.structure, found) if self._results else ()
        examined = self.check.direct((*arrays, *results))
        if examined is None:
            examined = self.check(*arrays, *results)
        return None if (examined[0] if examined.ndim == 1 else examined.any()) else found


def key_of(value: Any) -> Any:
    """Return a key of the value of an option: different values have different keys. Raise TypeError without one."""
    kind = type(value)
    if kind is str or value is None:
        return value
    if kind in (int, float, bool):
        return kind, value
    if kind in (tuple, list):
        return kind, tuple(key_of(x) for x in value)
    if kind is np.ndarray and value.dtype.kind in "fiub":
        return kind, value.dtype.str, value.shape, value.tobytes()
    raise TypeError
