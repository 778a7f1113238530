"""A tape replayed by NumPy: slow, and the specification of every bit the other targets must give."""

import numpy as np

from anthropi.compile.lower import lower
from anthropi.compile.targets.machine import DTYPE
from anthropi.compile.targets.replay import replay
from anthropi.errors import BuildError

__all__ = ["Replayed"]


class Replayed:
    """The engine behind a kernel with target "replay"."""

    device, lanes = "replay", 1

    def __init__(self, meta: dict, slots, tape, precision: str, opt):
        (self.inputs, self.outputs), self.precision, self.dtype = slots, precision, DTYPE[precision]
        self._lowered = lower(tape(), precision)

    @property
    def compiled(self) -> bool:
        """Whether buffers can be bound without waiting."""
        return False

    def settle(self) -> None:
        """There is one tier only."""

    def evaluate(self, arrays, steps, results, batch: int, threads) -> None:
        """Fill the result arrays (batch, *shape), all figures at once."""
        rows = [
            np.broadcast_to(a if many else a[None], (batch, *s.shape)).reshape(batch, s.size).T
            for s, a, many in zip(self.inputs, arrays, steps, strict=True)
        ]
        flat = replay(self._lowered, np.concatenate(rows) if rows else np.zeros((0, batch), self.dtype), self.precision)
        for slot, result in zip(self.outputs, results, strict=True):
            result[...] = flat[slot.start : slot.start + slot.size].T.reshape(batch, *slot.shape)

    def buffers(self, batch: int):
        """Replay has no layout of its own."""
        raise BuildError("target='replay' has no buffers to bind; call the kernel, or build it for 'cpu'.")

    bind = buffers
