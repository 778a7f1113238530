"""What if a hand held a segment upright? The animator's aid (thesis 10.2): an orientation in the world for a segment,
and an external moment against whatever turns it away. Off unless somebody asks, and told in every report.

    M = k Σ w_i (a_i × a_i*) - d ω     [N m], world axes                                                        (1)

a_i the axes of the segment, a_i* where they shall point, ω how it turns. One axis (z: up along the trunk) leaves the
turn about it free, w = 1; all three hold it fully, w = ½: then M = k sin θ n - d ω, θ the turn n that is left.

Pure physics has none of it: a walk with an aid is an animation, and says so. The law records; `moments` is floats only.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.rotation.vectors import cross
from anthropi.entry import kinematics
from anthropi.errors import InputError, did_you_mean
from anthropi.gait.walker import WalkingSession
from anthropi.motion import Motion
from anthropi.simulation.drive import by_link

__all__ = ["Aid", "AidedSession", "aids_of", "moments"]

MOST = {"stiffness": 1e4, "damping": 1e3}
UNITS = {"stiffness": "N m/rad", "damping": "N m s/rad"}


@dataclass(frozen=True)
class Aid:
    """An aid for a segment.

    link : its name. turn : (3,) [rad] the rotation vector of its orientation in the world; upright and along x if 0.
    axes : which of its axes are held: "z" keeps it upright and free to turn, "xyz" holds all of it.
    stiffness : [N m/rad]. damping : [N m s/rad].
    """

    link: str = "thorax"
    turn: Any = (0.0, 0.0, 0.0)
    axes: str = "z"
    stiffness: float = 300.0
    damping: float = 30.0

    def __post_init__(self):
        if not self.axes or set(self.axes) - set("xyz") or len(set(self.axes)) != len(self.axes):
            raise InputError(f"Aid('{self.link}') has axes={self.axes!r}; give some of x, y, z: 'z' or 'xyz'.")
        turn = np.asarray(self.turn, float)
        if turn.shape != (3,) or not np.isfinite(turn).all():
            raise InputError(f"Aid('{self.link}') has turn={self.turn!r}; give three finite numbers [rad].")
        object.__setattr__(self, "turn", tuple(float(x) for x in turn))
        for name, most in MOST.items():
            x = getattr(self, name)
            if isinstance(x, (bool, str)) or not 0.0 <= x <= most:
                raise InputError(f"Aid('{self.link}') has {name}={x!r}; give 0 to {most:g} {UNITS[name]}.")

    def moment(self, rotation, omega):
        """(1), from the rotation (3, 3) of the segment in the world and ω (3,) there."""
        wanted = rot.matrix_from_rotation_vector(np.array(self.turn))
        share = self.stiffness * (0.5 if len(self.axes) == 3 else 1.0)
        held = [cross(rotation[:, i], wanted[:, i]) for i in sorted("xyz".index(axis) for axis in self.axes)]
        return share * sum(held) - self.damping * omega

    def to_dict(self) -> dict:
        """Plain data, for a motion's metadata."""
        return {"link": self.link, "turn": list(self.turn), "axes": self.axes, "stiffness": float(self.stiffness),
                "damping": float(self.damping)}  # fmt: skip


def aids_of(figure, given) -> tuple[Aid, ...]:
    """Aids as a tuple, of one or several; InputError where a figure has no such segment."""
    found = () if given is None else tuple(given) if isinstance(given, (list, tuple)) else (given,)
    links = [link.name for link in figure.links]
    for aid in found:
        if not isinstance(aid, Aid):
            raise InputError(f"aid={aid!r}: give an Aid, or several: Aid('thorax', stiffness=300).")
        if aid.link not in links:
            raise InputError(f"Aid: figure '{figure.name}' has no segment '{aid.link}'.{did_you_mean(aid.link, links)} "
                             f"Segments: {', '.join(links)}.")  # fmt: skip
    return found


class Aided:
    """A controller, and external moments on segments besides."""

    def __init__(self, law, aids: tuple[Aid, ...]):
        self.law, self.aids = law, aids
        self.parameters, self.memory, self.prescribed = law.parameters, law.memory, law.prescribed

    def __call__(self, figure, sense, memory, parameters):
        """What the law says, and (1)."""
        drive, memory = self.law(figure, sense, memory, parameters)
        f_ext = dict(by_link(drive.f_ext))
        for aid in self.aids:
            i = figure.link_index(aid.link)
            rotation = sense.kinematics.rotation[i]
            own = matvec(transpose(rotation), aid.moment(rotation, sense.kinematics.angular_velocity[i]))
            f_ext[i] = f_ext.get(i, np.zeros(6)) + np.concatenate([own, np.zeros(3)])
        return drive._replace(f_ext=f_ext), memory


class AidedSession(WalkingSession):
    """A `Session` with aids. aids : of `aids_of`, at least one."""

    def __init__(self, figure, walker="natural", start: str = "stand", *, aids: tuple[Aid, ...], **options):
        self.aids = aids
        super().__init__(figure, walker, start, **options)

    @property
    def controller(self):
        """The walker's law, aided."""
        return self._aided

    @controller.setter
    def controller(self, law):
        self._aided = Aided(law, self.aids)

    def motion(self) -> Motion:
        """Everything so far; the channel "aid" has the moments (frames, aids, 3) [N m]."""
        m = super().motion()
        told = {"aid": [aid.to_dict() for aid in self.aids]}
        return Motion(m.figure, m.time, m.q, m.u, m.channels | {"aid": moments(m, self.aids)}, m.events,
                      m.metadata | told)  # fmt: skip


def moments(motion: Motion, aids) -> np.ndarray:
    """The moments of aids on a motion (frames, aids, 3) [N m], world axes."""
    k = kinematics(motion.figure, motion.figure.normalise(motion.q), motion.u)
    found = []
    for aid in aids:
        link = k.link(aid.link)
        found.append([aid.moment(*pair) for pair in zip(link.rotation, link.angular_velocity, strict=True)])
    return np.array(found).swapaxes(0, 1)
