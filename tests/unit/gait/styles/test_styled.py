"""Styles: the record, degrees, sums; what each number changes in the parameters of a walker, and nothing else."""

from dataclasses import fields

import numpy as np
import pytest

from anthropi.errors import InputError
from anthropi.gait.styles import STYLES, Style, style_of, styled, styled_walker
from anthropi.gait.styles.style import NUMBERS, SOURCES, SYNONYMS, natural_value
from anthropi.gait.walker.joint_targets import MIDDLE, SIDED, basis, on_both_sides, value
from anthropi.gait.walker.parameters import REFERENCE_LEG

ROWS = {"clavicle": 2, "shoulder": 3, "elbow": 2, "wrist": 2, "hip": 3, "knee": 1, "ankle": 2, "toe": 1}
PHASES = np.arange(48) / 48.0


def parameters() -> dict:
    """Parameters with every coefficient some number, knees and ankles about as of people."""
    rng = np.random.default_rng(8)
    fade = 0.3 / np.array([1.0, *np.repeat(np.arange(1, 7), 2)])
    made = {f"side.{name}": fade * rng.normal(size=(ROWS[name], 13)) for name in SIDED}
    made |= {f"middle.{name}": fade * rng.normal(size=(3, 13)) for name in MIDDLE}
    made["pelvis"] = fade * rng.normal(size=(3, 13))
    made["side.knee"][0, :5] = 0.4, -0.12, -0.35, -0.19, 0.21
    made |= {"path": rng.normal(size=(4, 5)), "step": np.array(0.54), "spread": np.array(0.02), "tilt": np.array(-0.02)}
    return made | {
        n: np.array(x) for n, x in (("arms", 0.9), ("hip", 200.0), ("knee", 300.0), ("ankle", 100.0), ("push", -1.0))
    }


PARAMETERS = parameters()


def curve(p, name, row=0):
    return np.array([value(p[name], basis(x))[row] for x in PHASES])


def moved(**numbers):
    """What a style changes: {name: difference}, of names that change."""
    new = styled(PARAMETERS, Style(**numbers))
    assert set(PARAMETERS) <= set(new)
    return {
        n: x - PARAMETERS.get(n, 0.0)
        for n, x in new.items()
        if n not in PARAMETERS or not np.array_equal(x, PARAMETERS[n])
    }


def test_natural_changes_nothing_and_nothing_is_changed_in_place():
    before = {n: x.copy() for n, x in PARAMETERS.items()}
    same = styled(PARAMETERS, STYLES["natural"])
    assert set(same) == set(PARAMETERS)
    for name, x in same.items():
        np.testing.assert_allclose(x, PARAMETERS[name], rtol=0, atol=1e-15)
    for style in STYLES.values():
        styled(PARAMETERS, style)
    assert all(np.array_equal(x, before[n]) for n, x in PARAMETERS.items())


def test_every_number_acts_and_only_where_it_says():
    acts = {"speed": set(), "drive": {"path"}, "cadence": {"step", "path", "side.hip"}, "width": {"spread", "path"},
            "lean": {"middle.lumbar", "middle.thoracic", "middle.neck", "middle.head"},
            "nod": {"middle.neck", "middle.head"},
            "arms": {"side.shoulder", "side.elbow"}, "arms_ahead": {"side.shoulder"}, "arms_out": {"side.shoulder"},
            "elbow": {"side.elbow"}, "crouch": {"side.hip", "side.knee", "side.ankle"}, "knee_lift": {"side.knee"},
            "bounce": {"side.hip", "side.knee", "side.ankle"}, "thigh_lift": {"side.hip", "side.knee"},
            "toes": {"side.ankle"}, "push": {"side.ankle", "push"}, "stiffness": {"hip", "knee", "ankle"},
            "hips": {"pelvis", "middle.lumbar", "middle.thoracic"}}  # fmt: skip
    acts["sway"] = acts["lean"]
    acts["twist"] = acts["lean"] | {"pelvis"}
    acts["limp"] = acts["lean"] | {"asymmetry"}
    assert set(acts) == set(NUMBERS) == {f.name for f in fields(Style)} - {"name", "why"}
    for name, own in NUMBERS.items():
        found = moved(**{name: 1.2 if own.unit == "ratio" else 0.1})
        large = {n for n, x in found.items() if np.abs(x).max() > 1e-12}
        assert large == acts[name], name


