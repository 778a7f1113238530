"""Small text files that come with the package, or a user's own: found by name, read with care. TOML; floats only.

Files
-----
Parameters of a walker as a small text file: what they are, how they were made. TOML; floats only.

made = "…"      in words
speed = 1.3     [m/s] of the state it starts with
[parameters]    name = three numbers, rows or tables: the value at 1.3 m/s, its slope and its bend (`walker.py` (1))
[start]         q, u: a state on the gait at that speed, the left foot just struck, of a person of 1.75 m and 75 kg

Size
----
How large is a body beside the one that parameters are for? Bodies of one shape move alike (dynamic similarity):

    lengths ~ l,   times ~ √l,   speeds ~ √l,   torques ~ m l,   dampers ~ m l √l,     l leg lengths, m masses   (1)

both over those of `ap.human(1.75, 75)`. So one file of parameters walks every body, each at its own speed.
"""

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import sqrt
from anthropi.errors import FormatError, did_you_mean
from anthropi.gait.reference.gait_angles import leg_length

__all__ = [
    "LEG",
    "MASS",
    "Size",
    "WalkerFile",
    "load_walker",
    "names_in",
    "read_named",
    "save_walker",
    "size_of",
    "walkers",
]


LARGEST = 1 << 20  # bytes


def names_in(folder: Path) -> tuple[str, ...]:
    """Names of the files in a folder."""
    return tuple(sorted(path.stem for path in folder.glob("*.toml")))


def read_named(name, folder: Path, what: str, make, has: str, also: str = ""):
    """make(contents) of the file `name` in a folder, or of a path that ends in .toml.

    what : it is, in words. has : what such a file has. also : other choices. FormatError names the file and the reason.
    """
    path = Path(name) if str(name).endswith(".toml") else folder / f"{name}.toml"
    if not path.is_file():
        known = names_in(folder)
        raise FormatError(f"No {what} '{name}'.{did_you_mean(str(name), known)} There are: {', '.join(known)}; or give "
                          f"a .toml file{also}.")  # fmt: skip
    if path.stat().st_size > LARGEST:
        raise FormatError(f"{path} is larger than {LARGEST} bytes: no {what}.")
    try:
        return make(tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise FormatError(f"{path} is no {what}'s file: {error}. It has {has}.") from None


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


LEG, MASS = 0.9170894, 75.0  # [m], [kg]


class Size(NamedTuple):
    """Factors (1)."""

    length: Any
    time: Any
    torque: Any
    damping: Any


def size_of(figure) -> Size:
    """The factors of a figure."""
    length = leg_length(figure) / LEG
    time, mass = sqrt(length), figure.mass / MASS
    return Size(length, time, mass * length, mass * length * time)
