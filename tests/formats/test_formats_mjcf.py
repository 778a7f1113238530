"""MJCF: the three humans against MuJoCo's own reading, features one by one, writing and reading back."""

import numpy as np
import pytest

import anthropi as ap
from anthropi import formats
from anthropi.algebra.rotation import quaternion_from_rotation_vector
from anthropi.algebra.spatial import Transform
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import FormatError, FormatWarning
from anthropi.figure import Exponential, Figure, Helical, Link, Loop, Revolute, Weld
from anthropi.formats.figures import mjcf
from formats.mutations import MJCF, written
from formats.peer import compare, mujoco_model
from oracle.figures import FAMILIES
from oracle.figures import figure as random_figure
from oracle.figures import state as random_state

HUMANS = ["mujoco_humanoid", "dm_control_suite_humanoid", "dm_control_humanoid_CMU_V2019"]
RNG = 20261115
BALL = Link("ball", 1.0, np.zeros(3), np.eye(3))


def configurations(figure, count=5):
    rng = np.random.default_rng(RNG)
    return [figure.random(rng) for _ in range(count)]


@pytest.mark.oracle
@pytest.mark.parametrize("name", HUMANS)
def test_humans_agree_with_mujoco(name, shared):
    path = shared / "mjcf" / f"{name}.xml"
    figure = mjcf.read(path).figure
    model = mujoco_model(path.read_text())
    assert (figure.nq, figure.nu, figure.n) == (model.nq, model.nv, model.nbody - 1)
    assert abs(figure.mass - model.body_mass[1:].sum()) < 1e-10
    worst = compare(figure, model, configurations(figure, 20))
    assert max(worst.values()) < 1e-10, worst  # rounding of 31 links in a row is 1e-14


@pytest.mark.oracle
@pytest.mark.parametrize("name", HUMANS)
def test_humans_survive_writing_and_reading(name, shared, tmp_path):
    first = mjcf.read(shared / "mjcf" / f"{name}.xml")
    formats.write(first.figure, tmp_path / "again.xml", first.state)
    again = mjcf.read(tmp_path / "again.xml")
    assert [x.name for x in first.figure.links] == [x.name for x in again.figure.links]
    assert first.figure.dofs == again.figure.dofs
    assert np.array_equal(first.state.q, again.state.q) or np.allclose(first.state.q, again.state.q, rtol=0, atol=1e-15)
    for q in configurations(first.figure):
        u = np.random.default_rng(1).normal(size=first.figure.nu)
        for a, b in zip(kinematics(first.figure, q, u, u), kinematics(again.figure, q, u, u), strict=True):
            assert np.abs(a - b).max() < 1e-12
    assert np.array_equal(first.figure.limits, again.figure.limits)


@pytest.mark.oracle
@pytest.mark.parametrize("name", HUMANS)
def test_what_we_write_mujoco_reads_the_same(name, shared, tmp_path):
    figure = mjcf.read(shared / "mjcf" / f"{name}.xml").figure
    mjcf.write(figure, tmp_path / "again.xml")
    model = mujoco_model((tmp_path / "again.xml").read_text())
    worst = compare(figure, model, configurations(figure))
    assert max(worst.values()) < 1e-10, worst


def wrapped(body: str, top: str = "", attributes: str = "") -> str:
    geom = '<geom size="0.1"/>'
    return f'<mujoco>{top}<worldbody><body name="a" {attributes}>{geom}{body}</body></worldbody></mujoco>'


