"""URDF as people write it: one small file for each feature, beside Pinocchio; what a strict reader refuses."""

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anthropi as ap
from anthropi import formats
from anthropi.algorithms.kinematics import kinematics
from anthropi.cli.app import app
from anthropi.errors import FormatError, FormatWarning
from anthropi.figure import Coupling, Figure, Link, Polynomial, Prismatic, Revolute
from anthropi.figure.joints import JointRating
from anthropi.formats.figures import urdf
from anthropi.formats.figures.urdf.inertias import IDLE_ARMATURE, nearest_moments
from formats.mutations import written
from formats.urdf_features import FEATURES, FLAT, INERTIAL, REPAIRED, finger, inertial, joint, robot
from oracle.figures import figure as random_figure

ROOT = Path(__file__).resolve().parents[2]
HARMLESS = ("effort and velocity", "mimic", "mimic of a mimic", "a massless link", "mass 0 without a tensor")
HARMLESS += ("a link world",)  # read strictly too
ALIKE = [name for name in FEATURES if name != "a plane as shape"]  # Pinocchio drops a link with an unknown shape


def corpus():
    """Return research/corpus.py, whose comparison with Pinocchio the tests share."""
    sys.path.insert(0, str(ROOT / "research"))
    import corpus

    return corpus


@pytest.mark.oracle
@pytest.mark.parametrize("feature", ALIKE)
def test_agrees_with_pinocchio(feature, tmp_path):
    """Masses, placements by name, limits, ratings, M and bias to 1e-12; with mimics, in the reduced coordinates too."""
    result = corpus().urdf(written(tmp_path, "urdf", FEATURES[feature]))
    assert result.outcome == "equal", result
    assert result.error < 1e-12


@pytest.mark.oracle
def test_the_comparison_finds_a_wrong_mass(tmp_path, monkeypatch):
    read = formats.read

    def heavier(path, **options):
        found = read(path, **options)
        return found._replace(figure=found.figure.changed(links=[found.figure.links[0], *(
            Link(x.name, x.mass * (1.0 + 1e-9), x.centre, x.tensor) for x in found.figure.links[1:])]))  # fmt: skip

    monkeypatch.setattr(formats, "read", heavier)
    assert corpus().urdf(written(tmp_path, "urdf", robot())).outcome == "wrong"


@pytest.mark.parametrize("feature", [*FEATURES, *REPAIRED])
def test_strict_refuses_what_is_noted(feature, tmp_path):
    path = written(tmp_path, "urdf", (FEATURES | REPAIRED)[feature])
    found = urdf.read(path)
    if feature in HARMLESS:
        assert urdf.read(path, strict=True).figure.key == found.figure.key
        return
    assert found.notes
    with pytest.raises(FormatError, match=r"figure\.urdf"):
        urdf.read(path, strict=True)


def notes_of(tmp_path, text, **options):
    return [str(n) for n in urdf.read(written(tmp_path, "urdf", text), **options).notes]


def test_notes_name_the_element(tmp_path):
    notes = notes_of(tmp_path, FEATURES["joint_properties"])
    assert any("figure.urdf: <joint>: <joint_properties> is unknown" in n for n in notes)
    notes = notes_of(tmp_path, FEATURES["drake without a namespace"])
    assert any("<drake:proximity_properties> is unknown" in n for n in notes)
    assert any("<drake:joint> is unknown" in n for n in notes)
    assert any("a second <axis> is left out" in n for n in notes_of(tmp_path, FEATURES["an element twice"]))
    assert any("'dont_collapse' is unknown" in n for n in notes_of(tmp_path, FEATURES["dont_collapse"]))
    with pytest.warns(FormatWarning, match=r"contains more than a figure: .*<param> is unknown.*<plugin> is unknown"):
        ap.load(written(tmp_path, "urdf", FEATURES["unknown elements and attributes"]))


# mimic


