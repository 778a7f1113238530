"""Compact arrays of pages: rounded to steps, read back, and smaller; norms of a page; the styles of a live page."""

import base64
import zlib

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import FormatError
from anthropi.formats.pages.appearance import appearance
from anthropi.formats.pages.compact import STEPS, compact_skin, decoded, encoded
from anthropi.formats.pages.html import project
from anthropi.formats.pages.meshes import unpacked
from anthropi.formats.pages.motion_buffer import motion_buffer, read_buffer
from anthropi.gait.report.walk_page import page_norms
from anthropi.gait.styles import style_of, styled_walker
from anthropi.gait.walker.live_controls import walker_controls
from anthropi.gait.walker.parameters import load_walker


@pytest.fixture(scope="module")
def walk():
    return ap.walk(ap.human(), speed=1.3, steps=4)


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("shape", [(1, 3), (7,), (40, 3), (5, 2, 3), (0, 4)])
def test_numbers_are_rounded_to_steps(order, shape):
    x = np.random.default_rng(3).normal(0.0, 30.0, shape)
    step = [2.0**-6] if len(shape) < 2 or shape[-1] != 3 else [2.0**-6, 2.0**-3, 1.0]
    back = decoded(encoded(x, step, order), shape, step, order)
    assert back.shape == shape and (np.abs(back - x) <= 0.5 * np.broadcast_to(step, shape) + 1e-5).all()


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e9])
def test_numbers_that_cannot_be_rounded_are_refused(value):
    with pytest.raises(FormatError, match="too large, or not finite"):
        encoded(np.full((3, 2), value), [2.0**-10], 2)


def test_a_compact_buffer_is_small_and_reads_back(walk):
    plain, small = (motion_buffer(walk, skin=False, whole=True, compact=compact) for compact in (False, True))
    assert len(zlib.compress(small, 9)) < 0.4 * len(zlib.compress(plain, 9))
    wanted, found = read_buffer(plain).arrays, read_buffer(small).arrays
    assert wanted.keys() == found.keys()
    for name, x in wanted.items():
        step = np.array(STEPS.get(name.partition("/")[0], [0.0]))
        assert (np.abs(found[name] - x) <= 0.5 * step + 1e-4 * np.abs(x) + 1e-6)[np.isfinite(x)].all(), name


def test_a_compact_skin_has_the_same_numbers():
    look = appearance(ap.human())
    for name in ("positions", "normals", "indices"):
        small, wanted = compact_skin(look)["skin"][name], unpacked(look["skin"][name])
        found = decoded(base64.b64decode(small["data"]), small["shape"], small["step"], small["order"])
        assert (found.ravel() == wanted.ravel()).all(), name


def test_only_walks_have_norms(walk):
    norms = page_norms(walk, ghost=True)
    assert norms["speed"] == pytest.approx(1.3, abs=0.1) and norms["ghost"]["stride"] == pytest.approx(1.35, abs=0.1)
    assert [c["name"] for c in norms["curves"]][:2] == ["hip_flexion", "knee_flexion"]
    assert page_norms(ap.Motion(walk.figure, walk.time, walk.q, walk.u)) is None  # without strikes
    pendulum = ap.sample("double_pendulum")
    assert page_norms(ap.Motion(pendulum, [0.0, 1.0], np.tile(pendulum.neutral(), (2, 1)))) is None


def test_a_page_names_the_project():
    assert project()["name"] == "AnthroPI" and project()["version"] == ap.__version__


@pytest.mark.parametrize("words", ["natural", "limping", "very tired"])
def test_live_controls_begin_with_the_style_of_the_walker(words):
    natural = load_walker("natural")
    file = styled_walker(natural)(style_of(words))
    problem = ap.WalkingSession(ap.human(), file).simulation.problem
    controls = walker_controls(problem, file.parameters)
    assert next(iter(controls.styles)) == words and "natural" in controls.styles
    assert controls.command[controls.speed] == pytest.approx(natural.speed * style_of(words).speed, rel=0.05)


def test_another_walker_offers_no_styles():
    problem = ap.WalkingSession(ap.human(), "run").simulation.problem
    assert walker_controls(problem, load_walker("run").parameters).styles == {}