FEATURES = {
    "seed": MJCF,
    "euler intrinsic": wrapped('<joint/><body name="b" euler="10 20 30" pos="1 2 3"><joint/><geom size="0.1"/></body>'),
    "euler mixed, radian": wrapped(
        '<joint/><body name="b" euler="0.1 0.2 0.3"><joint axis="1 2 3"/><geom size="0.1"/></body>',
        '<compiler angle="radian" eulerseq="zYx"/>',
    ),
    "axisangle": wrapped('<joint/><body name="b" axisangle="1 2 3 40"><joint/><geom size="0.1"/></body>'),
    "xyaxes": wrapped('<joint/><body name="b" xyaxes="1 1 0 0 1 2"><joint/><geom size="0.1"/></body>'),
    "zaxis": wrapped('<joint/><body name="b" zaxis="0 0 -1"><joint/><geom size="0.1"/></body>'),
    "quat not unit": wrapped('<joint/><body name="b" quat="2 1 0 0.5"><joint/><geom size="0.1"/></body>'),
    "ref and springref": wrapped(
        '<joint name="h" axis="1 2 0" pos="0.1 0 0.2" ref="30" springref="10" stiffness="3"/>'
        '<joint name="s" type="slide" axis="0 1 1" ref="0.4"/>'
    ),
    "anchors apart": wrapped(
        '<joint name="x" axis="1 0 0" pos="0 0 0.1"/><joint name="y" axis="0 1 0" pos="0.2 0 0"/>'
        '<joint name="z" type="slide" pos="0 0.3 0"/><site name="m" pos="0.1 0.2 0.3"/>'
    ),
    "ball off centre": wrapped('<joint type="ball" pos="0.1 0.2 0.3" damping="2"/><site name="m" pos="1 0 0"/>'),
    "free by joint": wrapped('<joint type="free" damping="2" armature="0.5"/>', "", 'pos="1 2 3" quat="1 1 0 0"'),
    "limits": wrapped(
        '<joint name="a" range="-10 20"/><joint name="b" axis="1 0 0" range="0 5" limited="false"/>'
        '<joint name="c" type="slide" range="-1 2"/>'
    ),
    "shapes": wrapped(
        '<joint/><geom type="box" size="0.1 0.2 0.3" pos="1 0 0" euler="10 0 0"/>'
        '<geom type="cylinder" size="0.1 0.2" mass="3"/><geom type="ellipsoid" size="0.1 0.2 0.3" density="5"/>'
        '<geom type="capsule" fromto="0 0 0 1 2 3" size="0.1"/><geom type="box" fromto="0 1 0 0 0 0" size="0.1"/>'
        '<geom type="ellipsoid" fromto="1 1 0 0 0 0" size="0.1"/><geom type="sphere" size="1" mass="0"/>'
    ),
    "fullinertia": wrapped(
        '<joint/><body name="b"><joint axis="1 0 0"/><inertial pos="0.1 0 0" mass="2" '
        'fullinertia="1 1.2 1.3 0.1 0.2 0.05"/><geom size="0.1"/></body>'
    ),
    "diaginertia turned": wrapped(
        '<joint/><body name="b"><joint axis="1 0 0"/><inertial pos="0.1 0 0" mass="2" '
        'diaginertia="1 1.2 1.3" euler="10 20 30"/></body>'
    ),
    "bounds": wrapped(
        '<joint/><body name="b"><joint axis="1 0 0"/><geom size="0.001"/></body>',
        '<compiler boundmass="0.1" boundinertia="0.01"/>',
    ),
    "balance": wrapped(
        '<joint/><body name="b"><joint axis="1 0 0"/><inertial pos="0 0 0" mass="2" diaginertia="1 1 3"/></body>',
        '<compiler balanceinertia="true"/>',
    ),
    "total mass": wrapped("<joint/>", '<compiler settotalmass="7"/>'),
    "groups": wrapped('<joint/><geom size="0.3" group="4"/>', '<compiler inertiagrouprange="0 2"/>'),
    "from geom": wrapped(
        '<joint/><inertial pos="0 0 1" mass="2" diaginertia="1 1 1"/>', '<compiler inertiafromgeom="true"/>'
    ),
    "two trees": '<mujoco><worldbody><geom size="0.1"/><site name="w" pos="1 1 1"/><body name="a"><freejoint/>'
    '<geom size="0.1"/></body><body name="b" pos="1 0 0"><joint/><geom size="0.1"/></body></worldbody></mujoco>',
    "frames": wrapped(
        '<frame pos="0 0 1" euler="0 90 0"><joint axis="1 0 0" pos="0 1 0"/><geom size="0.2" pos="1 0 0"/>'
        '<frame euler="10 0 0"><body name="b" pos="1 0 0"><joint/><geom size="0.1"/></body>'
        '<site name="m" pos="0 0 1"/></frame></frame>'
    ),
    "short size over a long one": wrapped(
        '<joint/><geom type="capsule" size="0.2"/>', '<default><geom size="0.1 0.3"/></default>'
    ),
    "childclass and class": wrapped(
        '<joint/><body name="b" childclass="c"><joint name="j"/><geom/><geom class="d"/>'
        '<body name="e"><joint/><geom class="main" size="0.3"/></body></body>',
        '<default><joint armature="0.1"/><default class="c"><geom size="0.2" density="5"/>'
        '<joint axis="1 0 0" damping="1"/><default class="d"><geom type="box" size="0.1 0.1 0.1"/></default>'
        "</default></default>",
    ),
}


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(20))
def test_random_figures_written_agree_with_mujoco_and_survive(seed, tmp_path):
    before = random_figure(seed, links=6, families=[f for f in FAMILIES if f not in ("helical", "composite", "locked")])
    mjcf.write(before, tmp_path / "f.xml")
    after = mjcf.read(tmp_path / "f.xml").figure
    worst = compare(after, mujoco_model((tmp_path / "f.xml").read_text()), configurations(after, 3))
    assert max(worst.values()) < 1e-10, worst
    q, u, _ = random_state(before, seed)
    q2, u2 = np.zeros(after.nq), np.zeros(after.nu)
    at = [after.link_index(link.name) for link in before.links]  # MuJoCo counts depth first
    for i, joint in enumerate(before.joints):
        own = q[before.q_of[i]]
        q2[after.q_of[at[i]]] = quaternion_from_rotation_vector(own) if joint.kind == "exponential" else own
        u2[after.u_of[at[i]]] = u[before.u_of[i]]
    for a, b in zip(kinematics(before, q, u)[:4], kinematics(after, q2, u2)[:4], strict=True):
        assert np.abs(a - b[at]).max() < 1e-12


