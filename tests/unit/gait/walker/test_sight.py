"""Sight of the ground: footholds on level, raised and broken ground, legs that shorten for them."""

from types import SimpleNamespace

import numpy as np
import pytest

import anthropi as ap
from anthropi.contact.geometry.height_field import HeightField
from anthropi.contact.geometry.surfaces import Plane
from anthropi.gait.walker import Command, WalkingSession, load_walker, sole_scene
from anthropi.gait.walker.foot_placement import FIRST_SIGHT, Sight, ground_height
from anthropi.gait.walker.joint_targets import knee_flexion
from anthropi.gait.walker.observation import observe
from anthropi.gait.walker.phase_clock import FIRST_MEMORY
from anthropi.gait.walker.search.grounds import Lanes
from anthropi.gait.walker.settings import JointTargetSettings
from anthropi.gait.walker.walker import walker_at_start
from anthropi.simulation.sense import Contacts

LEG = JointTargetSettings().leg


@pytest.fixture(scope="module")
def figure():
    return ap.human(1.75, 75.0)


def stepped(height, at=0.3):
    """Level ground, and ground of a height from x = at on."""
    x = np.arange(-3.0, 3.0, 0.05)
    return HeightField(np.where(x > at - 1e-9, height, 0.0)[:, None] * np.ones(60), (-3.0, -1.5), (0.05, 0.05))


def sight_of(figure, ground, x=0.0):
    """Return the command with the foothold that sight chooses (left foot just struck), the foot, the observation."""
    walker, q, u = walker_at_start(figure, load_walker())
    q = q.copy()
    q[0] += x
    sense = SimpleNamespace(t=0.0, q=q, u=u, kinematics=ap.algorithms.kinematics.kinematics(figure, q, u),
                            contacts=Contacts((), (), np.zeros((0, 3))), command=Command().row())  # fmt: skip
    memory = {name: np.array(v) for name, v in (FIRST_MEMORY | FIRST_SIGHT).items()}
    obs = observe(figure, sense, memory, walker.parameters)
    foot = sense.kinematics.position[figure.link_index("l_foot")]
    return Sight(ground)(obs, memory)[0].command, foot, obs


def test_heights_of_every_ground():
    assert ground_height(Plane(), 1.0, 2.0, 3.0) == pytest.approx(0.0)
    assert ground_height(stepped(0.08), 1.0, 0.0, 1.0) == pytest.approx(0.08)
    slope = Lanes([0.0], [0.1], [0.0])
    assert ground_height(slope, 2.0, 0.0, 1.0) == pytest.approx(0.2)


def test_on_level_ground_sight_changes_no_command(figure):
    command, *_ = sight_of(figure, Plane())
    assert [*command.reach, command.rise, command.lift] == pytest.approx([0.0] * 4, abs=1e-12)


@pytest.mark.parametrize("height", [0.06, -0.06])
def test_it_knows_how_high_the_next_foothold_is(figure, height):
    """The edge is well before the print: it is higher by the step, and nothing has to be avoided."""
    _, foot, _ = sight_of(figure, Plane())
    command, *_ = sight_of(figure, stepped(height, at=round((foot[0] + 0.4) / 0.05) * 0.05), 0.0)
    assert command.rise == pytest.approx(height, abs=1e-6)
    assert command.lift == pytest.approx(max(height, 0.0), abs=1e-6)


def test_it_steps_beside_an_edge(figure):
    """An edge right under the print: the sole goes where it is flat."""
    _, foot, obs = sight_of(figure, Plane())
    step = float(obs.p["path"][0][1:].sum())
    ground = stepped(0.06, at=round((foot[0] + step + 0.05) / 0.05) * 0.05)
    command, *_ = sight_of(figure, ground)
    print_x = foot[0] + step + command.reach[0]
    under = [ground_height(ground, print_x + i, foot[1], 1.0) for i in (-0.06, 0.05, 0.18)]
    assert abs(command.reach[0]) > 0.02 and np.ptp(under) < 0.03


def test_a_knee_that_bends_makes_the_leg_shorter():
    for knee, short in ((0.2, 0.08), (0.6, 0.05), (0.1, 0.0)):
        before, after = (LEG * np.cos(0.5 * k) for k in (knee, knee + knee_flexion(knee, short, LEG)))
        assert before - after == pytest.approx(short, abs=1e-9)


@pytest.mark.slow
def test_a_walker_with_eyes_steps_up_what_one_without_would_stumble_over(figure):
    """A kerb of 5 cm at 1.1 m/s, seen: upright on top of it."""
    kerb = stepped(0.05, at=1.5)
    person = WalkingSession(sole_scene(figure, ground=kerb), start="walk", sight=Sight(kerb))
    person.command(Command(speed=1.1))
    person.run(4.0)
    assert not person.fallen and person.q[0] > 2.5 and min(f[2] for f in person.feet.values()) > 0.1