def random_mimic_tree(seed: int) -> Figure:
    """A random tree of hinges and slides, a third of which follow joints nearer to the root."""
    rng = np.random.default_rng(seed)
    tree = random_figure(seed, links=9, families=["revolute", "prismatic"])
    joints = [j.changed(damping=0.0, stiffness=0.0, armature=0.0) for j in tree.joints]
    couplings = []
    for i in range(1, tree.n):
        above = [k for k in tree.path(i)[:-1] if joints[k].nu == 1]
        if above and rng.uniform() < 0.5:
            source = joints[rng.choice(above)].name
            line = Polynomial((rng.normal(), rng.normal()))
            couplings.append(Coupling(joints[i].name, joints[i].name, source, line))
    wide = [j.changed(lower=-3.0, upper=3.0, rating=JointRating(effort=10.0, velocity=float(i))) if j.nu == 1 else j
            for i, j in enumerate(joints)]  # fmt: skip
    return tree.changed(joints=wide, loops=couplings, markers=(), gravity=[0.0, 0.0, -9.81], checked=True)


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(12))
def test_random_mimic_trees_agree_with_pinocchio_and_are_written_back(seed, tmp_path):
    before = random_mimic_tree(seed)
    assert urdf.write(before, tmp_path / "f.urdf") == ()
    result = corpus().urdf(tmp_path / "f.urdf")
    assert result.outcome == "equal" and result.error < 1e-12, result
    after = urdf.read(tmp_path / "f.urdf").figure
    assert {(c.dof, c.source, c.function.coefficients) for c in after.loops} == {
        (c.dof, c.source, c.function.coefficients) for c in before.loops
    }
    ratings = {j.name: j.rating for j in before.joints if j.nu}
    assert {j.name: j.rating for j in after.joints if j.nu} == ratings
    ap.save(after, tmp_path / "f.toml")
    assert ap.load(tmp_path / "f.toml").key == after.key


def test_the_initial_state_satisfies_mimics(tmp_path):
    found = formats.read(written(tmp_path, "urdf", FEATURES["mimic of a mimic"]))
    assert found.state.q.tolist() == [0.0, 0.0, -0.05, -0.1] or sorted(found.state.q)[:2] == [-0.1, -0.05]
    assert all(abs(x).max() < 1e-15 for x in ap.loops.loop_errors(found.figure, found.state.q).values())
    motion = ap.simulate(found.figure, found.state.q, steps=50, dt=1e-3)
    assert max(np.abs(x).max() for x in ap.loops.loop_errors(found.figure, motion.q).values()) < 1e-13


CIRCLE = finger("one", '<mimic joint="two"/>') + finger("two", '<mimic joint="one" multiplier="0.5"/>')


def test_mimics_that_cannot_be_followed(tmp_path):
    """A circle of mimics is read, and its state found; a joint that follows a fixed or missing one is free."""
    found = formats.read(written(tmp_path, "urdf", robot(more=CIRCLE)))
    assert len(found.figure.loops) == 2 and np.isfinite(found.state.q).all()
    text = robot(more=finger("one", '<mimic joint="wrist"/>') + finger("two", '<mimic joint="gone"/>'))
    notes = notes_of(tmp_path, text)
    assert any("'wrist', which 'one' follows, is fixed" in n for n in notes)
    assert any("'two' mimics the joint 'gone', which does not exist, and is free" in n for n in notes)
    with pytest.raises(FormatError, match=r"figure.urdf:\d+: <joint name='two'> mimics the joint 'gone'"):
        urdf.read(written(tmp_path, "urdf", text), strict=True)
    with pytest.raises(FormatError, match=r"mimics itself"):
        urdf.read(written(tmp_path, "urdf", robot(elbow='<mimic joint="elbow"/>')))
    with pytest.raises(FormatError, match=r"'x' in multiplier is not a number"):
        urdf.read(written(tmp_path, "urdf", robot(elbow='<mimic joint="shoulder" multiplier="x"/>')))


def test_what_is_written_of_couplings(tmp_path):
    figure = urdf.read(written(tmp_path, "urdf", FEATURES["mimic"])).figure
    bent = figure.changed(loops=[Coupling("bent", "two", "one", Polynomial((0.0, 1.0, 0.5)))])
    assert any("coupling 'bent'" in str(n) for n in urdf.write(bent, tmp_path / "b.urdf"))
    assert urdf.read(tmp_path / "b.urdf").figure.loops == ()


