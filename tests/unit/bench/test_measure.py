"""What `anthropi bench` reports, and what it says of peers that are missing. No time is asserted."""

import time

import numpy as np
import pytest
from peers import PEERS

import anthropi as ap
from anthropi.cli import measure as report
from anthropi.cli.measure import SUBJECTS, measure, time_in_turns
from anthropi.errors import InputError

FEW = ("direct dynamics", "mass matrix", "step")


def missing(monkeypatch, *modules):
    """Make it seem that these are not installed."""
    real = report.find_spec
    monkeypatch.setattr(report, "find_spec", lambda name: None if name in modules else real(name))


@pytest.mark.oracle
def test_a_report_has_a_row_for_each_subject_and_says_how_far_apart_results_are():
    heard = []
    found = measure(
        ap.sample("double_pendulum"), FEW, rounds=1, progress=lambda *words: heard.append(words), peers=PEERS
    )
    assert [row.subject for row in found.rows] == list(FEW)
    assert [row.peer for row in found.rows] == ["Pinocchio", "Pinocchio", "MuJoCo"]
    assert set(found.peers) == {"Pinocchio", "MuJoCo"}
    for row in found.rows:
        assert row.difference < 1e-12 and row.operations > 0
        assert row.ratio == row.peer_one / row.one and row.batch_ratio == row.peer_one / row.many
    assert found.rows[0].own_batch_ratio == found.rows[0].peer_many / found.rows[0].many
    assert heard[0] == ("direct dynamics: compiling", 0, 3) and heard[-1] == ("done", 3, 3)
    data = found.data()
    assert data["figure"] == "double_pendulum" and data["rows"][0]["ratio"] == found.rows[0].ratio


def test_peers_that_are_not_installed_are_said_to_be_absent(monkeypatch):
    missing(monkeypatch, "pinocchio", "mujoco")
    found = measure(ap.sample("pendulum"), FEW, rounds=1, peers=PEERS)
    assert found.peers == {} and "Pinocchio is not installed. Install it with: pip install pin" in found.notes
    assert "MuJoCo is not installed. Install it with: pip install mujoco" in found.notes
    for row in found.rows:
        assert row.one > 0.0 and row.peer is None and row.ratio is row.batch_ratio is row.difference is None


def test_unknown_subjects_and_figures_that_cannot_move_are_refused():
    with pytest.raises(
        InputError, match=r"no subject 'direkt dynamics'. Did you mean 'direct dynamics'\? Choose from: "
    ):
        measure(ap.sample("pendulum"), ["direkt dynamics"])
    still = ap.sample("pendulum").lock(["pivot"])
    with pytest.raises(InputError, match="'pendulum' has no degrees of freedom"):
        measure(still)


def test_rounds_are_taken_in_turn_and_things_put_back_before_each():
    order = []

    def one():
        time.sleep(0.011)  # longer than a round: one call each
        order.append("one")

    def other():
        time.sleep(0.011)
        order.append("other")

    other.before = lambda: order.append("back")
    assert time_in_turns({"one": one, "other": other}, rounds=2).keys() == {"one", "other"}
    assert order[-6:] == ["one", "back", "other", "one", "back", "other"]


def test_every_subject_names_arrays_that_states_has():
    figure = ap.sample("double_pendulum")
    for subject in SUBJECTS.values():
        if subject.available():
            assert {slot.name for slot in subject.kernel(figure).inputs} <= {"q", "u", "udot", "tau"}


def test_results_that_differ_are_seen():
    assert report._apart(np.array([1.0, 2.0]), np.array([1.0, 4.0])) == 0.5
    assert report._apart(np.zeros(2), np.zeros(2)) == 0.0
