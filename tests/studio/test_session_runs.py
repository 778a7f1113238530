"""Commands for degrees of freedom, the three dynamics, keys, control functions, gait and torque profiles."""

import numpy as np
import pytest

from anthropi.errors import AnthropiError
from anthropi.studio.messages import Problem
from anthropi.studio.session.examples import EXAMPLES


@pytest.fixture
def pendulum(tried):
    """Give a session with a double pendulum."""
    tried.do("open_sample", name="double_pendulum")
    tried.first, tried.second = tried.item.figure.dofs
    return tried


def test_direct_dynamics_is_that_of_simulate(pendulum):
    """Direct dynamics gives the same motion as `simulate` from the same initial state."""
    import anthropi as ap

    pendulum.do("set_dof", figure=1, dof=pendulum.first, value=1.0, rate=0.5)
    made = pendulum.run("direct_dynamics", duration=0.5)
    item = pendulum.item
    told = ap.simulate(ap.Scene(item.figure, contact=None, ground=None), item.state.q, item.state.u, duration=0.5,
                       every=10, method="linearly_implicit_euler")  # fmt: skip
    assert np.array_equal(made.motion.q, told.q)
    assert made.kind == "direct" and made.motion.tau is not None


def test_a_force_on_a_link_moves_it(pendulum):
    """A force acts in its direction between its times, and undo removes it."""
    pendulum.do("set_gravity", gravity=[0, 0, 0])
    still = pendulum.run("direct_dynamics", duration=0.2).motion
    assert np.allclose(still.q, still.q[0])
    link = pendulum.item.figure.links[-1].name
    number = pendulum.do("apply_force", figure=1, link=link, vector=[3, 0, 3], start=0.05, end=0.1)
    moved = pendulum.run("direct_dynamics", duration=0.2).motion
    assert np.allclose(moved.q[:6], still.q[0]) and not np.allclose(moved.q[-1], still.q[0])
    pendulum.do("change_force", force=number, vector=[0, 0, 0])
    assert np.allclose(pendulum.run("direct_dynamics", duration=0.2).motion.q, still.q[0])
    pendulum.do("remove_force", force=number)
    assert pendulum.session.project.forces == ()
    with pytest.raises(AnthropiError, match="No link"):
        pendulum.do("apply_force", figure=1, link="nobody", vector=[1, 0, 0])


def test_a_moment_turns_a_link(pendulum):
    """A moment in world axes rotates a link, whatever its pose."""
    pendulum.do("set_gravity", gravity=[0, 0, 0])
    link = pendulum.item.figure.links[0].name
    pendulum.do("apply_force", figure=1, link=link, vector=[0, 1, 0], moment=True)
    assert not np.allclose(pendulum.run("direct_dynamics", duration=0.1).motion.q[-1], pendulum.item.state.q)


def test_drive_by_motion_and_by_force(pendulum):
    """One degree of freedom follows a formula, and a force drives the other."""
    pendulum.do("set_control", figure=1, dof=pendulum.first, control={"of": "position", "formula": "0.3*sin(2*t)"})
    pendulum.do("set_drive", figure=1, dof=pendulum.second, drive="force", value=0.4)
    made = pendulum.run("direct_dynamics", duration=0.5).motion
    assert np.allclose(made.q[:, 0], 0.3 * np.sin(2.0 * made.time), atol=2e-3)  # steps of first order, 1 ms
    pendulum.do("set_drive", figure=1, dof=pendulum.first, drive="motion", value=0.2)
    held = pendulum.run("direct_dynamics", duration=0.2).motion
    assert np.allclose(held.q[:, 0], 0.2, atol=1e-6)
    pendulum.do("set_drive", figure=1, dof=pendulum.first, drive="free")
    assert pendulum.first not in pendulum.item.controls
    with pytest.raises(AnthropiError, match="same time"):
        pendulum.do("set_control", figure=1, dof=pendulum.first,
                    control={"of": "force", "times": [0, 0], "values": [1, 2]})  # fmt: skip


def test_another_frame_goes_on_where_the_motion_ends(pendulum):
    """Frames that are computed one by one agree with a single simulation."""
    pendulum.do("set_dof", figure=1, dof=pendulum.first, value=1.0)
    pendulum.do("set_drive", figure=1, dof=pendulum.first, drive="force")
    pendulum.do("set_control", figure=1, dof=pendulum.first, control={"of": "force", "times": [0, 1], "values": [0, 9]})
    whole = pendulum.run("direct_dynamics", duration=0.03).motion
    pendulum.do("show_motion", motion=None)
    first = pendulum.run("another_frame")
    assert len(first.motion) == 2
    for _ in range(2):
        last = pendulum.run("another_frame")
    assert last.number == first.number
    assert np.allclose(last.motion.q, whole.q, atol=1e-12)
    assert "tau" in last.motion.channels
    for name, rows in last.motion.channels.items():  # means over the steps after each frame, also where they meet
        assert np.allclose(rows, whole.channels[name], atol=1e-9), name


