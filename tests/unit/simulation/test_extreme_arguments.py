"""Arguments far outside the usual range give an `InputError`, and no other kind of error."""

import contextlib
import random

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import FormatError, InputError
from anthropi.formats.scripts import parse
from anthropi.motion.expressions import Expression, formula

FIGURE = ap.sample("hopper")


@pytest.mark.parametrize("text", ["0**-1", "1e300**2", "1e200**64 * t", "(-1)**0.5 * t", "where(0**-1 < t, 1, 2)"])
def test_constant_powers_that_are_not_finite(text):
    for compute in (lambda: Expression(text), lambda: formula(text, t=np.zeros(3))):
        with pytest.raises(InputError, match=r"is (inf|nan), which is not a finite number"):
            compute()


@pytest.mark.parametrize("name", ["steps", "every"])
@pytest.mark.parametrize("value", [10**30, 2**63, 10**400])
def test_counts_beyond_what_can_be_counted(name, value):
    with pytest.raises(InputError, match=rf"^{name}=.*Give at most 9007199254740992"):
        ap.simulate(FIGURE, FIGURE.neutral(), **{"steps": 4, "dt": 1e-3, name: value})


def test_frames_beyond_the_memory():
    with pytest.raises(InputError, match=r"frames do not fit into memory|takes .* GiB"):
        ap.simulate(FIGURE, FIGURE.neutral(), steps=2**53, dt=1e-3)


@pytest.mark.parametrize("dt", [10**400, float("nan"), "x", -1.0])
def test_time_steps_that_are_not_numbers(dt):
    with pytest.raises(InputError, match="dt="):
        ap.simulate(FIGURE, FIGURE.neutral(), steps=4, dt=dt)


@pytest.mark.parametrize("threads", [float("nan"), float("inf"), -float("inf"), "x", "2", 0, -1, 1.5, None.__class__])
def test_numbers_of_threads(threads):
    kernel = ap.compile(ap.mass_matrix, FIGURE)
    with pytest.raises(InputError, match="threads="):
        kernel(np.tile(FIGURE.neutral(), (4, 1)), threads=threads)


def test_the_rate_of_a_script_gives_a_frame(tmp_path):
    text = """format = "anthropi script 1"
name = "low"
[run]
duration = 1.0
dt = 1e-3
[record]
rate = 1e-320
[[figure]]
name = "a"
sample = "hopper"
"""
    with pytest.raises(FormatError, match=r"low.toml: rate = .* is less than one frame"):
        parse(text, "low.toml", tmp_path).steps()


@pytest.mark.slow
def test_rates_of_pages_and_films(tmp_path):
    motion = ap.simulate(FIGURE, FIGURE.neutral(), steps=4, dt=1e-3)
    assert len(ap.load_motion(motion.export(tmp_path / "a.html", rate=1e-320))) == 2
    for options in ({"speed": 1e-320}, {"rate": float("inf")}):
        with pytest.raises(InputError, match=r"The film would have inf pictures"):
            motion.export(tmp_path / "a.zip", **options)


def test_the_power_of_minus_a_half():
    assert Expression("t**-0.5")(0.25).value == 2.0 and formula("t**-0.5", t=np.array([4.0])) == 0.5


NUMBERS = ("t", "pi", "0", "1", "-1", "0.5", "1e300", "1e-300", "64")
CALLS = ("sin", "cos", "tan", "asin", "acos", "exp", "log", "sqrt", "abs", "floor")


def random_formula(rng: random.Random, depth: int) -> str:
    def inner() -> str:
        return random_formula(rng, depth - 1)

    kind = rng.randrange(6)
    if depth <= 0 or kind == 0:
        return rng.choice(NUMBERS)
    if kind == 1:
        return f"({inner()})**{rng.choice(('-1', '2', '0.5', '64', '-64', '-0.5', '65'))}"
    if kind == 2:
        return f"where({inner()} {rng.choice(('<', '>='))} {inner()}, {inner()}, {inner()})"
    if kind == 3:
        return f"{rng.choice(('min', 'max', 'atan2'))}({inner()}, {inner()})"
    return f"({inner()} {rng.choice('+-*/')} {inner()})" if kind == 4 else f"{rng.choice(CALLS)}({inner()})"


def test_random_formulas_are_computed_or_refused():
    for seed in range(80):
        text = random_formula(random.Random(seed), 4)
        with contextlib.suppress(InputError):
            Expression(text)(0.3)
        with contextlib.suppress(InputError):
            formula(text, t=np.array([0.0, 1.0]))
