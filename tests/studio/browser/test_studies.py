"""The studies page with the real server: a study is found, run, watched, explored, stopped and continued."""

import pytest

from anthropi import study

pytestmark = pytest.mark.slow

TRIAL = """
import math
import time


def trial(speed, push, slope, pause=0.0):
    time.sleep(pause)
    if push > 70.0 and speed > 1.5:
        raise ValueError(f"the walker fell at {speed:.2f} m/s")
    effort = (speed - 1.25) ** 2 + 0.3 * slope**2 + 0.002 * push * math.exp(-speed)
    return {"effort": effort, "steps": int(12 / speed), "gait": "slow" if speed < 1.1 else "fast"}
"""
FILE = """
function = "trial.py:trial"
folder = "out/walks"
constants = { pause = %s }
[latin_hypercube]
count = %d
seed = 4
speed = [0.7, 1.7]
push = [0.0, 90.0]
slope = [-0.8, 0.8]
[run]
chunk_seconds = 0.2
"""


@pytest.fixture(scope="module")
def empty(looking):
    """End the live run, which needs the cores."""
    looking.clear()


@pytest.fixture
def page(empty, studio):
    """Give the page with the studies open and closed again at the end."""
    page = studio.page
    yield page
    if page.locator(".studies").is_visible():
        page.keyboard.press("Escape")
    page.evaluate("document.querySelectorAll('.toast').forEach(own => own.remove())")


def written(studio, pause, count):
    folder = studio.session.folder
    (folder / "trial.py").write_text(TRIAL)
    (folder / "walks.toml").write_text(FILE % (pause, count))
    return folder


def text(page, selector):
    return page.locator(selector).text_content()


