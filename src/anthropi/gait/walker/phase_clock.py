"""Where in the gait is a walker? A small machine of gears and steps, kept in memory.

gear 0 stands, 1 walks. A step is told by the leg that stands (side 0 left, 1 right) and s, 0 at its strike:
s' = (1 + hurry) / T                                                                                          (1)
phase φ = ½ min(s, 1.1) + ½ side + lag; at a strike the lag takes up what φ would jump by, and dies in 50 ms  (2)
strike when the swinging foot carries 20 N after s = 0.6, or at s = 1.6                                       (3)
speed and heading follow what is told, no faster than a person can                                            (4)
    stop: from the second strike after it was told, it stands at a strike that finds it slow enough and its feet
    settled, and steps in place until then; start: it shifts its weight over the left foot, then walks with that
    foot standing                                                                                                 (5)
    wary: 1 when the swinging foot scuffs, or strikes on higher ground than it was told; it fades in 4 s          (6)
    climbed: how high the foothold that it stands on was told to be, until the next strike                        (7)
"""

from typing import Any, NamedTuple

from anthropi.algebra.scalar import clip, less, maximum, minimum, where

__all__ = ["FIRST", "Clock", "advanced", "read_clock"]

CONTACT_LOAD = 20.0  # [N]
EARLY, LATE, FADES = 0.6, 1.6, 0.05  # (2), (3)
FASTER, SLOWER, TURNS, EASES = 0.7, 1.5, 0.6, 0.25  # (4) [m/s²], [m/s²], [rad/s], [s] in which a turn ends
RISES, FALLS = 0.3, 0.15  # [s] in which a walker comes to stand, and leaves it
PACE = 0.7  # [m/s] slower, feet may touch
SCUFF, ROSE, WARY = (0.3, 0.6), 0.012, 4.0  # (6): of s; [m]; [s]
SLOW = 0.25  # [m/s] at which a walker may stand
LONGEST = 0.01  # [s] between two calls
FIRST = {"gear": 1.0, "side": 0.0, "s": 0.0, "lag": 0.0, "speed": 1.3, "heading": 0.0, "stand": 0.0, "shift": 0.0,
         "still": 0.0, "wary": 0.0, "climbed": 0.0, "last": 0.0, "steps": 0.0}  # fmt: skip


class Clock(NamedTuple):
    """What memory and time tell: dt [s]; step s, at most 1.1; phase φ; left: 1.0 where the left leg stands, else 0.0;
    speed [m/s], heading [rad] as they are aimed at now, turning [rad/s]; stand, shift, wary: 0 to 1; climbed
    [m]."""

    dt: Any
    s: Any
    phase: Any
    left: Any
    speed: Any
    heading: Any
    turning: Any
    stand: Any
    shift: Any
    wary: Any
    climbed: Any


def read_clock(memory, t, told) -> Clock:
    """The clock at a time [s]."""
    s = minimum(memory["s"], 1.1)
    goes = _one(less(0.5, told.go)) * _one(less(0.5, memory["gear"]))  # nobody turns on two feet that stand
    turning = goes * clip((told.heading - memory["heading"]) / EASES, -TURNS, TURNS)  # (4)
    phase = 0.5 * s + 0.5 * memory["side"] + memory["lag"]  # (2)
    return Clock(clip(t - memory["last"], 0.0, LONGEST), s, phase, 1.0 - memory["side"], memory["speed"],
                 memory["heading"], turning, memory["stand"],
                 memory["shift"], memory["wary"], memory["climbed"])  # fmt: skip


def advanced(
    memory, clock: Clock, told, t, *, step, hurry, air, settled, rose, brake, shift_time, first_s, first_speed
) -> dict:
    """Memory after this instant.

    step : T [s]; air : what the swinging foot carries [N]; settled : 1.0 where it may stand, else 0.0; shift_time,
    first_s, first_speed : of the start (5); rose : [m] how much higher than told the swinging foot is; brake :
    [m/s²] to a stop.
    """
    dt, walks = clock.dt, _one(less(0.5, memory["gear"]))
    s = memory["s"] + dt * (1.0 + hurry) / step  # (1)
    touches = _one(less(CONTACT_LOAD, air)) * _one(less(EARLY, s))
    strike = walks * maximum(touches, _one(less(LATE, s)))  # (3)
    trips = walks * _one(less(CONTACT_LOAD, air)) * _one(less(SCUFF[0], s)) * _one(less(s, SCUFF[1]))  # (6)
    alarm = _one(less(PACE, memory["speed"])) * maximum(trips, strike * _one(less(ROSE, rose)))
    wary = maximum(memory["wary"] * (1.0 - dt / WARY), alarm)
    went = memory["lag"] * (1.0 - minimum(dt / FADES, 1.0))
    lag = where(less(0.5, strike), 0.5 * minimum(s, 1.1) + went - 0.5, went)  # (2)
    go = _one(less(0.5, told.go))
    slower = SLOWER * go + brake * (1.0 - go)
    speed = memory["speed"] + clip(told.speed * go - memory["speed"], -slower * dt, FASTER * dt)  # (4)
    still = (memory["still"] + strike) * (1.0 - go)
    rests = _one(less(1.5, still)) * _one(less(speed, SLOW)) * settled * strike  # (5)
    shift = (1.0 - walks) * clip(memory["shift"] + (2.0 * go - 1.0) * dt / shift_time, 0.0, 1.0)
    leaves = (1.0 - walks) * _one(less(0.999, shift))
    stays = 1.0 - leaves
    side = where(less(0.5, strike), 1.0 - memory["side"], memory["side"])
    stand = clip(memory["stand"] + where(less(0.5, walks), -dt / FALLS, dt / RISES), 0.0, 1.0)
    return {"gear": clip(memory["gear"] - rests + leaves, 0.0, 1.0), "side": stays * side,
            "s": stays * s * (1.0 - strike) + leaves * first_s, "lag": stays * lag,
            "speed": stays * speed + leaves * first_speed, "heading": memory["heading"] + clock.turning * dt,
            "stand": stand, "shift": stays * shift, "still": still * (1.0 - rests), "wary": wary,
            "climbed": where(less(0.5, strike), told.rise, memory["climbed"]),
            "last": t + 0.0, "steps": memory["steps"] + strike}  # fmt: skip


def _one(mask):
    return where(mask, 1.0, 0.0)
