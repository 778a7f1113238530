"""URDF: against Pinocchio's own reading, features one by one, writing and reading back."""

import numpy as np
import pytest

import anthropi as ap
from anthropi import formats
from anthropi.algebra.rotation import euler_from_matrix, matrix_from_euler
from anthropi.algebra.spatial import Transform
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import FormatError, FormatWarning
from anthropi.figure import Figure, Free, Helical, Link, Loop, Marker, Revolute, Shape, Weld
from anthropi.formats.figures import urdf
from anthropi.motion.keyframes import configuration
from formats.mutations import URDF, written
from oracle.figures import FAMILIES, figure, state

KNOWN = [f for f in FAMILIES if f not in ("helical", "composite", "locked", "ball", "exponential")]
BODY = Link("body", 1.0, np.zeros(3), np.eye(3))


def pinocchio_poses(path, fig, q):
    """Rotation and position of every link by Pinocchio, at our q."""
    import pinocchio as pin

    model = pin.buildModelFromUrdf(str(path))
    data, there = model.createData(), pin.neutral(model)
    for i, j in enumerate(fig.joints):
        own = q[fig.q_of[i]]
        if not len(own):
            continue
        joint = model.joints[model.getJointId(j.name)]
        if j.kind == "free":
            own = [*own[:3], *own[4:], own[3]]
        elif j.kind == "planar":
            own = [own[0], own[1], np.cos(own[2]), np.sin(own[2])]
        elif joint.nq == 2:  # continuous
            own = [np.cos(own[0]), np.sin(own[0])]
        there[joint.idx_q : joint.idx_q + joint.nq] = own
    pin.framesForwardKinematics(model, data, there)
    poses = [data.oMf[model.getFrameId(link.name, pin.FrameType.BODY)] for link in fig.links]
    return np.stack([p.rotation for p in poses]), np.stack([p.translation for p in poses]), model


def carried(old, new, q, u):
    """State of a figure in the one read back, whose degrees of freedom have the same names."""
    plain = {
        d: x for i, j in enumerate(old.joints) if j.kind != "free" for d, x in zip(j.dofs, q[old.q_of[i]], strict=True)
    }
    q2 = new.neutral()
    for i, j in enumerate(new.joints):
        free = j.kind == "free"
        q2[new.q_of[i]] = q[old.q_of[old.joint_index(j.name)]] if free else [plain[d] for d in j.dofs]
    return q2, np.array([u[old.dofs.index(d)] for d in new.dofs])


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(24))
def test_written_and_read_back_all_moves_alike_also_in_pinocchio(seed, tmp_path):
    before = figure(seed, links=6, families=KNOWN)
    q, u, _ = state(before, seed)
    path = tmp_path / "f.urdf"
    urdf.write(before, path)
    after = urdf.read(path).figure
    q2, u2 = carried(before, after, q, u)
    a, b = kinematics(before, q, u), kinematics(after, q2, u2)
    at = [after.link_index(link.name) for link in before.links]
    for x, y in zip(a[:4], b[:4], strict=True):
        assert np.abs(x - y[at]).max() < 1e-12  # up to 20 joints in a row, through roll, pitch and yaw
    C, p, model = pinocchio_poses(path, after, q2)
    assert np.abs(b.rotation - C).max() < 1e-12 and np.abs(b.position - p).max() < 1e-12
    total = sum(link.mass for link in after.links)
    assert abs(sum(inertia.mass for inertia in model.inertias) - total) < 1e-12


@pytest.mark.oracle
def test_the_arm_agrees_with_pinocchio(tmp_path):
    path = written(tmp_path, "urdf", URDF)
    arm = urdf.read(path).figure
    assert [x.name for x in arm.links] == ["base", "upper", "lower", "hand"] and arm.joints[0].kind == "weld"
    q = arm.random(np.random.default_rng(3))
    k = kinematics(arm, q)
    C, p, model = pinocchio_poses(path, arm, q)
    assert np.abs(k.rotation - C).max() < 1e-14 and np.abs(k.position - p).max() < 1e-14
    for j, link in ((1, "upper"), (2, "lower"), (3, "hand")):
        own, theirs = arm.links[arm.link_index(link)], model.inertias[j]
        assert abs(own.mass - theirs.mass) < 1e-15 and np.abs(own.tensor - theirs.inertia).max() < 1e-15


def test_the_arm_in_detail(tmp_path):
    found = urdf.read(written(tmp_path, "urdf", URDF))
    arm = found.figure
    shoulder, elbow, wrist = arm.joints[1:]
    assert (shoulder.lower[0], shoulder.upper[0], shoulder.damping[0]) == (-2.0, 2.0, 0.7)
    assert np.isinf(elbow.limits if hasattr(elbow, "limits") else elbow.upper).all()
    assert np.allclose(elbow.axis, [np.sqrt(0.5), np.sqrt(0.5), 0.0]) and wrist.kind == "prismatic"
    upper, lower = arm.links[1], arm.links[2]
    assert [s.kind for s in upper.shapes] == ["cylinder"] and upper.shapes[0].colour == (0.5, 0.5, 0.5, 1.0)
    assert [(s.kind, s.name, s.file) for s in lower.shapes] == [
        ("mesh", "skin", "meshes/lower.stl"),
        ("box", "collision", ""),
    ]
    words = [str(n) for n in found.notes if n.matters]
    assert any("<transmission>" in w for w in words) and any("friction" in w for w in words)
    with pytest.warns(FormatWarning, match="transmission"):
        formats.load(tmp_path / "figure.urdf")


