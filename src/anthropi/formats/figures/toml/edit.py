"""Edit an existing figure.toml and keep its comments, order and spacing."""

import os
from pathlib import Path
from typing import Any

from anthropi.errors import FormatError, did_you_mean
from anthropi.figure import Figure
from anthropi.formats.figures.common import InitialState, Note, Reading
from anthropi.formats.figures.toml.reader import load_toml, parse, read_words
from anthropi.formats.figures.toml.scan import scan
from anthropi.formats.figures.toml.writer import block, plain, text, value_text
from anthropi.formats.files import write_text

__all__ = ["edit", "update"]

NAMED = ("link", "joint", "marker", "loop", "coupling")


def edit(path: str | os.PathLike[str], changes: dict[Any, Any]) -> Reading:
    """Change single values in a figure.toml and leave all other text as it is.

    Parameters
    ----------
    path : the file.
    changes : {address: value}. An address is a tuple such as ("link", "l_thigh", "mass"). If no name contains a dot, it
        can also be text: "joint.l_knee.damping", "link.l_thigh.shape.0.size", "state.position.l_knee", "gravity". The
        value None removes the key.

    Returns
    -------
    Reading : the content of the changed file. The file is written only if the result is a valid figure.
    """
    words, name = read_words(path), Path(path).name
    for address, value in changes.items():
        words = _changed(words, tuple(address.split(".")) if isinstance(address, str) else tuple(address), value, name)
    reading = parse(words, name, Path(path).parent)
    write_text(path, words)
    return reading


def update(
    figure: Figure,
    path: str | os.PathLike[str],
    state: InitialState | None = None,
    stops: dict[str, dict[str, Any]] | None = None,
) -> tuple[Note, ...]:
    """Update a figure.toml to a changed figure, and keep its comments by changing only what differs.

    The blocks of new links, joints, markers, loops and couplings are added at the end of the file; those of removed
    ones are deleted. A block is rewritten if the file describes the item by other keys (a density instead of a mass).
    """
    words, name = read_words(path), Path(path).name
    old = parse(words, name, Path(path).parent)
    before = plain(old.figure, None if state is None else old.state, old.stops)
    after = plain(figure, state, old.stops if stops is None else stops)
    for section in NAMED:
        words = _items(words, section, before[section], after[section], name)
    for key in ("name", "root", "gravity"):
        if before[key] != after[key] and (key in load_toml(words, name) or key != "root"):
            words = _changed(words, (key,), after[key], name)
    for what, values in load_toml(words, name).get("state", {}).items():
        for joint in set(values) - {j["name"] for j in after["joint"]}:
            words = _changed(words, ("state", what, joint), None, name)
    for what, values in after.get("state", {}).items():
        for joint, value in values.items():
            if before["state"].get(what, {}).get(joint) != value:
                words = _changed(words, ("state", what, joint), value, name)
    kept = (after["name"], after["link"], after["joint"])
    again = plain(parse(words, name, Path(path).parent).figure, None, old.stops if stops is None else stops)
    if (again["name"], again["link"], again["joint"]) != kept:
        write_text(path, text(figure, state if state is not None else None, stops))
        return (Note(name, "the order of links has changed; the file was rewritten without comments", matters=False),)
    write_text(path, words)
    return ()


def _items(words: str, section: str, before: list[Any], after: list[Any], file: str) -> str:
    """Change, remove and add blocks of a section (an entry of `NAMED`)."""
    old, new = ({x["name"]: x for x in items} for items in (before, after))
    for name in [n for n in old if n not in new]:
        words = _without(words, section, name, file)
    for name, item in new.items():
        if name not in old:
            words = words.rstrip("\n") + "\n\n" + block((section,), item)
        elif item != old[name]:
            words = _item(words, section, old[name], item, file)
    return words


def _item(words: str, section: str, old: dict[Any, Any], new: dict[Any, Any], file: str) -> str:
    """Change the keys of one block, or rewrite the block if its keys are different or contain tables."""
    raw = next(x for x in load_toml(words, file)[section] if x["name"] == new["name"])
    differing = [k for k in {**old, **new} if old.get(k) != new.get(k)]
    in_place = all(
        (k in raw and k in new and not isinstance(raw[k], dict | list)) or _flat(raw.get(k)) for k in differing
    )
    if section == "link" and {"density", "size"} & set(raw):
        in_place = in_place and not {"mass", "centre", "tensor"} & set(differing)
    if in_place:
        for key in differing:
            words = _changed(words, (section, new["name"], key), new.get(key), file)
        return words
    start, end = _span(words, section, new["name"], file)
    tail = words[start:end][len(words[start:end].rstrip("\n")) :]
    return words[:start] + block((section,), new).rstrip("\n") + tail + words[end:]


