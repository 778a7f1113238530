"""Arrays in a kernel's own memory layout, for loops that must neither convert arrays nor allocate memory."""

import contextlib
import mmap
from collections.abc import Iterable
from typing import Any

import numpy as np

from anthropi.compiler.foreign import hint
from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.tape.tape import Slot

__all__ = ["Buffers", "NamedBuffers", "address", "aligned", "number_array", "placed"]


_HUGE_PAGE = 1 << 21  # [byte]


def aligned(count: int, dtype: Any) -> np.ndarray:
    """Allocate an array of zeros, aligned to 128 bytes for vector loads. Large arrays use huge pages if available."""
    dtype = np.dtype(dtype)
    size = count * dtype.itemsize
    if size >= _HUGE_PAGE // 8 and hasattr(mmap, "MADV_HUGEPAGE"):
        pages = mmap.mmap(-1, size + _HUGE_PAGE)
        with contextlib.suppress(OSError):  # the operating system has no huge pages
            pages.madvise(mmap.MADV_HUGEPAGE)
        raw, step = np.frombuffer(pages, np.uint8), _HUGE_PAGE
    else:
        raw, step = np.zeros(size + 128, np.uint8), 128
    start = -raw.ctypes.data % step
    return raw[start : start + size].view(dtype)


def address(array: np.ndarray) -> int:
    """Return the address of the first number of an array."""
    return array.__array_interface__["data"][0]


