"""Six legs in pure physics: tripod steps, speed, slip, turns, stops, the same bits again. One kernel, many rollouts."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import AnthropiError
from anthropi.gait.walker.hexapod import Roach, headings, measure, roach_walk
from anthropi.simulation.memory import layout
from anthropi.simulation.sense import Contacts, Sense

pytestmark = pytest.mark.slow

FIGURE = ap.sample("roach")
ROACH = Roach(FIGURE)
SCENE = ap.Scene(FIGURE, features=["body.1", "body.2", "body.3", "body.4",
                                   *(f"{leg.name}_sole" for leg in ROACH.legs)])  # fmt: skip
TOLD = {"ahead": (0.3, 0.0), "fast": (0.5, 0.0), "slow": (0.1, 0.0), "back": (-0.2, 0.0), "left": (0.3, np.pi / 2),
        "spot": (0.0, -np.pi / 2), "pushed": (0.3, 0.0), "still": (0.0, 0.0)}  # fmt: skip
MEMORY, PARAMETERS = layout(ROACH.memory), layout(ROACH.parameters)
OPTIONS = {"every": 10, "opt": 0, "record": ("contact", "tau")}
SINCE = 2.0  # [s] it has its speed
STOP = 2.0  # [s] at which the command is to stand


@pytest.fixture(scope="module")
def walks():
    """29 s of each command from standing, in one batch; "pushed" begins with 1 m/s to the side."""
    names = list(TOLD)
    u = np.zeros((len(names), FIGURE.nu))
    u[names.index("pushed"), 1] = 1.0
    q, command = np.tile(ROACH.start(), (len(names), 1)), np.array(list(TOLD.values()))
    return ap.simulate(SCENE, q, u, forces=ROACH, duration=29.0, command=command, **OPTIONS)


@pytest.fixture(scope="module")
def orders():
    """Ahead as above, then to stand."""
    return roach_walk(SCENE, [(STOP, *TOLD["ahead"]), (3.0, 0.0, 0.0)], ROACH, **OPTIONS)


def one(walks, name):
    return walks.rollout(list(TOLD).index(name))


def test_it_walks_a_hundred_tripod_steps(walks):
    """From standing, by contacts alone, its body off the ground and at its height."""
    walk = one(walks, "ahead")
    found = measure(walk, SCENE)
    assert found.steps >= 100
    assert found.touched == 0.0 and found.tilt < np.deg2rad(1.0)
    assert found.height[0] > 0.127 and found.height[1] < 0.133  # [m] of 0.13 commanded
    assert np.abs(walk.tau[:, :6]).max() == 0.0  # nothing at its root
    assert walk.channels["contact"][:, 4:, 2].sum(1).mean() == pytest.approx(9.81 * FIGURE.mass, rel=0.03)
    low, high = FIGURE.limits
    assert (walk.q[:, 7:] > low[6:]).all() and (walk.q[:, 7:] < high[6:]).all()


@pytest.mark.parametrize("name", ["ahead", "fast", "slow", "back", "pushed"])
def test_it_keeps_its_speed_and_its_feet_stay(walks, name):
    found = measure(one(walks, name), SCENE, since=SINCE)
    assert found.speed == pytest.approx(abs(TOLD[name][0]), rel=0.05)
    assert found.slip[1] < 0.1 * found.step
    assert found.touched == 0.0 and found.height[0] > 0.125 and found.height[1] < 0.135
    x = one(walks, name).q[-1, 0]
    assert np.sign(x) == np.sign(TOLD[name][0])


def test_three_feet_or_six_carry_it(walks):
    """Never fewer than a tripod; and each foot swings."""
    walk = one(walks, "ahead")
    loaded = walk.channels["contact"][walk.time > SINCE, 4:, 2] > 0.1
    first, other = loaded[:, [0, 2, 4]], loaded[:, [1, 3, 5]]  # l1 l3 r2, l2 r1 r3
    assert (first.all(1) | other.all(1)).mean() > 0.99
    assert (loaded.mean(0) > 0.5).all() and (loaded.mean(0) < 0.75).all()


def test_it_turns(walks):
    for name in ("left", "spot"):
        heading = headings(one(walks, name))
        assert heading[-1] == pytest.approx(TOLD[name][1], abs=np.deg2rad(2.0))
        assert measure(one(walks, name), SCENE).touched == 0.0
    assert np.abs(one(walks, "spot").q[-1, :2]).max() < 0.02
    left = one(walks, "left")
    moved = left.q[-1, :2] - left.q[left.time.searchsorted(10.0), :2]
    assert np.arctan2(moved[1], moved[0]) == pytest.approx(np.pi / 2, abs=np.deg2rad(2.0))


def test_told_to_stand_it_stands(walks, orders):
    still = one(walks, "still")
    assert measure(still, SCENE).steps == 0 and np.abs(still.q[-1] - ROACH.start()).max() < 2e-3
    assert np.abs(orders.u[-1]).max() < 1e-3 and (orders.channels["contact"][-1, 4:, 2] > 4.0).all()
    assert np.abs(orders.q[-1, 7:] - ROACH.start()[7:]).max() < 0.02  # its feet are home again


def test_the_same_bits_again_and_no_recording(walks, orders):
    count = int(STOP * 100) + 1
    assert np.array_equal(orders.q[:count], one(walks, "ahead").q[:count])  # alone or in a batch
    pushed = one(walks, "pushed").q
    assert np.abs(pushed[count, :2] - orders.q[count, :2]).max() > 0.02 and abs(pushed[-1, 1]) < 0.3


def test_orders_and_motions_are_looked_at(orders):
    assert orders.time[-1] == pytest.approx(STOP + 3.0)
    refused = {
        "no orders": lambda: roach_walk(SCENE, []),
        "10 ms": lambda: measure(orders[::5], SCENE),
        "speed .m/s., heading": lambda: ap.simulate(SCENE, ROACH.start(), forces=ROACH, steps=1),
    }
    for words, call in refused.items():
        with pytest.raises(AnthropiError, match=words):
            call()


def law(t, q, u, command, loads, memory, parameters):
    """What the controller gives, as one row; memory and parameters are rows too."""
    felt = Contacts(("",) * 6, tuple((leg.tibia, -1) for leg in ROACH.legs), loads)
    sense = Sense(t, q, u, kinematics(FIGURE, q, u), felt, command, 0.0, 0.0)
    drive, after = ROACH(FIGURE, sense, MEMORY.unpack(memory), PARAMETERS.unpack(parameters))
    return np.concatenate([drive.tau, drive.target, drive.kp, drive.kd, MEMORY.pack(after)])


def test_the_tape_is_the_law_and_stays_small():
    rng = np.random.default_rng(3)
    swings = {"phase": 3.2, "down": np.array([0.0, 1.0, 0.0, 1.0, 0.0, 1.0]), "speed": 0.2}
    given = {"t": np.array(0.001), "q": FIGURE.integrate(ROACH.start(), 0.02 * rng.normal(size=FIGURE.nu)),
             "u": rng.normal(size=FIGURE.nu), "command": np.array([0.3, 0.4]), "loads": rng.uniform(0.0, 9.0, (6, 3)),
             "memory": MEMORY.pack(ROACH.memory | swings), "parameters": PARAMETERS.pack(ROACH.parameters)}  # fmt: skip
    tape = ap.record(law, **given)
    found = ap.build(tape, target="replay")(**given)
    np.testing.assert_allclose(found, law(**given).astype(float), atol=1e-12)  # rounding
    assert tape.operations < 1700  # kinematics of all links with it
