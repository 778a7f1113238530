"""Feet of captured walks stay where they stand: slip, hover and the change of the knees, for bodies of two sizes."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError
from anthropi.gait.report.plausibility import sole_places, stance_slip
from anthropi.motion.link_poses import link_poses
from anthropi.motion.retargeting.foot_lock import stances

WALKS = ("02_01", "05_01", "07_01", "08_01", "12_01", "16_11", "16_33", "38_01", "39_01", "69_01")


def knees(motion):
    """Flexion (frames, 2) [deg] from the places of hips, knees and ankles."""
    k, figure, found = link_poses(motion.figure, motion.q), motion.figure, []
    for s in "lr":
        marks = [figure.marker(f"{s}_{j}_centre") for j in ("hip", "knee", "ankle")]
        hip, knee, ankle = (k.point(figure.link_index(m.link), m.point) for m in marks)
        a, b = knee - hip, ankle - knee
        found.append(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), (a * b).sum(-1)))
    return np.rad2deg(np.stack(found, -1))


@pytest.mark.parametrize("onto", [None, 1.75], ids=["own", "given"])
@pytest.mark.parametrize("name", WALKS)
@pytest.mark.filterwarnings("ignore::anthropi.errors.ValidityWarning")  # about the lengths of limbs of some skeletons
def test_standing_feet_neither_slip_nor_hover(name, onto, shared):
    motion = ap.load_motion(shared / "bvh" / "cmu" / f"{name}.bvh")[2:]
    person = None if onto is None else ap.human(onto)
    free, found = (ap.motion.retarget(motion, person, feet=feet) for feet in (True, "lock"))
    slips, hovers, before = [], [], []
    for s in "lr":
        soles, own = sole_places(free, s), sole_places(found, s)
        for frames in stances(free.time, soles[:, :2].mean(1), soles[:, 2:4].mean(1)):
            slips.append(stance_slip(own[frames], near=1e-3))
            before.append(stance_slip(soles[frames], near=1e-3))
            hovers.append(np.abs(own[frames][..., 2].min(1)).max())
    assert len(slips) >= 4 and max(slips) < 0.005 < 0.015 < max(before) and max(hovers) < 0.010
    change = knees(found) - knees(free)
    assert np.sqrt((change**2).mean()) < 1.5
    about = found.metadata["retarget"]["lock"]
    assert abs(np.rad2deg(about["knee change"]) - np.sqrt((change**2).mean())) < 1e-6
    directions = found.metadata["retarget"]["parts"]
    assert max(np.rad2deg(x) for part, x in directions.items()) < 8.0  # feet that slipped by 60 mm turn the whole leg
    assert max(np.rad2deg(directions[part]) for part in ("trunk", "pelvis")) < 0.5


def test_unknown_words_are_refused(shared):
    motion = ap.load_motion(shared / "bvh" / "cmu" / "02_01.bvh")[2:40]
    with pytest.raises(InputError, match=r"feet='glue'\. Choose True, False or 'lock'"):
        ap.motion.retarget(motion, feet="glue")


def test_a_motion_without_stances_is_left_as_it_is():
    from anthropi.motion import Keyframes

    person = ap.human()
    air = ap.standing(person) + 0.0
    keys = {0.0: {"l_hip.y": 0.0}, 0.5: {"l_hip.y": -0.4}}
    motion = Keyframes(person, keys, air).motion(np.linspace(0.0, 0.5, 20))
    q = np.array(motion.q)
    q[:, 0] += np.linspace(0.0, 3.0, 20)  # both feet fly at 6 m/s
    flying = ap.Motion(person, motion.time, q)
    free, found = (ap.motion.retarget(flying, person, feet=feet) for feet in (True, "lock"))
    assert found.metadata["retarget"]["lock"]["stances"] == 0
    assert np.abs(knees(found) - knees(free)).max() < 1e-4  # [deg] of a straight knee, whose flexion is √ of rounding
