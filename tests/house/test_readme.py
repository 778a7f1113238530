"""What README.md and the pages in docs/ show works: their Python runs and prints what they say, make targets exist."""

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "docs" / "equations" / "dynamics.md"]


def blocks(page, language):
    """Give (line number, text) of every fenced block of a language."""
    words = page.read_text(encoding="utf-8")
    for match in re.finditer(rf"^```{language}\n(.*?)^```", words, re.DOTALL | re.MULTILINE):
        yield words.count("\n", 0, match.start(1)) + 1, match.group(1)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_python_blocks_run_and_print_what_they_say(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # what a block writes stays out of the checkout
    namespace = {"__name__": "page"}  # one for all: a reader goes from top to bottom
    for line, text in blocks(page, "python"):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * (line - 1) + text, page.name, "exec"), namespace)
        promised = re.findall(r"# prints (.*)$", text, re.MULTILINE)
        assert printed.getvalue().splitlines() == promised, f"{page.name}:{line}"


def test_the_readme_shows_code():
    assert list(blocks(ROOT / "README.md", "python")), "README.md has no ```python block"


def test_make_targets_exist():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {name for _, text in blocks(ROOT / "README.md", "sh") for name in re.findall(r"\bmake ([a-z]+)", text)}
    assert {"walk", "test"} <= named, "README.md must show `make walk` and `make test`"
    assert named <= targets, f"README.md names make targets that do not exist: {', '.join(sorted(named - targets))}"
