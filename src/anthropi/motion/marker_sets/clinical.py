"""The conventional gait model (Plug-in Gait, Helen Hayes): joint centres, segment axes and clinical angles.

Sources: Davis, Õunpuu, Tyburski and Gage (1991), Human Movement Science 10:575; Kadaba, Ramakrishnan and Wootten
(1990), J Orthop Res 8:383. Axes of all segments: x forward, y left, z up.

With the leg length L, half the distance a between the ASIS and the marker radius m, the hip centre in pelvic axes from
the middle of the ASIS is (Davis), in metres,

    c = 0.115 L - 0.0153,   d = 0.1288 L - 0.04856,   θ = 0.5,   β = 0.314                                          (1)
    x = c cos θ sin β - (d + m) cos β,   y = ±(a - c sin θ),   z = -c cos θ cos β - (d + m) sin β                   (2)

Knee and ankle centres c are at a right angle between the proximal centre p and the lateral marker k, at the distance
w = (joint width) / 2 + m from k, in the plane through p, k and the marker t of the segment, turned by the angle φ about
the line from p to k:

    |c - k| = w,   (c - k) · (c - p) = 0                                                                            (3)

The shank has two sets of axes: y along the ankle axis, and y along the knee axis, turned by the tibial torsion τ about
z. The knee is measured in the second, and its y gives that of the foot; the ankle is measured in the first. Angles are
Cardan angles in the order y, x, z of the distal in the proximal segment.

`calibrated` finds φ of the shank from the malleoli, φ of the thigh as the angle for which the knee has least varus and
valgus while it flexes (Baker, Finney and Orr 1999, Hum Mov Sci 18:655), and τ in the standing trial. Works on plain
floats only.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from anthropi.errors import InputError, did_you_mean

__all__ = ["ANGLES", "ClinicalModel", "Measurements", "calibrated", "clinical_model"]

SIDES = ("l", "r")
THETA, BETA = 0.5, 0.314  # [rad] of (1)
ANGLES = ("pelvis", "hip", "knee", "ankle")


@dataclass(frozen=True)
class Measurements:
    """Measurements of a person in metres; None is replaced by a value from the markers or from the leg length.

    leg : from ASIS to medial malleolus, {side: [m]}. knee, ankle : widths of the joints, {side: [m]}. asis : distance
    of the ASIS. marker : diameter of a marker with its base. thigh_rotation, shank_rotation : angles φ of (3), {side:
    [rad]}, positive if the joint axis is turned outward from the marker.
    """

    leg: Mapping[str, float] = field(default_factory=dict)
    knee: Mapping[str, float] = field(default_factory=dict)
    ankle: Mapping[str, float] = field(default_factory=dict)
    asis: float | None = None
    marker: float = 0.014
    thigh_rotation: Mapping[str, float] = field(default_factory=dict)
    shank_rotation: Mapping[str, float] = field(default_factory=dict)
    torsion: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class ClinicalModel:
    """Joint centres, segment axes and angles of a person in every frame.

    Attributes
    ----------
    centres : {"l_hip", "l_knee", "l_ankle", …: (frames, 3)} [m].
    axes : {"pelvis", "l_thigh", "l_shank", "l_ankle" (the shank with the ankle axis), "l_foot", …:
        (frames, 3, 3)}, columns forward, left, up.
    angles : {"l_pelvis", "l_hip", "l_knee", "l_ankle", …: (frames, 3)} [rad]: tilt (forward), obliquity (side up) and
        rotation (inward) of the pelvis; flexion or dorsiflexion, adduction, varus or inversion, and inward rotation.
    foot : {side: (3, 3)} constant rotation from the foot axes of the markers to those of a flat foot.
    measurements : those that were used.
    """

    centres: dict[str, np.ndarray]
    axes: dict[str, np.ndarray]
    angles: dict[str, np.ndarray]
    foot: dict[str, np.ndarray]
    measurements: Measurements


def clinical_model(
    markers: Mapping[str, Any], measurements: Measurements | None = None, static: "ClinicalModel | None" = None
) -> ClinicalModel:
    """Compute the conventional gait model.

    Parameters
    ----------
    markers : {name: (frames, 3)} [m] in a world whose z axis points up: LASI, RASI, SACR (or LPSI and RPSI), and for
        both sides THI, KNE, TIB, ANK, HEE, TOE. NaN where a marker was not seen.
    measurements : of the person. Missing leg lengths are 0.53 times the height of the ASIS above the ankles, missing
        widths those of the malleolus markers (LMMA, RMMA) or proportional to the leg length.
    static : the model of a standing trial, which gives the measurements and the flat foot.

    Raises
    ------
    InputError : a marker is missing or has another shape.
    """
    at = _checked(markers)
    given = measurements or (static.measurements if static is not None else Measurements())
    sacrum = at["SACR"] if "SACR" in at else 0.5 * (at["LPSI"] + at["RPSI"])
    origin = 0.5 * (at["LASI"] + at["RASI"])
    y = _unit(at["LASI"] - at["RASI"])
    x = origin - sacrum
    x = _unit(x - y * _dot(x, y))
    pelvis = np.stack([x, y, np.cross(x, y)], -1)
    known = _completed(given, at)
    centres: dict[str, np.ndarray] = {}
    axes, foot = {"pelvis": pelvis}, {}
    mean_leg = 0.5 * (known.leg["l"] + known.leg["r"])
    radius = 0.5 * known.marker
    for s, sign, big in (("l", 1.0, "L"), ("r", -1.0, "R")):
        c = 0.115 * mean_leg - 0.0153  # (1)
        d = 0.1288 * known.leg[s] - 0.04856 + radius
        hip = np.array(
            [
                c * np.cos(THETA) * np.sin(BETA) - d * np.cos(BETA),
                sign * (0.5 * float(known.asis or 0.0) - c * np.sin(THETA)),
                -c * np.cos(THETA) * np.cos(BETA) - d * np.sin(BETA),
            ]
        )  # (2)
        hip = origin + (pelvis @ hip[..., None])[..., 0]
        turn = [sign * float(x.get(s, 0.0)) for x in (known.thigh_rotation, known.shank_rotation)]
        knee = _chord(hip, at[f"{big}KNE"], at[f"{big}THI"], 0.5 * known.knee[s] + radius, sign, turn[0])
        ankle = _chord(knee, at[f"{big}ANK"], at[f"{big}TIB"], 0.5 * known.ankle[s] + radius, sign, turn[1])
        thigh = _axes(hip - knee, sign * (at[f"{big}KNE"] - knee))
        shank = _axes(knee - ankle, sign * (at[f"{big}ANK"] - ankle))
        knee_shank = shank @ _about_z(sign * float(known.torsion.get(s, 0.0)))
        raw = _foot_axes(at[f"{big}TOE"] - ankle, knee_shank)
        if static is not None:
            foot[s] = static.foot[s]
        else:
            flat = _foot_axes((at[f"{big}TOE"] - at[f"{big}HEE"]) * [1.0, 1.0, 0.0], knee_shank)
            foot[s] = _mean_rotation(raw.swapaxes(-1, -2) @ flat)
        centres |= {f"{s}_hip": hip, f"{s}_knee": knee, f"{s}_ankle": ankle}
        axes |= {f"{s}_thigh": thigh, f"{s}_shank": knee_shank, f"{s}_ankle": shank, f"{s}_foot": raw @ foot[s]}
    return ClinicalModel(centres, axes, _angles(axes), foot, known)


def calibrated(
    static: Mapping[str, Any], walk: Mapping[str, Any], measurements: Measurements | None = None
) -> Measurements:
    """Find the rotations of thigh and shank markers and the tibial torsion; see the top of this file.

    static, walk : markers of a standing and a walking trial, as for `clinical_model`; with LMMA and RMMA in `static`,
    the shank rotations are found. measurements : those that are known, which are kept.
    """
    at = _checked(static)
    found = _completed(measurements or Measurements(), at)
    known = found
    for s, sign, big in (("l", 1.0, "L"), ("r", -1.0, "R")):
        if s not in known.thigh_rotation:
            grid = np.deg2rad(np.arange(-35.0, 36.0))
            spread = [_varus(walk, _with(found, "thigh_rotation", s, float(x)), s) for x in grid]
            k = int(np.clip(np.argmin(spread), 1, len(grid) - 2))
            a, b, c = spread[k - 1 : k + 2]
            step = 0.5 * (a - c) / (a - 2.0 * b + c) if a - 2.0 * b + c > 0.0 else 0.0
            found = _with(found, "thigh_rotation", s, float(grid[k] + step * (grid[1] - grid[0])))
        if s not in known.shank_rotation and f"{big}MMA" in at:
            knee = clinical_model(static, found).centres[f"{s}_knee"]
            e = _unit(at[f"{big}ANK"] - knee)
            n = at[f"{big}TIB"] - knee
            n = _unit(n - e * _dot(n, e))
            front, medial = np.cross(e, n), at[f"{big}MMA"] - at[f"{big}ANK"]
            angle = np.arctan2(-_dot(medial, front), -_dot(medial, n))[:, 0]
            found = _with(found, "shank_rotation", s, sign * float(np.nanmedian(angle)))
        if s not in known.torsion:
            model = clinical_model(static, found)
            turn = np.swapaxes(model.axes[f"{s}_ankle"], -1, -2) @ model.axes[f"{s}_thigh"][..., 1:2]
            angle = np.arctan2(-turn[..., 0, 0], turn[..., 1, 0])
            found = _with(found, "torsion", s, sign * float(np.nanmedian(angle)))
    return found


def _with(found: Measurements, name: str, s: str, value: float) -> Measurements:
    changed: Any = {name: dict(getattr(found, name)) | {s: value}}
    return replace(found, **changed)


def _varus(walk: Mapping[str, Any], measurements: Measurements, s: str) -> float:
    """Return the variance of the varus of a knee."""
    return float(np.nanvar(clinical_model(walk, measurements).angles[f"{s}_knee"][:, 1]))


def _about_z(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


NEEDED = ("LASI", "RASI", *(f"{s}{name}" for s in "LR" for name in ("THI", "KNE", "TIB", "ANK", "HEE", "TOE")))


def _checked(markers: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Return the markers as arrays of one shape."""
    missing = [name for name in NEEDED if name not in markers]
    if not missing and "SACR" not in markers and not {"LPSI", "RPSI"} <= set(markers):
        missing = ["SACR"]
    if missing:
        hint = did_you_mean(missing[0], [str(name) for name in markers])
        raise InputError(
            f"The clinical model needs the markers {', '.join(missing)}.{hint} Seen: {', '.join(map(str, markers))}. "
            "Rename them, for example {'LASI': markers['L_ASIS'], …}."
        )
    at = {str(name): np.asarray(x, float) for name, x in markers.items()}
    shape = at["LASI"].shape
    odd = next((name for name, x in at.items() if x.shape != shape or x.ndim != 2 or x.shape[1] != 3), None)
    if odd is not None:
        raise InputError(f"Marker '{odd}' has shape {at[odd].shape}; expected (frames, 3), as LASI has {shape}.")
    return at


