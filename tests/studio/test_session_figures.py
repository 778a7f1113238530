"""Build Structure: build a new figure, apply every edit, and undo the edits."""

import numpy as np
import pytest

from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import AnthropiError
from anthropi.studio.messages import FigureChanged


@pytest.fixture
def arm(tried):
    """Give a session with a figure of three links."""
    figure = tried.do("new_figure", name="arm", root="weld")
    tried.do("add_link", figure=figure, name="upper", parent="link1", joint="shoulder", type="ball")
    tried.do("add_link", figure=figure, name="lower", parent="upper", joint="elbow", axis="z", size=[0.25, 0.05, 0.05])
    return tried


@pytest.mark.slow
@pytest.mark.parametrize("root", ["free", "weld"])
def test_a_new_figure_stands_beside_those_that_are_there(tried, root):
    for _ in range(3):
        tried.do("new_figure", name="box", root=root)
    items = tried.session.project.items
    aside = [float(kinematics(i.figure, i.state.q, i.state.u).position[0][1]) for i in items]
    assert np.allclose(aside, [0.0, 0.9, 1.8])


def test_three_links_from_nothing(arm):
    """A new joint is at the far end of its parent; size and density determine the mass."""
    figure = arm.item.figure
    assert [x.name for x in figure.links] == ["link1", "upper", "lower"]
    assert figure.parent == (-1, 0, 1)
    assert np.allclose(figure.joints[2].placement.origin, [0.3, 0.0, 0.0])
    assert figure.links[2].mass == pytest.approx(0.25 * 0.05 * 0.05 * 1000.0)
    view = arm.of(FigureChanged)[-1].figure
    assert view.connectivity == ((True, False, False), (True, True, False), (False, True, True))
    assert [d.name for d in view.dofs] == ["shoulder.x", "shoulder.y", "shoulder.z", "elbow"]
    assert view.document["link"][2]["shape"][0]["size"] == [0.25, 0.05, 0.05]


def test_undo_goes_back_and_forth(arm):
    """Each edit is one step of undo, which restores the figure exactly."""
    before = arm.item.text
    arm.do("set_link_inertia", figure=1, link="lower", mass=3.0)
    assert arm.item.figure.links[2].mass == 3.0
    arm.do("undo")
    assert arm.item.text == before
    arm.do("redo")
    assert arm.item.figure.links[2].mass == 3.0
    for _ in range(4):
        arm.do("undo")
    assert arm.session.project.items == ()
    with pytest.raises(AnthropiError, match="nothing to undo"):
        arm.do("undo")
    assert arm.session.project_view().redo == "new figure 'arm'"


def test_a_slider_is_one_step(arm):
    """All values of one slider movement are undone together."""
    for x in (0.1, 0.2, 0.3):
        arm.do("set_dof", figure=1, dof="elbow", value=x, done=False)
    arm.do("set_dof", figure=1, dof="elbow", value=0.4)
    arm.do("undo")
    assert arm.item.state.q[-1] == 0.0


def test_a_mass_alone_scales_the_tensor(arm):
    """A new mass scales the inertia tensor, like a change of density."""
    old = arm.item.figure.links[2]
    arm.do("set_link_inertia", figure=1, link="lower", mass=2.0 * old.mass)
    new = arm.item.figure.links[2]
    assert np.allclose(new.tensor, 2.0 * old.tensor) and np.allclose(new.centre, old.centre)


