"""The native format: exact to the bit, every item of thesis 8.2, comments kept, errors that name the item."""

import json
import tomllib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anthropi as ap
from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import Transform, box
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import AnthropiError, FormatError
from anthropi.figure import Direction, Figure, Link, Loop, Marker, Revolute, Shape, Weld
from anthropi.figure.joints import JointStop
from anthropi.formats.figures import toml
from anthropi.formats.figures.common import InitialState
from anthropi.formats.figures.toml.scan import scan
from formats.mutations import TOML, written
from oracle.figures import figure


def same(a: Figure, b: Figure) -> bool:
    """All bits of all numbers and all words."""
    return a.changed(checked=False).key == b.changed(checked=False).key


@pytest.mark.parametrize("seed", range(40))
def test_random_figures_of_every_joint_round_trip_bit_for_bit(seed, tmp_path, monkeypatch):
    monkeypatch.setattr("anthropi.figure.figure.validate", lambda figure: None)  # random ones may have idle joints
    before = figure(seed, links=5 + seed % 20)
    toml.write(before, tmp_path / "f.toml")
    after = toml.read(tmp_path / "f.toml").figure
    assert same(before, after)
    assert toml.text(after) == (tmp_path / "f.toml").read_text()


@pytest.mark.parametrize("detail", ["thesis42", "standard"])
def test_humans_round_trip_bit_for_bit_also_re_rooted_and_locked(detail):
    human = ap.human(1.75, 75.0, detail=detail)
    q = human.random(np.random.default_rng(5))
    turned, q2, _ = human.reroot(human.links[-1].name, q, np.zeros(human.nu))
    for one in (human, turned, turned.lock([turned.joints[2].name], q2)):
        assert same(one, toml.parse(toml.text(one), "f.toml").figure)


def rich() -> Figure:
    """A figure with everything a figure can have, in odd numbers."""
    third = 1.0 / 3.0
    turned = Transform(rot.matrix_from_rotation_vector(np.array([0.1, -0.2, third])), np.array([1e-300, -0.0, 1e17]))
    shapes = (
        Shape("box", (0.1, 0.2, third), turned, "plate", "", (0.1, 0.2, 0.3, 1.0)),
        Shape("mesh", (1.0, 1.0, 2.0), file="meshes/a b.stl"),
        Shape("capsule", (0.1, 0.2)),
    )
    links = [Link.of("a 'b' \"c\" \\ é\n", box([1.0, 2.0, third], density=1000.0), shapes),
             Link.of("b", box([1.0, 2.0, third], mass=third, centre=[0.1, 0.2, 0.3]))]  # fmt: skip
    joints = [
        Weld(name="base", placement=turned),
        Revolute(name="r", axis=[1.0, 2.0, 3.0], lower=-0.1, stiffness=third, rest=-0.0, damping=1e-320, armature=2.0),
    ]
    markers = [Marker("m", "b", np.array([0.1, -0.0, third])), Direction("d", "b", np.array([0.6, 0.0, -0.8]))]
    loops = [Loop("l", "hinge", "b", turned, "", turned)]
    return Figure("odd", links, joints, [-1, 0], markers, loops, np.array([0.0, -third, -9.81]))


def test_everything_round_trips_bit_for_bit(tmp_path):
    before = rich()
    state = InitialState(np.array([0.1 + 0.2]), np.array([-0.0]), np.array([1e-17]))
    stops = {"r": {"type": "power", "k": 2.0, "n": 3.0, "gate": "none"}}
    toml.write(before, tmp_path / "f.toml", state, stops)
    found = toml.read(tmp_path / "f.toml")
    base, hinge = before.joints
    stopped = before.changed(joints=[base, hinge.changed(stop=JointStop(**stops["r"]))])
    assert same(stopped, found.figure) and found.stops == stops
    assert found.notes == () and toml.text(found.figure, state) == toml.text(before, state, stops)
    for a, b in zip(state, toml.read_state(tmp_path / "f.toml"), strict=True):
        assert a.tobytes() == b.tobytes()


