"""What makes no sense is refused, and the message names link and joint; nothing is repaired in silence."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.singularity import singular_joint
from anthropi.errors import InputError, SingularError
from anthropi.figure import Euler, Figure, Free, Link, Revolute, figure_from_parts
from oracle import figures
from unit.figure.families import FAMILIES

BODY = Link("body", 2.0, (0.1, 0.0, -0.2), np.diag([0.1, 0.2, 0.3]))


def arm(joint):
    """A free body with one more link on a joint."""
    return figure_from_parts(
        "arm", [("", Free(name="root"), Link("hull", 3.0, (0, 0, 0), np.eye(3))), ("hull", joint, BODY)]
    )


def at(figure, q):
    return np.concatenate([figure.joints[0].neutral(), q])


def test_gimbal_lock_names_joint_link_and_axes():
    figure = arm(Euler(name="shoulder", order="xyz"))
    q = at(figure, [0.3, np.pi / 2, 0.1])
    zero = np.zeros(figure.nu)
    said = r"joint 'shoulder' of link 'body' is singular: its axes are aligned.*shoulder\.x, shoulder\.z.*ball"
    for call in (
        lambda: ap.direct_dynamics(figure, q, zero, zero + 1.0),
        lambda: ap.hybrid_dynamics(figure, q, zero, zero + 1.0, zero, prescribed=["root"]),
        lambda: ap.dynamics.inverse_mass_matrix(figure, q),
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
        ap.dynamics.power_balance(figure, q, u, u)


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
    with pytest.raises(SingularError, match=r"nothing with mass moves with tip"):
        figure_from_parts("feather", parts)
    links, joints, parents = [p[2] for p in parts], [p[1] for p in parts], (-1, 0)
    figure = Figure("feather", links, joints, parents, checked=False)  # someone who skips the check
    with pytest.raises(SingularError, match=r"joint 'tip' of link 'feather' is singular: nothing with mass.*armature"):
        ap.direct_dynamics(figure, np.zeros(2), np.zeros(2), np.zeros(2))
    assert singular_joint(figure, np.zeros(2), extra=np.array([0.0, 1.0])) is None
    assert np.isfinite(ap.direct_dynamics(figure, np.zeros(2), np.zeros(2), np.zeros(2), extra=[0.0, 1.0])).all()


def test_numbers_that_overflow_are_reported():
    figure = ap.sample("double_pendulum")
    with pytest.raises(SingularError, match=r"not finite, and no joint is singular.*very large velocities"):
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
        ({"q": np.array([0.0, np.inf])}, r"'q' holds inf at \(1,\) \(joint '(.*)', coordinate \1\)"),
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
    with pytest.raises(InputError, match=said):
        ap.direct_dynamics(figure, **given)


@pytest.mark.parametrize("name", FAMILIES)
def test_every_coordinate_that_is_not_finite_is_named(name):
    """As many names as coordinates, no two alike, each with its joint; a quaternion's are its own."""
    figure = arm(FAMILIES[name].changed(name="test"))
    said = []
    for k in range(figure.nq):
        q = figure.neutral()
        q[k] = np.nan
        with pytest.raises(InputError, match=rf"'q' holds nan at \({k},\) \(.*\)\. Give finite numbers") as caught:
            ap.mass_matrix(figure, q)
        said.append(str(caught.value).split(") (")[1])
    assert len(set(said)) == figure.nq
    assert [s.startswith("joint 'root'") for s in said] == [True] * 7 + [False] * (figure.nq - 7)
    assert said[2].startswith("joint 'root', coordinate root.pz") and said[3].startswith("joint 'root', w of its quat")
    assert said[6].startswith("joint 'root', z of its quaternion")
    assert all(s.startswith("joint 'test'") for s in said[7:])
    assert sum("quaternion" in s for s in said[7:]) == 4 * len(figure.joints[1].quaternions)


LIMBS = ap.sample("biped")


@pytest.mark.parametrize(
    ("name", "where", "said"),
    [
        ("q", (9,), r"\(9,\) \(joint 'l_hip', y of its quaternion\)"),
        ("q", (3, 9), r"\(3, 9\) \(row 3: joint 'l_hip', y of its quaternion\)"),
        ("u", (2, 7), r"\(2, 7\) \(row 2: l_hip.y\)"),
        ("f_ext", (5, 0), r"\(5, 0\) \(link 'l_foot', moment x\)"),
        ("f_ext", (1, 5, 5), r"\(1, 5, 5\) \(row 1: link 'l_foot', force z\)"),
    ],
)
@pytest.mark.parametrize("function", ["direct_dynamics", "simulate"])
def test_link_joint_and_row_of_what_is_not_finite(function, name, where, said):
    given = {"q": LIMBS.neutral(), "u": np.zeros(LIMBS.nu), "f_ext": np.zeros((LIMBS.n, 6))}
    array = np.broadcast_to(given[name], (*([4] * (len(where) - given[name].ndim)), *given[name].shape)).copy()
    array[where] = np.inf
    given[name] = array
    more = {"steps": 1} if function == "simulate" else {"tau": np.zeros(LIMBS.nu)}
    with pytest.raises(InputError, match=rf"'{name}' holds inf at {said}\. Give finite numbers"):
        getattr(ap, function)(LIMBS, **given, **more)


def test_a_force_given_by_link_that_is_not_finite():
    zero = np.zeros(LIMBS.nu)
    for call in (lambda f: ap.direct_dynamics(LIMBS, LIMBS.neutral(), zero, zero, f_ext=f),
                 lambda f: ap.simulate(LIMBS, LIMBS.neutral(), steps=1, f_ext=f)):  # fmt: skip
        with pytest.raises(InputError, match=r"f_ext.* holds nan.*l_foot|f_ext\['l_foot'\]"):
            call({"l_foot": np.array([0.0, np.nan, 0.0, 0.0, 0.0, 0.0])})
