"""Parameters of a walker as a small text file: what they are, how they were made. TOML; floats only.

made = "…"                      in words
speed = 1.3                     [m/s] that they walk at
[numbers]   name = number, or a row of them
[curves]    name = rows of 13: `aims.py`; "path" of 5: `walker.py` (3)
[start]     q, u: a state on the gait of a person of 1.75 m and 75 kg
"""

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import FormatError, did_you_mean

__all__ = ["WalkerFile", "load_walker", "save_walker", "walkers"]

HERE = Path(__file__).parent / "sets"
LARGEST = 1 << 20  # bytes


class WalkerFile(NamedTuple):
    """parameters {name: array}; start (q, u); speed [m/s]; made, in words."""

    parameters: dict[str, np.ndarray]
    start: tuple[np.ndarray, np.ndarray]
    speed: float
    made: str


def walkers() -> tuple[str, ...]:
    """Names of the sets that come with the package."""
    return tuple(sorted(path.stem for path in HERE.glob("*.toml")))


def load_walker(name: str = "natural") -> WalkerFile:
    """The parameters of a set by its name, or of a file that ends in .toml."""
    path = Path(name) if str(name).endswith(".toml") else HERE / f"{name}.toml"
    if not path.is_file():
        raise FormatError(f"No walker '{name}'.{did_you_mean(str(name), walkers())} There are: {', '.join(walkers())}; "
                          "or give a .toml file.")  # fmt: skip
    if path.stat().st_size > LARGEST:
        raise FormatError(f"{path} is larger than {LARGEST} bytes: no walker.")
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
        parameters = {n: np.array(x, float) for part in ("numbers", "curves") for n, x in told[part].items()}
        start = np.array(told["start"]["q"], float), np.array(told["start"]["u"], float)
        found = WalkerFile(parameters, start, float(told["speed"]), str(told["made"]))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise FormatError(
            f"{path} is no walker's file: {error}. It has made, speed, [numbers], [curves], [start]."
        ) from None
    strange = [n for n, x in parameters.items() if not np.isfinite(x).all()]
    if strange:
        raise FormatError(f"{path}: '{strange[0]}' holds what is not finite.")
    return found


def save_walker(path, parameters: dict[str, Any], start, speed: float, made: str) -> None:
    """Write a set."""
    arrays = {name: np.asarray(x, float) for name, x in parameters.items()}
    lines = [f"made = {_text(made)}", f"speed = {speed:g}", "", "[numbers]"]
    lines += [f'"{n}" = {_row(x)}' for n, x in arrays.items() if x.ndim < 2]
    lines += ["", "[curves]"]
    for name, x in arrays.items():
        if x.ndim == 2:
            lines += [f'"{name}" = [', *(f"    {_row(row)}," for row in x), "]"]
    lines += ["", "[start]", *(f"{n} = {_row(np.asarray(x))}" for n, x in zip("qu", start, strict=True))]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _row(x) -> str:
    return f"{float(x):.9g}" if x.ndim == 0 else "[" + ", ".join(f"{v:.6g}" for v in x) + "]"


def _text(words: str) -> str:
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'
