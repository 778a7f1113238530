"""The loop over time, inside one kernel: some frames of many steps each, for one figure or a batch.

A kernel computes a *piece* of so many frames; dt, the steps between frames and how many are wanted are its inputs, so
one kernel serves runs of any length. A long run is piece after piece: the state goes out and in with all its bits, and
where the cuts lie changes none. Each rollout in a batch runs by itself.
"""

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import less, less_equal, minimum, where
from anthropi.compile import build, kernel_for
from anthropi.compile.cache import digest
from anthropi.constraints.loops.projection import nearest_closed
from anthropi.errors import InputError
from anthropi.figure.numbers import content
from anthropi.simulation.adaptive import Stride, first_stride, next_frame
from anthropi.simulation.drive import Drive, acceleration, checked, sized
from anthropi.simulation.methods import METHODS
from anthropi.simulation.step import State, advance
from anthropi.tape import record, repeat
from anthropi.tape.structure import flatten, rebuild

__all__ = ["STEPS", "Plan", "drive_of", "kernel", "piece", "state_of"]

STEPS = 1 << 20  # between two frames of a piece, at most


class Plan(NamedTuple):
    """What a kernel of frames depends on, besides the figure.

    method, prescribed : names. adaptive : whether steps are as long as the tolerance allows. frames : in a piece.
    forces, udot : "" (none), "constant", "rows" (one a step) or "function". f_ext : "", "function", or link numbers.
    every : steps between frames if there are rows, which make it part of the kernel; else 0.
    parameters : slots of the figure that are inputs. size : how many numbers they are.
    """

    method: str
    prescribed: tuple[str, ...]
    adaptive: bool
    frames: int
    forces: str
    udot: str
    f_ext: Any
    every: int
    parameters: tuple[str, ...]
    size: int


_kernels: dict[tuple, Any] = {}
_lock = threading.Lock()
_KEPT = 64  # kernels in memory


def kernel(figure, plan: Plan, functions: dict[str, Callable], target: str, precision: str, opt):
    """The kernel of a plan.

    functions : {"forces", "udot", "f_ext", "course": function (figure, t, q, u)}, recorded into it; "scene": what is
    simulated, where that is more than a figure (`scene_rollout.SceneRun`).
    """
    if functions:  # what a function reads may have changed since: record it again
        tape = _tape(figure, plan, functions)
        place = (tape.key, target, precision, opt)
        made = _kernels.get(place) or build(tape, target, precision, opt)
    else:
        name = digest("simulate", figure.key, content(tuple(plan)))
        place = (name, target, precision, opt)
        made = _kernels.get(place) or kernel_for(name, lambda: _tape(figure, plan, {}), target, precision, opt)
    with _lock:
        _kernels.pop(place, None)
        _kernels[place] = made
        while len(_kernels) > _KEPT:
            del _kernels[next(iter(_kernels))]
    return made


def state_of(figure, plan: Plan) -> dict[str, np.ndarray]:
    """A state of zeros, as a kernel carries it from piece to piece."""
    if not plan.adaptive:
        return {"q": np.zeros(figure.nq), "u": np.zeros(figure.nu), "count": np.zeros(()), "due": np.zeros(())}
    powers = len(METHODS[plan.method].dense[0])  # type: ignore[union-attr]
    stride = first_stride(lambda t, q, u: u, 0.0, np.zeros(figure.nq), np.zeros(figure.nu), np.zeros(()), powers)
    at = {f"stride_{name}": np.asarray(x) for name, x in stride._asdict().items()}
    return {"q": np.zeros(figure.nq), "u": np.zeros(figure.nu), "count": np.zeros(()), **at}


def _tape(figure, plan: Plan, functions):
    """A piece, recorded: → (state, frames of the state)."""
    inputs = state_of(figure, plan) | {name: np.zeros(()) for name in ("start", "dt", "per_frame", "limit")}
    if plan.adaptive:
        inputs |= {name: np.zeros(()) for name in ("tolerance", "longest", "fresh")}
    for name in ("forces", "udot"):
        if getattr(plan, name) == "constant":
            inputs[name] = np.zeros(figure.nu)
        elif getattr(plan, name) == "rows":
            inputs[name] = np.zeros((plan.frames, plan.every, figure.nu))
    if isinstance(plan.f_ext, tuple):
        inputs["f_ext"] = np.zeros((len(plan.f_ext), 6))
    if plan.parameters:
        inputs["parameters"] = np.zeros(plan.size)
    scene = functions.get("scene")
    if scene is not None:
        inputs |= scene.state() | scene.inputs()
    return record(lambda **given: _run(figure, plan, functions, **given), **inputs)


def _run(figure, plan: Plan, functions, parameters=None, **given):
    """A piece of frames, by the way the plan asks for."""
    if parameters is not None:
        figure = figure.with_numbers(plan.parameters, parameters)
    scene = functions.get("scene")
    if scene is not None:
        others = {name: function for name, function in functions.items() if name != "scene"}
        return scene.piece(figure, plan, others, **given)
    return (_adaptive if plan.adaptive else _fixed)(figure, plan, functions, **given)


