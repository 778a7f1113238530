"""Samples for the laws of rotations: near and exactly at 0, π and 2π, and between.

A kind is the shape of one sample, a hypothesis strategy, and fixed samples on which every law is checked as well.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

PI = math.pi
NEAR_0 = (0.0, 1e-320, 1e-160, 1e-12, 1e-8, 1e-4)
NEAR_PI = (PI - 1e-9, PI, PI + 1e-9)
NEAR_2PI = (2 * PI - 1e-3, 2 * PI)
AXES = [np.array(a) / np.linalg.norm(a) for a in (
    (1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 1.0, 0.0), (0.0, -1.0, 1.0), (-1.0, 1e-6, 2.0),
    (1.0, -2.0, 2.0),
)]  # fmt: skip


class Kind(NamedTuple):
    """What an input of a law may be."""

    shape: tuple[int, ...]
    strategy: Any
    fixed: list


def _unit(a):
    length = math.sqrt(sum(x * x for x in a))
    return np.array(a) / length if length > 0.1 else np.array([0.0, 0.0, 1.0])


_component = st.floats(-1.0, 1.0, width=32)
axes = st.one_of(st.sampled_from(AXES), st.builds(lambda *a: _unit(a), _component, _component, _component))


def turn(low: float, high: float, *seams: float) -> Kind:
    """Rotation vectors with angles from low to high, and at the seams."""
    angles = st.floats(low, high)
    if seams:
        angles = st.one_of(st.sampled_from(seams), angles)
    rng = np.random.default_rng(1)
    fixed = [a * t for a in AXES for t in seams]
    fixed += [AXES[k % 7] * rng.uniform(low, high) for k in range(21)]
    return Kind((3,), st.builds(lambda t, a: t * a, angles, axes), fixed)


def number(low: float, high: float, *seams: float) -> Kind:
    """Numbers from low to high, and the seams."""
    values = st.one_of(st.sampled_from(seams), st.floats(low, high)) if seams else st.floats(low, high)
    return Kind((), values, [*seams, *np.linspace(low, high, 40)])


def triple(*ranges) -> Kind:
    """Three numbers, each in its range."""
    rng = np.random.default_rng(2)
    fixed = [np.array([rng.uniform(*r) for r in ranges]) for _ in range(40)]
    return Kind((3,), st.builds(lambda *a: np.array(a), *(st.floats(*r) for r in ranges)), fixed)


TURN = turn(0.0, 2 * PI, *NEAR_0, *NEAR_PI, *NEAR_2PI)  # everything: exp, J, w from ṙ
REGULAR = turn(0.0, 6.0, *NEAR_0, *NEAR_PI)  # away from 2π, where G is infinite
SHORT = turn(0.0, PI - 1e-6, *NEAR_0, PI - 1e-6)  # where log gives back r
AWAY = turn(0.3, 6.0, *NEAR_PI)  # away from 0 too, where printed forms divide by θ
LONG = turn(PI + 1e-6, 3 * PI - 1e-6, PI + 1e-6, 6.0, 6.5)  # where K(66) changes the chart
FAR = turn(3 * PI + 1e-3, 6 * PI, 3 * PI + 1e-3, 5 * PI + 1e-3)
SMALL = turn(0.0, 1e-2, *NEAR_0[:5])
AXIS = Kind((3,), axes, AXES * 6)
VECTOR = triple((-2.0, 2.0), (-2.0, 2.0), (-2.0, 2.0))
ANGLE = number(0.5, 6.28, PI, 4.493409457909064)
SMALL_ANGLE = number(0.0, 1e-2, *NEAR_0[:5])
FRACTION = number(0.0, 1.0, 0.0, 0.5, 1.0)
STEP = number(1e-3, 0.5)
CARDAN = triple((-3.1, 3.1), (-1.4, 1.4), (-3.1, 3.1))
PROPER = triple((-3.1, 3.1), (0.2, 2.9), (-3.1, 3.1))
