"""The cache on disk: a warm start traces nothing, processes share it, broken files are replaced."""

import os
import subprocess
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import anthropi as ap
from anthropi.compiler import cache, kernel_for
from anthropi.compiler.targets import llvm
from anthropi.errors import CacheWarning
from anthropi.tape import derivative_rule
from kernels.tapes import bits, samples, tape


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ANTHROPI_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def never():
    raise AssertionError("traced")


def test_a_known_kernel_is_not_traced_nor_compiled(monkeypatch):
    arrays = samples("fixed_loop", 9)
    first = kernel_for("a name", lambda: tape("fixed_loop"))(*arrays)
    monkeypatch.setattr(llvm, "assemble", never)
    again = kernel_for("a name", never)
    assert bits(again(*arrays)) == bits(first)
    assert again.tape.key == tape("fixed_loop").key


def test_another_name_precision_or_tape_is_another_entry():
    kernel_for("a name", lambda: tape("arithmetic"))
    with pytest.raises(AssertionError, match="traced"):
        kernel_for("another name", never)


@pytest.mark.parametrize("harm", ["cut", "flip", "empty", "noise"])
def test_a_broken_entry_is_made_again(folder, harm):
    arrays = samples("elementary", 9)
    wanted = bits(ap.build(tape("elementary"))(*arrays))
    entries = list(folder.iterdir())
    assert entries
    for path in entries:
        data = bytearray(path.read_bytes())
        if harm == "flip":
            data[len(data) // 2] ^= 0x40
        path.write_bytes(
            {"cut": data[: len(data) // 2], "empty": b"", "noise": b"\x00\xff" * 100}.get(harm, bytes(data))
        )
    assert bits(ap.build(tape("elementary"))(*arrays)) == wanted
    for path in folder.iterdir():
        assert cache.read(path.name) is not None


def test_it_can_be_turned_off(monkeypatch, folder):
    monkeypatch.setenv("ANTHROPI_CACHE", "off")
    ap.build(tape("arithmetic"))(*samples("arithmetic", 3))
    assert not folder.exists()


def test_a_folder_that_cannot_be_written_is_no_error(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("ANTHROPI_CACHE", str(tmp_path / "file" / "cache"))
    ap.build(tape("arithmetic"))(*samples("arithmetic", 3))


def test_old_entries_go_when_the_folder_is_full(monkeypatch, folder):
    monkeypatch.setattr(cache, "_MAX_BYTES", 4000)
    monkeypatch.setattr(cache, "_WRITES_PER_TRIM", 1)
    folder.mkdir()
    (folder / "thesis.txt").write_bytes(bytes(9000))  # not ours: never counted, never removed
    names = [f"{k:064d}.code" for k in range(10)]
    for k, name in enumerate(names):
        cache.write(name, {}, bytes(1000))
        os.utime(folder / name, (k, k)) if (folder / name).exists() else None
        cache.read(names[0])  # used again and again, so it stays
    ours = [p for p in folder.iterdir() if p.suffix == ".code"]
    assert sum(p.stat().st_size for p in ours) <= 4000
    assert {names[0], names[9]} <= {p.name for p in ours}
    assert (folder / "thesis.txt").exists()


def test_derivative_rules_survive_a_warm_start():
    @derivative_rule(lambda i, o, t: 1000.0 * t[0], lambda i, o, c: (1000.0 * c,))
    def special(x):
        return x * x

    slopes = [
        ap.build(kernel_for("special", lambda: ap.record(lambda x: special(x) + 1.0, x=np.zeros(()))).tape.jvp())(
            2.0, 1.0
        )[1]
        for _ in range(2)
    ]
    assert slopes == [1000.0, 1000.0]


def test_without_a_home_there_is_no_cache(monkeypatch):
    monkeypatch.delenv("ANTHROPI_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)

    def nobody(self):
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", nobody)
    assert cache.folder() is None
    assert cache.read("x.code") is None


WORK = """
import sys
sys.path.insert(0, "tests")
from kernels.tapes import bits, samples, tape
import anthropi as ap, hashlib
for name in ("arithmetic", "elementary", "fixed_loop"):
    print(hashlib.sha256(bits(ap.build(tape(name))(*samples(name, 20)))).hexdigest())
"""


@pytest.mark.slow
def test_processes_that_start_together_do_not_disturb_each_other():
    start = [
        subprocess.Popen([sys.executable, "-c", WORK], stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)
    ]
    results = [p.communicate() for p in start]
    assert all(p.returncode == 0 for p in start), results
    assert len({out for out, _ in results}) == 1


def test_parts_of_files_are_never_left(folder):
    np.testing.assert_equal(ap.build(tape("arithmetic"))(*samples("arithmetic", 1))[0].shape, (1, 3))
    assert not [p for p in folder.iterdir() if p.name.startswith(".part")]


@pytest.mark.parametrize("what", ["folder", "entry"])
def test_what_other_users_can_write_to_is_not_used(posix, folder, monkeypatch, what):
    """Machine code that others may have written does not run; a warning says so once, and the kernel is built."""
    name = f"{1:064d}.code"
    cache.write(name, {"scratch": 0}, b"code")
    assert cache.read(name) == ({"scratch": 0}, b"code")
    path = folder if what == "folder" else folder / name
    shown = "it" if what == "folder" else f"its file {name}"
    path.chmod(0o777)
    monkeypatch.setattr(cache, "_refused", set())
    with pytest.warns(CacheWarning, match=rf"not used: other users can write to {shown} \(mode 777\).*chmod -R go-w"):
        assert cache.read(name) is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cache.read(name) is None
        cache.write(f"{2:064d}.code", {}, b"")
    assert (folder / f"{2:064d}.code").exists() == (what == "entry")
    path.chmod(0o700)
    assert cache.read(name) is not None


def test_a_folder_of_another_user_is_not_used(posix, folder, monkeypatch):
    monkeypatch.setattr(cache, "_refused", set())
    folder.mkdir()
    foreign = SimpleNamespace(st_uid=os.getuid() + 1, st_mode=0o40700)
    with pytest.warns(CacheWarning, match=f"{folder} is not used: it belongs to another user"):
        assert not cache._trusted(folder, foreign)
    assert cache._trusted(folder, SimpleNamespace(st_uid=0, st_mode=0o40755))  # as in an image that root has built


def test_parts_that_a_killed_process_left_are_removed(folder, monkeypatch):
    monkeypatch.setattr(cache, "_WRITES_PER_TRIM", 1)
    folder.mkdir()
    old, young = folder / ".part-old", folder / ".part-young"
    for path in (old, young):
        path.write_bytes(b"x")
    os.utime(old, (0.0, 0.0))
    cache.write(f"{1:064d}.code", {}, b"")
    assert young.exists() and not old.exists()