@given(st.lists(st.floats(-1e100, 1e100), min_size=7, max_size=7), st.floats(-1e9, 1e9, allow_nan=False))
def test_any_number_round_trips(numbers, limit):
    before = rich()
    joint = before.joints[1].changed(rest=np.array(numbers[:1]), upper=max(limit, -0.1))
    marker = Marker("m", "b", np.array(numbers[1:4]))
    before = before.changed(joints=(before.joints[0], joint), markers=(marker,), gravity=np.array(numbers[4:]))
    assert same(before, toml.parse(toml.text(before), "f.toml").figure)


@given(st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=20))
def test_any_name_round_trips(name):
    before = rich()
    before = before.changed(links=(before.links[0], Link.of(name + "!", before.links[1].inertia)), markers=(), loops=())
    after = toml.parse(toml.text(before), "f.toml").figure
    assert same(before, after)


# what the thesis wants to say (8.2)


def test_the_example_says_what_it_means(tmp_path):
    found = toml.read(written(tmp_path, "toml", TOML))
    leg = found.figure
    thigh, shank, foot = (leg.links[leg.link_index(n)] for n in ("thigh", "shank", "foot"))
    assert thigh.mass == pytest.approx(0.42 * 0.12 * 0.12 * 1050.0, rel=1e-15) and thigh.centre.tolist() == [
        0.21,
        0.0,
        0.0,
    ]
    volume = np.pi * 0.05**2 * 0.3 + 4.0 / 3.0 * np.pi * 0.05**3
    assert shank.mass == pytest.approx(1000.0 * volume, rel=1e-14) and foot.mass == 1.0
    assert np.allclose(np.diag(foot.tensor), np.array([0.08**2 + 0.05**2, 0.2**2 + 0.05**2, 0.2**2 + 0.08**2]) / 12.0)
    hip, knee, ankle = leg.joints[1:]
    assert (hip.kind, hip.order) == ("euler", "zxy") and np.isinf(hip.upper[2]) and hip.lower[0] == -1.0
    assert np.allclose(hip.placement.rotation, rot.matrix_from_euler(np.array([0.1, 0.2, 0.3]), "xyz"), atol=1e-15)
    assert (knee.stiffness[0], knee.rest[0], knee.damping[0], knee.armature[0]) == (1.0, 0.2, 0.5, 0.01)
    assert np.allclose(knee.placement.rotation, rot.matrix_from_rotation_vector(np.array([0.1, 0.0, 0.0])), atol=1e-15)
    assert [p.kind for p in ankle.parts] == ["revolute", "locked"] and ankle.parts[1].at.tolist() == [0.01]
    assert found.stops == {"knee": {"type": "power", "k": 100.0, "n": 3.0, "gate": "direction"}}
    assert found.state.q[leg.q_of[leg.joint_index("knee")]] == 0.3 and found.state.q[2] == 0.9
    assert found.state.u[leg.dof_indices("hip")[1]] == 0.2 and found.state.udot[leg.dof_indices("knee")[0]] == 1.5
    assert leg.connectivity().sum() == 7


WAYS = {
    "rotation": lambda C: C.tolist(),
    "quaternion": lambda C: rot.quaternion_from_matrix(C).tolist(),
    "rotation_vector": lambda C: rot.rotation_vector_from_matrix(C).tolist(),
    "angle_axis": lambda C: dict(zip(("angle", "axis"), map(_plain, rot.angle_axis_from_matrix(C)), strict=True)),
    "euler": lambda C: {"order": "zyx", "angles": rot.euler_from_matrix(C, "zyx").tolist()},
}


def _plain(x):
    return float(x) if np.ndim(x) == 0 else np.asarray(x).tolist()


@pytest.mark.parametrize("way", WAYS)
def test_a_placement_in_any_parametrisation(way):
    C = rot.matrix_from_rotation_vector(np.array([0.3, -1.2, 0.5]))
    text = f'{toml.text(rich()).split("[[joint]]")[0]}\n[[joint]]\nname = "w"\ntype = "weld"\nchild = {_first()}\n'
    text += f'[[joint]]\nname = "j"\ntype = "ball"\nparent = {_first()}\nchild = "b"\n{way} = '
    found = toml.parse(text + toml.writer.value_text(WAYS[way](C)) + "\n", "f.toml").figure
    assert np.abs(found.joints[1].placement.rotation - C).max() < 1e-14


def _first() -> str:
    return toml.writer.value_text(rich().links[0].name)


