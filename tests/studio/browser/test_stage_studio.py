"""The page with a fake server: standing figures, live runs, the Hand tool, keys, messages, help."""

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture
def studio(faked):
    """Give the page and its fake server, with a standing figure and no messages."""
    return faked


def place(page, link: str) -> tuple[float, float]:
    """Return the position of a link on the page."""
    at = page.evaluate("""name => {
        const { stage } = anthropi, view = stage.views[0], i = view.look.links.findIndex(link => link.name === name);
        const solid = view.look.solids.find(own => own.link === i).pose.slice(12, 15);
        const p = view.point(i, solid).project(stage.cameras.camera), box = stage.canvas.getBoundingClientRect();
        return [box.left + (p.x + 1) / 2 * box.width, box.top + (1 - p.y) / 2 * box.height];
    }""", link)  # fmt: skip
    return at[0], at[1]


def some_link(server) -> str:
    """Return a link that is easy to hit with the pointer."""
    names = [link.name for link in server.figure.links]
    return next(name for name in names if any(part in name for part in ("thorax", "trunk", "thigh")))


def drag(page, start, by) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    for k in range(1, 4):
        page.mouse.move(start[0] + by[0] * k / 3, start[1] + by[1] * k / 3)
        page.wait_for_timeout(60)
    page.mouse.up()


def test_a_figure_stands_and_all_parts_are_there(studio, picture):
    page, _ = studio
    for part in (".column.left", ".column.right", ".stage", ".timeline-place", ".toolbar", ".live-box"):
        assert page.locator(part).is_visible(), part
    root = "document.documentElement"
    assert page.evaluate(f"{root}.scrollWidth <= innerWidth && {root}.scrollHeight <= innerHeight")
    picture(page, "studio standing")


def test_columns_fold_with_keys(studio):
    page, _ = studio
    wide = page.locator(".stage").bounding_box()["width"]
    page.locator(".stage-canvas").focus()
    page.keyboard.press("[")
    page.keyboard.press("]")
    assert page.locator(".stage").bounding_box()["width"] > wide + 400
    page.keyboard.press("[")
    page.keyboard.press("]")
    assert page.locator(".stage").bounding_box()["width"] == wide


def test_the_hand_poses_a_figure_that_stands(studio):
    page, server = studio
    link = some_link(server)
    drag(page, place(page, link), (60, -20))
    page.wait_for_timeout(100)
    sent = server.of("pose_link")
    assert sent and sent[-1]["done"] is True and sent[-1]["link"] == link and sent[-1]["figure"] == 1
    assert all(not one["done"] for one in sent[:-1])
    assert sent[-1]["target"] != sent[0]["target"]


def test_looking_moves_only_the_camera(studio):
    page, server = studio
    page.keyboard.press("v")
    before = page.evaluate("anthropi.stage.cameras.view().eye")
    drag(page, place(page, some_link(server)), (80, 0))
    assert server.received == []
    assert page.evaluate("anthropi.stage.cameras.view().eye") != pytest.approx(before, abs=1e-3)


def test_live_frames_move_the_figure_and_the_hand_pulls(studio, picture):
    page, server = studio
    page.locator(".live-start").click()
    page.wait_for_timeout(100)
    (sent,) = server.of("live_start")
    assert (sent["figure"], sent["dynamics"]) == (1, "walk")
    server.live("running")
    for k in range(6):
        server.frame(k + 1, 0.02 * (k + 1), 0.1 * (k + 1))
    page.wait_for_function("Math.abs(anthropi.app.store.get('time') - 0.12) < 1e-6")
    page.wait_for_function("anthropi.stage.views[0].poses[0] > 0.55")
    assert server.seen and server.seen[-1] == 6  # frames are acknowledged when they are drawn
    assert "running" in page.inner_text(".live-box")
    drag(page, place(page, some_link(server)), (70, 0))
    page.wait_for_timeout(100)
    kinds = [message["kind"] for message in server.received]
    assert "drag_link" in kinds and kinds[-1] == "release_link"
    picture(page, "studio live")


def test_a_push(studio):
    page, server = studio
    server.live("running")
    server.frame(1, 1.0, 0.0)
    page.wait_for_function("anthropi.app.store.get('live')")
    page.keyboard.press("b")
    page.mouse.click(*place(page, some_link(server)))
    page.wait_for_timeout(100)
    (sent,) = server.of("impulse")
    assert sum(x * x for x in sent["impulse"]) ** 0.5 == pytest.approx(15.0, rel=0.2)  # a quarter of 60 N s at 75 kg


def test_space_pauses_the_live_run(studio):
    page, server = studio
    server.live("running")
    page.wait_for_function("anthropi.app.store.get('live')")
    page.keyboard.press("Space")
    page.wait_for_timeout(100)
    assert server.of("live_pause")[0]["paused"] is True


def test_a_motion_is_fetched_and_plays(studio, picture):
    page, server = studio
    server.shown = 1
    server.show_project()
    page.wait_for_function("anthropi.app.store.get('motion').frames > 100 && anthropi.app.store.get('playing')")
    page.keyboard.press("Space")
    picture(page, "studio walk")


