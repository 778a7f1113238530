"""Contact with a height field: two sledges on a hillside, one on ice and one on grass.

The terrain is a smooth surface through a table of heights, with compliant contact and friction. The energy lost equals
the work of friction. Writes out/terrain.png.
"""

import numpy as np
from _charts import downhill

import anthropi as ap
from anthropi.contact import Material
from anthropi.contact.geometry.height_field import HeightField
from anthropi.figure import Free, Link, Shape
from anthropi.simulation.audit import energy_audit

SIZE = (0.8, 0.4, 0.16)


def height(x, y):
    """Return the height [m] of a slope with two waves."""
    return -0.28 * x + 0.35 * np.sin(0.55 * x) * np.cos(0.4 * y + 0.3) + 0.02 * y * y


def sledge(name):
    """Return a sledge: a flat box."""
    link = Link.of(name, ap.spatial.box(SIZE, mass=20.0), [Shape("box", SIZE, name=name)])
    return ap.figure_from_parts(name, [("", Free(name="root"), link)])


def scene():
    """Return a scene of two sledges on one hill."""
    hill = HeightField.of(height, (-4.0, -6.0), (30.0, 6.0), 0.5, smooth=True)
    materials = {("ice/ice", "ground"): Material(friction=0.03), ("grass/grass", "ground"): Material(friction=0.15)}
    return ap.Scene.of([sledge("ice"), sledge("grass")], ground=hill, materials=materials)


def start(figure):
    """Return the initial state: side by side, just above the ground, at rest."""
    q = figure.neutral()
    for k, y in enumerate((0.8, -0.8)):
        q[7 * k : 7 * k + 3] = 3.0, y, float(height(3.0, y)) + 0.25
    return q


def check(ice, grass, audit):
    assert ice[-1, 0] > grass[-1, 0] + 2.0 > 6.0, "the sledge on ice goes farther"
    assert abs(audit.left_over).max() < 0.02 * abs(audit.works["contact"][-1]), "energy adds up"
    assert (np.abs(ice[:, 2] - height(*ice[:, :2].T)) < 0.5).all(), "both stay on the hill"


if __name__ == "__main__":
    place = scene()
    motion = ap.simulate(place, start(place.figure), duration=4.5, dt=5e-4, every=20, record=("energy", "work"))
    ice, grass, audit = motion.q[:, :3], motion.q[:, 7:10], energy_audit(motion)
    check(ice, grass, audit)
    downhill("out/terrain.png", height, {"ice": ice, "grass": grass}, motion.time, audit)
