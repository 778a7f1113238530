"""A human figure walks: from everyday words to a motion. The front of the gait controller's three levels (thesis 9.1).

`method` says how; a new one is an entry of `METHODS`.
"""

from inspect import signature

from anthropi.errors import SizeError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.gait.plan import GaitPlan
from anthropi.gait.schedule import Schedule
from anthropi.gait.walking.hidds_walk import hidds_walk
from anthropi.motion import Motion

__all__ = ["METHODS", "walk"]

METHODS = {"hidds": hidds_walk}
EASY = 100.0  # [steps/min]


def walk(figure, steps: int = 6, *, speed: float | None = None, step_length: float | None = None,
         step_frequency: float | None = None, schedule: Schedule | None = None, first: str = "l",
         method: str = "hidds", **options) -> Motion:  # fmt: skip
    """How does this figure walk?

    Parameters
    ----------
    figure : a human figure. steps : how many. first : the foot that strikes first. speed [m/s], step_length [m],
        step_frequency [steps/min] : one or two of them; the others follow (`GaitPlan`, thesis 9.1-9.3). 100 steps/min
        if none.
    schedule : instead of all these, a plan for each step (`Schedule`).
    method : "hidds": the thesis' road, `hidds_walk`, which see for options (determinants, frozen, dt …).

    Returns
    -------
    A `Motion` that begins with the first foot strike, on the gait: no start from standing.
    """
    if method not in METHODS:
        raise SizeError(f"method={method!r}.{did_you_mean(str(method), METHODS)} Choose: {', '.join(METHODS)}.")
    if not isinstance(figure, Figure):
        raise SizeError(f"walk got {type(figure).__name__}; give a human figure, as ap.human(detail='thesis42').")
    known = list(signature(METHODS[method]).parameters)[2:]
    for name in options:
        if name not in known:
            raise SizeError(f"method='{method}' has no option '{name}'.{did_you_mean(name, known)} It has: "
                            f"{', '.join(known)}.")  # fmt: skip
    given = {"velocity": speed, "step_length": step_length, "step_frequency": step_frequency}
    given = {name: x for name, x in given.items() if x is not None}
    if schedule is None:
        plan = GaitPlan.of(figure, **(given or {"step_frequency": EASY}))
        schedule = Schedule.steady(plan, steps, first=first)
    elif given:
        raise SizeError(
            f"walk got a schedule and {', '.join(given)}: a schedule has them for each step. Leave one out."
        )
    elif not isinstance(schedule, Schedule):
        raise SizeError(f"schedule={schedule!r}: give a Schedule, made of GaitPlans.")
    return METHODS[method](figure, schedule, **options)
