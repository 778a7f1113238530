"""Words, parameters and mixed scripts give one plan; the grammar, its rules and its refusals."""

import itertools
import math
import random

import pytest

from anthropi.errors import AnthropiError, FormatError, InputError
from anthropi.gait.styles import Order, Plan, PlanStart, Style, plan, read_script, style_of
from anthropi.gait.styles.defaults import ACCELERATION, DURATIONS, PREFERRED, TURN_RATE, step_time
from anthropi.gait.styles.style import DEGREES, style_words
from anthropi.gait.styles.tokens import COUNTS, FILLERS, MAX_LINE_LENGTH, MAX_LINES, RAMPS, SIDES, UNITS, VERBS

WORDS = """
stand 2 s
walk at 0.8 m/s for 8 s          # starts
walk to 1.6 m/s in 8 s
walk at 1.3 m/s for 4 s
turn left 90 degrees
walk happily for 8 s
turn right 180 in 6 s
walk very tired for 8 s
walk naturally for 6.98 s
stop in 1.02 s
stand 5 s
"""
TIRED = {"speed": 0.75**1.5, "drive": -0.12, "lean": 0.27, "nod": 0.6, "sway": 0.15, "arms": 0.3**1.5, "elbow": -0.18,
         "crouch": 0.18, "knee_lift": 0.9**1.5, "push": 0.8**1.5, "twist": 0.75**1.5, "hips": 0.85**1.5,
         "stiffness": 0.93**1.5}  # fmt: skip
LEFT, RIGHT = math.pi / 2, -math.pi / 2
PARAMETERS = [  # every number written by hand
    {"time": 0, "gait": "stand", "duration": 2.0},
    {"time": 2, "gait": "walk", "speed": 0.8, "duration": 8.0},
    {"time": 10, "gait": "walk", "speed": 1.6, "duration": 8.0, "over": 8.0},
    {"time": 18, "gait": "walk", "speed": 1.3, "duration": 4.0, "over": 0.75},
    {"time": 22, "gait": "walk", "speed": 1.3, "heading": LEFT, "duration": 3.0, "over": 3.0},
    {"time": 25, "gait": "walk", "speed": 1.3, "heading": LEFT, "style": "happily", "duration": 8.0},
    {"time": 33, "gait": "walk", "speed": 1.3, "heading": RIGHT, "style": "happily", "duration": 6.0, "over": 6.0},
    {"time": 39, "gait": "walk", "speed": 1.3, "heading": RIGHT, "style": Style(**TIRED), "duration": 8.0},
    {"time": 47, "gait": "walk", "speed": 1.3, "heading": RIGHT, "style": {}, "duration": 6.98},
    {"time": 53.98, "gait": "stand", "heading": RIGHT, "duration": 1.02},
    {"time": 55, "gait": "stand", "heading": RIGHT, "duration": 5.0},
]
LINES_OF_IT = [line for line in WORDS.splitlines() if line]


def test_the_issues_script_as_words_as_parameters_and_mixed_is_one_plan():
    planned = plan(WORDS)
    assert isinstance(planned, Plan) and planned.duration == 60.0 and len(planned) == 11
    assert plan(PARAMETERS) == planned
    assert plan(planned) == planned and plan(list(planned)) == planned and hash(plan(PARAMETERS)) == hash(planned)
    for turn in range(3):  # words, numbers, orders in turns
        mixed = [rows[i] for i, rows in zip(range(11), itertools.islice(itertools.cycle(
                 (LINES_OF_IT, PARAMETERS, list(planned))), turn, None), strict=False)]  # fmt: skip
        assert plan(mixed) == planned
    times_only = [{k: x for k, x in row.items() if k != "duration"} for row in PARAMETERS[:-1]] + PARAMETERS[-1:]
    assert plan(times_only) == planned
    assert plan(WORDS.replace("0.8", "0.9")) != planned and plan(WORDS.replace("very ", "")) != planned


