"""Draw the pictures of the studio's gallery of examples: `python tools/thumbnails.py`, after a change of the stage.

Opens every example in the studio, in Chromium (Playwright), and writes one sheet of pictures for each theme
and the list of their names to src/anthropi/studio/gallery.
"""

import base64
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from rich.progress import track

from anthropi.studio.serve import StudioServer

FOLDER = Path(__file__).parents[1] / "src" / "anthropi" / "studio" / "gallery"
WIDTH, HEIGHT, COLUMNS = 288, 162, 4  # pixels of a picture; pictures in a row
QUALITY = 0.8  # of WebP
ARGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
LIVE_TIME = 3.2  # [s] at which a live walk is drawn; the first push of "pushed human" acts then
MOMENTS = {"falling human": 0.45, "double pendulum": 0.3, "waving human": 0.75, "walk by words": 0.3}  # of the duration
MOMENT = 0.55
NEARER = {
    "double pendulum": 0.6,
    "human among boxes": 1.25,
    "falling human": 0.7,
}  # factors of the distance of the camera
SECONDS = 120.0  # longest wait

SHOT = """async ([place, wide, tall, columns, nearer]) => {
    const { app, stage } = anthropi;
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    globalThis.sheets ??= {};
    app.store.set('playing', false);
    await frame();
    stage.lookFrom('three-quarter');
    stage.turn(0, -0.12, nearer);
    for (const theme of ['dark', 'light']) {
        app.store.set('theme', theme);
        await frame();
        const sheet = (sheets[theme] ??= document.createElement('canvas')), row = Math.floor(place / columns);
        const sizes = { resizeWidth: wide, resizeHeight: tall, resizeQuality: 'high' };
        const picture = await createImageBitmap(await stage.picture([2 * wide, 2 * tall]), sizes);
        const old = place ? await createImageBitmap(sheet) : null;
        Object.assign(sheet, { width: wide * columns, height: tall * (row + 1) });
        const draw = sheet.getContext('2d');
        if (old) draw.drawImage(old, 0, 0);
        draw.drawImage(picture, (place % columns) * wide, row * tall);
    }
}"""
STOP = """(share) => {
    const { store } = anthropi.app, motion = store.get('motion'), run = store.get('run');
    store.set('playing', false);
    if (!run || run.state === 'stopped') store.set('time', motion.start + share * motion.span);
}"""


def until(page: Page, expression: str) -> None:
    end = time.monotonic() + SECONDS
    while not page.evaluate(expression):
        if time.monotonic() > end:
            raise TimeoutError(f"Waited in vain for: {expression}")
        page.wait_for_timeout(50)


def show(page: Page, server: StudioServer, name: str) -> None:
    """Open an example and stop at the moment of its picture."""
    page.evaluate("(name) => anthropi.app.run('open_example', { name })", name)
    until(page, f"anthropi.app.store.get('project').name === {json.dumps(name)}")
    server.session.tasks.wait(SECONDS)
    if name in ("live walk", "pushed human"):
        until(page, f"anthropi.app.store.get('live') && anthropi.app.store.get('run').time > {LIVE_TIME}")
        page.evaluate("anthropi.app.run('live_pause', { paused: true })")
    page.wait_for_timeout(700)
    page.evaluate(STOP, MOMENTS.get(name, MOMENT))
    page.wait_for_timeout(200)


def main() -> int:
    browser_file = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = StudioServer(Path(folder), autosave=False)
        server.start()
        browser = playwright.chromium.launch(executable_path=browser_file, args=ARGS)
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(f"{server.address}#fine")
        until(page, "globalThis.anthropi?.app.store.get('welcome')")
        names = page.evaluate("anthropi.app.store.get('welcome').examples.map((choice) => choice.name)")
        for place, name in enumerate(track(names, "pictures")):
            show(page, server, name)
            page.evaluate(SHOT, [place, WIDTH, HEIGHT, COLUMNS, NEARER.get(name, 0.8)])
            page.evaluate("anthropi.app.store.get('run')?.state !== 'stopped' && anthropi.app.run('live_stop', {})")
        FOLDER.mkdir(exist_ok=True)
        for theme in ("dark", "light"):
            data = page.evaluate(f"sheets.{theme}.toDataURL('image/webp', {QUALITY})")
            (FOLDER / f"{theme}.webp").write_bytes(base64.b64decode(data.partition(",")[2]))
        (FOLDER / "names.json").write_text(json.dumps({"columns": COLUMNS, "names": names}) + "\n", encoding="utf-8")
        browser.close()
        server.stop()
    print(f"{len(names)} pictures, {sum(f.stat().st_size for f in FOLDER.iterdir()) / 1e3:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
