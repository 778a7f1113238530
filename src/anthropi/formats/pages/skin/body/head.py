"""Shape the head of a person: skull, brow, nose, sockets of the eyes, lips, chin, ears and hair.

Breadth, length and height of the head are means of ANSUR II (see `trunk`): 88, 114 and 130 thousandths of the stature
for men, 91 and 117 for women, who have the same head on a smaller body.
"""

import numpy as np

from anthropi.formats.pages.skin.body.person import Person
from anthropi.formats.pages.skin.body.solids import Blend, ball, cut, join, loft, rod, turn_x, turn_y, turn_z

__all__ = ["CHIN", "EYE", "EYE_RADIUS", "MOUTH", "head"]

CHIN = 870.0  # height of the chin
EYE, EYE_RADIUS = np.array([46.2, 17.8, 936.0]), 7.9
MOUTH = np.array([58.0, 0.0, 894.5])


def head(p: Person) -> Blend:
    """Return the solid of the head."""
    male = p.sex == "m"
    z = CHIN

    def at(x: float, y: float, up: float) -> np.ndarray:
        return np.array([x, y, z + up])

    wide = 1.0 if male else 1.02
    skull = ball(at(3, 0, 84), (54.5, 43.0 * wide, 46.0))
    brow = ball(at(28, 0, 76), (33.5, 34.5, 33.0) if male else (32.5, 35.0, 34.0))
    jaw = 1.0 if male else 0.93
    face = loft(
        at(22, 0, 72),
        at(34, 0, 12),
        [
            (0.0, 0, 0, 34, 30, 36.5, 36.5),
            (0.35, 0, 0, 33, 30, 34.5, 34.5),
            (0.62, 0, 0, 29.5, 30, 31 * jaw, 31 * jaw),
            (0.85, 0, 0, 24, 28, 22.5 * jaw, 22.5 * jaw),
            (1.0, 0, 0, 17.5, 24, 13 * jaw, 13 * jaw),
        ],
        (14.0, 10.0),
    )
    chin = ball(at(46.5, 0, 10.5), (12.0, 14.0, 10.5) if male else (10.5, 11.0, 9.5))
    muzzle = ball(at(34, 0, 27), (23.5, 22.0, 17.0) if male else (23.0, 20.0, 16.0))
    throat = rod(at(26, 0, 15), at(0, 0, 24), 13.0, 24.0)
    body = join(10.0, skull, (brow, 16.0), (face, 16.0), (chin, 10.0), (muzzle, 14.0), (throat, 14.0))
    nose, mouth = _nose(at, male), _mouth(at, male)
    pairs = []
    for s in (1.0, -1.0):
        pairs.append((ball(at(32, 24.5 * s, 50), (19.0, 14.5, 12.0)), 12.0))  # cheek bones
        pairs.append((ball(at(31, 17 * s, 34), (18.0, 12.5, 14.5)), 14.0))  # cheeks
        pairs.append((rod(at(56.5, 6 * s, 74.5), at(48, 27 * s, 75.5), 4.8, 3.8) if male
                      else rod(at(55.5, 6 * s, 76), at(47, 26 * s, 77), 3.6, 3.0), 9.0))  # fmt: skip
        pairs.append((rod(at(9, 26.5 * jaw * s, 34), at(36, 13 * jaw * s, 13), 7.8, 7.2), 15.0))  # edge of the jaw
    body = join(9.0, body, *pairs)
    sockets = [(ball(at(60.5, 18.2 * s, 65.5), (13.0, 12.0, 8.0), turn_z(0.28 * s)), 9.0) for s in (1.0, -1.0)]
    below_lip = ball(at(62.5, 0, 17.0), (6.5, 11.0, 3.4))
    body = cut(body, *sockets, (below_lip, 5.0))
    lids = [(ball(EYE * [1, s, 1], EYE_RADIUS + 0.1), 4.0) for s in (1.0, -1.0)]
    ears = [(_ear(at, s), 2.5) for s in (1.0, -1.0)]
    return join(4.0, body, *lids, *nose, *mouth, *ears)


def _nose(at, male: bool):
    tip = 71.0 if male else 69.0
    bridge = loft(
        at(56, 0, 72), at(tip - 6.0, 0, 48.5),
        [(0.0, 0, 0, 5.0, 10, 3.6, 3.6), (0.5, 1, 0, 5.4, 10, 4.2, 4.2), (1.0, 0, 0, 6.4, 9, 5.6, 5.6)],
        (4.0, 6.0),
    )  # fmt: skip
    wings = [(ball(at(tip - 11.5, 6.0 * s, 46.5), (6.0, 3.8, 4.2)), 3.0) for s in (1.0, -1.0)]
    return [(bridge, 5.0), *wings]


def _mouth(at, male: bool):
    full = 1.0 if male else 1.18
    upper = ball(at(55.2, 0, 27.2), (5.4, 13.5, 3.4 * full), turn_y(0.25))
    lower = ball(at(54.4, 0, 21.4), (5.6, 12.0, 3.8 * full), turn_y(-0.2))
    return [(upper, 3.5), (lower, 3.0)]


def _ear(at, s: float):
    turn = turn_z(0.42 * s) @ turn_y(-0.16) @ turn_x(-0.10 * s)
    middle = at(-1.0, 44.5 * s, 60.0)
    shell = ball(middle, (9.8, 3.8, 17.0), turn)
    hollow = ball(middle + turn @ np.array([1.0, 3.6 * s, 2.0]), (6.2, 2.8, 10.5), turn)
    return cut(shell, (hollow, 2.0))


def hair(p: Person) -> tuple:
    """Return solids of the hair that are added to the head, with their radii."""
    if p.sex == "m":
        return ()
    return ((ball((-60.0, 0.0, CHIN + 98.0), (19.0, 20.0, 19.0)), 6.0),)
