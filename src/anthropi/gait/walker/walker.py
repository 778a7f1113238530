"""A figure that walks by itself: forces at its joints, the ground under its feet, and nothing at its root.

`clock.py` says where in a step it is, `now.py` what it knows, `placing.py` where the next foot goes, `aiming.py` where
every joint is aimed, `bearing.py` how the legs that stand bear the body. On its curve a walk that is the reference's
has no errors: feedback shapes nothing, it only brings back. All of it is a pure function with memory, inside the step's
kernel; every number is a parameter, so thousands of walkers differ by numbers alone. Laws: after SIMBICON (Yin and
others 2007), feet placed by the capture point as people do (Hof 2008), steps timed by it (Khadiv and others 2016).
"""

import numpy as np

from anthropi.algebra.scalar import less, maximum, where
from anthropi.errors import InputError
from anthropi.gait.walker.aiming import aims, targets
from anthropi.gait.walker.aims import MIDDLE, SIDED
from anthropi.gait.walker.bearing import bearing
from anthropi.gait.walker.clock import FIRST, advanced
from anthropi.gait.walker.now import Now, foot_load, read_now
from anthropi.gait.walker.placing import hurry, placing, settled
from anthropi.gait.walker.sight import Sight
from anthropi.simulation.drive import Drive

__all__ = ["Walker"]


class Walker:
    """A controller of a standard human figure. parameters : {name: (3, …)}, as `load_walker` reads them. sight : its
    eyes on the ground (`sight.Sight`), if it has any."""

    prescribed: tuple[str, ...] = ()

    def __init__(self, figure, parameters: dict, sight: Sight | None = None):
        names = {joint.name for joint in figure.joints}
        lacks = [n for n in (*MIDDLE, *(f"{side}_{name}" for side in "lr" for name in SIDED)) if n not in names]
        if lacks:
            raise InputError(
                f"Figure '{figure.name}' has no joint '{lacks[0]}': a Walker moves ap.human(detail='standard')."
            )
        self.parameters = {name: np.asarray(x, float) for name, x in parameters.items()}
        self.sight = sight
        self.memory = {name: np.array(x) for name, x in FIRST.items()} | ({} if sight is None else sight.memory)

    def __call__(self, figure, sense, memory, parameters):
        """What drives the figure now, and what to remember."""
        now, seen = self.look(figure, sense, memory, parameters)
        drive, after = drive_of(now, memory)
        return drive, after | seen

    def look(self, figure, sense, memory, parameters) -> tuple[Now, dict]:
        """What it knows, and what its eyes remember."""
        now = read_now(figure, sense, memory, parameters)
        return (now, {}) if self.sight is None else self.sight(now, memory)


def drive_of(now: Now, memory):
    """The law: (`Drive`, memory)."""
    place, (aimed, pelvis) = placing(now), aims(now)
    target, kp, kd = targets(now, aimed, pelvis, place)
    return Drive(tau=bearing(now, pelvis, target), target=target, kp=kp, kd=kd), _after(now, memory)


def _rose(now: Now):
    """[m] how much higher than told the foot in the air is over the one that stands, of a body of 1.75 m."""
    place = now.sense.kinematics.position
    left, right = (place[now.figure.link_index(f"{side}_foot")][2] for side in "lr")
    over = where(less(0.5, now.clock.left), right - left, left - right)
    return (over - now.told.rise) / now.size.length


def _after(now: Now, memory) -> dict:
    """Memory a moment later."""
    p, left, time = now.p, now.clock.left, now.size.time
    air = where(less(0.5, left), *(foot_load(now.figure, now.sense, side) for side in "rl"))
    step = p["step"] * time * (1.0 + p["asymmetry"] * (2.0 * left - 1.0))
    shift, s, speed = p["shift"][2:5]
    return advanced(memory, now.clock, now.told, now.sense.t, step=step, hurry=hurry(now), air=air,
                    settled=settled(now), rose=_rose(now), brake=maximum(p["brake"], 0.5),
                    shift_time=maximum(shift, 0.05) * time, first_s=s,
                    first_speed=speed * time)  # fmt: skip