def test_keys_are_set_moved_and_removed(studio):
    from anthropi.studio.messages import Key

    page, server = studio
    server.keys = (Key(0.0, {"l_knee": 0.1}), Key(0.5, {"l_knee": 0.9}))
    server.show_project()
    page.wait_for_function("anthropi.app.store.get('project').keys['1'].length === 2")
    page.evaluate("anthropi.app.store.set('selection', { figure: 1, link: null, dof: null })")
    page.keyboard.press("k")
    page.wait_for_timeout(50)
    assert server.of("set_key")[0]["figure"] == 1
    box = page.locator(".tracks").bounding_box()
    x, y = box["x"] + 64 + 0.25 * (box["width"] - 76), box["y"] + 22 + 9
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 0.125 * (box["width"] - 76), y)
    page.mouse.up()
    page.wait_for_timeout(50)
    (moved,) = server.of("move_key")
    assert (moved["time"], moved["to"]) == (0.5, pytest.approx(0.75, abs=0.01))
    page.mouse.click(x, y)
    page.locator(".tracks").focus()
    page.keyboard.press("Delete")
    page.wait_for_timeout(50)
    assert server.of("remove_key")[0]["time"] == 0.5


def test_a_camera_key(studio):
    page, server = studio
    page.keyboard.press("c")
    page.wait_for_timeout(50)
    (sent,) = server.of("set_camera_key")
    assert len(sent["camera"]["eye"]) == 3 and sent["camera"]["mode"] == "follow"


def test_failures_name_link_joint_and_time(studio, picture):
    page, server = studio
    name = server.figure.links[3].name
    server.refuse["set_camera_key"] = {"message": "<i>Too far.</i>", "link": name, "joint": "l_knee", "time": 1.25}
    page.keyboard.press("c")
    toast = page.locator(".toast.error")
    toast.wait_for()
    for words in ("<i>Too far.</i>", f"link {name}", "joint l_knee", "1.250 s"):
        assert words in toast.inner_text()
    picture(page, "studio failure")
    toast.get_by_role("button", name=f"link {name}").click()
    assert page.evaluate("anthropi.app.store.get('selection').link") == 3


def test_examples(studio, picture):
    page, server = studio
    page.get_by_role("button", name="Examples").click()
    picture(page, "studio examples")
    page.locator("[data-example='walk']").click()
    page.wait_for_timeout(50)
    assert server.of("open_example")[0]["name"] == "walk"


def test_the_tour(studio, picture):
    page, _ = studio
    page.keyboard.press("h")
    page.get_by_role("button", name="Tour").click()
    steps = 0
    while page.locator(".tour").count():
        picture(page, f"tour {steps}") if steps < 2 else None
        page.locator(".tour .primary").click()
        steps += 1
    assert steps == 7  # without a motion there are no plots


def test_it_comes_back_when_the_line_breaks(studio):
    page, server = studio
    server.socket.close()
    page.wait_for_function("anthropi.app.connection.status !== 'open'")
    page.wait_for_function("anthropi.app.connection.status === 'open'")


def test_another_motion_is_a_ghost(studio, picture):
    page, _ = studio
    page.get_by_label("Compare", exact=True).click()
    page.get_by_role("menuitemcheckbox", name="A walk").click()
    page.wait_for_function("anthropi.app.store.get('ghost')?.frames > 100")
    picture(page, "studio ghost")
    page.get_by_role("menuitemcheckbox", name="No ghost").click()
    page.wait_for_function("anthropi.app.store.get('ghost') === null")


def test_camera_and_links_by_keys(studio):
    page, _ = studio
    page.locator(".stage-canvas").focus()
    before = page.evaluate("anthropi.stage.cameras.view().eye")
    page.keyboard.press("Control+ArrowLeft")
    page.keyboard.press("+")
    after = page.evaluate("anthropi.stage.cameras.view().eye")
    assert after != pytest.approx(before, abs=1e-2)
    page.keyboard.press("n")
    page.keyboard.press("n")
    assert page.evaluate("anthropi.app.store.get('selection').link") == 1


def test_an_edit_leaves_the_cursor(studio):
    page, server = studio
    page.evaluate("anthropi.app.store.set('time', 0.7)")
    server.show_figure()
    page.wait_for_timeout(100)
    assert page.evaluate("anthropi.app.store.get('time')") == 0.7


def test_a_recorded_motion_cannot_be_dragged_and_says_so(studio):
    page, server = studio
    server.shown = 1
    server.show_project()
    page.wait_for_function("anthropi.app.store.get('motion').frames > 100")
    page.evaluate("anthropi.app.store.set('playing', false)")
    page.wait_for_timeout(300)
    drag(page, place(page, some_link(server)), (60, 0))
    page.wait_for_selector(".toast:has-text('recorded')")
    assert server.of("pose_link") == server.of("drag_link") == []
