"""Keyframes: set, move, remove, and the motion through them."""

from dataclasses import replace

import numpy as np

from anthropi.errors import InputError, StateError
from anthropi.motion.keyframes import Keyframes
from anthropi.motion.motion import Motion
from anthropi.studio import messages as m
from anthropi.studio.project.state import Item
from anthropi.studio.session.figures import edited
from anthropi.studio.session.session import handles

__all__ = ["interpolate", "keyframes_of"]

SAME = 1e-6  # [s]
RATE = 100.0  # frames a second


def _pose(item: Item, q) -> dict[str, float]:
    """All degrees of freedom's coordinates by name."""
    figure = item.figure
    found: dict[str, float] = {}
    for i, joint in enumerate(figure.joints):
        if joint.nu:
            x = np.asarray(joint.coordinates(np.asarray(q)[figure.q_of[i]]), float)
            found |= dict(zip(joint.dofs, x.tolist(), strict=True))
    return found


@handles(m.SetKey)
def set_key(desk, command) -> None:
    """A key at a time."""
    item = desk.project.item(command.figure)
    values = dict(command.values)
    for name in values:
        item.figure.dof_indices([name])
    if command.motion is not None:
        made = desk.project.made(command.motion)
        if made.motion.figure.nq != item.figure.nq:
            raise InputError(f"Motion '{made.title}' is not of figure '{item.figure.name}'.")
        at = command.time if command.at is None else command.at
        values = _pose(item, made.motion.at(min(max(at, made.motion.time[0]), made.motion.time[-1])).q) | values
    if not values:
        values = _pose(item, item.state.q)
    old = [k for k in item.keys if abs(k.time - command.time) < SAME]
    merged = (old[0].values | values) if old and command.values else values
    kept = [k for k in item.keys if k not in old]
    keys = tuple(sorted([*kept, m.Key(command.time, merged)], key=lambda k: k.time))
    edited(desk, item.changed(keys=keys), f"key at {command.time:g} s")


def _key(item: Item, time: float) -> m.Key:
    for key in item.keys:
        if abs(key.time - time) < SAME:
            return key
    raise InputError(f"Figure '{item.figure.name}' has no key at {time:g} s.")


@handles(m.MoveKey)
def move_key(desk, command) -> None:
    """A key to another time."""
    item = desk.project.item(command.figure)
    key = _key(item, command.time)
    if any(k is not key and abs(k.time - command.to) < SAME for k in item.keys):
        raise InputError(f"There is a key at {command.to:g} s already. Remove it first.")
    keys = [replace(k, time=command.to) if k is key else k for k in item.keys]
    edited(desk, item.changed(keys=tuple(sorted(keys, key=lambda k: k.time))), "move key")


@handles(m.RemoveKey)
def remove_key(desk, command) -> None:
    """A key away."""
    item = desk.project.item(command.figure)
    key = _key(item, command.time)
    edited(desk, item.changed(keys=tuple(k for k in item.keys if k is not key)), f"remove key at {command.time:g} s")


def keyframes_of(item: Item, setting: m.KeysSetting) -> Keyframes:
    """The keys of a figure as `Keyframes`; each whole joint that a key names has a key then."""
    if len(item.keys) < 2:
        raise StateError(f"Figure '{item.figure.name}' has {len(item.keys)} keys; a motion needs two or more.")
    keys = {key.time: key.values for key in item.keys}
    return Keyframes(item.figure, keys, item.state.q, ends=setting.ends, turned=setting.turned)


@handles(m.Interpolate)
def interpolate(desk, command) -> m.TaskStarted:
    """A motion through the keys."""
    item = desk.project.item(command.figure)
    setting = m.KeysSetting(command.ends, command.turned)
    frames = keyframes_of(item, setting)
    if setting != desk.project.keys_setting:
        desk.put(desk.project.changed(keys_setting=setting))

    def compute(task) -> None:
        first, last = float(frames.times[0]), float(frames.times[-1])
        times = np.linspace(first, last, max(2, round((last - first) * RATE) + 1))
        found = frames(times)
        motion = Motion(item.figure, times, np.asarray(found.q, float), np.asarray(found.u, float),
                        {"udot": np.asarray(found.udot, float)})  # fmt: skip
        desk.add_motion(motion, "motion through keys", "keys", item.number, world=desk.project.world,
                        task=task.number)  # fmt: skip

    return m.TaskStarted(desk.tasks.start("interpolate keys", compute))
