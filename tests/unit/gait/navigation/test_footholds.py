"""Footholds on rough ground: flat, reachable, clear of edges, near the nominal print; and how high a foot is lifted."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anthropi.contact.geometry.height_field import HeightField
from anthropi.errors import InputError
from anthropi.gait.navigation import (
    Foothold,
    FootholdStepper,
    PointWalker,
    Reach,
    Sole,
    foothold,
    nominal_print,
    step_over,
    stepping_terrain,
)
from anthropi.gait.walker.command import Command

STANDS, NOMINAL = np.array([0.0, 0.07]), np.array([0.65, -0.07])  # the left stands


def ground(function, spacing=0.05):
    return HeightField.of(function, (-2.0, -1.0), (3.0, 1.0), spacing)


def test_level_ground_asks_for_nothing():
    found = foothold(ground(lambda x, y: 0.3), NOMINAL, 0.0, STANDS, 0)
    assert found.reach == (0.0, 0.0) and found.lift == pytest.approx(0.0, abs=1e-12) and found.good
    assert found.score == pytest.approx(0.0, abs=1e-9) and found.place == pytest.approx([0.65, -0.07, 0.3])


def test_on_a_slope_the_foot_goes_on_and_knows_it():
    found = foothold(ground(lambda x, y: 0.1 * x), NOMINAL, 0.0, STANDS, 0)
    assert found.tilt == pytest.approx([0.1, 0.0], abs=1e-9) and found.terms["flat"] == pytest.approx(1.0)
    assert found.place[2] == pytest.approx(0.1 * found.place[0])


def test_an_edge_under_the_sole_is_left_for_a_side_of_it():
    step = ground(lambda x, y: 0.1 if x > 0.68 else 0.0, 0.02)
    found = foothold(step, NOMINAL, 0.0, STANDS, 0)
    sole = found.place[0] + np.array([-0.06, 0.19])
    assert found.good and (sole[1] < 0.68 or sole[0] > 0.68), "all of the sole on one side"
    assert found.terms["flat"] < 0.1 and found.reach[1] == 0.0


def test_a_ditch_is_stepped_over_and_a_bar_is_lifted_over():
    ditch = ground(lambda x, y: -0.5 if 0.5 < x < 0.8 else 0.0, 0.02)
    found = foothold(ditch, NOMINAL, 0.0, STANDS, 0)
    assert found.good and found.place[2] == pytest.approx(0.0) and not 0.31 < found.place[0] < 0.86
    bar = ground(lambda x, y: 0.06 if 0.32 < x < 0.38 else 0.0, 0.02)
    found = foothold(bar, NOMINAL, 0.0, STANDS, 0)
    assert found.reach == (0.0, 0.0) and found.lift == pytest.approx(0.06 + 0.03)


def test_where_nothing_is_good_the_least_bad_is_taken_and_said():
    rough = ground(lambda x, y: 0.3 * np.sin(40.0 * x) * np.cos(50.0 * y), 0.02)
    found = foothold(rough, NOMINAL, 0.0, STANDS, 0)
    assert not found.good and found.score > 10.0


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), heading=st.floats(-3.1, 3.1), side=st.integers(0, 1))
def test_laws_on_random_tiles(seed, heading, side):
    """Within reach; no candidate within reach scores less; turned ground gives the same foothold, turned."""
    rng, reach = np.random.default_rng(seed), Reach()
    tiles = rng.uniform(-0.08, 0.08, (12, 12))

    def height(x, y):
        return tiles[np.floor(x / 0.4).astype(int) % 12, np.floor(y / 0.4).astype(int) % 12]

    class Ground:  # any surface that knows its height
        def __init__(self, turn):
            self.c, self.s = np.cos(turn), np.sin(turn)

        def height(self, x, y):
            back = self.c * x + self.s * y, self.c * y - self.s * x
            return height(*back), 0.0, 0.0

    out = -1.0 if side == 0 else 1.0
    stands = rng.uniform(-1.0, 1.0, 2)
    nominal = stands + np.array([rng.uniform(0.4, 0.8), 0.14 * out])
    found = foothold(Ground(0.0), nominal, 0.0, stands, side)
    step = found.place[:2] - stands
    assert found.lift >= max(found.place[2] - height(*stands), 0.0) - 0.09  # as high as where it lands; a sole's mean
    assert max(abs(found.reach[0]) - reach.shift[0], abs(found.reach[1]) - reach.shift[1]) < 1e-9
    assert found.score == pytest.approx(sum(found.terms.values()))
    if found.good:
        assert reach.ahead[0] <= step[0] <= reach.ahead[1] and reach.aside[0] <= out * step[1] <= reach.aside[1]
    narrow = foothold(Ground(0.0), nominal, 0.0, stands, side, reach=Reach(shift=(0.1, 0.05)))
    assert not (narrow.good and not found.good) and (not narrow.good or narrow.score >= found.score - 1e-9)
    c, s = np.cos(heading), np.sin(heading)
    turn = np.array([[c, -s], [s, c]])
    other = foothold(Ground(heading), turn @ nominal, heading, turn @ stands, side)
    assert other.score == pytest.approx(found.score, rel=0.2, abs=0.5)  # points on an edge fall to either side


def test_a_foot_never_crosses_the_one_that_stands():
    wall = ground(lambda x, y: 0.5 if y < -0.03 else 0.0, 0.02)  # only the other side is flat
    found = foothold(wall, NOMINAL, 0.0, STANDS, 0)
    assert found.good and STANDS[1] - 0.08 < found.place[1] <= STANDS[1] - 0.04 + 1e-9
    far = foothold(wall, NOMINAL, 0.0, STANDS, 0, reach=Reach(aside=(0.10, 0.40)))
    assert not far.good, "what is flat would cross"


def test_a_command_gets_lift_and_reach_from_the_ground():
    walker = PointWalker(seed=None)
    walker.command(Command(speed=1.2))
    walker.run(3.0)
    command = step_over(walker, ground(lambda x, y: 0.0), Command(speed=1.2))
    assert command == Command(speed=1.2)
    assert step_over(walker, ground(lambda x, y: 1.0), Command(go=False)) == Command(go=False)
    x = nominal_print(walker)[0]
    bar = HeightField.of(lambda a, b: 0.05 if abs(a - x + 0.3) < 0.05 else 0.0, (0.0, -1.0), (6.0, 1.0), 0.02)
    command = step_over(walker, bar, Command(speed=1.2, heading=0.1))
    assert command.lift == pytest.approx(0.08) and command.heading == 0.1 and command.speed == 1.2


class Steps:
    """A walker that puts its feet `off` (2,) from its target, one step a call of `step`."""

    def __init__(self, off):
        self.off, self.heading, self.velocity, self.steps = np.array(off), 0.3, np.array([1.2, 0.3]), 0
        self.feet = {"l": np.array([0.0, 0.07, 0.0]), "r": np.array([-0.6, -0.07, 0.0])}

    @property
    def side(self):
        return self.steps % 2

    def step(self, command):
        c, s = np.cos(self.heading), np.sin(self.heading)
        by_itself = nominal_print(self) + np.array([[c, -s], [s, c]]) @ (self.off + command.reach)
        self.feet["rl"[self.side]] = np.array([*by_itself, 0.0])
        self.steps += 1


def test_a_stepper_learns_where_feet_go_by_themselves():
    walker, stepper = Steps((0.08, -0.03)), FootholdStepper(stepping_terrain(3, width=12.0))
    for _ in range(16):
        command = stepper(walker, Command())
        assert stepper(walker, Command()) == command, "kept through the step"
        walker.step(command)
    off = [np.hypot(*(landed - target)) for target, landed in stepper.prints]
    assert off[0] == pytest.approx(np.hypot(0.08, 0.03)) and off[-1] < 0.1 * off[0] and len(off) == 15
    assert stepper(walker, Command(go=False)) == Command(go=False)
    walker.steps += 1
    stepper(walker, Command())
    assert len(stepper.prints) == 15, "a print without a target is not learnt from"


def test_stepping_terrain_is_tiles_within_its_amplitude_and_level_about():
    field = stepping_terrain(4, length=10.0, amplitude=0.08, tile=0.4)
    at = np.arange(25) * 0.4 + 0.2
    tiles = field.height(at, np.full(25, 0.2))[0]
    assert 0.05 < np.abs(field.heights).max() <= 0.08 and len(np.unique(tiles.round(9))) == 25
    assert field.height(at + 0.1, np.full(25, 0.25))[0] == pytest.approx(tiles), "flat over a tile"
    assert field.height(np.array([-1.0, 10.5, 5.0]), np.array([0.0, 0.0, 2.1]))[0].tolist() == [0.0, 0.0, 0.0]
    assert (stepping_terrain(4).heights == field.heights).all() and (stepping_terrain(5).heights != field.heights).any()
    small = stepping_terrain(4, change=0.03, tile=(0.5, 4.0)).height(np.arange(20) * 0.5 + 0.2, np.zeros(20))[0]
    assert np.abs(np.diff([0.0, *small])).max() <= 0.03 + 1e-12


def test_on_stepping_terrain_most_footholds_are_flat():
    rng, good, flat = np.random.default_rng(1), 0, 0.0
    field = stepping_terrain(1)
    for _ in range(60):
        stands = np.array([rng.uniform(0.5, 9.0), rng.uniform(-1.0, 1.0)])
        found = foothold(field, stands + np.array([0.65, -0.14]), 0.0, stands, 0)
        good, flat = good + found.good, max(flat, found.terms["flat"] if found.good else 0.0)
        assert isinstance(found, Foothold)
    assert good >= 58 and flat < 9.0 + 12.3  # within limits: residual (15 / 5 mm)², tilt (0.35 / 0.1)²


def test_what_makes_no_sense_is_refused():
    level = ground(lambda x, y: 0.0)
    for call in (
        lambda: foothold(level, [np.nan, 0.0], 0.0, STANDS, 0),
        lambda: foothold(level, NOMINAL, 0.0, [0.0], 0),
        lambda: stepping_terrain(1, tile=0.0),
        lambda: stepping_terrain(1, amplitude=-0.1),
        lambda: stepping_terrain(1, edge=0.5),
    ):
        with pytest.raises(InputError):
            call()
    assert Sole().points().shape == (45, 2)
