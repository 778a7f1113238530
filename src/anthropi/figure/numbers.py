"""The numbers of a figure in named slots, which can be listed, replaced, or made inputs of a kernel.

A slot is named after its link or joint: "l_thigh.mass", "l_knee.damping"; "gravity" belongs to the figure. The suffix
".0", ".1" … selects one entry of a slot: "l_thigh.centre.2". `slots` lists them with shape and unit.
"""

import dataclasses
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import full, upper
from anthropi.algebra.spatial import Transform
from anthropi.errors import InputError, ShapeError, did_you_mean

if TYPE_CHECKING:
    from anthropi.figure.figure import Figure

__all__ = ["Slot", "content", "find_slot", "numbers", "slot_numbers", "slot_values", "slots", "with_numbers"]


class Slot(NamedTuple):
    """Numbers of a figure that can be read and replaced by name.

    Attributes
    ----------
    name : "l_thigh.mass", "l_knee.damping", "gravity".
    shape : (1,) for one number, (n,) for several.
    unit : unit of the entries; if they differ, one unit for each entry, separated by commas.
    description : meaning and order of the entries.
    """

    name: str
    shape: tuple[int, ...]
    unit: str
    description: str


class _Kind(NamedTuple):
    """A kind of slot: its unit for angular and for linear degrees of freedom (equal for links), and its meaning."""

    angular: str
    linear: str
    description: str


LINK_SLOTS = {
    "mass": _Kind("kg", "kg", "mass of the link"),
    "centre": _Kind("m", "m", "centre of mass in the link frame: x, y, z"),
    "tensor": _Kind("kg m²", "kg m²", "inertia about the centre of mass, in link axes: xx, xy, xz, yy, yz, zz"),
}
JOINT_SLOTS = {
    "origin": _Kind("m", "m", "origin of the joint frame in the parent link's frame: x, y, z"),
    "stiffness": _Kind("N m/rad", "N/m", "spring stiffness"),
    "rest": _Kind("rad", "m", "coordinate at which the spring is slack"),
    "damping": _Kind("N m s/rad", "N s/m", "viscous damping"),
    "armature": _Kind("kg m²", "kg", "rotor inertia"),
}
_SPRINGS = tuple(name for name in JOINT_SLOTS if name != "origin")


def slots(figure: "Figure") -> tuple[Slot, ...]:
    """List the slots of a figure: links in order, then joints in order, then gravity. See `Figure.slots`."""
    sizes = {name: np.shape(values) for name, values in numbers(figure).items()}
    found = [
        Slot(name, sizes[name], kind.angular, kind.description)
        for link in figure.links
        for name, kind in ((f"{link.name}.{slot}", kind) for slot, kind in LINK_SLOTS.items())
    ]
    for joint in figure.joints:
        for slot, kind in JOINT_SLOTS.items():
            long = (True,) if slot == "origin" else joint.lengths
            units = [kind.linear if x else kind.angular for x in long] or [kind.angular]
            unit = units[0] if len(set(units)) == 1 else ", ".join(units)
            meaning = kind.description
            if slot != "origin" and joint.nu > 1:
                meaning = f"{meaning}: {', '.join(joint.dofs)}"
            found.append(Slot(f"{joint.name}.{slot}", sizes[f"{joint.name}.{slot}"], unit, meaning))
    return (*found, Slot("gravity", (3,), "m/s²", "gravity in the world frame: x, y, z"))


def numbers(figure: "Figure") -> dict[str, np.ndarray]:
    """Return {slot: its values (n,)}, in the order of `slots`."""
    found: dict[str, Any] = {}
    for link in figure.links:
        found[f"{link.name}.mass"] = np.array([link.mass])
        found[f"{link.name}.centre"] = link.centre
        found[f"{link.name}.tensor"] = upper(link.tensor)
    for joint in figure.joints:
        found[f"{joint.name}.origin"] = joint.placement.origin
        for name in _SPRINGS:
            found[f"{joint.name}.{name}"] = getattr(joint, name)
    found["gravity"] = figure.gravity
    return found


