"""Stability of a periodic gait: multipliers of its Poincaré map, by differences (docs/equations/gait.md, 2.4, 7).

Let z = (q, u, memory) be a state of the gait, T the duration of a stride and Φ(z) the state T later. Strides are
simulated from randomly disturbed starts z ⊞ e. The matrix A of the stride is fitted to them by least squares:

    Φ(z ⊞ e) ⊟ Φ(z) ≈ A e                                                                      (1)

Each disturbance e is used with its opposite -e, so that terms even in e cancel. Disturbances are random because strikes
are detected at multiples of dt. If one coordinate were disturbed at a time, a small disturbance would shift a strike
either by a whole time step or not at all. Strides with a different number of steps are left out.

A maps each symmetry direction g of the walk to itself, A g = g: translations along x and y, rotation about the vertical
if the walk is not steered, and the shift in time g = ż. With N an orthonormal basis of the complement of all g,

    multipliers = eigenvalues of Nᵀ A N                                                        (2)

are those of the Poincaré map for any section. If all are below 1 in magnitude, errors decay from stride to stride. T is
the time at which the walk is nearest to its start. Memory entries that are always integers (stance leg, number of
steps) are not disturbed. A memory entry that grows by T during a stride is a time; it is measured relative to the
current time. The functions work on plain floats only and cannot be recorded on a tape.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.errors import InputError, SimulationError
from anthropi.gait.report.foot_events import by_load
from anthropi.gait.report.from_motion import foot_forces
from anthropi.motion import Motion
from anthropi.simulation.memory import layout
from anthropi.simulation.problem import Problem, initial_memory
from anthropi.simulation.simulate import simulate

__all__ = ["Poincare", "poincare_multiplier"]

SAMPLES = 8  # pairs of opposite disturbances per entry of z
MIN_REGULAR = 0.8  # share of strides that must continue like the undisturbed one
SIZES = {
    "q": 0.003,
    "u": 0.015,
    "memory": 0.03,
    "time": 0.0015,
}  # disturbances [rad, m], [rad/s, m/s], shares of the largest value, of T
PERIOD_TOLERANCE = 0.15  # share of the period within which the nearest state is searched
PLACES = ("x", "y", "heading")
MID_STANCE = 0.35  # share of a step after the strike, far from any strike or foot off


@dataclass(frozen=True, eq=False)
class Poincare:
    """Stability of a gait over one stride.

    multipliers : (n,) complex multipliers (2), largest magnitude first.
    period : duration of the stride [s].
    closure : distance between the states at both ends of the stride, as a share of the extent of its orbit.
    kept : {symmetry: |A g - g| / |g|}, which is 0 for an exact A.
    spread : uncertainty of the largest multiplier: half the difference between fits to two halves of the strides.
    mode : names of the three largest entries of the eigenvector of the largest multiplier.
    """

    multipliers: np.ndarray
    period: float
    closure: float
    kept: dict[str, float]
    spread: float
    mode: tuple[str, ...]

    @property
    def dominant(self) -> float:
        """Largest magnitude of a multiplier; below 1, small errors decay."""
        return float(np.abs(self.multipliers[0]))

    def __repr__(self) -> str:
        how = f"period {self.period:.4g} s, mostly {', '.join(self.mode)}"
        return f"Poincare({self.dominant:.3f} ± {self.spread:.3f}, {how})"


def poincare_multiplier(
    scene: Any,
    controller: Any,
    motion: Motion,
    *,
    period: float | None = None,
    at: float | None = None,
    free: tuple[str, ...] = ("x", "y"),
    size: float = 1.0,
    command: Any = None,
    parameters: dict[str, Any] | None = None,
    seed: int = 0,
    dt: float = 1e-3,
    method: str | None = None,
    **build: Any,
) -> Poincare:
    """Compute how small errors in the state of a periodic gait grow or decay over a stride.

    Parameters
    ----------
    scene : scene or figure that walks.
    controller : its controller, or None.
    motion : a motion of `simulate` that has settled into steady walking.
    period : approximate duration of a stride [s]; by default the time between the last two left foot strikes.
    at : time at which the stride starts [s]; by default the last mid-stance of the left foot, or the last frame if
        contact was not recorded.
    free : symmetries of a free root: any of "x", "y" and "heading". Use "heading" only for a walk that is not steered.
    size : factor of the disturbances `SIZES`.
    command, parameters, seed, dt, method, **build : as in `simulate`.
    """
    run = {
        "forces": controller,
        "command": command,
        "parameters": parameters,
        "seed": seed,
        "dt": dt,
        "method": method,
    } | build
    wrong = [name for name in free if name not in PLACES]
    if wrong or motion.q.ndim != 2:
        raise InputError(f"free={free!r}: choose from {', '.join(PLACES)}. The motion must have a single rollout.")
    start, about = _start(motion, at, period)
    course = simulate(
        scene, start, steps=int(np.ceil((1.0 + PERIOD_TOLERANCE) * about / dt)) + 2, every=1, record=(), **run
    )
    state = _State.of(course, scene, controller, about, size, dt)
    steps = state.nearest(round(about / dt))
    z = state.apart(course, steps)
    G, names = state.symmetries(steps, free if course.figure.joints[0].kind == "free" else ())
    N = np.linalg.svd(G, full_matrices=True)[0][:, G.shape[1] :]
    still = [PLACES.index(name) for name in names if name in PLACES[:2]]
    A, *halves = _matrices(scene, state, steps, still, run)
    values, vectors = np.linalg.eig(N.T @ A @ N)  # (2)
    first = np.argsort(-np.abs(values))
    mode = np.abs(N @ vectors[:, first[0]])
    apart = [np.abs(np.linalg.eigvals(N.T @ half @ N)).max() for half in halves]
    back = np.delete(A @ G - G, still, 0)  # a rotation about z also changes the position
    kept = dict(zip(names, (float(x) for x in np.linalg.norm(back, axis=0) / np.linalg.norm(G, axis=0)), strict=True))
    far = max(float(np.linalg.norm(state.apart(course, k))) for k in range(0, steps, max(1, steps // 50)))
    spread, most = 0.5 * float(abs(apart[0] - apart[1])), tuple(state.names[i] for i in np.argsort(-mode)[:3])
    return Poincare(values[first], steps * dt, float(np.linalg.norm(z)) / far, kept, spread, most)


@dataclass(frozen=True, eq=False)
class _State:
    """Start of a stride, and the scale of each entry of its state z.

    course : the undisturbed motion from the start. names, sizes : name and scale of each entry of z.
    moved : indices of the memory entries that are disturbed. times : which of these are times.
    here : number of horizontal positions in z, which `apart` leaves out. dt : time step [s].
    """

    course: Motion
    names: tuple[str, ...]
    sizes: np.ndarray
    moved: np.ndarray
    times: np.ndarray
    here: int
    dt: float

    @staticmethod
    def of(course: Motion, scene, controller, about: float, size: float, dt: float) -> "_State":
        figure, kept = course.figure, _memory(course)
        whole = (kept == np.round(kept)).all(0) | ~np.isfinite(kept).all(0)
        moved = np.flatnonzero(~whole)
        stride = kept[: round(about / dt) + 1]
        grown = stride[-1] - stride[0]
        times = np.abs(grown - about) < PERIOD_TOLERANCE * about
        span = np.where(
            times, SIZES["time"] * about, SIZES["memory"] * np.maximum(np.ptp(stride, 0), np.abs(stride).max(0))
        )
        row = size * np.concatenate([np.full(figure.nu, SIZES["q"]), np.full(figure.nu, SIZES["u"]), span[moved]])
        words = _memory_names(scene, controller, figure)
        remembered = [words[k] if k < len(words) else f"memory {k}" for k in moved]
        names = (*figure.dofs, *(f"{name}'" for name in figure.dofs), *remembered)
        return _State(course, names, row, moved, times[moved], 2 if figure.joints[0].kind == "free" else 0, dt)

    def tangent(self, k: int, other: int) -> np.ndarray:
        """Return the state z of frame `other` minus that of frame k, divided by `sizes`."""
        c = self.course
        return self.difference(c.q[k], c.u[k], _memory(c)[k], c.q[other], c.u[other], _memory(c)[other])

    def difference(self, q0, u0, m0, q, u, m) -> np.ndarray:
        """Return the difference of two states, (q, u, m) ⊟ (q0, u0, m0), divided by `sizes`."""
        figure = self.course.figure
        parts = figure.difference(q0, q), u - u0, (m - m0)[self.moved]
        return np.concatenate(parts) / self.sizes

    def apart(self, course: Motion, k: int) -> np.ndarray:
        """Return the state of frame k minus that of the start, divided by `sizes`.

        Horizontal positions are set to 0, and times are measured relative to the time of the frame.
        """
        z = self.tangent(0, k)
        z[: self.here] = 0.0
        at = len(z) - len(self.moved)
        z[at:] = z[at:] - np.where(self.times, course.time[k] - course.time[0], 0.0) / self.sizes[at:]
        return z

    def nearest(self, about: int) -> int:
        """Return the number of time steps, near `about`, after which the motion is nearest to its start."""
        tried = range(
            max(2, int((1.0 - PERIOD_TOLERANCE) * about)),
            min(len(self.course) - 2, int((1.0 + PERIOD_TOLERANCE) * about)) + 1,
        )
        return min(tried, key=lambda k: float(np.linalg.norm(self.apart(self.course, k))))

    def symmetries(self, steps: int, free) -> tuple[np.ndarray, list[str]]:
        """Return the symmetry directions g (n, symmetries), divided by `sizes`, and their names."""
        n, c = self.course.figure.nu, self.course
        found, names = [], []
        for name in free:
            g = np.zeros(len(self.sizes))
            if name == "heading":
                from anthropi.algebra import rotation as rot

                g[3:6] = rot.matrix_from_quaternion(c.q[0][3:7]).T @ np.array([0.0, 0.0, 1.0])
                g[n : n + 2] = -c.u[0][1], c.u[0][0]
                g = g / self.sizes
            else:
                g[PLACES.index(name)] = 1.0
            found.append(g)
            names.append(name)
        flow = self.tangent(steps - 1, steps + 1) / (2.0 * self.dt)
        at = len(flow) - len(self.moved)
        flow[at:] = flow[at:] - np.where(self.times, 1.0, 0.0) / self.sizes[at:]
        return np.stack([*found, flow / np.linalg.norm(flow)], 1), [*names, "time"]


def _matrices(scene, state: _State, steps: int, still: list[int], run) -> list[np.ndarray]:
    """Fit the matrix A (n, n) of (1), scaled by `sizes`, to all strides and to each half of them.

    still : indices of the positions that are not disturbed.
    """
    c, figure, n = state.course, state.course.figure, len(state.sizes)
    nu = figure.nu
    half = np.random.default_rng(0).uniform(-1.0, 1.0, (SAMPLES * n, n))
    half[:, still] = 0.0
    moves = np.concatenate([half, -half])
    step = moves * state.sizes
    q = np.array([figure.integrate(c.q[0], row) for row in step[:, :nu]])
    m = np.repeat(_memory(c)[:1], len(moves), 0)
    m[:, state.moved] += step[:, 2 * nu :]
    channels = {"memory": m[:, None]} if "memory" in c.channels else {}
    begun = c[:1].changed(q=q[:, None], u=(c.u[0] + step[:, nu : 2 * nu])[:, None], channels=channels, events=())
    end = simulate(scene, begun, steps=steps, every=steps, record=(), strict=False, **run)
    last, usual = _memory(end)[:, -1], _memory(c)[steps]
    whole = np.setdiff1d(np.arange(m.shape[1]), state.moved)
    same = (last[:, whole] == usual[whole]).all(-1) & np.isfinite(end.q[:, -1]).all(-1)
    if same.mean() < MIN_REGULAR:
        raise SimulationError(
            f"Only {100.0 * same.mean():.0f} % of the disturbed strides continue like the undisturbed one, so "
            "the disturbance is too large. Give a smaller size."
        )
    rows = [
        state.difference(c.q[steps], c.u[steps], usual, end.q[k, -1], end.u[k, -1], last[k])
        for k in np.flatnonzero(same)
    ]
    found, inputs = [], np.concatenate([moves[same], np.ones((same.sum(), 1))], 1)  # the last column absorbs even terms
    for part in (slice(None), slice(0, None, 2), slice(1, None, 2)):
        A = np.linalg.lstsq(inputs[part], np.array(rows)[part], rcond=None)[0][:n].T  # (1)
        A[:, still] = np.eye(n)[:, still]
        found.append(A)
    return found


def _memory(motion: Motion) -> np.ndarray:
    """Return the controller and contact memory of a motion (…, frames, n); n is 0 if there is no memory."""
    return motion.channels.get("memory", np.zeros((*motion.q.shape[:-1], 0)))


def _memory_names(scene, controller, figure) -> list[str]:
    """Return the name of each entry of memory."""
    problem = Problem(figure, None if scene is figure or not hasattr(scene, "figure") else scene, controller)
    own = layout(initial_memory(problem))
    return [name for name, shape in zip(own.names, own.shapes, strict=True) for _ in range(int(np.prod(shape)))]


def _start(motion: Motion, at, period) -> tuple[Motion, float]:
    """Return the motion up to the start of the stride, and the approximate duration of the stride [s]."""
    force: Any = foot_forces(motion, np.eye(3))
    strikes = np.zeros(0) if force is None else by_load(motion.time, force["l"][:, 2]).strike
    if period is None:
        if len(strikes) < 2:
            raise InputError(
                "The duration of a stride is unknown. Give period= [s], or a motion with recorded contact and at "
                "least two strikes of the left foot."
            )
        period = float(strikes[-1] - strikes[-2])
    if at is None:
        middle = strikes + 0.5 * MID_STANCE * period
        inside = middle[middle <= motion.time[-1]]
        at = float(inside[-1]) if len(inside) else float(motion.time[-1])
    k = int(np.argmin(np.abs(motion.time - at)))
    return motion[: k + 1], float(period)
