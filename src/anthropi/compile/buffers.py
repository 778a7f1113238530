"""Arrays that live in a kernel's own layout, for loops that must not pack and allocate."""

import numpy as np

from anthropi.errors import SizeError, did_you_mean

__all__ = ["Buffers", "aligned"]


def aligned(count: int, dtype) -> np.ndarray:
    """Zeros whose address is a multiple of 128 bytes, as wide vectors want it."""
    dtype = np.dtype(dtype)
    raw = np.zeros(count * dtype.itemsize + 128, np.uint8)
    start = -raw.ctypes.data % 128
    return raw[start : start + count * dtype.itemsize].view(dtype)


class Buffers:
    """Inputs and outputs of `batch` figures in blocks [n][lanes].

    `buffers["q"]` is a view (blocks, lanes, *shape) to read and write in place; `write` and `read` take and give
    plain arrays (batch, *shape). Figures past the batch in the last block hold zeros until written.
    """

    def __init__(self, inputs, outputs, batch: int, lanes: int, dtype, scratch: int):
        if batch < 1:
            raise SizeError(f"A batch holds at least one figure; got batch={batch}.")
        self.batch, self.lanes, self.blocks = batch, lanes, -(-batch // lanes)
        self._slots = {s.name: (s, 0) for s in inputs} | {s.name: (s, 1) for s in outputs}
        sizes = [sum(s.size for s in slots) for slots in (inputs, outputs)]
        self._memory = [aligned(self.blocks * n * lanes, dtype).reshape(self.blocks, n, lanes) for n in sizes]
        self._scratch = aligned(scratch * lanes + 16, dtype)

    def __getitem__(self, name: str) -> np.ndarray:
        slot, side = self._find(name)
        part = self._memory[side][:, slot.start : slot.start + slot.size]
        return np.moveaxis(part.reshape(self.blocks, *slot.shape, self.lanes), -1, 1)

    def write(self, **arrays) -> None:
        """Copy plain arrays (batch, *shape), or one row for all, into the buffers."""
        for name, array in arrays.items():
            slot, _ = self._find(name)
            try:
                rows = np.broadcast_to(array, (self.batch, *slot.shape))
            except ValueError as problem:
                raise SizeError(
                    f"'{name}' has shape {np.shape(array)}; wanted {slot.shape} or {(self.batch, *slot.shape)}."
                ) from problem
            padded = rows[np.minimum(np.arange(self.blocks * self.lanes), self.batch - 1)]
            self[name][...] = padded.reshape(self.blocks, self.lanes, *slot.shape)

    def read(self, name: str) -> np.ndarray:
        """A plain copy (batch, *shape)."""
        slot, _ = self._find(name)
        return self[name].reshape(self.blocks * self.lanes, *slot.shape)[: self.batch].copy()

    def pointers(self) -> tuple[int, int, int]:
        """Addresses of inputs, outputs and scratch."""
        return self._memory[0].ctypes.data, self._memory[1].ctypes.data, self._scratch.ctypes.data

    def _find(self, name: str):
        if name not in self._slots:
            known = ", ".join(self._slots)
            raise SizeError(f"No buffer '{name}'.{did_you_mean(name, self._slots)} Buffers: {known}.")
        return self._slots[name]
