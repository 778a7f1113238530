"""Initial parameters of a search: the reference gait at several speeds, as polynomials of the speed.

    p(v) = a + x b + x² c,   x = (v - 1.3) / 0.5                                                                  (1)

All functions work on plain floats only; they cannot be recorded on a tape.
"""

from typing import Any

import numpy as np

from anthropi.entry import centre_of_mass, kinematics
from anthropi.figure.figure import Figure
from anthropi.gait.reference.gait_angles import leg_length
from anthropi.gait.reference.norms import curve, dimensionless
from anthropi.gait.reference.reference_gait import reference_gait
from anthropi.gait.walker.joint_targets import SIDED, joint_targets_of
from anthropi.gait.walker.observation import MIDDLE_SPEED, SPEED_SPAN

__all__ = ["GAINS", "RUN", "beginning", "over_speeds", "references", "running"]

SPEEDS = (0.7, 0.85, 1.05, 1.3, 1.55, 1.8)  # [m/s]
SPEED_WEIGHTS = (1.0, 2.0, 2.0, 6.0, 2.0, 2.0)
HARMONICS = 12  # harmonics of the ground forces
GAINS: dict[Any, Any] = {  # initial values of the parameters that the reference gait does not give
    "forward": [0.3, 0.15, 0.0, 0.0], "sideways": [0.5, 0.2, 0.0, 0.0], "upright": [900.0, 90.0], "hip": 400.0,
    "knee": 400.0, "ankle": 300.0, "push": 0.0, "push_from": 0.38, "reach": 0.0, "spread": 0.0, "tilt": 0.0,
    "lean": 0.0, "bend": 0.0, "point": 0.0, "arms": 1.0, "yield": [0.0, 0.0], "roll": [0.0, 0.0], "sway": [0.0, 0.0],
    "hurry": [0.0, 0.0, 0.0, 0.0], "release": 0.1, "lift": 0.0, "balance": [0.045, 2.0, 0.6], "hold": [0.6, 0.3],
    "shift": [0.03, 0.08, 0.5, 0.15, 0.4], "slow": [0.0, 0.6, 0.0, 0.3, 0.08], "pad": [0.0, 0.0],
    "land": [0.0, 0.0, 0.0], "soft": [0.1, 0.1], "bank": 1.0, "airborne": 0.0, "asymmetry": 0.0, "strongest": 250.0,
    "brake": 1.5, "toe": 60.0, "climb": [0.0, 0.7, 0.0, 0.3],
}  # fmt: skip
STANDING_POSTURE = {
    "knee": [0.12],
    "hip": [0.0, -0.09, 0.0],
    "ankle": [0.06, 0.0],
    "elbow": [0.25, 0.0],
    "shoulder": [0.08, 0.0, 0.0],
}


LOADED_FLEXION = (0.1, 0.16)  # [rad], flexion of knee and ankle under one body weight
RUN: dict[Any, Any] = GAINS | {
    "knee": 800.0,
    "ankle": 500.0,
    "hip": 600.0,
    "upright": [1200.0, 100.0],
    "release": 0.05,
    "airborne": 1.0,
    "strongest": 400.0,
}


