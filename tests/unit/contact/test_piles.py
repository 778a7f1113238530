"""Boxes that stand on boxes, compliant, through `simulate`: a pile comes to rest and sinks little."""

from itertools import pairwise

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.energy import kinetic_energy
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.compliant import Compliant
from anthropi.contact.geometry.contacts import contacts
from anthropi.contact.geometry.pairs import world_candidates
from anthropi.contact.scene import Scene
from unit.contact.bodies import body, placed

g = 9.81
SIDE, APART, ABOVE = 0.2, 0.22, 1e-3  # [m] of a box, between neighbours, between layers at the start


def pyramid(layers: int):
    """Layers of n, n - 1, … boxes, each but the lowest on two of the layer below: a scene, q with gaps of 1 mm."""
    names = [[f"b{row}{column}" for column in range(layers - row)] for row in range(layers)]
    pairs = [(f"{below}/box", f"{box}/box") for lower, upper in pairwise(names)
             for k, box in enumerate(upper) for below in lower[k : k + 2]]  # fmt: skip
    q = [placed(APART * (column + 0.5 * row), 0.0, 0.5 * SIDE + ABOVE + (SIDE + ABOVE) * row)
         for row in range(layers) for column in range(layers - row)]  # fmt: skip
    every = [name for row in names for name in row]
    box = body("box", SIDE, SIDE, SIDE, mass=1.0)
    scene = Scene.of([box] * len(every), every, pairs=pairs, edges=False, features=[f"{n}/box" for n in names[0]],
                     contact=Compliant())  # fmt: skip
    return scene, np.concatenate(q)


@pytest.mark.slow
@pytest.mark.parametrize("layers", [2, pytest.param(5, marks=pytest.mark.soak)])  # 5: 16 s to compile
def test_a_pyramid_comes_to_rest(layers):
    """3 boxes with 16 contacts; 15 with 100. Each stands on four points of the ground, or of each of two boxes."""
    scene, q = pyramid(layers)
    motion = ap.simulate(scene, q, duration=1.5, every=100, opt=0, record=("contact",))
    still = [kinetic_energy(scene.figure, *state) for state in zip(motion.q, motion.u, strict=True)]
    assert still[5] < 1e-4 and max(still[10:]) < 1e-20  # 6e-15 J after 0.5 s; from 1 s on rounding, 6e-27 J
    forces = motion.channels["contact"]
    assert (np.abs(forces[-1]).max(-1) > 0.0).sum() == 4 * layers**2
    q = motion.q[::5]
    gaps = [[float(contact.gap) for contact in contacts(scene, 0.0, kinematics(scene.figure, state))] for state in q]
    assert -2e-3 < np.min(gaps) < 0.0  # 0.76 mm at the foot of 15
    boxes = layers * (layers + 1) // 2
    ground = len(world_candidates(scene))  # come first
    assert forces[-1, :ground, 2].sum() == pytest.approx(boxes * g, rel=1e-9)
