"""Small simulations with contact for the tests of gradients."""

import numpy as np

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.geometry.contacts import contacts

HOPPER = ap.sample("hopper")
START_U = np.array([0.5, -1.0, 0.3, 2.0, 0.0])
NAMES = ("shin.mass", "leg.origin", "friction", "kp")  # a mass, a length, friction, a gain


def hopping(model: str, restitution: float = 0.0, height: float = 0.004, figure=HOPPER, batch: int = 1):
    """Return a simulation of a hopper just above the ground, on which its sliding foot lands."""
    material = ap.contact.Material(friction=0.3, restitution=restitution)
    model = {"compliant": ap.contact.Compliant, "impulsive": ap.contact.Impulsive}[model]()
    scene = ap.Scene(figure, contact=model, material=material, features=["shin"])
    sim = ap.Simulation(scene, ap.controllers.Hold(figure, figure.neutral(), kp=300.0, kd=3.0), dt=2e-3, batch=batch)
    q = np.array(figure.neutral())
    q[1] += height - min(c.gap for c in contacts(scene, 0.0, kinematics(figure, q, np.zeros(figure.nu))))
    sim.reset(q, START_U)
    return sim


def slope(function, at, along, h: float = 1e-6) -> float:
    """Return the derivative of a function along a direction, by a central difference, relative to large numbers."""
    h = h * max(1.0, float(np.abs(at).max()))
    return float((function(at + h * along) - function(at - h * along)) / (2.0 * h))
