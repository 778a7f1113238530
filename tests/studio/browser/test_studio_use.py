"""Everyday use of the page, with a fake server: Space, messages, forces, keys, and motions that have been removed."""

from dataclasses import replace

import pytest

from anthropi.studio.messages import Force, Key

pytestmark = pytest.mark.slow


def notify(page, text: str, tone: str = "error") -> None:
    page.evaluate("([text, tone]) => anthropi.app.notify({ tone, text })", [text, tone])


def click(page, selector: str) -> None:
    """Click an element at once. Playwright's own click waits for frames, which are slow without a graphics card."""
    page.evaluate("selector => document.querySelector(selector).click()", selector)


def received(page, server, kind: str) -> list[dict]:
    """Wait for commands of a kind and return them."""
    for _ in range(400):
        if server.of(kind):
            break
        page.wait_for_timeout(50)
    return server.of(kind)


def test_space_plays_whatever_was_clicked_before(faked):
    """After a click on a button. In a dialog, Space presses the button that has the focus."""
    from studio.browser.conftest import until

    page, server = faked
    server.shown = 1
    server.show_project()
    until(page, "anthropi.app.store.get('motion').frames > 1 && anthropi.app.store.get('playing')")
    page.get_by_label("Loop", exact=True).click()
    for wanted in ("false", "true"):
        page.keyboard.press("Space")
        assert page.evaluate("String(anthropi.app.store.get('playing'))") == wanted
    assert page.evaluate("anthropi.app.store.get('loop')") is False  # clicked once, not pressed again
    page.evaluate("anthropi.app.store.set('loop', true)")
    click(page, "[aria-label='Keyboard shortcuts']")
    page.get_by_role("dialog").get_by_label("Close", exact=True).focus()
    page.keyboard.press("Space")
    until(page, "!document.querySelector('dialog')")
    page.evaluate("anthropi.app.store.set('playing', false)")


def test_errors_are_short_stay_on_the_page_and_expire(faked):
    page, _ = faked
    page.evaluate("""() => { globalThis.later = []; globalThis.own = setTimeout;
        globalThis.setTimeout = (run, wait) => wait > 9000 ? later.push(run) : own(run, wait); }""")
    names = ", ".join(f"joint_number_{k}" for k in range(60))
    for k in range(9):
        notify(page, f"Error {k}: no joint 'kne'. Joints: {names}.")
    toasts = page.locator(".toast.error")
    assert toasts.count() == 4
    for k in range(4):
        box = toasts.nth(k).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 720 and box["height"] < 160
    assert "joint_number_30" not in toasts.last.inner_text()
    click(page, ".toast:last-child .place")
    assert "joint_number_59" in toasts.last.inner_text()
    page.evaluate("() => { document.activeElement?.blur(); later.forEach(run => run()); globalThis.setTimeout = own; }")
    assert toasts.count() == 0


def test_a_message_is_in_front_of_a_dialog_that_is_open_or_opened_later(faked):
    from studio.browser.conftest import until

    page, _ = faked
    in_front = """(() => { const box = document.querySelector('.toast').getBoundingClientRect();
        return !!document.elementFromPoint(box.left + 20, box.top + box.height / 2)?.closest('.toast'); })()"""
    click(page, "[aria-label='Keyboard shortcuts']")
    notify(page, "The server refused it.")
    until(page, in_front)
    click(page, "dialog [aria-label=Close]")
    until(page, f"!document.querySelector('dialog') && !!document.querySelector('.toast') && {in_front}")
    click(page, "[aria-label='Keyboard shortcuts']")
    until(page, in_front)
    click(page, ".toast .icon-button")
    assert page.locator(".toast").count() == 0


def test_a_motion_that_has_left_the_project_is_no_error(faked):
    """The request was on its way when the project was replaced: the server answers with status 204."""
    from studio.browser.conftest import until

    page, server = faked
    asked = []
    server.send("motion_made", motion={"motion": 1}, task=0)  # the page forgets the motion that it knows
    page.route("**/motion/1", lambda route: (asked.append(1), route.fulfill(status=204)))
    server.shown = 1
    server.show_project()
    until(page, "anthropi.app.store.get('project').shown === 1")
    for _ in range(400):
        if asked:
            break
        page.wait_for_timeout(50)
    page.wait_for_timeout(100)
    server.shown = None
    server.show_project()
    until(page, "anthropi.app.store.get('project').shown === null && anthropi.app.store.get('motion').frames === 1")
    assert asked and page.locator(".toast").count() == 0
    page.unroute("**/motion/1")


