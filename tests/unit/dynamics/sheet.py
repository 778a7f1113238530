"""What the tests of rotations.md section 13 share: a floating chain of four bodies, in two sets of velocities."""

from functools import cache
from types import SimpleNamespace

import numpy as np
from scipy.spatial.transform import Rotation

from anthropi.algebra import rotation as rot
from anthropi.algebra.spatial import Transform
from anthropi.algorithms.energy import kinetic_energy, potential_energy
from anthropi.algorithms.equations_of_motion import VelocityChange
from anthropi.algorithms.jacobians import jacobian
from anthropi.algorithms.kinematics import kinematics, point_position
from anthropi.figure import Composite, Figure, Free, Prismatic, Revolute
from laws.rotation.law import along
from oracle.figures import body

TIP, POINT = "b3", np.array([0.2, -0.1, 0.3])


def chain(root) -> Figure:
    """Body, hinge, hinge, slide: R, R, P on a base that floats."""
    rng = np.random.default_rng(8)
    kinds = (Revolute, Revolute, Prismatic)
    places = [Transform(Rotation.from_quat(rng.normal(size=4)).as_matrix(), rng.normal(size=3)) for _ in kinds]
    joints = [
        kind(name=f"j{k}", axis=rng.normal(size=3), placement=at)
        for k, (kind, at) in enumerate(zip(kinds, places, strict=True))
    ]
    bodies = [body(f"b{k}", rng) for k in range(4)]
    return Figure("R R P", bodies, [root, *joints], (-1, 0, 1, 2), gravity=rng.normal(size=3))


SIX = (*(Prismatic(name=f"p{a}", axis=a) for a in "xyz"), *(Revolute(name=f"r{a}", axis=a) for a in "zyx"))
FREE, PLAIN = chain(Free(name="root")), chain(Composite(name="root", parts=SIX))  # PLAIN has q' = u


@cache
def sample(seed: int):
    """The same state in both, with a force and a torque on the tip, and B: u of FREE = B u of PLAIN."""
    rng = np.random.default_rng(seed)
    s = SimpleNamespace(q=PLAIN.random(rng), u=rng.normal(size=9), udot=rng.normal(size=9))
    s.q[4] = rng.uniform(-1.2, 1.2)
    s.force, s.torque, s.tau = rng.normal(size=(3, 3))[0], rng.normal(size=3), rng.normal(size=9)
    angles, rates = s.q[3:6], s.u[3:6]
    E = rot.euler_rate_matrix(angles, "zyx", "local")
    B = np.eye(9)
    B[3:6, 3:6] = E
    drift = np.zeros(9)
    drift[3:6] = rot.euler_rate_matrix_derivative(angles, rates, "zyx", "local") @ rates
    s.change = VelocityChange(B, drift)
    quaternion = rot.quaternion_from_euler(angles, "zyx")
    s.free = SimpleNamespace(q=np.concatenate([s.q[:3], quaternion, s.q[6:]]), u=B @ s.u, udot=B @ s.udot + drift)
    s.W = jacobian(FREE, s.free.q, link=TIP, point=POINT)[3:].T  # columns n, t, t of a contact at the tip
    C = kinematics(FREE, s.free.q).rotation[3]
    s.f_ext = {3: np.concatenate([C.T @ s.torque + np.cross(POINT, C.T @ s.force), C.T @ s.force])}
    return s


def kinetic(q, u):
    return kinetic_energy(PLAIN, q, u)


def potential(q):
    return potential_energy(PLAIN, q)


def place(q):
    return point_position(kinematics(PLAIN, q), 3, POINT)


def attitude(q):
    return kinematics(PLAIN, q).rotation[3]


def slopes(function, q):
    """∂ function / ∂q_k, a row each."""
    return np.array([along(function, (q,), (e,)) for e in np.eye(len(q))])


def lagrange(energy, q, u, udot):
    """d/dt ∂T/∂u - ∂T/∂q (n,) by the tape's forward sweep, for coordinates with q' = u."""
    units = np.eye(len(u))
    none = np.zeros(len(u))
    momenta = [_slope(energy, tuple(e)) for e in units]
    changed = [along(p, (q, u), (u, udot)) for p in momenta]
    return np.array(changed) - [along(energy, (q, u), (e, none)) for e in units]


@cache
def _slope(energy, e):
    """∂T/∂u along e, as a function of q and u that records."""
    return lambda q, u: along(energy, (q, u), (np.zeros(len(e)), np.array(e)))
