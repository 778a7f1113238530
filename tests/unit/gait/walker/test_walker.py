"""The walker: joint targets over a cycle, files of parameters, and walks in pure physics."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import AnthropiError
from anthropi.gait.walker import (
    Command,
    Walker,
    WalkingSession,
    first_state,
    joint_targets_of,
    load_walker,
    save_walker,
    walkers,
)
from anthropi.gait.walker.joint_targets import basis, on_both_sides, value
from anthropi.gait.walker.observation import along, at_speed
from anthropi.gait.walker.parameters import size_of
from anthropi.gait.walker.phase_clock import FIRST_MEMORY, ClockInputs, advance_clock, read_clock


@pytest.fixture(scope="module")
def figure():
    return ap.human(1.75, 75)


@pytest.fixture(scope="module")
def undisturbed(figure):
    """Twelve seconds at 1.3 m/s by the natural set."""
    return walked(figure)


def walked(figure, duration=12.0, push=0.0, start="walk"):
    session = WalkingSession(figure, start=start)
    session.command(Command(speed=1.3))
    session.run(1.0)
    if push:
        session.run(0.1, push=(0.0, push))
    session.run(duration - session.time)
    return session


def test_joint_targets_are_the_curves_of_the_motion(figure):
    gait = ap.gait.reference_gait(figure, speed=1.3, steps=3, rate=100)
    strikes = [event.time for event in gait.events if event.what == "strike"]
    cycle = strikes[2] - strikes[0]
    found = joint_targets_of(gait, strikes[0], cycle)
    for t in strikes[0] + cycle * np.array([0.1, 0.45, 0.8]):
        own, q = basis((t - strikes[0]) / cycle), gait.at(t).q
        for name in ("hip", "knee", "shoulder"):
            for side, target in zip("lr", on_both_sides(found[f"side.{name}"], own), strict=True):
                i = figure.joint_index(f"{side}_{name}")
                x = figure.joints[i].coordinates(q[figure.q_of[i]])
                assert np.abs(target - x).max() < 0.04  # [rad] six harmonics
        i = figure.joint_index("lumbar")
        assert np.abs(value(found["middle.lumbar"], own) - figure.joints[i].coordinates(q[figure.q_of[i]])).max() < 0.02


def test_files_come_back(tmp_path):
    own = load_walker("natural")
    assert {"natural", "run"} <= set(walkers()) and own.speed == 1.3
    save_walker(tmp_path / "own.toml", own.parameters, own.start, own.speed, own.made)
    again = load_walker(str(tmp_path / "own.toml"))
    for name, x in own.parameters.items():
        np.testing.assert_array_equal(again.parameters[name], x)
    np.testing.assert_array_equal(again.start[0], own.start[0])


def test_what_is_no_walker_is_refused_in_words(tmp_path, figure):
    with pytest.raises(AnthropiError, match="Did you mean 'natural'"):
        load_walker("naturl")
    (tmp_path / "bad.toml").write_text("made = 3", encoding="utf-8")
    with pytest.raises(AnthropiError, match="not a valid walker file"):
        load_walker(str(tmp_path / "bad.toml"))
    with pytest.raises(AnthropiError, match="standard"):
        Walker(ap.human(detail="thesis42"), load_walker().parameters)
    with pytest.raises(AnthropiError, match="Did you mean 'stand'"):
        first_state(figure, load_walker(), "standing")


NONSENSE = (({"speed": float("nan")}, "speed"), ({"speed": -1.0}, "speed"), ({"heading": float("inf")}, "heading"),
            ({"reach": 3.0}, "reach"))  # fmt: skip


@pytest.mark.parametrize(("command", "word"), NONSENSE)
def test_commands_that_make_no_sense_are_refused(command, word):
    with pytest.raises(AnthropiError, match=word):
        Command(**command).row()


def test_a_body_of_the_same_shape_has_the_same_numbers():
    """Twice as heavy: torques twice; longer legs: times by the root."""
    assert size_of(ap.human(1.75, 75)) == pytest.approx((1.0, 1.0, 1.0, 1.0), rel=1e-3)
    heavy, tall = size_of(ap.human(1.75, 90)), size_of(ap.human(1.95, 75))
    assert heavy.torque == pytest.approx(1.2, rel=1e-3) and heavy.length == pytest.approx(1.0, rel=1e-3)
    assert tall.time == pytest.approx(tall.length**0.5) and tall.length > 1.1


def test_parameters_go_with_the_speed():
    rows = {"x": np.array([[1.0], [2.0], [4.0]])}
    for speed, x in ((1.3, 0.0), (1.8, 1.0), (0.8, -1.0), (0.0, -1.1)):
        assert at_speed(rows, speed)["x"][0] == pytest.approx(1.0 + 2.0 * x + 4.0 * x * x)


def test_along_is_the_heading():
    assert along(np.pi / 2, np.array([0.0, 3.0])) == pytest.approx([3.0, 0.0], abs=1e-12)


def ticked(memory, command, seconds, swing_load=0.0, settled=1.0):
    """Memory after a time, 1 ms at once."""
    for _ in range(round(seconds / 1e-3)):
        t = memory["last"] + 1e-3
        clock = read_clock(memory, t, command)
        inputs = ClockInputs(step=0.5, hurry=0.0, swing_load=swing_load, settled=settled, unexpected_rise=0.0,
                             brake=1.5, shift_time=0.3, first_s=0.1, first_speed=0.4)  # fmt: skip
        memory = advance_clock(memory, clock, command, t, inputs)
    return memory


def test_the_clock_steps_at_strikes_and_the_phase_does_not_jump():
    memory = ticked(dict(FIRST_MEMORY), Command(), 0.45)
    assert memory["side"] == 0.0 and memory["s"] == pytest.approx(0.9)
    before = read_clock(memory, memory["last"], Command()).phase
    memory = ticked(memory, Command(), 1e-3, swing_load=30.0)
    assert memory["side"] == 1.0 and memory["steps"] == 1.0
    assert read_clock(memory, memory["last"], Command()).phase == pytest.approx(before, abs=3e-3)
    assert read_clock(ticked(memory, Command(), 0.3), 0.0, Command()).phase == pytest.approx(0.5 + 0.3, abs=2e-3)


def test_the_clock_stands_when_it_is_told_to_and_feet_are_settled_and_starts_again():
    memory, rest = ticked(dict(FIRST_MEMORY), Command(), 0.1), Command(go=False)
    for k, settled in enumerate((1.0, 0.0, 1.0)):  # three strikes; at the second, feet are not settled
        memory = ticked(memory, rest, 0.45)
        memory = ticked(memory, rest, 1e-3, swing_load=30.0, settled=settled)
        assert memory["gear"] == (0.0 if k == 2 else 1.0)
    memory = ticked(memory, rest, 0.4)
    assert memory["stand"] == 1.0 and memory["speed"] == 0.0
    memory = ticked(memory, Command(speed=1.0), 0.31)
    assert memory["gear"] == 1.0 and memory["side"] == 0.0 and memory["speed"] == pytest.approx(0.4, abs=0.01)


def test_it_walks_by_itself(undisturbed, figure):
    """Upright to the end, at its speed, on both feet in turn, with nothing at the root."""
    motion = undisturbed.motion()
    assert not undisturbed.fallen and motion.q[:, 2].min() > 0.8 and motion.q[:, 2].max() < 1.0
    later = motion.time > 3.0
    assert np.polyfit(motion.time[later], motion.q[later, 0], 1)[0] == pytest.approx(1.3, rel=0.05)
    assert np.abs(motion.q[:, 1]).max() < 0.5
    assert np.abs(motion.tau[:, :6]).max() == 0.0
    mean = motion.channels["contact"][later][..., 2].sum(-1).mean() / (figure.mass * 9.81)
    assert mean == pytest.approx(1.0, abs=0.02)  # the ground alone carries it


def test_it_walks_as_people_do(undisturbed):
    report = ap.gait_report(undisturbed.motion(), from_time=3.0)
    assert report["GPS"].values[""] < 6.0
    for side in "lr":
        assert report["knee flexion, r"].values[side] > 0.95 and report["hip flexion, r"].values[side] > 0.95
        assert report["vertical force, r"].values[side] > 0.93


@pytest.mark.slow
def test_it_is_no_recording(figure, undisturbed):
    """The same again to the bit; pushed, it goes elsewhere and goes on."""
    motion, again = undisturbed.motion(), walked(figure, 3.0).motion()
    assert np.array_equal(again.q, motion.q[: len(again)])
    pushed = walked(figure, 6.0, push=350.0)
    assert not pushed.fallen and np.abs(pushed.q[:3] - motion.q[600, :3]).max() > 1e-2


def test_it_starts_turns_and_stops(figure):
    session = walked(figure, 6.0, start="stand")
    assert session.steps >= 7 and session.position[0] > 3.0
    session.command(Command(speed=1.2, heading=np.pi / 2))
    session.run(6.0)
    assert np.degrees(np.arctan2(*session.velocity[::-1])) == pytest.approx(90.0, abs=8.0)
    session.command(Command(go=False))
    session.run(5.0)
    assert session.stands and not session.fallen and np.abs(session.u[:2]).max() < 0.1
