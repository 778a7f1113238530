"""The target "wasm": each kernel of the list has the bits of `replay` without fusing; module, layout, cache, errors."""

import json
import pickle
import sys

import numpy as np
import pytest
import wasmtime

import anthropi as ap
from anthropi.compiler import cache
from anthropi.compiler.targets import ir, llvm, wasm
from anthropi.errors import BuildError, InputError, MissingExtra
from kernels.tapes import TAPES, bits, flat, samples, tape

PRECISIONS = ("float64", "float32")
everywhere = pytest.mark.parametrize("precision", PRECISIONS)
every_tape = pytest.mark.parametrize("name", TAPES)


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ANTHROPI_CACHE", str(tmp_path))


@everywhere
@every_tape
def test_kernel_gives_the_bits_of_replay_without_fusing(name, precision):
    """One lane and SIMD lanes, with a last block that is not full."""
    trace, arrays = tape(name), samples(name, 37)
    wanted = flat(ap.build(trace, target="replay_unfused", precision=precision)(*arrays))
    kernel = ap.build(trace, target="wasm", precision=precision)
    assert kernel.lanes == (2 if precision == "float64" else 4)
    assert bits(kernel(*arrays)) == bits(wanted)
    for figure in (0, 1, 2, 36):
        assert bits(kernel(*(a[figure] for a in arrays))) == bits([w[figure] for w in wanted]), figure


@everywhere
@every_tape
def test_cutting_and_optimisation_change_no_bit(name, precision, monkeypatch):
    trace, arrays = tape(name), samples(name, 5, seed=1)
    wanted = bits(ap.build(trace, target="replay_unfused", precision=precision)(*arrays))
    monkeypatch.setattr(ir, "MAX_FUNCTION_OPERATIONS", 5)
    monkeypatch.setenv("ANTHROPI_CACHE", "off")
    assert bits(ap.build(trace, target="wasm", precision=precision, opt=0)(*arrays)) == wanted


@every_tape
def test_kernel_agrees_with_the_cpu(name):
    arrays = samples(name, 20, seed=2)
    if name == "chance":  # whole numbers on the edge of a rounding: compare where both round alike
        arrays = [np.round(a, 3) + 0.0004 for a in arrays]
    here, there = (flat(ap.build(tape(name), target=t, opt=0)(*arrays)) for t in ("cpu", "wasm"))
    for a, b in zip(here, there, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)  # loops of 12 contracting passes


@everywhere
def test_module_imports_a_memory_and_exports_run(precision):
    kernel = ap.build(tape("memory"), target="wasm", precision=precision)
    for lanes in (1, kernel.lanes):
        module = wasmtime.Module(wasmtime.Engine(), kernel.webassembly(lanes).code)
        assert [(i.module, i.name, type(i.type)) for i in module.imports] == [("env", "memory", wasmtime.MemoryType)]
        assert [(e.name, type(e.type)) for e in module.exports] == [("run", wasmtime.FuncType)]


@everywhere
@pytest.mark.parametrize("wide", [False, True])
def test_layout_says_where_the_arrays_are(precision, wide):
    """Call the module as a page does: with nothing but its bytes, the layout as JSON, and one memory."""
    trace, (x, y) = tape("memory"), samples("memory", 4)
    kernel = ap.build(trace, target="wasm", precision=precision)
    code, layout = kernel.webassembly(kernel.lanes if wide else 1)
    assert wide or (code, layout) == (kernel.module, kernel.layout)
    layout = json.loads(json.dumps(layout))
    lanes, at, dtype = layout["lanes"], layout["at"], np.dtype(layout["precision"])
    engine = wasmtime.Engine()
    store = wasmtime.Store(engine)
    memory = wasmtime.Memory(store, wasmtime.MemoryType(wasmtime.Limits(layout["pages"], None)))
    run = wasmtime.Instance(store, wasmtime.Module(engine, code), [memory]).exports(store)[layout["function"]]
    numbers = np.frombuffer(memory.get_buffer_ptr(store), dtype)

    def view(side, slot):
        start = at[side] // layout["number_bytes"] + slot["start"] * lanes
        return numbers[start : start + slot["size"] * lanes].reshape(slot["size"], lanes)

    for slot, array in zip(layout["inputs"], (x, y), strict=True):
        view("inputs", slot)[...] = array[:lanes].T
    run(store, at["inputs"], at["outputs"], at["scratch"], 1)
    wanted = flat(ap.build(trace, target="replay_unfused", precision=precision)(x[:lanes], y[:lanes]))
    for slot, w in zip(layout["outputs"], wanted, strict=True):
        np.testing.assert_array_equal(view("outputs", slot).T.reshape(w.shape), w)
    assert layout["input_bytes"] == 6 * lanes * dtype.itemsize and layout["inputs"][1]["name"] == "y"


def test_buffers_and_bind_run_many_blocks():
    trace, arrays = tape("elementary"), samples("elementary", 9)
    kernel = ap.build(trace, target="wasm")
    for batch in (1, 9):
        given = [a[:batch] for a in arrays]
        buffers = kernel.buffers(batch)
        run = kernel.bind(buffers)
        buffers.write(x=given[0], y=given[1])
        run()
        wanted = flat(ap.build(trace, target="replay_unfused")(*given))
        for slot, w in zip(kernel.outputs, wanted, strict=True):
            np.testing.assert_array_equal(buffers.read(slot.name), w)
    with pytest.raises(InputError, match="belong to another kernel"):
        ap.build(tape("memory"), target="wasm").bind(buffers)


def test_large_batches_are_cut(monkeypatch):
    trace, arrays = tape("choices"), samples("choices", 50)
    kernel = ap.build(trace, target="wasm")
    whole = bits(kernel(*arrays))
    monkeypatch.setattr(wasm, "MAX_BYTES_PER_CALL", 3000)
    assert bits(kernel(*arrays)) == whole
    assert kernel(*(a[:0] for a in arrays))[0].shape == (0, 3)


def test_modules_are_cached(monkeypatch):
    trace, arrays = tape("nested_loops"), samples("nested_loops", 3)
    first = ap.build(trace, target="wasm")
    wanted = bits(first(*arrays))
    assert any(name.endswith(".wasm") for name in cache.used_entries())
    monkeypatch.setattr(llvm, "wasm_object", None)  # nothing is compiled again
    again = pickle.loads(pickle.dumps(first))
    assert (again.target, again.webassembly(2)) == ("wasm", first.webassembly(2))
    assert bits(again(*arrays)) == wanted


def test_errors_name_the_remedy(monkeypatch):
    kernel = ap.build(tape("memory"), target="wasm")
    with pytest.raises(BuildError, match=r"1 or 2 lanes, .* got lanes=3"):
        kernel.webassembly(3)
    with pytest.raises(BuildError, match=r"target='cpu' has no module\. Build it with target='wasm'"):
        ap.build(tape("memory")).module  # noqa: B018
    wasm._engine.cache_clear()
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    assert kernel.module[:4] == b"\0asm"  # writing a module needs no wasmtime
    with pytest.raises(MissingExtra, match=r"needs 'wasmtime'. Install it with: pip install 'anthropi\[wasm\]'"):
        kernel(*samples("memory", 1))
    monkeypatch.undo()
    wasm._engine.cache_clear()