@pytest.mark.parametrize(
    ("kind", "fields", "holds"),
    [
        ("rename_link", {"link": "lower", "name": "hand"}, lambda f: f.links[2].name == "hand"),
        ("rename_joint", {"joint": "elbow", "name": "hinge"}, lambda f: f.joints[2].name == "hinge"),
        ("rename_figure", {"name": "crane"}, lambda f: f.name == "crane"),
        ("set_link_size", {"link": "lower", "size": [0.5, 0.1, 0.1], "mass": 2.0}, lambda f: f.links[2].mass == 2.0),
        ("set_link_size", {"link": "lower", "size": [1, 0.1, 0.1], "density": 500.0},
         lambda f: abs(f.links[2].mass - 5.0) < 1e-12),
        ("set_link_inertia", {"link": "lower", "centre": [0.1, 0, 0], "tensor": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
         lambda f: f.links[2].centre[0] == 0.1 and f.links[2].tensor[1, 1] == 1.0),
        ("set_joint_type", {"joint": "elbow", "type": "prismatic", "axis": "x"},
         lambda f: f.joints[2].kind == "prismatic"),
        ("set_joint_type", {"joint": "elbow", "type": "universal", "axes": ["x", "z"]}, lambda f: f.joints[2].nu == 2),
        ("set_joint_place", {"joint": "elbow", "origin": [0.1, 0.2, 0.3], "angles": [0, 0, 0.5]},
         lambda f: f.joints[2].placement.origin[2] == 0.3),
        ("set_limits", {"dof": "elbow", "lower": -1.0, "upper": 2.0}, lambda f: f.joints[2].upper[0] == 2.0),
        ("set_limits", {"dof": "elbow", "lower": -1.0}, lambda f: f.joints[2].upper[0] == np.inf),
        ("set_spring", {"dof": "shoulder.y", "stiffness": 5.0, "damping": 1.0},
         lambda f: f.joints[1].stiffness[1] == 5.0),
        ("set_marker", {"name": "tip", "link": "lower", "point": [0.25, 0, 0]},
         lambda f: f.marker("tip").point[0] == 0.25),
        ("remove_link", {"link": "lower"}, lambda f: f.n == 2),
        ("remove_link", {"link": "upper", "branch": True}, lambda f: f.n == 1),
        ("remove_link", {"link": "upper"}, lambda f: f.parent == (-1, 0)),
        ("reparent_link", {"link": "lower", "parent": "link1"}, lambda f: f.parent == (-1, 0, 0)),
        ("connect_joint", {"joint": "elbow", "link": "link1"}, lambda f: f.parent == (-1, 0, 0)),
        ("lock_joint", {"name": "elbow"}, lambda f: f.nu == 3),
        ("change_root", {"link": "lower"}, lambda f: f.links[0].name == "lower" and f.joints[0].kind == "weld"),
        ("change_root", {"link": "lower", "joint": "free"}, lambda f: f.links[0].name == "lower" and f.nu == 10),
        ("change_root", {"link": "lower", "joint": "weld"}, lambda f: f.links[0].name == "lower" and f.nu == 4),
        ("change_root", {"link": "link1", "joint": "free"}, lambda f: f.joints[0].kind == "free"),
    ],
)  # fmt: skip
def test_an_edit_does_what_it_says_and_can_be_undone(arm, kind, fields, holds):
    """Every command of the editor has the expected effect and can be undone."""
    before = arm.item.text
    assert arm.do("check", command={"kind": kind, "figure": 1, **fields}) == {
        "ok": True, "message": "", "link": "", "joint": ""}  # fmt: skip
    assert arm.item.text == before
    arm.do(kind, figure=1, **fields)
    assert holds(arm.item.figure), arm.item.text
    arm.do("undo")
    assert arm.item.text == before


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        ("add_link", {"name": "upper", "parent": "link1"}, "two links are called 'upper'"),
        ("add_link", {"name": "x", "parent": "nobody"}, "No link 'nobody'"),
        ("add_link", {"name": "x", "parent": "lower", "type": "hinge"}, "type 'hinge'"),
        ("reparent_link", {"link": "upper", "parent": "lower"}, "cycle"),
        ("reparent_link", {"link": "link1", "parent": "lower"}, "cycle|root"),
        ("remove_link", {"link": "link1", "branch": True}, "root"),
        ("set_link_inertia", {"link": "lower", "mass": -1.0}, "mass"),
        ("set_link_size", {"link": "lower", "size": [0.1, 0.1, -0.1], "mass": 1.0}, "positive"),
        ("set_limits", {"dof": "elbow", "lower": 2.0, "upper": 1.0}, "above"),
        ("set_rotation_order", {"joint": "elbow", "order": "xyz"}, "three rotations"),
        ("set_rotation_order", {"joint": "shoulder", "order": "xxy"}, "order"),
        ("rename_link", {"link": "lower", "name": "  "}, "name"),
        ("set_figure_text", {"text": "format = 1"}, "figure.toml"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_changes(arm, kind, fields, words):
    """An invalid edit is refused with a message that names the cause; the figure is unchanged."""
    before = arm.item
    told = arm.do("check", command={"kind": kind, "figure": 1, **fields})
    assert not told["ok"]
    with pytest.raises(AnthropiError, match=words):
        arm.do(kind, figure=1, **fields)
    assert arm.item is before


def test_rotation_order_keeps_the_pose(arm):
    """A ball joint becomes an Euler joint with the same pose, also after further changes of the order."""
    arm.do("set_dof", figure=1, dof="shoulder.x", value=0.3)
    arm.do("set_dof", figure=1, dof="shoulder.z", value=0.4)
    was = np.asarray(kinematics(arm.item.figure, arm.item.state.q).rotation)
    for order in ("xyz", "zyx", "yxz"):
        arm.do("set_rotation_order", figure=1, joint="shoulder", order=order)
        assert arm.item.figure.joints[1].order == order
        assert np.allclose(kinematics(arm.item.figure, arm.item.state.q).rotation, was, atol=1e-12)


def test_a_link_that_is_hung_elsewhere_stays_where_it_is(arm):
    """A link with a new parent keeps its pose, and a change of the root moves no link."""
    arm.do("set_dof", figure=1, dof="elbow", value=0.7)
    arm.do("set_dof", figure=1, dof="shoulder.y", value=0.5)
    where = np.asarray(kinematics(arm.item.figure, arm.item.state.q).position)[2]
    arm.do("reparent_link", figure=1, link="lower", parent="link1")
    figure = arm.item.figure
    assert np.allclose(kinematics(figure, arm.item.state.q).position[figure.link_index("lower")], where, atol=1e-12)


def test_stops_are_kept_in_the_figure_toml(arm):
    """The springs at joint limits (thesis 8.7) are written to the figure.toml."""
    arm.do("set_stop", figure=1, joint="elbow", type="power", k=50.0, n=3.0)
    assert arm.item.stops["elbow"]["k"] == 50.0 and "stop = { type" in arm.item.text
    arm.do("set_stop", figure=1, joint="elbow")
    assert not arm.item.stops


def test_locked_joints_are_still_shown(arm):
    """Locked degrees of freedom are listed, so that they can be unlocked."""
    arm.do("set_dof", figure=1, dof="elbow", value=0.7)
    arm.do("lock_joint", figure=1, name="elbow")
    (view,) = [d for d in arm.do("get_figure", figure=1)["dofs"] if d["locked"]]
    assert view["name"] == "elbow" and view["value"] == pytest.approx(0.7)
    arm.do("lock_joint", figure=1, name="elbow", locked=False)
    assert arm.item.figure.nu == 4 and arm.item.state.q[-1] == pytest.approx(0.7)


def test_the_text_can_be_edited_whole(arm):
    """An edited figure.toml replaces the figure and is returned unchanged."""
    words = arm.item.text.replace('"lower"', '"fore"')
    arm.do("set_figure_text", figure=1, text=words)
    assert arm.item.figure.links[2].name == "fore" and arm.item.text == words


def test_a_figure_of_a_person_is_edited_as_quickly(tried):
    """An edit of the standard human takes a few tens of milliseconds and sends one update."""
    tried.do("open_sample", name="human")
    tried.do("add_link", figure=1, name="tail", parent="pelvis", type="euler", order="zyx")
    assert tried.item.figure.links[-1].name == "tail"
    assert tried.of(FigureChanged)[-1].figure.appearance is not None
    tried.do("set_dof", figure=1, dof="l_knee", value=0.5)
    assert tried.of(FigureChanged)[-1].figure.appearance is None  # its appearance is unchanged
