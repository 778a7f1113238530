"""Exported pages in a browser, from disk and offline: they play, load nothing, and show names as plain text."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.contact.geometry.surfaces import Box
from anthropi.contact.scene import Obstacle, Scene
from anthropi.figure.parts import Link
from anthropi.motion import Motion

pytestmark = pytest.mark.slow
EVIL = "<img src=x onerror=globalThis.evil=1></script><script>globalThis.evil=1</script>"


def until(page, expression):
    from studio.browser.conftest import until as wait  # the page forbids eval, which Playwright's own waiting needs

    return wait(page, expression)


def opened(page, file):
    """Return the addresses that a page requests while it opens and plays."""
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.context.set_offline(True)
    page.goto(file.as_uri())
    until(page, "(globalThis.anthropi?.app.store.get('time') ?? 0) > 0.2")
    return [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]


def test_a_walk_plays_offline_in_every_body(page, tmp_path, picture):
    walk = ap.walk(ap.human(), speed=1.3, steps=4)
    assert opened(page, walk.export(tmp_path / "walk.html", title="A walk", follow=True)) == []
    assert page.title() == "A walk"
    links = page.evaluate("anthropi.stage.views[0].look.links.length")
    assert links == walk.figure.n
    for body in ("sticks", "volume", "surface"):
        buttons = page.locator(f'.stage [title*="{body}" i], .stage [aria-label*="{body}" i]')
        if buttons.count():
            buttons.first.click()
            page.wait_for_timeout(400)
            picture(page, f"exported {body}")


def test_names_from_a_file_are_only_shown(page, tmp_path):
    figure = ap.sample("double_pendulum")
    links = tuple(Link(f"{EVIL}{k}", x.mass, x.centre, x.tensor, x.shapes) for k, x in enumerate(figure.links))
    figure = figure.changed(name=EVIL, links=links, markers=())
    q = np.tile(figure.neutral(), (60, 1))
    q[:, -1] = np.linspace(0.0, 2.0, 60)
    motion = Motion(figure, np.arange(60) / 30.0, q)
    assert opened(page, motion.export(tmp_path / "evil.html", caption=EVIL)) == []
    assert page.evaluate("globalThis.evil") is None
    assert page.title() == EVIL


def test_what_stands_around_is_there(page, tmp_path):
    figure = ap.human()
    scene = Scene(figure, obstacles=(Obstacle("step", Box((1.0, 2.0, 0.1))),))
    motion = Motion(figure, np.arange(60) / 30.0, np.tile(ap.standing(figure), (60, 1)))
    file = motion.export(tmp_path / "room.html", scene=scene, pillars=[(0.3, 1.2, lambda t: (2.0 + t, 1.0))])
    assert opened(page, file) == []
    assert page.evaluate("anthropi.app.store.get('motion').header.things.length") == 2
