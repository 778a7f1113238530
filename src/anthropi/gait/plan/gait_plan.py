"""How fast do runners step, and how long do they touch the ground? Laws for `GaitPlan(kind="run")`.

Of a runner of stature h₀ = 1.75 m at speed v [m/s]; others by dynamic similarity (Alexander), times over √(h/h₀):

    sf      = 130 + 10 v      [steps/min]                                      (1)
    contact = 0.271 (2.7 / v)^0.6 [s], less than a step: the rest is flight    (2)

Sources. At 2.7 m/s young runners touch for 0.271 s and fly for 0.112 s, 157 steps/min (Karamanidis and Arampatzis, J.
Exp. Biol. 208 (2005) 3907, table 4; the table was read, title and speed are from memory). Four groups, sedentary people
to sprinters, lengthen their steps until 3.0 ± 0.2 steps/s at 65-70 % of their top speed, and only then hurry
(PMC8523042, abstract, read): (1) is the line through 157 at 2.7 m/s and 180 at 5 m/s. The exponent of (2) makes contact
0.187 s at 5 m/s, as we remember it from Weyand and others (J. Appl. Physiol. 89 (2000) 1991); that was not checked.

Plan
----
How long, how far and how often does somebody step? The locomotion parameters and durations (thesis 9.1-9.7).

With sf [steps/min], stature h [m], step length [m], velocity [m/s] (the thesis' is in m/min: hence 60), times [s]:

    60 velocity = step_length · sf                                             (9.1)
    step_length = 0.004 · sf · h                                               (9.2)  Inman and others
    sf²         = 60 velocity / (0.004 h)                                      (9.3)
    t_cycle     = 2 t_step = 120 / sf                                          (9.4)
    t_step      = t_stance - t_ds                                              (9.5)
    t_step      = t_swing + t_ds                                               (9.6)
    t_ds        = (29.08 - 0.16 sf) t_cycle / 100, not below 0                 (9.7)  one of two in a cycle

One of velocity, length and frequency gives the others by (9.2) and (9.3), two the third by (9.1). At 181.75 steps/min
double support is gone: above 182 people run. Units are those of erratum E13. kind="run" steps by the laws of
`gait_plan.py`, with (9.1) and (9.4); stance is then shorter than a step, and flight the rest of it.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anthropi.algebra.scalar import less, records
from anthropi.algorithms.kinematics import KinematicsView, kinematics
from anthropi.errors import InputError, did_you_mean
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
    "CONTACT",
    "FASTEST",
    "FASTEST_STEPS",
    "INMAN",
    "KINDS",
    "RATE",
    "SLOWEST",
    "SLOWEST_STEPS",
    "GaitPlan",
    "contact_time",
    "run_frequency",
    "run_velocity",
    "stature",
]


STATURE = 1.75  # [m] h₀
RATE = (130.0, 10.0)  # (1)
CONTACT = (0.271, 2.7, 0.6)  # (2)
SLOWEST, FASTEST = 1.5, 8.0  # [m/s] of h₀: beyond, nobody jogs and (1) does not hold


def run_frequency(velocity: float, height: float) -> float:
    """(1): steps/min at a velocity [m/s]."""
    c = math.sqrt(STATURE / height)
    return c * (RATE[0] + RATE[1] * velocity * c)


def run_velocity(height: float, step_frequency: float | None = None, step_length: float = 0.0) -> float:
    """(1) the other way: the velocity [m/s] that goes with a frequency [steps/min], or else with a length [m]."""
    c = math.sqrt(STATURE / height)
    if step_frequency is not None:
        return (step_frequency / c - RATE[0]) / (RATE[1] * c)
    slope = 60.0 - RATE[1] * c * c * step_length  # 60 v = L sf(v)
    return c * RATE[0] * step_length / slope if slope > 0.0 else math.inf


def contact_time(velocity: float, height: float) -> float:
    """(2): how long a foot is on the ground [s]."""
    c, (longest, at, power) = math.sqrt(STATURE / height), CONTACT
    return longest / c * (at / (velocity * c)) ** power


INMAN = 0.004  # (9.2) [1 / (steps/min)]
DOUBLE = (29.08, 0.16)  # (9.7) [%], [% per step/min]
SLOWEST_STEPS, FASTEST_STEPS = 20.0, 182.0  # [steps/min] of a walk; (9.7) reaches 0 at 181.75
LONGEST = {"walk": 0.9, "run": 1.7}  # of the stature: legs open to 1.06 of it at most
HEIGHTS = (0.4, 2.8)  # [m] as of `ap.human`
ROUNDING = 5e-3  # three values that agree to what is usually printed agree
KINDS = ("walk", "run")
NAMES = ("velocity", "step_length", "step_frequency")
UNITS = {"height": "m", "velocity": "m/s", "step_length": "m", "step_frequency": "steps/min"}


@dataclass(frozen=True, repr=False)
class GaitPlan:
    """The plan of a steady, symmetric gait.

    height : stature [m]; `GaitPlan.of(figure, …)` measures it. velocity : [m/s]. step_length : [m].
    step_frequency : [steps/min]. Give any one or two; afterwards all three are numbers. kind : "walk" or "run".
    given : which of them were given.
    """

    height: float = 1.75
    velocity: float = None  # type: ignore[assignment]
    step_length: float = None  # type: ignore[assignment]
    step_frequency: float = None  # type: ignore[assignment]
    kind: str = "walk"
    given: tuple[str, ...] = field(default=(), init=False, compare=False)

    def __post_init__(self):
        if self.kind not in KINDS:
            raise InputError(f"GaitPlan got kind={self.kind!r}.{did_you_mean(str(self.kind), KINDS)} "
                             f"Choose kind from: {', '.join(KINDS)}.")  # fmt: skip
        h = _number("height", self.height)
        if not HEIGHTS[0] <= h <= HEIGHTS[1]:
            raise InputError(f"GaitPlan got height={h:g}. Give a stature from {HEIGHTS[0]:g} to {HEIGHTS[1]:g} m.")
        given = {name: _number(name, getattr(self, name)) for name in NAMES if getattr(self, name) is not None}
        if not given:
            raise InputError("GaitPlan got none of velocity [m/s], step_length [m], step_frequency [steps/min]. Give "
                             "one or two of them: step_frequency=100 is an easy walk.")  # fmt: skip
        found = {"height": h, **_complete(h, self.kind, given), "given": tuple(given)}
        for name, value in found.items():
            object.__setattr__(self, name, value)
        _possible(self)

    @classmethod
    def of(cls, figure, **parameters) -> "GaitPlan":
        """A plan for a human figure: its stature, and the parameters of `GaitPlan`."""
        return cls(height=stature(figure), **parameters)

    def changed(self, **parameters) -> "GaitPlan":
        """Another plan for the same body: one or two of the three parameters instead of these, or another kind."""
        kept: dict[str, Any] = {"height": self.height, "kind": self.kind}
        unknown = [name for name in parameters if name not in (*NAMES, *kept)]
        if unknown:
            raise InputError(f"A plan has no '{unknown[0]}'.{did_you_mean(unknown[0], (*NAMES, *kept))} It has: "
                             f"{', '.join((*NAMES, *kept))}.")  # fmt: skip
        if not any(name in parameters for name in NAMES):
            kept |= {name: getattr(self, name) for name in self.given[:2]}
        return GaitPlan(**(kept | parameters))

    # durations [s] ---------------------------------------------------------------------------------------------------

    @property
    def step(self) -> float:
        """From a foot strike to the other foot's [s]."""
        return 60.0 / self.step_frequency

    @property
    def cycle(self) -> float:
        """From a foot strike to the next of the same foot [s]."""
        return 120.0 / self.step_frequency  # (9.4)

    @property
    def double_support(self) -> float:
        """Both feet on the ground, once a step [s]; 0 in running."""
        if self.kind == "run":
            return 0.0
        return max(0.0, DOUBLE[0] - DOUBLE[1] * self.step_frequency) * self.cycle / 100.0  # (9.7)

    @property
    def stance(self) -> float:
        """A foot on the ground, once a cycle [s]."""
        if self.kind == "run":
            return contact_time(self.velocity, self.height)
        return self.step + self.double_support  # (9.5)

    @property
    def swing(self) -> float:
        """A foot in the air, once a cycle [s]."""
        return self.cycle - self.stance if self.kind == "run" else self.step - self.double_support  # (9.6)

    @property
    def single_support(self) -> float:
        """One foot on the ground, once a step [s]."""
        return self.stance if self.kind == "run" else self.swing

    @property
    def flight(self) -> float:
        """No foot on the ground, once a step [s]; 0 in walking."""
        return self.step - self.stance if self.kind == "run" else 0.0

    @property
    def stance_fraction(self) -> float:
        """Stance over cycle, the duty factor: above ½ in walking, below in running."""
        return self.stance / self.cycle

    # in time: t [s], a left foot strike at 0 -------------------------------------------------------------------------

    def phase(self, t, side: str = "l"):
        """Cycles since the last foot strike of a side, in [0, 1). Records."""
        return phase_of(t / self.cycle, side)

    def down(self, t, side: str):
        """Whether the foot of a side is on the ground: from its strike until it leaves. Records."""
        return less(self.phase(t, side), self.stance_fraction)

    def alpha(self, t, form: str = "cosine"):
        """What the left foot takes of the virtual leg's force (thesis 9.7): 0 at LHS, 1 at RTO. Records.

        form : "linear", "cosine" or "cubic". In flight it goes over from one foot to the other.
        """
        return alpha_at(t, self.step, self.double_support, self.stance, form)

    def events(self, steps: int, start: float = 0.0, first: str = "l") -> tuple[FootEvent, ...]:
        """Foot events of whole steps, in the order of time, the strike that ends the last of them included."""
        steps, start = whole_steps(steps), seconds("start", start)
        feet = (checked_side(first), other(first))
        rows = [step_events(self, start + k * self.step, feet[k % 2]) for k in range(steps)]
        return (*(event for row in rows for event in row),
                FootEvent(start + steps * self.step, feet[steps % 2], "strike"))  # fmt: skip

    def table(self) -> str:
        """What was planned, with units, as text."""
        return plan_table(self)

    def __repr__(self) -> str:
        return plan_row(self)


