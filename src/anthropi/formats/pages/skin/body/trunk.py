"""Shape the trunk and the neck of a person.

Half breadths and depths are those of ANSUR II (C. C. Gordon and others, 2012 Anthropometric survey of U.S. Army
personnel, NATICK/TR-15/007, 2014; means of 4,082 men and 1,986 women, divided by their mean statures of 1.756 and
1.629 m), reduced to a girth of 1, and completed between the measured levels by eye:

    thousandths of stature        men     women
    breadth of the hips           197     217
    breadth, depth of the waist   186 135 184 131   at the navel
    breadth, depth of the chest   165 144 165 152   without arms
    between the deltoids          291     277
    circumference of the neck     226     203
"""

import numpy as np

from anthropi.formats.pages.skin.body.person import Person
from anthropi.formats.pages.skin.body.solids import Blend, ball, join, loft, turn_x, turn_y

__all__ = ["half_hip", "trunk"]

SIDEWAYS = 0.7  # share of the growth of the trunk with girth that goes to the sides, where the arms hang
PROFILES = {  # height, centre to the front, semi-axes to the front, back and side, and powers of girth: front, others
    "m": (
        (494, -4, 33, 58, 66, 1.1, 1.0),
        (512, -5, 48, 66, 82, 1.1, 1.0),
        (535, -4, 59, 66, 90, 1.2, 1.0),
        (560, -2, 61, 60, 89, 1.3, 1.05),
        (585, 1, 61, 56, 85.5, 1.45, 1.15),
        (608, 3, 60, 54, 83, 1.5, 1.2),
        (640, 4, 59, 54, 81.5, 1.5, 1.2),
        (680, 3, 61, 58, 84, 1.3, 1.1),
        (715, 1, 63, 60, 88, 1.15, 1.05),
        (745, -1, 63, 62, 91, 1.0, 1.0),
        (770, -4, 64, 65, 90, 0.9, 0.9),
        (793, -8, 58, 61, 82, 0.7, 0.7),
        (812, -12, 49, 53, 66, 0.6, 0.6),
        (832, -15, 36, 40, 46, 0.5, 0.5),
    ),
    "f": (
        (478, -4, 33, 58, 62, 1.1, 1.0),
        (495, -5, 48, 69, 88, 1.1, 1.0),
        (520, -5, 58, 71, 103, 1.2, 1.0),
        (548, -3, 61, 66, 101, 1.3, 1.05),
        (578, 1, 64, 61, 95, 1.45, 1.15),
        (608, 3, 65, 60, 87, 1.5, 1.2),
        (645, 4, 58, 56, 78, 1.5, 1.2),
        (682, 2, 56, 57, 78, 1.3, 1.1),
        (718, 0, 61, 63, 82, 1.15, 1.05),
        (742, -2, 60, 64, 83, 1.0, 1.0),
        (764, -6, 54, 60, 80, 0.9, 0.9),
        (785, -9, 47, 51, 68, 0.7, 0.7),
        (802, -12, 40, 44, 53, 0.6, 0.6),
        (822, -15, 31, 35, 38, 0.5, 0.5),
    ),
}


def trunk(p: Person) -> Blend:
    """Return the solid of the trunk and the neck, without arms and legs."""
    rows = np.array(PROFILES[p.sex], float)
    z = np.array([p.height(level) for level in rows[:, 0]])
    front, other = (np.array([p.wide(power) for power in column]) for column in rows[:, 5:].T)
    s = (z - z[0]) / (z[-1] - z[0])
    half = rows[:, 4] * other**SIDEWAYS
    table = np.stack([s, rows[:, 1], 0 * s, rows[:, 2] * front, rows[:, 3] * other, half, half], 1)
    core = loft((0.0, 0.0, z[0]), (0.0, 0.0, z[-1]), table, (24.0, 32.0))
    return join(10.0, core, *_paired(p), (_neck(p), 18.0))


def half_hip(p: Person) -> float:
    """Return half the greatest breadth of the hips."""
    return max(row[4] * p.wide(row[6] * SIDEWAYS) for row in PROFILES[p.sex][:4])


def _paired(p: Person):
    """Return the buttocks, the breast and the shoulders of both sides, with their radii."""
    male, up, w = p.sex == "m", p.height, p.wide(1.0)
    seat = 519.0 if male else 497.0
    left = [
        (ball((-40.0 * w, 43.0 * w, up(seat)), np.array([36.0, 43.0, 43.0] if male else [39.0, 46.0, 44.0]) * w), 22.0),
        (_trapezius(p), 26.0),
        (
            ball(p.points["l_shoulder"] + [-2.0, -8.0, -7.0 if male else -4.0], (24.0 if male else 20.0, 26.0, 16.0)),
            24.0,
        ),
        (
            ball(
                (2.0, 0.60 * p.points["l_shoulder"][1], up(792 if male else 773)),
                (40.0 if male else 36.0, 40.0, 32.0),
            ),
            28.0,
        ),
    ]
    if male:
        left.append((ball((37.0 * w, 43.0, up(764)), (20.0 * w, 47.0, 34.0), turn_x(0.30)), 34.0))
        left.append((ball((-37.0 * w, 46.0, up(768)), (24.0, 36.0, 58.0), turn_x(-0.2)), 28.0))
    else:
        bust = np.array([30.5, 34.0, 32.0]) * p.wide(1.2)
        left.append((ball((50.0 * w, 37.0 * p.wide(0.7), up(718)), bust, turn_y(0.12)), 22.0))
        left.append((ball((-34.0 * w, 40.0, up(755)), (22.0, 32.0, 54.0)), 26.0))
    return [pair for solid, radius in left for pair in ((solid, radius), (solid.mirrored(), radius))]


def _trapezius(p: Person):
    """Return the slope from the neck to the shoulder."""
    a, tip = p.points["cervicale"], p.points["l_shoulder"]
    thick = 1.0 if p.sex == "m" else 0.86
    w = p.wide(0.5)
    start = (-14.0, 24.0, a[2] - 12.0)
    t = w * thick
    rows = [  # the axis runs to the left, so that "left" is down and "right" is up
        (0.0, 0.0, 0.0, 18 * w, 18 * w, 32, 14 * t),
        (0.4, 0.0, 0.0, 21 * w, 22 * w, 32, 14 * t),
        (0.75, 0.0, 0.0, 22 * t, 24 * t, 26, 14.5 * t),
        (1.0, 0.0, 0.0, 20 * t, 22 * t, 20, 14 * t),
    ]
    return loft(start, (-7.0, tip[1] - 6.0, tip[2] - (8.0 if p.sex == "m" else -2.0)), rows, (16.0, 14.0))


def _neck(p: Person):
    """Return the neck, from below the collar to the base of the skull."""
    a, b = p.points["cervicale"], np.array([2.0, 0.0, 907.0])
    w = p.wide(0.6) * (0.91 if p.sex == "m" else 0.84)
    start = np.array([-15.0, 0.0, a[2] - 32.0])
    rows = [
        (0.0, 0.0, 0.0, 40 * w, 38 * w, 44 * w, 44 * w),
        (0.3, 2.0, 0.0, 36 * w, 35 * w, 37 * w, 37 * w),
        (0.6, 2.5, 0.0, 34 * w, 34 * w, 33.5 * w, 33.5 * w),
        (1.0, 1.0, 0.0, 34 * w, 36 * w, 33.5 * w, 33.5 * w),
    ]
    return loft(start, b, rows, (12.0, 14.0))
