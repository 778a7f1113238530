"""Measures of a walk whose numbers are known, and styles distinguished by them."""

import numpy as np
import pytest
from research.styles.style_walks import DISTURBANCE, FREQUENCIES, UNDISTURBED, Disturbed, _drawn, fell_at, style_trial

import anthropi as ap
from anthropi import study
from anthropi.algebra import rotation as rot
from anthropi.contact.scene import Scene
from anthropi.errors import FormatError, InputError
from anthropi.gait.reference.gait_angles import leg_length
from anthropi.gait.reference.reference_gait import reference_gait
from anthropi.gait.styles import STYLES
from anthropi.gait.styles.classification import MEASURES, PEOPLE, centroids_of, load_centroids, measures, save_centroids
from anthropi.gait.walker import Walker, first_state, load_walker, sole
from anthropi.gait.walker.command import Command
from anthropi.motion import Motion
from anthropi.simulation.forces import Inputs, forces_at
from anthropi.simulation.problem import Problem, initial_memory

NAMES = tuple(MEASURES)
DEG = np.degrees(1.0)


@pytest.fixture(scope="module")
def walk():
    return reference_gait(ap.human(), speed=1.3, steps=14, rate=100)


@pytest.fixture(scope="module")
def plain(walk):
    return measures(walk)


def changed(motion, plain, joint, turn):
    """What another turn (rotation vector, or an angle) of a joint changes in the measures: {name: by how much}."""
    figure, q = motion.figure, motion.q.copy()
    at = figure.q_of[figure.joint_index(joint)]
    if np.ndim(turn):
        q[:, at] = rot.quaternion_product(q[:, at], rot.quaternion_from_rotation_vector(np.array(turn)))
    else:
        q[:, at.start] += turn
    found = measures(Motion(figure, motion.time, q, motion.u, {}, motion.events, {})).mean - plain.mean
    return {name: x for name, x in zip(NAMES, found, strict=True) if abs(x) > 1e-6}


def test_the_reference_gait_has_the_numbers_it_was_made_with(walk, plain):
    strikes = np.array(sorted(e.time for e in walk.events if e.what == "strike"))
    x = dict(zip(NAMES, plain.mean, strict=True))
    assert x["cadence"] == pytest.approx(np.sqrt(leg_length(walk.figure) / 9.81) / np.diff(strikes).mean(), rel=1e-6)
    assert plain.speed == pytest.approx(1.3, rel=0.01) and abs(plain.direction) < 0.01
    assert x["asymmetry"] < 0.1 and 55.0 < x["stance"] < 65.0 and 50.0 < x["knee in swing"] < 70.0
    assert 0.5 < x["toe clearance"] < 8.0 and 2.0 < x["bounce"] < 8.0 and 5.0 < x["step width"] < 25.0
    assert plain.values.shape == (len(plain.values), len(MEASURES)) and np.ptp(plain.values, axis=0).max() < 1.0


def test_the_way_walked_does_not_matter(walk, plain):
    C, q = rot.elementary("z", 0.7), walk.q.copy()
    q[:, :3] = q[:, :3] @ C.T
    q[:, 3:7] = rot.quaternion_product(rot.quaternion_from_matrix(C), q[:, 3:7])
    turned = measures(Motion(walk.figure, walk.time, q, walk.u, {}, walk.events, {}))
    np.testing.assert_allclose(turned.mean, plain.mean, atol=1e-6)
    assert turned.direction - plain.direction == pytest.approx(0.7)


def test_a_joint_that_is_turned_is_seen_where_it_should(walk, plain):
    lean = changed(walk, plain, "lumbar", (0.0, 0.2, 0.0))
    assert lean["trunk lean"] == pytest.approx(0.2 * DEG, rel=0.02) and lean["head nod"] > 10.0
    assert set(lean) <= {"trunk lean", "trunk sway", "head nod", "bounce", "arm swing", "arm ahead"}
    nod = changed(walk, plain, "neck", (0.0, 0.3, 0.0))
    assert nod["head nod"] == pytest.approx(0.3 * DEG, rel=0.02) and set(nod) <= {"head nod", "bounce"}
    arm = changed(walk, plain, "l_shoulder", (0.0, -0.4, 0.0))
    assert arm["arm ahead"] == pytest.approx(0.5 * 0.4 * DEG, rel=0.1) and "knee in swing" not in arm  # of two arms
    assert changed(walk, plain, "r_elbow", 0.3)["elbow"] == pytest.approx(0.5 * 0.3 * DEG, rel=0.02)


