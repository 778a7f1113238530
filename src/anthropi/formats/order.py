"""The order of links in a figure: as in the file, except that a parent comes before its children."""

from anthropi.errors import FormatError

__all__ = ["parents_first"]


def parents_first(names: list[str], parent: dict[str, str], file: str) -> list[str]:
    """Links in the file's order where parents already come first; a link listed too early waits for its parent."""
    placed: dict[str, None] = {}
    waiting: dict[str, list[str]] = {}
    for name in names:
        above = parent[name]
        if above and above not in placed:
            waiting.setdefault(above, []).append(name)
            continue
        stack = [name]
        while stack:
            here = stack.pop()
            placed[here] = None
            stack += reversed(waiting.pop(here, []))
    if waiting:
        ring = ", ".join(x for names in waiting.values() for x in names)
        raise FormatError(f"{file}: links hang on each other in a ring: {ring[:200]}. A figure is a tree; close a ring "
                          "with a loop in a .toml file.")  # fmt: skip
    return list(placed)
