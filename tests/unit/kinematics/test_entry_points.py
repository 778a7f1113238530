"""The entry points of kinematics, Jacobians, momentum and energy: one state or many, options, errors."""

import inspect
import pickle
import re

import numpy as np
import pytest

import anthropi as ap
from anthropi.entry.entry_point import _kernels
from anthropi.errors import InputError
from oracle.figures import figure, rng_of
from unit.kinematics.catalog import ALGORITHMS, options

FIG = figure(4, links=3, families=("revolute", "ball", "euler xyz"), checked=True)


def batch(count=5):
    rng = rng_of("batch", 0)
    q = np.stack([FIG.random(rng) for _ in range(count)])
    return {"q": q, "u": rng.normal(size=(count, FIG.nu)), "udot": rng.normal(size=(count, FIG.nu))}


@pytest.mark.parametrize("name", [n for n in ALGORITHMS if n != "kinematics"])
def test_entry_point_takes_one_state_or_many(name):
    entry, algorithm = getattr(ap.dynamics, name), ALGORITHMS[name]
    given = {n: a for n, a in batch().items() if n in algorithm.shapes}
    many = entry(FIG, **given, **options(FIG, name))
    one = entry(FIG, *(a[2] for a in given.values()), **options(FIG, name))
    plain = algorithm(FIG, *(a[2] for a in given.values()), **options(FIG, name))
    for got, single, wanted in zip(*(_arrays(x) for x in (many, one, plain)), strict=True):
        assert got[2].tobytes() == single.tobytes()
        np.testing.assert_allclose(single, wanted, rtol=1e-13, atol=1e-13)  # three links


def _arrays(x):
    return [np.asarray(a) for a in x if a is not None] if hasattr(x, "_fields") else [np.asarray(x)]


def test_options_are_part_of_a_kernel():
    q = batch()["q"][0]
    here, there = (ap.jacobian(FIG, q, link="l2", point=p) for p in ((0, 0, 0), (0, 0, 1)))
    assert np.abs(here - there).max() > 0.1
    before = len(_kernels)
    for same in ([0.0, 0.0, 1.0], np.array([0, 0, 1]), (0, 0, 1)):
        assert (ap.jacobian(FIG, q, link="l2", point=same) == there).all()
    assert len(_kernels) == before  # however a point is written, it is one kernel
    kernel = ap.compile(ap.jacobian, FIG, link="l2", point=(0, 0, 1), opt=0)
    assert (kernel(q) == there).all()


def test_wrong_calls_say_what_is_wrong():
    q = batch()["q"][0]
    with pytest.raises(InputError, match=r"jacobian needs the option link=…"):
        ap.jacobian(FIG, q)
    with pytest.raises(InputError, match=r"jacobian has no input or option 'lnk'\. Did you mean 'link'\?"):
        ap.jacobian(FIG, q, lnk="l2")
    with pytest.raises(InputError, match=r"jacobian has no input or option 'lnk'"):
        ap.compile(ap.jacobian, FIG, lnk="l2")
    with pytest.raises(InputError, match=r"No link 'l9' in figure"):
        ap.jacobian(FIG, q, link="l9")
    with pytest.raises(InputError, match=r"jacobian takes 1 array \(q\); got 2"):
        ap.jacobian(FIG, q, q, link="l2")
    with pytest.raises(InputError, match=r"'q' holds nan"):
        ap.dynamics.potential_energy(FIG, np.full(FIG.nq, np.nan))


ENTRY_POINTS = [
    f for module in (ap.dynamics, ap.loops) for n in module.__all__ if hasattr(f := getattr(module, n), "algorithm")
]


@pytest.mark.parametrize("entry", ENTRY_POINTS, ids=lambda f: f.__name__)
def test_help_states_what_an_entry_point_takes_and_returns(entry):
    """The signature holds what a call accepts, in order; the docstring says so."""
    parameters = inspect.signature(entry).parameters
    out = () if entry.__name__ in ("kinematics", "loop_of") else ("out",)
    assert list(parameters) == ["figure", *entry.algorithm.shapes, *entry.algorithm.options, *out]
    for name in (*entry.algorithm.options, *out):
        assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
    text = inspect.getdoc(entry)
    assert "Notes\n-----" in text and "batch axis" in text and "Raises\n------" in text
    assert not re.search(r"\(\d+\)", text), "an equation number without its equations"
    assert "link number" not in text and "added :" not in text  # an entry point knows links by name
    assert inspect.unwrap(entry) is entry.algorithm
    assert pickle.loads(pickle.dumps(entry)) is entry


def test_help_of_kinematics_names_the_view_it_returns():
    k = ap.kinematics(FIG, batch()["q"][0])
    assert inspect.signature(ap.kinematics).return_annotation is type(k)
    assert "KinematicsView : poses" in ap.kinematics.__doc__ and "`k.link(" in ap.kinematics.__doc__


def test_help_names_the_types_returned():
    given = batch()
    q, u = given["q"][0], given["u"][0]
    assert isinstance(ap.mass_matrix(FIG, q), inspect.signature(ap.mass_matrix).return_annotation)
    assert isinstance(
        ap.dynamics.kinetic_energy(FIG, q, u), inspect.signature(ap.dynamics.kinetic_energy).return_annotation
    )
    assert isinstance(ap.centre_of_mass(FIG, q, u), inspect.signature(ap.centre_of_mass).return_annotation)
