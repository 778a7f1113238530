"""The command menu and the panel of degrees of freedom, with the real server."""

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture
def pendulum(studio):
    """Give the studio with a double pendulum."""
    studio.clear()
    studio.sample("double_pendulum")
    return studio


@pytest.fixture
def arm(studio):
    """Give the studio with an arm of six hinges on a free body."""
    studio.clear()
    studio.sample("floating_arm6")
    return studio


def joint(studio, name: str) -> None:
    studio.tab("dofs")
    studio.page.locator(".dof-window [data-choice='joint']").click()
    studio.choose("Joint", name)


def names(studio) -> list[str]:
    return [dof["name"] for dof in studio.figure()["dofs"]]


def test_every_entry_of_the_thesis_menu_is_there(pendulum, picture):
    wanted = ["Build Structure", "HYBRID Dynamics", "Direct Dynamics – No Contact", "Direct Contact Dynamics",
              "Set View Point", "Root Characteristics", "Another Frame", "Degrees of Freedom",
              "Change Root"]  # fmt: skip
    shown = pendulum.page.locator("[data-command]").all_inner_texts()
    assert [text.strip() for text in shown] == wanted
    picture(pendulum.page, "panels menu")


def test_every_control_of_the_panels_has_help_and_a_name(pendulum):
    """Every control has a tooltip, also hidden ones."""
    bare = pendulum.page.evaluate("""() => {
        const places = document.querySelectorAll('.column-content, .sheet-panel, .bar-panels');
        const all = [...places].flatMap(own => [...own.querySelectorAll('button, input, select, textarea, summary')]);
        const helped = own => own.closest('[data-help]'), named = own => own.getAttribute('aria-label')
            || own.textContent.trim() || own.closest('label')?.textContent.trim();
        return all.filter(own => !helped(own) || !named(own)).map(own => own.outerHTML.slice(0, 160));
    }""")
    assert bare == []


def test_a_slider_sets_a_degree_of_freedom_and_a_lock_holds_it(pendulum, picture):
    studio, page = pendulum, pendulum.page
    first, second = names(studio)
    joint(studio, studio.dof(first)["joint"])
    slider = page.locator(f"[data-dof='{first}'] input[type=range]")
    slider.focus()
    for _ in range(4):
        page.keyboard.press("PageUp")
    studio.until(f"anthropi.app.store.get('figures').get(anthropi.app.store.get('selection').figure)"
                 f".dofs.find(own => own.name === '{first}').value > 0.1")  # fmt: skip
    studio.until("anthropi.app.store.get('project').undo.includes('set')")  # sent after the figure
    studio.fill(f"{first} value", 40)
    studio.until(f"Math.abs(anthropi.app.store.get('figures').get(anthropi.app.store.get('selection').figure)"
                 f".dofs.find(own => own.name === '{first}').value - 0.698) < 1e-3")  # fmt: skip
    studio.press(f"Lock {first}")
    studio.until("!!document.querySelector('.dof.locked')")
    assert studio.dof(first)["locked"] and not studio.dof(second)["locked"]
    picture(page, "panels locked")
    with studio.new_motion("direct"):
        studio.press("Run Direct Dynamics – No Contact")
    turned = page.evaluate("""() => { const motion = anthropi.app.store.get('motion'), out = new Float32Array(14);
        const a = [...motion.poses(0, motion.start, out)], b = motion.poses(0, motion.end, out);
        return [3, 10].map(i => Math.hypot(...[0, 1, 2, 3].map(k => a[i + k] - b[i + k]))); }""")
    assert turned[0] < 1e-5 < 0.05 < turned[1]  # the first is locked, the second swings
    studio.page.locator("[data-motion='none']").click()
    studio.press(f"Lock {first}")
    studio.until("!document.querySelector('.dof.locked')")