def placed(array: np.ndarray, many: int, any_order: bool) -> tuple[np.ndarray, int, np.ndarray | None]:
    """Return where compiled code finds the rows of an array (batch, *shape), or its only row (*shape).

    Returns
    -------
    The array, or a copy if its memory order does not suit; the step from row to row; and the places of the numbers of a
    row, counted from its first one, or None if they lie one after another. Steps and places are counts of numbers.
    """
    if not array.flags.aligned or any(step % array.itemsize for step in array.strides):
        array = np.ascontiguousarray(array)
    if not (array[0] if many else array).flags.c_contiguous and not any_order:
        array = np.ascontiguousarray(array)
    step = array.strides[0] // array.itemsize if many else 0
    if (array[0] if many else array).flags.c_contiguous:
        return array, step, None
    places = np.zeros((), np.int64)
    for count, stride in zip(array.shape[many:], array.strides[many:], strict=True):
        places = np.add.outer(places, np.arange(count, dtype=np.int64) * (stride // array.itemsize))
    return array, step, np.ascontiguousarray(places).reshape(-1)


def number_array(slot: Slot, given: Any) -> np.ndarray:
    """Convert an input to an array of numbers; raise `InputError` with its name if it contains anything else."""
    try:
        array = np.asarray(given)
        if array.dtype == object or array.dtype.kind not in "fiub":
            raise TypeError
        return array
    except (TypeError, ValueError, OverflowError, RuntimeError) as problem:
        why = hint(given) or " A kernel computes with plain numbers; to record it, use its tape."
        raise InputError(
            f"Input '{slot.name}' must be an array of numbers of shape {slot.shape} or (batch, …); "
            f"got {type(given).__name__}.{why}"
        ) from problem


class NamedBuffers:
    """Input and output arrays of a kernel, found by name. Inputs are written, outputs are read."""

    batch: int

    def __init__(self, inputs: Iterable[Slot], outputs: Iterable[Slot], batch: int, owner: Any) -> None:
        if not isinstance(batch, (int, np.integer)) or batch < 1:
            raise InputError(f"batch={batch!r}: give a whole number of figures, at least 1.")
        self.batch, self._owner = int(batch), owner
        self._slots = ({s.name: s for s in inputs}, {s.name: s for s in outputs})

    def check_owner(self, owner: Any) -> None:
        """Raise `InputError` if another kernel made these buffers."""
        if owner != self._owner:
            raise InputError(
                "These buffers belong to another kernel or precision. Use those from kernel.buffers(batch)."
            )

    def _find(self, name: str, side: int) -> Slot:
        """Return the slot of an input (side 0) or output (side 1); raise `InputError` if the name is unknown."""
        if name not in self._slots[side]:
            known = list(self._slots[side])
            what = "input" if side == 0 else "output"
            raise InputError(f"No {what} '{name}'.{did_you_mean(name, known)} The {what}s are {', '.join(known)}.")
        return self._slots[side][name]

    def _rows(self, name: str, array: Any) -> np.ndarray:
        """Return an array as (batch, *shape); raise `ShapeError` if it does not fit."""
        slot = self._find(name, 0)
        array = number_array(slot, array)
        if array.shape not in (slot.shape, (self.batch, *slot.shape)):
            wanted = f"{slot.shape} or {(self.batch, *slot.shape)}"
            raise ShapeError(f"Input '{name}' has shape {array.shape}; wanted {wanted}.")
        return np.broadcast_to(array, (self.batch, *slot.shape))


class Buffers(NamedBuffers):
    """Inputs and outputs of `batch` figures, in blocks [n][lanes] of n numbers for each of `lanes` figures.

    `write` and `read` copy plain arrays (batch, *shape). `input("q")` and `output("y")` return views (blocks, lanes,
    *shape), to be used without copying. Unused lanes of the last block repeat the last figure.
    """

    lanes: int
    blocks: int

    def __init__(
        self,
        inputs: Iterable[Slot],
        outputs: Iterable[Slot],
        batch: int,
        lanes: int,
        dtype: Any,
        scratch: int,
        owner: Any,
    ) -> None:
        super().__init__(inputs, outputs, batch, owner)
        self.lanes, self.blocks = lanes, -(-self.batch // lanes)
        sizes = [sum(s.size for s in slots) for slots in (inputs, outputs)]
        areas = [*(self.blocks * n * lanes for n in sizes), scratch * lanes + 16]
        starts = np.cumsum([0, *(-(-n // 32) * 32 for n in areas)])  # each at a multiple of 128 bytes
        whole = self.allocate(int(starts[-1]), dtype)
        parts = [whole[start : start + n] for start, n in zip(starts, areas, strict=False)]
        self._memory = [part.reshape(self.blocks, n, lanes) for part, n in zip(parts, sizes, strict=False)]
        self._scratch = parts[2]

    def allocate(self, count: int, dtype: Any) -> np.ndarray:
        """Allocate the memory of all arrays: zeros, aligned to 128 bytes."""
        return aligned(count, dtype)

    def input(self, name: str) -> np.ndarray:
        """Return a view of an input, (blocks, lanes, *shape)."""
        return self._view(self._find(name, 0), 0)

    def output(self, name: str) -> np.ndarray:
        """Return a view of an output, (blocks, lanes, *shape)."""
        return self._view(self._find(name, 1), 1)

    def leading(self, size: int) -> tuple[np.ndarray, np.ndarray]:
        """Return views of the first `size` numbers of all inputs and of all outputs, (blocks, size, lanes) each."""
        return self._memory[0][:, :size], self._memory[1][:, :size]

    def _view(self, slot: Slot, side: int) -> np.ndarray:
        part = self._memory[side][:, slot.start : slot.start + slot.size]
        return np.moveaxis(part.reshape(self.blocks, *slot.shape, self.lanes), -1, 1)

    def write(self, **arrays: Any) -> None:
        """Copy plain arrays (batch, *shape), or one row (*shape) for all figures, into the named inputs."""
        for name, array in arrays.items():
            rows = self._rows(name, array)
            padded = rows[np.minimum(np.arange(self.blocks * self.lanes), self.batch - 1)]
            view = self.input(name)
            view[...] = padded.reshape(view.shape)

    def read(self, name: str) -> np.ndarray:
        """Return a plain copy (batch, *shape) of an output."""
        view = self.output(name)
        return view.reshape(self.blocks * self.lanes, *view.shape[2:])[: self.batch].copy()

    def pointers(self) -> tuple[int, int, int]:
        """Return the addresses of inputs, outputs and scratch memory."""
        return self._memory[0].ctypes.data, self._memory[1].ctypes.data, self._scratch.ctypes.data
