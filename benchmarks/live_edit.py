"""Claims: in a live run of the standard human, with and without contact, a slider takes effect within 50 ms and a
structure edit within 0.5 s, measured from the command to the first frame that shows it. The kernel
cache is empty, and the background work of the previous edit is finished before the next edit.
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from _machine import machine

from anthropi.studio.messages.encoding import command_of
from anthropi.studio.session import StudioSession

EDITS, SLIDES = 6, 30
SETTLING_TIME = 3.0  # [s] between two edits, for the work of the previous one


def measured(dynamics: str, folder: Path) -> tuple[list[float], list[float]]:
    """Return the seconds of each slider movement and of each edit."""
    session = StudioSession(folder)
    frames: list[int] = []
    session.send_frame = lambda frame: frames.append(len(frame))

    def do(kind: str, **fields) -> None:
        session.do(command_of({"kind": kind, **fields}))

    def until(condition) -> None:
        while not condition():
            time.sleep(2e-3)

    do("open_sample", name="human")
    do("live_start", figure=1, dynamics=dynamics)
    until(lambda: len(frames) > 30)
    slides, edits = [], []
    for k in range(SLIDES):
        old, count, start = session.live._numbers, len(frames), time.perf_counter()
        do("set_number", figure=1, slot="head.mass", value=4.0 + 0.1 * k, done=False)
        until(lambda old=old, count=count: session.live._numbers is not old and len(frames) > count + 1)
        slides.append(time.perf_counter() - start)
    for k in range(EDITS):
        session.live.stepper.simulation._current.kernel.settle()
        time.sleep(SETTLING_TIME)
        size, start = frames[-1], time.perf_counter()
        parent = f"tail{k - 1}" if k else "pelvis"
        do("add_link", figure=1, name=f"tail{k}", parent=parent, type="revolute", axis="y")
        until(lambda size=size: frames[-1] > size)
        edits.append(time.perf_counter() - start)
    do("live_stop")
    session.close()
    return slides, edits


def main() -> int:
    os.environ["ANTHROPI_CACHE"] = "off"
    print(machine())
    failed = []
    print(f"\n{'live run':>10} {'slider, median':>15} {'worst':>8} {'edit, first':>12} {'median':>8} {'worst':>8}")
    for dynamics, where in (("direct", "in the air"), ("contact", "on the ground")):
        with tempfile.TemporaryDirectory() as folder:
            slides, edits = measured(dynamics, Path(folder))
        row = f"{1e3 * statistics.median(slides):12.0f} ms {1e3 * max(slides):5.0f} ms"
        print(f"{where:>13} {row} {edits[0]:10.2f} s {statistics.median(edits):6.2f} s {max(edits):6.2f} s")
        if statistics.median(slides) > 0.05:
            failed.append(f"a slider took over 50 ms {where}")
        if statistics.median(edits) > 0.5:
            failed.append(f"a structure edit took over 0.5 s {where}")
    print("\n" + ("; ".join(failed) if failed else "all claims hold"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
