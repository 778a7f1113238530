"""Tapes as bytes: the same on every machine, and back."""

import pickle

import numpy as np
import pytest

import anthropi as ap
from anthropi.algebra import scalar
from anthropi.errors import BuildError
from anthropi.tape import record, repeat, serial
from anthropi.tape.scalar import Table
from anthropi.tape.serial import from_bytes, to_bytes
from kernels.tapes import TAPES, bits, samples, tape


@pytest.mark.parametrize("name", TAPES)
def test_a_tape_comes_back_from_bytes(name):
    trace = tape(name)
    again = from_bytes(to_bytes(trace))
    assert again.key == trace.key
    assert again.listing() == trace.listing()
    arrays = samples(name, 5)
    assert bits(ap.build(again)(*arrays)) == bits(ap.build(trace)(*arrays))


def test_the_key_names_the_content():
    keys = {name: tape(name).key for name in TAPES}
    assert len(set(keys.values())) == len(TAPES)
    assert keys["arithmetic"] == tape("arithmetic").key
    assert pickle.loads(pickle.dumps(tape("rows_loop"))).key == keys["rows_loop"]


def test_the_key_is_the_same_on_every_machine():
    """A golden figure: if it changes, every cache in the world is stale. Bump the format's magic word then."""
    import numpy as np

    trace = ap.record(lambda x: x @ x + 0.1, x=np.zeros(2))
    assert trace.key == "6054d1cd3d5172cf98eb4dc34f7392eaeeb0a359fcde79af9088e16070a18314"


def test_other_bytes_are_refused():
    with pytest.raises(BuildError, match="not a tape"):
        from_bytes(b"hello")


def test_a_table_that_is_read_often_is_written_once():
    """Many gathers from one table: the table's bytes are there once, and come back as one."""
    table = np.linspace(0.0, 1.0, 500)

    own = Table(table)

    def looked_up(x):
        return sum(scalar.gather(own, x[k]) * float(k + 1) for k in range(20))

    tape = record(looked_up, x=np.zeros(20))
    packed = to_bytes(tape)
    assert len(packed) < 2 * table.nbytes
    again = from_bytes(packed)
    assert again.key == tape.key and len({id(d) for d in again.data if isinstance(d, Table)}) == 1


def test_the_body_of_a_loop_is_serialized_once(monkeypatch):
    """The bytes of a body are part of the bytes and keys of all loops around it, but are made only once."""
    depths, once = [], serial.to_bytes
    monkeypatch.setattr(serial, "to_bytes", lambda tape: depths.append(tape.depth) or once(tape))

    def inner(x):
        return repeat(lambda x: x * x + 0.5, x, 3)

    trace = record(lambda x: repeat(lambda x: inner(x) * x, x, 2), x=np.zeros(()))
    assert trace.key and depths == [2, 1, 0]
    assert from_bytes(to_bytes(trace)).key == trace.key
