"""Contact of whole links, Scene(features="body"): spheres, forces of exactly zero without contact, a fallen body."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact import Compliant
from anthropi.contact.compliant_laws import whole_link
from anthropi.contact.geometry.contacts import contact_records, contacts
from anthropi.contact.geometry.features import Feature, body_groups, shape_features
from anthropi.contact.geometry.height_field import HeightField
from anthropi.contact.geometry.link_spheres import BLEND, COVER, FeatureGroup, covering_spheres, lowest_sphere
from anthropi.contact.limits import SoftLimits
from anthropi.errors import InputError
from anthropi.gait.falls import FallDetector
from anthropi.gait.walker import Command, WalkingSession, sole, sole_scene

HUMAN = ap.human()
RNG = np.random.default_rng(5)
DIRECTIONS = (lambda x: x / np.linalg.norm(x, axis=1, keepdims=True))(RNG.normal(size=(500, 3)))


def reach(points, radii) -> np.ndarray:
    """How far spheres reach in each of DIRECTIONS [m]."""
    return (DIRECTIONS @ np.asarray(points).T + np.asarray(radii)).max(-1)


def test_every_link_has_spheres_that_reach_as_far_as_its_shapes():
    groups = {group.link: group for group in body_groups(HUMAN)}
    assert list(groups) == [link.name for link in HUMAN.links]
    for link in HUMAN.links:
        if link.name[2:] in ("foot", "toes"):
            continue
        spheres = [f for k, shape in enumerate(link.shapes) for f in shape_features(link.name, shape, str(k))]
        lack = reach([f.point for f in spheres], [f.radius for f in spheres]) - reach(*groups[link.name][2:])
        assert 0.0 <= lack.max() < 1.4 * COVER  # chosen in 256 directions, compared in 500 others
    assert sum(len(group.radii) for group in groups.values()) < 90


def test_spheres_of_the_feet_are_above_the_soles():
    soles = {m.link: m.point[2] for m in HUMAN.markers if "sole" in m.name}
    for group in body_groups(HUMAN):
        if group.link in soles:
            assert (group.points[:, 2] - group.radii).min() > soles[group.link] + 0.01


def test_the_contact_moves_continuously_between_two_spheres():
    points, radii = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), np.array([0.1, 0.2])
    for tilt, place in ((-2.0 * BLEND, 0.0), (0.0, 0.5), (2.0 * BLEND, 1.0)):
        centre, radius = lowest_sphere([tilt, -tilt], points, radii)
        np.testing.assert_allclose(centre, [0.0, 0.0, place])
        assert radius == pytest.approx(0.1 + 0.1 * place)
    ends = [lowest_sphere([t, 0.0], points, radii)[0][2] for t in np.linspace(-2.0 * BLEND, 2.0 * BLEND, 401)]
    assert (np.diff(ends) >= 0.0).all() and np.diff(ends).max() < 0.01


def test_a_link_that_does_not_touch_adds_exactly_zero():
    n, t = whole_link(1e-3, -0.5, (1.0, 2.0), 1e5, 1.5, 2.0, 0.8, 1e-3, 4.0)
    assert n == 0.0 and t == (0.0, 0.0)
    n, t = whole_link(-1e-2, -1.0, (3.0, 4.0), 1e5, 1.5, 2.0, 0.8, 1e-3, 4.0)
    assert n > 0.0 and np.hypot(*t) == pytest.approx(0.8 * n)  # it slides: Coulomb friction against the motion
    assert t[0] / t[1] == pytest.approx(0.75) and t[0] < 0.0


@pytest.mark.slow
def test_a_walk_is_the_same_to_the_bit_as_with_the_soles_alone():
    found = []
    for features in ("feet", "body"):
        session = WalkingSession(sole_scene(HUMAN, features=features), start="walk", opt="now")
        session.command(Command(speed=1.3, heading=0.2))
        session.run(0.4)
        found.append(session.motion())
    feet, body = found
    for name in ("q", "u", "tau"):
        np.testing.assert_array_equal(getattr(feet, name), getattr(body, name))
    soles = feet.channels["contact"].shape[1]
    np.testing.assert_array_equal(feet.channels["contact"], body.channels["contact"][:, :soles])
    assert not body.channels["contact"][:, soles:].any()


@pytest.mark.slow
@pytest.mark.parametrize("model", [sole(), Compliant(depth=4e-3)])
def test_a_limp_body_comes_to_rest_on_the_ground(model):
    scene = ap.Scene(HUMAN, features="body", contact=model, limits=SoftLimits())
    q = ap.standing(HUMAN)
    u = np.zeros(HUMAN.nu)
    u[3:6] = 0.3, 2.0, 0.2  # slower, it kneels for seconds on its bent ankles
    found = ap.simulate(scene, q, u, duration=3.0, every=20, opt="now")
    places = ap.kinematics(HUMAN, found.q)
    spheres = {group.link: group for group in body_groups(HUMAN)}
    for name, group in spheres.items():
        link = places.link(name)
        heights = link.position[:, None, 2] + np.einsum("fj,pj->fp", link.rotation[:, 2, :], group.points)
        assert (heights - group.radii).min() > -0.03
    assert found.q[-1, 2] < 0.25 and np.abs(found.u[-1, :3]).max() < 0.3
    weight = -HUMAN.mass * HUMAN.gravity[2]
    assert found.channels["contact"][-25:, :, 2].sum(-1).mean() == pytest.approx(weight, rel=0.1)


def test_features_and_messages():
    scene = ap.Scene(HUMAN, features="body")
    assert [record.name for record in contact_records(scene)[12:14]] == ["pelvis on ground", "abdomen on ground"]
    own = FeatureGroup("trunk", "thorax", np.zeros((1, 3)), np.array([0.1]))
    mixed = ap.Scene(HUMAN, features=["l_foot", own, Feature("tip", "head", np.zeros(3))])
    assert [f.name for f in mixed.features][-2:] == ["trunk", "tip"]
    assert covering_spheres(np.zeros((3, 3)), np.array([0.1, 0.2, 0.1])) == [1]
    with pytest.raises(InputError, match="'body'"):
        ap.Scene(HUMAN, features=3)


def test_feet_and_ankles_do_not_touch_the_sides_of_uneven_ground():
    heights = np.zeros((9, 9))
    heights[5:] = 0.3  # a step
    scene = ap.Scene(HUMAN, HeightField(heights, (-1.0, -1.0), 0.25), features="body")
    names = {record.name for record in contact_records(scene)}
    assert "l_thigh on ground" in names and not {"l_foot on ground", "r_toes on ground"} & names
    shank = next(c for c in scene.candidates if c.name == "l_shank on ground")
    assert (shank.point[:, 2] > -0.3).all()  # without the ankle
    q = ap.standing(HUMAN)
    q[0] += 0.12  # the step is as high as the knees, and 3 cm behind the surface of the shanks
    found = contacts(scene, 0.0, kinematics(HUMAN, q, np.zeros(HUMAN.nu)))
    assert all(c.gap > 0.0 for c in found if c.feature.endswith(".body"))
    head = FallDetector(scene).measures(q)[1]
    assert 1.2 < head < 1.6  # measured along the vertical, over the step as well
