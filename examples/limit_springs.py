"""Springs at joint limits: figures 8.2, 8.3a and 8.3b of the thesis.

Linear, exponential and power springs act over a zone of π/8 before each limit, and only towards the limit (the gate of
the thesis): compression at the lower end, tension at the upper one. Writes out/limit_springs.png.
"""

import numpy as np
from _limits import thesis

from anthropi.contact.limits import Exponential, Linear, Power, limit_force, zone_width

LOW, HIGH = np.deg2rad([-60.0, 80.0])
W = zone_width(np.pi / 8, 0.5, HIGH - LOW)
END = 30.0  # [N m] moment of all springs at the limit
LAWS = {
    "linear": Linear(END / W),
    "exponential, c = 8": Exponential(END / np.expm1(8.0 * W), 8.0),
    "power, n = 2": Power(END / W**2, 2.0),
    "power, n = 3": Power(END / W**3, 3.0),
}


def moment(law, x, speed):
    """Return the moment of a spring: +f at the lower limit, -f at the upper one."""
    below = limit_force(law, x - LOW, speed, W, "direction").force
    return below - limit_force(law, HIGH - x, -speed, W, "direction").force


def check(x, torques):
    for name, law in LAWS.items():
        down, up = torques["decreasing"][name], torques["increasing"][name]
        assert (down[x > LOW + W] == 0.0).all() and (up[x < HIGH - W] == 0.0).all()
        assert np.isclose(down[0], END) and np.isclose(up[-1], -END)
        value, slope = law.force(1e-9)
        smooth = name.startswith("power")
        assert value < 1e-6 and (slope < 1e-3 * END if smooth else slope > 1.0), "only powers start smoothly"


if __name__ == "__main__":
    x, d = np.linspace(LOW, HIGH, 701), np.linspace(0.0, W, 200)
    sides = {"decreasing": -1.0, "increasing": 1.0}
    torques = {side: {name: moment(law, x, v) for name, law in LAWS.items()} for side, v in sides.items()}
    check(x, torques)
    laws = {name: (d, law.force(d)[0]) for name, law in LAWS.items()}
    thesis("out/limit_springs.png", x, laws, torques, [(LOW, LOW + W), (HIGH - W, HIGH)])