def stature(figure) -> float:
    """How tall is a figure in its neutral pose [m], from the soles to the marker "vertex"? Floats only."""
    soles = sole_markers(figure)
    if not soles or not any(m.name == "vertex" for m in figure.markers):
        raise InputError(f"Figure '{figure.name}' has no marker 'vertex' above markers with 'sole' in their names: its "
                         "stature is unknown. Give GaitPlan(height=…).")  # fmt: skip
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
    """All three from one, two or three of them."""
    v, length, sf = (given.get(name, 0.0) for name in NAMES)  # 0: not given
    if len(given) == 1 and kind == "run":
        v = v or run_velocity(h, sf or None, length)
        _run_alone(h, given, v)
        sf = sf or run_frequency(v, h)
    elif len(given) == 1:
        sf = sf or length / (INMAN * h) or math.sqrt(60.0 * v / (INMAN * h))  # (9.2), (9.3)
    sf = sf or 60.0 * v / length  # (9.1)
    length = length or (60.0 * v / sf if v else INMAN * sf * h)  # (9.1), (9.2)
    wanted = length * sf / 60.0  # (9.1)
    if len(given) == 3 and not math.isclose(wanted, given["velocity"], rel_tol=ROUNDING):
        raise InputError(
            f"GaitPlan got velocity={v:g} m/s, step_length={length:g} m and step_frequency={sf:g} "
            f"steps/min, which disagree: velocity = step_length · step_frequency / 60 (9.1) wants a "
            f"velocity of {wanted:.4g} m/s, or a step_length of {60.0 * v / sf:.4g} m, or a step_frequency "
            f"of {60.0 * v / length:.4g} steps/min. Give one or two of them; plan.changed(…) makes another "
            "plan of the same body."
        )
    exact = v if v and len(given) < 3 else wanted
    return {"velocity": exact, "step_length": length, "step_frequency": sf}


