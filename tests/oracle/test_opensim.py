"""OpenSim models beside the `opensim` package: poses of bodies and markers, states, couplings and inverse dynamics."""

import shutil

import numpy as np
import pytest

import anthropi as ap
from anthropi import formats
from anthropi.formats.figures.osim import read_muscles
from anthropi.formats.figures.osim.reader import WORLD
from anthropi.formats.motions.tables import opensim as tables
from anthropi.simulation.actuators.muscles import path_geometry
from formats.osim_samples import SAMPLES
from formats.test_osim_inverse_dynamics import differences, joint_forces

opensim = pytest.importorskip("opensim")
opensim.Logger.setLevelString("off")
pytestmark = pytest.mark.oracle

MODELS = ("core_id_test/subject01.osim", "moco2dwalking/2D_gait.osim")
BEYOND = 0.2  # coordinates go this share of their range beyond its ends


def check_poses(path, states):
    """Compare all bodies in random states, within ranges and somewhat beyond, and the markers at the default values."""
    model = opensim.Model(str(path))
    state = model.initSystem()
    held = model.getConstraintSet()
    for i in range(held.getSize()):
        held.get(i).setIsEnforced(state, False)
    every = model.getCoordinateSet()
    theirs = {every.get(i).getName(): every.get(i) for i in range(every.getSize())}
    reading = formats.read(path, locks=False)
    figure = reading.figure
    names = [dof.rpartition(".")[2] for dof in figure.dofs]
    assert sorted(names) == sorted(theirs)
    free = [k for k, dof in enumerate(figure.dofs) if dof not in [getattr(x, "dof", "") for x in figure.loops]]
    assert reading.state.q[free].tolist() == [theirs[names[k]].getDefaultValue() for k in free]
    bodies = [model.getBodySet().get(i) for i in range(model.getBodySet().getSize())]
    assert sum(body.getMass() for body in bodies) == pytest.approx(figure.mass, rel=1e-12)

    for coordinate in theirs.values():
        coordinate.setLocked(state, False)
        coordinate.setClamped(state, False)
    for name, value in zip(names, reading.state.q, strict=True):
        theirs[name].setValue(state, float(value), False)
    model.realizePosition(state)
    k = ap.kinematics(figure, reading.state.q)
    ours = {m.name: m for m in figure.markers}
    markers = [model.getMarkerSet().get(i) for i in range(model.getMarkerSet().getSize())]
    for marker in (m for m in markers if m.getName() in ours):
        mine = ours[marker.getName()]
        i, there = figure.link_index(mine.link), marker.getLocationInGround(state)
        place = k.position[i] + k.rotation[i] @ mine.point
        np.testing.assert_allclose(place, WORLD @ [there.get(n) for n in range(3)], atol=1e-9)  # [m]
    low, high = (np.array([getattr(theirs[n], f"getRange{end}")() for n in names]) for end in ("Min", "Max"))
    wide = (1.0 + 2.0 * BEYOND) * np.random.default_rng(7).uniform(size=(states, figure.nq)) - BEYOND
    q = low + (high - low) * wide
    k = ap.kinematics(figure, q)
    for r in range(states):
        for name, value in zip(names, q[r], strict=True):
            theirs[name].setValue(state, float(value), False)
        model.realizePosition(state)
        for body in bodies:
            i, X = figure.link_index(body.getName()), body.getTransformInGround(state)
            turn = [[X.R().asMat33().get(a, b) for b in range(3)] for a in range(3)]
            np.testing.assert_allclose(k.rotation[r, i], WORLD @ turn, atol=1e-9, err_msg=body.getName())
            origin = [X.p().get(a) for a in range(3)]
            np.testing.assert_allclose(k.position[r, i], WORLD @ origin, atol=1e-9, err_msg=body.getName())  # [m]


@pytest.mark.parametrize("file", MODELS)
def test_poses_of_shared_models(file, shared):
    check_poses(shared / "opensim" / file, states=100)


@pytest.mark.parametrize("name", SAMPLES)
def test_poses_of_every_joint_and_function(name, tmp_path):
    path = tmp_path / f"{name}.osim"
    path.write_text(SAMPLES[name])
    check_poses(path, states=30)


def test_joint_moments_are_those_of_the_tool(shared, tmp_path, monkeypatch):
    trial = shared / "opensim" / "core_id_test"
    for file in trial.iterdir():
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    opensim.InverseDynamicsTool("subject01_Setup_InverseDynamics.xml").run()
    figure = formats.read(trial / "subject01.osim", locks=False).figure
    theirs = tables.read(tmp_path / "Results" / "subject01_InverseDynamics.sto")
    off = differences(figure, *joint_forces(trial, figure), theirs)
    assert max(off.values()) < 1e-4, off  # measured 3e-5: the tool writes times with six digits


def test_muscle_paths_are_as_long(shared):
    path = shared / "opensim" / "moco2dwalking" / "2D_gait.osim"
    model = opensim.Model(str(path))
    state = model.initSystem()
    figure, (muscles, notes) = formats.read(path).figure, read_muscles(path)
    q = np.random.default_rng(3).uniform(-0.5, 0.5, figure.nq)
    every = model.getCoordinateSet()
    for dof, value in zip(figure.dofs, q, strict=True):
        every.get(dof.rpartition(".")[2]).setValue(state, float(value), False)
    model.realizePosition(state)
    k = ap.kinematics(figure, q)
    assert len(muscles) == 10 and sum("PathPoint" in note.what for note in notes) == len(notes) == 8
    for muscle in muscles:
        theirs = opensim.Muscle.safeDownCast(model.getComponent(f"/{muscle.name}"))
        ours = path_geometry(figure, k, q, muscle.path)
        assert ours.length == pytest.approx(theirs.getLength(state), rel=1e-12)
        for dof, arm in zip(figure.dofs, ours.arms, strict=True):
            coordinate = every.get(dof.rpartition(".")[2])
            assert arm == pytest.approx(theirs.computeMomentArm(state, coordinate), abs=1e-9)  # [m]