def test_a_new_force_acts_at_the_centre_of_mass_and_is_drawn(faked):
    from studio.browser.conftest import until

    page, server = faked
    click(page, ".tabs [data-choice='forces']")
    page.get_by_label("Force applied on link", exact=True).select_option("thorax")
    click(page, "[aria-label='Apply the force']")
    (sent,) = received(page, server, "apply_force")
    centre = list(server.figure.links[server.figure.link_index("thorax")].centre)
    assert sent["link"] == "thorax" and sent["point"] == pytest.approx(centre, abs=1e-4) and any(centre)
    force = Force(9, 1, "thorax", (200.0, 0.0, 0.0), point=(0.0, 0.0, 0.15))
    server.forces = (force, replace(force, force=10, vector=(0.0, 0.0, 30.0), moment=True))
    server.show_project()
    until(page, "anthropi.stage.loads.shown.length === 2")
    push, turn = page.evaluate("anthropi.stage.loads.shown.map(own => [own.from.toArray(), own.along.toArray()])")
    high = server.view.poses[server.figure.link_index("thorax")][2]
    assert push[0][2] == pytest.approx(high + 0.15, abs=0.02) and push[1][0] > 0.1 and push[1][2] == 0
    assert turn[1][2] > 0.1
    assert "0, 0, 0.15 m" in page.locator(".forces-list").inner_text()
    server.forces = (replace(force, start=1.0, end=1.2),)
    server.show_project()
    server.live("running")
    server.frame(1, 0.5, 0.0)
    until(page, "anthropi.app.store.get('time') === 0.5 && anthropi.stage.loads.shown.length === 0")
    server.frame(2, 1.1, 0.0)
    until(page, "anthropi.stage.loads.shown.length === 1")


def test_a_push_by_a_button_draws_an_arrow(faked):
    from studio.browser.conftest import until

    page, server = faked
    server.live("running")
    server.frame(1, 0.1, 0.0)
    until(page, "anthropi.app.store.get('live')")
    click(page, ".tabs [data-choice='live']")
    before = page.evaluate("anthropi.stage.loads.root.userData.pushes ?? 0")
    click(page, "[aria-label='Push left']")
    assert page.evaluate("anthropi.stage.loads.root.userData.pushes") == before + 1
    click(page, ".tabs [data-choice='dofs']")


def test_a_click_on_a_key_shows_its_pose_and_a_drag_is_one_command(faked):
    from studio.browser.conftest import until

    page, server = faked
    server.keys = (Key(0.0, {"l_knee": 0.0}), Key(1.0, {"l_knee": 1.0}))
    server.show_project()
    until(page, "anthropi.app.store.get('project').keys['1']?.length === 2")
    page.get_by_role("button", name="Curves", exact=True).click()
    page.get_by_label("Degree of freedom", exact=True).select_option("l_knee")
    until(page, "document.querySelectorAll('.curves-panel circle.point').length === 2")
    at = page.evaluate("""async () => {
        for (let k = 0; k < 3; k++) await new Promise(done => requestAnimationFrame(done));  // the panel has its size
        const box = document.querySelectorAll('.curves-panel circle.point')[1].getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    }""")
    page.mouse.click(*at)
    assert [(m["figure"], m["time"]) for m in received(page, server, "show_key")] == [(1, 1.0)]
    assert page.evaluate("anthropi.app.store.get('time')") == 1.0
    server.received.clear()
    page.mouse.move(*at)
    page.mouse.down()
    page.mouse.move(at[0] - 60, at[1] + 20, steps=3)
    page.mouse.up()
    received(page, server, "move_key")
    page.wait_for_timeout(100)
    sent = [m for m in server.received if m["kind"] in ("move_key", "set_key")]
    assert [m["kind"] for m in sent] == ["move_key"] and sent[0]["to"] < 1.0 and sent[0]["values"]["l_knee"] < 1.0
    click(page, "[aria-label='Close this panel']")


