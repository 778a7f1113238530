"""The conventional gait model beside the angles that a laboratory's own program stored in the files of seven people."""

import numpy as np
import pytest

from anthropi.errors import InputError
from anthropi.motion.marker_sets import Measurements, calibrated, clinical_model

TRIALS = {"HC002D": ("02", "06"), "HC030A": ("01", "05"), "HC031A": ("01", "06"), "HC032A": ("01", "03"),
          "HC036A": ("01", "10"), "HC039A": ("01", "17"), "HC050A": ("01", "11")}  # fmt: skip
LIMIT = 3.0  # [deg] RMS after a constant offset


def trial(shared, name):
    """({label: (frames, 3)} in millimetres or degrees, measurements of the person)."""
    ezc3d = pytest.importorskip("ezc3d")
    file = ezc3d.c3d(str(shared / "c3d" / "plug_in_gait" / f"{name}.c3d"))
    points = np.moveaxis(file["data"]["points"][:3], 0, -1)
    points = np.where(file["data"]["meta_points"]["residuals"][0][..., None] < 0.0, np.nan, points)
    about = {k: v["value"][0] for k, v in file["parameters"]["PROCESSING"].items() if k[0] != "_" and len(v["value"])}
    return dict(
        zip(file["parameters"]["POINT"]["LABELS"]["value"], points, strict=False)
    ), about  # further labels are in LABELS2


def metres(points, medial=True):
    used = ("THI", "KNE", "TIB", "ANK", "HEE", "TOE") + (("MMA",) if medial else ())
    return {k: 1e-3 * x for k, x in points.items() if k in ("LASI", "RASI", "SACR") or k[1:] in used}


@pytest.mark.parametrize("measured", [True, False], ids=["widths measured", "markers only"])
@pytest.mark.parametrize("person", TRIALS)
def test_angles_are_those_of_the_laboratory(person, measured, shared):
    static, about = trial(shared, person + TRIALS[person][0])
    walk, _ = trial(shared, person + TRIALS[person][1])
    sides = {"l": "L", "r": "R"}
    known = Measurements(marker=1e-3 * about["MarkerDiameter"])
    if measured:
        length = {part: {s: 1e-3 * about[b + word] for s, b in sides.items()}
                  for part, word in (("leg", "LegLength"), ("knee", "KneeWidth"), ("ankle", "AnkleWidth"))}  # fmt: skip
        known = Measurements(**length, asis=1e-3 * about["InterAsisDistance"], marker=known.marker)
    found = calibrated(metres(static), metres(walk), known)
    model = clinical_model(metres(walk, medial=False), static=clinical_model(metres(static), found))
    for s, b in sides.items():
        for joint in ("Pelvis", "Hip", "Knee", "Ankle"):
            apart = np.rad2deg(model.angles[f"{s}_{joint.lower()}"]) - walk[f"{b}{joint}Angles"]
            apart = apart[np.isfinite(apart).all(1)]
            rms = np.sqrt(((apart - apart.mean(0)) ** 2).mean(0))
            assert len(apart) > 150 and rms.max() < LIMIT, (s, joint, rms.round(1))
        if measured:
            hip = np.linalg.norm(1e3 * model.centres[f"{s}_hip"] - walk[f"{b}HJC"], axis=-1)
            assert np.nanmedian(hip) < 0.5  # [mm]: the same regression


def test_wrong_markers_are_named():
    frame = {name: np.zeros((4, 3)) for name in ("LASI", "RASI", "SACR", "LTHI")}
    with pytest.raises(InputError, match=r"needs the markers LKNE, LTIB.*Seen: LASI"):
        clinical_model(frame)
    names = ("LASI", "RASI", "SACR", *(s + n for s in "LR" for n in ("THI", "KNE", "TIB", "ANK", "HEE", "TOE")))
    rng = np.random.default_rng(0)
    with pytest.raises(InputError, match="Give markers and measurements in metres"):
        clinical_model({name: 900.0 * rng.random((4, 3)) for name in names})
    with pytest.raises(InputError, match=r"'LTOE' has shape \(3, 3\); expected"):
        clinical_model({name: rng.random((3 if name == "LTOE" else 4, 3)) for name in names})
