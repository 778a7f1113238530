"""Footholds on rough ground: where the next foot lands, and how high it is lifted.

Candidates lie on a grid of shifts (a ahead, b aside) around the nominal footprint, which is the foothold on level
ground. A plane h ≈ h₀ + g·r is fitted to the ground under the sole by least squares. The cost is the sum of the squares
of

    flat       RMS residual from the plane / 5 mm, and tilt |g| / 0.1                                             (1)
    clear      additional range of heights within 3 cm around the sole / 2 cm                                     (2)
    near       a / 0.15 m, b / 0.05 m                                                                             (3)
    level      height h₀ above or below the stance foot / 0.1 m                                                   (4)

The candidate with the lowest cost is chosen among the reachable ones, whose distance ahead and aside of the stance
foot, climb, tilt and residual are within limits. If no candidate is reachable, the one with the lowest cost of all is
chosen, with `good` False. The foot is lifted over the highest ground under the strip that its sole sweeps:

    rise = max over the strip of h - h_stance, not below 0,   lift = rise + min(rise, spare)                      (5)

On level ground the normal swing of the walker is enough, and the lift is 0. `reach` is (a, b) of the foothold. A
`FootholdStepper` chooses a foothold when a foot strikes. It corrects the nominal footprints by the errors of the
previous footprints, in the frame of the step:

    bias ← bias + 0.3 (footprint - target),   nominal = `nominal_print` + bias of that side                       (6)

All functions work on plain floats only; they cannot be recorded on a tape.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import InputError
from anthropi.gait.reference.norms import adult_step
from anthropi.gait.walker.command import Command

__all__ = ["Foothold", "FootholdStepper", "Reach", "Sole", "foothold", "needed_lift", "nominal_print", "step_over"]


RESIDUAL_SCALE, TILT_SCALE, BORDER_SCALE, SHIFT_SCALE, LEVEL_SCALE = (
    0.005,
    0.1,
    0.02,
    (0.15, 0.05),
    0.1,
)  # [m], [], [m], [m], [m]: values that each add 1 to the cost, (1) to (4)
BORDER = 0.03  # [m], width of the border around the sole (2)


@dataclass(frozen=True)
class Sole:
    """Extent of a sole from the ankle [m]: heel behind, toe ahead, and width."""

    heel: float = 0.06
    toe: float = 0.19
    width: float = 0.09

    def points(self, border: float = 0.0, n: tuple[int, int] = (9, 5)) -> np.ndarray:
        """Grid of points (n₀ n₁, 2) [m] over the sole and a border around it, x ahead and y to the left."""
        x = np.linspace(-self.heel - border, self.toe + border, n[0])
        y = np.linspace(-0.5 * self.width - border, 0.5 * self.width + border, n[1])
        return np.stack(np.meshgrid(x, y, indexing="ij"), -1).reshape(-1, 2)


@dataclass(frozen=True)
class Reach:
    """Limits of the next foothold.

    Attributes
    ----------
    ahead, aside : allowed range ahead of the stance foot and outwards from it [m].
    shift : largest shift from the nominal footprint, ahead and aside [m].
    grid : spacing of the candidates [m].
    climb : largest height difference, up or down [m].
    tilt, residual : largest slope [] and residual [m] of the ground (eq. 1).
    spare : largest additional lift [m] (eq. 5).
    """

    ahead: tuple[float, float] = (0.05, 0.95)
    aside: tuple[float, float] = (0.04, 0.40)
    shift: tuple[float, float] = (0.25, 0.10)
    grid: float = 0.025
    climb: float = 0.20
    tilt: float = 0.35
    residual: float = 0.015
    spare: float = 0.03


class Foothold(NamedTuple):
    """A foothold.

    Attributes
    ----------
    place : position on the ground (3,) [m].
    reach : shift from the nominal footprint, ahead and aside [m].
    lift : lift of the swing foot [m] (eq. 5).
    rise : height above the stance foot [m].
    good : whether it is within the limits of `Reach`.
    score, terms : its cost, and the parts of the cost by name.
    tilt : slopes of the ground ahead and to the left (2,).
    """

    place: np.ndarray
    reach: tuple[float, float]
    lift: float
    rise: float
    good: bool
    score: float
    terms: dict[str, float]
    tilt: np.ndarray


def foothold(
    field: Any,
    nominal: Any,
    heading: float,
    stands: Any,
    side: int,
    leaves: Any = None,
    reach: Reach | None = None,
    sole: Sole | None = None,
) -> Foothold:
    """Choose a foothold near a nominal footprint.

    Parameters
    ----------
    field : a `HeightField`, or any surface with a method `height(x, y)`.
    nominal : foothold (2,) [m] on level ground.
    heading : [rad].
    stands : position of the stance foot (2,) or (3,) [m].
    side : 0 if the left foot is in stance, 1 if the right foot is.
    leaves : position (2,) [m] that the swing foot leaves; if None, as far behind the stance foot as the nominal
        footprint is ahead of it.
    reach : limits of the foothold.
    sole : extent of the sole.
    """
    reach, sole = reach or Reach(), sole or Sole()
    nominal, stands = _two(nominal, "nominal footprint"), _two(stands, "stance foot")
    frame = _frame(heading)  # rows: directions ahead and left
    a, b = (reach.grid * np.arange(-round(s / reach.grid), round(s / reach.grid) + 1) for s in reach.shift)
    shifts = np.stack(np.meshgrid(a, b, indexing="ij"), -1).reshape(-1, 2)
    places = nominal + shifts @ frame
    terms, h0, slope, residual = _ground(field, places, frame, sole)
    stood = float(_ground(field, stands[None], frame, sole)[1][0])
    terms["near"] = (shifts[:, 0] / SHIFT_SCALE[0]) ** 2 + (shifts[:, 1] / SHIFT_SCALE[1]) ** 2  # (3)
    terms["level"] = ((h0 - stood) / LEVEL_SCALE) ** 2  # (4)
    score: np.ndarray = sum(terms.values(), np.zeros(len(places)))
    step = (places - stands) @ frame.T
    out = step[:, 1] * (-1.0 if side == 0 else 1.0)  # away from the stance foot
    good = (step[:, 0] >= reach.ahead[0]) & (step[:, 0] <= reach.ahead[1])
    good &= (out >= reach.aside[0]) & (out <= reach.aside[1]) & (np.abs(h0 - stood) <= reach.climb)
    good &= (residual <= reach.residual) & (np.hypot(slope[:, 0], slope[:, 1]) <= reach.tilt)
    k = int(np.argmin(np.where(good, score, np.inf) if good.any() else score))
    leaves = 2.0 * stands - nominal if leaves is None else _two(leaves, "old footprint")
    lift = needed_lift(field, leaves, places[k], heading, stood, reach, sole)
    parts = {name: float(term[k]) for name, term in terms.items()}
    return Foothold(
        place=np.array([*places[k], h0[k]]),
        reach=(float(shifts[k, 0]), float(shifts[k, 1])),
        lift=lift,
        rise=float(h0[k] - stood),
        good=bool(good[k]),
        score=float(score[k]),
        terms=parts,
        tilt=slope[k],
    )


def needed_lift(
    field: Any,
    leaves: Any,
    lands: Any,
    heading: float,
    stood: float,
    reach: Reach | None = None,
    sole: Sole | None = None,
) -> float:
    """Lift [m] of a foot that swings from one footprint (2,) [m] to another (eq. 5).

    stood : height of the ground at the stance foot [m].
    """
    reach, sole = reach or Reach(), sole or Sole()
    leaves, lands = _two(leaves, "old footprint"), _two(lands, "new footprint")
    along = np.linspace(0.0, 1.0, 2 + int(np.hypot(*(lands - leaves)) / 0.03))[:, None]
    swept = (leaves + along * (lands - leaves))[:, None] + sole.points() @ _frame(heading)
    h = field.height(swept[..., 0], swept[..., 1])[0]
    rise = max(float(np.max(h)) - stood, 0.0)
    return rise + min(rise, reach.spare)


def nominal_print(session: Any, leg: float = 0.92, width: float = 0.14) -> np.ndarray:
    """Position (2,) [m] of the next foothold on level ground: an adult's step length ahead, and a step width aside.

    Parameters
    ----------
    leg : leg length [m], which determines the step length.
    width : step width [m].
    """
    stands = session.feet["lr"[session.side]]
    speed = min(max(float(np.hypot(*session.velocity)), 0.3), 2.5)
    length = adult_step(speed, leg).step_length
    return np.asarray(stands[:2]) + np.array([length, -width if session.side == 0 else width]) @ _frame(session.heading)


def step_over(
    session: Any,
    field: Any,
    command: Command,
    nominal: Any = None,
    reach: Reach | None = None,
    sole: Sole | None = None,
) -> Command:
    """Return a command with lift, reach and rise for the ground ahead. A command to stand is returned unchanged.

    nominal : position (2,) [m] of the next foothold on level ground; `nominal_print` if None.
    """
    if not command.go:
        return command
    stands, swings = (np.asarray(session.feet["lr"[k]], float) for k in (session.side, 1 - session.side))
    nominal = nominal_print(session) if nominal is None else nominal
    found = foothold(field, nominal, session.heading, stands, session.side, swings[:2], reach, sole)
    return command._replace(lift=found.lift, reach=found.reach, rise=found.rise)


def _ground(
    field: Any, places: np.ndarray, frame: np.ndarray, sole: Sole
) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray]:
    """Cost terms "flat" and "clear", heights h₀ (k,), slopes (k, 2) and residuals (k,) of the ground at k places."""
    r = sole.points()
    at = places[:, None] + r @ frame
    h = np.asarray(field.height(at[..., 0], at[..., 1])[0])
    A = np.column_stack([np.ones(len(r)), r])
    fit = h @ np.linalg.pinv(A).T
    rest = h - fit @ A.T
    residual, slope = np.sqrt((rest * rest).mean(-1)), fit[:, 1:]
    flat = (residual / RESIDUAL_SCALE) ** 2 + (slope * slope).sum(-1) / TILT_SCALE**2  # (1)
    about = sole.points(BORDER, (11, 7))
    round_ = places[:, None] + about @ frame
    wide = np.asarray(field.height(round_[..., 0], round_[..., 1])[0])
    wide = wide - fit @ np.column_stack([np.ones(len(about)), about]).T
    beyond = np.maximum(wide.max(-1) - rest.max(-1), 0.0) + np.maximum(rest.min(-1) - wide.min(-1), 0.0)
    return {"flat": flat, "clear": (beyond / BORDER_SCALE) ** 2}, fit[:, 0], slope, residual


def _frame(heading: float) -> np.ndarray:
    """Rotation matrix (2, 2) whose rows are the directions ahead and to the left of a heading [rad]."""
    c, s = np.cos(heading), np.sin(heading)
    return np.array([[c, s], [-s, c]])


def _two(values: Any, what: str) -> np.ndarray:
    """Return the first two of two or three numbers.

    Raises InputError if they are not finite.
    """
    array = np.asarray(values, float)
    if array.shape not in ((2,), (3,)) or not np.isfinite(array).all():
        raise InputError(f"The {what} is {values!r}. Give two finite numbers [m].")
    return array[:2]


LEARNING_RATE = 0.3  # fraction of an error that is corrected (6)
MAX_PRINT_ERROR = 0.3  # [m]; a larger error comes from a stumble or a stop and is ignored


class FootholdStepper:
    """Choice of a foothold for each step, as a function (session, Command) → Command for `follow(…, also=…)`.

    Parameters
    ----------
    field : a `HeightField`.
    reach, sole : limits of footholds, and extent of a sole.

    Attributes
    ----------
    prints : list of (target (2,), landed (2,)) [m] of all steps so far.
    footholds : list of the chosen footholds.
    bias : {side: (2,)} [m] (eq. 6).
    """

    bias: Any
    field: Any
    reach: Any
    sole: Any

    def __init__(self, field: Any, reach: Reach | None = None, sole: Sole | None = None) -> None:
        self.field, self.reach, self.sole = field, reach, sole
        self.bias = {0: np.zeros(2), 1: np.zeros(2)}
        self.prints: list[Any] = []
        self.footholds: list[Foothold] = []
        self._step = -1
        self._target: np.ndarray | None = None

    def __call__(self, session: Any, command: Command) -> Command:
        """Return the command with lift, reach and rise of this step."""
        if not command.go:
            self._target = None
            return command
        if session.steps != self._step or not self.footholds:
            self._learn(session)
            self._choose(session)
            self._step = session.steps
        taken = self.footholds[-1]
        return command._replace(lift=taken.lift, reach=taken.reach, rise=taken.rise)

    def _learn(self, session: Any) -> None:
        """Update the bias from the last footprint (eq. 6)."""
        if self._target is None or session.steps != self._step + 1:
            return
        landed, frame = np.asarray(session.feet["lr"[session.side]], float)[:2], _frame(session.heading)
        off = frame @ (landed - self._target)
        self.prints.append((self._target, landed))
        if np.hypot(*off) < MAX_PRINT_ERROR:
            self.bias[session.side] = self.bias[session.side] + LEARNING_RATE * off  # (6)

    def _choose(self, session: Any) -> None:
        """Choose the foothold of this step."""
        side, other = session.side, 1 - session.side
        stands, swings = (np.asarray(session.feet["lr"[k]], float) for k in (side, other))
        nominal = nominal_print(session) + self.bias[other] @ _frame(session.heading)  # (6)
        found = foothold(self.field, nominal, session.heading, stands, side, swings[:2], self.reach, self.sole)
        self.footholds.append(found)
        self._target = found.place[:2]
