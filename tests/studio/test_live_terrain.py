"""Terrain of live walks: its length, and its place if it changes while a figure walks."""

import numpy as np
import pytest

from anthropi.contact.geometry.height_field import HeightField
from anthropi.figure.human.build import standing
from anthropi.studio.live.interaction import AppliedImpulse, begun, wrenches
from anthropi.studio.live.models import WalkerModel
from anthropi.studio.live.stepper import Stepper
from anthropi.studio.project.scene import height_at
from anthropi.studio.session.examples import EXAMPLES


@pytest.mark.slow
def test_terrain_goes_on_for_five_minutes_of_walking_and_an_upright_walker_far_along_has_not_fallen(tried):
    """A walker that stands on the stairs, 33 m and 380 m along, has its height over the step below it."""
    tried.do("open_sample", name="human")
    q = standing(tried.item.figure)
    for kind in ("stairs", "slope", "waves"):
        tried.do("set_ground", ground={"kind": kind, "slope": 0.08, "height": 0.1, "size": 0.4})
        model = WalkerModel(tried.session.project, tried.item.number, 1.3, "natural", "walk")
        for x in (0.0, 33.0, 380.0):
            high = float(height_at(tried.session.project.world.ground, x, 0.0))
            assert not model.is_fallen(np.array([q[0] + x, q[1], q[2] + high, *q[3:]])), (kind, x)
            assert kind == "waves" or high >= 0.07 * (x - 2.0)


@pytest.mark.slow
def test_terrain_that_changes_during_a_walk_begins_under_the_feet(tried):
    """The new ground has the height of the old one where the walker is; afterwards it begins at the origin again."""
    tried.do("open_sample", name="human")
    started = tried.do("live_start", figure=tried.item.number, dynamics="walk")["run"]
    run = tried.session.live
    tried.until(lambda: run.number == started and run.time > 0.3)
    tried.do("set_ground", ground={"kind": "slope", "slope": 0.1})
    ground = tried.session.project.world.ground
    assert ground.origin[0] > 0.0 and ground.origin[2] == 0.0
    tried.do("set_ground", ground={"kind": "slope", "slope": 0.1, "friction": 0.5, "origin": [9.0, 0.0, 0.0]})
    assert tried.session.project.world.ground.origin == ground.origin
    tried.until(lambda: isinstance(run.model.problem.scene.ground, HeightField), 60)
    q, scene = run.stepper.simulation.q, run.model.problem.scene
    assert not run.fallen and 0.7 < q[2] - float(height_at(ground, q[0], q[1])) < 1.2, scene
    tried.do("live_stop", keep=True)
    assert tried.session.project.world.ground.origin == (0.0, 0.0, 0.0)
    assert tried.session.project.motions[-1].world.ground.origin == ground.origin


def test_an_impulse_acts_for_its_whole_duration_whenever_it_arrives():
    """The time of the force begins with the first step in which it acts, not when the browser sent it."""
    (one,) = begun([AppliedImpulse(0, np.zeros(3), np.ones(3))], 1.0)
    assert one.until == 1.02
    assert begun([one], 1.016) == [one] and begun([one], 1.02) == []


@pytest.mark.soak
@pytest.mark.parametrize("ground", [{"kind": "slope", "slope": 0.08}, {"kind": "stairs"}, {"kind": "waves"}], ids=str)
def test_a_live_walk_of_five_minutes_keeps_its_feet_on_the_terrain(tried, ground):
    """Stepped as in a live run, but as fast as possible. "Fallen" was shown after 25 s on stairs before."""
    tried.do("open_sample", name="human")
    tried.do("set_ground", ground=ground)
    model = WalkerModel(tried.session.project, tried.item.number, 1.3, "natural", "walk")
    stepper, figure = Stepper(model.problem, model.dt), model.problem.figure
    stepper.start(model.q, model.u)
    feet, none = [figure.link_index(f"{side}_foot") for side in "lr"], np.zeros((figure.n, 6))
    while (t := stepper.simulation.time) < 300.0:
        view = stepper.step(100, stepper.numbers(), none, model.parameters_at(t), model.command_row)
        assert not model.is_fallen(stepper.simulation.q), t
        ankles = view.kinematics.position[feet]
        over = [z - height_at(tried.session.project.world.ground, x, y) for x, y, z in ankles]
        assert 0.03 < min(over) < 0.12, t  # [m] of the lower ankle, 0.08 when the foot stands flat
    assert stepper.simulation.q[0] > 250.0


@pytest.mark.slow
def test_the_pushed_walker_of_the_example_keeps_its_balance():
    """Four pushes of 24 to 30 N s from four sides, stepped as in a live run but as fast as possible."""
    project = EXAMPLES["pushed human"].make(1)
    figure, model = project.items[0].figure, WalkerModel(project, 1, 1.3, "natural", "walk")
    stepper = Stepper(model.problem, model.dt)
    stepper.start(model.q, model.u)
    forces = [(figure.link_index(force.link), force) for force in project.forces]
    view = stepper.step(0, stepper.numbers(), np.zeros((figure.n, 6)), None, model.command_row)
    while (t := stepper.simulation.time) < 17.0:
        acting = any(f.start <= t < f.end for _, f in forces)
        external = wrenches(view.kinematics, figure.mass, t, None, (), forces)
        view = stepper.step(4 if acting else 20, stepper.numbers(), external, model.parameters_at(t), model.command_row)
        assert not model.is_fallen(stepper.simulation.q), t
    assert stepper.simulation.q[0] > 15.0  # [m] it went on
