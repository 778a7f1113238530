"""How does a roach go through a list of orders? Each is a run of the same kernel that goes on where the last ended."""

from anthropi.contact.scene import Scene
from anthropi.errors import InputError
from anthropi.gait.roach.roach import Roach
from anthropi.motion import Motion
from anthropi.simulation.simulate import simulate

__all__ = ["roach_walk"]


def roach_walk(scene, orders, roach=None, *, start=None, every: int = 5, **options) -> Motion:
    """A walk in pure physics, contacts only.

    scene : a `Scene` of `ap.sample("roach")`, or the figure. orders : (seconds, speed [m/s], heading [rad]), one after
    another. roach : the controller; None: `Roach(figure)`. start : q, or a motion of this controller to go on from;
    None: at rest. options : of `ap.simulate`.
    """
    place = scene if isinstance(scene, Scene) else Scene(scene)
    own = Roach(place.figure) if roach is None else roach
    if not orders:
        raise InputError("roach_walk got no orders; give (seconds, speed [m/s], heading [rad])s.")
    now, parts = own.start() if start is None else start, []
    for seconds, speed, heading in orders:
        now = simulate(place, now, forces=own, duration=seconds, every=every, command=[speed, heading], **options)
        parts.append(now)
    return parts[0].then(*parts[1:])
