"""Kearney's hopper: a one-legged figure hops fifty times to a commanded height.

The ground force acts along the virtual leg, from the foot to the centre of mass, like a spring whose rest length
restores energy. A law for angular momentum keeps the trunk upright. Joint forces transmit the ground force, hold the
stance foot and move the swing foot. Writes out/hopper.png.
"""

import numpy as np
from _hopping import hopping

import anthropi as ap
from anthropi.algorithms.jacobians import point_jacobian
from anthropi.contact import virtual_leg as leg
from anthropi.contact.limits import SoftLimits
from anthropi.contact.scene import Scene
from anthropi.simulation.drive import Drive

APEX, LENGTH, SPEED = 1.12, 0.86, 0.8  # centre of mass: largest height [m], height over the foot [m], speed [m/s]
UP, LEVEL, GO = leg.UP, 1.0 - leg.UP, np.array([SPEED, 0.0, 0.0])


class Hop:
    """Controller of the hopper: choose the foot placement and compute the joint forces."""

    parameters, memory, prescribed = {}, {"stands": 0.0, "spot": np.zeros(3)}, ()

    def __call__(self, figure, sense, memory, parameters):
        where, less, k, i = ap.scalar.where, ap.scalar.less, sense.kinematics, figure.link_index("foot")
        body, sole = leg.body_of(figure, k), figure.marker("sole").point
        J, foot, v = point_jacobian(figure, k, sense.q, i, sole), k.position[i] + k.rotation[i] @ sole, body.velocity
        stands = where(less(0.0, foot[2]), where(less(5e-3, foot[2]), 0.0, memory["stands"]), 1.0)
        spot = where(less(0.5, stands - memory["stands"]), LEVEL * foot - 1e-3 * UP, memory["spot"])
        ahead = LEVEL * (0.124 * v + 0.06 * (v - GO))  # half the path of a stance, and more to slow down
        reach = LENGTH - ap.scalar.clip(0.3 * v[2], 0.0, 0.12)  # the leg is shortened while the body rises
        goal, rate = body.centre + ahead - reach * UP, J[3:] @ sense.u
        pull = where(less(0.5, stands), 4e4 * (spot - foot) - 300.0 * rate, 2500.0 * (goal - foot) + 120.0 * (v - rate))
        flat = 20.0 * np.cross(k.rotation[i][:, 2], UP) - k.angular_velocity[i]
        tau = J.T @ np.concatenate([flat, pull - sense.contacts.on(i)])
        return Drive(tau=np.concatenate([np.zeros(6), tau[6:]])), {"stands": stands, "spot": spot}


def hop(figure, seconds=40.0):
    """Drop the hopper with a bent leg; return its motion, its centre of mass, and the frame at the top of each hop."""
    law = leg.Leg(stiffness=5e3, spin=15.0, friction=0.8), leg.FromApex(APEX, LENGTH, SPEED, gain=4e-3)
    ground = leg.VirtualLeg("foot", *law, wanted=lambda k, body: 1.5 * np.cross(k.rotation[0][:, 2], UP))
    q = figure.integrate(figure.neutral(), [0, 0, 0.94, 0, 0, 0, -0.45, 0, 0.9, -0.45, 0])
    scene = Scene(figure, features="feet", contact=ground, limits=SoftLimits())
    motion = ap.simulate(scene, q, [SPEED] + 10 * [0], Hop(), duration=seconds, dt=2.5e-4, every=20)
    centre = ap.centre_of_mass(figure, motion.q, motion.u)
    return motion, centre, np.flatnonzero((centre.velocity[:-1, 2] > 0.0) & (centre.velocity[1:, 2] <= 0.0)) + 1


def check(centre, top):
    assert len(top) >= 50 and np.abs(centre.position[top, 2] / APEX - 1.0).max() < 0.02


if __name__ == "__main__":
    motion, centre, top = hop(ap.sample("hopper", leg="knee"))
    check(centre, top)
    hopping("out/hopper.png", motion, centre.position[:, 2], top, APEX)
