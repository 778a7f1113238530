"""Every equation of the specification has a law, and every law an equation."""

import re

from laws.rotation import conventions, conversions, exponential, joint, motion  # noqa: F401  (they register their laws)
from laws.rotation.ids import IDS, RANGES, WITHOUT_ID
from laws.rotation.law import LAWS


def test_every_row_has_a_law():
    missing = [name for name in IDS if name not in LAWS]
    assert not missing, f"rows of rotations.md without a law: {', '.join(missing)}"


def test_every_law_has_a_row():
    unknown = set(LAWS) - set(IDS) - set(WITHOUT_ID)
    assert not unknown, f"laws that are no row of rotations.md; list them in ids.py: {', '.join(sorted(unknown))}"
    assert set(WITHOUT_ID) <= set(LAWS)


def test_the_typed_list_is_complete(specification):
    text = specification("rotations.md")
    text = text[text.index("## 1. Conventions") : text.index("## 11. Floating base")]
    printed = [word for quote in re.findall(r"`([^`]*)`", text) for word in quote.split()]
    printed = [word for word in printed if re.match(r"[KC]\.(?!\d*\()\S", word)]
    wanted = {name for word in printed for name in RANGES.get(word, word).split()}
    assert len(wanted) > 100
    assert not wanted - set(IDS), f"in rotations.md but not in ids.py: {', '.join(sorted(wanted - set(IDS)))}"
