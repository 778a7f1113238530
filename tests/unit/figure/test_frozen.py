"""A figure cannot be changed behind its back, and edits may follow each other."""

import numpy as np
import pytest

import anthropi as ap
from anthropi import spatial
from anthropi.errors import InputError
from anthropi.figure import Ball, Composite, Free, Link, Loop, Revolute, figure_from_parts

A, B = (Link.of(n, spatial.box((0.1, 0.2, 0.3), mass=2.0, centre=(0.05, 0.0, -0.1))) for n in "AB")


def test_what_a_figure_was_made_from_may_change_and_it_does_not():
    centre, gravity = np.zeros(3), np.array([0.0, 0.0, -9.81])
    link = Link("X", 1.0, centre, np.eye(3))
    figure = figure_from_parts("f", [("", Free(name="root"), link)], gravity=gravity)
    before = ap.dynamics.potential_energy(figure, figure.neutral())
    centre[2], gravity[2] = 1.0, 0.0
    assert ap.dynamics.potential_energy(figure, figure.neutral()) == before
    for array in (figure.gravity, link.centre, figure.joints[0].placement.origin, figure.joints[0].lower):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 1.0


def test_a_mirrored_rerooted_composite_keeps_its_places():
    place = spatial.Transform(np.eye(3), np.array([0.0, 0.3, 0.1]))
    parts = (Ball(name="b", stiffness=[1.0, 2.0, 3.0], lower=-1.0, upper=1.0), Revolute(name="r", placement=place))
    figure = figure_from_parts("f", [("", Free(name="root"), A), ("A", Composite(name="c", parts=parts), B)])
    rng = np.random.default_rng(0)
    q, u = figure.random(rng), rng.normal(size=figure.nu)
    other, q2, u2 = figure.reroot("B", q, u)
    image, q3, u3 = other.mirror(q2, u2)
    energies = [ap.dynamics.kinetic_energy(f, x, v) for f, x, v in ((figure, q, u), (other, q2, u2), (image, q3, u3))]
    np.testing.assert_allclose(energies, energies[0], rtol=1e-12)
    np.testing.assert_allclose(
        ap.centre_of_mass(image, q3).position, ap.centre_of_mass(figure, q).position * [1, -1, 1], atol=1e-12
    )


def test_trees_only():
    closed = ap.sample("double_pendulum")
    loop = Loop("ring", "point", closed.links[-1].name, spatial.identity(), "", spatial.identity())
    closed = closed.changed(loops=(loop,))
    zero = np.zeros(closed.nu)
    for front in (ap.direct_dynamics, ap.inverse_dynamics):
        with pytest.raises(InputError, match=r"is for trees.*loops \(ring\)"):
            front(closed, closed.neutral(), zero, zero)


def test_forces_by_name_of_link_and_other_dresses():
    figure = ap.sample("double_pendulum")
    q, zero, last = figure.random(1), np.zeros(figure.nu), figure.links[-1].name
    rows = np.zeros((figure.n, 6))
    rows[-1] = 100.0
    by_name = ap.direct_dynamics(figure, q, zero, zero, f_ext={last: np.full(6, 100.0)})
    assert np.array_equal(by_name, ap.direct_dynamics(figure, q, zero, zero, rows))
    assert not np.allclose(by_name, ap.direct_dynamics(figure, q, zero, zero))
    with pytest.raises(InputError, match="No link 'lost'"):
        ap.direct_dynamics(figure, q, zero, zero, f_ext={"lost": np.zeros(6)})
    names = [j.name for j in figure.joints if j.nu]
    results = [
        ap.hybrid_dynamics(figure, q, zero, zero, zero + 1.0, prescribed=(n for n in [name]))[1] for name in names[:2]
    ]
    assert not np.allclose(*results)
    with pytest.raises(InputError, match="'tau' holds nan"):
        ap.hybrid_dynamics(figure, q, zero, zero * np.nan, zero, prescribed=names[:1])
    with pytest.raises(InputError, match="udot without u"):
        ap.kinematics(figure, q, udot=zero)
    with pytest.raises(InputError, match="q twice"):
        ap.kinematics(figure, q, q=q)
    with pytest.raises(InputError, match=r"'q' has shape \(3,\)|must be an array of numbers"):
        ap.kinematics(figure, np.array([0.1, 0.2, 5.0], dtype=object))


def test_traced_masses_may_be_zero():
    figure = ap.sample("double_pendulum")
    slots = tuple(f"{link.name}.mass" for link in figure.links[-1:])
    kernel = ap.compile(ap.mass_matrix, figure, parameters=slots)
    assert np.isfinite(kernel(np.zeros(1), figure.random(0))).all()


def test_empty_batches_keep_their_shape():
    figure = ap.sample("double_pendulum")
    none = np.zeros((0, figure.nq))
    assert figure.integrate(none, np.zeros((0, figure.nu))).shape == (0, figure.nq)
    assert figure.difference(none, none).shape == (0, figure.nu)
