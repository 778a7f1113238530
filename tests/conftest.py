"""Settings all tests share: hypothesis profiles, the folder of shared data."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ci")

try:
    from hypothesis import HealthCheck, settings
except ImportError:  # the GPU machine may not have it; its tests do without (make gpu)
    settings = None

if settings is not None:
    common = dict(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
    settings.register_profile("ci", max_examples=60, derandomize=True, **common)  # the same samples on every machine
    settings.register_profile("dev", max_examples=200, **common)  # new samples on every run
    settings.register_profile("soak", max_examples=2000, **common)
    settings.load_profile(PROFILE)


def pytest_collection_modifyitems(items):
    """In a soak every property test counts as one: `make soak` then runs them all, with 2000 examples each."""
    if PROFILE == "soak":
        for item in items:
            if getattr(getattr(item, "obj", None), "is_hypothesis_test", False) and not item.get_closest_marker("gpu"):
                item.add_marker(pytest.mark.soak)


@pytest.fixture(scope="session")
def root() -> Path:
    """Give the folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Give the folder of reference data, which lies beside the checkout and is no part of it; skip where absent."""
    places = [ROOT.parent / "shared" / "data", ROOT / "shared" / "data"]
    for place in places:
        if place.is_dir():
            return place
    pytest.skip("needs the shared reference data: no folder ../shared/data or shared/data")
