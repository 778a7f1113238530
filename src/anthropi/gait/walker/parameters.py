"""Parameter sets of walkers as TOML files, and their scaling to bodies of other sizes.

The file of a parameter set contains

    made = "…"      description of how the set was made
    speed = 1.3     speed of the initial state [m/s]
    [parameters]    name = three numbers, rows or tables: value at 1.3 m/s, slope and curvature over the speed    (1)
                    (`observation.py` (1))
    [start]         q, u: a state within the gait at that speed, just after the left foot strike; the joints are in the
                    order of `START_JOINTS`

All numbers apply to the reference body, `ap.human(1.75, 75)`. Bodies of the same shape but different size move in the
same way (dynamic similarity) if

    lengths ~ l,   times ~ √l,   speeds ~ √l,   torques ~ m l,   dampers ~ m l √l                                 (2)

where l is the leg length and m the mass, both relative to the reference body. One parameter set therefore makes bodies
of every size walk, each at a speed that suits its size.

Only `size_of` can be recorded on a tape. The other functions work on plain floats only.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import sqrt
from anthropi.errors import FormatError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.gait.reference.gait_angles import leg_length
from anthropi.gait.walker.limits import REFERENCE_MASS, WalkerLimits, limits_of
from anthropi.gait.walker.requirements import START_JOINTS

__all__ = [
    "REFERENCE_LEG",
    "REFERENCE_MASS",
    "Size",
    "WalkerFile",
    "load_walker",
    "names_in",
    "read_named",
    "save_walker",
    "size_of",
    "start_state",
    "walkers",
]

MAX_FILE_SIZE = 1 << 20  # bytes
SETS = Path(__file__).parent / "sets"
REFERENCE_LEG = 0.9170894  # leg length [m] of ap.human(1.75, 75); its mass is REFERENCE_MASS


class WalkerFile(NamedTuple):
    """A parameter set of a walker.

    Attributes
    ----------
    parameters : {name: (3, …)}: value, slope and curvature over the speed (eq. 1).
    start : q (nq,) and u (nu,) of a state within the gait, in the order of `START_JOINTS`.
    speed : speed of that state [m/s].
    made : description of how the set was made.
    limits : range in which the set was tested (`limits.py`).
    """

    parameters: dict[str, np.ndarray]
    start: tuple[np.ndarray, np.ndarray]
    speed: float
    made: str
    limits: WalkerLimits = WalkerLimits()


class Size(NamedTuple):
    """Scale factors (eq. 2) from the reference body to a figure."""

    length: Any
    time: Any
    torque: Any
    damping: Any


def size_of(figure: Figure) -> Size:
    """Compute the scale factors (eq. 2) of a figure relative to the reference body. Can be recorded on a tape."""
    length = leg_length(figure) / REFERENCE_LEG
    time, mass = sqrt(length), figure.mass / REFERENCE_MASS
    return Size(length, time, mass * length, mass * length * time)


def start_state(figure: Figure, walker: WalkerFile) -> tuple[np.ndarray, np.ndarray]:
    """Return q (nq,) and u (nu,) of the start of a parameter set, with joints matched by name and not yet scaled.

    Raises FormatError if the set was made for another figure.
    """
    number = {joint.name: i for i, joint in enumerate(figure.joints)}
    number["root"] = 0
    order = [number[name] for name in START_JOINTS]
    found = []
    for what, row, places in zip("qu", walker.start, (figure.q_of, figure.u_of), strict=True):
        sizes = [places[i].stop - places[i].start for i in order]
        if np.shape(row) != (sum(sizes),):
            raise FormatError(
                f"The start of the parameter set ({walker.made}) has {np.size(row)} numbers {what}; the joints of "
                f"figure '{figure.name}' have {sum(sizes)}. Use a set that was made for ap.human(detail='standard')."
            )
        parts = dict(zip(order, np.split(np.asarray(row, float), np.cumsum(sizes)[:-1]), strict=True))
        found.append(np.concatenate([parts[i] for i in sorted(parts)]))
    return found[0], found[1]


def walkers() -> tuple[str, ...]:
    """Names of the parameter sets that come with the package."""
    return names_in(SETS)


def load_walker(name: str | Path | WalkerFile = "natural") -> WalkerFile:
    """Load a parameter set by its name or from a .toml file. A `WalkerFile` is returned unchanged.

    Raises FormatError if there is no such set or the file is wrong. The message lists the sets or names the mistake.
    """
    if isinstance(name, WalkerFile):
        return name
    return read_named(name, SETS, "walker", _walker_file, "made, speed, [parameters], [start]")


def _walker_file(data: dict[Any, Any]) -> WalkerFile:
    """Make a parameter set from the contents of a file.

    Raises ValueError if a parameter has the wrong shape. The message names the parameter.
    """
    parameters = {n: np.array(x, float) for n, x in data["parameters"].items()}
    wrong = [n for n, x in parameters.items() if not np.isfinite(x).all() or x.ndim == 0 or len(x) != 3]
    if wrong:
        raise ValueError(f"'{wrong[0]}' must be three finite numbers, rows or tables: value, slope and curvature")
    start = np.array(data["start"]["q"], float), np.array(data["start"]["u"], float)
    limits = limits_of(data.get("limits", {}))
    return WalkerFile(parameters, start, float(data["speed"]), str(data["made"]), limits)


def save_walker(path: str | Path, parameters: dict[str, Any], start: tuple[Any, Any], speed: float, made: str) -> None:
    """Write a parameter set to a .toml file. The arguments are the attributes of a `WalkerFile`."""
    lines = [f"made = {_text(made)}", f"speed = {speed:g}", "", "[parameters]"]
    lines += [f'"{name}" = {_nested(np.asarray(x, float))}' for name, x in parameters.items()]
    lines += ["", "[start]", *(f"{n} = {_nested(np.asarray(x, float))}" for n, x in zip("qu", start, strict=True))]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def names_in(folder: Path) -> tuple[str, ...]:
    """Names of the .toml files in a folder, sorted, without their suffix."""
    return tuple(sorted(path.stem for path in folder.glob("*.toml")))


def read_named(
    name: Any, folder: Path, what: str, make: Callable[[dict[Any, Any]], Any], contents: str, choices: str = ""
) -> Any:
    """Read a data file by its name in a folder, or by a path that ends in .toml.

    Parameters
    ----------
    make : function of the file's contents; its result is returned.
    what, contents, choices : texts for messages: kind of file, required contents, other accepted arguments.

    Raises FormatError if the file is missing or wrong. The message names the file and the reason.
    """
    path = Path(name) if str(name).endswith(".toml") else folder / f"{name}.toml"
    if not path.is_file():
        known = names_in(folder)
        hint = did_you_mean(str(name), known)
        raise FormatError(
            f"There is no {what} '{name}'.{hint} Choose one of: {', '.join(known)}; or give a .toml file{choices}."
        )
    if path.stat().st_size > MAX_FILE_SIZE:
        raise FormatError(f"{path} is larger than {MAX_FILE_SIZE} bytes, too large for a {what} file.")
    from anthropi.formats.figures.toml.reader import load_toml

    try:
        return make(load_toml(path.read_text(encoding="utf-8"), path.name))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, OSError) as error:
        raise FormatError(f"{path} is not a valid {what} file: {error}. Such a file contains {contents}.") from None


def _nested(x: np.ndarray) -> str:
    """Write an array as nested TOML arrays."""
    if x.ndim == 0:
        return f"{float(x):.6g}"
    if x.ndim == 1:
        return "[" + ", ".join(f"{v:.6g}" for v in x) + "]"
    between = ",\n    " if x.ndim == 2 and x.shape[1] > 6 else ", "
    return "[" + between.join(_nested(row) for row in x) + "]"


def _text(words: str) -> str:
    """Write a string in TOML."""
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'
