"""Chromium for the studio's browser tests. An error in the console of the page fails a test."""

import base64
import os
import re
import shutil
import time
from pathlib import Path

import pytest

from conftest import lacking

ROOT = Path(__file__).resolve().parents[3]
BUNDLE = ROOT / "src" / "anthropi" / "formats" / "pages" / "bundle"
PICTURES = ROOT / "out" / "studio"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGS = (
    "--no-sandbox --disable-quic --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader"  # WebGL without a graphics card
).split()
PATIENCE = 20_000  # [ms] long, because pictures are drawn without a graphics card on shared cores


@pytest.fixture(scope="session")
def chromium():
    """Give the browser that all tests share."""
    found = os.environ.get("ANTHROPI_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        lacking("Chromium, to try the studio in a real browser (Debian's package chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        lacking("Playwright, to drive the browser (anthropi[dev])")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=ARGS)
        yield browser
        browser.close()


def new_page(chromium, width: int = 1280, height: int = 720, touch: bool = False):
    """Open a page of a size [pixels] that records console errors in `page.complaints`."""
    size = {"width": width, "height": height}
    context = chromium.new_context(viewport=size, color_scheme="dark", accept_downloads=True, has_touch=touch)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.complaints = []
    page.on("console", lambda message: message.type == "error" and page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(error.stack or str(error)))
    return page


def content(page) -> None:
    """Fail if the page has reported errors."""
    complaints, page.complaints[:] = list(page.complaints), []
    assert not complaints, f"the page complained: {complaints}"


def until(page, expression: str, seconds: float = 20.0):
    """Wait until a JavaScript expression is true. The page forbids `eval`, which Playwright's own waiting needs."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = page.evaluate(expression)
        if found:
            return found
        page.wait_for_timeout(60)
    raise AssertionError(f"waited {seconds:g} s in vain for: {expression}")


@pytest.fixture
def page(chromium, request):
    """Give a new page, which must not report errors. A picture of it is kept at the end."""
    page = new_page(chromium)
    yield page
    shoot(page, request.node.name)
    page.context.close()
    content(page)


def shoot(page, name: str) -> Path:
    """Save a picture of the page in out/studio and return its path."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    file = PICTURES / f"{re.sub(r'[^a-z0-9]+', '_', name.lower()).strip('_')}.png"
    page.screenshot(path=file)
    return file


@pytest.fixture
def picture():
    """Give a function that saves a picture of a page under a name."""
    return shoot


@pytest.fixture(scope="session")
def bundle() -> Path:
    """Give the folder of the built page."""
    return BUNDLE


@pytest.fixture(scope="session")
def walk_buffer() -> bytes:
    """Give the motion buffer of a short walk."""
    import anthropi as ap
    from anthropi.formats.pages.motion_buffer import motion_buffer

    motion = ap.walk(ap.human(), speed=1.3, steps=4)
    return motion_buffer(motion, title="A walk", caption="1.3 m/s <b>natural</b>", follow=True)


def inlined(buffer: bytes) -> str:
    """Return the bundle and a motion as one HTML page, like an exported page."""
    page = (BUNDLE / "index.html").read_text(encoding="utf-8")
    style = (BUNDLE / "studio.css").read_text(encoding="utf-8")
    script = (BUNDLE / "studio.js").read_text(encoding="utf-8").replace("</script", "<\\/script")
    motion = f'<script type="application/octet-stream;base64" id="motion">{base64.b64encode(buffer).decode()}</script>'
    page = page.replace('<link rel="stylesheet" href="./studio.css">', f"<style>{style}</style>")
    page = page.replace('<script type="module" src="./studio.js"></script>', "")
    return page.replace("</body>", f'{motion}<script type="module">{script}</script></body>')


@pytest.fixture(scope="session")
def walk_file(walk_buffer, tmp_path_factory) -> Path:
    """Give an HTML file that plays a walk."""
    file = tmp_path_factory.mktemp("exported") / "walk.html"
    file.write_text(inlined(walk_buffer), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def opened(chromium, walk_file):
    """Give the page that plays a walk, opened from disk once, because drawing without a graphics card is slow."""
    page = new_page(chromium)
    page.goto(walk_file.as_uri())
    page.wait_for_function("globalThis.anthropi?.app.store.get('motion')")
    page.evaluate("globalThis.first = { ...anthropi.app.store.values, playing: false, time: 0 }")
    yield page
    page.context.close()


@pytest.fixture
def player(opened):
    """Give the page that plays a walk, reset to its first state and paused at the start."""
    opened.evaluate("""() => {
        for (const [key, value] of Object.entries(first)) anthropi.app.store.set(key, value);
        document.querySelectorAll('dialog').forEach(own => own.close());
        document.querySelector('.help-panel').hidden = true;
        document.activeElement?.blur();
        anthropi.stage.lookFrom('three-quarter');
    }""")
    yield opened
    content(opened)


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """Give the real server with a temporary workspace."""
    from anthropi.studio.serve import StudioServer

    served = StudioServer(tmp_path_factory.mktemp("workspace"), autosave=False)
    served.start()
    yield served
    served.stop()


@pytest.fixture(scope="module")
def looking(chromium, served):
    """Give a page of the real server that all tests of a file share."""
    from studio.browser.real import Studio

    page = new_page(chromium)
    yield Studio(page, served)
    page.context.close()


@pytest.fixture
def studio(looking):
    """Give a page of the real server, which must not report errors."""
    yield looking
    content(looking.page)


@pytest.fixture(scope="module")
def pair(chromium, walk_buffer, bundle):
    """Give a page and its fake server, which all tests of a file share."""
    from studio.browser.fake import HOME, Fake

    page = new_page(chromium)
    server = Fake(page, bundle, walk_buffer)
    page.goto(f"{HOME}/")
    page.wait_for_function("globalThis.anthropi?.stage.views.length === 1 && anthropi.app.store.get('welcome')")
    page.evaluate("globalThis.first = { ...anthropi.app.store.values }")
    yield page, server
    page.context.close()


@pytest.fixture
def faked(pair):
    """Give the page and its fake server, with a standing figure on flat ground and no messages."""
    from anthropi.studio.messages import World

    page, server = pair
    server.shown, server.keys, server.refuse = None, (), {}
    server.world, server.forces = World(), ()
    server.live("stopped")
    server.show_project()
    server.show_figure()
    page.wait_for_function("anthropi.app.store.get('motion').frames === 1 && !anthropi.app.store.get('live')")
    page.evaluate("""() => {
        const { store } = anthropi.app;
        for (const key of ['selection', 'tool', 'body', 'camera', 'theme']) store.set(key, first[key]);
        document.querySelectorAll('dialog').forEach(own => own.close());
        document.querySelectorAll('.toast').forEach(own => own.remove());
        anthropi.stage.lookFrom('three-quarter');
        return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    }""")
    server.received.clear()
    yield page, server
    content(page)
