"""A walker: aims over a cycle, a file of parameters, and a walk in pure physics."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import AnthropiError
from anthropi.gait.walker import Walker, aims_of, load_walker, save_walker, walkers
from anthropi.gait.walker.aims import basis, on_both_sides, value


@pytest.fixture(scope="module")
def figure():
    return ap.human(1.75, 75)


@pytest.fixture(scope="module")
def walk(figure):
    """Twelve seconds by the natural set."""
    return walked(figure)


def walked(figure, duration=12.0, push=0.0, **changes):
    own = load_walker("natural")
    scene = ap.Scene(figure, features="feet", **changes)
    q, u = own.start
    u = u + np.eye(len(u))[1] * push
    motion = ap.simulate(scene, q, u, forces=Walker(figure, own.parameters), duration=duration, every=10,
                         record=("contact", "tau"), opt=0)  # fmt: skip
    return motion


def test_aims_are_the_curves_of_the_motion(figure):
    gait = ap.reference_gait(figure, speed=1.3, steps=3, rate=100)
    strikes = [event.time for event in gait.events if event.what == "strike"]
    cycle = strikes[2] - strikes[0]
    found = aims_of(gait, strikes[0], cycle)
    for t in strikes[0] + cycle * np.array([0.1, 0.45, 0.8]):
        own, q = basis((t - strikes[0]) / cycle), gait.at(t).q
        for name in ("hip", "knee", "shoulder"):
            for side, aim in zip("lr", on_both_sides(found[f"side.{name}"], own), strict=True):
                i = figure.joint_index(f"{side}_{name}")
                x = figure.joints[i].coordinates(q[figure.q_of[i]])
                assert np.abs(aim - x).max() < 0.04  # [rad] six harmonics
        i = figure.joint_index("lumbar")
        assert np.abs(value(found["middle.lumbar"], own) - figure.joints[i].coordinates(q[figure.q_of[i]])).max() < 0.02


def test_files_come_back(tmp_path):
    own = load_walker("natural")
    assert "natural" in walkers() and len(own.made) > 40
    save_walker(tmp_path / "own.toml", own.parameters, own.start, own.speed, own.made)
    again = load_walker(str(tmp_path / "own.toml"))
    for name, x in own.parameters.items():
        np.testing.assert_array_equal(again.parameters[name], x)
    np.testing.assert_array_equal(again.start[0], own.start[0])


def test_what_is_no_walker_is_refused_in_words(tmp_path):
    with pytest.raises(AnthropiError, match="Did you mean 'natural'"):
        load_walker("naturl")
    (tmp_path / "bad.toml").write_text("made = 3", encoding="utf-8")
    with pytest.raises(AnthropiError, match="no walker's file"):
        load_walker(str(tmp_path / "bad.toml"))
    with pytest.raises(AnthropiError, match="standard"):
        Walker(ap.human(detail="thesis42"), load_walker().parameters)


def test_it_walks_by_itself(walk, figure):
    """Upright to the end, at its speed, on both feet in turn, with nothing at the root."""
    height = walk.q[:, 2]
    assert height.min() > 0.8 and height.max() < 1.0
    later = walk.time > 2.0
    speed = np.polyfit(walk.time[later], walk.q[later, 0], 1)[0]
    assert speed == pytest.approx(1.3, rel=0.05)
    assert np.abs(walk.q[:, 1]).max() < 0.5
    assert np.abs(walk.tau[:, :6]).max() == 0.0
    mean = walk.channels["contact"][later][..., 2].sum(-1).mean() / (figure.mass * 9.81)
    assert mean == pytest.approx(1.0, abs=0.08)  # the ground alone carries it; frames 10 ms apart miss the heel's blow


def test_it_walks_as_people_do(walk):
    report = ap.gait_report(walk, from_time=3.0)
    assert report["GPS"].values[""] < 6.0
    for side in "lr":
        assert report["knee flexion, r"].values[side] > 0.95 and report["hip flexion, r"].values[side] > 0.95


def test_it_is_no_recording(figure, walk):
    """The same again to the bit; pushed, and on other ground, it goes elsewhere and goes on."""
    again = walked(figure, 2.0)
    assert np.array_equal(again.q, walk.q[: len(again)])
    for other in (walked(figure, 5.0, push=0.15), walked(figure, 5.0, material=ap.contact.Material(friction=0.6))):
        assert np.abs(other.q[-1, :3] - walk.q[len(other) - 1, :3]).max() > 1e-3
        assert other.q[:, 2].min() > 0.8