def _completed(given: Measurements, at: Any) -> Measurements:
    """Return all measurements, those that are not given from the markers."""
    leg, knee, ankle = dict(given.leg), dict(given.knee), dict(given.ankle)
    for s, big in (("l", "L"), ("r", "R")):
        if s not in leg:
            medial = at.get(f"{big}MMA", at[f"{big}ANK"])
            leg[s] = _median(at[f"{big}ASI"] - at[f"{big}KNE"]) + _median(at[f"{big}KNE"] - medial)
        ankle.setdefault(s, _median(at[f"{big}ANK"] - at[f"{big}MMA"]) - given.marker if f"{big}MMA" in at else 0.0)
        if not 0.02 < ankle[s] < 0.15:
            ankle[s] = ANKLE_WIDTH * leg[s]
        knee.setdefault(s, KNEE_WIDTH * leg[s])
        if not (0.2 < leg[s] < 1.5 and 0.02 < knee[s] < 0.3):
            raise InputError(
                f"The {'left' if s == 'l' else 'right'} leg is {leg[s]:.3g} m long and the knee {knee[s]:.3g} m wide. "
                "Give markers and measurements in metres."
            )
    asis = given.asis if given.asis is not None else _median(at["LASI"] - at["RASI"])
    return replace(given, leg=leg, knee=knee, ankle=ankle, asis=asis)


