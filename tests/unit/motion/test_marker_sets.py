"""People measured by markers: scaled segment by segment, and followed through whole trials by one kernel."""

import warnings

import numpy as np
import pytest

import anthropi as ap
from anthropi.constraints.fit_to_markers import fit_to_markers, marker_kernel
from anthropi.errors import InputError, ShapeError
from anthropi.motion.link_poses import link_poses
from anthropi.motion.marker_sets import SETS, assigned, known_set, subject_from_static
from unit.motion.test_clinical_model import TRIALS, trial

PERSON = ap.human(1.7, 65.0)


def wobbling(figure, frames, rng):
    """Configurations (frames, nq) in which every joint moves a little, and the root walks and turns."""
    t = np.linspace(0.0, 6.0, frames)[:, None]
    v = 0.3 * np.sin(t * rng.uniform(0.5, 2.0, figure.nu) + rng.uniform(0.0, 6.0, figure.nu))
    v[:, :3] += t * [0.9, 0.2, 0.0]
    return np.array([figure.integrate(figure.neutral(), x) for x in v])


def test_the_kernel_finds_known_motions_as_the_plain_function_does():
    rng = np.random.default_rng(3)
    figure = PERSON
    points = tuple((i, tuple(0.1 * rng.normal(size=3))) for i in range(figure.n) for _ in range(3))
    q = wobbling(figure, 40, rng)
    k = link_poses(figure, q)
    goals = np.stack([k.point(i, s) for i, s in points], 1).reshape(40, -1)
    weights = np.ones((40, len(points)))
    weights[5, :7] = 0.0  # markers that were not seen
    start = np.tile(figure.neutral(), (40, 1))
    start[:, :7] = q[:, :7]
    run = marker_kernel(figure, points)
    found, error, passes = run(start, goals, weights, start)
    assert error[:, 7:].max() < 2e-3 and passes.max() < 30  # the reference posture pulls by some tenths of a millimetre
    plain = fit_to_markers(figure, points, start[5], goals[5], weights[5], start[5])
    assert np.abs(plain.q - found[5]).max() < 1e-9 and float(plain.passes) == passes[5]


@pytest.mark.parametrize("person", ["HC002D", "HC050A"])
def test_people_of_a_laboratory_are_scaled_and_followed(person, shared):
    static, about = trial(shared, person + TRIALS[person][0])
    walk, _ = trial(shared, person + TRIALS[person][1])
    static, walk = ({k: 1e-3 * x for k, x in points.items() if len(k) <= 4} for points in (static, walk))
    found = subject_from_static(static, mass=about["Bodymass"], marker_diameter=0.01)
    assert len(found.places) > 40 and abs(found.figure.mass - about["Bodymass"]) < 1e-9
    for s, b in (("l", "L"), ("r", "R")):  # the laboratory's own lengths, which are from other joint centres
        assert abs(found.lengths[f"{s}_thigh"] - 1e-3 * about[f"{b}FemurLength"]) < 0.012
        assert abs(found.lengths[f"{s}_shank"] - 1e-3 * about[f"{b}TibiaLength"]) < 0.012
    times = 0.01 * np.arange(len(walk["LASI"]))
    motion = found.follow(times, walk)
    error = motion.channels["marker_error"]
    assert np.sqrt(np.nanmean(error**2)) < 0.012 and not motion.metadata["markers"]["left out"]
    exchanged = walk | {"LTIB": walk["LANK"], "LANK": walk["LTIB"]}
    with pytest.warns(UserWarning, match=r"markers .*LTIB.* are left out.*labels are exchanged"):
        other = found.follow(times, exchanged)
    knee = motion.figure.dofs.index("l_knee")
    assert np.sqrt(np.mean((other.q - motion.q)[:, knee + 1] ** 2)) < 0.1


def markers_of(figure, q):
    """Markers of gait2392 on a known person, on landmarks and between them."""
    k = link_poses(figure, q)

    def at(link, *point):
        return k.point(figure.link_index(link), np.array(point))

    here = {}
    for s, big, sign in (("l", "L", 1.0), ("r", "R", -1.0)):
        own = {m.name: m for m in figure.markers}
        here[f"{big}.ASIS"] = at("pelvis", *own[f"{s}_asis"].point)
        here |= {f"{big}.Thigh.Upper": at(f"{s}_thigh", 0.0, 0.09 * sign, -0.15),
                 f"{big}.Thigh.Front": at(f"{s}_thigh", 0.08, 0.05 * sign, -0.2),
                 f"{big}.Thigh.Rear": at(f"{s}_thigh", -0.06, 0.07 * sign, -0.2)}  # fmt: skip
        for side, y in (("Lat", 0.05), ("Med", -0.05)):
            here[f"{big}.Knee.{side}"] = at(f"{s}_shank", 0.0, y * sign, 0.0)
            here[f"{big}.Ankle.{side}"] = at(f"{s}_foot", 0.0, 0.7 * y * sign, 0.0)
        here |= {f"{big}.Shank.Upper": at(f"{s}_shank", 0.04, 0.05 * sign, -0.1),
                 f"{big}.Shank.Front": at(f"{s}_shank", 0.06, 0.0, -0.15),
                 f"{big}.Shank.Rear": at(f"{s}_shank", -0.03, 0.05 * sign, -0.2),
                 f"{big}.Heel": at(f"{s}_foot", *own[f"{s}_heel"].point),
                 f"{big}.Toe.Med": at(f"{s}_toes", 0.0, 0.0, 0.02),
                 f"{big}.Midfoot.Lat": at(f"{s}_foot", 0.05, 0.03 * sign, -0.02),
                 f"{big}.Acromium": at(f"{s}_upper_arm", 0.0, 0.0, 0.03)}  # fmt: skip
    own = {m.name: m for m in figure.markers}
    here["V.Sacral"] = at("pelvis", *(0.5 * (own["l_psis"].point + own["r_psis"].point)))
    here |= {"Sternum": at("thorax", 0.1, 0.0, 0.1), "Top.Head": at("head", 0.0, 0.0, 0.2)}
    return here