def test_a_trunk_leans_the_head_nods_in_the_world():
    new = moved(lean=0.2, nod=0.05)
    spine = new["middle.lumbar"][1, 0] + new["middle.thoracic"][1, 0]
    assert spine == pytest.approx(0.2) and np.count_nonzero(new["middle.lumbar"]) == 1
    assert spine + new["middle.neck"][1, 0] + new["middle.head"][1, 0] == pytest.approx(0.05)


def test_a_trunk_sways_over_the_foot_that_stands():
    p = styled({n: np.zeros((3, 13)) for n in ("middle.lumbar", "middle.thoracic", "middle.neck")}, Style(sway=0.1))
    turn = curve(p, "middle.lumbar") + curve(p, "middle.thoracic")  # about x: below 0 to the left
    assert turn[12] == pytest.approx(-0.1) and turn[36] == pytest.approx(0.1)  # mid-stance of left and right


def test_shorter_steps_at_the_same_speed():
    new, tilt = styled(PARAMETERS, Style(cadence=1.25)), PARAMETERS["pelvis"][1, 0] + PARAMETERS["tilt"]
    assert new["step"] == pytest.approx(0.54 / 1.25)
    np.testing.assert_allclose(new["path"][0] * 1.25, PARAMETERS["path"][0])
    np.testing.assert_allclose(1.25 * (curve(new, "side.hip", 1) + tilt), curve(PARAMETERS, "side.hip", 1) + tilt)
    wide = moved(width=0.1)
    assert wide["spread"] == pytest.approx(0.05 / REFERENCE_LEG) and wide["path"][1, 0] == pytest.approx(-0.05)
    hip = styled({"side.hip": np.zeros((3, 13))}, Style(width=0.1))["side.hip"]
    assert hip[0, 0] == pytest.approx(0.05 / REFERENCE_LEG)


def test_crouched_legs_keep_the_sole_level():
    for numbers in ({"crouch": 0.3}, {"thigh_lift": 0.3}):  # pitch of the sole: hip flexion - knee + dorsiflexion
        new = moved(**numbers) | ({} if "crouch" in numbers else {"side.ankle": np.zeros((2, 13))})
        pitch = -new["side.hip"][1] - new["side.knee"][0] + new["side.ankle"][0]
        np.testing.assert_allclose(pitch, 0.0, atol=1e-15)
    lifted = curve({"x": moved(thigh_lift=0.3)["side.knee"]}, "x")
    assert lifted.max() > 0.27 and abs(lifted[:24]).max() < 0.03  # mid-swing; six harmonics leave little in stance


def test_a_knee_lifted_more_in_swing_is_as_it_was_in_stance():
    old, new = curve(PARAMETERS, "side.knee"), curve(styled(PARAMETERS, Style(knee_lift=1.4)), "side.knee")
    assert new.max() - old.max() > 0.2
    assert abs(new - old)[2:17].max() < 0.04  # six harmonics of a corner
    assert (curve(styled(PARAMETERS, Style(knee_lift=0.7)), "side.knee") - old).min() < -0.15


def test_arms_swing_about_where_they_hang():
    old = curve(PARAMETERS, "side.shoulder", 1)
    new = curve(styled(PARAMETERS, Style(arms=1.5, arms_ahead=0.18)), "side.shoulder", 1)
    np.testing.assert_allclose(new - new.mean(), 1.5 * (old - old.mean()), atol=1e-12)
    assert 0.9 * (new.mean() - old.mean()) == pytest.approx(-0.18)  # the law multiplies by 0.9
    left, right = on_both_sides(styled(PARAMETERS, Style(arms_out=0.2))["side.shoulder"], basis(0.2))
    was = on_both_sides(PARAMETERS["side.shoulder"], basis(0.2))
    assert left[0] - was[0][0] == pytest.approx(0.2 / 0.9) == was[1][0] - right[0]  # both away from the body


