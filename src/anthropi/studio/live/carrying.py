"""From one structure to another: what stays of a state when a live run goes on with an edited figure. Floats only."""

import numpy as np

from anthropi.studio.live.stepper import Stepper

__all__ = ["carry_over", "controls"]


def controls(items) -> list:
    """What drives figures besides forces: what a kernel has in it."""
    return [(item.controls, item.drives, item.stops) for item in items]


def carry_over(old, before: Stepper, thing, stepper: Stepper) -> None:
    """Start a new structure where the old one is: joints of the same name and kind keep their state, a walker its
    memory."""
    state = before.simulation.state
    figure, was = thing.problem.figure, before.problem.figure
    q, u = np.array(thing.q), np.array(thing.u)
    places = {joint.name: i for i, joint in enumerate(was.joints)}
    for i, joint in enumerate(figure.joints):
        j = places.get(joint.name)
        if j is not None and was.joints[j].kind == joint.kind and was.joints[j].nq == joint.nq:
            q[figure.q_of[i]], u[figure.u_of[i]] = state.q[was.q_of[j]], state.u[was.u_of[j]]
    same = before.simulation.program.memory.shapes == stepper.simulation.program.memory.shapes
    stepper.start(q, u, state.memory if old.dynamics == "walk" and same else None, state.t)
