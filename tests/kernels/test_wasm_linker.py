"""Modules from WebAssembly objects: several functions, tables, a stack, and what a kernel may not need."""

import pytest
import wasmtime

from anthropi.compiler.targets.llvm import wasm_object
from anthropi.compiler.targets.wasm_linker import DATA_START, STACK_BYTES, link
from anthropi.errors import BuildError

HEAD = 'target triple = "wasm32-unknown-unknown"\n'
TABLES = (
    HEAD
    + """
@small = internal constant [3 x i32] [i32 7, i32 11, i32 13]
@large = internal constant [2 x double] [double 0.5, double 1.5]
define internal i32 @second(i32 %i) noinline {
  %p = getelementptr [3 x i32], ptr @small, i32 0, i32 %i
  %x = load i32, ptr %p
  ret i32 %x
}
define internal double @third(i32 %i) noinline {
  %p = getelementptr [2 x double], ptr @large, i32 0, i32 %i
  %x = load double, ptr %p
  ret double %x
}
define double @run(i32 %i) {
  %a = call i32 @second(i32 %i)
  %one = load i32, ptr getelementptr (i8, ptr @small, i32 4)
  %sum = add i32 %a, %one
  %b = call double @third(i32 1)
  %c = uitofp i32 %sum to double
  %d = fadd double %b, %c
  ret double %d
}"""
)
STACK = (
    HEAD
    + """
define void @fill(ptr %p, i32 %n) noinline {
  store volatile i32 %n, ptr %p
  ret void
}
define i32 @run(i32 %n) {
  %space = alloca i32, i32 %n, align 16
  call void @fill(ptr %space, i32 %n)
  %x = load volatile i32, ptr %space
  ret i32 %x
}"""
)
UNDEFINED = HEAD + "declare i32 @elsewhere()\ndefine i32 @run() {\n  %x = call i32 @elsewhere()\n  ret i32 %x\n}"


def instance(text, opt):
    linked = link(wasm_object(text, opt))
    engine = wasmtime.Engine()
    store = wasmtime.Store(engine)
    memory = wasmtime.Memory(store, wasmtime.MemoryType(wasmtime.Limits(3, 3)))
    run = wasmtime.Instance(store, wasmtime.Module(engine, linked.code), [memory]).exports(store)["run"]
    return linked, bytes(memory.read(store)), lambda *args: run(store, *args)


@pytest.mark.parametrize("opt", [0, 2])
def test_functions_and_tables(opt):
    linked, memory, run = instance(TABLES, opt)
    assert [run(i) for i in range(3)] == [7 + 11 + 1.5, 11 + 11 + 1.5, 13 + 11 + 1.5]
    assert memory[:DATA_START] == bytes(DATA_START)  # no table at address 0
    assert memory[linked.free :] == bytes(len(memory) - linked.free) and linked.free % 128 == 0


@pytest.mark.parametrize("opt", [0, 2])
def test_a_stack_of_its_own(opt):
    linked, _, run = instance(STACK, opt)
    assert [run(n) for n in (1, 100, 4000)] == [1, 100, 4000]
    assert linked.free >= DATA_START + STACK_BYTES


def test_an_undefined_function_is_refused():
    with pytest.raises(BuildError, match="needs 'elsewhere', which WebAssembly lacks"):
        link(wasm_object(UNDEFINED, 2))


def test_another_kind_of_file_is_refused():
    with pytest.raises(BuildError, match="did not write a WebAssembly object"):
        link(b"\x7fELF....")