def with_numbers(figure: "Figure", slots: Iterable[str], values: Any) -> "Figure":
    """Return the figure with new numbers in some slots; see `Figure.with_numbers`."""
    slots = (slots,) if isinstance(slots, str) else tuple(slots)
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

    def read(name: str) -> np.ndarray:
        return fresh[name].astype(float) if plain else fresh[name]

    links = tuple(
        dataclasses.replace(
            link,
            mass=read(f"{link.name}.mass")[0],
            centre=read(f"{link.name}.centre"),
            tensor=full(read(f"{link.name}.tensor")),
        )
        for link in figure.links
    )
    joints = tuple(
        joint.changed(
            placement=Transform(joint.placement.rotation, read(f"{joint.name}.origin")),
            **{name: read(f"{joint.name}.{name}") for name in _SPRINGS},
        )
        for joint in figure.joints
    )
    made = figure.changed(links=links, joints=joints, gravity=read("gravity"), checked=plain)
    if not plain:  # which rows of loops are independent is decided on floats
        object.__setattr__(made, "floats", getattr(figure, "floats", figure))
    return made


def find_slot(slot: str, known: Mapping[str, Any]) -> tuple[str, int | None]:
    """Return the name of a slot and the number of the entry, or None for all. known : `numbers` of a figure."""
    if slot in known:
        return slot, None
    name, _, entry = slot.rpartition(".")
    if name in known and entry.isdigit() and int(entry) < len(known[name]):
        return name, int(entry)
    owner = slot.partition(".")[0]
    own = [name for name in known if name.startswith(f"{owner}.")]
    listed = (
        f"'{owner}' has: {', '.join(f'{name} {np.shape(known[name])}' for name in own)}"
        if own
        else f"A slot is link.{', link.'.join(LINK_SLOTS)}, joint.{', joint.'.join(JOINT_SLOTS)} or gravity"
    )
    raise InputError(
        f"No number '{slot}'.{did_you_mean(slot, known)} {listed}. Add .0, .1 … for one entry. figure.slots() "
        "lists all slots with shapes and units."
    )


def slot_numbers(slot: str, known: Mapping[str, Any]) -> np.ndarray:
    """Return the numbers (n,) of a slot, or of one entry of it. known : `numbers` of a figure."""
    name, entry = find_slot(slot, known)
    return np.atleast_1d(known[name] if entry is None else known[name][entry])


def slot_values(figure: "Figure", slots: Iterable[str]) -> np.ndarray:
    """Return the numbers of some slots of a figure, one after the other, (n,)."""
    known = numbers(figure)
    return np.concatenate([np.zeros(0), *(slot_numbers(slot, known) for slot in slots)])


def content(figure: Any) -> str:
    """Return all data of a figure (or of plain values) as text that is the same on every machine."""
    return _text(figure)


NOT_CONTENT = ("checked", "folder")  # fields that do not change what a figure is


def _text(x: Any) -> str:
    if type(x) is float:  # most values
        return x.hex()
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        names = [f.name for f in dataclasses.fields(x) if f.name not in NOT_CONTENT]
        names = [n for n in names if n not in ("stop", "rating") or getattr(x, n) is not None]  # so keys stay
        fields = ",".join(f"{name}={_text(getattr(x, name))}" for name in names)
        return f"{type(x).__name__}({fields})"
    if isinstance(x, np.ndarray):
        entries = x.ravel().tolist() if x.dtype == np.float64 else x.ravel()
        return f"{x.shape}[{','.join(map(_text, entries))}]"
    if isinstance(x, (tuple, list)):
        return f"({','.join(_text(e) for e in x)})"
    if isinstance(x, (float, np.floating)):
        return float(x).hex()
    if x is None or isinstance(x, (str, bool, int, np.integer)):
        return repr(x)
    raise InputError(
        f"{x!r} is not plain data, so a kernel cannot be identified by it. Give numbers, text, tuples or arrays."
    )
