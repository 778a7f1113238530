"""The stored motion that HIDDS is measured on: the six joints of `floating_arm6` for 2 s, as Fourier series.

Each joint is x = m + c cos(w t) + s sin(w t), 0.39 to 0.53 rad to each side, with a period of 1.5 to 1.8 s. It is a
definition, not a file, so that positions, velocities and accelerations are exact at any time. The root is left where
the neutral state of the figure has it: nothing holds it, and HIDDS says how it moves (thesis 9.13).
"""

import numpy as np

from anthropi.figure.samples import sample
from anthropi.motion import Fourier, Motion

__all__ = ["COURSES", "arm_motion"]

COURSES = {  # joint: period [s], mean m, cosine c, sine s [rad]
    "shoulder_yaw": (1.5, 1.0, -0.41, -0.19),
    "shoulder_pitch": (1.7, 0.6, 0.31, 0.24),
    "elbow": (1.8, 0.5, -0.43, 0.30),
    "wrist_roll": (1.5, 0.9, -0.38, 0.14),
    "wrist_pitch": (1.7, 0.1, 0.27, 0.36),
    "flange": (1.7, -0.1, 0.41, 0.11),
}


def arm_motion(duration: float = 2.0, rate: float = 120.0) -> Motion:
    """The arm's motion, `rate` frames a second, with exact u and channel "udot"."""
    figure = sample("floating_arm6")
    time = np.arange(round(duration * rate) + 1) / rate
    q, u = np.tile(figure.neutral(), (len(time), 1)), np.zeros((len(time), figure.nu))
    udot = np.zeros_like(u)
    for name, (period, mean, cosine, sine) in COURSES.items():
        i = figure.joint_index(name)
        course = Fourier(period, mean, (cosine,), (sine,))(time)
        q[:, figure.q_of[i].start], u[:, figure.u_of[i].start], udot[:, figure.u_of[i].start] = course
    return Motion(figure, time, q, u, {"udot": udot}, metadata={"made": "arm_motion"})