def test_the_root_may_be_free(tmp_path):
    inertia = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
    heavy = f'<link name="base"><inertial><mass value="1"/>{inertia}</inertial></link>'
    path = written(tmp_path, "urdf", changed('<link name="base"/>', heavy))
    assert formats.read(path, root="free").figure.joints[0].kind == "free"
    with pytest.raises(FormatError, match=r'root="loose". Choose "weld" or "free"'):
        urdf.read(path, root="loose")


def test_the_world_is_no_link_of_its_own(tmp_path):
    before = Figure("f", [BODY], [Free(name="root")], [-1])
    urdf.write(before, tmp_path / "f.urdf")
    assert '<link name="world"/>' in (tmp_path / "f.urdf").read_text()
    after = urdf.read(tmp_path / "f.urdf").figure
    assert [x.name for x in after.links] == ["body"] and after.joints[0].kind == "free"


def test_planar_about_any_axis(tmp_path):
    text = """<robot name="r"><link name="world"/><link name="a"><inertial><mass value="1"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
      <joint name="p" type="planar"><parent link="world"/><child link="a"/><axis xyz="1 0 0"/></joint></robot>"""
    fig = urdf.read(written(tmp_path, "urdf", text)).figure
    k = kinematics(fig, np.array([0.3, 0.4, 0.5]))
    assert abs(k.position[0][0]) < 1e-15 and abs(np.linalg.norm(k.position[0]) - 0.5) < 1e-15
    assert np.allclose(k.rotation[0] @ [1.0, 0.0, 0.0], [1.0, 0.0, 0.0], atol=1e-15)


@pytest.mark.parametrize("pitch", [-np.pi / 2, np.pi / 2, np.pi / 2 - 1e-9, 1.0])
def test_attitudes_survive_roll_pitch_and_yaw_even_when_they_fold(pitch, tmp_path):
    C = matrix_from_euler(np.array([0.3, pitch, 0.7]), "zyx")
    parts = [BODY, Link("b", 1.0, np.zeros(3), np.eye(3))]
    before = Figure("f", parts, [Weld(name="w"), Revolute(name="r", placement=Transform(C, np.ones(3)))], [-1, 0])
    urdf.write(before, tmp_path / "f.urdf")
    assert np.abs(urdf.read(tmp_path / "f.urdf").figure.joints[1].placement.rotation - C).max() < 1e-12


def test_what_urdf_does_not_hold(tmp_path):
    body = Link(
        "body", 1.0, np.zeros(3), np.eye(3), (Shape("ellipsoid", (1.0, 1.0, 2.0)), Shape("capsule", (0.1, 0.5)))
    )
    rich = Figure("f", [body], [Revolute(name="r", stiffness=1.0)], [-1], [Marker("m", "body", np.zeros(3))])
    notes = [str(n) for n in urdf.write(rich.changed(gravity=np.zeros(3)), tmp_path / "f.urdf")]
    for word in ("gravity", "markers", "stiffness", "ellipsoid"):
        assert any(word in n for n in notes), word
    kinds = [s.kind for s in urdf.read(tmp_path / "f.urdf").figure.links[0].shapes]
    assert kinds == ["cylinder", "sphere", "sphere"]
    with pytest.raises(FormatError, match=r"Joint 'b' of figure 'f' is helical, which URDF does not have"):
        urdf.write(Figure("f", [BODY], [Helical(name="b", pitch=0.1)], [-1]), tmp_path / "g.urdf")
    here = Transform(np.eye(3), np.zeros(3))
    loop = Loop("ring", "point", "body", here, "", here)
    with pytest.raises(FormatError, match=r"has loops \(ring\)"):
        urdf.write(rich.changed(loops=(loop,)), tmp_path / "g.urdf")
    assert not (tmp_path / "g.urdf").exists()


def test_ball_joints_of_a_human_are_written_as_three_hinges_that_move_alike(tmp_path):
    """With the x-y-z Euler angles of every ball joint, all links of the written human are where those of ours are."""
    human = ap.human()
    path = tmp_path / "human.urdf"
    notes = [str(n) for n in urdf.write(human, path)]
    assert any("'l_hip'" in n and "three hinges" in n for n in notes)
    read = urdf.read(path).figure
    q, there = human.random(np.random.default_rng(3)), {}
    for i, joint in enumerate(human.joints):
        own = q[human.q_of[i]]
        if joint.kind == "ball":
            angles = euler_from_matrix(np.asarray(joint.transform(own).rotation), "xyz")
            there |= {f"{joint.name}.{a}": x for a, x in zip("xyz", angles, strict=True)}
        elif joint.kind != "free":
            there |= dict(zip(joint.dofs, joint.coordinates(own), strict=True))
    k, found = ap.kinematics(human, q), ap.kinematics(read, configuration(read, there, _root(human, read, q)))
    for link in human.links:
        assert np.abs(k.link(link.name).position - found.link(link.name).position).max() < 1e-9  # chains of 10 joints