def test_what_the_plan_holds():
    orders = plan(WORDS)
    assert [o.gait for o in orders] == ["stand", *["walk"] * 8, "stand", "stand"]
    assert [o.time for o in orders] == [0, 2, 10, 18, 22, 25, 33, 39, 47, 53.98, 55]
    assert [o.style.name for o in orders[5:9]] == ["happily", "happily", "very tired", "natural"]
    assert orders[3].over == pytest.approx(0.3 / ACCELERATION)
    assert orders[4].over == orders[4].duration == pytest.approx(math.pi / 2 / TURN_RATE)
    assert [o.heading for o in orders][4:] == [LEFT, LEFT, *[RIGHT] * 5]
    assert "tired" in orders.table() and len(orders.table().splitlines()) == 12


@pytest.mark.parametrize(
    ("words", "same"),
    [
        ("walk 6 s at 0.8 m/s", "walk at 0.8m/s for 6 seconds"),
        ("WALK At 2.88 km/h, for 0.1 min.", "walk at 0.8 m/s for 6 s"),
        ("stand 2 s; walk then stop", "stand 2 s\nwalk\nstop"),
        ("stand", "wait 2 s"),
        ("walk\nturn 90 degrees left", "walk\nturn to the left"),
        ("walk\nturn left 90° in 3 s", "walk\nturn left in three seconds"),
        ("walk\nturn around", "walk\nturn left 180 degrees"),
        ("walk\nturn to 270 degrees", "walk\nturn right"),
        ("march for 3 s", "walk marching 3 s"),
        ("walk tired and very happy", "walk very happily and tired"),
        ("walk a little tired", "walk slightly tired"),
        ("walk limping", "walk limping on the right leg"),
        ("go to (10, 2)", "walk to (10, 2)"),
        ("walk fast", "walk at 1.69 m/s"),
        ("walk at 1 m/s\nfaster", "walk at 1 m/s\nwalk at 1.25 m/s"),
        ("walk at 1 m/s\ntired", "walk at 1 m/s\nwalk tired"),
        ("walk 13 m", "walk for ten seconds"),
        ("# nothing\n\nstand 1e0 s # one", "stand +1 s"),
    ],
)
def test_sentences_that_say_the_same(words, same):
    assert plan(words) == plan(same)


def test_speeds_nobody_told_go_with_the_style_and_told_ones_stay():
    easy = plan("walk\nwalk tired\nstand\nwalk\nwalk at 1 m/s\nwalk naturally\nrun")
    assert [o.speed for o in easy] == pytest.approx([1.3, 1.3 * 0.75, 0.0, 1.3 * 0.75, 1.0, 1.0, PREFERRED["run"]])
    assert [o.over for o in easy][:4] == pytest.approx([0.0, 0.325 / ACCELERATION, 0.0, 0.0])  # a start is the walker's


def test_steps_goals_and_turns_on_the_spot():
    walked, stopped = plan("walk 20 steps at 1.3 m/s\nstop within two steps")
    assert walked.duration == pytest.approx(20 * step_time(1.3, style_of("natural")), abs=1e-8)
    assert stopped.duration == pytest.approx(2 * step_time(1.3, style_of("natural")), abs=1e-8)
    assert 0.5 < step_time(1.3, style_of("natural")) < 0.56  # adults: about 113 a minute
    there, on = plan("walk at 1 m/s for 4 s\nturn left in 1 s\ngo to (4, 5) in 8 s")[-1], plan("go to (3, 4)")[0]
    radius = 2.0 / math.pi  # a quarter of a circle, 1 m long
    assert there.gait == "go to" and there.goal == (4.0, 5.0)
    assert there.speed == pytest.approx(math.hypot(radius, 5.0 - radius) / 8.0, rel=1e-4)  # 64 segments of the path
    assert on.duration == pytest.approx(5.0 / 1.3) and on.heading == pytest.approx(math.atan2(4.0, 3.0))
    turn, rest = plan("turn right")
    assert (turn.gait, turn.speed, turn.heading, rest.gait) == ("walk", 0.0, -math.pi / 2, "stand")
    assert plan("turn right", start=PlanStart(gait="walk", speed=1.2, speed_given=True, heading=0.5))[0] == Order(
        0.0, "walk", 1.2, 0.5 - math.pi / 2, duration=3.0, over=3.0
    )


