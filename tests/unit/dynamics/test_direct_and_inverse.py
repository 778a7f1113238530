"""Direct and inverse dynamics undo each other and agree with the mass matrix, on a figure with every joint."""

import numpy as np
import pytest

import anthropi as ap
from anthropi import rotation, spatial
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.hybrid_dynamics import hybrid_dynamics
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.errors import InputError
from anthropi.figure import (
    JOINTS,
    Ball,
    Composite,
    Cylindrical,
    Euler,
    Exponential,
    Free,
    Helical,
    Link,
    Planar,
    Prismatic,
    Revolute,
    Translational,
    Weld,
    figure_from_parts,
    universal,
)
from unit.figure.families import FAMILIES


def every_joint(seed, armature=0.0):
    """A random tree that has every kind of joint in it."""
    rng = np.random.default_rng(seed)

    def place():
        return spatial.Transform(rotation.matrix_from_rotation_vector(rng.normal(size=3)), 0.3 * rng.normal(size=3))

    def body(name):
        size, mass, centre = rng.uniform(0.1, 0.4, 3), rng.uniform(0.5, 3.0), 0.2 * rng.normal(size=3)
        return Link.of(name, spatial.box(size, mass=mass, centre=centre))

    slide_and_turn = Composite(name="c", parts=(Prismatic(name="a", axis="x"), Ball(name="b", placement=place())))
    kinds = [
        Revolute(axis="y"), Revolute(axis=(1, 2, 3)), Revolute(axis="-z"), Prismatic(axis="x"),
        Prismatic(axis=(1, 1, 0)), Helical(axis="z", pitch=0.1), Cylindrical(axis="y"), Cylindrical(axis=(0, 1, 1)),
        Planar(), Translational(), Ball(), Exponential(), universal("u"), slide_and_turn, Weld(), Free(),
        *(Euler(order=o) for o in rotation.EULER_ORDERS), FAMILIES["custom knee"], FAMILIES["custom, coupled"],
    ]  # fmt: skip
    parts = [("", Free(name="root"), body("link0"))]
    for k, joint in enumerate(kinds):
        changed = joint.changed(name=f"joint{k}", placement=place(), armature=np.full(joint.nu, armature))
        parts.append((f"link{rng.integers(0, k + 1)}", changed, body(f"link{k + 1}")))
    figure = figure_from_parts("every joint", parts)
    assert {j.kind for j in figure.joints} == set(JOINTS) - {"locked"}
    return figure, rng


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("armature", [0.0, 0.2])
def test_direct_undoes_inverse_and_both_agree_with_the_mass_matrix(seed, armature):
    figure, rng = every_joint(seed, armature)
    q, u, udot, f_ext = figure.random(rng), *rng.normal(size=(2, figure.nu)), rng.normal(size=(figure.n, 6))
    tau = inverse_dynamics(figure, q, u, udot, f_ext)
    rtol = 1e-9  # 29 links, mass matrix condition ~1e5
    np.testing.assert_allclose(direct_dynamics(figure, q, u, tau, f_ext), udot, rtol=rtol, atol=rtol)
    M, bias = mass_matrix(figure, q), inverse_dynamics(figure, q, u, 0.0 * udot, f_ext)
    np.testing.assert_allclose(M @ udot + bias, tau, rtol=1e-11, atol=1e-11 * np.abs(tau).max())
    assert np.linalg.eigvalsh(M).min() > 0.0


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 1.0])
@pytest.mark.parametrize("armature", [0.0, 0.2])
def test_hybrid_dynamics_with_any_degree_of_freedom_prescribed(share, armature):
    """What is not to be read is NaN; what comes back is the motion and the forces that belong together."""
    figure, rng = every_joint(4, armature)
    q, u, udot, f_ext = figure.random(rng), *rng.normal(size=(2, figure.nu)), rng.normal(size=(figure.n, 6))
    tau = inverse_dynamics(figure, q, u, udot, f_ext)
    prescribed = [dof for dof in figure.dofs if rng.random() < share]
    held = np.isin(figure.dofs, prescribed)
    motion, force = hybrid_dynamics(
        figure, q, u, np.where(held, np.nan, tau), np.where(held, udot, np.nan), f_ext, prescribed=prescribed
    )
    np.testing.assert_allclose(motion, udot, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(force, tau, rtol=1e-9, atol=1e-9 * np.abs(tau).max())


@pytest.mark.slow
def test_fronts_take_states_and_batches():
    figure, rng = every_joint(9)
    q, (u, tau) = figure.random(rng), rng.normal(size=(2, figure.nu))
    udot = ap.direct_dynamics(figure, q, u, tau)
    np.testing.assert_allclose(ap.inverse_dynamics(figure, q, u, udot), tau, rtol=1e-9, atol=1e-9)
    many = ap.direct_dynamics(figure, np.stack([q, q]), u, np.stack([tau, 2.0 * tau]))
    np.testing.assert_allclose(many[0], udot, rtol=1e-12)
    np.testing.assert_allclose(ap.mass_matrix(figure, q) @ (many[1] - many[0]), tau, rtol=1e-8, atol=1e-8)
    motion, force = ap.hybrid_dynamics(
        figure, q, u, np.full(figure.nu, np.nan), udot, prescribed=[j.name for j in figure.joints]
    )
    np.testing.assert_allclose(force, tau, rtol=1e-9, atol=1e-9)
    assert np.array_equal(motion, udot)
    with pytest.raises(InputError, match=r"direct_dynamics needs tau\. It takes: q, u, tau, f_ext"):
        ap.direct_dynamics(figure, q, u)


def test_recorded_and_compiled_they_say_the_same():
    figure, rng = every_joint(7)
    q, u, tau = figure.random(rng), *rng.normal(size=(2, figure.nu))
    zeros = {"q": np.zeros(figure.nq), "u": np.zeros(figure.nu), "tau": np.zeros(figure.nu)}
    kernel = ap.build(ap.record(lambda q, u, tau: direct_dynamics(figure, q, u, tau), **zeros), opt=0)
    np.testing.assert_allclose(kernel(q, u, tau), direct_dynamics(figure, q, u, tau), rtol=1e-9, atol=1e-9)
