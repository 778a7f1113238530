"""Simulate several stages with different prescribed dofs as one motion. Works on plain floats only.

A joint that is locked while it moves is stopped immediately by a moment in the joint. All other momentum is conserved.
With H the dofs that are prescribed afterwards and F all others,

    M_FF u⁺_F + M_FH u⁺_H = M_FF u_F + M_FH u_H                                (1)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algorithms.mass_matrix import mass_matrix
from anthropi.errors import InputError, Interrupted, StepError
from anthropi.motion import Motion
from anthropi.simulation.simulate import simulate

__all__ = ["Stage", "joined", "run_stages", "stopped"]


@dataclass(frozen=True, eq=False)
class Stage:
    """A number of steps with one controller. stops : names of dofs that are stopped at the start of the stage."""

    steps: int
    controller: Any
    stops: tuple[str, ...] = ()


def run_stages(
    scene: Any, q: Any, u: Any, stages: Any, *, progress: Any = None, every: int = 1, **options: Any
) -> Motion:
    """Simulate all stages, one after another, and return one motion; `options` as in `simulate`."""
    total, done, whole = sum(stage.steps for stage in stages), 0, None

    def report(now: int, _: int) -> None:
        if progress is not None:
            progress(done + now, total)

    for stage in stages:
        first, speed = (q, u) if whole is None else (whole, None)
        if stage.stops:
            first, speed = _stop(scene.figure, whole, q, u, stage)
        try:
            part = simulate(scene, first, speed, stage.controller, steps=stage.steps, every=every,
                            progress=None if progress is None else report, **options)  # fmt: skip
        except (StepError, Interrupted) as error:
            if whole is not None and error.motion is not None:
                error.motion = joined(whole, error.motion)
            raise
        except KeyboardInterrupt:  # during the preparation of the next stage
            if whole is None:
                raise
            raise Interrupted(f"Interrupted at t = {whole.time[-1]:g} s. The motion so far is in the field 'motion' of "
                              "this exception.", whole) from None  # fmt: skip
        whole = part if whole is None else joined(whole, part)
        done += stage.steps
    assert whole is not None
    return whole


def joined(first: Motion, second: Motion) -> Motion:
    """Join a motion and its continuation, which begins at the last frame of the first motion."""
    channels = {name: np.concatenate([x[:-1], second.channels[name]]) for name, x in first.channels.items()}
    return second.changed(time=np.concatenate([first.time[:-1], second.time]), channels=channels,
                          q=np.concatenate([first.q[:-1], second.q]), u=np.concatenate([first.u[:-1], second.u]),
                          events=(*first.events, *second.events))  # fmt: skip


def stopped(figure: Any, q: Any, u: Any, stops: Any, held: Any) -> Any:
    """Compute the velocities u⁺ (nu,) after some dofs are stopped, by conservation of momentum (1).

    stops : names of the stopped dofs. held : names of other prescribed dofs, which keep their velocities.
    """
    if figure.loops:
        raise InputError(
            f"Figure '{figure.name}' has loops ({', '.join(x.name for x in figure.loops)}), so a joint that is locked "
            "during a motion would stop other joints too. Freeze the joint from the start."
        )
    still = set(figure.dof_indices(stops))
    fixed = still | set(figure.dof_indices(held))
    F, H = [k for k in range(figure.nu) if k not in fixed], sorted(fixed)
    after = np.array([0.0 if k in still else x for k, x in enumerate(u)])
    M = np.asarray(mass_matrix(figure, q), float)
    lost = M[np.ix_(F, H)] @ (u[H] - after[H])
    after[F] = u[F] + np.linalg.solve(M[np.ix_(F, F)], lost) if F else after[F]  # (1)
    return after


def _stop(figure, whole: Motion | None, q, u, stage: Stage):
    """Return the state, or the motion to continue, with zero velocity of the locked dofs."""
    held = [name for name in stage.controller.prescribed if name not in stage.stops]
    if whole is None:
        return q, stopped(figure, np.asarray(q, float), np.asarray(u, float), stage.stops, held)
    end = np.array(whole.u)
    end[-1] = stopped(figure, whole.q[-1], whole.u[-1], stage.stops, held)
    return whole.changed(u=end), None
