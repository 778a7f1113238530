"""Read C3D files: as a recording (`read_capture`), or as the motion of a figure that follows the markers (`read`)."""

import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.errors import FormatError
from anthropi.figure import Figure
from anthropi.formats import limits
from anthropi.formats.files import naming
from anthropi.formats.motions.c3d.plates import plate_frames, plates_of
from anthropi.formats.motions.c3d.scan import Document, scan
from anthropi.formats.motions.evidence import axes_from, metres_from
from anthropi.motion.capture import Analog, Capture, Subject
from anthropi.motion.ground_forces import GroundForces
from anthropi.motion.motion import Event, FootEvent, Motion

__all__ = ["read", "read_capture"]

OUTPUTS = {
    "ANGLES": "ANGLE",
    "FORCES": "FORCE",
    "MOMENTS": "MOMENT",
    "POWERS": "POWER",
    "SCALARS": "SCALAR",
    "MODELED_MARKERS": "",
}  # fmt: skip  lists of points that are results of a model: {list: name of its unit}
FEET = {"left": "l", "right": "r", "l": "l", "r": "r"}
EVENTS = {"footstrike": "strike", "heelstrike": "strike", "initialcontact": "strike", "footoff": "off", "toeoff": "off"}
MASSES, HEIGHTS = (2.0, 400.0), (0.4, 2.8)  # [kg], [m] of people
MASS_NAMES = ("BODYMASS", "MASS", "WEIGHT", "BODYWEIGHT", "SUBJECTMASS")
HEIGHT_NAMES = ("HEIGHT", "BODYHEIGHT", "STATURE", "SUBJECTHEIGHT")
MAX_TIME = 1e7  # [s]


def read_capture(
    path: str | os.PathLike[str],
    up: str | None = None,
    forward: str | None = None,
    units: Any = None,
    forces: bool = True,
    sign: str = "auto",
) -> Capture:
    """Read a C3D file as a recording.

    Parameters
    ----------
    path : the file.
    up, forward : axes of the file that point up and forward, such as "z" and "-y". By default, up is found from the
        names of the markers and from the force plates, and forward is x (or y, if x points up).
    units : unit of length of the file, a name or its length [m]; by default that of the file, POINT:UNITS.
    forces : whether the force plates are read.
    sign : "person" if the file stores the force on the person, "plate" for that on the plate; "auto" decides.
    """
    document = scan(path)
    if not len(document.points):
        document.refuse("it has no frames.")
    if sign not in ("auto", "person", "plate"):
        raise FormatError(f"{document.name}: sign={sign!r}. Choose 'auto', 'person' or 'plate'.")
    with np.errstate(all="ignore"):  # scales and units of damaged files may overflow
        return _capture(document, up, forward, units, forces, sign)


def _capture(document: Document, up: Any, forward: Any, units: Any, forces: bool, sign: str) -> Capture:
    """Return the recording in a file."""
    name, frames = document.name, len(document.points)
    time = (document.first + np.arange(frames)) / document.rate
    if not time[-1] < MAX_TIME:
        document.refuse(f"frame {document.first + frames} at {document.rate:g} frames per second is at {time[-1]:g} s.")
    labels, notes = _labels(document)
    outputs = _outputs(document)
    raw = {label: document.points[:, k] for k, label in enumerate(labels) if label not in outputs}
    declared = (*document.texts("POINT", "UNITS"), "mm")[0] or "mm"
    placed = plate_frames(document) if forces else []
    seen = [(frame.centre, frame.axes[:, 2]) for frame in placed]
    axes = axes_from(name, "z", up, forward, raw, seen, _declared_up(document))
    metres = metres_from(name, declared, units, raw)
    notes = [axes.words, metres.words, *document.notes, *notes]
    turned = {label: metres.value * x @ axes.value.T for label, x in raw.items()}
    steps = document.samples or 1
    analog_rate = document.number("ANALOG", "RATE", steps * document.rate)
    if document.analog.shape[1] and abs(analog_rate - steps * document.rate) > 1e-3 * analog_rate:
        notes.append(
            f"ANALOG:RATE is {analog_rate:g}, but the file has {steps} samples in each frame at {document.rate:g} "
            f"frames per second; {steps * document.rate:g} samples per second are used"
        )
    fine = (document.first + np.arange(frames * steps) / steps) / document.rate
    ground = None
    if placed:
        plates, more = plates_of(document, fine, axes.value, metres.value, sign)
        with naming(name):
            ground = GroundForces(plates, name, more)
        notes += more
    return Capture(
        name,
        time,
        turned,
        {label: metres.value * document.residuals[:, k] for k, label in enumerate(labels) if label in turned},
        {label: document.points[:, labels.index(label)] for label in outputs if label in labels},
        {label: unit for label, unit in outputs.items() if label in labels},
        _analog(document, fine),
        ground,
        _events(document),
        _subject(document),
        axes.value,
        metres.value,
        tuple(notes),
    )


