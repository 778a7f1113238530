"""Golden test: results keep their bits and kernels their operation counts while the code is reorganised.

`digests.json` holds a digest of the output of every case (`cases.py`), computed on seeded inputs. Where a change of
bits is meant, run `python tests/golden/update.py` and say in the commit why.
"""

import json
import math

import pytest

from golden.cases import CASES, measured
from golden.layers import ALL, LAYERS
from golden.update import DIGESTS

KEPT = json.loads(DIGESTS.read_text(encoding="utf-8"))
ADVICE = """
A change of bits needs a line in the commit that says why; `python tests/golden/update.py` then writes the new digests.
"""


def test_every_case_has_a_digest():
    assert set(KEPT) == set(ALL), f"run tests/golden/update.py: {sorted(set(KEPT) ^ set(ALL))}"
    assert sum("operations" in kept for kept in KEPT.values()) >= 60


@pytest.mark.slow
@pytest.mark.parametrize("layer", LAYERS)
def test_results_and_operation_counts_are_the_same(layer):
    changed = [found for name in ALL if name.startswith(f"{layer}/") and (found := difference(name))]
    assert not changed, f"{len(changed)} golden cases changed:\n" + "\n".join(changed) + ADVICE


def difference(name: str) -> str:
    """What changed in a case, or nothing."""
    kept, found = KEPT[name], measured(name)
    parts = []
    if found["numbers"] != kept["numbers"]:
        parts.append(f"{kept['numbers']} numbers became {found['numbers']}")
    elif found["digest"] != kept["digest"]:
        close = math.isclose(found["magnitude"], kept["magnitude"], rel_tol=1e-9)
        what = "bits changed" if CASES[name].digits is None else f"values changed within {CASES[name].digits} digits"
        parts.append(f"{what}, sum of magnitudes {kept['magnitude']:.9g} -> {found['magnitude']:.9g}"
                     f"{' (rounding only)' if close else ''}")  # fmt: skip
    if found.get("operations") != kept.get("operations"):
        parts.append(f"{kept.get('operations')} operations became {found.get('operations')}")
    return f"  {name}: {'; '.join(parts)}" if parts else ""
