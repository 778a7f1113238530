"""Inertia of solids against integrals, meshes against solids, and refused arguments."""

import numpy as np
import pytest

from anthropi.algebra import spatial as sp
from anthropi.errors import InputError
from anthropi.tape import record
from unit.spatial.helpers import both, normal, same, turn

CUBE = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
CUBE_FACES = np.array([
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
    [1, 5, 7], [1, 7, 3],
])  # fmt: skip


def turned(pieces, density):
    """Mass and tensor of a solid of revolution about z, from slices: pieces of (from, to, radius² of z), by Gauss."""
    x, w = np.polynomial.legendre.leggauss(8)
    mass = along = across = 0.0
    for low, high, squared in pieces:
        z, dz = (low + high) / 2 + (high - low) / 2 * x, (high - low) / 2 * w
        slices = density * np.pi * squared(z) * dz
        mass += slices.sum()
        along += (slices * squared(z) / 2).sum()
        across += (slices * (squared(z) / 4 + z**2)).sum()
    return mass, np.diag([across, across, along])


R, L, RHO = 0.3, 0.8, 900.0
ROUND = {
    "sphere": (lambda: sp.sphere(R, density=RHO), [(-R, R, lambda z: R**2 - z**2)]),
    "cylinder": (lambda: sp.cylinder(R, L, density=RHO), [(-L / 2, L / 2, lambda z: R**2 + 0 * z)]),
    "capsule": (
        lambda: sp.capsule(R, L, density=RHO),
        [(-L / 2 - R, -L / 2, lambda z: R**2 - (z + L / 2) ** 2), (-L / 2, L / 2, lambda z: R**2 + 0 * z),
         (L / 2, L / 2 + R, lambda z: R**2 - (z - L / 2) ** 2)],
    ),
    "ellipsoid": (lambda: sp.ellipsoid((R, R, L), density=RHO), [(-L, L, lambda z: R**2 * (1 - z**2 / L**2))]),
}  # fmt: skip


@pytest.mark.parametrize("name", ROUND)
def test_round_solids_equal_their_integrals(name):
    make, pieces = ROUND[name]
    mass, tensor = turned(pieces, RHO)
    body = make().validate(name)
    np.testing.assert_allclose(body.mass, mass, rtol=1e-13)
    np.testing.assert_allclose(body.tensor, tensor, rtol=1e-13)


def shapes(size, mass, density, centre):
    x, y, z = size
    return (
        sp.box(size, density=density, centre=centre), sp.ellipsoid(size, mass=mass, centre=centre),
        sp.sphere(x, mass=mass), sp.cylinder(x, y, mass=mass, centre=centre), sp.capsule(x, z, mass=mass),
        sp.capsule(x, z, density=density, axis=1),
    )  # fmt: skip


def test_shapes_record():
    for body in both(shapes, np.array([0.3, 0.4, 0.5]), 2.0, 800.0, np.array([0.1, 0.2, 0.3])):
        body.validate()


@pytest.mark.parametrize("make", [sp.cylinder, sp.capsule])
def test_axis_turns_the_shape(make):
    upright, lying = make(R, L, mass=1.0), make(R, L, mass=1.0, axis=0)
    C = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])  # z to x
    np.testing.assert_allclose(upright.rotated(C).tensor, lying.tensor, atol=1e-15)


def test_ellipsoid_with_three_axes_is_a_stretched_sphere():
    body = sp.ellipsoid((0.2, 0.3, 0.4), mass=5.0)
    np.testing.assert_allclose(np.diag(body.tensor), [0.25, 0.2, 0.13], rtol=1e-13)


def cube(vertices, density):
    return sp.mesh(vertices, CUBE_FACES, density=density)


def test_mesh_of_a_box_is_the_box():
    C, size = turn(3), np.array([0.5, 0.7, 1.1])
    corners = (CUBE - 0.5) * size @ C.T + [3.0, -2.0, 1.0]
    got = both(cube, corners, 700.0)
    want = sp.Transform(C, [3.0, -2.0, 1.0]).act_inertia(sp.box(size, density=700.0))
    same(got, want, 1e-13)
    same(sp.mesh(corners, CUBE_FACES, mass=want.mass), want, 1e-13)
    got.validate()


def test_mesh_of_a_tetrahedron():
    corners = np.concatenate([np.zeros((1, 3)), np.eye(3)])
    body = sp.mesh(corners, np.array([[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]]), density=6.0)
    np.testing.assert_allclose(body.mass, 1.0, rtol=1e-14)
    np.testing.assert_allclose(body.centre, 0.25, rtol=1e-14)
    # ∫x² = 1/10, ∫xy = 1/20 for mass 1, less the centre's 1/16
    np.testing.assert_allclose(
        body.tensor, np.full((3, 3), 1 / 80) + np.eye(3) * (2 * (1 / 10 - 1 / 16) - 1 / 80), rtol=1e-12
    )


