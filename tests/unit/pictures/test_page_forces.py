"""Pages show forces of the ground and things that stand beside: where they are, and the same in the script."""

import base64
import json
import re
import subprocess
from importlib import resources

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import SizeError
from anthropi.pictures import page
from anthropi.pictures.arrows import LENGTH, arrows_of

TOUCHES = ("l_foot.l_sole_heel_in on ground", "l_toes.l_sole_toe_in on ground", "r_foot.r_sole_heel_in on ground")


@pytest.fixture
def motion():
    figure = ap.human(1.75, 75)
    q, contact = np.repeat(ap.standing(figure)[None], 11, 0), np.zeros((11, 3, 3))
    contact[:, :2, 2] = 0.25 * 75 * 9.81
    contact[5:, 2] = (10.0, 0.0, 75 * 9.81)
    return ap.Motion(figure, 0.1 * np.arange(11), q, None, {"contact": contact}, (), {"touches": TOUCHES})


def test_arrows_are_at_the_centre_of_pressure(motion):
    arrows = arrows_of(motion, np.array([0.0, 0.55]))
    k = ap.kinematics(motion.figure, motion.q[0])
    np.testing.assert_allclose(arrows[0, 0, :3], 0.5 * (k.marker("l_sole_heel_in") + k.marker("l_sole_toe_in")))
    np.testing.assert_allclose(arrows[0, 0, 3:], [0.0, 0.0, 0.5 * LENGTH], rtol=1e-3)  # 75 kg, to what tables give
    np.testing.assert_allclose(arrows[1, 1, 3:], LENGTH * np.array([10.0 / (75 * 9.81), 0.0, 1.0]), rtol=1e-3)
    assert not arrows[0, 1, 3:].any()
    with pytest.raises(SizeError, match="contact"):
        arrows_of(ap.Motion(motion.figure, motion.time, motion.q), motion.time)


def test_a_page_has_arrows_and_pillars(motion, node, tmp_path):
    file = page(motion, tmp_path / "a.html", rate=10.0, forces=True, pillars=[(0.3, 1.2, lambda t: (2.0 + t, 1.0))])
    given = re.search(r'id="motion">(.*?)</script>', file.read_text(encoding="utf-8"))[1]
    held = json.loads(given)
    assert held["arrows"] == 2 and held["links"] == motion.figure.n + 1 and held["own"] == motion.figure.n
    poses = np.frombuffer(base64.b64decode(held["poses"]), "<f4").reshape(11, -1, 7)
    np.testing.assert_allclose(
        poses[:, -1], [[2.0 + 0.1 * k, 1.0, 0.6, 1.0, 0.0, 0.0, 0.0] for k in range(11)], rtol=1e-6
    )
    script = (resources.files("anthropi.pictures") / "player" / "1_motion.js").read_text(encoding="utf-8")
    stub = f"const document = {{ getElementById: () => ({{ textContent: {json.dumps(given)} }}) }};\n"
    ask = "\nconsole.log(JSON.stringify([arrowsAt(0), arrowsAt(0.8)]));"
    (tmp_path / "a.js").write_text(script.replace('"use strict";', '"use strict";\n' + stub) + ask, encoding="utf-8")
    before, after = json.loads(
        subprocess.run([node, tmp_path / "a.js"], capture_output=True, text=True, check=True).stdout
    )
    assert len(before) == 2 and len(after) == 4  # a rod and a knob for each force there is
    rod, knob = after[2:]
    point, arrow = np.split(arrows_of(motion, np.array([0.8]))[0, 1], 2)
    np.testing.assert_allclose(rod["pose"][12:15], point + 0.5 * arrow, atol=1e-6)
    np.testing.assert_allclose(knob["pose"][12:15], point + arrow, atol=1e-6)
    np.testing.assert_allclose(rod["size"][2], 0.5 * np.linalg.norm(arrow), rtol=1e-6)
    turn = np.array(rod["pose"]).reshape(4, 4)[:3, :3]
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-9)
