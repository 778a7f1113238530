"""Timings of the dynamics kernels on a figure, alone or compared with other libraries (peers), on one core.

Candidates run alternately in several rounds, and the fastest round of each is reported, so that load on the machine
affects all of them equally. The figure is reduced to its tree of bodies and joints (`bare`), which every library can
represent. A single evaluation is a bound kernel call (`kernel.bind`) or a call of the peer's Python function. A batch
uses the buffer layout of the kernel, and the peer's batch function, if it has one, on one thread. The results of both
are compared in the same run.
"""

import platform
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from anthropi import entry
from anthropi.algorithms.direct_dynamics import direct_dynamics
from anthropi.algorithms.kinematics import kinematics
from anthropi.compiler import Kernel, build
from anthropi.errors import AnthropiError, InputError, did_you_mean
from anthropi.figure import Figure, Joint
from anthropi.figure.joints.base import ACTING
from anthropi.simulation.integrators import semi_implicit_euler
from anthropi.tape import record

__all__ = [
    "DT",
    "SUBJECTS",
    "Report",
    "Row",
    "Subject",
    "bare",
    "best",
    "machine",
    "measure",
    "states",
    "time_in_turns",
]


ROUND_DURATION = 0.01  # [s]; a fast call is repeated for this time


def machine() -> str:
    """Describe processor, Python, NumPy and LLVM in one line."""
    from anthropi.compiler.targets import llvm  # imported late: llvmlite is slow to import

    cpu, _, bits = llvm.host()
    return f"{cpu} ({bits}-bit vectors), Python {platform.python_version()}, NumPy {np.__version__}, {llvm.versions()}"


def best(function: Callable[[], object], repeats: int = 7, number: int = 1) -> float:
    """Measure the time of one call [s]: the fastest of `repeats` rounds of `number` calls each.

    The fastest round is used, because noise only adds time.
    """
    quickest = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(number):
            function()
        quickest = min(quickest, (time.perf_counter() - start) / number)
    return quickest


def time_in_turns(calls: dict[str, Callable[[], object]], rounds: int = 15) -> dict[str, float]:
    """Measure the time of one call [s] of several functions that run alternately; return {name: time}.

    calls : {name: function}. If a function has an attribute `before`, this is called before each of its rounds and is
    not timed. rounds : number of rounds; the fastest one of each function is returned.
    """
    numbers = {name: _number(call) for name, call in calls.items()}
    quickest = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            getattr(call, "before", int)()
            quickest[name] = min(quickest[name], best(call, 1, numbers[name]))
    return quickest


def _number(call) -> int:
    """Return the number of calls in a round."""
    getattr(call, "before", int)()
    call()  # the first call may compile
    return int(min(20_000, max(1, ROUND_DURATION / best(call, 3))))


def bare(figure: Figure) -> tuple[Figure, str]:
    """Reduce a figure to its tree of bodies and joints; also return a description of the removed parts.

    Libraries define springs, dampers, rotors and limits differently. Shapes and markers would only slow down the peers.
    Links are ordered depth first, as some algorithms of Pinocchio require.
    """
    taken = ["springs, dampers, rotors and limits"] if any(joint.acts() for joint in figure.joints) else []
    taken += ["loops"] if figure.loops else []
    order = _depth_first(figure)
    new = {-1: -1} | {i: k for k, i in enumerate(order)}
    links = tuple(replace(figure.links[i], shapes=()) for i in order)
    joints = tuple(_alone(figure.joints[i]) for i in order)
    parent = tuple(new[figure.parent[i]] for i in order)
    alone = figure.changed(links=links, joints=joints, parent=parent, markers=(), loops=())
    return alone, " and its ".join(taken)


def _depth_first(figure: Figure) -> list[int]:
    order: list[int] = []
    waiting = [0]
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(figure.children[order[-1]])
    return order


def _alone(joint: Joint) -> Joint:
    parts = {"parts": tuple(_alone(p) for p in joint.parts)} if hasattr(joint, "parts") else {}
    return joint.changed(**dict.fromkeys(("lower", "upper", *ACTING)), **parts)


