"""The page without a server: an exported motion plays, can be scrubbed and viewed from all sides; nothing is loaded."""

import pytest

pytestmark = pytest.mark.slow


def known(page, key):
    return page.evaluate("key => anthropi.app.store.get(key)", key)


def time_of(page) -> float:
    return known(page, "time")


def test_it_plays_by_itself_and_asks_for_nothing(page, walk_file):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(walk_file.as_uri())
    page.wait_for_function("globalThis.anthropi?.app.store.get('time') > 0.2")
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert page.title() == "A walk"
    assert page.inner_text(".bar-panels p") == "1.3 m/s <b>natural</b>"  # names are shown as plain text
    assert page.locator(".column").count() == 0  # nothing to edit


def test_space_and_arrows(player):
    player.keyboard.press("Space")
    player.wait_for_function("anthropi.app.store.get('time') > 0.05")
    player.keyboard.press("Space")
    assert known(player, "playing") is False
    player.keyboard.press("Home")
    assert time_of(player) == 0.0
    player.keyboard.press("ArrowRight")
    assert time_of(player) == pytest.approx(0.01, abs=1e-6)
    player.keyboard.press("Shift+ArrowRight")
    assert time_of(player) == pytest.approx(0.11, abs=1e-6)
    player.keyboard.press("ArrowLeft")
    assert time_of(player) == pytest.approx(0.10, abs=1e-6)
    assert "frame 11 of" in player.inner_text(".clock")


def test_the_pace_may_be_any_number(player):
    player.fill(".pace", "0.37")
    player.keyboard.press("Enter")
    assert known(player, "pace") == 0.37
    player.locator(".stage-canvas").focus()
    player.keyboard.press(".")
    assert known(player, "pace") == 0.74


def test_the_end_loops_or_stops(player):
    end = player.evaluate("anthropi.app.store.get('motion').end")
    player.keyboard.press("l")
    player.evaluate("anthropi.app.store.set('time', anthropi.app.store.get('motion').end - 0.02)")
    player.keyboard.press("Space")
    player.wait_for_function("!anthropi.app.store.get('playing')")
    assert time_of(player) == end
    player.keyboard.press("l")
    player.keyboard.press("Space")
    player.wait_for_function("anthropi.app.store.get('playing') && anthropi.app.store.get('time') < 1")


def test_scrubbing_in_the_timeline_and_in_a_plot(player):
    box = player.locator(".tracks").bounding_box()
    player.mouse.move(box["x"] + 64 + (box["width"] - 76) / 2, box["y"] + 10)
    player.mouse.down()
    half = player.evaluate("anthropi.app.store.get('motion').span / 2")
    assert time_of(player) == pytest.approx(half, abs=0.01)
    player.mouse.up()
    over = player.locator(".u-over").first.bounding_box()
    player.mouse.click(over["x"] + over["width"] / 4, over["y"] + 20)
    assert time_of(player) == pytest.approx(half / 2, abs=0.02)


def test_a_wheel_zooms_timeline_and_plots_together(player):
    box = player.locator(".tracks").bounding_box()
    player.mouse.move(box["x"] + box["width"] / 2, box["y"] + 10)
    player.mouse.wheel(0, -300)
    player.wait_for_function("anthropi.app.store.get('range')[0] > 0.1")
    low, high = known(player, "range")
    assert 0.0 < low < high < player.evaluate("anthropi.app.store.get('motion').end")


@pytest.mark.parametrize("body, key", [("stick", "1"), ("volume", "2"), ("surface", "3")])
def test_bodies(player, picture, body, key):
    player.keyboard.press(key)
    assert known(player, "body") == body
    assert pixels(player) > (500 if body == "stick" else 2000)
    picture(player, f"stage {body}")


def test_everything_that_can_be_shown(player, picture):
    player.evaluate("anthropi.app.store.set('time', 0.8)")
    player.get_by_label("Show", exact=True).click()
    for entry in player.get_by_role("menuitemcheckbox").all():
        if entry.get_attribute("aria-checked") == "false":
            entry.click()
    assert all(known(player, "shown").values())
    player.keyboard.press("Escape")
    assert pixels(player) > 2000
    picture(player, "stage everything shown")


def test_segments_give_each_link_a_colour(player):
    player.evaluate("anthropi.app.store.patch('shown', { segments: true })")
    player.keyboard.press("2")
    drawn(player)
    colours = player.evaluate("""anthropi.stage.views[0].links.filter(link => link.children.length)
        .map(link => link.children[0].material.color.getHexString())""")
    assert len(set(colours)) == len(colours) > 10
    player.keyboard.press("3")
    drawn(player)
    vertices = "Array.from(anthropi.stage.views[0].skin.geometry.getAttribute('color').array.slice(0, 3000))"
    coloured = player.evaluate(vertices)
    player.evaluate("anthropi.app.store.patch('shown', { segments: false })")
    drawn(player)
    assert player.evaluate(vertices) != coloured