@pytest.mark.oracle
@pytest.mark.parametrize("feature", FEATURES)
def test_feature_agrees_with_mujoco(feature, tmp_path):
    found = mjcf.read(written(tmp_path, "mjcf", FEATURES[feature]))
    model = mujoco_model(FEATURES[feature])
    figure = found.figure
    assert (figure.nq, figure.nu) == (model.nq, model.nv)
    if "start" not in FEATURES[feature]:
        assert np.allclose(found.state.q, model.qpos0, rtol=0, atol=1e-15)
    worst = compare(figure, model, [model.qpos0, *configurations(figure)])
    assert max(worst.values()) < 1e-10, worst


@pytest.mark.oracle
@pytest.mark.parametrize("feature", FEATURES)
def test_by_mujoco_gives_the_same_figure(feature, tmp_path):
    path = written(tmp_path, "mjcf", FEATURES[feature])
    ours, theirs = mjcf.read(path).figure, mjcf.read(path, by="mujoco").figure
    assert [x.name for x in ours.links] == [x.name for x in theirs.links]
    assert ours.nq == theirs.nq
    assert np.array_equal(np.isinf(ours.limits), np.isinf(theirs.limits))
    for q in configurations(ours, 2):
        for a, b in zip(kinematics(ours, q)[:2], kinematics(theirs, q)[:2], strict=True):
            assert np.abs(a - b).max() < 1e-12
    for a, b in zip(ours.links, theirs.links, strict=True):
        assert abs(a.mass - b.mass) < 1e-12 and np.abs(a.tensor - b.tensor).max() < 1e-12


def test_the_rest_of_a_spring_is_kept(tmp_path):
    joint = mjcf.read(written(tmp_path, "mjcf", FEATURES["ref and springref"])).figure.joints[0]
    assert np.allclose(joint.rest, [np.deg2rad(10.0), 0.0], rtol=0, atol=1e-16)


def test_include_and_mesh(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "arm.xml").write_text(
        '<mujoco><body name="b"><joint name="j"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        '<geom type="mesh" mesh="skin" rgba="1 0 0 1"/></body></mujoco>'
    )
    top = '<compiler meshdir="meshes"/><asset><mesh name="skin" file="skin.stl" scale="2 2 2"/></asset>'
    path = written(tmp_path, "mjcf", wrapped('<joint/><include file="parts/arm.xml"/>', top))
    figure = mjcf.read(path).figure
    shape = figure.links[1].shapes[0]
    assert (shape.kind, shape.file, shape.size, shape.colour) == (
        "mesh",
        "meshes/skin.stl",
        (2.0, 2.0, 2.0),
        (1.0, 0.0, 0.0, 1.0),
    )
    notes = mjcf.write(figure, tmp_path / "again.xml")
    assert any("skin.stl" in str(note) and "cannot be read" in str(note) for note in notes)
    assert mjcf.read(tmp_path / "again.xml").figure.links[1].shapes == ()


