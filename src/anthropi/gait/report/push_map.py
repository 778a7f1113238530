"""Push map of a walk: the largest impulses it survives, by direction and phase (docs/equations/gait.md, 2.4, 7).

A cell is one direction at one phase of the stride.

    largest of a cell: the largest impulse up to which every impulse tried is survived                      (1)
    share at J: share of cells that survive J; if J was not tried in every cell, share of cells with (1) ≥ J  (2)
    survived by a share of the cells: the largest impulse J such that this share of the cells has (1) ≥ J   (3)
    scaled to a body of 75 kg: impulse × 75 kg / mass, which causes the same change of velocity             (4)

The cells are simulated in one batch for each impulse (on a GPU, for all impulses). Then, in each round, every cell is
pushed once more. The impulse lies between lo, which is (1), and hi, the smallest impulse that is not survived:

    next = (lo + hi) / 2,   or 1.5 lo if all impulses were survived                                         (5)

The functions work on plain floats only and cannot be recorded on a tape.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from anthropi import study
from anthropi.errors import FormatError, InputError, Interrupted, SimulationError
from anthropi.formats.decoding import read_arrays
from anthropi.formats.files import write_whole
from anthropi.gait.report.push_trials import MAX_BATCH, Trials

__all__ = ["COMPASS", "RECOVERY_OF_PEOPLE", "PushMap", "brackets", "push_map", "survive"]


COMPASS = ("forward", "forward left", "left", "back left", "back", "back right", "right", "forward right")
RECOVERY_OF_PEOPLE = 2.0  # steps (Hof 2010)
REFERENCE_MASS = 75.0  # [kg] of (4)
TARGET_IMPULSE = 40.0  # [N s] at 75 kg (docs/equations/gait.md, 2.1)


def brackets(tried: np.ndarray, survived: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the largest impulse survived (1) and the smallest impulse not survived, of each cell.

    tried, survived : (…, n), impulses tried [N s] and whether each was survived. The results are 0 and ∞ where there is
    no such impulse.
    """
    high = np.where(survived, np.inf, tried).min(-1)
    low = np.where(survived & (tried < high[..., None]), tried, 0.0).max(-1)
    return low, high