@pytest.mark.slow
def test_contact_dynamics_falls_onto_the_ground(tried):
    """Several figures fall onto the ground and obstacles; their links have distinct names."""
    tried.do("new_figure", name="box")
    tried.do("new_figure", name="box")
    assert [i.figure.name for i in tried.session.project.items] == ["box", "box2"]
    tried.do("set_root", figure=2, position=[0.0, 1.0, 0.5], velocity=[0.5, 0, 0])
    made = tried.run("contact_dynamics", duration=1.0)
    q = made.motion.q
    assert made.figure is None and q.shape[1] == 14
    assert 0.0 < q[-1, 2] < 0.1 and 0.0 < q[-1, 9] < 0.1
    alone = tried.run("contact_dynamics", duration=0.3, figure=2)
    assert alone.figure == 2 and alone.motion.q.shape[1] == 7
    tried.do("set_ground", ground={"kind": "none"})
    assert tried.run("contact_dynamics", duration=0.5, figure=2).motion.q[-1, 2] < -0.5
    tried.do("set_obstacles", obstacles=[{"name": "table", "kind": "box", "size": [2, 2, 0.1],
                                          "position": [0, 1, 0.2]}])  # fmt: skip
    assert tried.run("contact_dynamics", duration=0.5, figure=2).motion.q[-1, 2] > 0.2
    assert tried.do("get_project")["surroundings"]["things"][0]["name"] == "table"


def test_root_characteristics(tried):
    """Position, velocity, free directions and force of the root can be set."""
    figure = tried.do("new_figure", name="body")
    tried.do("set_root", figure=figure, position=[0, 0, 3], attitude=[1, 0, 0, 1], spin=[0, 0, 1],
             free=[True, True, False, True, True, True], force=[2, 0, 0])  # fmt: skip
    q = tried.run("direct_dynamics", duration=0.5).motion.q
    assert np.allclose(q[:, 2], 3.0, atol=1e-9) and q[-1, 0] > 0.05
    assert len(tried.session.project.forces) == 1
    tried.do("set_root", figure=figure, force=[0, 0, 0], free=[True] * 6)
    assert tried.session.project.forces == () and not tried.item.drives


def test_keys_are_set_moved_and_gone_through(tried):
    """The motion goes through the keys, and hybrid dynamics reproduces it by forces."""
    tried.do("open_sample", name="double_pendulum")
    a, b = tried.item.figure.dofs
    tried.do("set_key", figure=1, time=0.0)
    tried.do("set_key", figure=1, time=0.8, values={a: 0.5, b: -0.3})
    tried.do("set_key", figure=1, time=0.5, values={a: 0.2})
    tried.do("move_key", figure=1, time=0.8, to=1.0)
    with pytest.raises(AnthropiError, match=r"no key at 0\.8"):
        tried.do("remove_key", figure=1, time=0.8)
    made = tried.run("interpolate", figure=1, ends="clamped").motion
    assert made.time[-1] == 1.0 and np.allclose(made.q[-1], [0.5, -0.3])
    assert np.allclose(made.at(0.5).q[0], 0.2, atol=1e-9)
    forced = tried.run("hybrid_dynamics", figure=1)
    assert np.allclose(forced.motion.q[-1], [0.5, -0.3], atol=0.02) and forced.kind == "hybrid"
    tried.do("set_key", figure=1, time=2.0, motion=forced.number, at=0.4)
    tried.do("remove_key", figure=1, time=0.5)
    assert [k.time for k in tried.item.keys] == [0.0, 1.0, 2.0]


def test_hybrid_dynamics_of_control_functions(tried):
    """Hybrid dynamics follows control functions; without a desired motion, the error says what to do."""
    tried.do("open_sample", name="double_pendulum")
    with pytest.raises(AnthropiError, match="Set keys"):
        tried.do("hybrid_dynamics", figure=1)
    a, _ = tried.item.figure.dofs
    tried.do("set_control", figure=1, dof=a, control={"of": "position", "formula": "0.2*sin(3*t)"})
    made = tried.run("hybrid_dynamics", figure=1, duration=0.5).motion
    assert np.allclose(made.q[:, 0], 0.2 * np.sin(3.0 * made.time), atol=5e-3) and made.tau is not None


def test_profiles_are_taken_edited_and_run(tried):
    """An edited torque profile gives another motion; unedited profiles give the same motion."""
    tried.do("open_sample", name="double_pendulum")
    a, b = tried.item.figure.dofs
    tried.do("set_key", figure=1, time=0.0)
    tried.do("set_key", figure=1, time=1.0, values={a: 0.5, b: 0.4})
    tried.run("interpolate", figure=1, ends="clamped")
    made = tried.run("hybrid_dynamics", figure=1, mode="open")
    taken = tried.do("take_profiles", motion=made.number, spacing=0.1)
    assert [c["dof"] for c in taken["profiles"]] == [a, b]
    same = tried.run("run_profiles", motion=made.number).motion
    assert np.abs(same.q - made.motion.q).max() < 0.1  # shorter steps than in the original motion: less drift
    curve = taken["profiles"][0]
    curve["values"][5] += 2.0
    tried.do("set_profile", motion=made.number, profile=curve)
    other = tried.run("run_profiles", motion=made.number)
    assert np.abs(other.motion.q - same.q).max() > 0.01 and other.kind == "profiles"


