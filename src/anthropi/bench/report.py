"""How fast are we beside the peers that are installed? One process, one core, rounds in turn.

A figure is measured bare (`figures.py`): the tree and its bodies. One call is a bound call of ours (`kernel.bind`) and
a call of the peer's Python function; a batch runs in the kernel's own layout, the peer's own batch (where it has one)
on one thread. What both find is compared in the same run.
"""

from dataclasses import asdict, dataclass, field
from importlib.util import find_spec

import numpy as np

from anthropi.bench.figures import bare, states
from anthropi.bench.mujoco_peer import MujocoPeer
from anthropi.bench.pinocchio_peer import PinocchioPeer
from anthropi.bench.subjects import DT, SUBJECTS, Subject
from anthropi.bench.timing import in_turns, machine
from anthropi.errors import AnthropiError, InputError, did_you_mean
from anthropi.figure import Figure

__all__ = ["PEERS", "SUBJECTS", "Report", "Row", "measure"]

PEERS = (PinocchioPeer, MujocoPeer)
CACHE = 2**19  # bytes of arrays a batch may have, so that memory is not what is measured
COMPARED = 4  # states


@dataclass
class Row:
    """One subject: seconds of one evaluation, ours and the peer's; None where there is none."""

    subject: str
    title: str
    operations: int
    lanes: int
    batch: int
    one: float
    many: float
    peer: str | None = None
    peer_one: float | None = None
    peer_many: float | None = None
    difference: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times as fast one call is."""
        return None if self.peer_one is None else self.peer_one / self.one

    @property
    def batch_ratio(self) -> float | None:
        """How many times as fast a figure in a batch is as the peer's one call."""
        return None if self.peer_one is None else self.peer_one / self.many

    @property
    def own_batch_ratio(self) -> float | None:
        """How many times as fast a figure in a batch is as in the peer's own batch."""
        return None if self.peer_many is None else self.peer_many / self.many

    def data(self) -> dict:
        """Everything, as plain data."""
        return asdict(self) | {n: getattr(self, n) for n in ("ratio", "batch_ratio", "own_batch_ratio")}


@dataclass
class Report:
    """All rows, on what machine, beside which peers."""

    figure: str
    nu: int
    machine: str
    peers: dict[str, str] = field(default_factory=dict)  # name: version
    notes: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    def data(self) -> dict:
        """Everything, as plain data."""
        return asdict(self) | {"rows": [row.data() for row in self.rows]}


def measure(figure: Figure, subjects=None, rounds: int = 15, tell=lambda words, done, of: None) -> Report:
    """How fast are we beside the peers that are installed?

    subjects : names out of `SUBJECTS`, all by default. tell(words, done, of) hears what goes on.
    """
    names = list(SUBJECTS) if subjects is None else list(subjects)
    for name in names:
        if name not in SUBJECTS:
            raise InputError(f"No subject '{name}'.{did_you_mean(name, SUBJECTS)} Subjects: {', '.join(SUBJECTS)}.")
    if figure.nu == 0:
        raise InputError(f"Figure '{figure.name}' cannot move, so there is nothing to measure.")
    report = Report(figure.name, figure.nu, machine())
    figure, taken = bare(figure)
    if taken:
        report.notes.append(f"Measured without the figure's {taken}, which the libraries treat differently.")
    peers = _installed(figure, report)
    for k, name in enumerate(names):
        if not SUBJECTS[name].there():
            report.notes.append(f"This version has no {name}.")
            continue
        peer = next((p for p in peers if name in p.subjects), None)
        tell(f"{name}: compiling", k, len(names))
        prepared = _prepare(SUBJECTS[name], figure, peer)
        tell(f"{name}: measuring", k + 0.5, len(names))
        report.rows.append(_row(SUBJECTS[name], prepared, peer, rounds))
    tell("done", len(names), len(names))
    return report


def _installed(figure: Figure, report: Report) -> list:
    """The peers that are here and can hold the figure; the report says which are not."""
    found = []
    for peer in PEERS:
        if find_spec(peer.module) is None:
            report.notes.append(f"{peer.name} is not installed: pip install {peer.package}")
            continue
        try:
            found.append(peer(figure, DT))
        except AnthropiError as error:
            report.notes.append(f"{peer.name} is left out: {error}")
            continue
        report.peers[peer.name] = found[-1].version
    return found


def _prepare(subject: Subject, figure: Figure, peer):
    """The kernel, what it was given, the calls to be timed, and the largest difference."""
    kernel = subject.kernel(figure)
    size = 8 * sum(slot.size for slot in (*kernel.inputs, *kernel.outputs))
    batch = int(2 ** np.clip(np.log2(CACHE / size) // 1, 5, 10))
    given = states(figure, batch)
    one, many = kernel.buffers(1), kernel.buffers(batch)
    for slot in kernel.inputs:
        one.write(**{slot.name: given[slot.name][0]})
        many.write(**{slot.name: given[slot.name]})
    calls = {"one": kernel.bind(one), "many": kernel.bind(many)}
    for call in calls.values():
        call()
    if peer is None:
        return kernel, batch, calls, None
    difference = 0.0
    for k in range(COMPARED):
        state = {name: array[k] for name, array in given.items()}
        theirs = peer.result(subject.name, state)
        for buffers in (one, many) if k == 0 else (many,):
            ours = subject.compared(figure, [buffers.read(slot.name)[k] for slot in kernel.outputs])
            difference = max(difference, *(_apart(a, b) for a, b in zip(ours, theirs, strict=True)))
    first = {name: array[0] for name, array in given.items()}
    calls |= {f"peer {way}": call for way, call in peer.calls(subject.name, first).items()}
    own = peer.batch(subject.name, given, batch)
    return kernel, batch, calls | ({} if own is None else {"peer's batch": own}), difference


def _apart(ours, theirs) -> float:
    """Largest difference, relative to the largest number."""
    return float(np.abs(ours - theirs).max() / (np.abs(theirs).max() or 1.0))


def _row(subject: Subject, prepared, peer, rounds: int) -> Row:
    kernel, batch, calls, difference = prepared
    seconds = in_turns(calls, rounds)
    ways = [s for name, s in seconds.items() if name.startswith("peer ")]
    own = seconds.get("peer's batch")
    return Row(subject.name, subject.title, kernel.operations, kernel.lanes, batch, seconds["one"],
               seconds["many"] / batch, peer.name if peer else None, min(ways) if ways else None,
               own / batch if own is not None else None, difference)  # fmt: skip
