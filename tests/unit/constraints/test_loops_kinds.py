"""Every kind of loop: what it holds, how many degrees of freedom it takes, its second derivative, its force."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra.spatial import Transform, identity
from anthropi.algorithms.kinematics import kinematics
from anthropi.constraints.loops.closures import closures, course_at, gaps, loop_of, pose_closures, speeds
from anthropi.constraints.loops.dynamics import loop_dynamics
from anthropi.constraints.primitives import Direction, Distance, Dot1, Dot2, Point
from anthropi.constraints.relative import equations
from anthropi.errors import FormatError, InputError, ShapeError
from anthropi.figure.joints import Free
from anthropi.figure.parts import LOOPS, Loop

KINDS = [kind for kind in LOOPS if kind != "held"]
VALUES = {"distance": (0.7,), "plane": (0.2,), "angle": (0.4,), "point": (0.1, -0.2, 0.05)}


def tie(kind, rng, link_a="link_1", link_b="link_4"):
    """A free body and five balls, and a loop of this kind between two of the links, closed where the tree is."""
    figure = ap.sample("chain", links=6, joint="ball")
    figure = figure.changed(joints=[Free(name="root"), *figure.joints[1:]])
    q = figure.random(rng)
    k = kinematics(figure, q)

    def pose(link):
        return identity() if link == "" else Transform(*(x[figure.link_index(link)] for x in (k.rotation, k.position)))

    at_a = Transform(_rotation(rng), rng.normal(size=3) * 0.3)
    meets = pose(link_a) @ at_a  # where both frames lie
    at_b = pose(link_b).inverse() @ meets @ _apart(kind)
    return figure.changed(loops=[Loop("tie", kind, link_a, at_a, link_b, at_b, VALUES.get(kind, ()))]), q


def _apart(kind) -> Transform:
    """A place of frame b against a that a loop of this kind allows."""
    c, s = np.cos(0.4), np.sin(0.4)
    about_z = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    about_y = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    turn = {"hinge": about_z, "cylinder": about_z, "planar": about_z, "angle": about_z, "parallel": about_z,
            "universal": about_x @ about_y, "slider": np.eye(3), "weld": np.eye(3),
            "orientation": np.eye(3)}.get(kind, about_x @ about_z @ about_y)  # fmt: skip
    way = {"point": VALUES["point"], "slider": (0.0, 0.0, 0.3), "cylinder": (0.0, 0.0, 0.3), "planar": (0.3, 0.1, 0.0),
           "line": (0.0, 0.0, 0.3), "plane": (0.3, 0.4, 0.2), "distance": (0.3, 0.6, 0.2),
           "orientation": (0.3, 0.2, 0.1),
           "parallel": (0.1, 0.2, 0.3), "angle": (0.1, 0.2, 0.3)}.get(kind, (0.0, 0.0, 0.0))  # fmt: skip
    return Transform(turn, np.array(way))


def _rotation(rng):
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return q if np.linalg.det(q) > 0.0 else -q


@pytest.mark.parametrize(
    "ends", [("link_1", "link_4"), ("", "link_3"), ("link_3", "")], ids=["links", "world a", "world b"]
)
@pytest.mark.parametrize("kind", KINDS)
def test_holds_where_it_is_closed_and_takes_its_freedoms(kind, ends):
    rng = np.random.default_rng(3)
    for _ in range(3):
        figure, q = tie(kind, rng, *ends)
        u = rng.normal(size=figure.nu)
        e = equations(figure, q, u, closures(figure), 0.0)
        np.testing.assert_allclose(e.residual.astype(float), 0.0, atol=1e-14)
        assert len(e.residual) == LOOPS[kind].rows == np.linalg.matrix_rank(e.jacobian.astype(float))
        h = 1e-5
        sides = [equations(figure, figure.integrate(q, s * h * u), u, closures(figure), 0.0) for s in (1.0, -1.0)]
        slope = (sides[0].residual - sides[1].residual) / (2.0 * h)
        np.testing.assert_allclose((e.jacobian @ u).astype(float), slope.astype(float), atol=1e-8)
        bent = ((sides[0].jacobian - sides[1].jacobian) @ u) / (2.0 * h)
        np.testing.assert_allclose(e.bias.astype(float), bent.astype(float), atol=1e-7)
        k = kinematics(figure, q, u)
        np.testing.assert_allclose(
            speeds(figure, k, closures(figure), q, u), (e.jacobian @ u).astype(float), atol=1e-13
        )


@pytest.mark.parametrize("kind", [k for k in KINDS if LOOPS[k].numbers])
def test_a_led_loop_has_the_clock_in_it(kind):
    """Rates and accelerations of the course: by differences of the residual along t."""
    figure, q = tie(kind, np.random.default_rng(1))
    base = np.array(VALUES[kind])
    functions = {"tie": lambda t: base * (1.0 + 0.3 * ap.scalar.sin(2.0 * t))}
    u, h, at = np.zeros(figure.nu), 1e-4, 0.3

    def apart(t):
        return gaps(figure, kinematics(figure, q), closures(figure, course_at(figure, functions, t)), q).astype(float)

    e = equations(figure, q, u, closures(figure, course_at(figure, functions, at)), 0.0)
    np.testing.assert_allclose(e.drift.astype(float), (apart(at + h) - apart(at - h)) / (2 * h), atol=1e-7)
    second = (apart(at + h) - 2 * apart(at) + apart(at - h)) / h**2
    np.testing.assert_allclose(e.bias.astype(float), second, atol=1e-6)


def test_a_rod_pulls_along_itself():
    figure, q = tie("distance", np.random.default_rng(2))
    tau = 1e-2 * np.random.default_rng(0).normal(size=figure.nu)
    force = loop_dynamics(figure, q, np.zeros(figure.nu), tau).forces["tie"]
    k, loop = kinematics(figure, q), figure.loops[0]
    a, b = (k.position[i] + k.rotation[i] @ at.origin for i, at in ((1, loop.at_a), (4, loop.at_b)))
    np.testing.assert_allclose(np.cross(force[3:], b - a), 0.0, atol=1e-12)
    np.testing.assert_allclose(force[:3], 0.0, atol=1e-12)
    assert np.linalg.norm(force[3:]) > 1e-3


def test_any_constraint_makes_a_loop():
    """A point held by three dot-2, and a distance: the same motion and force as the kinds."""
    figure, q = tie("point", np.random.default_rng(4))
    loop = figure.loops[0]
    place = loop.at_a.act_point(np.array(loop.value))
    rows = [
        Dot2(Direction(loop.link_a, e), Point(loop.link_a, place), Point(loop.link_b, loop.at_b.origin))
        for e in np.eye(3)
    ]

    class Own:
        name = "own"

        def primitives(self):
            return tuple(rows)

    held = loop_of(Own())
    assert held.kind == "held" and {held.link_a, held.link_b} == {"link_1", "link_4"}
    other = figure.changed(loops=[held])
    u, tau = np.zeros(figure.nu), np.random.default_rng(0).normal(size=figure.nu) * 1e-3
    one, two = loop_dynamics(figure, q, u, tau), loop_dynamics(other, q, u, tau)
    np.testing.assert_allclose(one.udot, two.udot, atol=1e-9)
    np.testing.assert_allclose(one.forces["tie"][3:], two.forces["own"][3:], atol=1e-12)
    moved, q2, _ = other.reroot("link_2", q, u)
    np.testing.assert_allclose(gaps(moved, kinematics(moved, q2), closures(moved), q2).astype(float), 0.0, atol=1e-12)
    three = loop_of(Dot1(Direction("link_1", (1.0, 0.0, 0.0)), Direction("", (0.0, 0.0, 1.0))), "level")
    assert (three.link_a, three.link_b, three.name) == ("", "link_1", "level")
    with pytest.raises(InputError, match=r"connects two links.*link_0, link_1, link_2"):
        loop_of(Dot2(Direction("link_0", (1, 0, 0)), Point("link_1"), Point("link_2")))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (("tie", "hing", "link_0", identity(), "", identity()), "kind 'hing'. Did you mean 'hinge'\\? Kinds: point"),
        (("tie", "distance", "link_0", identity(), "", identity()), "has value \\[\\]; give 1 finite number"),
        (
            ("tie", "distance", "link_0", identity(), "", identity(), (-1.0,)),
            "distance of -1 m. Give a distance above 0",
        ),
        (("tie", "weld", "link_0", identity(), "", identity(), (1.0,)), "give no finite numbers"),
        (("tie", "held", "link_0", identity(), "", identity()), "has 0 constraints"),
        (
            ("tie", "point", "link_0", identity(), "", identity(), (), (Distance(Point("a"), Point("b"), 1.0),)),
            "has 1",
        ),
    ],
)
def test_a_loop_that_cannot_be_is_refused(fields, words):
    with pytest.raises(InputError, match=words):
        ap.sample("chain", links=2).changed(loops=[Loop(*fields)])


def test_driving_a_loop_without_numbers_is_refused():
    figure, _ = tie("weld", np.random.default_rng(0))
    with pytest.raises(InputError, match=r"No loop 'tie' with a number.*Loops with numbers: none"):
        course_at(figure, {"tie": lambda t: t}, 0.0)
    figure, _ = tie("point", np.random.default_rng(0))
    with pytest.raises(ShapeError, match="returns 1 numbers; a loop of kind 'point' has 3"):
        course_at(figure, {"tie": lambda t: t}, 0.0)


def test_files_hold_loops_with_their_numbers(tmp_path):
    for kind in KINDS:
        figure, _ = tie(kind, np.random.default_rng(8))
        ap.save(figure, tmp_path / "figure.toml")
        again = ap.load(tmp_path / "figure.toml")
        assert again.key == figure.key and again.loops[0].value == figure.loops[0].value, kind
    held = figure.changed(loops=[loop_of(Distance(Point("link_1"), Point(""), 0.4), "rod")])
    with pytest.raises(FormatError, match=r"'rod' is defined by custom constraints.*Use one of the kinds point"):
        ap.save(held, tmp_path / "held.toml")
    for edit in (held.mirror, lambda: held.scale(2.0)):
        with pytest.raises(InputError, match=r"'rod' is of kind 'held', so its constraints cannot be"):
            edit()


def test_without_loops_it_is_direct_dynamics():
    figure, rng = ap.sample("chain", links=3), np.random.default_rng(0)
    q, u, tau = rng.normal(size=(3, 3))
    found = ap.loops.loop_dynamics(figure, q, u, tau)
    np.testing.assert_allclose(found.udot, ap.direct_dynamics(figure, q, u, tau), rtol=1e-12)
    assert found.forces == {} and ap.loops.close_loops(figure, q) is not None


def test_edits_take_loops_along():
    """Mirrored, scaled, rooted elsewhere: loops stay closed."""
    for kind in KINDS:
        figure, q = tie(kind, np.random.default_rng(6))
        u = np.zeros(figure.nu)
        mirrored, q_m, _ = figure.mirror(q, u)
        rooted, q_r, _ = figure.reroot("link_2", q, u)
        for edited, at in ((mirrored, q_m), (rooted, q_r), (figure.scale(1.7), q)):
            left = gaps(edited, kinematics(edited, at), closures(edited), at).astype(float)
            np.testing.assert_allclose(left, 0.0, atol=1e-12, err_msg=kind)
            left = gaps(edited, kinematics(edited, at), pose_closures(edited), at).astype(
                float
            )  # and at the right pose
            np.testing.assert_allclose(left, 0.0, atol=1e-7, err_msg=kind)