def test_a_missing_include_is_noted_at_the_top_and_refused_inside(tmp_path):
    path = written(tmp_path, "mjcf", wrapped("<joint/>", '<include file="gone.xml"/>'))
    assert any("gone.xml" in str(note) and note.matters for note in mjcf.read(path).notes)
    with pytest.warns(FormatWarning, match="contains more than a figure: .*gone.xml"):
        formats.load(path)
    with pytest.raises(FormatError, match=r"figure.xml:1: <include>: no file 'gone.xml'"):
        mjcf.read(written(tmp_path, "mjcf", wrapped('<include file="gone.xml"/>')))


REFUSED = {
    "unknown section": (
        "<mujoco><worlbody/></mujoco>",
        r"unknown element <worlbody> in <mujoco>. Did you mean 'worldbody'",
    ),
    "unknown element": (wrapped("<joinf/>"), r"unknown element <joinf> in <body>. Did you mean 'joint'"),
    "unknown attribute": (wrapped('<joint axs="1 0 0"/>'), r"unknown attribute 'axs'. Did you mean 'axis'"),
    "unknown default": (wrapped("<joint/>", "<default><gom/></default>"), r"unknown element <gom> in <default>"),
    "unknown class": (wrapped('<joint class="big"/>'), r"class 'big', which no <default> defines"),
    "unknown childclass": (wrapped("", "", 'childclass="big"'), r"childclass 'big'"),
    "unknown attribute in a class": (wrapped("<joint/>", '<default><joint dmping="1"/></default>'), r"'dmping'"),
    "composite": (wrapped('<composite count="3"/>'), r'load the file with by="mujoco"'),
    "mesh weight": (
        wrapped('<joint/><geom type="mesh" mesh="m"/>', '<asset><mesh name="m" file="m.stl"/></asset>'),
        r"no file 'm.stl', but the inertia of a body depends on it",
    ),
    "no mesh": (wrapped('<joint/><geom type="mesh" mesh="m"/>'), r"mesh 'm', which no <asset> defines"),
    "two orientations": (wrapped('<body name="b" euler="1 0 0" quat="1 0 0 0"/>'), r"quat and euler"),
    "zero axis": (wrapped('<joint axis="0 0 0"/>'), r'axis="0 0 0". Give an axis that is not zero'),
    "zero quat": (wrapped("", "", 'quat="0 0 0 0"'), r"no direction"),
    "range": (wrapped('<joint range="3 1"/>'), r"The first number must be less"),
    "limited without range": (wrapped('<joint limited="true"/>'), r"The first number must be less"),
    "no autolimits": (wrapped('<joint range="-10 20"/>', '<compiler autolimits="false"/>'), r'Set limited to "true"'),
    "negative mass": (wrapped('<geom size="1" mass="-1"/><joint/>'), r"negative mass"),
    "negative size": (wrapped('<geom type="box" size="1 -1 1"/>'), r"Give 3 positive numbers"),
    "too few sizes": (wrapped('<geom type="box" size="1"/>'), r"Give 3 positive numbers"),
    "fromto of a sphere": (wrapped('<geom size="1" fromto="0 0 0 1 1 1"/>'), r"fromto"),
    "no mass": ('<mujoco><worldbody><body name="a"><joint/></body></worldbody></mujoco>', r"nothing with mass moves"),
    "no body": ("<mujoco><worldbody/></mujoco>", r"does not contain a <body>"),
    "global": (wrapped("", '<compiler coordinate="global"/>'), r"local coordinates"),
    "alignfree": (wrapped("", '<compiler alignfree="true"/>'), r"moves the frames"),
    "free inside": (wrapped('<body name="b"><freejoint/><geom size="1"/></body>'), r"must be the only joint"),
    "free and hinge": (wrapped("<freejoint/><joint/>"), r"A free joint must be the only joint"),
    "unphysical": (wrapped('<joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/>'), r"triangle inequality"),
    "negative inertia": (
        wrapped('<joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 -1"/>'),
        r"positive definite",
    ),
    "same body": (wrapped('<body name="a"><geom size="1"/></body>'), r"two bodies are called 'a'"),
    "same joint": (wrapped('<joint name="j"/><joint name="j" axis="1 0 0"/>'), r"two joints are called 'j'"),
    "NaN": (wrapped('<joint axis="nan 0 0"/>'), r"<joint>: 'nan' in axis is not a finite number"),
    "1e999": (wrapped('<geom size="1e999"/>'), r"<geom>: '1e999' in size is not a finite number"),
    "no number": (wrapped('<geom size="1_0"/>'), r"'1_0' in size is not a number"),
    "another root": ("<robots/>", r"begins with <robots>, not <mujoco>"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refuses(case, tmp_path):
    text, message = REFUSED[case]
    with pytest.raises(FormatError, match=message):
        mjcf.read(written(tmp_path, "mjcf", text))


def test_equality_becomes_loops(tmp_path):
    text = wrapped('<joint/><body name="b" pos="0 0 1"><joint axis="1 0 0" pos="0 0 0.1"/><geom size="0.1"/></body>')
    loops = '<connect body1="b" body2="a" anchor="0 0 0.5"/><weld name="w" body1="b"/><joint joint1="j"/>'
    text = text.replace("</worldbody>", f"</worldbody><equality>{loops}</equality>")
    found = mjcf.read(written(tmp_path, "mjcf", text))
    first, second = found.figure.loops
    assert (first.kind, first.link_a, first.link_b) == ("point", "b", "a")
    assert np.allclose(first.at_a.origin, [0, 0, 0.4]) and np.allclose(first.at_b.origin, [0, 0, 1.5])
    assert (second.name, second.kind, second.link_b) == ("w", "weld", "")
    k = kinematics(found.figure, found.state.q)
    meet = Transform(k.rotation[1], k.position[1]) @ second.at_a
    assert np.allclose(meet.origin, second.at_b.origin) and np.allclose(meet.rotation, second.at_b.rotation)
    assert any("a joint that is held is not part of a figure" in str(n) for n in found.notes)


@pytest.mark.oracle
def test_loops_of_welds_and_points_are_written_and_others_refused(tmp_path):
    at = Transform(np.eye(3), np.array([0.0, 0.0, 1.0]))
    here = Transform(np.eye(3), np.zeros(3))
    arm = Figure("arm", [BALL, Link("b", 1.0, np.zeros(3), np.eye(3))], [Weld(name="w"), Revolute(name="r")], [-1, 0])
    mjcf.write(arm.changed(loops=(Loop("hold", "weld", "", at, "b", here),)), tmp_path / "a.xml")
    loop = mjcf.read(tmp_path / "a.xml").figure.loops[0]
    assert (loop.kind, loop.link_a, loop.link_b) == ("weld", "b", "")
    mjcf.write(arm.changed(loops=(Loop("hold", "point", "b", at, "", here),)), tmp_path / "b.xml")
    assert mujoco_model((tmp_path / "b.xml").read_text()).neq == 1
    with pytest.raises(FormatError, match=r"Loop 'hold' of figure 'arm' is of kind 'hinge'"):
        mjcf.write(arm.changed(loops=(Loop("hold", "hinge", "b", at, "", here),)), tmp_path / "c.xml")


def test_a_screw_is_refused_and_exponential_coordinates_noted(tmp_path):
    with pytest.raises(FormatError, match=r"Joint 's' of figure 'f' is helical, which MJCF does not have"):
        mjcf.write(Figure("f", [BALL], [Helical(name="s", pitch=0.1)], [-1]), tmp_path / "a.xml")
    notes = mjcf.write(Figure("f", [BALL], [Exponential(name="e")], [-1]), tmp_path / "a.xml")
    assert "exponential coordinates become a quaternion" in str(notes[0])
    assert mjcf.read(tmp_path / "a.xml").figure.joints[0].kind == "ball"


def test_one_sided_limits_survive(tmp_path):
    figure = Figure("f", [BALL], [Revolute(name="r", lower=-0.5)], [-1])
    mjcf.write(figure, tmp_path / "a.xml")
    assert mjcf.read(tmp_path / "a.xml").figure.limits.tolist() == [[-0.5], [np.inf]]


@pytest.mark.slow
def test_a_chain_too_long_to_nest_is_refused(tmp_path):
    with pytest.raises(FormatError, match=r"more than 200 levels deep.*TOML or URDF"):
        ap.save(ap.sample("chain", links=1000), tmp_path / "chain.xml")
    ap.save(ap.sample("chain", links=300), tmp_path / "chain.urdf")
    assert ap.load(tmp_path / "chain.urdf").n == 300
