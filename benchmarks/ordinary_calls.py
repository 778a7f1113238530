"""Claims, for calls as a user writes them, on one core: with one state of `bench42` (42 degrees of freedom),
`kernel(q, u, tau)` of direct dynamics is at least 3 times as fast as `pin.aba(model, data, q, v, tau)` of Pinocchio in
the same run, and `ap.direct_dynamics(figure, q, u, tau)`, which also checks its input, 1.5 times. For both, a batch of
4,096 in C or Fortran order, of every second row, reversed, or part of wider rows takes at most 1.3 times as long as the
fastest of these orders, and every second row of a Fortran array at most twice as long. `sim.step()` of a human on
eight contacts takes at most half the time of `mujoco.mj_step(model, data)` of MuJoCo's humanoid. The first result of
`ap.derivative(ap.direct_dynamics, ap.human())` comes in under 1 s without a cache, with the bits of optimised code.

Arrays are NumPy arrays of float64. The faster of Pinocchio's two conventions counts. MuJoCo's humanoid (21 joints and a
free root; ours has 50 degrees of freedom) lies on the ground, where its steps are fastest; a step is 5 ms, ours 1 ms.
Times are the fastest of several rounds in which all calls take turns.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from _machine import best, machine
from peers.pinocchio import PinocchioPeer

import anthropi as ap
from anthropi.cli.measure import bare

os.environ["ANTHROPI_THREADS"] = "1"

KERNEL, ENTRY, STEP, FIRST = 3.0, 1.5, 0.5, 1.0
BATCH, ROUNDS, STEPS = 4096, 40, 50
ORDERS = {  # name: how an array is made of one in C order, largest time relative to the fastest order
    "C": (np.ascontiguousarray, 1.3),
    "Fortran": (np.asfortranarray, 1.3),
    "every second row": (lambda a: np.repeat(a, 2, axis=0)[::2], 1.3),
    "part of wider rows": (lambda a: np.pad(a, ((0, 0), (3, 8)))[:, 3:-8], 1.3),
    "rows reversed": (lambda a: a[::-1].copy()[::-1], 1.3),
    "Fortran, second rows": (lambda a: np.asfortranarray(np.repeat(a, 2, axis=0))[::2], 2.0),
}
failed: list[str] = []


def claim(words: str, holds: bool) -> str:
    """Return the words for one claim; remember it if it does not hold."""
    if not holds:
        failed.append(words)
    return f"claim: {words}: {'holds' if holds else 'FAILS'}"


def settled(call) -> None:
    """Repeat a call until its compiled code is ready: entry points are interpreted at first."""
    end = time.perf_counter() + 20.0
    while time.perf_counter() < end and best(call, 3, 20) > 10e-6:
        time.sleep(0.1)


def one_state(figure, kernel, rng) -> None:
    """Compare calls with one state."""
    q, (u, tau) = figure.random(rng), rng.normal(size=(2, figure.nu))
    peer = PinocchioPeer(figure, 1e-3)
    state = {"q": q, "u": u, "tau": tau, "udot": np.zeros(figure.nu)}
    apart = np.abs(peer.result("direct dynamics", state)[0] - kernel(q, u, tau)).max()
    calls = {"kernel": lambda: kernel(q, u, tau), "entry point": lambda: ap.direct_dynamics(figure, q, u, tau)}
    settled(calls["entry point"])
    calls |= {f"Pinocchio {n}": call for n, call in peer.calls("direct dynamics", state).items()}
    quickest = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for name, call in calls.items():
            quickest[name] = min(quickest[name], best(call, 1, 1000))
    theirs = min(time for name, time in quickest.items() if name.startswith("Pinocchio"))
    print(f"\none state, Pinocchio {peer.version}; results differ by {apart:.0e} rad/s² at most")
    for name, found in quickest.items():
        print(f"  {name:24} {1e6 * found:6.2f} µs   {theirs / found:5.2f}x")
    print(claim(f"kernel at least {KERNEL:g}x", theirs / quickest["kernel"] >= KERNEL))
    print(claim(f"entry point at least {ENTRY:g}x", theirs / quickest["entry point"] >= ENTRY))


def batches(figure, kernel, rng) -> None:
    """Compare memory orders of a batch."""
    whole = np.stack([figure.random(rng) for _ in range(BATCH)]), *rng.normal(size=(2, BATCH, figure.nu))
    orders = {name: [change(a) for a in whole] for name, (change, _) in ORDERS.items()}
    wanted = kernel(*whole).tobytes()
    same = all(kernel(*arrays).tobytes() == wanted for arrays in orders.values())
    print(f"\nbatch of {BATCH}, {kernel.lanes} lanes, one thread; bits equal: {same}")
    for name, call in {"kernel": kernel, "entry point": lambda *a: ap.direct_dynamics(figure, *a)}.items():
        quickest = dict.fromkeys(orders, float("inf"))
        for _ in range(ROUNDS):
            for order, arrays in orders.items():
                quickest[order] = min(quickest[order], best(lambda a=arrays, c=call: c(*a), 1, 1))
        least = min(quickest.values())
        for order, found in quickest.items():
            print(f"  {name:12} {order:20} {1e9 * found / BATCH:7.1f} ns per state   {found / least:5.2f}")
        slow = [order for order, found in quickest.items() if found > ORDERS[order][1] * least]
        print(claim(f"{name}: every order within its bound of the fastest", not slow))
    print(claim("all orders give the same bits", same))


def steps() -> None:
    """Compare steps of a simulation, one by one from Python."""
    import mujoco

    place = Path("shared", "data", "mjcf", "mujoco_humanoid.xml")
    files = [p / place for p in Path(__file__).resolve().parents if (p / place).is_file()]
    if not files:
        failed.append(f"steps: not measured, no file {place}")
        return
    model = mujoco.MjModel.from_xml_path(str(files[0]))
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 1000)  # it falls and lies
    lying, contacts = [data.qpos.copy(), data.qvel.copy()], data.ncon
    figure = ap.human()
    sim = ap.Simulation(ap.Scene(figure, features=["l_foot", "r_foot"]), opt=2)
    start, quickest = ap.standing(figure), {"sim": float("inf"), "mj": float("inf")}
    for _ in range(ROUNDS):
        sim.reset(start)
        sim.step()
        quickest["sim"] = min(quickest["sim"], best(sim.step, 1, STEPS))
        mujoco.mj_resetData(model, data)
        data.qpos[:], data.qvel[:] = lying
        mujoco.mj_step(model, data)
        quickest["mj"] = min(quickest["mj"], best(lambda: mujoco.mj_step(model, data), 1, STEPS))
    loaded = int((sim.contacts.forces[:, 2] > 0.0).sum())
    print(f"\none step; {figure!r} on {loaded} contacts, MuJoCo {mujoco.__version__}: {model.nv} degrees of freedom, "
          f"{contacts} contacts")  # fmt: skip
    print(f"  sim.step() {1e6 * quickest['sim']:.2f} µs, mj_step {1e6 * quickest['mj']:.2f} µs, "
          f"ratio {quickest['sim'] / quickest['mj']:.2f}")  # fmt: skip
    print(claim(f"sim.step() at most {STEP:g} of mj_step", quickest["sim"] <= STEP * quickest["mj"]))
    print(claim("all eight contacts carry", loaded == 8))


def first_derivative(rng) -> None:
    """Measure the time to the first derivative, with an empty cache: the fastest of several."""
    figure = ap.human()
    q, (u, tau) = ap.standing(figure), rng.normal(size=(2, figure.nu))
    before, seconds = os.environ.get("ANTHROPI_CACHE"), float("inf")
    for last in (False, False, False, True):
        with tempfile.TemporaryDirectory() as folder:
            os.environ |= {"ANTHROPI_CACHE": folder, "ANTHROPI_TIERS": "1" if last else "0"}  # 0: compile nothing
            start = time.perf_counter()
            kernel = ap.derivative(ap.direct_dynamics, figure)
            first = kernel(q, u, tau)
            seconds = min(seconds, time.perf_counter() - start)
            kernel.settle()
            whole, after = time.perf_counter() - start, kernel(q, u, tau)
    os.environ.pop("ANTHROPI_TIERS")
    os.environ.pop("ANTHROPI_CACHE")
    os.environ |= {} if before is None else {"ANTHROPI_CACHE": before}
    same = kernel.compiled and all(first[name].tobytes() == after[name].tobytes() for name in first)
    print(f"\nderivatives of direct dynamics of {figure!r}, {kernel.operations:,} operations")
    print(f"  first result {seconds:.2f} s, optimised code ready after {whole:.1f} s, bits equal: {same}")
    print(claim(f"first result in under {FIRST:g} s, bits equal", seconds < FIRST and same))


def main() -> int:
    """Measure and print; 0 if all claims hold."""
    rng = np.random.default_rng(0)
    figure, _ = bare(ap.sample("bench42"))
    kernel = ap.compile(ap.direct_dynamics, figure)
    print(f"{machine()}, NumPy {np.__version__}; {figure!r}, {kernel.operations:,} operations")
    one_state(figure, kernel, rng)
    batches(figure, kernel, rng)
    steps()
    first_derivative(rng)
    print("\n" + ("\n".join(failed) if failed else "all claims hold"))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
