"""Laws of forces that `verification.py` checks: momentum, joint forces and contact.

The numbers (1) to (3) are those of `verification_case.py`. Works on plain floats only; cannot be recorded on a tape.
"""

import numpy as np

from anthropi.entry import inverse_dynamics
from anthropi.entry.loops import loop_dynamics
from anthropi.motion.contacts import contacts_of
from anthropi.motion.link_poses import link_poses
from anthropi.simulation.verification_case import Case, Law, NotMeasured, Worst, distances, worst

__all__ = ["LAWS"]

MEAN_FORCE = 2e-3  # share of the weight; errors of single frames cancel, walks reach 1e-4
ARM = 0.1  # [m] an error of force of share s has a moment of s · ARM: half the length of a foot
MEAN_ARM = 2e-3  # [m] moment of the mean over all frames, divided by the weight; runs reach 2e-4
TAU_FRAME = 0.05  # share of the largest joint force, for frames of several steps; runs with 10 steps reach 0.036
TAU_EXACT = 1e-6  # the same if every step is a frame, where inverse dynamics is exact
TAU_MEAN = 5e-3  # share by which all joint forces may differ in common; walks reach 2e-4
ROOT_FORCE = 0.05  # share of the weight; a motion that needs more is not possible for a free figure
PULL = 1e-4  # [s · weight] linearised damping pulls for one step while a foot leaves the ground
SLIP = 2e-4  # [s · weight] implicit friction is that of the end of a step, where the normal force has changed
AT_GROUND = 0.01  # [m] in addition to the displacement of the point in the interval: thickness of a compliant contact
BELOW_GROUND = 0.03  # [m] of any link; compliant contacts give way by 2 cm in a run
MIN_FORCE = 1e-3  # share of the weight; smaller forces need not be at the ground, smaller joint forces are rounding


def _linear(case: Case) -> Worst:
    error = np.linalg.norm(case.balance[:, 3:], axis=-1, keepdims=True)
    tolerance = case.share * case.largest_force + 2.0 * case.step_error(slice(3, 6))
    return worst(error / case.weight, tolerance / case.weight, ["sum of forces"])


def _mean_linear(case: Case) -> Worst:
    return Worst(float(np.linalg.norm(_mean(case)[3:])) / case.weight, MEAN_FORCE, None, "sum of forces")


def _angular(case: Case) -> Worst:
    error = np.linalg.norm(case.balance[:, :3], axis=-1, keepdims=True)
    # a mean force may have acted in any part of its interval, while the centre of mass moved
    tolerance = case.share * case.largest_force * ARM + 2.0 * case.step_error(slice(0, 3))
    tolerance = tolerance + case.largest_force * case.half_travel
    return worst(error / case.weight, tolerance / case.weight, ["sum of moments"])


def _mean_angular(case: Case) -> Worst:
    return Worst(float(np.linalg.norm(_mean(case)[:3])) / case.weight, MEAN_ARM, None, "sum of moments")


def _mean(case: Case) -> np.ndarray:
    """Mean of the balance over the motion (6,)."""
    rows = case.balance
    h = np.diff(case.motion.time)[: len(rows)]
    rows = rows[: len(h)]
    return (rows * h[:, None]).sum(0) / h.sum()


