"""Parts of MJCF that stand for others (include, replicate, attach, fusestatic), beside MuJoCo, and hostile ones."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

import anthropi as ap
from anthropi import formats
from anthropi.algebra.spatial import Transform, identity
from anthropi.errors import FormatError
from anthropi.figure import Figure, Free, Link, Revolute, Shape, Weld
from anthropi.formats import limits
from anthropi.formats.figures import mjcf
from formats.peer import compare_dynamics, model_of

HINGE = '<joint axis="0 1 1"/><geom size="0.1" pos="0.1 0 0"/>'
HAND = (
    '<mujoco model="hand"><compiler angle="radian" eulerseq="zyx"/><default><joint damping="0.3"/>'
    '<default class="thin"><geom size="0.03" density="500"/></default></default><worldbody>'
    '<geom size="0.2" mass="9"/>'
    '<frame name="f" pos="0 0.5 0" euler="0.1 0.2 0.3"><body name="palm" pos="0.1 0 0" euler="0.3 0 0.1" '
    'childclass="thin"><joint name="wrist" axis="1 0 0" range="-1 1"/><geom/><site name="tip" pos="0 0 0.2"/>'
    '<body name="finger" pos="0 0 0.1"><joint name="bend" axis="0 1 0"/><geom pos="0 0 0.1"/></body></body></frame>'
    "</worldbody>"
    '<equality><connect body1="finger" body2="palm" anchor="0 0 0.1"/></equality></mujoco>'
)


def scene(body: str, top: str = "", rest: str = "") -> str:
    world = f'<worldbody><body name="a"><joint/><geom size="0.1"/>{body}</body></worldbody>'
    return f"<mujoco>{top}{world}{rest}</mujoco>"


ATTACH = '<asset><model name="hand" file="hand.xml"/></asset>'
SENSOR = '<sensor><force site="s"/><framepos objtype="body" objname="kept"/></sensor>'
LIMITED = '<default><joint range="-30 30" limited="true"/><geom quat="1 1 0 0" size="0.1 0.2"/></default>'
CASES = {
    "replicate": scene(
        f'<replicate count="3" offset="0.2 0.1 0" euler="0 20 10" sep="-"><body name="r">{HINGE}</body></replicate>'
    ),
    "replicate twice": scene(
        f'<replicate count="2" offset="0 0 0.5" sep="_"><replicate count="11" euler="0 0 30" offset="0.3 0 0"><geom '
        f'size="0.05" pos="0.5 0 0"/><body name="r" pos="1 0 0">{HINGE}</body></replicate></replicate>'
    ),
    "replicate in a class": scene(
        '<replicate count="2" offset="0 1 0" childclass="c"><body name="r"><joint/><geom/></body></replicate>',
        '<default><default class="c"><geom size="0.2"/><joint axis="1 0 0" armature="0.3"/></default></default>',
    ),
    "attach a body": scene(
        '<frame pos="1 0 0" euler="0 90 0"><attach model="hand" body="palm" prefix="l_"/></frame>', ATTACH
    ),
    "attach twice": scene(
        '<attach model="hand" body="palm" prefix="l_"/><frame pos="0 2 0">'
        '<attach model="hand" body="palm" prefix="r_"/>'
        "</frame>",
        ATTACH,
    ),
    "attach a frame": scene('<attach model="hand" frame="f" prefix="l_"/>', ATTACH),
    "attach a world": scene('<frame euler="10 20 30"><attach model="hand" prefix="l_"/></frame>', ATTACH),
    "attach to itself": scene(
        f'<body name="b" pos="0 0 1">{HINGE}</body><frame pos="1 0 0"><attach body="b" prefix="l_"/></frame>'
    ),
    "attach in replicate": scene(
        '<replicate count="2" offset="0 1 0"><frame><attach model="hand" body="palm" prefix="l_"/></frame></replicate>',
        ATTACH,
    ),
    "fusestatic": scene(
        '<body name="b" pos="0 0 1" euler="10 0 0"><geom size="0.2"/><body pos="0 1 0">'
        '<geom type="box" size="0.1 0.2 0.3"/>'
        f'<site name="m" pos="1 0 0"/><body name="d" euler="0 20 0">{HINGE}</body></body></body>',
        '<compiler fusestatic="true"/>',
    ),
    "fusestatic with references": scene(
        '<body name="kept" pos="0 0 1"><geom size="0.2"/></body><body pos="0 1 0"><geom size="0.2"/>'
        '<site name="s"/></body>'
        '<body name="gone" pos="1 0 0"><geom size="0.2"/></body>',
        '<compiler fusestatic="true"/>',
        SENSOR,
    ),
    "fusestatic of a base": '<mujoco><compiler fusestatic="true"/><worldbody>'
    '<body name="base" pos="0 0 1" euler="0 10 0">'
    f'<geom size="1"/><body name="a" pos="1 0 0">{HINGE}</body><body name="b" pos="0 1 0">{HINGE}</body>'
    f"</body></worldbody>"
    "</mujoco>",
    "quat of a class and other orientations": scene(
        f'<body name="b">{HINGE}<geom type="capsule" euler="10 20 30"/>'
        f'<geom type="capsule" fromto="0 0 0 1 1 1"/></body>',
        LIMITED,
    ),
    "euler of a class and a quat": scene(
        f'<body name="b">{HINGE}<geom type="box" size="1 2 3" quat="0 1 0 0"/></body>',
        '<default><geom euler="10 20 30"/></default>',
    ),
    "inherited limits": f'<mujoco>{LIMITED}<worldbody><body name="a"><joint type="free"/><geom/>'
    f'<body name="b"><joint '
    'name="h"/><geom/><body name="c"><joint limited="false"/><geom/></body></body></body></worldbody></mujoco>',
    "a range of zeros": '<mujoco><default><joint range="-30 30"/></default><worldbody><body name="a">'
    '<joint range="0 0"/><geom size="1"/></body></worldbody></mujoco>',
    "a base without tensor": '<mujoco><worldbody><body name="a"><inertial pos="0 0 1" mass="3" diaginertia="0 0 0"/>'
    f'<body name="b">{HINGE}</body></body></worldbody></mujoco>',
    "a welded point mass": scene(
        '<body name="b" pos="1 0 0"><inertial pos="0 0.1 0" mass="3" diaginertia="0 0 0"/></body>'
    ),
    "springdamper": scene(
        '<body name="b" pos="1 0 0"><joint type="ball" springdamper="0.3 0.7"/><geom type="box" size="1 2 3"/></body>'
        '<body name="c" pos="0 1 0"><joint axis="1 2 3" springdamper="0.1 1" armature="2"/><geom size="0.3"/></body>'
    ),
    "two assets and mesh folders": scene("", '<compiler assetdir="x"/><compiler meshdir="y"/>'),
}


@pytest.mark.oracle
@pytest.mark.parametrize("case", CASES)
def test_agrees_with_mujoco(case, tmp_path):
    (tmp_path / "hand.xml").write_text(HAND)
    path = tmp_path / "model.xml"
    path.write_text(CASES[case])
    found, model = mjcf.read(path), model_of(path)
    figure = found.figure
    worst = compare_dynamics(figure, model)
    assert max(worst.values()) < 1e-10, worst
    first = 0 if figure.links[0].name == "world" else 1
    names = [model.body(b).name for b in range(first, model.nbody)]
    assert all(theirs in ("", link.name) for link, theirs in zip(figure.links, names, strict=True))
    assert len(figure.loops) == model.neq
    acting = [(j.stiffness, j.damping, j.armature) for j in figure.joints if j.nu]
    if acting:
        stiffness, damping, armature = (np.concatenate(x) for x in zip(*acting, strict=True))
        assert np.allclose(damping, np.ravel(model.dof_damping)[: model.nv] if damping.ndim == 1 else 0, rtol=1e-10)
        assert np.allclose(armature, model.dof_armature, rtol=1e-12)
        at = model.dof_jntid
        assert np.allclose(stiffness, np.reshape(model.jnt_stiffness, (model.njnt, -1))[at, 0], rtol=1e-10)
    compiled = mjcf.read(path, by="mujoco").figure
    assert [link.name for link in compiled.links if link.name[:4] != "body"] == [
        link.name for link in figure.links if link.name[:4] != "body"
    ]


@pytest.mark.oracle
def test_discardvisual_leaves_out_what_does_not_collide_and_keeps_its_mass(tmp_path):
    path = tmp_path / "model.xml"
    body = f'<body name="b">{HINGE}<geom type="box" size="1 1 1" contype="0" conaffinity="0"/></body>'
    path.write_text(scene(body, '<compiler discardvisual="true"/>'))
    figure, model = mjcf.read(path).figure, model_of(path)
    assert max(compare_dynamics(figure, model).values()) < 1e-10
    assert sum(len(link.shapes) for link in figure.links) == model.ngeom == 2


@pytest.mark.oracle
def test_included_files_refer_to_files_beside_them(tmp_path):
    """References are relative to the folder of the model, or else to that of the file that contains them."""
    (tmp_path / "arm" / "parts").mkdir(parents=True)
    (tmp_path / "arm" / "arm.xml").write_text('<mujoco><include file="parts/inner.xml"/></mujoco>')
    (tmp_path / "arm" / "parts" / "inner.xml").write_text(f'<mujoco><body name="b">{HINGE}</body></mujoco>')
    path = tmp_path / "model.xml"
    path.write_text(scene('<include file="arm/arm.xml"/>'))
    figure = mjcf.read(path).figure
    assert max(compare_dynamics(figure, model_of(path)).values()) < 1e-10
    assert mjcf.read(path, by="mujoco").figure.nu == figure.nu == 2


@pytest.mark.parametrize("by", ["anthropi", "mujoco"])
def test_included_files_of_other_folders_need_permission(by, tmp_path):
    pytest.importorskip("mujoco")
    (tmp_path / "in").mkdir()
    (tmp_path / "arm.xml").write_text(f'<mujoco><body name="b">{HINGE}</body></mujoco>')
    path = tmp_path / "in" / "model.xml"
    path.write_text(scene('<include file="../arm.xml"/>'))
    with pytest.raises(FormatError, match=r"'../arm.xml', which leads out of .*or allow the folder it is in: folders="):
        mjcf.read(path, by=by)
    for folders in (tmp_path, [str(tmp_path)]):
        assert formats.read(path, by=by, folders=folders).figure.nu == 2
    (tmp_path / "secret").mkdir()
    with pytest.raises(FormatError, match="leads out of"):
        mjcf.read(path, by=by, folders=[tmp_path / "secret"])


NOTED = {
    "flexcomp": scene('<flexcomp name="f" type="grid" count="3 3 1" spacing="0.1 0.1 0.1" mass="1" radius="0.01"/>'),
    "plugin": scene('<body name="b"><joint/><geom size="0.1"/><plugin plugin="mujoco.elasticity.cable"/></body>'),
    "deformable": scene("", "", "<deformable><flex name='f'/></deformable>"),
    "joint": scene("", "", '<equality><joint joint1="a_joint" polycoef="0 1 0 0 0"/></equality>'),
    "sdf": scene(
        '<geom type="sdf" mesh="m"/>',
        '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/></asset>',
    ),
}


@pytest.mark.parametrize("case", NOTED)
def test_parts_that_a_figure_does_not_have_are_noted(case, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(NOTED[case])
    assert any(case in str(note) and note.matters for note in mjcf.read(path).notes)


DOUBLE = '<mujoco><asset><model name="m" file="m{}.xml"/></asset><worldbody><attach model="m" prefix="a"/>' + (
    '<attach model="m" prefix="b"/></worldbody></mujoco>'
)
HOSTILE = {
    "a million copies": (scene(f'<replicate count="1000000">{HINGE}</replicate>'), "limit mujoco_copies"),
    "copies of copies": (scene(3 * '<replicate count="4000">' + "<site/>" + 3 * "</replicate>"), "limit xml_elements"),
    "half a copy": (scene(f'<replicate count="1.5">{HINGE}</replicate>'), "Give a whole number"),
    "an element in itself": (scene('<attach body="a" prefix="x"/>'), "attaches an element to itself"),
    "a model in itself": (
        scene('<attach model="m" prefix="x"/>', '<asset><model name="m" file="model.xml"/></asset>'),
        "attaches an element to itself",
    ),
    "an unknown model": (scene('<attach model="hnd" prefix="x"/>', ATTACH), r"no <asset> defines. Did you mean 'hand'"),
    "an unknown body": (
        scene('<attach model="hand" body="plam" prefix="x"/>', ATTACH),
        r"no body 'plam'.*Did you mean 'palm'",
    ),
    "models doubled 30 times": (DOUBLE.format(0), "limit xml_elements|nested more than"),
    "a model elsewhere": (scene("", '<asset><model name="m" file="../m.xml"/></asset>'), "leads out of"),
    "no such model file": (
        scene("", '<asset><model name="m" file="gone.xml"/></asset>' + "<x/>"),
        "unknown element|No file",
    ),
    "negative springdamper": (
        scene('<body><joint springdamper="-1 1"/><geom size="1"/></body>'),
        "two positive numbers",
    ),
    "two inertials": (scene(2 * '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'), "more than one <inertial>"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_copies_are_refused(case, tmp_path):
    text, message = HOSTILE[case]
    (tmp_path / "hand.xml").write_text(HAND)
    for k in range(30):
        (tmp_path / f"m{k}.xml").write_text(DOUBLE.format(k + 1))
    (tmp_path / "m30.xml").write_text(f'<mujoco><worldbody><body name="z">{HINGE}</body></worldbody></mujoco>')
    path = tmp_path / "model.xml"
    path.write_text(text)
    with limits.changed(xml_elements=20_000), pytest.raises(FormatError, match=message):
        mjcf.read(path)


# written files


@pytest.mark.oracle
def test_several_bodies_in_the_world_are_written_into_it(tmp_path):
    ball = [Shape("sphere", (0.1,), name="ball"), Shape("sphere", (0.2,), name="ball")]
    links = [Link("world", shapes=ball), *(Link(n, 1.0, np.zeros(3), np.eye(3), ball) for n in "abc")]
    joints = [Weld(name="w"), Free(name="f"), Revolute(name="r"), Revolute(name="s", axis="x")]
    figure = Figure("several", links, joints, [-1, 0, 0, 2])
    mjcf.write(figure, tmp_path / "f.xml")
    assert '<body name="world"' not in (tmp_path / "f.xml").read_text()
    assert max(compare_dynamics(figure, model_of(tmp_path / "f.xml")).values()) < 1e-10
    again = mjcf.read(tmp_path / "f.xml").figure
    assert [link.name for link in again.links] == ["world", "a", "b", "c"] and len(again.links[0].shapes) == 2


@pytest.mark.oracle
@pytest.mark.parametrize("joint", [Revolute(name="r"), Weld(name="w", placement=Transform(np.eye(3), np.ones(3)))])
def test_a_link_named_world_that_is_not_the_world_is_renamed(joint, tmp_path):
    links = [Link(n, 1.0, np.zeros(3), np.eye(3)) for n in ("world", "b")]
    figure = Figure("f", links, [joint, Revolute(name="s", placement=identity())], [-1, 0])
    notes = mjcf.write(figure, tmp_path / "f.xml")
    assert any("written as 'world_link'" in str(note) for note in notes)
    again = mjcf.read(tmp_path / "f.xml").figure
    assert [link.name for link in again.links] == ["world_link", "b"]
    assert max(compare_dynamics(again, model_of(tmp_path / "f.xml")).values()) < 1e-10


@pytest.mark.oracle
def test_a_flat_body_is_written_so_that_mujoco_accepts_it(tmp_path):
    plate = np.diag([0.1, 0.2, 0.3])
    C = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))[0]
    links = [Link("a", 1.0, np.zeros(3), C @ plate @ C.T)]
    figure = Figure("f", links, [Revolute(name="r")], [-1])
    mjcf.write(figure, tmp_path / "f.xml")
    assert max(compare_dynamics(figure, model_of(tmp_path / "f.xml")).values()) < 1e-10


MODELS = {"gymnasium": 14, "dm_control": 38}  # complete models of packages: files that MuJoCo compiles


def packaged() -> list[str]:
    """The packages with models that are installed."""
    from importlib.util import find_spec

    return [package for package in MODELS if find_spec(package) is not None]


@pytest.mark.oracle
@pytest.mark.parametrize("package", packaged())
def test_models_of_packages_agree_with_mujoco_and_are_written_equal(package, tmp_path):
    """Read the models, write them into another folder, and load those by MuJoCo. Other files are parts of models."""
    from importlib.util import find_spec

    compared, top = 0, Path(find_spec(package).origin).parent
    for path in sorted(p for p in top.rglob("*.xml") if b"<worldbody" in p.read_bytes()):
        try:
            model = model_of(path)
        except ValueError:  # a part of a model
            continue
        figure = mjcf.read(path, folders=[top.parent]).figure
        assert max(compare_dynamics(figure, model, 1).values()) < 1e-10
        again = tmp_path / f"again{compared}.xml"
        mjcf.write(figure, again)
        assert max(compare_dynamics(figure, model_of(again), 1).values()) < 1e-10
        compared += 1
    assert compared == MODELS[package]


def test_coupled_joints_are_those_of_mujoco(tmp_path):
    """Also those of replicated bodies, with coordinates that are not 0 in the pose of the file, and written again."""
    file = tmp_path / "gripper.xml"
    file.write_text("""<mujoco><worldbody><body name="palm" pos="0 0 1"><freejoint name="root"/><geom size=".1"/>
      <replicate count="2" offset="0 .1 0"><body name="a" pos=".2 0 0"><joint name="ja" ref="17" axis="0 1 0"/>
      <geom size=".05" pos=".1 0 0"/><body name="b" pos=".2 0 0"><joint name="jb" type="slide" ref="-.1"/>
      <geom size=".05"/></body></body></replicate></body></worldbody><equality>
      <joint joint1="jb" joint2="ja" polycoef="0.05 0.5 -0.2"/></equality></mujoco>""")
    figure = ap.load(file)
    model = mujoco.MjModel.from_xml_path(str(file))
    data, rng = mujoco.MjData(model), np.random.default_rng(1)
    ap.save(figure, tmp_path / "again.xml")
    again = ap.load(tmp_path / "again.xml")
    for _ in range(5):
        data.qpos[:] = figure.random(rng)
        mujoco.mj_forward(model, data)
        for own in (figure, again):
            errors = np.concatenate(list(ap.loops.loop_errors(own, data.qpos).values()))
            assert len(errors) == 2 and np.abs(errors - data.efc_pos[:2]).max() < 1e-12
    wrong = file.read_text().replace('joint2="ja"', 'joint2="root"')
    file.write_text(wrong)
    with pytest.raises(FormatError, match="'root' is not a hinge or a slide"):
        ap.load(file)