KNEE_WIDTH, ANKLE_WIDTH = 0.112, 0.081  # of the leg length; means of the adults of Winter (2009), table 4.1


def _chord(p: Any, k: Any, t: Any, w: float, sign: float, phi: float) -> np.ndarray:
    """Return the joint centres (frames, 3) of (3). sign : 1 for the left side, where k is to the left of the centre."""
    along = k - p
    far = np.sqrt(_dot(along, along))
    e = along / far
    inside = np.clip(w / far, -1.0, 1.0)
    n = t - p
    n = _unit(n - e * _dot(n, e))  # towards the marker of the segment, at right angles to the line from p to k
    front = np.cross(e, n)
    medial = -(np.cos(phi) * n + np.sin(phi) * front)
    # c = k + w (unit vector in the plane at the angle for which (3) holds)
    return k + w * (-inside * e + np.sqrt(1.0 - inside**2) * medial)


def _axes(up: Any, left: Any) -> np.ndarray:
    """Return axes (frames, 3, 3) with z along `up` and y near `left`."""
    z = _unit(up)
    y = _unit(left - z * _dot(left, z))
    return np.stack([np.cross(y, z), y, z], -1)


def _foot_axes(ahead: Any, shank: Any) -> np.ndarray:
    """Return axes (frames, 3, 3) with x along `ahead` and y near that of the shank."""
    x = _unit(ahead)
    y = shank[..., 1]
    y = _unit(y - x * _dot(y, x))
    return np.stack([x, y, np.cross(x, y)], -1)


