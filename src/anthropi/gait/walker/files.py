"""Parameters of a walker as a small text file: what they are, how they were made. TOML; floats only.

made = "…"      in words
speed = 1.3     [m/s] of the state it starts with
[parameters]    name = three numbers, rows or tables: the value at 1.3 m/s, its slope and its bend (`walker.py` (1))
[start]         q, u: a state on the gait at that speed, the left foot just struck, of a person of 1.75 m and 75 kg
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from anthropi.gait.named import names_in, read_named

__all__ = ["WalkerFile", "load_walker", "save_walker", "walkers"]

HERE = Path(__file__).parent / "sets"


class WalkerFile(NamedTuple):
    """parameters {name: (3, …)}; start (q, u), its speed [m/s]; made, in words."""

    parameters: dict[str, np.ndarray]
    start: tuple[np.ndarray, np.ndarray]
    speed: float
    made: str


def walkers() -> tuple[str, ...]:
    """Names of the sets that come with the package."""
    return names_in(HERE)


def load_walker(name="natural") -> WalkerFile:
    """The parameters of a set by its name, or of a file that ends in .toml; a `WalkerFile` as it is."""
    if isinstance(name, WalkerFile):
        return name
    return read_named(name, HERE, "walker", _made_of, "made, speed, [parameters], [start]")


def _made_of(told: dict) -> WalkerFile:
    parameters = {n: np.array(x, float) for n, x in told["parameters"].items()}
    strange = [n for n, x in parameters.items() if not np.isfinite(x).all() or x.ndim == 0 or len(x) != 3]
    if strange:
        raise ValueError(f"'{strange[0]}' holds what is not finite, or is not a value, a slope and a bend")
    start = np.array(told["start"]["q"], float), np.array(told["start"]["u"], float)
    return WalkerFile(parameters, start, float(told["speed"]), str(told["made"]))


def save_walker(path, parameters: dict[str, Any], start, speed: float, made: str) -> None:
    """Write a set."""
    lines = [f"made = {_text(made)}", f"speed = {speed:g}", "", "[parameters]"]
    lines += [f'"{name}" = {_nested(np.asarray(x, float))}' for name, x in parameters.items()]
    lines += ["", "[start]", *(f"{n} = {_nested(np.asarray(x, float))}" for n, x in zip("qu", start, strict=True))]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _nested(x: np.ndarray) -> str:
    """Arrays within arrays; a row of zeros stays short."""
    if x.ndim == 0:
        return f"{float(x):.6g}"
    if x.ndim == 1:
        return "[" + ", ".join(f"{v:.6g}" for v in x) + "]"
    between = ",\n    " if x.ndim == 2 and x.shape[1] > 6 else ", "
    return "[" + between.join(_nested(row) for row in x) + "]"


def _text(words: str) -> str:
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'
