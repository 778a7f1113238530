"""Modules of the package and their imports, read from the syntax trees. Standard library only."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "anthropi"
SPLINTER_LINES = 60  # a module shorter than this with a single importer is part of that importer's subject


@dataclass(frozen=True)
class Module:
    """A source file of the package."""

    name: str  # dotted; a folder's __init__ has the folder's name
    path: Path
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, str(self.path))

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the tree."""
        return list(ast.walk(self.tree))

    @property
    def lines(self) -> int:
        return len(self.text.splitlines())

    @property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"

    @property
    def folder(self) -> str:
        """Dotted name of the folder."""
        return self.name if self.is_package else self.name.rpartition(".")[0]


@cache
def modules(package: Path = PACKAGE) -> list[Module]:
    """Read all modules of a package."""
    found = []
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found.append(Module(name, path, path.read_text(encoding="utf-8")))
    return found


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that run when a module is imported."""
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) or _is_type_checking(statement):
            continue
        yield statement
        for field in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, field, []))
        for handler in getattr(statement, "handlers", []):
            yield from _statements(handler.body)


def imported_names(module: Module, top_level: bool = False) -> Iterator[tuple[str, str, str, int]]:
    """What a module imports: (dotted module, name taken from it or "", name it gets here, line)."""
    for node in _statements(module.tree.body) if top_level else module.nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, "", alias.asname or alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            parts = module.folder.split(".")
            above = parts[: len(parts) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                yield base, alias.name, alias.asname or alias.name, node.lineno


def edges(all_modules: list[Module], top_level: bool) -> dict[str, set[str]]:
    """Module → modules of the package that it imports.

    Without top_level, imports inside functions count too, and module names in strings (lazy loading).
    """
    names = {module.name for module in all_modules}
    found: dict[str, set[str]] = {name: set() for name in names}
    for module in all_modules:
        for base, name, _, _ in imported_names(module, top_level):
            target = f"{base}.{name}" if f"{base}.{name}" in names else base
            if target in names and target != module.name:
                found[module.name].add(target)
        if not top_level:
            strings = (n.value for n in module.nodes if isinstance(n, ast.Constant) and isinstance(n.value, str))
            found[module.name] |= {text for text in strings if text in names and text != module.name}
    return found


def room_cycles(all_modules: list[Module]) -> list[list[str]]:
    """Cycles between the rooms of a folder: its subfolders and modules, each with all that lies below it.

    At every level of the tree, rooms of one folder must not need each other in a circle. Imports of the folder's own
    `__init__`, which only gathers names from below, are not an edge here; `cycles(edges(...))` sees those.
    """
    graphs: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for name, targets in edges(all_modules, True).items():
        own = name.split(".")
        for other in (target.split(".") for target in targets):
            level = next((k for k, (a, b) in enumerate(zip(own, other, strict=False)) if a != b), None)
            if level is not None:
                graph = graphs[".".join(own[:level])]
                graph[".".join(own[: level + 1])].add(".".join(other[: level + 1]))
                graph.setdefault(".".join(other[: level + 1]), set())
    return [group for folder in sorted(graphs) for group in cycles(graphs[folder])]


def cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Groups of nodes that reach each other (Tarjan's strongly connected components with two or more nodes)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for target in sorted(graph[node]):
            if target not in index:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in stack:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            group = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return sorted(found)


def splinters(all_modules: list[Module]) -> list[str]:
    """Short modules that a single other module imports."""
    importers = defaultdict(set)
    for name, targets in edges(all_modules, False).items():
        for target in targets:
            importers[target].add(name)
    return [
        f"{module.name} ({module.lines} lines, for {next(iter(importers[module.name]))})"
        for module in all_modules
        if not module.is_package and module.lines < SPLINTER_LINES and len(importers[module.name]) == 1
    ]


def private_imports(all_modules: list[Module]) -> list[str]:
    """Names with a leading underscore that a module takes from another one."""
    names, found = {module.name for module in all_modules}, []
    for module in all_modules:
        aliases = {}
        for base, name, here, line in imported_names(module):
            if base in names and name.startswith("_") and not name.endswith("__"):
                found.append(f"{module.name}:{line}: from {base} import {name}")
            if f"{base}.{name}" in names:
                aliases[here] = f"{base}.{name}"
        for node in module.nodes:
            if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in aliases):
                continue
            if node.attr.startswith("_") and not node.attr.endswith("__"):
                found.append(f"{module.name}:{node.lineno}: {aliases[node.value.id]}.{node.attr}")
    return found
