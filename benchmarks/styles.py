"""Claim: walks in different styles at one speed can be told apart by their measures, under disturbances and for bodies
that were not used to define the styles.

The centroids come from four bodies. Walks of five other bodies, with other seeds, are classified by them. Prints the
table of measures, how many deviations each style is from natural, the speeds, and a confusion matrix. `--write` stores
the centroids, and `--tune` prints the `drive` that each style of `gait/styles/style.py` needs to keep its speed.
"""

import sys
from datetime import date

import numpy as np
from _machine import machine
from research.styles.style_walks import UNDISTURBED, style_trial

from anthropi import study
from anthropi.gait.styles import STYLES
from anthropi.gait.styles.classification import MEASURES, PEOPLE, centroids_of, save_centroids

SEEN = ((1.75, 75, "m"), (1.62, 58, "f"), (1.88, 90, "m"), (1.70, 80, "f"))
UNSEEN = (
    (1.56, 51, "f"),
    (1.64, 62, "m"),
    (1.73, 88, "f"),
    (1.79, 68, "m"),
    (1.94, 99, "m"),
)  # styles were not tuned on these
SPEED, SETTLED, LASTS = 1.3, 8.0, 25.0
LANES = 24  # walks of one simulation: 130 s of them take about 0.5 GB
NAMES = tuple(STYLES)


def walked(bodies, seeds, lasts=LASTS):
    """Return measures (bodies × seeds, measures) and speeds of each style without falls, and the number of falls."""
    found = studied(bodies, seeds, lasts)
    fell, style = np.isfinite(found["fell"]), found["style"]
    for k in np.flatnonzero(fell):
        body = found["height"][k].item(), found["mass"][k].item(), found["sex"][k]
        print(f"  {style[k]}, {body}, seed {found['seed'][k]}: fell at {found['fell'][k]:.1f} s")
    kept = {name: (style == name) & ~fell for name in NAMES}
    measured, speeds = ({name: found[what][own] for name, own in kept.items()} for what in ("measures", "speed"))
    return measured, speeds, int(fell.sum())


def studied(bodies, seeds, lasts):
    """Return the table of the study of walks: bodies × styles × seeds."""
    grid = study.grid(body=range(len(bodies)), style=NAMES, seed=seeds).columns
    columns = zip(*(bodies[k] for k in grid.pop("body")), strict=True)
    points = dict(zip(("height", "mass", "sex"), columns, strict=True)) | grid
    constants = {"duration": lasts, "speed": SPEED, "settled": SETTLED}
    trial = study.Study(style_trial, points, batch=LANES, constants=constants, allow_nan=True)
    return trial.run().require_done()


def two_hundred():
    """Return the steps of a long walk of each style after it has settled, and its speed; 0 if it fell."""
    found = studied(((1.75, 75, "m"),), (UNDISTURBED,), 130.0)
    return [(2 * n, x if n else 0.0) for n, x in zip(found["strides"], found["speed"], strict=True)]


def table(c):
    """Print the centres, with deviations from natural."""
    print(f"{'':<19}" + "".join(f"{n:>18}" for n in NAMES) + f"{'SD':>8}{'people':>8}")
    aways = {n: (c.away(n), c.away(n, people=True)) for n in NAMES}
    for j, (m, own) in enumerate(MEASURES.items()):
        cells = "".join(f"{c.centres[n][j]:>10.2f} ({aways[n][1][j]:+5.1f})" for n in NAMES)
        print(f"{m + ' ' + own.unit:<19}{cells}{c.natural[j]:>8.3f}{PEOPLE[m]:>8.3f}")
    print(f"{'>= 2 SD in':<19}" + "".join(f"{(abs(aways[n][0]) >= 2).sum():>18}" for n in NAMES))
    print(f"{'>= 2 of people':<19}" + "".join(f"{(abs(aways[n][1]) >= 2).sum():>18}" for n in NAMES))


def confusion(c, walks):
    """Print the confusion matrix; return how many walks were classified correctly, and how many there are."""
    found = {n: [c.name(x) for x in rows] for n, rows in walks.items()}
    print(f"{'walks as / named':<19}" + "".join(f"{n:>12}" for n in NAMES))
    for n, names in found.items():
        print(f"{n:<19}" + "".join(f"{names.count(m):>12}" for m in NAMES))
    right, of = sum(names.count(n) for n, names in found.items()), sum(len(x) for x in found.values())
    return right, of


if __name__ == "__main__":
    print(machine())
    seen, speeds, falls = walked(SEEN, (1, 2, 3))
    if "--tune" in sys.argv:
        for n in NAMES:
            print(
                f"{n:<12} {speeds[n].mean():.3f} m/s: drive {STYLES[n].drive + 2.0 * (SPEED - speeds[n].mean()):+.3f}"
            )
        sys.exit()
    c = centroids_of(seen, f"Walks at {SPEED} m/s of {len(SEEN)} bodies, 3 seeds each, "
                     "disturbed by random forces of 1.5 % of the weight; "
                     f"benchmarks/styles.py --write, {date.today()}.")  # fmt: skip
    unseen, others, more = walked(UNSEEN, (101, 102))
    table(c)
    print(f"{'speed m/s':<19}" + "".join(f"{np.mean([*speeds[n], *others[n]]):>18.3f}" for n in NAMES))
    for n, (steps, speed) in zip(NAMES, two_hundred(), strict=True):
        print(f"  {n}: {steps} steps at {speed:.3f} m/s")
    right, of = confusion(c, unseen)
    of += more  # a walk that fell was not classified
    print(f"{right} of {of} unseen walks correct ({100 * right / of:.0f} %); falls: {falls} seen, {more} unseen")
    if "--write" in sys.argv:
        save_centroids(c)
