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

If one of velocity, length and frequency is given, (9.2) and (9.3) give the others. If two are given, (9.1) gives the
third. At 181.75 steps/min double support is 0, and above 182 people run. Units are those of erratum E13.

For running (kind="run"), frequency and contact time are those of a runner of stature h₀ = 1.75 m at speed v [m/s].
Dynamic similarity (Alexander) scales them to other statures, with times in proportion to √(h/h₀). (9.1) and (9.4) hold
too. Stance is shorter than a step, and the rest of the step is flight:

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
MIN_RUN_SPEED, MAX_RUN_SPEED = 1.5, 8.0  # [m/s] for stature h₀; the range of (1)


def run_frequency(velocity: float, height: float) -> float:
    """Compute the step frequency of running [steps/min] at a velocity [m/s] (1). height : stature [m]."""
    c = math.sqrt(REFERENCE_STATURE / height)
    return c * (RUN_FREQUENCY[0] + RUN_FREQUENCY[1] * velocity * c)


def run_velocity(height: float, step_frequency: float | None = None, step_length: float = 0.0) -> float:
    """Compute the velocity of running [m/s] by (1), from the step frequency [steps/min] or else the step length [m].

    height : stature [m].
    """
    c = math.sqrt(REFERENCE_STATURE / height)
    if step_frequency is not None:
        return (step_frequency / c - RUN_FREQUENCY[0]) / (RUN_FREQUENCY[1] * c)
    slope = 60.0 - RUN_FREQUENCY[1] * c * c * step_length  # 60 v = L sf(v)
    return c * RUN_FREQUENCY[0] * step_length / slope if slope > 0.0 else math.inf


def contact_time(velocity: float, height: float) -> float:
    """Compute the contact time [s] of a foot when running at a velocity [m/s] (2). height : stature [m]."""
    c, (longest, at, power) = math.sqrt(REFERENCE_STATURE / height), RUN_CONTACT
    return longest / c * (at / (velocity * c)) ** power


INMAN = 0.004  # factor of (9.2) [1 / (steps/min)]
DOUBLE_SUPPORT = (29.08, 0.16)  # coefficients of (9.7) [%], [% per step/min]
MIN_STEP_FREQUENCY, MAX_STEP_FREQUENCY = 20.0, 182.0  # [steps/min] of a walk; (9.7) reaches 0 at 181.75
MAX_STEP_LENGTH = {"walk": 0.9, "run": 1.7}  # share of the stature; legs cannot reach beyond 1.06
HEIGHTS = (0.4, 2.8)  # [m], the range of `ap.human`
CONSISTENCY_TOLERANCE = 5e-3  # relative tolerance if all three values are given, for rounded numbers
KINDS = ("walk", "run")
NAMES = ("velocity", "step_length", "step_frequency")
UNITS = {"height": "m", "velocity": "m/s", "step_length": "m", "step_frequency": "steps/min"}


