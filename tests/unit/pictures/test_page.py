"""A page holds the motion it plays, needs nothing else, and its script says the same as our kinematics."""

import base64
import json
import re
import subprocess
from importlib import resources

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.momentum import centre_of_mass
from anthropi.errors import SizeError
from anthropi.figure import Ball, Link, Shape
from anthropi.motion import Motion
from anthropi.pictures import page
from anthropi.pictures.page import SCRIPTS
from anthropi.pictures.solids import scene_of

PLAYER = resources.files("anthropi.pictures") / "player"


def tumble(figure, frames=7, seed=0):
    """A figure that turns and moves in all its joints at constant rates, for half a second."""
    rng = np.random.default_rng(seed)
    time, u = np.linspace(1.0, 1.5, frames), rng.normal(size=figure.nu)
    start = ap.standing(figure) if figure.name == "human" else figure.neutral()
    return Motion(
        figure, time, np.stack([figure.integrate(start, (t - 1.0) * u) for t in time]), np.tile(u, (frames, 1))
    )


def content(file):
    """What a page holds, poses (frames, links, 7) and the path of the centre of mass (frames, 3) as arrays."""
    text = file.read_text(encoding="utf-8")
    found = json.loads(re.search(r'<script type="application/json" id="motion">(.*?)</script>', text, re.DOTALL)[1])
    for name, shape in (("poses", (-1, found["links"], 7)), ("path", (-1, 3))):
        found[name] = np.frombuffer(base64.b64decode(found[name]), "<f4").reshape(shape)
    return found


def test_a_page_holds_the_motion(tmp_path):
    motion = tumble(ap.human())
    held = content(page(motion, tmp_path / "new" / "a.html", rate=40.0))
    assert held["start"] == 1.0 and len(held["poses"]) == 21
    np.testing.assert_allclose(held["dt"], 0.5 / 20)
    for k in (0, 7, 20):
        q = motion.at(min(1.0 + k * held["dt"], 1.5)).q
        at = kinematics(motion.figure, q)
        np.testing.assert_allclose(held["poses"][k, :, :3], at.position, atol=1e-6)  # float32 of metres
        turns = ap.rotation.matrix_from_quaternion(held["poses"][k, :, 3:].astype(float))
        np.testing.assert_allclose(turns, at.rotation, atol=1e-6)
        np.testing.assert_allclose(held["path"][k], centre_of_mass(motion.figure, q).position, atol=1e-6)


@pytest.mark.parametrize("name", ["human", "biped", "roach", "chain"])
def test_solids_are_where_the_painter_sees_them(name, tmp_path):
    motion = tumble(ap.human() if name == "human" else ap.sample(name))
    held = content(page(motion, tmp_path / "a.html"))
    seen = scene_of(motion.figure, motion.q[-1]).solids
    assert len(seen) == len(held["solids"])
    for there, solid in zip(seen, held["solids"], strict=True):
        place, turn = held["poses"][-1, solid["link"], :3], held["poses"][-1, solid["link"], 3:].astype(float)
        C, pose = ap.rotation.matrix_from_quaternion(turn), np.array(solid["pose"]).reshape(4, 4).T
        np.testing.assert_allclose(place + C @ pose[:3, 3], there.middle, atol=3e-6)  # float32, and six digits
        np.testing.assert_allclose(C @ pose[:3, :3], there.rotation, atol=3e-6)
        along = np.array(solid["size"]) + np.array([0.0, 0.0, solid["reach"]])
        reach = [there.reach(there.rotation[:, k]) for k in range(3)]
        np.testing.assert_allclose(along, reach, atol=1e-6)


def test_every_kind_of_shape_has_a_mesh(tmp_path):
    sizes = {"box": (0.2, 0.4, 0.6), "sphere": (0.3,), "cylinder": (0.1, 0.5), "capsule": (0.1, 0.5),
             "ellipsoid": (0.1, 0.2, 0.3)}  # fmt: skip
    body = Link.of("body", ap.spatial.sphere(0.1, mass=1.0), [Shape(kind, size) for kind, size in sizes.items()])
    figure = ap.assemble("all", [("", Ball(name="root"), body)])
    found = {(s["kind"], *s["size"], s["reach"]) for s in content(page(tumble(figure), tmp_path / "a.html"))["solids"]}
    assert found == {("box", 0.1, 0.2, 0.3, 0.0), ("ball", 0.3, 0.3, 0.3, 0.0), ("cylinder", 0.1, 0.1, 0.25, 0.0),
                     ("ball", 0.1, 0.1, 0.1, 0.25), ("ball", 0.1, 0.2, 0.3, 0.0)}  # fmt: skip


