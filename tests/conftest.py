"""Settings all tests share: hypothesis profiles, the folder of shared data."""

import os
import shutil
from collections import defaultdict
from pathlib import Path
from typing import NoReturn

import pytest

from seed_blocks import seed_blocks

ROOT = Path(__file__).resolve().parents[1]
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ci")
COMPILED = ("kernels", "golden")  # folders of tests of compiled code; it has the same bits as the interpreter
os.environ.setdefault("ANTHROPI_TIERS", "lazy")  # most kernels of tests are called too seldom to be worth compiling

try:
    from hypothesis import HealthCheck, settings
except ImportError:  # the GPU machine may not have it; its tests do without (make gpu)
    settings = None

if settings is not None:
    common = dict(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
    settings.register_profile("ci", max_examples=60, derandomize=True, **common)  # the same samples on every machine
    settings.register_profile("quick", max_examples=10, derandomize=True, **common)  # `make quick`
    settings.register_profile("dev", max_examples=200, **common)  # new samples on every run
    settings.register_profile("soak", max_examples=2000, **common)
    settings.load_profile(PROFILE)


def pytest_addoption(parser):
    """Add --cases, for `make quick`, and --samples, for soaks."""
    words = "run at most this many cases of each parametrised test, spread over the list"
    parser.addoption("--cases", type=int, default=0, help=words)
    words = "number of random samples of each test with the marker 'seeds'; by default the number in its marker"
    parser.addoption("--samples", type=int, default=0, help=words)


@pytest.fixture(autouse=True)
def _compiled_code(request, monkeypatch):
    """Compile all kernels in tests of compiled code: those in `COMPILED`, and those with the marker 'compiled'."""
    folder = request.path.relative_to(ROOT / "tests").parts[0]
    if folder in COMPILED or request.node.get_closest_marker("compiled"):
        monkeypatch.setenv("ANTHROPI_TIERS", "0")


def pytest_generate_tests(metafunc):
    """Split the random samples of a test into blocks, each of which is a test case that any worker can run."""
    marker = metafunc.definition.get_closest_marker("seeds")
    if marker is not None:
        blocks = seed_blocks(
            **marker.kwargs | {"count": metafunc.config.getoption("--samples") or marker.kwargs["count"]}
        )
        metafunc.parametrize("seeds", blocks, ids=[f"{block[0]}-{block[-1]}" for block in blocks])


@pytest.hookimpl(hookwrapper=True)
def pytest_collection_modifyitems(config, items):
    """Mark the property tests for a soak; after -m and -k have chosen, leave out cases beyond --cases."""
    _mark_for_soak(items)
    yield
    most = config.getoption("--cases")
    if most > 0:
        kept = _spread(items, most)
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = [item for item in items if item in kept]


def _spread(items, most: int) -> set:
    """The cases of each test to keep: first, last and evenly between."""
    tests = defaultdict(list)
    for item in items:
        tests[item.nodeid.partition("[")[0]].append(item)
    kept = set()
    for cases in tests.values():
        last, parts = len(cases) - 1, max(most - 1, 1)
        kept |= {cases[round(k * last / parts)] for k in range(most)}
    return kept


def _mark_for_soak(items):
    """In a soak every property test counts as one: `make soak` then runs them all, with 2000 examples each."""
    if PROFILE == "soak":
        for item in items:
            if getattr(getattr(item, "obj", None), "is_hypothesis_test", False) and not item.get_closest_marker("gpu"):
                item.add_marker(pytest.mark.soak)


@pytest.fixture(scope="session")
def root() -> Path:
    """Give the folder of the checkout."""
    return ROOT


def lacking(what: str) -> NoReturn:
    """Leave a test out where a machine lacks what the project cannot install; `.ci/run` has everything, there it fails.

    Reference data and specifications lie beside the checkout and may not be copied into it; `make test` is Python only.
    """
    if os.environ.get("ANTHROPI_COMPLETE"):
        pytest.fail(f"needs {what}, and ANTHROPI_COMPLETE says that nothing may be left out")
    pytest.skip(f"needs {what}")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Give the folder of reference data, which lies beside the checkout and is no part of it."""
    for place in (ROOT.parent / "shared" / "data", ROOT / "shared" / "data"):
        if place.is_dir():
            return place
    lacking("the shared reference data: no folder ../shared/data or shared/data")


@pytest.fixture(scope="session")
def specification(shared):
    """Give the text of a specification by its name ("thesis.md"); they lie beside the data, so none may be missing."""
    return lambda name: (shared.parent / "spec" / name).read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def node() -> str:
    """Give the Node.js that runs the scripts of pages."""
    return shutil.which("node") or lacking("Node.js, to run the scripts of a page (Debian's package nodejs)")


@pytest.fixture(scope="session")
def posix() -> None:
    """Ask for signals, limits and forks as POSIX has them."""
    if os.name != "posix":
        lacking("a POSIX system: signals, resource limits, fork")
