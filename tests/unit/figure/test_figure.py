"""A figure: sizes and names, its tree, its numbers as inputs of a kernel, its key."""

import pickle

import numpy as np
import pytest

import anthropi as ap
from anthropi import joints, spatial
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.figure import Link, figure_from_parts, numbers
from anthropi.figure.numbers import find_slot
from unit.figure.bench import bench42
from unit.figure.families import MOVING, place, random_figure


def fork():
    """A trunk with two legs, listed in no order: trunk — l_thigh — l_shank, trunk — r_thigh."""
    box, rng = spatial.box((0.1, 0.1, 0.4), mass=3.0), np.random.default_rng(0)
    parts = [("l_thigh", joints.Revolute(name="l_knee", axis="y", placement=place(rng)), Link.of("l_shank", box)),
             ("trunk", joints.Ball(name="r_hip", placement=place(rng)), Link.of("r_thigh", box)),
             (None, joints.Free(name="root"), Link.of("trunk", box)),
             ("trunk", joints.Euler(name="l_hip", order="zxy", placement=place(rng)), Link.of("l_thigh", box)),
             ]  # fmt: skip
    return figure_from_parts("fork", parts)


def test_sizes_names_and_places():
    f = fork()
    assert [x.name for x in f.links] == ["trunk", "r_thigh", "l_thigh", "l_shank"]
    assert (f.n, f.nq, f.nu, f.parent) == (4, 15, 13, (-1, 0, 0, 2))
    assert f.dofs == ("root.px", "root.py", "root.pz", "root.rx", "root.ry", "root.rz", "r_hip.x", "r_hip.y", "r_hip.z",
                      "l_hip.z", "l_hip.x", "l_hip.y", "l_knee")  # fmt: skip
    assert f.q_of[1] == slice(7, 11) and f.u_of[3] == slice(12, 13)
    assert f.dof_indices(["l_knee", "l_hip.x", "r_hip"]) == (12, 10, 6, 7, 8) and f.dof_indices("l_knee") == (12,)
    assert f.link_index("l_shank") == f.joint_index("l_knee") == 3
    assert repr(f) == "Figure('fork': 4 links, nq = 15, nu = 13)" and f.mass == 12.0


def test_lambda_mu_paths_and_the_connectivity_table():
    """Thesis 4.2, 8.3: λ, μ and the joints × links table say the same tree."""
    f = fork()
    assert f.children == ((1, 2), (), (3,), ()) and f.path(3) == (0, 2, 3)
    table = f.connectivity()
    assert table.astype(int).tolist() == [[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 1, 1]]
    there = f.reroot("l_shank")
    assert [x.name for x in there.links] == ["l_shank", "l_thigh", "trunk", "r_thigh"]
    assert there.parent == (-1, 0, 1, 2) and there.connectivity().sum() == table.sum()
    figure, *_ = random_figure(0)
    for i, p, joint in figure.outward():
        assert p < i and joint is figure.joints[i] and (p < 0 or i in figure.children[p])
        on = np.flatnonzero(figure.connectivity()[i]).tolist()
        assert on == ([i] if p < 0 else [p, i])
    assert [i for i, *_ in figure.inward()] == list(range(figure.n))[::-1]
    assert sum(len(c) for c in figure.children) == figure.n - 1


def test_thesis_branch_example():
    """Thesis 4.2 [E4]: λ_4 = λ_10 = 3, so μ_3 = {4, 10}."""
    box = spatial.box((0.1, 0.1, 0.1), mass=1.0)
    before = [*range(9), 3, 10, 11]
    parts = [("", joints.Free(name="j0"), Link.of("0", box))]
    parts += [(str(before[k - 1]), joints.Ball(name=f"j{k}"), Link.of(str(k), box)) for k in range(1, 13)]
    f = figure_from_parts("fig 6.2b", parts)
    assert {f.links[i].name for i in f.children[f.link_index("3")]} == {"4", "10"}
    assert f.links[f.parent[f.link_index("10")]].name == "3"


