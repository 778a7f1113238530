"""A study of 77 walks, speed × push: which pushes to the side make a walking person fall?

Workers on all cores compute the walks; a journal keeps what is done, so that the second run reads the table from its
folder. The same study runs on a cluster with the same bits (docs/study.md). Writes out/study.png.
"""

import tempfile

import numpy as np
from _charts import falls

from anthropi import study
from anthropi.gait.trials import LANES, walk_trial

SPEEDS, PUSHES = np.linspace(1.0, 1.6, 7), np.linspace(0.0, 80.0, 11)  # [m/s], [N s]


def pushed(folder):
    """Return the study: walks of 6 s, with a push to the left after 2 s."""
    points = study.grid(speed=SPEEDS, push=PUSHES)
    person = {"height": 1.75, "mass": 75.0}
    scenario = {"direction": np.pi / 2, "at": 2.0, "duration": 6.0}
    return study.Study(walk_trial, points, folder, batch=LANES, constants=person | scenario)


def check(table, again, fell):
    assert (table.status == "done").all() and table.digest == again.digest
    assert not fell[:, PUSHES <= 24.0].any(), "pushes of up to 24 N s are survived at all speeds"
    assert fell[:, PUSHES >= 70.0].mean() > 0.5, "harder ones make the person fall at most speeds"
    assert (table["steps"][~table["fell"]] >= 9).all()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        table = pushed(folder).run()
        again = pushed(folder).run()  # computes nothing
    fell, upright = (table[name].reshape(len(SPEEDS), len(PUSHES)) for name in ("fell", "upright"))
    check(table, again, fell)
    falls("out/study.png", SPEEDS, PUSHES, fell, upright)
