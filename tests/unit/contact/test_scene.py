"""Scenes: features, contact candidates, materials, and what scenes refuse."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra.spatial import Transform
from anthropi.algorithms.energy import kinetic_energy
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.compliant import Compliant
from anthropi.contact.geometry.contacts import contact_names, contact_records, contacts, tangents
from anthropi.contact.geometry.features import Feature, link_features, shape_features
from anthropi.contact.geometry.surfaces import Box, Sphere
from anthropi.contact.limits import HardLimits, Power, SoftLimits
from anthropi.contact.material import Material, between
from anthropi.contact.scene import Obstacle, Scene
from anthropi.errors import InputError
from anthropi.figure.editing.joining import combined_parts, join_states, split_states
from anthropi.figure.parts import Link, Shape
from unit.contact.bodies import body, placed, run

BENCH = ap.sample("bench42")
BOX = body("box", 0.3, 0.2, 0.1)


@pytest.mark.parametrize(("shape", "count"), [
    (Shape("sphere", (0.1,)), 1), (Shape("capsule", (0.1, 0.5)), 2), (Shape("box", (0.1, 0.2, 0.3)), 8),
    (Shape("cylinder", (0.1, 0.5)), 16), (Shape("ellipsoid", (0.1, 0.1, 0.1)), 1),
    (Shape("ellipsoid", (0.1, 0.1, 0.3)), 2), (Shape("ellipsoid", (0.1, 0.2, 0.3)), 4), (Shape("mesh", (1.0,)), 0),
])  # fmt: skip
def test_features_touch_the_box_around_the_shape(shape, count):
    """Along x, y, z the spheres reach as far as the shape does."""
    found = shape_features("link", shape, "f")
    assert len(found) == count and len({f.name for f in found}) == count
    if not count:
        return
    reach = np.max([f.point + f.radius for f in found], axis=0)
    size = shape.size
    wanted = {"sphere": [size[0]] * 3, "box": 0.5 * np.array(size), "ellipsoid": size}.get(shape.kind)
    if wanted is None:
        wanted = [size[0], size[0], 0.5 * size[1] + (size[0] if shape.kind == "capsule" else 0.0)]
    assert reach == pytest.approx(wanted)


def test_a_link_of_several_shapes_keeps_all_features_but_hidden_ones():
    """Only the extremes along x, y and z were kept: a foot of four spheres stood on three."""
    at = [(0.12, 0.03, -0.03), (0.12, -0.03, -0.03), (-0.05, 0.025, -0.03), (-0.05, -0.025, -0.03)]
    foot = [Shape("sphere", (0.005,), Transform(np.eye(3), np.array(x))) for x in at]
    assert {f.name for f in link_features(Link("foot", shapes=foot))} == {f"foot_{k}" for k in (1, 2, 3, 4)}
    row = [Shape("sphere", (0.1,), Transform(np.eye(3), np.array([0.1 * k, 0.0, 0.0]))) for k in range(5)]
    assert len(link_features(Link("arm", shapes=row))) == 5
    hidden = [*row, Shape("sphere", (0.05,)), Shape("sphere", (0.1,)), Shape("box", (0.02, 0.02, 0.02))]
    assert {f.name for f in link_features(Link("arm", shapes=hidden))} == {f"arm_{k}" for k in (1, 2, 3, 4, 5)}


def test_which_features():
    assert len(Scene(BENCH, features="feet").features) == 8
    assert len(Scene(BENCH).features) == 8 + 11 * 8
    assert [f.link for f in Scene(BENCH, features="head").features] == ["head"] * 8
    some = Scene(BENCH, features=["l_foot", "r_sole_ball_in", Feature("nose", "head", (0.1, 0.0, 0.1), 0.02)])
    assert len(some.features) == 6
    assert contact_names(some)[-1] == "head.nose on ground"
    human = Scene(ap.human(detail="standard"))
    assert {"head", "l_hand", "l_shank", "pelvis", "l_foot", "l_toes"} <= {f.link for f in human.features}


def test_names_are_their_own():
    shapes = [Shape("sphere", (0.1,), name="skin"), Shape("sphere", (0.2,), name="skin")]
    figure = BOX.changed(links=[Link("box", 1.0, tensor=np.eye(3), shapes=shapes)])
    assert [f.name for f in Scene(figure, features=["box"]).features] == ["skin"]  # the larger one sticks out
    two = Scene.of([figure, figure], ["a", "b"])
    assert [f.name for f in two.features] == ["a/box.skin", "b/box.skin"]
    assert contact_names(two) == ("a/box.skin on ground", "b/box.skin on ground")
    feet = Scene.of([BENCH], ["anna"], features="feet")
    assert contact_names(feet)[0] == "anna/l_foot.l_sole_heel_in on ground"


def test_records_name_both_sides_of_a_contact():
    records = contact_records(Scene(BENCH, features="feet", pairs=(("l_foot", "r_foot"),)))
    assert records[0] == ("l_foot.l_sole_heel_in on ground", "l_foot", "l_sole_heel_in", "ground", "")
    assert records[-1] == ("r_foot.40 on l_foot", "r_foot", "40", "l_foot", "l_foot")
    (anna, *_) = contact_records(Scene.of([BENCH], ["anna"], features="feet"))
    assert anna.feature == "anna/l_sole_heel_in"  # the marker's name in the combined figure


def test_contacts_are_always_there_in_one_order():
    ball = Obstacle("ball", Sphere(0.2), Transform(np.eye(3), np.array([1.0, 0.0, 0.0])))
    scene = Scene(BENCH, features="feet", obstacles=(ball,), pairs=(("l_foot", "r_foot"),))
    k = kinematics(BENCH, BENCH.random(np.random.default_rng(0)))
    found = contacts(scene, 0.0, k)
    assert tuple(t.name for t in found) == contact_names(scene)
    assert [t.name for t in found][8] == "l_foot.l_sole_heel_in on ball"
    assert all(t.speed is None for t in found)
    assert len(found) == 8 + 8 + 16 + 24


def test_tangents():
    assert np.array(tangents(np.array([0.0, 0.0, 1.0]))).tolist() == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    down = [(0.0, 0.0, -1.0), (-1.0, 0.0, 0.0), (0.0, -1.0, 0.0)]
    for n in [*down, *np.random.default_rng(0).normal(size=(50, 3))]:
        n = np.array(n) / np.linalg.norm(n)
        frame = np.array([*tangents(n), n])
        assert frame @ frame.T == pytest.approx(np.eye(3), abs=1e-12)
        assert np.linalg.det(frame) == pytest.approx(1.0)


def test_a_ball_touches_at_its_skin():
    ball = body("sphere", 0.1)
    u = np.array([0.5, 0.0, 0.0, 0.0, 5.0, 0.0])  # rolling without slip
    (contact,) = contacts(Scene(ball), 0.0, kinematics(ball, placed(z=0.15), u))
    assert contact.gap == pytest.approx(0.05) and contact.point == pytest.approx([0.0, 0.0, 0.05])
    assert contact.speed == pytest.approx(np.zeros(3), abs=1e-15)
    assert contact.local == pytest.approx([0.0, 0.0, -0.1])


def test_materials_of_pairs():
    ice, tar = Material(friction=0.01), Material(friction=2.0)
    plate = Obstacle("plate", Box(), material=ice)
    scene = Scene(BENCH, obstacles=(plate,), pairs=(("l_foot", "r_foot"),), features="feet",
                  materials={("l_foot", "ground"): ice, ("l_sole_heel_in", "ground"): tar,
                             ("r_foot", "l_foot"): tar})  # fmt: skip
    friction = {c.name: c.material.friction for c in scene.candidates}
    assert friction["l_foot.l_sole_heel_in on ground"] == 2.0
    assert friction["l_foot.l_sole_ball_in on ground"] == 0.01
    assert friction["r_foot.r_sole_ball_in on ground"] == 0.8
    assert friction["r_foot.r_sole_ball_in on plate"] == pytest.approx(0.008**0.5)
    assert friction["l_foot.1 on r_foot"] == 2.0


def test_two_materials_as_one():
    both = between(Material(0.4, 0.2, 1e5, 3.0, 1.5), Material(0.9, 0.7, 3e5, None, 1.0))
    assert both == (pytest.approx(0.6), 0.7, pytest.approx(0.75e5), 3.0, 1.0)
    assert between(Material(0.3), Material(0.3)) == Material(0.3)


def test_numpys_numbers_are_numbers():
    soft = Material(np.float32(0.5), np.int64(0), np.int32(1000))
    scene = Scene(
        BOX, material=soft, materials={("box", "ground"): soft}, obstacles=Obstacle("o", Box(), material=soft)
    )
    for found in (scene.material, *scene.materials.values(), scene.obstacles[0].material):
        assert found == Material(0.5, 0, 1000) and {type(x) for x in found[:3]} == {float, int}
    limits = SoftLimits(
        spring=Power(np.float32(100.0), np.int64(2)), zone=np.float32(0.25), factor={"root": np.int64(2)}
    )
    assert (limits.zone, limits.factor, limits.spring) == (0.25, {"root": 2}, Power(100.0, 2))
    assert isinstance(HardLimits(restitution=np.float32(0.5)).restitution, float)
    assert isinstance(Compliant(depth=np.float32(1e-3)).depth, float)


@pytest.mark.slow
def test_neighbours_never_touch():
    every = Scene(BENCH, pairs="*", features="feet").pairs
    assert ("torso", "head") not in every and ("l_forearm", "r_forearm") in every
    assert Scene(BENCH, pairs=(("l_foot", "r_*"),)).pairs[-1] == ("l_foot", "r_foot")
    with pytest.raises(InputError, match="connected by a joint"):
        Scene(BENCH, pairs=(("torso", "head"),))


def test_several_figures():
    scene = Scene.of([BENCH, BOX, BOX], ["anna", "one", "two"])
    figure = scene.figure
    assert (figure.nq, figure.nu) == (55 + 14, 42 + 12)
    assert figure.links[0].name == "world" and figure.link_index("two/box") == 15
    assert scene.weight(15) == pytest.approx(9.81) and scene.weight(3) == pytest.approx(9.81 * BENCH.mass)
    states = {"anna": (BENCH.neutral(), np.zeros(42)), "two": (placed(z=2.0), np.full(6, 2.0)),
              "one": (placed(z=1.0), np.ones(6))}  # fmt: skip
    q, u = join_states(figure, states)
    back = split_states(figure, q, u)
    assert list(back) == ["anna", "one", "two"] and back["two"][0] == pytest.approx(placed(z=2.0))
    assert back["one"][1] == pytest.approx(np.ones(6))
    k = kinematics(figure, q, u)
    assert k.position[figure.link_index("one/box")] == pytest.approx([0.0, 0.0, 1.0])
    assert combined_parts(BOX)[0].q == slice(0, 7)
    assert [p.name for p in combined_parts(Scene.of([BOX, BOX]).figure)] == ["box1", "box2"]


@pytest.mark.slow
def test_boxes_stand_on_each_other():
    """Corners of neither lie inside the other at two of four places: edges hold."""
    scene = Scene.of([body("box", 0.3, 0.3, 0.2, mass=2.0), BOX], ["low", "top"], pairs=(("low/*", "top/*"),))
    turned = (np.cos(0.4), 0.0, 0.0, np.sin(0.4))
    q = np.concatenate([placed(z=0.1), placed(0.1, 0.05, 0.251, turned)])
    frames = run(scene, q, np.zeros(12), 2.0, every=100)
    assert np.abs(frames.u[-1]).max() < 1e-6
    assert frames.gap[-1].min() > -1e-3
    assert frames.q[-1, 9] == pytest.approx(0.25, abs=1.5e-3)
    assert frames.force[-1, :16, 2].sum() == pytest.approx(3.0 * 9.81, rel=1e-3)


@pytest.mark.parametrize("shapes", [("sphere", "sphere"), ("capsule", "capsule"), ("capsule", "sphere"),
                                    ("box", "sphere"), ("capsule", "box")])  # fmt: skip
def test_what_hits_another_keeps_the_momentum_and_loses_energy(shapes):
    sizes = {"sphere": (0.1,), "capsule": (0.1, 0.3), "box": (0.2, 0.2, 0.2)}
    one, other = (body(kind, *sizes[kind], name=f"{kind}") for kind in shapes)
    scene = Scene.of([one, other], ["a", "b"], ground=None, gravity=(0, 0, 0), pairs=(("a/*", "b/*"),))
    q = np.concatenate([placed(), placed(0.3, 0.03, 0.02, (0.9, 0.1, 0.2, 0.3))])
    u = np.zeros(12)
    u[0] = 2.0
    frames = run(scene, q, u, 0.3, every=10)
    assert frames.gap.min() < 0.0 and frames.gap[-1].min() > 0.0
    assert frames.u[-1, :3] + frames.u[-1, 6:9] == pytest.approx([2.0, 0.0, 0.0], abs=1e-10)
    assert kinetic_energy(scene.figure, frames.q[-1], frames.u[-1]) < 0.95 * 2.0


REFUSED = {
    "figure": (lambda: Scene("bench42"), "Scene.of"),
    "ground": (lambda: Scene(BOX, ground=0.0), "ground"),
    "obstacle": (lambda: Scene(BOX, obstacles=(Box(),)), "not an obstacle"),
    "twins": (lambda: Scene(BOX, obstacles=(Obstacle("a", Box()), Obstacle("a", Box()))), "'a'"),
    "ground's name": (lambda: Obstacle("ground", Box()), "ground"),
    "no surface": (lambda: Obstacle("step", "box"), "'step'"),
    "bad pose": (lambda: Obstacle("step", Box(), Transform(2.0 * np.eye(3), np.zeros(3))), "right-handed"),
    "lost pose": (lambda: Obstacle("step", Box(), Transform(np.eye(3), np.full(3, np.nan))), "finite"),
    "bad path": (lambda: Obstacle("step", Box(), lambda t: np.zeros(3)), "angular velocity"),
    "bad speed": (lambda: Obstacle("s", Box(), lambda t: (Transform(np.eye(3), np.zeros(3)), np.zeros(2), np.zeros(3))),
                  "angular velocity"),
    "friction": (lambda: Scene(BOX, material=Material(friction=-0.1)), "friction -0.1"),
    "nan": (lambda: Scene(BOX, material=Material(restitution=np.nan)), "restitution nan"),
    "springy": (lambda: Scene(BOX, material=Material(restitution=1.5)), "restitution 1.5"),
    "soft": (lambda: Scene(BOX, material=Material(stiffness=0.0)), "stiffness"),
    "pair": (lambda: Scene(BOX, materials={("box", "ground"): Material(friction=-1.0)}), "box, ground"),
    "pair's name": (lambda: Scene(BOX, materials={("bix", "ground"): Material()}), "Did you mean 'box'"),
    "pair's key": (lambda: Scene(BOX, materials={"box": Material()}), "pair of names"),
    "feature": (lambda: Scene(BENCH, features=["l_fot"]), "Did you mean 'l_foot'"),
    "no feet": (lambda: Scene(BOX, features="feet"), "features='all'"),
    "feature's link": (lambda: Scene(BOX, features=Feature("x", "bax", (0, 0, 0))), "Did you mean 'box'"),
    "feature's place": (lambda: Scene(BOX, features=Feature("x", "box", (0, np.nan, 0))), "finite"),
    "feature's radius": (lambda: Scene(BOX, features=Feature("x", "box", (0, 0, 0), -1.0)), "radius"),
    "no link": (lambda: Scene(BENCH, pairs=(("l_fot", "head"),)), "Did you mean 'l_foot'"),
    "pairs' number": (lambda: Scene(BENCH, pairs=3), "pairs 3"),
    "pairs' word": (lambda: Scene(BENCH, pairs="l_foot"), "'l_foot'"),
    "features' number": (lambda: Scene(BENCH, features=3), "features 3"),
    "obstacles' number": (lambda: Scene(BENCH, obstacles=3), "obstacles 3"),
    "materials' list": (lambda: Scene(BENCH, materials=[Material()]), "materials"),
    "contact": (lambda: Scene(BOX, contact=3), r"contact 3. Give Compliant\(\)"),
    "contact's class": (lambda: Scene(BOX, contact=Compliant), r"Call it: Compliant\(\)"),
    "limits": (lambda: Scene(BOX, limits="hard"), r"limits 'hard'. Give SoftLimits\(\)"),
    "limits' class": (lambda: Scene(BOX, limits=HardLimits), r"Call it: HardLimits\(\)"),
    "limits' bounce": (lambda: HardLimits(restitution="a"), "restitution='a'"),
    "no pair": (lambda: Scene(BENCH, pairs=("l_foot",)), "pairs"),
    "gravity": (lambda: Scene(BOX, gravity=(0.0, 0.0)), "gravity"),
    "names": (lambda: Scene.of([BOX, BOX], ["a", "a"]), "names"),
    "nobody": (lambda: Scene.of([]), "at least one"),
    "pulls": (lambda: Scene.of([BOX, BOX.changed(gravity=np.zeros(3))]), "gravity"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refuses(name):
    make, words = REFUSED[name]
    with pytest.raises(InputError, match=words):
        make()
