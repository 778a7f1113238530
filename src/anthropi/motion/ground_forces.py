"""Ground forces measured by force plates: force, point of application and free moment over time.

A plate measures a wrench: the force f on the person and its moment m about the world's origin. With a point c of the
surface, the unit normal n and m_c = m - c × f, the centre of pressure p is the point of the surface about which the
moment has no part in the surface, and the free moment T is the moment about it (Zatsiorsky 2002, Kinetics of Human
Motion, 1.2.3):

    p = c + n × m_c / (n·f),     T = n (m_c·f) / (n·f)                                                              (1)

Wrenches about one point can be added and interpolated; centres of pressure cannot. Therefore a plate stores f and m,
and p and T are computed. Other times get the mean wrench of the interval from each time to the next, which keeps the
impulse. This is the meaning of the channels "contact", "contact_point" and "contact_moment" of a motion
(`motion/contacts.py`). Works on plain floats only.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from anthropi.errors import InputError, ShapeError, did_you_mean

__all__ = ["MIN_FORCE", "ForcePlate", "GroundForces"]

MIN_FORCE = 20.0  # [N] along the normal, below which a plate counts as unloaded and has no centre of pressure


@dataclass(frozen=True, eq=False)
class ForcePlate:
    """Force of one plate on the person, in world axes (x forward, y left, z up).

    Attributes
    ----------
    name : of the plate. time : (n,) [s], increasing.
    force : (n, 3) [N] on the person. moment : (n, 3) [N m] of this force about the world's origin.
    centre : (3,) or (n, 3) [m], a point of the surface. normal : (3,) unit normal of the surface, upwards.
    corners : (4, 3) [m] of the surface; None if they are not known.
    link : name of the link or body on which the force acts, if the file says so; else "".
    min_force : [N] force along the normal below which the plate counts as unloaded.
    """

    name: str
    time: np.ndarray
    force: np.ndarray
    moment: np.ndarray
    centre: Any = (0.0, 0.0, 0.0)
    normal: Any = (0.0, 0.0, 1.0)
    corners: Any = None
    link: str = ""
    min_force: float = MIN_FORCE

    def __post_init__(self) -> None:
        time = np.asarray(self.time, float)
        if time.ndim != 1 or len(time) < 1 or not np.isfinite(time).all() or (np.diff(time) <= 0.0).any():
            raise InputError(f"Force plate '{self.name}': its times [s] must be finite and increase.")
        arrays = {"time": time, "centre": np.asarray(self.centre, float), "normal": np.asarray(self.normal, float)}
        for word in ("force", "moment"):
            arrays[word] = np.asarray(getattr(self, word), float)
            if arrays[word].shape != (len(time), 3):
                raise ShapeError(
                    f"Force plate '{self.name}': {word} has shape {arrays[word].shape}; expected {(len(time), 3)}."
                )
        if self.corners is not None:
            arrays["corners"] = np.asarray(self.corners, float)
        shapes = {"centre": ((3,), (len(time), 3)), "normal": ((3,),), "corners": ((4, 3),)}
        for word, choices in shapes.items():
            if word in arrays and (arrays[word].shape not in choices or not np.isfinite(arrays[word]).all()):
                raise ShapeError(
                    f"Force plate '{self.name}': {word} must be finite numbers of shape {choices[0]}; got shape "
                    f"{arrays[word].shape}."
                )
        length = float(np.linalg.norm(arrays["normal"]))
        if not length > 0.0:
            raise InputError(f"Force plate '{self.name}': its normal has no length.")
        arrays["normal"] = arrays["normal"] / length
        for word, array in arrays.items():
            object.__setattr__(self, word, array)

    def __len__(self) -> int:
        return len(self.time)

    @property
    def load(self) -> np.ndarray:
        """Force along the normal (n,) [N]; positive if the plate pushes the person."""
        return self.force @ self.normal

    @property
    def loaded(self) -> np.ndarray:
        """Whether the plate is loaded (n,), by more than `min_force`."""
        return np.nan_to_num(self.load) > self.min_force

    @property
    def point(self) -> np.ndarray:
        """Centre of pressure (n, 3) [m] on the surface (1); NaN where the plate is not loaded."""
        about = self.moment - np.cross(np.broadcast_to(self.centre, self.force.shape), self.force)
        share = np.where(self.loaded, self.load, np.nan)[:, None]
        return self.centre + np.cross(self.normal, about) / share  # (1)

    @property
    def free_moment(self) -> np.ndarray:
        """Free moment (n, 3) [N m] about the centre of pressure, along the normal (1); 0 where not loaded."""
        about = self.moment - np.cross(np.broadcast_to(self.centre, self.force.shape), self.force)
        size = (about * self.force).sum(-1) / np.where(self.loaded, self.load, np.inf)
        return size[:, None] * self.normal  # (1)

    def inside(self, margin: float = 0.0) -> np.ndarray:
        """Return where the centre of pressure lies within the corners (n,), widened by `margin` [m]."""
        if self.corners is None:
            raise InputError(f"Force plate '{self.name}' has no corners, so no point is inside or outside of it.")
        middle, point, found = self.corners.mean(0), self.point, np.isfinite(self.point).all(-1)
        for a, b in zip(self.corners, np.roll(self.corners, -1, axis=0), strict=True):
            outward = np.cross(b - a, self.normal)
            outward = outward * np.sign(outward @ (a - middle)) / max(float(np.linalg.norm(outward)), 1e-12)
            found &= np.nan_to_num((point - a) @ outward, nan=np.inf) <= margin
        return found

    def intervals(self, shortest: float = 0.05, gap: float = 0.02) -> list[tuple[float, float]]:
        """Return the times (start, end) [s] in which the plate is loaded.

        shortest : [s] shorter loads are left out. gap : [s] shorter gaps within a load are closed.
        """
        edges = np.flatnonzero(np.diff(np.concatenate([[0], self.loaded.astype(int), [0]])))
        spans = [(self.time[a], self.time[b - 1]) for a, b in zip(edges[::2], edges[1::2], strict=True)]
        joined: list[tuple[float, float]] = []
        for start, end in spans:
            if joined and start - joined[-1][1] <= gap:
                joined[-1] = (joined[-1][0], end)
            else:
                joined.append((start, end))
        return [(float(a), float(b)) for a, b in joined if b - a >= shortest]

    def at(self, times: Any) -> "ForcePlate":
        """Return the plate at other times (k,) [s], with wrenches interpolated linearly; 0 outside the recording."""
        times = np.asarray(times, float)
        rows: dict[str, Any] = {
            word: _interpolated(times, self.time, getattr(self, word)) for word in ("force", "moment")
        }
        centre = self.centre if self.centre.ndim == 1 else _held(times, self.time, self.centre)
        return replace(self, time=times, centre=centre, **rows)

    def means(self, times: Any, during: Iterable[tuple[float, float]] | None = None) -> "ForcePlate":
        """Return the mean wrench from each of the times (k,) [s] to the next; the last row repeats the one before.

        during : (start, end) [s] of the loads that count; all by default.
        """
        times = np.asarray(times, float)
        if during is not None:  # samples between the loads are set to 0, not cut: the force ramps within one sample
            keep = np.zeros(len(self.time), bool)
            for start, end in during:
                keep |= (self.time >= start) & (self.time <= end)
        else:
            keep = np.ones(len(self.time), bool)
        rows: dict[str, Any] = {
            word: _mean_rows(times, self.time, np.where(keep[:, None], getattr(self, word), 0.0))
            for word in ("force", "moment")
        }
        centre = self.centre if self.centre.ndim == 1 else _held(times, self.time, self.centre)
        return replace(self, time=times, centre=centre, **rows)


@dataclass(frozen=True, eq=False)
class GroundForces:
    """Force plates of one recording.

    plates : the plates. source : file name. notes : how units, axes and signs were found, and what was repaired.
    """

    plates: tuple[ForcePlate, ...]
    source: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "plates", tuple(self.plates))
        names = [plate.name for plate in self.plates]
        if len(set(names)) < len(names):
            raise InputError(f"{self.source}: two force plates have the same name. Names: {', '.join(names)}.")

    def __len__(self) -> int:
        return len(self.plates)

    def __getitem__(self, name: str | int) -> ForcePlate:
        """Return a plate by its name or number."""
        if isinstance(name, int):
            return self.plates[name]
        names = [plate.name for plate in self.plates]
        if name not in names:
            raise InputError(f"No force plate '{name}'.{did_you_mean(name, names)} Plates: {', '.join(names)}.")
        return self.plates[names.index(name)]

    def total(self, times: Any) -> np.ndarray:
        """Return the sum of the forces (k, 3) [N] at times (k,) [s], interpolated linearly."""
        times = np.asarray(times, float)
        return sum((plate.at(times).force for plate in self.plates), np.zeros((len(times), 3)))


def _interpolated(times: np.ndarray, time: np.ndarray, rows: np.ndarray) -> np.ndarray:
    return np.stack([np.interp(times, time, x, left=0.0, right=0.0) for x in rows.T], -1)


def _held(times: np.ndarray, time: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Interpolate rows; outside the recording the first or last row is held."""
    return np.stack([np.interp(times, time, x) for x in rows.T], -1)


def _mean_rows(times: np.ndarray, time: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Means of the linear interpolant of `rows` from each time to the next, by its exact integral; 0 outside."""
    if len(times) < 2:
        return _interpolated(times, time, rows)
    if len(time) < 2:
        return np.zeros((len(times), rows.shape[1]))
    knots = np.union1d(time, np.clip(times, time[0], time[-1]))
    values = _held(knots, time, rows)
    steps = 0.5 * (values[1:] + values[:-1]) * np.diff(knots)[:, None]
    impulse = np.concatenate([np.zeros((1, rows.shape[1])), np.cumsum(steps, axis=0)])
    at = _held(times, knots, impulse)
    means = np.diff(at, axis=0) / np.diff(times)[:, None]
    return np.concatenate([means, means[-1:]])
