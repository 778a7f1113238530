"""How does a foot roll over its print? Heel rocker, flat, forefoot rocker: where its ankle is. Floats only.

In the plane of walking, x forward from the print (under the ankle when the foot is flat), with the sole's pitch φ (up
with the toes), the heel h behind, the toe joint b ahead of the ankle and d above the sole, the ankle e above it:

    φ > 0   about the heel:        A = (-h + h cos φ - e sin φ,            h sin φ + e cos φ)                  (1)
    φ < 0   about the toe joint:   A = ( b - b cos φ - (e - d) sin φ,  d - b sin φ + (e - d) cos φ)            (2)

Both are the same at φ = 0, where a flat foot rests. The load goes from the heel to the ball while the foot is
flat, from phase s_f to s_r of stance:

    c = -h + (h + b) w((s - s_f) / (s_r - s_f)),   w from 0 to 1, C²                               (3)
"""

from dataclasses import dataclass

import numpy as np

__all__ = ["Foot", "smooth"]

FLAT, RISING = 0.05, 0.55  # (3): of stance; pressure passes the ankle early and stays under the ball


def smooth(s):
    """From 0 to 1 with two derivatives 0 at both ends."""
    s = np.clip(s, 0.0, 1.0)
    return s * s * s * (10.0 + s * (6.0 * s - 15.0))


@dataclass(frozen=True)
class Foot:
    """heel h behind, toe joint b ahead of the ankle, ankle e and toe joint d above the sole [m]."""

    heel: float
    ball: float
    ankle: float
    pad: float

    def ankle_at(self, pitch) -> np.ndarray:
        """(1), (2): the ankle (n, 2), x and z, from the print, of a foot that stands at a pitch (n,)."""
        pitch = np.asarray(pitch, float)
        c, s = np.cos(pitch), np.sin(pitch)
        arm, pad = np.where(pitch > 0.0, self.heel, -self.ball), np.where(pitch > 0.0, 0.0, self.pad)
        return np.stack([arm * (c - 1.0) - (self.ankle - pad) * s, pad + arm * s + (self.ankle - pad) * c], -1)

    def below(self, pitch) -> np.ndarray:
        """How far the lower of heel and ball is below the ankle (n,) [m], toes level."""
        c, s = np.cos(pitch), np.sin(pitch)
        heel, ball = self.ankle * c + self.heel * s, self.pad + (self.ankle - self.pad) * c - self.ball * s
        return np.maximum(heel, ball)

    def load_at(self, stance) -> np.ndarray:
        """(3): where the load is, x from the print (n,) [m]; stance : from strike 0 to off 1."""
        return -self.heel + (self.heel + self.ball) * smooth((stance - FLAT) / (RISING - FLAT))
