"""Trends of simulated walks, as a study and on the command line."""

import sys

import pytest
from typer.testing import CliRunner

import anthropi as ap
import anthropi.cli.gait_trends  # mounts the command, if nothing has
from anthropi.cli.common import app
from anthropi.errors import SimulationError
from anthropi.gait.report import gait_report, speed_trends
from anthropi.gait.trend_walks import walk_trends


@pytest.mark.slow
def test_trends_are_those_of_walks_made_by_hand(tmp_path):
    person, speeds = (1.75, 75.0, "m"), (1.4, 1.0)
    walks = [ap.walk(ap.human(*person), 12, speed=v) for v in speeds]
    by_hand = speed_trends([gait_report(walk) for walk in walks]).to_dict()
    for _ in range(2):  # the second time from the folder
        found = walk_trends(speeds, [person, person], steps=12, executor="inline", folder=tmp_path)
        assert [trends.to_dict() for trends in found] == [by_hand, by_hand]


def test_a_walk_that_fails_is_named(tmp_path):
    with pytest.raises(SimulationError, match=r"The walk at 5 m/s failed. .*out of range"):
        walk_trends((5.0, 6.0), executor="inline")


def test_simulated_trends_on_the_command_line(monkeypatch):
    def run(*words):
        return CliRunner().invoke(app, ["gait-trends", *words])

    for words in ((), ("walk.npz", "--speeds", "1,2")):
        done = run(*words)
        assert done.exit_code == 2 and "Give either walk files, or --speeds" in done.output
    assert "FROM:TO:COUNT" in run("--speeds", "fast").output
    asked = []

    def trends(speeds, people, **options):
        asked.append((speeds.tolist(), people, options["style"]))
        raise SimulationError("enough")

    monkeypatch.setattr(sys.modules["anthropi.cli.gait_trends"], "walk_trends", trends)
    assert "enough" in run("--speeds", "1:1.5:3", "--height", "1.6", "--style", "tired").output
    assert asked == [([1.0, 1.25, 1.5], [(1.6, 75.0, "m")], "tired")]
