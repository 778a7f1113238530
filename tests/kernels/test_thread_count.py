"""The default number of threads: CPU affinity, and ANTHROPI_THREADS."""

import os
import subprocess
import sys

import pytest

import anthropi as ap
from anthropi.compiler.targets import cpu
from anthropi.compiler.threads import default_threads
from anthropi.errors import InputError
from kernels.tapes import bits, samples, tape


@pytest.fixture
def unset(monkeypatch):
    monkeypatch.delenv("ANTHROPI_THREADS", raising=False)
    return monkeypatch


def test_the_default_is_the_affinity_of_the_process(unset):
    unset.setattr(os, "sched_getaffinity", lambda pid: {0, 3, 5}, raising=False)
    unset.setattr(os, "cpu_count", lambda: 64)
    assert default_threads() == 3


def test_without_affinity_all_cpus_count(unset):
    unset.delattr(os, "sched_getaffinity", raising=False)
    unset.setattr(os, "cpu_count", lambda: 6)
    assert default_threads() == 6
    unset.setattr(os, "cpu_count", lambda: None)
    assert default_threads() == 1


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system has no CPU affinity")
def test_a_process_bound_to_one_cpu_uses_one_thread():
    code = """
import os
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
from anthropi.compiler.threads import default_threads
print(default_threads())
"""
    env = {k: v for k, v in os.environ.items() if k != "ANTHROPI_THREADS"}
    env["PYTHONPATH"] = os.pathsep.join(p for p in sys.path if p)
    run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "1"


@pytest.mark.parametrize(("text", "count"), [("1", 1), (" 7 ", 7), ("", None)])
def test_the_environment_decides(monkeypatch, text, count):
    monkeypatch.delenv("ANTHROPI_THREADS", raising=False)
    count = count or default_threads()
    monkeypatch.setenv("ANTHROPI_THREADS", text)
    assert default_threads() == count


@pytest.mark.parametrize("text", ["0", "-2", "2.5", "many", "²", "1e3"])
def test_a_wrong_number_is_refused(monkeypatch, text):
    monkeypatch.setenv("ANTHROPI_THREADS", text)
    with pytest.raises(InputError, match=r"ANTHROPI_THREADS is '.*'. Give a whole number of at least 1, or unset it"):
        default_threads()


@pytest.mark.parametrize("text", ["1", "2", "5"])
def test_a_kernel_splits_a_batch_over_that_many_threads(monkeypatch, text):
    monkeypatch.setattr(cpu, "MAX_DIRECT_OPERATIONS", 0)  # direct calls use one thread
    kernel, arrays = ap.build(tape("fixed_loop")), samples("fixed_loop", 200)
    wanted, parts = bits(kernel(*arrays, threads=1)), []
    monkeypatch.setenv("ANTHROPI_THREADS", text)
    monkeypatch.setattr(cpu, "OPERATIONS_PER_THREAD", 1)  # every block is worth a thread
    monkeypatch.setattr(cpu, "_pools", {})
    pool = cpu._pool()
    monkeypatch.setattr(pool, "map", lambda work, ranks: parts.append(len(ranks)) or map(work, ranks))
    assert bits(kernel(*arrays)) == wanted
    assert parts == ([] if text == "1" else [int(text)])
    assert pool._max_workers >= int(text)


def test_the_number_given_in_a_call_wins(monkeypatch):
    kernel, arrays, parts = ap.build(tape("fixed_loop")), samples("fixed_loop", 200), []
    wanted = bits(kernel(*arrays))
    monkeypatch.setenv("ANTHROPI_THREADS", "1")
    monkeypatch.setattr(cpu._pool(), "map", lambda work, ranks: parts.append(len(ranks)) or map(work, ranks))
    assert bits(kernel(*arrays, threads=2)) == wanted
    assert parts == [2]
