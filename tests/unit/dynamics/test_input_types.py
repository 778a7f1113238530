"""Types of input arrays: real numbers only, float64 results, and typed errors for everything else."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError, ShapeError

FIGURE = ap.sample("double_pendulum")
Q, U = FIGURE.random(1), np.ones(FIGURE.nu)

CALLS = {
    "direct_dynamics": lambda q: ap.direct_dynamics(FIGURE, q, U, U),
    "mass_matrix": lambda q: ap.mass_matrix(FIGURE, q),
    "kinematics": lambda q: ap.kinematics(FIGURE, q).position,
    "f_ext": lambda x: ap.direct_dynamics(FIGURE, Q, U, U, {FIGURE.links[0].name: np.zeros(6) if x is Q else x}),
    "integrate": lambda q: FIGURE.integrate(q, U),
    "difference": lambda q: FIGURE.difference(q, Q),
    "normalise": lambda q: FIGURE.normalise(q),
    "state_from": lambda q: FIGURE.state_from(FIGURE, q),
    "mirror": lambda q: FIGURE.mirror(q)[1],
    "lock": lambda q: FIGURE.lock([FIGURE.joints[0].name], q).neutral(),
    "simulate": lambda q: ap.simulate(FIGURE, q, U, steps=1, opt=0).q,
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    "wrong",
    [Q + 0.5j, [str(x) for x in Q], "abc", [[1.0, 2.0], [3.0]], np.array([object()] * FIGURE.nq)],
    ids=["complex", "texts", "text", "ragged", "objects"],
)
def test_anything_but_real_numbers_is_refused_by_a_typed_error(name, wrong):
    """A complex state lost its imaginary part, with at most a warning of NumPy; others gave untyped errors."""
    with pytest.raises(InputError):
        CALLS[name](wrong)


@pytest.mark.parametrize("name", CALLS)
def test_results_are_float64_whatever_the_real_type(name):
    if name == "f_ext":
        return
    assert CALLS[name](Q.astype(np.float32)).dtype == np.float64
    assert CALLS[name](Q.tolist()).dtype == np.float64


def test_states_whose_batches_differ_are_refused():
    q, u = np.tile(Q, (3, 1)), np.tile(U, (2, 1))
    for convert in (lambda: FIGURE.state_from(FIGURE, q, u), lambda: FIGURE.mirror(q, u)):
        with pytest.raises(ShapeError, match="one u for each q"):
            convert()
    names = [link.name for link in FIGURE.links]
    with pytest.raises(ShapeError, match="different batch sizes for different links"):
        ap.direct_dynamics(FIGURE, Q, U, U, {names[0]: np.zeros((2, 6)), names[1]: np.zeros((3, 6))})
