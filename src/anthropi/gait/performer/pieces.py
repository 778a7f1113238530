"""Pieces to perform as small text files: keys, gains, how they were made. TOML; floats only.

made = "…"                      in words
duration = 18.0                 [s] with a stand at the end
beat = 0.5                      [s] in which keys count time
[numbers]   gains of the performer that differ from its own
[[keys]]    at, over [beats]; pose = {name = number or row}: `keys.py`
"""

from pathlib import Path
from typing import Any, NamedTuple

from anthropi.gait.named import names_in, read_named
from anthropi.gait.performer.keys import Key

__all__ = ["Piece", "fitted", "load_piece", "pieces", "save_piece"]

HERE = Path(__file__).parent / "sets"


class Piece(NamedTuple):
    """keys in seconds; duration [s]; numbers {name: numbers} of the performer; made, in words."""

    keys: tuple[Key, ...]
    duration: float
    numbers: dict[str, Any]
    made: str


def pieces() -> tuple[str, ...]:
    """Names of the pieces that come with the package."""
    return names_in(HERE)


def load_piece(name: str) -> Piece:
    """A piece by its name, or of a file that ends in .toml."""
    return read_named(name, HERE, "piece", _made_of, "made, duration, beat and [[keys]]", ", or keys")


def _made_of(told: dict) -> Piece:
    beat = float(told["beat"])
    keys = tuple(Key(beat * float(k["at"]), beat * float(k["over"]), dict(k["pose"])) for k in told["keys"])
    return Piece(keys, float(told["duration"]), dict(told.get("numbers", {})), str(told["made"]))


def fitted(piece: Piece, long: float) -> Piece:
    """A piece for legs that are `long` times those it was made for: times × √long, ways × long."""
    slow = long**0.5
    keys = []
    for key in piece.keys:
        ahead = {"weight": (key.pose["weight"][0] * long, key.pose["weight"][1])} if "weight" in key.pose else {}
        keys.append(Key(key.at * slow, key.over * slow, key.pose | ahead))
    return piece._replace(keys=tuple(keys), duration=round(piece.duration * slow, 1))


def save_piece(path, piece: Piece, beat: float = 1.0) -> None:
    """Write a piece."""
    words = piece.made.replace("\\", "\\\\").replace('"', '\\"')
    lines = [f'made = "{words}"', f"duration = {piece.duration:g}", f"beat = {beat:g}", "", "[numbers]"]
    lines += [f"{name} = {_numbers(x)}" for name, x in piece.numbers.items()]
    for key in piece.keys:
        pose = ", ".join(f"{name} = {_numbers(x)}" for name, x in key.pose.items())
        lines += ["", "[[keys]]", f"at = {key.at / beat:.6g}", f"over = {key.over / beat:.6g}", f"pose = {{{pose}}}"]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _numbers(x) -> str:
    return f"[{', '.join(f'{float(v):.5g}' for v in x)}]" if hasattr(x, "__len__") else f"{float(x):.5g}"
