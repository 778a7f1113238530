"""External aid: moments that hold a segment of a walking figure in a given orientation.

    M = k Σ w_i (a_i × a_i*) - d ω     [N m], world axes                                                          (1)

Here a_i are the held axes of the segment, a_i* their desired directions and ω its angular velocity. With one axis (z,
up along the trunk) w = 1, and the rotation about this axis is free. With all three axes w = ½, and the moment is
M = k sin θ n - d ω, where θ is the remaining rotation about the unit vector n.

An aid is a tool for animators (S. M. Loizidou, "Dynamic Analysis of Anthropomorphic Manipulators in Computer
Animation", thesis, 1992, section 10.2; docs/equations/thesis.md). A walk with an aid is not driven by joint forces
alone, and its metadata and every report say so. The control law can be recorded on a tape; `moments` works on plain
floats only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.rotation.vectors import cross
from anthropi.entry import kinematics
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.gait.walker import WalkingSession
from anthropi.motion import Motion
from anthropi.simulation.drive import Drive, by_link

__all__ = ["Aid", "AidedSession", "aids_of", "moments"]

MAX_GAINS = {"stiffness": 1e4, "damping": 1e3}
UNITS = {"stiffness": "N m/rad", "damping": "N m s/rad"}


@dataclass(frozen=True)
class Aid:
    """External moment that holds a segment in an orientation.

    Attributes
    ----------
    link : name of the segment.
    turn : rotation vector (3,) of its desired orientation in the world [rad]; 0 is upright and facing x.
    axes : axes of the segment that are held: "z" keeps it upright but free to turn, "xyz" holds its orientation.
    stiffness : k in equation (1) [N m/rad].
    damping : d in equation (1) [N m s/rad].
    """

    link: str = "thorax"
    turn: Any = (0.0, 0.0, 0.0)
    axes: str = "z"
    stiffness: float = 300.0
    damping: float = 30.0

    def __post_init__(self) -> None:
        if not self.axes or set(self.axes) - set("xyz") or len(set(self.axes)) != len(self.axes):
            raise InputError(
                f"Aid('{self.link}') has axes={self.axes!r}. Give one or more of the letters x, y, z, such as 'z' or "
                "'xyz'."
            )
        turn = np.asarray(self.turn, float)
        if turn.shape != (3,) or not np.isfinite(turn).all():
            raise InputError(f"Aid('{self.link}') has turn={self.turn!r}. Give three finite numbers [rad].")
        object.__setattr__(self, "turn", tuple(float(x) for x in turn))
        for name, largest in MAX_GAINS.items():
            x = getattr(self, name)
            if isinstance(x, (bool, str)) or not 0.0 <= x <= largest:
                raise InputError(
                    f"Aid('{self.link}') has {name}={x!r}. Give a number from 0 to {largest:g} {UNITS[name]}."
                )

    def moment(self, rotation: Any, omega: Any) -> Any:
        """Compute the moment (3,) [N m] in world axes (eq. 1). Can be recorded on a tape.

        Parameters
        ----------
        rotation : rotation matrix (3, 3) from the segment to the world.
        omega : angular velocity (3,) in the world [rad/s].
        """
        desired = rot.matrix_from_rotation_vector(np.array(self.turn))
        gain = self.stiffness * (0.5 if len(self.axes) == 3 else 1.0)
        held = [cross(rotation[:, i], desired[:, i]) for i in sorted("xyz".index(axis) for axis in self.axes)]
        return gain * sum(held) - self.damping * omega

    def to_dict(self) -> dict[str, Any]:
        """Return the aid as plain data, for the metadata of a motion."""
        return {
            "link": self.link,
            "turn": list(self.turn),
            "axes": self.axes,
            "stiffness": float(self.stiffness),
            "damping": float(self.damping),
        }


def aids_of(figure: Figure, given: Aid | Sequence[Aid] | None) -> tuple[Aid, ...]:
    """Return one aid or several as a tuple, after checking their segments.

    Raises InputError if the figure does not have such a segment.
    """
    found = () if given is None else tuple(given) if isinstance(given, (list, tuple)) else (given,)
    links = [link.name for link in figure.links]
    for aid in found:
        if not isinstance(aid, Aid):
            raise InputError(
                f"aid={aid!r} is not an Aid. Give an Aid or a list of them, such as Aid('thorax', stiffness=300)."
            )
        if aid.link not in links:
            hint = did_you_mean(aid.link, links)
            raise InputError(
                f"Figure '{figure.name}' has no segment '{aid.link}' for an Aid.{hint} Segments: {', '.join(links)}."
            )
    return found


class Aided:
    """A controller with additional external moments on segments."""

    aids: Any
    law: Any
    memory: Any
    parameters: Any
    prescribed: Any

    def __init__(self, law: Any, aids: tuple[Aid, ...]) -> None:
        self.law, self.aids = law, aids
        self.parameters, self.memory, self.prescribed = law.parameters, law.memory, law.prescribed

    def __call__(
        self, figure: Figure, sense: Any, memory: dict[Any, Any], parameters: dict[Any, Any]
    ) -> tuple[Drive, dict[Any, Any]]:
        """Return the drive of the controller with the moments (eq. 1) added, and the controller's new memory."""
        drive, memory = self.law(figure, sense, memory, parameters)
        f_ext = dict(by_link(drive.f_ext))
        for aid in self.aids:
            i = figure.link_index(aid.link)
            rotation = sense.kinematics.rotation[i]
            own = matvec(transpose(rotation), aid.moment(rotation, sense.kinematics.angular_velocity[i]))
            f_ext[i] = f_ext.get(i, np.zeros(6)) + np.concatenate([own, np.zeros(3)])
        return drive._replace(f_ext=f_ext), memory


class AidedSession(WalkingSession):
    """A `WalkingSession` with one or more external aids."""

    def __init__(
        self, figure: Any, walker: Any = "natural", start: str = "stand", *, aids: tuple[Aid, ...], **options: Any
    ) -> None:
        self.aids = aids
        super().__init__(figure, walker, start, **options)

    @property
    def controller(self) -> Any:
        """The walker with its aids."""
        return self._aided

    @controller.setter
    def controller(self, law: Any) -> None:
        self._aided = Aided(law, self.aids)

    def motion(self) -> Motion:
        """Return the motion since the start. Its channel "aid" contains the moments (frames, aids, 3) [N m]."""
        m = super().motion()
        metadata = m.metadata | {"aid": [aid.to_dict() for aid in self.aids]}
        return Motion(m.figure, m.time, m.q, m.u, m.channels | {"aid": moments(m, self.aids)}, m.events, metadata)


def moments(motion: Motion, aids: Sequence[Aid]) -> np.ndarray:
    """Compute the moments of aids during a motion (frames, aids, 3) [N m], in world axes."""
    k = kinematics(motion.figure, motion.figure.normalise(motion.q), motion.u)
    found = []
    for aid in aids:
        link = k.link(aid.link)
        found.append([aid.moment(*pair) for pair in zip(link.rotation, link.angular_velocity, strict=True)])
    return np.array(found).swapaxes(0, 1)
