"""Rays hit the surfaces they should, and figures are drawn."""

import sys

import matplotlib
import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError, MissingExtra, ShapeError
from anthropi.pictures.ray_casting import cast, window_around
from anthropi.pictures.solids import Solid, scene_of
from anthropi.pictures.view import VIEWS, View, view_of

SOLIDS = {
    "sphere": ((0.3,), lambda p: np.linalg.norm(p, axis=-1) - 0.3),
    "ellipsoid": ((0.2, 0.3, 0.4), lambda p: np.linalg.norm(p / [0.2, 0.3, 0.4], axis=-1) - 1.0),
    "box": ((0.2, 0.4, 0.6), lambda p: (np.abs(p) / [0.1, 0.2, 0.3]).max(-1) - 1.0),
    "cylinder": ((0.2, 0.5), lambda p: np.maximum(np.hypot(p[..., 0], p[..., 1]) / 0.2, np.abs(p[..., 2]) * 4.0) - 1.0),
    "capsule": ((0.2, 0.5), lambda p: np.linalg.norm(p - np.clip(p, [0, 0, -0.25], [0, 0, 0.25]), axis=-1) * 5.0 - 1.0),
}  # fmt: skip


def test_the_longer_side_of_a_window_has_the_given_pixels():
    """1.7 x 120 / 1.7 rounded up to 121 pixels for some sizes before."""
    sides = np.random.default_rng(5).uniform(0.5, 3.0, 500)
    windows = [window_around(np.zeros(2), np.array([0.3, side]), 120) for side in sides]
    assert {max(w.width, w.height) for w in windows} == {120}


@pytest.mark.parametrize("kind", SOLIDS)
@pytest.mark.parametrize("seed", range(3))
def test_rays_stop_on_the_surface_facing_them(kind, seed):
    size, outside = SOLIDS[kind]
    rng = np.random.default_rng(seed)
    C = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    C = C * np.linalg.det(C)
    solid = Solid(kind, size, C, rng.normal(size=3), (0.5, 0.5, 0.5), 0)
    axes = View(float(rng.uniform(-180, 180)), float(rng.uniform(-60, 60))).axes()
    middle = np.array([solid.middle @ axes[0], solid.middle @ axes[1]])
    window = window_around(middle - 0.6, middle + 0.6, 90)
    depth, normal, seen = cast([solid], axes, window)
    hit = seen == 0
    x, y = window.middles()
    plane = x[None, :, None] * axes[0] + y[:, None, None] * axes[1]
    at = (plane + np.where(hit, depth, 0.0)[..., None] * axes[2] - solid.middle) @ C
    np.testing.assert_allclose(outside(at[hit]), 0.0, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(normal[hit], axis=-1), 1.0, atol=1e-12)
    assert (normal[hit] @ axes[2] <= 1e-9).all()
    for t in np.linspace(-0.7, 0.7, 141) + solid.middle @ axes[2]:  # along the rays that hit nothing
        assert (outside((plane + t * axes[2] - solid.middle) @ C)[~hit] > -1e-9).all()
    wide = [solid.reach(e) for e in axes[:2]]
    rows, columns = np.nonzero(hit)
    assert np.ptp(x[columns]) / 2.0 <= wide[0] and np.ptp(y[rows]) / 2.0 <= wide[1]


def test_a_figure_seen_from_the_front_is_symmetric():
    figure = ap.human()
    scene = scene_of(figure, ap.standing(figure))
    window = window_around(np.array([-0.5, 0.0]), np.array([0.5, 1.8]), 180)
    depth, _, _ = cast(scene.solids, View(0.0, 0.0).axes(), window)
    np.testing.assert_allclose(depth, depth[:, ::-1], atol=1e-9)
    assert np.isfinite(depth).sum() > 1500


def test_views_look_where_their_names_say():
    right, up, into = view_of("side").axes()
    assert right @ [1.0, 0.0, 0.0] > 0.99 and up[2] > 0.99 and into[1] > 0.99
    right, up, into = view_of("front").axes()
    assert right @ [0.0, 1.0, 0.0] > 0.99 and into[0] < -0.99
    assert view_of((10, 20)) == View(10.0, 20.0)
    for view in VIEWS:
        axes = view_of(view).axes()
        np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-15)
    with pytest.raises(InputError, match="Did you mean 'front'\\?"):
        view_of("frnt")


@pytest.mark.slow
def test_draw_gives_axes_and_files(tmp_path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    matplotlib.use("Agg")
    figure = ap.human(detail="full")
    panels = figure.draw(
        ap.standing(figure), view=["front", (30, 10)], pixels=80, markers=True, file=tmp_path / "a.png"
    )
    assert len(panels) == 2 and (tmp_path / "a.png").stat().st_size > 1000
    one = ap.sample("floating_arm6").draw(pixels=60, file=tmp_path / "b.png")
    assert one.images and len(one.collections) == 1
    hand = figure.draw(only="l_hand", pixels=60, file=tmp_path / "c.png")
    low, high = hand.get_ylim()
    assert high - low < 0.4
    with pytest.raises(InputError, match="2 views"):
        figure.draw(view=["front", "side"], axes=one)
    with pytest.raises(ShapeError, match="nq = 99"):
        figure.draw(np.zeros(3))


def test_links_without_shapes_are_sticks():
    figure = ap.sample("chain", links=3)
    bare = figure.changed(links=tuple(type(x)(x.name, x.mass, x.centre, x.tensor) for x in figure.links))
    scene = scene_of(bare, bare.neutral())
    assert [s.kind for s in scene.solids] == ["capsule"] * 3


def test_a_missing_matplotlib_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(MissingExtra, match=r"figure.draw needs 'matplotlib'.*anthropi\[plots\]"):
        ap.sample("pendulum").draw(pixels=20)