def _flat(value) -> bool:
    return isinstance(value, list) and not any(isinstance(x, dict) for x in value)


def _span(words: str, section: str, name: str, file: str) -> tuple[int, int]:
    """Return start and end of a [[section]] block with its inner tables, without the comments before the next block."""
    index = _index(load_toml(words, file), section, name, file)
    mine = [(a, b) for path, a, b in scan(words).tables if path[:2] == (section, index)]
    start, end = mine[0][0], mine[-1][1]
    lines = words[start:end].splitlines(keepends=True)
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        end -= len(lines.pop())
    return start, end


def _without(words: str, section: str, name: str, file: str) -> str:
    start, end = _span(words, section, name, file)
    return words[:start].rstrip("\n") + "\n" + words[end:]


def _changed(words: str, address: tuple[Any, ...], value: Any, file: str) -> str:
    """Return the text with one value replaced, added or removed."""
    raw = load_toml(words, file)
    path = _located(raw, address, file)
    layout = scan(words)
    if path in layout.values:
        start, end = layout.values[path]
        if value is not None:
            return words[:start] + value_text(value) + words[end:]
        start = words.rfind("\n", 0, start) + 1
        end = words.find("\n", end)
        return words[:start] + (words[end + 1 :] if end >= 0 else "")
    longer = [p for p in layout.values if p[: len(path)] == path]
    inline = [p for p in layout.values if path[: len(p)] == p]
    if longer or inline or any(p[: len(path)] == path for p, _, _ in layout.tables if p):
        raise FormatError(
            f"{file}: {_shown(address)} is a table. Change the values in it one by one, or rewrite the file."
        )
    if value is None:
        raise FormatError(f"{file}: {_shown(address)} cannot be removed, because the file does not contain it.")
    return _inserted(words, path, value_text(value), layout, file)


def _inserted(words: str, path: tuple[Any, ...], value: str, layout, file: str) -> str:
    """Return the text with a new key at the end of its table. A missing [state] table is added at the end."""
    from anthropi.formats.figures.toml.writer import key_text

    line = f"{key_text(str(path[-1]))} = {value}\n"
    table = next(((a, b) for p, a, b in layout.tables if p == path[:-1]), None)
    if table is None:
        if path[0] != "state":
            raise FormatError(
                f"{file}: there is no table {_shown(path[:-1])}, so '{path[-1]}' cannot be added. Rewrite the file."
            )
        return words.rstrip("\n") + f"\n\n[{'.'.join(map(str, path[:-1]))}]\n" + line
    ends = [end for p, (_, end) in layout.values.items() if p[:-1] == path[:-1] and table[0] <= end <= table[1]]
    after = words.find("\n", max(ends) if ends else table[0])
    if after < 0:
        return words + "\n" + line
    if not path[:-1] and not ends:
        return line + words
    return words[: after + 1] + line + words[after + 1 :]


def _located(raw: dict[Any, Any], address: tuple[Any, ...], file: str) -> tuple[Any, ...]:
    """Return an address with the names of items replaced by their indices."""
    path: list[Any] = []
    at: Any = raw
    for k, step in enumerate(address):
        if isinstance(at, list):
            step = int(step) if str(step).isdigit() else _index_in(at, str(step), _shown(address[:k]), file)
            if step >= len(at):
                raise FormatError(f"{file}: {_shown(address[:k])} has {len(at)} entries; index {step} is too large.")
        path.append(step)
        at = at[step] if isinstance(at, list) else at.get(step) if isinstance(at, dict) else None
    if not path:
        raise FormatError(f"{file}: the address is empty. Give one such as link.l_thigh.mass.")
    return tuple(path)


def _index(raw: dict[Any, Any], section: str, name: str, file: str) -> int:
    return _index_in(raw.get(section, []), name, section, file)


def _index_in(items: list[Any], name: str, section: str, file: str) -> int:
    names = [x.get("name") if isinstance(x, dict) else None for x in items]
    if name not in names:
        known = [str(n) for n in names]
        raise FormatError(
            f"{file}: no {section} '{name}'.{did_you_mean(name, known)} There are: {', '.join(known)[:300]}."
        )
    return names.index(name)


def _shown(address) -> str:
    return ".".join(map(str, address))
