"""Every number of the two specifications has its test, and the typed lists are complete."""

import ast
import re
from pathlib import Path

import pytest

from unit.kinematics.ids import COMPOUND, EQUATIONS, ERRATA, JOINT_MOTION, ROTATIONS, WORDS_ONLY
from unit.kinematics.test_floating_base import TESTS

HERE = Path(__file__).parent


def words_in_names() -> set[str]:
    tree = ast.parse((HERE / "test_joint_motion.py").read_text(encoding="utf-8"))
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return {word for name in names for word in name.removeprefix("test_").split("__")[:-1]}


@pytest.mark.parametrize("number", JOINT_MOTION)
def test_every_number_has_a_test(number):
    assert number in words_in_names()


def test_no_test_carries_an_unknown_number():
    assert words_in_names() == set(JOINT_MOTION)
    assert set(TESTS) == set(ROTATIONS)


def specification(shared: Path, name: str) -> str:
    file = shared.parent / "spec" / name
    return file.read_text(encoding="utf-8") if file.is_file() else pytest.skip(f"needs shared/spec/{name}")


def test_the_list_of_joint_motion_is_complete(shared):
    text = specification(shared, "joint_motion.md")
    body, errata = text[: text.index("## 7.")], text[text.index("## 9.") :]
    printed = set(re.findall(r"\((\d+[a-c]?)\) `", body)) | set(re.findall(r"^- \((\d+[a-c]?)\)", body, re.MULTILINE))
    assert printed <= set(EQUATIONS) and len(printed) >= 20, printed ^ set(EQUATIONS)
    assert set(re.findall(r"^\| (E\d+)", errata, re.MULTILINE)) == {*ERRATA, *WORDS_ONLY}
    assert COMPOUND


def test_the_list_of_rotations_is_complete(shared):
    text = specification(shared, "rotations.md")
    text = text[text.index("## 11. Floating base") : text.index("## 13. Dynamics")]
    quoted = [word for quote in re.findall(r"`([^`]*)`", text) for word in quote.split()]
    assert {word for word in quoted if word.startswith("C.")} == set(ROTATIONS)
