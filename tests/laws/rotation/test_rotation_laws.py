"""Every equation of sections 1 to 10 of docs/equations/rotations.md, on floats with hypothesis and through a kernel."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.rotation import conventions, conversions, exponential, joint, motion  # noqa: F401  (they register their laws)
from laws.rotation.law import LAWS, both, check, kernel_of

ONCE = list({id(one): one for one in LAWS.values()}.values())


@pytest.mark.parametrize("name", LAWS)
@given(data=st.data())
def test_law(name, data):
    one = LAWS[name]
    sample = [np.asarray(data.draw(kind.strategy, label=label)) for label, kind in one.inputs.items()]
    plain, kernel = both(one.function, *sample)
    check(plain, one.tol, f"{name} on floats")
    check(kernel, one.tol, f"{name} through the kernel")


@pytest.mark.parametrize("one", ONCE, ids=lambda one: one.ids[0])
def test_law_at_the_seams(one):
    """The fixed samples, in one batch through the kernel."""
    longest = max(len(kind.fixed) for kind in one.inputs.values())
    batch = [np.array([kind.fixed[k % len(kind.fixed)] for k in range(longest)]) for kind in one.inputs.values()]
    results = kernel_of(one.function, tuple(kind.shape for kind in one.inputs.values()))(*batch)
    for k in range(longest):
        pairs = [(left[k], right[k]) for left, right in results]
        check(pairs, one.tol, f"{one.ids[0]} at {[list(np.ravel(b[k])) for b in batch]}")
