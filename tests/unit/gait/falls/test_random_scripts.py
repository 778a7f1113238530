"""Random everyday scripts: every fall is reported within 0.1 s, and nothing is more than 3 cm below the floor."""

import pytest

import anthropi as ap
from unit.gait.falls.judge import judged, lowest, script

HUMAN = ap.human()
DELAY, DEPTH = 0.1, 0.03  # [s], [m]
KEPT = range(30)  # seeds in `make test`


def check(motion, words: str) -> bool:
    """Compare the report of a motion with the judge; return whether the figure fell."""
    about, heights = motion.metadata, lowest(motion)
    when = judged(motion, heights)
    assert about["fell"] == (when is not None), f"{words!r}: reported {about['fall_time']}, judged {when}"
    assert about["fell"] == any(event.what == "fall" for event in motion.events)
    if when is not None:
        assert abs(about["fall_time"] - when) <= DELAY, f"{words!r}: reported {about['fall_time']}, judged {when}"
    deepest = {name: float(height.min()) for name, height in heights.items()}
    name = min(deepest, key=lambda link: deepest[link])
    assert deepest[name] > -DEPTH, f"{words!r}: {name} at {deepest[name]:.3f} m"
    return when is not None


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.slow
def test_falls_of_random_scripts_are_reported():
    assert 1 <= sum(check(ap.walk(HUMAN, script=script(seed), strict=False), script(seed)) for seed in KEPT) < 30


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.soak
@pytest.mark.seeds(count=1000, block=10, first=30)
def test_falls_of_a_thousand_scripts_are_reported(seeds):
    for seed in seeds:
        check(ap.walk(HUMAN, script=script(seed), strict=False), script(seed))
