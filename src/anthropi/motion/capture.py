"""Recordings of a motion laboratory: markers, analog channels, force plates, events and the subject.

A `Capture` is what a C3D or TRC file contains. It has no figure. `Capture.motion` finds the motion of a figure whose
markers are nearest to those of the recording, and adds the ground forces of its plates (`motion/plate_contacts.py`).
Works on plain floats only.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from anthropi.errors import InputError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.motion.ground_forces import GroundForces
from anthropi.motion.motion import FootEvent, Motion, within
from anthropi.motion.plate_contacts import Stance, foot_links, stances, with_ground_forces

if TYPE_CHECKING:
    from anthropi.motion.marker_sets.subject import Subject as Person

__all__ = ["Analog", "Capture", "Subject", "events_of", "foot_points", "plain_name"]

STRIKES = {"strike": "Foot Strike", "off": "Foot Off"}
SIDES = {"l": "Left", "r": "Right"}
FEET = r"(hee|heel|cal|calc|fcc|ank|ankle|lmal|toe|mt\d|mth\d|fm\d|midfoot|foot)(lat|med|tip)?\d*"  # without side


@dataclass(frozen=True)
class Subject:
    """The person who was recorded, as far as the file says: mass [kg], height [m], and all numbers of the file.

    parameters : {name: number or array} in the units of the file, such as "LLEGLENGTH".
    """

    name: str = ""
    mass: float | None = None
    height: float | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Analog:
    """Analog channels. time : (samples,) [s]. channels : {label: (samples,)}. units : {label: unit}."""

    time: np.ndarray
    channels: Mapping[str, np.ndarray]
    units: Mapping[str, str]

    def __getitem__(self, label: str) -> np.ndarray:
        """Return a channel by its label."""
        if label not in self.channels:
            hint = did_you_mean(label, self.channels)
            raise InputError(f"No analog channel '{label}'.{hint} Channels: {', '.join(self.channels)}.")
        return self.channels[label]


@dataclass(frozen=True, eq=False)
class Capture:
    """A recording of markers and forces, in SI units, with x forward, y left and z up.

    Attributes
    ----------
    name : file name. time : (frames,) [s]; the time of a C3D file begins with the first frame of the whole trial.
    markers : {label: (frames, 3)} [m], NaN where a marker was not seen.
    residuals : {label: (frames,)} [m] mean distance of the rays of the cameras, NaN where not seen; may be empty.
    outputs : {label: (frames, 3)} results of a model that the file stores as points, such as joint angles, in the units
        and axes of the file; output_units : {label: unit}.
    analog : analog channels; None if there are none.
    forces : force plates; None if there are none.
    events : `FootEvent` for foot contacts, else `Event`.
    subject : the person.
    axes : (3, 3), rows: forward, left and up in the axes of the file. metres : unit of length of the file [m].
    notes : how units and axes were found, and what was repaired.
    """

    name: str
    time: np.ndarray
    markers: Mapping[str, np.ndarray]
    residuals: Mapping[str, np.ndarray] = field(default_factory=dict)
    outputs: Mapping[str, np.ndarray] = field(default_factory=dict)
    output_units: Mapping[str, str] = field(default_factory=dict)
    analog: Analog | None = None
    forces: GroundForces | None = None
    events: tuple[Any, ...] = ()
    subject: Subject = Subject()
    axes: Any = None
    metres: float = 1.0
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.time)

    @property
    def rate(self) -> float:
        """Frames per second."""
        return (len(self.time) - 1) / float(self.time[-1] - self.time[0]) if len(self.time) > 1 else 0.0

    def marker(self, label: str) -> np.ndarray:
        """Return the positions (frames, 3) [m] of a marker."""
        if label not in self.markers:
            hint = did_you_mean(label, self.markers)
            raise InputError(f"{self.name} has no marker '{label}'.{hint} Markers: {', '.join(self.markers)}.")
        return self.markers[label]

    def seen(self) -> dict[str, float]:
        """Return the share of frames in which each marker was seen, {label: 0 to 1}."""
        return {label: float(np.isfinite(x).all(-1).mean()) for label, x in self.markers.items()}

    def stances(self) -> tuple[Stance, ...]:
        """Return the loads of the plates with the feet on them, found by the markers of the feet; () without plates."""
        return () if self.forces is None else stances(self.forces, self.time, foot_points(self.markers))

    def person(self, **options: Any) -> "Person":
        """Return the person of a standing trial: a scaled human, and the places of the markers on its links.

        options : those of `anthropi.motion.marker_sets.subject_from_static`: marker_set, own, mass, sex, detail … The
            mass is that of the file by default.
        """
        from anthropi.motion.marker_sets.subject import subject_from_static  # slow to import, and seldom used

        return subject_from_static(self.markers, **({"mass": self.subject.mass} | options))

    def motion(self, figure: "Figure | Person", *, forces: bool = True, feet: Any = None, **solving: Any) -> Motion:
        """Return the motion of a figure that follows the markers, with the ground forces as contacts.

        Parameters
        ----------
        figure : the figure that moves; or the person of a standing trial, from `Capture.person`.
        forces : whether the forces of the plates are added. feet : links on which they act; see
            `anthropi.motion.plate_contacts.with_ground_forces`. The foot on a plate is found by the markers of the
            feet, or else by the feet of the figure.
        solving : options of `anthropi.motion.from_markers`: names, weights, gap, q0, limits, static … For a person,
            only weights.
        """
        if not isinstance(figure, Figure):
            if set(solving) - {"weights"}:
                raise InputError(f"'{min(set(solving) - {'weights'})}' is no option for a person. Options: weights.")
            found, figure = figure.follow(self.time, self.markers, **solving), figure.figure
        else:
            from anthropi.motion.markers import from_markers  # slow to import

            found = from_markers(figure, self.time, self.markers, **solving)
        about: dict[str, Any] = {
            "source": self.name,
            "capture": {"notes": list(self.notes), "subject": self.subject.name},
        }
        found = within(found.changed(events=self.events, metadata=found.metadata | about), -np.inf, np.inf)
        if not forces or self.forces is None or not self.forces.plates:
            return found
        if feet is None and not foot_links(figure):
            words = f"the force plates are left out: figure '{figure.name}' has no link that is recognised as a foot"
            about["capture"]["notes"] = [*self.notes, words]
            return found.changed(metadata=found.metadata | about)
        return with_ground_forces(found, self.forces, feet, self.stances())


def plain_name(label: str) -> str:
    """Return a marker name in lower case without its subject ("Bob:LASI"), blanks, dots, "_" and "-"."""
    return re.sub(r"[^a-z0-9]", "", label.rpartition(":")[2].lower())


def foot_points(markers: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the markers of the feet and ankles by side, {"l", "r": (frames, k, 3)}, found by their names.

    With several subjects ("Bob:LTOE"), the keys are "Bob:l", "Bob:r" and so on.
    """
    found: dict[str, list[np.ndarray]] = {}
    several = len({label.rpartition(":")[0] for label in markers if ":" in label}) > 1
    for label, x in markers.items():
        name, who = plain_name(label), f"{label.rpartition(':')[0]}:" if several else ""
        for side, words in (("l", "left"), ("r", "right")):
            rest = name.removeprefix(words) if name.startswith(words) else name.removeprefix(side)
            if rest != name and re.fullmatch(FEET, rest):
                found.setdefault(who + side, []).append(x)
                break
    return {foot: np.stack(xs, 1) for foot, xs in found.items()}


def events_of(events: Iterable[Any]) -> list[tuple[str, str, float]]:
    """Return the events as C3D files name them: (context, label, time [s])."""
    found = []
    for event in events:
        if isinstance(event, FootEvent):
            found.append((SIDES.get(event.foot, "General"), STRIKES.get(event.what, event.what), float(event.time)))
        elif hasattr(event, "time") and hasattr(event, "what"):
            found.append(("General", str(event.what), float(event.time)))
    return found
