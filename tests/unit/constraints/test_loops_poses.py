"""Loops close at the right pose and never half a turn off, from any start; their errors say so."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import Transform, box, identity
from anthropi.algorithms.kinematics import kinematics
from anthropi.constraints import mates
from anthropi.constraints.loops.closures import closures, loop_of, pose_closures
from anthropi.constraints.mates import Axis, Frame
from anthropi.constraints.primitives import Direction
from anthropi.constraints.relative import rows
from anthropi.errors import StateError
from anthropi.figure.joints import Free
from anthropi.figure.parts import LOOPS, Loop

X, Y, Z = np.eye(3)
KINDS = [kind for kind in LOOPS if kind != "held"]
VALUES = {"distance": (0.7,), "plane": (0.2,), "angle": (2.6,), "point": (0.1, -0.2, 0.05)}
MATES = {
    "held hinge": lambda a, b: mates.Hinge(Axis(a, along=Z), Axis(b, along=Z)),
    "held slider": lambda a, b: mates.Slider(Frame(a), Frame(b)),
    "held fixed": lambda a, b: mates.Fixed(Frame(a), Frame(b)),
    "held turn": lambda a, b: ap.constraints.driven_turn(
        Direction(b, X), Direction(a, X), Direction(a, Y), VALUES["angle"][0], "held turn"
    ),
}


def tied(kind, rng):
    """Three links on a free root and balls, and a loop of this kind between the first and the last."""
    figure = ap.sample("chain", links=3, joint="ball")
    figure = figure.changed(joints=[Free(name="root"), *figure.joints[1:]])
    if kind in MATES:
        return figure.changed(loops=[loop_of(MATES[kind]("link_0", "link_2"), "tie")])
    k = kinematics(figure, figure.random(rng))
    at_a = Transform(rot.matrix_from_rotation_vector(rng.normal(size=3)), 0.3 * rng.normal(size=3))
    turn = rot.matrix_from_rotation_vector(VALUES["angle"][0] * Z) if kind == "angle" else np.eye(3)
    place = {"point": VALUES["point"], "distance": 0.7 * X, "plane": (0.3, 0.4, 0.2)}.get(kind, np.zeros(3))
    pose = [Transform(k.rotation[i], k.position[i]) for i in range(3)]
    at_b = pose[2].inverse() @ pose[0] @ at_a @ Transform(turn, np.array(place))  # closed at this configuration
    return figure.changed(loops=[Loop("tie", kind, "link_0", at_a, "link_2", at_b, VALUES.get(kind, ()))])


def _origin(k, i, at):
    return k.position[i] + k.rotation[i] @ at.origin


def off(kind, figure, q) -> float:
    """How far frame b is from where the kind allows it [m, rad], written apart from the package's equations."""
    loop, k = figure.loops[0], kinematics(figure, q)
    A, B = k.rotation[0] @ loop.at_a.rotation, k.rotation[2] @ loop.at_b.rotation
    d = A.T @ (_origin(k, 2, loop.at_b) - _origin(k, 0, loop.at_a))
    R = A.T @ B
    swing = np.linalg.norm(R[:, 2] - Z)
    whole = np.linalg.norm(R - np.eye(3))
    turn = abs(np.exp(1j * np.arctan2(R[1, 0], R[0, 0])) - np.exp(1j * VALUES["angle"][0]))
    place = np.linalg.norm(d - VALUES["point"])
    return {
        "point": place, "hinge": max(np.linalg.norm(d), swing), "slider": max(np.linalg.norm(d[:2]), whole),
        "cylinder": max(np.linalg.norm(d[:2]), swing), "universal": max(np.linalg.norm(d), abs(R[0, 1])),
        "planar": max(abs(d[2]), swing), "weld": max(np.linalg.norm(d), whole),
        "distance": abs(np.linalg.norm(d) - 0.7), "line": np.linalg.norm(d[:2]), "plane": abs(d[2] - 0.2),
        "parallel": swing, "orientation": whole, "angle": turn,
        "held hinge": max(np.linalg.norm(d), swing), "held slider": max(np.linalg.norm(d[:2]), whole),
        "held fixed": max(np.linalg.norm(d), whole), "held turn": turn,
    }[kind]  # fmt: skip


