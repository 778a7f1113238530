"""Derivative rules refer to nodes, not to constants of the same number."""

import numpy as np

import anthropi as ap
from anthropi.tape.derivative_rules import derivative_rule


@derivative_rule(lambda x, y, t: 100.0 * t[0], lambda x, y, c: (100.0 * c, 0.0 * c))
def marked(x, k):
    """x k, whose rule says 100 so that it is seen whether it is used."""
    return x * k


def test_a_constant_input_is_not_mistaken_for_a_node():
    """The product is node 2 of the tape (x, the constant 2.0, x · 2.0); the constant 2.0 equals that number."""
    tape = ap.record(lambda x: marked(x, 2.0), x=np.zeros(()))
    assert len(tape.rules) == 1
    value, slope = ap.build(tape.jvp(), target="replay")(3.0, 1.0)
    assert (value, slope) == (6.0, 100.0)


def test_a_node_has_one_rule():
    tape = ap.record(lambda x: marked(x, 3.0) + marked(x, 3.0), x=np.zeros(()))
    assert len(tape.rules) == 1