def _mean_rotation(C: Any) -> np.ndarray:
    """Return the rotation (3, 3) nearest to the mean of rotations (frames, 3, 3), without missing frames."""
    seen = np.isfinite(C).all((-1, -2))
    if not seen.any():
        raise InputError("In no frame of the static trial are all markers of a foot seen. Choose another trial.")
    U, _, V = np.linalg.svd(C[seen].mean(0))
    return U @ np.diag([1.0, 1.0, np.sign(np.linalg.det(U @ V))]) @ V


def _angles(axes: Any) -> dict[str, np.ndarray]:
    """Return the clinical angles {name: (frames, 3)} [rad]; see `ClinicalModel`."""
    found = {}
    heading = _lab(axes["pelvis"])
    for s, sign in (("l", 1.0), ("r", -1.0)):
        a, b, c = _cardan(heading, axes["pelvis"])
        found[f"{s}_pelvis"] = np.stack([a, sign * b, -sign * c], -1)
        for name, proximal, distal, flexion, across in (
            ("hip", "pelvis", f"{s}_thigh", -1.0, -1.0),
            ("knee", f"{s}_thigh", f"{s}_shank", 1.0, -1.0),
            ("ankle", f"{s}_ankle", f"{s}_foot", -1.0, 1.0),
        ):
            a, b, c = _cardan(axes[proximal], axes[distal])
            found[f"{s}_{name}"] = np.stack([flexion * a, across * sign * b, -sign * c], -1)
    return found


def _lab(pelvis: Any) -> np.ndarray:
    """Return the axes (3, 3) of the walkway: z up, x the horizontal coordinate axis that the pelvis faces."""
    vector = np.nanmean(pelvis[..., 0], axis=0)
    k = int(np.argmax(np.abs(vector[:2])))
    x = np.sign(vector[k]) * np.eye(3)[k]
    return np.stack([x, np.cross([0.0, 0.0, 1.0], x), [0.0, 0.0, 1.0]], -1)


def _cardan(proximal: Any, distal: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the angles a, b, c (frames,) of proximalᵀ distal = R_y(a) R_x(b) R_z(c)."""
    R = np.swapaxes(proximal, -1, -2) @ distal
    a = np.arctan2(R[..., 0, 2], R[..., 2, 2])
    b = np.arcsin(np.clip(-R[..., 1, 2], -1.0, 1.0))
    c = np.arctan2(R[..., 1, 0], R[..., 1, 1])
    return np.unwrap(a), b, np.unwrap(c)


def _dot(a: Any, b: Any) -> np.ndarray:
    return (a * b).sum(-1, keepdims=True)


def _unit(x: Any) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return x / np.sqrt(_dot(x, x))


def _median(x: Any) -> float:
    return float(np.nanmedian(np.sqrt((x * x).sum(-1))))