def test_a_known_person_comes_back():
    """A scaled person with one leg 15 mm longer, measured by the markers of gait2392."""
    true = PERSON.scale({"l_shank": 1.04, "l_upper_arm": 0.95})
    stands = np.array([ap.standing(true)])
    found = subject_from_static(markers_of(true, np.repeat(stands, 3, 0)), "gait2392", mass=65.0, marker_diameter=0.0)
    own = np.linalg.norm(true.joints[true.link_index("l_foot")].placement.origin)
    assert abs(found.lengths["l_shank"] - own) < 1e-6 and found.lengths["l_shank"] - found.lengths["r_shank"] > 0.014
    rng = np.random.default_rng(1)
    q = np.repeat(stands, 60, 0)
    t = np.linspace(0.0, 1.0, 60)
    for dof, size in (("l_knee", 0.6), ("r_knee", 0.3)):
        joint = next(k for k, j in enumerate(true.joints) if j.name == dof)
        q[:, true.q_of[joint].start] = size * np.sin(3.0 * t) ** 2
    seen = markers_of(true, q)
    seen = {name: x + 1e-3 * rng.normal(size=x.shape) for name, x in seen.items()}
    seen["L.Thigh.Front"][10:30] = np.nan
    motion = found.follow(t, seen)
    assert np.sqrt(np.nanmean(motion.channels["marker_error"] ** 2)) < 0.006
    assert np.isnan(motion.channels["marker_error"]).sum() == 20
    knee = next(at.start for j, at in zip(motion.figure.joints, motion.figure.q_of, strict=True) if j.name == "l_knee")
    bend = motion.q[:, knee] - motion.q[0, knee]
    assert np.rad2deg(np.abs(bend - 0.6 * np.sin(3.0 * t) ** 2).max()) < 2.0


def test_sets_are_known_by_their_names_and_own_markers_are_added():
    for which, table in SETS.items():
        names = [x for n in table for x in ({n, "R" + n[1:]} if n[0] == "L" else {n})]
        found = assigned([f"Anna:{n}" for n in names], which)
        assert len(found) == len(names) and {"l_asis", "r_knee_lateral"} <= set(found.values())
    assert known_set(["R.ASIS", "V.Sacral", "L.Thigh.Upper", "R.Knee.Lat"]) == "gait2392"
    names = ["LASI", "RASI", "SACR", *(s + n for s in "LR" for n in ("KNE", "ANK", "HEE", "MT2"))]
    with pytest.raises(InputError, match=r"landmarks l_forefoot, r_forefoot in the set 'plug_in_gait'.*own=\{'LMT2'"):
        assigned(names)
    assert assigned(names, own={"LMT2": "l_forefoot", "RMT2": "r_forefoot"})["LMT2"] == "l_forefoot"
    for options, words in (({"own": {"X": "l_thigh"}}, "no marker 'X'"), ({"own": {"LMT2": "l_thihg"}}, "'l_thigh'"),
                           ({"marker_set": "vicon"}, "no marker set 'vicon'")):  # fmt: skip
        with pytest.raises(InputError, match=words):
            assigned(names, **options)


def test_wrong_trials_are_refused():
    stands = markers_of(PERSON, np.array([ap.standing(PERSON)] * 3))
    with pytest.raises(InputError, match="Give the markers in metres"):
        subject_from_static({n: 1e3 * x for n, x in stands.items()})
    with pytest.raises(ShapeError, match="has shape"):
        subject_from_static(stands | {"L.Heel": np.zeros((2, 3))})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = subject_from_static(stands)
    lost = {n: np.full_like(x, np.nan) if n == "V.Sacral" else x for n, x in stands.items()}
    with pytest.raises(InputError, match=r"At t = 0 s only \d+ markers are seen, 2 of them on the pelvis"):
        found.follow(np.arange(3.0), lost)
    with pytest.raises(InputError, match="weights has 'Q'"):
        found.follow(np.arange(3.0), stands, {"Q": 1.0})
