"""What makes no sense is refused, and the message names link and joint; nothing is repaired in silence."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.singularity import singular_joint
from anthropi.errors import SingularError, SizeError
from anthropi.figure import Euler, Figure, Free, Link, Revolute, assemble
from oracle import figures

BODY = Link("body", 2.0, (0.1, 0.0, -0.2), np.diag([0.1, 0.2, 0.3]))


def arm(joint):
    """A free body with one more link on a joint."""
    return assemble("arm", [("", Free(name="root"), Link("hull", 3.0, (0, 0, 0), np.eye(3))), ("hull", joint, BODY)])


def at(figure, q):
    return np.concatenate([figure.joints[0].neutral(), q])


def test_gimbal_lock_names_joint_link_and_axes():
    figure = arm(Euler(name="shoulder", order="xyz"))
    q = at(figure, [0.3, np.pi / 2, 0.1])
    zero = np.zeros(figure.nu)
    said = r"joint 'shoulder' of link 'body' is singular: its axes fall together.*shoulder\.x, shoulder\.z.*ball"
    for call in (
        lambda: ap.direct_dynamics(figure, q, zero, zero + 1.0),
        lambda: ap.hybrid_dynamics(figure, q, zero, zero + 1.0, zero, prescribed=["root"]),
        lambda: ap.inverse_mass_matrix(figure, q),
    ):
        with pytest.raises(SingularError, match=said):
            call()
    held = ap.hybrid_dynamics(figure, q, zero, zero, zero, prescribed=["shoulder.x"])[0]
    assert np.isfinite(held).all()  # one of the two axes held: nothing is singular
    assert np.isfinite(ap.direct_dynamics(figure, at(figure, [0.3, 1.5, 0.1]), zero, zero)).all()


def test_powers_that_do_not_balance_are_looked_at():
    figure = arm(Euler(name="shoulder", order="xyz"))
    q, u = at(figure, [0.3, np.pi / 2, 0.1]), np.ones(figure.nu)
    with pytest.raises(SingularError, match="shoulder"):
        ap.power_balance(figure, q, u, u)


def test_a_singular_state_hides_behind_no_number_of_large_ones():
    figure = arm(Euler(name="e", order="zyx"))
    states = np.stack([*[at(figure, [0.0, 0.1, 0.0])] * 20, at(figure, [0.0, np.pi / 2, 0.0])])
    tau = np.full((21, figure.nu), 1e13)
    with pytest.raises(SingularError, match="number 20 of the batch"):
        ap.direct_dynamics(figure, states, np.zeros(figure.nu), tau)


def test_the_culprit_in_a_batch_is_numbered():
    figure = arm(Euler(name="e", order="zyx"))
    states = np.stack([at(figure, [0.0, 0.1, 0.0]), at(figure, [0.0, np.pi / 2, 0.0])])
    with pytest.raises(SingularError, match=r"number 1 of the batch"):
        ap.direct_dynamics(figure, states, np.zeros(figure.nu), np.ones(figure.nu))
    with pytest.raises(SingularError, match=r"'e'.*number 0 of the batch"):  # one state, many forces
        ap.direct_dynamics(figure, states[1], np.zeros(figure.nu), np.ones((2, figure.nu)))


def test_a_joint_without_mass_is_named():
    parts = [("", Revolute(name="hinge", axis="z"), BODY), ("body", Revolute(name="tip", axis="z"), Link("feather"))]
    with pytest.raises(SizeError, match=r"nothing with mass moves with tip"):
        assemble("feather", parts)
    links, joints, parents = [p[2] for p in parts], [p[1] for p in parts], (-1, 0)
    figure = Figure("feather", links, joints, parents, checked=False)  # someone who skips the check
    with pytest.raises(SingularError, match=r"joint 'tip' of link 'feather' is singular: nothing with mass.*armature"):
        ap.direct_dynamics(figure, np.zeros(2), np.zeros(2), np.zeros(2))
    assert singular_joint(figure, np.zeros(2), extra=np.array([0.0, 1.0])) is None
    assert np.isfinite(ap.direct_dynamics(figure, np.zeros(2), np.zeros(2), np.zeros(2), extra=[0.0, 1.0])).all()


def test_numbers_that_grow_too_large_are_said_to():
    figure = ap.sample("double_pendulum")
    with pytest.raises(SingularError, match=r"not finite, and no joint is singular.*huge velocities"):
        ap.direct_dynamics(figure, np.full(2, 0.3), np.full(2, 1e200), np.zeros(2))


@pytest.mark.parametrize("seed", range(30))
def test_sound_figures_are_never_called_singular(seed):
    figure = figures.figure(seed, links=10, families=[f for f in figures.FAMILIES if f != "composite"])
    assert singular_joint(figure, figures.state(figure, seed)[0]) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"u": np.zeros(3)}, r"'u'.*\(3,\)"),
        ({"tau": np.full(2, np.nan)}, r"'tau' holds nan at \(0,\) \(.*\)"),
        ({"q": np.array([0.0, np.inf])}, r"'q' holds inf"),
        ({"f_ext": {"nobody": np.zeros(6)}}, r"nobody"),
        ({"f_ext": {"lower": np.zeros(5)}}, r"f_ext\['lower'\].*\(5,\)"),
        ({"extra": np.zeros(5)}, r"'extra'.*\(5,\)"),
    ],
)
def test_wrong_sizes_and_numbers_are_named(change, said):
    figure = ap.sample("double_pendulum")
    names = {"lower": figure.links[1].name}
    given = {"q": np.zeros(2), "u": np.zeros(2), "tau": np.zeros(2)} | change
    if "f_ext" in given:
        given["f_ext"] = {names.get(k, k): v for k, v in given["f_ext"].items()}
        said = said.replace("lower", names["lower"])
    with pytest.raises(SizeError, match=said):
        ap.direct_dynamics(figure, **given)