def _root(human, read, q):
    """Neutral state of the figure that was read, with the root of ours."""
    at = read.neutral()
    at[read.q_of[read.joint_index(human.joints[0].name)]] = q[human.q_of[0]]
    return at


def changed(old: str, new: str) -> str:
    assert old in URDF
    return URDF.replace(old, new, 1)


REFUSED = {
    "unknown element": (
        changed("<gazebo", "<gazbo").replace("</gazebo", "</gazbo"),
        r"<gazbo> in <robot>. Did you mean 'gazebo'",
    ),
    "unknown inside": (
        changed('<axis xyz="0 1 0"/>', '<axes xyz="0 1 0"/>'),
        r"<axes> in <joint>. Did you mean 'axis'",
    ),
    "unknown attribute": (
        changed('axis xyz="0 1 0"', 'axis xzy="0 1 0"'),
        r"unknown attribute 'xzy'|lacks the attribute 'xyz'",
    ),
    "unknown type": (changed('"revolute"', '"revolut"'), r"Did you mean 'revolute'\? Choose revolute"),
    "mimic": (changed("<dynamics", '<mimic joint="shoulder"/><dynamics'), "mimics itself"),
    "xacro": (changed("<gazebo", '<x:macro xmlns:x="http://ros.org/wiki/xacro"/><gazebo'), r"Run xacro"),
    "no limit": (changed('<limit lower="-2" upper="2" effort="100" velocity="3"/>', ""), r"lacks <limit>"),
    "crossed limits": (changed('lower="-2"', 'lower="3"'), r"The lower must not exceed"),
    "zero axis": (changed('axis xyz="0 1 0"', 'axis xyz="0 0 0"'), r"Give an axis that is not zero"),
    "two parents": (
        changed('<child link="lower"/>', '<child link="hand"/>'),
        r"'hand' already has the joint|one root",
    ),
    "ring": (changed('<parent link="base"/>', '<parent link="hand"/>'), r"form a cycle"),
    "all form a cycle": (
        '<robot><link name="a"/><link name="b"/><joint name="i" type="fixed"><parent link="a"/><child link="b"/>'
        '</joint><joint name="j" type="fixed"><parent link="b"/><child link="a"/></joint></robot>',
        r"form a cycle",
    ),
    "unknown link": (
        changed('<parent link="upper"/>', '<parent link="uper"/>'),
        r"link 'uper', which does not exist. Did you",
    ),
    "same link": (
        changed('<link name="base"/>', '<link name="base"/><link name="base"/>'),
        r"two links are called 'base'",
    ),
    "same joint": (changed('joint name="elbow"', 'joint name="shoulder"'), r"two joints are called 'shoulder'"),
    "negative mass": (changed('mass value="2.5"', 'mass value="-2.5"'), r"Give a positive mass"),
    "unphysical": (changed('izz="0.005"', 'izz="0.5"'), r"triangle inequality"),
    "NaN": (changed('mass value="2.5"', 'mass value="NaN"'), r"<mass>: 'NaN' in value is not a finite number"),
    "1e999": (changed('xyz="0 0 0.5"', 'xyz="0 0 1e999"'), r"<origin>: '1e999' in xyz"),
    "no inertia": (changed('<mass value="1"/>', ""), r"lacks <mass>"),
    "negative size": (changed('radius="0.04"', 'radius="-0.04"'), r"not positive"),
    "idle joint": (
        changed(
            '<mass value="0.3"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/>',
            '<mass value="0"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>',
        ),
        r"nothing with mass moves with wrist",
    ),
    "empty": ("<robot/>", r"has no <link>"),
    "another root": ("<mujoco/>", r"begins with <mujoco>, not <robot>"),
}


NOTED = {  # unless read strictly
    "unknown element": "<gazbo> is unknown. Did you mean 'gazebo'",
    "unknown inside": "<axes> is unknown. Did you mean 'axis'",
    "xacro": "a xacro element, whose content is missing. Run xacro",
    "crossed limits": "'shoulder' has the limits 3 to 2, and is read without",
    "unphysical": "principal moments 0.01, 0.01, 0.5 kg m², which no body has; the nearest are 0.17, 0.17, 0.34",
    "negative size": "its size is not positive",
    "idle joint": "joint 'wrist': it moves no mass",
}


@pytest.mark.parametrize("case", REFUSED)
def test_refuses_urdf(case, tmp_path):
    text, message = REFUSED[case]
    path = written(tmp_path, "urdf", text)
    with pytest.raises(FormatError, match=message):
        urdf.read(path, strict=True)
    if case in NOTED:
        notes = [str(n) for n in urdf.read(path).notes]
        assert any(NOTED[case] in n for n in notes), notes
        return
    with pytest.raises(FormatError, match=message):
        urdf.read(path)
