"""Build Structure in a browser with the real server: a new figure is built, edited and simulated."""

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture
def fresh(studio):
    """Give the studio with an empty project and the editor closed."""
    studio.clear()
    if studio.page.locator(".editor").is_visible():
        studio.press("Done")
    return studio


def build(studio, names=("arm", "hand")) -> None:
    """Build a figure of a base and a chain of links."""
    studio.page.locator("[data-command='Build Structure']").click()
    studio.page.locator(".editor-head [data-choice='tree']").click()
    studio.page.locator(".editor-empty").get_by_role("button", name="New figure").click()
    studio.page.locator(".tree-row").wait_for()
    for count, name in enumerate(names, 2):
        studio.page.get_by_label("Name of the new link").fill(name)
        studio.choose("Joint of the new link", "ball" if name == "arm" else "revolute")
        studio.press("Add the link")
        studio.until(f"document.querySelectorAll('.tree-row').length === {count}")
        studio.until(f"document.querySelector('.tree-row.on .tree-name').textContent === '{name}'")


def test_three_links_from_nothing_are_simulated(fresh, picture):
    studio, page = fresh, fresh.page
    build(studio)
    figure = studio.figure()
    assert [link["name"] for link in figure["document"]["link"]] == ["link1", "arm", "hand"]
    assert len(figure["dofs"]) == 4  # a weld, a ball and a hinge
    picture(page, "build three links")

    page.locator(".tree-row", has_text="hand").click()
    studio.fill("Mass", 2.5)
    studio.until("anthropi.app.store.get('figures').get(anthropi.app.store.get('selection').figure).mass > 4.5")
    assert studio.figure()["document"]["link"][2]["mass"] == pytest.approx(2.5)

    page.locator(".tree-row", has_text="arm").click()
    studio.choose("Rotation order of the joint", "zyx")
    studio.until('document.querySelector(\'[data-row="arm.z"], [data-row="arm.0"], .dof-table tbody tr\')')
    studio.until("[...document.querySelectorAll('.tree-row')].some(own => own.textContent.includes('euler'))")
    assert studio.figure()["document"]["joint"][1]["order"] == "zyx"
    picture(page, "build rotation order")

    studio.press("Done")
    studio.command("Direct Dynamics – No Contact")
    studio.fill("Duration of direct dynamics", 1)
    with studio.new_motion("direct"):
        studio.press("Run direct dynamics")
    assert studio.get("motion.end") == pytest.approx(1.0, abs=0.02)
    moved = page.evaluate("""() => {
        const motion = anthropi.app.store.get('motion'), first = new Float32Array(21), last = new Float32Array(21);
        motion.poses(0, motion.start, first);
        motion.poses(0, motion.end, last);
        return Math.hypot(...[14, 15, 16].map(i => last[i] - first[i]));
    }""")
    assert moved > 0.1  # the hand fell
    picture(page, "build simulated")


def test_what_is_wrong_is_said_as_it_is_typed(fresh, picture):
    studio, page = fresh, fresh.page
    build(studio)
    page.get_by_label("Name of the link", exact=True).fill("arm")  # the hand cannot have the name of its parent
    page.locator(".field-error:visible").wait_for()
    picture(page, "build wrong name")
    page.get_by_label("Name of the link", exact=True).press("Escape")
    field = page.get_by_label("Mass", exact=True)
    field.fill("-3")
    page.locator(".field-error:visible").wait_for()
    field.press("Escape")
    assert page.locator(".field-error:visible").count() == 0
    assert studio.figure()["document"]["link"][2]["mass"] == pytest.approx(1.08)


def test_links_are_renamed_hung_elsewhere_removed_and_all_is_undone(fresh, picture):
    studio, page = fresh, fresh.page
    build(studio, ("arm", "hand", "finger"))
    studio.fill("Name of the link", "thumb")
    studio.until("[...document.querySelectorAll('.tree-name')].some(own => own.textContent === 'thumb')")

    page.locator(".editor-head [data-choice='table']").click()
    page.locator("[data-cell='finger/arm']").click()  # the joint still has its first name
    studio.until("!!document.querySelector('[data-cell=\"finger/arm\"].parent')")
    assert studio.figure()["document"]["joint"][3]["parent"] == "arm"
    picture(page, "build table")

    page.locator(".editor-head [data-choice='tree']").click()
    studio.choose("Parent", "link1")
    studio.until("anthropi.app.store.get('figures').get(anthropi.app.store.get('selection').figure)"
                 ".document.joint[3].parent === 'link1'")  # fmt: skip

    page.locator(".tree-row", has_text="thumb").click()
    page.keyboard.press("Delete")
    studio.until("document.querySelectorAll('.tree-row').length === 3")
    for _ in range(2):
        page.keyboard.press("Control+z")
        page.wait_for_timeout(200)
    studio.until("anthropi.app.store.get('figures').get(anthropi.app.store.get('selection').figure)"
                 ".document.joint[3]?.parent === 'arm'")  # fmt: skip
    page.keyboard.press("Control+Shift+z")
    studio.until("anthropi.app.store.get('figures').get(anthropi.app.store.get('selection').figure)"
                 ".document.joint[3].parent === 'link1'")  # fmt: skip
    assert not studio.failures()


def test_limits_spring_stop_and_start_are_set_in_the_table(fresh):
    studio = fresh
    build(studio)
    for label, value in (("hand lower limit", -30), ("hand upper limit", 90), ("hand spring", 12), ("hand start", 45)):
        studio.fill(label, value)
        studio.page.wait_for_timeout(150)
    studio.until("anthropi.app.store.get('figures').get(anthropi.app.store.get('selection').figure)"
                 ".dofs.find(own => own.name === 'hand').value > 0.7")  # fmt: skip
    dof = studio.dof("hand")
    assert (dof["lower"], dof["upper"]) == (pytest.approx(-0.5236, abs=1e-4), pytest.approx(1.5708, abs=1e-4))
    assert dof["stiffness"] == 12 and dof["value"] == pytest.approx(0.7854, abs=1e-4)
    studio.page.get_by_text("Stop at the limits").click()
    studio.choose("Stop", "power")
    studio.until("!!anthropi.app.store.get('figures').get(anthropi.app.store.get('selection').figure)"
                 ".document.joint[2].stop")  # fmt: skip
    assert not studio.failures()


def test_the_text_is_checked_and_applied(fresh, picture):
    studio, page = fresh, fresh.page
    build(studio)
    page.locator(".editor-head [data-choice='text']").click()
    area = page.get_by_label("figure.toml")
    text = area.input_value()
    area.fill(text.replace("[[link]]", "[[lnk]]", 1))
    page.locator(".text-panel .field-error").wait_for()
    picture(page, "build text wrong")
    area.fill(text.replace('name = "figure"', 'name = "crane"', 1))
    area.press("Control+Enter")
    studio.until("anthropi.app.store.get('project').figures[0].name === 'crane'")


def test_the_figure_is_saved_and_opened_again(fresh):
    studio, page = fresh, fresh.page
    build(studio)
    studio.button("Save …").click()
    page.get_by_label("Name in the workspace").fill("built.toml")
    page.locator("dialog").get_by_role("button", name="Save", exact=True).click()
    studio.until("!document.querySelector('dialog')")
    assert (studio.session.folder / "built.toml").read_text(encoding="utf-8").startswith("format")
    studio.press("Done")
    studio.clear()
    studio.press("Open")
    page.locator("[data-file='built.toml']").click()
    studio.until("anthropi.app.store.get('project').figures[0]?.links === 3")
    assert not studio.failures()
