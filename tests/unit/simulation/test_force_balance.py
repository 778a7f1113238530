"""Recorded forces are the forces that acted: with u' = (u⁺ - u) / dt they balance the motion of every step.

Each test computes the balance by itself: the recorded contact forces at their recorded points and the recorded joint
forces, put into inverse dynamics at the state where they acted.
"""

import numpy as np
import pytest

import anthropi as ap
from anthropi.contact import Compliant, Impulsive, Material, Scene
from anthropi.contact.convex import Convex
from anthropi.contact.virtual_leg import Given, Leg, VirtualLeg
from anthropi.figure import figure_from_parts
from anthropi.figure.joints import Free, Revolute
from anthropi.simulation.controllers import Freeze, Several
from unit.simulation.test_scenes import BIPED, Sway, at, body, stance

WEIGHT = BIPED.mass * 9.81
EXACT = 1e-9 * WEIGHT  # [N, N m]; rounding is 1e-13 of the weight for forces of 20 weights
CHANNELS = ("contact", "contact_point", "tau", "udot")
CONTACTS = {
    "compliant": Compliant(),
    "impulsive": Impulsive(),
    "convex": Convex(),
    "virtual_leg": VirtualLeg(("l_foot", "r_foot"), Leg(6e3, 100.0, 15.0, 0.8), Given(0.55), together=True),
}
NARROW = BIPED.changed(joints=[j.changed(lower=-0.002, upper=0.002) if "ankle" in j.name else j for j in BIPED.joints])
SPRUNG = BIPED.changed(joints=[j if j.kind == "free" else j.changed(damping=5.0, stiffness=30.0) for j in BIPED.joints])
TIED = BIPED.changed(
    loops=[ap.Loop("tie", "point", "l_leg", at(y=-0.15, z=-0.25), "r_leg", at(y=0.15, z=-0.25))]
)  # a loop inside the figure


class Swayed(Sway):
    """`Sway` without its external force."""

    def __call__(self, figure, sense, memory, parameters):
        drive, memory = Sway.__call__(self, figure, sense, memory, parameters)
        return drive._replace(f_ext=None), memory


def landed(figure=BIPED, contact=None, limits=None, controller=None, turn=1.0, **options):
    """Record a biped that lands on moving feet."""
    u = np.zeros(BIPED.nu)
    u[:3], u[6:] = (0.5, 0.3, -0.5), turn
    features = ["l_foot", "r_foot"]
    scene = Scene(
        figure, features=features, contact=contact or Compliant(), limits=limits, material=Material(dissipation=1.0)
    )
    given = {"steps": 60, "dt": 1e-3, "every": 1, "opt": 0, "record": CHANNELS} | options
    return ap.simulate(scene, stance(BIPED), u, controller or Swayed(), **given)


def wrenches(motion):
    """Wrenches (frames, links, 6) in link frames of the recorded forces at the recorded points."""
    figure = motion.figure
    k, found = ap.kinematics(figure, motion.q), np.zeros((len(motion), figure.n, 6))
    for n, record in enumerate(motion.metadata["contacts"]):
        force, point = motion.channels["contact"][:, n], motion.channels["contact_point"][:, n]
        for name, f in ((record["link"], force), (record["other"], -force)):
            if name:
                i, link = figure.link_index(name), k.link(name)
                parts = [np.cross(point - link.position, f), f]
                found[:, i] += np.concatenate([np.einsum("nji,nj->ni", link.rotation, x) for x in parts], -1)
    return found


def missing(motion):
    """Joint forces (steps, nu) that the recorded forces do not explain."""
    tree, dt = motion.figure.changed(loops=()), np.diff(motion.time)[:, None]
    udot, rows = np.diff(motion.u, axis=0) / dt, slice(0, -1)
    assert np.abs(udot - motion.udot[rows]).max() < 1e-9 * np.abs(udot).max()
    tau = ap.inverse_dynamics(tree, motion.q[rows], motion.u[rows], udot, wrenches(motion)[rows])
    return np.asarray(tau) - motion.tau[rows]


def loaded(motion):
    """Largest vertical contact force, in weights."""
    return motion.channels["contact"][..., 2].sum(-1).max() / WEIGHT


