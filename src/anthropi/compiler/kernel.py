"""Kernels: tapes compiled for a target. A kernel checks input shapes, packs arrays and reports errors."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from anthropi.compiler import cache
from anthropi.compiler.buffers import number_array
from anthropi.compiler.dlpack import on_gpu
from anthropi.compiler.foreign import library_of, returned
from anthropi.compiler.targets.machine import BYTES
from anthropi.errors import BuildError, InputError, ShapeError, did_you_mean
from anthropi.tape.record import leaves, rebuild
from anthropi.tape.tape import Slot, Tape

__all__ = ["TARGETS", "Kernel", "build", "kernel_for"]

TARGETS = ("cpu", "gpu", "wasm", "replay", "replay_unfused")


def build(
    tape: Tape, target: str = "cpu", precision: str = "float64", opt: int | str = 2, uniform: Sequence[str] = ()
) -> "Kernel":
    """Compile a tape into a kernel.

    Parameters
    ----------
    tape : tape returned by `record`.
    target : "cpu" (SIMD lanes × threads), "gpu" (NVIDIA, one figure per thread), "wasm" (a WebAssembly module for
    browsers, `kernel.module`, which runs here through wasmtime), "replay" (NumPy, the reference) or "replay_unfused"
    (the reference for WebAssembly, which has no fma).
    precision : "float64" or "float32".
    opt : optimization level. 2 gives the fastest code; 0 compiles faster and runs slower. "tiers" starts with level 0,
    "now" with an interpreter that needs no compilation (one figure at a time, about ten times slower); both switch to
    level 2 when it is ready. All give bit-for-bit identical results. Only the CPU has tiers.
    uniform : names of inputs that are the same for all figures of a batch, such as parameters. A GPU reads them faster.

    Returns
    -------
    Kernel

    Raises
    ------
    BuildError : `tape` is not a tape, or the target, precision or opt is unknown or not available.
    """
    if not isinstance(tape, Tape):
        raise BuildError(
            f"build compiles a tape; got {type(tape).__name__}. Record the function first: "
            "ap.build(ap.record(function, x=np.zeros(3)))."
        )
    return Kernel(_meta(tape), lambda: tape, target, precision, opt, uniform=uniform)


def kernel_for(
    name: str,
    trace: Callable[[], Tape],
    target: str = "cpu",
    precision: str = "float64",
    opt: int | str = 2,
    uniform: Sequence[str] = (),
) -> "Kernel":
    """Return the kernel with a given name; its tape is recorded only if the cache does not contain it.

    Parameters
    ----------
    name : text that contains everything the tape depends on (function, figure, options).
    trace : function without arguments that records the tape.
    target, precision, opt, uniform : as in `build`.
    """
    entry_name = cache.digest("tape", name, cache.source_digest("")) + ".tape"
    entry = cache.read(entry_name)
    if entry is None:
        tape = trace()
        own = _meta(tape)
        if cache.folder() is not None:
            from anthropi.tape.serial import to_bytes

            cache.write(entry_name, own, to_bytes(tape))
        return Kernel(own, lambda: tape, target, precision, opt, uniform=uniform)
    from anthropi.tape.serial import from_bytes

    meta, stored = entry
    return Kernel(meta, lambda: from_bytes(stored), target, precision, opt, trace if meta["rules"] else None, uniform)


def _meta(tape: Tape) -> dict[str, Any]:
    """Return a tape's key, counts, inputs and outputs as plain data."""
    if tape.depth:
        raise BuildError("This tape is the body of a `repeat` loop. Build the tape that `record` returned.")
    return {
        "key": tape.key,
        "operations": tape.operations,
        "work": sum(tape.counts(passes=True).values()),
        "rules": tape.has_rules,
        "inputs": [list(s) for s in tape.inputs],
        "outputs": [list(s) for s in tape.outputs],
        "structure": tape.structure,
    }


