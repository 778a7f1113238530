"""Length unit and axes of recorded markers, found from evidence and stated in words.

Three kinds of evidence are used, and none of it silently: every choice returns a sentence that the command line prints.

- names: heads, shoulders, pelvis and feet have known names in all marker sets; a person's head is above the feet, and
  the distance is a known share of the stature (Drillis & Contini, in Winter 2009, table 4.1);
- force plates: their surface is horizontal, people stand above it, and the force on a person points up;
- the file itself: the unit it declares, and the axes of its format.

A choice of the caller comes before all evidence. If names and plates contradict each other, the caller must choose.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import FormatError, InputError, did_you_mean
from anthropi.formats.motions.bvh.skeleton import axes_of
from anthropi.motion.capture import plain_name

__all__ = ["FORWARDS", "UNITS", "Choice", "axes_from", "metres_from", "stature_of"]

UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "inch": 0.0254}
WORDS = {"meters": "m", "metres": "m", "meter": "m", "metre": "m", "centimeters": "cm", "millimeters": "mm",
         "millimetres": "mm", "decimeters": "dm", "in": "inch", "inches": "inch"}  # fmt: skip
PLAUSIBLE = (0.5, 2.5)  # [m] stature of a person
TYPICAL = (1.0, 2.1)  # [m] stature that decides between units
CLEAR_SHARE = 0.8  # share of a vector along one axis, above which it points along this axis
HIGH: tuple[tuple[str, float], ...] = (  # patterns of names, and height of the point above the ankles / stature
    (r"(head|[lr][fb]hd|hdtop|topofhead|vertex)\d*", 0.90),
    (r"([lr]sho|[lr]?acr|acromium|acromion|shoulder|c7|clav|strn|sternum|t10|t8|t2)\d*", 0.75),
    (r"([lr]asis?|[lr]psis?|asis?|psis?|sacr(um|al)?|vsac(r(um|al)?)?|pelvis|iliac)\d*", 0.53),
)
LOW = r"([lr]?(hee|heel|cal|calc|ank|ankle|toe|mt\d|mth\d|fcc|fm\d|malleol(us)?|midfoot|foot)(lat|med|tip)?)\d*"
OPPOSITE = {"x": "-x", "y": "-y", "z": "-z", "-x": "x", "-y": "y", "-z": "z"}
FORWARDS = {"z": "x", "y": "x", "x": "y", "-z": "x", "-y": "x", "-x": "y"}  # default forward axis of an up axis


class Choice(NamedTuple):
    """A unit or axis that was chosen. value : the choice. words : the reason. matters : if it contradicts the file."""

    value: Any
    words: str
    matters: bool = False


def _rise(markers: Mapping[str, np.ndarray]) -> tuple[np.ndarray, float] | None:
    """Return the median vector from the feet to the highest known part (3,), and its share of the stature."""
    names = {label: plain_name(label) for label in markers}
    low = [x for label, x in markers.items() if re.fullmatch(LOW, _sideless(names[label]))]
    if not low:
        return None
    with np.errstate(all="ignore"):
        feet = _mean(low)
        for pattern, share in HIGH:
            high = [x for label, x in markers.items() if re.fullmatch(pattern, _sideless(names[label]))
                    or re.fullmatch(pattern, names[label])]  # fmt: skip
            if not high:
                continue
            rise = _mean(high) - feet
            rise = rise[np.isfinite(rise).all(-1)]
            if len(rise):
                return np.median(rise, axis=0), share
    return None


def _mean(points: Sequence[np.ndarray]) -> np.ndarray:
    """Mean of the points that are seen in each frame (frames, 3); NaN if there are none."""
    stack = np.stack(points)
    seen = np.isfinite(stack).all(-1)[..., None]
    count = seen.sum(0)
    return np.where(seen, stack, 0.0).sum(0) / np.where(count, count, np.nan)


def _sideless(name: str) -> str:
    for words in ("left", "right"):
        if name.startswith(words):
            return name.removeprefix(words)
    return name.removeprefix("l") if name[:1] == "l" else name.removeprefix("r")


def stature_of(markers: Mapping[str, np.ndarray]) -> float | None:
    """Return the stature of a person in the unit of the markers, from their names; None if these are unknown."""
    found = _rise(markers)
    return None if found is None else float(np.linalg.norm(found[0]) / found[1])


def metres_from(name: str, declared: str, given: Any, markers: Mapping[str, np.ndarray]) -> Choice:
    """Choose the length unit [m] of recorded markers.

    Parameters
    ----------
    name : file name, and line of the unit. declared : the unit that the file declares, or "". given : the unit that the
        caller gave: a name, or its length [m]; None to use the file and the evidence.
    markers : {label: (frames, 3)} in the unit.
    """
    size = stature_of(markers)
    if given is not None:
        length = UNITS.get(WORDS.get(str(given).lower(), str(given).lower()), given)
        if isinstance(length, bool) or not isinstance(length, (int, float)) or not 1e-6 <= length <= 1e3:
            raise InputError(
                f"{name}: units={given!r}.{did_you_mean(str(given), UNITS)} Give one of {', '.join(UNITS)}, or the "
                "length of a unit in metres."
            )
        return Choice(float(length), f"unit of length: {_named(length)}, as given{_person(size, length)}")
    unit = WORDS.get(declared.lower(), declared.lower())
    if unit and unit not in UNITS:
        raise FormatError(f"{name}: Units are '{declared[:20]}'; known: {', '.join(UNITS)}. Give units=…, or --units.")
    length, source = UNITS.get(unit or "m", 1.0), "as the file says" if unit else "since the file gives none"
    if size is not None and size > 0.0 and not PLAUSIBLE[0] <= size * length <= PLAUSIBLE[1]:
        fitting = [u for u, x in UNITS.items() if TYPICAL[0] <= size * x <= TYPICAL[1]]
        if len(fitting) == 1:
            return Choice(
                UNITS[fitting[0]],
                f"unit of length: {fitting[0]}, not {unit or 'm'} {source}: by the names of its markers the person "
                f"would be {size * length:.3g} m tall, and is {size * UNITS[fitting[0]]:.2f} m; "
                "give units to change it",
                True,
            )
        return Choice(
            length,
            f"unit of length: {unit or 'm'}, {source}, but by the names of its markers the person would be "
            f"{size * length:.3g} m tall; give units",
            True,
        )
    return Choice(length, f"unit of length: {unit or 'm'}, {source}{_person(size, length)}")


def _named(length: float) -> str:
    return next((unit for unit, x in UNITS.items() if x == length), f"{length:g} m")


def _person(size: float | None, length: float) -> str:
    return "" if size is None else f" (a person of about {size * length:.2f} m by the names of the markers)"


def axes_from(
    name: str,
    default: str,
    up: str | None,
    forward: str | None,
    markers: Mapping[str, np.ndarray],
    plates: Sequence[tuple[np.ndarray, np.ndarray]] = (),
    declared: str = "",
) -> Choice:
    """Choose the axes of recorded markers; return the matrix (3, 3) with rows forward, left and up.

    Parameters
    ----------
    name : file name. default : the up axis of the format. up, forward : axes that the caller gave, or None.
    markers : {label: (frames, 3)} in the axes of the file. plates : (centre, normal) of each force plate, in the unit
        and the axes of the file; the sign of a normal does not matter. declared : the up axis that the file declares.
    """
    if up is not None:
        words = f"up: {up}, as given"
        return _with_forward(name, up, forward, words, False)
    by_name, by_plate = _up_by_names(markers), _up_by_plates(markers, plates)
    if by_name and by_plate and by_name != by_plate:
        raise FormatError(
            f"{name}: by the names of its markers {by_name} points up, by its force plates {by_plate}. "
            f"Give up='{by_plate}' or up='{by_name}', or --up."
        )
    reasons = ["from the feet to the head, by the names of the markers"] if by_name else []
    reasons += ["across the force plates, to the side of the markers"] if by_plate else []
    found = by_name or by_plate
    if found is None:
        source = "as the file says" if declared else "the usual axis of this format; no marker name or plate tells it"
        return _with_forward(name, declared or default, forward, f"up: {declared or default}, {source}", not declared)
    words = f"up: {found}, {' and '.join(reasons)}"
    if declared and declared != found:
        words += f"; the file says {declared}"
    return _with_forward(name, found, forward, words, bool(declared) and declared != found)


def _with_forward(name: str, up: str, forward: str | None, words: str, matters: bool) -> Choice:
    ahead = forward or FORWARDS.get(up, "x")
    words += f"; forward: {ahead}, {'as given' if forward else 'the usual axis'}"
    return Choice(axes_of(up, ahead, name), words, matters)


def _axis(vector: np.ndarray) -> str | None:
    """Return the axis along which a vector points; None if it points between axes."""
    size = float(np.linalg.norm(vector))
    k = int(np.argmax(np.abs(vector))) if size > 0.0 else 0
    if not size > 0.0 or not np.abs(vector[k]) >= CLEAR_SHARE * size:
        return None
    return f"{'-' if vector[k] < 0.0 else ''}{'xyz'[k]}"


def _up_by_names(markers: Mapping[str, np.ndarray]) -> str | None:
    found = _rise(markers)
    return None if found is None else _axis(found[0])


def _up_by_plates(markers: Mapping[str, np.ndarray], plates: Sequence[tuple[np.ndarray, np.ndarray]]) -> str | None:
    """Return the common normal of the plates, on the side of the markers."""
    if not plates or not markers:
        return None
    middle = [np.nanmedian(x, axis=0) for x in markers.values() if np.isfinite(x).any()]
    if not middle:
        return None
    centre = np.nanmedian(np.stack(middle), axis=0)
    found = {_axis(normal * np.sign((centre - place) @ normal or 1.0)) for place, normal in plates}
    return found.pop() if len(found) == 1 else None
