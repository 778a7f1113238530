"""Every number in `ids.py` has a test that carries it and a line in docs/virtual_leg.md; the list is complete."""

import re
from pathlib import Path

import pytest

from numbered import numbers_in_names
from unit.contact.virtual_leg.ids import EQUATIONS, ERRATA, IDS, SECTIONS, SPECIFICATION

HERE = Path(__file__).parent
FOUND = numbers_in_names((f for f in HERE.glob("test_*.py") if f.name != "test_ids.py"), r"\d+(_\d+)+|E\d+")


@pytest.mark.parametrize("number", IDS)
def test_every_number_has_a_test(number):
    assert number in FOUND


def test_no_test_carries_an_unknown_number():
    assert set(IDS) >= FOUND


def test_every_number_is_in_the_documentation(root):
    words = (root / "docs" / "virtual_leg.md").read_text(encoding="utf-8")
    missing = [n for n in IDS if not re.search(rf"(?<![\w.]){re.escape(n)}(?!\w|\.\d)", words)]
    assert not missing, f"docs/virtual_leg.md lacks {', '.join(missing)}"


def test_the_list_is_complete(specification):
    text = specification("thesis.md")
    part = (
        text[text.index("## 6. ") : text.index("## 7. ")] + text[text.index("9.7 **Virtual-leg") : text.index("9.8 **")]
    )
    assert set(re.findall(r"^(\d+\.\d+) ", part, re.MULTILINE)) == set(SPECIFICATION)
    assert set(re.findall(r"\[(E\d+)\]", part)) | {"E20"} == set(ERRATA)  # E20 is of 7.2.1
    assert set(re.findall(r"\((7\.\d)\)", part)) == set(EQUATIONS)
    assert set(re.findall(r"\((\d+\.\d+\.\d+)\)", part)) == set(SECTIONS)