@dataclass(frozen=True, eq=False)
class PushMap:
    """Results of pushes on a walk, by direction and phase of the stride.

    directions : (d,) directions of the pushes [rad], 0 forward, positive to the left.
    phases : (p,) phases of the pushes [cycles] after the strike of the left foot.
    impulses : (n,) [N s], the impulses tried for every direction and phase.
    tried : (d, p, k), impulse of each push [N s]; k is the number of pushes for each direction and phase.
    survived : (d, p, k), whether the walk survived each push.
    recovery : (d, p, k), number of steps until recovery; NaN if not observed.
    mass : body mass [kg]. over : duration of a push [s].
    stride, speed, height : duration of a stride [s], walking speed [m/s] and height of the pushed link [m], all in the
        walk without pushes.
    stance : {side: (strike, off)}, foot strike and toe-off of each leg, as phases [cycles].
    """

    directions: np.ndarray
    phases: np.ndarray
    impulses: np.ndarray
    tried: np.ndarray
    survived: np.ndarray
    recovery: np.ndarray
    mass: float
    over: float
    stride: float
    speed: float
    height: float
    stance: dict[str, tuple[float, float]]

    def __repr__(self) -> str:
        return f"PushMap({len(self.directions)} directions × {len(self.phases)} phases: {self.headline})"

    @property
    def largest(self) -> np.ndarray:
        """Largest impulses survived (1), (d, p) [N s]."""
        return brackets(self.tried, self.survived)[0]

    @property
    def bounded(self) -> np.ndarray:
        """Whether a push was found that is not survived, (d, p). If not, (1) is the largest impulse tried."""
        return np.isfinite(brackets(self.tried, self.survived)[1])

    def share(self, impulse: float, at_75_kg: bool = False) -> float:
        """Return the share of cells (2) that survive an impulse [N s].

        at_75_kg : True if the impulse is given for a body of 75 kg (4).
        """
        own = impulse * (self.mass / REFERENCE_MASS if at_75_kg else 1.0)
        same = np.abs(self.tried - own) < 1e-9 * max(1.0, own)
        if same.any(-1).all():
            return float((self.survived & same).any(-1).mean())
        return float((self.largest >= own - 1e-9).mean())

    def by(self, share: float) -> float:
        """Return the largest impulse [N s] that a share of the cells survives (3)."""
        if not 0.0 < share <= 1.0:
            raise InputError(f"by({share!r}): give a share of the cells greater than 0 and at most 1.")
        ranked = np.sort(self.largest.ravel())[::-1]
        return float(ranked[int(np.ceil(share * len(ranked) - 1e-9)) - 1])

    def at_75_kg(self, impulse: Any) -> Any:
        """Scale an impulse to a body of 75 kg (4) [N s]."""
        return impulse * REFERENCE_MASS / self.mass

    def steps(self, impulse: float) -> np.ndarray:
        """Return the number of steps until recovery, for all survived pushes with a given impulse [N s]."""
        same = (np.abs(self.tried - impulse) < 1e-9 * max(1.0, impulse)) & self.survived
        return self.recovery[same]

    def names(self) -> tuple[str, ...]:
        """Return the names of the directions."""
        if len(self.directions) in (1, 2, 4, 8):
            return COMPASS[:: len(COMPASS) // len(self.directions)]
        return tuple(f"{np.degrees(a):.0f}°" for a in self.directions)

    @property
    def headline(self) -> str:
        """Summary of the push map in one line."""
        own = "" if abs(self.mass - REFERENCE_MASS) < 0.05 else f" ({self.mass:.0f} kg)"
        return (
            f"{self.over:g} s at {self.speed:.2f} m/s{own}: all survive {self.by(1.0):.1f} N s, half "
            f"{self.by(0.5):.1f} N s; {100.0 * self.share(TARGET_IMPULSE, True):.0f} % survive "
            f"{TARGET_IMPULSE:.0f} N s at 75 kg"
        )

    def text(self) -> str:
        """Return the tables of the push map as text."""
        phase = "".join(f"{100.0 * p:6.0f} %" for p in self.phases)
        lines = [
            self.headline,
            "",
            "largest impulse survived [N s], by direction and phase of the stride",
            "",
            " " * 14 + phase + "   least",
        ]
        for name, row, ends in zip(self.names(), self.largest, self.bounded, strict=True):
            shown = "".join(f"{'' if end else '≥ '}{x:.1f}".rjust(8) for x, end in zip(row, ends, strict=True))
            lines.append(f"{name:14s}{shown}{row.min():8.1f}")
        lines += [
            "",
            "impulse  at 75 kg  survive   steps until recovery (people: 2)",
            "  [N s]     [N s]              median  most  at most two  no recovery",
        ]
        for j in self.impulses:
            lines.append(f"{j:7.1f}{self.at_75_kg(j):10.1f}{100.0 * self.share(j):7.0f} %{self._recovery_text(j)}")
        return "\n".join(lines)

    def csv(self) -> str:
        """Return a table of all pushes as CSV text."""
        lines = ["direction_deg,phase,impulse_Ns,impulse_at_75kg_Ns,survived,recovery_steps"]
        for d, p, k in np.ndindex(self.tried.shape):
            j, n = self.tried[d, p, k], self.recovery[d, p, k]
            lines.append(
                f"{np.degrees(self.directions[d]):g},{self.phases[p]:g},{j:g},{self.at_75_kg(j):g},"
                f"{int(self.survived[d, p, k])},{f'{n:g}' if np.isfinite(n) else ''}"
            )
        return "\n".join(lines) + "\n"

    def save(self, path: str | Path) -> None:
        """Write the push map to a .npz or .csv file."""
        kind = Path(path).suffix.lower()
        if kind == ".csv":
            write_whole(path, lambda file: file.write(self.csv().encode()))
        elif kind == ".npz":
            arrays: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "stance"}
            arrays |= {f"stance.{side}": np.array(x) for side, x in self.stance.items()} | {"largest": self.largest}
            write_whole(path, lambda file: np.savez(file, **arrays))
        else:
            raise FormatError(f"{path}: a push map cannot be written in this format. Use .npz or .csv.")

    @staticmethod
    def load(path: str | Path) -> "PushMap":
        """Read a push map from a .npz file written by `save`."""
        path = Path(path)
        found = read_arrays(path, path.name, lambda name: ("bool",) if name == "survived" else ("float64",))
        stance = {name.removeprefix("stance."): x for name, x in found.items() if name.startswith("stance.")}
        arrays = {f.name: found.get(f.name, np.full(0, np.nan)) for f in fields(PushMap) if f.name != "stance"}
        cells = (*arrays["directions"].shape, *arrays["phases"].shape, *arrays["tried"].shape[2:])
        shapes = {"tried": cells, "survived": cells, "recovery": cells}
        shapes |= {name: arrays[name].shape[:1] for name in ("directions", "phases", "impulses")}
        wrong = [name for name, x in arrays.items() if x.shape != shapes.get(name, ()) or 0 in x.shape]
        wrong += [f"stance.{side}" for side, x in stance.items() if x.shape != (2,)]
        if wrong or len(cells) != 3:
            raise FormatError(
                f"{path.name} is not a push map: '{[*wrong, 'tried'][0]}' is missing or has a wrong shape. Use "
                "`anthropi push-map --data FILE.npz` to write one."
            )
        single = {name: float(x) if x.ndim == 0 else x for name, x in arrays.items()}
        ends = {side: (float(x[0]), float(x[1])) for side, x in stance.items()}
        return PushMap(**single, stance=ends)  # type: ignore[arg-type]

    def plot(self, path: Any = None) -> Any:
        """Draw the map, write it to `path` if given, and return the sheet."""
        from anthropi.pictures.push_map import push_sheet

        return push_sheet(self, path)

    def _recovery_text(self, impulse: float) -> str:
        steps = self.steps(impulse)
        seen = steps[np.isfinite(steps)]
        if not len(seen):
            return "–".rjust(10)
        quick = 100.0 * (seen <= RECOVERY_OF_PEOPLE).sum() / len(steps)
        return f"{np.median(seen):10.0f}{seen.max():6.0f}{quick:11.0f} %{len(steps) - len(seen):13d}"


