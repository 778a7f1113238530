"""Couplings of coordinates: equations, dynamics of the reduced system, simulation, editing, files, errors."""

from dataclasses import replace

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra.spatial import Transform
from anthropi.algorithms.kinematics import kinematics
from anthropi.constraints.loops.closures import closures, gaps, speeds
from anthropi.constraints.loops.dynamics import loop_dynamics
from anthropi.constraints.relative import equations, pattern
from anthropi.errors import FormatError, InputError, StateError
from anthropi.figure import Composite, Coupling, Figure, Free, Link, Polynomial, Prismatic, Revolute, Shape
from anthropi.formats.figures import toml

CURVE = Polynomial((0.1, -0.7, 0.3, 0.2))


def place(*p):
    return Transform(np.eye(3), np.array(p, float))


def body(name):
    return Link(name, 1.3, [0.1, 0.05, -0.2], np.diag([0.02, 0.03, 0.04]))


def finger(root=None, couplings=None) -> Figure:
    """A hand of three hinges and a slider; the second and third joint and the slider follow the first one."""
    joints = [
        root or Revolute(name="wrist", axis="x"),
        Revolute(name="l_mcp", axis="y", placement=place(0.0, 0.0, -0.4)),
        Revolute(name="l_pip", axis=[0.1, 0.9, 0.2], placement=place(0.0, 0.1, -0.4)),
        Revolute(name="l_dip", axis="y", placement=place(0.0, 0.0, -0.3)),
        Composite(name="tool", parts=(Prismatic(name="slide", axis="z"), Revolute(name="turn", axis="x"))),
    ]
    follow = (
        Coupling("l_pip", "l_pip", "l_mcp", CURVE),
        Coupling("l_dip", "l_dip", "l_pip", Polynomial((0.0, 0.6))),
        Coupling("l_tool", "tool.slide", "l_mcp", Polynomial((0.02, 0.05))),
    )
    links = [body(n) for n in ("palm", "l_one", "l_two", "l_three", "tip")]
    return Figure("hand", links, joints, [-1, 0, 1, 2, 0], loops=follow if couplings is None else couplings)


def reduced(figure, q, u):
    """G and its rate: u = G v, where v are the velocities of the coordinates that follow no other."""
    rows, dofs = {}, figure.dofs
    free = [d for d in dofs if d not in {c.dof for c in figure.loops}]
    rates = {}
    for n, d in enumerate(free):
        rows[d], rates[d] = np.eye(len(free))[n], np.zeros(len(free))
    at_q = dict(zip(dofs, range(figure.nq - figure.nu, figure.nq), strict=True))  # all but the root are plain
    for c in figure.loops:  # in order of dependence
        _, first, second = c.function.at(q[at_q[c.source]])
        rows[c.dof] = first * rows[c.source]
        rates[c.dof] = second * u[dofs.index(c.source)] * rows[c.source] + first * rates[c.source]
    return np.stack([rows[d] for d in dofs]), np.stack([rates[d] for d in dofs])


def closed(figure, seed):
    rng = np.random.default_rng(seed)
    return ap.loops.close_loops(figure, figure.random(rng) * 0.5 if figure.nq == figure.nu else figure.random(rng),
                                rng.normal(size=figure.nu))  # fmt: skip


@pytest.mark.parametrize("root", [None, Free(name="root")], ids=["fixed", "free"])
@pytest.mark.parametrize("seed", range(4))
def test_accelerations_are_those_of_the_reduced_system(seed, root):
    """Gᵀ M G v' = Gᵀ (τ - h - M G' v): the mass matrix of the coordinates that follow no other."""
    figure = finger(root)
    q, u = closed(figure, seed)
    tau = np.random.default_rng(seed).normal(size=figure.nu)
    G, rate = reduced(figure, q, u)
    v = np.linalg.lstsq(G, u, rcond=None)[0]
    tree = figure.changed(loops=())
    M, h = ap.dynamics.mass_matrix(tree, q), ap.dynamics.bias_forces(tree, q, u)
    vdot = np.linalg.solve(G.T @ M @ G, G.T @ (tau - h - M @ rate @ v))
    found = ap.loops.loop_dynamics(figure, q, u, tau)
    wanted = G @ vdot + rate @ v
    assert np.abs(found.udot - wanted).max() < 1e-12 * max(1.0, np.abs(wanted).max())  # five joints, condition ~1e2
    lacks = M @ found.udot + h - tau  # Jᵀ λ, with λ the forces on the coupled coordinates
    for c in figure.loops:
        k = figure.dofs.index(c.dof)
        back = sum(
            o.function.at(q[k + figure.nq - figure.nu])[1] * found.forces[o.name][0]
            for o in figure.loops
            if o.source == c.dof
        )
        assert abs(lacks[k] - found.forces[c.name][0] + back) < 1e-11
    plain = loop_dynamics(figure, q, u, tau)
    assert np.abs(plain.udot - found.udot).max() < 1e-12 and plain.forces["l_pip"].shape == (1,)
    again = ap.loops.loop_inverse_dynamics(figure, q, u, found.udot)
    assert np.abs(G.T @ (again.tau - tau)).max() < 1e-10  # other joint forces, the same work


