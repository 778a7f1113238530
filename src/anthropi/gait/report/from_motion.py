"""Conversion of a motion to a gait record. Works on plain floats only; cannot be recorded on a tape.

The x axis of the record is the direction of walking. This is the direction in which the pelvis travels over the whole
motion, or the direction that it faces if it stays in place. Joint moments are internal moments from the channel "tau",
divided by body mass, with the signs of the norm. For a ball joint, the component in the child's frame is used:

    hip extension  τ_y,   hip abduction  ±τ_x (left +),   knee extension  -τ,   ankle plantarflexion  -τ        (1)

Sole points are used only if they are on feet, because points on a shank would slide with every step. For figures
without feet, the channel "foot_error" (frames, 2) gives the distance of the stance foot from its footprint.

The force on a foot comes from the channel "f_ground" (frames, 2, 3), left then right, or from the channel "contact",
which contains the force of each contact of a scene.
"""

import warnings
from typing import Any

import numpy as np

from anthropi.entry import inverse_dynamics, kinematics
from anthropi.errors import InputError, MissingContactWarning
from anthropi.figure.human.build import sole_markers
from anthropi.gait.reference.gait_angles import gait_angles, leg_length
from anthropi.gait.report.foot_events import from_events
from anthropi.gait.report.record import SIDES, GaitRecord
from anthropi.motion import Motion
from anthropi.motion.contacts import ContactRecord, contact_wrenches, contacts_of, interval_means, mean_states

__all__ = ["foot_forces", "heading_of", "missing_force", "of_motion"]

MAX_TURN = np.radians(60.0)  # largest angle of the pelvis to the direction of walking; about 10° in people
MIN_TRAVEL = 0.5  # [m]; a walk that travels less is taken as a treadmill walk
MAX_UNEXPLAINED = 0.1  # share of the weight at the root above which the ground force is missing
FEET = ("foot", "toes", "shank", "leg")  # links of a side with ground contact
MOMENTS: dict[Any, Any] = {  # (1): name: (joint, dof of a hinge or axis of a ball, sign left, sign right)
    "hip_extension": ("hip", ("y",), 1.0, 1.0),
    "hip_abduction": ("hip", ("x",), 1.0, -1.0),
    "knee_extension": ("knee", ("", "y"), -1.0, -1.0),
    "ankle_plantarflexion": ("ankle", ("dorsiflexion",), -1.0, -1.0),
}


def of_motion(motion: Motion) -> GaitRecord:
    """Return the gait record of a motion of a human figure. The motion must have a single rollout."""
    if not isinstance(motion, Motion):
        raise InputError(f"gait_report needs a Motion or a GaitRecord; got {type(motion).__name__}.")
    if motion.q.ndim != 2:
        raise InputError(
            f"A gait report needs a single rollout; this motion has {len(motion.q)}. Use motion.rollout(0)."
        )
    if len(motion) < 3:
        raise InputError(f"A gait report needs at least 3 frames; this motion has {len(motion)}.")
    figure, q = motion.figure, np.asarray(motion.q, float)
    angles = {side: gait_angles(figure, q, side) for side in SIDES}  # raises an error for figures without legs
    k = kinematics(figure, q)
    places, pelvis = k.marker("mid_hip"), k.link(figure.marker("mid_hip").link).rotation
    heading = heading_of(places, pelvis)
    _ahead(motion.time, pelvis, heading)
    if abs(heading) > 1e-9:
        angles = {side: gait_angles(figure, q, side, heading) for side in SIDES}
    c, s = np.cos(heading), np.sin(heading)
    turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    soles = {
        side: [m.name for m in sole_markers(figure) if m.link in (f"{side}_foot", f"{side}_toes")] for side in SIDES
    }
    error = motion.channels.get("foot_error")
    events = {side: times for side in SIDES if (times := from_events(motion.events, side)) is not None}
    residual = motion.channels.get("residual")
    if residual is None and motion.tau is not None and _root(figure) == 6:
        residual = motion.tau[:, :6]  # the root of a free figure has no drive
    residual = residual if residual is not None and residual.shape[1:] == (6,) else None
    missing = missing_force(motion, residual)
    return GaitRecord(
        motion.time,
        float(figure.mass),
        leg_length(figure),
        angles,
        figure.name,
        _arms(figure, k),
        place=places @ turn.T,
        force=foot_forces(motion, turn),
        moments=None if missing else _moments(motion),
        power=None if missing else _power(motion),
        heel={side: k.marker(f"{side}_heel") @ turn.T for side in SIDES},
        toe={side: k.marker(f"{side}_toe_tip") @ turn.T for side in SIDES},
        soles={side: np.stack([k.marker(name) for name in soles[side]], 1) @ turn.T for side in SIDES}
        if all(soles.values())
        else None,
        off_print=None if error is None or error.shape[1:] != (2,) else {s: error[:, k] for k, s in enumerate(SIDES)},
        residual=residual,
        unbalanced=_unbalanced(motion),
        missing_force=missing,
        aid=_aid(motion),
        recorded=events if len(events) == len(SIDES) else None,
    )


