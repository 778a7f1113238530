"""Pack nested arrays into one row of numbers for a kernel, unpack them, and name the parts of several owners."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.errors import InputError
from anthropi.tape.record import flatten, rebuild

__all__ = ["READING", "Layout", "layout", "named", "part_of"]

READING = "reading"  # part of the names of sensor readings in the memory of a controller, before the name of the sensor


@dataclass(frozen=True)
class Layout:
    """Positions of nested arrays in one row of numbers."""

    structure: Any
    names: tuple[str, ...]
    shapes: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        """Number of values in the row."""
        return sum(int(np.prod(shape)) for shape in self.shapes)

    def pack(self, value: Any) -> Any:
        """Pack a nested value of this layout into a row (size,)."""
        arrays, names, _ = flatten(_sorted(value))
        if tuple(names) != self.names or tuple(a.shape for a in arrays) != self.shapes:
            found = ", ".join(f"{n} {a.shape}" for n, a in zip(names, arrays, strict=True)) or "nothing"
            wanted = ", ".join(f"{n} {s}" for n, s in zip(self.names, self.shapes, strict=True)) or "nothing"
            raise InputError(
                f"The memory contains {found} after a step, but {wanted} at the start. Keep names and shapes the same."
            )
        return np.concatenate([a.ravel() for a in arrays]) if arrays else np.zeros(0)

    def pack_batch(self, value: Any, batch: int) -> np.ndarray:
        """Pack nested arrays with a batch axis into rows (batch, size)."""
        arrays, _, _ = flatten(_sorted(value))
        return np.concatenate([np.reshape(a, (batch, -1)) for a in arrays], -1)

    def replaced(self, rows: Any, parts: dict[str, dict[str, Any]]) -> np.ndarray:
        """Return a copy of rows (batch, size) with other values of some parts {part: {name: (…) or (batch, …)}}."""
        found, places = np.array(rows), self.unpack(np.arange(self.size))
        for part, values in parts.items():
            for name, value in values.items():
                shape, at = np.shape(places[part][name]), np.ravel(places[part][name]).astype(int)
                found[:, at] = np.broadcast_to(value, (len(found), *shape)).reshape(len(found), -1)
        return found

    def unpack(self, row: Any) -> Any:
        """Unpack a row (…, size) into the nested value."""
        parts, start = [], 0
        for shape in self.shapes:
            stop = start + int(np.prod(shape))
            parts.append(row[..., start:stop].reshape((*row.shape[:-1], *shape)))
            start = stop
        return rebuild(self.structure, parts)


def layout(value: Any) -> Layout:
    """Return the layout of a nested value of arrays and numbers."""
    arrays, names, structure = flatten(_sorted(value))
    return Layout(structure, tuple(names), tuple(a.shape for a in arrays))


def _sorted(value):
    """Return the value with every dictionary sorted by its keys."""
    return {name: _sorted(value[name]) for name in sorted(value)} if isinstance(value, dict) else value


def named(who: str, part: dict[str, Any]) -> dict[str, Any]:
    """Return the entries of one owner with its name first: {"kp": x} of "hold" is {"hold.kp": x}."""
    return {f"{who}.{name}": x for name, x in part.items()}


def part_of(whole: dict[Any, Any], who: str) -> dict[str, Any]:
    """Return the entries of `whole` that belong to the owner with this name, without the name; see `named`."""
    return {name[len(who) + 1 :]: x for name, x in whole.items() if name.startswith(f"{who}.")}