@pytest.mark.parametrize("seed", range(3))
def test_configurations_go_joint_by_joint(seed):
    f, q, u = random_figure(seed)
    rng = np.random.default_rng(seed)
    np.testing.assert_allclose(f.velocity(q, f.rate(q, u)), u, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(f.difference(q, f.integrate(q, 0.3 * u)), 0.3 * u, rtol=1e-10, atol=1e-10)
    assert f.neutral().shape == (f.nq,) and f.limits.shape == (2, f.nu)
    x = f.difference(f.neutral(), f.random(rng))
    assert (f.limits[0] - 1e-12 <= x).all() and (x <= f.limits[1] + 1e-12).all()


def test_the_key_is_the_content():
    f = bench42()
    assert f.key == bench42().key == pickle.loads(pickle.dumps(f)).key
    assert f.key == f.changed(gravity=(0, 0, -9.81)).key and f.key != f.changed(gravity=(0, 0, -9.80)).key
    ints = joints.Revolute(name="a", lower=-1, upper=1, axis=(0, 0, 2))
    floats = joints.Revolute(name="a", lower=-1.0, upper=1.0, axis="z")
    box = spatial.box((0.1, 0.1, 0.1), mass=1.0)
    made = [figure_from_parts("f", [("", joints.Weld(name="w"), Link("base")), ("base", j, Link.of("arm", box))])
            for j in (ints, floats)]  # fmt: skip
    assert made[0].key == made[1].key
    for name, joint in MOVING.items():
        again = joint.changed()  # copies are exact: an axis is not normalised a second time
        assert again.dofs == joint.dofs, name
        if hasattr(joint, "axis"):
            np.testing.assert_array_equal(again.axis, joint.axis)


# numbers


def test_numbers_are_listed_and_replaced():
    f = bench42()
    known = numbers(f)
    assert known["l_foot.mass"].tolist() == [1.2] and known["l_foot.tensor"].shape == (6,)
    assert set(known) >= {"torso.centre", "torso joint.origin", "torso joint.damping", "gravity"}
    g = f.with_numbers(["l_foot.mass", "torso joint.origin.2", "gravity", "head.tensor"],
                       [2.0, 0.2, 0.0, 0.0, -1.62, 0.1, 0.0, 0.01, 0.1, 0.0, 0.1])  # fmt: skip
    assert g.links[g.link_index("l_foot")].mass == 2.0 and g.gravity[2] == -1.62
    assert g.joints[g.joint_index("torso joint")].placement.origin.tolist() == [0.0, 0.0, 0.2]
    assert g.links[g.link_index("head")].tensor[2, 0] == 0.01 and g.checked
    assert f.with_numbers([], []).key == f.key == f.with_numbers(list(known), np.concatenate(list(known.values()))).key
    assert find_slot("gravity.1", known) == ("gravity", 1) and find_slot("gravity", known) == ("gravity", None)


SLOTS = ("l_foot.mass", "torso.centre", "head.tensor", "l_shank joint.origin", "l_shank joint.stiffness",
         "l_shank joint.rest", "l_shank joint.damping", "l_shank joint.armature.1", "gravity")  # fmt: skip


def test_numbers_traced_are_inputs_of_a_kernel():
    """Parameters of a kernel: what it computes is what the figure with those numbers computes."""
    f, rng = bench42(), np.random.default_rng(0)
    q, u, tau = f.random(rng), rng.normal(size=f.nu), rng.normal(size=f.nu)
    known = numbers(f)
    values = np.concatenate([np.atleast_1d(known[s] if s in known else known[s[:-2]][int(s[-1])]) for s in SLOTS])
    other = values * rng.uniform(0.8, 1.2, values.size) + np.where(values == 0.0, 0.001, 0.0)
    kernel = ap.compile(direct_dynamics, f, inputs=("q", "u", "tau"), parameters=SLOTS, opt=0)
    for numbers_ in (values, other):
        got = kernel(numbers_, q, u, tau)
        want = direct_dynamics(f.with_numbers(SLOTS, numbers_), q, u, tau)
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-9)


@pytest.mark.slow
def test_a_figure_being_traced_is_not_checked_and_keeps_its_structure():
    f, q, _ = random_figure(1, count=12)
    link = f.links[3].name
    tape = ap.record(lambda m, q: mass_matrix(f.with_numbers([f"{link}.mass"], m), q), m=np.zeros(1), q=q)
    M = ap.build(tape, opt=0)(np.array([5.0]), q)
    np.testing.assert_allclose(M, mass_matrix(f.with_numbers([f"{link}.mass"], [5.0]), q), rtol=1e-10, atol=1e-10)
    slope = ap.build(tape.jvp("m"), opt=0)(np.array([5.0]), q, np.ones(1))[1]
    step = mass_matrix(f.with_numbers([f"{link}.mass"], [6.0]), q) - mass_matrix(
        f.with_numbers([f"{link}.mass"], [5.0]), q
    )
    np.testing.assert_allclose(slope, step, rtol=1e-9, atol=1e-9)  # linear in the mass


@pytest.mark.parametrize("seed", range(3))
def test_pose_chains_to_kinematics(seed):
    f, q, _ = random_figure(seed)
    k = kinematics(f, q)
    for i in range(f.n):
        X = spatial.identity()
        for j in f.path(i):
            X = X @ f.pose(j, q)
        np.testing.assert_allclose(X.origin, k.position[i], atol=1e-12)
        np.testing.assert_allclose(X.rotation, k.rotation[i], atol=1e-13)
