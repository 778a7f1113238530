"""Arrays that live in a kernel's own layout, for loops that must not pack and allocate."""

import numpy as np

from anthropi.errors import SizeError, did_you_mean

__all__ = ["Buffers", "Named", "aligned"]


def aligned(count: int, dtype) -> np.ndarray:
    """Zeros whose address is a multiple of 128 bytes, as wide vectors want it."""
    dtype = np.dtype(dtype)
    raw = np.zeros(count * dtype.itemsize + 128, np.uint8)
    start = -raw.ctypes.data % 128
    return raw[start : start + count * dtype.itemsize].view(dtype)


class Named:
    """Buffers by name: what a kernel reads is written, what it makes is read."""

    def __init__(self, inputs, outputs, batch: int):
        if batch < 1 or batch != int(batch):
            raise SizeError(f"A batch holds a whole number of figures, at least one; got batch={batch!r}.")
        self.batch = int(batch)
        self._slots = ({s.name: s for s in inputs}, {s.name: s for s in outputs})

    def _find(self, name: str, side: int):
        if name not in self._slots[side]:
            known = list(self._slots[side])
            what = "input" if side == 0 else "output"
            raise SizeError(f"No {what} '{name}'.{did_you_mean(name, known)} Its {what}s: {', '.join(known)}.")
        return self._slots[side][name]

    def _rows(self, name: str, array) -> np.ndarray:
        """An array as (batch, *shape)."""
        slot = self._find(name, 0)
        try:
            return np.broadcast_to(array, (self.batch, *slot.shape))
        except ValueError as problem:
            wanted = f"{slot.shape} or {(self.batch, *slot.shape)}"
            raise SizeError(f"Input '{name}' has shape {np.shape(array)}; wanted {wanted}.") from problem


class Buffers(Named):
    """Inputs and outputs of `batch` figures in blocks [n][lanes].

    `write` and `read` copy plain arrays (batch, *shape); `input("q")` and `output("y")` are views
    (blocks, lanes, *shape) to use in place. Figures past the batch in the last block repeat the last one.
    """

    def __init__(self, inputs, outputs, batch: int, lanes: int, dtype, scratch: int):
        super().__init__(inputs, outputs, batch)
        self.lanes, self.blocks = lanes, -(-self.batch // lanes)
        sizes = [sum(s.size for s in slots) for slots in (inputs, outputs)]
        self._memory = [aligned(self.blocks * n * lanes, dtype).reshape(self.blocks, n, lanes) for n in sizes]
        self._scratch = aligned(scratch * lanes + 16, dtype)

    def input(self, name: str) -> np.ndarray:
        """View of an input, (blocks, lanes, *shape)."""
        return self._view(self._find(name, 0), 0)

    def output(self, name: str) -> np.ndarray:
        """View of an output, (blocks, lanes, *shape)."""
        return self._view(self._find(name, 1), 1)

    def _view(self, slot, side: int) -> np.ndarray:
        part = self._memory[side][:, slot.start : slot.start + slot.size]
        return np.moveaxis(part.reshape(self.blocks, *slot.shape, self.lanes), -1, 1)

    def write(self, **arrays) -> None:
        """Copy plain arrays (batch, *shape), or one row for all, into inputs."""
        for name, array in arrays.items():
            rows = self._rows(name, array)
            padded = rows[np.minimum(np.arange(self.blocks * self.lanes), self.batch - 1)]
            view = self.input(name)
            view[...] = padded.reshape(view.shape)

    def read(self, name: str) -> np.ndarray:
        """A plain copy (batch, *shape) of an output."""
        view = self.output(name)
        return view.reshape(self.blocks * self.lanes, *view.shape[2:])[: self.batch].copy()

    def pointers(self) -> tuple[int, int, int]:
        """Addresses of inputs, outputs and scratch."""
        return self._memory[0].ctypes.data, self._memory[1].ctypes.data, self._scratch.ctypes.data
