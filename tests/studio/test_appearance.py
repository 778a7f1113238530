"""The appearance of a figure: solids, sticks, limits and markers agree with the figure, in the frame of each link."""

import json

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics
from anthropi.figure.editing.joining import combine
from anthropi.formats.pages.appearance import appearance
from anthropi.pictures.solids import scene_of


def matrix(numbers):
    return np.array(numbers).reshape(4, 4).T


@pytest.mark.parametrize("name", ["human", "bench42", "double_pendulum"])
def test_solids_lie_where_the_picture_has_them(name):
    figure = ap.human() if name == "human" else ap.sample(name)
    q = figure.random(1)
    k, scene = kinematics(figure, q), scene_of(figure, figure.neutral())
    shown = appearance(figure, skin=False)
    json.dumps(shown, allow_nan=False)
    assert [link["name"] for link in shown["links"]] == [link.name for link in figure.links]
    assert [link["parent"] for link in shown["links"]] == list(figure.parent)
    assert len(shown["solids"]) == len(scene.solids)
    for given, solid in zip(shown["solids"], scene_of(figure, q).solids, strict=True):
        if given.get("stick"):
            continue  # a solid between two joints depends on the pose
        i, pose = given["link"], matrix(given["pose"])
        middle = k.position[i] + k.rotation[i] @ pose[:3, 3]
        assert np.allclose(middle, solid.middle, atol=2e-6)  # rounded to a micrometre
        assert np.allclose(k.rotation[i] @ pose[:3, :3], solid.rotation, atol=4e-6)


def test_axes_are_those_about_which_links_turn():
    figure = ap.human()
    shown = {link["joint"]["name"]: link["joint"] for link in appearance(figure, skin=False)["links"]}
    assert shown["l_knee"]["axes"] == [[0.0, 1.0, 0.0]]
    assert shown["l_hip"]["axes"] == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    assert shown["root"]["lengths"] == [True] * 3 + [False] * 3
    assert shown["l_elbow"]["dofs"] == ["l_elbow.flexion", "l_elbow.pronation"]


def test_limits_are_ranges_boxes_and_swings():
    figure = ap.human()
    limits = appearance(figure, skin=False)["limits"]
    kinds = {entry["joint"]: entry["kind"] for entry in limits}
    assert kinds["l_shoulder"] == kinds["r_hip"] == "swing"
    assert kinds["l_knee"] == "range" and kinds["lumbar"] == "box" and "root" not in kinds
    swing = next(entry for entry in limits if entry["joint"] == "l_hip")
    curve = np.array(swing["curve"])
    assert np.allclose(np.linalg.norm(curve, axis=1), 1.0, atol=1e-5) and np.allclose(curve[0], curve[-1], atol=1e-5)
    assert swing["twist"][0] < 0.0 < swing["twist"][1]


def test_figures_together_come_apart_by_their_links():
    figure = combine([ap.human(), ap.human(1.6, 60.0)], ["anna", "ben"])
    from anthropi.figure.editing.joining import combined_parts

    anna, ben = combined_parts(figure)
    shown = appearance(figure, ben.links, skin=False)
    assert shown["links"][0]["name"] == "pelvis" and shown["links"][0]["parent"] == -1
    assert {s["link"] for s in shown["solids"]} == set(range(len(ben.links)))
    assert all("/" not in m["name"] for m in shown["markers"])
    assert {entry["kind"] for entry in shown["limits"] if entry["joint"] == "l_hip"} == {"swing"}
    assert len(anna.links) == len(ben.links)


def test_sticks_join_joints_and_reach_the_ends():
    figure = ap.human()
    shown = appearance(figure, skin=False)
    joined = {(a[0], b[0]) for a, b in shown["sticks"]}
    for i in range(1, figure.n):
        assert (figure.parent[i], i) in joined
    toes = figure.link_index("l_toes")
    assert any(a[0] == b[0] == toes and np.linalg.norm(b[1:]) > 0.02 for a, b in shown["sticks"])
