"""Order of links: figures keep the given order, and states, motions and start poses are matched by name."""

import numpy as np
import pytest

import anthropi as ap
from anthropi import spatial
from anthropi.errors import InputError
from anthropi.figure import Ball, Euler, Exponential, Free, Link, Revolute
from anthropi.gait.walker.parameters import load_walker
from anthropi.gait.walker.requirements import START_JOINTS
from anthropi.gait.walker.walker import first_state

ROD = spatial.capsule(0.03, 0.4, mass=1.5, centre=(0.0, 0.0, -0.2))
SHIFT = spatial.Transform(np.eye(3), [0.0, 0.0, -0.4])


def _part(parent, joint, name):
    return parent, joint, Link.of(name, ROD)


def _legs(order, hip=Ball):
    """Return a figure of two legs with two links each; order : names of its links."""
    rows = {"base": _part("", Free(name="root"), "base")}
    for side in "lr":
        rows[f"{side}1"] = _part("base", hip(name=f"{side}_hip"), f"{side}1")
        rows[f"{side}2"] = _part(f"{side}1", Revolute(name=f"{side}_knee", axis="y", placement=SHIFT), f"{side}2")
    return ap.figure_from_parts("legs", [rows[name] for name in order])


DEPTH_FIRST, MIXED = ("base", "l1", "l2", "r1", "r2"), ("base", "r1", "l1", "l2", "r2")


@pytest.mark.parametrize("order", [DEPTH_FIRST, MIXED])
def test_figure_from_parts_keeps_the_given_order(order):
    assert tuple(link.name for link in _legs(order).links) == order


def test_a_link_before_its_parent_is_moved_after_it():
    assert [x.name for x in _legs(("l2", "base", "r1", "l1", "r2")).links] == ["base", "r1", "l1", "l2", "r2"]


def test_states_of_figures_in_another_order_are_matched_by_name():
    a, b = _legs(DEPTH_FIRST), _legs(MIXED)
    rng = np.random.default_rng(1)
    q, u = np.stack([a.random(rng) for _ in range(3)]), rng.standard_normal((3, a.nu))
    q2, u2 = b.state_from(a, q, u)
    here, there = ap.kinematics(a, q[1], u[1]), ap.kinematics(b, q2[1], u2[1])
    for name in DEPTH_FIRST:
        assert np.allclose(here.link(name).position, there.link(name).position, rtol=0.0, atol=1e-14)
    tau = rng.standard_normal((3, a.nu))
    udot = b.state_from(a, q, ap.direct_dynamics(a, q, u, tau))[1]
    assert np.allclose(udot, ap.direct_dynamics(b, q2, u2, b.state_from(a, q, tau)[1]), rtol=1e-10, atol=1e-10)


def test_reorder_takes_names_or_a_figure_and_refuses_children_first():
    a, b = _legs(DEPTH_FIRST), _legs(MIXED)
    assert a.reorder(MIXED).key == b.key
    assert a.reorder(b).reorder(a).key == a.key
    with pytest.raises(InputError, match="'l2' of figure 'legs' before its parent 'l1'"):
        a.reorder(("base", "l2", "l1", "r1", "r2"))
    with pytest.raises(InputError, match="'r2' is missing"):
        a.reorder(DEPTH_FIRST[:-1])


def test_states_convert_between_ball_and_exponential_joints():
    a, b = _legs(DEPTH_FIRST), _legs(MIXED, Exponential)
    q = a.random(3)
    there = ap.kinematics(b, b.state_from(a, q)).link("r2").position
    assert np.allclose(there, ap.kinematics(a, q).link("r2").position, rtol=0.0, atol=1e-13)
    assert np.allclose(a.difference(a.state_from(b, b.state_from(a, q)), q), 0.0, rtol=0.0, atol=1e-12)


def test_states_of_euler_joints_in_another_sequence_are_refused():
    a, b = (_legs(DEPTH_FIRST, lambda name, order=order: Euler(name=name, order=order)) for order in ("zyx", "xyz"))
    with pytest.raises(InputError, match="'l_hip' has its parts in another sequence"):
        b.state_from(a, a.neutral())


def test_a_motion_goes_onto_a_figure_in_another_order_with_its_channels():
    a, b = _legs(DEPTH_FIRST), _legs(MIXED)
    rng = np.random.default_rng(2)
    q, u = np.stack([a.random(rng) for _ in range(4)]), rng.standard_normal((4, a.nu))
    channels = {"tau": u + 1.0, "udot": u - 1.0, "power": 2.0 * u, "work": 3.0 * u, "memory": np.ones((4, 2))}
    motion = ap.Motion(a, np.arange(4) * 0.1, q, u, channels)
    there = motion.onto(b)
    for name, factor, offset in (("tau", 1.0, 1.0), ("udot", 1.0, -1.0), ("power", 2.0, 0.0), ("work", 3.0, 0.0)):
        assert (there.channels[name] == factor * there.u + offset).all()
    assert "memory" not in there.channels
    assert (there.onto(a).q == q).all()
    heavy = b.with_numbers(["l2.mass"], [9.0])
    assert list(motion.onto(heavy).channels) == ["udot"]  # forces of another body would be wrong
    with pytest.raises(InputError, match="'l_knee'"):
        motion.onto(b.lock(["l_knee"]))
    with pytest.raises(InputError, match=r"in another order; use motion.onto"):
        ap.simulate(b, motion, duration=0.01)


def test_the_walker_starts_in_the_same_pose_whatever_the_order_of_links():
    """Start poses went by position, so a human read from an MJCF file fell."""
    human = ap.human()
    assert tuple(joint.name for joint in human.joints) == START_JOINTS
    names = [link.name for link in human.links]
    legs = [name for name in names if name[2:] in ("thigh", "shank", "foot", "toes")]
    other = human.reorder(["pelvis", *legs, *(name for name in names[1:] if name not in legs)])
    for start in ("walk", "stand"):
        q, u, _ = first_state(human, load_walker(), start)
        there = first_state(other, load_walker(), start)[:2]
        for x, y in zip(other.state_from(human, q, u), there, strict=True):
            assert np.allclose(x, y, rtol=0.0, atol=1e-12)


@pytest.mark.slow
def test_a_human_from_an_mjcf_file_walks_like_the_original(tmp_path):
    human = ap.human()
    with pytest.warns(ap.errors.FormatWarning, match="order of joints: MuJoCo's qpos"):
        ap.save(human, tmp_path / "h.xml")
    read = ap.load(tmp_path / "h.xml")
    assert [x.name for x in read.links] != [x.name for x in human.links]
    one, other = ap.walk(human, steps=2), ap.walk(read, steps=2).onto(human)
    assert np.allclose(one.q, other.q, rtol=0.0, atol=1e-9)  # rounding in another order of sums, 2 steps


def test_q_of_the_figure_read_from_an_mjcf_file_is_qpos(tmp_path):
    """q of the original figure as qpos is silently permuted; `state_from` the figure that was read gives qpos."""
    mujoco = pytest.importorskip("mujoco")
    figure = _legs(MIXED)
    with pytest.warns(ap.errors.FormatWarning, match="order of joints"):
        ap.save(figure, tmp_path / "legs.xml")
    read = ap.load(tmp_path / "legs.xml")
    q = figure.random(5)
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "legs.xml"))
    data = mujoco.MjData(model)
    data.qpos[:] = read.state_from(figure, q)
    mujoco.mj_kinematics(model, data)
    k = ap.kinematics(figure, q)
    for name in MIXED:
        assert np.allclose(data.body(name).xpos, k.link(name).position, rtol=0.0, atol=1e-13)
