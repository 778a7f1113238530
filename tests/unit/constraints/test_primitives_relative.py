"""Section 3 and the relative half of 4 of spec/constraints.md by number, for every joint, in 50 digits.

The tape of a function is played with mpmath and differentiated by a central difference (error 1e-32), so what is left
is the rounding of the function under test: a few roundings of numbers of order ten.
"""

import numpy as np
import pytest

from anthropi.algebra.spatial import identity
from anthropi.compiler import build
from anthropi.constraints import recursion, relative
from anthropi.constraints.cartesian import K
from anthropi.constraints.primitives import Direction, Distance, Dot1, Normalisation, Point
from anthropi.errors import InputError
from anthropi.figure import Ball, Cylindrical, Exponential, Free, Prismatic, Revolute
from anthropi.figure.samples import sample
from anthropi.tape import record
from unit.constraints.chains import Path, figure_with, primitives, slopes
from unit.figure.families import FAMILIES, MOVING

TIGHT = 1e-12  # the issue's
A_LOT = ["ball", "exponential", "free", "composite", "euler zyx", "backward planar", "helical"]


def rng_of(name: str):
    return np.random.default_rng(list(name.encode()))


def close(a, b, tolerance=TIGHT):
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", FAMILIES)
def test_9a__9b__10a__10b__10c__bodies_along_a_path(name):
    """Against products of homogeneous matrices."""
    path = Path(FAMILIES[name], rng_of(name))
    A, r = recursion.poses(path.connections(path.q))
    T = np.eye(4)
    for c, turn, place in zip(path.connections(path.q), A[1:], r[1:], strict=True):
        X = c.pose
        back = _matrix(c.C_back, c.s_back)
        T = T @ _matrix(c.C, c.s) @ _matrix(X.rotation, X.origin) @ np.linalg.inv(back)
        close(T[:3, :3], turn), close(T[:3, 3], place)


@pytest.mark.parametrize("name", FAMILIES)
def test_definition2__E16__any_joint_gives_its_own_blocks(name):
    joint, rng = FAMILIES[name], rng_of(name)
    q = joint.random(rng)
    if not joint.nq:
        assert recursion.joint_columns(joint, q) == ([], []) and recursion.joint_columns(joint, q, "velocities") == (
            [],
            [],
        )
        return

    def pose(q):
        X = joint.transform(q)
        return np.asarray(X.rotation), np.asarray(X.origin)

    turns, slides = recursion.joint_columns(joint, q)
    true = slopes(pose, q, np.eye(joint.nq))
    close(np.stack([t.ravel() for t in turns], 1), true[:9]), close(np.stack(slides, 1), true[9:])
    turns, slides = recursion.joint_columns(joint, q, "velocities")
    true = slopes(pose, q, [joint.rate(q, e) for e in np.eye(joint.nu)])
    close(np.stack([t.ravel() for t in turns], 1), true[:9]), close(np.stack(slides, 1), true[9:])


def test_12__12p__closed_forms_of_the_blocks():
    rng = np.random.default_rng(12)
    u, p, a = rng.normal(size=3), rng.normal(size=4), np.array([0.0, 0.6, 0.8])  # p of any length

    def blocks(joint, q):
        c = recursion.connection(joint, q, identity(), identity(), slice(0, joint.nq), joint.nq)
        return recursion.joint_J(c, u), recursion.joint_D(c)

    J, D = blocks(Ball(name="ball"), p)
    close(J, K(u, p)), close(D, np.zeros((3, 4)))  # (12)
    q = np.array([0.3])
    turn = Revolute(name="r", axis=a).transform(q).rotation @ np.cross(a, u)
    J, D = blocks(Revolute(name="r", axis=a), q)
    close(J[:, 0], turn), close(D, 0.0)
    J, D = blocks(Prismatic(name="p", axis=a), q)
    close(J, 0.0), close(D[:, 0], a)
    J, D = blocks(Cylindrical(name="c", axis=a), np.array([-0.2, 0.3]))
    close(J, np.stack([np.zeros(3), turn], 1)), close(D, np.stack([a, np.zeros(3)], 1))
    J, D = blocks(Free(name="f"), np.concatenate([rng.normal(size=3), p]))  # ours has the position first
    close(J, np.concatenate([np.zeros((3, 3)), K(u, p)], 1)), close(D, np.eye(3, 7))


@pytest.mark.parametrize("name", FAMILIES)
def test_11__13__14__15__16__origins_and_vectors_along_a_path(name):
    rng = rng_of(name)
    path, v = Path(FAMILIES[name], rng), rng.normal(size=3)

    def moved(q):
        A, r = path.poses(q)
        return A @ v, r

    for by, directions in (("coordinates", np.eye(len(path.q))), ("velocities", path.rates(path.q).T)):
        chain, true = path.connections(path.q, by), slopes(moved, path.q, directions)
        close(recursion.J(chain, v), true[:3])  # (13), (14), (15)
        close(recursion.J_r(chain), true[3:])  # (11), (16)


