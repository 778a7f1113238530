"""Claim: a simulated walker reaches a goal 10 m away around five obstacles, one of them moving, without touching them,
and then stands.

Courses are `random_course(seed)`: seeds 0 to 21 and 38 were used while the pilot was developed; the others were not. A
course is good if the walker arrives, stands 2 s later, and the shapes of the figure make no contact (`skin_gaps`).
The gap of the planning disc of 0.3 m is printed too.

    python benchmarks/navigation.py [--seeds 0:20] [--speed 1.1] [--walker natural.toml] [--folder out/navigation]
"""

import argparse
import json
import sys
import time
from collections import Counter
from typing import NamedTuple

import numpy as np

import anthropi as ap
from anthropi import study
from anthropi.cli.measure import machine
from anthropi.gait.navigation import follow, random_course, skin_gaps
from anthropi.gait.walker import WalkingSession, load_walker


class Run(NamedTuple):
    """Result of one course: the failure or "", least gaps [m] of disc and figure, time [s], plans by kind."""

    seed: int
    wrong: str
    disc: float
    skin: float
    took: float
    kinds: Counter


def course_trial(seed: int, speed: float, walker="natural") -> dict:
    """Guide a walker through a course. The function of a study; returns the fields of `Run`, "kinds" as JSON."""
    course = random_course(seed)
    session = WalkingSession(ap.human(1.75, 75), walker=walker, start="stand")
    log = follow(session, course.goal, course.outlines, speed=speed)
    took = session.time
    if log.arrived:
        session.run(2.0)
    skin = min(skin_gaps(session.motion(), course.outlines).values())
    wrong = [] if log.arrived else [log.why]
    wrong += ["fell at the goal"] * (log.arrived and session.fallen)
    wrong += ["the figure touched"] * (skin <= 0.0)
    kinds = json.dumps(Counter(log.kinds))
    return {"wrong": ", ".join(wrong), "disc": log.smallest, "skin": skin, "took": took, "kinds": kinds}


def courses(seeds, speed: float, walker, folder=None) -> list[Run]:
    """Compute courses on all cores, and return their results in the order of the seeds."""
    points = study.grid(seed=seeds)
    table = study.Study(course_trial, points, folder, constants={"speed": speed, "walker": walker}).run()
    rows = ({name: row[name] for name in Run._fields} for row in table.require_done().rows())
    return [Run(**row | {"kinds": Counter(json.loads(row["kinds"]))}) for row in rows]


def summed(title: str, runs: list[Run]) -> str:
    """Return the rows of a table as text."""
    good, kinds = [r for r in runs if not r.wrong], sum((r.kinds for r in runs), Counter())
    wrong = Counter(r.wrong for r in runs if r.wrong)
    rows = [
        f"{title}: {len(good)} of {len(runs)} arrive untouched and stand",
        "  wrong: " + (", ".join(f"{n} × {what}" for what, n in wrong.most_common()) or "nothing"),
        f"  untouched: figures {sum(r.skin > 0.0 for r in runs)}, discs {sum(r.disc > 0.0 for r in runs)}",
        f"  smallest gap of a run, disc: least {min(r.disc for r in runs):.2f}, median "
        f"{np.median([r.disc for r in runs]):.2f} m; figure: {min(r.skin for r in runs):.2f}, "
        f"{np.median([r.skin for r in runs]):.2f} m",
        "  plans: " + ", ".join(f"{kind} {n}" for kind, n in kinds.most_common()),
    ]
    if good:
        took = [r.took for r in good]
        rows.insert(1, f"  time of these: median {np.median(took):.1f}, longest {max(took):.1f} s")
    return "\n".join(rows)


def main(words=None) -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--seeds", default="0:20,20:40,40:60", help="from:to, with commas between")
    asked.add_argument("--speed", type=float, default=1.1, help="[m/s]")
    asked.add_argument("--walker", default="natural", help="a set by its name, or a .toml file")
    asked.add_argument("--folder", help="of the study, which goes on there if it was stopped")
    told = asked.parse_args(words)
    print(f"anthropi {ap.__version__}, {machine()}; walker '{told.walker}', {told.speed:g} m/s\n")
    parts = [range(*(int(x) for x in part.split(":"))) for part in told.seeds.split(",")]
    walker, begun = load_walker(told.walker), time.perf_counter()
    runs = {r.seed: r for r in courses([seed for part in parts for seed in part], told.speed, walker, told.folder)}
    for r in runs.values():
        print(f"{r.seed:4d}  disc {r.disc:5.2f}  figure {r.skin:5.2f} m  {r.took:5.1f} s  {r.wrong}")
    pages = [summed(f"seeds {part[0]} to {part[-1]}", [runs[seed] for seed in part]) for part in parts]
    pages.append(f"({time.perf_counter() - begun:.0f} s)")
    print("\n" + "\n\n".join(pages))
    return int(any(r.wrong for r in runs.values()))


if __name__ == "__main__":
    sys.exit(main())
