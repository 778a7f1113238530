"""Check the documentation and rebuild its tables: `make docs`, or `python docs/build.py --check` to change nothing.

Needs the standard library only. It
- follows every relative link and anchor in README.md, CONTRIBUTING.md, CHANGELOG.md and docs/;
- reads every decision page: numbered without gaps, with the sections Context, Choice and Given up;
- fills the tables between `<!-- table: NAME -->` and `<!-- end -->` from the files they list, so that a new page,
  benchmark or example is a new file and nothing else.
"""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SECTIONS = ["Context", "Choice", "Given up"]
TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.*?)\s*$", re.MULTILINE)


def main(check: bool) -> int:
    tables = {"decisions": decisions(), "pages": pages(), "formats": formats(), "limits": limits()}
    tables |= {folder: scripts(folder) for folder in ("examples", "benchmarks")}
    problems = [*numbering()]
    for page in markdown():
        text = page.read_text(encoding="utf-8")
        filled = TABLE.sub(lambda m, page=page: m[1] + render(tables[m[2]], page) + m[3], text)
        if filled != text and check:
            problems.append(f"{short(page)}: a table is out of date; run `make docs`")
        elif filled != text:
            page.write_text(filled, encoding="utf-8")
            print(f"rebuilt the tables of {short(page)}")
        problems += broken_links(page, filled)
    print("\n".join(problems) if problems else f"documentation is in order: {len(markdown())} pages")
    return 1 if problems else 0


def markdown() -> list[Path]:
    top = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    return [page for page in [*top, *sorted(DOCS.rglob("*.md"))] if page.exists()]


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# Tables: rows of (file, title, what it says) -----------------------------------------------------------------------


def decisions():
    found = sorted((DOCS / "decisions").glob("[0-9]*.md"))
    return [(page, title(page), first_sentence(page, "Choice")) for page in found]


def pages():
    return [(page, title(page), first_sentence(page)) for page in sorted(DOCS.glob("*.md")) if page.name != "index.md"]


def scripts(folder: str):
    found = sorted((ROOT / folder).glob("[!_]*.py"))
    words = [ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or "" for script in found]
    return [(s, f"`{s.name}`", w.partition("\n\n")[0].replace("\n", " ")) for s, w in zip(found, words, strict=True)]


def formats() -> str:
    """Write the table of file formats from the entries of the registry, a literal call each."""
    tree = ast.parse((ROOT / "src/anthropi/formats/registry.py").read_text(encoding="utf-8"))
    known: dict[str, object] = {}
    lines = [
        "| content | extensions | format | access | options of reading | options of writing |\n",
        "| --- " * 6 + "|\n",
    ]
    for node in tree.body:
        if isinstance(node, ast.Assign):
            known[node.targets[0].id] = value_of(node.value, known)
        elif isinstance(node, ast.AnnAssign) and node.target.id == "FORMATS":
            for call in node.value.elts:
                entry = {word.arg: value_of(word.value, known) for word in call.keywords}
                options = [", ".join(entry.get(f"{action}_options", ())) for action in ("read", "write")]
                actions = [action for action in ("read", "write") if entry.get(action)]
                endings = " ".join(f"`{e}`" for e in entry["extensions"]) or "a folder"
                title = entry["title"].replace("|", chr(92) + "|")
                cells = [entry["holds"], endings, title, ", ".join(actions), *options]
                lines.append(f"| {' | '.join(cells)} |\n")
    return "".join(lines)


def limits() -> str:
    """Write the table of reading limits from the fields of `Limits` and the entries of its docstring."""
    tree = ast.parse((ROOT / "src/anthropi/formats/limits.py").read_text(encoding="utf-8"))
    sizes = (n for n in tree.body if isinstance(n, ast.Assign) and isinstance(n.value, ast.BinOp))
    known = {n.targets[0].id: value_of(n.value, {}) for n in sizes}
    (cls,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Limits")
    defaults = {n.target.id: value_of(n.value, known) for n in cls.body if isinstance(n, ast.AnnAssign)}
    entries = re.findall(r"^((?:\w+, )*\w+) : (.*(?:\n    .*)*)", ast.get_docstring(cls), re.MULTILINE)
    lines = ["| limit | default | what is limited |\n", "| --- " * 3 + "|\n"]
    for names, words in entries:
        own = names.split(", ")
        shown = [size(defaults[n]) if n.endswith("_bytes") else f"{defaults[n]:,}" for n in own]
        text = " ".join(words.split())
        lines.append(f"| {', '.join(f'`{n}`' for n in own)} | {'; '.join(shown)} | {text} |\n")
    missing = set(defaults) - {n for names, _ in entries for n in names.split(", ")}
    if missing:
        raise SystemExit(f"limits.py: the docstring of Limits does not describe {', '.join(sorted(missing))}")
    return "".join(lines)


def size(number: int) -> str:
    """Write a number of bytes in GiB or MiB."""
    return f"{number // 2**30} GiB" if number % 2**30 == 0 else f"{number // 2**20} MiB"


def value_of(node: ast.expr, known: dict[str, object]):
    """Evaluate a literal of the registry, which may name literals above it."""
    return eval(compile(ast.Expression(node), "registry.py", "eval"), {"__builtins__": {}}, known)


def render(rows, page: Path) -> str:
    """Write rows as a Markdown table whose links are right as seen from the page."""
    if isinstance(rows, str):
        return rows
    body = []
    for file, name, words in rows:
        target = Path(*[".."] * len(page.parent.relative_to(ROOT).parts), file.relative_to(ROOT))
        if file.is_relative_to(page.parent):
            target = file.relative_to(page.parent)
        body.append(f"| [{name}]({target.as_posix()}) | {words.replace('|', chr(92) + '|')} |\n")
    return "| file | content |\n| --- | --- |\n" + "".join(body) if body else "None yet.\n"


def title(page: Path) -> str:
    found = HEADING.search(page.read_text(encoding="utf-8"))
    return found[1] if found else page.stem


def first_sentence(page: Path, section: str | None = None) -> str:
    """Give the first sentence below the title, or below a section's heading."""
    text = page.read_text(encoding="utf-8")
    start = re.search(rf"^#+ {section}\s*$" if section else r"^# .*$", text, re.MULTILINE)
    paragraphs = text[start.end() :].strip().split("\n\n") if start else [""]
    return re.split(r"(?<=[a-z0-9)`][.]) ", paragraphs[0].replace("\n", " ") + " ")[0].strip()


# Checks ------------------------------------------------------------------------------------------------------------


def numbering():
    found = sorted((DOCS / "decisions").glob("[0-9]*.md"))
    for number, page in enumerate(found, start=1):
        if not page.name.startswith(f"{number:04}-"):
            yield f"{short(page)}: expected number {number:04}; decisions are numbered without gaps"
        headings = HEADING.findall(page.read_text(encoding="utf-8"))
        yield from (f"{short(page)}: no section '{name}'" for name in SECTIONS if name not in headings)


def broken_links(page: Path, text: str):
    for link in LINK.findall(FENCE.sub("", text)):
        if re.match(r"[a-z]+:", link):
            continue  # another site: not ours to test
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            yield f"{short(page)}: broken link '{link}'"
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            yield f"{short(page)}: no heading for '{link}'. Headings: {', '.join(sorted(anchors(target)))}"


def anchors(page: Path) -> set[str]:
    """Give the anchors GitHub makes of a page's headings."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text)}


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv[1:]))
