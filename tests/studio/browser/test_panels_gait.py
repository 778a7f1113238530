"""The gait panel and the live controls with the real server: two styles, numbers, torque profiles, pushes."""

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def person(looking):
    """Give the studio with a human."""
    looking.clear()
    looking.sample("human")
    return looking


@pytest.fixture
def gait(person, studio):
    """Give the studio with the gait panel open."""
    if not studio.page.locator(".levels").is_visible():
        studio.press("Gait")
    return studio


def test_words_are_explained_as_they_are_typed(gait, picture):
    studio, page = gait, gait.page
    words = page.locator("textarea.words")
    words.fill("walk happily; turn left")
    studio.until("document.querySelector('.explained').textContent.includes('happily')")
    words.fill("hop wildly")
    studio.until("document.querySelector('.explained').classList.contains('field-error')")
    picture(page, "gait words")
    words.fill("walk happily; turn left")
    words.blur()
    studio.until("anthropi.app.store.get('project').gait.words.includes('happily')")
    assert page.get_by_text("The words of level 1 are used instead").is_visible()
    studio.press("Use numbers")
    studio.until("anthropi.app.store.get('project').gait.words === ''")


def test_any_one_or_two_numbers_give_the_others(gait):
    studio, page = gait, gait.page
    studio.fill("Velocity", 1.2)
    studio.until("anthropi.app.store.get('project').gait.velocity === 1.2")
    studio.until("document.querySelector('.plan').textContent.startsWith('1.20 m/s = 0.71 m × 101/min')")
    studio.fill("Step length", 0.6)
    studio.until("document.querySelector('.plan').textContent.startsWith('1.20 m/s = 0.60 m × 120/min')")
    studio.fill("Step frequency", 100)  # a third number clears the one that was given first
    studio.until("document.querySelector('.plan').textContent.startsWith('1.00 m/s = 0.60 m × 100/min')")
    assert studio.get("project.gait")["velocity"] is None
    for label in ("Step length", "Step frequency"):
        page.get_by_label(label, exact=True).fill("")
        page.get_by_label(label, exact=True).press("Enter")
        page.wait_for_timeout(200)
    studio.until("anthropi.app.store.get('project').gait.step_frequency === null")


def test_determinants_have_limits(gait):
    studio, page = gait, gait.page
    studio.fill("Pelvic rotation amplitude", 6)
    studio.until("Math.abs(anthropi.app.store.get('project').gait.determinants.pelvic_rotation?.amplitude - 0.1047)"
                 " < 1e-3")  # fmt: skip
    page.get_by_label("Pelvic tilt on", exact=True).uncheck()
    studio.until("anthropi.app.store.get('project').gait.determinants.pelvic_tilt?.on === false")
    studio.press("Default determinants")
    studio.until("Object.keys(anthropi.app.store.get('project').gait.determinants).length === 0")


def test_it_walks_in_two_styles(gait, picture):
    studio, page = gait, gait.page
    studio.fill("Number of steps", 4)
    ways = {}
    for style in ("natural", "tired"):
        page.locator(f".level [data-style='{style}']").click()
        studio.until(f"anthropi.app.store.get('project').gait.style === '{style}'")
        with studio.new_motion("walk"):
            studio.press("Walk")
        head = "motion.figures[0].appearance.links.findIndex(own => own.name === 'head')"
        ways[style] = page.evaluate(f"""() => {{ const motion = anthropi.app.store.get('motion');
            const out = new Float32Array(7 * motion.figures[0].appearance.links.length);
            const x = motion.poses(0, motion.end, out)[0], z = out[7 * ({head}) + 2];
            return [x / motion.end, z]; }}""")
        picture(page, f"gait {style}")
    assert ways["tired"][0] < ways["natural"][0]  # slower
    assert ways["tired"][1] < ways["natural"][1]  # the head lower
    assert page.evaluate("anthropi.app.store.get('motion').header.events.length") > 3


