"""Write docs/pictures/people_*.webp, the pictures of docs/human.md, from the page in a browser: `make portraits`.

Needs Chromium and Playwright (anthropi[dev]).
"""

import argparse
import base64
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright

import anthropi as ap
from anthropi.motion import Motion

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
ARGS = "--no-sandbox --disable-quic --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader".split()
PEOPLE = ((1.756, 85.5, "m"), (1.629, 67.8, "f"))  # the means of ANSUR II
SIDES = (0.0, 40.0, 90.0, 180.0)  # azimuths [deg]
SIZE = (225, 420)  # [pixels] of one picture
FIELD, AWAY = 25.0, 4.6  # [deg]; [m] distance of the camera
MAX_BYTES = 300_000
SHOT = """async ([eye, target, field, size, time, theme, segments]) => {
    const { store } = anthropi.app;
    store.set('playing', false);
    store.set('camera', 'orbit');
    store.set('theme', theme);
    store.patch('shown', { segments });
    store.set('time', time);
    anthropi.stage.draw();
    anthropi.stage.cameras.apply({ eye, target, field });
    const read = new FileReader(), done = new Promise(resolve => { read.onload = resolve; });
    read.readAsDataURL(await anthropi.stage.picture(size));
    await done;
    return read.result;
}"""
SHEET = """async ([pictures, [wide, tall]]) => {
    const sheet = document.createElement('canvas'), pen = sheet.getContext('2d');
    sheet.width = wide * pictures.length;
    sheet.height = tall;
    for (const [k, source] of pictures.entries()) {
        const picture = new Image();
        picture.src = source;
        await picture.decode();
        pen.drawImage(picture, k * wide, 0);
    }
    return sheet.toDataURL('image/webp', 0.9);
}"""


def standing(figure: ap.Figure) -> Motion:
    return Motion(figure, np.array([0.0, 0.1]), np.array([ap.standing(figure)] * 2))


def walking(figure: ap.Figure) -> Motion:
    return ap.walk(figure, speed=1.3, steps=4)


def running(figure: ap.Figure) -> Motion:
    return ap.gait.reference_gait(figure, speed=3.5, kind="run")


MOTIONS = {"standing": standing, "walking": walking, "running": running, "segments": walking}


def shots(page: Page, motion: Motion, theme: str, segments: bool) -> list[str]:
    """Take a picture from each side, at times spread over a third of the motion, as data addresses."""
    with tempfile.TemporaryDirectory() as folder:
        file = motion.export(Path(folder) / "motion.html", forces=False)
        page.goto(f"{file.as_uri()}#fine")
        page.wait_for_function("globalThis.anthropi?.app.store.get('motion')")
        found = []
        for k, side in enumerate(np.deg2rad(SIDES)):
            time = float(motion.time[int((0.40 + 0.12 * k) * (len(motion.time) - 1))])
            at = motion.q[int(np.searchsorted(motion.time, time)), :3]
            target = np.array([at[0], at[1], 0.5 * PEOPLE[0][0]])
            eye = target + AWAY * np.array([np.cos(side), np.sin(side), 0.08])
            given = [eye.tolist(), target.tolist(), FIELD, list(SIZE), time, theme, segments]
            found.append(page.evaluate(SHOT, given))
        return found


def main(names: Sequence[str]) -> int:
    browser = os.environ.get("ANTHROPI_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=browser, args=ARGS) as chromium:
        page = chromium.new_page(viewport={"width": 500, "height": 700})
        for name in names:
            theme = "dark" if name == "running" else "light"
            motions = [MOTIONS[name](ap.human(*person)) for person in PEOPLE]
            pictures = [shot for motion in motions for shot in shots(page, motion, theme, name == "segments")]
            text = page.evaluate(SHEET, [pictures, list(SIZE)])
            file = PICTURES / f"people_{name}.webp"
            file.write_bytes(base64.b64decode(text.partition(",")[2]))
            size = file.stat().st_size
            print(f"{file.name}: {size / 1000:.0f} kB")
            if size > MAX_BYTES:
                print(f"{file.name} is larger than {MAX_BYTES / 1000:.0f} kB. Reduce SIZE.", file=sys.stderr)
                return 1
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(MOTIONS), help=f"which pictures: {', '.join(MOTIONS)}")
    sys.exit(main(parser.parse_args().names))
