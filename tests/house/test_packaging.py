"""Packaging data: extras are used, named licences and notices exist, the citation names the version."""

import ast
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import anthropi
import wheel
from source_imports import modules

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
FOR_DEVELOPERS = {"dev", "peers", "docs"}  # tools, oracles and peers that the package itself never imports
MODULES = {"cuda-bindings": "cuda", "websockets": "uvicorn"}  # imported under another name; websockets by uvicorn


def packages(extra: str) -> set[str]:
    """Names of the distributions of an extra."""
    return {re.match(r"[\w.-]+", line)[0] for line in EXTRAS[extra] if not line.startswith("anthropi[")}


def imported() -> set[str]:
    """Top-level names of all modules that the package imports, also by a literal `import_module`."""
    found = set()
    for node in (node for module in modules() for node in module.nodes):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "import_module":
            found |= {str(a.value).partition(".")[0] for a in node.args if isinstance(a, ast.Constant)}
    return found


@pytest.mark.slow
def test_every_package_of_an_extra_is_imported():
    known = imported()
    unused = [
        f"{name} (extra {extra})"
        for extra in EXTRAS
        if extra not in FOR_DEVELOPERS
        for name in sorted(packages(extra))
        if MODULES.get(name, name.replace("-", "_")) not in known
    ]
    assert not unused, f"pyproject.toml lists packages that src imports nowhere: {', '.join(unused)}"


def test_every_dependency_has_a_lower_and_an_upper_bound():
    """A release that has not been tried is not installed."""
    lines = [*PROJECT["dependencies"], *(line for extra in EXTRAS.values() for line in extra)]
    free = [x for x in lines if not x.startswith("anthropi[") and not re.search(r">=[\d.]+,<[\d.]+|==\d[\d.]+$", x)]
    assert not free, f"pyproject.toml lists packages without bounds: {', '.join(free)}"


def test_errors_name_extras_that_exist():
    wrong, seen = [], 0
    for node in (node for module in modules() for node in module.nodes):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "MissingExtra":
            package, extra = node.args[0], node.args[1]
            assert isinstance(extra, ast.Constant)
            seen += 1
            if extra.value not in EXTRAS:
                wrong.append(f"no extra '{extra.value}'")
            elif isinstance(package, ast.Constant) and package.value not in packages(extra.value):
                wrong.append(f"extra '{extra.value}' does not install {package.value}")
    assert seen and not wrong, "; ".join(wrong)


def test_the_citation_names_this_version_and_licence():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    fields = dict(re.findall(r"^([a-z-]+): *(\S.*)$", text, re.MULTILINE))
    assert fields["version"] == anthropi.__version__, (
        "CITATION.cff and src/anthropi/__init__.py name different versions"
    )
    assert fields["license"] == PROJECT["license"]
    assert {"cff-version", "message", "title"} <= fields.keys() and "\nauthors:\n" in text  # required by the schema


def test_licence_files_exist():
    assert PROJECT["license-files"][0] == "LICENSE"
    missing = [name for name in PROJECT["license-files"] if not (ROOT / name).is_file()]
    assert not missing, f"pyproject.toml names licence files that do not exist: {', '.join(missing)}"


def test_the_security_page_names_files_that_exist():
    named = set(re.findall(r"`((?:studio|formats|tests)/[\w/.]+)`", (ROOT / "SECURITY.md").read_text(encoding="utf-8")))
    places = (ROOT, ROOT / "src" / "anthropi")
    missing = [name for name in sorted(named) if not any((place / name).exists() for place in places)]
    assert named and not missing, f"SECURITY.md names files that do not exist: {', '.join(missing)}"


def test_the_check_of_a_wheel_names_what_is_wrong():
    files = ["anthropi/__init__.py", "anthropi/gait/sets/natural.toml"]
    licences = ["a.dist-info/licenses/LICENSE", f"a.dist-info/licenses/src/anthropi/{wheel.NOTICES}"]
    assert wheel.problems([*files, *licences], files) == []
    assert wheel.problems([files[0], "anthropi/research/x.py", licences[0]], files) == [
        "lacks anthropi/gait/sets/natural.toml",
        "holds anthropi/research/x.py",
        f"lacks the licence file {wheel.NOTICES}",
    ]


def test_the_licence_names_its_owner(root):
    """The licence has no placeholders, and says whom the copyright belongs to."""
    text = (root / "LICENSE").read_text()
    assert "[yyyy]" not in text and "[name of copyright owner]" not in text
    assert "Copyright 2026 The AnthroPI maintainers" in text


def test_the_lock_has_every_direct_dependency_within_its_bounds():
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    known = dict(re.findall(r"^([\w.-]+)==(\S+) --hash=sha256:[0-9a-f]{64}$", lock, re.MULTILINE))
    names = {name.replace("_", "-"): version for name, version in known.items()}
    extras = ("dev", "gpu", "wasm", "assembly", "formats", "optimise", "plots", "studio", "study", "video")
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in EXTRAS[extra])]
    wrong = [
        line
        for line in (Requirement(line) for line in lines if not line.startswith("anthropi["))
        if not line.specifier.contains(names.get(line.name.lower().replace("_", "-"), "none"))
    ]
    assert len(known) > 90
    assert not wrong, f"requirements.lock lacks {', '.join(map(str, wrong))}. Run tools/lock.py."
