"""Write the digests of all golden cases, or of those whose names contain a word.

    python tests/golden/update.py [word]

A change of bits needs a line in the commit that says why.
"""

import json
import os
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
DIGESTS = HERE / "digests.json"


def written(found: dict) -> str:
    """One case a line."""
    rows = [f"  {json.dumps(name)}: {json.dumps(found[name])}" for name in sorted(found)]
    return "{\n" + ",\n".join(rows) + "\n}\n"


def main(word: str = "") -> None:
    """Measure the cases, say which changed, write the file."""
    from golden.cases import measured
    from golden.layers import ALL

    old = json.loads(DIGESTS.read_text(encoding="utf-8")) if DIGESTS.exists() else {}
    new = {name: x for name, x in old.items() if name in ALL}
    for name in ALL:
        if word in name:
            begun = time.perf_counter()
            new[name] = measured(name)
            state = "new" if name not in old else "same" if old[name] == new[name] else "CHANGED"
            print(f"{state:8}{time.perf_counter() - begun:6.2f} s  {name}", flush=True)
    DIGESTS.write_text(written(new), encoding="utf-8")
    changed = [name for name in new if old.get(name) != new[name]] + [f"{n} (removed)" for n in old if n not in new]
    print(f"{len(new)} cases, {len(changed)} new or changed" + "".join(f"\n  {name}" for name in changed))


if __name__ == "__main__":
    os.environ.setdefault("ANTHROPI_TIERS", "0")  # as in the tests: no compiling in the background
    sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "src")]
    main(*sys.argv[1:2])
