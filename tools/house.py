"""Measure the source tree and print the figures: `make house`.

    python tools/house.py            print the report; the exit status is 0
    python tools/house.py --check    the same; the exit status is 1 if a measure misses its goal
    python tools/house.py --all      list every offender instead of the first few
    python tools/house.py --no-types leave out pyright, which takes half a minute

Typing completeness is pyright's (`--verifytypes`). It comes with the studio's tools: `npm ci` in `studio/`.
`source_imports.py` reads the imports, `source_names.py` the names; `tests/house` uses all three. Standard library only.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from source_imports import PACKAGE, ROOT, cycles, edges, modules, private_imports, room_cycles, splinters
from source_names import RETIRED_ROOT, retired, vague_constants

MAX_LINES = 400
SHOWN = 5  # offenders that a measure lists unless --all is given


@dataclass(frozen=True)
class Measure:
    """A figure of the report. goal : its condition as text and as a test, or None."""

    title: str
    value: float | None  # None: not measured, `details` say why
    details: list[str]
    goal: str = ""
    holds: Callable[[float], bool] = lambda value: True

    @property
    def met(self) -> bool:
        return self.value is None or self.holds(self.value)


def root_names() -> list[str]:
    """Return the public names of the package's root without its namespaces."""
    code = "import json, anthropi; print(json.dumps(sorted({*anthropi.__all__} - {*anthropi._MODULES})))"
    run = subprocess.run([sys.executable, "-c", code], cwd=PACKAGE.parent, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def typing_completeness() -> tuple[float | None, list[str]]:
    """Return the share of public symbols with a known type [%] by pyright; None and the reason without pyright."""
    script, node = ROOT / "studio" / "node_modules" / "pyright" / "index.js", shutil.which("node")
    if node is None or not script.is_file():
        return None, ["not measured: needs Node.js and pyright (npm ci, in studio/)"]
    command = [
        node,
        script,
        "--pythonpath",
        sys.executable,
        "--verifytypes",
        "anthropi",
        "--ignoreexternal",
        "--outputjson",
    ]
    env = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    run = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    try:
        report = json.loads(run.stdout)["typeCompleteness"]
    except (ValueError, KeyError):
        report = {}
    if report.get("packageRootDirectory") != str(PACKAGE) or not report["symbols"]:
        return None, [f"not measured: pyright says {(run.stdout + run.stderr).strip()[-300:]}"]
    unknown: dict[str, int] = defaultdict(int)
    for symbol in report["symbols"]:
        if symbol["isExported"] and not symbol["isTypeKnown"]:
            unknown[".".join(symbol["name"].split(".")[:2])] += 1
    order = sorted(unknown.items(), key=lambda item: -item[1])
    return 100.0 * report["completenessScore"], [
        f"{name}: {count} symbols without a known type" for name, count in order
    ]


def measures(types: bool = True) -> list[Measure]:
    """Measure the tree."""
    all_modules = modules()
    by_size = sorted(all_modules, key=lambda module: -module.lines)
    sizes = [f"{m.name} ({m.lines})" for m in by_size if m.lines > MAX_LINES] or [
        f"{m.name} ({m.lines})" for m in by_size[:SHOWN]
    ]

    def counted(title: str, found: Iterable, goal: int | None) -> Measure:
        listed = [item if isinstance(item, str) else " ↔ ".join(item) for item in found]
        if goal is None:
            return Measure(title, len(listed), listed)
        return Measure(title, len(listed), listed, f"at most {goal}", lambda value: value <= goal)

    skips = [f"{m.name} ({n})" for m in all_modules if (n := m.text.count("# fmt: " + "skip"))]
    names = root_names()
    old_roots = [f"anthropi.{name} → {RETIRED_ROOT[name]}" for name in names if name in RETIRED_ROOT]
    result = [
        Measure(
            "Python files",
            len(all_modules),
            [],
            "469 in 0.2.0, more with new subjects (arrays, learning, files of robots and laboratories): at most 660",
            lambda value: value <= 660,
        ),
        Measure("lines of the largest file", by_size[0].lines, sizes, f"at most {MAX_LINES}", lambda v: v <= MAX_LINES),
        counted("splinters", splinters(all_modules), 20),
        counted("import cycles between subpackages", room_cycles(all_modules), 0),
        counted("import cycles between modules", cycles(edges(all_modules, True)), 0),
        counted("private imports across modules", private_imports(all_modules), 0),
        Measure("root names", len(names), [", ".join(names)], "about 45: at most 52", lambda value: value <= 52),
        counted("retired identifiers", [*old_roots, *retired(all_modules)], 0),
        counted("constants named by a vague word", vague_constants(all_modules), None),
        Measure("formatter exceptions (fmt: skip)", sum(m.text.count("# fmt: " + "skip") for m in all_modules), skips),
    ]
    if types:
        share, details = typing_completeness()
        result.insert(7, Measure("typing completeness, %", share, details, "at least 95", lambda value: value >= 95.0))
    return result


def report(found: list[Measure], shown: int | None = SHOWN) -> str:
    """Return the figures as text, each with its goal and the first offenders."""
    lines = []
    for measure in found:
        value = "—" if measure.value is None else f"{measure.value:.4g}"
        goal = f"   goal: {measure.goal}{'' if measure.met else ', MISSED'}" if measure.goal else ""
        lines.append(f"{measure.title:34} {value:>7}{goal}")
        some = measure.details[:shown]
        lines += [f"    {line if len(line) < 200 or shown is None else line[:197] + '...'}" for line in some]
        if len(measure.details) > len(some):
            lines.append(f"    ... and {len(measure.details) - len(some)} more (--all)")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="exit with 1 if a measure misses its goal")
    parser.add_argument("--all", action="store_true", help="list every offender")
    parser.add_argument("--no-types", action="store_true", help="leave out pyright")
    options = parser.parse_args()
    found = measures(not options.no_types)
    print(report(found, None if options.all else SHOWN))
    return int(options.check and not all(measure.met for measure in found))


if __name__ == "__main__":
    sys.exit(main())
