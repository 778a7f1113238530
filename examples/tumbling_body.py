"""A tumbling wing nut by three integration methods: conservation of energy and momentum.

Rotation about the middle axis is unstable (Dzhanibekov's effect). A thousand rollouts with slightly different rates run
in one kernel. Writes out/tumbling_body.png.
"""

import numpy as np
from _charts import tumbling

import anthropi as ap
from anthropi import rotation as rot

INERTIA, DT, STEPS = np.array([1.0, 2.0, 3.0]), 0.02, 5000  # [kg m²], [s]


def rate(x):
    """Return q' = ½ q ⊗ ω and ω' of I ω' = -ω × I ω in body axes; x = (q, ω)."""
    q, w = x[:4], x[4:]
    return np.concatenate(
        [rot.quaternion_rate_from_angular_velocity(q, w, "local"), -np.cross(w, INERTIA * w) / INERTIA]
    )


def euler(x):
    return x + DT * rate(x)


def runge_kutta(x):
    k2 = rate(x + DT / 2 * (k1 := rate(x)))
    k3 = rate(x + DT / 2 * k2)
    return x + DT / 6 * (k1 + 2 * k2 + 2 * k3 + rate(x + DT * k3))


def lie_midpoint(x):
    """Rotate axes and momentum by the same rotation: I ω⁺ = exp(-Ω dt) I ω, Ω = (ω + ω⁺)/2."""
    q, w = x[:4], x[4:]
    after = ap.repeat(lambda a: rot.rotate(rot.exp(-DT / 2 * (w + a)), INERTIA * w) / INERTIA, w, 10)
    return np.concatenate([rot.product(q, rot.quaternion_from_rotation_vector(DT / 2 * (w + after))), after])


def tumble(method):
    """Return the path of the first body's axis, and the largest change of momentum among all bodies, over time."""
    kernel = ap.build(ap.record(lambda x: ap.repeat(method, x, STEPS, every=5)[1], x=np.zeros(7)))
    spins = np.array([0.01, 2.0, 0.0]) + 1e-3 * np.random.default_rng(0).normal(size=(1000, 3))
    path = kernel(np.hstack([np.tile([1.0, 0.0, 0.0, 0.0], (1000, 1)), spins]))
    q = path[..., :4] / np.linalg.norm(path[..., :4], axis=-1, keepdims=True)
    momentum = rot.rotate(q, INERTIA * path[..., 4:])
    return rot.rotate(q[0], np.array([0.0, 1.0, 0.0])), np.linalg.norm(momentum - momentum[:, :1], axis=-1).max(0)


def check(drift):  # expected drift: rounding, fourth order, first order
    assert drift["lie_midpoint"][-1] < 1e-11 < drift["runge_kutta"][-1] < 1e-6 < drift["euler"][-1]


if __name__ == "__main__":
    runs = {method.__name__: tumble(method) for method in (euler, runge_kutta, lie_midpoint)}
    check({name: drift for name, (_, drift) in runs.items()})
    tumbling("out/tumbling_body.png", runs, 5 * DT)