def test_links_and_joints_in_any_order(tmp_path):
    head, links, joints = TOML.partition("[[link]]")[0], *TOML.partition("[[link]]")[2].partition("[[joint]]")[::2]
    blocks = [f"[[link]]{b}" for b in links.split("[[link]]")][::-1]
    found = toml.parse(head + "[[joint]]" + joints.partition("[[marker]]")[0] + "".join(blocks), "f.toml").figure
    assert [x.name for x in found.links] == ["pelvis", "thigh", "shank", "foot"]


def test_one_link_alone_stands_still():
    found = toml.parse(
        'format = "anthropi figure 1"\nname = "stone"\n[[link]]\nname = "a"\nsize = [1.0, 1.0, 1.0]\nmass = 2', "s"
    )
    assert found.figure.joints[0].kind == "weld" and found.figure.mass == 2.0


def test_the_schema_is_json_schema():
    found = json.loads(json.dumps(toml.schema()))
    assert found["$schema"].startswith("https://json-schema.org") and set(found["required"]) == {
        "format",
        "name",
        "link",
    }
    assert found["additionalProperties"] is False and "JointTable" in found["$defs"]


# editing


def test_an_edit_changes_one_value_and_keeps_every_other_byte(tmp_path):
    path = written(tmp_path, "toml", TOML)
    found = toml.edit(path, {"link.pelvis.mass": 11.5, "joint.knee.damping": [0.25]})
    assert path.read_text() == TOML.replace("mass = 10.0", "mass = 11.5").replace("damping = 0.5", "damping = [0.25]")
    assert found.figure.links[0].mass == 11.5 and "# heavy" in path.read_text()


def test_edits_of_every_kind_of_place(tmp_path):
    path = written(tmp_path, "toml", TOML)
    toml.edit(
        path,
        {
            "gravity": [0.0, 0.0, -1.62],
            "link.shank.shape.0.size": np.array([0.06, 0.3]),
            ("joint", "hip", "order"): "xyz",
            "joint.ankle.part.slide.locked": 0.02,
            "state.position.knee": 0.5,
            "state.velocity.knee": 0.1,
            "joint.hip.damping": [1.0, 1.0, 1.0],
            "joint.knee.stop.k": 50.0,
            "joint.knee.rest": None,
            "marker.heel.point": [0, 0, 0],
        },
    )
    found = toml.read(path)
    leg = found.figure
    assert leg.gravity[2] == -1.62 and leg.links[2].shapes[0].size == (0.06, 0.3) and leg.joints[1].order == "xyz"
    assert leg.joints[3].parts[1].at[0] == 0.02 and found.stops["knee"]["k"] == 50.0 and leg.joints[2].rest[0] == 0.0
    assert found.state.u[leg.dof_indices("knee")[0]] == 0.1 and leg.joints[1].damping.tolist() == [1.0, 1.0, 1.0]
    assert path.read_text().startswith("# a leg") and "# heavy" in path.read_text()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"link.pelvs.mass": 1.0}, "no link 'pelvs'. Did you mean 'pelvis'"),
        ({"link.pelvis.mas": 1.0}, "'pelvis' mas: no such key, did you mean 'mass'"),
        ({"link.pelvis.mass": -1.0}, "greater than or equal to 0"),
        ({"link.pelvis.mass": "heavy"}, "valid number"),
        ({"link.pelvis.mass": float("nan")}, "must be a finite number"),
        ({"joint.knee.axis": [0.0, 0.0, 0.0]}, "not all zero"),
        ({"joint.knee.friction": None}, "cannot be removed, because the file does not contain it"),
        ({"joint.knee.stop": {"k": 1.0}}, "is a table"),
        ({"link.shank.shape.4.size": [1.0]}, "has 1 entries; index 4 is too large"),
    ],
)
def test_an_edit_that_spoils_the_file_leaves_it_alone(changes, message, tmp_path):
    path = written(tmp_path, "toml", TOML)
    with pytest.raises(AnthropiError, match=message):
        toml.edit(path, changes)
    assert path.read_text() == TOML


def test_update_keeps_comments_and_changes_only_what_differs(tmp_path):
    path = written(tmp_path, "toml", TOML)
    found = toml.read(path)
    leg = found.figure
    pelvis = Link("pelvis", 12.0, leg.links[0].centre, leg.links[0].tensor)
    toml.update(leg.changed(links=(pelvis, *leg.links[1:])), path)
    assert path.read_text() == TOML.replace("mass = 10.0", "mass = 12.0")