def states(figure: Figure, count: int, seed: int = 0) -> dict[str, np.ndarray]:
    """Return random states {name: array}: q (count, nq), and u, udot and tau (count, nu)."""
    rng = np.random.default_rng(seed)
    q = np.stack([figure.random(rng) for _ in range(count)])
    return {"q": q, **{name: rng.normal(size=(count, figure.nu)) for name in ("u", "udot", "tau")}}


DT = 1e-3  # [s], time step of the subject "step"


class Subject(NamedTuple):
    """An algorithm that is measured.

    kernel : function that builds the kernel for a figure.
    compared : function (figure, results of one state) that returns the arrays to compare with those of the peer.
    available : function that returns whether this version has the algorithm.
    """

    name: str
    title: str
    kernel: Callable[..., Kernel]
    compared: Callable[..., list[Any]]
    available: Callable[[], bool] = lambda: True


def _as_they_are(figure, results) -> list[Any]:
    return list(results)


def derivatives(figure: Figure) -> Kernel:
    """Return the kernel of ∂u'/∂(q, u, τ) in the tangent space, with three matrices (nu, nu) as outputs."""
    return entry.derivative(entry.direct_dynamics, figure, wrt=("q", "u", "tau"), opt=2)


def _square(figure, results) -> list[Any]:
    """Return only the matrices (nu, nu) of the results, without accelerations."""
    return [r for r in results if r.shape == (figure.nu, figure.nu)]


def step(figure: Figure) -> Kernel:
    """Return the kernel of one step of semi-implicit Euler: (q, u, τ) → (q⁺, u⁺)."""

    def one(q, u, tau):
        return semi_implicit_euler(figure, lambda q, u: direct_dynamics(figure, q, u, tau), q, u, DT)

    return build(record(one, q=np.zeros(figure.nq), u=np.zeros(figure.nu), tau=np.zeros(figure.nu)))


def _poses(figure, results) -> list[Any]:
    """Return u⁺ and the link positions and rotations for q⁺, which do not depend on the choice of coordinates."""
    q, u = results
    k = kinematics(figure, q)
    return [u, k.position, k.rotation]


SUBJECTS = {
    subject.name: subject
    for subject in (
        Subject("direct dynamics", "u' of q, u, τ", lambda f: entry.compile(entry.direct_dynamics, f), _as_they_are),
        Subject("inverse dynamics", "τ of q, u, u'", lambda f: entry.compile(entry.inverse_dynamics, f), _as_they_are),
        Subject("mass matrix", "M of q", lambda f: entry.compile(entry.mass_matrix, f), _as_they_are),
        Subject("derivatives of direct dynamics", "∂u'/∂(q, u, τ)", derivatives, _square,
                lambda: hasattr(entry, "derivative")),
        Subject("step", f"{1e3 * DT:g} ms, no contact", step, _poses),
    )
}  # fmt: skip


MAX_BATCH_BYTES = 2**19  # size of the arrays of a batch, so that they fit into the cache
COMPARED_STATES = 4


@dataclass
class Row:
    """Timings of one algorithm [s per evaluation]. Those of the peer are None if there is no peer."""

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
        """Time of a call of the peer, divided by that of a single kernel call."""
        return None if self.peer_one is None else self.peer_one / self.one

    @property
    def batch_ratio(self) -> float | None:
        """Time of a call of the peer, divided by that of one evaluation in a batch of the kernel."""
        return None if self.peer_one is None else self.peer_one / self.many

    @property
    def own_batch_ratio(self) -> float | None:
        """Time of one evaluation in a batch of the peer, divided by that in a batch of the kernel."""
        return None if self.peer_many is None else self.peer_many / self.many

    def data(self) -> dict[Any, Any]:
        """All fields and ratios as plain data."""
        return asdict(self) | {n: getattr(self, n) for n in ("ratio", "batch_ratio", "own_batch_ratio")}


@dataclass
class Report:
    """Timings of all measured algorithms, with the machine and the peers."""

    figure: str
    nu: int
    machine: str
    peers: dict[str, str] = field(default_factory=dict)  # name: version
    notes: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    def data(self) -> dict[Any, Any]:
        """All fields and ratios as plain data."""
        return asdict(self) | {"rows": [row.data() for row in self.rows]}


