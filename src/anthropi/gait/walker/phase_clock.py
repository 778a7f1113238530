"""Phase clock of a walker: gear, stance side, step progress, desired speed and heading, kept in memory.

The gear is 0 (standing) or 1 (walking). A step is described by the leg in stance (side: 0 left, 1 right) and its
progress s, which is 0 at the strike of that leg:

    progress   s' = (1 + hurry) / T                                                                               (1)
    phase      φ = ½ min(s, 1.1) + ½ side + lag. At a strike the lag absorbs the jump of φ; it decays in 50 ms    (2)
    strike     when the swing foot bears 20 N after s = 0.6, or at s = 1.6                                        (3)
    command    desired speed and heading follow the command at bounded rates                                      (4)
    gear       stop: the walker steps in place until it is slow and its feet are settled at a strike, at the
               earliest the second strike after the command; then it stands.
               start: the weight shifts over the left foot, then the right leg makes the first step               (5)
    caution    wary = 1 when the swing foot scuffs or strikes higher than commanded; it decays in 4 s             (6)
    foothold   climbed = commanded rise of the foothold in stance, until the next strike                          (7)

The constants are fields of `settings.ClockSettings`. All functions can be recorded on a tape.
"""

from typing import Any, NamedTuple

from anthropi.algebra.scalar import clip, less, maximum, minimum, where
from anthropi.gait.walker.command import Command
from anthropi.gait.walker.settings import ClockSettings

__all__ = ["FIRST_MEMORY", "MAX_PROGRESS", "Clock", "ClockInputs", "advance_clock", "read_clock"]

MAX_PROGRESS = 1.1  # upper bound of s in the phase (2)
FIRST_MEMORY = {
    "gear": 1.0,
    "side": 0.0,
    "s": 0.0,
    "lag": 0.0,
    "speed": 1.3,
    "heading": 0.0,
    "stand": 0.0,
    "shift": 0.0,
    "still": 0.0,
    "wary": 0.0,
    "climbed": 0.0,
    "last": 0.0,
    "steps": 0.0,
}
"""Initial memory of a walker that starts within its gait: {name: number}. "still" counts strikes since the command to
stop, "last" is the time of the last call [s], and "steps" counts all strikes."""


class Clock(NamedTuple):
    """State of the phase clock at one instant.

    Attributes
    ----------
    dt : time since the last call [s].
    s : progress of the step, at most 1.1.
    phase : phase φ of the gait cycle [cycles] (eq. 2).
    left : 1.0 if the left leg is in stance, else 0.0.
    speed, heading, turning : desired speed [m/s], desired heading [rad] and its rate [rad/s] (eq. 4).
    stand : 0 for walking to 1 for standing.
    shift : 0 to 1, weight shift over the left foot before the first step (eq. 5).
    wary : caution, 0 to 1 (eq. 6).
    climbed : rise of the foothold in stance [m] (eq. 7).
    """

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


class ClockInputs(NamedTuple):
    """Inputs of the phase clock from the control law.

    Attributes
    ----------
    step : duration T of the step [s].
    hurry : relative change of the step rate (eq. 1).
    swing_load : load of the swing foot [N].
    settled : 1.0 if the position of the feet allows standing, else 0.0.
    unexpected_rise : height of the swing foot above the commanded foothold [m].
    brake : deceleration after the command to stop [m/s²].
    shift_time : duration of the weight shift [s].
    first_s, first_speed : progress and speed [m/s] at the beginning of the first step.
    """

    step: Any
    hurry: Any
    swing_load: Any
    settled: Any
    unexpected_rise: Any
    brake: Any
    shift_time: Any
    first_s: Any
    first_speed: Any


def read_clock(memory: dict[Any, Any], t: Any, command: Command, settings: ClockSettings | None = None) -> Clock:
    """Read the state of the clock from memory at time t [s]."""
    own = settings or ClockSettings()
    s = minimum(memory["s"], MAX_PROGRESS)
    walks = _one(less(0.5, command.go)) * _one(less(0.5, memory["gear"]))  # no turning while standing on both feet
    turn = (command.heading - memory["heading"]) / own.turn_time
    return Clock(
        dt=clip(t - memory["last"], 0.0, own.max_interval),
        s=s,
        phase=0.5 * s + 0.5 * memory["side"] + memory["lag"],  # (2)
        left=1.0 - memory["side"],
        speed=memory["speed"],
        heading=memory["heading"],
        turning=walks * clip(turn, -own.turn_rate, own.turn_rate),  # (4)
        stand=memory["stand"],
        shift=memory["shift"],
        wary=memory["wary"],
        climbed=memory["climbed"],
    )


def advance_clock(
    memory: dict[Any, Any],
    clock: Clock,
    command: Command,
    t: Any,
    inputs: ClockInputs,
    settings: ClockSettings | None = None,
) -> dict[Any, Any]:
    """Advance the clock: return the memory after the instant t [s]."""
    own = settings or ClockSettings()
    dt, walks = clock.dt, _one(less(0.5, memory["gear"]))
    s = memory["s"] + dt * (1.0 + inputs.hurry) / inputs.step  # (1)
    contact = _one(less(own.contact_load, inputs.swing_load))
    strike = walks * maximum(contact * _one(less(own.earliest_strike, s)), _one(less(own.latest_strike, s)))  # (3)
    lag = memory["lag"] * (1.0 - minimum(dt / own.lag_time, 1.0))
    lag = where(less(0.5, strike), 0.5 * minimum(s, MAX_PROGRESS) + lag - 0.5, lag)  # (2)
    side = where(less(0.5, strike), 1.0 - memory["side"], memory["side"])

    scuff = walks * contact * _one(less(own.scuff_window[0], s)) * _one(less(s, own.scuff_window[1]))  # (6)
    higher = strike * _one(less(own.unexpected_rise, inputs.unexpected_rise))
    alarm = _one(less(own.scuff_speed, memory["speed"])) * maximum(scuff, higher)
    wary = maximum(memory["wary"] * (1.0 - dt / own.caution_time), alarm)

    go = _one(less(0.5, command.go))
    slower = own.deceleration * go + inputs.brake * (1.0 - go)
    change = clip(command.speed * go - memory["speed"], -slower * dt, own.acceleration * dt)
    speed = memory["speed"] + change  # (4)

    still = (memory["still"] + strike) * (1.0 - go)
    rests = _one(less(1.5, still)) * _one(less(speed, own.stop_speed)) * inputs.settled * strike  # (5)
    shift = (1.0 - walks) * clip(memory["shift"] + (2.0 * go - 1.0) * dt / inputs.shift_time, 0.0, 1.0)
    leaves = (1.0 - walks) * _one(less(0.999, shift))
    stays = 1.0 - leaves
    blend = where(less(0.5, walks), -dt / own.leave_time, dt / own.stand_time)
    return {
        "gear": clip(memory["gear"] - rests + leaves, 0.0, 1.0),
        "side": stays * side,
        "s": stays * s * (1.0 - strike) + leaves * inputs.first_s,
        "lag": stays * lag,
        "speed": stays * speed + leaves * inputs.first_speed,
        "heading": memory["heading"] + clock.turning * dt,
        "stand": clip(memory["stand"] + blend, 0.0, 1.0),
        "shift": stays * shift,
        "still": still * (1.0 - rests),
        "wary": wary,
        "climbed": where(less(0.5, strike), command.rise, memory["climbed"]),  # (7)
        "last": t + 0.0,
        "steps": memory["steps"] + strike,
    }


def _one(mask: Any) -> Any:
    """Return 1.0 where a mask is true, else 0.0."""
    return where(mask, 1.0, 0.0)