def test_jumps_and_runs():
    place, ahead, run = plan("jump\njump forward\nrun at 3 m/s for 100 steps")
    assert (place.gait, place.speed, ahead.speed, run.gait, run.speed) == ("jump", 0.0, 1.0, "run", 3.0)
    assert place.duration == DURATIONS["jump"]


REFUSED = {  # script: words of the error
    "walk hapily": ("Line 1, word 'hapily'", "Did you mean 'happily'?", "tired"),
    "stand 2 s\nwlak at 1 m/s": ("Line 2, word 'wlak'", "Did you mean 'walk'?"),
    "walk at fast": ("word 'fast'", "number"),
    "walk at": ("word 'at'", "ends"),
    "walk at 3 s": ("word 's'", "speed", "m/s"),
    "walk at nan m/s": ("word 'nan'", "number"),
    "walk at inf m/s": ("word 'inf'",),
    "walk at -1 m/s": ("word '-1'", "0 or more"),
    "stand 0 s": ("word '0'", "more than 0"),
    "stand 1e999 s": ("word '1e999'", "too large"),
    "stand 2": ("word '2'", "unit"),
    "stand 2 parsecs": ("word 'parsecs'", "unit"),
    "stand 99999 s": ("duration=99999", "3600"),
    "walk at 9 m/s": ("word 'walk'", "2.2 m/s"),
    "run at 0.5 m/s": ("1.5 to 6",),
    "walk tired for 2 s for 3 s": ("twice",),
    "walk jump": ("second verb", "then"),
    "walk m/s": ("unit has no number",),
    "turn": ("direction is missing",),
    "turn 90 degrees": ("side of the turn is missing",),
    "turn left right": ("side twice",),
    "walk left": ("an angle and a side",),
    "turn to 3 m/s": ("angle, not speed",),
    "go to (1, 2": ("word '('", "')'"),
    "go to (1 2 3)": ("word '3'",),
    "go to (5000, 0)": ("within ± 1000 m",),
    "stand at 1 m/s": ("'stand' does not accept speed",),
    "jump left 30 degrees": ("'jump' does not accept turn",),
    "walk tired on the left": ("same on both sides",),
    "faster": ("Line 1", "faster"),
    "walk very": ("a style should follow",),
    "walk very 3": ("style is not known",),
    "walk extremely very very very old": ("degree is too large", "Style"),
    "gehe würdevoll": ("word 'gehe'",),
    "walk \N{PILE OF POO}": ("word '\N{PILE OF POO}'", "word is not known"),
    "walk \x00\x1b": ("word '\\x00'",),
    "stand \N{ARABIC-INDIC DIGIT TWO} s": ("word is not known",),
    "": ("no sentence",),
    "# only this": ("no sentence",),
    "the": ("needs a verb",),
    "walk " + "a" * MAX_LINE_LENGTH: ("Line 1 has", "characters"),
}


