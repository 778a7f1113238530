"""Plans that change on the way: they act from the next strike on, events stay exact, steady ones are a plan's."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anthropi as ap
from anthropi.errors import InputError
from anthropi.gait import Schedule
from anthropi.motion.motion import FootEvent

WALK, RUN = ap.gait.GaitPlan(step_frequency=100), ap.gait.GaitPlan(velocity=3, kind="run")
CHANGING = Schedule(tuple(ap.gait.GaitPlan(step_frequency=sf) for sf in (90, 100, 100, 130, 70)), start=0.3)


@pytest.mark.parametrize("plan", [WALK, RUN], ids=repr)
@pytest.mark.parametrize("first", ["l", "r"])
def test_a_steady_schedule_is_its_plan(plan, first):
    steps, begin = Schedule.steady(plan, 6, first=first), 0.0 if first == "l" else plan.step
    t = np.linspace(-1.0, 6.0, 500) + 1.7e-4  # away from events, and beyond both ends
    for side in ("l", "r"):
        assert steps.phase(t, side) == pytest.approx(plan.phase(t + begin, side), abs=1e-9)
        assert (steps.down(t, side) == plan.down(t + begin, side)).all()
    assert steps.alpha(t) == pytest.approx(plan.alpha(t + begin), abs=1e-6)
    for ours, theirs in zip(steps.events(), plan.events(6, first=first), strict=True):
        assert ours[1:] == theirs[1:] and ours.time == pytest.approx(theirs.time, abs=1e-14)


def test_a_change_acts_from_the_next_step_on():
    steps = Schedule.steady(WALK, 6)
    during = steps.strikes[2] + 0.2  # in the third step
    new = steps.changed(during, step_frequency=130)
    assert [p.step_frequency for p in new.plans] == [100, 100, 100, 130, 130, 130]
    assert (new.strikes[:4] == steps.strikes[:4]).all()  # what has begun goes on as planned
    assert new.strikes[4] == steps.strikes[3] + ap.gait.GaitPlan(step_frequency=130).step
    early = [e for e in new.events() if e.time <= steps.strikes[3]]
    assert early == [e for e in steps.events() if e.time <= steps.strikes[3]]
    assert steps.changed(steps.strikes[2], step_frequency=130).plans[2].step_frequency == 130  # at a strike: that step
    assert [new.mirrors(k) for k in range(6)] == [False, True, True, False, True, True]
    assert steps.changed(99.0, step_frequency=130) == steps


def test_events_of_changing_plans_are_exact():
    events = CHANGING.events()
    at = 0.3
    for k, plan in enumerate(CHANGING.plans):
        foot, other = ("l", "r") if k % 2 == 0 else ("r", "l")
        assert events[2 * k] == FootEvent(at, foot, "strike") == FootEvent(CHANGING.strikes[k], foot, "strike")
        assert events[2 * k + 1] == FootEvent(at + plan.double_support, other, "off")
        at += plan.step
    assert events[-1] == FootEvent(at, "r", "strike") and CHANGING.duration == at - 0.3
    for e in events[:-1]:
        before, after = (bool(CHANGING.down(e.time + d, e.foot)) for d in (-1e-6, 1e-6))
        assert (before, after) == ((False, True) if e.what == "strike" else (True, False))


@given(frequencies=st.lists(st.floats(40.0, 160.0), min_size=1, max_size=6))
def test_cycles_rise_by_a_half_at_each_strike(frequencies):
    steps = Schedule(tuple(ap.gait.GaitPlan(step_frequency=sf) for sf in frequencies))
    found = steps.cycles(steps.strikes)
    assert found == pytest.approx(0.5 * np.arange(len(frequencies) + 1), abs=1e-9)
    t = np.sort(np.concatenate([np.linspace(-1.0, steps.duration + 1.0, 50), steps.strikes]))
    assert all(b >= a - 1e-12 for a, b in pairwise(steps.cycles(t)))
    a = steps.alpha(t)
    assert ((a >= 0.0) & (a <= 1.0)).all()


@pytest.mark.parametrize("steps", [CHANGING, Schedule.steady(RUN, 3, first="r"), Schedule.steady(WALK, 1)], ids=len)
def test_schedules_record(steps):
    def all_of(t):
        one = ap.scalar.where(steps.down(t[0], "l"), 1.0, 0.0)
        return np.stack([steps.phase(t[0]), steps.phase(t[0], "r"), steps.alpha(t[0]), one, steps.cycles(t[0])])

    kernel = ap.build(ap.record(all_of, t=np.zeros(1)), target="replay")
    for t in np.linspace(-0.5, 4.0, 60):
        assert np.asarray(kernel(np.array([t]))) == pytest.approx(all_of(np.array([t])), abs=1e-13)


def test_foot_events_are_kept_in_files(tmp_path):
    figure = ap.sample("pendulum")
    motion = ap.Motion(figure, np.arange(3.0), np.zeros((3, figure.nq)), np.zeros((3, figure.nu)),
                       events=CHANGING.events())  # fmt: skip
    motion.save(tmp_path / "walk.npz")
    assert tuple(ap.load_motion(tmp_path / "walk.npz").events) == CHANGING.events()


def test_what_is_no_schedule_is_refused():
    for plans, words in (((), "none"), ((1.0,), "float"), ((WALK, RUN), "height and kind")):
        with pytest.raises(InputError, match=words):
            Schedule(plans)
    with pytest.raises(InputError, match="steps=0"):
        Schedule.steady(WALK, 0)
    with pytest.raises(InputError, match="at=nan"):
        CHANGING.changed(float("nan"), velocity=1.0)
    with pytest.raises(InputError, match="Unknown side"):
        Schedule((WALK,), first="left")
    with pytest.raises(InputError, match="start=nan"):
        Schedule((WALK,), start=float("nan"))


def test_a_schedule_of_one_plan_shares_as_the_plan_does():
    t = np.linspace(-1.0, 4.0, 501)
    for plan in (WALK, RUN):
        assert np.abs(Schedule.steady(plan, np.int64(4)).alpha(t) - plan.alpha(t)).max() < 1e-13


@pytest.mark.parametrize("odd", ["soon", None, True])
def test_times_that_are_none_are_refused_in_words(odd):
    with pytest.raises(InputError, match="give a finite number of seconds"):
        Schedule((WALK,), start=odd)
    with pytest.raises(InputError, match="give a finite number of seconds"):
        Schedule((WALK,)).changed(odd, velocity=1.0)
    with pytest.raises(InputError, match="sequence of GaitPlans"):
        Schedule(odd)
