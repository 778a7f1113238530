"""Compilation tiers with threads and processes: replaced code, forks, exit during compilation."""

import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import anthropi as ap
from anthropi import scalar as s
from anthropi.compiler.targets import cuda
from anthropi.compiler.targets.background import run_in_background
from anthropi.compiler.targets.cpu import Cpu
from anthropi.errors import BuildError, InputError


@pytest.fixture(autouse=True)
def both_tiers(monkeypatch):
    monkeypatch.delenv("ANTHROPI_TIERS")


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("ANTHROPI_CACHE", "off")


def slow(passes):
    return ap.record(lambda x: ap.repeat(lambda c: s.sin(c) + 0.1 * c, x, passes), x=np.zeros(()))


def test_code_is_swapped_while_a_call_is_in_it():
    """A running call finishes in its own code; the next one runs in the optimised code, with the same bits."""
    kernel = ap.build(slow(2_000_000), opt="tiers")
    results = []
    caller = threading.Thread(target=lambda: results.extend(kernel(0.5) for _ in range(3)))
    caller.start()
    kernel.settle()
    caller.join()
    assert results == [ap.build(slow(2_000_000))(0.5)] * 3


@pytest.mark.parametrize("opt", ["tiers", "now"])
def test_a_deleted_kernel_is_not_recompiled(opt, monkeypatch):
    """Its job finds the kernel deleted; the next job runs."""
    made, release = [], threading.Event()
    real = Cpu._compiled
    monkeypatch.setattr(Cpu, "_compiled", lambda self, lanes, opt: (made.append(opt), real(self, lanes, opt))[1])
    run_in_background(release.wait)  # the compiling thread is busy
    gone, kept = (ap.build(slow(passes), opt=opt) for passes in (3, 4))
    for kernel in (gone, kept):
        kernel(0.5)
    del gone, kernel
    release.set()
    kept.settle()
    assert made.count(2) == 1


FORK = """
import os, signal, numpy as np, anthropi as ap
from anthropi import scalar as s
big = ap.record(lambda x: sum(s.sin(x * float(k)) for k in range(150)), x=np.zeros(3))
kernel = ap.build(big, opt="tiers")
first = kernel(np.ones(3))
child = os.fork()
if child == 0:
    signal.alarm(60)  # a deadlock ends here
    again = kernel(np.ones(3))
    other = ap.build(ap.record(lambda x: 2.0 * x, x=np.zeros(2)), opt="tiers").settle()(np.ones(2))
    os._exit(0 if (again == first).all() and (other == 2.0).all() else 1)
_, status = os.waitpid(child, 0)
raise SystemExit(os.waitstatus_to_exitcode(status))
"""


@pytest.mark.slow
def test_a_child_forked_during_compilation_can_compile(posix):
    assert subprocess.run([sys.executable, "-c", FORK], check=False, timeout=120).returncode == 0


INHERIT = """
import os, signal, sys, threading, time, numpy as np, anthropi as ap
from anthropi.compiler.content import KeptByContent
kept, held = KeptByContent(), threading.Event()
kernel = ap.build(ap.record(lambda x: 3.0 * x, x=np.zeros(2)), opt="tiers")
assert (kernel(np.ones(2)) == 3.0).all()

def in_llvmlite():  # as when the collector frees a module
    from llvmlite.binding import ffi
    with ffi.lib._lock:
        held.set()
        time.sleep(0.5)

def in_a_cache():
    kept.find("figure", lambda: (held.set(), time.sleep(30.0)))

def in_a_kernel():
    with kernel._engine._lock:
        held.set()
        time.sleep(30.0)

def in_a_job():
    from anthropi.compiler.targets.background import run_in_background
    kernel._engine._background.append(run_in_background(lambda: (held.set(), time.sleep(0.5))))

threading.Thread(target=locals()[sys.argv[1]], daemon=True).start()
held.wait()
child = os.fork()
if child == 0:
    signal.alarm(20)  # a deadlock ends here
    kept.find("figure", lambda: 1)
    assert ap.build(ap.record(lambda x: 2.0 * x, x=np.zeros(2)), opt=2)(np.ones(2))[0] == 2.0
    assert (kernel(np.ones((3, 2))) == 3.0).all()
    kernel.bind(kernel.buffers(1))()
    os._exit(0)
os._exit(abs(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))
"""


@pytest.mark.slow
@pytest.mark.parametrize("where", ["in_llvmlite", "in_a_cache", "in_a_kernel", "in_a_job"])
def test_a_child_never_waits_for_a_lock_of_a_thread_that_it_does_not_have(posix, where):
    assert subprocess.run([sys.executable, "-c", INHERIT, where], check=False, timeout=60).returncode == 0


def test_a_gpu_in_a_forked_process_is_refused():
    gpu = object.__new__(cuda.Device)
    gpu._process = -1
    with pytest.raises(BuildError, match=r'multiprocessing\.get_context\("spawn"\)'):
        gpu._make_current()


LEAVE = """
import numpy as np, anthropi as ap
from anthropi import scalar as s
kernel = ap.build(ap.record(lambda x: sum(s.sin(x * float(k)) for k in range(200)), x=np.zeros(3)), opt="tiers")
kernel(np.ones(3))
"""


@pytest.mark.slow
def test_leaving_while_a_tier_compiles_is_clean():
    for _ in range(2):
        assert subprocess.run([sys.executable, "-c", LEAVE], check=False, timeout=120).returncode == 0


INTERRUPTED = """
import os, time
from anthropi.compiler.targets.background import run_in_background
run_in_background(lambda: (os.write(1, b"compiling\\n"), time.sleep(1.0), os.write(1, b"compiled\\n")))
time.sleep(0.2)
"""


@pytest.mark.slow
def test_ctrl_c_during_exit_waits_for_the_compiler(posix):
    """An interpreter that ends while a thread is inside LLVM crashes, so Ctrl-C must not end the wait."""
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline() == b"compiling\n"
    time.sleep(0.5)  # the program has ended and waits for its thread
    for _ in range(3):
        process.send_signal(signal.SIGINT)
        time.sleep(0.02)
    out, errors = process.communicate(timeout=60)
    assert (out, errors, process.returncode) == (b"compiled\n", b"", 0)


@pytest.mark.parametrize("threads", [0, -1, 2.5])
def test_a_number_of_threads_that_is_none_is_refused(threads):
    kernel = ap.build(slow(1))
    with pytest.raises(InputError, match=r"threads=.*whole number, at least 1"):
        kernel(np.zeros(10), threads=threads)


def test_buffers_of_another_kernel_are_refused():
    one, other = ap.build(slow(1)), ap.build(slow(2))
    with pytest.raises(InputError, match="belong to another kernel"):
        other.bind(one.buffers(1))
    with pytest.raises(InputError, match="belong to another kernel"):
        ap.build(slow(1), precision="float32").bind(one.buffers(1))


def test_long_loops_are_not_timed():
    """Choosing a lane width must not run a long rollout thousands of times."""
    kernel = ap.build(slow(100_000), opt=2)
    start = time.process_time()
    kernel(np.zeros(2))
    assert kernel._engine._codes.keys() == {kernel.lanes}  # one width compiled: none was tried out
    assert time.process_time() - start < 60.0