class Kernel:
    """A compiled tape. Immutable and safe to call from several threads; it is pickled as its tape.

    `kernel(q, u)` takes arrays in the order of the tape's inputs, each (*shape) or (batch, *shape). It returns the
    results of the recorded function, with a leading batch axis if any input had one. Given arrays of another library
    with DLPack (torch, jax, cupy), it returns arrays of this library, on the device on which they are: a kernel with
    target "gpu" copies nothing through the host then.

    inputs, outputs : names and shapes of the arrays (`Slot`). key : digest of the tape. operations : number of
    operations on the tape.
    """

    def __init__(
        self,
        meta: dict[str, Any],
        tape: Callable[[], Tape],
        target: str,
        precision: str,
        opt: int | str,
        trace: Callable[[], Tape] | None = None,
        uniform: Sequence[str] = (),
    ) -> None:
        self.inputs: tuple[Slot, ...] = tuple(Slot(n, tuple(s), a, b) for n, s, a, b in meta["inputs"])
        self.outputs: tuple[Slot, ...] = tuple(Slot(n, tuple(s), a, b) for n, s, a, b in meta["outputs"])
        self.key: str = meta["key"]
        self.operations: int = meta["operations"]
        self.structure: Any = meta["structure"]
        self.target: str = target
        self.precision: str = precision
        self.opt: int | str = opt
        names = [s.name for s in self.inputs]
        self.uniform: tuple[str, ...] = tuple(uniform)
        for name in self.uniform:
            if name not in names:
                raise BuildError(
                    f"uniform='{name}' is no input.{did_you_mean(name, names)} Inputs: {', '.join(names)}."
                )
        if precision not in BYTES:
            guess = did_you_mean(precision, BYTES)
            raise BuildError(f"Unknown precision '{precision}'.{guess} Choose one of {', '.join(BYTES)}.")
        if opt not in (0, 2, "tiers", "now"):
            raise BuildError(
                f"Unknown optimization level opt={opt!r}. Choose 2, 0 (compiles faster), 'tiers' (0 at first, 2 when "
                "ready) or 'now' (interpreted at first, 2 when ready)."
            )
        self._tape = tape if trace is None else trace  # stored tapes have no derivative rules
        self._single = self.structure == 0 and bool(self.outputs[0].shape)  # the result is one array
        options = (self.uniform,) if target == "gpu" else ()
        self._engine = _engine(target)(meta, (self.inputs, self.outputs), tape, precision, opt, *options)

    @property
    def tape(self) -> Tape:
        """The tape from which the kernel was made."""
        return self._tape()

    @property
    def lanes(self) -> int:
        """Number of figures of a batch that one thread computes at the same time (SIMD lanes)."""
        return self._engine.lanes

    def __repr__(self) -> str:
        ins = ", ".join(f"{s.name}{list(s.shape)}" for s in self.inputs)
        return f"Kernel({ins}; {self.operations} operations, {self.target}, {self.precision})"

    def __call__(self, *arrays: Any, threads: int | None = None, out: Any = None, **named: Any) -> Any:
        """Evaluate the kernel on arrays given by position or by name.

        threads : number of threads for a batch; by default ANTHROPI_THREADS, or all CPUs available to this process.
        out : arrays to be filled and returned, in the structure of the result, such as an earlier result.
        """
        direct = self._engine.direct
        if direct is not None and threads is None and not named:
            found = direct(*arrays) if out is None else direct(*arrays, *self._leaves(out))
            if found is not None:
                return found if self._single else self._rebuilt(found) if out is None else out
        batch, given, steps = None, [], []
        ordered = self._ordered(arrays, named)
        library = library_of(ordered)
        if any(on_gpu(a) for a in ordered):
            return self._on_gpu(ordered, library, out)
        for slot, array in zip(self.inputs, ordered, strict=True):
            array = self._number_array(slot, array)
            many = array.ndim == len(slot.shape) + 1
            if array.shape[many:] != slot.shape or (many and batch not in (None, array.shape[0])):
                raise ShapeError(self._wrong_shape(slot, array.shape, batch))
            batch = array.shape[0] if many else batch
            given.append(array)
            steps.append(int(many))
        count = 1 if batch is None else batch
        targets = None if out is None else self._targets(out, batch)
        results = [np.empty((count, *s.shape), self._engine.dtype) for s in self.outputs]
        if targets is not None:
            results = [t.reshape(r.shape) if _separate(t, given, targets) else r
                       for t, r in zip(targets, results, strict=True)]  # fmt: skip
        if count:
            self._engine.evaluate(given, steps, results, count, threads)
        if targets is not None:
            for target, result in zip(targets, results, strict=True):
                if not np.may_share_memory(target, result):
                    target[...] = result.reshape(target.shape)
            return out
        if batch is None:
            results = [r[0] for r in results]
        return returned(library, self.structure, rebuild(self.structure, results))

    def _on_gpu(self, arrays: list[Any], library: Any, out: Any) -> Any:
        """Evaluate the kernel on arrays of which some are on a GPU; the results stay there."""
        if self._engine.device != "gpu":
            raise InputError(
                f"The arrays are on a GPU, but this kernel has target='{self.target}'. Build it with target='gpu', or "
                "give arrays of the CPU."
            )
        if out is not None:
            raise InputError("A kernel takes no out for arrays on a GPU. Use the result.")
        given = [a if on_gpu(a) else self._number_array(s, a) for s, a in zip(self.inputs, arrays, strict=True)]
        batch = None
        for slot, array in zip(self.inputs, given, strict=True):
            shape = tuple(array.shape)
            many = len(shape) == len(slot.shape) + 1
            if shape[many:] != slot.shape or (many and batch not in (None, shape[0])):
                raise ShapeError(self._wrong_shape(slot, shape, batch))
            batch = shape[0] if many else batch
        found = self._engine.on_device(given, 1 if batch is None else batch, library)
        if batch is None:
            found = [array.row() for array in found]
        return rebuild(self.structure, found if library is None else [library.from_dlpack(a) for a in found])

    def direct(self, arrays: tuple[Any, ...], little_work: bool = False) -> Any:
        """Return the results for plain arrays from a direct call (compiler/targets/direct.py), or None.

        little_work : the caller knows that this batch has little work, of a kernel with a loop of few passes.
        """
        call = self._engine.direct_batch() if little_work else self._engine.direct
        found = None if call is None else call(*arrays)
        return found if found is None or self._single else self._rebuilt(found)

    def _rebuilt(self, found: Any) -> Any:
        """Return the result of a direct call in the structure of the function's result."""
        return rebuild(self.structure, found if type(found) is tuple else (found,))

    @property
    def module(self) -> bytes:
        """The WebAssembly module for one figure (target "wasm"); `layout` describes its memory."""
        return self.webassembly().code

    @property
    def layout(self) -> dict[str, Any]:
        """Names, shapes and places of the arrays of `module`, as plain data for JSON (compiler/targets/wasm.py)."""
        return self.webassembly().layout

    def webassembly(self, lanes: int = 1) -> Any:
        """Return the WebAssembly module (`code`) and its `layout`, for one figure or for `self.lanes` side by side."""
        if self.target != "wasm":
            raise BuildError(f"A kernel with target='{self.target}' has no module. Build it with target='wasm'.")
        return self._engine.module(lanes)

    @property
    def compiled(self) -> bool:
        """Whether the final machine code for one figure is ready, so that `buffers` and `bind` need not wait."""
        return self._engine.compiled

    def buffers(self, batch: int = 1) -> Any:
        """Allocate named arrays for a batch in the kernel's own memory layout, for `bind`."""
        return self._engine.buffers(batch)

    def bind(self, buffers: Any = None, stream: int = 0) -> Callable[[], None]:
        """Return a function without arguments that runs the kernel on buffers, in one thread.

        buffers : from `buffers(batch)`; by default new ones for one figure. stream : handle of a CUDA stream, for a
        kernel with target "gpu".
        """
        buffers = buffers if buffers is not None else self.buffers(1)
        return self._engine.bind(buffers, stream) if stream else self._engine.bind(buffers)

    def settle(self) -> "Kernel":
        """Wait until compilation in the background is finished; return the kernel."""
        self._engine.settle()
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return build, (self.tape, self.target, self.precision, self.opt, self.uniform)

    def _ordered(self, arrays: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
        """Return the input arrays in order; raise `InputError` for missing, unknown or repeated ones."""
        names = [s.name for s in self.inputs]
        if len(arrays) > len(names):
            raise InputError(f"This kernel takes {len(names)} arrays ({', '.join(names)}); got {len(arrays)}.")
        given = dict(zip(names, arrays, strict=False))
        for name, array in named.items():
            if name not in names:
                raise InputError(f"No input '{name}'.{did_you_mean(name, names)} Inputs: {', '.join(names)}.")
            if name in given:
                raise InputError(f"Input '{name}' is given twice, by position and by name. Give it once.")
            given[name] = array
        missing = [n for n in names if n not in given]
        if missing:
            raise InputError(f"Missing input: {', '.join(missing)}. This kernel takes: {', '.join(names)}.")
        return [given[n] for n in names]

    def _leaves(self, out: Any) -> list[Any]:
        """Return the arrays of `out` in the order of the outputs; raise `InputError` if it has another structure."""
        try:
            return leaves(self.structure, out)
        except (TypeError, ValueError, KeyError, AttributeError):
            names = ", ".join(f"{s.name} {s.shape}" for s in self.outputs)
            raise InputError(
                f"out does not have the structure of the result ({names}): got {type(out).__name__}. Give one array, "
                "or arrays in the tuple, dictionary or class that the kernel returns, such as an earlier result."
            ) from None

    def _targets(self, out: Any, batch: int | None) -> list[np.ndarray]:
        """Return the arrays of `out`; raise an error if one cannot take its result."""
        found = self._leaves(out)
        for slot, array in zip(self.outputs, found, strict=True):
            wanted = slot.shape if batch is None else (batch, *slot.shape)
            if not isinstance(array, np.ndarray) or array.dtype != self._engine.dtype:
                what = f"an array of {array.dtype}" if isinstance(array, np.ndarray) else type(array).__name__
                raise InputError(f"out '{slot.name}' is {what}; give an array of {self.precision} of shape {wanted}.")
            if array.shape != wanted:
                raise ShapeError(f"out '{slot.name}' has shape {array.shape}; the result has shape {wanted}.")
            if not array.flags.writeable:
                raise InputError(f"out '{slot.name}' is read-only. Give an array that can be written.")
        return found

    def _number_array(self, slot: Slot, given: Any) -> np.ndarray:
        """Convert an input to an array of the kernel's precision, in the same memory order."""
        array = number_array(slot, given)
        if array.dtype == self._engine.dtype:
            return array
        with np.errstate(over="ignore"):  # numbers beyond the range of float32 become inf
            return array.astype(self._engine.dtype, order="K")

    def _wrong_shape(self, slot: Slot, shape: tuple[int, ...], batch: int | None) -> str:
        """Return the message for an input of the wrong shape."""
        many = ("batch", *slot.shape) if batch is None else (batch, *slot.shape)
        wanted = f"({', '.join(map(str, many))}{',' if len(many) == 1 else ''})"
        return f"Input '{slot.name}' has shape {tuple(shape)}; wanted {slot.shape} or {wanted}."


def _separate(target: np.ndarray, inputs: list[np.ndarray], targets: list[np.ndarray]) -> bool:
    """Check whether a kernel may write into an array while it reads the inputs and writes the other targets."""
    others = [*inputs, *(t for t in targets if t is not target)]
    plain = target.flags.c_contiguous and target.flags.aligned
    return plain and not any(np.may_share_memory(target, other) for other in others)


def _engine(target: str) -> Any:
    """Return the class that runs kernels on a target; it is imported on demand."""
    if target == "cpu":
        from anthropi.compiler.targets.cpu import Cpu

        return Cpu
    if target == "gpu":
        from anthropi.compiler.targets.gpu import Gpu

        return Gpu
    if target == "wasm":
        from anthropi.compiler.targets.wasm import Wasm

        return Wasm
    if target in ("replay", "replay_unfused"):
        from anthropi.compiler.targets.replay import Replay, ReplayUnfused

        return Replay if target == "replay" else ReplayUnfused
    raise BuildError(f"Unknown target '{target}'.{did_you_mean(target, TARGETS)} Choose one of {', '.join(TARGETS)}.")