def test_limits_springs_dampers_and_drives_of_a_joint(pendulum):
    studio, page = pendulum, pendulum.page
    first = names(studio)[0]
    joint(studio, studio.dof(first)["joint"])
    for what, value in (("lower limit", -90), ("upper limit", 90), ("stiffness", 5), ("damping", 0.5), ("rest", 10)):
        studio.fill(f"{first} {what}", value)
        page.wait_for_timeout(120)
    studio.until(f"anthropi.app.store.get('figures').get(anthropi.app.store.get('selection').figure)"
                 f".dofs.find(own => own.name === '{first}').rest > 0.1")  # fmt: skip
    dof = studio.dof(first)
    assert (dof["stiffness"], dof["damping"]) == (5, 0.5)
    assert dof["upper"] == pytest.approx(1.5708, abs=1e-4)
    drive = page.get_by_role("group", name=f"Drive of {first}")
    drive.get_by_role("button", name="Force").click()
    studio.fill(f"{first} driving force", 3)
    studio.until("Object.values(anthropi.app.store.get('project').controls)[0]"
                 f"?.['{first}']?.formula === '3.0'")  # fmt: skip
    drive.get_by_role("button", name="Motion").click()
    studio.until(f"anthropi.app.store.get('figures').get(anthropi.app.store.get('selection').figure)"
                 f".dofs.find(own => own.name === '{first}').drive === 'motion'")  # fmt: skip
    drive.get_by_role("button", name="Free").click()
    studio.until("Object.keys(anthropi.app.store.get('project').controls).length === 0")
    assert not studio.failures()


def test_a_force_on_a_link_moves_it(arm, picture):
    studio, page = arm, arm.page
    studio.tab("forces")
    link = studio.figure()["document"]["link"][0]["name"]
    studio.choose("Force applied on link", link)
    studio.fill("Size of the force", 45)
    page.get_by_role("group", name="Direction of the applied force").get_by_role("button", name="Y").click()
    studio.press("Apply the force")
    studio.until("anthropi.app.store.get('project').forces.length === 1")
    force = studio.get("project.forces")[0]
    assert (force["link"], force["vector"]) == (link, [0, 45, 0])
    picture(page, "panels force")
    with studio.new_motion("direct"):
        studio.press("Run Direct Dynamics – No Contact")
    y = page.evaluate("""() => { const motion = anthropi.app.store.get('motion');
        return motion.poses(0, motion.end, new Float32Array(7 * motion.figures[0].appearance.links.length))[1]; }""")
    assert y > 0.3  # nothing else pushes it
    studio.press(f"Remove the force on {link}")
    studio.until("anthropi.app.store.get('project').forces.length === 0")


def test_the_three_dynamics_and_frames_one_by_one(pendulum, picture):
    studio, page = pendulum, pendulum.page
    first = names(studio)[0]
    joint(studio, studio.dof(first)["joint"])
    studio.fill(f"{first} value", 60)
    studio.command("Direct Contact Dynamics")
    studio.fill("Duration of contact dynamics", 1)
    with studio.new_motion("contact"):
        studio.press("Run contact dynamics")
    studio.command("Direct Dynamics – No Contact")
    studio.fill("Duration of direct dynamics", 1)
    with studio.new_motion("direct"):
        studio.press("Run direct dynamics")
    studio.command("HYBRID Dynamics")
    studio.choose("Desired motion", str(studio.get("project.shown")))
    with studio.new_motion("hybrid"):
        studio.press("Run hybrid dynamics")
    assert studio.get("project.motions")[-1]["has_forces"]
    picture(page, "panels three dynamics")

    page.locator("[data-motion='none']").click()
    studio.until("anthropi.app.store.get('project').shown === null")
    studio.command("Another Frame")
    with studio.new_motion("frame"):
        studio.press("Compute another frame")
    frames = studio.get("motion.frames")
    for _ in range(3):
        studio.press("Compute another frame")
        frames += 1
        studio.until(f"anthropi.app.store.get('motion').frames === {frames}")
    assert studio.get("time") == pytest.approx(studio.get("motion.end"))


