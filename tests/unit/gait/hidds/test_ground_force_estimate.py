"""Ground forces estimated from motions, beside those that are known: simulated walks and trials with force plates."""

import warnings

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import FormatWarning, InputError
from anthropi.formats import load_capture, load_forces
from anthropi.gait.hidds.ground_force_estimate import K1, K2, estimate_ground_forces, total_of
from anthropi.motion.contacts import contacts_of
from anthropi.motion.marker_sets import subject_from_static
from anthropi.motion.plate_contacts import with_ground_forces

pytestmark = pytest.mark.slow
FEET = {"l": "left foot", "r": "right foot"}
TRIALS = {"HC002D": ("02", "06"), "HC030A": ("01", "05"), "HC031A": ("01", "06"), "HC032A": ("01", "03"),
          "HC036A": ("01", "10"), "HC039A": ("01", "17"), "HC050A": ("01", "11")}  # fmt: skip


def error(estimate, measured, times, weight):
    """r of the three forces, their RMS difference [weight], the peak's [share], the centre of pressure's [m]."""
    a, b = estimate.at(times), measured.at(times)
    r = np.array([np.corrcoef(a.force[:, k], b.force[:, k])[0, 1] for k in range(3)])
    rms = np.sqrt(((a.force - b.force) ** 2).mean(0)) / weight
    on = (b.load > 0.3 * weight) & (a.load > 0.3 * weight)
    apart = np.linalg.norm((a.point - b.point)[on, :2], axis=1)
    return r, rms, a.load.max() / b.load.max() - 1.0, np.sqrt((apart**2).mean())


def test_the_transition_is_smooth_and_complete():
    assert abs(K1 * np.exp(-4.0 / 9.0) - 1.0) < 1e-15  # (3) at s = 0
    assert abs(K1 * np.exp(-16.0 / 9.0) - 2.0 * K2) < 1e-15  # and at s = 2


@pytest.fixture(scope="module")
def walk():
    return ap.walk(ap.human(1.75, 75.0), speed=1.3, steps=8)


def test_a_simulated_walk_gives_its_forces_back(walk):
    """Only the configurations are read; the simulation knows the forces."""
    weight = walk.figure.mass * 9.81
    found = estimate_ground_forces(ap.Motion(walk.figure, walk.time, walk.q))
    of = np.array([c.link[0] if c.link[:2] in ("l_", "r_") else "" for c in contacts_of(walk)])
    inside = (found["left foot"].time > 1.0) & (found["left foot"].time < walk.time[-1] - 0.6)
    for side, name in FEET.items():
        plate = found[name]
        real = walk.channels["contact"][:, of == side].sum(1)
        wanted = np.stack([np.interp(plate.time, walk.time, x) for x in real.T], -1)[inside]
        r = np.corrcoef(plate.force[inside][:, 2], wanted[:, 2])[0, 1]
        assert r > 0.97, (side, r)
        assert abs(plate.force[inside][:, 2].max() / wanted[:, 2].max() - 1.0) < 0.12
        assert np.sqrt(((plate.force[inside] - wanted) ** 2).mean()) < 0.1 * weight


def test_the_feet_carry_the_total_of_newtons_law(walk):
    bare = ap.Motion(walk.figure, walk.time, walk.q)
    found = estimate_ground_forces(bare)
    from anthropi.gait.hidds.desired_motion import desired_motion

    force, _ = total_of(desired_motion(bare, float(np.diff(found["left foot"].time)[0]), 6.0))
    both = found["left foot"].force + found["right foot"].force
    stands = (found["left foot"].load != 0.0) | (found["right foot"].load != 0.0)
    assert np.abs(both - force)[stands].max() < 1e-6


def test_people_on_force_plates(shared):
    """The errors that `MEASURED` and docs/captured.md state."""
    rows = []
    for person, (static, trial) in TRIALS.items():
        stands, walks = (load_capture(shared / f"c3d/plug_in_gait/{person}{n}.c3d") for n in (static, trial))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            subject = subject_from_static(stands.markers, mass=walks.subject.mass, marker_diameter=0.014)
            seen = (
                np.mean([np.isfinite(walks.markers[n]).all(1) for n in subject.places if n in walks.markers], 0) > 0.8
            )
            first, last = np.flatnonzero(seen)[[0, -1]]
            kept = slice(first, last + 1)
            motion = subject.follow(walks.time[kept], {n: x[kept] for n, x in walks.markers.items()})
        found, weight = estimate_ground_forces(motion), motion.figure.mass * 9.81
        for stance in with_ground_forces(motion, walks.forces).metadata["ground_forces"]["stances"]:
            if stance["foot"]:
                foot, plate = found[FEET[stance["foot"][0]]], walks.forces[stance["plate"]]
                times = foot.time[(foot.time >= stance["start"] - 0.1) & (foot.time <= stance["end"] + 0.1)]
                rows.append(error(foot, plate, times, weight))
    r, rms, peak, place = (np.array(x) for x in zip(*rows, strict=True))
    assert len(rows) == 14
    assert r[:, 2].mean() > 0.97 and r[:, 1].mean() > 0.85  # y is the direction of walking there
    assert rms[:, 2].mean() < 0.10 and rms[:, 1].mean() < 0.05
    assert np.abs(peak).mean() < 0.055 and np.abs(peak).max() < 0.12
    assert place.mean() < 0.035


def test_a_walk_on_a_treadmill_of_opensim(shared):
    folder = shared / "opensim/core_id_test"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        figure = ap.load(folder / "subject01.osim")
    motion = ap.load_motion(folder / "subject01_walk1_ik.mot", figure=figure)
    forces, found = load_forces(folder / "subject01_walk1_grf.xml"), estimate_ground_forces(motion)
    rows = [error(found[FEET[s]], forces[n], motion.time, figure.mass * 9.81)
            for s, n in (("l", "LeftForce"), ("r", "RightForce"))]  # fmt: skip
    assert all(r[2] > 0.98 and abs(peak) < 0.10 and place < 0.04 for r, _, peak, place in rows)


def test_motions_without_feet_or_stance_are_refused(walk):
    with pytest.raises(InputError, match="single rollout"):
        estimate_ground_forces("walk.npz")
    arm = ap.sample("double_pendulum")
    with pytest.raises(InputError, match=r"feet of figure 'double_pendulum' are not known.*Links: link_0"):
        estimate_ground_forces(ap.simulate(arm, [0.1, 0.2], steps=50))
    flying = np.array(walk.q)
    flying[:, 2] += -0.5 * 9.81 * walk.time**2  # free fall
    with pytest.raises(InputError, match="No foot of 'human' stands"):
        estimate_ground_forces(ap.Motion(walk.figure, walk.time, flying))
