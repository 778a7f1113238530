"""A plan executed with a fake session: commands and their times, styles, goals, other gaits, falls; explanations."""

import math
from typing import ClassVar

import numpy as np
import pytest
import typer

from anthropi.cli.walk import explain_words
from anthropi.errors import FormatError, InputError, StepError
from anthropi.gait.styles import Order, Plan, PlanStart, explain, perform, plan, plan_start_of, style_of

SCRIPT = """stand 2 s
walk at 0.8 m/s for 6 s
walk to 1.6 m/s in 8 s happily
turn left 90 degrees
walk tired for 4 s
turn right 180 in 6 s
stop
stand 5 s"""


class Fake:
    """Follow commands at once; fall at a given time."""

    def __init__(self, falls: float = math.inf):
        self.time, self.position, self.velocity, self.heading = 3.0, np.zeros(2), np.zeros(2), 0.0
        self.falls, self.commands, self.styles = 3.0 + falls, [], []

    @property
    def fallen(self):
        return self.time > self.falls

    def command(self, command):
        self.heading = command.heading
        self.commands.append((round(self.time - 3.0, 6), command))

    def run(self, seconds):
        assert seconds > 1e-3  # a session goes by steps: less than one is none
        own = self.commands[-1][1]
        self.velocity = (own.speed if own.go else 0.0) * np.array([math.cos(own.heading), math.sin(own.heading)])
        self.position = self.position + seconds * self.velocity
        self.time += seconds

    def style(self, file, over=1.0):
        self.styles.append((round(self.time - 3.0, 6), file, over))

    def motion(self):
        return f"a motion of {self.time - 3.0:g} s"


def test_a_script_is_performed():
    session, done = Fake(), []
    motion = perform(SCRIPT, session, lambda style: style.name, progress=done.append)
    assert motion == f"a motion of {plan(SCRIPT).duration:g} s" == "a motion of 35.5 s" and done[-1] == 1.0
    assert session.styles == [(8.0, "happily", 1.0), (19.0, "tired", 1.0)]
    times, commands = zip(*session.commands, strict=True)
    assert list(times) == sorted(set(times)) and not commands[0].go and commands[1].go
    ramp = [c.speed for t, c in session.commands if 8.0 <= t < 16.0]
    assert len(ramp) == 32 and np.allclose(np.diff(ramp), 0.025) and ramp[0] == pytest.approx(0.8125)
    assert np.mean(ramp) == pytest.approx(1.2)  # the same distance as a ramp without steps
    turn = [c.heading for t, c in session.commands if 23.0 <= t < 29.0]
    assert len(turn) == 24 and turn[0] < math.pi / 2 and turn == sorted(turn, reverse=True)
    assert session.heading == pytest.approx(-math.pi / 2) and not commands[-1].go
    assert len(commands) == 1 + 1 + 32 + 12 + 1 + 24 + 2  # one where nothing changes


def test_a_goal_is_walked_to_and_stood_at():
    session = Fake()
    perform("go to (3, 4) in 5 s\nstand 1 s", session)
    assert np.hypot(*(session.position - (3.0, 4.0))) <= 0.5 + 1e-9  # stops as far before it as it takes
    assert not session.commands[-1][1].go
    around = Fake()
    perform([Order(0.0, "go to", 1.0, 0.0, goal=(-4.0, -0.1), duration=6.0)], around)
    assert around.position[0] < -3.3


def test_others_do_what_commands_cannot():
    def jump(order, session):
        session.command(session.commands[-1][1])
        session.run(order.duration)
        jumps.append(order)

    jumps = []
    with pytest.raises(InputError, match=r"At 2 s the plan has 'jump'.*others"):
        perform("stand 2 s\njump", Fake())
    assert perform("stand 2 s\njump forward\nstand 1 s", Fake(), others={"jump": jump}) == "a motion of 5 s"
    assert [o.speed for o in jumps] == [1.0]
    with pytest.raises(InputError, match="style 'tired'"):
        perform("walk tired", Fake())
    with pytest.raises(InputError, match="without orders"):
        perform(Plan(), Fake())
    with pytest.raises(InputError, match="tick"):
        perform("walk", Fake(), tick=0.0)
    with pytest.raises(FormatError, match="Line 1"):
        perform("wakl", Fake())


def test_words_given_live_begin_where_the_figure_is():
    session = Fake()
    perform("walk at 1.2 m/s for 2 s\nturn left", session)
    perform("turn left\nwalk tired for 2 s", session, lambda style: style.name)
    assert session.heading == pytest.approx(math.pi) and session.commands[-1][1].speed == 1.2
    assert session.styles == [(8.0, "tired", 1.0)]
    perform("walk tired for 1 s", session, style=style_of("tired"))  # nothing changes
    assert len(session.styles) == 1 and plan_start_of(session).gait == "walk" and plan_start_of(session).speed == 1.2
    perform("stop", session)
    assert plan_start_of(session) == PlanStart(heading=session.heading, place=tuple(session.position))


def test_a_fall_ends_it_with_the_motion_so_far():
    with pytest.raises(
        StepError, match=r"fell at 9\.25 s, during the order to walk at 1\.6 m/s in the style 'happily'"
    ) as fell:
        perform(SCRIPT, Fake(falls=9.1), lambda style: style)
    assert fell.value.motion == "a motion of 9.25 s"


class TestExplain:
    """What words set, as text."""

    expected: ClassVar = {
        "tired": ("lean", "0.12 rad", "Roether", "Michalak"),
        "very tired": ("very tired", "0.18 rad"),
        "happy": ("happily:", "arms"),
        "natural": ("all numbers are those of the walker's parameter set",),
        "walk": ("0 to 2.2 m/s, 1.3 if none is given", "start"),
        "march": ("walks", "marching:", "thigh_lift"),
        "stop": ("two steps", "1.5 s"),
        "go to": ("point (x, y)",),
        "turn": ("30 degrees/s",),
        "very": ("1.5 × the difference", "0.6 rad"),
        "fast": ("1.69 m/s",),
        "slower": ("0.8 × the current speed",),
        "km/h": ("unit of speed, 0.277778",),
        "words": ("sneaking", "extremely", "km/h", "goto"),
        "stand 2 s; walk old at 1 m/s": ("2.00s", "1.00 m/s", "old: ", "Winter"),
    }

    @pytest.mark.parametrize("words", expected)
    def test_tables(self, words):
        text = explain(words)
        assert all(part in text for part in self.expected[words]), text
        assert max(len(line) for line in text.splitlines()) < 200

    def test_other_forms(self):
        own = plan("walk tired")
        assert explain(own) == explain("walk tired") == explain([{"gait": "walk", "style": "tired"}]) == explain(own[0])
        assert explain(style_of("old")) == explain("elderly")
        with pytest.raises(FormatError, match="Did you mean 'tired'"):
            explain("tird")

    def test_the_command(self, capsys, tmp_path):
        explain_words("very old")
        assert "stooped" in capsys.readouterr().out
        file = tmp_path / "a.txt"
        file.write_text("stand 1 s\nwalk old")
        explain_words(str(file))
        assert "stand" in capsys.readouterr().out
        with pytest.raises(typer.Exit):
            explain_words("walk hapily")
        expected = capsys.readouterr().err
        assert expected.startswith("anthropi: Line 1, word 'hapily'") and expected.count("\n") == 1
