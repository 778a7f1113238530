"""From one structure to another: what stays of a state when a live run goes on with an edited figure. Floats only."""

import numpy as np

from anthropi.studio.live.stepper import Stepper

__all__ = ["carried", "controls"]


def controls(items) -> list:
    """What drives figures besides forces: what a kernel has in it."""
    return [(item.controls, item.drives, item.stops) for item in items]


def carried(old, before: Stepper, thing, stepper: Stepper, state) -> list:
    """The state of a new structure: joints of the same name and kind keep theirs, a walker its memory."""
    figure, was = thing.setting.figure, before.setting.figure
    q, u = np.array(thing.q), np.array(thing.u)
    places = {joint.name: i for i, joint in enumerate(was.joints)}
    for i, joint in enumerate(figure.joints):
        j = places.get(joint.name)
        if j is not None and was.joints[j].kind == joint.kind and was.joints[j].nq == joint.nq:
            q[figure.q_of[i]], u[figure.u_of[i]] = state[0][was.q_of[j]], state[1][was.u_of[j]]
    kept = old.dynamics == "walk" and len(state[2]) == len(stepper.first)
    return [q, u, state[2] if kept else stepper.first, state[3]]
