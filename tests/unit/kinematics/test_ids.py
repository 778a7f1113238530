"""Every number of the two specifications has its test, and the typed lists are complete."""

import re
from pathlib import Path

import pytest

from numbered import words_in_names
from unit.kinematics.ids import COMPOUND, EQUATIONS, ERRATA, JOINT_MOTION, ROTATIONS, WORDS_ONLY
from unit.kinematics.test_floating_base import TESTS

JOINT_TESTS = Path(__file__).parent / "test_joint_motion.py"


@pytest.mark.parametrize("number", JOINT_MOTION)
def test_every_number_has_a_test(number):
    assert number in words_in_names([JOINT_TESTS])


def test_no_test_carries_an_unknown_number():
    assert words_in_names([JOINT_TESTS]) == set(JOINT_MOTION)
    assert set(TESTS) == set(ROTATIONS)


def test_the_list_of_joint_motion_is_complete(specification):
    text = specification("joint_motion.md")
    body, errata = text[: text.index("## 7.")], text[text.index("## 9.") :]
    printed = set(re.findall(r"\((\d+[a-c]?)\) `", body)) | set(re.findall(r"^- \((\d+[a-c]?)\)", body, re.MULTILINE))
    assert printed <= set(EQUATIONS) and len(printed) >= 20, printed ^ set(EQUATIONS)
    assert set(re.findall(r"^\| (E\d+)", errata, re.MULTILINE)) == {*ERRATA, *WORDS_ONLY}
    assert COMPOUND


def test_the_list_of_rotations_is_complete(specification):
    text = specification("rotations.md")
    text = text[text.index("## 11. Floating base") : text.index("## 13. Dynamics")]
    quoted = [word for quote in re.findall(r"`([^`]*)`", text) for word in quote.split()]
    assert {word for word in quoted if word.startswith("C.")} == set(ROTATIONS)