@pytest.mark.parametrize("name", FAMILIES)
def test_17__20a__20b__20c__rows_in_a_figure(name):
    """By the recursion, the quick way, and 50 digits."""
    rng = rng_of(name)
    figure, given = figure_with(FAMILIES[name], rng), list(primitives(rng).values())
    q = figure.random(rng)
    residual, J = relative.rows(figure, q, given)
    again, by_coordinates = recursion.rows(figure, q, given)
    _, by_velocities = recursion.rows(figure, q, given, by="velocities")
    along, any_way = rng.normal(size=(2, figure.nu)), rng.normal(size=(1, figure.nq))  # and off the unit sphere
    ways = np.concatenate([figure.rate(np.stack([q, q]), along), any_way])
    true = slopes(lambda q: relative.rows(figure, q, given)[0], q, ways)
    close(residual, again), close(by_coordinates @ ways.T, true)
    close(by_velocities @ along.T, true[:, :2]), close(J @ along.T, true[:, :2])
    close(by_velocities, J)
    assert (relative.pattern(figure, given) | (J == 0.0)).all()


@pytest.mark.parametrize("name", A_LOT)
def test_20a__20b__20c__as_the_sheet_writes_them(name):
    rng = rng_of(name)
    figure, given = figure_with(FAMILIES[name], rng), primitives(rng)
    q = figure.random(rng)
    i, j = (recursion.path(figure, q, link) for link in "cd")
    row = {n: recursion.rows(figure, q, p)[1][0] for n, p in given.items()}

    def J_d(start, end):
        out = recursion.J_r(j) + recursion.J(j, end.at) - recursion.J_r(i) - recursion.J(i, start.at)
        A, r = recursion.poses(i)
        B, s = recursion.poses(j)
        return out, s[-1] + B[-1] @ end.at - r[-1] - A[-1] @ start.at

    A, B = recursion.poses(i)[0][-1], recursion.poses(j)[0][-1]
    u, v = given["dot-1"].u.along, given["dot-1"].v.along
    close(row["dot-1"], (B @ v) @ recursion.J(i, u) + (A @ u) @ recursion.J(j, v))  # (20a)
    c = given["dot-2"]
    slope, d = J_d(c.start, c.end)
    close(row["dot-2"], d @ recursion.J(i, c.v.along) + (A @ c.v.along) @ slope)  # (20b)
    slope, d = J_d(given["dist"].start, given["dist"].end)
    close(row["dist"], 2 * d @ slope)  # (20c)


@pytest.mark.parametrize("name", [n for n in FAMILIES if n in MOVING])
def test_bias_is_the_rate_of_J_along_the_motion(name):
    rng = rng_of(name)
    figure, given = figure_with(FAMILIES[name], rng), list(primitives(rng).values())
    q, u = figure.random(rng), rng.normal(size=figure.nu)
    true = slopes(lambda q: relative.rows(figure, q, given)[1] @ u, q, [figure.rate(q, u)])[:, 0]
    found = relative.equations(figure, q, u, given)
    close(found.bias, true)
    close(relative.bias(figure, q, u, given), found.bias)
    close(found.drift, 0.0)
    close(found.jacobian, relative.rows(figure, q, given)[1])


def test_the_kernel_gives_what_the_function_gives():
    rng = np.random.default_rng(4)
    figure = figure_with(Exponential(name="joint"), rng)
    given = list(primitives(rng).values())
    tape = record(lambda q, u: relative.equations(figure, q, u, given), q=np.zeros(figure.nq), u=np.zeros(figure.nu))
    q, u = np.stack([figure.random(rng) for _ in range(3)]), rng.normal(size=(3, figure.nu))
    for target in ("replay", "cpu"):
        found = build(tape, target, opt=0)(q, u)
        for k in range(3):
            for a, b in zip(found, relative.equations(figure, q[k], u[k], given), strict=True):
                close(a[k], b)


def test_structure_keeps_rows_short():
    """Zeros are never computed: a constraint between neighbours costs the same wherever it is in a long figure."""
    figure = sample("bench42")
    q = np.zeros(figure.nq)
    names = [link.name for link in figure.links]
    knees = [Distance(Point(names[i], (0.1, 0.0, 0.0)), Point(names[figure.parent[i]], (0.0, 0.2, 0.0)), 0.3)
             for i in range(1, figure.n)]  # fmt: skip
    dofs = relative.pattern(figure, knees).sum(axis=1)
    assert [figure.joints[i].nu for i in range(1, figure.n)] == dofs.tolist()
    tape = record(lambda q: relative.rows(figure, q, knees)[1][0], q=q)
    assert sum(x != "const" for x in (tape.op[i] for i in tape.result)) == dofs[0]
    far = Dot1(Direction(names[-1], (1.0, 0.0, 0.0)), Direction("", (0.0, 0.0, 1.0)))
    assert relative.pattern(figure, far).sum() == sum(figure.joints[i].nu for i in figure.path(figure.n - 1))


def test_what_does_not_fit_is_refused():
    figure = figure_with(Ball(name="joint"), np.random.default_rng(0))
    with pytest.raises(InputError, match=r"No link 'e' in figure 'chain'"):
        relative.rows(figure, figure.neutral(), Dot1(Direction("e", (1, 0, 0)), Direction("a", (1, 0, 0))))
    with pytest.raises(InputError, match=r"Normalisation applies only to Cartesian coordinates"):
        relative.rows(figure, figure.neutral(), Normalisation("a"))
    with pytest.raises(InputError, match=r"by='u' is unknown. Choose one of coordinates, velocities"):
        recursion.path(figure, figure.neutral(), "a", "u")


def _matrix(C, s):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = C, s
    return T
