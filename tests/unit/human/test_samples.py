"""Sample figures are what they say."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra import spatial as sp
from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import InputError
from anthropi.figure.human.build import sole_markers, standing
from anthropi.figure.joints import Ball, Euler, Exponential, Free
from anthropi.figure.samples import SAMPLES

SIZES = {"bench42": (13, 42), "pendulum": (1, 1), "double_pendulum": (2, 2), "spherical_pendulum": (1, 3),
         "chain": (10, 10), "floating_arm6": (7, 12), "hopper": (3, 5), "roach": (19, 24),
         "biped": (7, 18), "four_bar": (3, 3), "slider_crank": (3, 3), "bennett": (3, 3), "stewart": (13, 30),
         "lifter": (22, 51)}  # fmt: skip


@pytest.mark.parametrize("name", SAMPLES)
def test_each_has_its_size_name_and_words(name):
    figure = ap.sample(name)
    assert (figure.n, figure.nu) == SIZES[name] and figure.name == name and SAMPLES[name].__doc__


def test_bench42_is_the_figure_of_the_spike():
    """Mass 79.4 kg, boxes about their own centres; names, parents and places as in tests/unit/spatial/bench42.py."""
    figure = ap.sample("bench42")
    assert figure.mass == pytest.approx(79.4, abs=1e-12)
    assert figure.parent == (-1, 0, 1, 1, 3, 1, 5, 0, 7, 8, 0, 10, 11)
    assert isinstance(figure.joints[0], Free) and all(isinstance(j, Ball) for j in figure.joints[1:])
    thigh = figure.links[figure.link_index("l_thigh")]
    want = sp.box((0.15, 0.15, 0.42), mass=8.0, centre=np.array([0.0, 0.0, -0.21]))
    np.testing.assert_array_equal(thigh.tensor, want.tensor)
    np.testing.assert_array_equal(thigh.centre, want.centre)
    np.testing.assert_array_equal(figure.joints[figure.joint_index("r_hip")].placement.origin, [0.0, -0.1, -0.05])
    soles = sole_markers(figure)
    assert len(soles) == 8 and all(m.point[2] == -0.07 and m.point[0] in (-0.06, 0.19) for m in soles)
    assert standing(figure)[2] == pytest.approx(0.96)


def test_pendulums_in_each_choice_of_coordinates():
    kinds = {"quaternion": Ball, "exponential": Exponential, "zyx": Euler, "xyx": Euler}
    for coordinates, kind in kinds.items():
        assert isinstance(ap.sample("spherical_pendulum", coordinates=coordinates).joints[0], kind)


def test_chains_of_any_length():
    for links in (1, 7, 60):
        figure = ap.sample("chain", links=links, joint="ball")
        assert figure.n == links and figure.nu == 3 * links
        k = kinematics(figure, figure.neutral())
        np.testing.assert_allclose(k.position[-1], [0.0, 0.0, -0.3 * (links - 1)], atol=1e-12)


def test_walkers_stand():
    for name in ("bench42", "biped", "roach"):
        figure = ap.sample(name)
        k = kinematics(figure, standing(figure))
        heights = [(k.position[i] + k.rotation[i] @ m.point)[2] for m in sole_markers(figure)
                   for i in [figure.link_index(m.link)]]  # fmt: skip
        np.testing.assert_allclose(heights, 0.0, atol=1e-12)


def test_the_hopper_moves_in_its_plane():
    figure = ap.sample("hopper")
    k = kinematics(figure, np.array([0.2, 0.9, 0.1, -0.3, 0.05]))
    np.testing.assert_allclose(k.position[:, 1], 0.0, atol=1e-15)
    np.testing.assert_allclose(k.position[0], [0.2, 0.0, 0.9], atol=1e-15)


def test_the_hopper_with_a_knee_stands_on_its_sole():
    figure = ap.sample("hopper", leg="knee")
    assert (figure.n, figure.nu) == (4, 11) and figure.mass == pytest.approx(26.5)
    k = ap.kinematics(figure, figure.neutral())
    np.testing.assert_allclose(k.marker("sole"), [0.0, 0.0, -0.86], atol=1e-15)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("bench24", {}, "No sample 'bench24'. Did you mean 'bench42'\\? Samples: bench42, pendulum"),
        ("chain", {"link": 3}, "no option 'link'. Did you mean 'links'\\? Its options: links, joint"),
        ("chain", {"links": 0}, "at least one link"),
        ("chain", {"joint": "bal"}, "Did you mean 'ball'\\?"),
        ("pendulum", {"length": 2.0}, "Its options: none"),
        ("hopper", {"leg": "knees"}, "Did you mean 'knee'\\?"),
    ],
)
def test_what_there_is_not_is_answered_with_what_there_is(name, options, words):
    with pytest.raises(InputError, match=words):
        ap.sample(name, **options)
