"""Shared fixtures of the studio's tests: a session, and a studio server on the loopback interface."""

import pytest

from studio.session_helpers import Tried


@pytest.fixture
def tried(tmp_path):
    """Give a session that records its events."""
    made = Tried(tmp_path)
    yield made
    made.close()


@pytest.fixture
def served(tmp_path, monkeypatch):
    """Give a studio server on the loopback interface with an empty project."""
    pytest.importorskip("uvicorn")
    from anthropi.studio import serve

    monkeypatch.setattr(serve, "open_initial", lambda session, file: None)
    studio = serve.StudioServer(tmp_path, autosave=False)
    studio.start()
    yield studio
    studio.stop()