def test_a_mesh_of_two_boxes_is_their_sum():
    shifted = CUBE + np.array([1.5, 0.25, 0.5])
    body = sp.mesh(np.concatenate([CUBE, shifted]), np.concatenate([CUBE_FACES, CUBE_FACES + 8]), density=3.0)
    one, two = (sp.box((1.0, 1.0, 1.0), density=3.0, centre=c) for c in ((0.5, 0.5, 0.5), (2.0, 0.75, 1.0)))
    same(body, one + two, 1e-13)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: sp.box((1, 1, 1)),
            r"A box needs its mass \[kg\] or its density \[kg/m³\]; got neither\. Give one",
        ),
        (lambda: sp.sphere(1.0, mass=1.0, density=1.0), r"A sphere needs .* got both"),
        (
            lambda: sp.cylinder(1.0, 1.0, mass=1.0, axis=3),
            r"axis=3 is not a direction.* Choose 0 \(x\), 1 \(y\) or 2 \(z\)",
        ),
        (
            lambda: sp.mesh(CUBE, CUBE_FACES[:-1], mass=1.0, name="shin"),
            r"'shin' is not closed: the edge .* Fill its holes",
        ),
        (lambda: sp.mesh(CUBE, CUBE_FACES[[0, *range(12)]], mass=1.0), r"is not closed: the edge \(0, 1\)"),
        (lambda: sp.mesh(CUBE, CUBE_FACES[:, ::-1], mass=1.0), r"volume inside 'mesh' is -1 m³.* faces\[:, ::-1\]"),
        (lambda: sp.mesh(CUBE, CUBE_FACES + 1, mass=1.0), r"faces of 'mesh' must be vertex numbers from 0 to 7"),
        (lambda: sp.mesh(CUBE, CUBE_FACES * 1.0, mass=1.0), r"wanted \(m, 3\) whole numbers"),
    ],
)
def test_shapes_refuse(call, words):
    with pytest.raises(InputError, match=words):
        call()


GOOD = np.diag([1.0, 1.2, 1.5])


@pytest.mark.parametrize(
    ("mass", "centre", "tensor", "words"),
    [
        (0.0, np.zeros(3), GOOD, r"The mass of l_thigh is 0\.0 kg, not positive\. For a massless frame use a marker"),
        (-1.0, np.zeros(3), GOOD, r"The mass of l_thigh is -1\.0 kg"),
        (np.nan, np.zeros(3), GOOD, r"The mass of l_thigh is not finite: nan"),
        (1.0, np.array([0.0, np.inf, 0.0]), GOOD, r"The centre of l_thigh is not finite"),
        (1.0, np.zeros(2), GOOD, r"The centre of l_thigh has shape \(2,\); wanted \(…, 3\)"),
        (1.0, np.zeros(3), np.eye(2), r"The tensor of l_thigh has shape \(2, 2\)"),
        (1.0, np.zeros(3), GOOD + np.triu(np.full((3, 3), 0.1), 1), r"The tensor of l_thigh is not symmetric"),
        (1.0, np.zeros(3), np.zeros((3, 3)), r"not positive definite: .* give a rod or a point some thickness"),
        (1.0, np.zeros(3), np.diag([1.0, 1.0, -0.1]), r"The tensor of l_thigh is not positive definite"),
        (1.0, np.zeros(3), np.diag([1.0, 1.0, 2.1]), r"breaks the triangle inequality: .* Check the units"),
    ],
)
def test_validate_refuses(mass, centre, tensor, words):
    with pytest.raises(InputError, match=words):
        sp.RigidInertia(mass, centre, tensor).validate("l_thigh")


def test_validate_lets_flat_bodies_pass_and_returns_the_body():
    C = turn(4)
    flat = sp.RigidInertia(1.0, np.zeros(3), C @ np.diag([1.0, 1.5, 2.5]) @ C.T)
    assert flat.validate() is flat


def test_validate_says_nothing_while_recording():
    tape = record(lambda m: sp.box((1.0, 1.0, 1.0), mass=m).validate().tensor, m=np.array(-1.0))
    assert tape.operations > 0


def test_leading_axes_name_the_culprit_too():
    with pytest.raises(InputError, match="triangle"):
        sp.RigidInertia(np.ones(2), normal(1, 2, 3), np.stack([GOOD, np.diag([1.0, 1.0, 3.0])])).validate()