def piece(step, state, clock, frames: int, per_frame, limit, rows=None, every: int = 0, observe=None,
          stop=None):  # fmt: skip
    """Some frames of a run; pure. → (state, clock) at the end, and both at every frame.

    step(state, count) → state, or step(state, count, row) with rows (frames, every, …); count : steps so far.
    clock : (count, the count at which the next frame is due). per_frame, limit : steps between frames, and in all.
    Frames past the limit repeat the last state. observe(state, count) → nested arrays that frames bring besides.
    stop(state, count) → mask: where it holds no more steps are made.
    """

    def one(carry, row=None):
        state, count = carry
        return (step(state, count) if row is None else step(state, count, row)), count + 1.0

    def frame(carry, row=None):
        state, (count, due) = carry[:2]
        end = minimum(due, limit)

        def over(carry):
            done = less_equal(end, carry[1])
            return done if stop is None else done | stop(*carry)

        state, count = repeat(one, (state, count), every or STEPS, over, row)
        clock = count, where(less_equal(due, count), due + per_frame, due)
        return (state, clock) if observe is None else (state, clock, observe(state, count))

    seen = () if observe is None else (_nothing(observe(state, clock[0])),)
    return repeat(frame, (state, clock, *seen), frames, rows=rows, every=1)


def _nothing(value):
    """Zeros of the shapes of nested arrays."""
    arrays, _, structure = flatten(value)
    return rebuild(structure, [np.zeros(a.shape) for a in arrays])


def _fixed(figure, plan: Plan, functions, q, u, count, due, start, dt, per_frame, limit, **given):
    rows = {name: given.pop(name) for name in ("forces", "udot") if getattr(plan, name) == "rows"}

    def step(state, count, row=None):
        drive = drive_of(figure, plan, functions, given | (row or {}))
        after = advance(figure, drive, State(start + count * dt, *state), dt, plan.method, plan.prescribed)
        return after.q, after.u

    last, frames = piece(step, (q, u), (count, due), plan.frames, per_frame, limit, rows or None, plan.every)
    (q, u), (count, due) = last
    return {"q": q, "u": u, "count": count, "due": due}, {"q": frames[0][0], "u": frames[0][1]}


def _adaptive(figure, plan: Plan, functions, q, u, count, start, dt, per_frame, limit, tolerance, longest,
              fresh, **given):  # fmt: skip
    method: Any = METHODS[plan.method]
    drive = drive_of(figure, plan, functions, given)
    old = Stride(**{name: given[f"stride_{name}"] for name in Stride._fields})

    def rate(t, q, u):
        return acceleration(figure, drive(t, q, u), q, u, plan.prescribed)

    def settle(t, q, u):
        return nearest_closed(figure, q, u, drive(t, q, u).course, plan.prescribed)

    new = less(0.5, fresh)
    begun = first_stride(rate, start, q, u, dt, len(method.dense[0]))
    stride = Stride(*(where(new, a, b) for a, b in zip(begun, old, strict=True)))

    def frame(state):
        stride, count, _, _ = state
        wanted = where(less(count, limit), per_frame * dt, 0.0)  # frames past the limit go nowhere
        t = start + count * per_frame * dt
        closed = settle if figure.loops else None
        stride, q, u = next_frame(figure, rate, t, stride, wanted, tolerance, method, longest, closed)
        return stride, count + where(less(count, limit), 1.0, 0.0), q, u

    (stride, count, q, u), (steps, _, qs, us) = repeat(frame, (stride, count, q, u), plan.frames, every=1)
    state = {"q": q, "u": u, "count": count, **{f"stride_{n}": x for n, x in stride._asdict().items()}}
    return state, {"q": qs, "u": us, "tries": steps.tries}


def drive_of(figure, plan: Plan, functions, given):
    """What drives the figure, as a function of (t, q, u)."""

    def drive(t, q, u) -> Drive:
        found = {name: function(figure, t, q, u) for name, function in functions.items()}
        found |= {name: given[name] for name in ("forces", "udot") if name in given}
        forces, f_ext = found.get("forces"), found.get("f_ext")
        if isinstance(plan.f_ext, tuple):
            f_ext = dict(zip(plan.f_ext, given["f_ext"], strict=True))
        whole = forces if isinstance(forces, Drive) else Drive(tau=sized("forces", forces, (figure.nu,)))
        more = {"f_ext": f_ext, "udot": found.get("udot"), "course": found.get("course")}
        more = {name: x for name, x in more.items() if x is not None}
        twice = [name for name in more if getattr(whole, name) is not None]
        if twice:
            raise InputError(f"Both the drive and an argument give {', '.join(twice)}. Leave one out.")
        return checked(figure, whole._replace(**more), plan.prescribed)

    return drive