def measure(
    figure: Figure,
    subjects: Iterable[str] | None = None,
    rounds: int = 15,
    progress: Callable[[str, float, int], object] = lambda words, done, of: None,
    peers: Iterable[Any] = (),
) -> Report:
    """Measure the dynamics kernels on a figure, and other libraries for comparison.

    Parameters
    ----------
    figure : the figure; it is measured without springs, dampers, limits and loops (see `bare`).
    subjects : names of algorithms from `SUBJECTS`; all by default.
    rounds : number of rounds; the fastest one is reported.
    progress : function that is called with (description, done, total).
    peers : classes of benchmarks/peers. Those that are not installed are left out, with a note in the report.
    """
    names = list(SUBJECTS) if subjects is None else list(subjects)
    for name in names:
        if name not in SUBJECTS:
            hint = did_you_mean(name, SUBJECTS)
            raise InputError(f"There is no subject '{name}'.{hint} Choose from: {', '.join(SUBJECTS)}.")
    if figure.nu == 0:
        raise InputError(f"Figure '{figure.name}' has no degrees of freedom. Give a figure that can move.")
    report = Report(figure.name, figure.nu, machine())
    figure, taken = bare(figure)
    if taken:
        report.notes.append(f"Measured without the figure's {taken}, which the libraries treat differently.")
    beside = _installed(figure, report, peers)
    for k, name in enumerate(names):
        if not SUBJECTS[name].available():
            report.notes.append(f"This version has no {name}.")
            continue
        peer = next((p for p in beside if name in p.subjects), None)
        progress(f"{name}: compiling", k, len(names))
        prepared = _prepare(SUBJECTS[name], figure, peer)
        progress(f"{name}: measuring", k + 0.5, len(names))
        report.rows.append(_row(SUBJECTS[name], prepared, peer, rounds))
    progress("done", len(names), len(names))
    return report


def _installed(figure: Figure, report: Report, peers) -> list[Any]:
    """Build the peers that are installed and can represent the figure; note the others in the report."""
    found = []
    for peer in peers:
        if find_spec(peer.module) is None:
            report.notes.append(f"{peer.name} is not installed. Install it with: pip install {peer.package}")
            continue
        try:
            found.append(peer(figure, DT))
        except AnthropiError as error:
            report.notes.append(f"{peer.name} is left out: {error}")
            continue
        report.peers[peer.name] = found[-1].version
    return found


def _prepare(subject: Subject, figure: Figure, peer):
    """Return the kernel, the batch size, the calls to time, and the largest difference from the peer's results."""
    kernel = subject.kernel(figure)
    size = 8 * sum(slot.size for slot in (*kernel.inputs, *kernel.outputs))
    batch = int(2 ** np.clip(np.log2(MAX_BATCH_BYTES / size) // 1, 5, 10))
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
    for k in range(COMPARED_STATES):
        state = {name: array[k] for name, array in given.items()}
        theirs = peer.result(subject.name, state)
        for buffers in (one, many) if k == 0 else (many,):
            ours = subject.compared(figure, [buffers.read(slot.name)[k] for slot in kernel.outputs])
            difference = max(difference, *(_apart(a, b) for a, b in zip(ours, theirs, strict=True)))
    first = {name: array[0] for name, array in given.items()}
    calls |= {f"peer {name}": call for name, call in peer.calls(subject.name, first).items()}
    own = peer.batch(subject.name, given, batch)
    return kernel, batch, calls | ({} if own is None else {"peer's batch": own}), difference


def _apart(ours, theirs) -> float:
    """Return the largest difference of two arrays, relative to the largest entry of the second."""
    return float(np.abs(ours - theirs).max() / (np.abs(theirs).max() or 1.0))


def _row(subject: Subject, prepared, peer, rounds: int) -> Row:
    kernel, batch, calls, difference = prepared
    seconds = time_in_turns(calls, rounds)
    peer_times = [s for name, s in seconds.items() if name.startswith("peer ")]
    own = seconds.get("peer's batch")
    return Row(
        subject.name,
        subject.title,
        kernel.operations,
        kernel.lanes,
        batch,
        seconds["one"],
        seconds["many"] / batch,
        peer.name if peer else None,
        min(peer_times) if peer_times else None,
        own / batch if own is not None else None,
        difference,
    )