IMPULSES = (20.0, 30.0, 40.0, 50.0)  # [N s]
GROWTH = 1.5  # factor of (5)


def push_map(
    scene: Any,
    controller: Any,
    start: Any,
    *,
    directions: int = 8,
    phases: int = 8,
    impulses: Any = IMPULSES,
    rounds: int = 3,
    over: float = 0.1,
    settle: float = 5.0,
    after: float = 5.0,
    link: str = "pelvis",
    command: Any = None,
    parameters: dict[str, Any] | None = None,
    dt: float = 1e-3,
    seed: int = 0,
    progress: Callable[[float, int], Any] | None = None,
    executor: Any = "inline",
    folder: str | Path | None = None,
    **build: Any,
) -> PushMap:
    """Find the largest push impulses that a walk survives, by direction and phase of the stride.

    Parameters
    ----------
    scene, controller : the scene with the walking figure, and its controller.
    start : (q, u) in steady walking, or a Motion to continue, including its memory.
    directions, phases : number of evenly spaced directions and phases. Directions go from forward to the left; phase 0
        is the strike of the left foot.
    impulses : impulses [N s] tried in every cell (direction and phase).
    rounds : number of bisection rounds after them.
    over : duration of a push [s].
    settle : walking time before the pushed stride [s].
    after : time after a push in which the figure must not fall [s].
    link : name of the link that is pushed.
    command, parameters, seed, dt, **build : as in `simulate`.
    progress : function that is called with the rollouts done and the total number of rollouts.
    executor, folder : who computes, and where results are kept, as in `study.Study`; by default this process, and
        nothing is kept.

    Raises `Interrupted` on Ctrl-C; its `result` is the map of the impulses and rounds that were finished.
    """
    first = np.unique(np.asarray(impulses, float))
    if first.ndim != 1 or not len(first) or not np.isfinite(first).all() or first[0] <= 0.0:
        raise InputError(f"impulses={impulses!r}: give finite numbers above 0 [N s].")
    for name, x, least in (("directions", directions, 1), ("phases", phases, 1), ("rounds", rounds, 0)):
        if not isinstance(x, (int, np.integer)) or x < least:
            raise InputError(f"{name}={x!r}: give a whole number of at least {least}.")
    for name, span in (("over", over), ("settle", settle), ("after", after), ("dt", dt)):
        if not (isinstance(span, (int, float)) and np.isfinite(span) and span > 0.0):
            raise InputError(f"{name}={span!r}: give a number of seconds above 0.")
    angles, cycles = 2.0 * np.pi * np.arange(directions) / directions, np.arange(phases) / phases
    total = 1 + directions * phases * (len(first) + rounds)
    run = {"command": command, "parameters": parameters, "seed": seed} | build
    over = max(1, round(over / dt)) * dt
    trials = Trials.of(scene, controller, start, link, settle, over, after, dt, _progress(progress, 0, total), **run)
    search = _Pushes(angles, cycles, first, rounds, each=1 if build.get("target", "cpu") == "cpu" else len(first))
    report = None if progress is None else lambda now: progress(1 + now.done, total)

    def found() -> PushMap:
        about = trials.over, trials.stride, trials.speed, trials.height, trials.stance
        tried, up, steps = search.tried, search.survived, search.recovery
        mass = float(trials.scene.figure.mass)
        return PushMap(angles, cycles, first[: tried.shape[-1]], tried, up, steps, mass, *about)

    made = study.Study(survive, search, folder, batch=MAX_BATCH, constants={"trials": trials}, allow_nan=True)
    try:
        made.run(executor, progress=report)
    except KeyboardInterrupt:
        if not search.tried.size:
            raise KeyboardInterrupt from None
        raise Interrupted(
            f"The push map was stopped after {search.tried.shape[-1]} of {len(first) + rounds} pushes of each cell. "
            "The map so far is in the field 'result' of this exception.",
            result=found(),
        ) from None
    return found()


