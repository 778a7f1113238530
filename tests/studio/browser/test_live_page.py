"""Live pages in Chromium, opened from disk: the simulation runs in the page, and its bits are those of wasmtime.

The clock of the page is paused, and the tests advance the simulation by given times: the load does not matter.
"""

import numpy as np
import pytest

import anthropi as ap
from anthropi.formats.pages.live_page import LiveSimulation
from studio.browser.conftest import content, new_page, shoot, until

pytestmark = pytest.mark.slow
DIRECTIONS = ("ahead", "back", "left", "right", "ahead and left", "ahead and right", "back and left", "back and right")


def opened(chromium, file, **options):
    page = new_page(chromium, **options)
    page.requests = []
    page.on("request", lambda request: page.requests.append(request.url))
    page.goto(file.as_uri())
    until(page, "!!globalThis.anthropi?.run && anthropi.run.state.state === 'running'")
    page.evaluate("anthropi.run.pause(true)")
    return page


@pytest.fixture(scope="module")
def session():
    return ap.WalkingSession(ap.human(), start="walk")


@pytest.fixture(scope="module")
def file(session, tmp_path_factory):
    return ap.live_page(session, tmp_path_factory.mktemp("live") / "walk.html", title="A live walk")


@pytest.fixture(scope="module")
def walking(chromium, file):
    page = opened(chromium, file)
    yield page
    page.context.close()


@pytest.fixture
def walk(walking):
    """Give the page of the walker, paused and restarted."""
    advance(walking, 0.0)
    walking.evaluate("""() => {
        anthropi.run.order({ kind: 'walk', command: { go: true, speed: 1.3, heading: 0, style: 'natural' } });
        anthropi.run.setSlope(0);
        anthropi.run.order({ kind: 'restart' });
        anthropi.run.order({ kind: 'pause', paused: true });
    }""")
    yield walking
    content(walking)


def advance(page, seconds, log=False):
    return page.evaluate(f"anthropi.run.advance({seconds}, {str(log).lower()})")


def test_a_page_from_disk_requests_nothing_and_is_small(walk, file):
    assert all(url.startswith(("file:", "blob:")) for url in walk.requests)
    assert file.stat().st_size < 2.5e6
    policy = walk.evaluate("document.querySelector('meta[http-equiv=Content-Security-Policy]').content")
    assert "default-src 'none'" in policy and "unsafe-eval" not in policy.replace("wasm-unsafe-eval", "")


def test_the_bits_are_those_of_wasmtime(walk, session):
    """Every call of the step in the browser, repeated in Python, gives the input of the next call."""
    walk.click("[aria-label='Push left']")
    found = advance(walk, 0.25, log=True)
    calls = found["log"]
    assert len(calls) > 10
    forces = [
        (np.linalg.norm(np.reshape(call["inputs"]["f_ext"], (-1, 6))[:, 3:], axis=-1).sum(), call["steps"])
        for call in calls
    ]
    assert sum(force * steps * 1e-3 for force, steps in forces) == pytest.approx(40.0, rel=1e-9)  # [N s], as asked
    kernel = LiveSimulation(session.simulation).step_kernel()
    shapes = {slot.name: slot.shape for slot in kernel.inputs}
    for call, after in zip(calls, [*calls[1:], {"inputs": {"q": found["q"]}}], strict=True):
        given = {name: np.reshape(x, shapes[name]) for name, x in call["inputs"].items()}
        state = kernel(**given)[0]
        for name in ("q", "u", "memory", "count"):
            if name in after["inputs"]:
                assert np.ravel(state[name]).tobytes() == np.array(after["inputs"][name], float).tobytes(), name


def test_the_same_inputs_give_the_same_bits(walk):
    ends = []
    for _ in range(2):
        walk.evaluate("anthropi.run.order({ kind: 'restart' })")
        walk.click("[aria-label='Push ahead']")
        ends.append(advance(walk, 1.0)["q"])
    assert ends[0] == ends[1]


@pytest.mark.slow
def test_pushes_from_eight_directions_are_caught(walk):
    walk.fill("[aria-label='Impulse of a push']", "40")
    for direction in DIRECTIONS:
        walk.evaluate("anthropi.run.order({ kind: 'restart' })")
        advance(walk, 1.0)
        before = advance(walk, 0.0)["q"]
        walk.click(f"[aria-label='Push {direction}']")
        after = advance(walk, 4.0)
        assert not after["fallen"], direction
        assert after["q"][0] > before[0] + 2.0, direction  # it walks on


@pytest.mark.slow
def test_it_walks_for_a_minute(walk):
    found = advance(walk, 60.0)
    assert not found["fallen"]
    assert found["q"][0] == pytest.approx(60.0 * 1.3, rel=0.05)


def test_keys_change_speed_and_direction(walk):
    walk.keyboard.press("ArrowUp")
    walk.keyboard.press("ArrowLeft")
    advance(walk, 0.1)
    until(walk, "anthropi.run.state.speed > 1.35 && anthropi.run.state.heading > 0.2")
    found = advance(walk, 6.0)
    assert not found["fallen"]
    assert found["q"][1] > 0.5  # it has turned to the left


