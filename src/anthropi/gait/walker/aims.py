"""Where are limbs aimed, over a cycle? Fourier series of joint coordinates, for one side and the middle of the body.

    x(φ) = a₀ + Σ a_n cos 2π n φ + b_n sin 2π n φ,   n = 1 … 6                 (1)
    the right side: x(φ + ½), turns of balls about x and z the other way       (2)

Cosine and sine of n (φ + ½) are (-1)ⁿ those of n φ. Coefficients are rows (13,), kernel inputs like every parameter;
`aims_of` fits them to a motion. All but the fit records.
"""

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.scalar import cos, sin

__all__ = ["HARMONICS", "MIDDLE", "SIDED", "aims_of", "basis", "on_both_sides", "value"]

HARMONICS = 6
SIDED = ("clavicle", "shoulder", "elbow", "wrist", "hip", "knee", "ankle", "toe")
MIDDLE = ("lumbar", "thoracic", "neck", "head")
MIRROR = np.array([-1.0, 1.0, -1.0])  # of a ball's coordinates
TURNED = np.array([1.0, *((-1.0) ** n for n in range(1, HARMONICS + 1) for _ in "cs")])  # (2)


def basis(phase, harmonics: int = HARMONICS):
    """1, and cosine and sine of each harmonic at a phase [cycles] (1 + 2 harmonics,)."""
    angle = 2.0 * np.pi * phase
    c, s = cos(angle), sin(angle)
    rows = [(c, s)]
    for _ in range(harmonics - 1):
        a, b = rows[-1]
        rows.append((a * c - b * s, b * c + a * s))
    return np.array([1.0, *(x for row in rows for x in row)])


def value(coefficients, own):
    """(1) for coefficients (k, 13) and a basis (13,): (k,)."""
    return np.array([(row * own).sum() for row in coefficients])


def on_both_sides(coefficients, own):
    """Left and right (k,) (2)."""
    left, right = value(coefficients, own), value(coefficients, own * TURNED)
    return left, right * MIRROR if len(coefficients) == 3 else right


def aims_of(motion, strike: float, cycle: float) -> dict[str, np.ndarray]:
    """{"side.hip": (3, 13), …, "middle.head": …, "pelvis": …} of a cycle from a left strike on. Floats only."""
    figure, phase = motion.figure, (motion.time - strike) / cycle
    here = (phase > -1e-9) & (phase < 1.0 - 1e-9)
    wave = 2.0 * np.pi * np.outer(phase[here], np.arange(1, HARMONICS + 1))
    A = np.concatenate(
        [np.ones((here.sum(), 1)), np.stack([np.cos(wave), np.sin(wave)], -1).reshape(here.sum(), -1)], 1
    )

    def fitted(rows):
        return np.linalg.lstsq(A, rows, rcond=None)[0].T

    def of(name):
        i = figure.joint_index(name)
        return fitted(np.array([figure.joints[i].coordinates(q[figure.q_of[i]]) for q in motion.q[here]]))

    found = {f"side.{name}": of(f"l_{name}") for name in SIDED} | {f"middle.{name}": of(name) for name in MIDDLE}
    return found | {"pelvis": fitted(rot.rotation_vector_from_quaternion(motion.q[here][:, 3:7]))}
