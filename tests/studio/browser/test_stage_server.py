"""The page with the real server: it opens with a walking human, which can be pushed; its motion is kept."""

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture
def walking(page, tmp_path):
    """Give the page of a newly started studio."""
    pytest.importorskip("starlette")
    from anthropi.studio.serve import StudioServer
    from studio.browser.conftest import until

    served = StudioServer(tmp_path, autosave=False)
    served.start()
    page.goto(served.redirect_file().as_uri())  # as `anthropi studio` does
    page.wait_for_url(f"http://127.0.0.1:{served.port}/**")
    until(page, "(globalThis.anthropi?.app.store.get('motion')?.frames ?? 0) > 5")
    yield page
    page.goto("about:blank")
    served.stop()


def test_a_human_walks_is_pushed_and_its_motion_is_kept(walking, picture):
    from studio.browser.conftest import until

    page = walking
    until(page, "anthropi.stage.views.length === 1 && anthropi.app.store.get('live')")
    until(page, "anthropi.app.store.get('time') > 1")
    until(page, "anthropi.stage.views[0].skin !== null")  # it is made while the run goes on
    assert page.evaluate("anthropi.stage.views[0].look.links.length") > 15
    at = page.evaluate("""() => {
        const { stage } = anthropi, view = stage.views[0], box = stage.canvas.getBoundingClientRect();
        const p = view.point(0, [0, 0, 0]).project(stage.cameras.camera);
        return [box.left + (p.x + 1) / 2 * box.width, box.top + (1 - p.y) / 2 * box.height];
    }""")
    page.mouse.move(*at)
    page.mouse.down()
    page.mouse.move(at[0] + 30, at[1])
    page.wait_for_timeout(300)
    picture(page, "studio pushed")
    page.mouse.up()
    page.get_by_label("Stop", exact=True).click()
    until(page, "anthropi.app.store.get('motion').header.channels.length > 20")
    assert page.locator(".chart").count() >= 1
    page.keyboard.press("Space")
    until(page, "anthropi.app.store.get('time') > 0.2")
    picture(page, "studio kept")


def test_a_reloaded_page_and_a_second_tab_have_the_token(walking):
    """The address shows no token; the page keeps it in the storage of its origin, and loads motions with it."""
    from studio.browser.conftest import until

    page = walking
    page.get_by_label("Stop", exact=True).click()
    until(page, "anthropi.app.store.get('motion').header.channels.length > 20")
    assert "token" not in page.url
    second = page.context.new_page()
    second.goto(page.url)
    page.reload()
    for one in (page, second):
        until(one, "(globalThis.anthropi?.app.store.get('motion')?.header.channels.length ?? 0) > 20")
    second.close()


def test_the_contact_models_are_those_of_the_server(walking):
    """The page has no list of its own."""
    choices = "[...document.querySelectorAll('[data-at=\"Contact model\"] option')].map((o) => o.value)"
    from anthropi.contact.models import CONTACT_MODELS

    assert walking.evaluate(choices) == list(CONTACT_MODELS)