def test_a_limp_is_on_the_side_it_says():
    for words, sign in (("limping", 1.0), ("limping", -1.0)):
        style = style_of(words) if sign > 0 else style_of(words).mirrored()
        new = moved(limp=style.limp)
        a = new["asymmetry"]
        assert (1.0 + a) / (1.0 - a) == pytest.approx(style.limp) and np.sign(a) == sign
        lurch = curve({"x": new["middle.lumbar"] + new["middle.thoracic"]}, "x")
        bad = slice(24, 48) if sign > 0 else slice(0, 24)  # stance of the right, of the left
        assert sign * lurch[bad].max() > 0.1 if sign > 0 else lurch[bad].min() < -0.1
        np.testing.assert_allclose(np.delete(lurch, np.arange(bad.start, bad.stop)), 0.0, atol=0.02)


@pytest.mark.parametrize("style", STYLES.values(), ids=lambda s: s.name)
def test_parameters_that_depend_on_the_speed_are_styled_at_every_speed(style):
    rng, fixed = np.random.default_rng(1), ("arms",)
    powers = {
        n: np.stack([x, *(0.0 if n in fixed else 0.1) * rng.normal(size=(2, *x.shape))]) for n, x in PARAMETERS.items()
    }

    def at(p, x):
        return {n: rows[0] + x * rows[1] + x * x * rows[2] for n, rows in p.items()}

    for x in (-1.0, 0.6):
        one, other = at(styled(powers, style), x), styled(at(powers, x), style)
        assert set(one) == set(other)
        for name in one:
            np.testing.assert_allclose(one[name], other[name], rtol=1e-12, atol=1e-12, err_msg=name)


def test_styles_are_told_apart_and_say_why():
    assert {"natural", "happily", "vigorously", "tired", "sneaking", "marching", "limping", "old"} <= set(STYLES)
    assert len(set(STYLES.values())) == len(STYLES) and set(SYNONYMS.values()) <= set(STYLES)
    for style in STYLES.values():
        assert style.why.endswith(".") and STYLES[style.name] is style
        if style.numbers():
            assert "hosen" in style.why and len(style.numbers()) >= 5
            own, rest = styled(PARAMETERS, style), styled(PARAMETERS, STYLES["natural"])
            assert sum(np.abs(own[n] - rest[n]).max() > 0.02 for n in rest) >= 3
    reasons = "".join(style.why for style in STYLES.values())
    assert all(f"[{i}]" in reasons for i in SOURCES)


def test_degrees_and_sums():
    tired, old = style_of("tired"), style_of("old")
    assert style_of("very tired").lean == pytest.approx(1.5 * tired.lean)
    assert style_of("very tired").arms == pytest.approx(tired.arms**1.5)
    assert style_of("slightly tired").speed == pytest.approx(tired.speed**0.5)
    assert style_of("very slightly old") == old.scaled(0.75) and old.scaled(0.0) == STYLES["natural"]
    both = tired + old
    assert both.lean == pytest.approx(tired.lean + old.lean) and both.push == pytest.approx(tired.push * old.push)
    assert both == old + tired and both.name == "tired and old" and tired + STYLES["natural"] == tired
    for words in STYLES:
        assert style_of(f"extremely {words}") == STYLES[words].scaled(2.0)  # within all bounds


def test_refusals():
    with pytest.raises(InputError, match="Did you mean 'happily'"):
        style_of("hapily")
    with pytest.raises(InputError, match=r"no degree 'verry'.*very"):
        style_of("verry tired")
    for bad in (float("nan"), -9.0, "1", True, None, 10**400):
        with pytest.raises(InputError, match=r"lean=.*-1\.2 to 1\.2"):
            Style(lean=bad)
    with pytest.raises(InputError, match="cadence"):
        Style.of({"cadence": 0.0})
    with pytest.raises(TypeError):
        STYLES["tired"] + 1.0
    assert natural_value("arms") == 1.0 and natural_value("lean") == 0.0


def test_the_natural_file_is_styled_as_a_file():
    from anthropi.gait.walker import load_walker

    file = load_walker("natural")
    made = styled_walker(file)(style_of("old"))
    assert made.start is file.start and made.speed == file.speed and made.made.endswith("style 'old'.")
    assert np.all(np.isfinite(np.concatenate([x.ravel() for x in made.parameters.values()])))
    np.testing.assert_allclose(made.parameters["step"] * style_of("old").cadence, file.parameters["step"])
