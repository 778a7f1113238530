"""The motion as people want to see it: feet at the pitch that the walk planned, of a figure that has none. Floats only.

A figure of the thesis has its feet in its shanks. For pictures, what is drawn below an ankle goes to a link of its own
that weighs next to nothing, on a hinge at the ankle, and the toes to another. They turn by

    ankle: pitch + lean of the shank,   toes: -pitch where the heel is up      (1)
"""

from dataclasses import replace

import numpy as np

from anthropi.algebra.spatial import Transform
from anthropi.api import kinematics
from anthropi.figure.joints import Revolute
from anthropi.figure.parts import Link, Marker, Shape
from anthropi.gait.walking.pose import Anatomy, toes_up
from anthropi.motion import Motion

__all__ = ["with_feet"]

NOTHING = 1e-6  # [kg], [kg m²]


def with_feet(motion: Motion) -> Motion:
    """The motion of a figure with feet that turn by channel "foot_pitch"; the motion itself if it needs none."""
    marks = {m.name: m for m in motion.figure.markers if isinstance(m, Marker)}
    if "foot_pitch" not in motion.channels or "foot" in marks["l_ankle_centre"].link:
        return motion
    figure, angles, pad = motion.figure, [], Anatomy(motion.figure).foot.pad
    k = kinematics(figure, motion.q)
    for side, pitch in zip("lr", motion.channels["foot_pitch"].T, strict=True):
        mark, ball = marks[f"{side}_ankle_centre"], marks[f"{side}_sole_ball_in"].point
        i = motion.figure.link_index(mark.link)
        toe = np.array([ball[0], 0.0, ball[2] + pad])
        figure = _split(figure, i, f"{side}_foot", f"{side}_ankle", mark.point, lambda p, at=mark.point: p[2] <= at[2])
        figure = _split(
            figure, figure.n - 1, f"{side}_toes", f"{side}_toe", toe - mark.point, lambda p, at=ball: p[0] > at[0]
        )
        up = np.asarray(k.rotation)[:, i, :, 2]
        angles += [np.arctan2(up[:, 0], up[:, 2]) + pitch, -toes_up(pitch)]  # (1)
    turned = np.stack(angles, -1)
    q = np.concatenate([motion.q, turned], -1)
    u = np.concatenate([motion.u, np.gradient(turned, motion.time, axis=0)], -1)
    return Motion(figure, motion.time, q, u, events=motion.events, metadata=motion.metadata)


def _split(figure, i: int, name: str, joint: str, at, beyond):
    """The figure with what is drawn and marked `beyond` a point of link i on a link of its own, hinged there."""
    link = figure.links[i]
    there = [beyond(shape.placement.origin) for shape in link.shapes]
    moved = tuple(_moved(shape, -np.asarray(at)) for shape, far in zip(link.shapes, there, strict=True) if far)
    kept = tuple(shape for shape, far in zip(link.shapes, there, strict=True) if not far)
    part = Link(name, NOTHING, np.zeros(3), NOTHING * np.eye(3), moved)
    hinge = Revolute(name=joint, axis=np.array([0.0, -1.0, 0.0]), placement=Transform(np.eye(3), np.asarray(at)))
    links = [replace(link, shapes=kept) if n == i else x for n, x in enumerate(figure.links)]
    marks = [replace(m, link=name, point=m.point - at)
             if isinstance(m, Marker) and m.link == link.name and beyond(m.point) else m
             for m in figure.markers]  # fmt: skip
    return figure.changed(links=[*links, part], joints=[*figure.joints, hinge], parent=[*figure.parent, i],
                          markers=marks)  # fmt: skip


def _moved(shape: Shape, by) -> Shape:
    return replace(shape, placement=Transform(shape.placement.rotation, shape.placement.origin + by))
