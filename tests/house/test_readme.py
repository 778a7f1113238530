"""What README.md shows works: its Python runs and prints what it says, its make targets exist."""

import contextlib
import io
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    """Give (line number, text) of every fenced block of a language."""
    for match in re.finditer(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE):
        yield README.count("\n", 0, match.start(1)) + 1, match.group(1)


def test_python_blocks_run_and_print_what_they_say(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # what a block writes stays out of the checkout
    namespace = {"__name__": "readme"}  # one for all: a reader goes from top to bottom
    found = list(blocks("python"))
    assert found, "README.md has no ```python block"
    for line, text in found:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * (line - 1) + text, "README.md", "exec"), namespace)
        promised = re.findall(r"# prints (.*)$", text, re.MULTILINE)
        assert printed.getvalue().splitlines() == promised, f"README.md:{line}"


def test_make_targets_exist():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {name for _, text in blocks("sh") for name in re.findall(r"\bmake ([a-z]+)", text)}
    assert {"walk", "test"} <= named, "README.md must show `make walk` and `make test`"
    assert named <= targets, f"README.md names make targets that do not exist: {', '.join(sorted(named - targets))}"