def test_refusals(walk):
    with pytest.raises(InputError, match="whole strides"):
        measures(walk, 1.0, 2.0)
    with pytest.raises(InputError, match="no frames from 90"):
        measures(walk, 90.0)
    with pytest.raises(InputError, match="rollout"):
        measures(Motion(walk.figure, walk.time, walk.q[None], walk.u[None]))
    with pytest.raises(InputError, match="natural"):
        centroids_of({"tired": np.zeros((3, len(MEASURES)))})
    with pytest.raises(FormatError, match="--write"):
        load_centroids("nowhere.toml")


def test_the_nearest_centroid_names_a_walk_and_files_keep_it(tmp_path, plain):
    rng = np.random.default_rng(3)
    walks = {n: plain.mean + k + 0.1 * rng.normal(size=(5, len(MEASURES))) for k, n in enumerate(("natural", "old"))}
    own = centroids_of(walks, "by hand")
    assert own.name(plain) == "natural" and own.name(plain.mean + 0.9) == "old"
    np.testing.assert_allclose(own.away("old") * own.natural, own.centres["old"] - own.centres["natural"])
    save_centroids(own, tmp_path / "c.toml")
    back = load_centroids(tmp_path / "c.toml")
    assert back.made == "by hand" and back.name(plain.mean + 0.9) == "old"
    np.testing.assert_allclose(back.pooled, own.pooled, rtol=1e-4)
    (tmp_path / "c.toml").write_text("made = 1\nmeasures = []\n")
    with pytest.raises(FormatError, match="not those of this version"):
        load_centroids(tmp_path / "c.toml")


def test_the_styles_that_ship_are_far_from_natural():
    own = load_centroids()
    assert set(own.centres) == set(STYLES) and set(PEOPLE) == set(MEASURES)
    for style in set(STYLES) - {"natural"}:
        for people in (False, True):
            assert (np.abs(own.away(style, people)) >= 2.0).sum() >= 3, (style, people)
        assert own.name(own.centres[style]) == style


def test_a_jostled_walker_feels_the_force_that_was_drawn():
    figure, file = ap.human(), load_walker()
    walker = Walker(figure, file.parameters)
    disturbance, off = _drawn(7, 2)
    t = np.arange(0.0, 200.0, 0.01)[:, None] * 2.0 * np.pi * np.array(FREQUENCIES)
    force = np.sin(t) @ disturbance[0].T + np.cos(t) @ disturbance[1].T
    assert np.sqrt((force**2).sum(1).mean()) == pytest.approx(DISTURBANCE, rel=0.02) and np.abs(off).max() < 0.2
    assert not _drawn(UNDISTURBED, 2)[0].any() and set(Disturbed(walker).parameters) == {
        *walker.parameters,
        "disturbance",
    }
    q, u, _ = first_state(figure, file, "walk")
    problem = Problem(figure, Scene(figure, features="feet", contact=sole()), Disturbed(walker))
    given = Inputs(None, problem.controller.parameters | {"disturbance": disturbance}, Command(speed=1.3).row())
    drive = forces_at(problem, 1.7, figure.normalise(q), u, initial_memory(problem), given, 1e-3).drive
    angle = 2.0 * np.pi * 1.7 * np.array(FREQUENCIES)
    expected = figure.mass * 9.81 * np.array([*(disturbance[0] @ np.sin(angle) + disturbance[1] @ np.cos(angle)), 0.0])
    felt = rot.matrix_from_quaternion(figure.normalise(q)[3:7]) @ drive.f_ext[0][3:]
    np.testing.assert_allclose(felt, expected, atol=1e-9)


def test_a_fall_has_a_time():
    figure = ap.human()
    q = np.tile(figure.neutral() + np.eye(figure.nq)[2], (2, 3, 1))
    q[1, 2, 2] = 0.2
    assert fell_at(Motion(figure, np.arange(3.0), q, np.zeros((2, 3, figure.nu)))).tolist() == [np.inf, 2.0]


@pytest.mark.slow
def test_walks_in_styles_are_a_study():
    points = study.grid(height=[1.75], mass=[75], sex=["m"], style=["natural", "happily"], seed=[UNDISTURBED, 3])
    constants = {"duration": 7.0, "speed": 1.3, "settled": 2.0}
    whole = study.Study(style_trial, points, batch=4, constants=constants).run("inline", progress=None).require_done()
    parts = study.Study(style_trial, points, batch=1, constants=constants).run("inline", progress=None)
    assert whole.digest == parts.digest and np.isinf(whole["fell"]).all() and (whole["strides"] >= 3).all()
    natural, happy = whole["measures"][0], whole["measures"][2]
    assert happy[NAMES.index("arm swing")] > 1.5 * natural[NAMES.index("arm swing")]