def close_many(kind, seeds):
    """Close loops from random starts; return how many closed, how many failed and said so, and how many are wrong."""
    rng = np.random.default_rng([*kind.encode(), *seeds[:1]])
    closed = failed = wrong = 0
    figure = tied(kind, rng)
    for q in np.stack([figure.random(rng) for _ in seeds]):
        try:
            found = ap.loops.close_loops(figure, q)
        except StateError:
            failed += 1
            continue
        closed += 1
        wrong += not off(kind, figure, found) < 1e-8
    return closed, failed, wrong


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, *MATES])
def test_a_loop_never_closes_half_a_turn_off(kind):
    """Before, 5 of 8 kinds of loops ended half a turn off from most random starts, with an error of zero."""
    closed, failed, wrong = close_many(kind, range(12))
    assert (wrong, failed) == (0, 0) and closed == 12


@pytest.mark.soak
@pytest.mark.seeds(count=600, block=200)
@pytest.mark.parametrize("kind", [*KINDS, *MATES])
def test_ten_thousand_closures_none_half_a_turn_off(kind, seeds):
    """10,200 closures over 17 kinds of loops; each block is another figure."""
    closed, failed, wrong = close_many(kind, seeds)
    assert wrong == 0 and closed + failed == len(seeds)
    assert failed <= 1  # with an error that says so


def weld(kind="weld"):
    """A free body with a loop to the world."""
    link = ap.Link.of("l", box((0.1, 0.2, 0.3), mass=1.0))
    return ap.figure_from_parts(
        "x", [("", Free(name="r"), link)], loops=[Loop("w", kind, "", identity(), "l", identity())]
    )


def test_errors_half_a_turn_off_are_not_zero():
    """The reviewed case: a weld turned by π had the error 0."""
    half_turn_about_z, about_x = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]
    for kind in ("weld", "orientation", "slider"):
        for q in (half_turn_about_z, about_x):
            assert np.linalg.norm(ap.loops.loop_errors(weld(kind), q)["w"]) == pytest.approx(np.pi), kind
    for kind in ("hinge", "cylinder", "planar", "parallel"):
        assert np.linalg.norm(ap.loops.loop_errors(weld(kind), about_x)["w"]) == pytest.approx(np.pi), kind
        np.testing.assert_allclose(ap.loops.loop_errors(weld(kind), half_turn_about_z)["w"], 0.0, atol=1e-15)
    assert abs(ap.loops.loop_errors(weld("angle"), half_turn_about_z)["w"][0]) == pytest.approx(np.pi)
    with pytest.raises(StateError, match="'w' of figure 'x' is open by 180 degrees in orientation"):
        ap.simulate(weld(), half_turn_about_z, np.zeros(6), steps=1, dt=1e-3)


