"""Every number in `ids.py` has a test that carries it in its name, and docs/spatial.md has it in its table."""

import re
from pathlib import Path

import pytest

from numbered import words_in_names
from unit.spatial.ids import IDS

HERE = Path(__file__).parent
NUMBER = re.compile(r"\d+(_\d+)+|\d[A-Z]|E\d+")


def numbers_in_names() -> set[str]:
    """List the numbers in the names of the tests of this folder."""
    words = words_in_names(HERE.glob("test_thesis_*.py"))
    return {word.replace("_", ".") for word in words if NUMBER.fullmatch(word)}


@pytest.mark.parametrize("number", IDS)
def test_every_number_has_a_test(number):
    assert number in numbers_in_names()


def test_every_number_is_in_the_documentation(root):
    words = (root / "docs" / "spatial.md").read_text(encoding="utf-8")
    missing = [n for n in IDS if not re.search(rf"(?<![\w.]){re.escape(n)}(?!\w|\.\d)", words)]
    assert not missing, f"docs/spatial.md lacks {', '.join(missing)}"


def test_no_test_carries_an_unknown_number():
    assert numbers_in_names() <= set(IDS)
