"""Two legs hop as though they were one: positioning, force equalisation, synchronisation in a simulation."""

from dataclasses import replace

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra.scalar import clip, less, where
from anthropi.algebra.spatial import Transform
from anthropi.algorithms.jacobians import point_jacobian
from anthropi.contact.limits import SoftLimits
from anthropi.contact.scene import Scene
from anthropi.contact.virtual_leg import UP, FromApex, Leg, VirtualLeg, body_of, foot_place
from anthropi.figure.parts import Marker
from anthropi.simulation.drive import Drive

APEX, LENGTH, SPEED, APART = 1.12, 0.86, 0.5, 0.12  # [m, m, m/s, m]
LEVEL, GO, FEET = 1.0 - UP, np.array([SPEED, 0.0, 0.0]), ("l_foot", "r_foot")


def twin():
    """The hopper with two of its legs, left and right of the middle."""
    one, side_of = ap.sample("hopper", leg="knee"), {"l": APART, "r": -APART}
    parts: list[tuple] = [(None, one.joints[0], one.links[0])]
    for side, y in side_of.items():
        for n in (1, 2, 3):
            joint, link = one.joints[n], replace(one.links[n], name=f"{side}_{one.links[n].name}")
            place = Transform(np.eye(3), np.array([0.0, y, 0.0])) if n == 1 else joint.placement
            above = "trunk" if n == 1 else f"{side}_{one.links[n - 1].name}"
            parts.append((above, joint.changed(name=f"{side}_{joint.name}", placement=place), link))
    return ap.figure_from_parts(
        "twin", parts, [Marker(f"{s}_sole", f"{s}_foot", one.marker("sole").point) for s in side_of]
    )


class Hop:
    """As in examples/hopper.py, for both feet: the virtual foot is aimed, each goes to its side of it."""

    parameters, memory, prescribed = {}, {"stands": np.zeros(2), "spots": np.zeros((2, 3))}, ()

    def __call__(self, figure, sense, memory, parameters):
        k, body = sense.kinematics, body_of(figure, sense.kinematics)
        v, tau, stood, spots = body.velocity, np.zeros(figure.nu), [], []
        virtual = body.centre + LEVEL * (0.124 * v + 0.06 * (v - GO)) - (LENGTH - clip(0.3 * v[2], 0.0, 0.12)) * UP
        right = virtual - np.array([0.0, APART, 0.0])
        goals = foot_place(virtual, right, 0.5), right  # positioning
        for n, name in enumerate(FEET):
            i, sole = figure.link_index(name), figure.marker(f"{name[0]}_sole").point
            J, foot = point_jacobian(figure, k, sense.q, i, sole), k.position[i] + k.rotation[i] @ sole
            stands = where(less(0.0, foot[2]), where(less(5e-3, foot[2]), 0.0, memory["stands"][n]), 1.0)
            spot = where(less(0.5, stands - memory["stands"][n]), LEVEL * foot - 1e-3 * UP, memory["spots"][n])
            rate = J[3:] @ sense.u
            swing = 2500.0 * (goals[n] - foot) + 120.0 * (v - rate)
            pull = where(less(0.5, stands), 4e4 * (spot - foot) - 300.0 * rate, swing)
            flat = 20.0 * np.cross(k.rotation[i][:, 2], UP) - k.angular_velocity[i]
            tau = tau + J.T @ np.concatenate([flat, pull - sense.contacts.on(i)])
            stood, spots = [*stood, stands], [*spots, spot]
        drive = Drive(tau=np.concatenate([np.zeros(6), tau[6:]]))
        return drive, {"stands": np.array(stood), "spots": np.array(spots)}


@pytest.mark.slow
def test_9_7__9_4_5__two_legs_hop_as_one():
    figure = twin()
    rest = FromApex(APEX, LENGTH, SPEED, gain=4e-3)
    upright = lambda k, body: 1.5 * np.cross(k.rotation[0][:, 2], UP)  # noqa: E731
    ground = VirtualLeg(FEET, Leg(6e3, 0.0, 15.0, 0.8), rest, together=True, double_support=0.02, wanted=upright)
    bent = {"hip.pitch": -0.45, "knee": 0.9, "ankle.pitch": -0.45}
    q = figure.integrate(figure.neutral(), [0, 0, 0.95, 0, 0, 0, *(bent.get(dof[2:], 0.0) for dof in figure.dofs[6:])])
    scene = Scene(figure, features="feet", contact=ground, limits=SoftLimits())
    motion = ap.simulate(scene, q, [SPEED, 0.1] + 14 * [0], Hop(), duration=9.0, dt=5e-4, every=10, opt=0)
    centre = ap.centre_of_mass(figure, motion.q, motion.u)
    top = np.flatnonzero((centre.velocity[:-1, 2] > 0.0) & (centre.velocity[1:, 2] <= 0.0)) + 1
    assert len(top) >= 12 and np.abs(centre.position[top, 2] / APEX - 1.0).max() < 0.02
    force = motion.channels["contact"]
    late = slice(top[2], top[-1])
    assert force[late, :, 2].sum(-1).mean() == pytest.approx(9.81 * figure.mass, rel=0.01)
    both = (force[late, :, 2] > 0.0).all(1)
    assert both.mean() > 0.9 * (force[late, :, 2] > 0.0).any(1).mean()  # they strike and leave together
    np.testing.assert_allclose(*force[late, :, 2].mean(0), rtol=0.01)  # and share alike
