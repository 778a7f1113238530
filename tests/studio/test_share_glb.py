"""glTF export: the Khronos validator accepts the file, and its nodes have the poses of the links."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.geometry.surfaces import Box
from anthropi.contact.scene import Obstacle, Scene
from anthropi.errors import InputError
from anthropi.figure.editing.joining import combine
from anthropi.formats import export
from anthropi.motion import Motion
from conftest import lacking

STUDIO = Path(__file__).resolve().parents[2] / "studio"
VALIDATE = """
import fs from "node:fs";
import { createRequire } from "node:module";
const validator = createRequire(process.argv[1])("gltf-validator");
const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[2])));
console.log(JSON.stringify(report.issues));
"""
UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])  # z up → y up


def tumble(figure, frames=12):
    rng = np.random.default_rng(0)
    u = rng.normal(size=figure.nu)
    rows = [figure.neutral()]
    for _ in range(frames - 1):
        rows.append(figure.integrate(rows[-1], u / 30.0))
    return Motion(figure, 2.0 + np.arange(frames) / 30.0, np.array(rows))


CASES = {
    "human, surface": (lambda: tumble(ap.human()), {}),
    "woman with fingers": (lambda: tumble(ap.human(1.62, 58.0, "f", "full"), 2), {}),
    "human, volume": (lambda: tumble(ap.human()), {"body": "volume"}),
    "bench42": (lambda: tumble(ap.sample("bench42")), {}),
    "double pendulum": (lambda: tumble(ap.sample("double_pendulum")), {"body": "volume"}),
    "two people": (lambda: tumble(combine([ap.human(), ap.human(1.6, 60.0)], ["anna", "ben"])), {}),
    "one frame": (lambda: tumble(ap.human(), 1), {"body": "volume"}),
}


def read(path):
    data = path.read_bytes()
    size = int.from_bytes(data[12:16], "little")
    parts = json.loads(data[20 : 20 + size])
    return parts, data[28 + size :]


def array(parts, held, k):
    a = parts["accessors"][k]
    view = parts["bufferViews"][a["bufferView"]]
    kind = {5126: "<f4", 5121: "u1", 5123: "<u2", 5125: "<u4"}[a["componentType"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[a["type"]]
    return np.frombuffer(held, kind, a["count"] * width, view["byteOffset"]).reshape(a["count"], width)


def matrix(node):
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    C = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                  [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                  [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])  # fmt: skip
    M = np.eye(4)
    M[:3, :3], M[:3, 3] = C, node.get("translation", (0, 0, 0))
    return M


def world(parts, held, frame):
    """Return the pose (4, 4) of every node at a frame of the animation, by name."""
    nodes = [dict(node) for node in parts["nodes"]]
    for animation in parts.get("animations", ()):
        for channel in animation["channels"]:
            values = array(parts, held, animation["samplers"][channel["sampler"]]["output"])
            nodes[channel["target"]["node"]][channel["target"]["path"]] = values[frame].astype(float)
    found = {}

    def walk(k, above):
        found[k] = above @ matrix(nodes[k])
        for child in nodes[k].get("children", ()):
            walk(child, found[k])

    for top in parts["scenes"][0]["nodes"]:
        walk(top, np.eye(4))
    return found


@pytest.mark.parametrize("case", CASES)
def test_the_validator_finds_no_error(case, tmp_path):
    if shutil.which("node") is None or not (STUDIO / "node_modules" / "gltf-validator").is_dir():
        lacking("the Khronos validator of glTF (npm ci in studio/)")
    make, options = CASES[case]
    file = export(make(), tmp_path / "a.glb", **options)
    script = tmp_path / "validate.mjs"
    script.write_text(VALIDATE.replace("process.argv[1]", json.dumps(str(STUDIO / "package.json"))))
    run = subprocess.run(["node", script, file], capture_output=True, text=True, check=False, timeout=120)
    assert run.returncode == 0, run.stderr
    issues = json.loads(run.stdout)
    assert issues["numErrors"] == 0 and issues["numWarnings"] == 0, issues["messages"][:5]


@pytest.mark.parametrize("body", ["surface", "volume"])
def test_nodes_are_where_links_are(body, tmp_path):
    motion = tumble(ap.human())
    parts, held = read(export(motion, tmp_path / "a.glb", body=body))
    named = {node["name"]: k for k, node in enumerate(parts["nodes"])}
    for frame in (0, 7, 11):
        k, poses = kinematics(motion.figure, motion.q[frame]), world(parts, held, frame)
        for i, link in enumerate(motion.figure.links):
            pose = poses[named[link.name]]
            assert np.allclose(pose[:3, 3], UP @ k.position[i], atol=1e-5)  # float32, a chain of them
            assert np.allclose(pose[:3, :3], UP @ k.rotation[i], atol=1e-5)
    times = array(parts, held, parts["animations"][0]["samplers"][0]["input"]).ravel()
    assert times[0] == 0.0 and np.isclose(times[-1], motion.time[-1] - motion.time[0])


def test_the_skin_follows_its_links(tmp_path):
    motion = tumble(ap.human())
    parts, held = read(export(motion, tmp_path / "a.glb"))
    skin, mesh = parts["skins"][0], parts["meshes"][0]["primitives"][0]["attributes"]
    poses = world(parts, held, 5)
    inverse = array(parts, held, skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
    bones = np.array([poses[k] @ m for k, m in zip(skin["joints"], inverse, strict=True)])
    points = array(parts, held, mesh["POSITION"]).astype(float)
    joints, weights = array(parts, held, mesh["JOINTS_0"]), array(parts, held, mesh["WEIGHTS_0"]) / 65535.0
    assert np.allclose(weights.sum(1), 1.0, atol=1e-12)
    carried = np.einsum("nw,nwij,nj->ni", weights, bones[joints][..., :3, :], np.c_[points, np.ones(len(points))])
    k = kinematics(motion.figure, motion.q[5])
    head = motion.figure.link_index("head")
    own = carried[(joints[:, 0] == head) & (weights[:, 0] > 0.95)]
    assert len(own) > 100
    middle = UP @ (k.position[head] + k.rotation[head] @ motion.figure.links[head].centre)
    assert np.linalg.norm(own - middle, axis=1).max() < 0.25  # m: a head's size


def test_what_stands_around_comes_along(tmp_path):
    figure = ap.human()
    scene = Scene(figure, obstacles=(Obstacle("step", Box((1.0, 2.0, 0.1))),))
    parts, _ = read(export(tumble(figure), tmp_path / "a.glb", scene=scene, body="volume"))
    assert "step" in [node["name"] for node in parts["nodes"]]


def test_an_unknown_body_is_refused(tmp_path):
    with pytest.raises(InputError, match="Did you mean 'surface'"):
        export(tumble(ap.human(), 2), tmp_path / "a.glb", body="surfaces")
