"""Layers that record never call the NumPy forms that break on recording scalars (rules 1 and 4 of the design).

What can only ever see floats says so: a line by `# floats only`, a file by those words in its docstring.
"""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "anthropi"
LAYERS = ["algebra", "figure", "algorithms", "constraints", "contact"]
FILES = [f for layer in LAYERS for f in sorted((SOURCE / layer).rglob("*.py")) if f != SOURCE / "algebra" / "scalar.py"]

SCALAR = """sin cos tan arcsin arccos arctan arctan2 asin acos atan atan2 exp exp2 expm1 log log2 log10 log1p sqrt
    cbrt hypot abs absolute fabs sign copysign floor ceil rint round around trunc sinc sinh cosh tanh deg2rad rad2deg
    where select choose piecewise minimum maximum fmin fmax clip min max amin amax
    less less_equal greater greater_equal equal not_equal logical_and logical_or logical_not
    isclose allclose isnan isinf isfinite any all argmin argmax argsort sort nonzero heaviside interp""".split()
REASON = {name: "take it from anthropi.algebra.scalar" for name in SCALAR}
REASON["linalg"] = "small factorisations are in anthropi.algebra.linear"


def offences(tree):
    """List (line, name, reason) of every refused NumPy name in a tree, whatever NumPy is called there."""
    aliases = {"np", "numpy"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            aliases |= {alias.asname for alias in node.names if alias.name == "numpy" and alias.asname}
            names = [alias.name.removeprefix("numpy.") for alias in node.names if alias.name.startswith("numpy.")]
        elif isinstance(node, ast.ImportFrom) and node.module in {"numpy", "numpy.linalg"}:
            names = ["linalg"] if node.module == "numpy.linalg" else [alias.name for alias in node.names]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in aliases:
            names = [node.attr]
        else:
            continue
        yield from ((node.lineno, f"np.{name}", REASON[name]) for name in names if name in REASON)


def test_no_numpy_form_that_cannot_record():
    wrong = []
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        tree, lines = ast.parse(text, str(file)), text.splitlines()
        if "floats only" in (ast.get_docstring(tree) or "").lower():
            continue
        where = file.relative_to(SOURCE).as_posix()
        found = (x for x in offences(tree) if "# floats only" not in lines[x[0] - 1])
        wrong += [f"{where}:{line}: {name}: {reason}" for line, name, reason in found]
    assert FILES and not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "code",
    ["np.where(a, b, c)", "import numpy as xp\nxp.sin(a)", "from numpy import minimum", "np.linalg.inv(M)",
     "from numpy.linalg import solve", "import numpy.linalg"],
)  # fmt: skip
def test_refuses(code):
    assert list(offences(ast.parse(code)))


@pytest.mark.parametrize("code", ["np.stack([a, b])", "np.cross(a, b)", "scalar.where(a, b, c)", "a @ b", "np.pi"])
def test_lets_pass(code):
    assert not list(offences(ast.parse(code)))