def _required(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """Joint forces by inverse dynamics (3), and the recorded ones (rows, nu).

    If the figure has loops, both results include the loop forces, as joint forces of its tree: the first includes the
    loop forces that the acceleration of the motion needs, and the second those with which the recorded joint forces
    keep the loops closed.
    """
    m = case.motion
    if "tau" not in m.channels:
        raise NotMeasured("the channel 'tau' was not recorded")
    if m.metadata.get("driven_loops"):
        raise NotMeasured("the functions that drive the loops are not recorded")
    at, recorded = case.states, np.asarray(m.channels["tau"], float)
    recorded = recorded[: len(at)]
    tree = m.figure.changed(loops=()) if m.figure.loops else m.figure
    needed = np.asarray(inverse_dynamics(tree, at.q, at.u, at.udot, case.link_forces))
    if not m.figure.loops:
        return needed, recorded
    udot = loop_dynamics(m.figure, at.q, at.u, recorded, case.link_forces).udot
    return needed, np.asarray(inverse_dynamics(tree, at.q, at.u, np.asarray(udot), case.link_forces))


def _joint_forces(case: Case) -> Worst:
    needed, recorded = _required(case)
    exact = case.every_step or case.at_frames
    share = np.full((1, 1), TAU_EXACT if exact else TAU_FRAME)
    if exact and case.motion.figure.loops:  # a step keeps loops closed with forces of first order in its length
        share = 2.0 * case.share
    size = max(float(np.abs(recorded).max()), MIN_FORCE * case.weight)
    # in an interval of several steps links turn by ω h, and with them the forces on them, at an arm of 1 m
    turned = 0.0 if exact else case.largest_force * 0.5 * case.turning * np.diff(case.motion.time)[:, None] / size
    return worst(np.abs(needed - recorded) / size, share + turned, case.motion.figure.dofs)


def _mean_joint_forces(case: Case) -> Worst:
    needed, recorded = _required(case)
    total = float((recorded**2).sum())
    if not total > (1e-9 * case.weight) ** 2:
        raise NotMeasured("all joint forces are 0")
    return Worst(abs(float((needed * recorded).sum()) / total - 1.0), TAU_MEAN, None, "all joint forces")


def _root(case: Case) -> Worst:
    if not case.roots or "tau" not in case.motion.channels:
        raise NotMeasured("no force of a free root was recorded")
    if case.prescribed_root:
        raise NotMeasured("the root is prescribed: forces on it are part of the simulation")
    size = np.linalg.norm(case.root_forces[..., 3:], axis=-1) / case.weight
    return worst(size, ROOT_FORCE, [case.motion.figure.joints[i].name for i in case.roots])


def _intervals(case: Case) -> np.ndarray:
    """Time from each frame to the next [s] (frames, 1); that of the last interval once more for the last frame."""
    h = np.diff(case.motion.time)
    return (np.append(h, h[-1]) if len(h) else np.ones(1))[:, None]


def _pull(case: Case) -> Worst:
    found = case.ground_contacts
    return worst(np.maximum(-found.pushing, 0.0) / case.weight, PULL / _intervals(case), found.names)


def _cone(case: Case) -> Worst:
    found = case.ground_contacts
    excess = found.sliding - case.friction[found.which] * np.maximum(found.pushing, 0.0)
    return worst(np.maximum(excess, 0.0) / case.weight, SLIP / _intervals(case), found.names)


def _place(case: Case) -> Worst:
    found = case.ground_contacts
    loaded = np.linalg.norm(found.force, axis=-1) > MIN_FORCE * case.weight
    near = 2.0 * float(case.half_travel.max())  # displacement of the figure in an interval
    return worst(np.where(loaded, np.abs(found.gap), 0.0), AT_GROUND + BELOW_GROUND * 0.5 + near, found.names)


def _below(case: Case) -> Worst:
    m, surface = case.motion, case.ground
    poses, marks = link_poses(m.figure, m.q), {k.name: k for k in m.figure.markers if hasattr(k, "point")}
    wanted = [marks[r.feature] for r in contacts_of(m) if r.on == "ground" and r.feature in marks]
    if not wanted:
        raise NotMeasured("no contact marker of the figure is known")
    points = np.stack([poses.point(m.figure.link_index(k.link), k.point) for k in wanted], 1)
    return worst(np.maximum(-distances(surface, points)[0], 0.0), BELOW_GROUND, [k.name for k in wanted])


def _attached(case: Case) -> Worst:
    m = case.motion
    if "contact" not in m.channels or "contact_point" not in m.channels:
        raise NotMeasured("the channel 'contact_point' was not recorded")
    marks = {k.name: k for k in m.figure.markers if hasattr(k, "point")}
    records = contacts_of(m)
    which = [k for k, r in enumerate(records) if r.feature in marks and marks[r.feature].link == r.link]
    if not which:
        raise NotMeasured("no contact marker of the figure is known")
    at, poses = case.states, case.poses
    own = [poses.point(m.figure.link_index(records[k].link), marks[records[k].feature].point) for k in which]
    points = np.stack(own, 1)
    error = np.linalg.norm(at.channels["contact_point"][:, which] - points, axis=-1)
    travel = np.linalg.norm(np.diff(points, axis=0, append=points[-1:]), axis=-1)
    near = np.maximum(travel, np.concatenate([travel[:1], travel[:-1]]))
    return worst(error, AT_GROUND + BELOW_GROUND + near, [records[k].name for k in which])


LAWS: tuple[Law, ...] = (
    Law("momentum", "change of momentum is gravity plus all forces, in every frame", "weight", _linear),
    Law("mean momentum", "change of momentum is gravity plus all forces, over all frames", "weight", _mean_linear),
    Law("angular momentum", "change of angular momentum is the moment of all forces", "weight m", _angular),
    Law("mean angular momentum", "the law of angular momentum over all frames", "weight m", _mean_angular),
    Law("joint forces", "tau is the result of inverse dynamics, in every frame", "share", _joint_forces),
    Law("mean joint forces", "tau is the result of inverse dynamics, over all frames", "share", _mean_joint_forces),
    Law("root force", "no force acts on a free root", "weight", _root),
    Law("no pull", "no contact force pulls the figure to the ground", "weight", _pull),
    Law("friction", "tangential forces are within the friction cone", "weight", _cone),
    Law("contact place", "contact forces act at the ground", "m", _place),
    Law("contact point", "contact points are at their links", "m", _attached),
    Law("below ground", "no contact point of a link is below the ground", "m", _below),
)
