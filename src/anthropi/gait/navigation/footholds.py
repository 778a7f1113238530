"""Where on rough ground does the next foot go, and how high on its way there? Floats only.

Candidates lie on a grid of shifts (a ahead, b aside) about the nominal print. Over the sole at each a plane is laid by
least squares, h ≈ h₀ + g·r; then, each over what still is good, squared and added,

    flat       residual from that plane, root mean square, / 5 mm, and tilt |g| / 0.1                              (1)
    clear      range of heights round the sole, 3 cm about it, beyond those on it, / 2 cm                          (2)
    near       a / 0.15 m, b / 0.05 m                                                                              (3)
    level      h₀ above or below the foot that stands, / 0.1 m                                                     (4)

the smallest sum is taken, among those reachable: ahead of the foot that stands and aside of it within limits, climb,
tilt and residual within limits. Where none is, the smallest sum of all, `good` False. On its way the foot must pass
what is highest under the strip its sole sweeps from the print it leaves to the one it takes:

    rise = max over the strip of h - h_stands, not below 0,   lift = rise + min(rise, spare)                       (5)

On level ground the walker's own swing is enough: lift 0. `reach` is (a, b) of the foothold taken.

Stepper
-------
Footholds step after step: chosen when a foot strikes, kept until the next one does, and learnt from. Floats only.

Where a foot goes by itself is a guess (`nominal_print`). Each print shows how far off it was, in the frame of the step:

    bias ← bias + 0.3 (print - told),   nominal = guess + bias of that side                                        (6)
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.errors import InputError
from anthropi.gait.reference.norms import adult_step
from anthropi.gait.walker.command import Command

__all__ = ["Foothold", "FootholdStepper", "Reach", "Sole", "foothold", "needed_lift", "nominal_print", "step_over"]


RESIDUAL, TILT, ROUND, SHIFT, LEVEL = 0.005, 0.1, 0.02, (0.15, 0.05), 0.1  # (1) … (4): still good
BORDER = 0.03  # [m] (2)


@dataclass(frozen=True)
class Sole:
    """What of a foot stands, from the ankle [m]: heel behind, toe ahead, width."""

    heel: float = 0.06
    toe: float = 0.19
    width: float = 0.09

    def points(self, border: float = 0.0, n=(9, 5)) -> np.ndarray:
        """A grid (n₀ n₁, 2), x ahead and y left, over the sole and a border."""
        x = np.linspace(-self.heel - border, self.toe + border, n[0])
        y = np.linspace(-0.5 * self.width - border, 0.5 * self.width + border, n[1])
        return np.stack(np.meshgrid(x, y, indexing="ij"), -1).reshape(-1, 2)


@dataclass(frozen=True)
class Reach:
    """How far the next foot may go, [m].

    ahead : from the foot that stands, from … to. aside : outwards from it, from … to. shift : from the nominal print,
    ahead and aside. grid : of candidates. climb : up or down. tilt, residual : of the ground (1). spare : (5).
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
    """place (3,) [m] on the ground, reach (ahead, aside) [m] from the nominal print, lift [m] (5), rise [m] above the
    foot that stands.

    good : whether it is within limits. score : the sum, terms : {name: its part}. tilt (2,) : slopes ahead and left.
    """

    place: np.ndarray
    reach: tuple[float, float]
    lift: float
    rise: float
    good: bool
    score: float
    terms: dict[str, float]
    tilt: np.ndarray


def foothold(field: Any, nominal, heading: float, stands, side: int, leaves=None, reach=None, sole=None) -> Foothold:
    """The foothold on a `HeightField` (or any surface with `height(x, y)`) near a nominal print (2,) [m].

    stands : (2,) or (3,) [m], the foot that stands. side : 0 where that is the left. leaves : (2,) the print that the
    swinging foot leaves; None: as far behind the one that stands as the nominal one is ahead.
    """
    reach, sole = reach or Reach(), sole or Sole()
    nominal, stands = _two(nominal, "nominal print"), _two(stands, "foot that stands")
    frame = _frame(heading)  # rows: ahead, left
    a, b = (reach.grid * np.arange(-round(s / reach.grid), round(s / reach.grid) + 1) for s in reach.shift)
    shifts = np.stack(np.meshgrid(a, b, indexing="ij"), -1).reshape(-1, 2)
    places = nominal + shifts @ frame
    terms, h0, slope, residual = _ground(field, places, frame, sole)
    stood = float(_ground(field, stands[None], frame, sole)[1][0])
    terms["near"] = (shifts[:, 0] / SHIFT[0]) ** 2 + (shifts[:, 1] / SHIFT[1]) ** 2  # (3)
    terms["level"] = ((h0 - stood) / LEVEL) ** 2  # (4)
    score = sum(terms.values())
    step = (places - stands) @ frame.T
    out = step[:, 1] * (-1.0 if side == 0 else 1.0)  # away from the foot that stands
    good = (step[:, 0] >= reach.ahead[0]) & (step[:, 0] <= reach.ahead[1])
    good &= (out >= reach.aside[0]) & (out <= reach.aside[1]) & (np.abs(h0 - stood) <= reach.climb)
    good &= (residual <= reach.residual) & (np.hypot(slope[:, 0], slope[:, 1]) <= reach.tilt)
    k = int(np.argmin(np.where(good, score, np.inf) if good.any() else score))
    leaves = 2.0 * stands - nominal if leaves is None else _two(leaves, "print it leaves")
    lift = needed_lift(field, leaves, places[k], heading, stood, reach, sole)
    parts = {name: float(term[k]) for name, term in terms.items()}
    return Foothold(np.array([*places[k], h0[k]]), (float(shifts[k, 0]), float(shifts[k, 1])), lift,
                    float(h0[k] - stood), bool(good[k]), float(score[k]), parts, slope[k])  # fmt: skip