def _run_alone(h: float, given: dict[str, float], v: float) -> None:
    """Refuse one parameter for running whose velocity is none of running."""
    low, high = (bound * math.sqrt(h / STATURE) for bound in (SLOWEST, FASTEST))
    if not low <= v <= high:
        (name, value), *_ = given.items()
        raise InputError(f"GaitPlan got {name}={value:g} {UNITS[name]} for kind='run', a velocity of {v:.3g} m/s; one "
                         f"parameter alone goes with {low:.2g} to {high:.2g} m/s at this height. Give two parameters, "
                         "or kind='walk'.")  # fmt: skip


def _possible(plan: GaitPlan) -> None:
    """Refuse what nobody walks or runs."""
    sf, told = plan.step_frequency, " and ".join(f"{n}={getattr(plan, n):.4g}" for n in plan.given)
    if plan.kind == "walk" and sf > FASTEST_STEPS:
        raise InputError(f"GaitPlan got {told}: {sf:.4g} steps/min. Above 182 steps/min double support (9.7) is gone: "
                         "walking becomes running. Give fewer steps, or kind='run'.")  # fmt: skip
    if plan.kind == "walk" and sf < SLOWEST_STEPS:
        raise InputError(f"GaitPlan got {told}: {sf:.4g} steps/min. Below {SLOWEST_STEPS:g} steps/min people stand and "
                         "take single steps; (9.2) and (9.7) do not hold. Give more.")  # fmt: skip
    if plan.step_length > LONGEST[plan.kind] * plan.height:
        raise InputError(f"GaitPlan got {told}: steps of {plan.step_length:.3g} m for a stature of {plan.height:.3g} "
                         f"m. Give a step_length of at most {LONGEST[plan.kind] * plan.height:.3g} m"
                         f"{', or kind=' + repr('run') if plan.kind == 'walk' else ''}.")  # fmt: skip
    if plan.kind == "run" and not plan.stance < plan.step:
        raise InputError(f"GaitPlan got {told} for kind='run': a foot would touch for {plan.stance:.3g} s of a step of "
                         f"{plan.step:.3g} s, no flight. Run faster, take fewer steps, or kind='walk'.")  # fmt: skip
