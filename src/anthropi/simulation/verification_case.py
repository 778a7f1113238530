"""A motion that is verified, with the quantities that several laws of `verification.py` use.

With the momentum P and the angular momentum L about the centre of mass c, at frames h [s] apart, and means over the
steps from a frame to the next of the contact forces f_j at points x_j, of the force f_0 and the moment m_0 of the root
joint, and of external forces (F_e, M_e),

    ΔP / h = m g + Σ f_j + f_0 + F_e                                                             (1)
    ΔL / h = Σ (x_j - c) × f_j + (p_0 - c) × f_0 + m_0 + M_e                                     (2)
    τ = inverse(q, u, Δu / h, f_j)   at the states of `motion/contacts.py` (1)                   (3)

Motions with values at the frames (HIDDS) use the rates of P and L by u' instead of differences. Works on plain floats
only; cannot be recorded on a tape.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from anthropi.contact.geometry.height_field import HeightField
from anthropi.contact.geometry.surfaces import Plane
from anthropi.contact.scene import Scene
from anthropi.entry import centre_of_mass, momentum, momentum_rate
from anthropi.entry.entry_point import by_link
from anthropi.errors import InputError
from anthropi.motion.contacts import (
    contact_points,
    contact_wrenches,
    contacts_of,
    has_every_step,
    interval_means,
    mean_states,
)
from anthropi.motion.link_poses import LinkPoses, link_poses
from anthropi.motion.motion import Motion

__all__ = ["Case", "GroundContacts", "Law", "NotMeasured", "Worst", "distances", "worst"]

MIN_TURN = 5.0  # [rad/s] of links between the frames of a slow motion
ROUNDED = 1e-6  # share of the forces; values at frames are computed from the same state


class NotMeasured(Exception):
    """Raised by a law that needs a quantity which the motion does not contain; the text is the reason."""


class Worst(NamedTuple):
    """Error of a law with the largest ratio to its tolerance. frame : None if it concerns the whole motion."""

    error: float
    tolerance: float
    frame: int | None
    culprit: str


class Law(NamedTuple):
    """A law. name, what, unit : for the table. measure : function (`Case`) → `Worst`, or raises `NotMeasured`."""

    name: str
    what: str
    unit: str
    measure: Callable[["Case"], Worst]


def worst(error: np.ndarray, tolerance: Any, names: Sequence[str]) -> Worst:
    """Return the error (frames, items) with the largest ratio to its tolerance, which broadcasts to the same shape."""
    if not error.size:
        raise NotMeasured("there is nothing to compare")
    allowed = np.broadcast_to(np.asarray(tolerance, float), error.shape)
    k, j = divmod(int(np.argmax(error / np.maximum(allowed, 1e-300))), error.shape[1])
    return Worst(float(error[k, j]), float(allowed[k, j]), k, str(names[j]))


@dataclass(eq=False)
class Case:
    """A motion with a single rollout that is verified, and quantities that several laws use.

    motion : the motion. scene, f_ext : as in `verify`.
    """

    motion: Motion
    scene: Any = None
    f_ext: Any = None

    @cached_property
    def finite(self) -> bool:
        """Whether q, u and the forces are finite."""
        m = self.motion
        forces = [m.channels[n] for n in ("contact", "contact_point", "tau") if n in m.channels]
        return all(np.isfinite(x).all() for x in (m.q, m.u, *forces))

    @cached_property
    def has_unit_quaternions(self) -> bool:
        """Whether all quaternions have the length 1, approximately."""
        m = self.motion
        found = [m.q[:, at][:, -4:] for j, at in zip(m.figure.joints, m.figure.q_of, strict=True) if _quaternion(j)]
        return all(np.abs(np.linalg.norm(x, axis=-1) - 1.0).max() < 1e-4 for x in found)

    @cached_property
    def every_step(self) -> bool:
        """Whether every step of a one-stage method is a frame."""
        return has_every_step(self.motion)

    @cached_property
    def weight(self) -> float:
        """Weight [N]; mass · 9.81 m/s² for a figure without gravity."""
        figure = self.motion.figure
        return max(figure.mass * (float(np.linalg.norm(figure.gravity)) or 9.81), 1e-9)

    @cached_property
    def at_frames(self) -> bool:
        """Whether forces are values at the frames (HIDDS), not means over intervals."""
        return {"f_ground", "places"} <= set(self.motion.channels)

    @cached_property
    def states(self) -> Motion:
        """States, accelerations and forces of the intervals, or of the frames if forces are values at frames."""
        m = self.motion
        if len(m) < 2:
            raise NotMeasured("the motion has one frame")
        if not self.has_unit_quaternions:
            raise NotMeasured("quaternions have other lengths than 1")
        if self.at_frames:
            if "udot" not in m.channels:
                raise NotMeasured("the channel 'udot' was not recorded")
            return m
        if "contact" not in m.channels:
            if interval_means(m) is None and "clock" not in m.metadata:
                raise NotMeasured("the motion is not a simulation and contains no contact forces")
            if m.metadata.get("contacts"):
                raise NotMeasured("the channel 'contact' was not recorded")
        elif not contacts_of(m):
            raise NotMeasured("the metadata do not name the contacts of the channel 'contact'")
        return mean_states(m)

    @cached_property
    def poses(self) -> LinkPoses:
        """Poses of all links at `states`."""
        return link_poses(self.motion.figure, self.states.q)

    @cached_property
    def link_forces(self) -> np.ndarray:
        """Moments and forces on links (rows, links, 6) at `states`, in link frames: contacts, aids and f_ext."""
        figure, at = self.motion.figure, self.states
        found = np.zeros((len(at), figure.n, 6))
        if self.at_frames:
            found += _ground_forces(at, self.poses)
        elif "contact" in at.channels:
            made = contact_wrenches(at, "intervals")
            found += 0.0 if made is None else made
        if "aid" in self.motion.channels:
            for n, aid in enumerate(self.motion.metadata.get("aid") or ()):
                i, moment = figure.link_index(aid["link"]), self.motion.channels["aid"][: len(at), n]
                found[:, i, :3] += np.einsum("nji,nj->ni", self.poses.rotation[:, i], moment)
        if self.f_ext is None and self.motion.metadata.get("unrecorded_f_ext"):
            raise NotMeasured("external forces acted that are not recorded; give f_ext")
        if self.f_ext is not None:
            rows = np.asarray(by_link(figure, self.f_ext), float)
            found += rows[: len(at)] if rows.ndim == 3 else rows
        return found

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """Links on free root joints: one, or one for each figure of a scene. Empty if a root is held."""
        figure = self.motion.figure
        tops = (0,) if figure.joints[0].nu else tuple(i for i, p in enumerate(figure.parent) if p == 0)
        return tops if all(figure.joints[i].kind == "free" for i in tops) else ()

    @cached_property
    def prescribed_root(self) -> bool:
        """Whether a free root follows given accelerations, by forces on it."""
        figure, held = self.motion.figure, set(self.motion.metadata.get("prescribed", ()))
        return any(dof in held for i in self.roots for dof in figure.dofs[figure.u_of[i]])

    @cached_property
    def root_forces(self) -> np.ndarray:
        """Moments and forces (rows, roots, 6) of the free root joints about their links' origins, in world axes."""
        at, u_of = self.states, self.motion.figure.u_of
        tau = at.channels.get("tau", self.motion.channels.get("tau"))
        if tau is None and self.prescribed_root:
            raise NotMeasured("the root is prescribed, and the forces that move it are not recorded; record 'tau'")
        if tau is None:
            return np.zeros((len(at), len(self.roots), 6))
        own = [tau[: len(at), u_of[i]] for i in self.roots]
        turned = [
            np.einsum("nij,nj->ni", self.poses.rotation[:, i], x[:, 3:]) for i, x in zip(self.roots, own, strict=True)
        ]
        return np.stack([np.concatenate([m, x[:, :3]], -1) for m, x in zip(turned, own, strict=True)], 1)

    @cached_property
    def rates(self) -> tuple[np.ndarray, np.ndarray]:
        """Rates of angular momentum and momentum (rows, 6): differences of frames, and from u' at `states`.

        They differ by the error of time steps and of frames of finite length, whatever the forces are.
        """
        m, figure = self.motion, self.motion.figure
        if not self.roots:
            raise NotMeasured("the root is held, and the force that holds it is not recorded")
        if any(loop.on_world for loop in figure.loops):
            raise NotMeasured("a loop connects the figure with the world, and its force is not recorded")
        at = self.states
        by_udot = np.asarray(momentum_rate(figure, at.q, at.u, at.udot))
        if self.at_frames:
            return by_udot, by_udot
        return np.diff(np.asarray(momentum(figure, m.q, m.u)), axis=0) / np.diff(m.time)[:, None], by_udot

    def step_error(self, part: slice) -> np.ndarray:
        """Size of the difference of the two rates (rows, 1); part : columns of the moment or of the force.

        In a resampled motion, a frame divides an interval, of which only the mean force is known: the change of the
        rate from one interval to the next is added.
        """
        one, other = self.rates
        error = np.linalg.norm((one - other)[:, part], axis=-1, keepdims=True)
        if not self.motion.metadata.get("resampled") or len(one) < 2:
            return error
        change = np.linalg.norm(np.diff(one[:, part], axis=0), axis=-1, keepdims=True)
        return error + np.maximum(np.append(change, change[-1:], 0), np.append(change[:1], change, 0))

    @cached_property
    def balance(self) -> np.ndarray:
        """Unexplained moment about the centre of mass and force (rows, 6), by (1) and (2)."""
        figure, at = self.motion.figure, self.states
        rate = np.array(self.rates[0])
        centre = np.asarray(centre_of_mass(figure, at.q).position)
        rate[:, 3:] -= figure.mass * np.asarray(figure.gravity, float)
        for i in range(figure.n):
            C, own = self.poses.rotation[:, i], self.link_forces[:, i]
            wrench = np.concatenate([np.einsum("nij,nj->ni", C, own[:, k : k + 3]) for k in (0, 3)], -1)
            rate -= _about(centre, self.poses.position[:, i], wrench)
        for k, i in enumerate(self.roots):
            rate -= _about(centre, self.poses.position[:, i], self.root_forces[:, k])
        return rate

    @cached_property
    def half_travel(self) -> np.ndarray:
        """Half of the displacement of the centre of mass in each interval (rows, 1) [m]; 0 if every step is a frame."""
        if self.at_frames:
            return np.zeros((len(self.states), 1))
        means, h = interval_means(self.motion), np.diff(self.motion.time)[:, None]
        dt = 0.0 if means is None or means.dt is None or means.stages > 1 else means.dt
        speed = centre_of_mass(self.motion.figure, self.states.q, self.states.u).velocity
        return 0.5 * np.maximum(h - dt, 0.0) * np.linalg.norm(np.asarray(speed), axis=-1, keepdims=True)

    @cached_property
    def largest_force(self) -> np.ndarray:
        """Sum of the sizes of all forces on links, and the weight (rows, 1) [N]: the largest of three intervals."""
        sizes = np.linalg.norm(self.link_forces[..., 3:], axis=-1).sum(1) + self.weight
        near = np.pad(sizes, 1, mode="edge")
        return np.max([near[:-2], near[1:-1], near[2:]], axis=0)[:, None]

    @cached_property
    def share(self) -> np.ndarray:
        """Share of the forces by which the momentum may differ in one frame (rows, 1).

        A first-order method evaluates a force at the start of a step, in which links turn by ω dt.
        """
        means = interval_means(self.motion)
        if self.at_frames:
            return np.full((len(self.states), 1), ROUNDED)
        dt = 1e-3 if means is None or means.dt is None else max(means.dt, 1e-4)
        return dt * np.maximum(MIN_TURN, self.turning)

    @cached_property
    def turning(self) -> np.ndarray:
        """Largest speed |u| of any degree of freedom at the ends of each interval (rows, 1) [rad/s or m/s]."""
        speed = np.abs(self.motion.u).max(1, initial=0.0)
        return (speed if self.at_frames else np.maximum(speed[:-1], speed[1:]))[:, None]

    @cached_property
    def ground(self) -> Any:
        """Surface of the ground."""
        if self.scene is not None:
            if self.scene.ground is None:
                raise NotMeasured("the scene has no ground")
            return self.scene.ground
        known = self.motion.metadata.get("ground")
        if known is None:
            raise NotMeasured("the motion does not contain the ground; give its scene")
        return Plane(point=(0.0, 0.0, float(known["height"])))

    @cached_property
    def friction(self) -> np.ndarray:
        """Coefficients of friction (contacts,)."""
        records = contacts_of(self.motion)
        if self.scene is not None:
            found = {c.name: c.material.friction for c in self.scene.candidates}
            if any(r.name not in found for r in records):
                raise InputError("The scene has other contacts than the motion. Give the scene of the motion.")
            return np.array([float(found[r.name]) for r in records])
        known = (self.motion.metadata.get("ground") or {}).get("friction")
        if known is None:
            raise NotMeasured("the motion does not contain the coefficient of friction; give its scene")
        return np.full(len(records), float(known))

    @cached_property
    def ground_contacts(self) -> "GroundContacts":
        """Contacts on the ground with their normal and tangential forces."""
        m = self.motion
        if "contact" not in m.channels or not contacts_of(m):
            raise NotMeasured("the channel 'contact' was not recorded")
        records = contacts_of(m)
        which = [k for k, r in enumerate(records) if r.on == "ground"]
        if not which:
            raise NotMeasured("no contact is on the ground")
        force = np.asarray(m.channels["contact"], float)[:, which]
        point = np.asarray(contact_points(m), float)[:, which]
        gap, normal = distances(self.ground, point)
        pushing = (normal * force).sum(-1)
        sliding = np.linalg.norm(force - pushing[..., None] * normal, axis=-1)
        return GroundContacts(which, [records[k].name for k in which], force, point, gap, pushing, sliding)

    @cached_property
    def fall(self) -> Any:
        """First fall in the frames, by `gait/falls.py`; None without a fall."""
        from anthropi.upward import first_fall

        scene, ground = self.scene, self.ground
        if scene is None and float(ground.point[2]) != 0.0:
            scene = Scene(self.motion.figure, ground=ground, contact=None)
        return first_fall(self.motion, scene)