def survive(direction: Any, phase: Any, impulse: Any, trials: Trials) -> dict[str, np.ndarray]:
    """Return which pushes (n,) are survived, and the steps until recovery. The function of a study."""
    survived, recovery = trials.survive(direction, phase, impulse)
    return {"survived": survived, "recovery": recovery}


class _Pushes:
    """The pushes of a map, as a `study.Search`: the given impulses in every cell, then rounds of bisection (5)."""

    best = None

    def __init__(self, angles: np.ndarray, cycles: np.ndarray, first: np.ndarray, rounds: int, each: int) -> None:
        self.angles, self.cycles, self.first, self.rounds, self.each = angles, cycles, first, rounds, each
        none = np.zeros((len(angles), len(cycles), 0))
        self.tried, self.survived, self.recovery = none, none.astype(bool), none

    def content(self) -> Any:
        """Return what determines the pushes."""
        return [len(self.angles), len(self.cycles), self.first.tolist(), self.rounds, self.each]

    def ask(self) -> study.Points | None:
        """Return the next pushes of all cells; None after the last round."""
        have, cells = self.tried.shape[-1], self.tried.shape[:2]
        if have >= len(self.first) + self.rounds:
            return None
        if have < len(self.first):
            row = self.first[have : have + self.each]
            self._more = np.broadcast_to(row, (*cells, len(row)))
        else:
            low, high = brackets(self.tried, self.survived)
            middle = 0.5 * (low + np.where(np.isfinite(high), high, 0.0))
            self._more = np.where(np.isfinite(high), middle, GROWTH * low)[..., None]  # (5)
        shape = self._more.shape
        a, p = np.broadcast_to(self.angles[:, None, None], shape), np.broadcast_to(self.cycles[None, :, None], shape)
        return study.Points({"direction": a.ravel(), "phase": p.ravel(), "impulse": self._more.ravel()})

    def tell(self, results: Mapping[str, np.ndarray], status: np.ndarray) -> None:
        """Take the results of the pushes."""
        if (status != "done").any():
            k = int(np.argmax(status != "done"))
            raise SimulationError(f"Push {k} of a round was not computed ({status[k]}). Run the push map again.")
        shape = self._more.shape
        self.tried = np.concatenate([self.tried, self._more], -1)
        self.survived = np.concatenate([self.survived, results["survived"].astype(bool).reshape(shape)], -1)
        self.recovery = np.concatenate([self.recovery, results["recovery"].reshape(shape)], -1)


def _progress(progress, done: int, total: int):
    return None if progress is None else lambda steps, whole: progress(done + steps / whole, total)
