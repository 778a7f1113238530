"""Who may import whom: the section "Folders and import direction" of the design, read from the syntax trees.

An import counts wherever it stands: at the top, inside a function, behind TYPE_CHECKING, or as a literal
`import_module("...")`.
"""

import ast
import sys
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "anthropi"
FILES = sorted(SOURCE.rglob("*.py"))

ORDER = [  # from the floor up; a layer may import the rows above its own, never its neighbours in the row
    ["errors", "peer_names"],
    ["tape"],
    ["algebra"],
    ["figure"],
    ["algorithms"],
    ["constraints", "contact"],
    ["entry"],  # the public functions: compiled on first use; those of loops need constraints
    ["motion"],
    ["simulation"],
    ["study", "pictures"],
    ["formats"],  # pages hold pictures
    ["gait"],
    ["interop"],
    ["studio"],
    ["cli"],
]
ALLOWED: dict[str, set[str]] = {}
for row in ORDER:
    for layer in row:
        ALLOWED[layer] = {layer, *(name for below in ORDER[: ORDER.index(row)] for name in below)}
        if ORDER.index(row) >= ORDER.index(["constraints", "contact"]):
            ALLOWED[layer].add("compiler")
        if ORDER.index(row) >= ORDER.index(["figure"]):
            ALLOWED[layer].add("upward")
ALLOWED["compiler"] = {"compiler", "tape", "errors"}
FRONT = {"__init__", "upward"}  # lazy: they may name any layer, but only inside a function

PURE = {"errors", "tape", "compiler", "algebra", "figure", "algorithms"}  # NumPy, and llvmlite in its one file
OWNERS = {  # third-party package: the only place that may import it
    "llvmlite": {"compiler/targets/llvm.py"},
    "cuda": {"compiler/targets/cuda.py", "compiler/targets/ptx.py"},
    "wasmtime": {"compiler/targets/wasm.py"},
    "pydantic": {"formats/"},
    "defusedxml": {"formats/"},
    "matplotlib": {"pictures/", "cli/"},
    "typer": {"cli/"},
    "rich": {"cli/"},
}
ONE_FILE = {"llvmlite", "cuda", "wasmtime"}


def name_of(file: Path) -> str:
    return file.relative_to(SOURCE).as_posix()


def layer_of(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports(tree: ast.AST, package: tuple[str, ...]):
    """List the modules a tree imports, as dotted absolute names, each with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            if base == "anthropi":  # from anthropi import tape: the name says which layer
                yield from ((f"anthropi.{alias.name}", node.lineno) for alias in node.names)
            else:
                yield base, node.lineno
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            text, function = node.args[0].value, node.func
            called = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            if called in {"import_module", "__import__"} and isinstance(text, str):
                yield text, node.lineno
            elif called in {"CDLL", "WinDLL", "LoadLibrary", "find_library"} and "cuda" in str(text).lower():
                yield "cuda", node.lineno  # the driver opened by hand touches CUDA too


@cache
def parse(file: Path):
    parts = ("anthropi", *file.relative_to(SOURCE).parts[:-1])
    return list(imports(ast.parse(file.read_text(encoding="utf-8"), str(file)), parts))


@pytest.mark.slow
def test_layers_import_downwards_only():
    wrong = []
    for file in FILES:
        layer = layer_of(file)
        if layer in FRONT:
            continue  # the next test
        if layer not in ALLOWED:
            wrong.append(f"{name_of(file)}: the design knows no layer '{layer}'. Layers: {', '.join(ALLOWED)}")
            continue
        for module, line in parse(file):
            head, _, rest = module.partition(".")
            if head == "anthropi" and rest != "__version__" and rest.split(".")[0] not in ALLOWED[layer]:
                wrong.append(
                    f"{name_of(file)}:{line}: '{layer}' must not import '{module}'. "
                    f"It may import: {', '.join(sorted(ALLOWED[layer]))}"
                )
    assert not wrong, "\n".join(wrong)


def test_the_fronts_load_layers_only_inside_functions():
    wrong = []
    for file in (f for f in FILES if layer_of(f) in FRONT):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        eager = [statement for statement in tree.body if not isinstance(statement, ast.FunctionDef | ast.ClassDef)]
        for module, line in imports(ast.Module(eager, []), ("anthropi",)):
            if module == "anthropi.compiler":
                continue  # loaded first so that the function ap.compile keeps its name from the folder (decision 0011)
            if module.partition(".")[0] == "anthropi":
                wrong.append(f"{name_of(file)}:{line}: import '{module}' inside a function")
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
def test_third_party_packages_stay_in_their_place():
    wrong = []
    for file in FILES:
        for module, line in parse(file):
            head = module.partition(".")[0]
            if head in OWNERS:
                places = sorted(OWNERS[head])
                if not name_of(file).startswith(tuple(places)):
                    wrong.append(f"{name_of(file)}:{line}: only {' or '.join(places)} imports {head}")
            elif layer_of(file) in PURE and head not in {"anthropi", "numpy", *sys.stdlib_module_names}:
                wrong.append(
                    f"{name_of(file)}:{line}: '{layer_of(file)}' imports NumPy and the standard library, not {head}"
                )
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("package", sorted(ONE_FILE))
def test_one_file_owns_each_machine(package):
    owners = [name_of(f) for f in FILES if any(m.partition(".")[0] == package for m, _ in parse(f))]
    assert len(owners) <= 1, f"{package} is imported by {', '.join(owners)}; one of them should import the other"


def test_the_reader_of_imports_sees_every_form():
    code = """
import anthropi.tape as t
from anthropi import compiler
from ..errors import AnthropiError
from . import sweeps
def f():
    from anthropi.figure.joints import Ball
    import_module('llvmlite')
    CDLL('libcuda.so.1')
"""
    seen = [module for module, _ in imports(ast.parse(code), ("anthropi", "tape"))]
    assert sorted(seen) == [
        "anthropi.compiler",
        "anthropi.errors",
        "anthropi.figure.joints",
        "anthropi.tape",
        "anthropi.tape",
        "cuda",
        "llvmlite",
    ]


def test_only_studies_start_processes_to_compute_in():
    """Benchmarks, research and the library run many simulations as a study, which keeps what is done."""
    wrong = []
    for folder in ("src/anthropi", "benchmarks", "research", "examples"):
        for file in sorted((SOURCE.parents[1] / folder).rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            pools = any(
                word in text for word in ("ProcessPoolExecutor", "import multiprocessing", "from multiprocessing")
            )
            if pools and "src/anthropi/study/" not in file.as_posix():
                wrong.append(f"{file.name}: use anthropi.study.Study instead of a pool of processes")
    assert not wrong, "\n".join(wrong)
