"""Claims: the walker meets the criteria of docs/gait_benchmarks.md. They concern a thousand steps at three speeds,
similarity to human walking, pushes, other ground, other bodies, plausible forces, and running. Pushes, phases, grounds
and bodies are taken from fixed grids, not at random.

    python benchmarks/walker.py [--only speeds,likeness] [--walker natural.toml] [--quick] [--markdown FILE]
"""

import argparse
import hashlib
import sys
import time
from pathlib import Path

import numpy as np
from _machine import machine
from research import walker_trials

import anthropi as ap
from anthropi.errors import AnthropiError
from anthropi.gait.walker import load_walker

PARTS = ("speeds", "likeness", "pushes", "ground", "bodies", "plausibility", "run", "rough")
TITLES = {
    "speeds": "1,000 steps at three speeds, against the plan",
    "likeness": "human-likeness at 1.3 m/s, trends over speed",
    "pushes": "pushes of 0.1 s at 1.3 m/s, 8 directions × 8 phases",
    "ground": "slopes, steps, friction, mass",
    "bodies": "other bodies with the same file; no recorded motion",
    "plausibility": "step size, slip, energy, repeatability, real time",
    "run": "running at 3 m/s",
    "rough": "tiles of random heights, seen: the set 'rough'",
}
EXTREMES = tuple(b for b in walker_trials.BODIES if b[1] in (1.55, 1.95))


def measured(part: str, walker, run, quick: bool) -> tuple[list, str]:
    """Return (lines, further text) of a part. walker, run : `WalkerFile`s, so that all parts use the same sets."""
    phases = 4 if quick else 8
    if part == "speeds":
        return walker_trials.speeds(walker_trials.subject(walker=walker), steps=100 if quick else 1000), ""
    if part == "likeness":
        return walker_trials.likeness(walker_trials.subject(walker=walker)), ""
    if part == "pushes":
        impulses = (40.0,) if quick else walker_trials.IMPULSES
        lines, found = walker_trials.pushes(walker_trials.subject(walker=walker), impulses=impulses)
        return lines, found.text()
    if part == "ground":
        return [
            f for do in (walker_trials.grounds, walker_trials.slippery, walker_trials.loads) for f in do(walker, phases)
        ], ""
    if part == "bodies":
        who = EXTREMES if quick else walker_trials.BODIES
        return [*walker_trials.bodies(walker, who), *walker_trials.otherwise(walker)], ""
    if part == "plausibility":
        return walker_trials.plausibility(walker_trials.subject(walker=walker), walker=walker), ""
    if part == "rough":
        return walker_trials.rough(seeds=(11,)) if quick else walker_trials.rough(), ""
    return walker_trials.runs(run), ""


def main(words=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--only", default=",".join(PARTS), help=f"parts to measure, separated by commas: {', '.join(PARTS)}"
    )
    parser.add_argument("--walker", default="natural", help="a set by its name, or a .toml file")
    parser.add_argument("--run", default="run", help="the set that runs")
    parser.add_argument("--quick", action="store_true", help="fewer steps, phases, bodies")
    parser.add_argument("--markdown", type=Path, help="write the tables here, too")
    options = parser.parse_args(words)
    parts = options.only.split(",")
    unknown = [p for p in parts if p not in PARTS]
    if unknown:
        parser.error(f"no part '{unknown[0]}'; choose from: {', '.join(PARTS)}")
    sets = {
        name: load_walker(name) for name in (options.walker, options.run)
    }  # read once, because a search may write these files meanwhile
    own, run, page, failed = sets[options.walker], sets[options.run], [], []
    names = "; ".join(f"walker '{Path(name).stem}' {_key(x)}" for name, x in sets.items())
    head = f"anthropi {ap.__version__}, {machine()}; {names}; no seeds: grids"
    print(head + "\n")
    for part in parts:
        begun = time.perf_counter()
        try:
            lines, more = measured(part, own, run, options.quick)
        except AnthropiError as error:  # for example, a walk that falls has no strides
            lines, more = [walker_trials.Line(f"could not be measured: {error}", float("nan"), low=0.0)], ""
        title = f"{part}: {TITLES[part]}{' (quick)' if options.quick else ''}"
        print(walker_trials.text(title, lines) + (f"\n\n{more}" if more else ""))
        print(f"({time.perf_counter() - begun:.0f} s)\n", flush=True)
        page.append(walker_trials.markdown(TITLES[part], lines))
        failed += [f"{part}: {line.what}" for line in lines if not line.holds]
    if options.markdown is not None:
        options.markdown.write_text(f"{head}\n\n" + "\n".join(page), encoding="utf-8")
    print("\n".join(["fails:", *failed]) if failed else "all claims hold")
    return int(bool(failed))


def _key(walker) -> str:
    """Return eight characters that identify a set."""
    rows = b"".join(np.ascontiguousarray(walker.parameters[name]).tobytes() for name in sorted(walker.parameters))
    return hashlib.sha256(rows).hexdigest()[:8]


if __name__ == "__main__":
    sys.exit(main())