def test_a_page_stands_alone_and_is_small(tmp_path):
    file = page(tumble(ap.human()), tmp_path / "a.html", title="<b>a & b</b> @script@", caption="</script>")
    text = file.read_text(encoding="utf-8")
    assert len(text) < 100_000
    assert not re.search(r"https?:|//\w+\.\w|\bsrc=|\bhref=|@import|url\(|fetch\(|XMLHttp|WebSocket", text)
    assert "default-src 'none'" in text
    assert text.count("&lt;b&gt;a &amp; b&lt;/b&gt; @script@") == 2 and "&lt;/script&gt;" in text
    assert text.count("</script>") == 2  # the motion's and the player's own


def test_ground_is_there_where_there_is_weight_and_nearness(tmp_path):
    figure = ap.human()
    assert content(page(tumble(figure), tmp_path / "a.html"))["ground"]
    assert not content(page(tumble(figure.changed(gravity=np.zeros(3))), tmp_path / "a.html"))["ground"]
    assert content(page(tumble(figure.changed(gravity=np.zeros(3))), tmp_path / "a.html", ground=True))["ground"]


def test_one_frame_is_a_page_too(tmp_path):
    figure = ap.sample("biped")
    held = content(page(Motion(figure, [0.0], figure.neutral()[None], np.zeros((1, figure.nu))), tmp_path / "a.html"))
    assert held["poses"].shape == (1, figure.n, 7)


@pytest.mark.parametrize(("options", "words"), [({"speed": 2.0}, "choose from 1, 0.5"), ({"rate": 0.0}, "more than 0")])
def test_what_a_page_cannot_show_is_said(options, words, tmp_path):
    motion = tumble(ap.sample("biped"))
    with pytest.raises(SizeError, match=words):
        page(motion, tmp_path / "a.html", **options)
    with pytest.raises(SizeError, match=r"Take motion\.rollout\(0\)"):
        page(Motion(motion.figure, motion.time, np.stack([motion.q] * 2)), tmp_path / "a.html")


# the script itself, where Node.js is at hand -------------------------------------------------------------------------


def run(node, parts, ask, tmp_path, motion="{}"):
    """What scripts answer, in JSON, with a document that holds only the motion."""
    text = "\n".join((PLAYER / name).read_text(encoding="utf-8") for name in parts)
    stub = f"const document = {{ getElementById: () => ({{ textContent: {json.dumps(motion)} }}) }};\n"
    file = tmp_path / "script.js"
    file.write_text(text.replace('"use strict";', '"use strict";\n' + stub) + f"\nconsole.log(JSON.stringify({ask}));")
    done = subprocess.run([node, file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_script_finds_poses_between_frames(node, tmp_path):
    motion = tumble(ap.sample("biped"))
    file = page(motion, tmp_path / "a.html", rate=120.0)
    given = re.search(r'id="motion">(.*?)</script>', file.read_text(encoding="utf-8"))[1]
    for t in (0.0, 0.1234, 0.5, 9.0):
        ask = f"[Array.from({{length: links}}, (_, i) => poseAt({t}, i)), centreAt({t})]"
        poses, centre = run(node, SCRIPTS[:1], ask, tmp_path, given)
        q = motion.at(1.0 + min(t, 0.5)).q
        at = kinematics(motion.figure, q)
        found = np.array(poses).reshape(-1, 4, 4).swapaxes(1, 2)
        np.testing.assert_allclose(found[:, :3, 3], at.position, atol=1e-4)  # lines between frames 8 ms apart
        np.testing.assert_allclose(found[:, :3, :3], at.rotation, atol=1e-4)
        np.testing.assert_allclose(centre, centre_of_mass(motion.figure, q).position, atol=1e-4)


def test_meshes_are_closed_and_face_outwards(node, tmp_path):
    meshes = run(node, SCRIPTS[1:2], "[ball(36), ball(12), cylinder(36), box()]", tmp_path)
    for mesh, volume in zip(meshes, (4 / 3 * np.pi, 4 / 3 * np.pi, 2.0 * np.pi, 8.0), strict=True):
        vertices = np.array(mesh["vertices"]).reshape(-1, 7)
        corners = vertices[np.array(mesh["corners"]).reshape(-1, 3)]
        a, b, c = (corners[:, k, :3] for k in range(3))
        face = np.cross(b - a, c - a)
        whole = np.linalg.norm(face, axis=-1) > 1e-9  # not the slivers at a pole or on an equator
        assert ((face * corners[:, :, 3:6].mean(1)).sum(-1)[whole] > 0.0).all()  # with their normals
        np.testing.assert_allclose(np.linalg.norm(vertices[:, 3:6], axis=-1), 1.0, atol=1e-12)
        np.testing.assert_allclose((a * np.cross(b, c)).sum() / 6.0, volume, rtol=0.12)  # 12 sides for a round one
        np.testing.assert_allclose(face.sum(0), 0.0, atol=1e-12)  # nothing is missing


def test_all_scripts_together_are_one_program(node, tmp_path):
    file = tmp_path / "whole.js"
    file.write_text("\n".join((PLAYER / name).read_text(encoding="utf-8") for name in SCRIPTS), encoding="utf-8")
    done = subprocess.run([node, "--check", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