def test_rows_are_the_derivatives_of_the_residual():
    figure = finger()
    rng = np.random.default_rng(0)
    q, u, h = figure.random(rng), rng.normal(size=figure.nu), 1e-5
    e = equations(figure, q, u, closures(figure), 0.0)
    sides = [equations(figure, q + s * h * u, u, closures(figure), 0.0) for s in (1.0, -1.0)]
    slope = (sides[0].residual - sides[1].residual) / (2.0 * h)
    np.testing.assert_allclose((e.jacobian @ u).astype(float), slope.astype(float), atol=1e-8)
    bent = ((sides[0].jacobian - sides[1].jacobian) @ u) / (2.0 * h)
    np.testing.assert_allclose(e.bias.astype(float), bent.astype(float), atol=1e-7)
    k = kinematics(figure, q, u)
    np.testing.assert_allclose(speeds(figure, k, closures(figure), q, u), (e.jacobian @ u).astype(float), atol=1e-13)
    assert ((e.jacobian.astype(float) != 0.0) <= pattern(figure, closures(figure))).all()
    assert abs(float(e.residual[0]) - (q[2] - np.polyval(CURVE.coefficients[::-1], q[1]))) < 1e-15


def test_a_simulation_keeps_couplings_and_energy(tmp_path):
    figure = finger()
    q, u = closed(figure, 1)
    motion = ap.simulate(figure, q, u, steps=500, dt=1e-3, every=10, loop_forces=True)
    gap = max(np.abs(x).max() for x in ap.loops.loop_errors(figure, motion.q).values())
    energy = ap.dynamics.kinetic_energy(figure, motion.q, motion.u) + ap.dynamics.potential_energy(figure, motion.q)
    assert gap < 1e-14 and np.ptp(energy) < 1e-6 * np.ptp(ap.dynamics.kinetic_energy(figure, motion.q, motion.u))
    assert motion.channels["l_pip.force"].shape == (51, 1) and np.abs(motion.channels["l_pip.force"]).max() > 0.01
    assert motion.verify().row("loops").result == "holds" and motion.verify().holds
    open_q = q + np.eye(figure.nq)[2] * 0.1
    with pytest.raises(StateError, match=r"Loop 'l_pip' of figure 'hand' is open by 0.1 in its coupling at the start"):
        ap.simulate(figure, open_q, u, steps=2, dt=1e-3)


def test_inverse_kinematics_keeps_couplings():
    figure = finger()
    q, _ = closed(figure, 2)
    goal = kinematics(figure, q).position[figure.link_index("l_three")]
    found = ap.inverse_kinematics(figure, ap.targets.Position("l_three", goal), q0=figure.neutral())
    assert (
        found.converged and np.abs(gaps(figure, kinematics(figure, found.q), closures(figure), found.q)).max() < 1e-12
    )


def test_an_assembly_refuses_couplings():
    with pytest.raises(InputError, match=r"'hand' has couplings of coordinates \(l_pip, l_dip, l_tool\)"):
        ap.Assembly(finger())