def test_update_with_links_gone_and_come(tmp_path):
    path = written(tmp_path, "toml", TOML)
    leg = toml.read(path).figure
    sole = Link.of("sole", box([0.1, 0.1, 0.1], mass=0.5))
    thigh = Link("thigh", 9.0, leg.links[1].centre, leg.links[1].tensor, leg.links[1].shapes)
    new = Figure(
        "leg two", (leg.links[0], thigh, leg.links[2], sole), (*leg.joints[:3], Weld(name="glue")), (-1, 0, 1, 2)
    )
    state = InitialState(new.neutral(), np.ones(new.nu), np.zeros(new.nu))
    toml.update(new, path, state)
    found = toml.read(path)
    assert same(found.figure, new) and np.array_equal(found.state.u, state.u)
    text = path.read_text()
    assert text.startswith("# a leg") and "# heavy" in text and "foot" not in text and "density = 1000.0" in text


def test_update_of_an_unchanged_figure_changes_nothing(tmp_path):
    path = written(tmp_path, "toml", TOML)
    found = toml.read(path)
    assert toml.update(found.figure, path, found.state) == ()
    assert path.read_text() == TOML


ODD = '''"a b" = 1 # one
c."d.e".f = [1, # two
  2, """x]"""]
g = { h = "}", "i\\u0041" = [ { j = 'k' } ] }
[[t]]
m = 1979-05-27T07:32:00Z
  [t.u]
  v = \'\'\'a'\'\'\'\'
  [[t.w]]
  x = 1
  [[t.w]]
  x = 2
[[t]]
  [[t.w]]
  x = 3.5e-3
'''  # fmt: skip


def test_the_scanner_finds_every_value_of_an_odd_file():
    raw, found = tomllib.loads(ODD), scan(ODD).values
    for path, (start, end) in found.items():
        at = raw
        for step in path:
            at = at[step]
        assert tomllib.loads(f"x = {ODD[start:end]}")["x"] == at, path
    assert len(found) == 8 and ("t", 1, "w", 0, "x") in found and ("g",) in found


def changed(old: str, new: str) -> str:
    assert old in TOML, old
    return TOML.replace(old, new, 1)


