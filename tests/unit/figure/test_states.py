"""States of a figure as people give them: batches, wrong sizes, quaternions that are none, recordings."""

import numpy as np
import pytest

import anthropi as ap
from anthropi import spatial
from anthropi.errors import BuildError, InputError, ShapeError, StateError, TraceError
from anthropi.figure import Free, Link, Revolute, figure_from_parts

LEG = ap.sample("bench42")
BOX = Link.of("box", spatial.box((0.1, 0.1, 0.1), mass=1.0))


def test_configurations_move_in_batches():
    rng = np.random.default_rng(0)
    q, v = np.stack([LEG.random(k) for k in range(4)]), rng.normal(size=(4, LEG.nu))
    moved = LEG.integrate(q, v)
    assert moved.shape == (4, LEG.nq)
    assert all(np.array_equal(moved[k], LEG.integrate(q[k], v[k])) for k in range(4))
    assert LEG.integrate(q[0], v).shape == (4, LEG.nq)  # one configuration, many velocities
    np.testing.assert_allclose(LEG.difference(q, moved), LEG.difference(q[:, None], moved[:, None])[:, 0])
    assert LEG.rate(q, v).shape == (4, LEG.nq)
    np.testing.assert_allclose(LEG.velocity(q, LEG.rate(q, v)), v, atol=1e-14)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda q, v: LEG.integrate(q, v[:5]), ("'v' has shape (5,)", "(42,) or (batch, 42)")),
        (lambda q, v: LEG.integrate(q[:7], v), ("'q' has shape (7,)", "(55,)")),
        (lambda q, v: LEG.difference(q, v), ("'q1' has shape (42,)",)),
        (lambda q, v: LEG.rate(q, 1.0), ("'u' has shape ()",)),
    ],
)
def test_wrong_sizes_are_refused(call, words):
    with pytest.raises(ShapeError) as caught:
        call(LEG.neutral(), np.zeros(LEG.nu))
    assert all(w in str(caught.value) for w in words)


def test_a_quaternion_that_is_none_is_refused_and_can_be_put_right():
    zero = np.zeros(LEG.nq)
    with pytest.raises(StateError, match=r"quaternion of joint 'root' .* length 0, not 1.*figure\.neutral\(\)"):
        ap.direct_dynamics(LEG, zero, np.zeros(LEG.nu), np.zeros(LEG.nu))
    long = np.stack([LEG.neutral(), 1.01 * LEG.neutral()])
    with pytest.raises(StateError, match=r"length 1\.01"):
        ap.kinematics(LEG, long)
    assert np.array_equal(LEG.normalise(zero), LEG.neutral())
    np.testing.assert_allclose(LEG.normalise(long)[1], LEG.neutral(), atol=1e-15)


def test_fronts_record():
    """A person's own function may use them: then the plain algorithm is recorded."""

    def speed(q, u):
        motion = ap.kinematics(LEG, q, u).link("l_foot")
        return motion.velocity @ motion.velocity + ap.dynamics.kinetic_energy(LEG, q, u)

    q, u = LEG.random(1), np.random.default_rng(1).normal(size=LEG.nu)
    tape = ap.record(speed, q=np.zeros(LEG.nq), u=np.zeros(LEG.nu))
    np.testing.assert_allclose(ap.build(tape, opt=0)(q, u), speed(q, u), rtol=1e-12)
    assert "repeat" not in tape.op


def test_names_of_parts_suffice_where_they_are_clear():
    human = ap.human()
    dof = next(d for d in human.dofs if "." in d and sum(e.endswith("." + d.split(".", 1)[1]) for e in human.dofs) == 1)
    assert human.dof_indices(dof.split(".", 1)[1]) == human.dof_indices(dof)


def test_what_is_given_in_the_wrong_place_is_named():
    for wrong, words in (
        (
            lambda: figure_from_parts("a", [("", BOX, Free(name="root"))]),
            "triples (parent name, joint, link); got ['str', 'Link', 'Free']",
        ),
        (lambda: figure_from_parts("a", [("", Free(name="root"), BOX.inertia)]), "Link.of(name, inertia)"),
        (lambda: figure_from_parts("a", ["root"]), "triples"),
        (lambda: Revolute(name="knee", placement=(0.0, 0.0, 1.0)), "Joint 'knee' has placement (0.0, 0.0, 1.0)"),
        (lambda: ap.kinematics(LEG.neutral()), "takes a figure first"),
        (lambda: ap.jacobian(LEG, LEG.neutral(), link="l_foot", point=(0.0, 0.0)), "point=(0.0, 0.0) is not a point"),
        (lambda: ap.jacobian(LEG, LEG.neutral(), link="l_foot", point=(0.0, np.nan, 0.0)), "three finite numbers"),
        (lambda: ap.jacobian(LEG, LEG.neutral(), link=1), "No link '1'"),
    ):
        with pytest.raises(InputError) as caught:
            wrong()
        assert words in str(caught.value)
    with pytest.raises(BuildError, match="Record the function first"):
        ap.build(lambda x: x)
    with pytest.raises(TraceError, match="Nothing would be recorded"):
        ap.record(lambda x: x * x, x=0.5)
    with pytest.raises(TraceError, match="returned None"):
        ap.record(lambda x: None, x=np.zeros(2))


def test_a_seed_serves_for_a_generator():
    assert np.array_equal(LEG.random(3), LEG.random(np.random.default_rng(3)))
