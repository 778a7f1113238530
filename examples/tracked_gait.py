"""A planned gait becomes physical: the reference gait is tracked in simulation, in contact with the ground.

The reference gait is kinematic: it fixes angles and paths, and a force at the root would be needed to move like that.
Tracking samples joint targets until the simulated figure follows it by its joints alone. Prints the differences and
writes out/tracked_gait.png and out/tracked_gait.html. Captured motion is tracked in the same way (docs/tracking.md).
"""

from pathlib import Path

import numpy as np
from rich.progress import Progress

import anthropi as ap
from anthropi.pictures import strip


def check(planned, tracked):
    about = tracked.metadata
    assert not about["fell"] and about["tracking"]["share"] == 1.0, "the whole gait, without a fall"
    assert np.abs(tracked.tau[:, :6]).max() == 0.0, "no force at the root"
    assert np.rad2deg(about["tracking"]["differences"]["joints"][0]) < 6.0, "joints follow the plan"
    assert tracked.verify().holds, "all laws of docs/trust.md"


if __name__ == "__main__":
    Path("out").mkdir(exist_ok=True)
    planned = ap.gait.reference_gait(ap.human(1.75, 75.0), speed=1.3, steps=6)
    with Progress(transient=True) as bar:
        task = bar.add_task("tracking", total=planned.time[-1])
        tracked = ap.gait.track(
            planned,
            settings=ap.gait.TrackingSettings(cutoff=None),  # a plan has no noise
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    check(planned, tracked)
    joints, turned, moved = (tracked.metadata["tracking"]["differences"][n] for n in ("joints", "orientation", "place"))
    print(f"joints differ by {np.rad2deg(joints[0]):.1f} deg RMS, the pelvis by {np.rad2deg(turned[0]):.1f} deg RMS")
    print(f"and {100.0 * moved[1]:.0f} cm at most")
    strip(tracked, np.linspace(0.0, tracked.time[-1], 7), view=(-60, 8), spacing=0.9, pixels=1200,
          file="out/tracked_gait.png")  # fmt: skip
    tracked.export("out/tracked_gait.html", title="Tracked gait", caption="A planned gait, simulated by joint forces.")