@pytest.mark.parametrize("mode, key", [("orbit", "4"), ("follow", "5"), ("fixed", "6")])
def test_cameras(player, mode, key):
    player.keyboard.press(key)
    assert known(player, "camera") == mode
    drawn(player)
    before = view(player)
    player.evaluate("anthropi.app.store.set('time', 1.5)")
    drawn(player)
    after = view(player)
    moved = after["eye"] != pytest.approx(before["eye"], abs=1e-3)
    turned = after["target"] != pytest.approx(before["target"], abs=1e-3)
    assert (moved, turned) == {"orbit": (False, False), "follow": (True, True), "fixed": (False, True)}[mode]


def test_camera_keys_move_the_camera(player):
    player.evaluate("""anthropi.app.store.set('cameraKeys', [
        { time: 0, camera: { eye: [4, 0, 1], target: [0, 0, 1], field: 30 } },
        { time: 1, camera: { eye: [0, 4, 2], target: [0, 0, 1], field: 40 } }])""")
    player.keyboard.press("7")
    player.evaluate("anthropi.app.store.set('time', 1)")
    player.wait_for_function("Math.abs(anthropi.stage.cameras.view().eye[1] - 4) < 1e-6")
    player.evaluate("anthropi.app.store.set('time', 0.5)")
    player.wait_for_function("Math.abs(anthropi.stage.cameras.view().field - 35) < 1e-6")
    assert view(player)["eye"] == pytest.approx([2, 2, 1.5])


def test_views_from_sides_and_of_all(player):
    player.get_by_label("View point").click()
    player.get_by_role("menuitem", name="Left", exact=True).click()
    look = view(player)
    assert look["eye"][1] - look["target"][1] > 2  # y is left
    player.keyboard.press("a")
    assert known(player, "camera") == "orbit"


def test_a_click_chooses_a_link(player):
    drawn(player)
    at = player.evaluate("""() => {
        const { stage } = anthropi, view = stage.views[0], box = stage.canvas.getBoundingClientRect();
        const i = Math.max(0, view.look.links.findIndex(link => /thorax|trunk|torso/.test(link.name)));
        const p = view.point(i, [0, 0, 0.05]).project(stage.cameras.camera);
        return { x: box.left + (p.x + 1) / 2 * box.width, y: box.top + (1 - p.y) / 2 * box.height };
    }""")
    player.mouse.click(at["x"], at["y"])
    player.wait_for_function("anthropi.app.store.get('selection').link !== null")


def test_themes(player, picture):
    assert player.get_attribute("html", "data-theme") == "dark"
    player.keyboard.press("t")
    assert player.get_attribute("html", "data-theme") == "light"
    drawn(player)
    picture(player, "stage light")


def test_channels_are_chosen(player, picture):
    assert player.locator(".chart").count() == 3  # angles, ground reaction of each foot, torques
    player.get_by_role("button", name="Channels").click()
    player.get_by_label("Search channels").fill("centre of mass")
    boxes = player.locator(".channel-grid input")
    assert boxes.count() == 3
    boxes.nth(2).check()
    player.keyboard.press("Escape")
    assert player.locator(".chart").count() == 4
    picture(player, "plots")


def test_help_on_controls(player, picture):
    player.get_by_label("Follow", exact=True).hover()
    player.wait_for_selector(".tip:not([hidden])")
    assert "moves with the figure" in player.inner_text(".tip")
    player.keyboard.press("?")
    assert player.locator("dialog .sheet tr").count() > 12
    picture(player, "keys")
    player.keyboard.press("Escape")
    player.keyboard.press("h")
    player.get_by_role("button", name="What is this?").click()
    player.get_by_label("Stick", exact=True).click()
    assert "bones and joints" in player.inner_text(".help-list details[open]")
    picture(player, "help")
    assert known(player, "body") == "surface"  # 'What is this?' explains the button without pressing it


def test_every_control_has_help(player):
    bare = player.evaluate("""() => [...document.querySelectorAll('button, input, select')]
        .filter(e => e.offsetParent && !e.closest('[data-help]') && !e.closest('.help-panel, .toasts'))
        .map(e => e.outerHTML.slice(0, 120))""")
    assert bare == []


def drawn(page) -> None:
    """Wait for the next drawn frame."""
    page.evaluate("anthropi.stage.request()")
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def view(page) -> dict:
    return page.evaluate("anthropi.stage.cameras.view()")


def pixels(page) -> int:
    """Return the number of pixels of the picture that are not grey, which belong to the figures."""
    return page.evaluate("""async () => {
        const bitmap = await createImageBitmap(await anthropi.stage.picture());
        const canvas = document.createElement('canvas');
        canvas.width = bitmap.width; canvas.height = bitmap.height;
        const pen = canvas.getContext('2d'); pen.drawImage(bitmap, 0, 0);
        const data = pen.getImageData(0, 0, canvas.width, canvas.height).data; let n = 0;
        for (let i = 0; i < data.length; i += 4) if (Math.abs(data[i] - data[i + 2]) > 30) n++;
        return n;
    }""")
