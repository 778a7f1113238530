"""The option --cases, which `make quick` uses."""

import pytest

from conftest import _spread


class Item:
    def __init__(self, nodeid):
        self.nodeid = nodeid


@pytest.mark.parametrize(
    ("most", "kept"),
    [(1, ["0"]), (2, ["0", "6"]), (3, ["0", "3", "6"]), (9, list("0123456"))],
)
def test_cases_are_spread_and_every_test_keeps_some(most, kept):
    items = [Item(f"test_a.py::test_many[{k}]") for k in range(7)] + [Item("test_a.py::test_one")]
    names = sorted(item.nodeid for item in _spread(items, most))
    assert names == [*(f"test_a.py::test_many[{k}]" for k in kept), "test_a.py::test_one"]
