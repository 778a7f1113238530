"""The person who is to move: where joints and soles are on an `ap.human` of any detail. Floats only."""

from dataclasses import dataclass

import numpy as np

from anthropi.errors import InputError
from anthropi.figure.figure import Figure
from anthropi.figure.human import human, sole_markers
from anthropi.figure.joints import Free
from anthropi.motion.placing import Placed, placed
from anthropi.motion.retargeting.names import SIDES
from anthropi.motion.retargeting.source import BONES, Source, length

__all__ = ["Person", "person_like", "person_of"]

HEIGHTS, MASSES = (0.4, 2.8), (2.0, 700.0)  # what `human` takes [m], [kg]


@dataclass(frozen=True)
class Person:
    """A figure, and {joint: (link, point)} of "l_hip", "l_knee" … "r_wrist". soles : (link, point) of each.

    lengths : {part: [m]} of the parts in `BONES`. hips : half their distance [m].
    """

    figure: Figure
    joints: dict[str, tuple]
    soles: tuple[tuple, ...]
    lengths: dict[str, float]
    hips: float

    @property
    def leg(self) -> float:
        """Thigh and shank [m]."""
        return self.lengths["thigh"] + self.lengths["shank"]

    def at(self, k: Placed) -> dict[str, np.ndarray]:
        """Where the joints are, (frames, 3)."""
        return {name: k.point(*place) for name, place in self.joints.items()}


def person_of(figure: Figure) -> Person:
    """The person a figure is; refuses what is no `ap.human`."""
    if not isinstance(figure, Figure):
        raise InputError(f"figure={figure!r} is no figure. Give figure=ap.human(height, mass).")
    has = {m.name: m for m in figure.markers if hasattr(m, "point")}
    joints = {}
    for name in (f"{s}_{j}" for s in SIDES for j in ("hip", "knee", "ankle", "shoulder", "elbow", "wrist")):
        marker = has.get(f"{name}_centre")
        if marker is None or not isinstance(figure.joints[0], Free):
            what = "its root is not free" if marker is not None else f"it has no marker '{name}_centre'"
            raise InputError(
                f"Figure '{figure.name}' is no person to move: {what}. Give figure=ap.human(height, mass)."
            )
        joints[name] = figure.link_index(marker.link), np.asarray(marker.point, float)
    soles = tuple((figure.link_index(m.link), np.asarray(m.point, float)) for m in sole_markers(figure))
    if not soles:
        raise InputError(f"Figure '{figure.name}' has no markers with 'sole' in their names. Give figure=ap.human(…).")
    k = placed(figure, figure.neutral()[None])
    at = {name: k.point(*place)[0] for name, place in joints.items()}
    lengths = {part: length(at[f"l_{b}"] - at[f"l_{a}"]) for part, (a, b) in BONES.items()}
    return Person(figure, joints, soles, lengths, 0.5 * length(at["l_hip"] - at["r_hip"]))


def person_like(source: Source) -> Person:
    """A person with the source's thighs, shanks, upper arms and forearms, and a stature that goes with the legs."""
    height = float(np.clip(1.75 * source.leg / person_of(human()).leg, *HEIGHTS))
    usual = human(height, float(np.clip(75.0 * (height / 1.75) ** 2, *MASSES)))
    own = person_of(usual).lengths
    by = {f"{s}_{part}": source.lengths[part] / own[part] for s in SIDES for part in BONES}
    return person_of(usual.scale(by, mass=usual.mass))
