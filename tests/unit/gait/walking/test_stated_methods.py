"""Every walk states its method, aid and residual; a change of method and forces that nothing exerts are announced."""

import re
import warnings

import numpy as np
import pytest

import anthropi as ap
from anthropi import spatial
from anthropi.errors import InputError, PhysicsWarning
from anthropi.figure import Free, Link, Marker, Weld
from anthropi.gait import walking
from anthropi.gait.physics import residual_of, warn_of_residual, with_physics
from anthropi.gait.plan.gait_plan import GaitPlan
from anthropi.gait.styles import style_of
from anthropi.gait.walker.requirements import JOINT_DOFS
from anthropi.gait.walker_walk import can_walk


def _with_backpack(mass=10.0):
    """Return a standard human with a box welded to its thorax."""
    box = Link.of("pack", spatial.box((0.2, 0.3, 0.4), mass=mass))
    pack = ap.figure_from_parts("pack", [("", Free(name="held"), box)])
    behind = spatial.Transform(np.eye(3), np.array([-0.2, 0.0, 0.2]))
    return ap.human().attach(pack, "thorax", Weld(name="straps", placement=behind))


def test_the_required_joints_are_those_of_the_standard_human():
    assert {joint.name: joint.nu for joint in ap.human().joints[1:]} == JOINT_DOFS


def test_a_welded_link_does_not_change_the_method():
    """A backpack turned the walk into HIDDS, with a force on the root and no word about it."""
    figure = _with_backpack()
    assert can_walk(figure)
    assert walking.method_of(figure, {}) == "walker"


@pytest.mark.slow
def test_a_human_with_a_backpack_walks_and_states_how():
    motion = ap.walk(_with_backpack(), steps=2, speed=1.2)
    assert motion.metadata["method"] == motion.metadata["walk"]["method"] == "walker"
    assert motion.metadata["aid"] is None
    assert motion.metadata["residual"] == {"force": 0.0, "peak_force": 0.0, "moment": 0.0}


def test_hidds_chosen_because_of_the_figure_is_announced(monkeypatch):
    monkeypatch.setattr(walking, "hidds_walk", lambda figure, schedule, **options: "walked")
    figure = ap.human(detail="thesis42")
    with pytest.warns(PhysicsWarning, match="has no joint 'lumbar'.*method='hidds'"):
        assert ap.walk(figure, steps=1) == "walked"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ap.walk(figure, steps=1, method="hidds")
        ap.walk(figure, steps=1, step_frequency=100)


def _pushed(share):
    """Return a motion whose root is pushed by a share of its weight."""
    figure = ap.sample("biped")
    tau = np.zeros((3, figure.nu))
    tau[:, 2] = share * figure.mass * 9.81
    return ap.Motion(figure, np.arange(3) * 0.1, np.tile(figure.neutral(), (3, 1)), None, {"tau": tau})


def test_a_residual_above_5_percent_of_the_weight_is_not_physical():
    """HIDDS at 2.2 m/s has a residual of 14 % of the weight; it was returned without a warning."""
    motion = with_physics(_pushed(0.14), "hidds")
    assert motion.metadata["method"] == "hidds"
    assert motion.metadata["residual"]["force"] == pytest.approx(0.14)
    with pytest.warns(PhysicsWarning, match="residual force of 14 % of the weight"):
        warn_of_residual(motion, "Use slower steps.")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_residual(with_physics(_pushed(0.03), "hidds"), "")
    assert residual_of(motion.changed(channels={})) is None


@pytest.mark.slow
def test_a_fast_hidds_walk_warns_and_states_its_residual():
    with pytest.warns(PhysicsWarning, match="not physical"):
        motion = ap.walk(ap.human(detail="thesis42"), steps=1, speed=2.2, method="hidds", dt=5e-3)
    assert motion.metadata["walk"]["method"] == "hidds"
    assert motion.metadata["residual"]["force"] > 0.1


# options that had no effect, words that were not understood


def test_hidds_refuses_to_walk_without_the_swing_knee():
    """It gave the same motion as with it, because the swing foot must clear the ground."""
    stiff = ap.gait.Determinants().without("swing_knee")
    with pytest.raises(InputError, match="cannot switch the determinant 'swing_knee' off"):
        ap.walk(ap.human(detail="thesis42"), steps=1, method="hidds", determinants=stiff)


@pytest.mark.parametrize(("words", "same"), [("a little tired", "slightly tired"), ("a bit old", "slightly old")])
def test_degrees_of_styles_may_have_an_article(words, same):
    assert style_of(words) == style_of(same)


# messages


def test_a_locked_joint_is_named():
    figure = ap.human().lock(["r_knee"])
    with pytest.raises(InputError, match=r"Joint 'r_knee' of figure 'human' is locked.*figure.unlock\(\)"):
        ap.walk(figure, steps=1)
    with pytest.raises(InputError, match=r"Joint 'r_knee' of figure 'human' is locked.*Unlock it"):
        ap.walk(figure, steps=1, method="walker")
    with pytest.raises(InputError, match="a joint 'r_knee' that can turn link 'r_shank'"):
        ap.walk(figure, steps=1, method="hidds")
    with pytest.raises(InputError, match="Joint 'r_knee' of figure 'human' is locked"):
        ap.perform(figure, "stand")


def test_a_scene_of_two_people_is_refused_by_its_number_of_figures():
    scene = ap.Scene.of([ap.human(), ap.human()])
    for method in (None, "walker"):
        with pytest.raises(InputError, match=re.escape("The scene contains 2 figures (human1, human2)")):
            ap.walk(scene, steps=1, method=method)


def test_a_scene_with_another_figure_names_the_difference():
    with pytest.raises(InputError, match="has no joint 'lumbar'"):
        ap.walk(ap.Scene(ap.human(detail="thesis42")), steps=1)
    with pytest.raises(InputError, match="method='hidds' takes a figure, not a scene"):
        ap.walk(ap.Scene(ap.human()), steps=1, method="hidds")


def test_a_biped_hears_at_once_all_that_it_lacks():
    biped = ap.sample("biped")
    with pytest.raises(InputError, match=r"markers l_hip_centre, .*; the joints l_shoulder, r_shoulder"):
        ap.walk(biped, steps=1)
    plan = ap.gait.Schedule.steady(GaitPlan(height=1.7, velocity=1.0), 1)
    with pytest.raises(InputError, match="markers l_hip_centre"):
        ap.walk(biped, schedule=plan)
    human = ap.human()
    marks = [Marker(m.name, "pelvis", m.point) for m in human.markers if hasattr(m, "point")]
    known = {m.name for m in biped.markers}
    marked = biped.changed(markers=[*biped.markers, *(m for m in marks if m.name not in known)])
    with pytest.raises(InputError, match="it lacks the joints l_shoulder, r_shoulder"):  # was a bare StopIteration
        ap.walk(marked, steps=1)