def running(figure: Figure, speed: float = 3.0) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Initial parameters and reference for a run at one speed [m/s], as `beginning` returns them for walking.

    Slopes and curvatures over the speed are 0.
    """
    found = _reference(figure, speed, "run")
    reference = {name: np.stack([x, 0.0 * x, 0.0 * x]) for name, x in found.items()}
    p = _with_gains(reference, RUN)
    bears = found["grf"][0, :13] / found["grf"][0, 0] * 0.5  # approximate load of a leg, divided by the weight
    p["side.knee"][0, 0] -= LOADED_FLEXION[0] * bears  # target beyond the reference, so that springs carry the body
    p["side.ankle"][0, 0] -= LOADED_FLEXION[1] * bears
    return p, reference


def _pulses(duty: float) -> np.ndarray:
    """Fourier series (2, n) of the ground forces of a run, upwards and forwards, divided by the weight.

    The upward force is half a sine over the stance, the forward force a whole sine. The stance is the fraction `duty`
    of the cycle. Over a cycle a foot bears half the weight on average, so the largest force is π / (4 duty).
    """
    phase = np.arange(512) / 512.0
    inside = phase < duty
    up = np.where(inside, np.pi / (4.0 * duty) * np.sin(np.pi * phase / duty), 0.0)
    ahead = np.where(inside, -0.25 * np.sin(2.0 * np.pi * phase / duty), 0.0)
    waves = [np.ones(512)] + [w(2.0 * np.pi * n * phase) for n in range(1, HARMONICS + 1) for w in (np.cos, np.sin)]
    return np.stack(
        [np.array([(x * wave).mean() * (1.0 if k == 0 else 2.0) for k, wave in enumerate(waves)]) for x in (up, ahead)]
    )


def references(figure: Figure) -> list[dict[Any, Any]]:
    """Joint targets, path of the centre of mass, step time and ground forces of the reference gait at each speed."""
    return [_reference(figure, speed) for speed in SPEEDS]


def _reference(figure: Figure, speed: float, kind: str = "walk") -> dict[Any, Any]:
    """Joint targets, path, step time and ground forces of the reference gait at one speed [m/s]."""
    gait = reference_gait(figure, speed=speed, kind=kind, steps=3, rate=200, smooth=3.0)
    strikes = [event.time for event in gait.events if event.what == "strike"]
    step = strikes[1] - strikes[0]
    found = joint_targets_of(gait, strikes[0], 2.0 * step)
    s = (gait.time - strikes[0]) / step
    here = (s >= 0.0) & (s <= 1.0)
    G = centre_of_mass(figure, gait.q)[0]
    arm = G - np.asarray(kinematics(figure, gait.q).position)[:, figure.link_index("l_foot")]
    V = np.gradient(G, gait.time, axis=0)
    rows = (arm[here, 0], arm[here, 1], V[here, 0], V[here, 1])
    found["path"] = np.stack([np.polynomial.polynomial.polyfit(s[here], x, 4) for x in rows])
    found["step"] = np.array(step)
    found["off"] = np.array(
        2.0 * gait.metadata["stance_fraction"] - 1.0
    )  # progress of the step at which the other foot leaves the ground
    size = 1 + 2 * HARMONICS
    if kind == "run":
        found["grf"] = _pulses(gait.metadata["stance_fraction"])
    else:
        still = dimensionless(speed, leg_length(figure))
        found["grf"] = np.stack([curve(f"grf_{n}", still).mean_series[:size] for n in ("vertical", "forward")])
    found["start"] = np.concatenate([gait.q[0], gait.u[0]])
    return found


def over_speeds(found: list[dict[Any, Any]]) -> dict[str, np.ndarray]:
    """Fit polynomials of the speed (eq. 1) by weighted least squares: {name: (3, …)}."""
    x = (np.array(SPEEDS) - MIDDLE_SPEED) / SPEED_SPAN
    A = np.stack([np.ones_like(x), x, x * x], axis=1)
    w = np.sqrt(SPEED_WEIGHTS)[:, None]

    def fit(values: list[Any]) -> np.ndarray:
        flat = np.array(values).reshape(len(x), -1)
        return np.linalg.lstsq(w * A, w * flat, rcond=None)[0].reshape(3, *np.shape(values[0]))

    return {name: fit([one[name] for one in found]) for name in found[0]}


def beginning(figure: Figure) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Return the initial parameters of a `Walker` and the reference for its score, {name: (3, …)} each."""
    reference = over_speeds(references(figure))
    return _with_gains(reference, GAINS), reference


def _with_gains(reference: dict[Any, Any], gains: dict[Any, Any]) -> dict[str, np.ndarray]:
    """Add gains and the standing posture to the reference."""
    p = {name: x for name, x in reference.items() if name not in ("grf", "off", "start")}
    p["side.toe"] = 0.0 * p["side.toe"]  # straight, so that the toes bear load after the heel has left the ground
    for name, x in gains.items():
        p[name] = np.stack([np.asarray(x, float)] + [np.zeros_like(np.asarray(x, float))] * 2)
    for name in SIDED:
        still = np.asarray(STANDING_POSTURE.get(name, np.zeros(p[f"side.{name}"].shape[1])), float)
        p[f"stand.{name}"] = np.stack([still, 0.0 * still, 0.0 * still])
    return p
