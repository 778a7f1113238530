"""Numbers of the ground as inputs of a simulation: the same motion as with a scene that has them as constants."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError

TILT = np.array([np.sin(0.1), 0.0, np.cos(0.1)])


def block():
    body = ap.Link.of("block", ap.spatial.box((0.4, 0.3, 0.2), mass=2.0), [ap.Shape("box", (0.4, 0.3, 0.2))])
    return ap.figure_from_parts("block", [(None, ap.joints.Free(name="root"), body)])


def moved(scene, slots=(), parameters=None):
    sim = ap.Simulation(scene, slots=slots)
    q = scene.figure.neutral()
    q[2] = 0.6
    sim.reset(q, parameters=parameters)
    sim.step(800)
    return np.concatenate([sim.q, sim.u])


@pytest.mark.parametrize(
    ("slot", "value", "scene"),
    [
        ("ground.normal", TILT, {"ground": ap.contact.Plane((0.0, 0.0, 0.0), TILT)}),
        ("ground.normal", 5.0 * TILT, {"ground": ap.contact.Plane((0.0, 0.0, 0.0), TILT)}),
        ("ground.point", (0.0, 0.0, 0.1), {"ground": ap.contact.Plane((0.0, 0.0, 0.1))}),
        ("friction", 0.05, {"material": ap.contact.Material(friction=0.05), "gravity": (1.0, 0.0, -9.81)}),
    ],
)
def test_a_slot_of_the_ground_acts_like_the_scene(slot, value, scene):
    gravity = {"gravity": scene["gravity"]} if "gravity" in scene else {}
    expected = moved(ap.Scene(block(), **scene))
    plain = ap.Scene(block(), **gravity)
    found = moved(plain, (slot,), {slot: value})
    assert np.allclose(found, expected, atol=1e-9)  # other operations, 800 steps
    assert not np.allclose(moved(plain), expected, atol=1e-3)


def test_slots_of_figure_and_ground_are_combined_in_any_order():
    slots = ("friction", "gravity", "ground.point")
    sim = ap.Simulation(ap.Scene(block()), slots=slots)
    sim.set_parameters({"gravity": (0.0, 0.0, -1.62), "ground.point": (0.0, 0.0, -1.0)})
    q = sim.figure.neutral()
    q[2] = 3.0
    sim.reset(q)
    sim.step(100)
    assert sim.u[2] == pytest.approx(-0.162, rel=1e-9)


def test_slots_of_a_missing_ground_are_refused():
    with pytest.raises(InputError, match="belongs to a scene"):
        ap.Simulation(block(), slots=("friction",))
    with pytest.raises(InputError, match="has no ground"):
        ap.Simulation(ap.Scene(block(), ground=None), slots=("ground.point",))