@pytest.mark.slow
@pytest.mark.parametrize("contact", CONTACTS.values(), ids=CONTACTS)
def test_every_step_balances_under_every_contact_model(contact):
    motion = landed(contact=contact)
    assert loaded(motion) > 0.3
    assert np.abs(missing(motion)).max() < EXACT


def test_every_step_balances_with_explicit_forces():
    assert np.abs(missing(landed(method="semi_implicit_euler", dt=2e-4))).max() < EXACT


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limits", "contact"),
    [
        (ap.limits.SoftLimits(), Compliant()),
        (ap.limits.HardLimits(), Compliant()),
        (ap.limits.StoppingLimits(), Compliant()),
        (ap.limits.HardLimits(), Impulsive()),
    ],
    ids=["soft", "hard", "stopping", "hard-impulsive"],
)
def test_joint_forces_contain_those_of_limits(limits, contact):
    """Limits by springs, impulses and prescribed accelerations: tau holds what they exerted."""
    motion, free = landed(NARROW, contact, limits), landed(NARROW, contact)
    assert np.abs(motion.tau - free.tau)[:, 6:].max() > 2.0
    assert np.abs(missing(motion)).max() < EXACT


def test_joint_forces_contain_the_implicit_parts_of_springs_and_dampers_in_joints():
    assert np.abs(missing(landed(SPRUNG))).max() < EXACT


@pytest.mark.slow
@pytest.mark.parametrize("contact", list(CONTACTS.values())[:3], ids=list(CONTACTS)[:3])
def test_loops_inside_a_figure_do_not_disturb_its_momentum(contact):
    """Loop forces act between links, in the dynamics and in the projection after it: nothing is left at the root."""
    motion = landed(TIED, contact, turn=0.0)
    assert loaded(motion) > 1.0
    assert np.abs(missing(motion)[:, :6]).max() < EXACT


@pytest.mark.parametrize("contact", [Compliant(), Impulsive()], ids=["compliant", "impulsive"])
def test_joint_forces_contain_those_of_prescribed_dofs(contact):
    motion = landed(contact=contact, controller=Several(sway=Swayed(), still=Freeze("r_ankle")), turn=0.0)
    assert np.abs(motion.tau[:, -1]).max() > 50.0
    assert np.abs(missing(motion)).max() < EXACT


def test_contacts_between_links_act_on_both():
    """Two arms of a free figure collide: the forces cancel."""
    hinges = [Revolute(name=name, axis="y", placement=at(x=0.15 if name == "b" else -0.15)) for name in "ab"]
    arms = [
        body(name, (0.2, 0.1, 0.1), 1.0, (-0.045 if name == "right" else 0.045, 0, 0.1)) for name in ("left", "right")
    ]
    parts = [("", Free(name="root"), body("base", (0.4, 0.1, 0.05), 2.0))]
    parts += [("base", hinge, arm) for hinge, arm in zip(hinges, arms, strict=True)]
    figure = figure_from_parts("tongs", parts)
    scene = Scene(figure, ground=None, pairs=[("left", "right")])
    q, u = figure.neutral(), np.array([0.0, 0.0, 0.0, 1.0, 2.0, 0.5, 3.0, -2.0])
    motion = ap.simulate(scene, q, u, steps=40, dt=1e-3, every=1, opt=0, record=CHANNELS)
    assert np.abs(motion.channels["contact"]).max() > 1.0
    assert np.abs(missing(motion)).max() < EXACT


@pytest.mark.slow
def test_conserve_balances_the_momentum_at_the_ends_of_a_step():
    """conserve=True moves the root after the dynamics, so momentum changes by exactly the impulse of all forces."""
    motion = landed(conserve=True)
    k, mass, dt = ap.kinematics(BIPED, motion.q), BIPED.mass, 1e-3
    centre = sum(
        link.mass * (k.position[:, i] + k.rotation[:, i] @ np.asarray(link.centre)) / mass
        for i, link in enumerate(BIPED.links)
    )
    force, point = motion.channels["contact"], motion.channels["contact_point"]
    moment = np.cross(point - centre[:, None], force).sum(1)
    impulse = dt * np.concatenate([moment, force.sum(1) + mass * np.asarray(BIPED.gravity)], -1)
    change = np.diff(ap.dynamics.momentum(BIPED, motion.q, motion.u), axis=0)
    assert np.abs(change - impulse[:-1]).max() < EXACT * dt


