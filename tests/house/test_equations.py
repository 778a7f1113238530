"""Every equation, section and erratum that source code and pages cite is listed in docs/equations/."""

import ast
import io
import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = {page.stem: page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "equations").glob("*.md")}
SOURCE = ROOT / "src" / "anthropi"


def prose(file: Path) -> str:
    """Docstrings and comments of a module; all of a page."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".md":
        return text
    nodes = (ast.Module, ast.ClassDef, ast.FunctionDef)
    words = [ast.get_docstring(node) or "" for node in ast.walk(ast.parse(text)) if isinstance(node, nodes)]
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return "\n".join(words + [token.string for token in tokens if token.type == tokenize.COMMENT])


TEXTS = {
    file.relative_to(ROOT).as_posix(): prose(file)
    for file in [*SOURCE.rglob("*.py"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    if file.parent.name != "equations"
}


def listed(label: str, page: str) -> bool:
    """Whether a page has a label, alone or within a range such as K(50)–(52) or (13)–(16)."""
    text = PAGES[page]
    if re.search(rf"(?<![\w.]){re.escape(label)}(?!\w|\.\d|-\w)", text):
        return True
    number = re.fullmatch(r"K[.(](\d+)\)?", label)
    ranges = re.findall(r"K\((\d+)\)[–-]\((\d+)\)", text)
    return bool(number) and (any(int(a) <= int(number[1]) <= int(b) for a, b in ranges) or f"K.{number[1]}" in text)


def missing(pattern: str, page: str, label: str = "{}") -> list[str]:
    cited = {(label.format(found), file) for file, text in TEXTS.items() for found in re.findall(pattern, text)}
    return sorted(
        f"{file}: {name} is not in docs/equations/{page}.md" for name, file in cited if not listed(name, page)
    )


def test_equations_of_rotations_are_listed():
    wrong = missing(r"(?<![\w.])K\.\d+\w*", "rotations") + missing(r"(?<![\w.])K\(\d+\)", "rotations")
    wrong += missing(r"(?<![\w.])C\.(?![A-Z]{2,}\b)[A-Za-z][\w/]+(?:-\w+)?", "rotations")  # C.T, C.FAR are attributes
    assert not wrong, "\n".join(wrong)


def test_numbers_of_the_thesis_are_listed():
    wrong = missing(r"[Tt]hesis(?:')? (?:part |section )?\(?(\d+\.\d+)", "thesis")
    assert not wrong, "\n".join(wrong)


def test_sections_of_pages_are_listed():
    wrong = []
    for page in sorted(set(PAGES) - {"dynamics"}):  # its numbers are the thesis'
        wrong += missing(rf"\b{page}(?:\.md)?,? (?:section |part )?(\d+(?:\.\d+)*)(?![\w%])", page)
    assert not wrong, "\n".join(wrong)


def test_errata_are_listed():
    cited = {(n, file) for file, text in TEXTS.items() for n in re.findall(r"[Ee]rratum (E?\d+)", text)}
    wrong = [
        f"{file}: erratum {n}"
        for n, file in cited
        if not any(re.search(rf"^\| {n} \|", p, re.M) for p in PAGES.values())
    ]
    assert not wrong, "\n".join(wrong)


def test_cited_pages_and_files_exist():
    pages = {(name, file) for file, text in TEXTS.items() for name in re.findall(r"docs/equations/(\w+)\.md", text)}
    wrong = [f"{file}: docs/equations/{name}.md" for name, file in pages if name not in PAGES]
    pages_with_paths = {f"equations/{name}": text for name, text in PAGES.items()}
    for page, text in (pages_with_paths | {"tree": TEXTS["docs/tree.md"]}).items():
        for path in re.findall(r"`(?:src/anthropi/)?([a-z_]+/[\w/]*(?:\.py)?)`", text):
            if not (SOURCE / path).exists() and not (ROOT / path).exists():
                wrong.append(f"docs/{page}.md names {path}")
    assert not wrong, "\n".join(wrong)


def test_no_source_outside_the_repository_is_cited():
    wrong = [file for file, text in TEXTS.items() if re.search(r"\bspec/\w", text)]
    assert not wrong, f"cite docs/equations/ instead of spec/: {', '.join(wrong)}"
