"""A live page in Firefox, opened from disk: it draws, walks and catches a push, without an error in the console."""

import time

import pytest

import anthropi as ap
from conftest import lacking
from studio.browser.conftest import PICTURES
from studio.browser.firefox import Firefox, missing

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def firefox():
    if missing():
        lacking(missing())
    firefox = Firefox()
    yield firefox
    firefox.close()


def test_a_walker_walks_and_is_pushed_in_firefox(firefox, tmp_path):
    firefox.open(ap.live_page(ap.WalkingSession(ap.human(), start="walk"), tmp_path / "walk.html", title="Firefox"))
    end = time.monotonic() + 20.0
    while not firefox.evaluate("globalThis.anthropi?.run?.state.state === 'running'"):
        assert time.monotonic() < end, "the simulation has not started"
    walked = firefox.evaluate("anthropi.run.advance(5)")
    assert not walked["fallen"] and walked["q"][0] > 5.0
    firefox.evaluate("document.querySelector('[aria-label=\"Push left\"]').click()")
    pushed = firefox.evaluate("anthropi.run.advance(5)")
    assert not pushed["fallen"] and pushed["q"][0] > walked["q"][0] + 4.0 and pushed["q"][1] > walked["q"][1] + 0.1
    assert firefox.evaluate("Number(anthropi.stage.canvas.dataset.drawn)") > 0
    faster = firefox.evaluate("anthropi.run.state.faster")
    assert 0.0 < faster < 1000.0  # its clock has a resolution of a millisecond
    PICTURES.mkdir(parents=True, exist_ok=True)
    firefox.picture(PICTURES / "firefox.png")
    assert firefox.errors == []
