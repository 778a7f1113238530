"""Human strength: largest voluntary joint moment by joint angle and speed.

Source: D. E. Anderson, M. L. Madigan, M. A. Nussbaum, Maximum voluntary joint torque as a function of joint angle and
angular velocity: model development and application to the lower limb, J. Biomech. 40 (2007) 3105–3113. With the joint
angle θ and the speed ω, both positive in the direction of flexion for flexors and measured so that ω > 0 shortens the
muscles, mass m, height h and g = 9.81 m/s²:

    isometric     T₀ = C1 m g h cos(C2 (θ - C3)),   0 where the cosine is negative                   (1)
    shortening    T = T₀ (2 C4 C5 + ω (C5 - 3 C4)) / (2 C4 C5 + ω (2 C5 - 4 C4)),   0 if negative    (2)
    lengthening   T = T₀ (the fraction of (2) at |ω|) (1 + C6 |ω|),   |ω| at most 60°/s              (3)

C4 and C5 are the speeds at which 75 % and 50 % of T₀ remain. Lengthening was measured at 60°/s only, so (3) is constant
beyond it. The passive moments of the source are not included; springs at joint limits take their place. The C of
`JOINT_STRENGTHS` are means of Table 3 of the source, as printed in RBDL (`Millard2016TorqueMuscle.cc`); the paper
itself was not read.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import absolute, clip, cos, less, maximum, minimum, pi, where
from anthropi.errors import InputError, did_you_mean

__all__ = ["JOINT_STRENGTHS", "JointStrength", "Strength", "human_strength"]

GRAVITY = 9.81  # [m/s²] in the scale of C1
MEASURED_LENGTHENING = pi / 3.0  # [rad/s] the only speed of lengthening that was measured


class JointStrength(NamedTuple):
    """C1 to C6 of (1)-(3): C1 without unit, C2 [1/rad], C3 [rad], C4 and C5 [rad/s], C6 [s/rad]."""

    c1: float
    c2: float
    c3: float
    c4: float
    c5: float
    c6: float

    def moment(self, angle: Any, speed: Any, scale: Any = 1.0) -> Any:
        """Return the largest moment: a share of m g h, or [N m] with scale = m g h, (1)-(3).

        angle : θ [rad]. speed : ω [rad/s], positive while the muscles shorten.
        """
        _, c2, c3, c4, c5, c6 = self
        phase = clip(c2 * (angle - c3), -0.5 * pi, 0.5 * pi)
        lengthens = less(speed, 0.0)
        w = where(lengthens, minimum(absolute(speed), MEASURED_LENGTHENING), speed)
        share = maximum((2.0 * c4 * c5 + w * (c5 - 3.0 * c4)) / (2.0 * c4 * c5 + w * (2.0 * c5 - 4.0 * c4)), 0.0)
        return scale * self.c1 * maximum(cos(phase), 0.0) * share * where(lengthens, 1.0 + c6 * w, 1.0)


AGES = ("18-25", "55-65", "over 65")
JOINT_STRENGTHS = {  # {movement: {(sex, age): C1 … C6}}, Table 3
    "hip extension": {
        ("m", "18-25"): JointStrength(0.161, 0.958, 0.932, 1.578, 3.190, 0.242),
        ("f", "18-25"): JointStrength(0.181, 0.697, 1.242, 1.567, 3.164, 0.164),
        ("m", "55-65"): JointStrength(0.171, 0.922, 1.176, 1.601, 3.236, 0.320),
        ("f", "55-65"): JointStrength(0.140, 0.830, 1.241, 1.444, 2.919, 0.317),
        ("m", "over 65"): JointStrength(0.144, 0.896, 1.125, 1.561, 3.152, 0.477),
        ("f", "over 65"): JointStrength(0.138, 0.707, 1.542, 1.613, 3.256, 0.360),
    },
    "hip flexion": {
        ("m", "18-25"): JointStrength(0.113, 0.738, -0.214, 2.095, 4.267, 0.218),
        ("f", "18-25"): JointStrength(0.127, 0.650, -0.350, 2.136, 4.349, 0.156),
        ("m", "55-65"): JointStrength(0.107, 0.712, -0.192, 2.038, 4.145, 0.206),
        ("f", "55-65"): JointStrength(0.091, 0.812, -0.196, 2.145, 4.366, 0.186),
        ("m", "over 65"): JointStrength(0.101, 0.762, -0.269, 1.875, 3.819, 0.296),
        ("f", "over 65"): JointStrength(0.081, 0.625, -0.422, 2.084, 4.245, 0.196),
    },
    "knee extension": {
        ("m", "18-25"): JointStrength(0.163, 1.258, 1.133, 1.517, 3.952, 0.095),
        ("f", "18-25"): JointStrength(0.159, 1.187, 1.274, 1.393, 3.623, 0.173),
        ("m", "55-65"): JointStrength(0.156, 1.225, 1.173, 1.518, 3.954, 0.266),
        ("f", "55-65"): JointStrength(0.128, 1.286, 1.141, 1.332, 3.469, 0.233),
        ("m", "over 65"): JointStrength(0.137, 1.310, 1.067, 1.141, 3.152, 0.386),
        ("f", "over 65"): JointStrength(0.124, 1.347, 1.140, 1.066, 2.855, 0.464),
    },
    "knee flexion": {
        ("m", "18-25"): JointStrength(0.087, 0.869, 0.522, 2.008, 5.233, 0.304),
        ("f", "18-25"): JointStrength(0.080, 0.873, 0.635, 1.698, 4.412, 0.175),
        ("m", "55-65"): JointStrength(0.081, 0.986, 0.523, 1.830, 4.777, 0.230),
        ("f", "55-65"): JointStrength(0.060, 0.967, 0.402, 1.693, 4.410, 0.349),
        ("m", "over 65"): JointStrength(0.069, 0.838, 0.437, 1.718, 4.476, 0.414),
        ("f", "over 65"): JointStrength(0.060, 0.897, 0.445, 1.121, 2.922, 0.389),
    },
    "plantar flexion": {
        ("m", "18-25"): JointStrength(0.095, 1.391, 0.408, 0.987, 3.558, 0.295),
        ("f", "18-25"): JointStrength(0.104, 1.399, 0.424, 0.862, 3.109, 0.189),
        ("m", "55-65"): JointStrength(0.114, 1.444, 0.551, 0.593, 2.128, 0.350),
        ("f", "55-65"): JointStrength(0.093, 1.504, 0.381, 0.860, 3.126, 0.349),
        ("m", "over 65"): JointStrength(0.106, 1.465, 0.498, 0.490, 1.767, 0.571),
        ("f", "over 65"): JointStrength(0.125, 1.299, 0.580, 0.587, 1.819, 0.348),
    },
    "dorsiflexion": {
        ("m", "18-25"): JointStrength(0.033, 1.510, -0.187, 0.699, 1.940, 0.828),
        ("f", "18-25"): JointStrength(0.027, 1.079, -0.302, 0.864, 2.399, 0.771),
        ("m", "55-65"): JointStrength(0.028, 1.293, -0.284, 0.634, 1.759, 0.999),
        ("f", "55-65"): JointStrength(0.024, 1.308, -0.254, 0.596, 1.654, 1.006),
        ("m", "over 65"): JointStrength(0.029, 1.419, -0.174, 0.561, 1.558, 1.198),
        ("f", "over 65"): JointStrength(0.022, 1.096, -0.369, 0.458, 1.242, 1.401),
    },
}
LEG_MOVEMENTS = {  # {dof of a leg of ap.human: (flexion, extension, direction of flexion)}
    "hip.y": ("hip flexion", "hip extension", -1.0),
    "knee": ("knee flexion", "knee extension", 1.0),
    "ankle.dorsiflexion": ("dorsiflexion", "plantar flexion", 1.0),
}


@dataclass(frozen=True)
class Strength:
    """Strength of a person at a degree of freedom, an actuator for `limited`, (1)-(3).

    Attributes
    ----------
    flexion, extension : C1 to C6 of the two movements.
    scale : m g h [N m]; mass and height of the person.
    sign : 1 if flexion is the positive direction of the degree of freedom, -1 otherwise.
    offset : [rad] angle θ at the neutral configuration.
    lag : T [s] of `limited.py` (3); 0 for none.
    """

    flexion: JointStrength
    extension: JointStrength
    scale: float
    sign: float = 1.0
    offset: float = 0.0
    lag: float = 0.0

    @property
    def numbers(self) -> dict[str, Any]:
        """Numbers {name: value} that become parameters of the controller."""
        return {"scale": self.scale} | ({"lag": self.lag} if self.lag else {})

    def limits(self, angle: Any, speed: Any, numbers: Mapping[str, Any]) -> tuple[Any, Any]:
        """Return the smallest and the largest moment [N m] at an angle [rad] and a speed [rad/s]."""
        theta, w = self.sign * angle + self.offset, self.sign * speed
        flexion = self.flexion.moment(theta, w, numbers["scale"])
        extension = self.extension.moment(theta, -w, numbers["scale"])
        return (-extension, flexion) if self.sign > 0.0 else (-flexion, extension)


def human_strength(mass: float, height: float, sex: str = "m", age: str = "18-25", lag: float = 0.0) -> dict[str, Any]:
    """Return {degree of freedom: `Strength`} of the hips, knees and ankles of `ap.human` (sagittal plane).

    Parameters
    ----------
    mass, height : [kg], [m] of the person.
    sex : "m" or "f". age : "18-25", "55-65" or "over 65".
    lag : [s] time constant of the activation; 0 for none.

    The angle of a hip is the component y of its rotation vector.
    """
    if sex not in ("m", "f") or age not in AGES:
        hint = did_you_mean(str(age), AGES)
        raise InputError(f"No strength of sex {sex!r}, age {age!r}.{hint} Sexes: m, f. Ages: {', '.join(AGES)}.")
    for name, value in (("mass", mass), ("height", height)):
        if not (isinstance(value, (int, float, np.number)) and 0.0 < value < np.inf):
            raise InputError(f"{name}={value!r} is not valid. Give a finite number above 0.")
    scale = mass * GRAVITY * height
    return {
        f"{side}_{dof}": Strength(
            JOINT_STRENGTHS[flexion][sex, age], JOINT_STRENGTHS[extension][sex, age], scale, sign, lag=lag
        )
        for side in "lr"
        for dof, (flexion, extension, sign) in LEG_MOVEMENTS.items()
    }