def a_walk(studio) -> dict:
    """Return a walk of the human, computed by another test or here."""
    if not (made := [motion for motion in studio.get("project.motions") if motion["kind"] == "walk"]):
        studio.fill("Number of steps", 4)
        with studio.new_motion("walk"):
            studio.press("Walk")
        made = studio.get("project.motions")
    return made[0]


def test_a_torque_profile_is_edited_and_run_again(gait, picture):
    studio, page = gait, gait.page
    walk = a_walk(studio)
    assert walk["has_forces"]
    studio.choose("Motion of the profiles", str(walk["motion"]))
    studio.press("Get profiles")
    studio.until("!!document.querySelector('.profiles .point')")
    studio.choose("Torque of", "l_elbow.flexion")
    point = page.locator(".profiles .point").nth(6)
    point.focus()
    studio.until("document.querySelectorAll('.profiles .ghost').length === 1")
    before = float(point.get_attribute("aria-valuenow"))
    page.evaluate("anthropi.app.store.set('project', { ...anthropi.app.store.get('project') })")  # drawn anew
    for _ in range(4):
        page.keyboard.press("Shift+ArrowUp")
    studio.until(f"anthropi.app.store.get('project').profiles['{walk['motion']}']"
                 f".find(own => own.dof === 'l_elbow.flexion').values[6] > {before} + 0.1")  # fmt: skip
    picture(page, "gait torques")
    with studio.new_motion("profiles"):
        studio.press("Run again")
    assert studio.get("motion.end") > 1.0
    picture(page, "gait torques run")


def test_it_is_pushed_while_it_walks(gait, picture):
    studio, page = gait, gait.page
    page.get_by_role("button", name="Close this panel").click()
    studio.tab("live")
    studio.press("Start the live run")
    studio.until("anthropi.app.store.get('run')?.state === 'running' && anthropi.app.store.get('time') > 1")
    page.locator("select[aria-label='Live style']").select_option("happily")
    studio.until("anthropi.app.store.get('run').style === 'happily'")
    studio.fill("Walking speed", 1.1)
    studio.until("Math.abs(anthropi.app.store.get('run').speed - 1.1) < 1e-6")
    page.evaluate("anthropi.app.store.patch('selection', { link: 0 })")
    studio.fill("Push", 15)
    studio.press("Push left")
    page.wait_for_timeout(300)
    now = studio.get("time")
    studio.until(f"anthropi.app.store.get('time') > {now} + 2")
    assert not studio.get("run")["fallen"]
    picture(page, "live pushed")
    studio.press("Turn left")
    studio.until("Math.abs(anthropi.app.store.get('run').heading - Math.PI / 4) < 1e-6")
    with studio.new_motion("live"):
        studio.press("Stop the live run")
    assert studio.get("motion.end") > 3


def test_numbers_act_while_it_moves(gait):
    studio, page = gait, gait.page
    studio.tab("live")
    studio.press("Start the live run")
    studio.until("anthropi.app.store.get('run')?.state === 'running' && anthropi.app.store.get('time') > 0.3")
    section = page.locator("details", has=page.get_by_text("Numbers", exact=True)).last
    if not section.evaluate("own => own.open"):
        section.locator("summary").click()
    page.get_by_label("Search numbers").fill("thorax.mass")
    before = studio.figure()["mass"]
    slider = page.locator("[data-at='thorax.mass slider']")
    slider.focus()
    page.keyboard.press("PageUp")
    studio.until("anthropi.app.store.get('figures').get(anthropi.app.store.get('selection').figure).mass"
                 f" > {before} + 0.5")  # fmt: skip
    assert studio.get("run")["state"] == "running"
    studio.press("Pause the live run")
    studio.until("anthropi.app.store.get('run').state === 'paused'")
    studio.press("Stop the live run")
    studio.until("anthropi.app.store.get('run').state === 'stopped'")
    assert not studio.failures()
