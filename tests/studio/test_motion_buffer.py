"""Motion buffers: poses agree with the kinematics, and channels have the right columns and units."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.geometry.height_field import HeightField
from anthropi.contact.geometry.surfaces import Box, Sphere
from anthropi.contact.scene import Obstacle, Scene
from anthropi.errors import FormatError, InputError
from anthropi.figure.editing.joining import combine
from anthropi.formats.pages.motion_buffer import MAGIC, motion_buffer, read_buffer
from anthropi.motion import Motion
from anthropi.motion.motion import FootEvent


def tumble(figure, frames=31, seed=0):
    rng = np.random.default_rng(seed)
    u = 0.5 * rng.normal(size=figure.nu)
    rows = [figure.neutral()]
    for _ in range(frames - 1):
        rows.append(figure.integrate(rows[-1], u / 30.0))
    return Motion(figure, np.arange(frames) / 30.0, np.array(rows), np.tile(u, (frames, 1)))


def rotated(quaternion, v):
    w, x = quaternion[..., :1], quaternion[..., 1:]
    return v + 2.0 * np.cross(x, np.cross(x, v) + w * v)


def test_poses_are_those_of_the_kinematics():
    motion = tumble(ap.human())
    header, arrays = read_buffer(motion_buffer(motion, skin=False))
    assert header["version"] == 1 and header["frames"] == len(motion)
    assert arrays["poses/0"].shape == (31, motion.figure.n, 7)
    for f in (0, 17, 30):
        k = kinematics(motion.figure, motion.q[f])
        assert np.allclose(arrays["poses/0"][f, :, :3], k.position, atol=1e-6)  # float32
        for e in np.eye(3):
            assert np.allclose(rotated(arrays["poses/0"][f, :, 3:], e), k.rotation @ e, atol=1e-6)
    masses = np.array([link.mass for link in motion.figure.links])
    k = kinematics(motion.figure, motion.q[9])
    centres = np.array([p + C @ link.centre for p, C, link in
                        zip(k.position, k.rotation, motion.figure.links, strict=True)])  # fmt: skip
    assert np.allclose(arrays["com/0"][9], masses @ centres / masses.sum(), atol=1e-6)


def test_quaternions_do_not_jump_to_the_other_side():
    figure = ap.sample("double_pendulum")
    turns = np.linspace(0.0, 15.0, 200)
    motion = Motion(figure, np.arange(200) / 30.0, np.stack([turns] * figure.nq, -1))
    poses = read_buffer(motion_buffer(motion, skin=False)).arrays["poses/0"]
    assert ((poses[1:, :, 3:] * poses[:-1, :, 3:]).sum(-1) > 0.0).all()


def test_channels_name_columns_and_units():
    motion = tumble(ap.human())
    motion = motion.changed(channels={"tau": np.ones_like(motion.u)})
    header, arrays = read_buffer(motion_buffer(motion, skin=False))
    named = {(c["group"], c["name"]): c for c in header["channels"]}
    knee = named["angle", "l_knee"]
    column = motion.figure.q_of[motion.figure.joint_index("l_knee")].start
    assert knee["unit"] == "rad" and np.allclose(arrays[knee["array"]][:, knee["column"]], motion.q[:, column])
    assert named["rate", "root.px"]["unit"] == "m/s" and named["torque", "l_hip.x"]["unit"] == "N m"
    for c in header["channels"]:
        array = arrays[c["array"]]
        assert c["column"] < np.prod(array.shape[1:])


def test_events_ground_and_camera():
    motion = tumble(ap.human()).changed(events=(FootEvent(0.5, "l", "strike"), FootEvent(0.2, "r", "off")))
    words = {"title": "A", "caption": "b"}
    header = read_buffer(motion_buffer(motion, skin=False, view="side", follow=True, ground=True, **words)).header
    assert header["events"] == [{"time": 0.2, "name": "toe-off", "side": "r"},
                                {"time": 0.5, "name": "heel strike", "side": "l"}]  # fmt: skip
    assert header["ground"]["kind"] == "plane" and header["title"] == "A" and header["caption"] == "b"
    assert header["camera"]["azimuth"] == -90.0 and header["camera"]["follow"] is True
    weightless = tumble(ap.human().changed(gravity=np.zeros(3)))
    assert read_buffer(motion_buffer(weightless, skin=False)).header["ground"] is None


def test_a_scene_brings_its_ground_and_what_stands_around():
    figure = ap.human()

    def going(t):
        from anthropi.algebra.spatial import Transform

        return Transform(np.eye(3), np.array([t, 0.0, 1.0])), np.zeros(3), np.array([1.0, 0.0, 0.0])

    scene = Scene(figure, ground=HeightField(np.arange(12.0).reshape(3, 4) / 50.0, spacing=0.5),
                  obstacles=(Obstacle("step", Box((1.0, 2.0, 0.1))), Obstacle("ball", Sphere(0.2), going)))  # fmt: skip
    header, arrays = read_buffer(
        motion_buffer(tumble(figure), scene=scene, skin=False, pillars=[(0.3, 1.0, lambda t: (t, 2))])
    )
    assert header["ground"]["kind"] == "heights" and header["ground"]["heights"]["shape"] == [3, 4]
    step, ball, post = header["things"]
    assert step["kind"] == "box" and step["size"] == [1.0, 2.0, 0.1] and len(step["pose"]) == 16
    assert ball["kind"] == "ball" and np.allclose(arrays[ball["poses"]][:, 0], np.arange(31) / 30.0, atol=1e-6)
    assert post["kind"] == "cylinder" and np.allclose(arrays[post["poses"]][-1, :3], (1.0, 2.0, 0.5))


@pytest.mark.slow
def test_several_figures_and_several_motions():
    one = tumble(combine([ap.human(), ap.human(1.6, 60.0)], ["anna", "ben"]))
    header, arrays = read_buffer(motion_buffer(one, skin=False))
    assert [f["name"] for f in header["figures"]] == ["anna", "ben"]
    assert arrays["poses/1"].shape[1] == len(header["figures"][1]["appearance"]["links"])
    assert {c["figure"] for c in header["channels"]} == {0, 1}
    shorter = tumble(ap.human(), frames=16)
    header, arrays = read_buffer(motion_buffer([tumble(ap.human()), shorter], skin=False))
    assert len(header["figures"]) == 2 and arrays["poses/1"].shape[0] == 31


def test_a_walk_has_touches_and_a_centre_of_pressure():
    walk = ap.walk(ap.human(), speed=1.2, steps=3)
    header, arrays = read_buffer(motion_buffer(walk, skin=False))
    forces, pressed = arrays["contact/0"][..., 3:], arrays["cop/0"]
    assert forces.shape[1] == (walk.channels["contact"] != 0.0).any((0, 2)).sum()  # those that ever bear load
    loaded = forces[..., 2].sum(1) > 10.0
    assert loaded.mean() > 0.9
    assert header["ground"] == {"kind": "plane", "point": [0.0, 0.0, 0.0], "normal": [0.0, 0.0, 1.0]}
    assert (np.abs(pressed[loaded][:, 2]) < 0.05).all()  # on the ground
    feet = arrays["contact/0"][loaded][..., :2]
    assert (pressed[loaded][:, :2] > feet.min(1) - 1e-4).all() and (pressed[loaded][:, :2] < feet.max(1) + 1e-4).all()


def test_thinned_frames_hold_the_means_of_those_left_out():
    """Forces on a page at a lower rate are means over the longer frames: their impulse is that of the walk."""
    walk = ap.walk(ap.human(), speed=1.2, steps=2)
    walk = walk[: 4 * ((len(walk) - 1) // 4) + 1]
    _, arrays = read_buffer(motion_buffer(walk, rate=25.0, skin=False))
    impulse = np.diff(arrays["time"])[:, None] * arrays["contact/0"][:-1, :, 3:].sum(1)
    assert len(impulse) == (len(walk) - 1) // 4
    assert np.allclose(impulse.sum(0), 0.01 * walk.channels["contact"][:-1].sum((0, 1)), atol=0.05)  # [N s], float32


def test_rate_thins_out_and_keeps_the_ends():
    motion = tumble(ap.sample("double_pendulum"), frames=301)
    header, arrays = read_buffer(motion_buffer(motion, rate=10.0, skin=False))
    assert 95 < header["frames"] < 110
    assert arrays["time"][0] == 0.0 and np.isclose(arrays["time"][-1], motion.time[-1])


def test_what_is_no_motion_is_refused():
    motion = tumble(ap.sample("double_pendulum"))
    with pytest.raises(InputError, match="rollout"):
        motion_buffer(Motion(motion.figure, motion.time, np.stack([motion.q] * 2)))
    with pytest.raises(InputError, match="rate"):
        motion_buffer(motion, rate=0.0)
    with pytest.raises(InputError, match="at least one"):
        motion_buffer([])
    with pytest.raises(InputError, match="got str"):
        motion_buffer(["walk"])
    with pytest.raises(FormatError, match="APM1"):
        read_buffer(b"nothing of the kind")
    assert motion_buffer(motion, skin=False)[:4] == MAGIC
