"""The order of operations with few waiting values: the same bits, and fewer values that wait."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra import scalar
from anthropi.compiler.lower import lower
from anthropi.compiler.ordering import few_waiting, most_waiting
from anthropi.compiler.targets.replay import replay
from kernels.tapes import TAPES, bits, samples, tape


@pytest.mark.parametrize("name", TAPES)
def test_another_order_changes_no_bit(name):
    lowered = lower(tape(name))
    other = few_waiting(lowered)
    assert sorted(map(str, other.op)) == sorted(map(str, lowered.op))
    rows = np.concatenate([a.reshape(3, -1) for a in samples(name, 3)], 1).T
    assert bits(replay(other, rows)) == bits(replay(lowered, rows))


def test_values_wait_as_counted():
    """Ten roots that are summed at the end all wait; in the other order, two do."""

    def late(x):
        roots = [scalar.sqrt(a) for a in x]
        total = roots[0]
        for y in roots[1:]:
            total = total + y
        return np.stack([total])

    lowered = lower(ap.record(late, x=np.zeros(10)))
    assert most_waiting(lowered) == 10
    assert most_waiting(few_waiting(lowered)) == 2
