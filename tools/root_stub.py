"""Write src/anthropi/__init__.pyi: the public names for type checkers and editors, from the table of the package.

Run it after changing the table: `python tools/root_stub.py`. A test compares the file with what this would write.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "src" / "anthropi" / "__init__.pyi"
HEAD = '''"""Dynamics for articulated figures. Written by tools/root_stub.py: edit the table in __init__.py."""

'''


def stub(objects: dict[str, str], modules: dict[str, str]) -> str:
    """Return the text of the stub: every public name imported from the module that defines it."""
    lines = [f"from {module} import {name} as {name}" for name, module in objects.items()]
    lines.append("from anthropi.entry import compile as compile")
    for name, module in modules.items():
        parent, _, last = module.rpartition(".")
        lines.append(f"from {parent} import {last} as {name}")
    names = sorted([*objects, *modules, "compile"])
    body = "\n".join(sorted(lines))
    listed = "\n".join(f'    "{name}",' for name in names)
    return f"{HEAD}{body}\n\n__version__: str\n__all__ = [\n{listed}\n]\n"


def main() -> None:
    """Write the stub."""
    sys.path.insert(0, str(ROOT / "src"))
    import anthropi

    FILE.write_text(stub(anthropi._OBJECTS, anthropi._MODULES), encoding="utf-8")


if __name__ == "__main__":
    main()
