"""Parts of the studio that the page relies on: posing one limb, forces of each foot, and preferences of the user."""

import json

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import InputError
from anthropi.figure.human.build import human
from anthropi.formats.pages.motion_buffer import motion_buffer
from anthropi.studio.project.preferences import Preferences
from anthropi.studio.session.live import joints_outside_limb


def test_posing_a_hand_moves_its_arm_only(tried):
    tried.do("open_sample", name="human")
    figure, before = tried.item.figure, kinematics(tried.item.figure, tried.item.state.q)
    hand = figure.link_index("r_hand")
    target = np.array(before.position[hand]) + np.array([0.3, 0.0, 0.25])
    for _ in range(6):
        tried.do("pose_link", figure=1, link="r_hand", point=[0, 0, 0], target=target.tolist(), done=True)
    after = kinematics(figure, tried.item.state.q)
    assert np.abs(after.position[hand] - target).max() < 1e-3
    for name in ("thorax", "head", "l_hand", "pelvis"):
        i = figure.link_index(name)
        assert np.array_equal(after.position[i], before.position[i]) and np.array_equal(
            after.rotation[i], before.rotation[i]
        )


def test_the_limb_of_a_link_ends_at_a_branch():
    figure = human()
    moving = {j.name for j in figure.joints if j.nu} - set(joints_outside_limb(figure, "l_foot"))
    assert moving == {"l_hip", "l_knee", "l_ankle"}
    assert set(joints_outside_limb(figure, "pelvis")) == {j.name for j in figure.joints[1:] if j.nu}
    arm, chain = ap.sample("floating_arm6"), ap.sample("double_pendulum")
    assert joints_outside_limb(arm, arm.links[-1].name) == (arm.joints[0].name,)
    assert joints_outside_limb(chain, chain.links[-1].name) == ()


def test_the_forces_of_a_foot_are_the_sum_of_its_contacts():
    """Left and right foot carry the weight of a walk on average; the toes belong to the foot."""
    motion = ap.walk(ap.human(), speed=1.2, steps=4)
    data = motion_buffer(motion)
    header = json.loads(data[8 : 8 + int.from_bytes(data[4:8], "little")])
    names = [c["name"] for c in header["channels"] if c["group"] == "ground"]
    assert names[:3] == ["left foot, forwards", "left foot, to the left", "left foot, vertical"] and len(names) == 6
    assert sum(c["group"] == "force" for c in header["channels"]) > 6
    (array,) = [a for a in header["arrays"] if a["name"] == "ground/0"]
    assert array["shape"] == [header["frames"], 6]
    start = 8 + int.from_bytes(data[4:8], "little")
    found = np.frombuffer(data, "<f4", 6 * header["frames"], start + array["offset"]).reshape(-1, 6)
    weight = 9.81 * motion.figure.mass
    assert np.mean(found[:, 2] + found[:, 5]) == pytest.approx(weight, rel=0.1)  # four steps, not a whole cycle


def test_preferences_are_kept_for_the_next_studio(tmp_path):
    path = tmp_path / "state" / "preferences.json"
    first = Preferences(path)
    first.set("anthropi.theme", "light")
    first.set("anthropi.theme", "dark")
    assert Preferences(path).values == {"anthropi.theme": "dark"}
    for name, value in (("theme", "dark"), ("anthropi.theme", "x" * 300)):
        with pytest.raises(InputError, match="cannot be kept"):
            first.set(name, value)
    for k in range(150):
        first.set(f"anthropi.{k}", "yes")
    assert len(Preferences(path).values) == 100
    path.write_text("{broken", encoding="utf-8")
    assert Preferences(path).values == {}


def test_the_page_contains_the_preferences(served):
    from studio.test_guard import ask

    served.session.preferences.set("anthropi.theme", '"></head><script>')
    status, _, body = ask(served, f"/?token={served.studio.token}")
    text = body.decode()
    assert status == 200 and "<script>" not in text
    assert "&lt;/head&gt;&lt;script&gt;" in text
