"""Several poses of a motion in one picture: where they are, or side by side, each with its time."""

import matplotlib
import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError
from anthropi.motion import Motion
from anthropi.pictures import strip
from anthropi.pictures.draw import _moved, _together
from anthropi.pictures.solids import scene_of
from anthropi.pictures.view import UP, reach_of, view_of

FIGURE = ap.sample("biped")
SPEED = 2.0  # [m/s]


def walk_on(frames=5, direction=(1.0, 0.0, 0.0)):
    """A biped that slides along without moving its legs, for a second."""
    time = np.linspace(0.0, 1.0, frames)
    u = np.zeros((frames, FIGURE.nu))
    u[:, :3] = SPEED * np.array(direction)
    return Motion(FIGURE, time, FIGURE.integrate(np.tile(ap.standing(FIGURE), (frames, 1)), time[:, None] * u), u)


@pytest.fixture(autouse=True)
def no_screen(monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    matplotlib.use("Agg")


def stamps(panel):
    """{time stamp: where it points}, along the picture."""
    return {text.get_text(): text.xy[0] for text in panel.texts}


@pytest.mark.slow
def test_a_stroboscope_shows_poses_where_they_are(tmp_path):
    panel = strip(walk_on(), 3, view="side", pixels=150, file=tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 1000
    found = stamps(panel)
    assert list(found) == ["0.00 s", "0.50 s", "1.00 s"]
    np.testing.assert_allclose(np.diff(list(found.values())), SPEED / 2.0, atol=1e-9)  # seen from the side, x is right
    (picture,) = panel.images
    left, right, low, high = picture.get_extent()
    reach = [reach_of(scene_of(FIGURE, q).solids, view_of("side").axes()[:2]) for q in walk_on().q]
    assert left < min(r[0][0] for r in reach) and right > max(r[1][0] for r in reach)
    assert low < min(r[0][1] for r in reach) and high > max(r[1][1] for r in reach)


@pytest.mark.parametrize("view", ["side", "front", "three-quarter"])
def test_side_by_side_poses_stand_evenly(view, tmp_path):
    panel = strip(walk_on(), [0.0, 0.1, 1.0], view=view, spacing=1.5, pixels=120, ground=False, file=tmp_path / "a.png")
    np.testing.assert_allclose(list(stamps(panel).values()), [0.0, 1.5, 3.0], atol=1e-9)
    heights = [text.xy[1] for text in panel.texts]
    np.testing.assert_allclose(heights, heights[0], atol=1e-9)  # none nearer than another


def test_a_pose_is_moved_along_the_ground_only():
    pose, view = scene_of(FIGURE, walk_on().q[3]), view_of((-50, 20))
    moved = _moved(pose, 4.0, view)
    by = np.array([m.middle - s.middle for s, m in zip(pose.solids, moved.solids, strict=True)])
    np.testing.assert_allclose(by, by[0] * np.ones_like(by), atol=1e-12)
    assert abs(by[0] @ UP) < 1e-12
    np.testing.assert_allclose(moved.joints - pose.joints, np.tile(by[0], (FIGURE.n, 1)), atol=1e-12)


def test_poses_do_not_melt_into_each_other():
    poses = [scene_of(FIGURE, q) for q in walk_on().q]
    whole = _together(poses, FIGURE.n)
    links = [
        {s.link for s in whole.solids[k * len(poses[0].solids) : (k + 1) * len(poses[0].solids)]} for k in range(5)
    ]
    assert len(set.union(*links)) == sum(len(found) for found in links) == 5 * FIGURE.n
    assert whole.size == poses[0].size


def test_strips_go_into_axes_that_are_given(tmp_path):
    import matplotlib.figure

    axes = matplotlib.figure.Figure().subplots()
    assert strip(walk_on(), 2, axes=axes, pixels=60, stamps=False) is axes
    assert axes.images and not axes.texts


def test_what_a_strip_cannot_show_is_said():
    motion = walk_on()
    many = Motion(FIGURE, motion.time, np.stack([motion.q, motion.q]))
    with pytest.raises(InputError, match=r"has 2\. Use motion\.rollout\(0\)"):
        strip(many)
    with pytest.raises(InputError, match="at least 1, or an array of times"):
        strip(motion, 0)
    with pytest.raises(InputError, match="from 0 to 1 s"):
        strip(motion, [0.5, 1.5])