def test_frames_are_stepped_and_scrubbed(pendulum):
    studio, page = pendulum, pendulum.page
    with studio.new_motion("direct"):
        studio.press("Run Direct Dynamics – No Contact")
    page.evaluate("anthropi.app.store.set('playing', false), anthropi.app.store.set('time', 0)")
    page.get_by_label("One frame forward").click()
    page.get_by_label("One frame forward").click()
    assert studio.get("time") == pytest.approx(0.02, abs=1e-4)
    page.get_by_label("One frame back").click()
    assert studio.get("time") == pytest.approx(0.01, abs=1e-4)
    box = page.locator(".tracks").bounding_box()
    middle = box["x"] + 64 + 0.5 * (box["width"] - 76)
    page.mouse.move(middle - 40, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(middle, box["y"] + 8)
    page.mouse.up()
    assert studio.get("time") == pytest.approx(0.5 * studio.get("motion.end"), abs=0.03)


def test_the_root_is_changed_placed_and_held(arm, picture):
    studio, page = arm, arm.page
    links = [link["name"] for link in studio.figure()["document"]["link"]]
    studio.command("Change Root")
    studio.choose("New root", links[-1])
    studio.press("Change the root")
    studio.until(f"anthropi.app.store.get('figures').get(anthropi.app.store.get('selection').figure)"
                 f".document.root === '{links[-1]}'")  # fmt: skip
    studio.command("Root Characteristics")
    studio.fill("Position z", 1.5)
    studio.fill("Velocity x", 0.4)
    studio.until("Math.abs(anthropi.app.store.get('figures').get(anthropi.app.store.get('selection').figure)"
                 ".dofs.find(own => own.name.endsWith('px')).rate - 0.4) < 1e-9")  # fmt: skip
    page.get_by_label("Root may move: z", exact=True).uncheck()
    studio.until("anthropi.app.store.get('figures').get(anthropi.app.store.get('selection').figure)"
                 ".dofs.find(own => own.name.endsWith('pz')).drive === 'motion'")  # fmt: skip
    picture(page, "panels root")
    assert not studio.failures()


def test_the_view_point_in_numbers(pendulum):
    studio, page = pendulum, pendulum.page
    studio.command("Set View Point")
    page.get_by_role("group", name="Sides").get_by_role("button", name="Front").click()
    studio.fill("Camera position z", 2.5)
    studio.fill("Field of view", 50)
    view = page.evaluate("anthropi.stage.cameras.view()")
    assert view["eye"][2] == pytest.approx(2.5, abs=1e-3) and view["field"] == 50


def test_keys_are_curves(pendulum, picture):
    studio, page = pendulum, pendulum.page
    first = names(studio)[0]
    joint(studio, studio.dof(first)["joint"])
    studio.press(f"Keys of {first}")
    curve = page.get_by_label("Curve", exact=True)
    for t, degrees in ((0, 0), (0.5, 50), (1, -20)):
        page.evaluate(f"anthropi.app.store.set('time', {t})")
        studio.press("Add a point")
        studio.until(f"document.querySelector('[aria-label=\"Point time\"]').value === '{t}'")
        studio.fill("Point value", degrees)
        page.wait_for_timeout(200)
    studio.until("Object.values(anthropi.app.store.get('project').keys)[0]?.length === 3")
    curve.locator(".point").nth(1).focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    studio.until(f"Object.values(anthropi.app.store.get('project').keys)[0][1].values['{first}'] > 0.88", 10)
    keys = studio.page.evaluate("Object.values(anthropi.app.store.get('project').keys)[0]")
    assert keys[1]["time"] == pytest.approx(0.5075, abs=1e-4)  # three times 1/400 of the shown range
    picture(page, "panels keys")
    with studio.new_motion("keys"):
        page.locator(".curves-side").get_by_role("button", name="Interpolate").click()
    curve.locator(".point").nth(2).focus()
    page.keyboard.press("Delete")
    studio.until("Object.values(anthropi.app.store.get('project').keys)[0].length === 2")
    page.keyboard.press("Escape")
    assert not studio.failures()


def test_a_control_function_drives_a_degree_of_freedom(pendulum, picture):
    studio, page = pendulum, pendulum.page
    first = names(studio)[0]
    joint(studio, studio.dof(first)["joint"])
    studio.press(f"Curve of {first}")
    studio.choose("Quantity", "position")
    studio.fill("Formula of t", "0.5*sin(2*pi*t)")
    studio.until("Object.values(Object.values(anthropi.app.store.get('project').controls)[0] ?? {})[0]"
                 "?.formula.includes('sin')")  # fmt: skip
    studio.until("!!document.querySelector('.curves-panel .ghost')")  # the formula is drawn
    page.wait_for_timeout(300)
    picture(page, "panels control function")
    with studio.new_motion("direct"):
        studio.press("Run Direct Dynamics – No Contact")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Close this panel").click()
    assert not studio.failures()
