"""Every number in `ids.py` has a test that carries it; the lists are complete; the docs have them all."""

import re
from pathlib import Path

import pytest

from numbered import numbers_in_names
from unit.dynamics.ids import EQUATIONS, ERRATA, IDS, OURS, ROTATIONS, SECTIONS, SPECIFICATION, TABLES
from unit.dynamics.test_section_13 import TESTS

HERE = Path(__file__).parent
FOUND = numbers_in_names(HERE.glob("test_thesis_*.py"), r"T?\d+(_\d+)+|E\d+")


@pytest.mark.parametrize("number", IDS)
def test_every_number_has_a_test(number):
    assert number in FOUND


def test_no_test_carries_an_unknown_number():
    assert set(IDS) >= FOUND
    assert set(TESTS) == set(ROTATIONS)


def test_every_number_is_in_the_documentation(root):
    words = (root / "docs" / "equations" / "dynamics.md").read_text(encoding="utf-8").replace("Table ", "T")
    ranges = whole(re.findall(r"(?<![\w.])(\d+\.\d+)–(\d+\.\d+)(?![\w.])", words))
    wanted = [n for n in IDS if n not in {*OURS, *ranges}] + ROTATIONS
    missing = [n for n in wanted if not re.search(rf"(?<![\w.]){re.escape(n)}(?!\w|\.\d)", words)]
    assert not missing, f"docs/equations/dynamics.md lacks {', '.join(missing)}"


def test_the_documentation_points_at_equations_that_are_there(root):
    words = (root / "docs" / "equations" / "dynamics.md").read_text(encoding="utf-8")
    places = re.findall(r"`(\w+\.py)` \((\w+)\)", words)
    assert len(places) > 15
    for file, number in places:
        code = (root / "src" / "anthropi" / "algorithms" / file).read_text(encoding="utf-8")
        assert code.count(f"({number})") >= 1, f"docs/equations/dynamics.md names {file} ({number}), which is not there"


def whole(ranges) -> set[str]:
    """{"6.1-6.3"} → {"6.1", "6.2", "6.3"}."""
    found = set()
    for first, last in ranges:
        chapter, start = first.split(".")
        found |= {f"{chapter}.{k}" for k in range(int(start), int(last.split(".")[-1] if last else start) + 1)}
    return found


def test_the_list_of_the_thesis_is_complete(specification):
    text = specification("thesis.md")
    parts = [text[text.index(a) : text.index(b)] for a, b in
             (("## 3. ", "## 5. "), ("## 10. ", "11.3 **"))]  # 3, 4; 10, 11.1, 11.2  # fmt: skip
    text = "\n".join(parts)
    assert set(re.findall(r"^(\d+\.\d+) ", text, re.MULTILINE)) | {"11.2"} == set(SPECIFICATION)
    assert set(re.findall(r"\[(E\d+)", text)) | {"E14", "E15", "E19"} == set(
        ERRATA
    )  # three that errata give to 5.5.4, 9.5
    quoted = [group for group in re.findall(r"\(([^()]*)\)", text) if re.match(r"(Table )?\d+\.\d", group)]
    words = ", ".join(quoted).replace("with ", "").replace("Table ", "T")
    sections = set(re.findall(r"(?<![\w.])\d+\.\d+\.\d+", words))
    assert sections <= set(SECTIONS)
    assert set(re.findall(r"T\d+\.\d+", words)) == set(TABLES)
    singles = re.findall(r"(?<![\w.])(\d+\.\d+)(?:-(\d+\.\d+))?(?![\w.])", words)
    known = {*EQUATIONS, *SECTIONS, "5.5", "10.1"}  # 5.5 is the part's own section, 10.1 the thesis' of 10.2
    assert whole(singles) <= known, whole(singles) - known
    assert set(EQUATIONS) <= whole(singles) | {"9.10", "9.11"}


def test_the_list_of_the_sheet_is_complete(specification):
    text = specification("rotations.md")
    text = text[text.index("## 13. Dynamics") : text.index("## 14. ")]
    quoted = [word for quote in re.findall(r"`([^`]*)`", text) for word in quote.split()]
    assert {word for word in quoted if word.startswith("C.")} == set(ROTATIONS)