@pytest.mark.slow
def test_gait_is_planned_explained_and_walked(tried):
    """One number gives a gait plan, words are explained, and a walk is a motion with events."""
    tried.do("open_sample", name="human")
    found = tried.do("plan_gait", figure=1, velocity=1.3)
    assert found["step_length"] * found["step_frequency"] / 60.0 == pytest.approx(1.3)
    assert tried.do("explain_words", words="walk happily 3 s; stop")["ok"]
    assert not tried.do("explain_words", words="fly away")["ok"]
    tried.do("set_gait", steps=3, style="tired")
    made = tried.run("walk", figure=1)
    assert made.kind == "walk" and made.motion.metadata["walk"]["style"] == "tired"
    tried.do("set_gait", determinants={"pelvic_tilt": {"amplitude": 0.1, "lower": -0.1, "upper": 0.1}}, clear=["style"])
    assert tried.session.project.gait.style == "natural"
    with pytest.raises(AnthropiError, match="no determinant"):
        tried.do("set_gait", determinants={"nose": {"amplitude": 0.1, "lower": -0.1, "upper": 0.1}})


def test_what_fails_says_where_and_when(tried):
    """A task that fails sends a problem event with the reason."""
    tried.do("open_sample", name="double_pendulum")
    tried.do("walk", figure=1)
    tried.session.tasks.wait()
    (problem,) = tried.of(Problem)
    assert "walk" in problem.message or "leg" in problem.message or "human" in problem.message


def test_numbers_under_sliders(tried):
    """Masses (with their tensors), single spring constants and gravity can be set."""
    tried.do("open_sample", name="human")
    old = tried.item.figure.links[tried.item.figure.link_index("l_thigh")]
    tried.do("set_number", figure=1, slot="l_thigh.mass", value=2.0 * old.mass, done=False)
    new = tried.item.figure.links[tried.item.figure.link_index("l_thigh")]
    assert np.allclose(new.tensor, 2.0 * old.tensor)
    tried.do("set_number", figure=1, slot="l_knee.stiffness", value=12.0)
    assert tried.item.figure.joints[tried.item.figure.joint_index("l_knee")].stiffness[0] == 12.0
    with pytest.raises(AnthropiError, match="No number"):
        tried.do("set_number", figure=1, slot="l_knee.colour", value=1.0)
    names = [n["slot"] for n in tried.do("get_figure", figure=1)["numbers"]]
    assert "l_thigh.mass" in names and "l_knee.stiffness" in names


def test_a_link_follows_the_hand_when_nothing_runs(tried):
    """Inverse kinematics moves the hand to its target, and the root does not move."""
    from anthropi.studio.session.dofs import place_in_world

    tried.do("open_sample", name="human")
    before = place_in_world(tried.item, "r_hand", (0, 0, 0))
    target = before + np.array([0.3, 0.0, 0.3])
    tried.do("pose_link", figure=1, link="r_hand", point=[0, 0, 0], target=target.tolist())
    assert np.linalg.norm(place_in_world(tried.item, "r_hand", (0, 0, 0)) - target) < 0.02
    root = place_in_world(tried.item, "pelvis", (0, 0, 0))
    tried.do("undo")
    assert np.allclose(place_in_world(tried.item, "pelvis", (0, 0, 0)), root)
    low, high = tried.item.figure.limits
    assert (low <= high).all()


def test_camera_keys_are_kept(tried):
    """The camera and its keys on the timeline can be set, moved and removed."""
    camera = {"eye": [1, 2, 3], "target": [0, 0, 1], "mode": "fixed", "field": 30}
    tried.do("set_camera", camera=camera)
    tried.do("set_camera_key", time=1.0, camera=camera)
    tried.do("move_camera_key", time=1.0, to=2.0)
    assert [k.time for k in tried.session.project.camera_keys] == [2.0]
    tried.do("undo")
    assert [k.time for k in tried.session.project.camera_keys] == [1.0]
    assert tried.session.project.camera.field == 30.0
    tried.do("remove_camera_key", time=1.0)


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in EXAMPLES if n not in ("live walk", "pushed human")])
def test_every_example_opens(tried, name):
    """Every example opens, and its task ends without an error."""
    tried.do("open_example", name=name)
    tried.session.tasks.wait(200.0)
    assert not [p.message for p in tried.of(Problem) if p.level == "error"]
    assert tried.session.project.items
    if EXAMPLES[name].then is not None:
        assert tried.session.project.motions


def test_help_lists_what_there_is(tried):
    """The choices of the page come from the registries of the package."""
    found = tried.do("get_help")
    assert {"human", "bench42"} <= {s["name"] for s in found["samples"]}
    assert {"ball", "euler", "universal"} <= {j["type"] for j in found["joints"]}
    assert found["orders"][:6] == ["xyz", "yxz", "zxy", "xzy", "yzx", "zyx"]
    assert set(found["determinants"]) >= {"pelvic_tilt", "lateral"}
    assert {".html", ".glb", ".bvh", ".toml", ".anthropi"} <= {e["name"] for e in found["exports"]}