@pytest.mark.parametrize("script", REFUSED, ids=lambda s: ascii(s)[:30])
def test_what_is_refused_names_line_and_word(script):
    with pytest.raises(FormatError) as refused:
        plan(script)
    assert all(words in str(refused.value) for words in REFUSED[script]), refused.value
    assert len(str(refused.value)) < 900


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ({"gait": "walk", "speed": math.nan}, "'speed' is nan"),
        ({"gait": "walk", "speed": "1.3"}, "finite number"),
        ({"gait": "walk", "speeed": 1.3}, "Did you mean 'speed'?"),
        ({"gait": "wlak"}, "Did you mean 'walk'?"),
        ({"gait": "walk", "duration": -1.0}, "0 to 3600"),
        ({"gait": "walk", "duration": 1.0, "over": 2.0}, "more time"),
        ({"gait": "walk", "style": "hapy"}, "Did you mean 'happy'?"),
        ({"gait": "walk", "style": {"leen": 0.1}}, "Did you mean 'lean'?"),
        ({"gait": "walk", "style": {"lean": 9.0}}, "-1.2 to 1.2"),
        ({"gait": "walk", "style": 3}, "Style"),
        ({"gait": "go to", "goal": (math.nan, 0.0)}, "goal"),
        ({"gait": "go to", "goal": "ab"}, "goal"),
        ({"gait": "stand", "time": 1.0}, "ends at 2 s"),
        (Order(7.0, "stand"), "begins at 7 s"),
        (3.0, "Give text, a dict or an Order"),
        (None, "Give text"),
    ],
)
def test_parameters_that_make_no_sense_are_refused_with_their_line(item, words):
    with pytest.raises(FormatError, match="Line 2") as refused:
        plan(["stand 2 s", item, "stand"] if not isinstance(item, Order) else ["stand 8 s", item])
    assert words in str(refused.value)


def test_any_words_make_a_plan_or_a_refusal():
    rng, made = random.Random(8), 0
    words = [
        *VERBS,
        *UNITS,
        *COUNTS,
        *SIDES,
        *FILLERS,
        *RAMPS,
        *DEGREES,
        *style_words(),
        *"2 90 0.8 -1 to for at ( ) ;".split(),
    ]
    usual = [*"walk stand turn left right tired very at for in 2 90 s m/s degrees then 1.2 fast on".split()]
    for k in range(1500):
        script = " ".join(rng.choice(usual if k % 2 else words) for _ in range(rng.randint(1, 7)))
        try:
            found = plan(script)
        except FormatError as error:
            assert str(error).startswith(("Line 1, word", "The script has no sentence"))
            continue
        made += 1
        assert plan(list(found)) == found
    assert made > 50


@pytest.mark.slow
def test_scripts_without_end_are_refused_early():
    drawn = itertools.count()
    with pytest.raises(FormatError, match=f"{MAX_LINES:,} lines"):
        plan(f"stand {1 + k} s" for k in drawn)
    assert next(drawn) <= MAX_LINES + 2  # not all of a script without end is read
    with pytest.raises(FormatError, match="characters"):
        plan("a" * (MAX_LINES * MAX_LINE_LENGTH + 1))
    with pytest.raises(FormatError, match=f"{MAX_LINES:,} lines"):
        plan("stand\n" * (MAX_LINES + 1))
    with pytest.raises(FormatError, match="Give text"):
        plan(3)


@pytest.mark.parametrize(
    "bad", [{"gait": "fly"}, {"speed": math.inf}, {"style": "tired"}, {"goal": (1, 2)}, {"over": 1.0}]
)
def test_orders_check_themselves(bad):
    with pytest.raises(InputError):
        Order(**({"time": 0.0, "gait": "walk"} | bad))


def test_files(tmp_path):
    file = tmp_path / "way.txt"
    file.write_text("\ufeffstand 2 s\r\nwalk at 1 m/s for 3 s\r\n", encoding="utf-8")
    assert read_script(file) == plan("stand 2 s\nwalk at 1 m/s for 3 s")
    file.write_text("stand 2 s\nwalk hapily\n")
    with pytest.raises(FormatError, match=r"way\.txt: Line 2, word 'hapily'"):
        read_script(file)
    file.write_bytes(b"stand \xff 2")
    with pytest.raises(FormatError, match="UTF-8"):
        read_script(file)
    with open(file, "wb") as big:
        big.truncate(1 << 40)  # a hole: nothing is written
    with pytest.raises(FormatError, match="bytes"):
        read_script(file)
    for name in (tmp_path / "none.txt", tmp_path, tmp_path / "a.toml"):
        with pytest.raises(AnthropiError, match=r"txt|no file|sentence"):
            read_script(name)
