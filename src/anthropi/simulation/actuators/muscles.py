"""Muscles on a figure: path lengths, moment arms, and a controller that turns excitations into joint forces.

A path has points p_1 … p_n on links. With the unit vector e_k from p_k to p_k+1,

    L = Σ |p_k+1 - p_k|                                                        (1)
    ∂L/∂u = Σ e_k·(∂p_k+1/∂u - ∂p_k/∂u)                                        (2)  only joints between the two links
    L' = ∂L/∂u u,   moment arms r = -∂L/∂u                                     (3)
    τ = r F                                                                    (4)  so that F L' = -τ·u

In (2), joint j moves the point p of a link that it carries by l + w × (p - p_j) (`algorithms/jacobians.py` (1)). The
tension F grows with L'. Its implicit part over a step (`drive.py` (2)) is damping; the diagonal

    d_k = ∂F/∂L' |r_k| Σ_j |r_j|                                               (5)

is at least ∂F/∂L' r rᵀ as a quadratic form, so steps are stable for stiff muscles and light links.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import cross
from anthropi.algebra.scalar import absolute, clip, sqrt
from anthropi.algorithms.jacobians import columns, moving_joints
from anthropi.algorithms.kinematics import point_position
from anthropi.contact.vectors import dot
from anthropi.errors import InputError, ShapeError
from anthropi.simulation.actuators.muscle import Muscle, activation_after, tension
from anthropi.simulation.drive import Drive
from anthropi.simulation.memory import READING
from anthropi.simulation.options import finite_array
from anthropi.simulation.sensors.sensor import place_on

__all__ = ["Muscles", "PathGeometry", "path_geometry"]

NUMBERS = ("max_force", "optimal_length", "slack_length")
RESTING = 0.01  # activation and excitation of a muscle at rest


class PathGeometry(NamedTuple):
    """Length L [m] of a path, and its moment arms r (nu,) [m], or without unit for slides (3)."""

    length: Any
    arms: Any


def path_geometry(figure: Any, k: Any, q: Any, path: Any) -> PathGeometry:
    """Return length and moment arms of a path of straight segments, (1)-(3).

    k : kinematics of the figure at q (nq,). path : points as in `Muscle`.
    """
    places = [(-1, np.asarray(p[1])) if p[0] == "" else place_on(figure, p) for p in path]
    points = [s if i < 0 else point_position(k, i, s) for i, s in places]
    carrying = [[] if i < 0 else moving_joints(figure, i) for i, _ in places]
    length, arms, known = 0.0, [0.0] * figure.nu, dict[int, Any]()
    for n in range(len(points) - 1):
        gap = points[n + 1] - points[n]
        size = sqrt(dot(gap, gap))
        e, length = gap / size, length + size  # (1)
        here, there = carrying[n], carrying[n + 1]
        for joints, others, p, sign in ((there, here, points[n + 1], -1.0), (here, there, points[n], 1.0)):
            for j in (j for j in joints if j not in others):
                w, l = known[j] if j in known else known.setdefault(j, columns(figure, k, q, j))
                moment = cross(p - k.position[j], e)
                for d, of in enumerate(range(figure.u_of[j].start, figure.u_of[j].stop)):
                    arms[of] = arms[of] + sign * (dot(e, l[d]) + dot(moment, w[d]))  # (2), (3)
    return PathGeometry(length, np.array(arms))


@dataclass(eq=False)
class Muscles:
    """Controller: muscles that act on a figure. Excitations are given; activations are its memory.

    Attributes
    ----------
    figure : the figure.
    muscles : the n muscles.
    excitation : (n,) numbers from 0 to 1, which are a parameter; or a function (figure, sense) → (n,), which may use
        `sense.readings`; or None for `sense.command`. Values outside are limited to 0 and 1.
    activation : at the start, one number or (n,).

    max_force, optimal_length and slack_length (n,) are parameters. Motions record the channels "sensor.activation",
    "sensor.tension" [N] and "sensor.length" [m], (frames, n), at the start of the step that ends at the frame.
    """

    figure: Any
    muscles: tuple[Muscle, ...]
    excitation: Any = None
    activation: Any = RESTING
    prescribed: tuple[str, ...] = field(init=False, default=())
    parameters: dict[str, Any] = field(init=False, default_factory=dict)
    memory: dict[str, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.muscles = tuple(self.muscles)
        n = len(self.muscles)
        names = [m.name for m in self.muscles]
        if not n or len(set(names)) < n:
            raise InputError(f"Give muscles with different names; got: {', '.join(names) or 'none'}.")
        for muscle in self.muscles:
            for point in muscle.path:
                if isinstance(point, str) or point[0] != "":
                    place_on(self.figure, point)
        self.parameters = {name: np.array([float(getattr(m, name)) for m in self.muscles]) for name in NUMBERS}
        if self.excitation is not None and not callable(self.excitation):
            given = finite_array("excitation", self.excitation, None)
            self.parameters["excitation"] = np.array(np.broadcast_to(given, (n,)))
        start = np.array(np.broadcast_to(finite_array("activation", self.activation, None), (n,)))
        if (start < 0.0).any() or (start > 1.0).any():
            raise InputError(f"activation={self.activation!r} is not valid. Give numbers from 0 to 1.")
        self.memory = {"activation": start} | {
            f"{READING}.{name}": np.zeros(n) for name in ("activation", "length", "tension")
        }

    def __call__(self, figure: Any, sense: Any, memory: Any, parameters: Any) -> Any:
        """Return the drive of all muscles and the memory."""
        e, a = clip(self._excitations(figure, sense, parameters), 0.0, 1.0), memory["activation"]
        tau: Any = np.zeros(figure.nu)
        damping: Any = np.zeros(figure.nu)
        lengths, forces, after = [], [], []
        for i, muscle in enumerate(self.muscles):
            length, arms = path_geometry(figure, sense.kinematics, sense.q, muscle.path)
            numbers = {name: parameters[name][i] for name in NUMBERS}
            F, slope = tension(muscle, a[i], length, -dot(arms, sense.u), numbers)  # (3)
            tau = tau + arms * F  # (4)
            sizes = np.array([absolute(x) for x in arms])
            damping = damping + slope * sizes * sum(sizes)  # (5)
            lengths.append(length)
            forces.append(F)
            after.append(a[i] if sense.dt is None else activation_after(muscle, a[i], e[i], sense.dt))
        kept = {"activation": a, "length": np.array(lengths), "tension": np.array(forces)}
        return Drive(tau=tau, damping=damping), {"activation": np.array(after)} | {
            f"{READING}.{name}": x for name, x in kept.items()
        }

    def _excitations(self, figure: Any, sense: Any, parameters: Any) -> Any:
        """Return the excitations (n,)."""
        if "excitation" in parameters:
            return parameters["excitation"]
        found = np.asarray(sense.command if self.excitation is None else self.excitation(figure, sense))
        if found.shape != (len(self.muscles),):
            raise ShapeError(
                f"The excitations have shape {found.shape}. Give {(len(self.muscles),)}, one for each of "
                f"{', '.join(m.name for m in self.muscles)}."
            )
        return found
