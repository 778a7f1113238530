"""Walk ten metres to a goal around five obstacles, one of them moving, and choose footholds on tiles.

A pilot plans every quarter of a second and commands the heading and speed of a point walker, which lags, sways and is
disturbed. Then footholds are chosen on tiles within ± 8 cm. Writes out/navigation.png.
"""

import numpy as np
from _navigation import draw_course

from anthropi.gait.navigation import PointWalker, follow, foothold, random_course, stepping_terrain

SEED = 35


def footholds(field, steps=11):
    """Return successive footholds, each from the previous one, as pairs (nominal (2,), foothold)."""
    stands, found = np.array([-0.4, 0.07]), []
    for k in range(steps):
        nominal = np.array([stands[0] + 0.68, -0.07 if k % 2 == 0 else 0.07])
        taken = foothold(field, nominal, 0.0, stands, side=k % 2)
        found.append((nominal, taken))
        stands = taken.place[:2]
    return found


def check(log, found):
    assert log.arrived and log.untouched, log.text()
    assert all(taken.good for _, taken in found), "every foot has flat ground within reach"


if __name__ == "__main__":
    course, field = random_course(SEED), stepping_terrain(2)
    log = follow(PointWalker(course.start, seed=SEED), course.goal, course.outlines)
    found = footholds(field)
    check(log, found)
    print(log.text())
    draw_course("out/navigation.png", course, log, field, [(nominal, taken.place) for nominal, taken in found])
