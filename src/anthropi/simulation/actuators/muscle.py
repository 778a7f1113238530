"""Hill-type muscle with a rigid tendon: activation, force–length, force–velocity and passive curves, pennation.

Source of the curves: F. De Groote, A. L. Kinney, A. V. Rao, B. J. Fregly, Evaluation of direct collocation optimal
control problem formulations for solving the muscle redundancy problem, Ann. Biomed. Eng. 44 (2016) 2922–2936, with the
coefficients of OpenSim's DeGrooteFregly2016Muscle, which make f_L(1) = 1, f_V(0) = 1 and f_V(-1) = 0. Lengths are in
optimal fibre lengths l_o, speeds v in largest shortening speeds v_max l_o, negative while the fibre shortens:

    f_L(l) = Σ b1 exp(-½ (l - b2)² / (b3 + b4 l)²)                             (1)  three terms
    f_P(l) = (exp(k_P (l - 1) / e₀) - 1) / (exp(k_P) - 1),   0 for l < 1       (2)  k_P = 4, e₀ = 0.6
    f_V(v) = d1 ln(d2 v + d3 + √((d2 v + d3)² + 1)) + d4,   at least 0         (3)

For l ≥ 1, (2) is the formula of the source. For l < 1 it is 0, so that a fibre does not push. The force along the
tendon, with the length L of the muscle with its tendon, the slack length L_s of the tendon, and pennation α (α₀ at l =
1) at constant thickness,

    l_o l cos α = max(L - L_s, 0),   l_o l sin α = l_o sin α₀                  (4)
    v = L' cos α / (v_max l_o)                                                 (5)
    F = F_max (a f_L f_V + f_P) cos α                                          (6)
    ∂F/∂L' = F_max a f_L f_V' cos² α / (v_max l_o)                            (7)

The activation a follows the excitation e (0 to 1) with time constants T_a = 15 ms and T_d = 60 ms, smoothly between
both (b = 0.1):

    a' = r (e - a),   r = (f + ½) / (T_a (½ + 3/2 a)) + (½ + 3/2 a) (½ - f) / T_d,   f = ½ tanh(b (e - a))   (8)
    a ← a + (1 - exp(-r h)) (e - a)                                            (9)  over a step h; stays in [0, 1]
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra.scalar import exp, less, log, maximum, sqrt, where
from anthropi.errors import InputError

__all__ = [
    "Muscle",
    "activation_after",
    "active_force_length",
    "force_velocity",
    "passive_force_length",
    "tension",
]

LENGTH_TERMS = (  # b1, b2, b3, b4 of (1)
    (0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465),
    (0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188),
    (0.1, 1.0, 0.353553390593274, 0.0),
)
K_P, E_0 = 4.0, 0.6  # (2)
D1, D2, D3, D4 = -0.3211346127989808, -8.149, -0.374, 0.8825327733249912  # (3)
SMOOTHING = 0.1  # b of (8)
MIN_FIBRE_LENGTH = 0.2  # [l_o] smallest fibre length in (1), where f_L is below 0.01


@dataclass(frozen=True, eq=False)
class Muscle:
    """A muscle with a rigid tendon along a path of straight segments.

    Attributes
    ----------
    path : points from origin to insertion: names of markers, or pairs (link, point (3,) [m] in its frame); the link ""
        is the world.
    max_force : F_max [N], largest isometric force.
    optimal_length : l_o [m], fibre length of the largest force.
    slack_length : L_s [m], length of the tendon.
    pennation : α₀ [rad] at the optimal length.
    max_speed : v_max [l_o/s], largest speed of shortening.
    activation_time, deactivation_time : T_a, T_d [s].
    """

    name: str
    path: tuple[Any, ...]
    max_force: float
    optimal_length: float
    slack_length: float
    pennation: float = 0.0
    max_speed: float = 10.0
    activation_time: float = 0.015
    deactivation_time: float = 0.060

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", tuple(self.path))
        if len(self.path) < 2:
            raise InputError(f"The path of muscle '{self.name}' has {len(self.path)} points. Give at least two.")
        for name in ("max_force", "optimal_length", "max_speed", "activation_time", "deactivation_time"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise InputError(f"{name} of muscle '{self.name}' is {getattr(self, name)!r}. Give a number above 0.")
        if not 0.0 <= self.slack_length < np.inf or not 0.0 <= self.pennation < 0.5 * np.pi:
            raise InputError(
                f"Muscle '{self.name}' has slack_length {self.slack_length!r} m and pennation {self.pennation!r} rad. "
                "Give a length of at least 0, and an angle from 0 to below π/2."
            )


def active_force_length(length: Any) -> Any:
    """Return f_L, the isometric force of a fully active fibre of a length [l_o], as a share of F_max (1)."""
    l, total = maximum(length, MIN_FIBRE_LENGTH), 0.0
    for b1, b2, b3, b4 in LENGTH_TERMS:
        x = (l - b2) / (b3 + b4 * l)
        total = total + b1 * exp(-0.5 * x * x)
    return total


def passive_force_length(length: Any) -> Any:
    """Return f_P, the force of a passive fibre of a length [l_o], as a share of F_max (2)."""
    return maximum((exp(K_P * (length - 1.0) / E_0) - 1.0) / np.expm1(K_P), 0.0)


def force_velocity(speed: Any) -> Any:
    """Return f_V, the force at a speed [v_max l_o], negative for shortening, as a share of the isometric force (3)."""
    return maximum(_force_velocity(speed)[0], 0.0)


def _force_velocity(speed: Any) -> tuple[Any, Any]:
    """Return f_V of (3), not limited to 0, and its derivative."""
    x = D2 * speed + D3
    root = sqrt(x * x + 1.0)
    size = where(less(x, 0.0), -x, x)  # ln(x + √(x² + 1)) is odd; this form does not cancel
    return D1 * where(less(x, 0.0), -1.0, 1.0) * log(size + root) + D4, D1 * D2 / root


def tension(muscle: Muscle, activation: Any, length: Any, speed: Any, numbers: Any = None) -> tuple[Any, Any]:
    """Return the force F along the tendon [N] and its derivative ∂F/∂L' [N s/m], (4)-(7).

    activation : a, from 0 to 1. length, speed : L [m] and L' [m/s] of the muscle with its tendon.
    numbers : {"max_force", "optimal_length", "slack_length"}, values that replace those of the muscle.
    """
    own = {name: getattr(muscle, name) for name in ("max_force", "optimal_length", "slack_length")} | (numbers or {})
    F_max, l_o = own["max_force"], own["optimal_length"]
    along = maximum(length - own["slack_length"], 0.0) / l_o  # l cos α
    l, cosine = along, 1.0
    if muscle.pennation:
        l = sqrt(along * along + np.sin(muscle.pennation) ** 2)  # (4)
        cosine = along / l
    v = speed * cosine / (muscle.max_speed * l_o)  # (5)
    raw, slope = _force_velocity(v)
    active = F_max * activation * active_force_length(l) * cosine
    F = active * maximum(raw, 0.0) + F_max * passive_force_length(l) * cosine  # (6)
    return F, where(less(0.0, raw), active * slope * cosine / (muscle.max_speed * l_o), 0.0)  # (7)


def activation_after(muscle: Muscle, activation: Any, excitation: Any, h: Any) -> Any:
    """Return the activation after a step of h [s] at a constant excitation (0 to 1), (8) and (9)."""
    f = 0.5 - 1.0 / (exp(2.0 * SMOOTHING * (excitation - activation)) + 1.0)  # ½ tanh x = ½ - 1 / (exp(2 x) + 1)
    width = 0.5 + 1.5 * activation
    r = (f + 0.5) / (muscle.activation_time * width) + width * (0.5 - f) / muscle.deactivation_time  # (8)
    return activation + (1.0 - exp(-r * h)) * (excitation - activation)  # (9)