def read(
    path: str | os.PathLike[str],
    figure: Figure | None = None,
    up: str | None = None,
    forward: str | None = None,
    units: Any = None,
    forces: bool = True,
    sign: str = "auto",
    feet: Any = None,
    **solving: Any,
) -> Motion:
    """Read a C3D file as the motion of a figure whose markers follow those of the file.

    figure : the figure that moves; required, because the file does not describe one. up, forward, units, forces, sign :
    as in `read_capture`. feet : links on which the plates act. solving : options of `anthropi.motion.from_markers`.
    """
    path = Path(path)
    if not isinstance(figure, Figure):
        raise FormatError(
            f"{path.name}: a C3D file does not describe its figure. Give one, for example figure=ap.human(), or "
            "read the markers and forces alone with ap.load."
        )
    found = read_capture(path, up, forward, units, forces, sign)
    limits.check(path, "marker_rows", len(found), "rows of marker positions")
    with naming(path):
        return found.motion(figure, forces=forces, feet=feet, **solving)


def _labels(document: Document) -> tuple[list[str], list[str]]:
    """Return a unique label for each point, without the name of the only subject, and notes."""
    count = document.points.shape[1]
    given = list(document.texts("POINT", "LABELS"))[:count]
    subjects = {label.rpartition(":")[0] for label in given if ":" in label}
    if len(subjects) == 1 and all(":" in label for label in given):
        given = [label.rpartition(":")[2] for label in given]
    notes = [f"{count - len(given)} points have no label"] if len(given) < count else []
    labels: list[str] = []
    used: dict[str, int] = {}
    for k in range(count):
        word = given[k] if k < len(given) and given[k] else f"point {k + 1}"
        used[word] = used.get(word, 0) + 1
        while used[word] > 1 and f"{word} {used[word]}" in used:
            used[word] += 1
        own = word if used[word] == 1 else f"{word} {used[word]}"
        if own != word:
            used[own] = 1
            notes.append(f"two points are called '{word[:40]}'; the second is '{own[:44]}'")
        labels.append(own)
    return labels, notes


def _outputs(document: Document) -> dict[str, str]:
    """Return {label: unit} of the points that are results of a model."""
    found: dict[str, str] = {}
    for group, kind in OUTPUTS.items():
        unit = (*document.texts("POINT", f"{kind}_UNITS"), "")[0] if kind else ""
        found |= {label.rpartition(":")[2]: unit for label in document.texts("POINT", group)}
    return found


def _declared_up(document: Document) -> str:
    """Return the up axis that POINT:Y_SCREEN declares; "" if it does not."""
    word = (*document.texts("POINT", "Y_SCREEN"), "")[0].lower().strip()
    return word.lstrip("+") if re.fullmatch(r"[+-]?[xyz]", word) else ""


def _analog(document: Document, time: np.ndarray) -> Analog | None:
    count = document.analog.shape[1]
    if not count:
        return None
    labels, units = document.texts("ANALOG", "LABELS"), document.texts("ANALOG", "UNITS")
    names: list[str] = []
    for k in range(count):
        word = labels[k] if k < len(labels) and labels[k] else f"channel {k + 1}"
        names.append(word if word not in names else f"{word} ({k + 1})")
    channels = {name: document.analog[:, k] for k, name in enumerate(names)}
    return Analog(time, channels, {name: units[k] if k < len(units) else "" for k, name in enumerate(names)})


def _events(document: Document) -> tuple[Any, ...]:
    """Return the events of the group EVENT and of the header, in order of time."""
    times = document.numbers("EVENT", "TIMES")
    times = times.reshape(2, -1, order="F") if times.size and times.size % 2 == 0 else np.zeros((2, 0))
    contexts, labels = document.texts("EVENT", "CONTEXTS"), document.texts("EVENT", "LABELS")
    found: list[Any] = [Event(t, label) for label, t in document.events]
    count = min(times.shape[1], int(max(0.0, document.number("EVENT", "USED", times.shape[1]))))
    for k in range(count):
        t = 60.0 * float(times[0, k]) + float(times[1, k])
        context, label = (x[k] if k < len(x) else "" for x in (contexts, labels))
        foot, what = FEET.get(context.lower()), EVENTS.get(re.sub(r"[\W_]", "", label.lower()))
        if not np.isfinite(t) or abs(t) > MAX_TIME:
            continue
        found.append(FootEvent(t, foot, what) if foot and what else Event(t, f"{context} {label}".strip()))
    return tuple(sorted(found, key=lambda event: event.time))


def _subject(document: Document) -> Subject:
    """Return the subject: names in SUBJECTS, mass and height in PROCESSING or SUBJECTS."""
    numbers: dict[str, Any] = {}
    for group in ("SUBJECTS", "SUBJECT", "PROCESSING"):
        for key in document.groups.get(group, {}):
            own = document.numbers(group, key)
            if own.size:
                numbers[key] = float(own.ravel()[0]) if own.size == 1 else own
    mass = next((float(numbers[n]) for n in MASS_NAMES if isinstance(numbers.get(n), float)), None)
    height = next((float(numbers[n]) for n in HEIGHT_NAMES if isinstance(numbers.get(n), float)), None)
    if height is not None:
        height = next((height * x for x in (1.0, 0.01, 0.001) if HEIGHTS[0] <= height * x <= HEIGHTS[1]), None)
    if mass is not None and not MASSES[0] <= mass <= MASSES[1]:
        mass = None
    return Subject((*document.texts("SUBJECTS", "NAMES"), "")[0], mass, height, numbers)
