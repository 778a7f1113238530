"""Points of a study: grids, samples and tables."""

import numpy as np
import pytest

from anthropi import study
from anthropi.errors import FileError, InputError, ShapeError


def test_a_grid_has_every_combination_in_order():
    points = study.grid(x=[1.0, 2.0], name=["a", "b", "c"])
    assert len(points) == 6 and points.names == ("x", "name")
    assert [tuple(p.values()) for p in points] == [(x, n) for x in (1.0, 2.0) for n in "abc"]
    assert points.point(0) == {"x": 1.0, "name": "a"} and isinstance(points.point(0)["x"], float)


@pytest.mark.parametrize("make", [study.uniform, study.latin_hypercube, study.sobol])
def test_samples_fill_their_bounds_and_depend_on_the_seed_only(make):
    a, b, c = (make(64, seed, x=(-1.0, 3.0), y=(0.0, 1.0), fixed=7) for seed in (3, 3, 4))
    assert a.digest() == b.digest() != c.digest()
    assert a.columns["x"].min() >= -1.0 and a.columns["x"].max() <= 3.0 and (a.columns["fixed"] == 7).all()
    assert abs(a.columns["x"].mean() - 1.0) < 0.5


def test_a_latin_hypercube_has_one_sample_in_each_layer():
    points = study.latin_hypercube(50, 1, x=(0.0, 50.0), y=(0.0, 50.0))
    assert sorted(points.columns["x"].astype(int)) == list(range(50)) == sorted(points.columns["y"].astype(int))


def test_normal_samples_have_the_given_moments():
    x = study.normal(4000, 1, x=(10.0, 2.0)).columns["x"]
    assert abs(x.mean() - 10.0) < 0.15 and abs(x.std() - 2.0) < 0.1


def test_samples_are_pinned():
    """The same numbers on every machine and in every version."""
    assert study.uniform(2, 1, x=(0.0, 1.0)).columns["x"].tolist() == [0.3035680343067586, 0.8487087496857769]
    assert study.stream(1, 5).random() == 0.7988550069253694


def test_a_table_from_rows_and_from_a_file(tmp_path):
    rows = [{"x": 1, "name": "a"}, {"x": 2, "name": "b"}]
    file = tmp_path / "points.csv"
    file.write_text("x,name\n1,a\n2,b\n")
    assert (
        study.table(rows).digest()
        == study.table(file).digest()
        == study.table({"x": [1, 2], "name": ["a", "b"]}).digest()
    )


def test_a_digest_sees_every_bit_and_not_the_width_of_words():
    a = study.Points({"x": [0.0], "w": ["a"]})
    assert a.digest() != study.Points({"x": [-0.0], "w": ["a"]}).digest()
    wide = study.Points({"x": [0.0], "w": np.array(["a", "long word"])[:1]})
    assert a.digest() == wide.digest()


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: study.grid(x=[]), InputError, "axis 'x' has no values"),
        (lambda: study.grid(), InputError, "no axis"),
        (lambda: study.grid(x=list(range(10_000)), y=list(range(10_000)), z=[1, 2]), InputError, "Use samples"),
        (lambda: study.Points({"x": [1.0, 2.0], "y": [1.0]}), ShapeError, "x 2, y 1"),
        (lambda: study.Points({"x": [1.0, np.nan]}), InputError, "nan at point 1"),
        (lambda: study.Points({"x y": [1.0]}), InputError, "names that Python allows"),
        (lambda: study.Points({"x": 3.0}), InputError, "Give a list"),
        (lambda: study.Points({"x": [{}]}), InputError, "Give numbers or words"),
        (lambda: study.uniform(0, x=(0, 1)), InputError, "from 1 to"),
        (lambda: study.uniform(3, x=(1, 0)), InputError, "lower bound first"),
        (lambda: study.uniform(3, x=(1, np.inf)), InputError, "finite"),
        (lambda: study.normal(3, x=(1, -1)), InputError, "standard deviation of 'x' is -1"),
        (lambda: study.uniform(3, x=1.0), InputError, "No variable is sampled"),
        (lambda: study.table([{"x": 1}, {"y": 1}]), InputError, "Row 1"),
        (lambda: study.table("missing.csv"), FileError, "missing.csv"),
    ],
)  # fmt: skip
def test_bad_points_are_refused_with_the_reason(make, error, words):
    with pytest.raises(error, match=words):
        make()
