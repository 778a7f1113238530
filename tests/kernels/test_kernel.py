"""Kernels: layout, shape checks, errors, buffers, bound calls, threads, pickling."""

import pickle
import threading

import numpy as np
import pytest

import anthropi as ap
from anthropi import scalar
from anthropi.compiler.targets import llvm
from anthropi.compiler.targets.ir import Body
from anthropi.compiler.targets.machine import Machine
from anthropi.errors import AnthropiError, BuildError, InputError
from kernels.tapes import bits, samples, tape


@pytest.fixture(scope="module")
def kernel():
    return ap.build(
        ap.record(
            lambda pose, speed: {"sum": pose + 2.0 * speed, "energy": speed @ speed},
            pose=np.zeros(3),
            speed=np.zeros(3),
        )
    )


def test_rows_and_single_figures_mix(kernel):
    pose, speed = np.arange(12.0).reshape(4, 3), np.array([1.0, 2.0, 3.0])
    result = kernel(pose, speed)
    assert result["sum"].shape == (4, 3)
    assert np.array_equal(result["sum"], pose + 2.0 * speed)
    assert np.array_equal(result["energy"], np.full(4, 14.0))
    assert kernel(speed=speed, pose=pose[0])["energy"] == 14.0


def test_any_memory_order_and_number_type_is_taken(kernel):
    pose = np.asfortranarray(np.arange(12, dtype=np.int32).reshape(4, 3))
    assert np.array_equal(kernel(pose, pose[::-1])["sum"], pose + 2.0 * pose[::-1])
    assert np.array_equal(kernel([1, 2, 3], (4.0, 5.0, 6.0))["sum"], [9.0, 12.0, 15.0])


def test_an_empty_batch_is_no_error(kernel):
    assert kernel(np.zeros((0, 3)), np.zeros((0, 3)))["sum"].shape == (0, 3)


def test_inputs_are_left_alone_and_results_are_new(kernel):
    pose = np.ones((9, 3))
    first = kernel(pose, pose)["sum"]
    kernel(2.0 * pose, pose)
    assert (pose == 1.0).all()
    assert (first == 3.0).all()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda k: k(np.zeros(3)), ("Missing input: speed", "pose, speed")),
        (lambda k: k(np.zeros(3), np.zeros(3), np.zeros(3)), ("takes 2 arrays (pose, speed)", "got 3")),
        (lambda k: k(np.zeros(2), np.zeros(3)), ("'pose'", "(2,)", "(3,) or (batch, 3)")),
        (lambda k: k(np.zeros((5, 3)), np.zeros((4, 3))), ("'speed'", "(4, 3)", "(3,) or (5, 3)")),
        (lambda k: k(np.zeros((2, 2, 3)), np.zeros(3)), ("'pose'", "(2, 2, 3)")),
        (lambda k: k(np.zeros(3), sped=np.zeros(3)), ("No input 'sped'", "Did you mean 'speed'")),
        (lambda k: k(np.zeros(3), pose=np.zeros(3)), ("'pose' is given twice",)),
        (lambda k: k("abc", np.zeros(3)), ("'pose'", "must be an array of numbers", "str")),
        (lambda k: k(None, np.zeros(3)), ("'pose'", "must be an array of numbers", "NoneType")),
        (lambda k: k(np.zeros(3, complex), np.zeros(3)), ("'pose'", "must be an array of numbers")),
        (lambda k: k([[1.0], [2.0, 3.0]], np.zeros(3)), ("'pose'", "must be an array of numbers")),
        (lambda k: k.buffers(0), ("at least 1", "batch=0")),
        (lambda k: k.buffers(2).write(poze=np.zeros(3)), ("No input 'poze'", "Did you mean 'pose'")),
        (lambda k: k.buffers(2).read("sun"), ("No output 'sun'", "Did you mean 'sum'")),
        (lambda k: k.buffers(2).write(pose=np.zeros((3, 3))), ("'pose'", "(3, 3)", "(3,) or (2, 3)")),
    ],
)
def test_wrong_calls_name_the_culprit(kernel, call, words):
    with pytest.raises(InputError) as caught:
        call(kernel)
    for word in words:
        assert word in str(caught.value)