def missing_force(motion: Motion, residual: np.ndarray | None) -> str:
    """Return why joint forces of a motion do not include the ground reaction, or "" if they do; warn if they do not.

    residual : (frames, 6) force [N] and moment [N m] at the root. If it carries part of the weight on average, no
    contact force did, and the forces in the legs are those of legs in the air. A foot as root takes the ground reaction
    itself.
    """
    figure, weight = motion.figure, motion.figure.mass * float(np.linalg.norm(motion.figure.gravity))
    if residual is None or figure.links[0].name.endswith(FEET[:2]) or not weight > 0.0:
        return ""
    share = float(np.mean(-residual[:, :3] @ np.asarray(figure.gravity, float))) * figure.mass / weight**2
    if not abs(share) > MAX_UNEXPLAINED:
        return ""
    why = f"no ground force: {100.0 * share:.0f} % of the weight is unexplained"
    warnings.warn(
        f"Joint forces of the motion of '{figure.name}' have {why}. Joint moments, power and work are not measured. "
        "Give the ground forces to ap.inverse_motion (f_ext), or record contacts (ap.walk, ap.simulate with a scene).",
        MissingContactWarning,
        stacklevel=4,
    )
    return why


def _power(motion: Motion) -> np.ndarray | None:
    """Return the power (frames, dofs) [W] of all dofs but the root's. Means over intervals use the mean velocity."""
    if motion.tau is None:
        return None
    means, u = interval_means(motion), motion.u
    if means is not None and "tau" in means.channels:
        u = np.concatenate([0.5 * (u[1:] + u[:-1]), u[-1:]])
    return (motion.tau * u)[:, _root(motion.figure) :]


def _unbalanced(motion: Motion) -> np.ndarray | None:
    """Return force and moment (frames, 6) at the root that recorded contact forces and torques do not explain.

    None if a motion holds no such forces as means over intervals.
    """
    means = interval_means(motion)
    if means is None or motion.tau is None or not contacts_of(motion) or motion.figure.joints[0].kind != "free":
        return None
    if not {"contact", "tau"} <= set(means.channels) or motion.figure.loops:
        return None
    at = mean_states(motion)
    needed = np.asarray(inverse_dynamics(motion.figure, at.q, at.u, at.udot, contact_wrenches(at, "intervals")))
    found = (needed - at.channels["tau"])[:, :6]
    return np.concatenate([found, found[-1:]])


def _aid(motion: Motion):
    """Return the external moments of aids (frames, aids, 3) [N m].

    The array has no aids for a walker without aid; the result is None if the aids are unknown.
    """
    aid = motion.channels.get("aid")
    if aid is None and "walker" in motion.metadata and not motion.metadata.get("aid"):
        return np.zeros((len(motion), 0, 3))
    return aid