REFUSED = {
    "no format": (changed('format = "anthropi figure 1"', ""), r"format: is missing. Add it"),
    "another version": (changed("figure 1", "figure 2"), r"format: Input should be 'anthropi figure 1'"),
    "unknown key": (
        changed("density = 1050.0", "densty = 1050.0"),
        r"link 'thigh' densty: no such key, did you mean 'density'",
    ),
    "unknown table": (changed("[[marker]]", "[[marker_]]"), r"marker_: no such key"),
    "text for a number": (changed("mass = 10.0", 'mass = "10"'), r"link 'pelvis' mass: Input should be a valid number"),
    "true for a number": (changed("mass = 10.0", "mass = true"), r"link 'pelvis' mass: Input should be a valid number"),
    "NaN": (changed("mass = 10.0", "mass = nan"), r"link 'pelvis' mass: must be a finite number"),
    "NaN in a list": (changed("[0.0, 0.0, 0.1]", "[0.0, 0.0, nan]"), r"'pelvis' centre \[2\]: must be a finite number"),
    "1e999": (
        changed("stiffness = 1.0", "stiffness = 1e999"),
        r"joint 'knee' stiffness \[0\]: must be a finite number",
    ),
    "NaN limit": (changed("-inf]", "nan]"), r"has limits"),
    "two numbers": (
        changed("centre = [0.0, 0.0, 0.1]", "centre = [0.0, 0.1]"),
        r"'pelvis' centre: List should have at least 3",
    ),
    "negative mass": (changed("mass = 10.0", "mass = -10.0"), r"greater than or equal to 0"),
    "unphysical": (changed("[0.1, 0.1, 0.08]", "[0.1, 0.1, 0.8]"), r"triangle inequality"),
    "negative inertia": (changed("[0.1, 0.1, 0.08]", "[0.1, 0.1, -0.08]"), r"not positive definite"),
    "mass and density": (
        changed("density = 1050.0", "density = 1050.0\nmass = 1.0"),
        r"link 'thigh' has a mass, and also a density",
    ),
    "no size": (
        changed("size = [0.42, 0.12, 0.12]", ""),
        r"'thigh' has a mass or density but no tensor, size or shape",
    ),
    "zero axis": (changed("axis = [0.0, 1.0, 0.0]", "axis = [0.0, 0.0, 0.0]"), r"joint 'knee': .*not all zero"),
    "axis of a ball": (
        changed('order = "zxy"', 'order = "zxy"\naxis = "x"'),
        r"joint 'hip' of type 'euler' has no 'axis'",
    ),
    "wrong order": (changed('"zxy"', '"zxx"'), r"order 'zxx'. Choose one of xyx"),
    "unknown type": (changed('"revolute"', '"hinge"'), r"joint 'knee' has the unknown type 'hinge'"),
    "two attitudes": (
        changed("quaternion =", "rotation_vector = [0.1, 0.0, 0.0]\nquaternion ="),
        r"by quaternion and rotation_vector",
    ),
    "no rotation": (
        changed("quaternion = [1.0, 0.0, 0.0, 0.0]", "rotation = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]]"),
        r"not a rotation matrix",
    ),
    "zero quaternion": (changed("quaternion = [1.0,", "quaternion = [0.0,"), r"has no direction"),
    "three limits": (
        changed("upper = [1.0, 0.5, inf]", "upper = [1.0, 0.5]"),
        r"joint 'hip' has 2 numbers in 'upper'. Give 3",
    ),
    "crossed limits": (changed("upper = [1.0, 0.5, inf]", "upper = [-2.0, 0.5, inf]"), r"has limits"),
    "unknown parent": (
        changed('parent = "thigh"', 'parent = "tigh"'),
        r"refers to 'tigh', which is not a link. Did you mean 'thigh'",
    ),
    "two joints": (changed('child = "foot"', 'child = "shank"'), r"has two joints|one root"),
    "ring": (
        changed('type = "free"\nchild = "pelvis"', 'type = "free"\nparent = "foot"\nchild = "pelvis"'),
        r"form a cycle",
    ),
    "same link": (changed('name = "shank"', 'name = "thigh"'), r"two links are called 'thigh'"),
    "same joint": (changed('name = "knee"', 'name = "hip"'), r"Two joints .* 'hip'"),
    "wrong root": (changed('root = "pelvis"', 'root = "foot"'), r"root is 'foot', but"),
    "locked wrong": (
        changed("locked = 0.01", "locked = [0.01, 0.0]"),
        r"has 2 numbers in 'locked'; its configuration has 1",
    ),
    "marker nowhere": (changed('link = "foot"', 'link = "fot"'), r"is attached to 'fot', which is not a link"),
    "marker of nothing": (
        changed("point = [-0.05, 0.0, -0.02]", ""),
        r"marker 'heel' needs either a point or a direction",
    ),
    "state of nobody": (changed("knee = 0.3", "kneee = 0.3"), r"state.position refers to the joint 'kneee'"),
    "state too long": (changed("knee = 0.3", "knee = [0.3, 0.1]"), r"has 2 numbers. Give 1"),
    "state no attitude": (changed("0.9, 1.0, 0.0", "0.9, 2.0, 0.0"), r"of unit length"),
    "mesh outside": (
        changed('kind = "capsule"\nsize = [0.05, 0.3]', 'kind = "mesh"\nfile = "../a.stl"\nsize = [1.0, 1.0, 1.0]'),
        r"leads out of",
    ),
    "no TOML": (changed("[[link]]", "[[link]"), r"is not valid TOML: .*line 7"),
    "not UTF-8": (TOML.encode("utf-16"), r"is not UTF-8 text"),
    "empty": ("", r"format: is missing"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refuses_toml(case, tmp_path):
    text, message = REFUSED[case]
    with pytest.raises(FormatError, match=message):
        toml.read(written(tmp_path, "toml", text))


def test_reading_gives_a_figure_that_moves(tmp_path):
    found = toml.read(written(tmp_path, "toml", TOML))
    k = kinematics(found.figure, found.state.q, found.state.u, found.state.udot)
    assert np.isfinite(k.acceleration).all()
