"""Falls of scripts, performances, sessions and commands: error, metadata, event, exit code."""

import numpy as np
import pytest
from typer.testing import CliRunner

import anthropi as ap
from anthropi.cli.app import app
from anthropi.errors import StepError
from anthropi.formats import load_motion
from anthropi.gait.walker import Command, WalkingSession
from unit.gait.falls.judge import judged, lowest

HUMAN, WOMAN = ap.human(), ap.human(1.65, 60.0, "f")
STOP = "walk at 1.6 m/s for 4 s; stop; stand 4 s"


def check(motion) -> None:
    """The report of a motion that fell agrees with the judge, and the body lies on the ground."""
    heights = lowest(motion)
    assert motion.metadata["fell"] and abs(motion.metadata["fall_time"] - judged(motion, heights)) <= 0.1
    assert [(e.time, e.about) for e in motion.events if e.what == "fall"] == [
        (pytest.approx(motion.metadata["fall_time"]), motion.metadata["fall_cause"])
    ]
    assert min(height.min() for height in heights.values()) > -0.03


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.slow
@pytest.mark.parametrize("script", [STOP, "walk happily for 6 s; stop; stand 6 s"])
def test_a_fall_after_a_stop(script):
    with pytest.raises(StepError, match=r"fell at [\d.]+ s \(.*\), during the order to stand .* strict=False") as error:
        ap.walk(HUMAN, script=script)
    motion = error.value.motion
    check(motion)
    assert motion.metadata["walk"]["fell"] and motion.time[-1] < motion.metadata["fall_time"] + 1.0


@pytest.mark.slow
def test_a_fall_of_a_performance():
    with pytest.raises(StepError, match=r"fell at .* while it performed.* strict=False") as error:
        ap.perform(WOMAN, "leap")
    check(error.value.motion)
    kept = ap.perform(WOMAN, "leap", strict=False)
    assert kept.metadata["fell"] and len(kept) == len(error.value.motion)
    assert ap.perform(HUMAN, "stand", duration=0.5).metadata["fell"] is False


@pytest.mark.slow
def test_a_session_runs_on_after_a_fall(tmp_path):
    session = WalkingSession(HUMAN, start="walk")
    session.command(Command(speed=1.3))
    session.run(1.0)
    assert not session.fallen and session.fall_time is None and not session.motion().metadata["fell"]
    session.run(0.3, push=(0.0, 400.0))
    session.run(2.5)
    assert session.fallen and 1.0 < session.fall_time < 3.0 and session.time == pytest.approx(3.8)
    check(session.motion())
    session.motion().save(tmp_path / "fall.npz")
    found = load_motion(tmp_path / "fall.npz")
    assert found.metadata["fell"] and [e for e in found.events if e.what == "fall"]
    assert np.isfinite(found.q).all()


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [["walk", "--script", STOP], ["jump", "--forward", "--height", "1.65", "--mass", "60", "--sex", "f"]],
)
def test_commands_exit_with_1_and_say_when_and_how(words):
    found = CliRunner().invoke(app, [*words, "--quiet"])
    assert found.exit_code == 1
    assert "the figure fell at" in found.output and ("standing height" in found.output or "touches" in found.output)