def test_a_style_is_blended_in(walk):
    style = walk.evaluate("anthropi.run.description.controls.styles[1]")
    walk.select_option("[aria-label='Style']", style)
    found = advance(walk, 4.0)
    assert not found["fallen"]
    until(walk, f"anthropi.run.state.style === '{style}'")


def test_the_walker_climbs_a_slope(walk):
    level = advance(walk, 1.0)["q"]
    walk.evaluate("""() => {
        const slope = document.querySelector("[aria-label='Slope']");
        slope.value = '5';
        slope.dispatchEvent(new Event('input'));
    }""")
    found = advance(walk, 6.0)
    assert not found["fallen"]
    climbed, gone = found["q"][2] - level[2], found["q"][0] - level[0]
    assert climbed == pytest.approx(0.05 * gone, abs=0.05)
    assert walk.evaluate("anthropi.app.store.get('motion').header.ground.normal[0]") < -0.04


def test_gravity_acts_at_once(walk):
    walk.evaluate("anthropi.run.setGravity(0)")
    found = advance(walk, 1.0)
    walk.evaluate("anthropi.run.setGravity(9.81)")
    assert found["q"][2] > 0.95  # it pushes itself off and rises


def test_rewind_returns_to_an_earlier_state(walk):
    advance(walk, 1.0)
    middle = advance(walk, 0.0)["q"]
    time = walk.evaluate("anthropi.run.state.time")
    later = advance(walk, 1.0)["q"]
    walk.evaluate(f"anthropi.run.rewind({time})")
    assert advance(walk, 0.0)["q"] == middle
    assert advance(walk, 1.0)["q"] == later


def test_a_drag_of_the_pointer_pulls_the_figure(walk):
    walk.evaluate("anthropi.run.pause(false)")
    walk.evaluate("anthropi.run.order({ kind: 'pace', pace: 0.05 })")
    x, y = walk.evaluate("""() => {
        const { stage } = anthropi, box = stage.canvas.getBoundingClientRect();
        const at = stage.views[0].point(0, [0, 0, 0.05]).project(stage.cameras.camera);
        return [box.left + ((at.x + 1) / 2) * box.width, box.top + ((1 - at.y) / 2) * box.height];
    }""")
    walk.mouse.move(x, y)
    walk.mouse.down()
    walk.mouse.move(x + 60, y - 20, steps=4)
    until(walk, "document.querySelector('canvas.stage-canvas').classList.contains('holding')")
    walk.mouse.up()
    walk.evaluate("anthropi.run.order({ kind: 'pace', pace: 1 })")
    walk.evaluate("anthropi.run.pause(true)")


def test_plots_show_the_running_simulation(walk):
    assert walk.evaluate("anthropi.app.store.get('motion').header.channels.some((c) => c.name === 'l_knee')")
    advance(walk, 0.5)
    column = "(m) => m.column(m.header.channels.find((c) => c.name === 'centre of mass x'))"
    until(walk, f"[...({column})(anthropi.app.store.get('motion'))].slice(-1)[0] > 0.3")  # frames follow the worker


def test_by_touch_on_a_phone(chromium, file):
    page = opened(chromium, file, width=390, height=844, touch=True)
    canvas = page.locator("canvas.stage-canvas").bounding_box()
    assert canvas["width"] > 380 and canvas["height"] > 400
    page.locator(".simulation-panel summary").tap()
    page.locator("[aria-label='Push right']").tap()
    assert not advance(page, 2.0)["fallen"]
    shoot(page, "live page on a phone")
    page.context.close()
    content(page)


def test_a_recorded_walk_plays_until_it_is_pushed(chromium, session, tmp_path):
    motion = ap.walk(ap.human(), speed=1.3, steps=2)
    page = new_page(chromium)
    page.goto(motion.export(tmp_path / "walk.html", live=session).as_uri())
    page.click("text=Push it")
    until(page, "anthropi.run?.state.state === 'running'")
    shoot(page, "push it")
    page.context.close()
    content(page)


def test_several_pendulums_run_in_lanes(chromium, tmp_path):
    figure = ap.sample("double_pendulum")
    sim = ap.Simulation(figure, batch=5)
    q = np.tile(figure.neutral(), (5, 1))
    q[:, 0] = 1.0 + 1e-3 * np.arange(5)
    sim.reset(q)
    page = opened(chromium, ap.live_page(sim, tmp_path / "pendulums.html"))
    page.evaluate("anthropi.run.order({ kind: 'restart' })")
    advance(page, 1.0)
    sim.step(1000)
    last = page.evaluate("""[0, 1, 2, 3, 4].map((k) => {
        const motion = anthropi.app.store.get('motion'), n = 2 * motion.frames;
        return [...motion.table(`angle/${k}`).data.slice(n - 2, n)];
    })""")
    assert np.allclose(last, sim.q, atol=1e-4)  # float32 frames; 60 frames of 16 or 17 steps are 1000 steps
    page.context.close()
    content(page)