def test_a_study_is_run_watched_and_explored(studio, page, picture):
    folder = written(studio, 0.01, 300)
    studio.press("Studies")
    page.locator("[data-study='walks.toml']").click()
    studio.until("document.querySelector('.study-hint').textContent.includes('not been run yet')")
    assert "runs the Python code" in text(page, ".study-run") and studio.button("Stop the study").is_disabled()
    studio.fill("Workers", 1)
    studio.press("Run the study")
    studio.until("/^Running/.test(document.querySelector('.study-state')?.textContent ?? '')")
    studio.until("/[1-9].* of 300 points .* per second · .* left · 1 worker/.test("
                 "document.querySelector('.study-count')?.textContent ?? '')")  # fmt: skip
    assert studio.button("Run the study").is_disabled()
    studio.press("Stop the study")  # as Ctrl-C does
    studio.until("document.querySelector('.study-state').textContent === 'Stopped'")
    studio.until("document.querySelector('.study-run').textContent.includes('was stopped')")
    done = study.read_progress(folder / "out/walks").progress.done
    assert 0 < done < 300
    studio.fill("Workers", 2)
    studio.press("Run the study")
    studio.until("document.querySelector('.study-state').textContent === 'Done'")
    assert text(page, ".study-count").startswith("300 of 300 points · ")
    table = study.read_folder(folder / "out/walks")
    assert f"{len(table.failures)} failed" in text(page, ".study-count") and len(table.failures) > 0

    # the columns of the scatter plot, and a point of it
    assert page.get_by_label("Scatter: up").input_value() == "result:effort"
    studio.choose("Scatter: across", "point:push")
    studio.choose("Scatter: colour", "result:gait")
    studio.until("document.querySelectorAll('.study-scatter .study-key').length === 2")
    studio.choose("Scatter: colour", "point:slope")
    studio.choose("Scatter: across", "point:speed")
    canvas = page.locator(".study-scatter canvas")
    studio.until("!!document.querySelector('.study-ramp')")
    canvas.focus()
    page.keyboard.press("ArrowRight")
    studio.until("document.querySelector('.study-row').textContent.includes('effort')")
    page.keyboard.press("ArrowRight")
    studio.until("document.querySelector('[aria-label=\"Point number\"]').value === '1'")
    studio.until(f"document.querySelector('.study-row').textContent.includes('{table['speed'][1]:.9g}'.slice(0, 8))")
    box = canvas.bounding_box()
    x, y = table["speed"], table["effort"]
    k = int(y[table.status == "done"].argmax())
    k = int((table.status == "done").nonzero()[0][k])  # the highest point
    low, high = y[table.status == "done"].min(), y[table.status == "done"].max()
    at = 0.02 + 0.96 * (x[k] - x.min()) / (x.max() - x.min()), 0.02 + 0.96 * (y[k] - low) / (high - low)
    canvas.click(
        position={"x": 62 + at[0] * (box["width"] - 76), "y": box["height"] - 36 - at[1] * (box["height"] - 44)}
    )
    studio.until(f"document.querySelector('[aria-label=\"Point number\"]').value === '{k}'")

    # the best value so far, and the failures
    best = int(y[table.status == "done"].argmin())
    best = int((table.status == "done").nonzero()[0][best])
    page.locator(".study-best button").click()
    studio.until(f"document.querySelector('[aria-label=\"Point number\"]').value === '{best}'")
    studio.choose("Best is the", "most")
    studio.until("document.querySelector('.study-best').textContent.startsWith('Largest effort')")
    studio.choose("Best is the", "least")
    assert page.locator(".study-failures tbody tr").count() == len(table.failures)
    page.locator(".study-failures tbody button").first.click()
    studio.until("document.querySelector('.study-row').textContent.includes('the walker fell')")

    # brushes, by pointer and by keys
    axis = page.locator("[data-axis='point:speed']")
    part = axis.bounding_box()
    page.mouse.move(part["x"] + 13, part["y"] + 5)
    page.mouse.down()
    page.mouse.move(part["x"] + 13, part["y"] + 0.5 * part["height"], steps=4)
    page.mouse.up()
    studio.until("/ of 300 shown points selected/.test(document.querySelector('.study-parallel header').textContent)")
    page.locator(".study-best button").click()
    studio.until(f"document.querySelector('[aria-label=\"Point number\"]').value === '{best}'")
    picture(page, "studies")
    axis.focus()
    page.keyboard.press("Delete")
    studio.until("document.querySelector('.study-parallel header').textContent.includes('Drag on an axis')")
    page.locator("[data-axis='point:push']").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("ArrowUp")
    studio.until(
        "/^from .* to /.test(document.querySelector(\"[data-axis='point:push']\").getAttribute('aria-valuetext'))"
    )
    studio.press("Clear selection")
    studio.until("document.querySelector(\"[data-axis='point:push']\").getAttribute('aria-valuetext') === 'all'")
    studio.press("Axes")
    page.get_by_role("menuitemcheckbox", name="slope").click()
    studio.until("!document.querySelector(\"[data-axis='point:slope']\")")
    page.keyboard.press("Escape")
    page.evaluate("anthropi.app.store.set('theme', 'light')")
    studio.until("!document.getAnimations().some(own => own.playState === 'running')")
    picture(page, "studies light")
    page.evaluate("anthropi.app.store.set('theme', 'dark')")
    page.keyboard.press("Escape")
    assert not page.locator(".studies").is_visible() and not studio.failures()


def test_a_study_of_another_process_is_shown_while_it_runs(studio, page, picture):
    folder = studio.session.folder / "elsewhere"
    points = study.sobol(64, 1, length=(0.2, 2.0), gravity=(5.0, 10.0))
    page.keyboard.press("Shift+S")
    seen = []

    def watch(progress):
        if not seen:
            studio.fill("Path of a study", "elsewhere")
            studio.until("document.querySelector('.study-state')?.textContent === 'Running in another process'")
            assert studio.button("Run the study").is_disabled() and studio.button("Stop the study").is_disabled()
        seen.append(progress.done)
        if progress.done in (16, 40):
            studio.until(f"document.querySelector('.study-count').textContent.startsWith('{progress.done} of 64')")

    study.Study(study.examples.pendulum_period, points, folder).run("inline", progress=watch, chunk_seconds=1e-9)
    studio.until("document.querySelector('.study-state').textContent === 'Done'")
    assert page.get_by_label("Scatter: up").input_value() == "result:period"
    studio.press("List again")
    studio.until("document.querySelector(\"[data-study='elsewhere']\")?.getAttribute('aria-current') === 'true'")
    studio.fill("Path of a study", "../outside")
    studio.until("!!document.querySelector('.toast.error')")
    assert "leads out" in studio.failures()[0]
