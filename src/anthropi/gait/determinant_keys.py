"""When in a leg's cycle is its knee flexed, its heel up? Key instants of stance and swing, with their values.

With the stance fraction s of the plan, phases of the leg's own cycle (foot strike 0, foot off s):

    knee   extended 0, flexed 0.23 s, extended 0.65 s, flexed s, most flexed s + 0.28 (1 - s), extended 1           (1)
    foot   on the heel 0, flat 0.12 s to 0.5 s, on the forefoot s, level s + 0.6 (1 - s), toes up 1                 (2)

At s = 0.62 these are 14, 40, 62, 73 % and 7, 31, 62, 85 % of the cycle: where textbooks' curves of free walking have
them, to about 2 % (ours, read from no table). At foot off the knee is on its way to swing: 0.6 of the swing's flexion,
or the stance's own where that is off. Strike and foot off belong to both determinants: there both their limits hold,
the stance's where they exclude each other. Growth with λ = (step length / stature) / 0.4:

    stance knee λ,  swing knee 0.6 + 0.4 λ,  foot 0.5 + 0.5 λ,  lateral λ^-1.5                                      (3)
"""

__all__ = ["GROWTH", "foot_keys", "growth", "knee_keys"]

FREE = 0.4  # step length over stature at λ = 1
GROWTH = {  # (3)
    "stance_knee": lambda x: x,
    "swing_knee": lambda x: 0.6 + 0.4 * x,
    "foot_ankle": lambda x: 0.5 + 0.5 * x,
    "lateral": lambda x: x**-1.5,
}
KNEE = (0.23, 0.65, 0.28)  # (1)
FOOT = (0.12, 0.5, 0.6)  # (2)
LEAVING = 0.6  # of the swing's flexion, at foot off
HEEL = 1.0 / 3.0  # of the heel's rise: how steep the foot strikes
APART = 0.02  # [cycles] between keys, at least


def growth(name: str, plan) -> float:
    """(3): what a plan makes of an amplitude."""
    return GROWTH[name](plan.step_length / plan.height / FREE)


def knee_keys(stance, swing, plan):
    """(1): phases and flexions [rad] of a leg's knee. stance, swing : determinants."""
    s = plan.stance_fraction
    first, again, most = KNEE[0] * s, KNEE[1] * s, s + KNEE[2] * (1.0 - s)
    early, extended = _moved([0.0, first, again, s], stance.timing), _extended(stance, swing)
    late = _moved([s, most, 1.0], swing.timing)
    peak = stance.kept(stance.amplitude * growth("stance_knee", plan))
    top = swing.kept(swing.amplitude * growth("swing_knee", plan))
    lifted = _of_both(max(peak, LEAVING * top), stance, swing) if stance.on else extended
    flexed, struck = peak if stance.on else extended, _of_both(0.0, stance, swing)
    return (0.0, *early, s, *late), (struck, flexed, extended, lifted, top if swing.on else extended)


def foot_keys(foot, plan):
    """(2): phases and pitches [rad] of a foot."""
    s, size = plan.stance_fraction, foot.amplitude * growth("foot_ankle", plan)
    flat, rise = _moved([0.0, FOOT[0] * s, FOOT[1] * s, s], foot.timing)
    strike, off, level = foot.kept(HEEL * size), foot.kept(-size), foot.kept(0.0)
    return (0.0, flat, rise, s, s + FOOT[2] * (1.0 - s)), (strike, level, level, off, level)


def _of_both(value: float, stance, swing) -> float:
    """A value where stance and swing meet, within the limits of those that are on."""
    value = swing.kept(value) if swing.on else value
    return stance.kept(value) if stance.on else value


def _extended(stance, swing) -> float:
    """How straight a knee gets: 0, or as far as limits allow."""
    return stance.kept(0.0) if stance.on else swing.kept(0.0)


def _moved(phases, by: float) -> list[float]:
    """The inner ones of some phases, later by `by`, between the outer ones."""
    first, *inner, last = phases
    least, most = first + APART - inner[0], last - APART - inner[-1]
    return [x + min(max(by, least), most) for x in inner]