@pytest.mark.slow
@pytest.mark.parametrize("method", ["euler", "midpoint", "rk4", "dormand_prince"])
def test_forces_of_stages_are_weighted(method):
    """A block without joints: its linear momentum changes by the weighted forces of the stages, exactly."""
    block = figure_from_parts("block", [("", Free(name="root"), body("block", (0.3, 0.2, 0.1), BIPED.mass))])
    scene = Scene(block, contact=Compliant(depth=5e-3), material=Material(dissipation=1.0))
    q, u = block.neutral(), np.array([0.4, 0.1, -0.5, 0.3, 1.0, 0.5])
    q[2] = 0.049
    motion = ap.simulate(scene, q, u, steps=100, dt=2e-4, every=1, method=method, opt=0)
    force = motion.channels["contact"].sum(1)[:-1] + block.mass * np.asarray(block.gravity)
    assert force[:, 2].max() > WEIGHT
    assert np.abs(block.mass * np.diff(motion.u[:, :3], axis=0) / 2e-4 - force).max() < EXACT


@pytest.mark.slow
def test_joint_forces_of_stages_are_weighted():
    """Impulses of joint and contact forces over a step of rk4 explain the motion to the order of its frames."""
    worst = []
    for dt in (4e-4, 2e-4):
        motion = landed(contact=Compliant(depth=4e-3), method="rk4", dt=dt, steps=round(0.024 / dt), turn=0.2)
        middle = motion.at(0.5 * (motion.time[1:] + motion.time[:-1]))
        there = motion[:-1].changed(q=middle.q, u=middle.u)
        tau = ap.inverse_dynamics(BIPED, there.q, there.u, motion.udot[:-1], wrenches(there))
        worst.append(np.sqrt(np.mean((tau - motion.tau[:-1]) ** 2)))
    assert worst[0] < 2e-5 * WEIGHT and worst[1] < 0.5 * worst[0]


@pytest.mark.slow
@pytest.mark.parametrize("contact", [Compliant(), Impulsive()], ids=["compliant", "impulsive"])
def test_frames_of_many_steps_hold_the_means(contact):
    fine, coarse = landed(contact=contact), landed(contact=contact, every=10)
    for name in ("contact", "tau", "udot"):
        whole = fine.channels[name][:-1].reshape(6, 10, *fine.channels[name].shape[1:])
        np.testing.assert_allclose(coarse.channels[name][:-1], whole.mean(1), rtol=0.0, atol=EXACT)
    force, point = (fine.channels[name][:-1] for name in ("contact", "contact_point"))
    moment = np.cross(point, force).reshape(6, 10, -1, 3).mean(1)
    found = np.cross(coarse.channels["contact_point"], coarse.channels["contact"])[:-1]
    plain = np.cross(point.reshape(6, 10, -1, 3).mean(1), force.reshape(6, 10, -1, 3).mean(1))
    error, before = (np.sqrt(np.mean((x - moment) ** 2)) for x in (found, plain))
    assert error < 0.5 * before and error < 1e-3 * WEIGHT


def test_a_changed_root_keeps_the_coordinates_of_all_channels():
    """Accelerations, energy and own functions are those of the figure, not of the tree with another root."""
    options = {"method": "rk4", "every": 10, "steps": 80, "dt": 5e-4, "turn": 0.1, "contact": Compliant(depth=4e-3)}
    record = {**dict.fromkeys((*CHANNELS, "energy")), "height": lambda figure, t, q, u: q[2]}
    plain, rooted = (landed(record=record, **options, **x) for x in ({}, {"root": "stance foot"}))
    assert any(type(event).__name__ == "NewRoot" for event in rooted.events)
    for name in record:
        np.testing.assert_allclose(rooted.channels[name], plain.channels[name], rtol=0.0, atol=1e-4)