def test_impulsive_contacts_keep_couplings():
    """A hand falls on the ground: the impulses of contacts and of couplings are found together."""
    figure = finger(Free(name="root"))
    ball = Shape("sphere", (0.1,))
    figure = figure.changed(links=[x if x.name != "l_three" else replace(x, shapes=(ball,)) for x in figure.links])
    q, u = closed(figure, 0)
    q[2] = 1.2
    scene = ap.Scene(figure, contact=ap.contact.Impulsive())
    motion = ap.simulate(scene, q, 0.0 * u, steps=700, dt=1e-3, every=10)
    gap = max(np.abs(x).max() for x in ap.loops.loop_errors(figure, motion.q).values())
    lowest = kinematics_of(figure, motion.q, "l_three").min()
    assert gap < 1e-9 and -1e-3 < lowest - 0.1 < 1e-3  # [m] the ball reaches the ground, and does not enter it


def kinematics_of(figure, several, link):
    return np.array([kinematics(figure, q).position[figure.link_index(link)][2] for q in several])


def test_a_file_keeps_couplings(tmp_path):
    figure = finger()
    ap.save(figure, tmp_path / "hand.toml")
    assert ap.load(tmp_path / "hand.toml").key == figure.key
    changed = figure.changed(loops=[*figure.loops[:2], Coupling("l_tool", "tool.turn", "wrist")])
    toml.update(changed, tmp_path / "hand.toml")
    assert ap.load(tmp_path / "hand.toml").key == changed.key
    text = (tmp_path / "hand.toml").read_text()
    (tmp_path / "bad.toml").write_text(text.replace('source = "wrist"', 'source = "wrst"'))
    with pytest.raises(FormatError, match=r"bad.toml: Coupling 'l_tool' .*'wrst', which does not exist.*'wrist'"):
        ap.load(tmp_path / "bad.toml")
    (tmp_path / "bad.toml").write_text(text.replace("[0.0, 0.6]", "[nan, 0.6]"))
    with pytest.raises(FormatError, match=r"finite"):
        ap.load(tmp_path / "bad.toml")


def test_edits_carry_couplings():
    """The edited figure moves alike: a closed state of the first is a closed state of the second."""
    figure = finger(Free(name="root"))
    q, u = closed(figure, 3)

    def open_by(edited, q):
        return max(np.abs(x).max() for x in ap.loops.loop_errors(edited, q).values())

    tall = figure.scale(2.0)
    slide = np.where([d == "tool.slide" for d in figure.dofs], 2.0, 1.0)
    at = np.concatenate([q[:7], (q[7:] * slide[6:])])
    assert open_by(tall, at) < 1e-14 < open_by(tall, q)
    image, q1, _ = figure.mirror(q, u)
    assert open_by(image, q1) < 1e-14 and image.loops[0].dof == "r_pip" and image.loops[0].name == "r_pip"
    other, q2, _ = figure.reroot("l_two", q, u)
    assert open_by(other, q2) < 1e-12  # through the inverse poses of the joints
    both = ap.figure_from_parts("base", [("", Free(name="base"), body("base"))])
    both = both.attach(figure, "base", Revolute(name="palm"), prefix="b_")
    assert [c.source for c in both.loops] == ["b_l_mcp", "b_l_pip", "b_l_mcp"]
    locked = figure.lock(["l_pip", "l_dip", "l_mcp", "tool.slide"], q)
    assert locked.loops == () and locked.merge_fixed().nu == figure.nu - 4
    with pytest.raises(InputError, match=r"'l_pip' is coupled to 'l_(mcp|dip)'.* Lock both"):
        figure.lock(["l_pip"], q)
    with pytest.raises(InputError, match=r"violated by"):
        figure.lock(["l_pip", "l_dip", "l_mcp", "tool.slide"], figure.neutral())
    with pytest.raises(InputError, match=r"'l_tool' .* which would be in two figures"):
        figure.detach("tip")


@pytest.mark.parametrize(
    ("coupling", "message"),
    [
        (Coupling("c", "wrist", "elbow"), r"'elbow', which does not exist or is locked"),
        (Coupling("c", "wrist", "wrist"), r"couples 'wrist' with itself"),
        (Coupling("c", "wrist", "l_pip", Polynomial((np.nan,))), r"not finite"),
        (Coupling("c", "wrist", "l_pip", Polynomial((1e308, 1e308, 1e308, 1e308, 1e308, 1e308))), r"not finite"),
    ],
)
def test_refuses(coupling, message):
    with pytest.raises(InputError, match=message):
        finger(couplings=[coupling])
    with pytest.raises(InputError, match=r"'root.px', whose velocity is not the rate of a coordinate"):
        finger(Free(name="root"), couplings=[Coupling("c", "l_pip", "root.px")])
