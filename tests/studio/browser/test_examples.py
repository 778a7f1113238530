"""Examples, projects and numbers with the real server: results stay in their project, and refusals are explained."""

import pytest

pytestmark = pytest.mark.slow


def press(studio, words: str, place: str = "body") -> None:
    """Press a button at once. Playwright's own click waits for frames, which are slow without a graphics card."""
    studio.page.evaluate(
        "([place, words]) => [...document.querySelectorAll(`${place} button`)].filter(own => "
        "own.textContent.trim() === words || own.ariaLabel === words).at(-1).click()",
        [place, words],
    )


def example(studio, name: str) -> None:
    """Open an example from the gallery."""
    press(studio, "Examples")
    studio.page.evaluate("name => document.querySelector(`[data-example='${name}']`).click()", name)


def test_results_of_an_example_do_not_reach_the_next_one(studio):
    """Two examples are opened one after the other without waiting. Only the result of the last one arrives."""
    studio.clear()
    example(studio, "tired walk")
    studio.until("anthropi.app.store.get('project').name === 'tired walk'")
    with studio.new_motion("direct"):
        example(studio, "double pendulum")
    studio.session.tasks.wait(60.0)
    assert [x.title for x in studio.session.project.motions] == ["direct dynamics"]
    assert studio.get("project.name") == "double pendulum" and not studio.failures()


def test_opening_asks_before_it_replaces_unsaved_work_and_undo_restores_the_name(studio):
    studio.clear()
    studio.sample("double_pendulum")
    studio.page.evaluate("anthropi.app.run('set_gravity', { gravity: [0, 0, -2] })")
    studio.until("anthropi.app.store.get('project').touched")
    asked = "!!document.querySelector('dialog[aria-label^=Replace]')"
    example(studio, "double pendulum")
    studio.until(asked)
    press(studio, "Cancel", "dialog")
    assert studio.get("project.name") == "double_pendulum"
    example(studio, "double pendulum")
    studio.until(asked)
    press(studio, "Replace", "dialog")
    studio.until("anthropi.app.store.get('project').name === 'double pendulum'")
    assert studio.get("project.touched") is False
    studio.session.tasks.wait(60.0)
    for _ in studio.session.before[-2:]:  # the computed motion, and the opening
        press(studio, "Undo")
    studio.until("anthropi.app.store.get('project').name === 'double_pendulum'")
    assert studio.get("project.world.gravity[2]") == -2


def test_the_waving_arm_stays_outside_the_body(studio):
    """Hand and forearm stay on their side: to the right of the chest, and in front of its back."""
    studio.clear()
    with studio.new_motion("keys"):
        example(studio, "waving human")
    inside = studio.page.evaluate("""() => {
        const motion = anthropi.app.store.get('motion'), look = motion.figures[0].appearance.links;
        const link = name => look.findIndex(own => own.name === name), table = motion.table('poses/0');
        let least = 9, highest = 0;
        for (let i = 0; i < motion.frames; i++) for (const name of ['r_forearm', 'r_hand']) {
            const at = k => table.data[i * table.stride + 7 * link(name) + k];
            least = Math.min(least, -at(1));
            highest = Math.max(highest, at(2));
        }
        return [least, highest];
    }""")
    assert inside[0] > 0.17 and inside[1] > 1.5  # [m] the chest reaches 0.16 m to the right


def test_a_run_without_numbers_has_a_plan_and_a_wrong_number_is_explained(studio):
    studio.clear()
    studio.sample("human")
    press(studio, "Gait")
    press(studio, "run", ".sheet-panel")
    studio.until("document.querySelector('.plan').textContent.includes('running')")
    assert studio.page.locator(".plan.field-error").count() == 0
    studio.fill("Step frequency", 100)
    studio.until("!!document.querySelector('.plan.field-error')")
    words = studio.page.locator(".plan").inner_text()
    assert "GaitPlan" not in words and "=" not in words and words.startswith("A step frequency of 100")
    press(studio, "Close this panel")


def test_a_negative_mass_is_refused_with_words_and_the_label_follows_the_mass(studio):
    studio.clear()
    studio.sample("double_pendulum")
    studio.command("Build Structure")
    mass = studio.page.get_by_label("Mass", exact=True).locator("visible=true").first
    before = mass.input_value()
    studio.fill("Mass", -2)
    assert mass.input_value() == before
    assert "-2 kg was refused. Enter 0 or more." in studio.page.locator(".field-error:visible").first.inner_text()
    studio.fill("Mass", 3)
    studio.until("document.querySelector('.joint-words').textContent.endsWith('3.00 kg')")
    press(studio, "Done")


def test_the_push_of_a_pushed_walker_is_drawn(studio):
    """The first push begins at 3 s; here it acts from the start and does not end, so that the test need not wait."""
    studio.clear()
    example(studio, "pushed human")
    studio.until("anthropi.app.store.get('live')")
    assert studio.get("project.forces.length") == 4
    studio.page.evaluate("""() => { const { force, vector } = anthropi.app.store.get('project').forces[0];
        return anthropi.app.run('change_force', { force, vector, start: 0, end: 1000 }); }""")
    studio.until("anthropi.stage.loads.shown.length === 1")
    assert studio.page.evaluate("Math.abs(anthropi.stage.loads.shown[0].along.y)") > 0.1
    studio.clear()


def test_the_gallery_shows_pictures_of_the_examples(studio):
    """Each example has its own part of the sheet of the present theme."""
    studio.clear()
    press(studio, "Examples")
    studio.until("document.querySelectorAll('.card-picture.drawn').length >= 10")
    places = studio.page.evaluate(
        "[...document.querySelectorAll('.card-picture.drawn')].map(own => getComputedStyle(own).backgroundPosition)"
    )
    assert len(set(places)) == len(places)
    press(studio, "Close", "dialog")
