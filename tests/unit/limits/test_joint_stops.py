"""Stops of joints: springs at the limits that a file gives act wherever the figure is used."""

import warnings

import numpy as np
import pytest

import anthropi as ap
from anthropi import spatial
from anthropi.errors import FormatWarning
from anthropi.figure import Link, Revolute, Weld
from anthropi.figure.joints import JointStop

STOP = JointStop(type="linear", k=200.0, zone=0.4, gate="none")


def _arm(stop=STOP):
    rod = spatial.capsule(0.03, 0.4, mass=1.5, centre=(0.0, 0.0, -0.2))
    elbow = Revolute(name="elbow", axis="y", lower=-0.6, upper=0.6, damping=0.05, stop=stop)
    return ap.figure_from_parts(
        "arm", [("", Weld(name="base"), Link.of("wall", rod)), ("wall", elbow, Link.of("forearm", rod))]
    )


def _largest(figure):
    """Return the largest angle [rad] of an arm that swings from rest at the speed 6 rad/s."""
    return float(abs(ap.simulate(figure, figure.neutral(), np.array([6.0]), duration=0.4, dt=1e-3, opt=0).q).max())


@pytest.fixture
def read(tmp_path):
    """The arm, written to a file and loaded again."""
    ap.save(_arm(), tmp_path / "arm.toml")
    assert 'stop = { type = "linear"' in (tmp_path / "arm.toml").read_text(encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # `load` dropped the stop, with a warning
        return ap.load(tmp_path / "arm.toml")


def test_a_stop_of_a_file_is_part_of_the_figure(read):
    assert read.joints[1].stop == STOP
    assert read.key == _arm().key != _arm(None).key
    locked = read.lock(["elbow"])
    assert locked.unlock().joints[1].stop == STOP
    assert read.mirror().joints[1].stop == STOP


def test_a_stop_of_a_file_acts_in_simulations(read, tmp_path):
    free, stopped = _largest(_arm(None)), _largest(read)
    assert stopped < 0.75 < 0.9 < free
    scene = ap.Scene(read, ground=None, contact=None)
    assert _largest(scene.figure) == stopped
    motion = ap.simulate(scene, read.neutral(), np.array([6.0]), duration=0.4, dt=1e-3, opt=0)
    assert abs(motion.q).max() == stopped
    sim = ap.Simulation(read, dt=1e-3, opt=0)
    sim.reset(read.neutral(), np.array([6.0]))
    sim.step(400)
    assert abs(sim.q).max() < 0.75
    motion.save(tmp_path / "swing.npz")
    assert ap.load_motion(tmp_path / "swing.npz").figure.joints[1].stop == STOP


def test_limits_of_a_scene_replace_stops(read):
    hard = ap.limits.HardLimits()
    assert ap.Scene(read, ground=None, contact=None, limits=hard).limits is hard


def test_formats_without_stops_say_so(read, tmp_path):
    for name in ("arm.xml", "arm.urdf"):
        with pytest.warns(FormatWarning, match="joint 'elbow': its stop is not part of"):
            ap.save(read, tmp_path / name)