class GroundContacts(NamedTuple):
    """Contacts on the ground (frames, contacts, …). which, names : numbers and names of the contacts. gap : [m]."""

    which: list[int]
    names: list[str]
    force: np.ndarray
    point: np.ndarray
    gap: np.ndarray
    pushing: np.ndarray
    sliding: np.ndarray


def _quaternion(joint: Any) -> bool:
    return joint.kind in ("ball", "free")


def _about(centre: np.ndarray, at: np.ndarray, wrench: np.ndarray) -> np.ndarray:
    """Move wrenches (rows, 6) from points `at` to `centre` (rows, 3)."""
    moment = wrench[:, :3] + np.cross(at - centre, wrench[:, 3:])
    return np.concatenate([moment, wrench[:, 3:]], -1)


def _ground_forces(motion: Motion, poses: LinkPoses) -> np.ndarray:
    """Return the channels "f_ground" and "places" of a HIDDS walk as wrenches on links (frames, links, 6)."""
    from anthropi.figure.human.build import ankle_markers

    figure, found = motion.figure, np.zeros((len(motion), motion.figure.n, 6))
    for n, mark in enumerate(ankle_markers(figure)):
        i = figure.link_index(mark.link)
        force = motion.channels["f_ground"][:, n]
        moment = np.cross(motion.channels["places"][:, n] - poses.position[:, i], force)
        own = [np.einsum("nji,nj->ni", poses.rotation[:, i], x) for x in (moment, force)]
        found[:, i] += np.concatenate(own, -1)
    return found


def distances(surface: Any, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return distances (…,) [m] and normals (…, 3) of points (…, 3) over a surface."""
    if isinstance(surface, Plane):
        normal = np.asarray(surface.normal, float)
        return (points - np.asarray(surface.point, float)) @ normal, np.broadcast_to(normal, points.shape)
    if isinstance(surface, HeightField):
        gap, normal = surface.distance(np.moveaxis(points, -1, 0))
        return gap, np.moveaxis(normal, 0, -1)
    rows = [surface.distance(p) for p in points.reshape(-1, 3)]
    gap, normal = np.array([float(x[0]) for x in rows]), np.array([np.asarray(x[1], float) for x in rows])
    return gap.reshape(points.shape[:-1]), normal.reshape(points.shape)
