"""Assemble a V-twin engine from six bodies and seven joints.

The solver starts from scattered parts and reports the remaining motion and the redundant equations. Dragging a piston
turns the crank. Writes out/assembly.png.
"""

from pathlib import Path

import numpy as np

import anthropi as ap
from anthropi.algebra.spatial import Transform
from anthropi.constraints.mates import Axis, Cylinder, Hinge
from anthropi.figure import Shape
from anthropi.pictures.assembly import before_and_after

THROW, ROD, TILT = 0.04, 0.13, np.deg2rad(30.0)  # [m], [m], [rad] of each bank from the vertical
Y, ACROSS = np.array([0.0, 1.0, 0.0]), ap.rotation.exp(np.array([np.pi / 2, 0.0, 0.0]))  # rotates z to -y
GREY, STEEL, BRASS = (0.62, 0.66, 0.72), (0.45, 0.60, 0.75), (0.87, 0.72, 0.42)


def round_part(radius, length, at=(0.0, 0.0, 0.0), colour=STEEL, kind="cylinder", turn=ACROSS):
    return Shape(kind, (radius, length), Transform(turn, np.array(at)), colour=colour)


def engine(rng):
    """Return parts at random places, and the joints between them."""
    disc, pin = round_part(0.055, 0.012, colour=GREY), round_part(0.012, 0.05, (THROW, -0.03, 0.0), GREY, "capsule")
    parts = {"crank": (disc, pin)}
    joints = [Hinge(Axis("block", along=Y), Axis("crank", along=Y), name="main bearing")]
    for k, (side, sign) in enumerate((("left", -1.0), ("right", 1.0))):
        rod, piston, along = f"{side} rod", f"{side} piston", np.array([sign * np.sin(TILT), 0.0, np.cos(TILT)])
        parts[rod] = (round_part(0.009, ROD, (0.0, 0.0, ROD / 2), BRASS, "capsule", np.eye(3)),)
        parts[piston] = (round_part(0.036, 0.05, turn=np.eye(3)),)
        y = -0.02 - 0.02 * k  # the rods are side by side on the pin
        joints += [Hinge(Axis("crank", (THROW, y, 0.0), Y), Axis(rod, along=Y), name=f"{side} crank pin"),
                   Cylinder(Axis(rod, (0.0, 0.0, ROD), Y), Axis(piston, along=Y), name=f"{side} piston pin"),
                   Cylinder(Axis("block", (0.0, y, 0.0), along), Axis(piston), name=f"{side} bore")]  # fmt: skip
    block = ap.Body("block", shapes=(round_part(0.03, 0.03, (0.0, 0.03, 0.0), GREY),), fixed=True)
    anywhere = [ap.Body(n, 0.2 * rng.normal(size=3), rng.normal(size=4), shapes) for n, shapes in parts.items()]
    return ap.Assembly([block, *anywhere], joints, name="V-twin")


def check(solved):
    """Check the triangle of crank, rod and bore: rod² = throw² + height² - 2 throw height cos(crank angle)."""
    p = solved.places["crank"].rotation[:, 0]
    for side, sign in (("left", -1.0), ("right", 1.0)):
        bore = np.array([sign * np.sin(TILT), 0.0, np.cos(TILT)])
        height = solved.places[f"{side} piston"].origin @ bore
        assert abs(THROW**2 + height**2 - 2.0 * THROW * height * (p @ bore) - ROD**2) < 1e-12
    assert solved.freedom == 1 and max(value for value, _ in solved.residuals.values()) < 1e-12


if __name__ == "__main__":
    solved = engine(np.random.default_rng(11)).solve()
    print(solved.explain())
    Path("out").mkdir(exist_ok=True)
    before_and_after(solved, view=(-70.0, 14.0), file="out/assembly.png")
    for state in (solved, solved.drag("left piston", position=(-0.1, 0.0, 0.2))):
        check(state)