@pytest.mark.oracle
def test_couplings_are_written_for_mujoco(tmp_path):
    """MuJoCo's equality constraint has the residual and the Jacobian of the coupling."""
    import mujoco

    figure = urdf.read(written(tmp_path, "urdf", FEATURES["mimic"])).figure
    curve = Coupling("curve", "two", "one", Polynomial((0.2, -0.7, 0.3, 0.0, 0.1)))
    assert formats.write(figure.changed(loops=[curve]), tmp_path / "f.xml") == ()
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "f.xml"))
    data = mujoco.MjData(model)
    q = data.qpos[:] = figure.random(np.random.default_rng(0))
    mujoco.mj_forward(model, data)
    one, two = (figure.dofs.index(d) for d in ("one", "two"))
    value, slope, _ = curve.function.at(q[one])
    kept = data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY
    assert abs(data.efc_pos[kept] - (q[two] - value)).max() < 1e-14
    row = data.efc_J.reshape(-1, model.nv)[kept][0]
    assert np.abs(row - np.eye(model.nv)[two] + slope * np.eye(model.nv)[one]).max() < 1e-14
    steep = figure.changed(loops=[Coupling("steep", "two", "one", Polynomial((0.0,) * 5 + (1.0,)))])
    assert any("coupling 'steep'" in str(n) for n in formats.write(steep, tmp_path / "g.xml"))


# inertias


@pytest.mark.parametrize("feature", REPAIRED)
def test_a_changed_tensor_is_a_warning_that_names_the_link(feature, tmp_path):
    path = written(tmp_path, "urdf", REPAIRED[feature])
    with pytest.warns(FormatWarning, match=r"read with other numbers: .*link 'lower': principal moments .*nearest are"):
        lower = ap.load(path).links[2]
    moments = np.linalg.eigvalsh(lower.tensor)
    assert moments[0] > 0.0 and moments[2] <= (moments[0] + moments[1]) * (1.0 + 1e-9)


@given(st.lists(st.floats(-10.0, 10.0), min_size=3, max_size=3))
def test_the_nearest_moments_are_the_nearest(moments):
    """Variational inequality of a projection onto a cone: (m - p) · p = 0 and (m - p) · e ≤ 0 for its edges e."""
    m = np.array(moments)
    p = nearest_moments(m)
    edges = np.ones((3, 3)) - np.eye(3)
    size = max(1.0, np.abs(m).max()) ** 2
    assert abs((m - p) @ p) < 1e-12 * size and ((m - p) @ edges < 1e-12 * size).all()
    assert (2.0 * p <= p.sum() + 1e-12 * size).all()