def heading_of(places: np.ndarray, rotations: np.ndarray) -> float:
    """Return the direction of a walk: its angle about z from x [rad].

    places : (frames, 3) [m], positions of the pelvis. rotations : (frames, 3, 3), its rotation matrices, used if it
    hardly travels.
    """
    direction = (places[-1] - places[0])[:2]
    if np.linalg.norm(direction) < MIN_TRAVEL:
        direction = rotations[:, :2, 0].mean(0)
    return float(np.arctan2(direction[1], direction[0]))


def _ahead(time, rotations, heading: float) -> None:
    """Raise InputError if a walk goes backwards, sideways or round a curve."""
    aside = np.arctan2(rotations[:, 1, 0], rotations[:, 0, 0]) - heading
    aside = np.abs((aside + np.pi) % (2.0 * np.pi) - np.pi)
    worst = int(np.argmax(aside))
    if aside[worst] > MAX_TURN:
        raise InputError(
            f"At t = {time[worst]:g} s the pelvis faces {np.degrees(aside[worst]):.0f}° away from the direction of "
            "the whole motion, so this is a walk backwards, sideways or round a curve. The norms describe people who "
            "walk straight ahead. Select a straight part with motion.slice(start, end)."
        )


def _root(figure) -> int:
    """Return the number of velocity coordinates of the root joint."""
    return figure.joints[0].nu


def foot_forces(motion: Motion, turn: np.ndarray) -> dict[str, np.ndarray] | None:
    """Return the ground reaction forces {side: (…, frames, 3)} [N] on the feet; None if not recorded.

    turn : (3, 3), rotation matrix that is applied to the forces.
    """
    ground = motion.channels.get("f_ground")
    if ground is not None and ground.shape[motion.q.ndim - 1 :] == (2, 3):
        return {side: ground[..., i, :] @ turn.T for i, side in enumerate(SIDES)}
    force, contacts = motion.channels.get("contact"), contacts_of(motion)
    if force is None or not contacts:
        return None
    found = {}
    for side in SIDES:
        own = [k for k, contact in enumerate(contacts) if _is_foot(contact, side)]
        if not own:
            return None
        found[side] = force[..., own, :].sum(-2) @ turn.T
    return found


def _is_foot(contact: ContactRecord, side: str) -> bool:
    """Return whether a contact is between the foot of a side and the world."""
    words = f"{contact.link}.{contact.feature}"
    return contact.link.startswith(f"{side}_") and any(word in words for word in ("sole", *FEET))


def _moments(motion: Motion):
    """Return the joint moments (1), {side: {name: (frames,)}} [N m/kg]; None if "tau" was not recorded."""
    if motion.tau is None:
        return None
    dofs = motion.figure.dofs
    found: dict[str, dict[str, np.ndarray]] = {side: {} for side in SIDES}
    for name, (joint, axes, *signs) in MOMENTS.items():
        for side, sign in zip(SIDES, signs, strict=True):
            choices = [f"{side}_{joint}.{axis}" if axis else f"{side}_{joint}" for axis in axes]
            dof = next((d for d in choices if d in dofs), None)
            if dof is not None:
                found[side][name] = sign * motion.tau[:, dofs.index(dof)] / motion.figure.mass
    return found


def _arms(figure, k) -> dict[str, dict[str, np.ndarray]]:
    """Return the arm angles {side: {"shoulder", "elbow": (frames,)}} [rad]; empty for figures without arms.

    The shoulder angle is that between upper arm and trunk in the sagittal plane. The elbow angle is its flexion.
    """
    links, found = {link.name for link in figure.links}, {}
    trunk = k.link(figure.marker("sternum").link).rotation
    for side in SIDES:
        if not {f"{side}_upper_arm", f"{side}_forearm"} <= links:
            return {}
        upper, fore = (k.link(f"{side}_{name}").rotation for name in ("upper_arm", "forearm"))
        down = np.einsum("fji,fj->fi", trunk, -upper[:, :, 2])
        cosine = np.einsum("fi,fi->f", upper[:, :, 2], fore[:, :, 2])
        found[side] = {"shoulder": np.arctan2(down[:, 0], -down[:, 2]), "elbow": np.arccos(np.clip(cosine, -1.0, 1.0))}
    return found