def test_wrong_builds_name_the_choices():
    trace = tape("arithmetic")
    for options, words in (
        ({"target": "gpuu"}, "Unknown target 'gpuu'. Did you mean 'gpu'? Choose one of cpu, gpu, wasm, replay,"),
        ({"precision": "float46"}, "Unknown precision 'float46'. Did you mean 'float64'? Choose one of float64,"),
        ({"opt": 3}, "opt=3. Choose 2, 0 (compiles faster), 'tiers'"),
    ):
        with pytest.raises(BuildError) as caught:
            ap.build(trace, **options)
        assert words in str(caught.value)
    with pytest.raises(BuildError, match="no buffers to bind"):
        ap.build(trace, target="replay").buffers(1)


def test_what_cannot_become_code_is_an_error_of_ours():
    with pytest.raises(BuildError, match="'sin' reached the code writer"):
        Body(ap.record(lambda x: scalar.sin(x), x=np.zeros(())), Machine())
    with pytest.raises(BuildError, match="LLVM rejected the code"):
        llvm.assemble("no such thing", 0)


def test_a_missing_gpu_is_reported_with_the_remedy():
    """Either the extra is missing, or the driver is; with a GPU the kernel builds."""
    try:
        ap.build(tape("arithmetic"), target="gpu")
    except AnthropiError as problem:
        assert "pip install 'anthropi[gpu]'" in str(problem) or "target='cpu'" in str(problem)


def test_the_body_of_a_loop_is_no_kernel():
    trace = tape("fixed_loop")
    body = next(d for o, d in zip(trace.op, trace.data, strict=True) if o == "repeat").body
    with pytest.raises(BuildError, match="body of a `repeat` loop"):
        ap.build(body)


@pytest.mark.parametrize("batch", [1, 5, 8, 21])
def test_bound_calls_run_on_buffers(kernel, batch):
    rng = np.random.default_rng(batch)
    pose, speed = rng.normal(size=(batch, 3)), rng.normal(size=(batch, 3))
    buffers = kernel.buffers(batch)
    call = kernel.bind(buffers)
    buffers.write(pose=pose, speed=speed)
    call()
    wanted = kernel(pose, speed)
    assert buffers.read("sum").tobytes() == wanted["sum"].tobytes()
    buffers.input("pose")[...] = 0.0  # in place, in the kernel's own layout
    call()
    assert np.array_equal(buffers.read("sum"), 2.0 * speed)
    assert buffers.output("sum").shape == (buffers.blocks, buffers.lanes, 3)


@pytest.mark.slow
def test_a_bound_call_keeps_what_it_points_into():
    import gc

    call = ap.build(ap.record(lambda x: 2.0 * x, x=np.zeros(4))).bind()
    gc.collect()
    for _ in range(1000):
        call()


def test_kernels_pickle_as_their_tape(kernel):
    again = pickle.loads(pickle.dumps(kernel))
    arrays = np.random.default_rng(0).normal(size=(2, 10, 3))
    assert bits(again(*arrays)) == bits(kernel(*arrays))
    assert (again.target, again.precision) == ("cpu", "float64")


def test_one_kernel_serves_many_threads():
    kernel = ap.build(tape("fixed_loop"))
    arrays = samples("fixed_loop", 200)
    wanted, wrong = bits(kernel(*arrays)), []

    def work():
        for _ in range(50):
            if bits(kernel(*arrays)) != wanted:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_float32_kernels_give_float32():
    kernel = ap.build(tape("elementary"), precision="float32")
    result = kernel(*samples("elementary", 4))
    assert all(r.dtype == np.float32 for r in result)


def test_nan_goes_in_and_comes_out(kernel):
    pose = np.zeros((10, 3))
    pose[3, 1] = np.nan
    result = kernel(pose, np.zeros(3))["sum"]
    assert np.isnan(result[3, 1])
    assert np.isnan(result).sum() == 1
