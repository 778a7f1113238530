"""Claim: the attitude and position of every link of `bench42` (13 links, a free root and 12 ball joints: 42 degrees of
freedom) are computed from q faster than by `pinocchio.forwardKinematics(model, data, q)` in the same run: at least 1.3
times as fast in one bound call, and at least 15 times as fast per state in a batch on one core.

Both compute the same 13 rotation matrices and 13 positions, which are compared. Pinocchio's call writes them into its
data, ours into the kernel's buffers. Rounds of the two alternate, so that a busy machine slows both.
"""

import functools
import sys

import numpy as np
import pinocchio as pin
from _machine import best, machine

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics

SINGLE, BATCHED, BATCH = 1.3, 15.0, 4096
ROUNDS, CALLS = 15, 20_000


def peer(figure):
    """Return the same tree in Pinocchio, with a free flyer and spherical joints."""
    model, number = pin.Model(), {-1: 0}
    for i, parent, joint in figure.outward():
        kind = pin.JointModelFreeFlyer() if joint.kind == "free" else pin.JointModelSpherical()
        place = pin.SE3(np.asarray(joint.placement.rotation), np.asarray(joint.placement.origin))
        number[i] = model.addJoint(number[parent], kind, place, joint.name)
    return model, [number[i] for i in range(figure.n)]


def coordinates(figure, q):
    """Return q with the scalar part of every quaternion last."""
    parts = []
    for i, joint in enumerate(figure.joints):
        own = q[figure.q_of[i]]
        parts += [own[:-4], np.roll(own[-4:], -1)] if joint.kind == "free" else [np.roll(own, -1)]
    return np.concatenate(parts)


def main() -> int:
    figure, rng = ap.sample("bench42"), np.random.default_rng(0)
    print(f"{machine()}, Pinocchio {pin.__version__}; {figure!r}")
    tape = ap.record(lambda q: kinematics(figure, q)[:2], q=np.zeros(figure.nq))
    kernel = ap.build(tape)
    model, numbers = peer(figure)
    data = model.createData()
    states = np.stack([figure.random(rng) for _ in range(BATCH)])

    one, many = kernel.buffers(1), kernel.buffers(BATCH)
    one.write(q=states[0])
    many.write(q=states)
    ours, batch = kernel.bind(one), kernel.bind(many)
    theirs = functools.partial(pin.forwardKinematics, model, data, coordinates(figure, states[0]))
    for call in (ours, batch, theirs):
        call()
    names = [slot.name for slot in kernel.outputs]
    C = np.stack([data.oMi[n].rotation for n in numbers])
    p = np.stack([data.oMi[n].translation for n in numbers])
    difference = max(np.abs(one.read(names[0])[0] - C).max(), np.abs(one.read(names[1])[0] - p).max())
    difference = max(difference, np.abs(many.read(names[0])[0] - C).max())

    rounds = [(best(ours, 1, CALLS), best(theirs, 1, CALLS), best(batch, 3) / BATCH) for _ in range(ROUNDS)]
    a, b, c = np.min(rounds, axis=0)
    print(f"{tape.operations} operations; largest difference {difference:.1e}\n")
    print(f"{'Pinocchio, one call':28} {1e9 * b:8.1f} ns")
    print(f"{'ours, one bound call':28} {1e9 * a:8.1f} ns {b / a:6.1f}x   claim {SINGLE}x")
    name = f"ours, batches of {BATCH}, a core"
    print(f"{name:28} {1e9 * c:8.1f} ns {b / c:6.1f}x   claim {BATCHED}x   {kernel.lanes} lanes")
    failed = (b / a < SINGLE) + (b / c < BATCHED) + (difference > 1e-14)
    print("\nall claims hold" if not failed else f"\n{failed} claims do not hold")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
