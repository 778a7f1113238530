"""Frictionless resting contact: weights, curved and moving surfaces, and a scene stepped with it."""

import numpy as np

import anthropi as ap
from anthropi.algebra.spatial import Transform
from anthropi.contact.convex import NO_CONTACT, Convex, resting_forces
from anthropi.contact.geometry.surfaces import Plane
from anthropi.contact.scene import Obstacle, Scene
from unit.contact.impulsive_steps import ball, box, run

G = 9.81


def test_a_box_is_carried_by_its_lower_corners():
    figure = box(mass=2.0)
    q = np.array([0.0, 0.0, 0.05, 1.0, 0.0, 0.0, 0.0])
    found = resting_forces(Scene(figure), q, np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]))
    np.testing.assert_allclose(found.forces.sum(0), [0.0, 0.0, 2.0 * G], atol=1e-8)
    np.testing.assert_allclose(found.udot, 0.0, atol=1e-9)
    assert (found.separation[4:] == NO_CONTACT).all() and (found.forces[4:] == 0.0).all()


def test_a_ball_that_rolls_stays_and_one_on_a_rising_floor_rises():
    figure = ball(0.1, mass=3.0)
    q = np.array([0.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0])
    rolling = np.array([0.5, 0.0, 0.0, 0.0, 5.0, 0.0])  # its lowest point has an acceleration; its surface has none
    found = resting_forces(Scene(figure), q, rolling)
    np.testing.assert_allclose(found.forces, [[0.0, 0.0, 3.0 * G]], atol=1e-9)

    def rising(t):
        at = Transform(np.eye(3), np.array([0.0, 0.0, 1.0]) * (t * t))  # 2 m/s² upwards
        return at, np.zeros(3), np.array([0.0, 0.0, 1.0]) * (2.0 * t)

    scene = Scene(figure, ground=None, obstacles=Obstacle("floor", Plane(), rising))
    found = resting_forces(scene, q, rolling)
    np.testing.assert_allclose(found.forces, [[0.0, 0.0, 3.0 * (G + 2.0)]], atol=1e-8)
    np.testing.assert_allclose(found.udot[2], 2.0, atol=1e-9)


def test_what_moves_away_is_left_alone():
    figure = ball()
    q, u = np.array([0.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0]), np.array([0.0, 0.0, 0.1, 0.0, 0.0, 0.0])
    assert (resting_forces(Scene(figure), q, u).forces == 0.0).all()


def test_it_records():
    figure = box()
    q, u = np.array([0.0, 0.0, 0.05, 1.0, 0.0, 0.0, 0.0]), np.zeros(6)
    scene = Scene(figure)
    tape = ap.record(lambda q, u: resting_forces(scene, q, u).udot, q=q, u=u)
    np.testing.assert_allclose(ap.build(tape, opt=0)(q, u), resting_forces(scene, q, u).udot, atol=1e-10)


def test_a_scene_without_friction_glides():
    figure = box()
    q = np.array([0.0, 0.0, 0.05, 1.0, 0.0, 0.0, 0.0])
    frames = run(Scene(figure, contact=Convex()), q, np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]), 200, 5e-3, every=20)
    np.testing.assert_allclose(frames["u"], np.tile([1.0, 0, 0, 0, 0, 0], (10, 1)), atol=1e-9)
    assert np.abs(frames["gaps"][:, :4]).max() < 1e-9
