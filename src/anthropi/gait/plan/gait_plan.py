"""Parameters and durations of a steady gait, walking or running.

Walking follows docs/equations/thesis.md (9.1) to (9.7). With sf [steps/min], stature h [m], step length [m], velocity
[m/s] (m/min in the thesis: hence 60), times [s]:

    60 velocity = step_length · sf                                             (9.1)
    step_length = 0.004 · sf · h                                               (9.2)  Inman and others
    sf²         = 60 velocity / (0.004 h)                                      (9.3)
    t_cycle     = 2 t_step = 120 / sf                                          (9.4)
    t_step      = t_stance - t_ds                                              (9.5)
    t_step      = t_swing + t_ds                                               (9.6)
    t_ds        = (29.08 - 0.16 sf) t_cycle / 100, not below 0                 (9.7)  one of two in a cycle

One of velocity, length and frequency gives the others by (9.2) and (9.3), two the third by (9.1). At 181.75 steps/min
double support is 0: above 182 people run. Units are those of erratum E13.

Running (kind="run") takes frequency and contact time from a runner of stature h₀ = 1.75 m at speed v [m/s], scaled to
other statures by dynamic similarity (Alexander), times over √(h/h₀), with (9.1) and (9.4). Stance is then shorter than
a step, and flight is the rest of it:

    sf      = 130 + 10 v      [steps/min]                                      (1)
    contact = 0.271 (2.7 / v)^0.6 [s]                                          (2)

Sources. At 2.7 m/s young runners have contacts of 0.271 s and flights of 0.112 s, 157 steps/min (Karamanidis and
Arampatzis, J. Exp. Biol. 208 (2005) 3907, table 4; title and speed not checked). Four groups, from sedentary people to
sprinters, lengthen their steps up to 3.0 ± 0.2 steps/s at 65-70 % of their top speed, and raise the frequency only then
(PMC8523042, abstract): (1) is the line through 157 at 2.7 m/s and 180 at 5 m/s. The exponent of (2) makes contact
0.187 s at 5 m/s, after Weyand and others (J. Appl. Physiol. 89 (2000) 1991; not checked).
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anthropi.algebra.scalar import less, records
from anthropi.algorithms.kinematics import KinematicsView, kinematics
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.figure import Figure
from anthropi.figure.human.build import sole_markers
from anthropi.gait.plan.phases import (
    FootEvent,
    alpha_at,
    checked_side,
    other,
    phase_of,
    seconds,
    step_events,
    whole_steps,
)
from anthropi.gait.plan.tables import plan_row, plan_table

__all__ = [
    "INMAN",
    "KINDS",
    "MAX_RUN_SPEED",
    "MAX_STEP_FREQUENCY",
    "MIN_RUN_SPEED",
    "MIN_STEP_FREQUENCY",
    "RUN_CONTACT",
    "RUN_FREQUENCY",
    "GaitPlan",
    "contact_time",
    "run_frequency",
    "run_velocity",
    "stature",
]


REFERENCE_STATURE = 1.75  # [m] h₀
RUN_FREQUENCY = (130.0, 10.0)  # [steps/min], [steps/min per m/s] of (1)
RUN_CONTACT = (0.271, 2.7, 0.6)  # [s], [m/s], exponent of (2)
MIN_RUN_SPEED, MAX_RUN_SPEED = 1.5, 8.0  # [m/s] of h₀: the range of (1)


def run_frequency(velocity: float, height: float) -> float:
    """Compute the step frequency [steps/min] of running at a velocity [m/s] (1). height : stature [m]."""
    c = math.sqrt(REFERENCE_STATURE / height)
    return c * (RUN_FREQUENCY[0] + RUN_FREQUENCY[1] * velocity * c)


def run_velocity(height: float, step_frequency: float | None = None, step_length: float = 0.0) -> float:
    """Compute the velocity [m/s] of running with a frequency [steps/min], or with a step length [m], by (1)."""
    c = math.sqrt(REFERENCE_STATURE / height)
    if step_frequency is not None:
        return (step_frequency / c - RUN_FREQUENCY[0]) / (RUN_FREQUENCY[1] * c)
    slope = 60.0 - RUN_FREQUENCY[1] * c * c * step_length  # 60 v = L sf(v)
    return c * RUN_FREQUENCY[0] * step_length / slope if slope > 0.0 else math.inf


def contact_time(velocity: float, height: float) -> float:
    """Compute the contact time [s] of a foot in running at a velocity [m/s] (2). height : stature [m]."""
    c, (longest, at, power) = math.sqrt(REFERENCE_STATURE / height), RUN_CONTACT
    return longest / c * (at / (velocity * c)) ** power


INMAN = 0.004  # of (9.2) [1 / (steps/min)]
DOUBLE_SUPPORT = (29.08, 0.16)  # of (9.7) [%], [% per step/min]
MIN_STEP_FREQUENCY, MAX_STEP_FREQUENCY = 20.0, 182.0  # [steps/min] of a walk; (9.7) reaches 0 at 181.75
MAX_STEP_LENGTH = {"walk": 0.9, "run": 1.7}  # of the stature: legs reach 1.06 of it at most
HEIGHTS = (0.4, 2.8)  # [m] as of `ap.human`
CONSISTENCY_TOLERANCE = 5e-3  # relative, of three given values: the rounding of printed numbers
KINDS = ("walk", "run")
NAMES = ("velocity", "step_length", "step_frequency")
UNITS = {"height": "m", "velocity": "m/s", "step_length": "m", "step_frequency": "steps/min"}


@dataclass(frozen=True, repr=False)
class GaitPlan:
    """The plan of a steady, symmetric gait.

    Parameters
    ----------
    height : stature [m]; `GaitPlan.of(figure, …)` measures it.
    velocity [m/s], step_length [m], step_frequency [steps/min] : give any one or two; the others follow.
    kind : "walk" or "run".

    Attributes
    ----------
    given : names of the parameters that were given.
    """

    height: float = 1.75
    velocity: float = None  # type: ignore[assignment]
    step_length: float = None  # type: ignore[assignment]
    step_frequency: float = None  # type: ignore[assignment]
    kind: str = "walk"
    given: tuple[str, ...] = field(default=(), init=False, compare=False)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(
                f"GaitPlan got kind={self.kind!r}.{did_you_mean(str(self.kind), KINDS)} "
                f"Choose kind from: {', '.join(KINDS)}."
            )
        h = _number("height", self.height)
        if not HEIGHTS[0] <= h <= HEIGHTS[1]:
            raise InputError(f"GaitPlan got height={h:g}. Give a stature from {HEIGHTS[0]:g} to {HEIGHTS[1]:g} m.")
        given = {name: _number(name, getattr(self, name)) for name in NAMES if getattr(self, name) is not None}
        if not given:
            raise InputError(
                "GaitPlan got none of velocity [m/s], step_length [m], step_frequency [steps/min]. Give "
                "one or two of them: step_frequency=100 is an easy walk."
            )
        found = {"height": h, **_complete(h, self.kind, given), "given": tuple(given)}
        for name, value in found.items():
            object.__setattr__(self, name, value)
        _possible(self)

    @classmethod
    def of(cls, figure: Figure, **parameters: Any) -> "GaitPlan":
        """Return a plan with the stature of a human figure, and the parameters of `GaitPlan`."""
        return cls(height=stature(figure), **parameters)

    def changed(self, **parameters: Any) -> "GaitPlan":
        """Return a plan of the same body with one or two of the three parameters replaced, or another kind."""
        kept: dict[str, Any] = {"height": self.height, "kind": self.kind}
        unknown = [name for name in parameters if name not in (*NAMES, *kept)]
        if unknown:
            raise InputError(
                f"A plan has no '{unknown[0]}'.{did_you_mean(unknown[0], (*NAMES, *kept))} It has: "
                f"{', '.join((*NAMES, *kept))}."
            )
        if not any(name in parameters for name in NAMES):
            kept |= {name: getattr(self, name) for name in self.given[:2]}
        return GaitPlan(**(kept | parameters))

    # durations [s] ---------------------------------------------------------------------------------------------------

    @property
    def step(self) -> float:
        """Step time [s], from a foot strike to that of the other foot."""
        return 60.0 / self.step_frequency

    @property
    def cycle(self) -> float:
        """Cycle time [s], from a foot strike to the next of the same foot."""
        return 120.0 / self.step_frequency  # (9.4)

    @property
    def double_support(self) -> float:
        """Double support [s], both feet on the ground, once a step; 0 in running."""
        if self.kind == "run":
            return 0.0
        return max(0.0, DOUBLE_SUPPORT[0] - DOUBLE_SUPPORT[1] * self.step_frequency) * self.cycle / 100.0  # (9.7)

    @property
    def stance(self) -> float:
        """Stance [s], a foot on the ground, once a cycle."""
        if self.kind == "run":
            return contact_time(self.velocity, self.height)
        return self.step + self.double_support  # (9.5)

    @property
    def swing(self) -> float:
        """Swing [s], a foot in the air, once a cycle."""
        return self.cycle - self.stance if self.kind == "run" else self.step - self.double_support  # (9.6)

    @property
    def single_support(self) -> float:
        """Single support [s], one foot on the ground, once a step."""
        return self.stance if self.kind == "run" else self.swing

    @property
    def flight(self) -> float:
        """Flight [s], no foot on the ground, once a step; 0 in walking."""
        return self.step - self.stance if self.kind == "run" else 0.0

    @property
    def stance_fraction(self) -> float:
        """Stance over cycle, the duty factor: above ½ in walking, below in running."""
        return self.stance / self.cycle

    # in time: t [s], a left foot strike at 0 -------------------------------------------------------------------------

    def phase(self, t: Any, side: str = "l") -> Any:
        """Return the cycles since the last foot strike of a side, in [0, 1). Records."""
        return phase_of(t / self.cycle, side)

    def down(self, t: Any, side: str) -> Any:
        """Return whether the foot of a side is on the ground, from foot strike to foot off. Records."""
        return less(self.phase(t, side), self.stance_fraction)

    def alpha(self, t: Any, form: str = "cosine") -> Any:
        """Return the left foot's share of the virtual leg's force, 0 at left strike, 1 at right foot off. Records.

        form : "linear", "cosine" or "cubic" (docs/equations/thesis.md, 9.7). In flight it passes from one foot to the
        other.
        """
        return alpha_at(t, self.step, self.double_support, self.stance, form)

    def events(self, steps: int, start: float = 0.0, first: str = "l") -> tuple[FootEvent, ...]:
        """Return the foot events of whole steps in order of time, including the strike that ends the last step."""
        steps, start = whole_steps(steps), seconds("start", start)
        feet = (checked_side(first), other(first))
        rows = [step_events(self, start + k * self.step, feet[k % 2]) for k in range(steps)]
        return (
            *(event for row in rows for event in row),
            FootEvent(start + steps * self.step, feet[steps % 2], "strike"),
        )

    def table(self) -> str:
        """Return the plan as a table in text, with units and equations."""
        return plan_table(self)

    def __repr__(self) -> str:
        return plan_row(self)


def stature(figure: Figure) -> float:
    """Measure the stature [m] of a figure in its neutral pose, from the soles to marker "vertex". Plain floats only."""
    soles = sole_markers(figure)
    if not soles or not any(m.name == "vertex" for m in figure.markers):
        raise InputError(
            f"Figure '{figure.name}' has no marker 'vertex' above markers with 'sole' in their names: its "
            "stature is unknown. Give GaitPlan(height=…)."
        )
    k = KinematicsView(figure, kinematics(figure, figure.neutral()))
    return float(k.marker("vertex")[2] - min(k.marker(m.name)[2] for m in soles))


# the three parameters ------------------------------------------------------------------------------------------------


def _number(name: str, value) -> float:
    if isinstance(value, (bool, np.bool_, str, bytes)) or records(value):
        number = math.nan
    else:
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
    if not (0.0 < number < math.inf):
        raise InputError(f"GaitPlan got {name}={value!r}. Give a finite number of {UNITS[name]}, above 0.")
    return number


def _complete(h: float, kind: str, given: dict[str, float]) -> dict[str, float]:
    """Compute all three parameters from one, two or three of them."""
    v, length, sf = (given.get(name, 0.0) for name in NAMES)  # 0: not given
    if len(given) == 1 and kind == "run":
        v = v or run_velocity(h, sf or None, length)
        _run_alone(h, given, v)
        sf = sf or run_frequency(v, h)
    elif len(given) == 1:
        sf = sf or length / (INMAN * h) or math.sqrt(60.0 * v / (INMAN * h))  # (9.2), (9.3)
    sf = sf or 60.0 * v / length  # (9.1)
    length = length or (60.0 * v / sf if v else INMAN * sf * h)  # (9.1), (9.2)
    required = length * sf / 60.0  # (9.1)
    if len(given) == 3 and not math.isclose(required, given["velocity"], rel_tol=CONSISTENCY_TOLERANCE):
        raise InputError(
            f"GaitPlan got velocity={v:g} m/s, step_length={length:g} m and step_frequency={sf:g} "
            f"steps/min, which disagree: velocity = step_length · step_frequency / 60 (9.1) wants a "
            f"velocity of {required:.4g} m/s, or a step_length of {60.0 * v / sf:.4g} m, or a step_frequency "
            f"of {60.0 * v / length:.4g} steps/min. Give one or two of them; plan.changed(…) makes another "
            "plan of the same body."
        )
    exact = v if v and len(given) < 3 else required
    return {"velocity": exact, "step_length": length, "step_frequency": sf}


def _run_alone(h: float, given: dict[str, float], v: float) -> None:
    """Refuse a single parameter of running whose velocity is out of range."""
    low, high = (bound * math.sqrt(h / REFERENCE_STATURE) for bound in (MIN_RUN_SPEED, MAX_RUN_SPEED))
    if not low <= v <= high:
        (name, value), *_ = given.items()
        raise InputError(
            f"GaitPlan got {name}={value:g} {UNITS[name]} for kind='run', a velocity of {v:.3g} m/s; one "
            f"parameter alone goes with {low:.2g} to {high:.2g} m/s at this height. Give two parameters, "
            "or kind='walk'."
        )


def _possible(plan: GaitPlan) -> None:
    """Refuse a plan outside the range of human walking or running."""
    sf, values = plan.step_frequency, " and ".join(f"{n}={getattr(plan, n):.4g}" for n in plan.given)
    if plan.kind == "walk" and sf > MAX_STEP_FREQUENCY:
        raise InputError(
            f"GaitPlan got {values}: {sf:.4g} steps/min. Above 182 steps/min double support (9.7) is gone: "
            "walking becomes running. Give fewer steps, or kind='run'."
        )
    if plan.kind == "walk" and sf < MIN_STEP_FREQUENCY:
        raise InputError(
            f"GaitPlan got {values}: {sf:.4g} steps/min. Below {MIN_STEP_FREQUENCY:g} steps/min people stand and "
            "take single steps; (9.2) and (9.7) do not hold. Give more."
        )
    if plan.step_length > MAX_STEP_LENGTH[plan.kind] * plan.height:
        raise InputError(
            f"GaitPlan got {values}: steps of {plan.step_length:.3g} m for a stature of {plan.height:.3g} "
            f"m. Give a step_length of at most {MAX_STEP_LENGTH[plan.kind] * plan.height:.3g} m"
            f"{', or kind=' + repr('run') if plan.kind == 'walk' else ''}."
        )
    if plan.kind == "run" and not plan.stance < plan.step:
        raise InputError(
            f"GaitPlan got {values} for kind='run': a foot would touch for {plan.stance:.3g} s of a step of "
            f"{plan.step:.3g} s, no flight. Run faster, take fewer steps, or kind='walk'."
        )