def test_a_skin_is_not_covered_by_the_volume_under_the_pointer(faked):
    """The volume of the link shows through the skin only when the link is selected."""
    page, _ = faked
    shown = """strength => { const view = anthropi.stage.views[0], part = { material: { emissive: { set() {} } } };
        const skin = view.skin; view.skin = {}; view.shine(part, strength); view.skin = skin; return part.visible; }"""
    assert page.evaluate(shown, 0.2) is False and page.evaluate(shown, 0.42) is True


def test_a_phone_shows_the_stage(faked):
    """At 390 × 844 pixels the stage has the whole width and most of the height; a column can be unfolded over it."""
    from studio.browser.conftest import new_page, until
    from studio.browser.fake import HOME, Fake

    page, server = faked
    phone = new_page(page.context.browser)
    phone.set_viewport_size({"width": 390, "height": 844})
    fake = Fake(phone, server.bundle, b"")
    phone.goto(f"{HOME}/")
    until(phone, "globalThis.anthropi?.stage.views.length === 1")
    box = phone.evaluate("(({ left, top, width, height }) => [left, top, width, height])"
                         "(document.querySelector('.stage-canvas').getBoundingClientRect())")  # fmt: skip
    assert box[0] == 0 and box[2] == 390 and box[3] > 500 and fake.received
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    click(phone, ".column.left .fold button")
    assert phone.evaluate("document.querySelector('.column.left').getBoundingClientRect().width") >= 280
    phone.context.close()


def test_preferences_of_an_earlier_studio_are_used_and_changes_are_sent(faked):
    """The server keeps them, because a studio has another port, and so another storage of the browser, each time."""
    page, server = faked
    kept = """() => { localStorage.removeItem('anthropi.theme');
        document.head.insertAdjacentElement('beforeend', Object.assign(document.createElement('meta'),
            { name: 'preferences', content: JSON.stringify({ 'anthropi.theme': 'light' }) })); }"""
    page.evaluate(kept)
    page.keyboard.press("t")
    page.keyboard.press("t")
    sent = received(page, server, "set_preference")
    assert sent[0]["name"] == "anthropi.theme" and sent[0]["value"] in ("dark", "light")


def test_a_picture_and_a_film_of_the_stage_have_its_camera_and_the_wanted_size(faked):
    import struct
    from pathlib import Path

    from studio.browser.conftest import until

    page, server = faked
    page.evaluate("anthropi.app.store.set('theme', 'light')")
    capture = """([what, size]) => dispatchEvent(new CustomEvent('anthropi:capture',
        { detail: { what, size, done: name => (globalThis.captured = name) } }))"""
    with page.expect_download() as picture:
        page.evaluate(capture, ["picture", [640, 360]])
    data = Path(picture.value.path()).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", data[16:24]) == (640, 360)
    server.shown = 1
    server.show_project()
    until(page, "anthropi.app.store.get('motion').frames > 1")
    page.evaluate("anthropi.app.store.set('pace', 4)")
    with page.expect_download() as film:
        page.evaluate(capture, ["film", [320, 180]])
    assert Path(film.value.path()).read_bytes()[:4] == b"\x1aE\xdf\xa3"  # WebM
    page.evaluate("() => { anthropi.app.store.set('pace', 1); anthropi.app.store.set('playing', false); }")
    assert page.evaluate("anthropi.stage.canvas.width") > 320


def test_plots_have_names_in_words_and_the_force_of_each_foot(faked):
    from studio.browser.conftest import until

    page, server = faked
    server.shown = 1
    server.show_project()
    until(page, "!!document.querySelector('.chart .u-legend')")
    words = page.evaluate("document.querySelector('.plots').textContent")
    assert "left knee flexion" in words and "left hip flexion" in words and "l_hip" not in words
    assert "Ground reaction of each foot" in words and "left foot, vertical" in words
    page.evaluate("anthropi.app.store.set('playing', false)")


def test_the_stage_keeps_its_height_beside_the_gait_panel(faked):
    page, _ = faked
    page.get_by_role("button", name="Gait", exact=True).click()
    box = page.evaluate("document.querySelector('.stage').getBoundingClientRect().height")
    click(page, "[aria-label='Close this panel']")
    assert box >= 300
