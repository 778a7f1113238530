"""Multipliers of strides, recovery, trends and foot placement, where the answers are known."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

import anthropi as ap
import anthropi.cli.gait_trends  # mounts the command, if nothing has
from anthropi.cli import app
from anthropi.errors import InputError
from anthropi.figure import Free, Link, Prismatic, figure_from_parts
from anthropi.gait.reference.norms import adult_step, scalars
from anthropi.gait.report import (
    GaitRecord,
    foot_placement,
    gait_report,
    poincare_multiplier,
    recovery_steps,
    speed_trends,
)
from anthropi.gait.report.foot_events import FootTimes
from anthropi.gait.report.recovery import Step, recovered_after, usual_steps
from anthropi.simulation.drive import Drive
from unit.gait.report.walker import norm_walk

MU, FADES, DT = 0.1, 0.05, 0.01


class Oscillator:
    """x'' = -x - μ (x² + x'² - 1) x': the circle x = cos t draws near with the multiplier exp(-2 π μ) a turn.

    Memory: y' = FADES (0.7 - y), step by step, with (1 - FADES dt)ⁿ; the time of the last call; a count.
    """

    prescribed = ()

    def __init__(self, remembers: bool):
        self.parameters = {"mu": np.array(MU)}
        self.memory = {"y": np.array(0.7), "last": np.array(0.0), "count": np.array(0.0)} if remembers else {}

    def __call__(self, figure, sense, memory, p):
        x, v = sense.q[-1], sense.u[-1]
        force = -x - p["mu"] * (x * x + v * v - 1.0) * v
        tau = np.array([0.0] * (figure.nu - 1) + [force])
        if not memory:
            return Drive(tau=tau), {}
        y = memory["y"] + DT * FADES * (0.7 - memory["y"])
        return Drive(tau=tau), {"y": y, "last": sense.t + 0.0, "count": memory["count"] + 1.0}


def swinging(figure, controller, q, u):
    return ap.simulate(figure, q, u, forces=controller, duration=1.0, dt=DT, method="rk4", opt=0)


@pytest.fixture(scope="module")
def mass():
    return Link.of("mass", ap.spatial.box(np.full(3, 0.1), mass=1.0))


def test_multiplier_of_a_circle_is_known(mass):
    figure = figure_from_parts("mass", [("", Prismatic(name="x", axis="x"), mass)], gravity=np.zeros(3))
    own = Oscillator(remembers=False)
    found = poincare_multiplier(figure, own, swinging(figure, own, [1.0], [0.0]), period=6.3, dt=DT, method="rk4",
                                opt=0)  # fmt: skip
    assert found.multipliers.shape == (1,)  # the way along the circle is no error
    assert found.dominant == pytest.approx(np.exp(-2.0 * np.pi * MU), rel=0.005)  # T in steps of 0.01 s
    assert found.period == pytest.approx(2.0 * np.pi, abs=DT) and found.closure < 0.005 and found.kept["time"] < 0.01


def test_memory_is_part_of_the_state_and_clocks_and_counts_are_not(mass):
    figure = figure_from_parts("mass", [("", Prismatic(name="x", axis="x"), mass)], gravity=np.zeros(3))
    own = Oscillator(remembers=True)
    found = poincare_multiplier(figure, own, swinging(figure, own, [1.0], [0.0]), period=6.3, dt=DT, method="rk4",
                                opt=0)  # fmt: skip
    slow = (1.0 - FADES * DT) ** round(found.period / DT)
    assert np.abs(found.multipliers) == pytest.approx([slow, np.exp(-2.0 * np.pi * MU), 0.0], rel=0.005, abs=1e-6)
    assert found.mode[0] == "control.y"


def test_places_of_a_free_root_are_left_out(mass):
    """A body adrift: velocities stay, multiplier 1; where it is and how it is turned about z change nothing."""
    parts = [("", Free(name="root"), mass), ("mass", Prismatic(name="x", axis="x"), replace(mass, name="other"))]
    figure = figure_from_parts("adrift", parts, gravity=np.zeros(3))
    own, q, u = Oscillator(remembers=False), figure.neutral(), np.zeros(figure.nu)
    q[-1], u[:2] = 1.0, (0.8, 0.3)
    motion = swinging(figure, own, q, u)
    some, more = (poincare_multiplier(figure, own, motion, period=4.4, dt=DT, method="rk4", opt=0, free=free)
                  for free in (("x", "y"), ("x", "y", "heading")))  # fmt: skip
    assert len(some.multipliers) == 2 * figure.nu - 3 and len(more.multipliers) == len(some.multipliers) - 1
    assert some.kept["x"] == 0.0 and more.kept["heading"] < 0.02
    with pytest.raises(InputError, match="choose from x, y, heading"):
        poincare_multiplier(figure, own, motion, free=("z",))
    with pytest.raises(InputError, match="duration of a stride is unknown"):
        poincare_multiplier(figure, own, motion)


def test_recovery_counts_the_last_unusual_step():
    usual = usual_steps([Step("lr"[k % 2], 0.5 * k, 0.7 + 0.01 * (k % 4), 1.3) for k in range(8)])
    fine, long, quick = ("l", 5.0, 0.71, 1.3), ("r", 5.0, 0.79, 1.3), ("l", 5.0, 0.71, 1.45)
    take = lambda *steps: recovered_after([Step(*s) for s in steps], usual)  # noqa: E731
    assert take(fine, fine) == 0.0 and take(long, fine, quick, fine) == 3.0
    assert np.isnan(take(fine, quick)) and np.isnan(take())


def record(lengths, aside=None, pelvis=None, duration=0.5):
    """A walk on footprints that are told: heels go from print to print before they strike; the pelvis goes evenly
    ahead, and aside by `pelvis`, where it rests for 0.1 s in the middle of each step."""
    n = len(lengths)
    x, y = np.cumsum(lengths), np.zeros(n) if aside is None else np.asarray(aside)
    time = np.arange(0.0, n * duration, 0.01)
    heel, recorded = {}, {}
    for k, side in enumerate("lr"):
        at = duration * np.arange(k, n, 2)
        last = np.clip(np.searchsorted(at, time + 0.04, "right") - 1, 0, None) * 2 + k
        heel[side] = np.stack([x[last], y[last], 0.0 * time], -1)
        recorded[side] = FootTimes(at, at + 1.2 * duration)
    middle = duration * (np.arange(n) + 0.5)
    sway = np.repeat(np.zeros(n) if pelvis is None else pelvis, 2)
    ahead, side = (
        np.interp(time, duration * np.arange(n), x),
        np.interp(time, np.sort([*(middle - 0.05), *(middle + 0.05)]), sway),
    )
    place = np.stack([ahead, side, 0.9 + 0.0 * time], -1)
    return GaitRecord(time, 75.0, 0.9, {"l": {}, "r": {}}, place=place, heel=heel, recorded=recorded)


def test_recovery_of_a_walk():
    lengths = np.full(24, 0.7)
    lengths[12:15] = 0.85, 0.55, 0.6
    assert recovery_steps(record(lengths), (5.8, 5.9)) == 3.0
    assert recovery_steps(record(np.full(24, 0.7)), (5.8, 5.9)) == 0.0
    with pytest.raises(InputError, match="too few steps"):
        recovery_steps(record(lengths), (0.6, 0.7))


def test_foot_placement_finds_the_law_that_made_it():
    """The next print lies 1.5 times as far aside as the pelvis, and 0.015 m of noise: R² = 0.03² / (0.03² + 0.015²)."""
    rng, n = np.random.default_rng(3), 601
    far, noise = 0.02 * rng.normal(size=n), 0.015 * rng.normal(size=n)
    y = np.concatenate([[0.0], np.cumsum(0.1 * (-1.0) ** np.arange(n) + 1.5 * far + noise)[:-1]])
    walk = gait_report(record(0.7 + 0.05 * rng.normal(size=n), y, y + far), from_time=0.0).walk
    found = foot_placement(walk)
    assert found.steps == n - 1 and set(found.sideways) == {"l", "r"}
    assert np.mean(list(found.sideways.values())) == pytest.approx(0.8, abs=0.04)  # 300 steps a side: ± 0.02
    assert [slopes[0] for slopes in found.slopes.values()] == pytest.approx([1.5, 1.5], abs=0.15)
    with pytest.raises(InputError, match="needs steps that differ"):
        foot_placement(gait_report(record(np.full(60, 0.7)), from_time=0.0))
    with pytest.raises(InputError, match="10 steps"):
        foot_placement(gait_report(record(np.full(12, 0.7)), from_time=0.0))


def test_trends_have_the_sign_of_people():
    reports = []
    for v in (1.6, 0.8, 1.2):
        adults = adult_step(v, 0.9)
        walk = record(np.full(30, adults.step_length), duration=60.0 / adults.step_frequency)
        reports.append(gait_report(walk, from_time=0.0))
    found = speed_trends(reports)
    assert found.speeds == pytest.approx([0.8, 1.2, 1.6], rel=1e-3)
    assert found["step length"].verdict == found["cadence"].verdict == "pass"
    assert found["step length"].ratio == pytest.approx(1.0, abs=0.02)
    assert found["valley"].verdict == "not measured" and found["valley"].norm_slope < 0.0
    assert found["first peak, F1"].norm_slope > 0.0 and "pass" in found.text()
    low, high = (scalars("knee_flexion_max_swing", v / np.sqrt(9.81 * 0.9)).mean for v in (0.8, 1.6))
    assert found["peak knee flexion"].norm[[0, -1]] == pytest.approx(np.degrees([low, high]), rel=1e-3)
    short = [gait_report(record(np.full(30, a), duration=a / v), from_time=0.0) for v, a in ((0.8, 0.7), (1.5, 0.6))]
    assert speed_trends(short)["step length"].verdict == "fail" and speed_trends(short)["cadence"].verdict == "pass"
    with pytest.raises(InputError, match=r"0\.1 m/s apart"):
        speed_trends(reports[:1])


def test_trends_on_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    norm_walk().save("walk.npz")
    run = lambda *words: CliRunner().invoke(app, ["gait-trends", *words])  # noqa: E731
    done = run("walk.npz", "walk.npz")
    assert done.exit_code == 2 and "at least 0.1 m/s apart" in done.output and done.output.count("\n") == 1
    monkeypatch.setattr(sys.modules["anthropi.cli.gait_trends"], "gait_report", lambda motion, from_time: next(walks))
    walks = iter([gait_report(record(np.full(30, 0.5 * v), duration=0.5), from_time=0.0) for v in (1.0, 1.5)])
    done = run("walk.npz", "walk.npz", "--json")
    rows = {row["name"]: row for row in json.loads(done.output)["rows"]}
    assert rows["step length"]["verdict"] == "pass" and rows["step length"]["slope"] == pytest.approx(0.5, rel=1e-6)
    assert rows["cadence"]["verdict"] == "fail" and rows["valley"]["values"] == [None, None]


def test_legs_are_held_against_each_other_and_forces_along_the_way_add_up():
    """Forces of one wave a stance: half brakes, half drives. The right leg's are 5 % stronger, its knee bends less."""
    walk, stance = record(np.full(30, 0.7)), 0.6  # [s]; a stride is 1 s
    force, angles = {}, {}
    for k, (side, scale, bend) in enumerate((("l", 1.0, 60.0), ("r", 1.05, 57.0))):
        s = ((walk.time - 0.5 * k) % 1.0) / stance
        down = s < 1.0
        up = 800.0 * scale * np.where(down, np.sin(np.pi * s) + 0.3 * np.sin(3.0 * np.pi * s), 0.0)
        force[side] = np.stack([-150.0 * scale * np.where(down, np.sin(2.0 * np.pi * s), 0.0), 0.0 * s, up], -1)
        angles[side] = {"knee_flexion": np.radians(0.5 * bend * (1.0 - np.cos(2.0 * np.pi * (walk.time - 0.5 * k))))}
    found = gait_report(replace(walk, force=force, angles=angles), from_time=0.0, events="recorded")
    weight = 75.0 * 9.81
    for word, sign in (("braking", -1.0), ("propulsion", 1.0)):
        row = found[f"{word} impulse / (weight × cycle)"]
        assert row.values["l"] == pytest.approx(sign * 100.0 * 150.0 / weight * stance / np.pi, rel=0.01)
        assert row.verdict == "reported only" and float(row.criterion.adults.split()[0]) * sign > 1.0
        assert found[f"{word}, left against right"].values[""] == pytest.approx(200.0 * 0.05 / 2.05, rel=0.01)
    assert found["first peak, F1, left against right"].verdict == "fail"
    knee = found["largest knee flexion, left against right"]
    assert knee.values[""] == pytest.approx(100.0 * 3.0 / 58.5, rel=0.02) and knee.verdict == "fail"
    assert found["step time, left against right"].verdict == "pass"
    assert found["largest hip flexion, left against right"].verdict.startswith("not measured")
