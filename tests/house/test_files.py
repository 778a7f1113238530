"""Files stay small, examples stay short and run, the documentation's links and tables are right."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
EXAMPLES = sorted((ROOT / "examples").glob("[!_]*.py"))


def lines(file: Path) -> int:
    return len(file.read_text(encoding="utf-8").splitlines())


def test_no_source_file_is_long():
    long = [f"{f.relative_to(ROOT)} ({lines(f)})" for f in SOURCES if lines(f) > 400]
    assert not long, f"over 400 lines, each a room with too much in it: {', '.join(long)}"


def test_most_source_files_are_short():
    over = [f"{f.relative_to(ROOT)} ({lines(f)})" for f in SOURCES if lines(f) > 300]
    assert len(over) <= len(SOURCES) / 4, f"more than a quarter of the files exceed 300 lines: {', '.join(over)}"


def test_examples_are_short_and_check_themselves():
    wrong = []
    for file in EXAMPLES:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        if lines(file) > 60:
            wrong.append(f"{file.name}: {lines(file)} lines; an example fits on one screen: at most 60 lines")
        if not ast.get_docstring(tree):
            wrong.append(f"{file.name}: no docstring that says what it shows")
        if not any(isinstance(node, ast.FunctionDef) and node.name == "check" for node in tree.body):
            wrong.append(f"{file.name}: no function check()")
    assert EXAMPLES and not wrong, "\n".join(wrong)


WITHOUT_MOTION = {
    "assembly", "gait_plan", "half_turn", "human_figure", "learn_to_walk", "limit_springs", "navigation", "study",
    "tumbling_body",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("file", EXAMPLES, ids=lambda f: f.name)
def test_example_runs_and_its_motions_hold(file, tmp_path):
    """`Motion.verify` holds for every motion that an example makes (docs/trust.md)."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "MPLBACKEND": "Agg"}
    command = [sys.executable, ROOT / "tests" / "house" / "verified_example.py", file]
    run = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    found = json.loads(run.stdout.splitlines()[-1])
    assert (found["motions"] == 0) == (file.stem in WITHOUT_MOTION), f"{found['motions']} motions"
    assert not found["failed"], "\n".join(found["failed"])


def test_documentation_links_and_tables_are_up_to_date():
    command = [sys.executable, ROOT / "docs" / "build.py", "--check"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_decision_page_is_in_the_index():
    index = (ROOT / "docs" / "decisions" / "README.md").read_text(encoding="utf-8")
    pages = [page.name for page in (ROOT / "docs" / "decisions").glob("[0-9]*.md")]
    missing = [name for name in pages if f"({name})" not in index]
    assert pages and not missing, f"docs/decisions/README.md lacks {', '.join(missing)}: run `make docs`"