def test_a_welded_sum_is_exact_and_without_warning(tmp_path):
    path = written(tmp_path, "urdf", FEATURES["a negative moment, on a welded link"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = ap.load(path)
    assert [x.mass for x in figure.links][-2:] == [1.6, 0.0]
    found = notes_of(tmp_path, FEATURES["a tensor that no body has, on the base"])
    assert any("link 'base': a tensor that no body has; it has no effect" in n for n in found)
    free = notes_of(tmp_path, FEATURES["a tensor that no body has, on the base"], root="free")
    assert any("link 'base': principal moments" in n for n in free)


def test_a_joint_that_moves_nothing_gets_armature(tmp_path):
    path = written(tmp_path, "urdf", FEATURES["nothing with mass beyond a joint"])
    with pytest.warns(FormatWarning, match=r"joint 'tilt': it moves no mass; an armature of 1e-06"):
        figure = ap.load(path)
    assert figure.joints[figure.joint_index("tilt")].armature.tolist() == [IDLE_ARMATURE]
    assert not figure.joints[figure.joint_index("elbow")].armature.any()
    assert np.isfinite(ap.direct_dynamics(figure, [0.1, 0.2, 0.3], [1.0, 1.0, 1.0], np.zeros(3))).all()


@pytest.mark.parametrize("number", ["1e300", "1e-320", "-1e300", "1e150"])
def test_extreme_inertias_are_refused_or_finite(number, tmp_path):
    for text in (robot(lower=inertial(number, 1, 1, 5)), robot(lower=inertial(1, number, 1, 1), hand=FLAT)):
        try:
            figure = urdf.read(written(tmp_path, "urdf", text)).figure
        except FormatError as error:
            assert "figure.urdf" in str(error)
        else:
            assert np.isfinite([x.tensor for x in figure.links]).all()


# root, shapes, ratings


def test_a_world_link_and_a_free_root(tmp_path):
    path = written(tmp_path, "urdf", FEATURES["a link world"])
    welded, free = urdf.read(path).figure, urdf.read(path, root="free").figure
    names = [x.name for x in free.links]
    assert names == [x.name for x in welded.links] and "world" not in names
    assert welded.joints[0].kind == "weld" and free.joints[0].kind == "free" and free.nu == welded.nu + 6
    q = np.concatenate([free.neutral()[:7], [0.3, -0.2]])
    assert np.abs(kinematics(free, q).position - kinematics(welded, q[7:]).position).max() < 1e-15


def test_shapes_without_size_are_left_out(tmp_path):
    found = urdf.read(written(tmp_path, "urdf", FEATURES["a size of 0"]))
    assert found.figure.links[1].shapes == () and any("not positive" in n.what for n in found.notes)


def test_ratings_are_kept(tmp_path):
    figure = urdf.read(written(tmp_path, "urdf", robot())).figure
    assert figure.joints[1].rating == JointRating(effort=120.0, velocity=4.0)
    for name in ("f.urdf", "f.toml"):
        ap.save(figure, tmp_path / name)
        assert [j.rating for j in ap.load(tmp_path / name).joints] == [j.rating for j in figure.joints]
    wheel = robot(elbow='<limit effort="3" velocity="7"/>').replace('type="revolute"', 'type="continuous"', 1)
    text = wheel.replace('<joint name="elbow" type="revolute">', '<joint name="elbow" type="continuous">')
    text = text.replace('<limit lower="-2" upper="2.5" effort="120" velocity="4"/>', "")
    elbow = urdf.read(written(tmp_path, "urdf", text)).figure.joints[2]
    assert elbow.rating == JointRating(effort=3.0, velocity=7.0) and np.isinf(elbow.upper).all()
    with pytest.raises(FormatError, match=r"effort -1. It must not be negative"):
        urdf.read(written(tmp_path, "urdf", robot().replace('effort="120"', 'effort="-1"')))
    part = Revolute(name="hinge", rating=JointRating(effort=2.0))
    kept = Prismatic(name="slide", rating=JointRating(velocity=1.0))
    assert part.reversed().rating == part.rating and kept.mirrored()[0].rating == kept.rating


# packages


def mesh(reference: str) -> str:
    return robot(upper=f'{INERTIAL}<visual><geometry><mesh filename="{reference}"/></geometry></visual>')


@pytest.fixture
def workspace(tmp_path):
    """Two packages, arm_description with the model in urdf/, and hands with a mesh; a secret beside them."""
    for folder in ("src/arm_description/urdf", "src/arm_description/meshes", "src/hands/meshes", "secret"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("src/arm_description/meshes/a.stl", "src/hands/meshes/b.stl", "secret/c.stl"):
        (tmp_path / file).write_text("solid x\nendsolid x\n")
    return tmp_path


def read_mesh(workspace, reference, **options):
    path = workspace / "src/arm_description/urdf/figure.urdf"
    path.write_text(mesh(reference))
    found = urdf.read(path, **options)
    return found.figure.links[1].shapes[0].file, [str(n) for n in found.notes]


@pytest.mark.parametrize("by", ["folder", "several", "the package", "environment"])
def test_packages_are_searched(by, workspace, monkeypatch):
    options = {
        "folder": {"folders": workspace / "src"},
        "several": {"folders": [workspace / "none", workspace / "src"]},
        "the package": {"folders": f"{workspace / 'src/hands'}{os.pathsep}{workspace / 'src/arm_description'}"},
        "environment": {},
    }[by]
    if by == "environment":
        monkeypatch.setenv("ROS_PACKAGE_PATH", f"{workspace / 'none'}{os.pathsep}{workspace / 'src'}")
    for reference in ("package://hands/meshes/b.stl", "package://arm_description/meshes/a.stl"):
        assert read_mesh(workspace, reference, **options) == (reference, [])
    assert "no file" in read_mesh(workspace, "package://hands/meshes/none.stl", **options)[1][0]


@pytest.mark.parametrize(
    "reference",
    ["../../../secret/c.stl", "package://hands/../../secret/c.stl", "package://../secret/c.stl",
     "package://hands/link.stl", "package://hands//etc/passwd", "/etc/passwd", "file:///etc/passwd",
     "package://..\\..\\secret/c.stl", "package://hands/..\\..\\secret\\c.stl"],
)  # fmt: skip
def test_references_never_lead_out_of_what_is_allowed(reference, workspace):
    (workspace / "src/hands/link.stl").symlink_to(workspace / "secret/c.stl")
    try:
        file, notes = read_mesh(workspace, reference, folders=workspace / "src")
    except FormatError as error:
        assert "figure.urdf" in str(error)
    else:  # a path in the model's own folder, which does not exist
        there = workspace / "src/arm_description/urdf" / file
        assert any("no file" in n for n in notes) and ".." not in file and not there.exists()


def test_the_address_of_an_installed_package_is_that_of_the_package(workspace):
    address = "file:///home/someone/install/hands/share/hands/meshes/b.stl"
    file, notes = read_mesh(workspace, address, folders=workspace / "src")
    assert file == "package://hands/meshes/b.stl" and notes == [
        "figure.urdf: <mesh>: a file:// address in package 'hands' is read as package://"
    ]
    for hostile in ("file:///x/share/hands/../../secret/c.stl", "file:///x/share/../secret/../../c.stl"):
        with pytest.raises(FormatError, match=r"leads out of"):
            read_mesh(workspace, hostile, folders=workspace / "src")
    with pytest.raises(FormatError, match=r"Only files in"):
        read_mesh(workspace, address, folders=workspace / "src", strict=True)


def test_a_relative_path_needs_permission(workspace):
    with pytest.raises(FormatError, match=r"leads out of the model's folder.*folders="):
        read_mesh(workspace, "../meshes/a.stl")
    allowed = {"folders": workspace / "src/arm_description"}
    assert read_mesh(workspace, "../meshes/a.stl", **allowed) == ("../meshes/a.stl", [])
    with pytest.raises(FormatError, match=r"leads out of"):
        read_mesh(workspace, "../../hands/meshes/b.stl", **allowed)
    (workspace / "src/arm_description/package.xml").write_text("<package/>")
    for reference in ("../meshes/a.stl", "package://arm_description/meshes/a.stl"):
        assert read_mesh(workspace, reference) == (reference, [])
    with pytest.raises(FormatError, match=r"leads out of"):
        read_mesh(workspace, "../../hands/meshes/b.stl")


def test_the_command_line_has_the_options(workspace, tmp_path):
    from typer.testing import CliRunner

    path = written(tmp_path, "urdf", FEATURES["frame"])
    run = CliRunner()
    assert run.invoke(app, ["info", str(path)]).exit_code == 0
    refused = run.invoke(app, ["info", str(path), "--strict"])
    assert refused.exit_code != 0 and "unknown element <frame>" in refused.output
    shown = run.invoke(app, ["info", str(path), "--json"])
    assert json.loads(shown.output)["dofs"]["elbow"]["effort"] == 120.0
    path = written(tmp_path, "urdf", REPAIRED["a tensor that is flat"])
    shown = run.invoke(app, ["convert", str(path), str(tmp_path / "f.toml"), "--folders", str(workspace / "src")])
    assert shown.exit_code == 0 and "changed on reading: figure.urdf: link 'lower'" in shown.output


@pytest.mark.oracle
def test_the_corpus_runs_on_a_folder(tmp_path):
    """The program prints a table of read, equal, refused and wrong models, and the reason of each refusal."""
    (tmp_path / "robots").mkdir()
    for name, text in (("good", FEATURES["mimic"]), ("bad", robot(elbow='<mimic joint="elbow"/>'))):
        (tmp_path / "robots" / f"{name}.urdf").write_text(text)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, str(ROOT / "research" / "corpus.py"), str(tmp_path), "--only", "urdf"]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    rows = {line.split()[0]: line.split() for line in run.stdout.splitlines() if line.strip()}
    assert rows["robots"][1:8] == ["2", "2", "1", "1", "0", "1", "0"] and "mimics itself" in run.stdout


def test_a_long_chain_of_mimics_is_read_in_time(tmp_path):
    """The start state follows 2,000 mimics in a chain that lists the last one first."""
    count = 2000
    links = "".join(f'<link name="l{k}">{INERTIAL}</link>' for k in range(count))
    chain = "".join(
        joint(f"j{k}", "base", f"l{k}", more=f'<mimic joint="j{k + 1}"/>' if k + 1 < count else "")
        for k in range(count)
    )
    text = f'<robot name="r"><link name="base"/>{links}{chain}</robot>'
    found = formats.read(written(tmp_path, "urdf", text))
    assert len(found.figure.loops) == count - 1 and not found.state.q.any()
