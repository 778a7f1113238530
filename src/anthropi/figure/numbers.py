"""The numbers of a figure by name, so that they can be listed, replaced, and traced as inputs of a kernel.

Slots: "l_thigh.mass", "l_thigh.centre", "l_thigh.tensor" (upper triangle: xx xy xz yy yz zz), "l_knee.origin",
"l_knee.stiffness", "l_knee.rest", "l_knee.damping", "l_knee.armature", "gravity"; one entry with ".0", ".1" … behind.
"""

import dataclasses
from typing import Any

import numpy as np

from anthropi.algebra.linear import full, upper
from anthropi.algebra.spatial import Transform
from anthropi.errors import InputError, ShapeError, did_you_mean

__all__ = ["content", "find_slot", "numbers", "with_numbers"]

_OF_LINK = ("mass", "centre", "tensor")
_OF_JOINT = ("origin", "stiffness", "rest", "damping", "armature")


def numbers(figure) -> dict[str, np.ndarray]:
    """Every slot and its values, flat."""
    found: dict[str, Any] = {}
    for link in figure.links:
        found[f"{link.name}.mass"] = np.array([link.mass])
        found[f"{link.name}.centre"] = link.centre
        found[f"{link.name}.tensor"] = upper(link.tensor)
    for joint in figure.joints:
        found[f"{joint.name}.origin"] = joint.placement.origin
        for name in _OF_JOINT[1:]:
            found[f"{joint.name}.{name}"] = getattr(joint, name)
    found["gravity"] = figure.gravity
    return found


def with_numbers(figure, slots, values):
    """The figure with the values, one a slot entry in order, in place of its own. Checked only if all are floats."""
    known = numbers(figure)
    fresh = {name: np.array(list(v), dtype=object) for name, v in known.items()}
    values, at = np.asarray(values).ravel(), 0
    for slot in slots:
        name, index = find_slot(slot, known)
        size = len(known[name]) if index is None else 1
        if at + size > len(values):
            raise ShapeError(
                f"with_numbers got {len(values)} values; slot '{slot}' needs numbers {at} to {at + size - 1}."
            )
        fresh[name][slice(None) if index is None else index] = (
            values[at] if index is not None else values[at : at + size]
        )
        at += size
    if at != len(values):
        raise ShapeError(f"with_numbers got {len(values)} values for {at} numbers in slots {', '.join(slots)}.")
    plain = values.dtype != object
    read = (lambda a: a.astype(float)) if plain else (lambda a: a)
    links = tuple(
        dataclasses.replace(x, mass=read(fresh[f"{x.name}.mass"])[0], centre=read(fresh[f"{x.name}.centre"]),
                            tensor=full(read(fresh[f"{x.name}.tensor"])))
        for x in figure.links
    )  # fmt: skip
    joints = tuple(
        j.changed(placement=Transform(j.placement.rotation, read(fresh[f"{j.name}.origin"])),
                  **{n: read(fresh[f"{j.name}.{n}"]) for n in _OF_JOINT[1:]})
        for j in figure.joints
    )  # fmt: skip
    made = figure.changed(links=links, joints=joints, gravity=read(fresh["gravity"]), checked=plain)
    if not plain:  # for what only floats can tell: which rows of loops are independent
        object.__setattr__(made, "floats", getattr(figure, "floats", figure))
    return made


def find_slot(slot: str, known) -> tuple[str, int | None]:
    """A slot's name and, if one entry is meant, which."""
    if slot in known:
        return slot, None
    name, _, entry = slot.rpartition(".")
    if name in known and entry.isdigit() and int(entry) < len(known[name]):
        return name, int(entry)
    raise InputError(f"No number '{slot}'.{did_you_mean(slot, known)} A slot is link.mass, link.centre, link.tensor, "
                     "joint.origin, joint.stiffness, joint.rest, joint.damping, joint.armature or gravity, "
                     "with .0, .1 … for one entry.")  # fmt: skip


def content(figure) -> str:
    """All a figure says, as text that is the same on every machine."""
    return _text(figure)


def _text(x) -> str:
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        said = [f.name for f in dataclasses.fields(x) if f.name != "checked"]  # that it was checked says nothing of it
        fields = ",".join(f"{name}={_text(getattr(x, name))}" for name in said)
        return f"{type(x).__name__}({fields})"
    if isinstance(x, np.ndarray):
        return f"{x.shape}[{','.join(_text(e) for e in x.ravel())}]"
    if isinstance(x, (tuple, list)):
        return f"({','.join(_text(e) for e in x)})"
    if isinstance(x, (float, np.floating)):
        return float(x).hex()
    if x is None or isinstance(x, (str, bool, int, np.integer)):
        return repr(x)
    raise InputError(
        f"{x!r} is no plain data, so a kernel cannot be known by it. Give numbers, words, tuples or arrays."
    )
