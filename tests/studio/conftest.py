"""What the studio's tests share: a session, and a studio that is served on the loopback."""

import pytest

from studio.session_helpers import Tried


@pytest.fixture
def tried(tmp_path):
    """Give a session that remembers its events."""
    made = Tried(tmp_path)
    yield made
    made.close()


@pytest.fixture
def served(tmp_path, monkeypatch):
    """Give a studio on the loopback, nothing opened in it."""
    pytest.importorskip("uvicorn")
    from anthropi.studio import serve

    monkeypatch.setattr(serve, "open_initial", lambda session, file: None)
    studio = serve.StudioServer(tmp_path, autosave=False)
    studio.start()
    yield studio
    studio.stop()
