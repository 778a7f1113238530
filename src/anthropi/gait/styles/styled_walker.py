"""Apply a style to the parameters of a walker: its joint curves over the phase and some of its gains.

The phase φ is 0 at the left strike, and curves are those of the left side (`gait/walker/joint_targets.py`). Flexion of
hips and shoulders is a rotation about -y, leaning forward about +y, leaning to the left about -x. T is the step time, p
the mean tilt of the pelvis and c the cadence. w(φ) is a smooth window within the cycle, 1 at its middle and 0 outside.

    time        T / c;  thigh in the world (x + p) / c;  path ahead / c;  its speed + drive                      (1)
    width       thighs out by width / 2 l;  path aside by width / 2                                              (2)
    trunk       lumbar and thoracic share the lean, 0.3 and 0.7;  neck and head share nod - lean                 (3)
    sway        trunk by -sway sin 2πφ about x, neck and head by the opposite angle                              (4)
    arms        waves of shoulder and elbow times `arms`; means by ahead, out, elbow                             (5)
    crouch b    knee + b, hip flexion + b/2, ankle + b/2: the sole stays level, the hip over the ankle           (6)
    bounce b    (6) by b w(0 … 0.3), and the ankle by -b w(0.45 … 0.7)                                           (7)
    swing knee  x + (k - 1) (x - straight line from φ = 0.4 to 1) after 0.4                                      (8)
    thigh       hip flexion and knee by lift w(0.5 … 0.85): the shank keeps its direction                        (9)
    foot        ankle + toes from foot off until flat;  before it by (push - 1) (x - x(0.45)) w(0.4 … 0.75)      (10)
    pelvis      waves about z of pelvis, spine, neck times `twist`; about x of pelvis and spine times `hips`     (11)
    springs     of hip, knee, ankle times `stiffness`                                                            (12)
    limp r      asymmetry a = (r - 1)/(r + 1): T (1 + a) on the left foot, T (1 - a) on the right; trunk over the
                foot with the shorter stance, by 2 |a|                                                           (13)

A row of a curve has 13 numbers. Parameters that depend on the speed have a first axis for the powers of the speed:
additions apply to the power 0 only, factors to all powers. Only parameters that are present are changed, except that
"asymmetry" is added if the style limps. All functions work on plain floats only; they cannot be recorded on a tape.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from anthropi.gait.styles.style import Style
from anthropi.gait.walker.joint_targets import HARMONICS, basis
from anthropi.gait.walker.parameters import REFERENCE_LEG, WalkerFile

__all__ = ["styled", "styled_walker"]

Parameters: TypeAlias = dict[str, np.ndarray]

SPINE = {"middle.lumbar": 0.3, "middle.thoracic": 0.7}  # (3)
NECK = {"middle.neck": 0.5, "middle.head": 0.5}
EXTENDED = 0.4  # [cycles], phase at which the knee is straight again (8)
OFF, FLAT = 0.62, 0.1  # [cycles], phases of foot off and foot flat (10)
LURCH = 2.0  # [rad], trunk lean per unit of asymmetry (13)
POINTS = np.arange(96) / 96.0
BASIS = np.array([basis(x) for x in POINTS])  # (96, 13)
FIT = BASIS.T * np.array([1.0, *[2.0] * (2 * HARMONICS)])[:, None] / len(POINTS)  # (13, 96)
WAVES = np.array([0.0, *[1.0] * (2 * HARMONICS)])
MEAN = 1.0 - WAVES
SINE = np.eye(2 * HARMONICS + 1)[2]


def styled(parameters: dict[str, Any], style: Style) -> dict[str, np.ndarray]:
    """Return the parameters {name: numbers} of a walker in a style. The given parameters are not changed."""
    p = {name: np.array(x, float) for name, x in parameters.items()}
    for change in (_time, _pelvis, _trunk, _arms, _feet, _legs, _limp):
        change(p, style)
    return p


def styled_walker(file: WalkerFile) -> Callable[[Style], WalkerFile]:
    """Return a function from a style to the parameter set of this walker in that style, for `perform`."""

    def walker_of(style: Style) -> WalkerFile:
        made = f"{file.made} In the style '{style.name}'."
        return file._replace(parameters=styled(file.parameters, style), made=made)

    return walker_of


# Operations on rows of curves


def _add(p: Parameters, name: str, row: int, more: np.ndarray) -> None:
    """Add coefficients (13,) to a row of a curve. With powers of the speed, they are added to the power 0."""
    if name in p:
        plain = p[name] if p[name].ndim == 2 else p[name][0]
        plain[row] += more


def _times(p: Parameters, name: str, row: int, factors: np.ndarray) -> None:
    """Multiply a row of a curve by factors (13,) or by a matrix (13, 13), for all powers of the speed."""
    if name in p:
        rows = p[name][..., row, :]
        p[name][..., row, :] = rows @ factors.T if np.ndim(factors) == 2 else rows * factors


def _bump(start: float, end: float) -> np.ndarray:
    """Fourier coefficients (13,) of the window w from start to end [cycles]."""
    x = (POINTS - start) / (end - start)
    return FIT @ np.where((x > 0.0) & (x < 1.0), np.sin(np.pi * x) ** 2, 0.0)


def _rise(x: np.ndarray) -> np.ndarray:
    """Smooth step from 0 at x = 0 to 1 at x = 1."""
    x = np.clip(x, 0.0, 1.0)
    return x * x * (3.0 - 2.0 * x)


# Parts of the body


def _time(p: Parameters, style: Style) -> None:
    """Apply the numbers cadence, drive and width of a style to the parameters (eqs. 1, 2)."""
    c, half = style.cadence, 0.5 * style.width
    if "step" in p:
        p["step"] /= c
    if "path" in p:
        p["path"][..., 0, :] /= c
        path = p["path"] if p["path"].ndim == 2 else p["path"][0]
        path[1, 0] -= half
        path[2, 0] += style.drive
    if "pelvis" in p and "side.hip" in p:
        tilt = p["pelvis"][..., 1, 0] + p.get("tilt", 0.0)
        p["side.hip"][..., 1, :] /= c
        p["side.hip"][..., 1, 0] += tilt / c - tilt
    if "spread" in p:
        p["spread"] += half / REFERENCE_LEG * (1.0 if p["spread"].ndim == 0 else np.array([1.0, 0.0, 0.0]))
    else:
        _add(p, "side.hip", 0, half / REFERENCE_LEG * MEAN)


def _trunk(p: Parameters, style: Style) -> None:
    """Apply the numbers lean, nod and sway of a style to the parameters (eqs. 3, 4)."""
    for name, share in SPINE.items():
        _add(p, name, 1, share * style.lean * MEAN)
    for name, share in NECK.items():
        _add(p, name, 1, share * (style.nod - style.lean) * MEAN)
    _aside(p, -style.sway * SINE)


def _aside(p: Parameters, turn: np.ndarray) -> None:
    """Rotate the trunk about x by a curve with coefficients (13,), while the head stays upright."""
    for name, share in SPINE.items():
        _add(p, name, 0, share * turn)
    for name, share in NECK.items():
        _add(p, name, 0, -share * turn)


def _arms(p: Parameters, style: Style) -> None:
    """Apply the posture and swing of the arms (eq. 5). The walker multiplies its shoulder targets by "arms"."""
    swing = MEAN + style.arms * WAVES
    _times(p, "side.shoulder", 1, swing)
    _times(p, "side.elbow", 0, swing)
    own = p.get("arms", np.array(1.0)).flat[0]
    _add(p, "side.shoulder", 0, style.arms_out / own * MEAN)
    _add(p, "side.shoulder", 1, -style.arms_ahead / own * MEAN)
    _add(p, "side.elbow", 0, style.elbow * MEAN)


def _legs(p: Parameters, style: Style) -> None:
    """Apply crouch, bounce, knee lift and thigh lift of a style to the parameters (eqs. 6 to 9)."""
    straight = np.where(POINTS < EXTENDED, 1.0, (1.0 - POINTS) / (1.0 - EXTENDED))[:, None] * basis(EXTENDED)
    straight = straight + np.where(POINTS < EXTENDED, 0.0, (POINTS - EXTENDED) / (1.0 - EXTENDED))[:, None] * basis(1.0)
    above = FIT @ np.where(POINTS[:, None] < EXTENDED, 0.0, BASIS - straight)
    _times(p, "side.knee", 0, np.eye(2 * HARMONICS + 1) + (style.knee_lift - 1.0) * above)  # (8)
    bent = style.crouch * MEAN + style.bounce * _bump(0.0, 0.3)  # (6), (7)
    raised = style.thigh_lift * _bump(0.5, 0.85)  # (9)
    _add(p, "side.knee", 0, bent + raised)
    _add(p, "side.hip", 1, -0.5 * bent - raised)
    _add(p, "side.ankle", 0, 0.5 * bent - style.bounce * _bump(0.45, 0.7))


def _feet(p: Parameters, style: Style) -> None:
    """Apply the numbers toes and push of a style to the parameters (eq. 10)."""
    pushing = _bump(0.4, 0.75) @ BASIS.T
    more = FIT @ (pushing[:, None] * (BASIS - basis(0.45)))
    _times(p, "side.ankle", 0, np.eye(2 * HARMONICS + 1) + (style.push - 1.0) * more)
    air = _rise((POINTS - OFF) / FLAT) + _rise((FLAT - POINTS) / FLAT)
    _add(p, "side.ankle", 0, style.toes * (FIT @ air))
    if "push" in p:
        p["push"] *= style.push


def _pelvis(p: Parameters, style: Style) -> None:
    """Apply the numbers twist, hips and stiffness of a style to the parameters (eqs. 11, 12)."""
    for name in ("pelvis", *SPINE, *NECK):
        _times(p, name, 2, MEAN + style.twist * WAVES)
    for name in ("pelvis", *SPINE):
        _times(p, name, 0, MEAN + style.hips * WAVES)
    for name in ("hip", "knee", "ankle"):
        if name in p:
            p[name] *= style.stiffness


def _limp(p: Parameters, style: Style) -> None:
    """Apply the limp of a style to the parameters (eq. 13)."""
    a = (style.limp - 1.0) / (style.limp + 1.0)
    if a == 0.0:
        return
    by_speed = "step" in p and p["step"].ndim == 1
    p["asymmetry"] = p.get("asymmetry", 0.0) + a * (np.array([1.0, 0.0, 0.0]) if by_speed else np.array(1.0))
    _aside(p, LURCH * a * _bump(0.5, 1.0) if a > 0.0 else LURCH * a * _bump(0.0, 0.5))
