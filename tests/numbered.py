"""Numbers of equations in the names of tests: test_6_1__6_3__what_they_say tests (6.1) and (6.3)."""

import ast
import re

__all__ = ["numbers_in_names", "words_in_names"]


def words_in_names(files) -> set[str]:
    """The words between double underscores in the names of the tests in these files, but the last, a sentence."""
    found: set[str] = set()
    for file in files:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found |= set(node.name.removeprefix("test_").split("__")[:-1])
    return found


def numbers_in_names(files, pattern: str) -> set[str]:
    """Those of these words that have the form of a number, with points: 6_1 is "6.1"."""
    return {word.replace("_", ".") for word in words_in_names(files) if re.fullmatch(pattern, word)}
