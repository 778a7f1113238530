"""Claims: on `bench42` (42 degrees of freedom) standing on eight contact points, with steps of 1 ms on one core, a step
is faster than MuJoCo's by at least these factors: compliant contact 10 for one figure and 60 in batches, impulsive 4
and 20.

Both make twenty steps in one call, from standing with all eight points on the ground (0.2 mm deep if it is soft). In
MuJoCo the points are spheres of 5 mm with friction 0.8 on a plane, and all other settings are MuJoCo's defaults
(Newton's solver, pyramidal cones, its semi-implicit Euler). Ours are points with the same friction, and the contact
memory is carried from step to step. The figure starts to fall in these 20 ms, because no torque holds it. Afterwards
the ground must still carry its weight in both: the mean vertical ground force over the steps is printed, which would be
zero in free fall.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
from _standing import DT, FRICTION, STEPS, steps, subject

import anthropi as ap
from anthropi.cli.measure import best, machine
from anthropi.contact import Compliant, Impulsive

CLAIMS = {"compliant": (10.0, 60.0), "impulsive": (4.0, 20.0)}  # for one figure, in batches
BATCH, ROUNDS, RADIUS, SUNK = 512, 40, 0.005, 2e-4


def theirs(figure, points, q):
    """Return MuJoCo's model and data at the same state."""
    import mujoco

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "figure.xml"
        ap.save(figure, file)
        spec = mujoco.MjSpec.from_file(str(file))
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5.0, 5.0, 0.1], friction=[FRICTION, 0.005, 1e-4])
    for link, p in points:
        middle = p + np.array([0.0, 0.0, RADIUS])
        spec.body(link).add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[RADIUS, 0, 0], mass=0.0, contype=1,
                                 conaffinity=0, pos=middle, friction=[FRICTION, 0.005, 1e-4])  # fmt: skip
    model = spec.compile()
    model.opt.timestep = DT
    data = mujoco.MjData(model)
    data.qpos[:] = q
    return mujoco, model, data


def total_push(figure, before, after) -> float:
    """Return the mean vertical ground force [N] over the steps, from the change of momentum."""
    p = [ap.dynamics.momentum(figure, *state)[5] for state in (before, after)]
    return (p[1] - p[0]) / (STEPS * DT) + figure.mass * 9.81


def main() -> int:
    figure, points, stands = subject()
    soft = stands - SUNK * np.eye(figure.nq)[2]
    still, failed = np.zeros(figure.nu), []
    mujoco, model, data = theirs(figure, points, soft)

    def again():
        mujoco.mj_resetData(model, data)
        data.qpos[:] = soft

    def peer():
        mujoco.mj_step(model, data, STEPS)

    again()
    peer()
    touching = data.ncon
    weight = figure.mass * 9.81
    print(f"{machine()}, MuJoCo {mujoco.__version__}; {figure!r}, {len(points)} points; weight {weight:.0f} N")
    push = total_push(figure, (soft, still), (data.qpos, data.qvel))
    print(f"MuJoCo: {touching} contacts after {STEPS} steps, push {push:.0f} N\n")
    print(f"{'':22} {'operations':>10} {'per step':>10} {'MuJoCo':>10} {'ratio':>7} {'claim':>6}   push [N]")
    for name, contact, sunk in (("compliant", Compliant(), SUNK), ("impulsive", Impulsive(), 0.0)):
        q = stands - sunk * np.eye(figure.nq)[2]
        tape, memory = steps(figure, points, contact)
        kernel = ap.build(tape)
        one, many = kernel.buffers(1), kernel.buffers(BATCH)
        one.write(q=q, u=still, memory=memory)
        many.write(q=np.tile(q, (BATCH, 1)), u=np.zeros((BATCH, figure.nu)), memory=np.tile(memory, (BATCH, 1)))
        calls = {"one": kernel.bind(one), "many": kernel.bind(many)}
        quickest = dict.fromkeys(("one", "many", "peer"), float("inf"))
        for _ in range(ROUNDS):
            for which, call in calls.items():
                quickest[which] = min(quickest[which], best(call, 1))
            again()
            quickest["peer"] = min(quickest["peer"], best(peer, 1))
        found = kernel(q, still, memory)
        push = total_push(figure, (q, still), found[:2])
        for which, count, claim in (("one", 1, CLAIMS[name][0]), ("many", BATCH, CLAIMS[name][1])):
            step, other = quickest[which] / STEPS / count, quickest["peer"] / STEPS
            words = f"{name}, {'one figure' if count == 1 else f'{count} figures'}"
            print(f"{words:22} {kernel.tape.operations:10,} {1e6 * step:8.3f}us {1e6 * other:8.2f}us "
                  f"{other / step:6.1f}x {claim:5.0f}x   {push:.0f}")  # fmt: skip
            if other / step < claim:
                failed.append(f"{words}: {other / step:.1f}x, claimed {claim:g}x")
        if not 0.5 * weight < push < 1.5 * weight:
            failed.append(f"{name}: the ground pushes with {push:.0f} N, the figure weighs {weight:.0f} N")
    if touching != len(points):
        failed.append(f"MuJoCo has {touching} contacts instead of {len(points)}")
    print("\n" + ("\n".join(failed) if failed else "all claims hold"))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
