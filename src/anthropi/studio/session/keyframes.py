"""Handlers for keyframes: set, move and remove keys, and compute the motion through them."""

from typing import Any

import numpy as np

from anthropi.errors import InputError, StateError
from anthropi.motion.keyframes import Keyframes, configuration
from anthropi.motion.motion import Motion
from anthropi.studio import messages as m
from anthropi.studio.project.state import FigureItem
from anthropi.studio.session.figures import edited
from anthropi.studio.session.session import StudioSession, handles
from anthropi.studio.session.tasks import Task

__all__ = ["interpolate", "keyframes_of"]

TIME_TOLERANCE = 1e-6  # [s] within which two keys are at the same time
FRAME_RATE = 100.0  # [1/s] frame rate of the computed motion


def _pose(item: FigureItem, q: Any) -> dict[str, float]:
    """Return the coordinates of all degrees of freedom at q (nq,), by name."""
    figure = item.figure
    found: dict[str, float] = {}
    for i, joint in enumerate(figure.joints):
        if joint.nu:
            x = np.asarray(joint.coordinates(np.asarray(q)[figure.q_of[i]]), float)
            found |= dict(zip(joint.dofs, x.tolist(), strict=True))
    return found


@handles(m.SetKey)
def set_key(session: StudioSession, command: m.SetKey) -> None:
    """Set a keyframe at a time."""
    item = session.project.item(command.figure)
    values = dict(command.values)
    for name in values:
        item.figure.dof_indices([name])
    if command.motion is not None:
        motion = session.project.motion_item(command.motion).onto(item)
        at = command.time if command.at is None else command.at
        values = _pose(item, motion.at(min(max(at, motion.time[0]), motion.time[-1])).q) | values
    if not values:
        values = _pose(item, item.state.q)
    old = [k for k in item.keys if abs(k.time - command.time) < TIME_TOLERANCE]
    merged = (old[0].values | values) if old and command.values else values
    kept = [k for k in item.keys if k not in old]
    keys = tuple(sorted([*kept, m.Key(command.time, merged)], key=lambda k: k.time))
    edited(session, item.changed(keys=keys), f"key at {command.time:g} s")


def _key(item: FigureItem, time: float) -> m.Key:
    for key in item.keys:
        if abs(key.time - time) < TIME_TOLERANCE:
            return key
    known = ", ".join(f"{key.time:g} s" for key in item.keys) or "none"
    raise InputError(f"Figure '{item.figure.name}' has no key at {time:g} s. Keys: {known}.")


@handles(m.MoveKey)
def move_key(session: StudioSession, command: m.MoveKey) -> None:
    """Move a key to another time."""
    item = session.project.item(command.figure)
    key = _key(item, command.time)
    if any(k is not key and abs(k.time - command.to) < TIME_TOLERANCE for k in item.keys):
        raise InputError(f"There is already a key at {command.to:g} s. Remove it first.")
    for name in command.values:
        item.figure.dof_indices([name])
    moved = m.Key(command.to, key.values | command.values)
    keys = [moved if k is key else k for k in item.keys]
    edited(session, item.changed(keys=tuple(sorted(keys, key=lambda k: k.time))), "move key")


@handles(m.ShowKey)
def show_key(session: StudioSession, command: m.ShowKey) -> None:
    """Set the initial pose to that of a key. Looking at several keys in turn is undone as one edit."""
    item = session.project.item(command.figure)
    q = configuration(item.figure, _key(item, command.time).values, item.state.q)
    if not np.array_equal(q, item.state.q):
        edited(session, item.with_state(q), f"show keys of '{item.figure.name}'", False)


@handles(m.RemoveKey)
def remove_key(session: StudioSession, command: m.RemoveKey) -> None:
    """Remove a key."""
    item = session.project.item(command.figure)
    key = _key(item, command.time)
    edited(session, item.changed(keys=tuple(k for k in item.keys if k is not key)), f"remove key at {command.time:g} s")


def keyframes_of(item: FigureItem, setting: m.KeysSetting) -> Keyframes:
    """Return the keys of a figure as `Keyframes`. A key of one degree of freedom is extended to its whole joint."""
    if len(item.keys) < 2:
        raise StateError(
            f"Figure '{item.figure.name}' has {len(item.keys)} keys; a motion needs at least two. Set more keys."
        )
    keys = {key.time: key.values for key in item.keys}
    return Keyframes(item.figure, keys, item.state.q, ends=setting.ends, rotations=setting.turned)


@handles(m.Interpolate)
def interpolate(session: StudioSession, command: m.Interpolate) -> m.TaskStarted:
    """Start a task that computes the motion through the keys of a figure."""
    item = session.project.item(command.figure)
    setting = m.KeysSetting(command.ends, command.turned)
    frames = keyframes_of(item, setting)
    if setting != session.project.keys_setting:
        session.put(session.project.changed(keys_setting=setting))

    def compute(task: Task) -> None:
        first, last = float(frames.times[0]), float(frames.times[-1])
        times = np.linspace(first, last, max(2, round((last - first) * FRAME_RATE) + 1))
        found = frames(times)
        motion = Motion(
            item.figure,
            times,
            np.asarray(found.q, float),
            np.asarray(found.u, float),
            {"udot": np.asarray(found.udot, float)},
        )
        session.add_motion(
            motion, "motion through keys", "keys", item.number, world=session.project.world, task=task.number
        )

    return m.TaskStarted(session.tasks.start("interpolate keys", compute))
