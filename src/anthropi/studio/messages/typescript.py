"""The messages as TypeScript: `python -m anthropi.studio.messages.typescript` writes studio/src/messages.ts.

A test compares the file with the Python messages.
"""

import dataclasses
import sys
import types
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from anthropi.studio import messages
from anthropi.studio.messages import COMMANDS, EVENTS

__all__ = ["FILE", "typescript"]

FILE = "studio/src/messages.ts"  # in the repository
HEAD = """\
// Messages between browser and server. Written by `python -m anthropi.studio.messages.typescript`: edit the Python.
"""
FOOT = """\
export interface Refusal {
  message: string;
  link: string;
  joint: string;
  time: number | null;
}
export type Reply = { id: number; ok: true; result: unknown } | { id: number; ok: false; error: Refusal };
"""


def typescript() -> str:
    """Return the text of messages.ts: an interface per message, and fields and result of each kind of command."""
    classes = [getattr(messages, name) for name in messages.__all__]
    classes = [c for c in classes if isinstance(c, type) and dataclasses.is_dataclass(c)]
    parts = [HEAD, *(_interface(c) for c in classes)]
    rows = [f"  {kind}: {{ fields: {c.__name__}; result: {_type(c.answers)} }};" for kind, c in COMMANDS.items()]
    parts.append(
        "/** Every command by its kind: fields and result. */\nexport interface Commands {\n"
        + "\n".join(rows)
        + "\n}\n"
    )
    rows = [f"  {kind}: {c.__name__};" for kind, c in EVENTS.items()]
    parts.append("/** Every event by its kind. */\nexport interface Events {\n" + "\n".join(rows) + "\n}\n")
    kinds = ", ".join(f'"{k}"' for k, c in COMMANDS.items() if c.edits)
    parts.append(f"/** Commands that can be undone. */\nexport const EDITS: readonly (keyof Commands)[] = [{kinds}];\n")
    return "\n".join([*parts, FOOT])


def _interface(cls: Any) -> str:
    hints = get_type_hints(cls)
    words = " ".join((cls.__doc__ or "").split())
    lines = [f"/** {words} */", f"export interface {cls.__name__} {{"]
    for field in dataclasses.fields(cls):
        given = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
        optional = "?" if given and issubclass(cls, messages.Command) else ""
        lines.append(f"  {field.name}{optional}: {_type(hints[field.name])};")
    if len(lines) == 2:
        return f"{lines[0]}\nexport type {cls.__name__} = Record<string, never>;\n"
    return "\n".join([*lines, "}", ""])


def _type(hint: Any) -> str:
    origin, inside = get_origin(hint), get_args(hint)
    if hint is None or hint is type(None):
        return "null"
    if hint is Any:
        return "unknown"
    if origin in (Union, types.UnionType):
        return " | ".join(_type(x) for x in inside)
    if origin is Literal:
        return " | ".join(f'"{x}"' for x in inside)
    if origin is tuple and len(inside) == 2 and inside[1] is Ellipsis:
        item = _type(inside[0])
        return f"({item})[]" if "|" in item else f"{item}[]"
    if origin is tuple:
        return f"[{', '.join(_type(x) for x in inside)}]"
    if origin is dict:
        return f"Record<string, {_type(inside[1])}>"
    if dataclasses.is_dataclass(hint):
        return hint.__name__ if isinstance(hint, type) else str(hint)
    return {float: "number", int: "number", str: "string", bool: "boolean"}[hint]


if __name__ == "__main__":
    place = Path(sys.argv[1] if len(sys.argv) > 1 else FILE)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(typescript(), encoding="utf-8")
