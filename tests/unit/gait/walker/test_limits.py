"""Limits of validity of the walker: tables of the sets, warnings before speeds, stops, turns, bodies and slopes."""

import warnings

import pytest

import anthropi as ap
from anthropi.contact.geometry.surfaces import Plane
from anthropi.errors import FormatError, ValidityWarning
from anthropi.gait.styles import plan
from anthropi.gait.walker import Command, WalkingSession, load_walker, sole_scene
from anthropi.gait.walker.limits import WalkerLimits, body_notes, limits_of, plan_notes, slope_notes, speed_note
from anthropi.gait.walker.parameters import walkers
from anthropi.gait.walker_walk import walker_session

HUMAN, LIMITS = ap.human(), load_walker("natural").limits


def notes(script: str) -> list[str]:
    return plan_notes(LIMITS, plan(script), 1.0)


def test_every_set_has_limits():
    for name in walkers():
        limits = load_walker(name).limits
        assert isinstance(limits, WalkerLimits) and limits.leg is not None and limits.leg[0] < 1.0 < limits.leg[1]
    low, high = LIMITS.speed_kept
    assert LIMITS.speed[0] < low < high <= LIMITS.speed[1]


def test_a_speed_that_is_not_kept_is_named_with_what_happens():
    assert speed_note(LIMITS, 1.3, 1.0) == speed_note(LIMITS, 0.7, 1.0) == speed_note(WalkerLimits(), 9.0, 1.0) == []
    (slow,) = speed_note(LIMITS, 0.4, 1.0)
    assert "0.70 to 2.00 m/s within 5 %" in slow and "moves at about 0.21 m/s" in slow
    (child,) = speed_note(LIMITS, 0.4, 0.8)
    assert "0.56 to 1.60 m/s" in child and "0.25 m/s" in child
    (fast,) = speed_note(LIMITS, 2.2, 1.0)
    assert "may fall" in fast
    with pytest.warns(ValidityWarning, match=r"moves at about 2\.97 m/s"):
        walker_session(HUMAN, speed=3.3, kind="run")
    with pytest.warns(ValidityWarning, match=r"moves at about 0\.15 m/s"):
        walker_session(HUMAN, speed=0.3)


def test_orders_that_may_fall_are_named_with_their_time():
    assert notes("stand 1 s; walk at 1.1 m/s for 4 s; turn left; stop; stand 2 s") == []
    (stop,) = notes("walk at 1.6 m/s for 4 s; stop; stand 4 s")
    assert stop.startswith("At 4 s: a stop from 1.6 m/s may cause a fall") and "1.20 m/s" in stop
    (style,) = notes("walk limping at 0.9 m/s for 4 s; stop")
    assert "style 'limping'" in style and "natural, tired, sneaking" in style
    (turn,) = notes("stand 2 s; turn left 60 degrees; stand 2 s")
    assert turn.startswith("At 2 s: a turn on the spot caused a fall")
    (slow,) = notes("walk at 0.3 m/s for 4 s; stop")
    assert slow.startswith("At 0 s: speed=0.3 m/s")


def test_bodies_loads_and_slopes():
    assert body_notes(LIMITS, HUMAN, 1.0) == [] and len(body_notes(LIMITS, HUMAN, 0.3)) == 2
    assert body_notes(LIMITS, HUMAN.with_numbers(["thorax.mass"], [20.0]), 1.0) == []  # it keeps its speed
    laden = HUMAN.with_numbers(["thorax.mass", "thorax.centre"], [20.0, -0.1, 0.0, 0.1])
    (load,) = body_notes(LIMITS, laden, 1.0)
    assert "as with a load" in load and "0.87 m/s" in load
    assert slope_notes(LIMITS, Plane()) == slope_notes(LIMITS, Plane((0, 0, 0), (0.1, 0.0, 1.0))) == []
    with pytest.warns(ValidityWarning, match="slope of 20%"):
        WalkingSession(sole_scene(HUMAN, ground=Plane((0, 0, 0), (0.0, 0.2, 1.0))), opt="now")


def test_a_command_to_a_session_outside_the_limits_warns_once():
    """A session used to take any speed, stop and turn without a word."""
    session = WalkingSession(HUMAN, start="walk", opt="now")
    with pytest.warns(ValidityWarning, match=r"moves at about 0\.21 m/s"):
        session.command(Command(speed=0.4))
    with warnings.catch_warnings():
        warnings.simplefilter("error", ValidityWarning)
        session.command(Command(speed=0.4, heading=0.1))
        session.command(Command(speed=1.6))
    with pytest.warns(ValidityWarning, match=r"a stop from 1\.6 m/s may cause a fall"):
        session.command(Command(go=False, speed=1.6))
    with pytest.warns(ValidityWarning, match="a turn on the spot"):
        session.command(Command(speed=0.0, heading=1.0))


def test_a_usual_walk_has_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error", ValidityWarning)
        walker_session(HUMAN, speed=1.3)
        walker_session(ap.human(1.55, 50.0, "f"))
        walker_session(ap.human(1.95, 90.0), speed=1.0, style="tired")


@pytest.mark.parametrize(("table", "words"), [
    ({"sped": [0, 1]}, "no entry 'sped'"),
    ({"speed": [0.0, 1.0, 2.0]}, "two finite numbers"),
    ({"slope": float("nan")}, "finite number"),
])  # fmt: skip
def test_wrong_tables_are_refused(table, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        limits_of(table)
    text = (tmp_path / "own.toml").with_suffix(".toml")
    text.write_text('made = "x"\nspeed = 1.3\n[limits]\nsped = 1\n[parameters]\n[start]\nq = []\nu = []\n')
    with pytest.raises(FormatError, match="sped"):
        load_walker(str(text))
