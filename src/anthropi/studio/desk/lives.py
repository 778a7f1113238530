"""Commands to a live run, and by hand when nothing runs."""

import numpy as np

from anthropi.errors import StateError
from anthropi.studio import messages as m
from anthropi.studio.desk.dofs import place_in_world
from anthropi.studio.desk.figures import edited
from anthropi.studio.desk.handlers import at_once, does
from anthropi.studio.desk.worlds import set_ground
from anthropi.studio.live.run import Run
from anthropi.studio.live.things import Moving, Walking
from anthropi.studio.reaching import reach

__all__ = ["live_start"]

PINNED = 5.0  # how much more a pinned link counts than the one that is pulled


def _run(desk) -> Run:
    if desk.live is None:
        raise StateError("Nothing runs live. Start it first.")
    return desk.live


@does(m.LiveStart)
def live_start(desk, command) -> m.LiveStarted:
    """Begin to simulate."""
    if desk.live is not None:
        desk.live.stop()
    thing: Moving | Walking
    if command.dynamics == "walk":
        thing = Walking(desk.project, command.figure, command.speed, command.style, command.start)
    else:
        desk.project.item(command.figure)
        thing = Moving(desk.project, command.dynamics == "contact", None)
    desk.number_of_runs += 1
    run = Run(desk, desk.number_of_runs, thing)
    desk.live = run
    if desk.project.shown is not None:
        desk.put(desk.project.changed(shown=None))
    desk.emit(run.view())
    run.start()
    return m.LiveStarted(run.number, thing.numbers() if isinstance(thing, Walking) else ())


@at_once(m.FrameSeen)
def frame_seen(desk, _) -> None:
    """For the server, which knows whose frames these are."""


@at_once(m.LivePause)
def live_pause(desk, command) -> None:
    """Pause or go on."""
    _run(desk).pause(command.paused)


@does(m.LiveStop)
def live_stop(desk, command) -> None:
    """End the run."""
    _run(desk).stop(command.keep)


@at_once(m.LivePace)
def live_pace(desk, command) -> None:
    """How fast time goes."""
    _run(desk).set_pace(command.pace)


@does(m.LiveWalk)
def live_walk(desk, command) -> None:
    """What the walker does from now on."""
    run = _run(desk)
    told = {n: getattr(command, n) for n in ("go", "speed", "style", "turn", "heading")}
    run.walk(**{n: x for n, x in told.items() if x is not None})
    if command.ground is not None:
        set_ground(desk, m.SetGround(command.ground))


@at_once(m.DragLink)
def drag_link(desk, command) -> None:
    """A hand on a link."""
    _run(desk).hold(command.figure, command.link, command.point, command.target, command.stiffness)


@at_once(m.ReleaseLink)
def release_link(desk, _) -> None:
    """Let go."""
    if desk.live is not None:
        desk.live.release()


@at_once(m.Impulse)
def impulse(desk, command) -> None:
    """A blow on a link."""
    _run(desk).blow(command.figure, command.link, command.point, command.impulse)


@does(m.PoseLink)
def pose_link(desk, command) -> None:
    """Bring a point of a link to a place by inverse kinematics. What is pinned stays; the root does, if nothing is."""
    item = desk.project.item(command.figure)
    figure = item.figure
    figure.link_index(command.link)
    grips = [(command.link, np.array(command.point), np.array(command.target), 1.0)]
    for link in command.pinned:
        grips.append((link, np.zeros(3), place_in_world(item, link, (0.0, 0.0, 0.0)), PINNED))
    root = figure.joints[0]
    still = (root.name,) if root.nu and not command.pinned and figure.link_index(command.link) else ()
    edited(desk, item.with_state(reach(figure, item.state.q, grips, still)), f"pose '{command.link}'", command.done)
