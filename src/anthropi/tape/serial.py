"""Conversion of tapes to bytes, identical on every machine, and to text.

Derivative rules are Python functions and are not stored.
"""

import json
import struct

import numpy as np

from anthropi.errors import BuildError
from anthropi.tape.operations import NAMES
from anthropi.tape.scalar import Table
from anthropi.tape.tape import Block, Loop, Slot, Tape, bits

__all__ = ["from_bytes", "listing", "to_bytes"]


_MAGIC = b"anthropi-tape-1\n"
_CODE = {name: k for k, name in enumerate(NAMES)}


def to_bytes(tape: Tape) -> bytes:
    """Return the tape as bytes."""
    head = {
        "inputs": [list(s) for s in tape.inputs],
        "outputs": [list(s) for s in tape.outputs],
        "structure": tape.structure,
        "depth": tape.depth,
        "inner_inputs": tape.inner_inputs,
    }
    constants, whole, extra = [], [], []
    tables: dict[bytes, int] = {}  # each is written once, later by its number in 4 bytes (a table has at least 8)
    for op, data in zip(tape.op, tape.data, strict=True):
        if data is None:
            continue
        if op == "const":
            constants.append(data)
        elif op in ("input", "mask_input", "item"):
            whole.append(data)
        elif op == "gather":
            packed = bits(data)
            extra.append(struct.pack("<I", tables[packed]) if packed in tables else packed)
            tables.setdefault(packed, len(tables))
        elif op == "repeat":
            extra.append(_loop_bytes(data))
    counts, flat = tape.arguments()
    return _MAGIC + _join(
        json.dumps(head).encode(),
        bytes(map(_CODE.__getitem__, tape.op)),
        counts.astype("<u4").tobytes(),
        flat.astype("<u4").tobytes(),
        np.array(constants, "<f8").tobytes(),
        np.array(whole, "<u4").tobytes(),
        np.array(tape.result, "<u4").tobytes(),
        _join(*extra),
    )


def from_bytes(data: bytes) -> Tape:
    """Return the tape that `to_bytes` wrote; raise `BuildError` if the bytes are something else."""
    if not data.startswith(_MAGIC):
        raise BuildError("These bytes are not a tape of this version. Record the function again.")
    head, ops, counts, flat, constants, whole, result, extra = _split(data[len(_MAGIC) :])
    meta, tape = json.loads(head), Tape()
    tape.inputs = tuple(Slot(n, tuple(s), a, b) for n, s, a, b in meta["inputs"])
    tape.outputs = tuple(Slot(n, tuple(s), a, b) for n, s, a, b in meta["outputs"])
    tape.structure, tape.depth, tape.inner_inputs = meta["structure"], meta["depth"], meta["inner_inputs"]
    tape.op = [NAMES[c] for c in np.frombuffer(ops, "u1")]
    starts = np.concatenate([[0], np.cumsum(np.frombuffer(counts, "<u4"), dtype=int)])
    places = np.frombuffer(flat, "<u4").tolist()
    tape.args = [tuple(places[a:b]) for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]
    numbers, wholes = iter(np.frombuffer(constants, "<f8").tolist()), iter(np.frombuffer(whole, "<u4").tolist())
    extras = iter(_split(extra))
    tables: list[Table] = []
    for op, args in zip(tape.op, tape.args, strict=True):
        if op == "const":
            tape.data.append(next(numbers))
        elif op in ("input", "mask_input", "item"):
            tape.data.append(next(wholes))
        elif op == "gather" and len(args) == 1:
            packed = next(extras)
            if len(packed) == 4:
                tape.data.append(tables[struct.unpack("<I", packed)[0]])
            else:
                tables.append(Table(np.frombuffer(packed, "<f8").tolist()))
                tape.data.append(tables[-1])
        else:
            tape.data.append(_loop_from(next(extras)) if op == "repeat" else None)
    tape.result = np.frombuffer(result, "<u4").tolist()
    return tape


def _loop_bytes(loop: Loop) -> bytes:
    head = [loop.times, loop.every, loop.stops, loop.carry, [[*b[:4], b.node] for b in loop.blocks], loop.held]
    tables = [np.array(b.table, "<f8").tobytes() for b in loop.blocks]
    return _join(json.dumps(head).encode(), loop.body.serialized, *tables)


def _loop_from(data: bytes) -> Loop:
    head, body, *tables = _split(data)
    times, every, stops, carry, blocks, held = json.loads(head)
    read = tuple(
        Block(b[0], b[1], b[2], b[3], tuple(np.frombuffer(t, "<f8").tolist()), b[4])
        for b, t in zip(blocks, tables, strict=True)
    )
    return Loop(from_bytes(body), times, every, stops, carry, read, held)


def _join(*parts: bytes) -> bytes:
    return b"".join(struct.pack("<Q", len(p)) + p for p in parts)


def _split(data: bytes) -> list[bytes]:
    parts, at = [], 0
    while at < len(data):
        (size,) = struct.unpack_from("<Q", data, at)
        parts.append(data[at + 8 : at + 8 + size])
        at += 8 + size
    return parts


def listing(tape: Tape, indent: str = "") -> str:
    """Return the tape as text, one node per line; constants are written where they are used."""
    lines = []
    if not tape.depth:
        ins = ", ".join(f"{s.name}{list(s.shape)}" for s in tape.inputs)
        outs = ", ".join(f"{s.name}{list(s.shape)}" for s in tape.outputs)
        lines.append(f"({ins}) → ({outs})   # {tape.operations} operations")
    for i, (op, args, data) in enumerate(zip(tape.op, tape.args, tape.data, strict=True)):
        if op in ("const", "input", "mask_input"):
            continue
        words = " ".join(_word(tape, a) for a in args)
        if op == "item":
            lines.append(f"{indent}%{i} = {_word(tape, args[0])}[{data}]")
        elif op == "repeat":
            until = f", until {_word(data.body, data.body.result[-1])}" if data.stops else ""
            every = f", every {data.every}" if data.every else ""
            lines.append(f"{indent}%{i} = repeat {data.times} times{until}{every} from {words} {{")
            lines.append(listing(data.body, indent + "    "))
            after = " ".join(_word(data.body, r) for r in data.body.result[: data.carry])
            lines.append(f"{indent}    → {after}\n{indent}}}")
        else:
            lines.append(
                f"{indent}%{i} = {op} {words}" + (f" in {len(data)} entries" if op == "gather" and data else "")
            )
    for slot in tape.outputs:
        for k in range(slot.size):
            lines.append(f"{slot.name}{_at(slot.shape, k)} = {_word(tape, tape.result[slot.start + k])}")
    return "\n".join(lines)


def _word(tape: Tape, i: int) -> str:
    op, data = tape.op[i], tape.data[i]
    if op == "const":
        return repr(data)
    if op not in ("input", "mask_input"):
        return f"%{i}"
    if tape.depth:
        return f"in[{data}]" if data < tape.inner_inputs else f"outer[{data - tape.inner_inputs}]"
    slot = next(s for s in tape.inputs if s.start <= data < s.start + s.size)
    return slot.name + _at(slot.shape, data - slot.start)


def _at(shape: tuple[int, ...], k: int) -> str:
    place = []
    for n in reversed(shape):
        place.append(str(k % n))
        k //= n
    return f"[{', '.join(reversed(place))}]" if shape else ""
