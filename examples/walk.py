"""Twenty simulated steps of the walker at 1.3 m/s (`make walk`).

The walker balances by torques at the joints and contact under the feet, without a force at the root and without
playback. Prints the headline of the gait report and writes out/walk.html. The page plays the walk beside a translucent
figure that moves by the norm of people, with joint angles and ground forces over the gait cycle and the bands of the
norm. "Push it" switches the page to a live simulation of the same person.
"""

import time

import numpy as np
from rich.progress import Progress

import anthropi as ap
from anthropi.gait.report import headline


def check(motion, report):
    result = motion.metadata["walk"]
    assert result["steps"] == 20 and not result["fell"], "twenty steps, no fall"
    assert np.abs(motion.tau[:, :6]).max() == 0.0 and motion.metadata["aid"] is None, "no external aid"
    assert abs(report["speed"].values[""] - 1.3) < 0.1, "the speed is the commanded one"
    assert report["GPS"].values[""] < 8.0, "the gait profile score is that of people"


if __name__ == "__main__":
    looks = []  # [s] CPU time of this process after each piece of half a second; the first piece compiles
    figure = ap.human(1.75, 75)
    with Progress(transient=True) as bar:
        task = bar.add_task("walking", total=20)

        def look(done, _):
            looks.append(time.thread_time())
            bar.update(task, completed=done)

        motion = ap.walk(figure, speed=1.3, steps=20, progress=look)
    report = ap.gait_report(motion)
    check(motion, report)
    print("A person of 1.75 m and 75 kg walks: 20 steps at 1.3 m/s")
    print(headline(motion, report, real_time=(motion.time[-1] - 0.5) / (looks[-1] - looks[0])))
    live = ap.WalkingSession(figure, start="walk")
    file = ap.gait.walk_page(motion, "out/walk.html", title="A person walks", live=live, report=report)
    print(f"\nOpen this file in a browser to watch the walk, and to push the person:\n  {file.resolve()}")
