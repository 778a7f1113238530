"""Six figures that between them have every kind of joint, and a seeded state of each."""

from functools import cache

import numpy as np

from golden.names import Link, Marker, Shape, Transform, ap, box, figure_from_parts

FIGURES = ("bench42", "human", "mixed", "arm", "hopper", "roach")


@cache
def figure(name: str):
    """bench42: free root and balls. human: standard detail. mixed: one joint of each kind. arm: six hinges on a fixed
    base. hopper: in a plane, with a spring in its leg. roach: six legs."""
    if name == "human":
        return ap.human(1.75, 75.0)
    if name == "mixed":
        return _mixed()
    return ap.sample("chain", links=6) if name == "arm" else ap.sample(name)


@cache
def state(name: str) -> dict[str, np.ndarray]:
    """Configuration, velocity, acceleration, joint forces and external forces, drawn with a fixed seed.

    q is rounded: its quaternions were brought to unit length by NumPy, whose last bits differ between CPUs.
    """
    own, rng = figure(name), np.random.default_rng(17)
    drawn = {
        "q": np.round(own.random(rng), 12),
        "u": rng.uniform(-1.0, 1.0, own.nu),
        "udot": rng.uniform(-5.0, 5.0, own.nu),
    }
    drawn |= {"tau": rng.uniform(-20.0, 20.0, own.nu), "f_ext": rng.uniform(-10.0, 10.0, (own.n, 6))}
    return drawn | {"rates": rng.uniform(-1.0, 1.0, own.nu), "forces": rng.uniform(-5.0, 5.0, own.nu)}


def block(name: str, size, mass: float, centre=(0.0, 0.0, 0.0)):
    """A link that is a box."""
    place = Transform(np.eye(3), np.array(centre, float))
    return Link.of(name, box(size, mass=mass, centre=np.array(centre, float)), [Shape("box", tuple(size), place, name)])


def _mixed():
    """A free trunk that carries one link on each kind of joint, with springs, dampers and rotors."""
    j, down = ap.joints, Transform(np.eye(3), np.array([0.02, 0.01, -0.3]))
    acting = {"stiffness": 3.0, "damping": 0.4, "armature": 0.02}
    turns = (j.Revolute(name="pitch", axis="y"), j.Revolute(name="roll", axis="x"))
    made = [
        j.Free(name="root"), j.Ball(name="ball", placement=down, **acting),
        j.Euler(name="euler", order="zyx", placement=down), j.universal(name="universal", placement=down),
        j.Composite(name="composite", placement=down, parts=turns), j.Exponential(name="exponential", placement=down),
        j.Revolute(name="hinge", axis="x", placement=down, **acting),
        j.Prismatic(name="slide", axis="z", placement=down),
        j.Helical(name="screw", axis="z", pitch=0.05, placement=down), j.Weld(name="weld", placement=down),
        j.Cylindrical(name="cylinder", axis="y", placement=down), j.Planar(name="plane", placement=down),
        j.Translational(name="shift", placement=down),
    ]  # fmt: skip
    parents = ("", "root", "ball", "euler", "root", "composite", "exponential", "hinge", "slide", "screw", "weld",
               "root", "plane")  # fmt: skip
    parts = []
    for k, (joint, parent) in enumerate(zip(made, parents, strict=True)):
        link = block(f"{joint.name}_link", (0.1, 0.15, 0.3), 3.0 - 0.2 * k, (0.01, 0.0, -0.15))
        parts.append((f"{parent}_link" if parent else None, joint, link))
    return figure_from_parts("mixed", parts, [Marker("end", "cylinder_link", np.array([0.0, 0.1, -0.3]))])
