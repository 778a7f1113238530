"""Arrays that live in a kernel's own layout, for loops that must not pack and allocate."""

import numpy as np

from anthropi.errors import SizeError, did_you_mean

__all__ = ["Buffers", "Named", "aligned", "number_array"]


def aligned(count: int, dtype) -> np.ndarray:
    """Zeros whose address is a multiple of 128 bytes, as wide vectors want it."""
    dtype = np.dtype(dtype)
    raw = np.zeros(count * dtype.itemsize + 128, np.uint8)
    start = -raw.ctypes.data % 128
    return raw[start : start + count * dtype.itemsize].view(dtype)


def number_array(slot, given) -> np.ndarray:
    """What was given for an input as an array of numbers, or an error that names the input."""
    try:
        array = np.asarray(given)
        if array.dtype == object or array.dtype.kind not in "fiub":
            raise TypeError
        return array
    except (TypeError, ValueError) as problem:
        raise SizeError(
            f"Input '{slot.name}' must hold numbers in shape {slot.shape} or (batch, …); "
            f"got {type(given).__name__}. A kernel runs on numbers; to record through it use its tape."
        ) from problem


class Named:
    """Buffers by name: what a kernel reads is written, what it makes is read."""

    def __init__(self, inputs, outputs, batch: int, owner):
        if not isinstance(batch, (int, np.integer)) or batch < 1:
            raise SizeError(f"A batch holds a whole number of figures, at least one; got batch={batch!r}.")
        self.batch, self._owner = int(batch), owner
        self._slots = ({s.name: s for s in inputs}, {s.name: s for s in outputs})

    def belongs_to(self, owner) -> None:
        """Refuse a kernel that did not make these buffers: its sizes are others."""
        if owner != self._owner:
            raise SizeError(
                "These buffers belong to another kernel or precision. Take them from kernel.buffers(batch)."
            )

    def _find(self, name: str, side: int):
        if name not in self._slots[side]:
            known = list(self._slots[side])
            what = "input" if side == 0 else "output"
            raise SizeError(f"No {what} '{name}'.{did_you_mean(name, known)} Its {what}s: {', '.join(known)}.")
        return self._slots[side][name]

    def _rows(self, name: str, array) -> np.ndarray:
        """An array as (batch, *shape)."""
        slot = self._find(name, 0)
        array = number_array(slot, array)
        if array.shape not in (slot.shape, (self.batch, *slot.shape)):
            wanted = f"{slot.shape} or {(self.batch, *slot.shape)}"
            raise SizeError(f"Input '{name}' has shape {array.shape}; wanted {wanted}.")
        return np.broadcast_to(array, (self.batch, *slot.shape))


class Buffers(Named):
    """Inputs and outputs of `batch` figures in blocks [n][lanes].

    `write` and `read` copy plain arrays (batch, *shape); `input("q")` and `output("y")` are views
    (blocks, lanes, *shape) to use in place. Figures past the batch in the last block repeat the last one.
    """

    def __init__(self, inputs, outputs, batch: int, lanes: int, dtype, scratch: int, owner):
        super().__init__(inputs, outputs, batch, owner)
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
