"""A keyframed throw: splines drive the arm, and the ball is released at the best instant.

The ball is attached to the hand by a joint with six degrees of freedom, driven until the release and free afterwards
(without contact). Writes out/throw.png, and out/throw.html, a page that plays the throw.
"""

import numpy as np
from _charts import pitch
from _figures import flight, pitcher

import anthropi as ap
from anthropi.motion import Keyframes, configuration, driven

DT = 1e-3  # [s]
JOINTS = "thoracic.z lumbar.y r_shoulder.y r_elbow.flexion r_wrist.flexion l_shoulder.y l_elbow.flexion".split()
POSES = {  # time [s]: the joints above [deg]
    0.0: (0, 0, 0, 5, 0, 0, 5),
    0.45: (-15, -8, -95, 90, 0, -40, 30),
    0.8: (-28, -22, -168, 100, -30, -85, 10),
    0.95: (0, 2, -158, 55, 0, -50, 40),
    1.03: (22, 20, -85, 25, 25, 10, 70),
    1.5: (8, 10, -15, 15, 0, 10, 25),
}
FIGURE, STAND = pitcher()
KEYS = {t: configuration(FIGURE, dict(zip(JOINTS, np.deg2rad(row), strict=True)), STAND) for t, row in POSES.items()}


def throw(keys, release, span):
    """Return the motion: the hand releases the ball at `release` [s], and the ball flies for `span` [s]."""
    held = ap.simulate(FIGURE, **driven(FIGURE, keys), steps=round(release / DT), dt=DT)
    led = {name: path for name, path in zip(keys.joints, keys.paths.values(), strict=True) if name != "grip"}
    rest = driven(FIGURE, led, held.q[-1], held.u[-1], start=release, gains=(1e4, 200.0))
    return held.then(ap.simulate(FIGURE, **rest, steps=int(span / DT), dt=DT))


def check(keys, motion, release, landing):
    after, led = motion.slice(release), [k for k, dof in enumerate(FIGURE.dofs) if not dof.startswith("grip")]
    found, t = ap.kinematics(FIGURE, after.q, after.u).link("ball"), after.time - release
    parabola = found.position[0] + np.outer(t, found.velocity[0]) + np.outer(0.5 * t * t, FIGURE.gravity)
    assert np.abs(found.position - parabola).max() < 5e-6  # [m], integrated relative to a hand that moves fast
    assert abs(found.position[-1, 0] - landing) < 0.02 and landing > 11.0
    off = FIGURE.difference(motion.q, keys.motion(motion.time).q)[:, led]
    assert np.abs(off).max() < 1e-4, "joints follow the keys"


if __name__ == "__main__":
    keys = Keyframes(FIGURE, KEYS, ends="clamped")
    times = DT * np.arange(800, 1050)
    flights = [flight(ap.kinematics(FIGURE, *keys(t)[:2]).link("ball")) for t in times]
    release, (landing, span) = max(zip(times, flights, strict=True), key=lambda found: found[1][0])
    motion = throw(keys, release, span)
    check(keys, motion, release, landing)
    pitch("out/throw.png", motion, release)
    words = f"Let go after {release:.3f} s, the ball lands {landing:.1f} m away; a hundredth later or sooner, nearer."
    motion.export("out/throw.html", title="A throw", caption=words, view=(-70, 10), speed=0.25)