@dataclass(frozen=True, repr=False)
class GaitPlan:
    """The plan of a steady, symmetric gait.

    Parameters
    ----------
    height : stature [m]; `GaitPlan.of(figure, …)` measures it on a figure.
    velocity [m/s], step_length [m], step_frequency [steps/min] : give one or two; the others are computed.
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
                f"GaitPlan got an unknown kind={self.kind!r}.{did_you_mean(str(self.kind), KINDS)} "
                f"Choose one of: {', '.join(KINDS)}."
            )
        h = _number("height", self.height)
        if not HEIGHTS[0] <= h <= HEIGHTS[1]:
            raise InputError(f"GaitPlan got height={h:g}. Give a stature from {HEIGHTS[0]:g} to {HEIGHTS[1]:g} m.")
        given = {name: _number(name, getattr(self, name)) for name in NAMES if getattr(self, name) is not None}
        if not given:
            raise InputError(
                "GaitPlan needs velocity [m/s], step_length [m] or step_frequency [steps/min]. Give one or two of "
                "them, for example step_frequency=100 for an easy walk."
            )
        found = {"height": h, **_complete(h, self.kind, given), "given": tuple(given)}
        for name, value in found.items():
            object.__setattr__(self, name, value)
        _possible(self)

    @classmethod
    def of(cls, figure: Figure, **parameters: Any) -> "GaitPlan":
        """Make a plan for a human figure, whose stature is measured. The parameters are those of `GaitPlan`."""
        return cls(height=stature(figure), **parameters)

    def changed(self, **parameters: Any) -> "GaitPlan":
        """Return a plan for the same body with one or two of the three parameters replaced, or with another kind."""
        kept: dict[str, Any] = {"height": self.height, "kind": self.kind}
        unknown = [name for name in parameters if name not in (*NAMES, *kept)]
        if unknown:
            raise InputError(
                f"A gait plan has no parameter '{unknown[0]}'.{did_you_mean(unknown[0], (*NAMES, *kept))} Choose from: "
                f"{', '.join((*NAMES, *kept))}."
            )
        if not any(name in parameters for name in NAMES):
            kept |= {name: getattr(self, name) for name in self.given[:2]}
        return GaitPlan(**(kept | parameters))

    # durations [s] ---------------------------------------------------------------------------------------------------

    @property
    def step(self) -> float:
        """Step time [s], from a strike of one foot to the next strike of the other."""
        return 60.0 / self.step_frequency

    @property
    def cycle(self) -> float:
        """Cycle time [s], from one strike of a foot to its next strike."""
        return 120.0 / self.step_frequency  # (9.4)

    @property
    def double_support(self) -> float:
        """Duration of double support (both feet on the ground) in a step [s]; 0 in running."""
        if self.kind == "run":
            return 0.0
        return max(0.0, DOUBLE_SUPPORT[0] - DOUBLE_SUPPORT[1] * self.step_frequency) * self.cycle / 100.0  # (9.7)

    @property
    def stance(self) -> float:
        """Duration of stance (one foot's time on the ground) in a cycle [s]."""
        if self.kind == "run":
            return contact_time(self.velocity, self.height)
        return self.step + self.double_support  # (9.5)

    @property
    def swing(self) -> float:
        """Duration of swing (one foot's time in the air) in a cycle [s]."""
        return self.cycle - self.stance if self.kind == "run" else self.step - self.double_support  # (9.6)

    @property
    def single_support(self) -> float:
        """Duration of single support (only one foot on the ground) in a step [s]."""
        return self.stance if self.kind == "run" else self.swing

    @property
    def flight(self) -> float:
        """Duration of flight (no foot on the ground) in a step [s]; 0 in walking."""
        return self.step - self.stance if self.kind == "run" else 0.0

    @property
    def stance_fraction(self) -> float:
        """Duty factor: stance time divided by cycle time. Above ½ in walking, below ½ in running."""
        return self.stance / self.cycle

    # functions of time t [s], with a left foot strike at 0 -----------------------------------------------------------

    def phase(self, t: Any, side: str = "l") -> Any:
        """Return the phase of a side at time t [s]: cycles since its last foot strike, in [0, 1).

        Can be recorded on a tape.
        """
        return phase_of(t / self.cycle, side)

    def down(self, t: Any, side: str) -> Any:
        """Return whether the foot of a side is on the ground at time t [s]. Can be recorded on a tape."""
        return less(self.phase(t, side), self.stance_fraction)

    def alpha(self, t: Any, form: str = "cosine") -> Any:
        """Return the left foot's share α of the virtual leg's force at time t [s].

        α rises from 0 at the left foot strike to 1 at right foot off. In running, it changes from one foot to the other
        during flight. Can be recorded on a tape.

        form : "linear", "cosine" or "cubic" (docs/equations/thesis.md, 9.7).
        """
        return alpha_at(t, self.step, self.double_support, self.stance, form)

    def events(self, steps: int, start: float = 0.0, first: str = "l") -> tuple[FootEvent, ...]:
        """Return the foot events of a number of steps in order of time, including the strike that ends the last step.

        start : time of the first strike [s]. first : its foot, "l" or "r".
        """
        steps, start = whole_steps(steps), seconds("start", start)
        feet = (checked_side(first), other(first))
        rows = [step_events(self, start + k * self.step, feet[k % 2]) for k in range(steps)]
        return (
            *(event for row in rows for event in row),
            FootEvent(start + steps * self.step, feet[steps % 2], "strike"),
        )

    def table(self) -> str:
        """Return the plan as a text table with units and equation numbers."""
        return plan_table(self)

    def __repr__(self) -> str:
        return plan_row(self)


def stature(figure: Figure) -> float:
    """Measure the stature [m] of a figure in its neutral pose, from the soles to the marker "vertex"."""
    soles = sole_markers(figure)
    if not soles or not any(m.name == "vertex" for m in figure.markers):
        raise InputError(
            f"The stature of figure '{figure.name}' is unknown: it needs a marker 'vertex' above markers with 'sole' "
            "in their names. Add them, or give the stature: GaitPlan(height=…, velocity=…). For ap.walk, use "
            "schedule=Schedule.steady(plan, steps)."
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
        raise InputError(f"GaitPlan got {name}={value!r}. Give a finite number above 0 [{UNITS[name]}].")
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
            f"GaitPlan got velocity={v:g} m/s, step_length={length:g} m and step_frequency={sf:g} steps/min, which "
            f"disagree. By velocity = step_length · step_frequency / 60 (9.1), the velocity must be {required:.4g} "
            f"m/s, or the step_length {60.0 * v / sf:.4g} m, or the step_frequency {60.0 * v / length:.4g} steps/min. "
            "Give only one or two of them. Use plan.changed(…) to make another plan for the same body."
        )
    exact = v if v and len(given) < 3 else required
    return {"velocity": exact, "step_length": length, "step_frequency": sf}


def _run_alone(h: float, given: dict[str, float], v: float) -> None:
    """Raise InputError if the only given parameter of a run results in a velocity out of range."""
    low, high = (bound * math.sqrt(h / REFERENCE_STATURE) for bound in (MIN_RUN_SPEED, MAX_RUN_SPEED))
    if not low <= v <= high:
        (name, value), *_ = given.items()
        raise InputError(
            f"GaitPlan got {name}={value:g} {UNITS[name]} for kind='run', which means a velocity of {v:.3g} m/s. With "
            f"one parameter and this height, the velocity must be {low:.2g} to {high:.2g} m/s. Give two parameters, "
            "or kind='walk'."
        )


def _possible(plan: GaitPlan) -> None:
    """Raise InputError if a plan is outside the range of human walking or running."""
    sf, values = plan.step_frequency, " and ".join(f"{n}={getattr(plan, n):.4g}" for n in plan.given)
    if plan.kind == "walk" and sf > MAX_STEP_FREQUENCY:
        raise InputError(
            f"GaitPlan got {values}, which means {sf:.4g} steps/min. Above 182 steps/min there is no double support "
            "(9.7), and walking becomes running. Give fewer steps/min, or kind='run'."
        )
    if plan.kind == "walk" and sf < MIN_STEP_FREQUENCY:
        raise InputError(
            f"GaitPlan got {values}, which means {sf:.4g} steps/min. Below {MIN_STEP_FREQUENCY:g} steps/min people "
            "make single steps, and (9.2) and (9.7) do not hold. Give more steps/min."
        )
    if plan.step_length > MAX_STEP_LENGTH[plan.kind] * plan.height:
        raise InputError(
            f"GaitPlan got {values}, which means steps of {plan.step_length:.3g} m for a stature of {plan.height:.3g} "
            f"m. Give a step_length of at most {MAX_STEP_LENGTH[plan.kind] * plan.height:.3g} m"
            f"{', or kind=' + repr('run') if plan.kind == 'walk' else ''}."
        )
    if plan.kind == "run" and not plan.stance < plan.step:
        raise InputError(
            f"GaitPlan got {values} for kind='run', which leaves no flight: a foot would be on the ground for "
            f"{plan.stance:.3g} s of a step of {plan.step:.3g} s. Give a higher velocity, a lower step_frequency, or "
            "kind='walk'."
        )
