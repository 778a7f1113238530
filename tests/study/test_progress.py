"""Progress of a study as text: on a terminal, in a notebook and elsewhere."""

import io
import sys
import types

import pytest
from tests.study import trials

from anthropi import study
from anthropi.errors import InputError
from anthropi.study import progress as progress_module

POINTS = study.grid(x=list(range(5)))


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Show every report."""
    monkeypatch.setattr(progress_module, "DELAY", -1.0)
    monkeypatch.setattr(progress_module, "INTERVAL", -1.0)


def run():
    study.Study(trials.awkward_free, POINTS).run("inline", chunk_seconds=1e-9)


def test_a_notebook_has_one_output_that_is_updated(monkeypatch):
    shown = []

    class Handle:
        def update(self, data, raw):
            shown.append(data["text/plain"])

    made = types.ModuleType("IPython.display")
    made.display = lambda data, raw, display_id: Handle()
    monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))
    monkeypatch.setitem(sys.modules, "IPython", types.ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", made)
    run()
    assert shown[-2].startswith("5 of 5 points, ") and "per second" in shown[-2] and shown[-1] == ""


@pytest.mark.parametrize("terminal", [True, False])
def test_a_terminal_has_one_line_that_is_rewritten(terminal, monkeypatch):
    written = io.StringIO()
    written.isatty = lambda: terminal
    monkeypatch.setattr(sys, "stderr", written)
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    run()
    text = written.getvalue()
    assert ("5 of 5 points" in text and "\n" not in text and text.endswith("\r\x1b[K")) if terminal else text == ""


def test_an_unknown_kind_of_progress_is_refused(tmp_path):
    with pytest.raises(InputError, match="give 'text', None, or a function"):
        study.Study(trials.awkward_free, POINTS, tmp_path).run("inline", progress="bar")