@pytest.mark.parametrize("kind", [*KINDS, *MATES])
def test_errors_and_equations_agree_at_closed_loops(kind):
    """The same residual and the same rows there: forces and rates are those of the equations."""
    rng = np.random.default_rng(1)
    figure = tied(kind, rng)
    q = ap.loops.close_loops(figure, figure.random(rng))
    (e, J), (phi, rows_of_dynamics) = (rows(figure, q, c(figure), 0.0) for c in (pose_closures, closures))
    np.testing.assert_allclose(e.astype(float), phi.astype(float), atol=1e-9)
    scale = 1.0 if "turn" not in kind and kind != "angle" else np.linalg.norm(rows_of_dynamics) / np.linalg.norm(J)
    np.testing.assert_allclose(scale * J.astype(float), rows_of_dynamics.astype(float), atol=1e-7)


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in ("universal",)])
def test_the_slope_of_the_squared_error_is_exact_everywhere(kind):
    """The gradient of |e|² by the Jacobian, which leaves out the derivative of the logarithm, by differences."""
    rng = np.random.default_rng(2)
    figure = tied(kind, rng)
    for _ in range(4):
        q, v, h = figure.random(rng), rng.normal(size=figure.nu), 1e-6
        e, J = rows(figure, q, pose_closures(figure), 0.0)
        sides = [rows(figure, figure.integrate(q, s * h * v), pose_closures(figure), 0.0)[0] for s in (1.0, -1.0)]
        slope = (sides[0] @ sides[0] - sides[1] @ sides[1]) / (2.0 * h)
        assert 2.0 * e @ (J @ v) == pytest.approx(float(slope), rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("angle", [2.0, -2.5, 3.1, 7.5, 40.0])
def test_an_angle_beyond_a_quarter_turn_and_over_many_turns(angle):
    """Asked for 2 rad from 0, the crank went to -1.1416 with a residual of 1e-16."""
    figure = ap.sample("four_bar")
    crank = figure.changed(loops=[Loop("motor", "angle", "", figure.joints[0].placement, "crank", identity())])
    course = ap.loops.loop_course(crank, {"motor": lambda t: angle + 0.0 * t}, 0.0)
    q = ap.loops.close_loops(crank, np.zeros(3), course=course)
    assert q[0] == pytest.approx(np.angle(np.exp(1j * angle)), abs=1e-9)  # the nearest turn
    q = ap.loops.close_loops(crank, np.array([angle + 0.3, 0.0, 0.0]), course=course)
    assert q[0] == pytest.approx(angle, abs=1e-9)  # from nearby, the same turn


@pytest.mark.parametrize("time", [1.0, -1.0, 1.5, 4.0, 20.0])
def test_a_driven_turn_of_an_assembly(time):
    turn = ap.constraints.driven_turn(Direction("c", X), Direction("g", X), Direction("g", Y), lambda t: 2.0 * t)
    bodies = [ap.Body("g", fixed=True), ap.Body("c")]
    solved = ap.Assembly(bodies, [mates.Hinge(Axis("g"), Axis("c")), turn]).solve(t=time)
    R = solved.places["c"].rotation
    assert np.arctan2(R[1, 0], R[0, 0]) == pytest.approx(np.angle(np.exp(2j * time)), abs=1e-10)


def test_a_figures_assembly_and_inverse_kinematics_keep_the_right_side():
    rng = np.random.default_rng(0)
    for kind in ("weld", "hinge", "held fixed"):
        figure = tied(kind, rng)
        for _ in range(4):
            assert off(kind, figure, ap.Assembly(figure, q=figure.random(rng)).solve().x) < 1e-9
    goal = ap.constraints.Position("link_0", [0.1, 0.2, 0.3])
    for q in ap.inverse_kinematics(figure, goal, np.stack([figure.random(rng) for _ in range(8)]), restarts=4).q:
        assert off(kind, figure, q) < 1e-6


def test_a_loop_that_stays_open_says_what_is_misaligned():
    """The user's case: "stays open by 1.1" hid a hinge axis that no configuration can align."""
    figure = ap.sample("four_bar")
    loop = figure.loops[0]
    tilt = Transform(rot.matrix_from_rotation_vector(np.array([0.6, 0.0, 0.0])), np.zeros(3))
    bent = figure.changed(loops=[Loop("closure", "hinge", "", loop.at_a, "rocker", loop.at_b @ tilt)])
    with pytest.raises(StateError, match=r"'closure' stays open by 34\.\d degrees between the z axes"):
        ap.loops.close_loops(bent, figure.neutral(), restarts=2)
    far = figure.changed(loops=[Loop("closure", "hinge", "", Transform(np.eye(3), 5.0 * X), "rocker", loop.at_b)])
    with pytest.raises(
        StateError, match=r"'closure' stays open by \d\.\d+ m in position and \d+\.?\d* degrees between"
    ):
        ap.loops.close_loops(far, figure.neutral(), restarts=1)
    rods = [Loop("rod", "distance", "", identity(), "rocker", identity(), (9.0,))]
    with pytest.raises(StateError, match=r"'rod' stays open by \d\.\d+ m in distance"):
        ap.loops.close_loops(figure.changed(loops=rods), figure.neutral(), restarts=1)
