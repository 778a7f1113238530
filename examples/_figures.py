"""Figures of the examples that need many lines to build."""

import numpy as np

import anthropi as ap
from anthropi import spatial as sp
from anthropi.figure import Free, Link, Revolute, Shape, Weld
from anthropi.motion import configuration

RAISED = np.deg2rad([-180.0, 60.0])  # range of the whole arm (AAOS), for shoulders whose clavicle does not move
COCKED = {  # [deg]: leaning back, the right hand behind the head
    "lumbar.y": -25, "thoracic.y": -8, "r_shoulder.y": -185, "r_elbow.flexion": 100, "l_shoulder.y": -60,
    "l_elbow.flexion": 20, "l_hip.y": -25, "r_hip.y": 15, "l_knee": 15, "r_knee": 15, "r_toe": -20,
}  # fmt: skip


def raising(figure, ends=RAISED):
    """Return a figure with another range of shoulder flexion [rad]; `ap.human` leaves out the shoulder blade."""
    low, high = ends

    def raised(joint):
        if joint.name not in ("l_shoulder", "r_shoulder"):
            return joint
        (a, _, c), (d, _, f) = joint.lower, joint.upper
        return joint.changed(lower=(a, low, c), upper=(d, high, f))

    return figure.changed(joints=[raised(joint) for joint in figure.joints])


def thrower(turned):
    """Return a person about to throw a baseball, q, the map (nu, n) from n driven dofs to all, and the other dofs.

    Its arms can turn in full circles, and no limits act. Joints that do not take part in the throw are locked. The
    other dofs, of lumbar spine and shoulder, are held still.
    """
    ball = Link.of("ball", sp.sphere(0.037, mass=0.145), [Shape("sphere", (0.037,), colour=(0.95, 0.7, 0.2))])
    grip = Weld(name="grip", placement=sp.Transform(np.eye(3), [0.0, 0.035, -0.09]))
    figure = raising(ap.human(), (-np.pi, np.pi)).attach(
        ap.figure_from_parts("ball", [("", Free(name="root"), ball)]), "r_hand", grip
    )
    cocked = np.array([np.deg2rad(COCKED.get(dof, 0.0)) for dof in figure.dofs])
    q = ap.standing(figure, figure.integrate(figure.neutral(), cocked))
    free = (*(f"{joint}.{axis}" for joint in ("lumbar", "r_shoulder") for axis in "xyz"), "r_elbow.flexion")
    locked = figure.lock([dof for dof in figure.dofs if dof not in free], q)
    driven = np.array([[float(dof == name) for name in turned] for dof in locked.dofs])
    return locked, locked.state_from(figure, q), driven, [dof for dof in locked.dofs if dof not in turned]


def pitcher():
    """Return a person in stride with a baseball in the right hand on a free joint "grip", and q (nq,)."""
    ball = Link.of("ball", sp.sphere(0.037, mass=0.145), [Shape("sphere", (0.037,), colour=(0.95, 0.7, 0.2))])
    grip = Free(name="grip", placement=sp.Transform(np.eye(3), [0.0, 0.035, -0.09]))
    figure = raising(ap.human()).attach(ap.figure_from_parts("ball", [("", Free(name="root"), ball)]), "r_hand", grip)
    stride = {"l_hip.y": -0.35, "r_hip.y": 0.3, "l_knee": 0.15, "r_knee": 0.15, "r_toe": -0.3}
    return figure, ap.standing(figure, configuration(figure, stride))


def throwing_torques(steps):
    """Return torques of lumbar spine, shoulder and elbow (steps, 3) [N m]: half sines in sequence."""
    when = (np.arange(steps) + 0.5) / steps
    rows = ((114.0, 0.0, 0.97), (57.0, 0.31, 1.1), (-28.5, 0.69, 0.54))  # [N m], start, length in parts of the throw
    return np.stack([peak * np.sin(np.pi * np.clip((when - begin) / span, 0.0, 1.0)) for peak, begin, span in rows], -1)


def masses_of(figure, links):
    """Return masses (n,) [kg] of links by name."""
    return np.array([figure.links[figure.link_index(name)].mass for name in links])


def flight(ball):
    """Return where a ball lands, x [m] on the ground z = 0, and when [s], under gravity only."""
    (x, _, z), (vx, _, vz) = ball.position, ball.velocity
    time = (vz + ap.scalar.sqrt(vz * vz + 2.0 * 9.81 * z)) / 9.81
    return x + vx * time, time


def brick_man():
    """Return a body of boxes: rigid legs, with trunk and head on stiff joints. Its origin is in the trunk."""
    from anthropi.algebra.spatial import Transform
    from anthropi.figure import Ball

    def part(name, size, mass, z):
        place = Transform(np.eye(3), np.array([0.0, 0.0, z]))
        return Link.of(name, sp.box(size, mass=mass, centre=place.origin), [Shape("box", size, place, name=name)])

    def stiff(name, z):
        return Ball(name=name, placement=Transform(np.eye(3), np.array([0.0, 0.0, z])), stiffness=80.0, damping=2.0)

    return ap.figure_from_parts("man", [("", Free(name="root"), part("trunk", (0.12, 0.4, 0.4), 4.0, 0.0)),
                               ("trunk", stiff("hips", -0.2), part("legs", (0.14, 0.26, 0.35), 3.0, -0.175)),
                               ("trunk", stiff("neck", 0.2), part("head", (0.14, 0.14, 0.18), 1.0, 0.1))])  # fmt: skip


def forearm_with_weight(weight, upper_arm=0.3, forearm=0.26):
    """Return an upper arm fixed to the world, and a forearm [m] with a weight [kg] in the hand."""
    at = [np.array([0.0, 0.0, -z]) for z in (upper_arm / 2, upper_arm, forearm / 2, forearm + 0.06)]
    middle, end, centre, hand = at
    place = ap.Transform.from_translation
    upper = Link.of("upper", sp.box((0.08, 0.08, upper_arm), mass=2.0, centre=middle),
                    [Shape("capsule", (0.04, upper_arm), place(middle))])  # fmt: skip
    rod, ball = sp.box((0.06, 0.06, forearm), mass=1.3, centre=centre), sp.box((0.12,) * 3, mass=weight, centre=hand)
    shapes = [Shape("capsule", (0.03, forearm), place(centre)), Shape("sphere", (0.06,), place(hand))]
    shoulder = Weld(name="shoulder", placement=place([0.0, 0.0, 1.4]))
    elbow = Revolute(name="elbow", axis=(0.0, -1.0, 0.0), placement=place(end))
    fore = Link.of("fore", rod + ball, shapes)
    return ap.figure_from_parts("arm", [("", shoulder, upper), ("upper", elbow, fore)])
