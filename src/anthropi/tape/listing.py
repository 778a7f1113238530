"""A tape as text, for reading and for golden tests."""

from anthropi.tape.tape import Tape

__all__ = ["listing"]


def listing(tape: Tape, indent: str = "") -> str:
    """Return the tape, one node a line; constants stand where they are used."""
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


def _at(shape, k: int) -> str:
    place = []
    for n in reversed(shape):
        place.append(str(k % n))
        k //= n
    return f"[{', '.join(reversed(place))}]" if shape else ""