def needed_lift(field, leaves, lands, heading: float, stood: float, reach=None, sole=None) -> float:
    """(5) [m] for a foot that goes from one print (2,) to another, beside a foot on ground of height `stood`."""
    reach, sole = reach or Reach(), sole or Sole()
    leaves, lands = _two(leaves, "print it leaves"), _two(lands, "print it takes")
    way = np.linspace(0.0, 1.0, 2 + int(np.hypot(*(lands - leaves)) / 0.03))[:, None]
    swept = (leaves + way * (lands - leaves))[:, None] + sole.points() @ _frame(heading)
    h = field.height(swept[..., 0], swept[..., 1])[0]
    rise = max(float(np.max(h)) - stood, 0.0)
    return rise + min(rise, reach.spare)


def nominal_print(session, leg: float = 0.92, width: float = 0.14):
    """Where the next foot goes on level ground (2,): an adult's step ahead of the one that stands, a width aside."""
    stands = session.feet["lr"[session.side]]
    speed = min(max(float(np.hypot(*session.velocity)), 0.3), 2.5)
    length = adult_step(speed, leg).step_length
    return np.asarray(stands[:2]) + np.array([length, -width if session.side == 0 else width]) @ _frame(session.heading)


def step_over(session, field, command: Command, nominal=None, reach=None, sole=None) -> Command:
    """The command with the lift and reach that the ground ahead asks for; unchanged where it says stand.

    nominal : (2,) [m] where the next foot goes by itself, None: `nominal_print`.
    """
    if not command.go:
        return command
    stands, swings = (np.asarray(session.feet["lr"[k]], float) for k in (session.side, 1 - session.side))
    nominal = nominal_print(session) if nominal is None else nominal
    found = foothold(field, nominal, session.heading, stands, session.side, swings[:2], reach, sole)
    return command._replace(lift=found.lift, reach=found.reach, rise=found.rise)


def _ground(field, places, frame, sole: Sole):
    """(1), (2) at places (k, 2): terms, heights h₀ (k,), slopes (k, 2), residuals (k,)."""
    r = sole.points()
    at = places[:, None] + r @ frame
    h = np.asarray(field.height(at[..., 0], at[..., 1])[0])
    A = np.column_stack([np.ones(len(r)), r])
    fit = h @ np.linalg.pinv(A).T
    rest = h - fit @ A.T
    residual, slope = np.sqrt((rest * rest).mean(-1)), fit[:, 1:]
    flat = (residual / RESIDUAL) ** 2 + (slope * slope).sum(-1) / TILT**2  # (1)
    about = sole.points(BORDER, (11, 7))
    round_ = places[:, None] + about @ frame
    wide = np.asarray(field.height(round_[..., 0], round_[..., 1])[0])
    wide = wide - fit @ np.column_stack([np.ones(len(about)), about]).T
    beyond = np.maximum(wide.max(-1) - rest.max(-1), 0.0) + np.maximum(rest.min(-1) - wide.min(-1), 0.0)
    return {"flat": flat, "clear": (beyond / ROUND) ** 2}, fit[:, 0], slope, residual


def _frame(heading: float) -> np.ndarray:
    c, s = np.cos(heading), np.sin(heading)
    return np.array([[c, s], [-s, c]])


def _two(values, what: str) -> np.ndarray:
    array = np.asarray(values, float)
    if array.shape not in ((2,), (3,)) or not np.isfinite(array).all():
        raise InputError(f"The {what} is {values!r}; give two finite numbers [m].")
    return array[:2]


LEARNS = 0.3  # (6)
FARTHEST = 0.3  # [m] a print farther off teaches nothing: somebody stumbled, or stopped


class FootholdStepper:
    """A function (session, Command) → Command with lift, reach and rise, for `follow(…, also=…)`. field : a
    `HeightField`.

    prints : [(told (2,), landed (2,))] so far, footholds : those chosen.
    """

    def __init__(self, field, reach: Reach | None = None, sole: Sole | None = None):
        self.field, self.reach, self.sole = field, reach, sole
        self.bias = {0: np.zeros(2), 1: np.zeros(2)}
        self.prints: list = []
        self.footholds: list[Foothold] = []
        self._step = -1
        self._told: np.ndarray | None = None

    def __call__(self, session, command: Command) -> Command:
        """The command, with what the ground asks for in this step."""
        if not command.go:
            self._told = None
            return command
        if session.steps != self._step or not self.footholds:
            self._learn(session)
            self._choose(session)
            self._step = session.steps
        taken = self.footholds[-1]
        return command._replace(lift=taken.lift, reach=taken.reach, rise=taken.rise)

    def _learn(self, session) -> None:
        if self._told is None or session.steps != self._step + 1:
            return
        landed, frame = np.asarray(session.feet["lr"[session.side]], float)[:2], _frame(session.heading)
        off = frame @ (landed - self._told)
        self.prints.append((self._told, landed))
        if np.hypot(*off) < FARTHEST:
            self.bias[session.side] = self.bias[session.side] + LEARNS * off  # (6)

    def _choose(self, session) -> None:
        side, other = session.side, 1 - session.side
        stands, swings = (np.asarray(session.feet["lr"[k]], float) for k in (side, other))
        nominal = nominal_print(session) + self.bias[other] @ _frame(session.heading)  # (6)
        found = foothold(self.field, nominal, session.heading, stands, side, swings[:2], self.reach, self.sole)
        self.footholds.append(found)
        self._told = found.place[:2]
