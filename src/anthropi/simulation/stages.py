"""Simulations one after the other, as one motion: where what is prescribed changes on the way. Floats only.

A joint that is locked while it moves stops at once, by a moment inside it. All other momentum stays: with H what is
prescribed after it and F the rest,

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
    """So many steps under a controller. stops : degrees of freedom that are stopped at its start."""

    steps: int
    controller: Any
    stops: tuple[str, ...] = ()


def run_stages(scene, q, u, stages, *, progress=None, every=1, **options) -> Motion:
    """One motion of all stages; `options` as in `simulate`."""
    total, done, whole = sum(stage.steps for stage in stages), 0, None

    def tell(now: int, _: int) -> None:
        if progress is not None:
            progress(done + now, total)

    for stage in stages:
        first, speed = (q, u) if whole is None else (whole, None)
        if stage.stops:
            first, speed = _stop(scene.figure, whole, q, u, stage)
        try:
            part = simulate(scene, first, speed, stage.controller, steps=stage.steps, every=every,
                            progress=None if progress is None else tell, **options)  # fmt: skip
        except (StepError, Interrupted) as error:
            if whole is not None and error.motion is not None:
                error.motion = joined(whole, error.motion)
            raise
        except KeyboardInterrupt:  # while the next stage was made ready
            if whole is None:
                raise
            raise Interrupted(f"Stopped at t = {whole.time[-1]:g} s; the exception's motion has what there was until "
                              "then.", whole) from None  # fmt: skip
        whole = part if whole is None else joined(whole, part)
        done += stage.steps
    assert whole is not None
    return whole


def joined(first: Motion, second: Motion) -> Motion:
    """A motion and the one that goes on from its last frame, which is the second's."""
    channels = {name: np.concatenate([x[:-1], second.channels[name]]) for name, x in first.channels.items()}
    return second.changed(time=np.concatenate([first.time[:-1], second.time]), channels=channels,
                          q=np.concatenate([first.q[:-1], second.q]), u=np.concatenate([first.u[:-1], second.u]),
                          events=(*first.events, *second.events))  # fmt: skip


def stopped(figure, q, u, stops, held):
    """u⁺ (nu,) of (1). stops : what rests after it. held : what is prescribed besides and keeps its velocity."""
    if figure.loops:
        raise InputError(
            f"Figure '{figure.name}' has loops ({', '.join(x.name for x in figure.loops)}): what is locked "
            "would stop more than itself. Freeze it from the start instead."
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
    """State, or motion to go on from, with what is locked at rest."""
    held = [name for name in stage.controller.prescribed if name not in stage.stops]
    if whole is None:
        return q, stopped(figure, np.asarray(q, float), np.asarray(u, float), stage.stops, held)
    end = np.array(whole.u)
    end[-1] = stopped(figure, whole.q[-1], whole.u[-1], stage.stops, held)
    return whole.changed(u=end), None
