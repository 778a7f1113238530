"""Keys over time, and routines as text."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import AnthropiError
from anthropi.gait.walker.performer import Key, Routine, load_routine, routines, save_routine
from anthropi.gait.walker.performer.perform import fitted
from anthropi.gait.walker.performer.performer import MAX_KEYS, Performer, layout, posture, size_of, table

FIGURE = ap.human(1.75, 75)
TWO = [Key(0.0, 1.0, {"knees": 0.2}), Key(1.0, 0.5, {"shoulders": (0.4, -0.3, 0.1), "l_knee": 0.8})]


def at(t, keys=TWO):
    return posture(t, *table(FIGURE, keys).values())


def test_a_body_goes_from_key_to_key():
    places = layout(FIGURE)
    before, middle, after = at(1.0), at(1.25), at(1.5)
    assert before[places["l_knee"]] == 0.2 and before[places["r_knee"]] == 0.2
    np.testing.assert_allclose(after[places["l_knee"]], 0.8, rtol=1e-12)  # a sum of 64 terms
    np.testing.assert_allclose(after[places["r_knee"]], 0.2, rtol=1e-12)  # not named: stays
    np.testing.assert_allclose(after[places["l_shoulder"]], (0.4, -0.3, 0.1), rtol=1e-12)
    np.testing.assert_allclose(after[places["r_shoulder"]], (-0.4, -0.3, -0.1), rtol=1e-12)  # mirrored
    np.testing.assert_allclose(middle, 0.5 * (before + after), atol=1e-12)  # the smooth step is odd about its middle
    np.testing.assert_array_equal(at(100.0), after)


def test_it_starts_and_arrives_at_rest():
    h = 1e-4
    for t in (1.0, 1.5):
        assert np.abs(at(t + h) - at(t - h)).max() / (2 * h) < 1e-4  # [rad/s] of about 2 in between
        assert np.abs(at(t + h) - 2.0 * at(t) + at(t - h)).max() / h**2 < 0.05  # [rad/s²] of about 14


def test_targets_record():
    tape = ap.record(posture, t=np.array(0.0), **{n: x[:4] if x.ndim else x for n, x in table(FIGURE, TWO).items()})
    small = {n: x[:4] for n, x in table(FIGURE, TWO).items()}
    found = ap.build(tape, target="replay")(np.array(1.2), *small.values())
    np.testing.assert_allclose(found, at(1.2), atol=1e-14)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ([Key(0.0, 1.0, {"kne": 0.2})], "Did you mean 'knees'"),
        ([Key(0.0, 1.0, {"knees": (0.2, 0.1)})], "Give 1 finite"),
        ([Key(0.0, 1.0, {"head": (np.nan, 0.0, 0.0)})], "finite"),
        ([Key(1.0, 1.0, {}), Key(0.0, 1.0, {})], "order"),
        ([Key(0.0, 0.0, {})], "over > 0"),
        ([Key(0.0, 1.0, {})] * (MAX_KEYS + 1), "Give 1 to"),
        ([], "Give 1 to"),
    ],
)
def test_keys_that_make_no_sense_are_refused_in_words(keys, words):
    with pytest.raises(AnthropiError, match=words):
        table(FIGURE, keys)


def test_routines_come_back(tmp_path):
    assert set(routines()) >= {"stand", "jump", "leap", "dance"}
    for name in routines():
        routine = load_routine(name)
        assert routine.duration > 4.0 and len(routine.made) > 20
        save_routine(tmp_path / "own.toml", routine, beat=0.5)
        again = load_routine(str(tmp_path / "own.toml"))
        for one, other in zip(table(FIGURE, routine.keys).values(), table(FIGURE, again.keys).values(), strict=True):
            np.testing.assert_allclose(one, other, atol=1e-4)  # five digits in the file
    with pytest.raises(AnthropiError, match="Did you mean 'dance'"):
        load_routine("dence")
    (tmp_path / "bad.toml").write_text("made = 3", encoding="utf-8")
    with pytest.raises(AnthropiError, match="is not a valid routine file"):
        load_routine(str(tmp_path / "bad.toml"))
    assert Routine((), 1.0, {}, "x").numbers == {}


def test_bodies_of_one_shape_move_alike():
    """Twice as heavy and a tenth longer: stiffness × 2.2, times × √1.1, lengths × 1.1."""
    mass, legs = size_of(FIGURE)
    assert mass == pytest.approx(1.0) and legs == pytest.approx(1.0, abs=1e-3)
    large = ap.human(1.75 * 1.1, 150)
    assert size_of(large)[0] / mass == pytest.approx(2.0) and size_of(large)[1] / legs == pytest.approx(1.1)
    one, other = (Performer(f, TWO).parameters for f in (FIGURE, large))
    np.testing.assert_allclose(other["knee"] / one["knee"], (2.2, 2.2 * np.sqrt(1.1)), rtol=1e-9)
    np.testing.assert_allclose(other["air"] / one["air"], 1.0 / 1.1, rtol=1e-9)
    routine = fitted(Routine((Key(1.0, 0.5, {"weight": (0.1, 0.5), "knees": 0.3}),), 4.0, {}, "x"), 1.21)
    assert routine.keys[0] == Key(1.1, 0.55, {"weight": (0.121, 0.5), "knees": 0.3}) and routine.duration == 4.4
