"""Slip, penetration and clearance of motions made by hand."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError
from anthropi.gait.plan.phases import FootEvent
from anthropi.gait.report.plausibility import foot_clearance, foot_lines, foot_penetration, foot_slip

FIGURE = ap.human()
TIME = np.linspace(0.0, 1.0, 101)
STANDS = (FootEvent(0.0, "l", "strike"), FootEvent(0.0, "r", "strike"))


def moved(x=0.0, z=0.0, events=STANDS):
    """A figure that stands, moved along x and z [m] over time."""
    q = np.tile(ap.standing(FIGURE), (len(TIME), 1))
    q[:, 0] += x
    q[:, 2] += z
    return ap.Motion(FIGURE, TIME, q, events=events)


def test_one_who_stands_does_not_slip():
    assert foot_slip(moved()) == 0.0 and foot_penetration(moved()) == pytest.approx(0.0, abs=1e-12)


def test_slip_is_how_far_a_foot_goes():
    assert foot_slip(moved(x=0.02 * np.sin(2.0 * np.pi * TIME))) == pytest.approx(0.04, rel=1e-3)


def test_slip_counts_what_floats_too():
    """A foot that hovers in its stance and drifts is no way around it."""
    assert foot_slip(moved(x=0.03 * TIME, z=0.01)) == pytest.approx(0.03)


def test_a_foot_in_the_air_does_not_slip():
    events = (FootEvent(0.0, "l", "strike"), FootEvent(0.3, "l", "off"), FootEvent(0.0, "r", "off"))
    x = np.maximum(TIME - 0.3, 0.0)
    assert foot_slip(moved(x=x, events=events)) == pytest.approx(0.0, abs=1e-9)


def test_penetration_is_the_deepest():
    assert foot_penetration(moved(z=-0.003 * np.sin(np.pi * TIME))) == pytest.approx(0.003)
    assert foot_penetration(moved(z=0.1)) == 0.0
    assert foot_penetration(moved(), ground=0.01) == pytest.approx(0.01)


def test_clearance_is_the_least_in_the_middle_of_swing():
    events = (FootEvent(0.0, "l", "off"), FootEvent(1.0, "l", "strike"))
    up = moved(z=0.05 * np.sin(np.pi * TIME), events=events)
    assert foot_clearance(up) == pytest.approx(0.05 * np.sin(0.15 * np.pi), rel=1e-3)
    assert foot_clearance(moved(z=-0.01, events=events)) == pytest.approx(-0.01)


def test_refusals():
    with pytest.raises(InputError, match="no foot events"):
        foot_slip(moved(events=()))
    with pytest.raises(InputError, match="needs a complete swing"):
        foot_lines(moved())
