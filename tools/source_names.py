"""Names in the source: retired words, and constants with vague names. Standard library only."""

import ast
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path

from source_imports import ROOT, Module

PAGE = ROOT / "studio" / "src"

RETIRED = {  # words that are no longer part of an identifier, file or folder name: what replaced them
    "told": "command", "tell": "command", "touch": "contact", "touches": "contact", "blow": "impulse", "grip": "drag",
    "way": "path, navigation", "wish": "request", "calm": "damping", "bend": "curvature", "aim": "joint target",
    "aiming": "joint target", "bearing": "stance control", "placing": "foot placement", "things": "models",
    "desk": "session", "flesh": "body shapes", "pieces": "dynamics tree", "parking": "spilling",
    "maps": "parallel loops", "doors": "upward", "honesty": "plausibility",
}  # fmt: skip
RETIRED |= {f"{word}s": RETIRED[word] for word in ("blow", "grip", "way", "bend", "aim", "bearing", "desk")}
RETIRED |= {"wishes": RETIRED["wish"]}
RETIRED_FILES = {"now": "observation", "effort": "link forces"}  # as the name of a file or folder only
RETIRED_ROOT = {"assemble": "figure_from_parts"}  # as a public name of the root only
ALLOWED = (  # (identifier, file pattern, reason); ".name" is an attribute that is used, not one that is defined
    (".touch", "*.py", "pathlib.Path.touch"),
    (".tell", "*.py", "the ask-and-tell interface of cma, the position in an open file"),
    *(("tell", f"*{file}.py", "the ask-and-tell interface of searches") for file in ("search", "evolve", "push_map")),
    ("calm", "*formats/scripts/schema.py", "key of script files"),
)

VAGUE = set(  # words that do not say what a constant bounds
    """about above across again ahead alone along anew apart around arrived aside asked away bears before begin
    begins behind bent beside between chooses close deep deepest differ doubtful doubts early eases elsewhere
    enough even every fades fallen falls far farthest fast faster fastest feels few fewest finer first follows
    further furthest gives grow grows hard haste heavy here high highest huge kept lands large largest last late
    latest learns least leaves leaving lies linger lingers little loaded long longest lost low lowest many matters
    meets mind more most moves narrow near nearest nearly never nothing nowhere odd often over own patience
    presses raises rises same scuff settled settles shallow short shorter shortest shrink slow slower slowest
    small smaller smallest soft soon speaks spread stands stays steep steepest stiff still stops strong strongest
    stuck taut thick thin tiny told tries undone unseen upright waits wanted wary weak weighs whole wide widest
    works worse""".split()
)


def words(identifier: str) -> list[str]:
    """The lower-case words of an identifier in snake_case, camelCase or CAPITALS."""
    return [w.lower() for w in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", identifier)]


def identifiers(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    """Every identifier of syntax nodes with its line, also those inside f-strings; attributes with a leading dot."""
    for node in nodes:
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Attribute):
            yield f".{node.attr}", line
        for field in ("id", "arg", "name", "asname", "module", "rest"):
            text = getattr(node, field, None)
            if isinstance(text, str):
                yield from ((part, line) for part in text.split("."))
        if isinstance(node, ast.Global | ast.Nonlocal):
            yield from ((name, line) for name in node.names)


_SKIPPED = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|`(?:\\.|[^`\\])*`", re.DOTALL)


def script_identifiers(text: str) -> Iterator[tuple[str, int]]:
    """Identifiers of TypeScript: what stands outside comments and strings (templates count as strings)."""
    bare = _SKIPPED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for number, line in enumerate(bare.splitlines(), 1):
        yield from ((name, number) for name in re.findall(r"[A-Za-z_$][\w$]*", line))


def retired(all_modules: list[Module], page: Path | None = PAGE) -> list[str]:
    """Identifiers, files and folders that use a retired word, one line for each identifier of a file."""
    files = [(module.path, identifiers(module.nodes)) for module in all_modules]
    if page is not None:
        scripts = sorted(page.rglob("*.ts"))
        files += [(path, script_identifiers(path.read_text(encoding="utf-8"))) for path in scripts]
    found: dict[tuple[str, str], list] = {}
    for path, names in files:
        where = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
        for depth, part in enumerate(Path(where).parts, 1):
            stem = part.partition(".")[0]
            for word in words(stem):
                instead = RETIRED.get(word) or (RETIRED_FILES.get(word) if stem == word else None)
                if instead:
                    found.setdefault(("/".join(Path(where).parts[:depth]), f"the name '{part}'"), [1, 1, instead])
        for name, line in names:
            for word in set(words(name)) & RETIRED.keys():
                if not any(name == own and fnmatch(where, pattern) for own, pattern, _ in ALLOWED):
                    entry = found.setdefault((where, name.strip(".")), [line, 0, RETIRED[word]])
                    entry[1] += 1
    return [f"{where}:{line}: {name} → {new}" + (f" ({n} times)" if n > 1 else "")
            for (where, name), (line, n, new) in found.items()]  # fmt: skip


def vague_constants(all_modules: list[Module]) -> list[str]:
    """Numbers at module level whose name is one vague word (NEAR, TINY): settings without a unit or a meaning."""
    found = []
    for module in all_modules:
        for node in module.tree.body:
            if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None or not _is_number(node.value):
                continue
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for name in (n.id for n in ast.walk(target) if isinstance(n, ast.Name)):
                    if name.isupper() and name.strip("_").lower() in VAGUE:
                        found.append(f"{module.name}:{node.lineno}: {name}")
    return found


def _is_number(node: ast.AST) -> bool:
    inner = (ast.Constant, ast.UnaryOp, ast.BinOp, ast.Tuple, ast.operator, ast.unaryop, ast.expr_context)
    return all(isinstance(n, inner) and not isinstance(getattr(n, "value", 0), str) for n in ast.walk(node))
