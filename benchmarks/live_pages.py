"""Claims: in Chromium on this machine, the worker of a live page simulates a walking human at least 50 times as fast as
real time, with steps of 1 ms, and at least 100 double pendulums or 4 walkers in real time. The main thread needs at
most 12 ms for a frame of a walker, without the time of the graphics.

The worker computes 60 frames per simulated second; every state is what the page would draw. The browser optimises the
module during its first seconds, which are not measured; the fastest of several measurements counts. Needs Chromium.
Without a graphics card, the browser draws by the processor, on other threads than these.
"""

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from _machine import machine
from playwright.sync_api import Page, sync_playwright

import anthropi as ap

SIZE = {"width": 640, "height": 360}  # [pixels]
ARGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
ADVANCED = 3.0  # [s] simulated as fast as possible
WARM_UP = 6.0  # [s] of computing time before, in which the browser optimises the module
REPEATED = 5  # measurements of one walker, of which the fastest counts
DRAWN = 10  # frames of which the median time is taken
CLAIMS = {"times real time": 50.0, "double pendulums in real time": 100, "walkers in real time": 4}
MAX_FRAME_TIME = 12.0  # [ms]


def pendulums(n: int) -> ap.Simulation:
    """Return n double pendulums that start 0.01° apart."""
    figure = ap.sample("double_pendulum")
    q = np.tile(figure.neutral(), (n, 1))
    q[:, 0] = 2.4 + np.deg2rad(0.01) * np.arange(n)
    sim = ap.Simulation(figure, batch=n)
    sim.reset(q)
    return sim


def walkers(n: int) -> ap.Simulation:
    """Return n walking humans in one place, which have the same commands."""
    one = ap.WalkingSession(ap.human(1.75, 75.0), start="walk").simulation
    if n == 1:
        return one
    sim = ap.Simulation(one.problem.scene, one.problem.controller, dt=one.dt, batch=n)
    sim.reset(np.tile(one.q, (n, 1)), np.tile(one.u, (n, 1)))
    return sim


def opened(page: Page, simulation: Any, folder: str) -> None:
    """Open a page and pause it."""
    file = ap.live_page(simulation, Path(folder) / "page.html", skin=False)
    page.goto(file.as_uri())
    while not page.evaluate("globalThis.anthropi?.run?.state.state === 'running'"):
        time.sleep(0.02)
    page.evaluate("anthropi.run.pause(true)")
    begun = time.perf_counter()
    while time.perf_counter() - begun < WARM_UP:
        page.evaluate("anthropi.run.advance(0.25)")


def factor(page: Page) -> float:
    """Return simulated seconds per second of the worker, which also computes the frames."""
    return ADVANCED * 1e3 / page.evaluate(f"anthropi.run.advance({ADVANCED})")["milliseconds"]


def frame_time(page: Page) -> float:
    """Return the median time [ms] that the main thread needs to draw a frame, without waiting for the graphics."""
    times = page.evaluate(f"""async () => {{
        const found = [];
        for (let k = 0; k < {DRAWN}; k++) {{
            await new Promise((done) => requestAnimationFrame(done));
            const start = performance.now();
            anthropi.stage.draw();
            found.push(performance.now() - start);
        }}
        return found;
    }}""")
    return statistics.median(times)


def most_in_real_time(page: Page, name: str, make: Any, first: int, folder: str) -> int:
    """Double the number of figures until the worker is slower than real time; print each, return the largest number."""
    found, n = 0, first
    while True:
        opened(page, make(n), folder)
        times = factor(page)
        drawn = f", {frame_time(page):.1f} ms of the main thread per frame" if n == first else ""
        print(f"  {n:5d} {name}s: {times:.2f} times real time{drawn}")
        if times < 1.0:
            return found
        found, n = n, 2 * n


def main() -> int:
    browser_file = shutil.which("chromium") or shutil.which("google-chrome")
    if browser_file is None:
        print("Not measured: Chromium is missing (Debian's package chromium).")
        return 0
    print(machine())
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_file, args=ARGS)
        page = browser.new_page(viewport=SIZE)
        print(f"Chromium {browser.version}, {SIZE['width']} × {SIZE['height']}; steps of 1 ms, 60 frames per second")
        opened(page, walkers(1), folder)
        found, drawing = {"times real time": max(factor(page) for _ in range(REPEATED))}, frame_time(page)
        print(f"a walker: {found['times real time']:.0f} times real time in the worker, {drawing:.1f} ms per frame")
        pairs = (("double pendulum", pendulums, 100), ("walker", walkers, 4))
        for name, make, first in pairs:
            found[f"{name}s in real time"] = most_in_real_time(page, name, make, first, folder)
        browser.close()
    for name, claim in CLAIMS.items():
        print(f"{name}: {found[name]:.0f} (claim: at least {claim:g})")
    print(f"main thread per frame of a walker: {drawing:.1f} ms (claim: at most {MAX_FRAME_TIME:g})")
    failed = any(found[name] < claim for name, claim in CLAIMS.items()) or drawing > MAX_FRAME_TIME
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
