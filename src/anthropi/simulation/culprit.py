"""Who was first when a state stopped being finite? The steps from the last finite frame on, once more, one by one.

Floats only.
"""

import numpy as np

__all__ = ["first_lost"]


def first_lost(run, frame: int, rollout: int) -> tuple[float, str]:
    """When a rollout was lost [s], and words on the joint and link that were first.

    run : the `Run` on its way. frame : the last that is finite.
    """
    given, time = run.given, float(run.given.times[frame])
    if run.given.tolerance is not None or given.rows:
        return time, ""
    states = _again(run, frame, rollout)
    if not states:
        return time, ""
    q, u = (np.array([state[name] for state in states]) for name in ("q", "u"))
    fine = np.isfinite(q).all(-1) & np.isfinite(u).all(-1)
    last = len(fine) - 1 if fine.all() else int(np.argmin(fine)) - 1
    figure, when = given.figure, time + (last + 1) * given.dt
    speeds = np.abs(u[last]) if last >= 0 else np.abs(_row(run.kept.channels["u"], rollout)[frame])
    bad = ~np.isfinite(u[last + 1]) if last + 1 < len(u) else np.ones(figure.nu, bool)
    dof = int(np.argmax(np.where(bad, speeds, -1.0)))
    joint = next(i for i, at in enumerate(figure.u_of) if at.start <= dof < at.stop)
    return when, (f" Joint '{figure.joints[joint].name}' of link '{figure.links[joint].name}' went first: "
                  f"{figure.dofs[dof]} moved at {speeds[dof]:.3g} before.")  # fmt: skip


def _row(array, rollout: int):
    return array[rollout] if array.ndim == 3 else array


def _again(run, frame: int, rollout: int) -> list[dict]:
    """The states after every step from a frame to the next."""
    given = run.given
    found: list[dict] = []

    def own(x, core):
        x = np.asarray(x, float)
        return x[rollout] if x.ndim > core else x

    cores = {"f_ext": 2, "stream": 0}
    arrays = {name: own(x, cores.get(name, 1)) for name, x in given.arrays.items()}
    state = {name: _row(run.kept.channels[name], rollout)[frame] for name in ("q", "u")}
    if "memory" in run.kept.channels:
        state["memory"] = _row(run.kept.channels["memory"], rollout)[frame]
    state |= {name: np.zeros_like(x) for name, x in given.program.state().items() if name in ("sums", "since", "means")}
    count = float(given.state.get("count", 0.0)) + frame * given.every
    while len(found) < given.every:
        until = min(given.every, len(found) + run.size)
        call = state | arrays | {"count": count, "due": count + 1.0, "limit": count + until - len(found)}
        after, frames = run.kernel(threads=1, start=given.start, dt=given.dt, per_frame=1, **call)[:2]
        for k in range(until - len(found)):
            found.append({name: frames[name][k] for name in ("q", "u")})
        state, count = {name: after[name] for name in state}, float(after["count"])
        if not all(np.isfinite(x).all() for x in found[-1].values()):
            break
    return found
