"""Every number of spec/constraints.md sections 1 to 4, 6 and 8 has its test, and the typed lists are complete."""

import functools
import re
from pathlib import Path

import pytest

from numbered import words_in_names
from unit.constraints.primitive_ids import EQUATIONS, ERRATA, SECTION_4, WORDS_ONLY

HERE = Path(__file__).parent
FILES = ["cartesian", "relative", "newton", "errata"]


@functools.cache
def numbers_in_names() -> set[str]:
    """The words before the last "__" of the tests' names; "7p" stands for "7+"."""
    found = words_in_names(HERE / f"test_primitives_{file}.py" for file in FILES)
    return {re.sub(r"^(\d+)p$", r"\1+", word) for word in found}


@pytest.mark.parametrize("number", [*EQUATIONS, *ERRATA])
def test_every_number_has_a_test(number):
    assert number in numbers_in_names()


def test_no_test_carries_an_unknown_number():
    assert numbers_in_names() == {*EQUATIONS, *ERRATA}


def test_the_lists_are_complete(specification):
    text = specification("constraints.md")
    body, errata = text[: text.index("## 5.")], text[text.index("## 8.") : text.index("## 9.")]
    listed = re.findall(r"^- \((\d+[a-k]?(?:,\d+)*)\)", body, re.MULTILINE) + re.findall(r"   \((\d+[a-k])\) ", body)
    printed = {n for entry in listed for n in entry.split(",")}
    printed |= set(re.findall(r"\| (18[a-d])", body))
    for first, last in re.findall(r"\((?:19)([a-k])-([a-k])\)", body):
        printed |= {f"19{chr(x)}" for x in range(ord(first), ord(last) + 1)}
    assert printed <= set(EQUATIONS), printed - set(EQUATIONS)
    assert len(printed) >= 35, sorted(printed)
    assert set(re.findall(r"^\| (E\d+)", errata, re.MULTILINE)) == {*ERRATA, *WORDS_ONLY}
    assert {f"20{x}" for x in "abc"} <= set(SECTION_4) and "19+" in EQUATIONS and "v on body j **[+]**" in body
